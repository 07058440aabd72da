"""All combinations of answers at once: figures of one player as arrays with one axis per question.

Answers that cannot change a figure of this match are left out first. What remains is not scored
combination by combination: counts and errors of a class depend on a few questions each, so the
figures of all combinations are sums of small arrays.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.errors import NothingToCompare
from reconcile.infer.reported import EXPLORED
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules.rulesets import Q13, Q16, QUESTIONS, RuleSet, own_rules
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.figures import cap_of, point_factor
from reconcile.scoring.metrics import figures_of
from reconcile.scoring.open_rules import can_matter
from reconcile.scoring.score import COUNTING_CUBES, Scored, counted_cubes, score
from reconcile.scoring.statistics import Statistics, of_decisions, table_of
from reconcile.scoring.sums import DecisionClass, Sums, Totals

_KEPT: Final[deque[Combinations]] = deque(maxlen=2)
Table = npt.NDArray[np.float64]
Answered = tuple[tuple[str, str], ...]
"""Questions with answers that are not the tool's own, in order."""

MOST_COMBINATIONS: Final = 2_000_000
NEEDS_THE_PLAY: Final = "bgblitz"
"""The answer to Q02 that asks whether the play of the same roll counts."""


def combinations(match: Match, met: str | None, seat: int, game: int | None) -> Combinations:
    """All combinations of answers of one match, one player; those of the last few are kept, since
    one figure after another is asked for."""
    for space in _KEPT:
        if (space.given is match, space.asked) == (True, (met, seat, game)):
            return space
    combined = Combinations(match, met, seat, game)
    _KEPT.appendleft(combined)
    return combined


