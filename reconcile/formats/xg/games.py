"""The few games of an `.xg` file, read one by one: their columns and resignation errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.formats.rows import NOBODY
from reconcile.formats.xg import records
from reconcile.match.columns import Kind, Resignations

MOST_POINTS: Final = 3 * 2**records.HIGHEST_CUBE
"""A backgammon at the highest cube."""
NO_FOOTER: Final = (0, 0, 0, 0.0, 0.0)
"""The footer values of an unfinished game."""
RESIGNATION_KINDS: Final = np.array([Kind.RESIGN, Kind.ACCEPT_RESIGN], np.int8)


class Game(NamedTuple):
    """One game from its header and its footer."""

    score: tuple[int, int]
    crawford: bool
    number: int
    automatic_doubles: int
    footer: int
    """Row of its footer; 0 if it has none."""
    winner: int
    points: int
    resigned: bool
    errors: tuple[float, float]
    """Errors of resigning and of accepting."""


def read_games(
    blob: bytes | bytearray,
    headers: list[int],
    footers: Mapping[int, int],
    length: int | None,
    version: int,
    bad: Callable[[str, str], UnreadableFile],
) -> list[Game]:
    """The games of the records in `blob`.

    `headers` are the rows of their headers, `footers` those of their footers by index of the game.
    Raises the error that `bad` makes from the expected and the found value.
    """
    games: list[Game] = []
    for index, row in enumerate(headers):
        *score, crawford, number, doubles = records.GAME_HEADER_FIELDS.unpack_from(
            blob, row * records.RECORD_SIZE
        )
        if min(score) < 0 or (length is not None and max(score) >= length):
            raise bad(records.SCORES, str(score))
        if games and number <= games[-1].number:
            raise bad("games in rising order, each once", f"{games[-1].number}, {number}")
        if version < records.AUTOMATIC_DOUBLES_VERSION:
            doubles = 0
        if not 0 <= doubles <= records.HIGHEST_CUBE:
            raise bad(f"0 to {records.HIGHEST_CUBE} automatic doubles", str(doubles))
        game = Game(
            score=(score[0], score[1]),
            crawford=crawford != 0,
            number=number,
            automatic_doubles=doubles,
            **_ending(blob, footers.get(index, 0), bad),
        )
        games.append(game)
    return games


def _ending(
    blob: bytes | bytearray, footer: int, bad: Callable[[str, str], UnreadableFile]
) -> dict[str, Any]:
    """How a game ended, by the record at the row of its footer; 0 where it has none."""
    after = NO_FOOTER
    if footer:
        after = records.GAME_FOOTER_FIELDS.unpack_from(blob, footer * records.RECORD_SIZE)
    sign, points, termination, *errors = after
    if sign and not 0 <= points <= MOST_POINTS:
        raise bad(f"0 to {MOST_POINTS} points won in a game", str(points))
    resigned = termination in records.RESIGNED
    if sign and resigned and not all(abs(error) <= records.LARGEST_ERROR for error in errors):
        raise bad(
            f"an error of at most {records.LARGEST_ERROR:.0f} for every resignation",
            "another or none",
        )
    return {
        "footer": footer,
        "winner": int(sign < 0) if sign else NOBODY,
        "points": points if sign else 0,
        "resigned": resigned,
        "errors": (errors[0], errors[1]),
    }


def resignation_columns(
    games: list[Game], last_cube: Callable[[list[int]], list[int]]
) -> Resignations:
    """The errors of resigning in every game that ended with a resignation, then those of accepting.

    `last_cube` gives the cube of the last play before each of some rows of footers.
    """
    resigned = [
        index for index, game in enumerate(games) if game.resigned and game.winner != NOBODY
    ]
    winner = [games[index].winner for index in resigned]
    error = np.array(
        [games[index].errors[accepting] for accepting in (False, True) for index in resigned]
    )
    return Resignations(
        2 * len(resigned),
        {
            "game": np.array(resigned * 2, np.int64),
            "player": np.array([1 - seat for seat in winner] + winner, np.int64),
            "kind": RESIGNATION_KINDS.repeat(len(resigned)),
            "cube": np.array(last_cube([games[index].footer for index in resigned]) * 2, np.int64),
            "stored_error": np.where(error > records.NOT_SCORED, np.abs(error), np.nan),
        },
    )
