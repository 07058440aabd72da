"""What a list of decisions shows: a fault of all its errors, the decisions that differ, its bridge,
and all lists of a program as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, OR_NULL, Count, Document, Key, Positive, Text, within
from reconcile.gap.walk import LEADING, Walk
from reconcile.gate.candidates.claims import Unit
from reconcile.gate.candidates.listed import Listed, Vector
from reconcile.match.all_rows import over_all
from reconcile.match.columns import Bools, Kind, KindName, Validity
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import Q01, Q02, Q03, QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.score import Scored
from reconcile.wording import either, listed, plural, summary

FEWEST: Final = 2
"""Decisions that have to be on the other side of a border before it is named."""
MOST_FACTS: Final = 200
"""Decisions, and rows, of one list that a property names each."""
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
DifferingWay = Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]
WAYS: Final[dict[DifferingWay, str]] = {
    "counted-by-list": "counted by the program only",
    "counted-by-reference": "counted by the reference only",
    "error": "with another error",
    "no-error": "without an error",
    "no-row": "without a row",
}
"""The ways in which a decision differs, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing(Document):
    """A decision that the list and the reference count or weigh differently."""

    way: Annotated[DifferingWay, Key("what")]
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

    def words(self, own: RuleSet) -> str:
        """Where the program draws the line, in a sentence, beside rules that have it elsewhere."""
        low, high = sorted((self.counts, self.not_counts))
        answer = QUESTIONS[self.question].answers[own.answers[self.question]]
        page = " ".join(answer.page.partition("\n\n")[0].split()).rstrip(".")
        side = "below" if self.counts < self.not_counts else "above"
        line = f"is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} in the program"
        return f"{self.measure} {line}; {own.name} ({self.question}): {page}"


@dataclass(frozen=True, slots=True)
class Unpaired(Document):
    """A row that is about no decision of the reference, or repeats one."""

    row: Positive
    """Its line or number."""
    why: Literal["no-decision", "twice"]
    """Whether the reference has no such decision, or an earlier row is about it."""
    text: Text
    """Its address and what it adds, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult(Document):
    """A list of decisions, compared row by row."""

    rows: Count
    """Rows of the list."""
    paired: Count
    """Decisions of the reference with a row."""
    unlisted: Count
    """Decisions without a row that the reference does not count and that cost nothing there."""
    unit: Unit
    """The unit of its errors."""
    fault: str
    """What is wrong with all errors alike, in words; empty if nothing is."""
    differing: tuple[Differing, ...]
    """Decisions that differ, those that move PR most first."""
    unpaired: tuple[Unpaired, ...]
    """Rows that are about no decision, and repeated ones."""
    borders: tuple[Border, ...]
    """Lines that the program seems to draw, one at most for a question."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the list."""
    fault_kind: Annotated[str, HIDDEN]
    """The fault without the number of errors."""
    listed: Annotated[Listed, HIDDEN] = field(repr=False, compare=False)

    @property
    def lost(self) -> str:
        """What of the list is about no decision, in words; empty if everything is about one."""
        texts = [row.text for row in self.unpaired if row.why == "no-decision"]
        return counted_rows(texts, "about no decision of the match")


def counted_rows(texts: Iterable[str], description: str, noun: str = "row") -> str:
    """How many rows are so, and which; empty if none is."""
    rows = list(texts)
    shown = "; ".join(summary(rows))
    return f"{plural(len(rows), noun)} {description}: {shown}" if rows else ""


# -- what a whole column has wrong ----------------------------------------------------------------


def fault_of(table: Listed) -> tuple[str, str, Vector]:
    """What is wrong with all errors alike: in words after "the errors", with the number of errors
    that show it, and by decision what the list has for each unit of the right error.

    Without words, and 1, if most errors are right as they are, or no fault explains most.
    """
    stated, half = table.decisions.error.to_numpy(), table.decisions.half.to_numpy()
    right = table.cost(table.left)
    plain = np.ones(len(right))
    shows = (np.abs(stated) > half) | (right > half)
    usable = table.decisions.mine & table.decisions.analysed & (stated == stated)
    rows = np.flatnonzero(usable & shows)
    if np.count_nonzero(stated[rows]) < FEWEST_ERRORS:
        return "", "", plain
    for words, factor in (("", plain), *_factors(table, rows)):
        # How many errors are the reference's times the factor, within half of their last digit.
        slack = table.slack * np.maximum(np.abs(factor), 1.0)
        fitting = int(np.count_nonzero((np.abs(stated - factor * right) <= half + slack)[rows]))
        if fitting >= MOSTLY * len(rows):
            text = f"{fitting:,} of {plural(len(rows), 'error')} {words}" if words else ""
            return words, text, np.where(factor == 0, 1.0, factor)
    return "", "", plain


