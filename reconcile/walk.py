"""The gap between two figures, walked in steps that add up exactly and split decision by decision.

    reported(L) -> computed(L, rules L)        reporting
                -> computed(L, rules R)        rules, one question a step
                -> decisions both files have   coverage on the left
                -> the same, R's analysis      engine
                -> computed(R, rules R)        coverage on the right
                -> reported(R)                 reporting

A figure is E (a sum), N (a count) or f E/N (a rate) over decisions with error e and count n. In a step of a rate a decision
contributes `f de (1/N + 1/N')/2 - f dn (E + E')/(2 N N')`, and `e (f' - f)/N` where the factor changes; these add up to the step
with no residual. A capped figure is shared in proportion to e.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.attribution import Attribution
from reconcile.bridge import Bridge, Step
from reconcile.errors import UnknownName
from reconcile.figures import MEMG_FACTOR, PR_FACTOR
from reconcile.items import Items, pair_items
from reconcile.metrics import ALIASES, METRICS, metric
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring import DecisionClass, Scored, score

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.comparison import Comparison

Vector = npt.NDArray[np.float64]

BRIDGED: Final = (
    "pr",
    "checker_pr",
    "cube_pr",
    "error_rate_memg",
    "snowie_er",
    "snowie_memg",
    "decisions.counted",
    "decisions.checker",
    "decisions.double",
    "decisions.take",
    "equity_error.total",
    "equity_error.checker",
    "equity_error.double",
    "equity_error.take",
    "mwc_loss_percent.total",
    "mwc_loss_percent.checker",
    "mwc_loss_percent.double",
    "mwc_loss_percent.take",
)
"""Figures a bridge can be built for."""
LEADING: Final = "pr"
"""The figure whose decisions a report shows one by one."""
ORDERS: Final = ("documented", "shapley")
WITHOUT_ARITHMETIC: Final = ("Q08", "Q12")
"""Questions that name or grade figures and change none."""
FACTORS: Final = {
    "pr": PR_FACTOR,
    "checker_pr": PR_FACTOR,
    "cube_pr": PR_FACTOR,
    "error_rate_memg": MEMG_FACTOR,
    "snowie_er": PR_FACTOR,
    "snowie_memg": MEMG_FACTOR,
}
CLASSES: Final = {
    "checker": (DecisionClass.CHECKER,),
    "double": (DecisionClass.DOUBLE,),
    "take": (DecisionClass.TAKE,),
    "cube": (DecisionClass.DOUBLE, DecisionClass.TAKE),
}


@dataclass(frozen=True, slots=True)
class _State:
    """All a figure needs: errors and counts of every item, and how they are put together."""

    error: Vector
    count: Vector
    factor: float
    """0 for a sum of errors, and `None`-like: see `figure`."""
    cap: float | None = None


@dataclass(frozen=True, slots=True)
class _Judged:
    """Every item under one set of rules and one file's analysis."""

    error: Vector
    loss: Vector
    count: Vector
    moves: Vector
    scale: float
    cap: float | None


