"""The records of `temp.xg`: 2560 bytes each, one type byte at 8, fields at fixed offsets for every file version.

Decisions are read as columns, described by two kinds of table. `..._FIELDS` list `(field, type, offset)`; a field of all records is
one strided NumPy view of the bytes in place. `Numbers` list `(field, offset, lowest, highest, expected)` of fields that must be
valid before anything is computed: they are copied and checked together, since a NumPy call costs more than the few hundred numbers
it works on. The match and its few games are unpacked one by one.
"""

from __future__ import annotations

import struct
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

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
"""The highest place of a step; points are 0 to 23, lower numbers are off the board or the end of the play."""
UNICODE_VERSION: Final = 24
"""From this file version on names are also stored in UTF-16."""
AUTOMATIC_DOUBLES_VERSION: Final = 26
KNOWN_VERSIONS: Final = (30, 32)
"""Versions with a layout verified on real files."""


def _table(*fields: tuple[str, object, int]) -> np.dtype[np.void]:
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": RECORD_SIZE})


class Form(NamedTuple):
    """Fields of a record that is unpacked individually."""

    struct: struct.Struct
    fields: tuple[tuple[str, str, int], ...]
    """Name, type as in `struct`, offset."""


def _form(*fields: tuple[str, str, int]) -> Form:
    text, place = "<", 0
    for _, kind, offset in fields:
        text += f"{offset - place}x{kind}"
        place = offset + struct.calcsize(f"<{kind}")
    return Form(struct.Struct(text), fields)


def unpacked(form: Form, blob: bytes | bytearray) -> dict[str, Any]:
    """The fields of the first record of a blob by name."""
    return dict(zip([name for name, _, _ in form.fields], form.struct.unpack_from(blob), strict=True))


class Numbers(NamedTuple):
    """Numbers of one type that many records have, and their bounds; arrays have one row per field."""

    names: tuple[str, ...]
    type: np.dtype[Any]
    columns: npt.NDArray[np.intp]
    """Places in a record, counted in numbers of this type: one column for all records, or one per kind of record."""
    lowest: npt.NDArray[Any]
    highest: npt.NDArray[Any]
    expected: tuple[str, ...]
    """The expected value, for messages."""


def _numbers(form: str, *fields: tuple[str, int | tuple[int, ...], float, float, str]) -> Numbers:
    names, offsets, lowest, highest, expected = zip(*fields, strict=True)
    kind = np.dtype(form)
    columns, rest = np.divmod(np.array(offsets, np.intp).reshape(len(fields), -1), kind.itemsize)
    if rest.any():
        raise ValueError(f"fields of {form} do not begin at a multiple of their size: {offsets}")
    return Numbers(names, kind, columns, np.array(lowest, kind)[:, None], np.array(highest, kind)[:, None], expected)


LEAST, MOST = -(2**31), 2**31 - 1
SEAT: Final = "a player +1 or -1 on roll"
SCORES: Final = "scores from 0 to below the match length"
EQUITY: Final = f"equities of at most {LARGEST_EQUITY:.0f}"
STEPS: Final = f"steps from and to places up to {BAR}"
BOUNDED: Final = f"an error of at most {LARGEST_ERROR:.0f} for every decision"

MATCH_HEADER_FIELDS: Final = _form(
    ("player1", "41s", 9),  # Delphi short string, code page of the writer
    ("player2", "41s", 50),
    ("length", "i", 92),  # 99999 = money
    ("variation", "i", 96),  # 0 backgammon, 1 nackgammon, 2 hypergammon, 3 longgammon
    ("crawford", "B", 100),
    ("jacoby", "B", 101),
    ("beaver", "B", 102),
    ("date", "d", 128),  # days since 30 December 1899; 0 is none
    ("event", "129s", 136),
    ("version", "i", 552),
    ("magic", "4s", 556),  # DMLI
    ("event_utf16", "258s", 622),  # UTF-16LE from version 24 on
    ("player1_utf16", "258s", 880),
    ("player2_utf16", "258s", 1138),
)
GAME_HEADER_FIELDS: Final = _form(
    ("score1", "i", 12),  # points won by player 1 before the game
    ("score2", "i", 16),
    ("crawford", "B", 20),  # this is the Crawford game
    ("number", "i", 48),
    ("automatic_doubles", "i", 64),  # from version 26 on
)
GAME_FOOTER_FIELDS: Final = _form(
    ("winner", "i", 24),  # +1 player 1, -1 player 2
    ("points", "i", 28),
    ("termination", "i", 32),  # 0 pass, 1 single, 2 gammon, 3 backgammon; +100 resigned; +1000 settled
    ("error_resign", "d", 40),
    ("error_accept", "d", 48),
)
RESIGNED: Final = range(100, 1000)

