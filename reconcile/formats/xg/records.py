"""Where each field of the records of `temp.xg` is, for the reader and the writer: 2560 bytes each, all numbers little-endian.

A table has the name of a field, its type as in `struct` (`32*26b` is 32 rows of 26) and its offset, which is the same in every version of
the file; what is never read or written has no name. Decisions are read as columns: a field of all records is one strided NumPy view of the
bytes in place. Fields that must be valid before anything is computed are copied and checked together (`Numbers`), since a NumPy call costs
more than the few hundred numbers it works on. The match and its few games are unpacked one by one.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Layout = dict[str, tuple[str, int]]
Value = int | float | bytes | tuple[int, ...] | tuple[float, ...]

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
TRANSCRIBER_VERSION: Final = 30
KNOWN_VERSIONS: Final = (30, 32)
"""Versions with a layout verified on real files."""
RESIGNED: Final = range(100, 1000)
"""What a termination is for a resignation."""

MATCH_HEADER_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 0
    "player1": ("41s", 9),  # Delphi short string, code page of the writer
    "player2": ("41s", 50),
    "length": ("i", 92),  # 99999 = money
    "variation": ("i", 96),  # 0 backgammon, 1 nackgammon, 2 hypergammon, 3 longgammon
    "crawford": ("B", 100),
    "jacoby": ("B", 101),
    "beaver": ("B", 102),
    "auto_double": ("B", 103),
    "elo": ("2d", 104),
    "experience": ("2i", 120),
    "date": ("d", 128),  # days since 30 December 1899; 0 is none
    "event": ("129s", 136),
    "game_id": ("i", 268),  # negated when the players were swapped
    "player_levels": ("2i", 272),  # -1 a human
    "location": ("129s", 283),
    "round": ("129s", 417),
    "version": ("i", 552),
    "magic": ("4s", 556),  # DMLI
    "header_comment": ("i", 576),  # -1 none
    "footer_comment": ("i", 580),
    "site_id": ("i", 608),  # -1 none
    "cube_limit": ("i", 612),  # power of two
    "transcribed": ("B", 620),
    "event_utf16": ("258s", 622),  # UTF-16LE from version 24 on
    "player1_utf16": ("258s", 880),
    "player2_utf16": ("258s", 1138),
    "location_utf16": ("258s", 1396),
    "round_utf16": ("258s", 1654),
    "transcriber_utf16": ("258s", 1960),  # from version 30 on
}
GAME_HEADER_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 1
    "score": ("2i", 12),  # points won by each player before the game
    "crawford": ("B", 20),  # this is the Crawford game
    "initial_position": ("26b", 21),
    "number": ("i", 48),  # from 1
    "in_progress": ("B", 52),
    "header_comment": ("i", 56),
    "footer_comment": ("i", 60),
    "automatic_doubles": ("i", 64),  # from version 26 on
}
CUBE_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 2
    "on_roll": ("i", 12),  # +1 player 1, -1 player 2
    "double": ("i", 16),  # 1 doubled; 0 did not; -1 game over before; -2 no access
    "take": ("i", 20),  # 1 take, 0 pass, 2 beaver, -1 none
    "beaver": ("i", 24),  # answer to a beaver: 1 accepted, 0 passed, -1 none
    "raccoon": ("i", 28),
    "cube": ("i", 32),  # 0 centred; +n 2^n owned by player 1; -n 2^n owned by player 2
    "position": ("26b", 36),  # player 1's view
    # 64 to 196: what the analysis was given and found
    "position_given": ("26b", 64),  # view of the player on roll
    "level": ("i", 92),  # of the analysis kept
    "away": ("2i", 96),  # the player on roll first
    "cube_value": ("i", 104),  # 1, 2, 4...
    "cube_owner": ("i", 108),  # +1 the player on roll, 0 nobody, -1 the opponent
    "jacoby_given": ("i", 112),  # money: 1 Jacoby, 2 beavers
    "crawford_given": ("h", 116),
    "verdict": ("h", 120),  # -100 not analysed
    "no_double_evaluation": ("7f", 124),  # the seventh is the cubeless equity
    "no_double": ("f", 152),
    "double_take": ("f", 156),
    "double_pass": ("f", 160),
    "level_given": ("h", 164),
    "choice_if_doubled": ("h", 166),  # -1 without a double
    "double_take_evaluation": ("7f", 168),
    "error": ("d", 200),  # >= 0 of the doubler
    "dice": ("3s", 208),  # Delphi short string; 77 without a roll
    "take_error": ("d", 216),  # <= 0 of the response
    "rollout": ("i", 224),  # -1 none
    "choice": ("i", 228),  # XG's own: double + 2 * take
    "level_shown": ("i", 232),
    "beaver_error": ("d", 240),
    "raccoon_error": ("d", 248),
    "level_requested": ("i", 256),
    "invalid": ("i", 260),  # 0 ok, 1 error, 2 invalid
    "tutor": ("2b", 264),
    "tutor_errors": ("2d", 272),
    "bookmarked": ("B", 288),
    "comment": ("i", 292),
}
MOVE_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 3
    "position": ("26b", 9),  # before the play, player 1's view
    "after": ("26b", 35),  # after the play, mover's view
    "on_roll": ("i", 64),  # +1 player 1, -1 player 2
    "play": ("8i", 68),  # four steps from and to; points from 0, bar 24, below 0 off the board; a from of -1 ends the play
    "dice": ("2i", 100),
    "cube": ("i", 108),  # 0 centred; +n 2^n owned by player 1; -n 2^n owned by player 2
    "candidate_count": ("i", 120),
    # 124 to 2308: what the analysis was given and found
    "position_given": ("26b", 124),  # mover's view
    "dice_given": ("2i", 152),
    "level": ("i", 160),
    "away": ("2i", 164),  # the mover first
    "cube_value": ("i", 172),  # 1, 2, 4...
    "cube_owner": ("i", 176),  # +1 the mover, 0 nobody, -1 the opponent
    "crawford_given": ("i", 180),
    "jacoby_given": ("i", 184),  # money: 1 Jacoby, 2 beavers
    "candidates": ("i", 188),
    "results": ("32*26b", 192),  # mover's view
    "moves": ("32*8b", 1024),
    "levels": ("32*2h", 1280),  # level, then two bytes without use here
    "evaluations": ("32*7f", 1408),  # lose bg, lose gammon, lose, win, win gammon, win bg, equity
    "irrelevant": ("b", 2304),  # 1 = does not count as a decision
    "choices": ("2b", 2306),
    "played": ("B", 2308),  # 0 = rolled, not played
    "error": ("d", 2312),  # <= 0
    "luck": ("d", 2320),
    "choice": ("i", 2328),
    "equity_before_roll": ("d", 2336),
    "rollouts": ("32i", 2344),  # -1 none
    "level_shown": ("i", 2472),
    "luck_level": ("i", 2476),
    "invalid": ("i", 2480),  # 2 = not a legal play
    "tutor_choice": ("b", 2510),
    "bookmarked": ("B", 2520),
    "comment": ("i", 2524),
}
GAME_FOOTER_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 4
    "score": ("2i", 12),  # after the game
    "crawford_next": ("B", 20),
    "winner": ("i", 24),  # +1 player 1, -1 player 2
    "points": ("i", 28),
    "termination": ("i", 32),  # 0 pass, 1 single, 2 gammon, 3 backgammon; +100 resigned; +1000 settled
    "resign_error": ("d", 40),
    "accept_error": ("d", 48),
    "evaluation": ("7d", 56),
    "level": ("i", 112),
}
MATCH_FOOTER_LAYOUT: Final[Layout] = {
    "type": ("B", 8),  # 5
    "score": ("2i", 12),
    "winner": ("i", 20),  # +1 player 1, -1 player 2, 0 nobody
}


def struct_form(form: str) -> str:
    """A type of a table as `struct` writes it: `32*26b` is `832b`."""
    rows, _, row = form.rpartition("*")
    return f"{int(rows) * int(row[:-1])}{row[-1]}" if rows else form


def numpy_type(form: str) -> np.dtype[Any]:
    """The same as a type of NumPy."""
    *rows, row = form.split("*")
    shape = *map(int, rows), *([int(row[:-1])] if row[:-1] and row[-1] != "s" else [])
    return np.dtype((f"S{row[:-1]}" if row[-1] == "s" else f"<{row[-1]}", shape))


@cache
def _struct(form: str) -> struct.Struct:
    return struct.Struct(f"<{struct_form(form)}")


def put(record: bytearray, layout: Layout, base: int = 0, /, **values: Value) -> None:
    """Write the named fields of a table into a record, or into the one that starts at `base`."""
    for name, value in values.items():
        form, offset = layout[name]
        _struct(form).pack_into(record, base + offset, *(value if isinstance(value, tuple) else (value,)))


def struct_of(layout: Layout, *names: str) -> struct.Struct:
    """Fields of a table, in its order, as one `struct`."""
    text, place = "<", 0
    for form, offset in (layout[name] for name in names):
        text += f"{offset - place}x{form}"
        place = offset + struct.calcsize(f"<{form}")
    return struct.Struct(text)


def _columns(layout: Layout, *names: str) -> np.dtype[np.void]:
    forms, offsets = zip(*(layout[name] for name in names), strict=True)
    return np.dtype({"names": names, "formats": [*map(numpy_type, forms)], "offsets": offsets, "itemsize": RECORD_SIZE})


class Numbers(NamedTuple):
    """Numbers of one type that many records have, and their bounds; arrays have one row per number."""

    type: np.dtype[Any]
    columns: npt.NDArray[np.intp]
    """Places in a record, counted in numbers of this type: one column for all records, or one per kind of record."""
    lowest: npt.NDArray[Any]
    highest: npt.NDArray[Any]
    expected: tuple[str, ...]
    """The expected value, for messages."""


def _numbers(layouts: tuple[Layout, ...], *fields: tuple[str | tuple[str, ...], float, float, str]) -> Numbers:
    """Fields of one type with lowest, highest and expected value; one that has another name in each layout has a name for each."""
    rows, bounds = [], []
    for names, *bound in fields:
        each = (names,) * len(layouts) if isinstance(names, str) else names
        forms, offsets = zip(*(layout[name] for layout, name in zip(layouts, each, strict=True)), strict=True)
        one = numpy_type(forms[0][-1])
        for number in range(int(forms[0][:-1] or 1)):
            rows.append([offset + number * one.itemsize for offset in offsets])
            bounds.append(bound)
    columns, rest = np.divmod(np.array(rows, np.intp), one.itemsize)
    if rest.any():
        raise ValueError(f"fields do not begin at a multiple of their size: {rows}")
    lowest, highest, expected = zip(*bounds, strict=True)
    return Numbers(one, columns, np.array(lowest, one)[:, None], np.array(highest, one)[:, None], expected)


LEAST, MOST = -(2**31), 2**31 - 1
SEAT: Final = "a player +1 or -1 on roll"
SCORES: Final = "scores from 0 to below the match length"
EQUITY: Final = f"equities of at most {LARGEST_EQUITY:.0f}"
STEPS: Final = f"steps from and to places up to {BAR}"
BOUNDED: Final = f"an error of at most {LARGEST_ERROR:.0f} for every decision"

MATCH_HEADER_NAMES: Final = (
    "player1", "player2", "length", "variation", "crawford", "jacoby", "beaver", "date", "event", "version", "magic", "event_utf16",
    "player1_utf16", "player2_utf16",
)  # fmt: skip
MATCH_HEADER_FIELDS: Final = struct_of(MATCH_HEADER_LAYOUT, *MATCH_HEADER_NAMES)
GAME_HEADER_FIELDS: Final = struct_of(GAME_HEADER_LAYOUT, "score", "crawford", "number", "automatic_doubles")
GAME_FOOTER_FIELDS: Final = struct_of(GAME_FOOTER_LAYOUT, "winner", "points", "termination", "resign_error", "accept_error")

_DECISIONS: Final = (MOVE_LAYOUT, CUBE_LAYOUT, CUBE_LAYOUT)
"""Plays, cube actions and responses."""
DECISION_NUMBERS: Final = _numbers(
    _DECISIONS,
    ("on_roll", -1, 1, SEAT),
    ("cube", -HIGHEST_CUBE, HIGHEST_CUBE, f"a cube up to {2**HIGHEST_CUBE}"),
)
DECISION_ERRORS: Final = _numbers(_DECISIONS, (("error", "error", "take_error"), -LARGEST_ERROR, LARGEST_ERROR, BOUNDED))
CUBE_FIELDS: Final = _columns(CUBE_LAYOUT, "double", "take", "position", "level")
CUBE_EQUITIES: Final = _numbers(
    (CUBE_LAYOUT,), *((name, -LARGEST_EQUITY, LARGEST_EQUITY, EQUITY) for name in ("no_double", "double_take", "double_pass"))
)
MOVE_FIELDS: Final = _columns(
    MOVE_LAYOUT, "position", "level", "moves", "levels", "evaluations", "irrelevant", "played", "luck", "luck_level"
)
_AS_TEXTS: Final[Layout] = {"after": ("26s", MOVE_LAYOUT["after"][1]), "results": ("32*26s", MOVE_LAYOUT["results"][1])}
MOVE_RESULTS: Final = _columns(_AS_TEXTS, *_AS_TEXTS)
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
"""XG's level codes: its own names, and plies looked ahead (its 1-ply looks at no reply, like gnuBG's 0-ply)."""