class Walk:
    """The bridges of one comparison."""

    def __init__(self, comparison: Comparison, order: str = "documented") -> None:
        if order not in ORDERS:
            raise UnknownName(f"no order {order!r}; there are {', '.join(ORDERS)}")
        self.comparison, self.order = comparison, order
        self.left, self.right = (statistics.scored for statistics in comparison.statistics)
        self.items: Items = pair_items(self.left, self.right, comparison.pairing)
        self.attribution = Attribution(self.items, self.left, self.right, comparison.pairing)
        self.target = self._target()
        self.questions = self._switched_questions()
        self._judged: dict[frozenset[str], _Judged] = {}

    def _target(self) -> RuleSet:
        """The right side's rules as the left file can bear them."""
        asked = self.comparison.asked_rules[1]
        return asked.for_match(self.left.match)[0]

    def _switched_questions(self) -> tuple[str, ...]:
        return tuple(
            code
            for code in QUESTIONS
            if code not in WITHOUT_ARITHMETIC
            and (self.left.rules.answers[code] != self.target.answers[code] or (code == "Q11" and self.left.met is not self.right.met))
            and self._can_matter(code)
        )

    def _can_matter(self, code: str) -> bool:
        """Whether a question can change any figure of this match, by its nature."""
        match = self.left.match
        if code == "Q07":
            stored = match.resignations.stored_error
            return bool((stored > 0).any())
        if code == "Q09":
            return match.length == 1
        if code == "Q14":
            cubes = match.cubes
            return bool((cubes.answers_beaver | (cubes.access != cubes.recount_access)).any())
        return True

    def judged(self, switched: frozenset[str]) -> _Judged:
        """The left file's decisions with these questions answered as the right side answers them."""
        if switched not in self._judged:
            rules = self.left.rules
            for code in switched:
                rules = rules.switched(code, self.target.answers[code])
            scored = score(self.left.match, rules, self.right.met if "Q11" in switched else self.left.met) if switched else self.left
            self._judged[switched] = self._of(scored, self.items.left)
        return self._judged[switched]

    def _of(self, scored: Scored, rows: npt.NDArray[np.int64]) -> _Judged:
        known = (rows >= 0) & (rows < len(scored.error))
        row = np.where(known, rows, 0)
        rules, length = scored.rules, scored.match.length

        def column(values: Any) -> Vector:
            return np.where(known, values[row], 0).astype(np.float64) if len(values) else np.zeros(len(rows))

        played = np.zeros(len(scored.error))
        played[: len(scored.match.plays)] = scored.match.plays.validity != 2
        return _Judged(
            error=column(scored.error),
            loss=column(scored.loss) * 100,
            count=column(scored.counted),
            moves=column(played),
            scale=rules.value("Q09") if length == 1 else 1.0,
            cap=rules.value("Q13"),
        )

    @cached_property
    def landing(self) -> _Judged:
        """The right file's decisions under its own rules."""
        return self._of(self.right, self.items.right)

    def chosen(self, name: str, owner: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Items whose errors, and items whose counts, make a metric of a player."""
        own = self.items.player == owner
        group = "checker" if name == "checker_pr" else "cube" if name == "cube_pr" else name.partition(".")[2]
        if group in CLASSES:
            own &= np.isin(self.items.decision_class, CLASSES[group])
        counts = np.ones(len(own), bool) if name.startswith("snowie") else own
        return own, counts

    def state(self, name: str, judged: _Judged, keep: npt.NDArray[np.bool_], chosen: tuple[Any, Any]) -> _State:
        """The state of a metric: only items in `keep` exist."""
        errors = judged.loss if name.startswith("mwc") else judged.error
        counts = judged.moves if name.startswith("snowie") else judged.count
        factor = FACTORS.get(name, 0.0)
        if name in ("pr", "checker_pr", "cube_pr", "error_rate_memg"):
            factor *= judged.scale
        return _State(errors * (chosen[0] & keep), counts * (chosen[1] & keep), factor, judged.cap if name == "pr" else None)

    def bridge(self, name: str, owner: int, game: int | None = None) -> Bridge:
        """The bridge of a metric (full or short name) for seat `owner` of the left file, for the match or one game number."""
        name = metric(name).name
        player = self.left.match.players[owner]
        start, end = self._ends(name, owner, game)
        inside = np.ones(len(self.items), bool) if game is None else self.items.game == game
        chosen = self.chosen(name, owner)
        keep = self._keep(inside)
        codes = list(self.questions)
        all_switched = frozenset(codes)
        landing = self.landing
        states = [
            (
                "coverage-left",
                "Decisions that only the left file has, or only the right one analysed, are left out",
                self.judged(all_switched),
                keep["common"],
            ),
            ("engine", "The right analysis instead of the left one, on the same decisions", landing, keep["common"]),
            ("coverage-right", "Decisions that only the right file has", landing, keep["right"]),
        ]
        first = self.state(name, self.judged(frozenset()), keep["left"], chosen)
        walked = [self.state(name, judged, kept, chosen) for _, _, judged, kept in states]
        reason = self._reason(name, start, end, [first, *walked])
        if reason:
            return Bridge(player, name, start, end, (), reason)
        steps: list[tuple[str, str, Vector, tuple[float, float] | None]] = [
            ("reported-left", "Reported by the left tool", np.zeros(0), None)
        ]

        def at(switched: frozenset[str]) -> _State:
            return self.state(name, self.judged(switched), keep["left"], chosen)

        for code, vector, span in self._rule_steps(name, codes, at):
            wanted, used = self.left.rules.answers[code], self.target.answers[code]
            if code == "Q11":
                wanted, used = self.left.met.name, self.right.met.name
            steps.append((code, f"{QUESTIONS[code].title} {wanted} -> {used}", vector, span))
        before = at(all_switched)
        for (code, title, _, _), after in zip(states, walked, strict=True):
            steps.append((code, title, _contributions(name, before, after), None))
            before = after
        steps.append(("reported-right", "Reported by the right tool", np.zeros(0), None))
        return Bridge(
            player=player,
            metric=name,
            start=start,
            end=end,
            steps=tuple(
                Step(code, title, float(vector.sum()), int(np.count_nonzero(vector)), *(span or (None, None)))
                for code, title, vector, span in steps
            ),
            contributions=tuple((code, vector) for code, _, vector, _ in steps if len(vector)),
        )

    def _keep(self, inside: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
        items = self.items
        return {
            "left": inside & (items.left >= 0),
            "common": inside & items.common,
            "right": inside & (items.right >= 0),
        }

    def _ends(self, name: str, owner: int, game: int | None) -> tuple[float | None, float | None]:
        left, right = self.comparison.statistics
        seats = (owner, self.comparison.pairing.seats[owner])
        ends: list[float | int | None] = []
        for statistics, seat in zip((left, right), seats, strict=True):
            index = None
            if game is not None:
                numbers = statistics.match.games.number.tolist()
                if game not in numbers:
                    ends.append(None)
                    continue
                index = numbers.index(game)
            ends.append(statistics.figures(seat, index)[name])
        return ends[0], ends[1]

    def _reason(self, name: str, start: float | None, end: float | None, states: Sequence[_State]) -> str:
        for side, value in (("left", start), ("right", end)):
            if value is None:
                return f"{METRICS[name].title} is unknown on the {side}"
        if name in FACTORS and any(not state.count.sum() for state in states):
            return "no decision counts on both sides"
        return ""

    def _rule_steps(self, name: str, codes: list[str], at: Any) -> Iterator[tuple[str, Vector, tuple[float, float] | None]]:
        """Contributions of every question, and the range of its change over all orders."""
        if name in FACTORS and any(not at(frozenset(some)).count.sum() for some in _subsets(codes)):
            yield from self._in_order(name, codes, at)
            return
        for position, code in enumerate(codes):
            rest = [other for other in codes if other != code]
            shares = np.zeros(len(self.items))
            changes = []
            for some in _subsets(rest):
                without = frozenset(some)
                vector = _contributions(name, at(without), at(without | {code}))
                changes.append(float(vector.sum()))
                weight = factorial(len(without)) * factorial(len(rest) - len(without)) / factorial(len(codes))
                if self.order == "shapley":
                    shares += weight * vector
                elif without == frozenset(codes[:position]):
                    shares = vector
            low, high = min(changes), max(changes)
            yield code, shares, (low, high) if high - low > RANGE_SHOWN else None

    def _in_order(self, name: str, codes: list[str], at: Any) -> Iterator[tuple[str, Vector, None]]:
        for position, code in enumerate(codes):
            without = frozenset(codes[:position])
            yield code, _contributions(name, at(without), at(without | {code})), None

    def ledger(self, bridges: Sequence[Bridge]) -> pd.DataFrame:
        """Every contribution of every decision to these bridges.

        Columns: player (whose figure), metric, step, cause, game, turn, kind, decider, change, item (index for `Walk.items`).
        """
        import pandas as pd

        items, match = self.items, self.left.match
        frames = []
        for bridge in bridges:
            for code, vector in bridge.contributions:
                rows = np.flatnonzero(vector)
                frames.append(
                    {
                        "player": np.full(len(rows), bridge.player, object),
                        "metric": np.full(len(rows), bridge.metric, object),
                        "step": np.full(len(rows), code, object),
                        "cause": self.attribution.causes(code, rows),
                        "game": items.game[rows],
                        "turn": items.turn[rows],
                        "kind": items.kind_labels[rows],
                        "decider": np.array(match.players, object)[items.player[rows]],
                        "change": vector[rows],
                        "item": rows,
                    }
                )
        columns = ("player", "metric", "step", "cause", "game", "turn", "kind", "decider", "change", "item")
        if not frames:
            return pd.DataFrame({name: [] for name in columns})
        return pd.DataFrame({name: np.concatenate([frame[name] for frame in frames]) for name in columns})


RANGE_SHOWN: Final = 1e-9
"""Ranges of a step over all orders smaller than this are not worth telling."""


def _subsets(codes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(codes) + 1):
        yield from combinations(codes, size)


def _figure(name: str, state: _State) -> float:
    if name in FACTORS:
        value = state.factor * float(state.error.sum()) / float(state.count.sum())
        return value if state.cap is None else min(value, state.cap)
    return float((state.count if name.startswith("decisions") else state.error).sum())


def _contributions(name: str, before: _State, after: _State) -> Vector:
    """What every item adds to the change of a figure between two states; adds up to the change exactly."""
    if name.startswith("decisions"):
        return after.count - before.count
    if name not in FACTORS:
        return after.error - before.error
    e0, e1 = float(before.error.sum()), float(after.error.sum())
    n0, n1 = float(before.count.sum()), float(after.count.sum())
    capped = [state.cap is not None and state.factor * e / n > state.cap for state, e, n in ((before, e0, n0), (after, e1, n1))]
    if any(capped):
        shares = [state.error * (_figure(name, state) / e) if e else 0.0 for state, e in ((before, e0), (after, e1))]
        return np.asarray(shares[1] - shares[0])
    factor = after.factor
    vector = factor * (after.error - before.error) * ((1 / n0 + 1 / n1) / 2)
    vector -= factor * (after.count - before.count) * ((e0 + e1) / (2 * n0 * n1))
    if after.factor != before.factor:
        vector += before.error * ((after.factor - before.factor) / n0)
    return vector


def bridges_of(walk: Walk, metrics: Sequence[str] = BRIDGED, game: int | None = None) -> tuple[Bridge, ...]:
    """Bridges of several metrics for the players of a comparison."""
    seats = [seat for seat in (0, 1) if walk.left.match.players[seat] in {figure.player for figure in walk.comparison.figures}]
    money = walk.left.match.is_money
    names = [ALIASES.get(name, name) for name in metrics]
    return tuple(walk.bridge(name, seat, game) for seat in seats for name in names if not (money and name.startswith("mwc")))
