"""The gap between two figures in steps that add up exactly, split decision by decision.

    reported(L) -> computed(L, rules L)        reporting
                -> computed(L, rules R)        rules, one question a step
                -> decisions both files have   coverage on the left
                -> the same, R's analysis      engine
                -> computed(R, rules R)        coverage on the right
                -> reported(R)                 reporting

How much a step changes depends on those before it. So the way is walked from both ends (`Way`), and
a step is half of its change on the way there, less half of its change on the way back (`Walk`):
exchanged sides give the mirror image.

What a gap taken apart looks like: bridges, their steps, the share of single decisions, and why a
decision moves a figure.

Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as
a ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, LEFT_OUT, Count, Document, Key, within
from reconcile.files.bundled import Page, read_pages
from reconcile.gap.aligned import COUNT, ERROR, LOSS, MOVES, Aligned, aligned_pair, charges
from reconcile.gap.pairing import Pairing
from reconcile.gap.rows import apart
from reconcile.language import say
from reconcile.match.board.play import apply_play
from reconcile.match.board.position import Counts
from reconcile.match.columns import Bools, Floats, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.values import Value, once
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.figures import (
    ALIASES,
    BRIDGED,
    CAPPED,
    CHECKER,
    LEADING,
    METRICS,
    Form,
    Metric,
    MetricName,
    cap_of,
    metric,
    per,
    point_factor,
    short_metric,
)
from reconcile.scoring.score import can_matter, score
from reconcile.scoring.statistics import Statistics

if TYPE_CHECKING:
    import pandas as pd


SHARES = {
    "rules": "counting rules",
    "engine": "analysis",
    "coverage": "coverage",
    "reporting": "reporting",
}
"""What a gap is made of: key as in tolerances, and in words."""


@dataclass(frozen=True, slots=True)
class Step(Document):
    """One step of a bridge."""

    code: Annotated[
        str,
        within(
            pattern="^(Q[0-9]{2}|reported-left|coverage-left|engine|coverage-right|reported-right)$"
        ),
    ]
    """A switched rule, or what else changed from left to right."""
    title: str
    """The step in words."""
    change: float
    """The change of the figure."""
    decisions: Count
    """How many decisions moved the figure in this step."""
    low: Annotated[float | None, LEFT_OUT] = None
    """Smallest change over the directions and the orders in which the steps can be taken, where
    that makes a difference."""
    high: Annotated[float | None, LEFT_OUT] = None
    """Largest change over them."""


@dataclass(frozen=True, slots=True)
class Bridge(Document):
    """From the left figure to the right one in steps whose changes add up to the gap."""

    player: str
    """The player, under the left file's name."""
    metric: Annotated[MetricName, Key(by=short_metric)]
    """The name of a figure; totals have their short name."""
    start: Annotated[float | None, Key("from")]
    """Where it starts: the left figure."""
    end: Annotated[float | None, Key("to")]
    """Where it ends: the right figure."""
    steps: tuple[Step, ...]
    """The steps in order; codes are unique."""
    reason: Annotated[str, LEFT_OUT] = ""
    """Why there is no bridge, if there are no steps."""
    shares: Annotated[Mapping[str, Floats], HIDDEN] = field(
        default_factory=dict, repr=False, compare=False
    )
    """By the code of a step, shape [way, decision]: what every decision adds in it."""
    ways: Annotated[tuple[int, ...], HIDDEN] = field(default=(), repr=False, compare=False)
    """The ways that were walked, 0 there and 1 back."""

    @property
    def contributions(self) -> dict[str, Floats]:
        """By the code of a step, what every decision adds in it over all ways."""
        return {code: shares.sum(axis=0) for code, shares in self.shares.items()}

    @property
    def by_decision(self) -> Floats:
        """What every decision adds over all steps; empty without steps."""
        vectors = list(self.contributions.values())
        return np.sum(vectors, axis=0) if vectors else np.zeros(0)

    def moving(self) -> Bridge:
        """The bridge without the steps that move nothing."""
        moving = (
            step for step in self.steps if step.change or step.decisions or step.low or step.high
        )
        return replace(self, steps=tuple(moving))


