"""What a list of decisions shows: what differs, its bridge, and all lists of a program as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Positive, Text, within
from reconcile.errors import ReconcileError
from reconcile.files.wording import listed, plural, summary
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import Figure
from reconcile.gate.candidates.claims import Candidate, Unit
from reconcile.gate.candidates.differing import (
    DIGITS,
    Border,
    Differences,
    Differing,
    What,
    fault_of,
)
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.kept import Again
from reconcile.match.columns import Kind
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.statistics import Statistics

FEWEST: Final = 2
"""Decisions that have to be on the other side of a border before it is named."""
MOST_FACTS: Final = 200
"""Decisions, and rows, of one list that a property names each."""
WAYS: Final[dict[What, str]] = {
    "counted-by-list": "counted by the program only",
    "counted-by-reference": "counted by the reference only",
    "error": "with another error",
    "no-error": "without an error",
    "no-row": "without a row",
}
"""The ways in which a decision differs, in words."""


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
        return _counted(texts, "about no decision of the match")


def _counted(texts: Sequence[str], what_of_them: str, noun: str = "row") -> str:
    """How many rows are so, and which; empty if none is."""
    if not texts:
        return ""
    return f"{plural(len(texts), noun)} {what_of_them}: {'; '.join(summary(texts))}"


# -- the result -----------------------------------------------------------------------------------


def list_result(
    candidate: Candidate,
    table: Listed,
    name: str,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    tolerances: Tolerances,
) -> tuple[Again[Comparison] | None, tuple[Finding, ...], ListResult]:
    """The bridges to the figures of a list, made again when asked for, its findings and decisions.

    `name` is that of the table of tolerances, `reported` whether a figure's left side is a tool's.
    """
    fault = fault_of(table)
    differences = Differences(table, fault)
    own = table.left.rules
    exact = [name for name, count in differences.counts.items() if not count]
    target = own if not len(differences.rows) or not exact else RULE_SETS[exact[0]]
    again = Again(_compared, (candidate, table, target, name, figures, reported, tolerances))
    comparison = again()
    result = ListResult(
        rows=len(table.rows),
        paired=int(np.count_nonzero(table.row_of >= 0)),
        unlisted=differences.unlisted,
        unit=table.rows.unit,
        fault=fault.text,
        differing=differences.each(comparison.walk if comparison and not fault.text else None),
        unpaired=tuple(_unpaired(table)),
        borders=tuple(differences.borders()),
        rule_sets=differences.counts,
        fault_kind=fault.kind,
        listed=table,
    )
    findings = tuple(_findings(result, own, target, differences))
    return None if comparison is None else Again(_with, (again, findings)), findings, result


def _with(again: Again[Comparison | None], findings: tuple[Finding, ...]) -> Comparison:
    """A comparison with findings about the list before its own."""
    comparison = again()
    assert comparison is not None
    return replace(comparison, findings=(*findings, *comparison.findings))


def _compared(
    candidate: Candidate,
    table: Listed,
    target: RuleSet,
    name: str,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    tolerances: Tolerances,
) -> Comparison | None:
    """The comparison of the reference with the list; `None` if the reference has no analysis."""
    match, own = table.match, table.left.rules
    try:
        same = compare(match, match, tolerances, table=name, left_rules=own)
    except ReconcileError:
        return None
    # Rows about no decision, and repeated ones, are in the figures and in no step before the last.
    extra = bool((table.at < 0).any() or table.repeated.any())
    ends = {
        (figure.player, figure.metric): (
            figure.left if printed else None,
            figure.right if extra else None,
        )
        for figure, printed in zip(figures, reported, strict=True)
    }
    seats, has_row = table.seats, table.row_of >= 0
    sides = same.statistics[0], Statistics(table.right)
    walk = replace(same.walk, statistics=sides, rules=(own, target), seats=seats, reported=ends)
    players = [match.players[seat] for seat in seats]
    return beside_itself(
        replace(same, figures=tuple(figure for figure in same.figures if figure.player in players)),
        candidate.name,
        candidate.sha256,
        walk,
        figures,
        form=DECISIONS,
        level="counting and errors, no analysis",
        rules=target.name,
        paired=(int(has_row.sum()), int(np.count_nonzero(has_row | ~table.added))),
        tool=table.rows.program,
    )


def _unpaired(table: Listed) -> Iterator[Unpaired]:
    """The rows about no decision, and those that repeat one, in the order of the list."""
    rows, repeated = table.rows, table.repeated
    for row in np.flatnonzero((table.at < 0) | repeated).tolist():
        label, player = Kind(int(rows.kind[row])).label, table.match.players[table.row_seat[row]]
        text = f"game {rows.game[row]}, turn {rows.turn[row]}, {label}, {player}: {rows.place(row)}"
        adds = ["1 decision"] * bool(rows.counted[row])
        if np.nan_to_num(rows.error[row]):
            adds.append(f"error {rows.error[row]:g}")
        if repeated[row]:
            text += f" repeats {rows.place(int(table.row_of[table.at[row]]))}"
        why: Literal["twice", "no-decision"] = "twice" if repeated[row] else "no-decision"
        yield Unpaired(int(rows.line[row]), why, f"{text}, adds {' and '.join(adds) or 'nothing'}")


def _findings(
    result: ListResult, own: RuleSet, target: RuleSet, differences: Differences
) -> Iterator[Finding]:
    """What is to be said of a list: its fault, the rules by which it counts, its rows."""
    table, count = result.listed, len(result.differing)
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    paired, nearest = plural(result.paired, "listed decision"), differences.nearest
    if not count:
        yield new_finding("candidate-own-rules", f"rule set {own.name} gives all {paired}")
    elif target != own:
        touched = {code for row in result.differing for code in row.questions}
        codes = [code for code in own.differing(target) if not touched or code in touched]
        text = f"rule set {target.name} gives all {paired}; {own.name} differs in {count}"
        yield new_finding("candidate-rules", f"{text}, by {listed(codes)}")
    else:
        text = f"{count:,} of {paired} differ from rule set {own.name}"
        text += f": {classes_of(result.differing)}"
        if result.rule_sets[nearest] < count:
            text += f"; rule set {nearest} comes closest: {result.rule_sets[nearest]} differ"
        yield new_finding("candidate-decisions", text)
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border_words(border, own))
    place, kinds = table.rows.place, table.rows.kind
    twice = [row.text for row in result.unpaired if row.why == "twice"]
    rowless = [row.address for row in result.differing if row.way == "no-row"]
    misnamed = [f"{place(row)}: {Kind(int(kinds[row])).label}" for row in table.misnamed.tolist()]
    plays = [f"{place(row)}: {text}" for row, text in table.other_plays]
    for evidence in (
        result.lost,
        _counted(twice, "given twice"),
        _counted(rowless, "without a row", "decision"),
        _counted(misnamed, "with another kind than the file has"),
        _counted(plays, "with another play than the file has"),
    ):
        if evidence:
            yield new_finding("candidate-rows", evidence)
    if quiet := list(_quiet(result)):
        yield new_finding("candidate-list", "; ".join(quiet))


def _quiet(result: ListResult) -> Iterator[str]:
    """What a reader may like to know of a list and what is no mistake."""
    table = result.listed
    if result.unlisted:
        yield f"{plural(result.unlisted, 'decision')} without a row that neither side counts"
    for seat in (0, 1):
        if seat not in table.seats:
            yield f"no row of {table.match.players[seat]}"
    half = float(np.where(table.errors != 0, table.rows.half, 0.0).max(initial=0.0))
    if half >= 0.5 * 10.0**-DIGITS:
        yield f"errors are rounded, each by up to {half:g}, and so are the sums"


def classes_of(differing: Iterable[Differing]) -> str:
    """How many decisions differ in which way, in words."""
    counts = Counter(row.way for row in differing)
    return ", ".join(f"{counts[way]:,} {text}" for way, text in WAYS.items() if counts[way])


def border_words(border: Border, own: RuleSet) -> str:
    """Where the program draws a line, in a sentence."""
    low, high = sorted((border.counts, border.not_counts))
    answer = QUESTIONS[border.question].answers[own.answers[border.question]]
    page = " ".join(answer.page.partition("\n\n")[0].split()).rstrip(".")
    side = "below" if border.counts < border.not_counts else "above"
    return (
        f"{border.measure} is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} "
        f"in the program; {own.name} ({border.question}): {page}"
    )


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words."""
    for decision in result.differing[:MOST_FACTS]:
        moved = "" if decision.pr is None else f"; PR {decision.pr:+.4f}"
        ids = "".join(f"; {text}" for text in (decision.xgid, decision.gnubg_id) if text)
        row = "" if decision.row is None else f" (row {decision.row})"
        yield decision.address + row, decision.sentence + moved + ids
    yield from ((f"row {row.row}", row.text) for row in result.unpaired[:MOST_FACTS])
    for words, rows in (
        ("decisions that differ", result.differing),
        ("rows that fit no decision", result.unpaired),
    ):
        if len(rows) > MOST_FACTS:
            yield f"more {words}", f"{len(rows) - MOST_FACTS:,}"


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
    sums = Counter[str]()
    for result in lists:
        sums.update(result.rule_sets)
    counts = dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != rules)))
    rows = sum(result.rows for result in lists)
    paired = sum(result.paired for result in lists)
    differing = sum(len(result.differing) for result in lists)
    sentences = tuple(_sentences(rules, lists, paired, differing, counts))
    return PooledLists(candidate, rules, len(lists), rows, paired, differing, counts, sentences)


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


def _sentences(
    rules: str, lists: Sequence[ListResult], paired: int, differing: int, counts: Mapping[str, int]
) -> Iterator[str]:
    """What the lists show, the fault of all errors first."""
    over = f" in {plural(len(lists), 'match', 'matches')}" if len(lists) > 1 else ""
    faults = Counter(result.fault_kind for result in lists if result.fault_kind)
    for fault, count in faults.most_common():
        number = "all" if count == len(lists) else count
        which = f" of {number} {len(lists)} lists" if over else ""
        yield f"the errors{which} {fault}"
    decisions = f"{plural(paired, 'listed decision')}{over}"
    if not differing:
        yield f"all {decisions} are as under rule set {rules}"
        return
    words = classes_of(decision for result in lists for decision in result.differing)
    yield f"{differing:,} of {decisions} differ from rule set {rules}: {words}"
    for border in shared_borders(lists):
        yield border_words(border, lists[0].listed.left.rules)
    nearest = next(iter(counts))
    if counts[nearest] < differing:
        left = f"only {counts[nearest]:,} differ" if counts[nearest] else "nothing differs"
        yield f"from rule set {nearest} {left}: `reconcile explain --rules` has its answers"
