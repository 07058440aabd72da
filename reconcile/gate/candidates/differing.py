"""The decisions that a list counts or weighs in another way than the reference, and what a whole column of it has wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, OR_NULL, Document, Key, Positive, Text
from reconcile.files.wording import either, plural
from reconcile.files.wording import listed as listed_words
from reconcile.gap.walk import LEADING, Walk
from reconcile.gate.candidates.listed import Listed, Rows, Vector
from reconcile.match.all_rows import over_all
from reconcile.match.columns import Bools, Kind, KindName, Validity
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import Q01, Q02, Q03, QUESTIONS, RULE_SETS
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.score import Scored

MOSTLY: Final = 0.9
"""Share of the errors that a fault has to explain."""
FEWEST: Final = 3
"""Errors that it has to explain."""
CLEAR: Final = 20
"""An error is used to find an unknown factor if it is this many times half of its last digit."""
FACTORS: Final = {
    1000.0: "in thousandths of a point (mEMG)",
    0.001: "divided by 1000",
    500.0: "times 500, as PR points",
    100.0: "in hundredths, as a percentage",
    0.01: "divided by 100",
    2.0: "times 2",
    0.5: "divided by 2",
}
"""Factors between what a list has and what it should have, in the order in which they are tried."""


@dataclass(frozen=True, eq=False)
class Fault:
    """What is wrong with all errors of a list alike."""

    kind: str
    """In words, after "the errors"; empty if nothing is."""
    text: str
    """The same with the number of errors that show it."""
    factor: Vector
    """By decision, the error of the list for each unit of the right one."""


def fault_of(listed: Listed) -> Fault:
    """The fault that explains most errors; without words and with factors of 1 if they are right as they are."""
    given, half, right = listed.lost, listed.half, listed.cost(listed.left)
    rows = np.flatnonzero(
        listed.mine & listed.analysed & (given == given) & ((np.abs(given) > half) | (right > half))
    )
    plain = np.ones(len(right))
    faults = (
        [("", plain), *_factors(listed, rows)] if np.count_nonzero(given[rows]) >= FEWEST else []
    )
    for words, factor in faults:
        # How many errors are the reference's times the factor, within half of their last digit.
        fits = np.abs(given - factor * right) <= half + listed.slack * np.maximum(
            np.abs(factor), 1.0
        )
        fitting = int(np.count_nonzero(fits[rows]))
        if fitting >= MOSTLY * len(rows):
            text = f"{fitting:,} of {plural(len(rows), 'error')} {words}" if words else ""
            return Fault(words, text, np.where(factor == 0, 1.0, factor))
    return Fault("", "", plain)


def _factors(listed: Listed, rows: Rows) -> Iterator[tuple[str, Vector]]:
    """What may be wrong, in words, with the factor of every decision."""
    given, right = listed.lost, listed.cost(listed.left)
    every = np.ones(len(right))
    yield "have the right size and the wrong sign in places", np.where(given < 0, -1.0, 1.0)
    for factor, words in FACTORS.items():
        yield (
            f"are {words}, where equity (EMG) is expected" if not listed.in_mwc else f"are {words}",
            factor * every,
        )
    slope = listed.chance_of_equity
    if listed.in_mwc:
        yield (
            "are match winning chance from 0 to 1, where percentage points are expected",
            0.01 * every,
        )
        yield (
            "are equity (EMG), where match winning chance is expected",
            np.divide(1.0, slope, out=every.copy(), where=slope != 0),
        )
    elif not listed.match.is_money:
        yield (
            "are match winning chance in percentage points, where equity (EMG) is expected; say unit mwc",
            slope,
        )
        yield "are match winning chance from 0 to 1, where equity (EMG) is expected", slope / 100.0
    cube = over_all(listed.match, "cube").astype(np.float64)
    if (cube[rows] != cube[rows[0]]).any():
        yield (
            "are in points, times the value of the cube, where equity normalised to the cube (EMG) is expected",
            cube,
        )
        yield "are divided by the value of the cube", 1.0 / cube
    clear = rows[(right[rows] > CLEAR * listed.half[rows]) & (given[rows] != 0)]
    if len(clear) >= FEWEST:
        factor = float(np.median(given[clear] / right[clear]))
        if factor:
            yield f"are {factor:.4g} times the reference's", factor * every


What = Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]
PLAY_COUNTS, CLOSE_NO_DOUBLE, LOSING_SIDE = Q01.code, Q02.code, Q03.code


DIGITS: Final = 4
"""Of an equity at a border, and of what doubling would have cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing(Document):
    """A decision that the list and the reference count or weigh differently."""

    what: What
    """Which side alone counts it; or both agree and the error differs, or the list has no error or no row for it."""
    row: Positive | None
    """Line or number of its row; null without one."""
    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in its game, from 1."""
    player: Text
    """Who decides."""
    kind: KindName
    """The kind of decision."""
    counted: tuple[bool, bool]
    """Whether it counts in the reference, and in the list."""
    error: tuple[float | None, float | None]
    """In the reference and in the list, in the list's unit and, after a fault of unit was found, brought to ours."""
    pr: float | None
    """By how much it moves the player's PR; null if there is no bridge."""
    questions: tuple[str, ...]
    """Questions of which another answer alone gives what the list has."""
    agreeing: tuple[str, ...]
    """Known rule sets that count and weigh it as the list does."""
    sentence: Text
    """The same in words."""
    xgid: Annotated[str, OR_NULL]
    """As XG takes it; null where there is no such ID."""
    gnubg_id: Annotated[str, OR_NULL]
    """gnuBG's `Position ID:Match ID`."""
    at: Annotated[int, HIDDEN]
    """Its place among the decisions of the match: plays, cubes, resignations."""

    @property
    def address(self) -> str:
        """Where it is, in words."""
        return f"game {self.game}, turn {self.turn}, {self.kind}, {self.player}"


