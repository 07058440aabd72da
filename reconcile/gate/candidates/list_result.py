"""What lists of decisions show: which decisions differ, which rows fit none, the bridge over a list's own decisions; and all lists of one
program as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Positive, Text, within
from reconcile.errors import ReconcileError
from reconcile.files.wording import listed as listed_words
from reconcile.files.wording import plural, summary
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
    """Decisions without a row that the reference does not count and that cost nothing there; others are among `differing`."""
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
        return _of_rows(
            [one.text for one in self.unpaired if one.why == "no-decision"],
            "about no decision of the match",
        )


def _of_rows(texts: Sequence[str], what: str, noun: str = "row") -> str:
    """How many rows are so, and which; empty if none is."""
    return f"{plural(len(texts), noun)} {what}: {'; '.join(summary(texts))}" if texts else ""


def list_result(
    candidate: Candidate,
    listed: Listed,
    table: str,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    tolerances: Tolerances,
) -> tuple[Again[Comparison] | None, tuple[Finding, ...], ListResult]:
    """The bridges to the figures of a list, made again when they are asked for, the findings about it, and its decisions."""
    fault = fault_of(listed)
    differences = Differences(listed, fault)
    own = listed.left.rules
    exact = [name for name, count in differences.counts.items() if not count]
    target = own if not len(differences.rows) or not exact else RULE_SETS[exact[0]]
    again = Again(_compared, (candidate, listed, target, table, figures, reported, tolerances))
    comparison = again()
    result = ListResult(
        rows=len(listed.rows),
        paired=int(np.count_nonzero(listed.row_of >= 0)),
        unlisted=differences.unlisted,
        unit=listed.rows.unit,
        fault=fault.text,
        differing=differences.each(comparison.walk if comparison and not fault.text else None),
        unpaired=tuple(_unpaired(listed)),
        borders=tuple(differences.borders()),
        rule_sets=dict(differences.counts),
        fault_kind=fault.kind,
        listed=listed,
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
    listed: Listed,
    target: RuleSet,
    table: str,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    tolerances: Tolerances,
) -> Comparison | None:
    """The comparison of the reference with the list; `None` if the reference has no analysis."""
    try:
        same = compare(
            listed.match, listed.match, tolerances, table=table, left_rules=listed.left.rules
        )
    except ReconcileError:
        return None
    # Rows about no decision, and repeated ones, are in the figures and in no decision of the bridge.
    extra = bool((listed.at < 0).any() or listed.repeated.any())
    shown = zip(figures, reported, strict=True)
    ends = {
        (one.player, one.metric): (one.left if printed else None, one.right if extra else None)
        for one, printed in shown
    }
    seats, has_row = listed.seats, listed.row_of >= 0
    sides, rules = (same.statistics[0], Statistics(listed.right)), (listed.left.rules, target)
    walk = replace(same.walk, statistics=sides, rules=rules, seats=seats, reported=ends)
    players = [listed.match.players[seat] for seat in seats]
    return beside_itself(
        replace(same, figures=tuple(one for one in same.figures if one.player in players)),
        candidate.name,
        candidate.sha256,
        walk,
        figures,
        form=DECISIONS,
        level="counting and errors, no analysis",
        rules=target.name,
        paired=(int(has_row.sum()), int(np.count_nonzero(has_row | ~listed.added))),
        tool=listed.rows.program,
    )


def _unpaired(listed: Listed) -> Iterator[Unpaired]:
    """The rows that are about no decision, and those that repeat one, in the order of the list."""
    rows, repeated = listed.rows, listed.repeated
    for row in np.flatnonzero((listed.at < 0) | repeated).tolist():
        kind = Kind(int(rows.kind[row]))
        where = f"game {rows.game[row]}, turn {rows.turn[row]}, {kind.label}, {listed.match.players[listed.row_seat[row]]}"
        adds = (
            [f"error {rows.error[row]:g}"] if rows.error[row] else []
        )  # an unknown one is written nan
        adds = ["1 decision"] * bool(rows.counted[row]) + (
            [] if rows.error[row] != rows.error[row] else adds
        )
        text = f"{where}: {rows.place(row)}"
        if repeated[row]:
            first = int(listed.row_of[listed.at[row]])
            text += f" repeats {rows.place(first)}"
        yield Unpaired(
            int(rows.line[row]),
            "twice" if repeated[row] else "no-decision",
            text + f", adds {' and '.join(adds) or 'nothing'}",
        )


def _findings(
    result: ListResult, own: RuleSet, target: RuleSet, differences: Differences
) -> Iterator[Finding]:
    listed, count = result.listed, len(result.differing)
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    paired = plural(result.paired, "listed decision")
    if not count:
        yield new_finding("candidate-own-rules", f"rule set {own.name} gives all {paired}")
    elif target != own:
        touched = {code for one in result.differing for code in one.questions}
        deciding = listed_words(
            [code for code in own.differing(target) if not touched or code in touched]
        )
        yield new_finding(
            "candidate-rules",
            f"rule set {target.name} gives all {paired}; {own.name} differs in {count}, by {deciding}",
        )
    else:
        nearest = differences.nearest
        closest = (
            f"; rule set {nearest} comes closest: {result.rule_sets[nearest]} differ"
            if result.rule_sets[nearest] < count
            else ""
        )
        yield new_finding(
            "candidate-decisions",
            f"{count:,} of {paired} differ from rule set {own.name}: {classes_of(result.differing)}{closest}",
        )
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border_words(border, own))
    misnamed = [
        f"{listed.rows.place(row)}: {Kind(int(listed.rows.kind[row])).label}"
        for row in listed.misnamed.tolist()
    ]
    for evidence in (
        result.lost,
        _of_rows([one.text for one in result.unpaired if one.why == "twice"], "given twice"),
        _of_rows(
            [one.address for one in result.differing if one.what == "no-row"],
            "without a row",
            "decision",
        ),
        _of_rows(misnamed, "with another kind than the file has"),
        _of_rows(
            [f"{listed.rows.place(row)}: {text}" for row, text in listed.other_plays],
            "with another play than the file has",
        ),
    ):
        if evidence:
            yield new_finding("candidate-rows", evidence)
    absent = [listed.match.players[seat] for seat in (0, 1) if seat not in listed.seats]
    quiet = (
        [f"{plural(result.unlisted, 'decision')} without a row that neither side counts"]
        if result.unlisted
        else []
    )
    quiet += [f"no row of {name}" for name in absent]
    half = float(np.where(listed.errors != 0, listed.rows.half, 0.0).max(initial=0.0))
    if half >= 0.5 * 10.0**-DIGITS:
        quiet.append(f"errors are rounded, each by up to {half:g}, and so are the sums")
    if quiet:
        yield new_finding("candidate-list", "; ".join(quiet))


def classes_of(differing: Iterable[Differing]) -> str:
    """How many decisions differ in which way, in words."""
    counts = Counter(one.what for one in differing)
    return ", ".join(f"{counts[what]:,} {text}" for what, text in WAYS.items() if counts[what])


def border_words(border: Border, own: RuleSet) -> str:
    """Where the program draws a line, in a sentence."""
    low, high = sorted((border.counts, border.not_counts))
    first, _, _ = (
        QUESTIONS[border.question].answers[own.answers[border.question]].page.partition("\n\n")
    )
    side = "below" if border.counts < border.not_counts else "above"
    return (
        f"{border.what} is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} in the program; "
        f"{own.name} ({border.question}): {' '.join(first.split()).rstrip('.')}"
    )


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words, with the number of those left out."""
    for one in result.differing[:MOST_FACTS]:
        moved = "" if one.pr is None else f"; PR {one.pr:+.4f}"
        ids = "".join(f"; {text}" for text in (one.xgid, one.gnubg_id) if text)
        row = "" if one.row is None else f" (row {one.row})"
        yield one.address + row, one.sentence + moved + ids
    yield from ((f"row {row.row}", row.text) for row in result.unpaired[:MOST_FACTS])
    for what, count in (
        ("decisions that differ", len(result.differing)),
        ("rows that fit no decision", len(result.unpaired)),
    ):
        if count > MOST_FACTS:
            yield f"more {what}", f"{count - MOST_FACTS:,}"


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
    for one in lists:
        sums.update(one.rule_sets)
    counts = dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != rules)))
    rows, paired = sum(one.rows for one in lists), sum(one.paired for one in lists)
    differing = sum(len(one.differing) for one in lists)
    sentences = tuple(_sentences(rules, lists, paired, differing, counts))
    return PooledLists(candidate, rules, len(lists), rows, paired, differing, counts, sentences)