def shares(bridge: Bridge) -> dict[str, float]:
    """What each share adds to the gap, in the order of the steps; one without a step is left
    out."""
    sums: dict[str, float] = {}
    for step in bridge.steps:
        name = step.code.partition("-")[0]
        name = "reporting" if name == "reported" else name
        share = name if name in SHARES else "rules"
        sums[share] = sums.get(share, 0.0) + step.change
    return sums


_CONVERSIONS = {
    "Q09": "conversion.one-point-factor",
    "Q10": "conversion.response-cube",
    "Q11": "conversion.met",
    "Q13": "conversion.cap",
}
RULE_CAUSES: Mapping[str, str] = MappingProxyType(
    {
        code: _CONVERSIONS.get(code, f"rule.{code}")
        for code, question in QUESTIONS.items()
        if question.effect is not Effect.NAMES
    }
)
"""Question -> cause of the steps that switch it."""
_OF_RULE = "The two rule sets answer {0} differently. `reconcile explain {0}` has the answers."
CAUSES: Mapping[str, Page] = MappingProxyType(
    {
        cause: Page(cause, QUESTIONS[code].title, _OF_RULE.format(code))
        for code, cause in RULE_CAUSES.items()
    }
    | dict(read_pages(Path(__file__).with_name("causes.md")))
)
"""Every cause, with its page."""
SAME_EQUITY = 1e-6
"""EMG. Tools keep equities in single precision: two ways to one number differ by less."""
OF_ANALYSIS = (
    "engine.error-alone",
    "engine.other-cube-verdict",
    "engine.not-listed",
    "engine.other-best-move",
    "engine.level",
)
"""Why two analyses find another error, the first that holds."""
Labels = npt.NDArray[np.object_]


class Attribution:
    """The causes of all steps of one comparison; which file is on the left does not matter."""

    def __init__(self, aligned: Aligned, pairing: Pairing) -> None:
        self.aligned = aligned
        self._causes: Labels = np.full(len(aligned), "", object)
        self.differing = {(row["game"], row["turn"]) for row in pairing.differences}

    def causes(self, step: str, rows: Ints, before: Floats, after: Floats) -> Labels:
        """The cause of each of these decisions in a step.

        `before` and `after` are what both sides charge (`charges`) under one set of rules, before
        and after the analysis is exchanged.
        """
        if step in RULE_CAUSES:
            return np.full(len(rows), RULE_CAUSES[step], object)
        if step != "engine":
            return self._of_coverage[rows]
        old, new = before[:, rows], after[:, rows]
        differs, apart = old != new, np.abs(old[ERROR] - new[ERROR]) >= SAME_EQUITY
        # Of the same errors nothing changes but their share of a capped figure.
        causes = np.where(differs[ERROR] | differs[LOSS], "rounding", "conversion.cap").astype(
            object
        )
        causes[differs[COUNT]] = "engine.counting"
        causes[apart] = self.of_analysis(rows[apart])
        return causes

    @cached_property
    def _of_coverage(self) -> Labels:
        aligned, valid = self.aligned, Validity.VALID.value
        not_played = (aligned.column("validity", valid) != valid).any(axis=0)
        places = zip(aligned.game.tolist(), aligned.turn.tolist(), strict=True)
        unlike = [not self.differing.isdisjoint({place, (place[0], 0)}) for place in places]
        # Of what is common nothing changes but its share of a capped figure.
        chosen = aligned.common, aligned.paired, not_played, np.array(unlike, bool)
        names = ("conversion.cap", "coverage.not-analysed", "coverage.not-played")
        causes = np.select(chosen, (*names, "coverage.transcript"), "coverage.unpaired")
        return causes.astype(object)

    def of_analysis(self, rows: Ints) -> Labels:
        """Why two analyses find another error in decisions that both have."""
        new = rows[self._causes[rows] == ""]
        if len(new):
            self._causes[new] = self._of_analysis(new)
        return self._causes[rows]

    def _of_analysis(self, rows: Ints) -> Labels:
        aligned = self.aligned
        is_play, levels = aligned.kind[rows] == Kind.PLAY, aligned.level[:, rows]
        same_tool = len({side.match.source.tool for side in aligned.sides}) == 1
        unlisted = np.isnan(self.aligned.column("equity_played")[:, rows]).any(axis=0)
        moves = is_play & self._shown[rows] & ~unlisted
        moves[moves] = list(map(self._other_best_move, rows[moves].tolist()))
        chosen = (
            ~self._shown[rows],
            ~is_play & np.logical_xor(*self._right[:, rows]),
            is_play & unlisted,
            moves,
            (levels[0] != levels[1]) & same_tool,
        )
        return np.select(chosen, OF_ANALYSIS, "engine.error-size").astype(object)

    @cached_property
    def _shown(self) -> Bools:
        """Whether both sides have more of a decision than a stored error: candidates of a play, or
        the values of a cube decision."""
        aligned = self.aligned
        is_play = aligned.kind == Kind.PLAY
        equity = np.where(is_play, aligned.column("equity_best"), aligned.column("no_double"))
        silent = np.isnan(equity) & ~np.isnan(aligned.column("stored_error"))
        shown: Bools = ~(silent & (aligned.evaluated | ~is_play)).any(axis=0)
        return shown

    @cached_property
    def _right(self) -> Bools:
        """Shape [side, decision]: what is right in a cube decision by a side's own numbers.

        Of a double and of a turn without one: whether to double, also where it changes nothing. Of
        a response: whether to take.
        """
        on, take, passed = map(self.aligned.column, ("no_double", "double_take", "double_pass"))
        double = np.minimum(take, passed) >= on
        right: Bools = np.where(self.aligned.kind >= Kind.TAKE, take <= passed, double)
        return right

    def _other_best_move(self, decision: int) -> bool:
        """Whether the first candidates of a play lead to two positions."""
        rows = zip(self.aligned.sides, self.aligned.rows[:, decision].tolist(), strict=True)
        return len({_best_result(scored.match, row) for scored, row in rows}) > 1


