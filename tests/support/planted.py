"""Programs with a fault each, as their authors would write them: changes to the raw events of a
match, to what a decision costs, to what is shown.

`UNSEEN` were written from the reports of users before the catalogue of faults was, `PLANTED` before
the diagnosis of the suite; they share no code with either. One of them runs behind the protocol of
a harness:

    python -m tests.support.planted FAULT RULES
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from reconcile.errors import At
from reconcile.formats import load_match
from reconcile.gate.candidates.claims import stated
from reconcile.infer.reported import Reported
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, chance_lost, score
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.suite.cases import every
from reconcile.suite.run import Answer, Asking, Ran

Shown = dict[str, Any]
"""Figures of a player, as a program has them before it prints."""


@dataclass(frozen=True)
class Program:
    """A program under test: what it does otherwise, each step optional."""

    does: str
    events: Callable[[Match], Match] = lambda match: match
    rules: Callable[[RuleSet], RuleSet] = lambda rules: rules
    table: str = ""
    decisions: Callable[[Scored], Scored] = lambda scored: scored
    shows: Callable[[list[Shown], Statistics], list[Shown]] = lambda both, computed: both
    keeps: Callable[[list[Shown], list[list[Shown]]], list[Shown]] = lambda both, earlier: both

    def answers(self, matches: Sequence[Match], rules: RuleSet) -> Iterator[list[Shown]]:
        """The figures of both players, match by match."""
        earlier: list[list[Shown]] = []
        for match in matches:
            read = self.events(match)
            own = self.rules(rules)
            met = load_met(self.table) if self.table else table_of(read, own)
            computed = Statistics(self.decisions(score(read, own, met)))
            both = self.shows([dict(computed.figures(seat)) for seat in (0, 1)], computed)
            yield self.keeps(both, earlier)
            earlier.append(both)


def picked(table: Any, rows: Any) -> Any:
    """These rows of a table, in this order."""
    columns = {}
    for name in table.names():
        column = getattr(table, name)
        columns[name] = (
            column[rows]
            if isinstance(column, np.ndarray)
            else [column[row] for row in rows.tolist()]
        )
    return type(table)(len(rows), columns)


def with_games(match: Match, chosen: Sequence[int]) -> Match:
    """A match of these games, by index; a game may come twice."""
    tables: dict[str, Any] = {}
    for name in ("plays", "cubes", "resignations"):
        table = getattr(match, name)
        rows = [np.flatnonzero(table.game == game) for game in chosen]
        places = np.repeat(np.arange(len(rows)), [len(mine) for mine in rows])
        tables[name] = picked(table, np.concatenate(rows)).replaced(game=places)
    return replace(match, games=picked(match.games, np.array(chosen, int)), **tables)


def without_plays(match: Match, gone: Any) -> Match:
    """A match in which these rolls were never recorded, nor what the player did with the cube
    before them."""
    plays, cubes = match.plays, match.cubes
    lost = set(zip(plays.game[gone].tolist(), plays.turn[gone].tolist(), strict=True))
    stays = [
        (game, turn) not in lost
        for game, turn in zip(cubes.game.tolist(), cubes.turn.tolist(), strict=True)
    ]
    return replace(
        match,
        plays=picked(plays, np.flatnonzero(~gone)),
        cubes=picked(cubes, np.flatnonzero(np.array(stays, bool))),
    )


def without_cubes(match: Match, gone: Any) -> Match:
    """A match in which these cube decisions were never recorded."""
    return replace(match, cubes=picked(match.cubes, np.flatnonzero(~gone)))


def last_rolls(match: Match) -> Any:
    """The last roll of every game."""
    last = np.zeros(len(match.plays), bool)
    for game in range(len(match.games)):
        last[np.flatnonzero(match.plays.game == game)[-1:]] = True
    return last


def cube_not_reset(match: Match) -> Match:
    """Every game begins with the cube at which the one before it ended."""
    plays, cubes = match.plays.cube.astype(int).copy(), match.cubes.cube.astype(int).copy()
    left = 1
    for game in range(len(match.games)):
        mine, ours = match.plays.game == game, match.cubes.game == game
        ended = int(max([1, *match.plays.cube[mine].tolist(), *match.cubes.cube[ours].tolist()]))
        plays[mine] *= left
        cubes[ours] *= left
        left = min(left * ended, 64)
    return replace(
        match, plays=match.plays.replaced(cube=plays), cubes=match.cubes.replaced(cube=cubes)
    )


def gammons_twice(match: Match) -> Match:
    """Scores as if every gammon had been worth twice its points; nobody has more than all points
    but one."""
    games = match.games
    worth, score_now = games.points.astype(int).copy(), games.score.astype(int).copy()
    for game in range(len(games)):
        rows = match.cubes.game == game
        doubled = match.cubes.kind[rows] == Kind.TAKE.value
        cube = 2 ** int(doubled.sum())
        if worth[game] > cube:
            worth[game] *= 2
    for game in range(1, len(games)):
        score_now[game] = score_now[game - 1]
        if games.winner[game - 1] >= 0:
            score_now[game, games.winner[game - 1]] += worth[game - 1]
    if match.length is not None:
        score_now = np.minimum(score_now, match.length - 1)
    return replace(match, games=games.replaced(score=score_now.astype(games.score.dtype)))


def seats_by_opener(match: Match) -> Match:
    """In every game the player who moves first is the first player."""
    second = np.zeros(len(match.games), bool)
    for game in range(len(match.games)):
        rows = np.flatnonzero(match.plays.game == game)
        second[game] = len(rows) > 0 and match.plays.player[rows[0]] == 1
    turned = {
        name: getattr(match, name).replaced(
            player=np.where(
                second[getattr(match, name).game],
                1 - getattr(match, name).player,
                getattr(match, name).player,
            )
        )
        for name in ("plays", "cubes", "resignations")
    }
    return replace(match, **turned)


def of_plays(scored: Scored, name: str, rest: Any) -> Any:
    """A column of the rolls, over all rows."""
    column = getattr(scored.match.plays, name)
    return np.concatenate([column, np.full(len(scored.error) - len(column), rest)])


def are(scored: Scored, *kinds: Kind) -> Any:
    """Whether a row is of these kinds."""
    return np.isin(scored.kind, [kind.value for kind in kinds])


def costing(scored: Scored, error: Any) -> Scored:
    """Other errors, and what they cost of the match."""
    error = np.asarray(error, scored.error.dtype)
    return replace(
        scored, error=error, loss=chance_lost(error, scored.win, scored.lose, scored.met)
    )


def absent(scored: Scored, rows: Any) -> Scored:
    """These rows neither count nor cost anything."""
    return replace(costing(scored, np.where(rows, 0, scored.error)), counted=scored.counted & ~rows)


def twice(scored: Scored, rows: Any) -> Scored:
    """These rows count twice and cost twice."""
    weight = np.where(rows, 2, 1)
    return replace(
        scored,
        counted=(scored.counted * weight).astype(np.int8),
        error=scored.error * weight,
        loss=scored.loss * weight,
    )


def to_both(scored: Scored, rows: Any) -> Scored:
    """The errors of these rows are charged to both players: a row of the other player's is added to
    the player's next row."""
    error, loss = scored.error.astype(float).copy(), scored.loss.astype(float).copy()
    for row in np.flatnonzero(rows & (scored.error > 0)).tolist():
        other = np.flatnonzero(
            (scored.player != scored.player[row]) & are(scored, Kind.TAKE, Kind.PASS)
        )
        target = other[0] if len(other) else np.flatnonzero(scored.player != scored.player[row])[0]
        error[target] += scored.error[row]
        loss[target] += scored.loss[row]
    return replace(scored, error=error, loss=loss)


