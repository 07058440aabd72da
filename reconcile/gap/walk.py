"""The gap between two figures in steps that add up exactly, split decision by decision, whichever file is on the left.

    reported(L) -> computed(L, rules L)        reporting
                -> computed(L, rules R)        rules, one question a step
                -> decisions both files have   coverage on the left
                -> the same, R's analysis      engine
                -> computed(R, rules R)        coverage on the right
                -> reported(R)                 reporting

How much a step changes depends on those before it. So by default the way is walked from both ends (`reconcile.gap.one_way`), and a step
is half of its change on the way there, less half of its change on the way back: exchanged sides give the mirror image.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.gap.bridge import DECISIONS, Attribution, Bridge, ByWay, Labels, Step
from reconcile.gap.one_way import AFTER_THE_RULES, Stages, Vector, Way
from reconcile.gap.paired_decisions import Items, Rows, pair_items
from reconcile.gap.pairing import Pairing, comes_first
from reconcile.match.values import Value, once
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric
from reconcile.scoring.statistics import Statistics

Figures = dict[str, float | int | None]

LEADING: Final = "pr"
"""The figure whose decisions a report shows one by one."""
CHECKER: Final = "checker_pr"
"""The one in its place where it is unknown, as without the analysis of the cube."""
TITLES: Final = {
    "coverage-left": "Decisions that only the left file has, or only the right one analysed, are left out",
    "engine": "The right analysis instead of the left one, on the same decisions",
    "coverage-right": "Decisions that only the right file has",
}
LISTED: Final = (
    "listed",
    "What the list says of the same decisions: whether each counts, and what it lost",
)
"""The step in place of the engine's if the right side is a list of decisions."""
REPORTED_LEFT: Final = ("reported-left", "Reported by the left tool")
REPORTED_RIGHT: Final = ("reported-right", "Reported by the right tool")
MIRRORED: Final = {"coverage-left": "coverage-right", "coverage-right": "coverage-left"}
"""Steps that the way back takes for the other side."""
RANGE_SHOWN: Final = 1e-9
"""Ranges of a step over all orders smaller than this are left out."""
Ends = Mapping[tuple[str, str], tuple[float | None, float | None]]
"""Figures that the tools themselves reported, left and right, by player and metric."""


class Shares(NamedTuple):
    """What decisions add in one step of a bridge, as columns; a decision is there once for every cause it has."""

    step: str
    cause: Labels
    item: Rows
    change: Vector
    ways: npt.NDArray[np.int64]
    """The ways on which it moves the figure for this cause: 1 there, 2 back, 3 both."""


