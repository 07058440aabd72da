"""Reads a file of any supported tool as a `Match`; the format is recognised by the content, never
by the name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from reconcile.errors import InvalidArgument, UnreadableFile, reason_of
from reconcile.files.inputs import LARGEST_FILE, STANDARD_INPUT, head_of, no_larger, read_bytes
from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.common import in_utf8
from reconcile.formats.interface import (
    BLUNDERDB,
    DATABASE,
    EXPECTED,
    GNUBG_TEXT,
    HEAD,
    OGXM,
    TAR,
    ZIP,
    format_of,
    seems,
)
from reconcile.match.board.position import possible_positions
from reconcile.match.match import Match, Note

if TYPE_CHECKING:
    from reconcile.formats.blunderdb.database import Database
    from reconcile.match.met import AnyMet

IN_MEMORY = "match"
"""What bytes without a name are called."""
GZIP = b"\x1f\x8b"
SELECTS = "#"
"""Separates a database and the selected match in it."""


def load_match(
    path: str | Path | bytes | bytearray | BinaryIO, *, name: str = "", met: AnyMet | None = None
) -> Match:
    """Read a match from an `.xg` file, a gnuBG `.sgf`, a BGBlitz `.bgf`, a transcript (`.mat`,
    `.txt`), a kept analysis (`.json`), an OGXM document or a blunderDB database.

    `-` is standard input. gnuBG's text export (`.txt`) is read as well, its first page, `X.txt`,
    with the others beside it, `X_002.txt` and so on.

    A `.gz` is read as what is in it.

    A match inside a database is `FILE.db#ID` or `FILE.db#player/opponent`, an analysis inside an
    OGXM document `FILE.ogxm#1`; if there is only one, the file name is enough. Bytes and streams of
    bytes are read as a file called `name`, by default what the stream calls itself. `met` is the
    match equity table of an analysis in an OGXM document whose own is not known, and of gnuBG's
    text in chances. Raises `UnreadableFile` with one line that says what is wrong and what to do,
    `InvalidArgument` for anything else than a path, bytes or a stream.
    """
    if isinstance(path, (str, Path)):
        return _named(str(path), met)[0]
    return read_match(*_named_content(path, name), met=met)


def load_analyses(paths: Iterable[str], met: AnyMet | None = None) -> list[Match]:
    """The analyses in files, those of an OGXM document each for itself. Raises `UnreadableFile`."""
    return [match for path in paths for match in _named(path, met, every=True)]


def _named(path: str, met: AnyMet | None, *, every: bool = False) -> Sequence[Match]:
    """The match at an address; with `every` once for each analysis in its file."""
    file, selector = _address(path)
    database = _database(file)
    if database is not None:
        from reconcile.formats.blunderdb import read_one

        with database, BLUNDERDB.reading(file):
            return [checked(read_one(database, selector))]
    content = read_bytes(file)
    form = format_of(_plain(file, content))
    if selector and not (form and form.selects):
        raise UnreadableFile(
            f"{path}: expected a database of blunderDB or an OGXM document before {SELECTS!r}, "
            "found another file; name the file alone"
        )
    if form is GNUBG_TEXT and file != STANDARD_INPUT:
        return [_with_pages(file, content, met)]
    if every and not selector:
        return read_analyses(file, content, met)
    return [read_match(file, content, selector, met)]


def _named_content(source: bytes | bytearray | BinaryIO, name: str) -> tuple[str, bytes]:
    """The name and the content of bytes or of a stream, which is read to its end."""
    if isinstance(source, (bytes, bytearray)):
        return name or IN_MEMORY, no_larger(bytes(source), name or IN_MEMORY)
    read = getattr(source, "read", None)
    content = read(LARGEST_FILE + 1) if callable(read) else None
    if not isinstance(content, bytes):
        raise InvalidArgument("path", "a path, bytes, or a stream opened for reading bytes", source)
    named = name or str(getattr(source, "name", "") or IN_MEMORY)
    return named, no_larger(content, named)


def is_folder(path: str) -> bool:
    """Whether it is a folder, a zip or a tar file, which all may have many matches."""
    is_archive = path.lower().endswith(ZIP + TAR) and _is_file(path)
    return is_archive or os.path.isdir(path)  # noqa: PTH112 (as in `_is_file`)


def has_many(path: str) -> bool:
    """Whether it is a folder, a zip or a tar file, or a database."""
    return is_folder(path) or (path.lower().endswith(DATABASE) and _is_file(path))


def load_matches(path: str | Path) -> Iterator[Match]:
    """Every match of a database, each read on demand; for any other file, or an address in a
    database, the one match.

    Raises `UnreadableFile`.
    """
    file, selector = _address(str(path))
    database = None if selector else _database(file)
    if database is None:
        yield load_match(path)
        return
    from reconcile.formats.blunderdb import read_all

    with database, BLUNDERDB.reading(file):
        yield from map(checked, read_all(database))


def _address(path: str) -> tuple[str, str]:
    """A file and the match selected in it. If a file's own name has the separator, it is just that
    file."""
    if SELECTS not in path or _is_file(path):
        return path, ""
    ends = [at for at, letter in enumerate(path) if letter == SELECTS]
    for end in reversed(ends):
        if path[:end] == STANDARD_INPUT or _is_file(path[:end]):
            return path[:end], path[end + 1 :].strip()
    return path, ""


def _is_file(path: str) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 (a Path raises for a name that is too long)


def _database(file: str) -> Database | None:
    """The database in a file, recognised by its first bytes; `None` for standard input and every
    other file."""
    if not BLUNDERDB.fits(head_of(file, HEAD)):
        return None
    from reconcile.formats.blunderdb.database import open_file

    with BLUNDERDB.reading(file):
        return open_file(file)


def _with_pages(file: str, content: bytes, met: AnyMet | None) -> Match:
    """The match of a page of gnuBG's text export, with the pages beside it where it is the
    first."""
    from reconcile.formats.gnubg_text.lines import strangers, with_other_pages

    try:
        match = read_match(file, with_other_pages(file, content), met=met)
    except OSError as error:
        raise UnreadableFile(
            f"a page beside it cannot be read: {reason_of(error)}; check the files", file
        ) from None
    notes = [
        Note("games-missing", f"{page} beside it is of another match and was left out")
        for page in strangers(file)
    ]
    return replace(match, notes=(*match.notes, *notes))


def checked(match: Match) -> Match:
    """The match, if it is no larger than matches are and every position can be: what is refused for
    its content is refused here or by its adapter, whatever is asked of it later. Raises
    `UnreadableFile`."""
    for count, most, noun in (
        (len(match.plays) + len(match.cubes), MOST_DECISIONS, "decisions"),
        (len(match.games), MOST_GAMES, "games"),
    ):
        if count > most:
            raise UnreadableFile(
                f"expected at most {most:,} {noun}, found {count:,}; is it one match?",
                match.source.path,
            )
    if not all(possible_positions(table.position).all() for table in (match.plays, match.cubes)):
        raise UnreadableFile(
            "expected at most 15 checkers a player, found more on the board; correct the file or "
            "leave it out",
            match.source.path,
        )
    return match


def read_match(path: str, content: bytes, selector: str = "", met: AnyMet | None = None) -> Match:
    """Recognise and read the bytes of a match; `path` only names them in messages, `selector`
    selects a match of a database.

    `met` is as in `load_match`. Raises `UnreadableFile`.
    """
    return checked(_read(path, content, selector, met))


def read_analyses(path: str, content: bytes, met: AnyMet | None = None) -> tuple[Match, ...]:
    """The match in these bytes, once for each analysis of an OGXM document; otherwise as
    `read_match`."""
    plain = _plain(path, content)
    if format_of(plain) is not OGXM:
        return (read_match(path, content, met=met),)
    with OGXM.reading(path, plain):
        analyses = [checked(read()) for read in OGXM.adapter.readers(path, plain, met)]
    return tuple(replace(each, source=replace(each.source, content=content)) for each in analyses)


def _plain(path: str, content: bytes) -> bytes:
    """The content, that of a `.gz` unpacked. Raises `UnreadableFile`."""
    return _unpacked(path, content) if content.startswith(GZIP) else content


def _unpacked(path: str, content: bytes) -> bytes:
    """What is in a `.gz`. Raises `UnreadableFile`."""
    import gzip
    import zlib

    try:
        with gzip.open(BytesIO(content)) as file:
            unpacked = file.read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableFile(
            f"cannot be unpacked: {reason_of(error)}; fetch the file again", path
        ) from None
    if unpacked.startswith(GZIP):
        raise UnreadableFile("expected a match, found a file packed twice; unpack it", path)
    return no_larger(unpacked, path)


def _read(path: str, content: bytes, selector: str, met: AnyMet | None) -> Match:
    if content.startswith(GZIP):
        match = _read(path, _unpacked(path, content), selector, met)
        return replace(match, source=replace(match.source, content=content))
    form = format_of(content)
    if form is not None:
        plain = in_utf8(content)
        read = form.adapter.read
        if met is not None and form.by_table:
            read = partial(read, met=met)
        with form.reading(path, plain):
            match = read(path, plain, selector)
        if plain is content:
            return match
        return replace(match, source=replace(match.source, content=content))
    kind, remedy = seems(content)
    raise UnreadableFile(f"expected {EXPECTED}, found {kind}; {remedy}", path)