def after_dances(scored: Scored) -> Any:
    """No-doubles whose roll could not be played."""
    plays = scored.match.plays
    danced = {
        (game, turn)
        for game, turn, moved in zip(
            plays.game.tolist(), plays.turn.tolist(), plays.moved.tolist(), strict=True
        )
        if not moved
    }
    rows = are(scored, Kind.NO_DOUBLE)
    places = zip(scored.game.tolist(), scored.match.turns[: len(rows)].tolist(), strict=True)
    return rows & np.array([place in danced for place in places], bool)


def after_crawford(scored: Scored) -> Any:
    """Cube decisions in the games after the Crawford game."""
    match = scored.match
    late = (match.away == 1).any(axis=1) & ~match.games.crawford & (not match.is_money)
    return late[scored.game] & ~are(scored, Kind.PLAY)


def far(scored: Scored) -> Any:
    """What doubling would have cost; below every border where a row is no cube action."""
    costs = np.full(len(scored.error), -9.0)
    start = len(scored.match.plays)
    cost = scored.view.no_double - scored.view.least
    costs[start : start + len(cost)] = np.where(cost == cost, cost, -9.0)
    return costs


def each(change: Callable[[Shown, Shown], Mapping[str, Any]]) -> Any:
    """Other figures of each player, of the player's own and the other's; what is unknown stays
    so."""

    def changed(both: list[Shown], _: Statistics) -> list[Shown]:
        return [
            {
                **own,
                **{
                    name: value
                    for name, value in change(own, their).items()
                    if own.get(name) is not None
                },
            }
            for own, their in (both, both[::-1])
        ]

    return changed