def _factors(table: Listed, rows: Any) -> Iterator[tuple[str, Vector]]:
    """What may be wrong, in words, with the factor of every decision."""
    stated, half = table.decisions.error.to_numpy(), table.decisions.half.to_numpy()
    right, slope = table.cost(table.left), table.chance_of_equity
    every = np.ones(len(right))
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
    clear = rows[(right[rows] > CLEAR * half[rows]) & (stated[rows] != 0)]
    if len(clear) >= FEWEST_ERRORS and (factor := float(np.median(stated[clear] / right[clear]))):
        yield f"are {factor:.4g} times the reference's", factor * every


# -- decisions that differ ------------------------------------------------------------------------


class Differences:
    """What differs between a list and its reference, with a fault of all errors undone."""

    def __init__(self, table: Listed) -> None:
        self.listed, decisions = table, table.decisions
        self.fault_kind, self.fault, factor = fault_of(table)
        self.error = decisions.error.to_numpy() / factor
        self.half = decisions.half.to_numpy() / np.abs(factor)
        self.by_rules = {name: self.mask(table.under(rules)) for name, rules in RULE_SETS.items()}
        """By known rule set, which decisions differ from the list."""
        self.counts = {name: int(mask.sum()) for name, mask in self.by_rules.items()}
        exact = [name for name, count in self.counts.items() if not count]
        own = self.mask(table.left)
        self.target = RULE_SETS[exact[0]] if exact and own.any() else table.left.rules
        """The rules to which the bridges of the list go."""
        self.rows = np.flatnonzero(own)
        """The decisions that differ from the reference."""
        quiet = decisions.mine & decisions.line.isna() & ~decisions.added & ~own
        self.unlisted = int(quiet.sum())

    def mask(self, scored: Scored) -> Bools:
        """By decision, whether the list has it in another way than a rule set."""
        table, decisions, cost = self.listed, self.listed.decisions, self.listed.cost(scored)
        counted, analysed = decisions.counted.to_numpy(), decisions.analysed.to_numpy()
        is_stated = self.error == self.error
        off = np.abs(self.error - np.where(analysed, cost, 0.0))
        differs = (counted != scored.counted) | (is_stated & (off > self.half + table.slack))
        # Without a row or an error nothing is said of what counts for nobody and costs nothing.
        costs = analysed & (cost > table.slack)
        has_row = decisions.line.notna().to_numpy()
        unsaid = np.where(has_row, analysed & (counted | costs), scored.counted | costs)
        mask: Bools = (differs | (~is_stated & unsaid)) & decisions.mine.to_numpy()
        return mask

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
        moved = np.full(len(self.error), np.nan)
        for seat in table.seats if len(rows) and walk else ():
            assert walk is not None
            theirs, bridge = walk.items.player == seat, walk.bridge(LEADING, seat)
            if bridge.contributions:
                moved[walk.items.left[theirs]] = bridge.by_item[theirs]
        off = np.nan_to_num(self.error) - table.cost(table.left)
        size = np.abs(np.where(moved == moved, moved, off))[rows].round(12)
        game, turn = (table.decisions[name].to_numpy()[rows] for name in ("game", "turn"))
        order = np.lexsort((turn, game, -size))
        return tuple(self._differing(at, float(moved[at])) for at in rows[order].tolist())

    def _differing(self, at: int, moved: float) -> Differing:
        table, left = self.listed, self.listed.left
        decision: Any = table.decisions.loc[at]
        lost, ours = float(self.error[at]), float(table.cost(left)[at])
        counted = bool(left.counted[at]), bool(decision.counted)
        way: DifferingWay = "error" if lost == lost else "no-error"
        if decision.line != decision.line:
            way = "no-row"
        elif counted[0] != counted[1]:
            way = "counted-by-list" if counted[1] else "counted-by-reference"
        error = ours if decision.analysed else None, lost if lost == lost else None
        questions = tuple(dict.fromkeys(code for code, mask in self._switched if not mask[at]))
        agreeing = tuple(name for name, mask in self.by_rules.items() if not mask[at])
        xgid, gnubg_id = identifiers_of(table.match, at)
        return Differing(
            way=way,
            row=None if way == "no-row" else int(decision.line),
            game=int(decision.game),
            turn=int(decision.turn),
            player=table.match.names[int(decision.seat)],
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
        way: DifferingWay,
        error: tuple[float | None, float | None],
        questions: Sequence[str],
        agreeing: Sequence[str],
    ) -> str:
        """How the list and the reference differ on a decision."""
        view, cube = self.listed.left.view, at - len(self.listed.match.plays)
        ours, theirs = (_size(value, self.listed.in_mwc) for value in error)
        words = [f"{WAYS[way]}; error {ours} in the reference, {theirs} in the list"]
        if 0 <= cube < len(view.kind) and view.kind[cube] == Kind.NO_DOUBLE.value:
            cost = float(view.no_double[cube] - view.least[cube])
            words += [f"doubling would have cost {cost:.{DIGITS}f}"] * (cost == cost)
        if way not in ("no-error", "no-row"):
            words += [f"{either(questions)} may decide"] if questions else []
            words.append(f"as under {listed(agreeing) or 'no known rule set'}")
        return "; ".join(words)

    def borders(self) -> Iterator[Border]:
        """The lines that the program seems to draw and the reference has elsewhere."""
        table, view, plays = self.listed, self.listed.left.view, self.listed.match.plays
        rules, no_double = table.left.rules, view.access & (view.kind == Kind.NO_DOUBLE.value)
        usable = (table.decisions.mine & table.decisions.line.notna()).to_numpy()
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
            rows = rows[usable[rows]]
            counted, measure = table.decisions.counted.to_numpy()[rows], sign * values[rows - start]
            inside, outside = measure[counted], measure[~counted]
            moved = int((counted != table.left.counted[rows]).sum())
            if moved and len(inside) and len(outside) and inside.max() < outside.min():
                ends = sign * float(inside.max()), sign * float(outside.min())
                yield Border(question.code, words, *ends, moved)


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + (" pp" if in_mwc else "")


