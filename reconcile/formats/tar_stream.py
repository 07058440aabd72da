"""A tar file for `tarfile`, unpacked no further than its own size allows.

`tarfile` reads a header of any length into memory, and passes over members by unpacking them. Both
are bounded here before they are read.
"""

from __future__ import annotations

import bz2
import gzip
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, NamedTuple

from reconcile.files.limits import (
    BYTES_PER_MEMBER,
    LONGEST_HEADER,
    MEMBERS_FREE,
    UNPACKED_FREE,
    UNPACKED_TIMES,
)
from reconcile.files.storage import is_remote, open_bytes, size_of

if TYPE_CHECKING:
    from lzma import LZMAFile


def _unpack_xz(raw: BinaryIO, mode: Literal["rb"]) -> LZMAFile:
    import lzma  # some builds of Python, as those for browsers, have none

    return lzma.open(raw, mode)


_FORMATS: Final = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", _unpack_xz),
    (b"\x5d\0\0", _unpack_xz),
)


class TooMuch(Exception):
    """An archive exceeds a limit; the text says which."""


class Place(NamedTuple):
    """Where the bytes of a member are in a tar file that is not compressed."""

    offset: int
    size: int
    stamp: tuple[int, ...]
    """Of the archive as its headers were read."""


Member = tuple[tarfile.TarInfo, tarfile.TarFile, Place | None]
"""Without a place, its bytes can only be read from the archive while it is the current one."""


def most_bytes(packed: int) -> int:
    """Bytes that an archive of this size may unpack to."""
    return UNPACKED_FREE + UNPACKED_TIMES * packed


def most_members(packed: int) -> int:
    """Members that an archive of this size may have."""
    return MEMBERS_FREE + packed // BYTES_PER_MEMBER


@contextmanager
def opened(path: str) -> Iterator[Iterator[Member]]:
    """The members of a tar file in order, each to be read before the next. Raises `TooMuch`, and
    whatever `tarfile` and `open` raise."""
    with open_bytes(path) as raw:
        stamp = None if is_remote(path) else _stamp(raw)
        head = raw.read(6)
        raw.seek(0)
        unpack = next((function for magic, function in _FORMATS if head.startswith(magic)), None)
        with unpack(raw, "rb") if unpack else raw as plain:
            stream: Any = _Bounded(plain, size_of(raw))
            with tarfile.open(fileobj=stream, mode="r:") as archive:
                yield _members(archive, stream, None if unpack else stamp)


def read_at(path: str, place: Place) -> bytes:
    """The bytes of a member, if the archive is still the same. Raises `OSError`."""
    with Path(path).open("rb") as file:
        file.seek(place.offset)
        content = file.read(place.size)
        if _stamp(file) != place.stamp or len(content) != place.size:
            raise OSError(
                "the archive changed while it was read; run this again when it is complete"
            )
    return content


def _stamp(file: BinaryIO) -> tuple[int, ...]:
    """What changes when a file does, or when another takes its place."""
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _members(
    archive: tarfile.TarFile, stream: _Bounded, stamp: tuple[int, ...] | None
) -> Iterator[Member]:
    most = most_members(stream.packed)
    for count, info in enumerate(iter(archive.next, None)):
        if count >= most:
            raise TooMuch(
                f"expected at most {most:,} files in an archive of {stream.packed:,} bytes, found "
                "more"
            )
        archive.members.clear()  # type: ignore[attr-defined]  # they would be kept until the end
        stream.headers_end = None
        end = info.offset_data + info.size
        is_plain = info.isreg() and not info.issparse() and end <= stream.packed
        place = Place(info.offset_data, info.size, stamp) if stamp and is_plain else None
        yield info, archive, place
        stream.headers_end = archive.offset + LONGEST_HEADER


class _Bounded:
    """A file for `tarfile` that is read forwards and no further than a limit. Unpacking again from
    the start costs as much as the archive, so one that goes back is refused."""

    def __init__(self, plain: Any, packed: int) -> None:
        self.plain, self.packed = plain, packed
        self.headers_end: int | None = LONGEST_HEADER
        """Where the headers of the next member have to end; `None` while a member is read."""

    def tell(self) -> int:
        return int(self.plain.tell())

    def seek(self, place: int, _: int = 0) -> int:
        if place < self.tell() - 1:  # before a member `tarfile` reads the last byte again
            raise tarfile.ReadError("goes back")
        self._check(place)
        return int(self.plain.seek(place))

    def read(self, size: int = -1) -> Any:
        end = self.tell() + size
        if self.headers_end is not None and (size < 0 or end > self.headers_end):
            raise TooMuch(
                f"expected at most {LONGEST_HEADER:,} bytes of names and attributes of one file, "
                "found more"
            )
        self._check(end)
        return self.plain.read(size)

    def _check(self, end: int) -> None:
        if end > (most := most_bytes(self.packed)):
            raise TooMuch(
                f"expected at most {most >> 20} MB in an archive of {self.packed:,} bytes, found "
                "more"
            )