def _best_result(match: Match, row: int) -> Counts | None:
    """The position that the first candidate leads to, mover's view; `None` where there is none or
    it does not fit."""
    for candidate in match.candidates(row)[:1]:
        with suppress(ValueError):
            return apply_play(match.plays.position[row].tolist(), candidate.play)
    return None


TITLES = {
    "coverage-left": (
        "Decisions that only the left file has, or only the right one analysed, are left out"
    ),
    "engine": "The right analysis instead of the left one, on the same decisions",
    "coverage-right": "Decisions that only the right file has",
}
"""The steps that follow those of the rules."""
MIRRORED = {"coverage-left": "coverage-right", "coverage-right": "coverage-left"}
"""Steps that the way back takes for the other side."""
DEAD_CUBES = "Q16"
"""The question that counts dead cubes."""
OF_DECISIONS = frozenset(
    code for code, question in QUESTIONS.items() if question.effect is not Effect.RATE
)
"""Questions that change decisions; the others change only what a rate makes of their sums."""
RANGE_SHOWN = 1e-9
"""Ranges of a step over all orders smaller than this are left out."""
Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class States:
    """All that a figure needs, in several states: columns of shape [state, decision]."""

    form: Form
    error: Floats
    count: Floats
    factor: Floats
    """Shape [state, 1]."""
    cap: Floats
    """Shape [state, 1]; infinite where there is none."""

    def at(self, rows: Sequence[int]) -> States:
        """Some of the states."""
        columns = (self.error, self.count, self.factor, self.cap)
        return States(self.form, *(column[rows] for column in columns))

    def figure(self) -> Floats:
        """The figure of every state, shape [state, 1]; NaN for a rate without a decision that
        counts."""
        error, count = (part.sum(axis=-1, keepdims=True) for part in (self.error, self.count))
        if self.form is Form.RATE:
            count = np.minimum(per(self.factor, error, count), self.cap)
        figure: Floats = error if self.form is Form.ERROR else count
        return figure

    def shares(self) -> Floats:
        """What every decision adds to the change from each state to the next; exactly the change.

        No figure is NaN. A capped figure is shared in proportion to the errors.
        """
        if self.form is not Form.RATE:
            return np.diff(self.count if self.form is Form.COUNT else self.error, axis=0)
        error, count = (part.sum(axis=-1, keepdims=True) for part in (self.error, self.count))
        (e0, e1), (n0, n1) = ((total[:-1], total[1:]) for total in (error, count))
        factor = self.factor[1:]
        shares: Floats = factor * np.diff(self.error, axis=0) * ((1 / n0 + 1 / n1) / 2)
        shares -= factor * np.diff(self.count, axis=0) * ((e0 + e1) / (2 * n0 * n1))
        shares += self.error[:-1] * (np.diff(self.factor, axis=0) / n0)
        capped = self.factor * error / count > self.cap
        if capped.any():
            part = np.divide(self.figure(), error, out=np.zeros_like(error), where=error != 0)
            in_proportion = np.diff(self.error * part, axis=0)
            shares = np.where(capped[:-1] | capped[1:], in_proportion, shares)
        return shares