# -- the result -----------------------------------------------------------------------------------


def list_result(differences: Differences, walk: Walk | None) -> ListResult:
    """What a list shows; `walk` are its bridges, `None` where it has none."""
    table = differences.listed
    return ListResult(
        rows=len(table.rows),
        paired=int(table.decisions.line.notna().sum()),
        unlisted=differences.unlisted,
        unit=table.unit,
        fault=differences.fault,
        differing=differences.each(None if differences.fault else walk),
        unpaired=tuple(_unpaired(table)),
        borders=tuple(differences.borders()),
        rule_sets=differences.counts,
        fault_kind=differences.fault_kind,
        listed=table,
    )


def _unpaired(table: Listed) -> Iterator[Unpaired]:
    """The rows about no decision, and those that repeat one, in the order of the list."""
    row: Any
    for row in table.rows[(table.rows.decision < 0) | table.rows.repeated].itertuples():
        adds = ["1 decision"] * bool(row.counted)
        adds += [f"error {row.error:g}"] * bool(np.nan_to_num(row.error))
        player = table.match.players[row.seat]
        text = f"game {row.game}, turn {row.turn}, {Kind(row.kind).label}, {player}: row {row.line}"
        if row.repeated:
            text += f" repeats row {int(table.decisions.line[row.decision])}"
        why: Literal["twice", "no-decision"] = "twice" if row.repeated else "no-decision"
        yield Unpaired(row.line, why, f"{text}, adds {' and '.join(adds) or 'nothing'}")


def conclusion(
    own: RuleSet, paired: str, differing: Sequence[Differing], counts: Mapping[str, int]
) -> tuple[str, str]:
    """By which rules lists count: the code of a finding, and its words."""
    if not differing:
        return "candidate-own-rules", f"all {paired} are as under rule set {own.name}"
    ways = Counter(row.way for row in differing)
    words = ", ".join(f"{ways[way]:,} {text}" for way, text in WAYS.items() if ways[way])
    text = f"{len(differing):,} of {paired} differ from rule set {own.name}: {words}"
    nearest = min(counts, key=lambda name: (counts[name], name != own.name))
    if counts[nearest] < len(differing):
        touched = {code for row in differing for code in row.questions}
        codes = [code for code in own.differing(RULE_SETS[nearest]) if code in touched]
        by = f" ({listed(codes)})" if codes else ""
        number = f"{counts[nearest]:,} differ" if counts[nearest] else "none differs"
        text += f"; from rule set {nearest}{by} {number}"
    return "candidate-decisions" if counts[nearest] else "candidate-rules", text


