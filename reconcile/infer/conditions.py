"""Rows of a match's tables that meet conditions, which are data: `{kind: [take, pass], error: ">
0"}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.scoring.score import Scored

Condition: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""By column a value, several of which one is met, or borders as text; of a list any one is met."""
RowValues: TypeAlias = Any
"""An array with a value for every row of a table."""
Column: TypeAlias = Callable[[Any], RowValues]
"""Makes them of a match, or of its scored decisions."""
BORDERS: Final = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
EVERY: Final[Mapping[str, Any]] = MappingProxyType({})
"""The condition that every row meets."""
LABELS: Final = np.array([kind.label for kind in Kind])
BAR: Final = 25
"""Of a position, the checkers on the bar."""


def rows_where(
    columns: Mapping[str, Column], table: Any, size: int, condition: Condition
) -> RowValues:
    """Whether each of the `size` rows of a table meets a condition."""
    if not isinstance(condition, Mapping):
        choices = [rows_where(columns, table, size, choice) for choice in condition]
        return np.logical_or.reduce(choices)
    rows = np.ones(size, bool)
    for name, wanted in condition.items():
        rows &= _meets(columns[name](table), wanted)
    return rows


def _meets(column: RowValues, wanted: Any) -> RowValues:
    words = wanted.split() if isinstance(wanted, str) else [""]
    if words[0] not in BORDERS:
        return np.isin(column, wanted)
    signs, numbers = words[::2], words[1::2]
    borders = zip(signs, map(float, numbers), strict=True)
    return np.logical_and.reduce([BORDERS[sign](column, number) for sign, number in borders])


def of_plays(name: str) -> Column:
    """A column of the plays; 0 in the rows of other decisions."""

    def column(scored: Scored) -> RowValues:
        values = getattr(scored.match.plays, name)
        rows = np.zeros((len(scored.error), *values.shape[1:]), values.dtype)
        rows[: len(values)] = values
        return rows

    return column


def of_cubes(name: str) -> Column:
    """An equity of the cube decisions; NaN in other rows."""

    def column(scored: Scored) -> RowValues:
        equities, start = np.full(len(scored.error), np.nan), len(scored.match.plays)
        values = getattr(scored.view, name)
        equities[start : start + len(values)] = values
        return equities

    return column


def cost_of_doubling(scored: Scored) -> RowValues:
    """What doubling would have cost (EMG); negative where it was right."""
    return of_cubes("no_double")(scored) - of_cubes("least")(scored)


def cube_values(scored: Scored) -> RowValues:
    """The cube of every row before a double."""
    tables = scored.match.plays, scored.match.cubes, scored.match.resignations
    return np.concatenate([table.cube for table in tables])[: len(scored.error)]


def turns(scored: Scored) -> RowValues:
    """The turn of every row; 0 for resignations."""
    numbers = np.concatenate([scored.match.plays.turn, scored.match.cubes.turn])
    return np.concatenate([numbers, np.zeros(len(scored.error) - len(numbers), int)])


def _same_turn(scored: Scored, turns_of_plays: RowValues, later: int = 0) -> RowValues:
    """Whether a row belongs to one of these plays' turns, or to a turn so much later."""
    plays = scored.match.plays
    games, numbers = plays.game[turns_of_plays], plays.turn[turns_of_plays] + later
    chosen = set(zip(games.tolist(), numbers.tolist(), strict=True))
    rows = zip(scored.game.tolist(), turns(scored).tolist(), strict=True)
    return np.array([row in chosen for row in rows], bool)


def of_validity(validity: Validity) -> Column:
    """Whether a row is a play of this kind."""
    return lambda scored: (of_plays("validity")(scored) == validity.value) & _is_play(scored)


def _is_play(scored: Scored) -> RowValues:
    return scored.kind == Kind.PLAY.value


def _last_of_games(games: RowValues, rows: RowValues) -> RowValues:
    """Whether each row is the last of its game among some rows."""
    last = np.zeros(len(games), bool)
    chosen = np.flatnonzero(rows)
    last[chosen[np.flatnonzero(np.append(np.diff(games[chosen]), 1))]] = True
    return last


def _is_last_play(scored: Scored) -> RowValues:
    return _last_of_games(scored.game, of_validity(Validity.VALID)(scored))


def _is_later_no_double(scored: Scored) -> RowValues:
    """Whether the player had another close no-double in the game before."""
    later = np.zeros(len(scored.error), bool)
    before = set()
    for row in np.flatnonzero((scored.kind == Kind.NO_DOUBLE.value) & scored.counted).tolist():
        place = int(scored.game[row]), int(scored.player[row])
        later[row] = place in before
        before.add(place)
    return later


def of_games(column: Callable[[Match], RowValues]) -> Column:
    """A column of the games, for every decision."""
    return lambda scored: column(scored.match)[scored.game]


def is_post_crawford(match: Match) -> RowValues:
    """Whether a game comes after the Crawford game."""
    return (match.away == 1).any(axis=1) & ~match.games.crawford & (not match.is_money)