class Change(NamedTuple):
    """What a step changes in a figure."""

    shares: Floats
    """By decision."""
    low: float = 0.0
    """The smallest and the largest change that another order of the rules would give."""
    high: float = 0.0


Changes = dict[str, Change]
"""By the code of a step, in order."""


@dataclass(eq=False, repr=False)
class Way:
    """From the `first` side (0 or 1) to the other, here the left one and the right one; what it
    needs is scored when first asked for, and once.

    `rules` are those that the second side was asked to count by. `names` are what the two files are
    called.
    """

    aligned: Aligned
    first: int
    rules: RuleSet
    names: tuple[str, str] = ("left", "right")

    def __post_init__(self) -> None:
        order = self.first, 1 - self.first
        self.left, self.right = (self.aligned.sides[side] for side in order)
        self.rows = self.aligned.rows[[*order]]

    @cached_property
    def target(self) -> RuleSet:
        """The right side's rules, as far as the left file has what they need."""
        return self.rules.for_match(self.left.match)[0]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The questions that are switched, in order."""
        differing = {*self.left.rules.differing(self.target)} - {"Q11"}
        if self.left.met is not self.right.met:
            differing.add("Q11")
        return tuple(
            code
            for code, question in QUESTIONS.items()
            if code in differing
            and question.effect is not Effect.NAMES
            and can_matter(code, self.left.match)
        )

    @once
    def charges(self, switched: frozenset[str]) -> Floats:
        """What the left file charges with these questions answered as the right side does.

        Dead cubes that one file alone evaluates go in one step from what the one says of them to
        what the other does: counted first with their plays, then left out because nobody evaluated
        them, and then put in again by their values, they would be three steps.
        """
        if not switched:
            return charges(self.left, self.rows[0])
        rules, dead = self.left.rules, self.aligned.dead
        for code in switched:
            rules = rules.switched(code, self.target.answers[code])
        met = self.right.met if "Q11" in switched else self.left.met
        result = charges(score(self.left.match, rules, met), self.rows[0])
        if dead.any():
            other = self.landing if DEAD_CUBES in switched else self.charges(frozenset())
            result[:, dead] = other[:, dead]
        return result

    @cached_property
    def landing(self) -> Floats:
        """What the right file charges under its own rules."""
        return charges(self.right, self.rows[1])

    @cached_property
    def ruled(self) -> Floats:
        """What the left file charges under the right side's rules."""
        return self.charges(OF_DECISIONS & frozenset(self.questions))

    @cached_property
    def switched(self) -> list[frozenset[str]]:
        """Every set of switched questions; bit i of its index is question i."""
        bits = list(enumerate(self.questions))
        return [
            frozenset(code for bit, code in bits if mask >> bit & 1)
            for mask in range(1 << len(bits))
        ]

    @cached_property
    def _stack(self) -> Floats:
        """What is charged in every state, shape [`ERROR` to `MOVES`, state, decision].

        The states are every set of switched questions, and three after them: the last set on the
        decisions that both files have, the right analysis on them, and the right file's own.
        """
        common, landing = self.aligned.common, self.landing
        here = [self.charges(OF_DECISIONS & codes) for codes in self.switched]
        both = [self.ruled * common, landing * common]
        return np.stack([*here, *both, landing], axis=1)

    def _states(self, figure: Metric, owner: int, inside: Bools) -> tuple[Ints, States]:
        """The decisions a figure looks at, and its states: those of `_stack`."""
        errors = inside & (self.aligned.player == owner)
        if figure.classes:
            errors &= np.isin(self.aligned.decision_class, figure.classes)
        counts = inside if figure.per_move else errors
        rows = np.flatnonzero(errors | counts)
        error = self._stack[LOSS if figure.in_mwc else ERROR][:, rows]
        count = self._stack[MOVES if figure.per_move else COUNT][:, rows]
        scaled = self.left.match.length == 1 and not figure.per_move
        cap = cap_of if figure.name == CAPPED else lambda _rules: inf
        return rows, States(
            figure.form or Form.ERROR,
            error * errors[rows],
            count * counts[rows],
            self._by_state("Q09", lambda rules: point_factor(rules, scaled) * figure.factor),
            self._by_state("Q13", cap),
        )

    def _by_state(self, code: str, number: Callable[[RuleSet], float]) -> Floats:
        """A number that the answer to a question gives, by state, shape [state, 1]."""
        here, there, own = map(number, (self.left.rules, self.target, self.right.rules))
        by_set = [there if code in codes else here for codes in self.switched]
        return np.array([*by_set, by_set[-1], own, own])[:, None]

    def changes(self, name: str, owner: int, inside: Bools, unknown: str = "") -> Changes | str:
        """What every step changes in a figure of seat `owner` over these decisions; or why there is
        no way, in words.

        `unknown` says so where the figure of a side is not known. The rules are switched in the
        order of their codes; `low` and `high` are what every other order would give.
        """
        rows, states = self._states(METRICS[name], owner, inside)
        number, sets = len(self.questions), len(self.switched)
        if np.isnan(states.error).any():
            return (
                f"{self.right.met.name} table does not have a score at which the {self.names[0]} "
                "file has an error"
            )
        if unknown:
            return unknown
        # The documented order: none of the questions switched, the first, the first two...
        order = [*((1 << done) - 1 for done in range(number + 1)), sets, sets + 1, sets + 2]
        figures = states.figure()[:, 0]
        empty = np.flatnonzero(np.isnan(figures[order[1:]])).tolist()
        if empty and empty[0] < number:
            code = self.questions[empty[0]]
            return f"no decision of the {self.names[0]} file counts once {code} is switched"
        if empty:
            return "the files have no counted decision in common"
        # Where a rate has no value under some set of rules, no order but the documented one.
        masks, any_order = np.arange(sets), not np.isnan(figures[:sets]).any()
        codes = *self.questions, "coverage-left", "engine", "coverage-right"
        changes: Changes = {}
        for step, (code, moves) in enumerate(zip(codes, states.at(order).shares(), strict=True)):
            shares, orders = np.zeros(len(self.aligned)), moves.sum()
            shares[rows] = moves
            if any_order and step < number:
                before = masks[masks >> step & 1 == 0]
                orders = figures[before | 1 << step] - figures[before]
            changes[code] = Change(shares, float(orders.min()), float(orders.max()))
        return changes


