"""All combinations of answers at once: figures of one player as arrays with one axis per question.

Answers that cannot change a figure of this match are left out first. What remains is not scored
combination by combination: counts and errors of a class depend on a few questions each, so the
figures of all combinations are sums of small arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from reconcile.errors import NothingToCompare
from reconcile.infer.reported import EXPLORED
from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Facts, Match
from reconcile.match.met import AnyMet
from reconcile.rules.rulesets import Q13, QUESTIONS, RuleSet, own_rules
from reconcile.scoring.figures import cap_of, figures_of, point_factor
from reconcile.scoring.score import (
    COUNTING_CUBES,
    Scored,
    can_matter,
    is_dead,
    rescored,
    score,
    with_dead_cubes,
)
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.scoring.sums import DecisionClass, Totals

Table = npt.NDArray[np.float64]
CHECKER, DOUBLE, TAKE, RESIGNATION = DecisionClass
DEPENDS_ON = {
    ("counted", CHECKER): ("Q01", "Q05"),
    ("counted", TAKE): ("Q04", "Q05", "Q14", "Q15"),
    ("counted", RESIGNATION): ("Q07",),
    ("error", CHECKER): ("Q01", "Q06"),
    ("error", DOUBLE): ("Q06", "Q14"),
    ("error", TAKE): ("Q06", "Q10", "Q14"),
    ("error", RESIGNATION): ("Q07",),
}
"""The questions on which a sum over a class depends; what a decision costs of the match depends on
the same as its error. Counted doubles are more than one kind of row, see `_doubles`. A test holds
any combination to the scoring."""
NEED_THE_PLAY = {"bgblitz", "with-the-play"}
"""Answers to Q02 and Q16 that ask whether the play of the same roll counts."""
MOST_COMBINATIONS = 2_000_000


def rows_of(facts: Facts, seat: int, game: int | None) -> Bools:
    """Which rows are a player's, of the match or one game (index from 0)."""
    own: Bools = facts.seat == seat
    return own if game is None else own & (facts.in_game == game)


