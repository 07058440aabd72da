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
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple, Protocol

from engine_benchmark.keys import KEY_LETTERS, from_position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.engines.sage import Sage
from reconcile.errors import EngineError, MissingPackage, UnknownName, reason_of
from reconcile.files.processes import Program, TooLate, TooMuch, awaited, threads
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.board.position import position_id
from reconcile.wording import words_of

MOST_PLIES = 3
SILENCE = 600.0
"""Longest silence of an engine, in seconds."""
GRACE = 2.0
"""Seconds that a program has to end after its last answer."""
PER_PROCESSOR = {0: 8, 1: 2}
"""Processes of gnuBG by plies, one for other depths: `findbestmove` waits 10 ms for its thread."""
SMALLEST = 50
"""Fewest questions for which another gnuBG pays off."""
_NAMED = re.compile(r"(gnubg|gnubg-nn|sage)(?::(\w*))?")
_SCRIPT = """
gnubg.command("set threads 1")
money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
settings = {{"cubeful": 0, "plies": {plies}, "deterministic": 1, "prune": 1, "noise": 0.0}}
for name, key, dice in {questions!r}:
    places = gnubg.findbestmove(gnubg.positionfromid(name), money, settings, dice)
    steps = ["%d/%d" % step for step in zip(places[::2], places[1::2])]
    print("b", key, *dice, *steps or ["dance"])
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


class Asked:
    """Questions to a program, and its answers so far."""

    def __init__(self, questions: Sequence[Question], answered: Progress) -> None:
        self.questions, self.answered = questions, answered
        self.answers: Answers = [None] * len(questions)
        self.missing = len(questions)
        self._waiting: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for index, (key, dice) in enumerate(questions):
            self._waiting[key, *map(str, dice)].append(index)

    def take(self, line: str) -> bool:
        """Whether a line that the program printed is an answer."""
        word, *question = line.split()[:4] or [""]
        words = line.split()[4:]
        if word != "b" or not words or not (indices := self._waiting.get(tuple(question))):
            return False
        index = indices.popleft()
        self.answers[index] = _result(self.questions[index], words)
        self.missing -= 1
        self.answered(1)
        return True


def _result(question: Question, words: list[str]) -> str:
    """The key of the result; empty if the answer is neither a key nor a possible play."""
    if len(words[0]) == KEY_LETTERS and words[0].isalpha():
        return words[0]
    try:
        before = from_position_key(question.key)
        return result_key(apply_play(before, parse_play(" ".join(words), question.dice, before)))
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Player:
    """A program as an `Engine`: several processes, each asked every so many-th question, since hard
    ones come in a row."""

    name: str
    ask: Callable[[Asked], None]
    jobs: int
    fewest: int = 1
    """Questions for which a process pays off."""

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """See `Engine`."""
        jobs = max(1, min(self.jobs, len(questions) // self.fewest))
        shares = [Asked(questions[first::jobs], answered) for first in range(jobs)]
        with threads(jobs) as pool:
            list(awaited([pool.submit(self.ask, share) for share in shares]))
        return [shares[index % jobs].answers[index // jobs] for index in range(len(questions))]


def program_player(words: Sequence[str], silence: float, jobs: int, title: str = "") -> Player:
    """A program that reads questions and writes answers, started without a shell; its longest
    silence is in seconds. Raises `EngineError` if there is no such program."""
    if shutil.which(words[0]) is None:
        raise EngineError(
            f"{words[0]}: no such engine or program; expected gnubg, gnubg:PLIES, "
            "gnubg-nn, sage or a command that can be started"
        )
    return Player(title or " ".join(words), partial(_ask_program, words, silence), jobs)


def _ask_program(words: Sequence[str], silence: float, asked: Asked) -> None:
    text = "".join(f"b {key} {first} {second}\n" for key, (first, second) in asked.questions)
    count, last, trouble = len(asked.questions), b"", ""
    try:
        with Program(words, questions=[text.encode("ascii")]) as running:
            running.allow(silence)
            for line in running.lines():
                if asked.take(line.decode("utf-8", "replace")):
                    running.allow(silence if asked.missing else GRACE)
                else:
                    last = line.strip() or last
        if asked.missing == count:
            printed = " ".join((last or running.complaint).decode("utf-8", "replace").split())
            trouble = (
                f"expected lines 'b KEY D1 D2 ANSWER', found none to {count} questions; exit "
                f"status {running.code}, it printed: {printed[-300:] or 'nothing'}"
            )
    except TooLate:
        if asked.missing:
            trouble = (
                f"no answer for {silence:g} seconds after {count - asked.missing} of {count} "
                "answers; allow more time with --silence, or make it flush its output"
            )
    except TooMuch:
        trouble = "prints without an end"
    except OSError as error:
        trouble = f"cannot be started: {reason_of(error)}"
    if trouble:
        raise EngineError(f"{words[0]}: {trouble}")


def gnubg_player(program: Gnubg, plies: int, silence: float, jobs: int) -> Player:
    """gnuBG at some plies, with its own move filter and pruning nets, cubeless."""

    def ask(asked: Asked) -> None:
        questions = [
            (position_id(from_position_key(key)), key, dice) for key, dice in asked.questions
        ]
        script = _SCRIPT.format(plies=plies, questions=questions)
        limit = silence * max(1.0, len(questions) / SMALLEST)
        program.run(script, timeout=limit, on_line=asked.take)

    return Player(f"gnuBG {program.version}, {plies}-ply", ask, jobs, SMALLEST)


def engine(text: str, *, silence: float = SILENCE, jobs: int | None = None) -> Engine:
    """The engine of `--engine`: `gnubg`, `gnubg-nn` or `sage`, each with `:PLIES`, or a command.

    `jobs` is how many processes of it run in parallel. Raises `EngineError`, `UnknownName`.
    """
    if named := _NAMED.fullmatch(text.strip()):
        return _named(named[1], named[2], silence, jobs)
    try:
        words = words_of(text)
    except ValueError as error:
        raise UnknownName(
            f"engine {text!r}: not a command: {str(error).lower()}; correct the quotes"
        ) from None
    if not words:
        raise UnknownName("expected gnubg, gnubg-nn, sage or a command as engine, found nothing")
    return program_player(words, silence, jobs or 1)


def _named(name: str, depth: str | None, silence: float, jobs: int | None) -> Player:
    cores, plies = os.cpu_count() or 1, "0" if depth is None else depth
    if not plies.isdigit() or int(plies) > MOST_PLIES:
        expected = f"expected 0 to {MOST_PLIES} plies after the colon"
        raise UnknownName(f"engine {name}: {expected}, found {plies!r}")
    if name == "gnubg":
        jobs = jobs or PER_PROCESSOR.get(int(plies), 1) * cores
        return gnubg_player(find(), int(plies), silence, jobs)
    worker = (sys.executable, "-m", "engine_benchmark.nets", name, plies)
    if name == "sage":
        title = f"Open Sage {Sage().version}, {plies}-ply"
        return program_player(worker, silence, jobs or cores, title)
    try:
        title = f"{name} {version(name)}, {plies}-ply"
    except PackageNotFoundError:
        advice = f"pip install {name}, or use --engine gnubg"
        raise MissingPackage(f"engine {name}: the package is not installed; {advice}") from None
    return program_player(worker, silence, jobs or cores, title)
