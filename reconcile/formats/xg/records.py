"""Where each field of the records of `temp.xg` is, for the reader and the writer: 2560 bytes each,
all numbers little-endian.

A table (`records.txt`) has the name of a field, its type as in `struct` (`32*26b` is 32 rows of 26)
and its offset, which is the same in every version of the file; what is never read or written has no
name. Decisions are read as columns: a field of all records is one strided NumPy view of the bytes
in place. Fields that must be valid before anything is computed are copied and checked together
(`Numbers`), since a NumPy call costs more than the few hundred numbers it works on. The match and
its few games are unpacked one by one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Layout = dict[str, tuple[str, int]]
Value = int | float | bytes | tuple[int, ...] | tuple[float, ...] | list[int] | list[float]

RECORD_SIZE: Final = 2560
TYPE_OFFSET: Final = 8

MATCH_HEADER: Final = 0
GAME_HEADER: Final = 1
CUBE: Final = 2
MOVE: Final = 3
GAME_FOOTER: Final = 4
MATCH_FOOTER: Final = 5
MISSING_GAME: Final = 6

MONEY_LENGTH: Final = 99999
NOT_SCORED: Final = -1000.0
"""An error field at or below this value has no score."""
LARGEST_ERROR: Final = 1000.0
LARGEST_EQUITY: Final = 1000.0
HIGHEST_CUBE: Final = 12
"""Power of two; XG's own limit is 10."""
MOST_CANDIDATES: Final = 32
BAR: Final = 24
"""The highest place of a step; points are 0 to 23, lower numbers are off the board or the end of
the play."""
UNICODE_VERSION: Final = 24
"""From this file version on names are also stored in UTF-16."""
AUTOMATIC_DOUBLES_VERSION: Final = 26
KNOWN_VERSIONS: Final = (30, 32)
"""Versions with a layout verified on real files."""
RESIGNED: Final = range(100, 1000)
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


