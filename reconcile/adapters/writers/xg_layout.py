"""Where each field of an `.xg` file is: tables of name, `struct` format, offset, to be read as the format's description.

A record of `temp.xg` is 2560 bytes; the tables name the fields that are written, everything else stays zero.
Offsets count from the start of the record, or of the nested block for `DOUBLE_ACTION` and `BEST_MOVE`.
All numbers are little-endian.
"""

from __future__ import annotations

import struct

Layout = dict[str, tuple[str, int]]
Value = int | float | bytes | tuple[int, ...] | tuple[float, ...]

RECORD_SIZE = 2560
MOST_CANDIDATES = 32

FILE_HEADER_SIZE = 8232
FILE_HEADER: Layout = {
    "magic": ("4s", 0),  # RGMH
    "header_version": ("I", 4),  # 1
    "header_size": ("I", 8),  # 8232
    "thumbnail_offset": ("q", 12),  # from the end of this header
    "thumbnail_size": ("I", 20),  # a JPEG of a board, may be 0
    "guid": ("16s", 24),  # the same in every file of XG's
    "played_on": ("2048s", 40),  # UTF-16, as are the next three; in XG's language
    "title": ("2048s", 2088),
    "event": ("2048s", 4136),
    "comments": ("2048s", 6184),
}

REGISTRY_ENTRY_SIZE = 532
REGISTRY_ENTRY: Layout = {
    "name": ("256s", 0),  # Delphi string: a length byte, then the text
    "path": ("256s", 256),  # empty
    "original_size": ("i", 512),
    "compressed_size": ("i", 516),
    "start": ("i", 520),  # from the start of the members
    "crc": ("I", 524),  # of the uncompressed content
    "status": ("B", 528),  # 0 compressed, 1 stored
    "level": ("B", 529),
}

TRAILER_SIZE = 36
TRAILER: Layout = {
    "crc": ("I", 0),  # of the members and the registry, as they stand in the file
    "file_count": ("i", 4),
    "version": ("i", 8),  # 1
    "registry_size": ("i", 12),
    "members_size": ("i", 16),
    "registry_compressed": ("I", 20),  # not 0: zlib
}

MATCH_HEADER: Layout = {
    "type": ("B", 8),  # 0
    "player1_ansi": ("41s", 9),
    "player2_ansi": ("41s", 50),
    "length": ("i", 92),  # 99999 = money
    "variation": ("i", 96),  # 0 backgammon, 1 nackgammon, 2 hypergammon, 3 longgammon
    "crawford": ("B", 100),
    "jacoby": ("B", 101),
    "beaver": ("B", 102),
    "auto_double": ("B", 103),
    "elo": ("2d", 104),
    "experience": ("2i", 120),
    "date": ("d", 128),  # days since 1899-12-30
    "event_ansi": ("129s", 136),
    "game_id": ("i", 268),  # negated when the players were swapped
    "player_levels": ("2i", 272),  # -1 a human
    "location_ansi": ("129s", 283),
    "round_ansi": ("129s", 417),
    "version": ("i", 552),
    "magic": ("4s", 556),  # DMLI
    "header_comment": ("i", 576),  # -1 none
    "footer_comment": ("i", 580),
    "site_id": ("i", 608),  # -1 none
    "cube_limit": ("i", 612),  # log2
    "transcribed": ("B", 620),
    "event": ("258s", 622),  # UTF-16, 129 units, from version 24 on
    "player1": ("258s", 880),
    "player2": ("258s", 1138),
    "location": ("258s", 1396),
    "round": ("258s", 1654),
    "transcriber": ("258s", 1960),  # from version 30 on
}

GAME_HEADER: Layout = {
    "type": ("B", 8),  # 1
    "score": ("2i", 12),  # points won, not away
    "crawford": ("B", 20),  # this game is the Crawford game
    "initial_position": ("26b", 21),
    "number": ("i", 48),  # from 1
    "in_progress": ("B", 52),
    "header_comment": ("i", 56),
    "footer_comment": ("i", 60),
    "automatic_doubles": ("i", 64),
}

