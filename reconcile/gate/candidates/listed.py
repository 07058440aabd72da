"""A list of decisions as one side of a comparison: the reference's decisions with the program's own counting and errors.

The figures follow from every row of the list, also from those that repeat a decision or are about none. The bridge goes from decision to
decision; what such rows add is its last step, reporting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.gap.bridge import DECISIONS
from reconcile.gap.paired_decisions import Items, pair_items
from reconcile.gap.pairing import Pairing, pair
from reconcile.gate.candidates.claims import Stated
from reconcile.gate.candidates.paired_rows import SEATS, PairedRows, StatedRows, numbered_otherwise, pair_rows
from reconcile.infer.turning import filled
from reconcile.match.all_rows import evaluated
from reconcile.match.columns import Bools, Cubes, Kind, Plays
from reconcile.match.match import Match, Source, no_candidates
from reconcile.match.met.equity import chance_of
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.figures import CAPPED, capped, point_factor
from reconcile.scoring.metric import Form, Metric
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.scoring.sums import DecisionClass

SLACK: Final = 1e-6
"""EMG. Tools keep equities in single precision, so that two ways to the same number differ by less."""
COUNTS: Final = ("pr", "checker_pr", "cube_pr", "decisions.counted", "decisions.checker", "decisions.double", "decisions.take")
"""What a list gives whatever its unit; the rates only with equities."""
PARTS: Final = ("total", "checker", "double", "take")
CLASS_OF_SLOT: Final = np.array(
    [
        DecisionClass.CHECKER,
        DecisionClass.DOUBLE,
        DecisionClass.TAKE,
        DecisionClass.TAKE,
        DecisionClass.RESIGNATION,
        DecisionClass.RESIGNATION,
    ]
)
"""By slot of a turn."""
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Amounts:
    """What one side has of every decision of a match (plays, cubes, resignations)."""

    counted: Bools
    lost: Vector
    """In the unit of the list."""


@dataclass(frozen=True)
class Listed:
    """A list of decisions, paired with the decisions of the reference's file."""

    left: Scored
    """The reference under its rules, with a row for every turn with a dead cube."""
    pairing: Pairing
    """Of the file with itself."""
    items: Items
    paired: PairedRows
    seats: tuple[int, ...]
    """By name of the list, the player's seat."""

    @property
    def match(self) -> Match:
        """The reference's match."""
        return self.left.match

    @property
    def rows(self) -> StatedRows:
        """The list."""
        return self.paired.rows

    @property
    def in_mwc(self) -> bool:
        """Whether the list gives its errors in match winning chance."""
        return self.rows.unit == "mwc"

    def amounts(self, scored: Scored) -> Amounts:
        """What a rule set says of every decision."""
        lost = 100.0 * scored.loss if self.in_mwc else scored.error
        return Amounts(filled(scored.counted, len(self.items)), filled(lost, len(self.items)).astype(np.float64))

    @cached_property
    def reference(self) -> Amounts:
        """What the reference's rules say of every decision."""
        return self.amounts(self.left)

    def _column(self, column: npt.NDArray[Any], without: object) -> npt.NDArray[Any]:
        """A column of the list by decision; `without` for one without a row."""
        row_of = self.paired.row_of
        values = column[row_of]
        values[row_of < 0] = without
        return values

    @cached_property
    def sign(self) -> float:
        """-1 for a list that writes all losses as negative numbers, as some programs do."""
        known = self.rows.error[self.rows.error == self.rows.error]
        return -1.0 if (known < 0).any() and not (known > 0).any() else 1.0

    @cached_property
    def errors(self) -> Vector:
        """The errors of the rows, a loss positive."""
        return self.sign * self.rows.error.astype(np.float64) + 0.0  # no -0

    @cached_property
    def given(self) -> Amounts:
        """What the list says of every decision: NaN where it gives no error; a decision without a row does not count."""
        return Amounts(self._column(self.rows.counted, False).astype(bool), self._column(self.errors, np.nan).astype(np.float64))

    @cached_property
    def halves(self) -> Vector:
        """Half of the last printed digit of the error of every decision."""
        return self._column(self.rows.half, 0.0).astype(np.float64)

    @property
    def slack(self) -> float:
        """How far two ways to the same number may differ, in the unit of the list."""
        return SLACK * (10.0 if self.in_mwc else 1.0)

    @cached_property
    def chance_of_equity(self) -> Vector:
        """By decision, the match winning chance (percentage points) that an equity of 1 is worth; points for money."""
        spread: Vector = filled(self.left.win - self.left.lose, len(self.items)).astype(np.float64) * 50.0
        return spread

    @cached_property
    def cubes(self) -> Vector:
        """By decision, the value of the cube before it."""
        tables = (self.match.plays, self.match.cubes, self.match.resignations)
        return np.concatenate([table.cube for table in tables]).astype(np.float64)

    @cached_property
    def added(self) -> Bools:
        """By decision, whether the file does not have it: a turn with a dead cube, which only some programs count."""
        cubes = self.match.cubes
        dead = is_dead(self.match) & ~cubes.analysed & ~cubes.expected & (cubes.kind == Kind.NO_DOUBLE.value)
        return np.concatenate((np.zeros(len(self.match.plays), bool), dead, np.zeros(len(self.match.resignations), bool)))

    @cached_property
    def analysed(self) -> Bools:
        """By decision, whether the reference's tool evaluated it."""
        return evaluated(self.match)

    @cached_property
    def right(self) -> Statistics:
        """The program's side: the reference's decisions with the list's counting and errors, and without the reference's analysis."""
        match, left = self.match, self.left
        count = len(self.items)
        known = self.given.lost == self.given.lost
        lost = np.where(known, self.given.lost, 0.0)
        win, lose = (filled(column, count) for column in (left.win, left.lose))
        if self.in_mwc:
            slope = self.chance_of_equity
            error, loss = np.divide(lost, slope, out=np.zeros(count), where=slope != 0), lost / 100.0
        else:
            error = lost
            # Where the errors are equal, so are the losses, to the last bit.
            same = (error == self.reference.lost) & (np.arange(count) < len(left.loss))
            loss = np.where(same, filled(left.loss, count), (win + lose) / 2 - chance_of(-error, win, lose))
        side = _bare(match, np.where(known, lost, np.nan), known, self.rows.program)
        blank = np.full(len(match.cubes), np.nan)
        return Statistics(
            replace(
                left,
                match=side,
                game=np.concatenate((match.plays.game, match.cubes.game, match.resignations.game)),
                player=self.items.player,
                kind=self.items.kind,
                counted=self.given.counted,
                error=error,
                loss=loss,
                win=win,
                lose=lose,
                view=replace(left.view, no_double=blank, double_take=blank, double_pass=blank),
            )
        )

    @cached_property
    def row_seats(self) -> npt.NDArray[np.int64]:
        """By row of the list, the seat of its player."""
        return np.array(self.seats)[self.rows.player]

    def figures(self) -> Iterator[Stated]:
        """The figures that follow from all rows, as the program would add them up; a sum of unknown errors is unknown."""
        rows, at = self.rows, self.paired.at
        no_rate = self.in_mwc or not self.left.rules.rates_decisions
        metrics = [METRICS[name] for name in COUNTS if not (no_rate and METRICS[name].form is Form.RATE)]
        metrics += [METRICS[f"{'mwc_loss_percent' if self.in_mwc else 'equity_error'}.{part}"] for part in PARTS]
        left = np.where(at >= 0, self.reference.lost[at], 0.0)
        classes = np.where(at >= 0, self.items.decision_class[at], CLASS_OF_SLOT[rows.slot])
        known = self.errors == self.errors
        lacking = ~known & (rows.counted | (left > 0))
        # Rounding moves no error that is nothing on both sides.
        doubt = np.where(known & ((self.errors != 0) | (left != 0)), rows.half, 0.0)
        lost = np.where(known, self.errors, 0.0)
        for seat in self.paired.seats:
            theirs = self.row_seats == seat
            for metric in metrics:
                mine = theirs & np.isin(classes, metric.classes or list(DecisionClass))
                yield self._figure(metric, seat, rows.counted & mine, lost[mine], doubt[mine], lacking=bool(lacking[mine].any()))
            rolled = theirs & (rows.luck == rows.luck)
            if rolled.any():
                yield Stated(seat, "luck.equity", "", float(rows.luck[rolled].sum()), float(rows.luck_half[rolled].sum()))

    def _figure(self, metric: Metric, seat: int, counted: Bools, lost: Vector, doubt: Vector, *, lacking: bool) -> Stated:
        count = int(counted.sum())
        if metric.form is Form.COUNT:
            return Stated(seat, metric.name, str(count), count, 0.0)
        if metric.form is Form.ERROR:
            return Stated(seat, metric.name, "", None if lacking else float(lost.sum()), float(doubt.sum()))
        rules = self.left.rules
        factor = metric.factor * float(point_factor(rules, self.match.length == 1)) / max(count, 1)
        rate = factor * float(lost.sum())
        rate = capped(rate, rules) if metric.name == CAPPED else rate
        return Stated(seat, metric.name, "", None if lacking or not count else rate, factor * float(doubt.sum()))