def shared_borders(lists: Iterable[ListResult]) -> Iterator[Border]:
    """The lines that all lists that show one agree on, as narrow as they make it."""
    found: dict[str, list[Border]] = {}
    for one in lists:
        for border in one.borders:
            found.setdefault(border.question, []).append(border)
    for borders in found.values():
        below = borders[0].counts < borders[0].not_counts
        inner, outer = (max, min) if below else (min, max)
        pooled = replace(
            borders[0],
            counts=inner(one.counts for one in borders),
            not_counts=outer(one.not_counts for one in borders),
            moved=sum(one.moved for one in borders),
        )
        if pooled.moved >= FEWEST and (pooled.counts < pooled.not_counts) == below:
            yield pooled


def _sentences(
    rules: str, lists: Sequence[ListResult], paired: int, differing: int, counts: Mapping[str, int]
) -> Iterator[str]:
    """What the lists show, the fault of all errors first."""
    over = f" in {plural(len(lists), 'match', 'matches')}" if len(lists) > 1 else ""
    faults = Counter(one.fault_kind for one in lists if one.fault_kind)
    for fault, count in faults.most_common():
        which = (
            ""
            if len(lists) == 1
            else f" of {'all' if count == len(lists) else count} {len(lists)} lists"
        )
        yield f"the errors{which} {fault}"
    if not differing:
        yield f"all {plural(paired, 'listed decision')}{over} are as under rule set {rules}"
        return
    words = classes_of(one for result in lists for one in result.differing)
    yield f"{differing:,} of {plural(paired, 'listed decision')}{over} differ from rule set {rules}: {words}"
    for border in shared_borders(lists):
        yield border_words(border, lists[0].listed.left.rules)
    nearest = next(iter(counts))
    if counts[nearest] < differing:
        left = f"only {counts[nearest]:,} differ" if counts[nearest] else "nothing differs"
        yield f"from rule set {nearest} {left}: `reconcile explain --rules` has its answers"
