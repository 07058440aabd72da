"""Runs another program, bounded in time, and ends it together with everything it started.

    with Program(["prog", "--json", path]) as program:
        program.allow(60)
        for stream, piece in program.output():
            ...

On POSIX systems the program runs below a small process that outlives it (`keeper.py`), on Windows in a job object. Either ends
everything when the block is left, when the program ends, and when this process ends in any way. Nothing here waits for a program's
output: threads read it and are left behind if it never ends.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Final, Self

from reconcile.errors import InvalidConfiguration
from reconcile.files.limits import LONGEST_WAIT

PIECE: Final = 2**16
_PIECES: Final = 64
"""Pieces of output that wait to be taken; the program is stopped by its full pipe when there are more."""
_GRACE: Final = 1.0
"""Seconds that a pipe may stay open after everything that had it has ended: only something that escaped holds it longer."""
_PATIENCE: Final = 12.0
"""Seconds that the keeper has for ending everything, a little more than it takes at most."""
_KEEPER: Final = Path(__file__).with_name("keeper.py")
_ENDED: Final = 0
OUTPUT, COMPLAINTS = 1, 2
"""The streams of a program."""

_running: Final[set[Program]] = set()


class TooLate(Exception):
    """The time that a program was allowed is over."""


def seconds(number: float, name: str) -> float:
    """A time limit. Raises `InvalidConfiguration` for one that is no limit: not a number, infinite, zero, negative or years."""
    if not (math.isfinite(number) and 0 < number <= LONGEST_WAIT):
        raise InvalidConfiguration(
            f"{name}: expected a number of seconds above 0 and at most {LONGEST_WAIT:g}, found {number:g}"
        )
    return number


def stop() -> None:
    """End every program started by any thread of this process; their output ends."""
    for program in list(_running):
        program.cut()


@contextmanager
def threads(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that run programs. If the block raises, what has not begun is dropped and every program is ended."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        ending = threading.Thread(target=pool.shutdown)
        ending.start()
        while ending.is_alive():  # a thread may have been just about to start its program
            stop()
            ending.join(0.1)
        raise
    pool.shutdown()


class Program:
    """A program that was started, and everything it starts; to be used in a `with` block."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        questions: bytes | Iterable[bytes] | None = None,
        merged: bool = False,
        terminal: bool = False,
    ) -> None:
        """Start it without a shell. Its input is empty or the `questions`, whole or as they come; `merged` puts its standard error
        into its output.

        With `terminal`, its output is a pseudo-terminal. Raises `OSError` if no process can be started; a program that does
        not exist is reported by `output`.
        """
        self.code: int | None = None
        """Its exit code, negative for a signal; `None` until it has ended, and if it was ended from here."""
        self._until = time.monotonic() + LONGEST_WAIT
        self._queue: Queue[tuple[int, bytes]] = Queue(_PIECES)
        self._over = threading.Event()
        self._lock = threading.Lock()
        theirs: list[int] = []
        ours: dict[int, int] = {}
        try:
            ours[OUTPUT], written = _terminal() if terminal else os.pipe()
            theirs.append(written)
            complaints = subprocess.STDOUT
            if not merged:
                ours[COMPLAINTS], complaints = os.pipe()
                theirs.append(complaints)
            asked = subprocess.DEVNULL
            if questions is not None:
                asked, ours[-1] = os.pipe()
                theirs.append(asked)
            self._held = _Held(
                words, stdin=asked, stdout=written, stderr=complaints, cwd=folder, env=environment
            )
        except BaseException:
            for file in ours.values():
                os.close(file)
            raise
        finally:
            for file in theirs:
                os.close(file)
        self._open = {OUTPUT, COMPLAINTS} & set(ours)
        for stream, file in ours.items():
            asked_of = (questions,) if isinstance(questions, bytes) else questions or ()
            work = (self._write, file, asked_of) if stream < 0 else (self._read, file, stream)
            threading.Thread(target=work[0], args=work[1:], daemon=True).start()
        self._watch = threading.Thread(target=self._wait, daemon=True)
        self._watch.start()
        _running.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.cut()
        self._watch.join(_PATIENCE)
        if self._watch.is_alive():
            self._held.kill()
            self._watch.join(_PATIENCE)
        _running.discard(self)

    def allow(self, time_limit: float) -> None:
        """Give it so many seconds from now."""
        self._until = time.monotonic() + min(time_limit, LONGEST_WAIT)

    def output(self) -> Iterator[tuple[int, bytes]]:
        """What it prints, as it comes: the stream and some bytes, until it has ended.

        Raises `TooLate` when the time is over, and `OSError` if the program could not be started.
        """
        ended = False
        more = 2 * _PIECES
        while more and (self._open or not ended):
            left = _GRACE if ended else self._until - time.monotonic()
            try:
                stream, piece = self._queue.get(timeout=max(left, 0))
            except Empty:
                if ended:
                    return
                raise TooLate from None
            if left <= 0:
                raise TooLate
            more -= ended  # what escaped may print for ever
            if stream == _ENDED:
                ended = True
                self.code = self._held.result()
            elif piece:
                yield stream, piece
            else:
                self._open.discard(stream)

    def lines(self, longest: int) -> Iterator[tuple[int, bytes]]:
        """The same line by line, with the line ends; a line longer than `longest` bytes comes in parts."""
        rests = {OUTPUT: b"", COMPLAINTS: b""}
        for stream, piece in self.output():
            *whole, rest = (rests[stream] + piece).split(b"\n")
            yield from ((stream, line + b"\n") for line in whole)
            if len(rest) > longest:
                yield stream, rest
                rest = b""
            rests[stream] = rest
        yield from ((stream, rest) for stream, rest in rests.items() if rest)

    def cut(self) -> None:
        """End it and everything it started, from any thread, without waiting."""
        with self._lock:
            self._held.cut()

    def _wait(self) -> None:
        self._held.wait()
        self._put(_ENDED, b"")

    def _read(self, file: int, stream: int) -> None:
        with suppress(OSError):  # how a pseudo-terminal reports its end
            while piece := os.read(file, PIECE):
                if not self._put(stream, piece):
                    break
        os.close(file)
        self._put(stream, b"")

    def _put(self, stream: int, piece: bytes) -> bool:
        """Hand over a piece, if anybody still wants it."""
        while not self._over.is_set():
            with suppress(Full):
                self._queue.put((stream, piece), timeout=0.5)
                return True
        return False

    def _write(self, file: int, questions: Iterable[bytes]) -> None:
        with suppress(OSError):  # the program has ended or reads no more
            for one in questions:
                rest = memoryview(one)
                while rest:
                    rest = rest[os.write(file, rest[:PIECE]) :]
        os.close(file)