class Combinations:
    """All combinations of answers of one match, one player, as arrays with one axis per
    question."""

    def __init__(self, match: Match, met: AnyMet | None, seat: int, game: int | None) -> None:
        match = with_dead_cubes(match)  # so that a row is the same decision under every combination
        self.match, self.seat, self.game = match, seat, game
        self.base = own_rules(match)
        """The rules of the file's tool."""
        self.met = table_of(match, self.base, met)
        self.supported = self.base.for_match(match)[0]
        """The same as far as the file has what they need."""
        self._scored: dict[tuple[tuple[str, str], ...], Scored] = {}
        self.axes = {
            code: self._answers(code) if self._can_matter(code) else (answer,)
            for code, answer in self.supported.answers.items()
            if QUESTIONS[code].is_varied
        }
        rates = figures_of(replace(self._totals(), cap=math.inf), ["pr"])["pr"]
        caps = [cap.value for cap in Q13.answers.values() if cap.value is not None]
        if np.nanmax(rates, initial=0.0) > min(caps):
            self.axes["Q13"] = self._answers("Q13")
        self.size = math.prod(map(len, self.axes.values()))
        if self.size > MOST_COMBINATIONS:
            raise NothingToCompare(
                f"{self.size} combinations of answers are too many to try", match.source.path
            )

    def _answers(self, code: str) -> tuple[str, ...]:
        """All answers that the file supports, the tool's own first."""
        answers = QUESTIONS[code].answers.items()
        supported = [name for name, answer in answers if answer.applies(self.match)]
        return tuple(dict.fromkeys((self.supported.answers[code], *supported)))

    def _can_matter(self, code: str) -> bool:
        match, cubes = self.match, self.match.cubes
        if code == "Q05":
            return not bool(match.plays.analysed.all() and cubes.analysed[cubes.expected].all())
        if code == "Q10":
            return not match.is_money and bool((cubes.kind >= Kind.TAKE).any())
        return code != "Q13" and can_matter(code, match)  # a cap until the rates are known

    @cached_property
    def rows(self) -> Bools:
        """Which decisions are the player's, of the match or the game."""
        return rows_of(Facts(self.match), self.seat, self.game)

    @cached_property
    def own(self) -> Statistics:
        """The match under the tool's own rules."""
        return self.under(self.base)

    def under(self, rules: RuleSet) -> Statistics:
        """The match under any rules."""
        return Statistics(score(self.match, rules, self.met))

    def scored(self, answers: Mapping[str, str]) -> Scored:
        """The match under the tool's own rules with some answers changed."""
        own = self.supported.answers
        changes = {code: name for code, name in answers.items() if name != own[code]}
        key = tuple(sorted(changes.items()))
        if key not in self._scored:
            rules = replace(self.supported, answers=MappingProxyType({**own, **changes}))
            # Rules that change only which cubes count are counted again, not scored anew.
            before = {code: name for code, name in changes.items() if code not in COUNTING_CUBES}
            self._scored[key] = (
                score(self.match, rules, self.met)
                if len(before) == len(changes)
                else rescored(self.scored(before), rules)
            )
        return self._scored[key]

    def _grid(self, codes: Sequence[str], which: DecisionClass, column: str) -> Table:
        """Sums of a column over a class for all answers to some questions, shaped to broadcast with
        every other grid."""
        order = [code for code in self.axes if code in codes]
        values = np.empty([len(self.axes[code]) for code in order])
        for index in np.ndindex(*values.shape):
            answers = {code: self.axes[code][at] for code, at in zip(order, index, strict=True)}
            every = {**self.supported.answers, **answers}
            if "Q02" in codes and not NEED_THE_PLAY & set(every.values()):
                answers.pop("Q01", None)  # no other double depends on which plays count
            scored = self.scored(answers)
            rows = self.rows[: len(scored.kind)] & (scored.decision_class == which)
            values[index] = getattr(scored, column)[rows].sum(dtype=np.float64)
        return values.reshape(self._shape(codes))

    def _shape(self, codes: Sequence[str]) -> list[int]:
        """That of a grid of the answers to some questions."""
        return [len(names) if code in codes else 1 for code, names in self.axes.items()]

    def _doubles(self) -> Table:
        """Counted doubles and no-doubles.

        Three kinds of row share the class: close no-doubles, doubles made (Q15) and turns with a
        dead cube (Q16). The answers to a question change only one of them, so their changes are
        added; but where Q02 judges a dead cube, that is a close no-double, too.
        """

        def counted(*codes: str) -> Table:
            return self._grid(codes, DOUBLE, "counted")

        close, cubes = ("Q01", "Q02", "Q03", "Q04", "Q05", "Q14"), self.match.cubes
        acted = counted("Q04", "Q05", "Q14", "Q15") - counted("Q04", "Q05", "Q14")
        if (is_dead(self.match) & cubes.analysed & ~cubes.access).any():
            return counted(*close, "Q16") + acted
        return counted(*close) + acted + counted("Q01", "Q05", "Q16") - counted("Q01", "Q05")

    def figures(self) -> dict[str, Table]:
        """Every figure for all combinations, as arrays that broadcast over the axes; NaN where
        unknown."""
        return figures_of(self._totals(), EXPLORED)

    def _totals(self) -> Totals:
        covered = self.own.completeness_at(self.seat, self.game)
        shown = {part: coverage.complete for part, coverage in covered.items()}
        shown["decisions"] = shown["checker"] and shown["cube"]
        sums = {
            column: [
                self._doubles()
                if (column, which) == ("counted", DOUBLE)
                else self._grid(DEPENDS_ON[depends, which], which, column)
                for which in DecisionClass
            ]
            for column, depends in (("counted", "counted"), ("error", "error"), ("loss", "error"))
        }
        return Totals(
            sums,
            shown,
            np.array(self.own.sums.of(self.game)["moves"].sum(), np.float64),
            scale=self._constants(
                "Q09", lambda rules: float(point_factor(rules, self.match.length == 1))
            ),
            cap=self._constants("Q13", cap_of),
            in_match=not self.match.is_money,
        )

    def _constants(self, code: str, constant: Callable[[RuleSet], float]) -> Table:
        """The factor of a rate (Q09) or the highest PR shown (Q13) by answer."""
        numbers = [constant(self.base.switched(code, name)) for name in self.axes[code]]
        return np.array(numbers, float).reshape(self._shape([code]))

    def answers_at(self, index: Sequence[int]) -> dict[str, str]:
        """The answers of a combination."""
        return {code: self.axes[code][i] for code, i in zip(self.axes, index, strict=True)}