@dataclass(eq=False, repr=False)
class Walk(Value):
    """The way from every left figure of a comparison to the right one; each bridge is walked when first asked for, and once.

    `rules` are those that the sides were asked to count by, `seats` are the left file's whose figures are compared. Where a tool
    `reported` a figure, its bridge starts or ends there. With `totals_alone` the right side is a list of figures: its decisions here
    are the left file's. A right side that is a list of decisions has no analysis to walk back from.
    """

    statistics: tuple[Statistics, Statistics]
    pairing: Pairing
    rules: tuple[RuleSet, RuleSet]
    seats: tuple[int, ...] = (0, 1)
    reported: Ends = field(default_factory=dict)
    totals_alone: bool = False

    def __post_init__(self) -> None:
        self.left, self.right = (one.scored for one in self.statistics)

    def towards(self, reported: Ends, *, totals_alone: bool = False) -> Walk:
        """The same way between figures that the tools reported."""
        return replace(self, reported=reported, totals_alone=totals_alone)

    @cached_property
    def items(self) -> Items:
        """The decisions of both files as one list, in an order that does not depend on which file is on the left."""
        right_first = not comes_first(self.left.match, self.right.match)
        return pair_items(self.left, self.right, self.pairing).in_order(right_first=right_first)

    @cached_property
    def forward(self) -> Way:
        """The way there: the left analysis comes to the right rules, then the right analysis takes its place."""
        return Way(self.left, self.right, self.items, self.rules[1])

    @cached_property
    def backward(self) -> Way:
        """The way back: the right analysis comes to the left rules, then the left analysis takes its place."""
        back = self.items.mirrored(self.pairing.seats)
        return Way(self.right, self.left, back, self.rules[0], ("right", "left"))

    @property
    def is_list(self) -> bool:
        """Whether the right side is a list of decisions."""
        return self.right.match.source.format == DECISIONS

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The ways that are walked."""
        return (self.forward,) if self.is_list else (self.forward, self.backward)

    @cached_property
    def attribution(self) -> Attribution:
        """The causes of every step."""
        return Attribution(self.items, self.left, self.right, self.pairing)

    def bridges(
        self, metrics: Sequence[str] = BRIDGED, game: int | None = None
    ) -> tuple[Bridge, ...]:
        """The bridges of several metrics for the players that are compared, for the match or one game number."""
        money = self.left.match.is_money
        names = [ALIASES.get(name, name) for name in metrics]
        return tuple(
            self.bridge(name, seat, game)
            for seat in self.seats
            for name in names
            if not (money and METRICS[name].in_mwc)
        )

    def bridge(self, name: str, owner: int, game: int | None = None) -> Bridge:
        """The bridge of a metric (full or short name) for seat `owner` of the left file, for the match or one game number."""
        return self._walked(metric(name).name, owner, game)

    @once
    def _walked(self, name: str, owner: int, game: int | None) -> Bridge:
        player = self.left.match.names[owner]
        start, end = (figures[name] for figures in self._ends(owner, game))
        unknown = [
            side for side, value in (("the left", start), ("the right", end)) if value is None
        ]
        if self.totals_alone and (
            game is not None or self.reported.get((player, name), (None, None))[1] is None
        ):
            return Bridge(
                player,
                name,
                start,
                None,
                (),
                "the right side gives no such figure, and no decisions to make it of",
            )
        inside = np.ones(len(self.items), bool) if game is None else self.items.game == game
        reason = (
            f"{METRICS[name].title} is unknown on {'both sides' if unknown[1:] else unknown[0]}"
            if unknown
            else ""
        )
        seats = owner, self.pairing.seats[owner]
        found = [
            way.stages(name, seat, inside, reason)
            for way, seat in zip(self.ways, seats, strict=False)
        ]
        walked = [
            (number, stages) for number, stages in enumerate(found) if not isinstance(stages, str)
        ]
        if not walked:
            return Bridge(player, name, start, end, (), "; ".join(dict.fromkeys(map(str, found))))
        codes, rows, parts, low, high = self._joined(walked)
        whole = np.zeros((len(codes), len(self.items)))
        whole[:, rows] = np.sum([part for _, part in parts], axis=0)
        changes, moved = whole.sum(axis=1).tolist(), np.count_nonzero(whole, axis=1).tolist()
        named = [
            LISTED if self.is_list and code == "engine" else (code, self._title(code))
            for code in codes
        ]
        spans = [
            (one, two) if two - one > RANGE_SHOWN else (None, None)
            for one, two in zip(low.tolist(), high.tolist(), strict=True)
        ]
        steps = [
            Step(*name, change, count, *span)
            for name, change, count, span in zip(named, changes, moved, spans, strict=True)
        ]
        shown = self.reported.get((player, name), (None, None)) if game is None else (None, None)
        return Bridge(
            player=player,
            metric=name,
            start=start if shown[0] is None else shown[0],
            end=end if shown[1] is None else shown[1],
            steps=(
                Step(*REPORTED_LEFT, _off(shown[0], start), 0),
                *steps,
                Step(*REPORTED_RIGHT, -_off(shown[1], end), 0),
            ),
            contributions=tuple(
                (code, vector) for (code, _), vector in zip(named, whole, strict=True)
            ),
            by_way=ByWay(rows, tuple(parts)),
        )

    def _joined(
        self, walked: Sequence[tuple[int, Stages]]
    ) -> tuple[Sequence[str], Rows, list[tuple[int, Vector]], Vector, Vector]:
        """The steps of the ways that can be walked: their codes, the items, each way's part of every share, and the ends of the ranges."""
        (number, first), *others = walked
        if not others and number == 0:
            return first.codes, first.rows, [(0, first.shares)], first.low, first.high
        known = {MIRRORED.get(code, code) for _, one in walked for code in one.codes}
        codes = [code for code in (*QUESTIONS, *AFTER_THE_RULES) if code in known]
        parts, ends = [], []
        for way, stages in walked:
            at = [codes.index(MIRRORED.get(code, code) if way else code) for code in stages.codes]
            part, low, high = (
                np.zeros((len(codes), len(stages.rows))),
                np.zeros(len(codes)),
                np.zeros(len(codes)),
            )
            part[at], low[at], high[at] = (
                (-stages.shares, -stages.high, -stages.low)
                if way
                else (stages.shares, stages.low, stages.high)
            )
            parts.append((way, part / len(walked)))
            ends.append((low, high))
        return (
            codes,
            first.rows,
            parts,
            np.min([low for low, _ in ends], axis=0),
            np.max([high for _, high in ends], axis=0),
        )

    def _title(self, code: str) -> str:
        if code in TITLES:
            return TITLES[code]
        answers = (self.left.met.name, self.right.met.name) if code == "Q11" else self.answers(code)
        return f"{QUESTIONS[code].title} {' -> '.join(answers)}"

    def answers(self, code: str) -> tuple[str, str]:
        """The answers of the left and of the right side to a question that is switched."""
        left, right = self.left.rules.answers[code], self.right.rules.answers[code]
        if left != right and len(self.ways) > 1:
            return left, right
        return (
            (left, self.forward.target.answers[code])
            if code in self.forward.questions
            else (self.backward.target.answers[code], right)
        )

    @once
    def _ends(self, owner: int, game: int | None) -> list[Figures]:
        """All figures of a player on either side, in the match or in a game by its number; unknown where a file does not have the game."""
        seats = zip(self.statistics, (owner, self.pairing.seats[owner]), strict=True)
        return [
            one.figures(seat, game)
            if game is None or game in one.match.games.number
            else dict.fromkeys(METRICS)
            for one, seat in seats
        ]

    def shares(self, bridge: Bridge) -> Iterator[Shares]:
        """What decisions add to a bridge, step by step: once for each cause, since a decision may have another one on the way back."""
        for step, (code, whole) in enumerate(bridge.contributions):
            items = np.flatnonzero(whole)
            if not len(items):
                continue
            at = np.searchsorted(bridge.by_way.rows, items)
            numbers, moves = zip(
                *((number, part[step, at]) for number, part in bridge.by_way.parts), strict=True
            )
            causes = [
                self._causes(code, items, move != 0, number)
                for number, move in zip(numbers, moves, strict=True)
            ]
            if len(moves) == 1:
                yield Shares(
                    code, causes[0], items, whole[items], np.full(len(items), 1 << numbers[0])
                )
                continue
            there, back = moves
            split = (there != 0) & (back != 0) & (causes[0] != causes[1]).astype(bool)
            again = items[split]
            yield Shares(
                step=code,
                cause=np.concatenate(
                    (np.where(there != 0, causes[0], causes[1]), causes[1][split])
                ),
                item=np.concatenate((items, again)),
                change=np.concatenate((np.where(split, there, whole[items]), back[split])),
                ways=np.concatenate(
                    (np.where(split, 1, (there != 0) + 2 * (back != 0)), np.full(len(again), 2))
                ),
            )

    def _causes(self, code: str, rows: Rows, moved: npt.NDArray[np.bool_], number: int) -> Labels:
        """The causes of a step on one of the ways, where it moves the figure there."""
        causes = np.full(len(rows), "", object)
        way = self.ways[number]
        causes[moved] = self.attribution.causes(code, rows[moved], way.ruled, way.landing)
        return causes

    def ledger_columns(self, bridges: Sequence[Bridge]) -> dict[str, npt.NDArray[Any]]:
        """Every contribution of every decision to these bridges, as columns.

        They are player (whose figure), metric, step, cause, game, turn, kind, decider, change, item (index for `Walk.items`).
        """
        items = self.items
        moved = [(bridge, shares) for bridge in bridges for shares in self.shares(bridge)]
        sizes = np.array([len(shares.item) for _, shares in moved], np.intp)
        rows = np.concatenate([np.zeros(0, np.int64), *(shares.item for _, shares in moved)])
        return {
            "player": np.array([bridge.player for bridge, _ in moved], object).repeat(sizes),
            "metric": np.array([bridge.metric for bridge, _ in moved], object).repeat(sizes),
            "step": np.array([shares.step for _, shares in moved], object).repeat(sizes),
            "cause": np.concatenate([np.zeros(0, object), *(shares.cause for _, shares in moved)]),
            "game": items.game[rows],
            "turn": items.turn[rows],
            "kind": items.kind_labels[rows],
            "decider": np.array(self.left.match.names, object)[items.player[rows]],
            "change": np.concatenate([np.zeros(0), *(shares.change for _, shares in moved)]),
            "item": rows,
        }


def _off(reported: float | None, computed: float | None) -> float:
    """From a figure that a tool reported to ours; 0 where it reported none."""
    return 0.0 if reported is None or computed is None else computed - reported