def beside(match: Match, rules: RuleSet, given: StatedRows, seat_of: Callable[[str], int | None]) -> Listed | str:
    """A list beside the decisions of a match, or why it cannot be compared; `seat_of` finds the seat of a name."""
    if given.unit == "mwc" and match.is_money:
        return "it gives errors in match winning chance, which a money session has not; give them as equity (EMG)"
    found = [SEATS.index(name) if seat is None and name in SEATS else seat for name in given.names for seat in (seat_of(name),)]
    seats = [seat for seat in found if seat is not None]
    if len(seats) < len(found):
        known = " and ".join(map(repr, match.players))
        return f"no player {given.names[found.index(None)]!r} in this match, expected {known}, or 1 and 2 for them"
    listed = of_seats(match, rules, given, seats)
    otherwise = numbered_otherwise(given, listed.items, seats)
    if otherwise:
        return f"{otherwise}; number games and turns as `reconcile stats --decisions` does"
    if not (listed.paired.at >= 0).any():
        return "no row is about a decision of the match; number games and turns as `reconcile stats --decisions` does"
    return listed


def of_seats(match: Match, rules: RuleSet, given: StatedRows, seats: Sequence[int]) -> Listed:
    """A list beside the decisions of a match; `seats` are those of its names."""
    match = with_dead_cubes(match)
    left = score(match, rules, table_of(match, rules))
    pairing = pair(match, match)
    items = pair_items(left, left, pairing)
    return Listed(left, pairing, items, pair_rows(given, items, seats), tuple(seats))


def _bare(match: Match, lost: Vector, analysed: Bools, program: str) -> Match:
    """The match with the errors of a list, and nothing else of what the reference's tool says."""
    plays, cubes = len(match.plays), len(match.cubes)

    def bare(table: Plays | Cubes, start: int, stop: int, equities: Sequence[str]) -> dict[str, Any]:
        unknown = np.full(stop - start, np.nan)
        columns = dict.fromkeys(equities, unknown)
        return columns | {"stored_error": lost[start:stop], "analysed": analysed[start:stop], "level": np.full(stop - start, -1)}

    return replace(
        match,
        source=Source(match.source.path, DECISIONS, program, None),
        plays=match.plays.replaced(**bare(match.plays, 0, plays, ("best", "played", "highest", "spread", "luck"))),
        cubes=match.cubes.replaced(**bare(match.cubes, plays, plays + cubes, ("no_double", "double_take", "double_pass"))),
        resignations=match.resignations.replaced(stored_error=lost[plays + cubes :]),
        levels=(),
        known_chances=None,
        candidates=no_candidates,
    )