# Fields shared by plays, cube actions and responses: offset in the record of a move, and twice in that of a cube.
DECISION_NUMBERS: Final = _numbers(
    "<i4",
    ("on_roll", (64, 12, 12), -1, 1, SEAT),  # +1 player 1, -1 player 2
    ("cube", (108, 32, 32), -HIGHEST_CUBE, HIGHEST_CUBE, f"a cube up to {2**HIGHEST_CUBE}"),  # 0 centred; +n 2^n owned by player 1; -n 2
)
DECISION_ERRORS: Final = _numbers(
    "<f8",
    ("error", (2312, 200, 216), -LARGEST_ERROR, LARGEST_ERROR, BOUNDED),  # >= 0 of the doubler, <= 0 of a play and of a response
)

CUBE_FIELDS: Final = _table(
    ("double", "<i4", 16),  # 1 doubled; 0 did not; -1 game over before; -2 no access
    ("take", "<i4", 20),  # 1 take, 0 pass, 2 beaver, -1 none
    ("beaver", "<i4", 24),  # answer to a beaver: 1 accepted, 0 passed, -1 none
    ("position", ("i1", 26), 36),  # player 1's view
    ("level", "<i4", 92),  # of the analysis kept
    ("flag_double", "<i2", 120),  # -100 not analysed
    ("error_beaver", "<f8", 240),
    ("invalid", "<i4", 260),  # 0 ok, 1 error, 2 invalid
)
CUBE_EQUITIES: Final = _numbers(
    "<f4",
    ("no_double", 152, -LARGEST_EQUITY, LARGEST_EQUITY, EQUITY),
    ("double_take", 156, -LARGEST_EQUITY, LARGEST_EQUITY, EQUITY),
    ("double_pass", 160, -LARGEST_EQUITY, LARGEST_EQUITY, EQUITY),
)

MOVE_FIELDS: Final = _table(
    ("position", ("i1", 26), 9),  # before the play, player 1's view
    ("after", ("i1", 26), 35),  # after the play, mover's view
    ("level", "<i4", 160),
    ("results", ("i1", (MOST_CANDIDATES, 26)), 192),  # mover's view
    ("moves", ("i1", (MOST_CANDIDATES, 8)), 1024),
    ("levels", ("<i2", (MOST_CANDIDATES, 2)), 1280),  # level, then two bytes without use here
    ("evaluations", ("<f4", (MOST_CANDIDATES, 7)), 1408),  # lose bg, lose gammon, lose, win, win gammon, win bg, equity
    ("irrelevant", "i1", 2304),  # 1 = does not count as a decision
    ("played", "u1", 2308),  # 0 = rolled, not played
    ("luck", "<f8", 2320),
    ("luck_level", "<i4", 2476),
)
MOVE_RESULTS: Final = _table(("after", "S26", 35), ("results", ("S26", MOST_CANDIDATES), 192))
"""Two of them again, each position as a text, which is compared at once."""
MOVE_NUMBERS: Final = _numbers(
    "<i4",
    ("die1", 100, 1, 6, "dice from 1 to 6"),
    ("die2", 104, 1, 6, "dice from 1 to 6"),
    ("candidates", 188, 0, MOST_CANDIDATES, f"0 to {MOST_CANDIDATES} candidates"),
    ("invalid", 2480, LEAST, MOST, "a number"),  # 2 = not a legal play
    ("from1", 68, LEAST, BAR, STEPS),  # first step from; points from 0, bar 24; -1 ends the play
    ("to1", 72, LEAST, BAR, STEPS),  # and to; negative is off the board
    ("from2", 76, LEAST, BAR, STEPS),  # second step from; points from 0, bar 24; -1 ends the play
    ("to2", 80, LEAST, BAR, STEPS),  # and to; negative is off the board
    ("from3", 84, LEAST, BAR, STEPS),  # third step from; points from 0, bar 24; -1 ends the play
    ("to3", 88, LEAST, BAR, STEPS),  # and to; negative is off the board
    ("from4", 92, LEAST, BAR, STEPS),  # fourth step from; points from 0, bar 24; -1 ends the play
    ("to4", 96, LEAST, BAR, STEPS),  # and to; negative is off the board
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
"""XG's level codes: its own names, and plies looked ahead (its 1-ply looks at no reply, like gnuBG's 0-ply)."""
