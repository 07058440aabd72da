"""What an engine is asked and answers; and any program as one, asked on its standard input by `sagnubg`'s own `b` command.

For every position the program gets a line

    b KEY D1 D2

with the position before the roll as a key of 20 letters, the mover on roll, and answers a line

    b KEY D1 D2 ANSWER

where the answer is the key of the position after the play, the opponent on roll, or the play in the usual notation ("8/4 6/4").
Words after such a key are ignored, and so are lines that begin differently. Answers may come in any order, and only after the input ends:
the program is started for a few thousand questions at a time and gets all of them at once.
"""

from __future__ import annotations

import shutil
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine_benchmark.keys import KEY_LETTERS, from_position_key, result_key
from reconcile.errors import EngineError, reason_of
from reconcile.files.processes import Program, TooLate, TooMuch, threads
from reconcile.match.board.play import apply_play, parse_play


@dataclass(frozen=True, slots=True)
class Question:
    """A position, mover on roll, and a roll."""

    key: str
    """20 letters, see `engine_benchmark.keys.position_key`."""
    dice: tuple[int, int]


Answers = list[str | None]
"""For each question the key of the position after the play, opponent on roll; `None` if missing. Any other text is not a legal play."""
Progress = Callable[[int], None]
"""Called with the number of answers since the last call; may be called from another thread."""


class Engine(Protocol):
    """An engine that can be scored."""

    @property
    def name(self) -> str:
        """The name with version and settings, as the report shows it."""

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """The play for each question, chosen for cubeless money equity, the scale of the databases. Raises `EngineError`."""


GRACE: Final = 2.0
"""Seconds that a program has to end after its last answer."""
_COMPLAINT: Final = 300
"""Characters of a program's last output that are shown."""


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
                f"{self.arguments[0]}: no such engine or program; expected gnubg, gnubg:PLIES, gnubg-nn or a command that can be started"
            )

    @property
    def name(self) -> str:
        """See `Engine`."""
        return self.title or " ".join(self.arguments)

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """See `Engine`."""
        answers: Answers = [None] * len(questions)
        jobs = max(1, min(self.jobs, len(questions)))
        shares = [list(range(first, len(questions), jobs)) for first in range(jobs)]
        with threads(jobs) as pool:
            running = [
                pool.submit(self._ask, [questions[index] for index in share], answered)
                for share in shares
            ]
            for share, future in zip(shares, running, strict=True):
                for index, answer in zip(share, future.result(), strict=True):
                    answers[index] = answer
        return answers

    def _ask(self, questions: list[Question], answered: Progress) -> Answers:
        """All questions at once; what the program does not answer stays `None`."""
        answers: Answers = [None] * len(questions)
        open_: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for index, question in enumerate(questions):
            open_[question.key, *map(str, question.dice)].append(index)
        asked = "".join(f"b {one.key} {one.dice[0]} {one.dice[1]}\n" for one in questions).encode(
            "ascii"
        )
        count, said = 0, b""
        try:
            with Program(self.arguments, questions=[asked]) as program:
                program.allow(self.silence)
                for line in program.lines():
                    words = line.decode("utf-8", "replace").split()
                    waiting = (
                        open_.get(tuple(words[1:4]))
                        if words[:1] == ["b"] and len(words) > 4
                        else None
                    )
                    if waiting:
                        program.allow(GRACE if count + 1 == len(questions) else self.silence)
                        index = waiting.popleft()
                        answers[index] = _answer(questions[index], words[4:])
                        answered(1)
                        count += 1
                    elif words[:1] != ["b"] and line.strip():
                        said = line
        except TooLate:
            if count < len(questions):
                raise EngineError(
                    f"{self.arguments[0]}: no answer for {self.silence:g} seconds after {count} of {len(questions)} answers; "
                    "allow more time with --silence, or make it flush its output"
                ) from None
        except TooMuch:
            raise EngineError(f"{self.arguments[0]}: prints without an end") from None
        except OSError as error:
            raise EngineError(
                f"{self.arguments[0]}: cannot be started: {reason_of(error)}"
            ) from None
        if not count:
            said = said or program.complaint
            shown = " ".join(said.decode("utf-8", "replace").split())[-_COMPLAINT:] or "nothing"
            raise EngineError(
                f"{self.arguments[0]}: expected lines 'b KEY D1 D2 ANSWER', found none to {len(questions)} questions; "
                f"exit status {program.code}, it printed: {shown}"
            )
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
