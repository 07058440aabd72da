"""Several analyses of one match: their figures side by side, the outlier, the decisions in dispute, and a consensus of ours.

Everything is found from the decisions of the reference file (`reconcile.gap.aligned`), so that the order of the files changes nothing
but the order. Nothing is judged: tolerances are for two analyses, and every pair opens as their comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np

from reconcile.columns import Floats
from reconcile.errors import NothingToCompare, UnknownName
from reconcile.gap.aligned import Aligned, pairings, reference_of
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.consensus import Apart, NoVote, by_one_rule, consensus, depth_of, far_from_others, is_shallow, majority, without_a_vote
from reconcile.gap.naming import labels_of
from reconcile.gap.pairing import seat_of
from reconcile.gap.settle import Dispute, Settlement, disputes_of_several
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import lacking
from reconcile.gap.walk import LEADING
from reconcile.match import Match
from reconcile.met import Met, load_met
from reconcile.rules.rulesets import Q16, RuleSet, own_rules, rule_set
from reconcile.scoring.dead_cubes import row_with_dead_cubes, with_dead_cubes
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.findings import main_level
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.scoring.sums import DecisionClass

MOST_SIDES: Final = 20
"""Files that are compared at once; every pair of them is a comparison."""
CONSENSUS_RULES: Final = "xg"
"""The rule set of the consensus unless another is asked for: PR is XG's measure."""
ALMOST_ALL: Final = 0.9
"""Share of the decisions that count in the reference file; an analysis of fewer is not complete."""
SIZE: Final = 0.020
"""EMG. Analyses that agree on the best action and charge amounts this far apart dispute the size: XG calls a loss of that much an error."""

Figures = dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Outlier(Apart):
    """The outlier, and what makes it one."""

    decisions: int
    """Decisions of the player on which no other analysis thinks best what this one does."""
    other: int
    """The analysis that is nearest to the median of the others."""
    item: int | None
    """The decision that makes most of its gap to that one, and how much."""
    change: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one side says of a decision."""

    side: int
    best: str
    """The action it thinks best; empty where it does not say."""
    error: float | None
    """Equity lost (EMG) by what was done, under the side's own rules; `None` where not evaluated."""
    level: str
    counted: bool


@dataclass(frozen=True, slots=True)
class DisputedDecision:
    """A decision with the verdicts of all sides."""

    item: int
    game: int
    turn: int
    kind: str
    player: str
    played: str
    """What was done: the play, or the kind of cube action."""
    at_stake: float
    """The largest error charged less the smallest (EMG)."""
    least: float
    """The smallest error charged (EMG)."""
    majority: str
    """The action that most sides think best; empty where none says, or two have as many."""
    other_choice: bool
    """Whether no action is the best one for all sides; otherwise they agree on the choice."""
    verdicts: tuple[Verdict, ...]
    xgid: str
    gnubg_id: str


