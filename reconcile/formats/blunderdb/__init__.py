"""A database of blunderDB: many matches in one file, with the error of every decision and whether
it counts.

    with open_file("club.db") as database:
        match = read_one(database, "12")                  a match by its id, or by its players,
        "ann/ben" for match in read_all(database): ...

A match is selected by `FILE.db#ID` or `FILE.db#player/opponent`; just `FILE.db` is enough if it has
only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reconcile.errors import UnreadableFile
from reconcile.formats.blunderdb.database import Database, Row, open_bytes
from reconcile.formats.blunderdb.reader import match_statement, read_stored
from reconcile.formats.interface import BLUNDERDB
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.wording import plural


def read(path: str, content: bytes, selector: str = "") -> Match:
    """A match of the bytes of a database. Raises `Damaged`."""
    with open_bytes(path, content) as database:
        return read_one(database, selector)


def read_one(database: Database, selector: str) -> Match:
    """The match with an id or two players, or the only one for an empty selector. Raises
    `Damaged`, `UnreadableFile`."""
    return _read(database, chosen(database, selector))


def read_all(database: Database) -> Iterator[Match]:
    """Every match, by id, each read on demand. Raises `Damaged`, `UnreadableFile`."""
    for row in every(database):
        yield _read(database, row)


def _read(database: Database, row: Row) -> Match:
    file = database.path
    database.begin(f"{file}#{row[0]}")
    try:
        with BLUNDERDB.reading(database.path):
            return read_stored(database, row)
    finally:
        database.begin(file)


SHOWN = 5
"""Matches that a message lists; the others are counted."""
LARGEST_ID = 2**63 - 1


def chosen(database: Database, selector: str) -> Row:
    """The row of the selected match; an empty selector means the only one. Raises `UnreadableFile`
    with a list of the matches."""
    number = re.fullmatch(r"\d{1,19}", selector, re.ASCII)
    if number and int(selector) <= LARGEST_ID:
        rows = database.ask(
            f"{match_statement(database)} WHERE id = ?", (int(selector),), 1, "matches with one id"
        )
        if rows:
            return rows[0]
        raise _not_found(database, f"no match #{selector}")
    if not selector:
        first = list(islice(every(database), 2))
        if len(first) == 1:
            return first[0]
        raise _not_found(database, "several matches" if first else "no match")
    matches = _between(database, selector)
    if len(matches) == 1:
        return matches[0]
    raise _not_found(
        database,
        f"{len(matches)} matches of {selector[:80]!r}"
        if matches
        else f"no match of {selector[:80]!r}",
        matches,
    )


def every(database: Database) -> Iterator[Row]:
    """The rows of all matches, by id."""
    yield from database.each(f"{match_statement(database)} ORDER BY id")


def _between(database: Database, selector: str) -> list[Row]:
    """The matches of two players in either order: by their names, else by beginnings of words in
    them."""
    wanted = _pair(*selector.partition("/")[::2])
    folded = fold(selector).replace(" / ", "/")
    exact, begun = [], []
    for row in every(database):
        names = _pair(str(row[1] or ""), str(row[2] or ""))
        if folded in ("/".join(names), "/".join(names[::-1])):
            exact.append(row)
        elif all(wanted) and any(
            all(map(_begins, order, wanted)) for order in (names, names[::-1])
        ):
            begun.append(row)
    return exact or begun


def _begins(name: str, part: str) -> bool:
    return f" {part}" in f" {name}"


def _pair(first: str, second: str) -> tuple[str, str]:
    return fold(first), fold(second)


def _not_found(database: Database, problem: str, rows: list[Row] | None = None) -> UnreadableFile:
    """The error, with a few of the existing matches."""
    shown: list[str] = []
    more = 0
    for row in rows or every(database):
        if len(shown) < SHOWN:
            shown.append(_words(row))
        else:
            more += 1
    there = ", ".join(shown) + (f" and {more} more" if more else "") if shown else "positions alone"
    remedy = (
        f"there {'is' if len(shown) == 1 else 'are'} {there}"
        if shown
        else "it has only positions; import a match in blunderDB"
    )
    file = database.path
    name = f"; name it as {file}#ID or {file}#player/opponent" if shown else ""
    return UnreadableFile(f"expected one match, found {problem}; {remedy}{name}", file)


def _words(row: Row) -> str:
    names = " - ".join("".join(filter(str.isprintable, str(name or "?")))[:40] for name in row[1:3])
    length = plural(row[3], "point") if isinstance(row[3], int) and row[3] > 0 else "money"
    date = re.match(r"\d{4}-\d\d-\d\d", str(row[8] or ""))
    return f"#{row[0]} ({names}, {length}{', ' + date[0] if date else ''})"
