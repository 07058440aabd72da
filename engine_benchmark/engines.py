"""What can be scored: anything that, asked positions and rolls, names the positions its plays lead
to.

A program is asked on its standard input by `sagnubg`'s own `b` command, a line a position:

    b KEY D1 D2              answered by              b KEY D1 D2 ANSWER

KEY is the position before the roll, the mover on roll. ANSWER is the key of the position after the
play, the opponent on roll, or the play in the usual notation ("8/4 6/4"). Words after such a key
are ignored, and so are other lines. Answers may come in any order, and only after the input ends.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple, Protocol

from engine_benchmark.keys import KEY_LETTERS, from_position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.errors import EngineError, MissingPackage, UnknownName, reason_of
from reconcile.files.inputs import note
from reconcile.files.processes import Program, TooLate, TooMuch, awaited, threads
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.board.position import position_id
from reconcile.wording import words_of

MOST_PLIES: Final = 3
SILENCE: Final = 600.0
"""Longest silence of an engine, in seconds."""
GRACE: Final = 2.0
"""Seconds that a program has to end after its last answer."""
PER_PROCESSOR: Final = {0: 8, 1: 2}
"""Processes of gnuBG by plies, one for other depths: `findbestmove` waits 10 ms for its thread."""
SMALLEST: Final = 50
"""Fewest questions for which another gnuBG pays off."""
_NAMED: Final = re.compile(r"(gnubg|gnubg-nn|bgsage)(?::(\w*))?")
_SCRIPT: Final = """
gnubg.command("set threads 1")
money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
settings = {{"cubeful": 0, "plies": {plies}, "deterministic": 1, "prune": 1, "noise": 0.0}}
for number, (name, dice) in enumerate({questions!r}):
    print("play", number, *gnubg.findbestmove(gnubg.positionfromid(name), money, settings, dice))
