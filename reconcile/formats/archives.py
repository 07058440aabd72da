"""The files of an archive: folders, zip files, tar files and patterns as one ordered list of
units.

A tar file is unpacked no further than its own size allows. `tarfile` reads a header of any length
into memory, and passes over members by unpacking them; both are bounded here before they are read.
"""

from __future__ import annotations

import bz2
import gzip
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

from reconcile.errors import UnreadableFile, reason_of
from reconcile.files.inputs import LARGEST_FILE, read_at_most
from reconcile.files.limits import (
    BYTES_PER_MEMBER,
    LONGEST_HEADER,
    MEMBERS_FREE,
    UNPACKED_FREE,
    UNPACKED_TIMES,
)
from reconcile.files.storage import is_remote, objects, open_bytes, size_of
from reconcile.formats import load_matches, read_analyses
from reconcile.formats.gnubg_text.lines import (
    ENOUGH,
    TEXT,
    Stream,
    beside,
    first_pages,
    joined,
    together,
)
from reconcile.formats.interface import DATABASE, MATCHES, TAR, ZIP, format_of
from reconcile.match.match import Match
from reconcile.match.met import AnyMet
from reconcile.wording import printable

if TYPE_CHECKING:
    from lzma import LZMAFile

PATTERN = frozenset("*?[")


def _unpack_xz(raw: BinaryIO, mode: Literal["rb"]) -> LZMAFile:
    import lzma  # some builds of Python, as those for browsers, have none

    return lzma.open(raw, mode)


_PACKED = (
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


@dataclass(frozen=True, slots=True)
class Unit:
    """One file to be read."""

    path: str
    """Its path; for a member of an archive, the archive's."""
    member: str = ""
    content: bytes | None = None
    """The bytes, where they were read on the way to it."""
    trouble: str = ""
    """Why it cannot be read, if that is known."""
    pages: tuple[str, ...] = ()
    """Further files (or members) of the same match, which follow it: gnuBG's text has one for every
    game."""
    sha256: str = ""
    """Of its bytes, if it need not be read because what is in them is known."""
    place: Place | None = None
    """Of a member of a tar file: where its bytes are, unless it has them."""

    @property
    def name(self) -> str:
        """Its name in tables and messages, which no encoding may be missing for."""
        return printable(f"{self.path}!{self.member}" if self.member else self.path)

    @property
    def is_database(self) -> bool:
        """Whether it is read in place, match by match, instead of as bytes."""
        return (
            not self.member
            and self.content is None
            and not self.trouble
            and self.path.lower().endswith(DATABASE)
        )

    def matches(self, content: bytes | None = None, met: AnyMet | None = None) -> Iterable[Match]:
        """The matches in it: none in a text that is not a transcript, since many folders have some;
        several in a database, and one for each analysis of an OGXM document.

        `content` are its bytes if they were already read, `met` is as in `load_match`. Raises
        `UnreadableFile`.
        """
        if self.is_database:
            return load_matches(self.path)
        content = self.read() if content is None else content
        try:
            return read_analyses(self.name, content, met)
        except UnreadableFile:
            is_text = (self.member or self.path).lower().endswith(TEXT)
            if is_text and format_of(content) is None:
                return ()
            raise

    def read(self) -> bytes:
        """Its bytes. Raises `UnreadableFile`."""
        if self.trouble:
            raise UnreadableFile(f"{self.trouble}", self.name)
        if self.content is not None:
            return self.content
        try:
            content = joined(
                self._read_one(name, LARGEST_FILE + 1)
                for name in (self.member or self.path, *self.pages)
            )
        except Exception as error:
            # zlib.error, lzma.LZMAError and others of the decompressors have no common parent.
            raise UnreadableFile(f"cannot be read: {reason_of(error)}", self.name) from None
        if len(content) > LARGEST_FILE:
            raise UnreadableFile(
                f"expected a match, found more than {LARGEST_FILE >> 20} MB", self.name
            )
        return content

    def _read_one(self, name: str, most: int) -> bytes:
        """The first bytes of a file or member. Raises whatever the decompressors raise."""
        if not self.member:
            with open_bytes(name) as file:
                return read_at_most(file, size_of(file) if file.seekable() else 0, most)
        if self.place is not None:
            return read_at(self.path, self.place)
        with _opened(self.path, _stamp(self.path)).open(name) as member:
            return member.read(most)

    def head(self, name: str) -> bytes:
        """The beginning of one of its files; empty if it cannot be read, which whoever reads it
        reports."""
        try:
            return self._read_one(name, ENOUGH)
        except Exception:  # as in `read`
            return b""


@lru_cache(maxsize=1)
def _opened(path: str, stamp: tuple[int, ...]) -> zipfile.ZipFile:
    """A zip file, kept open: reading the index of a large one again for each member would take
    longer than reading the members."""
    return zipfile.ZipFile(open_bytes(path) if is_remote(path) else path)


def _stamp(file: str | int) -> tuple[int, ...]:
    """What changes when a file does, or when another takes its place; an object is taken to stay
    what it is during a run."""
    if isinstance(file, str) and is_remote(file):
        return ()
    status = os.stat(file)  # noqa: PTH116 (an open one as well)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def units(
    paths: Sequence[str], *, unchanged: Callable[[str], Sequence[Unit] | None] = lambda file: None
) -> Iterator[Unit]:
    """Every file below these paths, sorted within each path; archives are opened, but not archives
    inside them.

    `unchanged` gives the units of a file or archive that need not be opened, `None` for any other.
    Raises `UnreadableFile` for a missing path or a pattern without a file.
    """
    for unit in _files_below(paths):
        name = unit.path.lower()
        if not unit.pages and (known_units := unchanged(unit.path)) is not None:
            yield from known_units
        elif name.endswith(TAR):
            yield from _tar_units(unit.path)
        elif name.endswith(ZIP):
            yield from _zip_units(unit.path)
        else:
            yield unit


