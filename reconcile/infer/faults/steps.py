"""The pieces of which faults are made: what a row of the scored decisions is about, and changes to rows and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from reconcile.infer.scorer import Both, with_errors
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.rules.rulesets import Q02, Q03, Q04
from reconcile.rules.views import CubeView
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.figures import Figures
from reconcile.scoring.score import Scored
from reconcile.scoring.statistics import Statistics

Rows: TypeAlias = Any
"""An array with a value for every row of scored decisions."""
OfRows: TypeAlias = Callable[[Scored], Rows]
OfScored: TypeAlias = Callable[[Scored], Scored]
OfFigures: TypeAlias = Callable[[Both, Statistics], Both]


def kind(scored: Scored, *wanted: Kind) -> Rows:
    """Whether a row is of these kinds."""
    return np.isin(scored.kind, [one.value for one in wanted])


def play(scored: Scored, column: str, rest: Any = 0) -> Rows:
    """A column of the plays; `rest` in other rows."""
    found = getattr(scored.match.plays, column)
    others = np.full(
        (len(scored.error) - len(found), *found.shape[1:]),
        rest,
        np.result_type(found.dtype, np.asarray(rest)),
    )
    return np.concatenate([found, others])


def cube(scored: Scored, column: str) -> Rows:
    """A column of the cube decisions as equities; NaN in other rows."""
    found = np.full(len(scored.error), np.nan)
    start, values = len(scored.match.plays), getattr(scored.view, column)
    found[start : start + len(values)] = values
    return found


def gap(scored: Scored) -> Rows:
    """What doubling would have cost; negative where it was right."""
    return cube(scored, "no_double") - cube(scored, "least")


def at_cube(scored: Scored) -> Rows:
    """The cube of every row before a double."""
    match = scored.match
    return np.concatenate([table.cube for table in (match.plays, match.cubes, match.resignations)])[
        : len(scored.error)
    ]


def turn(scored: Scored) -> Rows:
    """The turn of every row; 0 for resignations."""
    match = scored.match
    turns = np.concatenate([match.plays.turn, match.cubes.turn])
    return np.concatenate([turns, np.zeros(len(scored.error) - len(turns), int)])


def is_valid_play(scored: Scored) -> Rows:
    """Whether a row is a roll with a legal play, or none that could be played."""
    return kind(scored, Kind.PLAY) & (
        play(scored, "validity", Validity.UNPLAYED.value) == Validity.VALID.value
    )


def post_crawford(scored: Scored) -> Rows:
    """Whether a row is of a game after the Crawford game."""
    match = scored.match
    if match.is_money:
        return np.zeros(len(scored.error), bool)
    return ((match.away == 1).any(axis=1) & ~match.games.crawford)[scored.game]


def without(rows: OfRows) -> OfScored:
    """These rows do not count."""
    return lambda scored: replace(scored, counted=scored.counted & ~rows(scored))


def also(rows: OfRows) -> OfScored:
    """These rows count, too."""
    return lambda scored: replace(scored, counted=scored.counted | rows(scored))


def exchanged(rows: OfRows) -> OfScored:
    """Of these rows those count that do not, and the other way round."""
    return lambda scored: replace(scored, counted=scored.counted ^ rows(scored))


def erring(error: OfRows) -> OfScored:
    """Other errors."""
    return lambda scored: with_errors(scored, error(scored))


def dropped(rows: OfRows) -> OfScored:
    """These rows neither count nor cost anything."""

    def change(scored: Scored) -> Scored:
        gone = rows(scored)
        return replace(
            with_errors(scored, np.where(gone, 0, scored.error)), counted=scored.counted & ~gone
        )

    return change


def forgiven(rows: OfRows) -> OfScored:
    """These rows cost nothing."""
    return erring(lambda scored: np.where(rows(scored), 0, scored.error))


def scaled(factor: float, rows: OfRows) -> OfScored:
    """The errors of these rows times a factor."""
    return erring(lambda scored: np.where(rows(scored), factor * scored.error, scored.error))


def charged_to_other(rows: OfRows) -> OfScored:
    """These rows are the other player's."""
    return lambda scored: replace(
        scored, player=np.where(rows(scored), 1 - scored.player, scored.player)
    )


