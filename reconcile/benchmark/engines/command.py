"""Any program as an engine, asked on its standard input: the protocol is `sagnubg`'s own `b` command.

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
import subprocess
import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

from reconcile.benchmark.engines.interface import Answers, Progress, Question
from reconcile.benchmark.keys import KEY_LETTERS, result_key
from reconcile.board.play import apply_play, parse_play
from reconcile.board.position import from_position_key
from reconcile.errors import EngineError
from reconcile.files.processes import end_group

LONGEST_LINE: Final = 4096
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
        runs = [_Run(self.arguments, self.silence) for _ in shares]
        with ThreadPoolExecutor(jobs) as pool:
            running = [
                pool.submit(run.ask, [questions[index] for index in share], answered) for run, share in zip(runs, shares, strict=True)
            ]
            try:
                for share, future in zip(shares, running, strict=True):
                    for index, answer in zip(share, future.result(), strict=True):
                        answers[index] = answer
            except BaseException:
                for run in runs:
                    run.kill()
                raise
        return answers


class _Run:
    """One run of the program."""

    def __init__(self, arguments: tuple[str, ...], silence: float) -> None:
        self.arguments = arguments
        self.silence = silence
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = threading.Lock()
        self.late = False
        self.stopped = False
        self.said = b""

    def kill(self, *, late: bool = False) -> None:
        """End the program and everything it started."""
        self.stopped = True
        with self.ended:
            if self.process is None or self.process.returncode is not None:
                return
            self.late |= late
            end_group(self.process)

    def ask(self, questions: list[Question], answered: Progress) -> Answers:
        """All questions at once; what the program does not answer stays `None`."""
        answers: Answers = [None] * len(questions)
        open_: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for index, question in enumerate(questions):
            open_[question.key, *map(str, question.dice)].append(index)
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that the user named
                self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise EngineError(f"{self.arguments[0]}: cannot be started: {(error.strerror or str(error)).lower()}") from None
        self.process = process
        if self.stopped:
            self.kill()
        helpers = [
            threading.Thread(target=_write, args=(process.stdin, questions), daemon=True),
            threading.Thread(target=self._listen, args=(process.stderr,), daemon=True),
        ]
        for helper in helpers:
            helper.start()
        alarm = _Alarm(self)
        count = 0
        stopped = False
        try:
            assert process.stdout is not None
            while line := process.stdout.readline(LONGEST_LINE):
                words = line.decode("utf-8", "replace").split()
                waiting = open_.get(tuple(words[1:4])) if words[:1] == ["b"] and len(words) > 4 else None
                if waiting:
                    alarm.reset()
                    index = waiting.popleft()
                    answers[index] = _answer(questions[index], words[4:])
                    answered(1)
                    count += 1
                    if count == len(questions):
                        break
                elif words[:1] != ["b"]:
                    self.said = line
        finally:
            alarm.stop()
            stopped = self.stopped
            self._leave(process, 0 if stopped else GRACE)
            for helper in helpers:
                helper.join(timeout=5)
            for stream in (process.stdin, process.stdout, process.stderr):
                with suppress(OSError, ValueError):
                    if stream is not None:
                        stream.close()
        said = " ".join(self.said.decode("utf-8", "replace").split())[-_COMPLAINT:] or "nothing"
        if self.late:
            raise EngineError(
                f"{self.arguments[0]}: no answer for {self.silence:g} seconds after {count} of {len(questions)} answers; "
                "allow more time with --silence, or make it flush its output"
            )
        if not count and not stopped:
            raise EngineError(
                f"{self.arguments[0]}: expected lines 'b KEY D1 D2 ANSWER', found none to {len(questions)} questions; "
                f"exit status {process.returncode}, it printed: {said}"
            )
        return answers

    def _leave(self, process: subprocess.Popen[bytes], grace: float) -> None:
        """Give the program a moment to end by itself, now that its input has ended."""
        try:
            process.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            self.kill()
            with self.ended:
                process.wait()

    def _listen(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := stream.readline(LONGEST_LINE):
                if line.strip():
                    self.said = line


class _Alarm:
    """Ends a run when there was no output for too long."""

    def __init__(self, run: _Run) -> None:
        self.run = run
        self.heard = threading.Event()
        self.over = False
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        while self.heard.wait(self.run.silence):
            self.heard.clear()
            if self.over:
                return
        self.run.kill(late=True)

    def reset(self) -> None:
        self.heard.set()

    def stop(self) -> None:
        self.over = True
        self.heard.set()
        self.thread.join()


def _write(stream: IO[bytes], questions: list[Question]) -> None:
    with suppress(OSError, ValueError):  # the program has ended
        for question in questions:
            stream.write(f"b {question.key} {question.dice[0]} {question.dice[1]}\n".encode("ascii"))
        stream.close()


def _answer(question: Question, words: list[str]) -> str:
    """The key of the result; empty if the answer is neither a key nor a possible play."""
    if len(words[0]) == KEY_LETTERS and words[0].isalpha():
        return words[0]
    try:
        before = from_position_key(question.key)
        return result_key(apply_play(before, parse_play(" ".join(words), question.dice, before)))
    except ValueError:
        return ""
