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
from typing import Any, Final

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
    for places in groups([one.match for one in read], [RULE_SETS[name] for name in rules]):
        group = _Group([read[place] for place in places], rules)
        made = {
            "matches": group.matches(),
            "players": group.players(),
            "games": group.games(),
            "questions": group.questions(),
            "decisions": group.decisions(),
        }
        yield {
            name: pa.RecordBatch.from_pydict(made[name], schema=schema)
            for name, schema in rows_schemas(tuple(rules)).items()
        }


class _Group:
    """Alike matches, scored under every rule set."""

    def __init__(self, read: Sequence[Read], rules: Sequence[str]) -> None:
        self.read, self.rules = read, rules
        matches = [one.match for one in read]
        legal = np.concatenate([legal_plays(match.plays, match.source.path) for match in matches])
        self.match = joined(matches)
        asked = [RULE_SETS[name] for name in rules]
        if any(one.value(Q16) for one in asked):
            self.match = with_dead_cubes(self.match)  # so that every rule set has the same rows
        self.scored = [
            Statistics(score(self.match, one, table_of(self.match, one)), legal) for one in asked
        ]
        sizes = np.array([len(match.games) for match in matches])
        self.match_of_game = np.repeat(np.arange(len(matches)), sizes)
        self.first_game = np.cumsum(sizes) - sizes
        self.numbers = np.array([one.number for one in read], np.int64)
        self.one_point = np.array([match.length == 1 for match in matches]).reshape(-1, 1)
        self.names = pa.array([name for match in matches for name in match.names], pa.string())
        self.sums = self.summed()
        self.by_match = [self.tables(at, self.first_game) for at in range(len(rules))]

    def summed(self) -> list[tuple[Sums, Sums]]:
        """By rule set, the sums that depend on the rules, and the others, which rule sets with
        one match equity table share."""
        games, shared = len(self.match.games), dict[Met, Sums]()
        found = []
        for one in self.scored:
            table = one.scored.met
            if table not in shared:
                shared[table] = Sums(games, *one.without_rules)
            found.append((Sums(games, of_decisions(one.scored), graded(one.scored)), shared[table]))
        return found

    def tables(self, rule: int, first: Ints | None = None) -> dict[str, npt.NDArray[Any]]:
        """Every sum under a rule set, by game or by match where `first` has the first game of each."""
        own, shared = self.sums[rule]
        return (
            own.games | shared.games
            if first is None
            else own.matches(first) | shared.matches(first)
        )

    def matches(self) -> Columns:
        totals, every = self.by_match[0], [one.match for one in self.read]
        identities, levels = (
            [identity(match) for match in every],
            [match.usual_level for match in every],
        )
        covered = {
            name: sum(totals[part].sum(axis=1) for part in parts)
            for name, parts in (
                ("analysed", ("checker analysed", "cube analysed")),
                ("expected", ("checker expected", "cube expected")),
            )
        }
        shown = complete(totals["checker analysed"], totals["checker expected"]) & complete(
            totals["cube analysed"], totals["cube expected"]
        )
        return {
            "match": self.numbers,
            "file": [one.fragment for one in self.read],
            "sha256": [one.sha256 for one in self.read],
            **dict(zip(Identity._fields, zip(*identities, strict=True), strict=True)),
            "analysis_id": [
                _analysis_id(*one) for one in zip(self.read, identities, levels, strict=True)
            ],
            "duplicate_of": [None] * len(every),
            "same_as": [None] * len(every),
            "twin_of": [None] * len(every),
            "format": [match.source.format for match in every],
            "tool": [match.source.tool for match in every],
            "tool_version": [match.source.tool_version for match in every],
            "player0": [match.names[0] for match in every],
            "player1": [match.names[1] for match in every],
            "event": [match.event for match in every],
            "date": [match.date for match in every],
            "length": [match.length for match in every],
            "games": [len(match.games) for match in every],
            "complete": [match.complete for match in every],
            "level_name": [level and level.label for level in levels],
            "lookahead": [level and level.lookahead for level in levels],
            **covered,
            "fully_analysed": (covered["analysed"] > 0) & shown.all(axis=1),
        }

    # -- figures

    def players(self) -> Columns:
        """Figures per match, rule set and seat."""
        owners = np.arange(len(self.read))
        results = [result_of(one.match) for one in self.read]
        result = {
            name: np.array([np.broadcast_to(one[name], 2) for one in results])
            for name in results[0]
        }
        figures = [
            self.figures(one, totals, owners, **result)
            for one, totals in zip(self.scored, self.by_match, strict=True)
        ]
        ratings = np.array([one.match.ratings for one in self.read], np.float64)
        more = self.ranges() | {"rating": [ratings] * len(self.rules)}
        return self.owners(figures, self.by_match, owners, np.zeros(len(owners), np.int64), more)

    def ranges(self) -> dict[str, list[Numbers]]:
        """By column, for every rule set the ends of the PR that its open answers, or what a file
        does not show, leave."""
        unknown = np.full((len(self.read), 2), np.nan)
        ends = [
            pr_ranges(one.scored, self.totals(one.rules, totals), self.first_game, self.one_point)
            if one.rules.alternatives or bool(one.rules.value(Q16))
            else (unknown, unknown)
            for one, totals in zip(self.scored, self.by_match, strict=True)
        ]
        return {"pr_low": [low for low, _ in ends], "pr_high": [high for _, high in ends]}

    def games(self) -> Columns:
        """Figures per game, rule set and seat."""
        games = self.match.games
        by_game = [self.tables(at) for at in range(len(self.scored))]
        figures = [
            self.figures(one, totals, self.match_of_game)
            for one, totals in zip(self.scored, by_game, strict=True)
        ]
        won = np.where(games.winner[:, np.newaxis] == (0, 1), games.points[:, np.newaxis], 0)
        more = {
            "game": [np.broadcast_to(games.number[:, np.newaxis], won.shape)] * len(figures),
            "won": [np.where(games.winner[:, np.newaxis] < 0, np.nan, won)] * len(figures),
        }
        return self.owners(figures, by_game, self.match_of_game, np.arange(len(games)), more)

    def figures(
        self, scored: Statistics, totals: Mapping[str, Table], owners: Ints, **result: Table
    ) -> dict[str, Numbers]:
        """By metric, shape (owners, 2 seats); `result` are those of whole matches, see `result_of`."""
        return figures_of(self.totals(scored.rules, totals, owners, **result), METRICS)

    def totals(
        self,
        rules: RuleSet,
        sums: Mapping[str, Table],
        owners: Ints | slice = slice(None),
        **result: Table,
    ) -> Totals:
        return totals_of(
            sums, rules, is_money=self.match.is_money, one_point=self.one_point[owners], **result
        )

    def owners(
        self,
        figures: Sequence[Mapping[str, Numbers]],
        totals: Sequence[Mapping[str, Table]],
        owners: Ints,
        games: Ints,
        more: Mapping[str, list[Any]],
    ) -> Columns:
        """The columns of a table of owners, in the order match, rule set, seat, game; `owners`
        has the match of each."""
        shape = len(figures), len(owners), 2
        rule, owner, seat = (index.ravel() for index in np.indices(shape))
        order = np.lexsort((games[owner], seat, rule, owners[owner]))
        factors = [point_factor(one.rules, self.one_point[owners]) for one in self.scored]
        both = totals[0]["moves"].sum(axis=1)
        numbers: dict[str, Any] = {name: [found[name] for found in figures] for name in METRICS}
        numbers["moves_both"] = [np.stack((both, both), axis=1)] * len(figures)
        numbers["rated_error"] = [
            found["equity_error.total"] * factor
            for found, factor in zip(figures, factors, strict=True)
        ]
        for part in PARTS:
            numbers[f"{part}_expected"] = [one[EXPECTED[part]] for one in totals]
            numbers[f"{part}_analysed"] = [one[f"{part} analysed"] for one in totals]
        numbers |= more
        table = np.array([*numbers.values()], np.float64).reshape(len(numbers), -1)[:, order]
        place, seat = owners[owner][order], seat[order].astype(np.int8)
        columns: Columns = {
            "match": self.numbers[place],
            "seat": seat,
            "name": self.names.take(pa.array(2 * place + seat)),
            "rules": labelled(rule[order], self.rules),
        }
        for name, values in zip(numbers, table, strict=True):
            whole = METRICS[name].is_whole if name in METRICS else name not in FRACTIONS
            columns[column_of(name)] = _nullable(values, whole=whole)
        return columns

    # -- questions

    def questions(self) -> Columns:
        """How much each question alone changes PR and the number of decisions from the first
        rule set towards the second."""
        here, before = self.scored[0].rules, self.by_match[0]
        there = RULE_SETS[self.rules[1]].for_match(self.match)[0] if len(self.rules) > 1 else here
        codes = [
            code
            for code, answer in here.answers.items()
            if answer != there.answers[code] and QUESTIONS[code].is_varied
        ]
        pr, number = figures_of(self.totals(here, before), ("pr", "decisions.counted")).values()
        changes = []
        for code in codes:
            changed, after = here.switched(code, there.answers[code]), before
            if QUESTIONS[code].effect is Effect.DECISIONS and QUESTIONS[code].matters(self.match):
                one = rescored(self.scored[0].scored, changed)
                after = before | Sums(len(self.match.games), of_decisions(one)).matches(
                    self.first_game
                )
            changed_pr, changed_number = figures_of(
                self.totals(changed, after), ("pr", "decisions.counted")
            ).values()
            changes.append((changed_pr - pr, changed_number - number))
        shape = len(self.read), len(codes), 2
        place, code, seat = (index.ravel() for index in np.indices(shape))
        found = np.array(changes, np.float64).reshape(len(codes), 2, len(self.read), 2)
        return {
            "match": self.numbers[place],
            "seat": seat.astype(np.int8),
            "name": self.names.take(pa.array(2 * place + seat)),
            "question": labelled(code, codes),
            "from": labelled(code, [here.answers[one] for one in codes]),
            "to": labelled(code, [there.answers[one] for one in codes]),
            "pr": _nullable(found[code, 0, place, seat], whole=False),
            "decisions": _nullable(found[code, 1, place, seat], whole=True),
        }

    # -- decisions

    def _keys(self, positions: pa.Array, dice: Ints, game: Ints, seat: Ints) -> Ints:
        """By row the key of its decision: position, dice, cube, score and rules; the response to
        a double is another decision."""
        match = self.match
        tables = match.plays, match.cubes, match.resignations
        content = b"".join(positions.to_pylist())
        halves = np.frombuffer(content, np.uint8).reshape(-1, 5, 2).view("<u2").astype(np.int64)
        cube = np.concatenate([table.cube for table in tables])
        owner = _filled(np.concatenate([table.owner for table in tables[:2]]), len(cube), 0)
        choice = CHOICES[kinds(match)]
        jacoby = np.full(len(choice), match.is_money and match.rules.jacoby)
        return _mixed(
            *halves.reshape(-1, 5).T,
            dice.max(1),
            dice.min(1),
            cube,
            owner,
            match.away[game, seat],
            match.away[game, 1 - seat],
            match.games.crawford[game],
            jacoby,
            choice,
        )

    def decisions(self) -> Columns:
        """Every play, cube decision and resignation, match by match."""
        match = self.match
        plays, cubes, resignations = match.plays, match.cubes, match.resignations
        game = over_all(match, "game")
        owner = self.match_of_game[game]
        order = np.argsort(owner, kind="stable")
        size, rolls, decided = len(order), len(plays), len(plays) + len(cubes)
        seat, analysed, kind = over_all(match, "player"), evaluated(match), kinds(match)
        away = match.away
        no_dice = np.arange(size)[order] >= rolls
        phase = np.full(size, -1)
        phase[:decided] = phases(match)
        dice = np.zeros((size, 2), np.int8)
        dice[:rolls] = plays.dice
        luck = np.full(size, np.nan)
        luck[:rolls] = plays.luck
        actions = Actions(
            [one.scored for one in self.scored],
            [one.match for one in self.read],
            self.match_of_game,
        )
        judged = Decisions(self.scored[0].scored)
        names = "equity_played", "equity_best", "chance_before", "chance_after"
        values = [_filled(one, size, np.nan) for one in (*judged.equities, *judged.chances)]
        columns: Columns = {
            "match": self.numbers[owner[order]],
            "game": match.games.number[game][order],
            "turn": match.turns[order],
            "seat": seat[order],
            "kind": labelled(kind[order], KINDS),
            "die1": pa.array(dice[order, 0], mask=no_dice),
            "die2": pa.array(dice[order, 1], mask=no_dice),
            "cube": np.concatenate((plays.cube, cubes.cube, resignations.cube))[order],
            "phase": labelled(phase[order], PHASES),
            "away": _unless_money(match, away[game, seat][order]),
            "opponent_away": _unless_money(match, away[game, 1 - seat][order]),
            "analysed": analysed[order],
            "luck": _nullable(luck[order], whole=False),
            "position": (positions := keys_of(match, [one.match for one in self.read])).take(
                pa.array(order)
            ),
            "key": self._keys(positions, dice, game, seat)[order],
            **actions.columns(order, values[0] == values[1]),
            **{
                name: _nullable(one[order], whole=False)
                for name, one in zip(names, values, strict=True)
            },
        }
        for name, one in zip(self.rules, self.scored, strict=True):
            column, scored = name.replace("-", "_"), one.scored
            # Rule sets that leave resignations out have no rows for them.
            known = analysed & (np.arange(size) < len(scored.error))
            columns[f"counted_{column}"] = _filled(scored.counted, size, False)[order]
            columns[f"error_{column}"] = _nullable(
                np.where(known, _filled(scored.error, size, np.nan), np.nan)[order], whole=False
            )
            loss = _filled(scored.loss.astype(np.float64) * 100, size, np.nan)
            columns[f"loss_{column}"] = _nullable(
                np.where(known & (not match.is_money), loss, np.nan)[order], whole=False
            )
        return columns


def _mixed(*columns: Any) -> Ints:
    """A number from whole numbers of each row, the same on every machine: splitmix64 over them."""
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(1)).astype(np.int64)


def _analysis_id(one: Read, found: Identity, level: Level | None) -> str:
    source = one.match.source
    stated = (
        one.sha256,
        one.fragment,
        found.match_id,
        source.tool,
        source.tool_version,
        level and level.label,
    )
    return sha256(json.dumps(stated).encode()).hexdigest()


def _nullable(values: Numbers, *, whole: bool) -> pa.Array:
    """Numbers, null where they are NaN."""
    unknown = values != values
    return pa.array(
        np.where(unknown, 0, values).astype(np.int32) if whole else values, mask=unknown
    )


def _unless_money(match: Match, away: Ints) -> pa.Array:
    return pa.array(away.astype(np.int16), mask=np.full(len(away), match.is_money))


def _filled(values: npt.NDArray[Any], size: int, rest: float) -> npt.NDArray[Any]:
    filled = np.full(size, rest, np.float64 if values.dtype.kind == "f" else values.dtype)
    filled[: len(values)] = values
    return filled
