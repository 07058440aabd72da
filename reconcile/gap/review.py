"""A match with its analyses, one or more: figures side by side, the bridge of any two, the outlier, what is in dispute.

Everything is found from the decisions of the reference file (`reconcile.gap.aligned`), so that the order of the files changes nothing
but the order. Nothing is judged: tolerances are for two analyses, and every pair opens as their comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reconcile.errors import InvalidArgument, NothingToCompare, expect, expect_list
from reconcile.gap.aligned import Aligned
from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison, held_against
from reconcile.gap.disputed import (
    FEWEST,
    Deciding,
    DisputedDecision,
    Outlier,
    decisions_of,
    far_from_others,
)
from reconcile.gap.explanation import Explanation, explanations
from reconcile.gap.naming import labels_of
from reconcile.gap.pairing import seat_of
from reconcile.gap.review_tables import FIGURE_COLUMNS, ReviewedFigure, decision_table
from reconcile.gap.settle import Dispute, Settlement, in_dispute
from reconcile.gap.sides import Sides, sides_of
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.walk import LEADING, Walk
from reconcile.match.match import Match
from reconcile.match.met import AnyMet
from reconcile.match.values import Value, once
from reconcile.notebook import NotebookTable, frame_of, one_line, short, short_file
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.dead_cubes import row_with_dead_cubes
from reconcile.scoring.decision_table import DecisionTable
from reconcile.scoring.findings import Finding, findings_of
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.statistics import Statistics, lacking
from reconcile.scoring.sums import complete

if TYPE_CHECKING:
    import pandas as pd

MOST_SIDES: Final = 20
"""Files that are compared at once; every pair of them is a comparison."""

Figures = dict[str, float | int | None]


@dataclass(frozen=True, eq=False, repr=False)
class Review(Value, NotebookTable):
    """A match and n analyses of it, n at least 1. What is costly is made when first asked for, and once.

    Players, games and turns are named as the file with most decisions has them. Analyses count from 0 in the order given.
    """

    sides: Sides = field(repr=False)
    """The files, each scored, and any two paired."""
    seats: tuple[int, ...] = (0, 1)
    """Those of `match`, of the players that are shown."""
    settlement: Settlement | None = None
    """Rollouts of the decisions in dispute, if they were asked for."""

    def __repr__(self) -> str:
        pr, sides = METRICS["pr"], range(len(self.analyses))
        rates = [
            ", ".join(pr.shown(self.figures_of(side, seat)["pr"]) for side in sides)
            for seat in self.seats
        ]
        shown = "; ".join(
            f"{short(name)} PR {values}" for name, values in zip(self.players, rates, strict=True)
        )
        return one_line(
            self, f"{short_file(self.match.source.path)}, {len(self.analyses)} analyses: {shown}"
        )

    @property
    def aligned(self) -> Aligned:
        """Every decision of the file with most decisions, and which decision of every analysis it is."""
        return self.sides.aligned

    @property
    def matches(self) -> tuple[Match, ...]:
        """The files, in the order given."""
        return self.sides.matches

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the analyses are called, each differently."""
        return labels_of(self.matches)

    @property
    def match(self) -> Match:
        """The match, from the file with most decisions."""
        return self.aligned.match

    @property
    def players(self) -> tuple[str, ...]:
        """The players who are shown."""
        return tuple(self.names[seat] for seat in self.seats)

    @property
    def analyses(self) -> tuple[Statistics, ...]:
        """Each analysis under its rules, in the order given."""
        return self.aligned.sides

    @cached_property
    def figures(self) -> tuple[ReviewedFigure, ...]:
        """Every figure of every player by every analysis, with its range and what the analysis lacks."""
        found = []
        for seat, name in zip(self.seats, self.players, strict=True):
            by_side = [
                (self.figures_of(side, seat), self.missing(side, seat))
                for side in range(len(self.analyses))
            ]
            for metric in METRICS:
                for side, (figures, missing) in enumerate(by_side):
                    low, high = self.ranges[side][seat].get(metric, (None, None))
                    found.append(
                        ReviewedFigure(name, metric, side, figures[metric], low, high, missing)
                    )
        return tuple(found)

    def to_frame(self) -> pd.DataFrame:
        """A row for every figure of every player by every analysis.

        - `player`, `metric`: whose figure it is, and which
        - `analysis`: its index, in the order given
        - `value`: the figure; missing where unknown
        - `low`, `high`: the range that an open rule leaves; missing where there is none
        - `missing`: what the analysis lacks of the player; empty where nothing
        """
        rows = ({name: getattr(one, name) for name in FIGURE_COLUMNS} for one in self.figures)
        return frame_of(rows, FIGURE_COLUMNS)

    def decisions(self) -> DecisionTable:
        """A row for every decision and analysis that has it, in the order played.

        The column `analysis` is followed by those of `Statistics.decisions()`.
        """
        return decision_table(self.aligned, self.seats)

    @property
    def names(self) -> tuple[str, str]:
        """The players by the reference file's seats, as it has their names."""
        return self.aligned.match.names

    @property
    def indices(self) -> tuple[tuple[int, int], ...]:
        """Every pair of sides."""
        return tuple(combinations(range(len(self.analyses)), 2))

    def walk(self, left: int, right: int) -> Walk:
        """The way from every figure by one analysis to that by another, for the players that are shown."""
        left, right = self._index(left), self._index(right)
        return self.sides.walk(
            left, right, (0, 1) if len(self.seats) == 2 else (self.seat(left, self.seats[0]),)
        )

    def pair(self, left: int, right: int) -> Comparison:
        """Two of the analyses as a comparison, judged by the documented tolerances."""
        return self._pair(self._index(left), self._index(right))

    @once
    def _pair(self, left: int, right: int) -> Comparison:
        return self.judged(load_tolerances(), left=left, right=right, need_verdict=False)

    def _index(self, index: int) -> int:
        """The index of an analysis, from the end where it is negative. Raises `InvalidArgument`."""
        size = len(self.matches)
        expected = f"the index of an analysis, 0 to {size - 1}"
        expect("analysis", index, int, expected)
        if isinstance(index, bool) or not -size <= index < size:
            raise InvalidArgument("analysis", expected, index)
        return index % size

    def seat(self, side: int, seat: int) -> int:
        """Where a side has a player."""
        return self.aligned.pairings[side].seats[seat]

    def figures_of(self, side: int, seat: int) -> Figures:
        """The figures of a player by a side."""
        return self.analyses[side].figures(self.seat(side, seat))

    @cached_property
    def ranges(self) -> tuple[Mapping[int, Mapping[str, Range]], ...]:
        """By side, by the reference's seat: the figures that depend on an open rule."""
        found = [open_range(side).figures for side in self.analyses]
        return tuple(
            {seat: found[side][self.seat(side, seat)] for seat in (0, 1)}
            for side in range(len(self.analyses))
        )

    def findings(self, side: int) -> tuple[Finding, ...]:
        """What is found in a side beside the others."""
        others = [match for other, match in enumerate(self.matches) if other != side]
        return findings_of(self.analyses[side], beside=others)

    def missing(self, side: int, seat: int) -> str:
        """What a side has not analysed of a player: `9 of 50 cube decisions`; empty where nothing is missing, or but few decisions."""
        missing, aligned = (
            lacking(self.analyses[side].completeness(self.seat(side, seat))),
            self.aligned,
        )
        counted = aligned.counted[aligned.reference] & (aligned.items.player == seat)
        here, every = int((counted & (aligned.rows[side] >= 0)).sum()), int(counted.sum())
        if not complete(here, every):
            missing.append(f"{here} of {every} decisions of the match")
        return " and ".join(missing)

    def rates(self, seat: int) -> dict[int, float]:
        """By side the PR of a player, of the voters that analysed the player completely."""
        found = {
            side: self.figures_of(side, seat)[LEADING]
            for side in self.aligned.voters
            if not self.missing(side, seat)
        }
        return {side: pr for side, pr in found.items() if pr is not None}

    @cached_property
    def outliers(self) -> Mapping[int, Outlier | None]:
        """By seat of either player the outlier; `None` where there is none."""
        return {seat: self._outlier(seat) for seat in (0, 1)}

    def _outlier(self, seat: int) -> Outlier | None:
        rates = self.rates(seat)
        if len({self.matches[side].source.tool for side in rates}) < FEWEST:
            return None
        apart = far_from_others(
            rates,
            {
                side: self.ranges[side][seat][LEADING]
                for side in rates
                if LEADING in self.ranges[side][seat]
            },
        )
        if apart is None:
            return None
        side, centre = apart.side, rates[apart.side] - apart.from_median
        other = min(
            (one for one in rates if one != side),
            key=lambda one: (abs(rates[one] - centre), self._file(one)),
        )
        alone = self.aligned.alone(side) & (self.aligned.items.player == seat)
        low, high = apart.distance
        return Outlier(
            side=side,
            from_median=apart.from_median,
            median=apart.median,
            decisions=int(alone.sum()),
            largest=self._largest(other, side, seat),
            range=None if low == high else apart.distance,
        )

    def _file(self, side: int) -> tuple[str, str]:
        source = self.matches[side].source
        return source.sha256, source.path

    def _largest(self, other: int, side: int, seat: int) -> Deciding | None:
        """The decision that makes most of the gap of PR from one side to another."""
        walk, items = self.walk(other, side), self.aligned.items
        bridge = walk.bridge(LEADING, self.seat(other, seat))
        if not bridge.contributions:
            return None
        whole = np.sum([vector for _, vector in bridge.contributions], axis=0)
        row = int(np.argmax(np.abs(whole)))
        there = row_with_dead_cubes(
            walk.left.match, self.analyses[other].match, int(walk.items.left[row])
        )
        rows = np.flatnonzero(self.aligned.rows[other] == there).tolist() if there >= 0 else []
        if not rows or not whole[row]:
            return None
        return Deciding(*items.place(rows[0]), change=float(whole[row]), against=other)

    @cached_property
    def disputes(self) -> tuple[DisputedDecision, ...]:
        """The decisions in dispute, most at stake first.

        Either no action is best for all sides, or they agree on it and their errors for what was done are `SIZE` or more apart.
        """
        return tuple(decisions_of(self.aligned, self.aligned.in_dispute(self.seats)))

    @property
    def to_settle(self) -> list[Dispute]:
        """The decisions in dispute, as a rollout is asked about them."""
        return in_dispute(self.aligned, self.seats)

    @cached_property
    def agreed_errors(self) -> tuple[DisputedDecision, ...]:
        """The decisions that every voter calls an error by its own border (Q12); the largest first by the side that charges least."""
        chosen = np.logical_and.reduce(self.aligned.wrong[self.aligned.voters], axis=0)
        return tuple(
            decisions_of(self.aligned, self.aligned.ranked(chosen, self.aligned.least, self.seats))
        )

    def bridge(
        self, left: int, right: int, metric: str = "pr", player: str | None = None
    ) -> Bridge:
        """From a player's figure by one analysis to that by another, in steps that add up; by default of the first player.

        Raises `UnknownName` for a player or a metric that there is not, `IndexError` for an analysis.
        """
        seat = self.seats[0] if player is None else seat_of(self.match, player)
        return self.walk(left, right).bridge(metric, self.seat(left, seat))

    def judged(
        self, tolerances: Tolerances | None = None, *, left: int = 0, right: int = 1, **options: Any
    ) -> Comparison:
        """Two of the analyses judged by tolerances; `options` are `table`, `match`, `today`, `usual` and `need_verdict` of `compare`.

        Raises as `compare` does.
        """
        if len(self.matches) < 2:
            raise NothingToCompare(
                "expected two analyses to compare, found one; add another file",
                self.match.source.path,
            )
        names = self.matches[left].names, self.matches[right].names
        return held_against(self.walk(left, right), names, tolerances, **options)

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0: nothing is judged."""
        return 0

    def explain(self, left: int, right: int) -> tuple[Explanation, ...]:
        """Why the figures of two analyses differ, as facts for each player."""
        return explanations(self.pair(left, right))

    @cached_property
    def explanation(self) -> tuple[Explanation, ...]:
        """The same of the first analysis and the last; empty for one."""
        return self.explain(0, -1) if len(self.analyses) > 1 else ()

    @property
    def outlier(self) -> Mapping[str, Outlier | None]:
        """By player the analysis that is far from all others; `None` where there is none."""
        return {self.names[seat]: self.outliers[seat] for seat in self.seats}


def review(
    *matches: Match,
    rules: str | RuleSet | Sequence[str | RuleSet | None] | None = None,
    met: AnyMet | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
) -> Review:
    """One match and its analyses, each under its tool's own rules.

    `rules` is one rule set for all, or one for each (`None` for its tool's own); `met` names a match equity table for all. Raises `NotTheSameMatch`, which names the file that does not fit, `NothingToCompare` for too many files
    or one without an analysis, `UnknownName`, `InvalidConfiguration`.
    """
    if not 1 <= len(matches) <= MOST_SIDES:
        raise NothingToCompare(
            f"expected 1 to {MOST_SIDES} analyses of a match, found {len(matches)}; give that many files of it"
        )
    if rules is None or isinstance(rules, str | RuleSet):
        each = [rules] * len(matches)
    else:
        expect_list(
            "rules",
            rules,
            (str, RuleSet, type(None)),
            "a rule set or its name, or a list of them, one for each analysis",
        )
        each = list(rules)
    if len(each) != len(matches):
        raise NothingToCompare(
            f"expected a rule set for each of {len(matches)} analyses, found {len(each)}; give one, or one for each"
        )
    for match in matches:
        expect("match", match, Match, "a match, as load_match returns it")
        if len(matches) > 1 and not (match.plays.analysed.any() or match.cubes.analysed.any()):
            found = "found a transcript without one; leave it out, or analyse it with `reconcile analyse`"
            raise NothingToCompare(f"expected an analysis, {found}", match.source.path)
    sides = sides_of(
        matches,
        each,
        [met] * len(matches),
        aliases=aliases,
    )
    aligned = sides.aligned
    return Review(sides, (0, 1) if player is None else (aligned.seat_named(player),))