@dataclass(frozen=True)
class SeveralAnalyses:
    """Everything found in several analyses of one match. What is costly is made when first asked for, and once."""

    aligned: Aligned
    consensus_rules: RuleSet
    """The rule set that counts the consensus."""
    seats: tuple[int, ...]
    """The reference file's, of the players that are shown."""
    labels: tuple[str, ...]
    """What the sides are called, each differently."""
    matches: tuple[Match, ...] = field(repr=False)
    options: Mapping[str, object] = field(repr=False)
    """Of the comparison of two sides."""
    rules: tuple[str | RuleSet | None, ...] = field(repr=False)
    """What each side was asked to count by; `None` for its tool's own rules."""
    settlement: Settlement | None = None
    """Rollouts of the decisions in dispute, if they were asked for."""
    met: Met | None = field(default=None, repr=False)
    """The match equity table of all sides, if one was asked for."""
    _pairs: dict[tuple[int, int], Comparison] = field(default_factory=dict, init=False, repr=False)

    @property
    def sides(self) -> tuple[Statistics, ...]:
        """Each file under its own rules, in the order given."""
        return self.aligned.sides

    @property
    def names(self) -> tuple[str, str]:
        """The players by the reference file's seats, as it has their names."""
        return self.aligned.match.names

    @property
    def indices(self) -> tuple[tuple[int, int], ...]:
        """Every pair of sides."""
        return tuple(combinations(range(len(self.sides)), 2))

    def pair(self, left: int, right: int) -> Comparison:
        """Two of the sides as the comparison of two files."""
        if (left, right) not in self._pairs:
            one = self.matches[left]
            seats = self.aligned.pairings[left].seats
            player = one.names[seats[self.seats[0]]] if len(self.seats) == 1 else None
            self._pairs[left, right] = compare(one, self.matches[right], **self.asked(left, right), player=player, need_verdict=False)
        return self._pairs[left, right]

    def asked(self, left: int, right: int) -> dict[str, Any]:
        """The options of the comparison of two sides."""
        return {**self.options, "left_rules": self.rules[left], "right_rules": self.rules[right]}

    def seat(self, side: int, seat: int) -> int:
        """Where a side has a player."""
        return self.aligned.pairings[side].seats[seat]

    def figures(self, side: int, seat: int) -> Figures:
        """The figures of a player by a side."""
        return self.sides[side].figures(self.seat(side, seat))

    @cached_property
    def ranges(self) -> tuple[Mapping[int, Mapping[str, Range]], ...]:
        """By side, by the reference's seat: the figures that depend on an open rule."""
        found = [open_range(side).figures for side in self.sides]
        return tuple({seat: found[side][self.seat(side, seat)] for seat in (0, 1)} for side in range(len(self.sides)))

    def missing(self, side: int, seat: int) -> str:
        """What a side has not analysed of a player: `9 of 50 cube decisions`; empty where nothing is missing, or but few decisions."""
        missing, aligned = lacking(self.sides[side].completeness(self.seat(side, seat))), self.aligned
        counted = aligned.counted[aligned.reference] & (aligned.items.player == seat)
        here, every = int((counted & (aligned.rows[side] >= 0)).sum()), int(counted.sum())
        if here < ALMOST_ALL * every:
            missing.append(f"{here} of {every} decisions of the match")
        return " and ".join(missing)

    def rates(self, seat: int) -> dict[int, float]:
        """By side the PR of a player, of the sides that analysed the player completely."""
        found = {side: self.figures(side, seat)[LEADING] for side in range(len(self.sides)) if not self.missing(side, seat)}
        return {side: pr for side, pr in found.items() if pr is not None}

    @cached_property
    def outliers(self) -> Mapping[int, Outlier | None]:
        """By seat the outlier; `None` where there is none."""
        return {seat: self._outlier(seat) for seat in self.seats}

    def _outlier(self, seat: int) -> Outlier | None:
        rates = self.rates(seat)
        apart = far_from_others(rates, {side: self.ranges[side][seat][LEADING] for side in rates if LEADING in self.ranges[side][seat]})
        if apart is None:
            return None
        side, centre = apart.side, rates[apart.side] - apart.from_median
        other = min((one for one in rates if one != side), key=lambda one: (abs(rates[one] - centre), self._file(one)))
        item, change = self._largest(other, side, seat)
        alone = self.aligned.alone(side) & (self.aligned.items.player == seat)
        return Outlier(
            side, apart.from_median, apart.distance, apart.median, decisions=int(alone.sum()), other=other, item=item, change=change
        )

    @cached_property
    def without_a_vote(self) -> Mapping[int, Mapping[int, NoVote]]:
        """By seat and side, why an analysis has no vote in the consensus; the others have one."""
        programs = [match.source.tool for match in self.matches]
        levels = [main_level(match) for match in self.matches]
        evaluated = self.aligned.known.sum(axis=1).tolist()
        found = {}
        for seat in (0, 1):
            sides = range(len(programs))
            rank = [(bool(self.missing(side, seat)), -depth_of(levels[side]), -evaluated[side], *self._file(side)) for side in sides]
            apart = self._outlier(seat)
            found[seat] = without_a_vote(programs, list(map(is_shallow, levels)), apart.side if apart else None, rank.__getitem__)
        return found

    def voters(self, seat: int) -> list[int]:
        """The sides that have a vote in the consensus of a player."""
        return [side for side in range(len(self.sides)) if side not in self.without_a_vote[seat]]

    @cached_property
    def consensus(self) -> Statistics:
        """Ours, by the reference file's seats."""
        return consensus(self.aligned, self.by_one_rule, (self.voters(0), self.voters(1)))

    @cached_property
    def by_one_rule(self) -> tuple[Statistics, ...]:
        """Every side under the rules of the consensus."""
        return by_one_rule(self.aligned, self.consensus_rules, self.met)

    def _file(self, side: int) -> tuple[str, str]:
        source = self.matches[side].source
        return source.sha256, source.path

    def _largest(self, other: int, side: int, seat: int) -> tuple[int | None, float]:
        """The decision that makes most of the gap of PR from one side to another, and how much."""
        walk = self.pair(other, side).walk
        bridge = walk.bridge(LEADING, self.seat(other, seat))
        if not bridge.contributions:
            return None, 0.0
        whole = np.sum([vector for _, vector in bridge.contributions], axis=0)
        row = int(np.argmax(np.abs(whole)))
        there = row_with_dead_cubes(walk.left.match, self.sides[other].match, int(walk.items.left[row]))
        found = np.flatnonzero(self.aligned.rows[other] == there).tolist() if there >= 0 else []
        return (found[0], float(whole[row])) if found and whole[row] else (None, 0.0)

    @cached_property
    def _majority(self) -> list[int]:
        aligned = self.aligned
        action: list[int] = majority(aligned.votes, aligned.known)[1].tolist()
        return action

    def decision(self, item: int) -> DisputedDecision:
        """A decision as all sides see it."""
        aligned, items = self.aligned, self.aligned.items
        xgid, gnubg_id = identifiers_of(aligned.match, item)
        return DisputedDecision(
            item=item,
            game=int(items.game[item]),
            turn=int(items.turn[item]),
            kind=str(items.kind_labels[item]),
            player=self.names[int(items.player[item])],
            played=aligned.played(item),
            at_stake=float(aligned.at_stake[item]),
            least=float(aligned.least[item]),
            majority=aligned.said(item, self._majority[item]),
            other_choice=bool(aligned.disputed[item]),
            verdicts=tuple(self.verdict(side, item) for side in range(len(self.sides))),
            xgid=xgid,
            gnubg_id=gnubg_id,
        )

    def verdict(self, side: int, item: int) -> Verdict:
        """What a side says of a decision."""
        aligned = self.aligned
        error = float(aligned.error[side, item])
        level = aligned.level[side][item]
        return Verdict(side, aligned.best(side, item), None if error != error else error, level, bool(aligned.counted[side, item]))

    @cached_property
    def disputes(self) -> tuple[DisputedDecision, ...]:
        """The decisions in dispute, most at stake first.

        Either no action is best for all sides, or they agree on it and their errors for what was done are `SIZE` or more apart.
        """
        return self._ranked(self.aligned.disputed | (np.round(self.aligned.at_stake, 9) >= SIZE), self.aligned.at_stake)

    @property
    def to_settle(self) -> list[Dispute]:
        """The decisions on which no action is best for all sides, as a rollout is asked about them."""
        found = ((one.item, one.at_stake) for one in self.disputes if one.other_choice)
        return list(disputes_of_several(self.sides, self.aligned.rows, self.aligned.reference, found))

    @cached_property
    def agreed_errors(self) -> tuple[DisputedDecision, ...]:
        """The decisions that every side calls an error by its own border (Q12); the largest first by the side that charges least."""
        return self._ranked(np.logical_and.reduce(self.aligned.wrong, axis=0), self.aligned.least)

    def _ranked(self, chosen: np.ndarray, size: Floats) -> tuple[DisputedDecision, ...]:
        items = self.aligned.items
        chosen = chosen & np.isin(items.player, self.seats) & (items.decision_class != int(DecisionClass.RESIGNATION))
        rows = np.flatnonzero(chosen)
        order = np.lexsort((items.kind[rows], items.turn[rows], items.game[rows], -np.round(size[rows], 9)))
        return tuple(map(self.decision, rows[order].tolist()))

    @property
    def same_transcript(self) -> bool:
        """Whether all files have the same games, rolls, plays and cube actions."""
        return not any(one.differences for one in self.aligned.pairings)

    @property
    def in_all(self) -> int:
        """Decisions that every file has."""
        return int((self.aligned.rows >= 0).all(axis=0).sum())

    @property
    def repeated(self) -> tuple[int, ...]:
        """Sides whose file was given before."""
        digests = [(one.source.sha256, one.source.path.partition("#")[2]) for one in self.matches]
        return tuple(index for index, digest in enumerate(digests) if digest[0] and digest in digests[:index])


