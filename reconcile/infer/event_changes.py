"""What a program may do to the raw events of a match: a game, a turn, a decision, a score or a cube
is absent, doubled, exchanged or another's.

The ordinary code scores what is left, so that every figure follows: moves and luck too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from reconcile.infer.conditions import Condition, RowValues, cubes_where, games_where, plays_where
from reconcile.match.columns import Columns, Kind
from reconcile.match.match import Match

MatchChange: TypeAlias = Callable[[Match], Match]
Table = TypeVar("Table", bound=Columns)
TABLES: Final = ("plays", "cubes", "resignations")
"""Of decisions; each row of them belongs to a game."""
LARGEST_CUBE: Final = 64
BACKGAMMON: Final = 3
"""Points of a game at most, times the cube."""


def picked(table: Table, rows: RowValues, **columns: RowValues) -> Table:
    """These rows of a table, in this order, with some other columns; each is made when first
    used."""

    def of_rows(name: str) -> Callable[[], Any]:
        def column() -> Any:
            values = getattr(table, name)
            if isinstance(values, np.ndarray):
                return values[rows]
            return [values[row] for row in rows.tolist()]

        return column

    return type(table)(len(rows), {name: of_rows(name) for name in table.names()} | columns)


def with_games(match: Match, games: Sequence[int]) -> Match:
    """Only these games, by index, each as often as it is named; all where none is."""
    if not games or list(games) == list(range(len(match.games))):
        return match
    tables = {}
    for name in TABLES:
        table = getattr(match, name)
        rows = [np.flatnonzero(table.game == game) for game in games]
        places = [np.full(len(mine), place) for place, mine in enumerate(rows)]
        chosen = np.concatenate(rows).astype(int)
        tables[name] = picked(table, chosen, game=np.concatenate(places).astype(int))
    return replace(match, games=picked(match.games, np.array(games)), **tables)


def games_alone(condition: Condition) -> MatchChange:
    """Only the games that meet a condition."""
    return lambda match: with_games(match, np.flatnonzero(games_where(match, condition)).tolist())


def without_turns(condition: Condition) -> MatchChange:
    """Without some rolls, and what was done with the cube before them."""

    def change(match: Match) -> Match:
        plays, cubes, lost = match.plays, match.cubes, plays_where(match, condition)
        if not lost.any():
            return match
        turns = set(zip(plays.game[lost].tolist(), plays.turn[lost].tolist(), strict=True))
        rows = zip(cubes.game.tolist(), cubes.turn.tolist(), strict=True)
        left = np.array([turn not in turns for turn in rows], bool)
        plays, cubes = picked(plays, np.flatnonzero(~lost)), picked(cubes, np.flatnonzero(left))
        return replace(match, plays=plays, cubes=cubes)

    return change


def without_rolls(condition: Condition) -> MatchChange:
    """Without some rolls; what was done with the cube stays."""
    return lambda match: replace(
        match, plays=picked(match.plays, np.flatnonzero(~plays_where(match, condition)))
    )


def without_cubes(condition: Condition) -> MatchChange:
    """Without some decisions of the cube."""
    return lambda match: replace(
        match, cubes=picked(match.cubes, np.flatnonzero(~cubes_where(match, condition)))
    )


def luck_alone(condition: Condition) -> MatchChange:
    """Only the luck of rolls that meet a condition."""
    return lambda match: with_luck(
        match, np.where(plays_where(match, condition), match.plays.luck, 0)
    )


def with_luck(match: Match, luck: RowValues) -> Match:
    """A match with other luck (EMG) of its rolls."""
    return replace(match, plays=match.plays.replaced(luck=luck))


def with_scores(match: Match, score: RowValues) -> Match:
    """A match with other scores at the start of its games."""
    return replace(match, games=match.games.replaced(score=score))


def _cube_goes_on(match: Match) -> Match:
    """Every game begins with the cube with which the one before it ended."""
    plays, cubes = match.plays.cube.astype(int).copy(), match.cubes.cube.astype(int).copy()
    factor = 1
    for game in range(len(match.games)):
        rolls, actions = match.plays.game == game, match.cubes.game == game
        values = 1, *match.plays.cube[rolls].tolist(), *match.cubes.cube[actions].tolist()
        plays[rolls] *= factor
        cubes[actions] *= factor
        factor = min(factor * int(max(values)), LARGEST_CUBE)
    return replace(
        match, plays=match.plays.replaced(cube=plays), cubes=match.cubes.replaced(cube=cubes)
    )


def _gammons(times: int, most: int) -> MatchChange:
    """Scores as if a gammon had been worth other points; nobody has all points that are needed."""

    def points(match: Match, game: int) -> int:
        takes = (match.cubes.game == game) & (match.cubes.kind == Kind.TAKE.value)
        worth, cube = int(match.games.points[game]), 2 ** int(takes.sum())
        return int(min(worth * times, most * cube)) if worth > cube else worth

    def change(match: Match) -> Match:
        games = match.games
        score = games.score.astype(int).copy()
        for game in range(1, len(games)):
            score[game] = score[game - 1]
            if games.winner[game - 1] >= 0:
                score[game, games.winner[game - 1]] += points(match, game - 1)
        if match.length is not None:
            score = np.minimum(score, match.length - 1)
        return with_scores(match, score.astype(games.score.dtype))

    return change


def _by_opener(match: Match) -> Match:
    """In every game whoever moves first is taken for the first player."""
    openers = [match.plays.player[match.plays.game == game][:1] for game in range(len(match.games))]
    turned = np.array([opener.tolist() == [1] for opener in openers], bool)
    tables = {}
    for name in TABLES:
        table = getattr(match, name)
        players = np.where(turned[table.game], 1 - table.player, table.player)
        tables[name] = table.replaced(player=players)
    return replace(match, **tables)


def _resignations_of_other(match: Match) -> Match:
    resignations = match.resignations.replaced(player=1 - match.resignations.player)
    return replace(match, resignations=resignations)


def _without_crawford(match: Match) -> Match:
    none = np.zeros(len(match.games), bool)
    return replace(match, games=match.games.replaced(crawford=none))


EVENT_OPERATIONS: Final[Mapping[str, Callable[[Condition], MatchChange]]] = {
    "games": games_alone,
    "turns_not_read": without_turns,
    "rolls_not_read": without_rolls,
    "cubes_not_read": without_cubes,
    "luck": luck_alone,
}
"""By the key of an entry of the catalogue, what makes a change of its condition."""
EVENT_CHANGES: Final[Mapping[str, MatchChange]] = {
    "first-game-twice": lambda match: with_games(match, [0, *range(len(match.games))]),
    "last-game-twice": lambda match: with_games(
        match, [*range(len(match.games)), len(match.games) - 1]
    ),
    "games-twice": lambda match: with_games(match, [*range(len(match.games))] * 2),
    "cube-not-reset": _cube_goes_on,
    "gammons-doubled": _gammons(2, 2 * BACKGAMMON),
    "gammons-single": _gammons(1, 1),
    "score-swapped": lambda match: with_scores(match, match.games.score[:, ::-1].copy()),
    "score-ignored": lambda match: with_scores(match, np.zeros_like(match.games.score)),
    "players-by-opening": _by_opener,
    "crawford-not-known": _without_crawford,
    "resignations-swapped": _resignations_of_other,
    "luck-without-sign": lambda match: with_luck(match, np.abs(match.plays.luck)),
    "luck-times-cube": lambda match: with_luck(match, match.plays.luck * match.plays.cube),
    "luck-rounded": lambda match: with_luck(match, np.round(match.plays.luck.astype(float), 2)),
}
"""By the name of an entry of the catalogue, what is done to the match before it is scored."""
