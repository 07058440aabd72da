"""The files of an archive: folders, zip files, tar files and patterns as one ordered list of
units."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from reconcile.errors import UnreadableFile
from reconcile.files.inputs import LARGEST_FILE, read_at_most
from reconcile.files.storage import is_remote, objects, open_bytes, size_of
from reconcile.formats import (
    gnubg_text,
    load_matches,
    mat,
    read_analyses,
)
from reconcile.formats.gnubg_text.pages import ENOUGH, Stream, beside, first_pages, joined, together
from reconcile.formats.interface import DATABASE, MATCHES, TAR, ZIP
from reconcile.formats.tar_stream import Place, TooMuch, most_bytes, most_members, opened, read_at
from reconcile.match.match import Match
from reconcile.match.met import AnyMet
from reconcile.wording import printable

TEXT: Final = ".txt"
"""Extensions of transcripts, and of many other files."""
PATTERN: Final = frozenset("*?[")


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
            if is_text and not _is_transcript(content):
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
            raise UnreadableFile(f"cannot be read: {_reason(error)}", self.name) from None
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
        with _opened(self.path, *_stamp(self.path)).open(name) as member:
            return member.read(most)

    def head(self, name: str) -> bytes:
        """The beginning of one of its files; empty if it cannot be read, which whoever reads it
        reports."""
        try:
            return self._read_one(name, ENOUGH)
        except Exception:  # as in `read`
            return b""


@lru_cache(maxsize=1)
def _opened(path: str, changed: int, size: int) -> zipfile.ZipFile:
    """A zip file, kept open: reading the index of a large one again for each member would take
    longer than reading the members."""
    return zipfile.ZipFile(open_bytes(path) if is_remote(path) else path)


def _stamp(path: str) -> tuple[int, int]:
    """What changes when a file does; an object is taken to stay what it is during a run."""
    if is_remote(path):
        return 0, 0
    status = Path(path).stat()
    return status.st_mtime_ns, status.st_size


def _reason(error: Exception) -> str:
    text = (getattr(error, "strerror", None) or str(error) or type(error).__name__).splitlines()[0]
    return text[:200].lower()


def units(
    paths: Sequence[str], *, unchanged: Callable[[str], Sequence[Unit] | None] = lambda file: None
) -> Iterator[Unit]:
    """Every file below these paths, sorted within each path; archives are opened, but not archives
    inside them.

    `known` gives the units of a file or archive that need not be opened, `None` for any other.
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


def _is_transcript(content: bytes) -> bool:
    """Whether a text is one of a match; many folders have others."""
    return mat.recognises(content) or gnubg_text.recognises(content)


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
                f"cannot be read: {_reason(error)}; check the folder", here
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
        yield Unit(path, trouble=f"cannot be read as a zip file: {_reason(error)}")
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
        with opened(path) as members:
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
        yield Unit(path, trouble=f"cannot be read to the end as a tar file: {_reason(error)}")
    for name, content in pages.rest():
        yield Unit(path, name, content=content)


def _trouble(name: str, size: int) -> str:
    """Why a member of an archive cannot be read; empty for any other."""
    if size > LARGEST_FILE:
        return f"expected a match, found {size >> 20} MB"
    if name.lower().endswith(DATABASE):
        return "a database inside an archive cannot be read; unpack it first"
    return ""