def compare_many(
    matches: Sequence[Match],
    *,
    consensus_rules: str | RuleSet | None = None,
    met: str | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    order: str = "symmetric",
) -> SeveralAnalyses:
    """Compare several analyses of one match, each under its tool's own rules; the consensus is counted by `consensus_rules`.

    `met` names a match equity table for all of them. Raises `NotTheSameMatch`, which names the file that does not fit,
    `NothingToCompare` for too many files or one without an analysis, `UnknownName`, `InvalidConfiguration`.
    """
    if not 2 <= len(matches) <= MOST_SIDES:
        raise NothingToCompare(f"expected 2 to {MOST_SIDES} analyses of a match, found {len(matches)}; compare fewer at a time")
    return side_by_side(matches, [None] * len(matches), consensus_rules, met=met, aliases=aliases, player=player, order=order)


def side_by_side(
    matches: Sequence[Match],
    rules: Sequence[str | RuleSet | None],
    consensus_rules: str | RuleSet | None = None,
    *,
    met: str | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    order: str = "symmetric",
) -> SeveralAnalyses:
    """The same of one analysis and more, each under its own of `rules`; without, under those of its tool."""
    for match in matches:
        if not (match.plays.analysed.any() or match.cubes.analysed.any()):
            found = "found a transcript without one; leave it out, or analyse it with `reconcile analyse`"
            raise NothingToCompare(f"{match.source.path}: expected an analysis, {found}")
    agreed, table = rule_set(consensus_rules or CONSENSUS_RULES), None if met is None else load_met(met)
    given = tuple(matches)
    asked = [rule_set(one) if one else own_rules(match) for match, one in zip(given, rules, strict=True)]
    if any(one.value(Q16) for one in (agreed, *asked)):
        matches = [with_dead_cubes(match) for match in matches]
    reference = reference_of(matches)
    scored = tuple(statistics(match, one, table) for match, one in zip(matches, asked, strict=True))
    aligned = Aligned(scored, pairings(matches, reference, aliases), reference)
    seats = (0, 1) if player is None else (_seat(given, aligned, player),)
    options = {"tolerances": load_tolerances(), "met": met, "aliases": aliases, "order": order}
    return SeveralAnalyses(aligned, agreed, seats, labels_of(given), matches=given, options=options, rules=tuple(rules), met=table)


def _seat(matches: Sequence[Match], aligned: Aligned, player: str) -> int:
    """The reference's seat of a player under any file's name. Raises `UnknownName`."""
    for match, pairing in zip(matches, aligned.pairings, strict=True):
        try:
            return pairing.seats.index(seat_of(match, player))
        except UnknownName:
            continue
    return seat_of(aligned.match, player)