def count(paths: Sequence[str]) -> int | None:
    """The number of units, if it is known without unpacking; a tar file has no index."""
    number = 0
    for unit in _files_below(paths):
        name = unit.path.lower()
        if name.endswith(TAR):
            return None
        number += sum(1 for _ in _zip_units(unit.path)) if name.endswith(ZIP) else 1
    return number


def _files_below(paths: Sequence[str]) -> Iterator[Unit]:
    """The files below these paths, each match of several pages once."""
    for path in first_pages(paths):
        start = Path(path)
        if is_remote(path):
            yield from _remote(path)
        elif start.is_dir():
            yield from _walk(start)
        elif start.exists():
            yield _named(start)
        elif PATTERN & set(path):
            matching = sorted(
                Path(start.anchor or ".").glob(
                    str(start.relative_to(start.anchor)) if start.anchor else path
                )
            )
            if not matching:
                raise UnreadableFile("no file matches this pattern; check it and its quotes", path)
            for file in map(Path, first_pages(list(map(str, matching)))):
                yield from _walk(file) if file.is_dir() else [_named(file)]
        else:
            raise UnreadableFile(
                "expected a file, a folder or a pattern, found nothing; check the path", path
            )


def _named(file: Path) -> Unit:
    """A file named by the user, with the other pages of its match."""
    return Unit(str(file), pages=beside(str(file)))


def _walk(folder: Path) -> Iterator[Unit]:
    """Files of matches and archives below a folder in order of their paths; links to folders are
    not followed."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = sorted(here.iterdir(), reverse=True)
        except OSError as error:
            raise UnreadableFile(
                f"cannot be read: {reason_of(error)}; check the folder", here
            ) from None
        folders = [
            entry
            for entry in entries
            if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith(".")
        ]
        waiting.extend(folders)
        files = [
            str(entry)
            for entry in reversed(entries)
            if entry.name.lower().endswith(MATCHES + ZIP + TAR) and entry.is_file()
        ]
        yield from (Unit(file, pages=pages) for file, pages in _together(files, Unit("")))


def _together(names: Sequence[str], of: Unit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files of a folder or members of an archive, each match of several pages once, with its
    other pages; `of` reads one."""
    pages = together(names, of.head)
    later_pages = {page for further in pages.values() for page in further}
    yield from ((name, pages.get(name, ())) for name in names if name not in later_pages)


