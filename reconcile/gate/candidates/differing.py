"""The decisions that a list counts or weighs otherwise than the reference, and a column's fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, OR_NULL, Document, Key, Positive, Text
from reconcile.files.wording import either, listed, plural
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
FEWEST_ERRORS: Final = 3
"""Errors that it has to explain."""
CLEAR: Final = 20
"""An unknown factor is looked for in errors of this many times half of their last digit."""
FACTORS: Final = {
    1000.0: "in thousandths of a point (mEMG)",
    0.001: "divided by 1000",
    500.0: "times 500, as PR points",
    100.0: "in hundredths, as a percentage",
    0.01: "divided by 100",
    2.0: "times 2",
    0.5: "divided by 2",
}
"""Between what a list has and what it should have, in the order in which they are tried."""
DIGITS: Final = 4
"""Of an equity at a border, and of what doubling would have cost."""
What = Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing(Document):
    """A decision that the list and the reference count or weigh differently."""

    way: Annotated[What, Key("what")]
    """Which side alone counts it; or the error differs, or the list has no error or no row."""
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
    """In the reference and in the list, in the list's unit; after a fault of unit in ours."""
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
    """A line that a program seems to draw between decisions that count and others that do not."""

    question: Text
    """The question that is about such a line."""
    measure: Text
    """What is measured, in words."""
    counts: float
    """The value of the decision that counts and is nearest to the line (EMG)."""
    not_counts: float
    """The same of one that does not count."""
    moved: Positive
    """How many decisions the reference has on the other side."""


# -- what a whole column has wrong ----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Fault:
    """What is wrong with all errors of a list alike."""

    kind: str
    """In words, after "the errors"; empty if nothing is."""
    text: str
    """The same with the number of errors that show it."""
    factor: Vector
    """By decision, the error of the list for each unit of the right one."""


def fault_of(table: Listed) -> Fault:
    """The fault that explains most errors; without words if they are right as they are."""
    stated, half, right = table.lost, table.half, table.cost(table.left)
    shows = (np.abs(stated) > half) | (right > half)
    rows = np.flatnonzero(table.mine & table.analysed & (stated == stated) & shows)
    plain = np.ones(len(right))
    if np.count_nonzero(stated[rows]) < FEWEST_ERRORS:
        return Fault("", "", plain)
    for words, factor in (("", plain), *_factors(table, rows)):
        # How many errors are the reference's times the factor, within half of their last digit.
        slack = table.slack * np.maximum(np.abs(factor), 1.0)
        fitting = int(np.count_nonzero((np.abs(stated - factor * right) <= half + slack)[rows]))
        if fitting >= MOSTLY * len(rows):
            text = f"{fitting:,} of {plural(len(rows), 'error')} {words}" if words else ""
            return Fault(words, text, np.where(factor == 0, 1.0, factor))
    return Fault("", "", plain)


def _factors(table: Listed, rows: Rows) -> Iterator[tuple[str, Vector]]:
    """What may be wrong, in words, with the factor of every decision."""
    stated, right = table.lost, table.cost(table.left)
    every, slope = np.ones(len(right)), table.chance_of_equity
    emg = "" if table.in_mwc else ", where equity (EMG) is expected"
    yield "have the right size and the wrong sign in places", np.where(stated < 0, -1.0, 1.0)
    for factor, words in FACTORS.items():
        yield f"are {words}{emg}", factor * every
    chance = "are match winning chance"
    if table.in_mwc:
        yield f"{chance} from 0 to 1, where percentage points are expected", 0.01 * every
        inverse = np.divide(1.0, slope, out=every.copy(), where=slope != 0)
        yield "are equity (EMG), where match winning chance is expected", inverse
    elif not table.match.is_money:
        yield f"{chance} in percentage points{emg}; say unit mwc", slope
        yield f"{chance} from 0 to 1{emg}", slope / 100.0
    cube = over_all(table.match, "cube").astype(np.float64)
    if (cube[rows] != cube[rows[0]]).any():
        normal = "where equity normalised to the cube (EMG) is expected"
        yield f"are in points, times the value of the cube, {normal}", cube
        yield "are divided by the value of the cube", 1.0 / cube
    clear = rows[(right[rows] > CLEAR * table.half[rows]) & (stated[rows] != 0)]
    if len(clear) >= FEWEST_ERRORS and (factor := float(np.median(stated[clear] / right[clear]))):
        yield f"are {factor:.4g} times the reference's", factor * every


