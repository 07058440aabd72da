"""All combinations of answers at once: figures of one player as arrays with one axis per question.

Answers that cannot change a figure of this match are left out first. What remains is not scored combination by combination:
counts and errors of a class depend on a few questions each, so the figures of all combinations are sums of small arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.columns import Kind
from reconcile.errors import NothingToCompare
from reconcile.match import Match
from reconcile.rules.rulesets import QUESTIONS, own_rules
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.metrics import MEMG_FACTOR, PR_FACTOR, DecisionClass
from reconcile.scoring.relevance import can_matter
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, by_class, table_of
from reconcile.scoring.sums import Sums

Table = npt.NDArray[np.float64]

MOST_COMBINATIONS: Final = 2_000_000
NEEDS_THE_PLAY: Final = "bgblitz"
"""The answer to Q02 that asks whether the play of the same roll counts."""


class Combinations:
    """All combinations of answers of one match, one player, as arrays with one axis per question."""

    def __init__(self, match: Match, met: str | None, seat: int, game: int | None) -> None:
        match = with_dead_cubes(match)  # so that a row is the same decision under every combination
        self.match, self.seat, self.game = match, seat, game
        self.base = own_rules(match)
        self.met = table_of(match, self.base, met)
        self._sums: dict[tuple[tuple[str, str], ...], dict[str, Table]] = {}
        self.axes = {code: self._answers(code) for code, question in QUESTIONS.items() if question.is_varied}
        highest = np.nanmax(self.figures()["error_rate_memg"], initial=0.0) * PR_FACTOR / MEMG_FACTOR
        if highest > min(cap.value for cap in QUESTIONS["Q13"].answers.values() if cap.value is not None):
            self.axes["Q13"] = self._bearable("Q13")
        self.size = int(np.prod([len(names) for names in self.axes.values()]))
        if self.size > MOST_COMBINATIONS:
            raise NothingToCompare(f"{match.source.path}: {self.size} combinations of answers are too many to try")

    def _answers(self, code: str) -> tuple[str, ...]:
        """The answers worth trying: only the tool's own if no other can matter."""
        return self._bearable(code) if self._can_matter(code) else self._bearable(code)[:1]

    def _bearable(self, code: str) -> tuple[str, ...]:
        """All answers that the file supports, the tool's own first."""
        own = self.base.for_match(self.match)[0].answers[code]
        answers = QUESTIONS[code].answers.items()
        return own, *(name for name, answer in answers if name != own and answer.applies(self.match))

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
        dead = QUESTIONS["Q16"].answers[answers.get("Q16", self.base.answers["Q16"])].value
        if answers.get("Q02", NEEDS_THE_PLAY) != NEEDS_THE_PLAY and not dead:
            answers = {code: name for code, name in answers.items() if code != "Q01"}  # no double depends on which plays count
        key = tuple(sorted(answers.items()))
        if key not in self._sums:
            rules = self.base.for_match(self.match)[0]
            for code, name in answers.items():
                rules = rules.switched(code, name)
            added = Sums(len(self.match.games), by_class(score(self.match, rules, self.met))).tables()
            which = slice(None) if self.game is None else self.game
            self._sums[key] = {
                name: table[which, self.seat].reshape(-1, len(DecisionClass)).sum(axis=0, dtype=np.float64) for name, table in added.items()
            }
        return self._sums[key]

    def _grid(self, codes: Sequence[str], which: DecisionClass, column: str) -> Table:
        """Sums of a column over a class for all answers to some questions, shaped to broadcast with every other grid."""
        order = [code for code in self.axes if code in codes]
        values = np.empty([len(self.axes[code]) for code in order])
        for index in np.ndindex(*values.shape):
            values[index] = self._sums_of({code: self.axes[code][i] for code, i in zip(order, index, strict=True)})[column][which]
        return values.reshape([len(self.axes[code]) if code in codes else 1 for code in self.axes])

    def _doubles(self) -> Table:
        """Counted doubles and no-doubles.

        Three kinds of row share the class: close no-doubles, doubles made (Q15) and turns with a dead cube (Q16). The answers to a question
        change only one of them, so their changes are added.
        """
        double = DecisionClass.DOUBLE
        cubes = self.match.cubes
        evaluated = bool((is_dead(self.match) & cubes.analysed & ~cubes.access).any())  # a dead cube that Q02 judges
        close = self._grid(("Q01", "Q02", "Q03", "Q04", "Q05", "Q14", *(("Q16",) if evaluated else ())), double, "counted")
        made = self._grid(("Q04", "Q05", "Q14", "Q15"), double, "counted") - self._grid(("Q04", "Q05", "Q14"), double, "counted")
        dead = self._grid(("Q01", "Q05", "Q16"), double, "counted") - self._grid(("Q01", "Q05"), double, "counted")
        return close + made + (0 if evaluated else dead)

    def figures(self) -> dict[str, Table]:
        """Every figure for all combinations, as arrays that broadcast over the axes; NaN where unknown."""
        checker, double, take, resignation = DecisionClass
        covered = self.own.completeness(self.seat, self.game)
        known = {part: 1.0 if seen.analysed or not seen.expected else np.nan for part, seen in covered.items()}
        any_known = 1.0 if covered["checker"].analysed + covered["cube"].analysed else np.nan
        counts = {
            "checker": self._grid(("Q01", "Q05"), checker, "counted"),
            "double": self._doubles(),
            "take": self._grid(("Q04", "Q05", "Q14", "Q15"), take, "counted"),
        }
        counted = sum(counts.values()) + self._grid(("Q07",), resignation, "counted")
        found: dict[str, Table] = {f"decisions.{name}": table for name, table in counts.items()}
        found["decisions.counted"] = counted
        scale = self._constants("Q09")
        for group, column in (("mwc_loss_percent", "loss"), ("equity_error", "error")):
            factor = 1.0 if column == "error" else np.nan if self.match.is_money else 100.0
            parts = {
                "checker": factor * self._grid(("Q01", "Q06"), checker, column),
                "double": factor * self._grid(("Q06", "Q14"), double, column),
                "take": factor * self._grid(("Q06", "Q10", "Q14"), take, column),
            }
            total = parts["checker"] + parts["double"] + parts["take"] + factor * self._grid(("Q07",), resignation, column)
            found.update({f"{group}.{name}": table * known["checker" if name == "checker" else "cube"] for name, table in parts.items()})
            found[f"{group}.total"] = total * any_known
        # `parts` are now those of equity.
        rate = scale * _ratio(found["equity_error.total"], counted)
        cap = self._constants("Q13")
        found["pr"] = np.minimum(PR_FACTOR * rate, np.where(np.isnan(cap), np.inf, cap))
        found["error_rate_memg"] = MEMG_FACTOR * rate
        found["checker_pr"] = PR_FACTOR * scale * _ratio(parts["checker"], counts["checker"])
        found["cube_pr"] = PR_FACTOR * scale * _ratio(parts["double"] + parts["take"], counts["double"] + counts["take"])
        moves = self._moves()
        found["snowie_er"] = PR_FACTOR * _ratio(found["equity_error.total"], moves)
        found["snowie_memg"] = MEMG_FACTOR * _ratio(found["equity_error.total"], moves)
        return found

    def _constants(self, code: str) -> Table:
        values = [QUESTIONS[code].answers[name].value for name in self.axes[code]]
        if code == "Q09" and self.match.length != 1:
            values = [1.0]
        numbers = np.array([np.nan if value is None else value for value in values], float)
        return numbers.reshape([len(numbers) if axis == code else 1 for axis in self.axes])

    def _moves(self) -> Table:
        total = self.own.moves[0]
        return np.array(total.sum() if self.game is None else total[self.game].sum(), np.float64)

    def answers_at(self, index: Sequence[int]) -> dict[str, str]:
        """The answers of a combination."""
        return {code: self.axes[code][i] for code, i in zip(self.axes, index, strict=True)}


def _ratio(total: Table, number: Table) -> Table:
    """A rate; NaN if nothing counts."""
    return total / np.where(number > 0, number, np.nan)