@dataclass(eq=False, repr=False)
class Walk(Value):
    """The way from every left figure of a comparison to the right one; each bridge is walked when
    first asked for, and once.

    `rules` are those that the sides were asked to count by, `names` those of the players as each
    file has them, `seats` are the left file's whose figures are compared. The steps of reporting
    move nothing: both ends are counted.
    """

    statistics: tuple[Statistics, Statistics]
    pairing: Pairing
    rules: tuple[RuleSet, RuleSet]
    names: tuple[tuple[str, str], tuple[str, str]]
    seats: tuple[int, ...] = (0, 1)

    def __post_init__(self) -> None:
        self.left, self.right = (side.scored for side in self.statistics)

    @cached_property
    def aligned(self) -> Aligned:
        """The decisions of both files, in one order whichever file is on the left."""
        return aligned_pair(self.left, self.right, self.pairing)

    @cached_property
    def ways(self) -> tuple[Way, Way]:
        """The ways that are walked: there, where the left analysis comes to the right rules, then
        the right analysis takes its place; and back, from the right analysis to the left one."""
        there = Way(self.aligned, 0, self.rules[1])
        return there, Way(self.aligned, 1, self.rules[0], ("right", "left"))

    @cached_property
    def attribution(self) -> Attribution:
        """The causes of every step."""
        return Attribution(self.aligned, self.pairing)

    def bridges(
        self, metrics: Sequence[str] = BRIDGED, game: int | None = None
    ) -> tuple[Bridge, ...]:
        """The bridges of several metrics for the players that are compared, for the match or one
        game number."""
        names = [ALIASES.get(name, name) for name in metrics]
        if self.left.match.is_money:
            names = [name for name in names if not METRICS[name].in_mwc]
        return tuple(self.bridge(name, seat, game) for seat in self.seats for name in names)

    def bridge(self, name: str, owner: int, game: int | None = None) -> Bridge:
        """The bridge of a metric (full or short name) for seat `owner` of the left file, for the
        match or one game number."""
        return self._bridge(metric(name).name, owner, game)

    @once
    def _bridge(self, name: str, owner: int, game: int | None) -> Bridge:
        player = self.left.match.names[owner]
        seats = owner, self.pairing.seats[owner]
        start, end = (self._end(side, seat, game, name) for side, seat in enumerate(seats))
        walked = self._walked(name, owner, game, _unknown(name, start, end))
        if isinstance(walked, str):
            return Bridge(player, name, start, end, (), walked)
        codes, still = set().union(*walked.values()), Change(np.zeros(len(self.aligned)))
        steps, shares = [], {}
        for code in (code for code in (*QUESTIONS, *TITLES) if code in codes):
            ends = [changes.get(code, still) for changes in walked.values()]
            shares[code] = np.array([change.shares for change in ends])
            low, high = min(change.low for change in ends), max(change.high for change in ends)
            steps.append(self._step(code, shares[code].sum(axis=0), low, high))
        return Bridge(
            player=player,
            metric=name,
            start=start,
            end=end,
            steps=(
                Step("reported-left", "Reported by the left tool", 0.0, 0),
                *steps,
                Step("reported-right", "Reported by the right tool", 0.0, 0),
            ),
            shares=shares,
            ways=tuple(walked),
        )

    def _walked(
        self, name: str, owner: int, game: int | None, unknown: str
    ) -> dict[int, Changes] | str:
        """What changes on the ways that can be walked, by 0 there and 1 back, as the left side sees
        it, the shares each in its part of the whole; or why there is none."""
        inside = np.full(len(self.aligned), game is None) | (self.aligned.game == game)
        changes = [way.changes(name, owner, inside, unknown) for way in self.ways]
        walked = {number: each for number, each in enumerate(changes) if not isinstance(each, str)}
        if 1 in walked:
            walked[1] = {
                MIRRORED.get(code, code): Change(-shares, -high, -low)
                for code, (shares, low, high) in walked[1].items()
            }
        for each in walked.values():
            for code, change in each.items():
                each[code] = change._replace(shares=change.shares / len(walked))
        return walked or "; ".join(dict.fromkeys(map(str, changes)))

    def _step(self, code: str, shares: Floats, low: float, high: float) -> Step:
        """A step; its range where another order would give another change."""
        title = TITLES.get(code)
        if title is None:
            answers = self.answers(code)
            if code == "Q11":
                answers = self.left.met.name, self.right.met.name
            title = f"{QUESTIONS[code].title} {' -> '.join(answers)}"
        ends = (low, high) if high - low > RANGE_SHOWN else ()
        return Step(code, title, float(shares.sum()), int(np.count_nonzero(shares)), *ends)

    def answers(self, code: str) -> tuple[str, str]:
        """The answers of the left and of the right side to a question that is switched."""
        left, right = self.left.rules.answers[code], self.right.rules.answers[code]
        if left != right:
            return left, right
        if code in self.ways[0].questions:
            return left, self.ways[0].target.answers[code]
        return self.ways[1].target.answers[code], right

    def _end(self, side: int, seat: int, game: int | None, name: str) -> float | None:
        """A figure on one side, in the match or in a game by its number; unknown where its file
        does not have the game."""
        statistics = self.statistics[side]
        if game is not None and game not in statistics.match.games.number:
            return None
        return statistics.figures(seat, game)[name]

    def _rows(self, bridge: Bridge) -> Iterator[Columns]:
        """What decisions add to a bridge, step by step: once for each cause, since a decision may
        have another one on the way back."""
        for code, shares in bridge.shares.items():
            every = shares.sum(axis=0)
            rows = np.flatnonzero(every)
            causes = [self.causes(code, rows, way) for way in bridge.ways]
            there, back = shares[0, rows], shares[-1, rows]
            split = (there != 0) & (back != 0) & (causes[0] != causes[-1]).astype(bool)
            cause = np.where(there != 0, causes[0], causes[-1])
            columns = {
                "cause": np.concatenate((cause, causes[-1][split])),
                "decision": np.concatenate((rows, rows[split])),
                "change": np.concatenate((np.where(split, there, every[rows]), back[split])),
            }
            texts = {"player": bridge.player, "metric": bridge.metric, "step": code}
            number = len(columns["decision"])
            yield {name: np.full(number, text, object) for name, text in texts.items()} | columns

    def causes(self, code: str, rows: Ints, way: int = 0) -> Labels:
        """Why decisions move a figure in a step, on the way there or back."""
        chosen = self.ways[way]
        return self.attribution.causes(code, rows, chosen.ruled, chosen.landing)

    def ledger_columns(self, bridges: Sequence[Bridge]) -> Columns:
        """Every contribution of every decision to these bridges, as columns.

        They are player (whose figure), metric, step, cause, game, turn, kind, decider, change, xgid
        and gnubg_id (empty without one), decision (index for `Walk.aligned`).
        """
        rows = [row for bridge in bridges for row in self._rows(bridge)]
        names = ("player", "metric", "step", "cause", "decision", "change")
        columns = {
            name: np.concatenate([row[name] for row in rows] or [np.zeros(0)]) for name in names
        }
        aligned, decision = self.aligned, columns["decision"].astype(np.int64)
        places = aligned.places(decision, "decider")
        ids = {name: aligned.stated(name)[decision] for name in ("xgid", "gnubg_id")}
        before = {name: columns[name] for name in names[:4]}
        return before | places | {"change": columns["change"]} | ids | {"decision": decision}