"""


class Question(NamedTuple):
    """A position as a key, mover on roll, and a roll."""

    key: str
    dice: tuple[int, int]


Answers = list[str | None]
"""For each question the key of the result, opponent on roll; `None` if missing. Other text is no
legal play."""
Progress = Callable[[int], None]
"""Called with the number of new answers, perhaps from another thread."""


class Engine(Protocol):
    """An engine that can be scored; any object with these two will do."""

    @property
    def name(self) -> str:
        """The name with version and settings, as the report shows it."""

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """The plays, chosen for cubeless money equity. Raises `EngineError`."""


@dataclass(frozen=True, slots=True)
class CommandPlayer:
    """A program that reads questions and writes answers; started directly, without a shell."""

    arguments: tuple[str, ...]
    silence: float
    jobs: int = 1
    title: str = ""

    def __post_init__(self) -> None:
        if shutil.which(self.arguments[0]) is None:
            raise EngineError(
                f"{self.arguments[0]}: no such engine or program; expected gnubg, gnubg:PLIES, "
                "gnubg-nn, bgsage or a command that can be started"
            )

    @property
    def name(self) -> str:
        """See `Engine`."""
        return self.title or " ".join(self.arguments)

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """See `Engine`."""
        return _shared(self._ask, questions, self.jobs, answered)

    def _ask(self, questions: Sequence[Question], answered: Progress) -> Answers:
        answers: Answers = [None] * len(questions)
        waiting: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for index, (key, dice) in enumerate(questions):
            waiting[key, *map(str, dice)].append(index)
        asked = "".join(f"b {key} {first} {second}\n" for key, (first, second) in questions)
        left, last, trouble = len(questions), b"", ""
        try:
            with Program(self.arguments, questions=[asked.encode("ascii")]) as running:
                running.allow(self.silence)
                for line in running.lines():
                    words = line.decode("utf-8", "replace").split()
                    if words[:1] != ["b"]:
                        last = line if words else last
                    elif indices := waiting.get(tuple(words[1:4])) if len(words) > 4 else None:
                        left -= 1
                        running.allow(self.silence if left else GRACE)
                        index = indices.popleft()
                        answers[index] = _answer(questions[index], words[4:])
                        answered(1)
            if left == len(questions):
                printed = (last or running.complaint).decode("utf-8", "replace").split()
                trouble = (
                    f"expected lines 'b KEY D1 D2 ANSWER', found none to {left} questions; exit "
                    f"status {running.code}, it printed: {' '.join(printed)[-300:] or 'nothing'}"
                )
        except TooLate:
            if left:
                trouble = (
                    f"no answer for {self.silence:g} seconds after {len(questions) - left} of "
                    f"{len(questions)} answers; allow more time with --silence, or make it flush "
                    "its output"
                )
        except TooMuch:
            trouble = "prints without an end"
        except OSError as error:
            trouble = f"cannot be started: {reason_of(error)}"
        if trouble:
            raise EngineError(f"{self.arguments[0]}: {trouble}")
        return answers


@dataclass(frozen=True, slots=True)
class GnubgPlayer:
    """gnuBG at some plies, with its own move filter and pruning nets, cubeless."""

    program: Gnubg
    plies: int
    silence: float
    jobs: int

    @property
    def name(self) -> str:
        """See `Engine`."""
        return f"gnuBG {self.program.version}, {self.plies}-ply"

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """See `Engine`."""
        return _shared(self._ask, questions, min(self.jobs, len(questions) // SMALLEST), answered)

    def _ask(self, questions: Sequence[Question], answered: Progress) -> Answers:
        answers: Answers = [None] * len(questions)

        def read(line: str) -> None:
            word, *numbers = line.split() or [""]
            if word == "play":
                index, *places = map(int, numbers)
                play = tuple(zip(places[::2], places[1::2], strict=True))
                try:
                    answers[index] = result_key(
                        apply_play(from_position_key(questions[index].key), play)
                    )
                except ValueError:
                    answers[index] = ""
                answered(1)

        asked = [(position_id(from_position_key(key)), dice) for key, dice in questions]
        limit = self.silence * max(1.0, len(questions) / SMALLEST)
        script = _SCRIPT.format(plies=self.plies, questions=asked)
        self.program.run(script, timeout=limit, on_line=read)
        return answers


def engine(text: str, *, silence: float = SILENCE, jobs: int | None = None) -> Engine:
    """The engine of `--engine`: `gnubg`, `gnubg-nn` or `bgsage`, each with `:PLIES`, or a command.

    `jobs` is how many processes of it run in parallel. Raises `EngineError`, `UnknownName`.
    """
    cores = os.cpu_count() or 1
    if named := _NAMED.fullmatch(text.strip()):
        name, plies = named[1], "0" if named[2] is None else named[2]
        if not plies.isdigit() or int(plies) > MOST_PLIES:
            raise UnknownName(
                f"engine {text!r}: expected 0 to {MOST_PLIES} plies after the colon, found "
                f"{plies!r}"
            )
        if name == "gnubg":
            jobs = jobs or PER_PROCESSOR.get(int(plies), 1) * cores
            return GnubgPlayer(find(), int(plies), silence, jobs)
        try:
            title = f"{name} {version(name)}, {plies}-ply"
        except PackageNotFoundError:
            raise MissingPackage(
                f"engine {name}: the package is not installed; pip install {name}, "
                "or use --engine gnubg"
            ) from None
        worker = (sys.executable, "-m", "engine_benchmark.nets", name, plies)
        return CommandPlayer(worker, silence, jobs or cores, title)
    try:
        arguments = words_of(text)
    except ValueError as error:
        raise UnknownName(
            f"engine {text!r}: not a command: {str(error).lower()}; correct the quotes"
        ) from None
    if not arguments:
        raise UnknownName("expected gnubg, gnubg-nn, bgsage or a command as engine, found nothing")
    for word in arguments:
        note(word)
    return CommandPlayer(tuple(arguments), silence, jobs or 1)


def _shared(
    ask: Callable[[Sequence[Question], Progress], Answers],
    questions: Sequence[Question],
    jobs: int,
    answered: Progress,
) -> Answers:
    """The answers of several processes, each with every so many-th question: hard ones come in a
    row."""
    answers: Answers = [None] * len(questions)
    jobs = max(1, min(jobs, len(questions)))
    with threads(jobs) as pool:
        running = [pool.submit(ask, questions[first::jobs], answered) for first in range(jobs)]
        for first, part in enumerate(awaited(running)):
            answers[first::jobs] = part
    return answers


def _answer(question: Question, words: list[str]) -> str:
    """The key of the result; empty if the answer is neither a key nor a possible play."""
    if len(words[0]) == KEY_LETTERS and words[0].isalpha():
        return words[0]
    try:
        before = from_position_key(question.key)
        return result_key(apply_play(before, parse_play(" ".join(words), question.dice, before)))
    except ValueError:
        return ""
