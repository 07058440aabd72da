"""Programs with a fault each, which `planted.yaml` lists: changes to the raw events of a match, to
what a decision costs, to what is shown. They share no code with the diagnosis.

One of them runs behind the protocol of a harness:

    python -m tests.support.planted FAULT RULES
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd

from reconcile.formats import load_match
from reconcile.gate.candidates.harness import About
from reconcile.infer.reported import printed_figure
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, chance_lost, score
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.suite.cases import every
from reconcile.suite.run import Asking, Figures, Ran
from tests.support.loaded import only_games, picked
from tests.support.tables import beside

Shown = dict[str, Any]
"""Figures of a player, as a program has them before it prints."""
Steps = Mapping[str, Any]
"""What a program does otherwise, as `planted.yaml` has it."""


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

    def answers(self, matches, rules):
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


def values_of(expression, columns):
    """The values of an expression of pandas over some columns."""
    series = {
        name: pd.Series(column) if isinstance(column, list | np.ndarray) else column
        for name, column in columns.items()
    }
    return np.asarray(pd.eval(expression, engine="python", resolvers=[series]))


def columns_of(table):
    """The columns of a table of a match; a pair is two columns."""
    columns = {name: getattr(table, name) for name in table.names()}
    arrays = {name: value for name, value in columns.items() if isinstance(value, np.ndarray)}
    flat = {name: column for name, column in arrays.items() if column.ndim == 1}
    scores = columns.get("score", np.zeros((0, 2))).T
    return (
        flat | with_kinds(flat.get("kind")) | dict(zip(("score_0", "score_1"), scores, strict=True))
    )


def with_kinds(kinds):
    """A column for each kind of decision."""
    answers = np.isin(kinds, [Kind.TAKE.value, Kind.PASS.value])
    return {f"is_{kind.name.lower()}": kinds == kind.value for kind in Kind} | {
        "is_answer": answers
    }


def for_each_table(match, change):
    """The tables of decisions, each changed."""
    return {name: change(getattr(match, name)) for name in ("plays", "cubes", "resignations")}


def of_games(match, conditions):
    """The match of these games alone, or of its first."""
    columns = columns_of(match.games)
    columns |= {"index": np.arange(len(match.games)), "games": len(match.games)}
    chosen = np.concatenate([np.flatnonzero(values_of(each, columns)) for each in conditions])
    return only_games(match, chosen if len(chosen) else np.array([0]))


def events_of(steps, match):
    """What is read of a match."""
    for name, columns in steps.get("set", {}).items():
        table = getattr(match, name)
        changed = {}
        for column, expressions in columns.items():
            own, usual = getattr(table, column), columns_of(table)
            values = [np.broadcast_to(values_of(each, usual), len(own)) for each in expressions]
            changed[column] = np.array(values, own.dtype).T.reshape(own.shape)
        match = replace(match, **{name: table.replaced(**changed)})
    if "games" in steps:
        match = of_games(match, steps["games"])
    for name, condition in steps.get("lose", {}).items():
        table, cubes = getattr(match, name), match.cubes
        gone = values_of(condition, columns_of(table))
        match = replace(match, **{name: picked(table, np.flatnonzero(~gone))})
        if name == "plays":
            lost = np.isin(turns_of(cubes), turns_of(table)[gone])
            match = replace(match, cubes=picked(cubes, np.flatnonzero(~lost)))
    return match


def turns_of(table):
    """A number for each turn of a match."""
    return table.game * 10_000 + table.turn


def cube_not_reset(match):
    """Every game begins with the cube at which the one before it ended."""
    cubes = [pd.Series(table.cube, table.game) for table in (match.plays, match.cubes)]
    ends = pd.concat(cubes).groupby(level=0).max().reindex(range(len(match.games)), fill_value=1)
    starts = np.minimum(np.cumprod([1, *ends])[:-1], 64)
    changed = for_each_table(
        match, lambda table: table.replaced(cube=table.cube * starts[table.game])
    )
    return replace(match, plays=changed["plays"], cubes=changed["cubes"])


def gammons_twice(match):
    """Scores as if every gammon had been worth twice its points; nobody has more than all points
    but one."""
    games = match.games
    takes = match.cubes.game[match.cubes.kind == Kind.TAKE.value]
    stakes = 2 ** np.bincount(takes, minlength=len(games))
    worth = games.points * (1 + (games.points > stakes))
    won = (games.winner[:, None] == [0, 1]) * worth[:, None]
    scores = games.score[0] + np.cumsum(won, axis=0) - won
    scores = scores if match.length is None else np.minimum(scores, match.length - 1)
    return replace(match, games=games.replaced(score=scores.astype(games.score.dtype)))


def seats_by_opener(match):
    """In every game the player who moves first is the first player."""
    openers = pd.Series(match.plays.player, match.plays.game).groupby(level=0).first()
    second = openers.reindex(range(len(match.games)), fill_value=0).to_numpy()
    return replace(
        match,
        **for_each_table(
            match, lambda table: table.replaced(player=table.player ^ second[table.game])
        ),
    )


# Decisions


def rows_of(scored):
    """The rows of a scored match, by what a program may get wrong about them."""
    match, view, plays, count = scored.match, scored.view, scored.match.plays, len(scored.error)
    away = match.away[scored.game]
    crawford = match.games.crawford[scored.game]
    turn = match.turns[:count]
    danced = np.isin(scored.game * 10_000 + turn, turns_of(plays)[~plays.moved])

    def over_all_rows(values, start=0):
        rest = (start, count - start - len(values))
        return np.pad(np.asarray(values, float), rest, constant_values=np.nan)

    kinds = with_kinds(scored.kind)
    cubes = [table.cube for table in (plays, match.cubes, match.resignations)]
    columns = {
        name: getattr(scored, name) for name in ("error", "loss", "player", "counted", "game")
    }
    return (
        columns
        | kinds
        | {
            "turn": turn,
            "cube": np.concatenate(cubes)[:count],
            "away": np.where(scored.player, away[:, 1], away[:, 0]),
            "their_away": np.where(scored.player, away[:, 0], away[:, 1]),
            "winner": match.games.winner[scored.game],
            "crawford": crawford,
            "post_crawford": (away == 1).any(axis=1) & ~crawford & (not match.is_money),
            "after_dance": kinds["is_no_double"] & danced,
            "legal": over_all_rows(plays.legal),
            "moved": over_all_rows(plays.moved),
            "doublet": over_all_rows(plays.dice[:, 0] == plays.dice[:, 1]),
            "no_double": over_all_rows(view.no_double, len(plays)),
            "cost": over_all_rows(view.no_double - view.least, len(plays)),
            "access": over_all_rows(view.access, len(plays)),
        }
    )


def judged(steps, scored):
    """The decisions as a program counts and charges them, and what they cost of the match."""
    if "rows" not in steps:
        return scored
    columns = rows_of(scored)
    changed = {name: values_of(text, columns) for name, text in steps["rows"].items()}
    if "counted" in changed and changed["counted"].dtype != bool:
        changed["counted"] = changed["counted"].astype(np.int8)
    scored = replace(scored, **changed)
    return scored if "loss" in changed else costing(scored, scored.error)


def costing(scored, error):
    """Other errors, and what they cost of the match."""
    error = np.asarray(error, scored.error.dtype)
    loss = chance_lost(error, scored.win, scored.lose, scored.met)
    return replace(scored, error=error, loss=loss)


def answers_to_both(scored):
    """The error of a take or pass is charged to both: it is added to a row of the other player's,
    an answer if there is one."""
    error, loss = scored.error.astype(float).copy(), scored.loss.astype(float).copy()
    answers = np.isin(scored.kind, [Kind.TAKE.value, Kind.PASS.value])
    for row in np.flatnonzero(answers & (scored.error > 0)).tolist():
        other = scored.player != scored.player[row]
        target = [*np.flatnonzero(other & answers), *np.flatnonzero(other)][0]
        error[target] += scored.error[row]
        loss[target] += scored.loss[row]
    return replace(scored, error=error, loss=loss)


# Figures


def shown(steps, both, computed):
    """The figures of both players as a program shows them; what is unknown stays so."""
    for begins, seats in steps.get("seats", {}).items():
        both = [
            own | {name: both[seat][name] for name in own if name.startswith(begins)}
            for own, seat in zip(both, seats, strict=True)
        ]
    for begins, factor in steps.get("scale", {}).items():
        both = [
            {
                name: value * factor if value and name.startswith(begins) else value
                for name, value in own.items()
            }
            for own in both
        ]
    if "show" in steps:
        numbers = pd.DataFrame(both).fillna(0.0).infer_objects()
        columns: dict[str, Any] = {
            str(name).replace(".", "_"): numbers[name].to_numpy() for name in numbers
        }
        columns |= {f"their_{name}": column[::-1] for name, column in columns.items()}
        error, player = computed.scored.error, computed.scored.player
        columns["over_a_twentieth"] = [(error[player == seat] >= 0.0499).sum() for seat in (0, 1)]
        columns |= {"games": len(computed.match.games), "length": computed.match.length or 0}
        for name, text in steps["show"].items():
            values = np.broadcast_to(np.nan_to_num(values_of(str(text), columns)), 2).tolist()
            both = [
                own | ({} if own.get(name) is None else {name: value})
                for own, value in zip(both, values, strict=True)
            ]
    return both


def mean_of_games(both, computed):
    """The rates are means of those of the games."""
    games = range(len(computed.match.games))
    rates = ["pr", "checker_pr", "cube_pr"]
    means: list[dict[Any, float]] = [
        pd.DataFrame([computed.figures_at(seat, game) for game in games])[rates].mean().to_dict()
        for seat in (0, 1)
    ]
    return [
        own | {name: None if np.isnan(mean) else mean for name, mean in rates_of.items()}
        for own, rates_of in zip(both, means, strict=True)
    ]


def luck_goes_on(both, earlier):
    """Luck is not set to nothing between matches."""
    name = "luck.equity"
    before = [sum(figures[seat][name] or 0 for figures in earlier) for seat in (0, 1)]
    return [
        own | ({} if own[name] is None else {name: own[name] + more})
        for own, more in zip(both, before, strict=True)
    ]


def program(steps):
    """The program that does this."""

    def rules(own):
        for question, answer in steps.get("rules", {}).items():
            own = own.switched(question, answer)
        return own

    return Program(
        events=lambda match: events_of(steps, match),
        rules=rules,
        table=steps.get("table", ""),
        decisions=lambda scored: judged(steps, scored),
        shows=lambda both, computed: shown(steps, both, computed),
    )


LISTED: Final[Mapping[str, Any]] = beside(__file__)
UNSEEN: Final[Mapping[str, Program]] = {
    name: program(steps) for name, steps in LISTED["unseen"].items()
} | {
    "cube not reset": Program(events=cube_not_reset),
    "gammons twice": Program(events=gammons_twice),
    "opener first": Program(events=seats_by_opener),
    "takes to both": Program(decisions=answers_to_both),
    "mean of games": Program(shows=mean_of_games),
    "luck goes on": Program(keeps=luck_goes_on),
}
"""By a short name."""
PLANTED: Final[Mapping[str, Program]] = {
    code: program(steps) for code, steps in LISTED["planted"].items()
} | {"p-longer": Program(events=lambda m: replace(m, length=m.length + 1) if m.length else m)}
"""By a code."""
NAMED: Final[Mapping[str, list[str]]] = LISTED["named"]
USUAL: Final[Sequence[str]] = LISTED["printed"]
"""What the programs print."""


def printed(figures, names=USUAL):
    """A player's figures as programs print them."""
    return {
        name: METRICS[name].shown(figures[name]) for name in names if figures.get(name) is not None
    }


def shown_by(program, match, rules):
    """The printed figures of both players of one match."""
    (both,) = program.answers([match], RULE_SETS[rules])
    return [printed(own) for own in both]


def suite_run(program, rules="xg", claimed="xg", step=1):
    """A run of the suite, or of a part of it, on a program; one that fails on a case is started
    again."""
    asked: list[Asking] = []
    cases = every()[::step]
    matches = [case.read(case.formats[0]) for case in cases]
    answers = program.answers(matches, RULE_SETS[rules])
    for case in cases:
        figures, crashed = Figures(), ""
        try:
            for player, own in zip(case.players, next(answers), strict=True):
                for name, text in printed(own).items():
                    figures.setdefault(player, {})[name] = printed_figure(name, text, "")
        except Exception as error:  # whatever a program does
            figures, crashed = {}, repr(error)
            answers = program.answers(matches[len(asked) + 1 :], RULE_SETS[rules])
        asked.append(Asking(case, case.formats[0], figures, crashed=crashed))
    return Ran(About("prog", "1", rules=claimed), tuple(asked))


def main(code, rules):
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
