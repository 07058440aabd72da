"""Where each field of the records of `temp.xg` is, for the reader and the writer: 2560 bytes each,
all numbers little-endian; and what XG's levels, positions, plays and texts mean.

A table (`records.txt`) has the name of a field, its type as in `struct` (`32*26b` is 32 rows of 26)
and its offset, which is the same in every version of the file; what is never read or written has no
name. Decisions are read as columns: a field of all records is one strided NumPy view of the bytes
in place. The match and its few games are unpacked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from struct import unpack_from
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.formats.values import Damaged
from reconcile.match.board.play import Play
from reconcile.match.match import Level
from reconcile.match.names import unbroken

Array = npt.NDArray[Any]
Layout = dict[str, tuple[str, int]]
Value = int | float | bytes | tuple[int, ...] | tuple[float, ...] | list[int] | list[float]

RECORD_SIZE = 2560
TYPE_OFFSET = 8

MATCH_HEADER = 0
GAME_HEADER = 1
CUBE = 2
MOVE = 3
GAME_FOOTER = 4
MATCH_FOOTER = 5
MISSING_GAME = 6

MONEY_LENGTH = 99999
NOT_SCORED = -1000.0
"""An error field at or below this value has no score."""
LARGEST_ERROR = 1000.0
LARGEST_EQUITY = 1000.0
HIGHEST_CUBE = 12
"""Power of two; XG's own limit is 10."""
MOST_CANDIDATES = 32
BAR = 24
"""The highest place of a step; points are 0 to 23, lower numbers are off the board or the end of
the play."""
UNICODE_VERSION = 24
"""From this file version on names are also stored in UTF-16."""
AUTOMATIC_DOUBLES_VERSION = 26
KNOWN_VERSIONS = (30, 32)
"""Versions with a layout verified on real files."""
RESIGNED = range(100, 1000)
"""What a termination is for a resignation."""


def _tables() -> Iterator[tuple[str, list[tuple[str, str, int, str]]]]:
    for part in Path(__file__).with_name("records.txt").read_text("utf-8").split("\n[")[1:]:
        name, _, rows = part.partition("]")
        cells = (
            (*row.split(maxsplit=3), "")[:4]
            for row in rows.splitlines()
            if row and not row.startswith("#")
        )
        yield name, [(field, form, int(offset), meaning) for field, form, offset, meaning in cells]


FIELDS = dict(_tables())
"""By kind of record, every field with its type, its offset, and what it has."""
LAYOUTS: dict[str, Layout] = {
    kind: {name: (form, offset) for name, form, offset, _ in fields}
    for kind, fields in FIELDS.items()
}
MATCH_HEADER_LAYOUT, GAME_HEADER_LAYOUT = LAYOUTS["MATCH_HEADER"], LAYOUTS["GAME_HEADER"]
CUBE_LAYOUT, MOVE_LAYOUT = LAYOUTS["CUBE"], LAYOUTS["MOVE"]
GAME_FOOTER_LAYOUT = LAYOUTS["GAME_FOOTER"]


def numpy_type(form: str) -> np.dtype[Any]:
    """A type of a table as NumPy writes it: `32*26b` is 32 rows of 26."""
    *rows, row = form.split("*")
    shape = *map(int, rows), *([int(row[:-1])] if row[:-1] and row[-1] != "s" else [])
    return np.dtype((f"S{row[:-1]}" if row[-1] == "s" else f"<{row[-1]}", shape))


def values_of(layout: Layout, blob: bytes | bytearray, row: int = 0) -> dict[str, Any]:
    """Every field of one record; of a field of several numbers, all of them."""
    start = row * RECORD_SIZE
    fields = {
        name: unpack_from(f"<{form}", blob, start + offset)
        for name, (form, offset) in layout.items()
    }
    return {name: numbers[0] if len(numbers) == 1 else numbers for name, numbers in fields.items()}


