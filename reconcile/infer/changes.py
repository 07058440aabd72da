"""What a program may do otherwise: to the raw events of a match, to scored decisions, to the
figures that it shows. Each change is made of formulas of the catalogue.

What follows from changed events or decisions is computed by the ordinary code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from reconcile.infer.formulas import Formula, Scope, Values, formula
from reconcile.match.all_rows import over_all
from reconcile.match.columns import Columns, Cubes, Kind, Plays, Validity
from reconcile.match.match import Match
from reconcile.match.met.equity import stakes
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.dead_cubes import WIDEST_GAME, is_dead
from reconcile.scoring.figures import Figures, totals_of
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.score import Scored, chance_lost
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import CLASSES

MatchChange: TypeAlias = Callable[[Match], Match]
ScoredChange: TypeAlias = Callable[[Scored], Scored]
Both: TypeAlias = list[Figures]
"""The figures of both players, by seat."""
Earlier: TypeAlias = Callable[[], Sequence[Both]]
"""Computes the figures of the matches before."""
FiguresChange: TypeAlias = Callable[[Both, Statistics, Earlier], Both]
Table = TypeVar("Table", bound=Columns)
TABLES: Final = ("plays", "cubes", "resignations")
"""Of decisions; each row of them belongs to a game."""
LARGEST_CUBE: Final = 64
BAR: Final = 25
"""Of a position, the checkers on the bar."""


# Raw events


def places(table: Plays | Cubes) -> Values:
    """A number for the game and turn of each row."""
    return table.game * WIDEST_GAME + table.turn


def _last_of_games(plays: Plays, rows: Values) -> Values:
    """Whether each play is the last of its game among some."""
    last, chosen = np.zeros(len(plays), bool), np.flatnonzero(rows)
    last[chosen[np.flatnonzero(np.append(np.diff(plays.game[chosen]), 1))]] = True
    return last


def _openers(match: Match) -> Values:
    """Who rolls first, by game."""
    openers = np.zeros(len(match.games), int)
    games, rows = np.unique(match.plays.game, return_index=True)
    openers[games] = match.plays.player[rows]
    return openers


def _carried_cubes(match: Match) -> Values:
    """By game the cube at which those before it ended, had none begun with a new one."""
    highest = np.ones(len(match.games))
    for table in (match.plays, match.cubes):
        np.maximum.at(highest, table.game, table.cube)
    return np.minimum(np.cumprod(highest) / highest, LARGEST_CUBE)


def _owner_after_beaver(match: Match) -> Values:
    """Whether a cube row is an action, after a beaver, of the player who made it."""
    cubes, rows = match.cubes, np.zeros(len(match.cubes), bool)
    for beaver in np.flatnonzero(cubes.kind == Kind.BEAVER.value).tolist():
        later = (cubes.game == cubes.game[beaver]) & (cubes.turn > cubes.turn[beaver])
        rows |= later & (cubes.player == cubes.player[beaver]) & (cubes.kind < Kind.TAKE.value)
    return rows


def _after_dance(match: Match, turns: int) -> Values:
    """Whether the roll of a cube row, or one so many turns before, could not be played."""
    danced = places(match.plays)[~match.plays.moved]
    return np.isin(places(match.cubes) - turns, danced)


def _in_game(match: Match, kind: Kind) -> Values:
    """How many cube decisions of a kind each game has."""
    return np.bincount(match.cubes.game[match.cubes.kind == kind.value], minlength=len(match.games))


DERIVED: Final[Mapping[str, Callable[[Match], Values]]] = {
    "games.index": lambda match: np.arange(len(match.games)),
    "games.count": lambda match: np.full(len(match.games), len(match.games)),
    "games.cube": lambda match: 2 ** _in_game(match, Kind.TAKE),
    "games.passed": lambda match: _in_game(match, Kind.PASS) > 0,
    "games.post_crawford": lambda match: (
        (match.away == 1).any(axis=1) & ~match.games.crawford & (not match.is_money)
    ),
    "games.opener": _openers,
    "games.carried": _carried_cubes,
    "games.turned_score": lambda match: match.games.score[:, ::-1],
    "games.first_score": lambda match: match.games.score[0],
    "games.last_score": lambda match: match.games.score[-1],
    "games.leads": lambda match: match.games.score == (match.length or 0) - 1,
    "games.of_crawford": lambda match: match.games.crawford[:, np.newaxis],
    "plays.last": lambda match: _last_of_games(match.plays, match.plays.turn > 0),
    "plays.last_valid": lambda match: _last_of_games(
        match.plays, match.plays.validity == Validity.VALID.value
    ),
    "plays.doublet": lambda match: np.ptp(match.plays.dice, axis=1) == 0,
    "plays.on_bar": lambda match: match.plays.position[:, BAR],
    "plays.barred": lambda match: (
        (match.plays.owner < 0) | match.games.crawford[match.plays.game] | (match.length == 1)
    ),
    "cubes.of_beaver": _owner_after_beaver,
    "cubes.danced": lambda match: _after_dance(match, 0),
    "cubes.danced_before": lambda match: _after_dance(match, 2),
    "cubes.judged": lambda match: match.cubes.analysed & (match.cubes.access | ~is_dead(match)),
}
"""Columns that follow from those of a match, by table and name."""


def column(match: Match, table: str, name: str) -> Values:
    """A column of a table of a match, or one that follows from them."""
    derived = DERIVED.get(f"{table}.{name}")
    return derived(match) if derived else getattr(getattr(match, table), name)


def of_table(match: Match, table: str) -> Scope:
    """Columns of a table by name; those of `games.` by the game of each row."""

    def scope(name: str) -> Values:
        group, _, rest = name.partition(".")
        if rest:
            return column(match, group, rest)[getattr(match, table).game]
        return column(match, table, name)

    return scope


def rows_where(match: Match, table: str, condition: Formula) -> Values:
    """Whether each row of a table meets a condition."""
    size = len(getattr(match, table))
    return np.broadcast_to(np.asarray(condition(of_table(match, table)), bool), size)


def picked(table: Table, rows: Values, **columns: Values) -> Table:
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


def games_times(text: str) -> MatchChange:
    """Each game so many times; the match as it is where no game would be left."""
    times = formula(text)

    def change(match: Match) -> Match:
        index = np.arange(len(match.games))
        numbers = np.asarray(times(of_table(match, "games"))).astype(int)
        games = np.repeat(index, numbers)
        if not len(games) or np.array_equal(games, index):
            return match
        tables: dict[str, Any] = {"games": picked(match.games, games)}
        for name in TABLES:
            table = getattr(match, name)
            rows = [np.flatnonzero(table.game == game) for game in games.tolist()]
            own = np.repeat(np.arange(len(rows)), list(map(len, rows)))
            tables[name] = picked(table, np.concatenate(rows), game=own)
        return replace(match, **tables)

    return change


def not_read(table: str) -> Callable[[str], MatchChange]:
    """Without the rows of a table that meet a condition."""

    def change(condition: Formula, match: Match) -> Match:
        rows = np.flatnonzero(~rows_where(match, table, condition))
        return replace(match, **{table: picked(getattr(match, table), rows)})

    return lambda text: partial(change, formula(text))


def turns_not_read(text: str) -> MatchChange:
    """Without some rolls, and what was done with the cube before them."""
    condition = formula(text)

    def change(match: Match) -> Match:
        lost = rows_where(match, "plays", condition)
        left = ~np.isin(places(match.cubes), places(match.plays)[lost])
        plays = picked(match.plays, np.flatnonzero(~lost))
        return replace(match, plays=plays, cubes=picked(match.cubes, np.flatnonzero(left)))

    return change


def with_columns(columns: Mapping[str, str]) -> MatchChange:
    """Other columns of tables: by `table.column`, each by a formula over that table."""
    formulas = {name: formula(text) for name, text in columns.items()}

    def change(match: Match) -> Match:
        tables: dict[str, dict[str, Any]] = {}
        for name, compute in formulas.items():
            table, _, own = name.partition(".")
            before = getattr(getattr(match, table), own)
            kind = None if before.dtype.kind == "f" else before.dtype
            values = np.asarray(compute(of_table(match, table)), kind)
            tables.setdefault(table, {})[own] = np.broadcast_to(values, before.shape)
        changed = {name: getattr(match, name).replaced(**own) for name, own in tables.items()}
        return replace(match, **changed)

    return change


def with_points(text: str) -> MatchChange:
    """Scores as if games had been worth other points; nobody has all points that are needed."""
    points = formula(text)

    def change(match: Match) -> Match:
        games, won = match.games, np.zeros(match.games.score.shape, int)
        rows = np.flatnonzero(games.winner >= 0)
        won[rows, games.winner[rows]] = points(of_table(match, "games"))[rows]
        score = games.score[:1] + np.cumsum(won, axis=0) - won
        if match.length is not None:
            score = np.minimum(score, match.length - 1)
        return replace(match, games=games.replaced(score=score.astype(games.score.dtype)))

    return change


# Scored decisions


def of_decisions(scored: Scored) -> Scope:
    """Columns of decisions by name: of `plays.`, `cubes.` and the `view.` of these, unknown or 0 in
    other rows, of `games.`, and what the rules say of turns without a double (`Q02`)."""
    match, size = scored.match, len(scored.error)

    def placed(values: Values, start: int) -> Values:
        empty = np.nan if values.dtype.kind == "f" else 0
        rows = np.full(size, empty, values.dtype)
        rows[start : start + len(values)] = values
        return rows

    def scope(name: str) -> Values:
        group, _, rest = name.partition(".")
        if name in QUESTIONS:
            return placed(scored.rules.value(QUESTIONS[name])(scored.view), len(match.plays))
        if group == "games":
            return column(match, group, rest)[scored.game]
        if group == "view":
            return placed(getattr(scored.view, rest), len(match.plays))
        if rest:
            return placed(column(match, group, rest), len(match.plays) * (group == "cubes"))
        return OF_SCORED[name](scored) if name in OF_SCORED else getattr(scored, name)

    return scope


def _is_later_no_double(scored: Scored) -> Values:
    """Whether the player had another close no-double in the game before."""
    rows = np.flatnonzero((scored.kind == Kind.NO_DOUBLE.value) & scored.counted)
    first = np.unique(2 * scored.game[rows] + scored.player[rows], return_index=True)[1]
    later = np.zeros(len(scored.error), bool)
    later[np.delete(rows, first)] = True
    return later


def _play_counts(scored: Scored) -> Values:
    """Whether the play of the same turn counts."""
    match, size = scored.match, len(scored.error)
    counted = places(match.plays)[scored.counted[: len(match.plays)] > 0]
    return np.isin(scored.game * WIDEST_GAME + match.turns[:size], counted)


def _against_second(scored: Scored) -> Values:
    """The error against the best of the other candidates."""
    error = scored.error.astype(float)
    for row in np.flatnonzero(error[: len(scored.match.plays)] > 0).tolist():
        candidates = scored.match.candidates(row)
        equities = [(play.made, play.equity) for play in candidates if play.equity is not None]
        played = [equity for is_played, equity in equities if is_played]
        unplayed = [equity for is_played, equity in equities if not is_played]
        if played and unplayed:
            error[row] = abs(max(unplayed[1:] or unplayed) - played[0])
    return error


OF_SCORED: Final[Mapping[str, Callable[[Scored], Values]]] = {
    "turn": lambda scored: scored.match.turns[: len(scored.error)],
    "cube": lambda scored: over_all(scored.match, "cube")[: len(scored.error)],
    "later_no_double": _is_later_no_double,
    "play_counts": _play_counts,
    "against_second": _against_second,
}


def decisions_changed(columns: Mapping[str, str | float]) -> ScoredChange:
    """Other columns of the decisions `where` a condition is met. What an `error` (EMG) costs in
    chances follows from it, unless the `loss` is given."""
    formulas = {name: formula(text) for name, text in columns.items()}
    condition = formulas.pop("where", formula("True"))

    def change(scored: Scored) -> Scored:
        scope = of_decisions(scored)
        rows = condition(scope)
        values: dict[str, Any] = {
            name: np.where(rows, compute(scope), getattr(scored, name))
            for name, compute in formulas.items()
        }
        if "error" in values and "loss" not in values:
            error = np.asarray(values["error"], scored.error.dtype)
            loss = chance_lost(error, scored.win, scored.lose, scored.met)
            values = {"error": error, "loss": loss}
        return replace(scored, **values)

    return change


def charged_to_both(text: str) -> ScoredChange:
    """Errors that are the other player's, too: added to one of that player's decisions of the
    class."""
    condition = formula(text)

    def change(scored: Scored) -> Scored:
        error, loss = scored.error.astype(float), scored.loss.astype(float)
        rows = condition(of_decisions(scored))
        for seat in (0, 1):
            wrong = rows & (scored.error > 0) & (scored.player == 1 - seat)
            own = np.flatnonzero((scored.player == seat) & rows)
            target = own if len(own) else np.flatnonzero(scored.player == seat)
            if len(target):
                error[target[0]] += scored.error[wrong].sum()
                loss[target[0]] += scored.loss[wrong].sum()
        return replace(scored, error=error, loss=loss)

    return change


def weighed(change: Mapping[str, Any]) -> ScoredChange:
    """The same errors, weighed at another `cube`, in a match that is so much `longer`, or with
    other columns of its games."""
    cube, longer = formula(change.get("cube", "cube")), change.get("longer", 0)
    events = {name: text for name, text in change.items() if "." in name}

    def changed(scored: Scored) -> Scored:
        match = scored.match
        if (events or longer) and match.length is not None:
            match = replace(with_columns(events)(match), length=max(match.length + longer, 1))
        cubes = np.broadcast_to(cube(of_decisions(scored)), scored.error.shape)
        values = np.maximum(cubes, 1).astype(int)
        at_stake = stakes(match, scored.met, int(values.max(initial=1)))
        win, lose = at_stake.of(scored.game, scored.player, values)
        loss = chance_lost(scored.error, win, lose, scored.met)
        return replace(scored, win=win, lose=lose, loss=loss)

    return changed


# Figures


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's figures beside the opponent's, and the match that they are of."""

    both: Both
    seat: int
    statistics: Statistics
    earlier: Earlier

    def number(self, name: str) -> Values:
        """A figure (`pr`), one of somebody else (`their.pr`, see `WHOSE`) or one of `BESIDE`."""
        if name in BESIDE:
            return BESIDE[name](self.statistics.match, self.seat)
        whose, _, rest = name.partition(".")
        return WHOSE[whose](self, rest) if whose in WHOSE else self.both[self.seat].get(name)

    def figures_of_games(self, name: str) -> list[float]:
        """A figure of each game that has it."""
        games = range(len(self.statistics.match.games))
        rates = [self.statistics.figures_at(self.seat, game)[name] for game in games]
        return [float(rate) for rate in rates if rate is not None]

    def rolls(self, name: str) -> Values:
        """A column of the player's rolls."""
        match = self.statistics.match
        return of_table(match, "plays")(name)[match.plays.player == self.seat]

    def errors(self, name: str) -> Values:
        """The errors (EMG) of each decision of a class, or of all."""
        scored = self.statistics.scored
        rows = scored.player == self.seat
        if name in CLASSES:
            rows &= scored.decision_class == CLASSES[name]
        return scored.error[rows].astype(float)


