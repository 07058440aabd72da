"""The gap between two figures, walked in steps that add up exactly and split decision by decision.

    reported(L) -> computed(L, rules L)        reporting
                -> computed(L, rules R)        rules, one question a step
                -> decisions both files have   coverage on the left
                -> the same, R's analysis      engine
                -> computed(R, rules R)        coverage on the right
                -> reported(R)                 reporting

How a figure's change is split per decision is in `reconcile.gap.states`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial, inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.errors import UnknownName
from reconcile.gap.attribution import Attribution
from reconcile.gap.bridge import DECISIONS, Bridge, Step
from reconcile.gap.paired_decisions import Items, Judged, judged_items, pair_items
from reconcile.gap.pairing import Pairing
from reconcile.gap.states import State, Vector, contributions
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, Form, Metric, metric
from reconcile.scoring.relevance import can_matter
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics

if TYPE_CHECKING:
    import pandas as pd

Figures = dict[str, float | int | None]

LEADING: Final = "pr"
"""The figure whose decisions a report shows one by one."""
ORDERS: Final = ("documented", "shapley")
AFTER_THE_RULES: Final = (
    ("coverage-left", "Decisions that only the left file has, or only the right one analysed, are left out"),
    ("engine", "The right analysis instead of the left one, on the same decisions"),
    ("coverage-right", "Decisions that only the right file has"),
)
LISTED: Final = ("listed", "What the list says of the same decisions: whether each counts, and what it lost")
"""The step in place of the engine's if the right side is a list of decisions."""
REPORTED_LEFT: Final = ("reported-left", "Reported by the left tool")
REPORTED_RIGHT: Final = ("reported-right", "Reported by the right tool")
RANGE_SHOWN: Final = 1e-9
"""Ranges of a step over all orders smaller than this are not worth telling."""
Ends = Mapping[tuple[str, str], tuple[float | None, float | None]]
"""Figures that the tools themselves reported, left and right, by player and metric."""