# -- decisions that differ ------------------------------------------------------------------------


class Differences:
    """What differs between a list and its reference, with a fault of all errors undone."""

    def __init__(self, table: Listed, fault: Fault) -> None:
        self.listed = table
        self.lost = table.lost / fault.factor
        self.half = table.half / np.abs(fault.factor)
        self.by_rules: Mapping[str, Bools] = {
            name: self.mask(table.under(rules)) for name, rules in RULE_SETS.items()
        }
        """By known rule set, which decisions differ from the list."""
        self.counts = {name: int(np.count_nonzero(mask)) for name, mask in self.by_rules.items()}
        own = self.mask(table.left)
        self.rows = np.flatnonzero(own)
        """The decisions that differ from the reference."""
        quiet = table.mine & (table.row_of < 0) & ~table.added & ~own
        self.unlisted = int(np.count_nonzero(quiet))

    def mask(self, scored: Scored) -> Bools:
        """By decision, whether the list has it in another way than a rule set."""
        table, cost = self.listed, self.listed.cost(scored)
        is_stated = self.lost == self.lost
        off = np.abs(self.lost - np.where(table.analysed, cost, 0.0))
        differs = table.counted != scored.counted
        differs |= is_stated & (off > self.half + table.slack)
        # Without a row or an error nothing is said of what counts for nobody and costs nothing.
        costs = table.analysed & (cost > table.slack)
        with_row = table.analysed & (table.counted | costs)
        unsaid = np.where(table.row_of >= 0, with_row, scored.counted | costs)
        mask: Bools = (differs | (~is_stated & unsaid)) & table.mine
        return mask

    @property
    def nearest(self) -> str:
        """The known rule set with the fewest differing decisions; a tie is the reference's own."""
        own = self.listed.left.rules.name
        return min(self.counts, key=lambda name: (self.counts[name], name != own))

    @cached_property
    def _switched(self) -> list[tuple[str, Bools]]:
        """Every other answer to a question about decisions: what then differs from the list."""
        own = self.listed.left.rules
        return [
            (code, self.mask(self.listed.under(own.switched(code, answer))))
            for code, question in QUESTIONS.items()
            if question.effect is Effect.DECISIONS
            for answer in question.answers
            if answer != own.answers[code]
        ]

    def each(self, walk: Walk | None) -> tuple[Differing, ...]:
        """The decisions that differ: those first that move PR most, or differ most."""
        table, rows = self.listed, self.rows
        moved = np.full(len(self.lost), np.nan)
        for seat in table.seats if len(rows) else ():
            if walk is None:
                break
            theirs, bridge = walk.items.player == seat, walk.bridge(LEADING, seat)
            if bridge.contributions:
                moved[walk.items.left[theirs]] = bridge.by_item[theirs]
        off = np.nan_to_num(self.lost) - table.cost(table.left)
        size = np.abs(np.where(moved == moved, moved, off))[rows].round(12)
        order = np.lexsort((table.turn[rows], table.game[rows], -size))
        return tuple(self._differing(at, float(moved[at])) for at in rows[order].tolist())

    def _differing(self, at: int, moved: float) -> Differing:
        table, left, row = self.listed, self.listed.left, int(self.listed.row_of[at])
        lost, ours = float(self.lost[at]), float(table.cost(left)[at])
        counted = bool(left.counted[at]), bool(table.counted[at])
        way: What = "error" if lost == lost else "no-error"
        if row < 0:
            way = "no-row"
        elif counted[0] != counted[1]:
            way = "counted-by-list" if counted[1] else "counted-by-reference"
        error = ours if table.analysed[at] else None, lost if lost == lost else None
        questions = tuple(dict.fromkeys(code for code, mask in self._switched if not mask[at]))
        agreeing = tuple(name for name, mask in self.by_rules.items() if not mask[at])
        xgid, gnubg_id = identifiers_of(table.match, at)
        return Differing(
            way=way,
            row=None if row < 0 else int(table.rows.line[row]),
            game=int(table.game[at]),
            turn=int(table.turn[at]),
            player=table.match.names[int(left.player[at])],
            kind=Kind(int(left.kind[at])).label,
            counted=counted,
            error=error,
            pr=moved if moved == moved else None,
            questions=questions,
            agreeing=agreeing,
            sentence=self._sentence(at, way, error, questions, agreeing),
            xgid=xgid,
            gnubg_id=gnubg_id,
            at=at,
        )

    def _sentence(
        self,
        at: int,
        way: What,
        error: tuple[float | None, float | None],
        questions: tuple[str, ...],
        agreeing: tuple[str, ...],
    ) -> str:
        """How the list and the reference differ on a decision."""
        left = self.listed.left
        ours, theirs = (_size(value, self.listed.in_mwc) for value in error)
        rules, counts = left.rules.name, "counts" if left.counted[at] else "does not count"
        lost = f", error {theirs}"
        if ours not in (theirs, "unknown"):
            lost += f" ({ours} in the reference)"
        words = {
            "counted-by-list": f"counts in the list and not under {rules}{lost}",
            "counted-by-reference": f"counts under {rules} and not in the list{lost}",
            "error": f"error {ours} in the reference, {theirs} in the list",
            "no-error": f"error {ours} in the reference, none in the list",
            "no-row": f"{counts} under {rules}, error {ours}; the list has no row for it",
        }[way]
        if way in ("no-error", "no-row"):
            return words
        if way != "error" and (cost := self._cost_of_doubling(at)) is not None:
            words += f", doubling would have cost {cost:.{DIGITS}f}"
        if questions:
            words += f"; {listed(questions) if len(questions) == 1 else either(questions)} decides"
        return f"{words}; as under {listed(agreeing) or 'no known rule set'}"

    def _cost_of_doubling(self, at: int) -> float | None:
        """In EMG, by the reference's analysis; `None` for other decisions than a no-double."""
        view, cube = self.listed.left.view, at - len(self.listed.match.plays)
        if not 0 <= cube < len(view.kind) or view.kind[cube] != Kind.NO_DOUBLE.value:
            return None
        cost = float(view.no_double[cube] - view.least[cube])
        return cost if cost == cost else None

    def borders(self) -> Iterator[Border]:
        """The lines that the program seems to draw and the reference has elsewhere."""
        table, view, plays = self.listed, self.listed.left.view, self.listed.match.plays
        rules, no_double = table.left.rules, view.access & (view.kind == Kind.NO_DOUBLE.value)
        with np.errstate(invalid="ignore"):
            close, losing = (no_double & rules.value(question)(view) for question in (Q02, Q03))
        choice = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
        doubling = "a no-double counts if what doubling would have cost"
        spread = "a play counts if the best candidate less the worst"
        equity = "a close no-double counts if the equity of no double"
        first = len(plays)
        for question, words, values, among, start, sign in (
            (Q02, doubling, view.no_double - view.least, losing, first, 1.0),
            (Q01, spread, plays.spread, choice, 0, -1.0),
            (Q03, equity, view.no_double, close, first, -1.0),
        ):
            rows = start + np.flatnonzero(among & (values == values))
            rows = rows[table.mine[rows] & (table.row_of[rows] >= 0)]
            counted, measure = table.counted[rows], sign * values[rows - start]
            inside, outside = measure[counted], measure[~counted]
            moved = int(np.count_nonzero(counted != table.left.counted[rows]))
            if moved and len(inside) and len(outside) and inside.max() < outside.min():
                ends = sign * float(inside.max()), sign * float(outside.min())
                yield Border(question.code, words, *ends, moved)


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + (" pp" if in_mwc else "")
