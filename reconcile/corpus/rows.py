"""Matches as rows of the tables: whole columns of many matches at once, since a match alone has
only a few hundred rows.

Every rule set scores all matches that are alike in one pass (`reconcile.scoring.joined`).
Nothing in a row depends on the other matches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.corpus.identity import Identity, identity
from reconcile.corpus.situations import Actions, keys_of, labelled
from reconcile.corpus.tables import PARTS, column_of, rows_schemas
from reconcile.match.all_rows import evaluated, kinds, over_all
from reconcile.match.columns import Ints, Kind
from reconcile.match.match import Level, Match
from reconcile.match.met import Met
from reconcile.match.phases import PHASES, phases
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import Q16, QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.decision_table import Decisions
from reconcile.scoring.figures import point_factor, totals_of
from reconcile.scoring.grades import graded
from reconcile.scoring.joined import groups, joined
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.open_rules import pr_ranges
from reconcile.scoring.score import rescored, score
from reconcile.scoring.statistics import Statistics, legal_plays, of_decisions, result_of, table_of
from reconcile.scoring.sums import EXPECTED, Numbers, Sums, Table, Totals, complete

KINDS: Final = tuple(kind.label for kind in Kind)

CHOICES: Final = np.array([0, 1, 1, 2, 2, 2, 3, 4])
"""By kind of decision what is chosen between: doubling or not, for example."""
FRACTIONS: Final = ("rated_error", "pr_low", "pr_high", "rating")
"""Numbers of a table of owners that are no metric and not whole."""

WORTH: Final = ("equity_played", "equity_best", "chance_before", "chance_after")
"""What a decision was worth."""
CHANGED: Final = ("pr", "decisions.counted")
"""The figures that a question is held against."""

Columns = dict[str, Any]
Tables = dict[str, pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class Read:
    """A match that was read."""

    number: int
    """Of the match in its part."""
    match: Match
    sha256: str
    """Of its file."""
    fragment: str
    """The suffix after the file's name if the file has several matches."""


def rows_of(read: Sequence[Read], rules: Sequence[str]) -> Iterable[Tables]:
    """The rows of these matches in every table, a batch for each group of alike matches; in a batch
    they are in order.

    Raises `UnreadableFile` if one of them cannot be scored.
    """
    for places in groups([each.match for each in read], [RULE_SETS[name] for name in rules]):
        tables = _Group([read[place] for place in places], rules).tables()
        yield {
            name: pa.RecordBatch.from_pydict(tables[name], schema=schema)
            for name, schema in rows_schemas(tuple(rules)).items()
        }