def recounted(
    close: Callable[[CubeView], Rows] | None = None,
    losing: Callable[[CubeView], Rows] | None = None,
    optional: Callable[[CubeView], Rows] | None = None,
    where: OfRows = lambda scored: True,
) -> OfScored:
    """Turns without a double count by other rules than those of Q02, Q03 and Q04, each where it is given."""

    def change(scored: Scored) -> Scored:
        rules, view = scored.rules, scored.view
        cubes = scored.match.cubes
        counts = (
            (close or rules.value(Q02))(view)
            & (losing or rules.value(Q03))(view)
            & (optional or rules.value(Q04))(view)
        )
        counts = counts & cubes.analysed & (cubes.access | ~is_dead(scored.match))
        rows = np.zeros(len(scored.error), bool)
        start = len(scored.match.plays)
        rows[start : start + len(counts)] = counts
        mine = (
            kind(scored, Kind.NO_DOUBLE)
            & where(scored)
            & (cube(scored, "no_double") == cube(scored, "no_double"))
        )
        return replace(scored, counted=np.where(mine, rows, scored.counted))

    return change


def games(stays: Callable[[Match], Rows]) -> OfScored:
    """Only the decisions of some games; moves and luck stay."""
    return dropped(
        lambda scored: ~np.broadcast_to(stays(scored.match), len(scored.match.games))[scored.game]
    )


def doubled(rows: OfRows, *, costs: bool = True) -> OfScored:
    """These rows count twice, and cost twice."""

    def change(scored: Scored) -> Scored:
        weight = np.where(rows(scored), 2, 1)
        new = replace(scored, counted=scored.counted * weight)
        return with_errors(new, new.error * weight, new.loss * weight) if costs else new

    return change


def also_charged(rows: OfRows) -> OfScored:
    """The errors of these rows are the other player's, too: added to a row of that player of the same class."""

    def change(scored: Scored) -> Scored:
        error, loss = scored.error.astype(float), scored.loss.astype(float)
        wrong = rows(scored) & (scored.error > 0)
        for seat in (0, 1):
            theirs = wrong & (scored.player == 1 - seat)
            mine = np.flatnonzero((scored.player == seat) & rows(scored))
            target = mine if len(mine) else np.flatnonzero(scored.player == seat)
            if len(target):
                error[target[0]] += scored.error[theirs].sum()
                loss[target[0]] += scored.loss[theirs].sum()
        return with_errors(scored, error, loss)

    return change


def danced(scored: Scored, *, before: bool = False) -> Rows:
    """Whether the roll of a row's turn could not be played, or that of the player's turn before."""
    plays, back = scored.match.plays, 2 if before else 0
    turns = zip(plays.game.tolist(), plays.turn.tolist(), plays.moved.tolist(), strict=True)
    lost = {(game, number + back) for game, number, moved in turns if not moved}
    here = zip(scored.game.tolist(), turn(scored).tolist(), strict=True)
    return np.array([one in lost for one in here], bool)


def shown(change: Callable[[Figures, Figures, Statistics, int], Mapping[str, Any]]) -> OfFigures:
    """Other figures of each player: made of the player's, the other's, the statistics and the seat; what is unknown stays so."""

    def changed(both: Both, made: Statistics) -> Both:
        new = []
        for seat in (0, 1):
            own, their = both[seat], both[1 - seat]
            new.append(
                {
                    **own,
                    **{
                        name: value
                        for name, value in change(own, their, made, seat).items()
                        if own.get(name) is not None
                    },
                }
            )
        return new

    return changed


def times(factor: float, *names: str) -> OfFigures:
    """Figures times a factor."""
    return shown(lambda own, *_: {name: (own[name] or 0) * factor for name in names})


def number(own: Figures, name: str) -> float:
    """A figure, 0 where it is unknown."""
    return float(own.get(name) or 0)


def plays(**columns: Callable[[Any], Rows]) -> Callable[[Match], Match]:
    """A match with other columns of its plays, each made from the plays."""
    return lambda match: replace(
        match,
        plays=match.plays.replaced(**{name: make(match.plays) for name, make in columns.items()}),
    )


def swapped(*names: str) -> OfFigures:
    """Figures of the other player."""
    return shown(
        lambda own, their, *_: {name: their[name] for name in names if their.get(name) is not None}
    )
