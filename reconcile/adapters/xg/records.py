"""The records of `temp.xg`: 2560 bytes each, one type byte at 8, fields at fixed offsets for every file version.

Two kinds of table. `..._FIELDS` list `(field, type, offset)`; a field of all records is one strided NumPy view of the bytes where
they lie. `..._NUMBERS` list `(field, offset, lowest, highest, expected)` of fields that must be sound before anything is computed:
they are copied and judged together, since a call of NumPy costs more than the few hundred numbers it works on.
"""

from __future__ import annotations

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
"""Any error field at or below this holds no score."""
LARGEST_ERROR: Final = 1000.0
HIGHEST_CUBE: Final = 12
"""Power of two; XG's own limit is 10."""
MOST_CANDIDATES: Final = 32
UNICODE_VERSION: Final = 24
"""From this file version on names stand in UTF-16 as well."""
AUTOMATIC_DOUBLES_VERSION: Final = 26
KNOWN_VERSIONS: Final = (30, 32)
"""Versions whose layout was verified on real files."""


def _table(*fields: tuple[str, object, int]) -> np.dtype[np.void]:
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": RECORD_SIZE})


class Numbers(NamedTuple):
    """Numbers of one type in every record of a kind, and the bounds they must keep; arrays have one row per field."""

    type: str
    columns: npt.NDArray[np.intp]
    """Places in a record, counted in numbers of this type."""
    lowest: npt.NDArray[Any]
    highest: npt.NDArray[Any]
    expected: tuple[str, ...]
    """What a message says should stand there."""


def _numbers(form: str, *fields: tuple[str, int, float, float, str]) -> Numbers:
    _, offsets, lowest, highest, expected = zip(*fields, strict=True)
    size = np.dtype(form).itemsize
    assert not any(offset % size for offset in offsets)

    def one_below_the_other(values: tuple[float, ...], kind: str) -> npt.NDArray[Any]:
        return np.array(values, kind)[:, None]

    columns = one_below_the_other(offsets, "intp") // size
    return Numbers(form, columns, one_below_the_other(lowest, form), one_below_the_other(highest, form), expected)


LEAST, MOST = -(2**31), 2**31 - 1
FINITE: Final = 3.4e38
"""Just below the largest number of 32 bits: what lies beyond is infinite or no number."""
SEAT: Final = "a player +1 or -1 on roll"  # +1 player 1, -1 player 2
CUBE_CODE: Final = f"a cube up to {2**HIGHEST_CUBE}"  # 0 centred; +n 2^n owned by player 1; -n by player 2

MATCH_HEADER_FIELDS: Final = _table(
    ("player1", "S41", 9),  # Delphi short string, code page of the writer
    ("player2", "S41", 50),
    ("length", "<i4", 92),  # 99999 = money
    ("variation", "<i4", 96),  # 0 backgammon, 1 nackgammon, 2 hypergammon, 3 longgammon
    ("crawford", "u1", 100),
    ("jacoby", "u1", 101),
    ("beaver", "u1", 102),
    ("event", "S129", 136),
    ("version", "<i4", 552),
    ("magic", "S4", 556),  # DMLI
    ("event_utf16", "V258", 622),  # UTF-16LE from version 24 on
    ("player1_utf16", "V258", 880),
    ("player2_utf16", "V258", 1138),
)

GAME_HEADER_FIELDS: Final = _table(
    ("crawford", "u1", 20),  # this game is the Crawford game
    ("automatic_doubles", "<i4", 64),  # from version 26 on
)
GAME_HEADER_NUMBERS: Final = _numbers(
    "<i4",
    ("score1", 12, 0, MOST, "scores from 0 to below the match length"),  # points won by player 1
    ("score2", 16, 0, MOST, "scores from 0 to below the match length"),
    ("number", 48, LEAST, MOST, "a number"),
)

CUBE_FIELDS: Final = _table(
    ("double", "<i4", 16),  # 1 doubled; 0 did not; -1 game over before; -2 no access
    ("take", "<i4", 20),  # 1 take, 0 pass, 2 beaver, -1 none
    ("beaver", "<i4", 24),  # answer to a beaver: 1 accepted, 0 passed, -1 none
    ("position", ("i1", 26), 36),  # player 1's view
    ("level", "<i4", 92),  # of the analysis kept
    ("flag_double", "<i2", 120),  # -100 not analysed
    ("error", "<f8", 200),  # >= 0, the doubler's
    ("error_response", "<f8", 216),  # <= 0, the responder's
    ("error_beaver", "<f8", 240),
    ("invalid", "<i4", 260),  # 0 ok, 1 error, 2 invalid
)
CUBE_NUMBERS: Final = _numbers(
    "<i4",
    ("on_roll", 12, -1, 1, SEAT),
    ("cube", 32, -HIGHEST_CUBE, HIGHEST_CUBE, CUBE_CODE),
)
CUBE_EQUITIES: Final = _numbers(
    "<f4",
    ("no_double", 152, -FINITE, FINITE, "a number for every cube equity"),
    ("double_take", 156, -FINITE, FINITE, "a number for every cube equity"),
    ("double_pass", 160, -FINITE, FINITE, "a number for every cube equity"),
)

MOVE_FIELDS: Final = _table(
    ("position", ("i1", 26), 9),  # before the play, player 1's view
    ("after", ("i1", 26), 35),  # after the play, mover's view
    ("play", ("<i4", 8), 68),  # (from, to) pairs from 0, bar 24, off negative; -1 ends
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
MOVE_NUMBERS: Final = _numbers(
    "<i4",
    ("on_roll", 64, -1, 1, SEAT),
    ("die1", 100, 1, 6, "dice from 1 to 6"),
    ("die2", 104, 1, 6, "dice from 1 to 6"),
    ("cube", 108, -HIGHEST_CUBE, HIGHEST_CUBE, CUBE_CODE),
    ("candidates", 188, 0, MOST_CANDIDATES, f"0 to {MOST_CANDIDATES} candidates"),
    ("invalid", 2480, LEAST, MOST, "a number"),  # 2 = not a legal play
)
MOVE_ERRORS: Final = _numbers(
    "<f8",
    ("error", 2312, -LARGEST_ERROR, LARGEST_ERROR, f"an error of at most {LARGEST_ERROR:.0f} for every play"),  # <= 0
)

GAME_FOOTER_FIELDS: Final = _table(
    ("winner", "<i4", 24),  # +1 player 1, -1 player 2
    ("points", "<i4", 28),
    ("termination", "<i4", 32),  # 0 pass, 1 single, 2 gammon, 3 backgammon; +100 resigned; +1000 settled
)
RESIGNATION_ERRORS: Final = _numbers(
    "<f8",
    ("error_resign", 40, -LARGEST_ERROR, LARGEST_ERROR, f"an error of at most {LARGEST_ERROR:.0f} for every resignation"),
    ("error_accept", 48, -LARGEST_ERROR, LARGEST_ERROR, f"an error of at most {LARGEST_ERROR:.0f} for every resignation"),
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
"""XG's level codes: its own words, and plies looked ahead (its 1-ply looks at no reply, like gnuBG's 0-ply)."""
