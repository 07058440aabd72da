"""Files and archives that an earlier run read to the end and that have not changed since: their contents are known unopened."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from zlib import crc32

from reconcile.corpus.contents import Known, Outcome
from reconcile.corpus.parts import remove
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


@dataclass(slots=True)
class _Read:
    """A file or archive that is being read."""

    path: str
    stamp: list[int] | None
    """`None` if it is not to be stored."""
    units: list[list[str]] = field(default_factory=list)
    """Member and SHA-256 of everything found in it so far."""


class Unchanged:
    """The files and archives that the parts of a folder come from: a line for each in a file of that folder.

    Its time of change is the beginning of the last run, so what is in it does not depend on when that was.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._before: dict[str, _Read] = {}
        self._now: dict[str, _Read] = {}
        self._waiting: deque[_Read | Unit] = deque()
        """Units on their way to their outcomes, each file or archive before its own."""
        self._reading: _Read | None = None
        self._began = time.time()
        found = 0
        try:
            with open_regular(self._path) as file:
                relied = os.fstat(file.fileno()).st_mtime - SETTLED
                for line in file:  # one that is damaged, or cut by a kill, is as good as none
                    checksum, _, text = line.partition(b" ")
                    if checksum == b"%08x" % crc32(text):
                        one, found = _Read(*json.loads(text)), found + 1
                        if one.stamp is not None and max(one.stamp[:2]) < relied * 1e9:
                            self._before[one.path] = one
        except OSError:
            remove(self._path)
        if len(self._before) < found:
            self._write(self._before)

    def begin(self, name: str, known: Known) -> list[Unit] | None:
        """The units of a file or archive that need not be opened because all its contents are `known`; `None` if it is to be read, now."""
        path, stamp = str(Path(name).absolute()), _stamp(name)
        one = self._before.get(path)
        if one is not None and stamp == one.stamp is not None and known.holds_all([sha256 for _, sha256 in one.units]):
            self._now[path] = one
            self._waiting.append(_Read(name, None))
            return [Unit(name, member, sha256=sha256) for member, sha256 in one.units]
        self._waiting.append(_Read(name, stamp))
        return None

    def passing(self, units: Iterator[Unit]) -> Iterator[Unit]:
        """The units, remembered until their outcomes arrive."""
        for unit in units:
            self._waiting.append(unit)
            yield unit

    def arrived(self, outcome: Outcome) -> None:
        """The outcome of the first unit that has none yet."""
        while isinstance(unit := self._waiting.popleft(), _Read):
            self._store()
            self._reading = unit
        if self._reading is not None and unit.path != self._reading.path:
            self._store()
        if self._reading is not None and outcome.sha256 is not None:
            self._reading.units.append([unit.member, outcome.sha256])
        else:
            self._reading = None

    def _store(self) -> None:
        """Store what was read to its end, unless it changed meanwhile."""
        one, self._reading = self._reading, None
        if one is not None and one.stamp is not None and one.stamp == _stamp(one.path):
            one.path = str(Path(one.path).absolute())
            self._now[one.path] = one
            with self._path.open("ab") as file:
                file.write(_line(one))
            os.utime(self._path, (self._began, self._began))

    def finish(self) -> None:
        """Forget what this run, which is at its end, has not met."""
        self._store()
        if self._now != self._before:
            self._write(self._now)
        self._before, self._now = self._now, {}

    def _write(self, every: Mapping[str, _Read]) -> None:
        write(str(self._path), b"".join(map(_line, every.values())))
        os.utime(self._path, (self._began, self._began))


def _line(one: _Read) -> bytes:
    text = json.dumps([one.path, one.stamp, one.units]).encode() + b"\n"
    return b"%08x " % crc32(text) + text


def _stamp(path: str) -> list[int] | None:
    """Changes with every change of the file's bytes, unless two come at once; its first two are times. `None` for an object elsewhere."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, READER]