class Combinations:
    """All combinations of answers of one match, one player, as arrays with one axis per
    question."""

    def __init__(self, match: Match, met: str | None, seat: int, game: int | None) -> None:
        self.given, self.asked = match, (met, seat, game)
        match = with_dead_cubes(match)  # so that a row is the same decision under every combination
        self.match, self.seat, self.game = match, seat, game
        self.base = own_rules(match)
        self.met = table_of(match, self.base, met)
        self._supported = self.base.for_match(match)[0]
        self._sums: dict[Answered, dict[str, Table]] = {}
        self._scored: dict[Answered, Scored] = {}
        self.axes = {
            code: self._answers(code) for code, question in QUESTIONS.items() if question.is_varied
        }
        highest = np.nanmax(
            figures_of(replace(self._totals(), cap=math.inf), ["pr"])["pr"], initial=0.0
        )
        if highest > min(cap.value for cap in Q13.answers.values() if cap.value is not None):
            self.axes["Q13"] = self._bearable("Q13")
        self.size = int(np.prod([len(names) for names in self.axes.values()]))
        if self.size > MOST_COMBINATIONS:
            raise NothingToCompare(
                f"{self.size} combinations of answers are too many to try", match.source.path
            )

    def _answers(self, code: str) -> tuple[str, ...]:
        """The answers worth trying: only the tool's own if no other can matter."""
        return self._bearable(code) if self._can_matter(code) else self._bearable(code)[:1]

    def _bearable(self, code: str) -> tuple[str, ...]:
        """All answers that the file supports, the tool's own first."""
        own = self._supported.answers[code]
        answers = QUESTIONS[code].answers.items()
        return own, *(
            name for name, answer in answers if name != own and answer.applies(self.match)
        )

    def _can_matter(self, code: str) -> bool:
        match, cubes = self.match, self.match.cubes
        if code == "Q05":
            return not bool(match.plays.analysed.all() and cubes.analysed[cubes.expected].all())
        if code == "Q10":
            return not match.is_money and bool((cubes.kind >= Kind.TAKE).any())
        if code == "Q13":
            return False  # until the rates are known
        return can_matter(code, match)

    @cached_property
    def own(self) -> Statistics:
        """The match under the tool's own rules."""
        return Statistics(score(self.match, self.base, self.met))

    def _sums_of(self, answers: Mapping[str, str]) -> dict[str, Table]:
        """Sums by class under the tool's own rules with some answers changed."""
        dead = Q16.answers[answers.get("Q16", self.base.answers["Q16"])].value
        if answers.get("Q02", NEEDS_THE_PLAY) != NEEDS_THE_PLAY and not dead:
            answers = {
                code: name for code, name in answers.items() if code != "Q01"
            }  # no double depends on which plays count
        key = tuple(
            sorted(
                (code, name)
                for code, name in answers.items()
                if name != self._supported.answers[code]
            )
        )
        if key not in self._sums:
            scored_so = tuple(pair for pair in key if pair[0] not in COUNTING_CUBES)
            rules = replace(
                self._supported, answers=MappingProxyType({**self._supported.answers, **dict(key)})
            )
            self._sums[key] = (
                self._scored_anew(key, rules)
                if key == scored_so
                else self._recounted(dict(scored_so), rules)
            )
        return self._sums[key]

    def _scored_anew(self, key: Answered, rules: RuleSet) -> dict[str, Table]:
        """Sums by class of the match scored under rules."""
        scored = self._scored[key] = score(self.match, rules, self.met)
        added = Sums(len(self.match.games), of_decisions(scored)).games
        which = slice(None) if self.game is None else self.game
        return {
            name: table[which, self.seat]
            .reshape(-1, len(DecisionClass))
            .sum(axis=0, dtype=np.float64)
            for name, table in added.items()
        }

    def _recounted(self, answers: Mapping[str, str], rules: RuleSet) -> dict[str, Table]:
        """The sums under these answers where further ones, which change only which cube decisions
        count, make the rules."""
        sums = self._sums_of(answers)
        scored = self._scored[tuple(sorted(answers.items()))]
        start = len(scored.match.plays)
        rows = slice(start, start + len(scored.match.cubes))
        more = (
            counted_cubes(scored.match, rules, scored.view)[0].astype(np.int8)
            - scored.counted[rows]
        )
        more[
            (scored.player[rows] != self.seat)
            | (False if self.game is None else scored.game[rows] != self.game)
        ] = 0
        return {
            **sums,
            "counted": sums["counted"]
            + np.bincount(scored.decision_class[rows], more, len(DecisionClass)),
        }

    def _grid(self, codes: Sequence[str], which: DecisionClass, column: str) -> Table:
        """Sums of a column over a class for all answers to some questions, shaped to broadcast with
        every other grid."""
        order = [code for code in self.axes if code in codes]
        values = np.empty([len(self.axes[code]) for code in order])
        for index in np.ndindex(*values.shape):
            values[index] = self._sums_of(
                {code: self.axes[code][i] for code, i in zip(order, index, strict=True)}
            )[column][which]
        return values.reshape([len(self.axes[code]) if code in codes else 1 for code in self.axes])

    def _doubles(self) -> Table:
        """Counted doubles and no-doubles.

        Three kinds of row share the class: close no-doubles, doubles made (Q15) and turns with a
        dead cube (Q16). The answers to a question change only one of them, so their changes are
        added.
        """
        double = DecisionClass.DOUBLE
        cubes = self.match.cubes
        evaluated = bool(
            (is_dead(self.match) & cubes.analysed & ~cubes.access).any()
        )  # a dead cube that Q02 judges
        close = self._grid(
            ("Q01", "Q02", "Q03", "Q04", "Q05", "Q14", *(("Q16",) if evaluated else ())),
            double,
            "counted",
        )
        acted = self._grid(("Q04", "Q05", "Q14", "Q15"), double, "counted") - self._grid(
            ("Q04", "Q05", "Q14"), double, "counted"
        )
        dead = self._grid(("Q01", "Q05", "Q16"), double, "counted") - self._grid(
            ("Q01", "Q05"), double, "counted"
        )
        return close + acted + (0 if evaluated else dead)

    def figures(self) -> dict[str, Table]:
        """Every figure for all combinations, as arrays that broadcast over the axes; NaN where
        unknown."""
        return figures_of(self._totals(), EXPLORED)

    def _totals(self) -> Totals:
        checker, double, take, resignation = DecisionClass
        covered = self.own.completeness_at(self.seat, self.game)
        shown = {part: coverage.complete for part, coverage in covered.items()}
        shown["decisions"] = shown["checker"] and shown["cube"]
        counted = (
            self._grid(("Q01", "Q05"), checker, "counted"),
            self._doubles(),
            self._grid(("Q04", "Q05", "Q14", "Q15"), take, "counted"),
            self._grid(("Q07",), resignation, "counted"),
        )
        error, loss = (
            (
                self._grid(("Q01", "Q06"), checker, column),
                self._grid(("Q06", "Q14"), double, column),
                self._grid(("Q06", "Q10", "Q14"), take, column),
                self._grid(("Q07",), resignation, column),
            )
            for column in ("error", "loss")
        )
        moves = (self.own.sums.match if self.game is None else self.own.sums.games)["moves"]
        return Totals(
            {"counted": counted, "error": error, "loss": loss},
            shown,
            np.array((moves if self.game is None else moves[self.game]).sum(), np.float64),
            scale=self._constants("Q09"),
            cap=self._constants("Q13"),
            in_match=not self.match.is_money,
        )

    def _constants(self, code: str) -> Table:
        """The factor of a rate (Q09) or the highest PR shown (Q13) by answer."""
        rules = [self.base.switched(code, name) for name in self.axes[code]]
        numbers = np.array(
            [
                cap_of(rule_set)
                if code == "Q13"
                else point_factor(rule_set, self.match.length == 1)
                for rule_set in rules
            ],
            float,
        )
        return numbers.reshape([len(numbers) if axis == code else 1 for axis in self.axes])

    def answers_at(self, index: Sequence[int]) -> dict[str, str]:
        """The answers of a combination."""
        return {code: self.axes[code][i] for code, i in zip(self.axes, index, strict=True)}