def is_last_game(match: Match) -> RowValues:
    """Whether a game is the last of several."""
    return (np.arange(len(match.games)) == len(match.games) - 1) & (len(match.games) > 1)


def is_first_game(match: Match) -> RowValues:
    """Whether a game is the first of several."""
    return (np.arange(len(match.games)) == 0) & (len(match.games) > 1)


DECISIONS: Final[Mapping[str, Column]] = {
    **{name: attrgetter(name) for name in ("game", "player", "error", "counted")},
    **{name: of_plays(name) for name in ("legal", "moved", "spread", "analysed")},
    **{validity.name.lower(): of_validity(validity) for validity in Validity},
    "kind": lambda scored: LABELS[scored.kind],
    "is_play": _is_play,
    "turn": turns,
    "cube": cube_values,
    "on_bar": lambda scored: of_plays("position")(scored)[:, BAR],
    "doublet": lambda scored: np.ptp(of_plays("dice")(scored), axis=1) == 0,
    "last_play": _is_last_play,
    "gap": cost_of_doubling,
    "gap_size": lambda scored: np.abs(cost_of_doubling(scored)),
    "no_double": of_cubes("no_double"),
    "double_take": of_cubes("double_take"),
    "answer_gap": lambda scored: np.abs(
        of_cubes("double_take")(scored) - of_cubes("double_pass")(scored)
    ),
    "later_no_double": _is_later_no_double,
    "play_counts": lambda scored: _same_turn(scored, scored.counted[: len(scored.match.plays)] > 0),
    "danced": lambda scored: _same_turn(scored, ~scored.match.plays.moved),
    "danced_before": lambda scored: _same_turn(scored, ~scored.match.plays.moved, 2),
    "post_crawford": of_games(is_post_crawford),
    "last_game": of_games(is_last_game),
    "first_game": of_games(is_first_game),
    "crawford_game": of_games(lambda match: match.games.crawford),
    "unfinished": of_games(lambda match: match.games.winner < 0),
    "odd_game": lambda scored: scored.game % 2 == 1,
}
"""By name, what can be asked of a scored decision."""


def decisions_where(scored: Scored, condition: Condition) -> RowValues:
    """Whether each decision meets a condition."""
    return rows_where(DECISIONS, scored, len(scored.error), condition)


def _passed(match: Match) -> RowValues:
    passes = match.cubes.kind == Kind.PASS.value
    return np.isin(np.arange(len(match.games)), match.cubes.game[passes])


def _owner_after_beaver(match: Match) -> RowValues:
    """Whether a cube row is an action, after a beaver, of the player who made it."""
    cubes = match.cubes
    rows = np.zeros(len(cubes), bool)
    for beaver in np.flatnonzero(cubes.kind == Kind.BEAVER.value).tolist():
        later = (cubes.game == cubes.game[beaver]) & (cubes.turn > cubes.turn[beaver])
        rows |= later & (cubes.player == cubes.player[beaver]) & (cubes.kind < Kind.TAKE.value)
    return rows


GAMES: Final[Mapping[str, Column]] = {
    "crawford": lambda match: match.games.crawford,
    "winner": lambda match: match.games.winner,
    "resigned": lambda match: match.games.resigned,
    "passed": _passed,
    "index": lambda match: np.arange(len(match.games)),
    "from_end": lambda match: len(match.games) - np.arange(len(match.games)),
    "odd": lambda match: np.arange(len(match.games)) % 2 == 1,
    "first": is_first_game,
    "last": is_last_game,
}
"""By name, what can be asked of a game."""
PLAYS: Final[Mapping[str, Column]] = {
    **{name: attrgetter(f"plays.{name}") for name in ("game", "turn", "moved", "legal", "luck")},
    "last": lambda match: _last_of_games(match.plays.game, match.plays.turn > 0),
    "doublet": lambda match: np.ptp(match.plays.dice, axis=1) == 0,
    "unplayed": lambda match: match.plays.validity == Validity.UNPLAYED.value,
    "luck_size": lambda match: np.abs(match.plays.luck),
}
"""By name, what can be asked of a roll."""
CUBES: Final[Mapping[str, Column]] = {
    "kind": lambda match: LABELS[match.cubes.kind],
    "cube": lambda match: match.cubes.cube,
    "of_beaver": _owner_after_beaver,
}
"""By name, what can be asked of a decision of the cube."""


def games_where(match: Match, condition: Condition) -> RowValues:
    """Whether each game meets a condition."""
    return rows_where(GAMES, match, len(match.games), condition)


def plays_where(match: Match, condition: Condition) -> RowValues:
    """Whether each roll meets a condition."""
    return rows_where(PLAYS, match, len(match.plays), condition)


def cubes_where(match: Match, condition: Condition) -> RowValues:
    """Whether each decision of the cube meets a condition."""
    return rows_where(CUBES, match, len(match.cubes), condition)