def _remote(address: str) -> Iterator[Unit]:
    """Objects of matches and archives; one that is named may have any name, as a file may."""
    wanted = (
        name
        for name in objects(address)
        if name == address or name.lower().endswith(MATCHES + ZIP + TAR)
    )
    for _, files in groupby(wanted, key=lambda name: name.rpartition("/")[0]):
        for file, pages in _together(list(files), Unit("")):
            database = file.lower().endswith(DATABASE)
            yield Unit(
                file,
                pages=pages,
                trouble="a database in object storage cannot be read; fetch it first"
                if database
                else "",
            )


def _zip_units(path: str) -> Iterator[Unit]:
    try:
        with open_bytes(path) as file, zipfile.ZipFile(file) as archive:
            packed = size_of(file)
            members = [
                (info.filename, info.file_size, info.flag_bits & 1)
                for info in archive.infolist()
                if not info.is_dir()
            ]
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        yield Unit(path, trouble=f"cannot be read as a zip file: {reason_of(error)}")
        return
    wanted = {
        name: "is encrypted; unpack it first" if encrypted else _trouble(name, size)
        for name, size, encrypted in sorted(members)
        if name.lower().endswith(MATCHES)
    }
    unpacked = sum(size for name, size, _ in members if name in wanted and size <= LARGEST_FILE)
    for count_, most, noun in (
        (len(members), most_members(packed), "files"),
        (unpacked >> 20, most_bytes(packed) >> 20, "MB"),
    ):
        if count_ > most:
            words = f"{most:,} {noun} in an archive of {packed:,} bytes, found {count_:,}"
            yield Unit(path, trouble=f"expected at most {words} {noun}; unpack it first")
            return
    for name, pages in _together(list(wanted), Unit(path, "member")):
        yield Unit(path, name, trouble=wanted[name], pages=pages)


def _tar_units(path: str) -> Iterator[Unit]:
    """Members in the order of the archive; a compressed tar file can only be read from start to
    end, so its units have their bytes.

    Others are read where they are needed; only text may be a page of a match and is put together
    here. A match of several pages comes when its last page has been read.
    """
    pages = Stream()
    try:
        with opened_tar(path) as members:
            for info, archive, place in members:
                if not info.isfile() or not info.name.lower().endswith(MATCHES):
                    continue
                trouble = _trouble(info.name, info.size)
                if place is not None and not trouble and not info.name.lower().endswith(TEXT):
                    yield Unit(path, info.name, place=place)
                    continue
                file = None if trouble else archive.extractfile(info)
                if file is None:
                    yield Unit(path, info.name, trouble=trouble)
                    continue
                for name, content in pages.add(info.name, file.read()):
                    yield Unit(path, name, content=content)
    except TooMuch as error:
        yield Unit(path, trouble=f"{error}; unpack it first")
    except Exception as error:
        # tarfile passes on whatever its decompressors raise.
        yield Unit(path, trouble=f"cannot be read to the end as a tar file: {reason_of(error)}")
    for name, content in pages.rest():
        yield Unit(path, name, content=content)


def _trouble(name: str, size: int) -> str:
    """Why a member of an archive cannot be read; empty for any other."""
    if size > LARGEST_FILE:
        return f"expected a match, found {size >> 20} MB"
    if name.lower().endswith(DATABASE):
        return "a database inside an archive cannot be read; unpack it first"
    return ""


@contextmanager
def opened_tar(path: str) -> Iterator[Iterator[Member]]:
    """The members of a tar file in order, each to be read before the next. Raises `TooMuch`, and
    whatever `tarfile` and `open` raise."""
    with open_bytes(path) as raw:
        stamp = () if is_remote(path) else _stamp(raw.fileno())
        head = raw.read(6)
        raw.seek(0)
        unpack = next((function for magic, function in _PACKED if head.startswith(magic)), None)
        with unpack(raw, "rb") if unpack else raw as plain:
            stream: Any = _Bounded(plain, size_of(raw))
            with tarfile.open(fileobj=stream, mode="r:") as archive:
                yield _members(archive, stream, () if unpack else stamp)


def read_at(path: str, place: Place) -> bytes:
    """The bytes of a member, if the archive is still the same. Raises `OSError`."""
    with Path(path).open("rb") as file:
        file.seek(place.offset)
        content = file.read(place.size)
        if _stamp(file.fileno()) != place.stamp or len(content) != place.size:
            raise OSError(
                "the archive changed while it was read; run this again when it is complete"
            )
    return content


def _members(
    archive: tarfile.TarFile, stream: _Bounded, stamp: tuple[int, ...]
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