@dataclass(eq=False, repr=False)
class Walk:
    """The way from every left figure of a comparison to the right one; each bridge is walked when first asked for, and once.

    `rules` are those that the right side was asked to count by. `order` is that in which the rules are switched, `seats` are the left
    file's whose figures are compared. Where a tool `reported` a figure, its bridge starts or ends there. With `totals_alone` the right
    side is a list of figures: its decisions here are the left file's. Raises `UnknownName` for another order.
    """

    statistics: tuple[Statistics, Statistics]
    pairing: Pairing
    rules: RuleSet
    order: str = "documented"
    seats: tuple[int, ...] = (0, 1)
    reported: Ends = field(default_factory=dict)
    totals_alone: bool = False
    _judged: dict[frozenset[str], Judged] = field(default_factory=dict, init=False)
    _figures: dict[tuple[int, int | None], tuple[Figures, Figures]] = field(default_factory=dict, init=False)
    _bridges: dict[tuple[str, int, int | None], Bridge] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UnknownName(f"no order {self.order!r}; there are {', '.join(ORDERS)}")
        self.left, self.right = (one.scored for one in self.statistics)

    def towards(self, reported: Ends, *, totals_alone: bool = False) -> Walk:
        """The same way between figures that the tools reported."""
        return replace(self, reported=reported, totals_alone=totals_alone)

    @cached_property
    def items(self) -> Items:
        """The decisions of both files as one list."""
        return pair_items(self.left, self.right, self.pairing)

    @cached_property
    def target(self) -> RuleSet:
        """The right side's rules, as far as the left file has what they need."""
        return self.rules.for_match(self.left.match)[0]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The questions that are switched, in order."""
        return tuple(
            code
            for code, question in QUESTIONS.items()
            if question.effect is not Effect.NAMES
            and (self.left.met is not self.right.met if code == "Q11" else self.left.rules.answers[code] != self.target.answers[code])
            and can_matter(code, self.left.match)
        )

    def judged(self, switched: frozenset[str]) -> Judged:
        """The left file's decisions with these questions answered as the right side answers them."""
        switched = frozenset(code for code in switched if QUESTIONS[code].effect is not Effect.RATE)
        if switched not in self._judged:
            rules = self.left.rules
            for code in switched:
                rules = rules.switched(code, self.target.answers[code])
            scored = score(self.left.match, rules, self.right.met if "Q11" in switched else self.left.met) if switched else self.left
            self._judged[switched] = judged_items(scored, self.items.left)
        return self._judged[switched]

    @cached_property
    def landing(self) -> Judged:
        """The right file's decisions under its own rules."""
        return judged_items(self.right, self.items.right)

    @cached_property
    def ruled(self) -> Judged:
        """The left file's decisions under the right side's rules."""
        return self.judged(frozenset(self.questions))

    @cached_property
    def attribution(self) -> Attribution:
        """The causes of every step."""
        return Attribution(self.items, self.left, self.right, self.pairing, (self.ruled, self.landing))

    @cached_property
    def _orders(self) -> list[frozenset[str]]:
        """Every set of switched questions; bit i of its index is question i."""
        codes = self.questions
        return [frozenset(code for bit, code in enumerate(codes) if mask >> bit & 1) for mask in range(1 << len(codes))]

    @cached_property
    def _stack(self) -> dict[str, Vector]:
        """Columns of `judged` for every set of switched questions, and last for the right file."""
        every = [*map(self.judged, self._orders), self.landing]
        return {name: np.array([getattr(judged, name) for judged in every]) for name in ("error", "loss", "count", "moves")}

    def _constants(self, figure: Metric) -> tuple[Vector, Vector]:
        """Factor and cap of a figure for every row of the stack."""
        sides = [(self._scale(figure, rules), self._cap(figure, rules)) for rules in (self.left.rules, self.target, self.right.rules)]
        scales = [sides["Q09" in switched][0] for switched in self._orders] + [sides[2][0]]
        caps = [sides["Q13" in switched][1] for switched in self._orders] + [sides[2][1]]
        return np.array(scales)[:, None] * figure.factor, np.array(caps)[:, None]

    def _scale(self, figure: Metric, rules: RuleSet) -> float:
        scaled = self.left.match.length == 1 and not figure.per_move
        return float(rules.value("Q09")) if scaled else 1.0

    def _cap(self, figure: Metric, rules: RuleSet) -> float:
        cap = rules.value("Q13")
        return inf if cap is None or figure.name != LEADING else float(cap)

    def _states(self, figure: Metric, owner: int, inside: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], State, State]:
        """The items a figure looks at; its states on the left under every set of switched questions; and its states after that."""
        items = self.items
        errors = items.player == owner
        if figure.classes:
            errors &= np.isin(items.decision_class, figure.classes)
        counts = np.ones(len(errors), bool) if figure.per_move else errors
        rows = np.flatnonzero(inside & (errors | counts))
        on_left, on_right, common = (kept[rows] for kept in (items.left >= 0, items.right >= 0, items.common))
        error = self._stack["loss" if figure.in_mwc else "error"][:, rows] * errors[rows]
        count = self._stack["moves" if figure.per_move else "count"][:, rows] * counts[rows]
        factor, cap = self._constants(figure)
        form = figure.form or Form.ERROR
        ruled = State(form, error[:-1] * on_left, count[:-1] * on_left, factor[:-1], cap[:-1])
        last = [len(error) - 2, len(error) - 1, len(error) - 1]
        keep = np.stack((common, common, on_right))
        return rows, ruled, State(form, error[last] * keep, count[last] * keep, factor[last], cap[last])

    def bridges(self, metrics: Sequence[str] = BRIDGED, game: int | None = None) -> tuple[Bridge, ...]:
        """The bridges of several metrics for the players that are compared, for the match or one game number."""
        money = self.left.match.is_money
        names = [ALIASES.get(name, name) for name in metrics]
        return tuple(self.bridge(name, seat, game) for seat in self.seats for name in names if not (money and METRICS[name].in_mwc))

    def bridge(self, name: str, owner: int, game: int | None = None) -> Bridge:
        """The bridge of a metric (full or short name) for seat `owner` of the left file, for the match or one game number."""
        key = metric(name).name, owner, game
        if key not in self._bridges:
            self._bridges[key] = self._walked(*key)
        return self._bridges[key]

    def _walked(self, name: str, owner: int, game: int | None) -> Bridge:
        player = self.left.match.names[owner]
        start, end = self._ends(name, owner, game)
        rows, ruled, after = self._states(METRICS[name], owner, np.ones(len(self.items), bool) if game is None else self.items.game == game)
        reason = self._reason(name, start, end, ruled, after)
        if self.totals_alone and (game is not None or self.reported.get((player, name), (None, None))[1] is None):
            end, reason = None, "the right side gives no such figure, and no decisions to make it of"
        if reason:
            return Bridge(player, name, start, end, (), reason)
        steps: list[tuple[str, str, Vector, tuple[float, float] | None]] = []
        for code, vector, span in self._rule_steps(ruled):
            wanted, used = self.left.rules.answers[code], self.target.answers[code]
            if code == "Q11":
                wanted, used = self.left.met.name, self.right.met.name
            steps.append((code, f"{QUESTIONS[code].title} {wanted} -> {used}", vector, span))
        shown = self.reported.get((player, name), (None, None)) if game is None else (None, None)
        before = ruled[-1]
        is_list = self.right.match.source.format == DECISIONS
        for index, step in enumerate(AFTER_THE_RULES):
            code, title = LISTED if is_list and step[0] == "engine" else step
            steps.append((code, title, contributions(before, after[index]), None))
            before = after[index]
        whole = [(code, title, self._spread(rows, vector), span) for code, title, vector, span in steps]
        made = [
            Step(code, title, float(vector.sum()), int(np.count_nonzero(vector)), *(span or (None, None)))
            for code, title, vector, span in whole
        ]
        return Bridge(
            player=player,
            metric=name,
            start=start if shown[0] is None else shown[0],
            end=end if shown[1] is None else shown[1],
            steps=(Step(*REPORTED_LEFT, _off(shown[0], start), 0), *made, Step(*REPORTED_RIGHT, -_off(shown[1], end), 0)),
            contributions=tuple((code, vector) for code, _, vector, _ in whole),
        )

    def _spread(self, rows: npt.NDArray[np.int64], vector: Vector) -> Vector:
        every = np.zeros(len(self.items))
        every[rows] = vector
        return every

    def _ends(self, name: str, owner: int, game: int | None) -> tuple[float | None, float | None]:
        if (owner, game) not in self._figures:
            seats = owner, self.pairing.seats[owner]
            left, right = (_figures(side, seat, game) for side, seat in zip(self.statistics, seats, strict=True))
            self._figures[owner, game] = left, right
        left, right = self._figures[owner, game]
        return left[name], right[name]

    def _reason(self, name: str, start: float | None, end: float | None, ruled: State, after: State) -> str:
        """Why no bridge can be built; empty where one can."""
        if np.isnan(ruled.error).any() or np.isnan(after.error).any():
            return f"{self.right.met.name} table does not have a score at which the left file has an error"
        for side, value in (("left", start), ("right", end)):
            if value is None:
                return f"{METRICS[name].title} is unknown on the {side}"
        for position, code in enumerate(self.questions):
            if not ruled.defined[(2 << position) - 1]:
                return f"no decision of the left file counts once {code} is switched"
        return "" if after.defined.all() else "the files have no counted decision in common"

    def _rule_steps(self, ruled: State) -> Iterator[tuple[str, Vector, tuple[float, float] | None]]:
        """Contributions of every question, and the range of its change over all orders.

        Where under some set of rules nothing counts, a rate has no value there: the documented order is used, and no range is given.
        """
        codes = self.questions
        masks = np.arange(len(ruled.error))
        walkable = bool(ruled.defined.all())
        figures = ruled.figure()[:, 0] if walkable else None
        for bit, code in enumerate(codes):
            if figures is None:
                yield code, contributions(ruled[(1 << bit) - 1], ruled[(2 << bit) - 1]), None
                continue
            without = masks[masks >> bit & 1 == 0]
            changes = figures[without | 1 << bit] - figures[without]
            low, high = float(changes.min()), float(changes.max())
            if self.order == "shapley":
                weights = np.array([self._weight(mask) for mask in without.tolist()])
                shares = weights @ contributions(ruled[without], ruled[without | 1 << bit])
            else:
                shares = contributions(ruled[(1 << bit) - 1], ruled[(2 << bit) - 1])
            yield code, shares, (low, high) if high - low > RANGE_SHOWN else None

    def _weight(self, mask: int) -> float:
        """Share of all orders in which just these questions are switched before a given other one."""
        size, before = len(self.questions), mask.bit_count()
        return factorial(before) * factorial(size - before - 1) / factorial(size)

    def ledger(self, bridges: Sequence[Bridge]) -> pd.DataFrame:
        """The columns of `ledger_columns` as a table."""
        import pandas as pd

        return pd.DataFrame(self.ledger_columns(bridges))

    def ledger_columns(self, bridges: Sequence[Bridge]) -> dict[str, npt.NDArray[Any]]:
        """Every contribution of every decision to these bridges, as columns.

        They are player (whose figure), metric, step, cause, game, turn, kind, decider, change, item (index for `Walk.items`).
        """
        items = self.items
        moved = [(bridge, code, vector, np.flatnonzero(vector)) for bridge in bridges for code, vector in bridge.contributions]
        sizes = np.array([len(rows) for *_, rows in moved], np.intp)
        rows = np.concatenate([np.zeros(0, np.int64), *(rows for *_, rows in moved)])
        return {
            "player": np.array([bridge.player for bridge, *_ in moved], object).repeat(sizes),
            "metric": np.array([bridge.metric for bridge, *_ in moved], object).repeat(sizes),
            "step": np.array([code for _, code, *_ in moved], object).repeat(sizes),
            "cause": np.concatenate([np.zeros(0, object), *(self.attribution.causes(code, here) for _, code, _, here in moved)]),
            "game": items.game[rows],
            "turn": items.turn[rows],
            "kind": items.kind_labels[rows],
            "decider": np.array(self.left.match.names, object)[items.player[rows]],
            "change": np.concatenate([np.zeros(0), *(vector[here] for _, _, vector, here in moved)]),
            "item": rows,
        }


def _off(reported: float | None, computed: float | None) -> float:
    """From a figure that a tool reported to ours; 0 where it reported none."""
    return 0.0 if reported is None or computed is None else computed - reported


def _figures(statistics: Statistics, seat: int, game: int | None) -> Figures:
    """All figures of a player in the match or in a game by its number; unknown where the file does not have that game."""
    if game is None:
        return statistics.figures(seat)
    numbers = statistics.match.games.number.tolist()
    return statistics.figures(seat, numbers.index(game)) if game in numbers else dict.fromkeys(METRICS)