def columns(layout: Layout) -> np.dtype[np.void]:
    """The fields of a table as a type of whole records."""
    forms, offsets = zip(*layout.values(), strict=True)
    return np.dtype(
        {
            "names": [*layout],
            "formats": [*map(numpy_type, forms)],
            "offsets": offsets,
            "itemsize": RECORD_SIZE,
        }
    )


def bounded(numbers: Array, lowest: float, highest: float, expected: str) -> Array:
    """The same numbers. Raises `Damaged` if one is out of bounds."""
    outside = (numbers < lowest) | (numbers > highest)
    if np.count_nonzero(outside):  # a third of the time of `any`
        raise Damaged(f"expected {expected}, found {numbers[outside][0]}")
    return numbers


EQUITY = f"equities of at most {LARGEST_EQUITY:.0f}"
STEPS = f"steps from and to places up to {BAR}"

CUBE_FIELDS = columns(CUBE_LAYOUT)
MOVE_FIELDS = columns(MOVE_LAYOUT)
CUBE_CHANCES = ("no_double_evaluation", "double_take_evaluation")
CHANCES = [3, 4, 5, 1, 0]
"""Where win, win gammon, win backgammon, lose gammon and lose backgammon are in an evaluation."""
MOVE_RESULTS = columns(
    {"after": ("26s", MOVE_LAYOUT["after"][1]), "results": ("32*26s", MOVE_LAYOUT["results"][1])}
)
"""Positions as texts, each of which is compared at once."""

LEVELS = {
    **{n: Level(f"{n + 1}-ply", float(n)) for n in range(7)},
    12: Level("3-ply red", 2.0),
    100: Level("rollout", None),
    998: Level("opening book", None),
    999: Level("opening book", None),
    1000: Level("XG Roller", None),
    1001: Level("XG Roller+", None),
    1002: Level("XG Roller++", None),
}
"""XG's level codes in rising order: its own names, and plies looked ahead (its 1-ply looks at no
reply, like gnuBG's 0-ply)."""
LEVEL_CODES = np.array([*LEVELS], np.int32)
EVERY_LEVEL = (*LEVELS.values(), Level("unknown level", None))
MOST_PLAYS = 1 << 14
"""That are remembered: most plays of an archive are few."""


def level_index(code: Array, scored: Array) -> Array:
    """Index into `EVERY_LEVEL` of every code; -1 for codes that mean no known analysis."""
    index = np.minimum(LEVEL_CODES.searchsorted(code), len(LEVEL_CODES) - 1)
    index = np.where(LEVEL_CODES[index] == code, index, len(LEVEL_CODES))
    return np.where(scored, index, -1)


def viewed(position: Array, sign: Array) -> Array:
    """Converts positions in player 1's view to the view of the player with sign +1 or -1."""
    other = np.flatnonzero(sign < 0)  # an eighth of the time of `where` for whole positions
    views = position.copy()
    views[other] = -position[other, ::-1]
    return views


@lru_cache(MOST_PLAYS)
def pairs_of(numbers: tuple[int, ...]) -> Play:
    """XG's (from, to) numbers from 0 as points from 1: bar 25, off 0. All zeros means nothing was
    played."""
    pairs = []
    for origin, target in zip(numbers[::2], numbers[1::2], strict=True):
        if origin < 0 or origin == target:
            break
        pairs.append((origin + 1, max(target + 1, 0)))
    return tuple(pairs)


def plays_of(numbers: Array) -> list[Play]:
    """The plays of rows of eight (from, to) numbers."""
    return [*map(pairs_of, map(tuple, numbers.tolist()))]


def utf16(raw: bytes) -> str:
    """Text of a field in UTF-16, up to its end mark."""
    return (
        raw.decode("utf-16-le", "replace")
        .partition("\0")[0]
        .replace("\n", " ")
        .replace("\t", " ")
        .strip()
    )


def ansi(raw: bytes) -> str:
    """Text of a Delphi short string in code page 1252."""
    raw = raw or b"\0"
    return unbroken(raw[1 : 1 + raw[0]]).decode("cp1252", "replace").partition("\0")[0].strip()