def _terminal() -> tuple[int, int]:
    import pty

    return pty.openpty()


if sys.platform == "win32":
    from reconcile.files.job import Held as _Held
else:
    from reconcile.files.keeper import kill

    class _Held:
        """A program below a keeper."""

        def __init__(
            self,
            words: Sequence[str],
            *,
            stdin: int,
            stdout: int,
            stderr: int,
            cwd: Path | None,
            env: Mapping[str, str] | None,
        ):
            if any("\0" in word for word in words):
                raise ValueError("a zero byte in a word")
            self._process: subprocess.Popen[bytes] | None = None
            held, self._lifeline = os.pipe()
            self._report, report = os.pipe()
            try:
                self._process = subprocess.Popen(  # noqa: S603  # the program that the user named, without a shell
                    [sys.executable, "-I", "-S", str(_KEEPER), str(held), str(report), *words],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=cwd,
                    env=env,
                    pass_fds=(held, report),
                    start_new_session=True,
                )
            except BaseException:
                self.cut()
                os.close(self._report)
                raise
            finally:
                os.close(held)
                os.close(report)
            self._ended = ""

        def cut(self) -> None:
            """Close the lifeline, once, and wake a keeper that the program stopped."""
            if self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1
                if self._process is not None:
                    self._process.send_signal(signal.SIGCONT)

        def kill(self) -> None:
            """Kill a keeper that does not end; `wait` ends what it kept."""
            if self._process is not None:
                self._process.kill()

        def wait(self) -> None:
            """Wait until nothing of it runs any more."""
            with os.fdopen(self._report, encoding="utf-8", errors="surrogateescape") as report:
                began, _, self._ended = report.read().partition("\n")
            assert self._process is not None
            self._process.wait()
            if began and self._process.returncode:  # somebody killed the keeper
                pid, _, group = began.partition(" ")
                kill(int(pid), group)

        def result(self) -> int | None:
            """Its exit code, after `wait`. Raises `OSError` if it could not be started."""
            word, _, number = self._ended.partition(" ")
            if word == "errno":
                raise OSError(int(number), os.strerror(int(number)))
            return int(number) if word else None


def words_of(line: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    """The words of a command line, split as the system's own programs split it; no shell runs. Raises `ValueError` for an open quote.

    On Windows these are the rules of the C runtime (`CommandLineToArgvW`): a backslash is a character of a path, except before a quote.
    """
    return _windows_words(line) if windows else shlex.split(line)


_PIECES_OF_WORDS: Final = re.compile(r'(\\*)(")|([ \t]+)|(\\+|[^\\" \t]+)')
"""A quote with the backslashes before it, blanks, or anything else."""


def _windows_words(line: str) -> list[str]:
    """Source: Microsoft, "Parsing C command-line arguments". Unlike there, an open quote is an error, since it is one of the person.

    Before a quote 2n backslashes are n and the quote, 2n+1 are n and a quote as a character; so are two quotes inside quotes.
    """
    line = line.strip(" \t")
    # The program: a quote encloses it or a part of it, and a backslash is never special, since it is a path.
    program = re.match(r'(?:[^" \t]|"[^"]*")*', line)
    assert program is not None
    words, word = [program[0].replace('"', "")] if line else [], ""
    begun, quoted, closed = False, line[program.end() :].startswith('"'), False
    for slashes, quote, blank, other in _PIECES_OF_WORDS.findall(
        f"{line[program.end() :]} " if not quoted else ""
    ):
        if blank and not quoted:
            words += [word] * begun
            word, begun, closed = "", False, False
            continue
        odd = len(slashes) % 2 == 1
        word += slashes[: len(slashes) // 2] + (
            '"' if odd or (closed and quote and not slashes) else blank + other
        )
        begun, quoted = True, quoted ^ (bool(quote) and not odd)
        closed = bool(quote) and not odd and not quoted
    if quoted:
        raise ValueError("No closing quotation")
    return words