class _Group:
    """Alike matches, scored under every rule set."""

    def __init__(self, read: Sequence[Read], rules: Sequence[str]) -> None:
        self.read, self.rules = read, rules
        self.matches = matches = [each.match for each in read]
        legal = np.concatenate([legal_plays(match.plays, match.source.path) for match in matches])
        self.match = joined(matches)
        asked = [RULE_SETS[name] for name in rules]
        if any(each.value(Q16) for each in asked):
            self.match = with_dead_cubes(self.match)  # so that every rule set has the same rows
        self.scored = [
            Statistics(score(self.match, each, table_of(self.match, each)), legal) for each in asked
        ]
        sizes = np.array([len(match.games) for match in matches])
        self.match_of_game = np.repeat(np.arange(len(matches)), sizes)
        self.first_game = np.cumsum(sizes) - sizes
        self.numbers = np.array([each.number for each in read], np.int64)
        self.one_point = np.array([match.length == 1 for match in matches]).reshape(-1, 1)
        self.names = pa.array([name for match in matches for name in match.names], pa.string())
        self.sums = self.summed()
        self.by_match = [own.matches(self.first_game) for own in self.sums]
        self.by_game = [own.games for own in self.sums]

    def summed(self) -> list[_Both]:
        """By rule set, the sums that depend on the rules, and the others, which rule sets with one
        match equity table share."""
        games, shared = len(self.match.games), dict[Met, Sums]()
        sums = []
        for scored in self.scored:
            table = scored.scored.met
            if table not in shared:
                shared[table] = Sums(games, *scored.without_rules)
            own = Sums(games, of_decisions(scored.scored), graded(scored.scored))
            sums.append(_Both(own, shared[table]))
        return sums

    def tables(self) -> dict[str, Columns]:
        """The columns of every table."""
        return {
            "matches": self.of_matches(),
            "players": self.players(),
            "games": self.games(),
            "questions": self.questions(),
            "decisions": self.decisions(),
        }

    def of_matches(self) -> Columns:
        """A row for every match."""
        totals, matches = self.by_match[0], self.matches
        identities = [identity(match) for match in matches]
        levels = [match.usual_level for match in matches]
        covered = {
            name: {part: totals[f"{part} {name}"] for part in ("checker", "cube")}
            for name in ("analysed", "expected")
        }
        shown = np.logical_and(
            *(
                complete(covered["analysed"][part], covered["expected"][part])
                for part in ("checker", "cube")
            )
        )
        sums = {name: sum(map(_of_both, parts.values())) for name, parts in covered.items()}
        of_source, of_match = ("format", "tool", "tool_version"), ("event", "date", "length")
        return {
            "match": self.numbers,
            "file": [read.fragment for read in self.read],
            "sha256": [read.sha256 for read in self.read],
            **dict(zip(Identity._fields, zip(*identities, strict=True), strict=True)),
            "analysis_id": [
                _analysis_id(*each) for each in zip(self.read, identities, levels, strict=True)
            ],
            **dict.fromkeys(("duplicate_of", "same_as", "twin_of"), [None] * len(matches)),
            **{name: [getattr(match.source, name) for match in matches] for name in of_source},
            **{f"player{seat}": [match.names[seat] for match in matches] for seat in (0, 1)},
            **{name: [getattr(match, name) for match in matches] for name in of_match},
            "games": [len(match.games) for match in matches],
            "complete": [match.complete for match in matches],
            "level_name": [level and level.label for level in levels],
            "lookahead": [level and level.lookahead for level in levels],
            **sums,
            "fully_analysed": (sums["analysed"] > 0) & shown.all(axis=1),
        }

    # -- figures

    def players(self) -> Columns:
        """Figures per match, rule set and seat."""
        owners = np.arange(len(self.read))
        results = [result_of(match) for match in self.matches]
        result = {
            name: np.array([np.broadcast_to(each[name], 2) for each in results])
            for name in results[0]
        }
        figures = [
            self.figures(scored, totals, owners, **result)
            for scored, totals in zip(self.scored, self.by_match, strict=True)
        ]
        ratings = np.array([match.ratings for match in self.matches], np.float64)
        more = self.ranges() | {"rating": [ratings] * len(self.rules)}
        return self.owners(figures, self.by_match, owners, np.zeros(len(owners), np.int64), more)

    def ranges(self) -> dict[str, list[Numbers]]:
        """By column, for every rule set the ends of the PR that its open answers, or what a file
        does not show, leave."""
        unknown = np.full((len(self.read), 2), np.nan)
        ends = [
            pr_ranges(
                scored.scored,
                self.totals(scored.rules, totals),
                self.first_game,
                self.one_point,
            )
            if scored.rules.alternatives or bool(scored.rules.value(Q16))
            else (unknown, unknown)
            for scored, totals in zip(self.scored, self.by_match, strict=True)
        ]
        return {"pr_low": [low for low, _ in ends], "pr_high": [high for _, high in ends]}

    def games(self) -> Columns:
        """Figures per game, rule set and seat."""
        games = self.match.games
        figures = [
            self.figures(scored, totals, self.match_of_game)
            for scored, totals in zip(self.scored, self.by_game, strict=True)
        ]
        won = np.where(games.winner[:, np.newaxis] == (0, 1), games.points[:, np.newaxis], 0)
        more = {
            "game": [np.broadcast_to(games.number[:, np.newaxis], won.shape)] * len(figures),
            "won": [np.where(games.winner[:, np.newaxis] < 0, np.nan, won)] * len(figures),
        }
        return self.owners(figures, self.by_game, self.match_of_game, np.arange(len(games)), more)

    def figures(
        self, scored: Statistics, totals: Mapping[str, Table], owners: Ints, **result: Table
    ) -> dict[str, Numbers]:
        """By metric, shape (owners, 2 seats); `result` are those of whole matches, see
        `result_of`."""
        return figures_of(self.totals(scored.rules, totals, owners, **result), METRICS)

    def totals(
        self,
        rules: RuleSet,
        sums: Mapping[str, Table],
        owners: Ints | slice = slice(None),
        **result: Table,
    ) -> Totals:
        """Sums with what turns them into figures."""
        one_point = self.one_point[owners]
        return totals_of(sums, rules, is_money=self.match.is_money, one_point=one_point, **result)

    def owners(
        self,
        figures: Sequence[Mapping[str, Numbers]],
        totals: Sequence[Mapping[str, Table]],
        owners: Ints,
        games: Ints,
        more: Mapping[str, list[Any]],
    ) -> Columns:
        """The columns of a table of owners, in the order match, rule set, seat, game; `owners` has
        the match of each."""
        shape = len(figures), len(owners), 2
        rule, owner, seat = (index.ravel() for index in np.indices(shape))
        order = np.lexsort((games[owner], seat, rule, owners[owner]))
        factors = [point_factor(scored.rules, self.one_point[owners]) for scored in self.scored]
        both = _of_both(totals[0]["moves"])
        errors = [each["equity_error.total"] for each in figures]
        numbers: dict[str, Any] = {
            **{name: [each[name] for each in figures] for name in METRICS},
            "moves_both": [np.stack((both, both), axis=1)] * len(figures),
            "rated_error": [error * factor for error, factor in zip(errors, factors, strict=True)],
            **{f"{part}_expected": [each[EXPECTED[part]] for each in totals] for part in PARTS},
            **{f"{part}_analysed": [each[f"{part} analysed"] for each in totals] for part in PARTS},
            **more,
        }
        table = np.array([*numbers.values()], np.float64).reshape(len(numbers), -1)[:, order]
        place, seat = owners[owner][order], seat[order].astype(np.int8)
        columns: Columns = {
            "match": self.numbers[place],
            "seat": seat,
            "name": self.names.take(pa.array(2 * place + seat)),
            "rules": labelled(rule[order], self.rules),
        }
        for name, values in zip(numbers, table, strict=True):
            is_whole = METRICS[name].is_whole if name in METRICS else name not in FRACTIONS
            columns[column_of(name)] = _nullable(values, is_whole=is_whole)
        return columns

    # -- questions

    def questions(self) -> Columns:
        """How much each question alone changes PR and the number of decisions from the first rule
        set towards the second."""
        here, before = self.scored[0].rules, self.by_match[0]
        there = RULE_SETS[self.rules[1]].for_match(self.match)[0] if len(self.rules) > 1 else here
        codes = [
            code
            for code, answer in here.answers.items()
            if answer != there.answers[code] and QUESTIONS[code].is_varied
        ]
        old = np.array([*figures_of(self.totals(here, before), CHANGED).values()])
        changes = [
            np.array([*self._switched(code, there.answers[code]).values()]) - old for code in codes
        ]
        shape = len(self.read), len(codes), 2
        place, code, seat = (index.ravel() for index in np.indices(shape))
        values = np.array(changes, np.float64).reshape(len(codes), 2, len(self.read), 2)
        return {
            "match": self.numbers[place],
            "seat": seat.astype(np.int8),
            "name": self.names.take(pa.array(2 * place + seat)),
            "question": labelled(code, codes),
            "from": labelled(code, [here.answers[each] for each in codes]),
            "to": labelled(code, [there.answers[each] for each in codes]),
            "pr": _nullable(values[code, 0, place, seat], is_whole=False),
            "decisions": _nullable(values[code, 1, place, seat], is_whole=True),
        }

    def _switched(self, code: str, answer: str) -> dict[str, Numbers]:
        """PR and the number of decisions with another answer to one question."""
        first, question = self.scored[0], QUESTIONS[code]
        rules, sums = first.rules.switched(code, answer), self.by_match[0]
        if question.effect is Effect.DECISIONS and question.matters(self.match):
            again = of_decisions(rescored(first.scored, rules))
            sums = sums | Sums(len(self.match.games), again).matches(self.first_game)
        return figures_of(self.totals(rules, sums), CHANGED)

    # -- decisions

    def _keys(self, positions: pa.Array, dice: Ints, cube: Ints, game: Ints, seat: Ints) -> Ints:
        """By row the key of its decision: position, dice, cube, score and rules; the response to a
        double is another decision."""
        match = self.match
        content = b"".join(positions.to_pylist())
        halves = np.frombuffer(content, np.uint8).reshape(-1, 5, 2).view("<u2").astype(np.int64)
        owner = np.concatenate((match.plays.owner, match.cubes.owner))
        # Money sessions with and without it are scored together.
        jacoby = np.array([each.is_money and each.rules.jacoby for each in self.matches])
        return _mixed(
            *halves.reshape(-1, 5).T,
            dice.max(1),
            dice.min(1),
            cube,
            _filled(owner, len(cube), 0),
            match.away[game, seat],
            match.away[game, 1 - seat],
            match.games.crawford[game],
            jacoby[self.match_of_game[game]],
            CHOICES[kinds(match)],
        )

    def decisions(self) -> Columns:
        """Every play, cube decision and resignation, match by match."""
        match, plays, cubes = self.match, self.match.plays, self.match.cubes
        game = over_all(match, "game")
        owner = self.match_of_game[game]
        order = np.argsort(owner, kind="stable")
        size, seat = len(order), over_all(match, "player")
        dice = np.zeros((size, 2), np.int8)
        dice[: len(plays)] = plays.dice
        no_dice = np.arange(size)[order] >= len(plays)
        cube = np.concatenate((plays.cube, cubes.cube, match.resignations.cube))
        positions = keys_of(match, self.matches)
        judged = Decisions(self.scored[0].scored)
        worth = zip(WORTH, (*judged.equities, *judged.chances), strict=True)
        values = {name: _filled(each, size, np.nan) for name, each in worth}
        is_best = values["equity_played"] == values["equity_best"]
        values["luck"] = _filled(plays.luck, size, np.nan)
        scored = [each.scored for each in self.scored]
        actions = Actions(scored, self.matches, self.match_of_game)
        return {
            "match": self.numbers[owner[order]],
            "game": match.games.number[game][order],
            "turn": match.turns[order],
            "seat": seat[order],
            "kind": labelled(kinds(match)[order], KINDS),
            "die1": pa.array(dice[order, 0], mask=no_dice),
            "die2": pa.array(dice[order, 1], mask=no_dice),
            "cube": cube[order],
            "phase": labelled(_filled(phases(match), size, -1)[order], PHASES),
            "away": _unless_money(match, match.away[game, seat][order]),
            "opponent_away": _unless_money(match, match.away[game, 1 - seat][order]),
            "analysed": evaluated(match)[order],
            "position": positions.take(pa.array(order)),
            "key": self._keys(positions, dice, cube, game, seat)[order],
            **actions.columns(order, is_best),
            **{name: _nullable(each[order], is_whole=False) for name, each in values.items()},
            **self._under_rules(order),
        }

    def _under_rules(self, order: Ints) -> Columns:
        """Whether a decision counts and what it costs under every rule set, in this order of all
        rows."""
        columns, size, analysed = Columns(), len(order), evaluated(self.match)
        for name, statistics in zip(self.rules, self.scored, strict=True):
            column, scored = name.replace("-", "_"), statistics.scored
            # Rule sets that leave resignations out have no rows for them.
            is_known = analysed & (np.arange(size) < len(scored.error))
            loss = np.where(self.match.is_money, np.nan, scored.loss.astype(np.float64) * 100)
            columns[f"counted_{column}"] = _filled(scored.counted, size, False)[order]
            for kind, values in (("error", scored.error), ("loss", loss)):
                shown = np.where(is_known, _filled(values, size, np.nan), np.nan)
                columns[f"{kind}_{column}"] = _nullable(shown[order], is_whole=False)
        return columns


