"""Runs programs, in time and with bounded output, and ends them with what they started.

A program has a session of its own; its process group is killed when it ends and when its block is
left. What leaves the group escapes. On Windows the program alone is ended.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Final, Self

from reconcile.files.limits import LONGEST_WAIT

PIECE: Final = 2**16
GRACE: Final = 1.0
"""Seconds that a pipe may stay open when its program has ended: only what escaped holds it
longer."""
LONGEST_LINE: Final = 2**22
_running: Final[set[Program]] = set()


class TooLate(Exception):
    """A program has not ended in its time."""


class TooMuch(Exception):
    """A program has printed more than it may."""


class Program:
    """A program that was started; to be used in a `with` block."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        questions: Iterable[bytes] | None = None,
        most: int = 2**28,
        terminal: bool = False,
        **settings: Any,
    ) -> None:
        """Start it without a shell: its input, the bytes that it may print, settings of `Popen`.

        With `terminal` its output is a pseudo-terminal. Raises `OSError`, and `ValueError` for a
        word that no program can be given.
        """
        self.code: int | None = None
        """Its exit code, negative for a signal; `None` until it has ended."""
        self.complaint = b""
        """The end of what it printed to standard error."""
        self._pieces: SimpleQueue[bytes] = SimpleQueue()
        self._left = most
        self.allow(LONGEST_WAIT)
        asked = subprocess.DEVNULL if questions is None else subprocess.PIPE
        screen, written = os.openpty() if terminal else (-1, subprocess.PIPE)
        pipes = {"stdin": asked, "stdout": written, "stderr": subprocess.PIPE} | settings
        try:
            self._process = subprocess.Popen(words, start_new_session=True, **pipes)  # noqa: S603
        finally:
            if terminal:
                os.close(written)
        output = os.fdopen(screen, "rb") if terminal else self._process.stdout
        readers = [started(self._read, output)]
        if self._process.stderr is not None:
            readers.append(started(self._listen, self._process.stderr))
        if questions is not None:
            started(self._write, self._process.stdin, questions)
        self._watch = started(self._wait, readers)
        _running.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._watch.join()
        _running.discard(self)

    def allow(self, seconds: float) -> None:
        """Give it so many seconds from now."""
        self._until = time.monotonic() + min(seconds, LONGEST_WAIT)

    def cut(self) -> None:
        """End it and its process group, from any thread, without waiting."""
        with suppress(OSError):
            if not hasattr(os, "killpg"):
                self._process.kill()
            elif self._process.returncode is None:  # later the number may be another's
                os.killpg(self._process.pid, signal.SIGKILL)

    def output(self) -> Iterator[bytes]:
        """What it prints, as it comes, until it has ended. Raises `TooLate`, `TooMuch`."""
        while True:
            left = self._until - time.monotonic()
            if left < 0 and self.code is None:
                raise TooLate
            try:
                piece = self._pieces.get(timeout=left if self.code is None else 3 * GRACE)
            except Empty:
                raise TooLate from None
            if self._left < 0:
                raise TooMuch
            if not piece:
                return
            yield piece

    def lines(self) -> Iterator[bytes]:
        """The same line by line, without the line ends."""
        rest = b""
        for piece in self.output():
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
            if len(rest) > LONGEST_LINE:
                raise TooMuch
        if rest:
            yield rest

    def _wait(self, readers: list[Thread]) -> None:
        if hasattr(os, "waitid"):  # the number is nobody else's before the group has ended
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
            self.cut()
        self.code = self._process.wait()
        for reader in readers:
            reader.join(GRACE)
        self._pieces.put(b"")

    def _read(self, file: IO[bytes]) -> None:
        with suppress(OSError), file:  # how a pseudo-terminal reports its end
            while self._left >= 0 and (piece := os.read(file.fileno(), PIECE)):
                self._left -= len(piece)
                self._pieces.put(piece)

    def _listen(self, file: IO[bytes]) -> None:
        with file:
            while piece := os.read(file.fileno(), PIECE):
                self.complaint = (self.complaint + piece)[-PIECE:]

    def _write(self, file: IO[bytes], questions: Iterable[bytes]) -> None:
        with suppress(OSError), file:  # the program has ended or reads no more
            for question in questions:
                file.write(question)
                file.flush()


def stop() -> None:
    """End every program started by any thread of this process; their output ends."""
    for program in list(_running):
        program.cut()


@contextmanager
def threads(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that run programs. If the block raises, every program is ended and none begins."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        ending = started(pool.shutdown)
        while ending.is_alive():  # a thread may have been about to start its program
            stop()
            ending.join(0.1)
        raise
    pool.shutdown()


def started(task: Callable[..., object], *arguments: object) -> Thread:
    """A thread that nobody waits for at the end."""
    thread = Thread(target=task, args=arguments, daemon=True)
    thread.start()
    return thread
