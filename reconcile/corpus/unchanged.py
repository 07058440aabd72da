"""Files and archives that an earlier run read to the end and that have not changed since: their contents are known unopened."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Container
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from reconcile.corpus.parts import Outcome, remove
from reconcile.files.output import write
from reconcile.files.regular import open_regular
from reconcile.formats.archives import Unit
from reconcile.formats.interface import MATCHES
from reconcile.version import __version__

NAME: Final = "read.jsonl"
SETTLED: Final = 2.0
"""Seconds from the last change of a file to the run that read it, before its times are relied on: another may have the same ones."""
READER: Final = crc32(repr((__version__, MATCHES)).encode())
"""What is found in a file depends on the program too."""


class _Read(NamedTuple):
    """A file or archive that is read, or known."""

    path: str
    stamp: list[int] | None
    """`None` if it is not to be stored."""
    units: list[tuple[str, str | None]]
    """Member and SHA-256 of everything found in it so far."""

    @classmethod
    def of(cls, line: bytes) -> _Read:
        """What a line says."""
        return cls(*json.loads(line[9:]))

    @property
    def line(self) -> bytes:
        """As it is stored, after a checksum."""
        text = json.dumps(self).encode() + b"\n"
        return b"%08x " % crc32(text) + text


class Unchanged:
    """The files and archives that the parts of a folder come from: a line for each in a file of that folder.

    Its time of change is the beginning of the last run, so what is in it does not depend on when that was.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._began = time.time()
        self._before = self._relied_on()
        """Lines by path: they need less memory than what they say."""
        self._now: dict[str, bytes] = {}
        self._stamps: dict[str, list[int] | None] = {}
        """Of what is being read, as it was before; nothing of what is known."""
        self._reading = _Read("", None, [])

    def _relied_on(self) -> dict[str, bytes]:
        """The lines of the last run that say what can be relied on; the file is left with no other."""
        try:
            with open_regular(self._path) as file:
                since, lines = os.fstat(file.fileno()).st_mtime - SETTLED, file.readlines()
        except OSError:
            remove(self._path)
            return {}
        # A line that is damaged, or cut by a kill, is as good as none.
        sound = [(_Read.of(line), line) for line in lines if line[:8] == b"%08x" % crc32(line[9:])]
        relied = {
            one.path: line
            for one, line in sound
            if one.stamp is not None and max(one.stamp[:2]) < since * 1e9
        }
        if len(relied) < len(lines):
            self._write(relied)
        return relied

    def begin(self, name: str, known: Container[str]) -> list[Unit] | None:
        """The units of a file or archive that need not be opened because all its contents are `known`; `None` if it is to be read, now."""
        path, stamp = str(Path(name).absolute()), _stamp(name)
        if (line := self._before.get(path)) is not None:
            one = _Read.of(line)
            if stamp == one.stamp is not None and all(sha256 in known for _, sha256 in one.units):
                self._now[path] = line
                return [Unit(name, member, sha256=str(sha256)) for member, sha256 in one.units]
        self._stamps[name] = stamp
        return None

    def arrived(self, outcome: Outcome) -> None:
        """The outcome of the next unit; those of a file or archive come one after the other."""
        if outcome.path != self._reading.path:
            self._store()
            self._reading = _Read(outcome.path, self._stamps.pop(outcome.path, None), [])
        unit = outcome.member, outcome.sha256
        if (
            outcome.sha256 is None or [unit] == self._reading.units[:1]
        ):  # the latter where an archive is named twice
            self._reading = self._reading._replace(stamp=None)
        self._reading.units.append(unit)

    def _store(self) -> None:
        """Store what was read to its end, unless it changed meanwhile."""
        one = self._reading
        if one.stamp is not None and one.stamp == _stamp(one.path):
            one = one._replace(path=str(Path(one.path).absolute()))
            self._now[one.path] = one.line
            with self._path.open("ab") as file:
                file.write(one.line)
            os.utime(self._path, (self._began, self._began))

    def finish(self) -> None:
        """Forget what this run, which is at its end, has not met."""
        self._store()
        if self._now != self._before:
            self._write(self._now)
        self._before, self._now, self._stamps, self._reading = (
            self._now,
            {},
            {},
            _Read("", None, []),
        )

    def _write(self, lines: dict[str, bytes]) -> None:
        write(str(self._path), b"".join(lines.values()))
        os.utime(self._path, (self._began, self._began))


def _stamp(path: str) -> list[int] | None:
    """Changes with every change of the file's bytes, unless two come at once; its first two are times. `None` for an object elsewhere."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, READER]