def _unknown(name: str, start: float | None, end: float | None) -> str:
    """That the figure of a side is not known; empty where both are."""
    sides = [side for side, value in (("the left", start), ("the right", end)) if value is None]
    words = "both sides" if sides[1:] else "".join(sides)
    return f"{METRICS[name].title} is unknown on {words}" if sides else ""


def opinions(aligned: Aligned, decision: int) -> list[str]:
    """What either side says of a decision: the error, with the digits that show how they differ,
    and whether it does not count."""
    errors = aligned.error[:, decision]
    words: list[str] = []
    columns = (
        aligned.decided[:, decision],
        errors,
        aligned.counted[:, decision],
        apart(*np.nan_to_num(errors)),
    )
    for there, error, counted, number in zip(*columns, strict=True):
        if not there:
            words.append(say("row.not-there"))
        elif error != error:
            words.append(say("row.not-analysed"))
        elif counted:
            words.append(number)
        else:
            words.append(
                say("row.costs-uncounted", error=number)
                if float(number)
                else say("row.not-counted")
            )
    return words


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """Every contribution of every decision to the bridges of the match, with XGID and gnuBG ID, as
    a table."""
    import pandas as pd

    return pd.DataFrame(walk.ledger_columns(walk.bridges())).drop(columns="decision")


