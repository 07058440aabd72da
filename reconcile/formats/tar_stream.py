"""A tar file as a stream for `tarfile`, unpacked no further than its own size allows.

`tarfile` reads a header of any length into memory, and passes over members by unpacking them. Both
are counted here before they are read.
"""

from __future__ import annotations

import bz2
import gzip
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, NamedTuple

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

_PIECE: Final = 2**16


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
            stream = _Stream(plain, size_of(raw), seekable=unpack is None)  # type: ignore[arg-type]
            with tarfile.open(fileobj=stream, mode="r:") as archive:  # type: ignore[call-overload]
                yield _members(archive, stream, stamp if unpack is None else None)


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
    archive: tarfile.TarFile, stream: _Stream, stamp: tuple[int, ...] | None
) -> Iterator[Member]:
    most = most_members(stream.packed)
    for count, info in enumerate(iter(archive.next, None)):
        if count >= most:
            raise TooMuch(
                f"expected at most {most:,} files in an archive of {stream.packed:,} bytes, found "
                "more"
            )
        archive.members.clear()  # type: ignore[attr-defined]  # they would be kept until the end
        stream.headers = None
        is_plain = (
            info.isreg() and not info.issparse() and info.offset_data + info.size <= stream.packed
        )
        yield (
            info,
            archive,
            Place(info.offset_data, info.size, stamp) if stamp is not None and is_plain else None,
        )
        stream.headers = 0


class _Stream:
    """A file for `tarfile`: read forwards, with the last byte once more, which is where `tarfile`
    goes back to."""

    def __init__(self, plain: BinaryIO, packed: int, *, seekable: bool) -> None:
        self._plain, self._seekable, self.packed = plain, seekable, packed
        self._most = most_bytes(packed)
        self._at = self._wanted = 0
        self._last = b""
        self.headers: int | None = 0
        """Bytes of headers read since the last member; `None` while a member is read."""

    def tell(self) -> int:
        return self._wanted

    def seek(self, place: int, _: int = 0) -> int:
        self._wanted = place
        return place

    def read(self, size: int = -1) -> bytes:
        back = b""
        if self._seekable:
            self._plain.seek(self._wanted)
        else:
            while self._at < self._wanted and self._read(min(_PIECE, self._wanted - self._at)):
                pass
            back = (
                self._last[len(self._last) - (self._at - self._wanted) :]
                if self._wanted < self._at
                else b""
            )
            if self._at - self._wanted > len(self._last):
                raise tarfile.ReadError("goes back")
            if self._wanted > self._at:
                return b""
        if self.headers is not None:
            self.headers += size
            if size < 0 or self.headers > LONGEST_HEADER:
                raise TooMuch(
                    f"expected at most {LONGEST_HEADER:,} bytes of names and attributes of one "
                    "file, found more"
                )
        piece = back + (self._plain.read(size) if self._seekable else self._read(size - len(back)))
        self._wanted += len(piece)
        return piece

    def _read(self, size: int) -> bytes:
        piece = self._plain.read(size)
        self._at += len(piece)
        if self._at > self._most:
            raise TooMuch(
                f"expected at most {self._most >> 20} MB in an archive of {self.packed:,} bytes, "
                "found more"
            )
        self._last = piece[-1:] or self._last
        return piece
