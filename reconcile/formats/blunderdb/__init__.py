"""A database of blunderDB: many matches in one file, with the error of every decision and whether it counts.

with open_file("club.db", "club.db") as database:
    match = read_one(database, "12")                  a match by its id, or by its players, "ann/ben"
    for match in read_all(database): ...
"""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.formats.blunderdb.address import chosen, every
from reconcile.formats.blunderdb.database import Database, Row, open_bytes, open_file
from reconcile.formats.blunderdb.reader import read_stored
from reconcile.formats.blunderdb.stored import Totals, totals_of
from reconcile.match.match import Match

__all__ = ["Database", "Totals", "open_bytes", "open_file", "read", "read_all", "read_one", "totals"]


def read(path: str, content: bytes, selector: str = "") -> Match:
    """A match of the bytes of a database. Raises `UnreadableFile`."""
    with open_bytes(path, content) as database:
        return read_one(database, selector)


def read_one(database: Database, selector: str) -> Match:
    """The match with an id or two players, or the only one for an empty selector. Raises `UnreadableFile`."""
    return _read(database, chosen(database, selector))


def read_all(database: Database) -> Iterator[Match]:
    """Every match, by id, each read on demand. Raises `UnreadableFile`."""
    for row in every(database):
        yield _read(database, row)


def totals(database: Database, selector: str) -> Totals:
    """blunderDB's own figures of a match, see `totals_of`. Raises `UnreadableFile`."""
    return totals_of(database, chosen(database, selector))


def _read(database: Database, row: Row) -> Match:
    file = database.path
    database.begin(f"{file}#{row[0]}")
    try:
        match = read_stored(database, row)
    finally:
        database.begin(file)
    return match
