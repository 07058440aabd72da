"""Faults about the raw events of a match: a game, a turn, a decision, a score or a cube is absent, doubled, exchanged or another's.

The ordinary code scores what is left, so that every figure follows: moves and luck too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np

from reconcile.match.columns import Columns, Kind
from reconcile.match.match import Match

OfMatch = Callable[[Match], Match]
Table = TypeVar("Table", bound=Columns)
TABLES: Final = ("plays", "cubes", "resignations")
"""Of decisions; each row of them belongs to a game."""
LARGEST_CUBE: Final = 64


def picked(table: Table, rows: Any, **columns: Any) -> Table:
    """These rows of a table, in this order, with some other columns; a column is made when it is first used."""

    def make(name: str) -> Callable[[], Any]:
        def column() -> Any:
            whole = getattr(table, name)
            return (
                whole[rows]
                if isinstance(whole, np.ndarray)
                else [whole[row] for row in rows.tolist()]
            )

        return column

    given = {name: make(name) for name in table.names()} | columns
    return type(table)(len(rows), given)


def of_games(chosen: Callable[[Match], Any]) -> OfMatch:
    """Only some games, by their indices, each as often as it is named; all where that would be none."""

    def change(match: Match) -> Match:
        games: list[int] = np.asarray(chosen(match), int).tolist()
        if not games or games == list(range(len(match.games))):
            return match
        tables = {}
        for name in TABLES:
            table = getattr(match, name)
            rows = [np.flatnonzero(table.game == game) for game in games]
            places = [np.full(len(mine), place) for place, mine in enumerate(rows)]
            tables[name] = picked(
                table, np.concatenate(rows).astype(int), game=np.concatenate(places).astype(int)
            )
        return replace(match, games=picked(match.games, np.array(games)), **tables)

    return change


def where(games: Callable[[Match], Any]) -> OfMatch:
    """Only the games of which this is true."""
    return of_games(lambda match: np.flatnonzero(games(match)))


def without_turns(gone: Callable[[Match], Any]) -> OfMatch:
    """Without some rolls, and what was done with the cube before them."""

    def change(match: Match) -> Match:
        plays, cubes, lost = match.plays, match.cubes, gone(match)
        if not lost.any():
            return match
        turns = set(zip(plays.game[lost].tolist(), plays.turn[lost].tolist(), strict=True))
        mine = zip(cubes.game.tolist(), cubes.turn.tolist(), strict=True)
        stays = np.array([turn not in turns for turn in mine], bool)
        return replace(
            match,
            plays=picked(plays, np.flatnonzero(~lost)),
            cubes=picked(cubes, np.flatnonzero(stays)),
        )

    return change


def without_rolls(gone: Callable[[Match], Any]) -> OfMatch:
    """Without some rolls; what was done with the cube stays."""
    return lambda match: replace(match, plays=picked(match.plays, np.flatnonzero(~gone(match))))


def without_cubes(gone: Callable[[Match], Any]) -> OfMatch:
    """Without some decisions of the cube."""
    return lambda match: replace(match, cubes=picked(match.cubes, np.flatnonzero(~gone(match))))


def _are(match: Match, *kinds: Kind) -> Any:
    return np.isin(match.cubes.kind, [kind.value for kind in kinds])


def at_end(match: Match, last: int = 1) -> Any:
    """The last rolls of every game."""
    found = np.zeros(len(match.plays), bool)
    for game in range(len(match.games)):
        found[np.flatnonzero(match.plays.game == game)[-last:]] = True
    return found


def cube_goes_on(match: Match) -> Match:
    """Every game begins with the cube with which the one before it ended."""
    plays, cubes = match.plays.cube.astype(int).copy(), match.cubes.cube.astype(int).copy()
    factor = 1
    for game in range(len(match.games)):
        mine, theirs = match.plays.game == game, match.cubes.game == game
        last = int(max([1, *match.plays.cube[mine].tolist(), *match.cubes.cube[theirs].tolist()]))
        plays[mine] *= factor
        cubes[theirs] *= factor
        factor = min(factor * last, LARGEST_CUBE)
    return replace(
        match,
        plays=match.plays.replaced(cube=plays),
        cubes=match.cubes.replaced(cube=cubes),
    )


def scores(points: Callable[[Match, int], int]) -> OfMatch:
    """Scores as if each game had been worth these points; nobody has all that are needed."""

    def change(match: Match) -> Match:
        games = match.games
        score = games.score.astype(int).copy()
        for game in range(1, len(games)):
            score[game] = score[game - 1]
            if games.winner[game - 1] >= 0:
                score[game, games.winner[game - 1]] += points(match, game - 1)
        if match.length is not None:
            score = np.minimum(score, match.length - 1)
        return replace(match, games=games.replaced(score=score.astype(games.score.dtype)))

    return change


def _with_gammons(times: int, most: int) -> Callable[[Match, int], int]:
    def points(match: Match, game: int) -> int:
        takes = (match.cubes.game == game) & (match.cubes.kind == Kind.TAKE.value)
        worth, cube = int(match.games.points[game]), 2 ** int(takes.sum())
        if worth > cube:
            return int(min(worth * times, most * cube))
        return worth

    return points


def other_seats(turned: Callable[[Match], Any]) -> OfMatch:
    """In some games each player is taken for the other."""

    def change(match: Match) -> Match:
        second = turned(match)
        tables = {name: getattr(match, name) for name in TABLES}
        return replace(
            match,
            **{
                name: table.replaced(
                    player=np.where(second[table.game], 1 - table.player, table.player)
                )
                for name, table in tables.items()
            },
        )

    return change


def _second_opens(match: Match) -> Any:
    first = [np.flatnonzero(match.plays.game == game)[:1] for game in range(len(match.games))]
    return np.array([len(row) > 0 and int(match.plays.player[row[0]]) == 1 for row in first])


def _won_by(seat: int) -> OfMatch:
    return where(lambda match: match.games.winner == seat)


def _count(match: Match) -> int:
    return len(match.games)


EVENTS: Final[Mapping[str, Any]] = {
    "crawford-game-left-out": where(lambda match: ~match.games.crawford),
    "last-game-left-out": of_games(lambda match: range(max(_count(match) - 1, 1))),
    "first-game-left-out": of_games(lambda match: range(min(1, _count(match) - 1), _count(match))),
    "first-game-only": of_games(lambda match: [0]),
    "later-games-left-out": lambda most: of_games(lambda match: range(min(most, _count(match)))),
    "last-games-only": lambda most: of_games(lambda match: range(_count(match))[-most:]),
    "second-games-left-out": of_games(lambda match: range(0, _count(match), 2)),
    "unfinished-left-out": where(lambda match: match.games.winner >= 0),
    "resigned-games-left-out": where(lambda match: ~match.games.resigned),
    "passed-games-left-out": where(
        lambda match: ~np.isin(np.arange(_count(match)), match.cubes.game[_are(match, Kind.PASS)])
    ),
    "games-of-first-only": _won_by(0),
    "games-of-second-only": _won_by(1),
    "first-game-twice": of_games(lambda match: [0, *range(_count(match))]),
    "last-game-twice": of_games(lambda match: [*range(_count(match)), _count(match) - 1]),
    "games-twice": of_games(lambda match: [*range(_count(match))] * 2),
    "last-turns-not-read": without_turns(at_end),
    "last-rolls-not-read": without_rolls(at_end),
    "first-turns-not-read": without_turns(lambda match: match.plays.turn == 1),
    "first-two-turns-not-read": without_turns(lambda match: match.plays.turn <= 2),
    "late-turns-not-read": lambda turns: without_turns(lambda match: match.plays.turn > turns),
    "dances-not-read": without_rolls(lambda match: ~match.plays.moved),
    "passes-not-read": without_cubes(lambda match: _are(match, Kind.PASS)),
    "takes-not-read": without_cubes(lambda match: _are(match, Kind.TAKE)),
    "answers-not-read": without_cubes(lambda match: _are(match, Kind.TAKE, Kind.PASS, Kind.BEAVER)),
    "doubles-not-read": without_cubes(lambda match: _are(match, Kind.DOUBLE)),
    "no-doubles-not-read": without_cubes(lambda match: _are(match, Kind.NO_DOUBLE)),
    "redoubles-not-read": (
        without_cubes(lambda match: (match.cubes.cube > 1) & ~_are(match, Kind.NO_DOUBLE)),
        without_cubes(lambda match: match.cubes.cube > 1),
    ),
    "cubes-not-read": without_cubes(lambda match: np.ones(len(match.cubes), bool)),
    "cube-not-reset": cube_goes_on,
    "gammons-doubled": scores(_with_gammons(2, 6)),
    "gammons-single": scores(_with_gammons(1, 1)),
    "score-swapped": lambda match: replace(
        match, games=match.games.replaced(score=match.games.score[:, ::-1].copy())
    ),
    "players-by-opening": other_seats(_second_opens),
    "crawford-not-known": lambda match: replace(
        match, games=match.games.replaced(crawford=np.zeros(_count(match), bool))
    ),
}
"""By name what is done to the match before it is scored, or what makes it of a number."""