def list_findings(result: ListResult) -> Iterator[Finding]:
    """What is to be said of a list: its fault, the rules by which it counts, its rows."""
    table, own = result.listed, result.listed.left.rules
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    paired = plural(result.paired, "listed decision")
    code, text = conclusion(own, paired, result.differing, result.rule_sets)
    yield new_finding(code, text)
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border.words(own))
    twice = (row.text for row in result.unpaired if row.why == "twice")
    rowless = (row.address for row in result.differing if row.way == "no-row")
    for evidence in (
        result.lost,
        counted_rows(twice, "given twice"),
        counted_rows(rowless, "without a row", "decision"),
        counted_rows(table.misnamed, "with another kind than the file has"),
        counted_rows(table.other_plays, "with another play than the file has"),
    ):
        if evidence:
            yield new_finding("candidate-rows", evidence)
    quiet = [f"{plural(result.unlisted, 'decision')} without a row that neither side counts"]
    quiet = quiet if result.unlisted else []
    quiet += [f"no row of {table.match.players[seat]}" for seat in {0, 1}.difference(table.seats)]
    half = float(table.rows.half.where(table.rows.error != 0, 0.0).max())
    if half >= 0.5 * 10.0**-DIGITS:
        quiet.append(f"errors are rounded, each by up to {half:g}, and so are the sums")
    if quiet:
        yield new_finding("candidate-list", "; ".join(quiet))


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words."""
    for decision in result.differing[:MOST_FACTS]:
        moved = "" if decision.pr is None else f"; PR {decision.pr:+.4f}"
        ids = "".join(f"; {text}" for text in (decision.xgid, decision.gnubg_id) if text)
        row = "" if decision.row is None else f" (row {decision.row})"
        yield decision.address + row, decision.sentence + moved + ids
    yield from ((f"row {row.row}", row.text) for row in result.unpaired[:MOST_FACTS])
    more = sum(max(len(rows) - MOST_FACTS, 0) for rows in (result.differing, result.unpaired))
    if more:
        yield "more decisions and rows", f"{more:,}"


# -- all lists of a program -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PooledLists(Document):
    """The lists of one program over all matches of a run, compared under one rule set."""

    candidate: Text
    """Name of the file or program."""
    rules: str
    """The rule set."""
    matches: Positive
    """How many lists."""
    rows: Count
    """Rows of all lists."""
    paired: Count
    """Decisions of the references with a row."""
    differing: Count
    """Decisions that differ."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the lists, the fewest first."""
    sentences: Annotated[tuple[Text, ...], within(min_length=1)]
    """What the lists show, in words."""


def pooled_lists(candidate: str, rules: str, lists: Sequence[ListResult]) -> PooledLists:
    """The lists of one program, compared under one rule set."""
    sums = sum(
        (Counter(result.rule_sets) for result in lists), Counter(dict.fromkeys(RULE_SETS, 0))
    )
    counts = {
        name: sums[name] for name in sorted(RULE_SETS, key=lambda name: (sums[name], name != rules))
    }
    pooled = PooledLists(
        candidate,
        rules,
        len(lists),
        sum(result.rows for result in lists),
        sum(result.paired for result in lists),
        sum(len(result.differing) for result in lists),
        counts,
        (),
    )
    return replace(pooled, sentences=tuple(_sentences(pooled, lists)))


def shared_borders(lists: Iterable[ListResult]) -> Iterator[Border]:
    """The lines that all lists that show one agree on, as narrow as they make it."""
    by_question: dict[str, list[Border]] = {}
    for border in (border for result in lists for border in result.borders):
        by_question.setdefault(border.question, []).append(border)
    for borders in by_question.values():
        is_below = borders[0].counts < borders[0].not_counts
        inner, outer = (max, min) if is_below else (min, max)
        pooled = replace(
            borders[0],
            counts=inner(border.counts for border in borders),
            not_counts=outer(border.not_counts for border in borders),
            moved=sum(border.moved for border in borders),
        )
        if pooled.moved >= FEWEST and (pooled.counts < pooled.not_counts) == is_below:
            yield pooled


def _sentences(pooled: PooledLists, lists: Sequence[ListResult]) -> Iterator[str]:
    """What the lists show, the fault of all errors first."""
    over = f" in {plural(len(lists), 'match', 'matches')}" if len(lists) > 1 else ""
    faults = Counter(result.fault_kind for result in lists if result.fault_kind)
    for fault, count in faults.most_common():
        number = "all" if count == len(lists) else count
        yield f"the errors{f' of {number} {len(lists)} lists' if over else ''} {fault}"
    paired = f"{plural(pooled.paired, 'listed decision')}{over}"
    differing = [decision for result in lists for decision in result.differing]
    own = lists[0].listed.left.rules
    yield conclusion(own, paired, differing, pooled.rule_sets)[1]
    if differing:
        yield from (border.words(own) for border in shared_borders(lists))