FIELDS: Final = dict(_tables())
"""By kind of record, every field with its type, its offset, and what it has."""
LAYOUTS: Final[dict[str, Layout]] = {
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


def struct_of(layout: Layout, *names: str) -> struct.Struct:
    """Fields of a table, in its order, as one `struct`."""
    text, place = "<", 0
    for form, offset in (layout[name] for name in names):
        text += f"{offset - place}x{form}"
        place = offset + struct.calcsize(f"<{form}")
    return struct.Struct(text)


def columns(layout: Layout, *names: str) -> np.dtype[np.void]:
    """Fields of a table as a type of whole records."""
    forms, offsets = zip(*(layout[name] for name in names), strict=True)
    return np.dtype(
        {
            "names": names,
            "formats": [*map(numpy_type, forms)],
            "offsets": offsets,
            "itemsize": RECORD_SIZE,
        }
    )


class Numbers(NamedTuple):
    """Numbers of one type that many records have, and their bounds; arrays have one row per
    number."""

    type: np.dtype[Any]
    columns: npt.NDArray[np.intp]
    """Places in a record, counted in numbers of this type: one column for all records, or one per
    kind of record."""
    lowest: npt.NDArray[Any]
    highest: npt.NDArray[Any]
    expected: tuple[str, ...]
    """The expected value, for messages."""


def _numbers(
    layouts: tuple[Layout, ...], *fields: tuple[str | tuple[str, ...], float, float, str]
) -> Numbers:
    """Fields of one type with lowest, highest and expected value; one that has another name in each
    layout has a name for each."""
    rows, bounds = [], []
    for names, *bound in fields:
        each = (names,) * len(layouts) if isinstance(names, str) else names
        forms, offsets = zip(
            *(layout[name] for layout, name in zip(layouts, each, strict=True)), strict=True
        )
        form = numpy_type(forms[0][-1])
        for number in range(int(forms[0][:-1] or 1)):
            rows.append([offset + number * form.itemsize for offset in offsets])
            bounds.append(bound)
    columns, rest = np.divmod(np.array(rows, np.intp), form.itemsize)
    if rest.any():
        raise ValueError(f"fields do not begin at a multiple of their size: {rows}")
    lowest, highest, expected = zip(*bounds, strict=True)
    return Numbers(
        form, columns, np.array(lowest, form)[:, None], np.array(highest, form)[:, None], expected
    )


LEAST, MOST = -(2**31), 2**31 - 1
SEAT: Final = "a player +1 or -1 on roll"
SCORES: Final = "scores from 0 to below the match length"
EQUITY: Final = f"equities of at most {LARGEST_EQUITY:.0f}"
STEPS: Final = f"steps from and to places up to {BAR}"
BOUNDED: Final = f"an error of at most {LARGEST_ERROR:.0f} for every decision"

MATCH_HEADER_NAMES: Final = (
    "player1", "player2", "length", "variation", "crawford", "jacoby", "beaver", "date",
    "event", "location", "round", "version",
    "magic", "event_utf16", "player1_utf16", "player2_utf16", "location_utf16", "round_utf16",
)  # fmt: skip
MATCH_HEADER_FIELDS: Final = struct_of(MATCH_HEADER_LAYOUT, *MATCH_HEADER_NAMES)
MATCH_HEADER_RATINGS: Final = struct_of(MATCH_HEADER_LAYOUT, "elo", "experience")
"""Of player 1 and 2, Elo first."""
GAME_HEADER_FIELDS: Final = struct_of(
    GAME_HEADER_LAYOUT, "score", "crawford", "number", "automatic_doubles"
)
GAME_FOOTER_FIELDS: Final = struct_of(
    GAME_FOOTER_LAYOUT, "winner", "points", "termination", "resign_error", "accept_error"
)

_DECISIONS: Final = (MOVE_LAYOUT, CUBE_LAYOUT, CUBE_LAYOUT)
"""Plays, cube actions and responses."""
DECISION_NUMBERS: Final = _numbers(
    _DECISIONS,
    ("on_roll", -1, 1, SEAT),
    ("cube", -HIGHEST_CUBE, HIGHEST_CUBE, f"a cube up to {2**HIGHEST_CUBE}"),
)
DECISION_ERRORS: Final = _numbers(
    _DECISIONS, (("error", "error", "take_error"), -LARGEST_ERROR, LARGEST_ERROR, BOUNDED)
)
CUBE_CHANCES: Final = ("no_double_evaluation", "double_take_evaluation")
CUBE_FIELDS: Final = columns(CUBE_LAYOUT, "double", "take", "position", "level", *CUBE_CHANCES)
CHANCES: Final = [3, 4, 5, 1, 0]
"""Where win, win gammon, win backgammon, lose gammon and lose backgammon are in an evaluation."""
CUBE_EQUITIES: Final = _numbers(
    (CUBE_LAYOUT,),
    *(
        (name, -LARGEST_EQUITY, LARGEST_EQUITY, EQUITY)
        for name in ("no_double", "double_take", "double_pass")
    ),
)
MOVE_FIELDS: Final = columns(
    MOVE_LAYOUT,
    "position",
    "level",
    "moves",
    "levels",
    "evaluations",
    "irrelevant",
    "played",
    "luck",
    "luck_level",
)
_AS_TEXTS: Final[Layout] = {
    "after": ("26s", MOVE_LAYOUT["after"][1]),
    "results": ("32*26s", MOVE_LAYOUT["results"][1]),
}
MOVE_RESULTS: Final = columns(_AS_TEXTS, *_AS_TEXTS)
"""Positions as texts, each of which is compared at once."""
MOVE_NUMBERS: Final = _numbers(
    (MOVE_LAYOUT,),
    ("dice", 1, 6, "dice from 1 to 6"),
    ("candidates", 0, MOST_CANDIDATES, f"0 to {MOST_CANDIDATES} candidates"),
    ("invalid", LEAST, MOST, "a number"),
    ("play", LEAST, BAR, STEPS),
)

LEVELS: Final = {
    **{n: (f"{n + 1}-ply", float(n)) for n in range(7)},
    12: ("3-ply red", 2.0),
    100: ("rollout", None),
    998: ("opening book", None),
    999: ("opening book", None),
    1000: ("XG Roller", None),
    1001: ("XG Roller+", None),
    1002: ("XG Roller++", None),
}
"""XG's level codes: its own names, and plies looked ahead (its 1-ply looks at no reply, like
gnuBG's 0-ply)."""
