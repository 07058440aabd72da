"""A match with its analyses, one or more: decisions aligned, figures side by side, the bridge of any two, and what is in dispute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reconcile.errors import NothingToCompare
from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.explanation import Explanation, explanations
from reconcile.gap.many import MOST_SIDES, DisputedDecision, Outlier, SeveralAnalyses, side_by_side
from reconcile.gap.pairing import seat_of
from reconcile.match import Match
from reconcile.notebook import NotebookTable, frame_of, one_line, short, short_file
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.decision_table import COLUMNS, STAGE, Decisions, DecisionTable
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.gap.tolerances import Tolerances

FIGURE_COLUMNS: Final = {
    "player": "object",
    "metric": "object",
    "analysis": "int64",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "missing": "object",
}


@dataclass(frozen=True, slots=True)
class ReviewedFigure:
    """A figure of a player by one analysis."""

    player: str
    """As the file with most decisions has the name."""
    metric: str
    analysis: int
    """Index of the analysis, in the order given."""
    value: float | int | None
    """`None` where unknown."""
    low: float | None
    high: float | None
    """The range that a question leaves open of which the tool's answer is not known; `None` where none moves the figure."""
    missing: str
    """What the analysis lacks of the player, in words; empty where nothing."""


@dataclass(frozen=True, eq=False, repr=False)
class Review(NotebookTable):
    """A match and n analyses of it, n at least 1. What is costly is made when first asked for, and once.

    Players, games and turns are named as the file with most decisions has them. Analyses count from 0 in the order given.
    """

    several: SeveralAnalyses = field(repr=False)
    """The analyses side by side."""

    def __repr__(self) -> str:
        match, pr = self.match, METRICS["pr"]
        sides = range(len(self.analyses))
        rates = [", ".join(pr.shown(self.several.figures(side, seat)["pr"]) for side in sides) for seat in self.several.seats]
        shown = "; ".join(f"{short(name)} PR {values}" for name, values in zip(self.players, rates, strict=True))
        return one_line(self, f"{short_file(match.source.path)}, {len(self.analyses)} analyses: {shown}")

    @property
    def match(self) -> Match:
        """The match, from the file with most decisions."""
        return self.several.aligned.match

    @property
    def players(self) -> tuple[str, ...]:
        """The players who are shown."""
        return tuple(self.several.names[seat] for seat in self.several.seats)

    @property
    def analyses(self) -> tuple[Statistics, ...]:
        """Each analysis under its rules, in the order given."""
        return self.several.sides

    @property
    def labels(self) -> tuple[str, ...]:
        """What the analyses are called, each differently."""
        return self.several.labels

    @cached_property
    def figures(self) -> tuple[ReviewedFigure, ...]:
        """Every figure of every player by every analysis, with its range and what the analysis lacks."""
        found = []
        for seat, name in zip(self.several.seats, self.players, strict=True):
            by_side = [(self.several.figures(side, seat), self.several.missing(side, seat)) for side in range(len(self.analyses))]
            for metric in METRICS:
                for side, (figures, missing) in enumerate(by_side):
                    low, high = self.several.ranges[side][seat].get(metric, (None, None))
                    found.append(
                        ReviewedFigure(
                            player=name,
                            metric=metric,
                            analysis=side,
                            value=figures[metric],
                            low=low,
                            high=high,
                            missing=missing,
                        )
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
        aligned = self.several.aligned
        parts: list[Mapping[str, Any]] = []
        for side, (statistics, pairing, rows) in enumerate(zip(aligned.sides, aligned.pairings, aligned.rows, strict=True)):
            made = Decisions(statistics.scored)
            columns = made.columns()
            seats = np.argsort(np.array(pairing.seats))[columns["seat"]]
            item = np.full(made.size, -1)
            known = np.flatnonzero((rows >= 0) & (rows < made.size))
            item[rows[known]] = known
            there = item >= 0
            same = {name: getattr(aligned.items, name)[item[there]] for name in ("game", "turn")}
            for name, column in same.items():
                columns[name][there] = column
            names = np.array(self.several.names, object)[seats]
            order = np.where(there, item, len(rows) + np.arange(made.size))
            whole = {"analysis": np.full(made.size, side), **columns, "seat": seats, "player": names}
            parts.append({**whole, "item": order, "stage": STAGE[statistics.scored.kind]})
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        shown = np.isin(joined["seat"], self.several.seats)
        order = np.lexsort(tuple(joined[name] for name in ("analysis", "item", "stage", "turn", "game")))
        order = order[shown[order]]
        return DecisionTable({name: joined[name][order] for name in ("analysis", *COLUMNS)})

    def bridge(self, left: int, right: int, metric: str = "pr", player: str | None = None) -> Bridge:
        """From a player's figure by one analysis to that by another, in steps that add up; by default of the first player.

        Raises `UnknownName` for a player or a metric that there is not, `IndexError` for an analysis.
        """
        compared = self.comparison(left, right)
        seat = self.several.seats[0] if player is None else seat_of(self.match, player)
        return compared.walk.bridge(metric, self.several.seat(left, seat))

    def comparison(self, left: int, right: int) -> Comparison:
        """Two of the analyses as a comparison, judged by the documented tolerances."""
        return self.several.pair(range(len(self.analyses))[left], range(len(self.analyses))[right])

    def judged(self, tolerances: Tolerances | None = None, *, left: int = 0, right: int = 1, **options: Any) -> Comparison:
        """Two of the analyses held against tolerances; `options` are those of `compare`. Raises as `compare` does."""
        if len(self.analyses) < 2:
            raise NothingToCompare(
                f"{self.match.source.path}: expected two analyses to hold against each other, found one; add another file"
            )
        several = self.several
        asked: dict[str, Any] = {**several.asked(left, right), **options, "tolerances": tolerances}
        return compare(several.matches[left], several.matches[right], **asked)

    def explain(self, left: int, right: int) -> tuple[Explanation, ...]:
        """Why the figures of two analyses differ, as facts for each player."""
        return explanations(self.comparison(left, right))

    @cached_property
    def explanation(self) -> tuple[Explanation, ...]:
        """The same of the first analysis and the last; empty for one."""
        return self.explain(0, -1) if len(self.analyses) > 1 else ()

    @property
    def disputes(self) -> tuple[DisputedDecision, ...]:
        """The decisions in dispute, most at stake first: another choice, or the same one at another cost; none for one analysis."""
        return self.several.disputes

    @property
    def outlier(self) -> Mapping[str, Outlier | None]:
        """By player the analysis that is far from all others; `None` where there is none."""
        return {self.several.names[seat]: found for seat, found in self.several.outliers.items()}

    @property
    def consensus(self) -> Statistics:
        """What the analyses that have a vote agree on, as figures: ours, and no tool's; by the seats of `match`."""
        return self.several.consensus


def review(
    *matches: Match,
    rules: str | RuleSet | Sequence[str | RuleSet | None] | None = None,
    met: str | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    order: str = "symmetric",
) -> Review:
    """One match and its analyses, each under its tool's own rules.

    `rules` is one rule set for all, or one for each (`None` for its tool's own); `met` names a match equity table for all. Raises
    `NotTheSameMatch`, which names the file that does not fit, `NothingToCompare` for too many files or one without an analysis,
    `UnknownName`, `InvalidConfiguration`.
    """
    if not 1 <= len(matches) <= MOST_SIDES:
        raise NothingToCompare(f"expected 1 to {MOST_SIDES} analyses of a match, found {len(matches)}; give that many files of it")
    each = [rules] * len(matches) if rules is None or isinstance(rules, str | RuleSet) else list(rules)
    if len(each) != len(matches):
        raise NothingToCompare(f"expected a rule set for each of {len(matches)} analyses, found {len(each)}; give one, or one for each")
    return Review(side_by_side(matches, each, met=met, aliases=aliases, player=player, order=order))