@dataclass(frozen=True, slots=True)
class Border(Document):
    """A line that a program seems to draw between decisions that count and decisions that do not."""

    question: Text
    """The question that is about such a line."""
    what: Annotated[Text, Key("measure")]
    """What is measured, in words."""
    counts: float
    """The value of the decision that counts and is nearest to the line (EMG)."""
    not_counts: float
    """The same of one that does not count."""
    moved: Positive
    """How many decisions the reference has on the other side."""


class Differences:
    """What differs between a list and its reference, found when first asked for."""

    def __init__(self, listed: Listed, fault: Fault) -> None:
        self.listed, self.fault = listed, fault
        self.lost = listed.lost / fault.factor
        """The errors of the list without the fault."""
        self.half = listed.half / np.abs(fault.factor)

    def mask(self, scored: Scored) -> Bools:
        """By decision, whether the list has it in another way than a rule set."""
        listed, counted, cost = self.listed, self.listed.counted, self.listed.cost(scored)
        has_row, known = listed.row_of >= 0, self.lost == self.lost
        off = np.abs(self.lost - np.where(listed.analysed, cost, 0.0))
        differs = (counted != scored.counted) | (known & (off > self.half + listed.slack))
        costs = listed.analysed & (cost > listed.slack)
        # Without a row or an error nothing is said of a decision that counts for nobody and costs nothing.
        differs |= ~known & np.where(
            has_row, listed.analysed & (counted | costs), scored.counted | costs
        )
        found: Bools = differs & listed.mine
        return found

    @cached_property
    def rows(self) -> Rows:
        """The decisions that differ from the reference."""
        return np.flatnonzero(self.mask(self.listed.left))

    @cached_property
    def unlisted(self) -> int:
        """Decisions of the file without a row that do not differ: they count for nobody and cost nothing."""
        listed = self.listed
        return int(
            np.count_nonzero(
                listed.mine & (listed.row_of < 0) & ~listed.added & ~self.mask(listed.left)
            )
        )

    @cached_property
    def known(self) -> Mapping[str, Bools]:
        """By known rule set, which decisions differ from the list."""
        return {name: self.mask(self.listed.under(rules)) for name, rules in RULE_SETS.items()}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """By known rule set, how many decisions differ from the list."""
        return {name: int(np.count_nonzero(mask)) for name, mask in self.known.items()}

    @cached_property
    def nearest(self) -> str:
        """The known rule set with the fewest differing decisions; the reference's own wins a tie."""
        own = self.listed.left.rules.name
        return min(self.counts, key=lambda name: (self.counts[name], name != own))

    @cached_property
    def _switched(self) -> list[tuple[str, Bools]]:
        """Every question about decisions once for each other answer: what then differs from the list."""
        own = self.listed.left.rules
        return [
            (code, self.mask(self.listed.under(own.switched(code, answer))))
            for code, question in QUESTIONS.items()
            if question.effect is Effect.DECISIONS
            for answer in question.answers
            if answer != own.answers[code]
        ]

    def each(self, walk: Walk | None) -> tuple[Differing, ...]:
        """The decisions that differ, those that move PR most first, otherwise those with the largest difference."""
        listed, rows = self.listed, self.rows
        moved = np.full(len(self.lost), np.nan)
        if walk is not None and len(rows):
            items = walk.items
            for seat in listed.seats:
                theirs, bridge = items.player == seat, walk.bridge(LEADING, seat)
                if bridge.contributions:
                    moved[items.left[theirs]] = bridge.by_item[theirs]
        off = np.nan_to_num(self.lost) - listed.cost(listed.left)
        size = np.abs(np.where(moved == moved, moved, off))[rows].round(12)
        order = np.lexsort((listed.turn[rows], listed.game[rows], -size))
        return tuple(self._one(row, float(moved[row])) for row in rows[order].tolist())

    def _one(self, row: int, moved: float) -> Differing:
        listed, left, index = self.listed, self.listed.left, int(self.listed.row_of[row])
        lost, ours = float(self.lost[row]), float(listed.cost(left)[row])
        counted = bool(left.counted[row]), bool(listed.counted[row])
        what: What = "error" if lost == lost else "no-error"
        if index < 0:
            what = "no-row"
        elif counted[0] != counted[1]:
            what = "counted-by-list" if counted[1] else "counted-by-reference"
        error = ours if listed.analysed[row] else None, lost if lost == lost else None
        questions = tuple(dict.fromkeys(code for code, mask in self._switched if not mask[row]))
        agreeing = tuple(name for name, mask in self.known.items() if not mask[row])
        xgid, gnubg_id = identifiers_of(listed.match, row)
        return Differing(
            what=what,
            row=None if index < 0 else int(listed.rows.line[index]),
            game=int(listed.game[row]),
            turn=int(listed.turn[row]),
            player=listed.match.names[int(left.player[row])],
            kind=Kind(int(left.kind[row])).label,
            counted=counted,
            error=error,
            pr=moved if moved == moved else None,
            questions=questions,
            agreeing=agreeing,
            sentence=self._sentence(row, what, error, questions, agreeing),
            xgid=xgid,
            gnubg_id=gnubg_id,
            at=row,
        )

    def _sentence(
        self,
        row: int,
        what: What,
        error: tuple[float | None, float | None],
        questions: tuple[str, ...],
        agreeing: tuple[str, ...],
    ) -> str:
        """How the list and the reference differ on a decision."""
        ours, theirs = (_size(one, self.listed.in_mwc) for one in error)
        rules, counts = (
            self.listed.left.rules.name,
            "counts" if self.listed.left.counted[row] else "does not count",
        )
        lost = f", error {theirs}" + (
            f" ({ours} in the reference)" if ours not in (theirs, "unknown") else ""
        )
        words = {
            "counted-by-list": f"counts in the list and not under {rules}{lost}",
            "counted-by-reference": f"counts under {rules} and not in the list{lost}",
            "error": f"error {ours} in the reference, {theirs} in the list",
            "no-error": f"error {ours} in the reference, none in the list",
            "no-row": f"{counts} under {rules}, error {ours}; the list has no row for it",
        }
        parts = [words[what]]
        if what in ("counted-by-list", "counted-by-reference", "error"):
            if what != "error" and (cost := self._cost(row)) is not None:
                parts[0] += f", doubling would have cost {cost:.{DIGITS}f}"
            if questions:
                parts.append(
                    f"{listed_words(questions) if len(questions) == 1 else either(questions)} decides"
                )
            parts.append(f"as under {listed_words(agreeing) or 'no known rule set'}")
        return "; ".join(parts)

    def _cost(self, row: int) -> float | None:
        """What doubling would have cost (EMG) by the reference's analysis; `None` for other decisions than a no-double."""
        view, index = self.listed.left.view, row - len(self.listed.match.plays)
        if not 0 <= index < len(view.kind) or view.kind[index] != Kind.NO_DOUBLE.value:
            return None
        cost = float(view.no_double[index] - view.least[index])
        return cost if cost == cost else None

    def borders(self) -> Iterator[Border]:
        """The lines that the program seems to draw, where decisions that the reference has otherwise are on the right side of them."""
        listed, view, plays = self.listed, self.listed.left.view, self.listed.match.plays
        rules, no_double = listed.left.rules, view.access & (view.kind == Kind.NO_DOUBLE.value)
        with np.errstate(invalid="ignore"):
            close, losing = (no_double & rules.value(question)(view) for question in (Q02, Q03))
        choice = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
        for code, what, values, among, start, sign in (
            (
                CLOSE_NO_DOUBLE,
                "a no-double counts if what doubling would have cost",
                view.no_double - view.least,
                losing,
                len(plays),
                1.0,
            ),
            (
                PLAY_COUNTS,
                "a play counts if the best candidate less the worst",
                plays.spread,
                choice,
                0,
                -1.0,
            ),
            (
                LOSING_SIDE,
                "a close no-double counts if the equity of no double",
                view.no_double,
                close,
                len(plays),
                -1.0,
            ),
        ):
            rows = start + np.flatnonzero(among & (values == values))
            rows = rows[listed.mine[rows] & (listed.row_of[rows] >= 0)]
            counted, measure = listed.counted[rows], sign * values[rows - start]
            inside, outside = measure[counted], measure[~counted]
            moved = int(np.count_nonzero(counted != listed.left.counted[rows]))
            if moved and len(inside) and len(outside) and inside.max() < outside.min():
                yield Border(
                    code, what, sign * float(inside.max()), sign * float(outside.min()), moved
                )


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + (" pp" if in_mwc else "")