def rate_bridges(walk: Walk) -> tuple[Bridge, ...]:
    """By player the bridge of PR, or of checker PR where PR has none."""
    rates = {seat: walk.bridge(LEADING, seat) for seat in walk.seats}
    return tuple(
        walk.bridge(CHECKER, seat) if rate.reason else rate for seat, rate in rates.items()
    )


def disagreements(walk: Walk, most: int) -> list[tuple[float, str, int, str]]:
    """The decisions that move the rates of the players most, largest first: by how much over all
    steps, whose rate, the decision, and why in the step that it moves most. One that no ID can
    describe is left out."""
    xgid, moving = walk.aligned.stated("xgid"), []
    for bridge in rate_bridges(walk):
        columns, changes = walk.ledger_columns([bridge]), bridge.by_decision.tolist()
        sizes = (-np.abs(columns["change"])).tolist()
        shares = zip(sizes, columns["decision"].tolist(), columns["cause"], strict=True)
        causes = {row: cause for _, row, cause in sorted(shares, reverse=True)}
        moving += [
            (changes[row], bridge.player, row, cause)
            for row, cause in causes.items()
            if changes[row] and xgid[row]
        ]
    moving.sort(key=lambda entry: (-abs(entry[0]), entry[2], entry[1]))
    return moving[:most]
