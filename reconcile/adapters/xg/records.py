"""The records of `temp.xg`: 2560 bytes each, one type byte at 8, fields at fixed offsets for every file version.

Each table lists `(field, type, offset)` with the meaning behind it. Records are used where they lie: a field of
all records is one strided NumPy view.
"""

from __future__ import annotations

from typing import Final

import numpy as np

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
MOST_CANDIDATES: Final = 32
UNICODE_VERSION: Final = 24
"""From this file version on names stand in UTF-16 as well."""
KNOWN_VERSIONS: Final = (30, 32)
"""Versions whose layout was verified on real files."""


def _table(*fields: tuple[str, object, int]) -> np.dtype[np.void]:
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": RECORD_SIZE})


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
    ("score", ("<i4", 2), 12),  # points won, players 1 and 2
    ("crawford", "u1", 20),  # this game is the Crawford game
    ("number", "<i4", 48),
    ("in_progress", "u1", 52),
    ("automatic_doubles", "<i4", 64),  # from version 26 on
)

CUBE_FIELDS: Final = _table(
    ("on_roll", "<i4", 12),  # +1 player 1, -1 player 2
    ("double", "<i4", 16),  # 1 doubled; 0 did not; -1 game over before; -2 no access
    ("take", "<i4", 20),  # 1 take, 0 pass, 2 beaver, -1 none
    ("beaver", "<i4", 24),  # answer to a beaver: 1 accepted, 0 passed, -1 none
    ("cube", "<i4", 32),  # 0 centred; +n 2^n owned by player 1; -n by player 2
    ("position", ("i1", 26), 36),  # player 1's view
    ("level", "<i4", 92),  # of the analysis kept
    ("flag_double", "<i2", 120),  # -100 not analysed
    ("no_double", "<f4", 152),
    ("double_take", "<f4", 156),
    ("double_pass", "<f4", 160),
    ("error", "<f8", 200),  # >= 0, the doubler's
    ("error_response", "<f8", 216),  # <= 0, the responder's
    ("error_beaver", "<f8", 240),
    ("invalid", "<i4", 260),  # 0 ok, 1 error, 2 invalid
)

MOVE_FIELDS: Final = _table(
    ("position", ("i1", 26), 9),  # before the play, player 1's view
    ("after", ("i1", 26), 35),  # after the play, mover's view
    ("on_roll", "<i4", 64),
    ("play", ("<i4", 8), 68),  # (from, to) pairs from 0, bar 24, off negative; -1 ends
    ("dice", ("<i4", 2), 100),
    ("cube", "<i4", 108),
    ("level", "<i4", 160),
    ("candidates", "<i4", 188),
    ("results", ("i1", (MOST_CANDIDATES, 26)), 192),  # mover's view
    ("moves", ("i1", (MOST_CANDIDATES, 8)), 1024),
    ("levels", ("<i2", (MOST_CANDIDATES, 2)), 1280),  # level, then two bytes without use here
    ("evaluations", ("<f4", (MOST_CANDIDATES, 7)), 1408),  # lose bg, lose gammon, lose, win, win gammon, win bg, equity
    ("irrelevant", "i1", 2304),  # 1 = does not count as a decision
    ("played", "u1", 2308),  # 0 = rolled, not played
    ("error", "<f8", 2312),  # <= 0
    ("luck", "<f8", 2320),
    ("luck_level", "<i4", 2476),
    ("invalid", "<i4", 2480),  # 2 = not a legal play
)

GAME_FOOTER_FIELDS: Final = _table(
    ("score", ("<i4", 2), 12),
    ("winner", "<i4", 24),  # +1 player 1, -1 player 2
    ("points", "<i4", 28),
    ("termination", "<i4", 32),  # 0 pass, 1 single, 2 gammon, 3 backgammon; +100 resigned; +1000 settled
    ("error_resign", "<f8", 40),
    ("error_accept", "<f8", 48),
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