class _Both(NamedTuple):
    """The sums of a rule set."""

    own: Sums
    """Those that depend on the rules."""
    shared: Sums
    """The others."""

    @property
    def games(self) -> dict[str, npt.NDArray[Any]]:
        """By game."""
        return self.own.games | self.shared.games

    def matches(self, first: Ints) -> dict[str, npt.NDArray[Any]]:
        """By match, where `first` has the first game of each."""
        return self.own.matches(first) | self.shared.matches(first)


def _of_both(table: Table) -> Numbers:
    """The sum of both seats."""
    both: Numbers = table.sum(axis=1)
    return both


def _mixed(*columns: Any) -> Ints:
    """A number from whole numbers of each row, the same on every machine: splitmix64 over them."""
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(1)).astype(np.int64)


def _analysis_id(read: Read, names: Identity, level: Level | None) -> str:
    source, label = read.match.source, level and level.label
    program = source.tool, source.tool_version, label
    stated = (read.sha256, read.fragment, names.match_id, *program)
    return sha256(json.dumps(stated).encode()).hexdigest()


def _nullable(values: Numbers, *, is_whole: bool) -> pa.Array:
    """Numbers, null where they are NaN."""
    unknown = values != values
    if is_whole:
        values = np.where(unknown, 0, values).astype(np.int32)
    return pa.array(values, mask=unknown)


def _unless_money(match: Match, away: Ints) -> pa.Array:
    return pa.array(away.astype(np.int16), mask=np.full(len(away), match.is_money))


def _filled(values: npt.NDArray[Any], size: int, rest: float) -> npt.NDArray[Any]:
    filled = np.full(size, rest, np.float64 if values.dtype.kind == "f" else values.dtype)
    filled[: len(values)] = values
    return filled
