"""A program under test, run for every reference match: no shell, a time limit, bounded output, killed with everything it started."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.files.processes import end_group

TIMEOUT: Final = 60.0
"""Default time limit for one run, in seconds."""
MOST_OUTPUT: Final = 16 * 2**20
MOST_COMPLAINT: Final = 2**16
"""Bytes of standard error that are kept: its last line usually says why a program failed."""
PLACEHOLDERS: Final = {
    "file": "path of the reference file",
    "match": "id of the reference match",
    "player": "a player's name: the program runs once for each of the two",
    "player1": "name of the file's first player",
    "player2": "name of the file's second player",
    "length": "points to win, 0 for money",
}
PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
SHELL_WORDS: Final = re.compile(r"\d?(?:[|&;<>]+)(?:&?\d)?|&&|\|\|")
"""Words that only a shell understands; a program would take them for arguments."""


class CommandFailed(ReconcileError):
    """The program under test gave no usable output; the message says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, split, with its placeholders."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The program's name, without its folder."""
        return Path(self.words[0]).name or self.words[0]

    @property
    def per_player(self) -> bool:
        """Whether it runs once per player."""
        return any(found[1] == "player" for word in self.words for found in PLACEHOLDER.finditer(word))

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """The words with their placeholders filled in; a value never splits a word or gets expanded.

        Raises `CommandFailed` for a name that the program would mistake for an option.
        """
        words = [PLACEHOLDER.sub(lambda found: _value(found, values), word) for word in self.words]
        for template, word in zip(self.words, words, strict=True):
            if word.startswith("-") and not template.startswith("-"):
                raise CommandFailed(
                    f"{self.name}: {template}: expected a name, found {word[:60]!r}, which the program would mistake for an option"
                )
            if "\0" in word:
                raise CommandFailed(f"{self.name}: {template}: a name with a zero byte cannot be passed to a program")
        return words

    def run(self, values: Mapping[str, str], timeout: float = TIMEOUT) -> bytes:
        """What the program prints to standard output. Raises `CommandFailed` in one line."""
        return _Run(self.name, self.filled(values), timeout).output()


def _value(found: re.Match[str], values: Mapping[str, str]) -> str:
    return found[0][0] if found[1] is None else values[found[1]]


def read_command(line: str) -> Command:
    """Split a command line as a shell would, and check it. Raises `InvalidConfiguration`."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InvalidConfiguration(f"--candidate-command: {str(error).lower()} in {line[:80]!r}; quote it as for a shell") from None
    if not words:
        raise InvalidConfiguration("--candidate-command: expected a program, found nothing; write e.g. 'prog stats {file} --json'")
    for word in words:
        if SHELL_WORDS.fullmatch(word):
            raise InvalidConfiguration(
                f"--candidate-command: {word!r} only has a meaning in a shell, and the command runs without one; put the line into a script"
            )
        for found in PLACEHOLDER.finditer(word):
            if found[1] is not None and found[1] not in PLACEHOLDERS:
                known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
                raise InvalidConfiguration(
                    f"--candidate-command: unknown placeholder {found[0][:60]}, expected one of {known}; a literal brace is written {{{{"
                )
    if not any(found[1] is not None for word in words for found in PLACEHOLDER.finditer(word)):
        raise InvalidConfiguration(
            "--candidate-command: expected {file} or another placeholder, or the program would print the same for every match; "
            "give its output with --candidate instead"
        )
    return Command(tuple(words))


class _Run:
    """One run of a program, in a process group of its own."""

    def __init__(self, name: str, words: list[str], timeout: float) -> None:
        self.name, self.words, self.timeout = name, words, timeout
        self.end = time.monotonic() + timeout
        self.full = threading.Event()

    def output(self) -> bytes:
        try:
            process = subprocess.Popen(  # noqa: S603  # the program that the user named, without a shell
                self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise CommandFailed(f"{self.name}: cannot be started: {reason}; check the command") from None
        kept: tuple[list[bytes], list[bytes]] = ([], [])
        assert process.stdout is not None
        assert process.stderr is not None
        readers = [
            threading.Thread(target=self._read, args=(process.stdout, kept[0], MOST_OUTPUT, True), daemon=True),
            threading.Thread(target=self._read, args=(process.stderr, kept[1], MOST_COMPLAINT, False), daemon=True),
        ]
        try:
            for reader in readers:
                reader.start()
            late = not self._wait(process, readers)
        finally:
            end_group(process)
            for reader in readers:
                reader.join(1)
            process.wait()
            for stream in (process.stdout, process.stderr):
                stream.close()
        return self._judged(process.returncode, late, *map(b"".join, kept))

    def _read(self, stream: BinaryIO, kept: list[bytes], most: int, stop: bool) -> None:
        """Read to the end and keep `most` bytes. More than that ends the run, or is discarded except for the last part."""
        size = 0
        with suppress(OSError, ValueError):
            while piece := stream.read1(2**16):  # type: ignore[attr-defined]
                size += len(piece)
                kept.append(piece)
                if size > most:
                    if stop:
                        self.full.set()
                        return
                    kept[:] = [b"".join(kept)[-most:]]
                    size = len(kept[0])

    def _wait(self, process: subprocess.Popen[bytes], readers: list[threading.Thread]) -> bool:
        """Wait for the program and its output to end; false if the time limit was reached."""
        pause = 0.001
        while not self.full.is_set():
            if _ended(process) and not any(reader.is_alive() for reader in readers):
                return True
            if time.monotonic() > self.end:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        return True

    def _judged(self, code: int, late: bool, printed: bytes, complaint: bytes) -> bytes:
        if self.full.is_set():
            raise CommandFailed(f"{self.name}: expected at most {MOST_OUTPUT >> 20} MB of output, found more")
        if late:
            raise CommandFailed(f"{self.name}: not finished after {self.timeout:g} seconds; allow more with --candidate-timeout")
        said = _last_line(complaint)
        if code:
            ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise CommandFailed(f"{self.name}: {ended}{f': {said}' if said else ' and gave no reason'}")
        if not printed.strip():
            raise CommandFailed(f"{self.name}: printed nothing{f', but reported: {said}' if said else ''}")
        return printed


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program has ended. It is not reaped here, so that its process id, which ends the group, cannot be reused yet."""
    if os.name == "nt":
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _last_line(complaint: bytes) -> str:
    lines: Iterator[str] = (line for line in reversed(complaint.decode("utf-8", "replace").splitlines()) if line.strip())
    words = " ".join(next(lines, "").split())
    return "".join(c if c.isprintable() else "?" for c in words)[:200]