CUBE: Layout = {
    "type": ("B", 8),  # 2
    "roller": ("i", 12),  # Actif: +1 player 1, -1 player 2
    "double": ("i", 16),  # -2 no access, -1 the game ended here, 0 no, 1 yes
    "take": ("i", 20),  # -1 not asked, 0 pass, 1 take, 2 beaver
    "beaver": ("i", 24),
    "raccoon": ("i", 28),
    "cube": ("i", 32),  # CubeB: 0 centred, +n player 1 owns 2^n, -n player 2
    "position": ("26b", 36),  # player 1's side
    "error": ("d", 200),  # ErrCube >= 0
    "dice": ("3s", 208),  # Delphi string; 77 without a roll
    "take_error": ("d", 216),  # ErrTake <= 0
    "rollout": ("i", 224),  # -1 none
    "choice": ("i", 228),  # XG's own: double + 2 * take
    "level": ("i", 232),
    "beaver_error": ("d", 240),
    "raccoon_error": ("d", 248),
    "level_requested": ("i", 256),
    "invalid": ("i", 260),
    "tutor": ("2b", 264),
    "tutor_errors": ("2d", 272),
    "bookmarked": ("B", 288),
    "comment": ("i", 292),
}

DOUBLE_ACTION_OFFSET = 64
DOUBLE_ACTION: Layout = {
    "position": ("26b", 0),  # the roller's side
    "level": ("i", 28),
    "away": ("2i", 32),  # the roller's first
    "cube_value": ("i", 40),  # 1, 2, 4...
    "cube_owner": ("i", 44),  # +1 the roller, 0 nobody, -1 the opponent
    "jacoby": ("i", 48),  # money: 1 Jacoby, 2 beavers
    "crawford": ("h", 52),
    "verdict": ("h", 56),  # FlagDouble
    "no_double_evaluation": ("7f", 60),  # the seventh is the CUBELESS equity
    "no_double": ("f", 88),
    "double_take": ("f", 92),
    "double_pass": ("f", 96),  # always 1
    "level_requested": ("h", 100),
    "choice_if_doubled": ("h", 102),  # -1 when there was no double
    "double_take_evaluation": ("7f", 104),
}

MOVE: Layout = {
    "type": ("B", 8),  # 3
    "position_before": ("26b", 9),  # player 1's side
    "position_after": ("26b", 35),  # the ROLLER's side
    "roller": ("i", 64),
    "play": ("8i", 68),  # (from, to) pairs counted from 0; 24 the bar, below 0 off; -1 ends
    "dice": ("2i", 100),
    "cube": ("i", 108),  # CubeA, as CubeB
    "candidate_count": ("i", 120),
    "was_played": ("B", 2308),
    "error": ("d", 2312),  # ErrMove <= 0
    "luck": ("d", 2320),
    "choice": ("i", 2328),
    "equity_before_roll": ("d", 2336),
    "rollouts": ("32i", 2344),  # -1 none
    "level": ("i", 2472),
    "luck_level": ("i", 2476),
    "invalid": ("i", 2480),  # 2 an illegal play
    "tutor_choice": ("b", 2510),
    "bookmarked": ("B", 2520),
    "comment": ("i", 2524),
}

BEST_MOVE_OFFSET = 124
BEST_MOVE: Layout = {
    "position": ("26b", 0),  # the roller's side, before the play
    "dice": ("2i", 28),
    "level": ("i", 36),
    "away": ("2i", 40),  # the roller's first
    "cube_value": ("i", 48),
    "cube_owner": ("i", 52),  # +1 the roller, 0 nobody, -1 the opponent
    "crawford": ("i", 56),
    "jacoby": ("i", 60),
    "count": ("i", 64),
    "positions": ("832b", 68),  # 32 x 26, the roller's side, after each play
    "plays": ("256b", 900),  # 32 x 8, as MOVE's play
    "levels": ("64h", 1156),  # 32 x (level, is a double)
    "evaluations": ("224f", 1284),  # 32 x 7
    "irrelevant": ("b", 2180),  # 1: not a decision
    "choices": ("2b", 2182),
}

GAME_FOOTER: Layout = {
    "type": ("B", 8),  # 4
    "score": ("2i", 12),  # after the game
    "crawford_next": ("B", 20),
    "winner": ("i", 24),  # +1 player 1, -1 player 2
    "points": ("i", 28),
    "termination": ("i", 32),
    "resign_error": ("d", 40),
    "take_resign_error": ("d", 48),
    "evaluation": ("7d", 56),
    "level": ("i", 112),
}

MATCH_FOOTER: Layout = {
    "type": ("B", 8),  # 5
    "score": ("2i", 12),
    "winner": ("i", 20),
}


def put(record: bytearray, fields: Layout, base: int = 0, **values: Value) -> None:
    """Write the named fields of a table into a record, or into the block of it that starts at `base`."""
    for name, value in values.items():
        form, offset = fields[name]
        several = value if isinstance(value, tuple) else (value,)
        struct.pack_into("<" + form, record, base + offset, *several)