def mean_of_games(both: list[Shown], computed: Statistics) -> list[Shown]:
    """The rates are means of those of the games."""
    for seat, own in enumerate(both):
        for name in ("pr", "checker_pr", "cube_pr"):
            rates = [
                computed.figures_at(seat, game)[name] for game in range(len(computed.match.games))
            ]
            numbers = [rate for rate in rates if rate is not None]
            own[name] = sum(numbers) / len(numbers) if numbers else None
    return both


def add_earlier(*names: str) -> Any:
    """Sums that are not set to nothing between matches."""

    def summed(both: list[Shown], earlier: list[list[Shown]]) -> list[Shown]:
        return [
            {
                **own,
                **{
                    name: own[name] + sum(figures[seat][name] or 0 for figures in earlier)
                    for name in names
                    if own[name] is not None
                },
            }
            for seat, own in enumerate(both)
        ]

    return summed


def merged(own: Shown, _: Shown) -> Shown:
    """Takes and passes are among the doubles."""
    groups = ("decisions", "equity_error", "mwc_loss_percent")
    new = {
        f"{group}.double": (own[f"{group}.double"] or 0) + (own[f"{group}.take"] or 0)
        for group in groups
    }
    return {**new, **{f"{group}.take": 0 for group in groups}}


def twice_the_doubles(own: Shown, _: Shown) -> Shown:
    """A double counts twice as a decision, and not its error."""
    more = own["decisions.counted"] + own["decisions.double"]
    rate = own["decisions.counted"] / more if more else 1
    return {
        "decisions.counted": more,
        "decisions.double": 2 * own["decisions.double"],
        "pr": (own["pr"] or 0) * rate,
        "error_rate_memg": (own["error_rate_memg"] or 0) * rate,
    }


P: Final = Program
MWC: Final = tuple(f"mwc_loss_percent.{part}" for part in ("total", "checker", "double", "take"))
UNSEEN: Final[Mapping[str, Program]] = {
    "last game": P(
        "reads games[:-1]", events=lambda m: with_games(m, range(max(len(m.games) - 1, 1)))
    ),
    "first game": P(
        "reads games[1:]",
        events=lambda m: with_games(m, range(min(1, len(m.games) - 1), len(m.games))),
    ),
    "first game twice": P(
        "reads the first game twice", events=lambda m: with_games(m, [0, *range(len(m.games))])
    ),
    "resigned games": P(
        "leaves out games that were resigned, unless that is all of them",
        events=lambda m: with_games(m, np.flatnonzero(~m.games.resigned).tolist() or [0]),
    ),
    "games of the first": P(
        "reads only games that the first player won, unless there are none",
        events=lambda m: with_games(m, np.flatnonzero(m.games.winner == 0).tolist() or [0]),
    ),
    "last roll": P(
        "loses the last roll of every game", events=lambda m: without_plays(m, last_rolls(m))
    ),
    "opening roll": P(
        "loses the first roll of every game",
        events=lambda m: without_plays(m, m.plays.turn == m.plays.turn.min()),
    ),
    "forty rolls": P(
        "stops reading a game after 40 turns", events=lambda m: without_plays(m, m.plays.turn > 40)
    ),
    "passes": P(
        "does not read passes", events=lambda m: without_cubes(m, m.cubes.kind == Kind.PASS.value)
    ),
    "redoubles": P(
        "does not read redoubles and the answers to them",
        events=lambda m: without_cubes(
            m, (m.cubes.cube > 1) & (m.cubes.kind != Kind.NO_DOUBLE.value)
        ),
    ),
    "cube not reset": P("goes on with the last cube of the game before", events=cube_not_reset),
    "gammons twice": P("gives a gammon twice its points", events=gammons_twice),
    "score turned": P(
        "takes either player's score for the other's",
        events=lambda m: replace(m, games=m.games.replaced(score=m.games.score[:, ::-1].copy())),
    ),
    "opener first": P("takes the opener of each game for the first player", events=seats_by_opener),
    "no scores": P(
        "weighs every game at 0 to 0",
        events=lambda m: replace(m, games=m.games.replaced(score=np.zeros_like(m.games.score))),
    ),
    "luck of dances": P(
        "has no luck of rolls that could not be played",
        events=lambda m: replace(
            m, plays=m.plays.replaced(luck=np.where(m.plays.moved, m.plays.luck, 0))
        ),
    ),
    "dances count": P(
        "counts rolls that could not be played",
        decisions=lambda s: replace(
            s, counted=s.counted | (are(s, Kind.PLAY) & ~of_plays(s, "moved", True))
        ),
    ),
    "after a dance": P(
        "does not have no-doubles before rolls that could not be played",
        decisions=lambda s: absent(s, after_dances(s)),
    ),
    "after Crawford": P(
        "has no cube decisions after the Crawford game",
        decisions=lambda s: absent(s, after_crawford(s)),
    ),
    "takes to the doubler": P(
        "charges the error of a take or pass to the player who doubled",
        decisions=lambda s: replace(
            s, player=np.where(are(s, Kind.TAKE, Kind.PASS) & (s.error > 0), 1 - s.player, s.player)
        ),
    ),
    "takes to both": P(
        "charges the error of a take or pass to both",
        decisions=lambda s: to_both(s, are(s, Kind.TAKE, Kind.PASS)),
    ),
    "doublets twice": P(
        "counts and charges doublets twice",
        decisions=lambda s: twice(
            s,
            are(s, Kind.PLAY)
            & np.concatenate(
                [
                    s.match.plays.dice[:, 0] == s.match.plays.dice[:, 1],
                    np.zeros(len(s.error) - len(s.match.plays), bool),
                ]
            ),
        ),
    ),
    "doubles twice": P("counts a double twice", shows=each(twice_the_doubles)),
    "takes merged": P("shows takes and passes among the doubles", shows=each(merged)),
    "window 0.1": P(
        "counts no-doubles that would have cost less than 0.1",
        decisions=lambda s: replace(
            s, counted=s.counted & ~(are(s, Kind.NO_DOUBLE) & (far(s) >= 0.1))
        ),
    ),
    "missed doubles": P(
        "takes a missed double for no error",
        decisions=lambda s: costing(s, np.where(are(s, Kind.NO_DOUBLE), 0, s.error)),
    ),
    "wrong passes": P(
        "doubles the error of a pass",
        decisions=lambda s: costing(s, np.where(are(s, Kind.PASS), 2 * s.error, s.error)),
    ),
    "cut at a half": P(
        "takes no error for more than 0.5", decisions=lambda s: costing(s, np.minimum(s.error, 0.5))
    ),
    "thousandths": P(
        "cuts every error to the thousandth",
        decisions=lambda s: costing(s, np.floor(s.error.astype(float) * 1000 + 1e-4) / 1000),
    ),
    "cube at 1": P(
        "multiplies every error by the cube",
        decisions=lambda s: costing(
            s,
            s.error
            * np.concatenate([s.match.plays.cube, s.match.cubes.cube, s.match.resignations.cube])[
                : len(s.error)
            ],
        ),
    ),
    "Woolsey's table": P("uses Woolsey's match equity table", table="woolsey"),
    "mean of games": P("takes the mean of the games' rates", shows=mean_of_games),
    "mean of parts": P(
        "takes the mean of the rates of plays and cube for the PR",
        shows=each(
            lambda own, their: {"pr": ((own["checker_pr"] or 0) + (own["cube_pr"] or 0)) / 2}
        ),
    ),
    "net luck": P(
        "shows luck less that of the opponent",
        shows=each(
            lambda own, their: {
                "luck.equity": (own["luck.equity"] or 0) - (their["luck.equity"] or 0)
            }
        ),
    ),
    "first for both": P(
        "shows the figures of the first player for both",
        shows=lambda both, computed: [both[0], dict(both[0])],
    ),
    "exchanged and xg": P(
        "exchanges the players and counts by other rules",
        rules=lambda rules: rules.switched("Q02", "xg").switched("Q03", "minus-0.9"),
        shows=lambda both, computed: both[::-1],
    ),
    "PR doubled": P(
        "doubles the PR and counts optional doubles otherwise",
        rules=lambda rules: rules.switched("Q01", "blunderdb"),
        shows=each(lambda own, their: {"pr": 2 * (own["pr"] or 0)}),
    ),
    "fractions": P(
        "shows losses in winning chance from 0 to 1",
        shows=each(lambda own, their: {name: (own[name] or 0) / 100 for name in MWC}),
    ),
    "luck goes on": P("adds up luck from match to match", keeps=add_earlier("luck.equity")),
    "moves of the player": P(
        "divides Snowie's rate by the player's own moves",
        shows=each(
            lambda own, their: {
                name: (own[name] or 0)
                * (own["moves.total"] + their["moves.total"])
                / max(own["moves.total"], 1)
                for name in ("snowie_er", "snowie_memg")
            }
        ),
    ),
}
"""By a short name."""


def unless(rows: Callable[[Scored], Any]) -> Any:
    """These rows do not count."""
    return lambda s: replace(s, counted=s.counted & ~rows(s))


def errors(change: Callable[[Scored], Any]) -> Any:
    """Other errors."""
    return lambda s: costing(s, change(s))


def lost_games(rows: Callable[[Match], Any]) -> Any:
    """The decisions of these games are lost."""
    return lambda s: absent(s, rows(s.match)[s.game])


def answering(code: str, name: str) -> Any:
    """Another answer to a question."""
    return lambda rules: rules.switched(code, name)


def turns(scored: Scored) -> Any:
    """The turn of every row."""
    return scored.match.turns[: len(scored.error)]


def cube(scored: Scored, name: str) -> Any:
    """A column of the cube's equities, NaN elsewhere."""
    column = np.full(len(scored.error), np.nan)
    values = getattr(scored.view, name)
    column[len(scored.match.plays) :][: len(values)] = values
    return column


def cubes(scored: Scored) -> Any:
    """The cube of every row."""
    tables = scored.match.plays, scored.match.cubes, scored.match.resignations
    return np.concatenate([table.cube for table in tables])[: len(scored.error)]


def redoubles_within(border: float) -> Any:
    """Redoubles count within another window."""

    def change(s: Scored) -> Scored:
        gap = cube(s, "no_double") - cube(s, "least")
        judged = are(s, Kind.NO_DOUBLE) & (cubes(s) > 1) & ~np.isnan(gap)
        close = (gap < border) & (cube(s, "access") == 1)
        return replace(s, counted=np.where(judged, close, s.counted))

    return change


def but_largest(scored: Scored) -> Any:
    """The largest error of each player is none."""
    error = scored.error.copy()
    for seat in (0, 1):
        rows = np.flatnonzero(scored.counted & (scored.player == seat) & ~np.isnan(error))
        error[rows[np.argmax(error[rows])] if len(rows) else []] = 0
    return error


def graded(border: float) -> Any:
    """Blunders from another border on, in the total alone."""

    def change(both: list[Shown], computed: Statistics) -> list[Shown]:
        s = computed.scored
        counts = [int(((s.player == seat) & (s.error >= border)).sum()) for seat in (0, 1)]
        return [own | {"blunders.total": count} for own, count in zip(both, counts, strict=True)]

    return change


def scaled(factor: float, *names: str) -> Any:
    """Figures times a factor."""
    return each(lambda own, their: {name: (own[name] or 0) * factor for name in names})


def exchanged(own: Shown, _: Shown) -> Shown:
    """Takes and doubles are exchanged, but in grades."""
    groups = ("decisions", "equity_error", "mwc_loss_percent")
    new = {f"{group}.take": own[f"{group}.double"] for group in groups}
    return new | {f"{group}.double": own[f"{group}.take"] for group in groups}


PLANTED: Final[Mapping[str, Program]] = {
    "p-q01": P(
        "forced plays count",
        decisions=lambda s: replace(
            s,
            counted=s.counted
            | ((of_plays(s, "legal", 9) == 1) & of_plays(s, "moved", False) & are(s, Kind.PLAY)),
        ),
    ),
    "p-q03": P(
        "no-doubles below -0.6 do not count",
        decisions=unless(lambda s: are(s, Kind.NO_DOUBLE) & (cube(s, "no_double") < -0.6)),
    ),
    "p-q04": P(
        "no-doubles within 0.002 do not count",
        decisions=unless(
            lambda s: (
                are(s, Kind.NO_DOUBLE) & (np.abs(cube(s, "no_double") - cube(s, "least")) < 0.002)
            )
        ),
    ),
    "p-q05": P(
        "decisions without analysis count", rules=answering("Q05", "counts-with-zero-error")
    ),
    "p-q06": P("errors against the highest candidate", rules=answering("Q06", "max-candidate")),
    "p-q07": P(
        "resignation errors go to the winner",
        events=lambda m: replace(
            m, resignations=m.resignations.replaced(player=1 - m.resignations.player)
        ),
    ),
    "p-q09": P(
        "one-point matches times 2",
        shows=lambda both, computed: (
            scaled(2, "pr", "checker_pr", "cube_pr")(both, computed)
            if computed.match.length == 1
            else both
        ),
    ),
    "p-q10": P("answers at the doubled cube", rules=answering("Q10", "after-double")),
    "p-q12": P("blunders from 0.05", shows=graded(0.0499)),
    "p-q13": P("PR capped at 50", shows=each(lambda own, their: {"pr": min(own["pr"] or 0, 50)})),
    "p-q14": P("beavers recounted", rules=answering("Q14", "gnubg-recount")),
    "p-q15": P("only wrong cube actions count", rules=answering("Q15", "only-errors")),
    "p-q16": P("dead cubes count with the play", rules=answering("Q16", "with-the-play")),
    "p-first": P(
        "the first roll does not count",
        decisions=unless(lambda s: are(s, Kind.PLAY) & (turns(s) == 1)),
    ),
    "p-illegal": P(
        "illegal plays are errors",
        events=lambda m: replace(
            m,
            plays=m.plays.replaced(
                validity=np.where(m.plays.validity == Validity.ILLEGAL, 0, m.plays.validity)
            ),
        ),
    ),
    "p-redouble": P("redoubles within 0.1", decisions=redoubles_within(0.1)),
    "p-too-good": P(
        "too good never counts",
        decisions=unless(lambda s: are(s, Kind.NO_DOUBLE) & (cube(s, "no_double") > 1)),
    ),
    "p-passes": P("passes do not count", decisions=unless(lambda s: are(s, Kind.PASS))),
    "p-crawford": P("the Crawford game is lost", decisions=lost_games(lambda m: m.games.crawford)),
    "p-unfinished": P(
        "unfinished games are lost", decisions=lost_games(lambda m: m.games.winner < 0)
    ),
    "p-luck-swapped": P(
        "luck is the other's",
        shows=each(
            lambda own, their: {name: their[name] for name in their if name.startswith("luck.")}
        ),
    ),
    "p-luck-sign": P(
        "luck has the other sign", shows=scaled(-1, "luck.equity", "luck.mwc_percent", "luck.rate")
    ),
    "p-round-2": P(
        "errors are rounded to hundredths", decisions=errors(lambda s: np.round(s.error, 2))
    ),
    "p-round-3": P(
        "errors are rounded to thousandths", decisions=errors(lambda s: np.round(s.error, 3))
    ),
    "p-squares": P("squares of errors", decisions=errors(lambda s: s.error**2)),
    "p-early": P("only the first three turns count", decisions=unless(lambda s: turns(s) > 3)),
    "p-one-more": P(
        "one decision too many divides the PR",
        shows=each(
            lambda own, their: {
                "pr": (own["pr"] or 0) * own["decisions.counted"] / (own["decisions.counted"] + 1)
            }
        ),
    ),
    "p-floor": P(
        "the PR is rounded down to a whole number",
        shows=each(lambda own, their: {"pr": math.floor(own["pr"] or 0)}),
    ),
    "p-half-double": P(
        "wrong doubles cost half",
        decisions=errors(lambda s: np.where(are(s, Kind.DOUBLE), s.error / 2, s.error)),
    ),
    "p-take-class": P("takes and doubles are exchanged", shows=each(exchanged)),
    "p-moves": P(
        "a move too many a game",
        shows=lambda both, computed: [
            own | {"moves.total": own["moves.total"] + len(computed.match.games)} for own in both
        ],
    ),
    "p-longer": P(
        "matches are a point too long",
        events=lambda m: replace(m, length=m.length + 1) if m.length else m,
    ),
    "p-error-count": P(
        "errors are counted without blunders",
        shows=each(
            lambda own, their: {
                f"errors.{part}": (own[f"errors.{part}"] or 0) - (own[f"blunders.{part}"] or 0)
                for part in ("total", "checker", "double", "take")
            }
        ),
    ),
    "p-far-games": P("games after the third are lost", decisions=lambda s: absent(s, s.game >= 3)),
    "p-two-plays": P(
        "a choice of two plays does not count",
        decisions=unless(lambda s: are(s, Kind.PLAY) & (of_plays(s, "legal", 0) == 2)),
    ),
    "p-odd-turns": P(
        "no-doubles count in odd turns only",
        decisions=unless(lambda s: are(s, Kind.NO_DOUBLE) & (turns(s) % 2 == 0)),
    ),
    "p-behind": P(
        "cube decisions of the player behind do not count",
        decisions=unless(
            lambda s: (
                ~are(s, Kind.PLAY)
                & (s.match.away[s.game, s.player] > s.match.away[s.game, 1 - s.player])
            )
        ),
    ),
    "p-between": P(
        "errors from 0.05 to 0.06 are none",
        decisions=errors(lambda s: np.where((s.error >= 0.05) & (s.error < 0.06), 0, s.error)),
    ),
    "p-largest": P("the largest error of each player is none", decisions=errors(but_largest)),
}
"""By a code."""
NAMED: Final[Mapping[str, tuple[str, ...]]] = {
    "p-q01": ("forced-counted",),
    "p-q03": ("losing-side-moved",),
    "p-q04": ("optional-left-out",),
    "p-q05": ("Q05=counts-with-zero-error",),
    "p-q06": ("Q06=max-candidate",),
    "p-q07": ("resignations-swapped",),
    "p-q09": ("one-point-scaled",),
    "p-q10": ("Q10=after-double",),
    "p-q12": ("total-grades-moved",),
    "p-q13": ("pr-capped",),
    "p-q14": ("Q14=gnubg-recount",),
    "p-q15": ("Q15=only-errors",),
    "p-q16": ("Q16=with-the-play",),
    "p-first": ("first-play-left-out",),
    "p-illegal": ("illegal-exchanged",),
    "p-too-good": ("too-good-left-out",),
    "p-passes": ("passes-left-out",),
    "p-crawford": ("crawford-game-left-out",),
    "p-unfinished": ("unfinished-left-out",),
    "p-luck-swapped": ("luck-swapped",),
    "p-luck-sign": ("luck-negative",),
    "p-round-2": ("errors-rounded-to-2",),
    "p-round-3": ("Q06=millipoint",),
    "p-squares": ("errors-squared",),
    "p-early": ("late-left-out",),
    "p-one-more": ("pr-one-more",),
    "p-half-double": ("doubles-halved",),
    "p-take-class": ("takes-are-doubles",),
    "p-moves": ("move-more-a-game",),
    "p-longer": ("mwc-longer", "Q09=x1"),
    "p-error-count": ("blunders-are-no-errors",),
    "p-far-games": ("later-games-left-out",),
    "p-two-plays": ("two-candidates-left-out",),
}
"""What the suite names of each planted fault; the others are not known."""
USUAL: Final = (
    "pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "snowie_memg",
    *(f"decisions.{part}" for part in ("counted", "checker", "double", "take")),
    *(f"moves.{part}" for part in ("total", "unforced", "forced")),
    *(f"{name}.{part}" for name in ("equity_error", "mwc_loss_percent", "errors", "blunders")
      for part in ("total", "checker", "double", "take")),
    "luck.equity", "luck.mwc_percent", "luck.jokers", "luck.rolls", "luck.rate",
)  # fmt: skip
"""What the programs print."""


def printed(figures: Mapping[str, Any], names: Sequence[str] = USUAL) -> dict[str, str]:
    """A player's figures as programs print them."""
    return {
        name: METRICS[name].shown(figures[name]) for name in names if figures.get(name) is not None
    }


def shown_by(program: Program, match: Match, rules: str) -> list[dict[str, str]]:
    """The printed figures of both players of one match."""
    (both,) = program.answers([match], RULE_SETS[rules])
    return [printed(own) for own in both]


def suite_run(
    program: Program, rules: str = "xg", claimed: str | None = "xg", step: int = 1
) -> Ran:
    """A run of the suite, or of a part of it, on a program; one that fails on a case is started
    again."""
    asked: list[Asking] = []
    cases = every()[::step]
    matches = [case.read(case.formats[0]) for case in cases]
    answers = program.answers(matches, RULE_SETS[rules])
    for case in cases:
        answer = Answer()
        try:
            for player, own in zip(case.players, next(answers), strict=True):
                for name, text in printed(own).items():
                    figure = stated(At(case.id), player, name, text)
                    reported = Reported(name, text, figure.value or 0.0, figure.half)
                    answer.figures.setdefault(player, {})[name] = reported
        except Exception as error:  # whatever a program does
            answer = Answer(crashed=repr(error))
            answers = program.answers(matches[len(asked) + 1 :], RULE_SETS[rules])
        asked.append(Asking(case, case.formats[0], answer))
    return Ran("prog", "1", claimed, tuple(asked))


def main(code: str, rules: str) -> None:
    """Answer a suite."""
    about = {"program": code, "version": "1", "formats": ["xg", "sgf"], "rules": rules}
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        answer: dict[str, Any] = {"protocol": 1, "figures": [], **about}
        if asked["cmd"] != "start":
            match = load_match(asked["path"])
            sides = zip(match.players, shown_by(PLANTED[code], match, rules), strict=True)
            answer = {"id": asked["id"], "players": dict(sides)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
