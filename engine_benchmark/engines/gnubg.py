"""gnuBG as an engine: many questions to one process through its Python interface, several processes in parallel.

`gnubg.findbestmove` waits 10 ms for its own thread, however easy the question. At 0 plies that is nearly all of the time, so there are
many more processes than processors. The evaluation is cubeless, like the databases' equities, and counts gammons in full regardless of
the Jacoby rule.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine_benchmark.engines.command import Answers, Progress, Question
from engine_benchmark.keys import from_position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.files.processes import threads
from reconcile.match.board.play import apply_play

PER_PROCESSOR: Final = {0: 8, 1: 2}
"""Number of processes by plies; one for all other depths."""
_SMALLEST: Final = 50
"""Fewest questions for which starting another process pays off."""
_ANSWER: Final = "play"
_SCRIPT: Final = """
gnubg.command("set threads 1")
money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
settings = {{"cubeful": 0, "plies": {plies}, "deterministic": 1, "prune": 1, "noise": 0.0}}
for number, line in enumerate({questions!r}.split("\\n")):
    name, one, two = line.split()
    found = gnubg.findbestmove(gnubg.positionfromid(name), money, settings, (int(one), int(two)))
    print("{answer}", number, *found)
"""


@dataclass(frozen=True, slots=True)
class GnubgPlayer:
    """gnuBG at some plies, with its own move filter and pruning nets."""

    program: Gnubg
    plies: int
    silence: float
    jobs: int

    @classmethod
    def found(cls, plies: int, *, silence: float, jobs: int | None = None) -> GnubgPlayer:
        """The installed gnuBG. Raises `EngineError`."""
        return cls(
            find(), plies, silence, jobs or PER_PROCESSOR.get(plies, 1) * (os.cpu_count() or 1)
        )

    @property
    def name(self) -> str:
        """See `Engine`."""
        return f"gnuBG {self.program.version}, {self.plies}-ply"

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """See `Engine`."""
        if not questions:
            return []
        jobs = max(1, min(self.jobs, len(questions) // _SMALLEST))
        # Every process gets questions from the whole list, because hard ones come in a row.
        shares = [list(range(first, len(questions), jobs)) for first in range(jobs)]
        answers: Answers = [None] * len(questions)
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
        answers: Answers = [None] * len(questions)

        def read(line: str) -> None:
            word, *numbers = line.split() or [""]
            if word == _ANSWER:
                index, *places = map(int, numbers)
                answers[index] = _result(questions[index], places)
                answered(1)

        asked = "\n".join(
            f"{b64encode(_bytes(one.key)).decode().rstrip('=')} {one.dice[0]} {one.dice[1]}"
            for one in questions
        )
        script = _SCRIPT.format(plies=self.plies, questions=asked, answer=_ANSWER)
        self.program.run(
            script, timeout=self.silence * max(1.0, len(questions) / _SMALLEST), on_line=read
        )
        return answers


def _bytes(key: str) -> bytes:
    return bytes(
        [
            (ord(high) - 65) << 4 | (ord(low) - 65)
            for high, low in zip(key[::2], key[1::2], strict=True)
        ]
    )


def _result(question: Question, places: list[int]) -> str:
    """The key after a play given as gnuBG's steps, with 25 for the bar and 0 for off; empty if it cannot be made."""
    try:
        return result_key(
            apply_play(
                from_position_key(question.key), tuple(zip(places[::2], places[1::2], strict=True))
            )
        )
    except ValueError:
        return ""