WHOSE: Final[Mapping[str, Callable[[PlayerFigures, str], Values]]] = {
    "their": lambda side, name: side.both[1 - side.seat].get(name),
    "first": lambda side, name: side.both[0].get(name),
    "second": lambda side, name: side.both[1].get(name),
    "both": lambda side, name: sum(own.get(name) or 0 for own in side.both),
    "before": lambda side, name: sum(both[side.seat].get(name) or 0 for both in side.earlier()),
    "games": PlayerFigures.figures_of_games,
    "errors_of": PlayerFigures.errors,
    "rolls": PlayerFigures.rolls,
}
"""By what stands before the name of a figure."""


BESIDE: Final[Mapping[str, Callable[[Match, int], Values]]] = {
    "games": lambda match, seat: len(match.games),
    "length": lambda match, seat: match.length or 0,
    "resignations": lambda match, seat: int((match.resignations.player == seat).sum()),
    "named_later": lambda match, seat: match.players[0] > match.players[1],
    "second_begins": lambda match, seat: match.plays.player[:1].tolist() == [1],
}
"""By name, what formulas of figures use that is no figure."""


def by_formulas(formulas: Mapping[str, str | float]) -> FiguresChange:
    """Figures by formulas over what `PlayerFigures.number` has, in matches in which the `only_if`
    among them holds. What is unknown stays so, but where all figures (`*`) are another player's;
    in a sum it is 0.

    A key may be a pattern; then `*` in a formula is what `*` stands for, and `figure` the figure. A
    figure whose formula divides by 0 stays as it is.
    """
    condition = formula(formulas.get("only_if", "True"))
    compute = {name: (text, formula(text)) for name, text in _by_name(formulas)}

    def of_player(side: PlayerFigures) -> Iterator[tuple[str, Values]]:
        own = side.both[side.seat]

        def scope(name: str) -> Values:
            value = side.number(name)
            return 0 if value is None else value

        for name, (text, value) in compute.items() if condition(scope) else ():
            if own.get(name) is None and "*" not in formulas:
                continue
            if text.replace(".", "").isidentifier():
                yield name, side.number(text)
            else:
                try:
                    yield name, np.asarray(value(scope)).item()
                except ZeroDivisionError:
                    yield name, own[name]

    return lambda both, statistics, earlier: [
        own | dict(of_player(PlayerFigures(both, seat, statistics, earlier)))
        for seat, own in enumerate(both)
    ]


def _by_name(formulas: Mapping[str, str | float]) -> Iterator[tuple[str, str]]:
    """Every figure that a pattern names, with its formula."""
    for pattern, text in formulas.items():
        start, _, end = pattern.partition("*")
        for name in METRICS:
            if fnmatchcase(name, pattern):
                part = name[len(start) : len(name) - len(end)]
                yield name, re.sub(r"(?<=\.)\*", part, str(text)).replace("figure", name)


def together(both: Both, statistics: Statistics, earlier: Earlier = list) -> Both:
    """The figures of both players together: sums, and rates of sums."""
    sums = {
        name: np.stack([table.sum(axis=0)] * 2) for name, table in statistics.sums.match.items()
    }
    is_money, one_point = statistics.match.is_money, statistics.match.length == 1
    totals = totals_of(sums, statistics.rules, is_money=is_money, one_point=one_point)
    rates = figures_of(totals, RATES)
    added: Figures = {}
    for name, first in both[0].items():
        second = both[1][name]
        added[name] = None if first is None or second is None else first + second
    added |= {name: float(rates[name][0]) for name in rates if added[name] is not None}
    return [added, dict(added)]


RATES: Final = ("pr", "checker_pr", "cube_pr", "error_rate_memg")
"""Those per decision."""
