"""The files of one match as gnuBG names them: `X.txt` for its first game, then `X_002.txt`,
`X_003.txt` and so on.

A match read from them is their bytes one after the other, so whatever takes one file takes this,
and the pages may as well be put together by hand. Files belong together if their names say so and
their first lines agree: same players, same length, the game that the name says. A file of another
match is left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from reconcile.files.inputs import head_of, opened
from reconcile.formats.gnubg_text.lines import BOM, first_line
from reconcile.formats.interface import GNUBG_TEXT
from reconcile.formats.values import in_utf8

TEXT = ".txt"
NAME = re.compile(r"(?P<stem>.+?)(?:_(?P<game>\d{3}))?", re.DOTALL | re.ASCII)
ENOUGH = 4096
"""Bytes of a file that have its first line."""
LAST = re.compile(rb"^(?:Match|Session) statistics\s*$", re.MULTILINE)
"""What the last page of a match has."""
MOST_HELD = 256 * 2**20
"""Bytes of pages kept until the last of their match is found in a stream; as many as five hundred
matches have."""

Head = Callable[[str], bytes]
"""The first bytes of a file by its name."""


def page_name(name: str) -> tuple[str, int]:
    """What the files of one match share in their names, and the number of the game; 0 if it cannot
    be a page."""
    if not name.lower().endswith(TEXT):
        return name, 0
    parts = NAME.fullmatch(name[: -len(TEXT)])
    return (parts["stem"], int(parts["game"] or 1)) if parts else (name, 0)


def together(names: Iterable[str], head: Head) -> dict[str, tuple[str, ...]]:
    """The other pages of every file that begins a match, by its name, in order; files without any
    are left out.

    Only files whose names leave it open are looked into.
    """
    sets: dict[str, dict[int, str]] = {}
    for name in names:
        stem, game = page_name(name)
        if game:
            sets.setdefault(stem, {})[game] = name
    pages: dict[str, tuple[str, ...]] = {}
    for numbered in sets.values():
        if len(numbered) > 1:
            games = sorted(numbered)
            fitting = _fitting([(game, head(numbered[game])) for game in games])
            if len(fitting) > 1:
                pages[numbered[fitting[0]]] = tuple(numbered[game] for game in fitting[1:])
    return pages


def _fitting(heads: list[tuple[int, bytes]]) -> list[int]:
    """The games whose first lines belong to the match of the first page among them."""
    fitting: list[int] = []
    match: tuple[str, str, str] | None = None
    for game, head in heads:
        line = first_line(head)
        if line is None or int(line["before"]) != game - 1:
            continue
        own = (line["one"], line["two"], line["length"] or "")
        if match in (None, own):
            match = own
            fitting.append(game)
    return fitting


def beside(path: str) -> tuple[str, ...]:
    """The other pages of a match in the folder of its first one; empty for any other file."""
    return together(_named_alike(path), lambda name: head_of(name, ENOUGH)).get(str(Path(path)), ())


def strangers(path: str) -> tuple[str, ...]:
    """Pages beside the first one of a match whose names are of the same match, but not their first
    lines."""
    if page_name(Path(path).name)[1] != 1:
        return ()
    own = beside(path)
    unlike = (page for page in _named_alike(path) if page not in own and page_name(page)[1] > 1)
    return tuple(
        Path(page).name for page in unlike if first_line(head_of(page, ENOUGH)) is not None
    )


def _named_alike(path: str) -> list[str]:
    """The files in the folder of a page that are named as pages of one match are, itself included,
    in order."""
    first = Path(path)
    stem, game = page_name(first.name)
    try:
        if not game or first_line(head_of(path, ENOUGH)) is None:
            return []
        with os.scandir(first.parent) as entries:
            return sorted(
                str(first.parent / entry.name)
                for entry in entries
                if page_name(entry.name)[0] == stem and entry.is_file()
            )
    except (OSError, ValueError):  # the name is too long or has a null character
        return []


def first_pages(paths: Sequence[str]) -> tuple[str, ...]:
    """Files without those that are read together with another of them."""
    if not any(page_name(path)[1] > 1 for path in paths):
        return tuple(paths)
    later_pages = {page for path in paths for page in beside(path)}
    return tuple(path for path in paths if str(Path(path)) not in later_pages)


def with_other_pages(path: str, content: bytes) -> bytes:
    """The bytes of a file and, if it is the first page of a match, those of the other pages beside
    it. Raises `OSError`."""
    return joined(chain([content], map(_bounded, beside(path))))


def _bounded(path: str) -> bytes:
    with opened(path) as file:
        return file.read(GNUBG_TEXT.largest + 1)


def joined(pages: Iterable[bytes]) -> bytes:
    """Pages as one text, each from the beginning of a line; those beyond what a match may have are
    cut off, which its reader reports."""
    parts: list[bytes] = []
    size = 0
    for page in pages:
        if parts and not parts[-1].endswith(b"\n"):
            parts.append(b"\n")
        page = in_utf8(page)
        parts.append(page.removeprefix(BOM) if parts else page)
        size += len(page)
        if size > GNUBG_TEXT.largest:
            break
    return b"".join(parts)


class Stream:
    """Pages that come in any order among other files: kept until those of a match are complete."""

    def __init__(self) -> None:
        self._held: dict[str, dict[int, tuple[str, bytes]]] = {}
        self._size = 0

    def add(self, name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Files that are complete with this one, by the name of their first page: at once for
        whatever is no page."""
        stem, game = page_name(name)
        if not game or first_line(content[:ENOUGH]) is None:
            yield name, content
            return
        pages = self._held.setdefault(stem, {})
        if game in pages:
            yield name, content
            return
        pages[game] = name, content
        self._size += len(content)
        if len(pages) == (last := max(pages)) and LAST.search(pages[last][1]):
            yield from self._released(stem)
        while self._size > MOST_HELD:
            yield from self._released(next(iter(self._held)))

    def rest(self) -> Iterator[tuple[str, bytes]]:
        """What is left at the end, in the order in which it came."""
        for stem in list(self._held):
            yield from self._released(stem)

    def _released(self, stem: str) -> Iterator[tuple[str, bytes]]:
        pages = dict(sorted(self._held.pop(stem).items()))
        self._size -= sum(len(content) for _, content in pages.values())
        fitting = _fitting([(game, content[:ENOUGH]) for game, (_, content) in pages.items()])
        if fitting:
            yield pages[fitting[0]][0], joined(pages[game][1] for game in fitting)
        yield from (file for game, file in pages.items() if game not in fitting)
