"""The pieces of which planted faults are made: rows of scored decisions, and changes to them and to
figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.infer.scorer import Both, with_errors
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.scoring.score import Scored
from reconcile.scoring.statistics import Statistics


def counting(
    keep: Callable[[Scored], Any], add: Callable[[Scored], Any] | None = None
) -> Callable[[Scored], Scored]:
    """Count only what is kept, and what is added."""

    def changed(scored: Scored) -> Scored:
        counted = scored.counted & keep(scored)
        return replace(scored, counted=counted | add(scored) if add else counted)

    return changed


def erring(change: Callable[[Scored], Any]) -> Callable[[Scored], Scored]:
    """Other errors."""
    return lambda scored: with_errors(scored, change(scored))


def of(scored: Scored, column: str, empty: Any = 0) -> Any:
    """A column of the plays for every row; of other rows this."""
    found = getattr(scored.match.plays, column)
    rest = np.full((len(scored.error) - len(found), *found.shape[1:]), empty, found.dtype)
    return np.concatenate([found, rest])


def cubes(scored: Scored, column: str) -> Any:
    """A column of the cube view for every row, NaN elsewhere."""
    found = np.full(len(scored.error), np.nan)
    start = len(scored.match.plays)
    values = getattr(scored.view, column)
    found[start : start + len(values)] = values
    return found


def value(scored: Scored) -> Any:
    """The cube of every row."""
    match = scored.match
    return np.concatenate([table.cube for table in (match.plays, match.cubes, match.resignations)])[
        : len(scored.error)
    ]


def games(keep: Callable[[Scored], Any]) -> Callable[[Scored], Scored]:
    """Only the rows of some games."""

    def changed(scored: Scored) -> Scored:
        kept = keep(scored)[scored.game]
        counted = scored.counted & kept
        return replace(with_errors(scored, np.where(kept, scored.error, 0)), counted=counted)

    return changed


def shown(
    change: Callable[[dict[str, Any], dict[str, Any], Statistics, int], Mapping[str, Any]],
) -> Callable[[Both, Statistics], Both]:
    """Other figures of each player, from the player's and the other's."""

    def changed(both: Both, made: Statistics) -> Both:
        old = [dict(one) for one in both]
        return [
            {
                **old[seat],
                **{
                    k: v
                    for k, v in change(old[seat], old[1 - seat], made, seat).items()
                    if old[seat][k] is not None
                },
            }
            for seat in (0, 1)
        ]

    return changed


def times(factor: float, *names: str) -> Callable[[Both, Statistics], Both]:
    """Figures by a factor."""
    return shown(lambda own, their, made, seat: {name: (own[name] or 0) * factor for name in names})


def kinds(scored: Scored, *wanted: Kind) -> Any:
    """Whether a row is of a kind."""
    return np.isin(scored.kind, [one.value for one in wanted])


def answer(code: str, name: str) -> Callable[[Any], Any]:
    """Another answer to a question."""
    return lambda rules: rules.switched(code, name)


def charged_to_other(*wanted: Kind) -> Callable[[Scored], Scored]:
    """Errors and decisions of some kinds are the other player's."""
    return lambda scored: replace(
        scored, player=np.where(kinds(scored, *wanted), 1 - scored.player, scored.player)
    )


def plays(match: Match, **columns: Any) -> Match:
    """With other columns of the plays."""
    return replace(match, plays=match.plays.replaced(**columns))


def scores(match: Match, change: Callable[[Any], Any]) -> Match:
    """With other scores."""
    return replace(match, games=match.games.replaced(score=change(match.games.score)))


def right_window(
    limit: float, where: Callable[[Scored], Any] = lambda scored: True
) -> Callable[[Scored], Scored]:
    """A no-double counts within a window of this width."""

    def changed(scored: Scored) -> Scored:
        gap = cubes(scored, "no_double") - cubes(scored, "least")
        mine = kinds(scored, Kind.NO_DOUBLE) & where(scored)
        return replace(
            scored,
            counted=np.where(
                mine & (gap == gap),
                (gap < limit) & np.isfinite(gap) & access(scored),
                scored.counted,
            ),
        )

    return changed


def access(scored: Scored) -> Any:
    """Whether there was access to the cube."""
    return cubes(scored, "access") == 1


def legal(scored: Scored) -> Any:
    """Number of legal plays."""
    return of(scored, "legal", 9)


def _mean_pr(own: Any, their: Any, made: Statistics, seat: int) -> dict[str, Any]:
    found = [made.figures_at(seat, row)["pr"] for row in range(len(made.match.games))]
    known = [one for one in found if one is not None]
    return {"pr": max(known)} if known else {}


def _capped(number: int) -> Callable[[Scored], Scored]:
    def changed(scored: Scored) -> Scored:
        counted = scored.counted.copy()
        for seat in (0, 1):
            counted[np.flatnonzero(counted & (scored.player == seat))[number:]] = False
        return replace(scored, counted=counted)

    return changed


def _but_largest(scored: Scored) -> Any:
    error = scored.error.copy()
    for seat in (0, 1):
        rows = np.flatnonzero(scored.counted & (scored.player == seat) & ~np.isnan(error))
        if len(rows):
            error[rows[np.argmax(error[rows])]] = 0
    return error


def _with_two_more(own: Any, their: Any, made: Statistics, seat: int) -> dict[str, Any]:
    return {"pr": (own["pr"] or 0) * own["decisions.counted"] / (own["decisions.counted"] + 2)}


def _half_each(scored: Scored) -> Scored:
    return with_errors(scored, np.where(kinds(scored, Kind.DOUBLE), scored.error / 2, scored.error))


def _exchanged(own: Any, one: str, two: str) -> dict[str, Any]:
    return {one: own[two], two: own[one]}


def _turn(scored: Scored) -> Any:
    match = scored.match
    turns = np.concatenate([match.plays.turn, match.cubes.turn])
    return np.concatenate([turns, np.zeros(len(scored.error) - len(turns), int)])


VALID, ILLEGAL = Validity.VALID.value, Validity.ILLEGAL.value
PLAY, NO, DOUBLE, TAKE, PASS = Kind.PLAY, Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS
