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
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml

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

    does: str = ""
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


# Events


def picked(table: Any, rows: Any) -> Any:
    """These rows of a table, in this order."""
    columns = {}
    for name in table.names():
        column = getattr(table, name)
        is_array = isinstance(column, np.ndarray)
        columns[name] = column[rows] if is_array else [column[row] for row in rows.tolist()]
    return type(table)(len(rows), columns)


def with_games(choose: Callable[[Any], Sequence[int]]) -> Program:
    """Reads these games alone, by index; a game may come twice."""

    def events(match: Match) -> Match:
        chosen = list(choose(match.games))
        tables: dict[str, Any] = {"games": picked(match.games, np.array(chosen, int))}
        for name in ("plays", "cubes", "resignations"):
            table = getattr(match, name)
            rows = [np.flatnonzero(table.game == game) for game in chosen]
            places = np.repeat(np.arange(len(rows)), [len(own) for own in rows])
            tables[name] = picked(table, np.concatenate(rows)).replaced(game=places)
        return replace(match, **tables)

    return Program(events=events)


def without_plays(find: Callable[[Any], Any]) -> Program:
    """Never records these rolls, nor what the player did with the cube before them."""

    def events(match: Match) -> Match:
        plays, cubes = match.plays, match.cubes
        gone = find(plays)
        lost = set(zip(plays.game[gone].tolist(), plays.turn[gone].tolist(), strict=True))
        places = zip(cubes.game.tolist(), cubes.turn.tolist(), strict=True)
        stays = np.array([place not in lost for place in places], bool)
        return replace(
            match,
            plays=picked(plays, np.flatnonzero(~gone)),
            cubes=picked(cubes, np.flatnonzero(stays)),
        )

    return Program(events=events)


def without_cubes(find: Callable[[Any], Any]) -> Program:
    """Never records these cube decisions."""
    return Program(
        events=lambda m: replace(m, cubes=picked(m.cubes, np.flatnonzero(~find(m.cubes))))
    )


def with_column(table: str, name: str, change: Callable[[Match], Any]) -> Program:
    """Reads another column of a table."""

    def events(match: Match) -> Match:
        tables: dict[str, Any] = {table: getattr(match, table).replaced(**{name: change(match)})}
        return replace(match, **tables)

    return Program(events=events)


def last_rolls(plays: Any) -> Any:
    """The last roll of every game."""
    return np.append(plays.game[1:] != plays.game[:-1], True)[: len(plays)]


def cube_not_reset(match: Match) -> Match:
    """Every game begins with the cube at which the one before it ended."""
    plays, cubes = match.plays.cube.astype(int).copy(), match.cubes.cube.astype(int).copy()
    left = 1
    for game in range(len(match.games)):
        rolls, actions = match.plays.game == game, match.cubes.game == game
        ended = max([1, *match.plays.cube[rolls].tolist(), *match.cubes.cube[actions].tolist()])
        plays[rolls] *= left
        cubes[actions] *= left
        left = min(left * ended, 64)
    return replace(
        match, plays=match.plays.replaced(cube=plays), cubes=match.cubes.replaced(cube=cubes)
    )


def gammons_twice(match: Match) -> Any:
    """Scores as if every gammon had been worth twice its points; nobody has more than all points
    but one."""
    games, score_now = match.games, match.games.score.astype(int).copy()
    for game in range(1, len(games)):
        takes = (match.cubes.game == game - 1) & (match.cubes.kind == Kind.TAKE.value)
        worth = int(games.points[game - 1])
        worth *= 1 + (worth > 2 ** int(takes.sum()))
        score_now[game] = score_now[game - 1]
        if games.winner[game - 1] >= 0:
            score_now[game, games.winner[game - 1]] += worth
    if match.length is not None:
        score_now = np.minimum(score_now, match.length - 1)
    return score_now.astype(games.score.dtype)


def seats_by_opener(match: Match) -> Match:
    """In every game the player who moves first is the first player."""
    plays, second = match.plays, np.zeros(len(match.games), bool)
    for game in range(len(match.games)):
        second[game] = plays.player[plays.game == game][:1].sum() == 1
    tables: dict[str, Any] = {}
    for name in ("plays", "cubes", "resignations"):
        table = getattr(match, name)
        tables[name] = table.replaced(player=table.player ^ second[table.game])
    return replace(match, **tables)


# Decisions


class Rows:
    """The rows of a scored match, by what a program may get wrong about them."""

    def __init__(self, scored: Scored) -> None:
        match = self.match = scored.match
        self.error, self.game, self.player = scored.error, scored.game, scored.player
        self.count, self.counted, self.view = len(scored.error), scored.counted, scored.view
        first, second = match.plays.dice.T
        self.doublets = np.append(first == second, [False] * (self.count - len(first)))
        self.turn = match.turns[: self.count]
        self.play, self.no_double, self.double, self.passes, self.answers = (
            np.isin(scored.kind, [kind.value for kind in kinds])
            for kinds in (
                [Kind.PLAY],
                [Kind.NO_DOUBLE],
                [Kind.DOUBLE],
                [Kind.PASS],
                [Kind.TAKE, Kind.PASS],
            )
        )
        self.away, self.away_of_other = (
            match.away[self.game, seat] for seat in (self.player, 1 - self.player)
        )
        tables = match.plays, match.cubes, match.resignations
        self.cube = np.concatenate([table.cube for table in tables])[: self.count]

    def of_plays(self, name: str, rest: Any) -> Any:
        """A column of the rolls, over all rows."""
        column = getattr(self.match.plays, name)
        return np.concatenate([column, np.full(self.count - len(column), rest)])

    def of_cube(self, name: str) -> Any:
        """A column of the cube's equities, NaN elsewhere."""
        column, values = np.full(self.count, np.nan), getattr(self.view, name)
        column[len(self.match.plays) :][: len(values)] = values
        return column

    @property
    def cost(self) -> Any:
        """What doubling would have cost, NaN where a row is no cube action."""
        return self.of_cube("no_double") - self.of_cube("least")

    @property
    def after_dance(self) -> Any:
        """No-doubles whose roll could not be played."""
        plays = self.match.plays
        columns = (column[~plays.moved].tolist() for column in (plays.game, plays.turn))
        danced = set(zip(*columns, strict=True))
        places = zip(self.game.tolist(), self.turn.tolist(), strict=True)
        return self.no_double & np.array([place in danced for place in places], bool)

    @property
    def after_crawford(self) -> Any:
        """Cube decisions in the games after the Crawford game."""
        match = self.match
        late = (match.away == 1).any(axis=1) & ~match.games.crawford & (not match.is_money)
        return late[self.game] & ~self.play


Find = Callable[[Rows], Any]
"""Rows, or a column of them."""


def costing(scored: Scored, error: Any) -> Scored:
    """Other errors, and what they cost of the match."""
    error = np.asarray(error, scored.error.dtype)
    loss = chance_lost(error, scored.win, scored.lose, scored.met)
    return replace(scored, error=error, loss=loss)


def counting(find: Find) -> Program:
    """Counts these rows."""
    return Program(decisions=lambda s: replace(s, counted=find(Rows(s))))


def unless(find: Find) -> Program:
    """Does not count these rows; their errors stay."""
    return counting(lambda rows: rows.counted & ~find(rows))


def charging(find: Find) -> Program:
    """Has these errors."""
    return Program(decisions=lambda s: costing(s, find(Rows(s))))


def without(find: Find) -> Program:
    """Neither counts nor charges these rows."""

    def change(scored: Scored) -> Scored:
        gone = find(Rows(scored))
        cheaper = costing(scored, np.where(gone, 0, scored.error))
        return replace(cheaper, counted=scored.counted & ~gone)

    return Program(decisions=change)


def twice(find: Find) -> Program:
    """Counts and charges these rows twice."""

    def change(scored: Scored) -> Scored:
        weight = np.where(find(Rows(scored)), 2, 1)
        counted: Any = (scored.counted * weight).astype(np.int8)
        return replace(
            scored, counted=counted, error=scored.error * weight, loss=scored.loss * weight
        )

    return Program(decisions=change)


def answers_to_both(scored: Scored) -> Scored:
    """The error of a take or pass is charged to both: it is added to a row of the other player's,
    an answer if there is one."""
    error, loss = scored.error.astype(float).copy(), scored.loss.astype(float).copy()
    answers = Rows(scored).answers
    for row in np.flatnonzero(answers & (scored.error > 0)).tolist():
        other = scored.player != scored.player[row]
        target = [*np.flatnonzero(other & answers), *np.flatnonzero(other)][0]
        error[target] += scored.error[row]
        loss[target] += scored.loss[row]
    return replace(scored, error=error, loss=loss)


def answers_to_doubler(scored: Scored) -> Scored:
    """The error of a take or pass is charged to the player who doubled."""
    wrong = Rows(scored).answers & (scored.error > 0)
    return replace(scored, player=np.where(wrong, 1 - scored.player, scored.player))


def redoubles_within(rows: Rows, border: float = 0.1) -> Any:
    """Redoubles count within another window."""
    judged = rows.no_double & (rows.cube > 1) & ~np.isnan(rows.cost)
    close = (rows.cost < border) & (rows.of_cube("access") == 1)
    return np.where(judged, close, rows.counted)


def but_largest(rows: Rows) -> Any:
    """The largest error of each player is none."""
    error = rows.error.copy()
    for seat in (0, 1):
        own = np.flatnonzero(rows.counted & (rows.player == seat) & ~np.isnan(error))
        error[own[np.argmax(error[own])] if len(own) else []] = 0
    return error


# Figures


def showing(change: Callable[[Shown, Shown], Mapping[str, Any]]) -> Program:
    """Shows other figures of each player, of the player's own and the other's; what is unknown
    stays so."""

    def shows(both: list[Shown], _: Statistics) -> list[Shown]:
        changed = [change(own, their) for own, their in (both, both[::-1])]
        return [
            own | {name: value for name, value in new.items() if own.get(name) is not None}
            for own, new in zip(both, changed, strict=True)
        ]

    return Program(shows=shows)


def scaled(factor: float, *names: str) -> Program:
    """Shows figures times a factor, those whose names begin so."""
    return showing(
        lambda own, their: {
            name: (own[name] or 0) * factor for name in own if name.startswith(names)
        }
    )


def from_decisions(change: Callable[[int, Statistics], Shown]) -> Program:
    """Shows figures of a seat that need the decisions."""
    return Program(
        shows=lambda both, computed: [own | change(seat, computed) for seat, own in enumerate(both)]
    )


def mean_of_games(seat: int, computed: Statistics) -> Shown:
    """The rates are means of those of the games."""
    rates = {}
    games = [computed.figures_at(seat, game) for game in range(len(computed.match.games))]
    for name in ("pr", "checker_pr", "cube_pr"):
        numbers = [figures[name] for figures in games if figures[name] is not None]
        rates[name] = sum(map(float, filter(None, numbers))) / len(numbers) if numbers else None
    return rates


def luck_goes_on(both: list[Shown], earlier: list[list[Shown]]) -> list[Shown]:
    """Luck is not set to nothing between matches."""
    name = "luck.equity"
    before = [sum(figures[seat][name] or 0 for figures in earlier) for seat in (0, 1)]
    return [
        own | ({} if own[name] is None else {name: own[name] + more})
        for own, more in zip(both, before, strict=True)
    ]


GROUPS: Final = ("decisions", "equity_error", "mwc_loss_percent")


def merged(own: Shown, _: Shown) -> Shown:
    """Takes and passes are among the doubles."""
    new: Shown = {f"{group}.take": 0 for group in GROUPS}
    for group in GROUPS:
        new[f"{group}.double"] = (own[f"{group}.double"] or 0) + (own[f"{group}.take"] or 0)
    return new


def exchanged(own: Shown, _: Shown) -> Shown:
    """Takes and doubles are exchanged, but in grades."""
    new = {f"{group}.take": own[f"{group}.double"] for group in GROUPS}
    return new | {f"{group}.double": own[f"{group}.take"] for group in GROUPS}


def twice_the_doubles(own: Shown, _: Shown) -> Shown:
    """A double counts twice as a decision, and not its error."""
    more = own["decisions.counted"] + own["decisions.double"]
    rate = own["decisions.counted"] / more if more else 1
    new = {name: (own[name] or 0) * rate for name in ("pr", "error_rate_memg")}
    return new | {"decisions.counted": more, "decisions.double": 2 * own["decisions.double"]}


def of_own_moves(own: Shown, their: Shown) -> Shown:
    """Snowie's rate is divided by the player's own moves."""
    factor = (own["moves.total"] + their["moves.total"]) / max(own["moves.total"], 1)
    return {name: (own[name] or 0) * factor for name in ("snowie_er", "snowie_memg")}


def swapped(both: list[Shown], _: Statistics) -> list[Shown]:
    """The players' figures are exchanged."""
    return both[::-1]


def answering(code: str, name: str) -> Program:
    """Answers a question otherwise."""
    return Program(rules=lambda rules: rules.switched(code, name))


UNSEEN: Final[Mapping[str, Program]] = {
    "last game": with_games(lambda games: range(max(len(games) - 1, 1))),
    "first game": with_games(lambda games: range(min(1, len(games) - 1), len(games))),
    "first game twice": with_games(lambda games: [0, *range(len(games))]),
    "resigned games": with_games(lambda games: np.flatnonzero(~games.resigned).tolist() or [0]),
    "games of the first": with_games(
        lambda games: np.flatnonzero(games.winner == 0).tolist() or [0]
    ),
    "last roll": without_plays(last_rolls),
    "opening roll": without_plays(lambda plays: plays.turn == plays.turn.min()),
    "forty rolls": without_plays(lambda plays: plays.turn > 40),
    "passes": without_cubes(lambda cubes: cubes.kind == Kind.PASS.value),
    "redoubles": without_cubes(
        lambda cubes: (cubes.cube > 1) & (cubes.kind != Kind.NO_DOUBLE.value)
    ),
    "cube not reset": Program(events=cube_not_reset),
    "gammons twice": with_column("games", "score", gammons_twice),
    "score turned": with_column("games", "score", lambda m: m.games.score[:, ::-1].copy()),
    "opener first": Program(events=seats_by_opener),
    "no scores": with_column("games", "score", lambda m: np.zeros_like(m.games.score)),
    "luck of dances": with_column(
        "plays", "luck", lambda m: np.where(m.plays.moved, m.plays.luck, 0)
    ),
    "dances count": counting(
        lambda rows: rows.counted | (rows.play & ~rows.of_plays("moved", True))
    ),
    "after a dance": without(lambda rows: rows.after_dance),
    "after Crawford": without(lambda rows: rows.after_crawford),
    "takes to the doubler": Program(decisions=answers_to_doubler),
    "takes to both": Program(decisions=answers_to_both),
    "doublets twice": twice(lambda rows: rows.doublets),
    "doubles twice": showing(twice_the_doubles),
    "takes merged": showing(merged),
    "window 0.1": unless(lambda rows: rows.no_double & (rows.cost >= 0.1)),
    "missed doubles": charging(lambda rows: np.where(rows.no_double, 0, rows.error)),
    "wrong passes": charging(lambda rows: np.where(rows.passes, 2 * rows.error, rows.error)),
    "cut at a half": charging(lambda rows: np.minimum(rows.error, 0.5)),
    "thousandths": charging(lambda rows: np.floor(rows.error.astype(float) * 1000 + 1e-4) / 1000),
    "cube at 1": charging(lambda rows: rows.error * rows.cube),
    "Woolsey's table": Program(table="woolsey"),
    "mean of games": from_decisions(mean_of_games),
    "mean of parts": showing(
        lambda own, their: {"pr": ((own["checker_pr"] or 0) + (own["cube_pr"] or 0)) / 2}
    ),
    "net luck": showing(
        lambda own, their: {"luck.equity": (own["luck.equity"] or 0) - (their["luck.equity"] or 0)}
    ),
    "first for both": Program(shows=lambda both, computed: [both[0], dict(both[0])]),
    "exchanged and xg": Program(
        rules=lambda rules: rules.switched("Q02", "xg").switched("Q03", "minus-0.9"),
        shows=swapped,
    ),
    "PR doubled": replace(answering("Q01", "blunderdb"), shows=scaled(2, "pr").shows),
    "fractions": scaled(0.01, "mwc_loss_percent."),
    "luck goes on": Program(keeps=luck_goes_on),
    "moves of the player": showing(of_own_moves),
}
"""By a short name."""
PLANTED: Final[Mapping[str, Program]] = {
    "p-q01": counting(
        lambda rows: (
            rows.counted | ((rows.of_plays("legal", 9) == 1) & rows.of_plays("moved", False))
        )
    ),
    "p-q03": unless(lambda rows: rows.no_double & (rows.of_cube("no_double") < -0.6)),
    "p-q04": unless(lambda rows: rows.no_double & (np.abs(rows.cost) < 0.002)),
    "p-q05": answering("Q05", "counts-with-zero-error"),
    "p-q06": answering("Q06", "max-candidate"),
    "p-q07": with_column("resignations", "player", lambda m: 1 - m.resignations.player),
    "p-q09": from_decisions(
        lambda seat, computed: (
            {
                name: 2 * (computed.figures(seat)[name] or 0)
                for name in ("pr", "checker_pr", "cube_pr")
                if computed.figures(seat)[name] is not None and computed.match.length == 1
            }
        )
    ),
    "p-q10": answering("Q10", "after-double"),
    "p-q12": from_decisions(
        lambda seat, computed: {
            "blunders.total": int(
                (computed.scored.error[computed.scored.player == seat] >= 0.0499).sum()
            )
        }
    ),
    "p-q13": showing(lambda own, their: {"pr": min(own["pr"] or 0, 50)}),
    "p-q14": answering("Q14", "gnubg-recount"),
    "p-q15": answering("Q15", "only-errors"),
    "p-q16": answering("Q16", "with-the-play"),
    "p-first": unless(lambda rows: rows.play & (rows.turn == 1)),
    "p-illegal": with_column(
        "plays",
        "validity",
        lambda m: np.where(m.plays.validity == Validity.ILLEGAL, 0, m.plays.validity),
    ),
    "p-redouble": counting(redoubles_within),
    "p-too-good": unless(lambda rows: rows.no_double & (rows.of_cube("no_double") > 1)),
    "p-passes": unless(lambda rows: rows.passes),
    "p-crawford": without(lambda rows: rows.match.games.crawford[rows.game]),
    "p-unfinished": without(lambda rows: (rows.match.games.winner < 0)[rows.game]),
    "p-luck-swapped": showing(
        lambda own, their: {name: their[name] for name in their if name.startswith("luck.")}
    ),
    "p-luck-sign": scaled(-1, "luck.equity", "luck.mwc_percent", "luck.rate"),
    "p-round-2": charging(lambda rows: np.round(rows.error, 2)),
    "p-round-3": charging(lambda rows: np.round(rows.error, 3)),
    "p-squares": charging(lambda rows: rows.error**2),
    "p-early": unless(lambda rows: rows.turn > 3),
    "p-one-more": showing(
        lambda own, their: {
            "pr": (own["pr"] or 0) * own["decisions.counted"] / (own["decisions.counted"] + 1)
        }
    ),
    "p-floor": showing(lambda own, their: {"pr": math.floor(own["pr"] or 0)}),
    "p-half-double": charging(lambda rows: np.where(rows.double, rows.error / 2, rows.error)),
    "p-take-class": showing(exchanged),
    "p-moves": Program(
        shows=lambda both, computed: [
            own | {"moves.total": own["moves.total"] + len(computed.match.games)} for own in both
        ]
    ),
    "p-longer": Program(events=lambda m: replace(m, length=m.length + 1) if m.length else m),
    "p-error-count": showing(
        lambda own, their: {
            f"errors.{part}": (own[f"errors.{part}"] or 0) - (own[f"blunders.{part}"] or 0)
            for part in ("total", "checker", "double", "take")
        }
    ),
    "p-far-games": without(lambda rows: rows.game >= 3),
    "p-two-plays": unless(lambda rows: rows.of_plays("legal", 0) == 2),
    "p-odd-turns": unless(lambda rows: rows.no_double & (rows.turn % 2 == 0)),
    "p-behind": unless(lambda rows: ~rows.play & (rows.away > rows.away_of_other)),
    "p-between": charging(
        lambda rows: np.where((rows.error >= 0.05) & (rows.error < 0.06), 0, rows.error)
    ),
    "p-largest": charging(but_largest),
}
"""By a code."""
NAMED: Final[Mapping[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text("utf-8")
)
"""What the suite names of each planted fault; the others are not known."""
PARTS: Final = ("total", "checker", "double", "take")
USUAL: Final = (
    *("pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "snowie_memg"),
    *(f"decisions.{part}" for part in ("counted", *PARTS[1:])),
    *(f"moves.{part}" for part in ("total", "unforced", "forced")),
    *(f"{group}.{part}" for group in (*GROUPS[1:], "errors", "blunders") for part in PARTS),
    *(f"luck.{part}" for part in ("equity", "mwc_percent", "jokers", "rolls", "rate")),
)
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
