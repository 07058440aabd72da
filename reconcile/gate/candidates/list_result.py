"""What lists of decisions show: which decisions differ, which rows fit none, the bridge over a list's own decisions; and all lists of one
program as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from reconcile.columns import Kind
from reconcile.errors import ReconcileError
from reconcile.files.wording import either, plural, summary
from reconcile.files.wording import listed as listed_words
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import Figure
from reconcile.gap.walk import Walk
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.differing import Border, Differences, Differing, What, fault_of
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.candidates.paired_rows import SLOTS, UNSAID, other_plays
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.statistics import Statistics

FEWEST: Final = 2
"""Decisions that have to be on the other side of a border before it is named."""
MOST_FACTS: Final = 200
"""Decisions, and rows, of one list that a property names each."""
DIGITS: Final = 4
"""Of an equity at a border."""


WAYS: Final[dict[What, str]] = {
    "counted-by-list": "counted by the program only",
    "counted-by-reference": "counted by the reference only",
    "error": "with another error",
    "no-error": "without an error",
    "no-row": "without a row",
}
"""The ways in which a decision differs, in words."""


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A row of a list that is about no decision, or repeats one."""

    line: int
    why: Literal["no-decision", "twice"]
    text: str
    """Its address and what it adds, in words."""


@dataclass(frozen=True, slots=True)
class ListResult:
    """A list of decisions beside its reference."""

    listed: Listed = field(repr=False, compare=False)
    rules: str
    """The reference's rule set."""
    fault: str
    """What is wrong with all errors alike, in words; empty if nothing is."""
    fault_kind: str
    """The same without the number of errors."""
    differing: tuple[Differing, ...]
    """Those that move PR most first."""
    unpaired: tuple[Unpaired, ...]
    unlisted: int
    """Decisions without a row that count for nobody and cost nothing."""
    counts: dict[str, int]
    """By known rule set, how many decisions differ from the list."""
    borders: tuple[Border, ...]

    @property
    def lost(self) -> str:
        """What of the list is about no decision, in words; empty if everything is about one."""
        texts = [one.text for one in self.unpaired if one.why == "no-decision"]
        return f"{plural(len(texts), 'row')} about no decision of the match: {'; '.join(summary(texts))}" if texts else ""

    @property
    def rows(self) -> int:
        """Rows of the list."""
        return len(self.listed.rows)

    @property
    def paired(self) -> int:
        """Decisions of the reference that have a row."""
        return int(np.count_nonzero(self.listed.paired.row_of >= 0))


def list_result(
    candidate: Candidate, listed: Listed, table: str, figures: Sequence[Figure], reported: Sequence[bool], tolerances: Tolerances
) -> tuple[Comparison | None, tuple[Finding, ...], ListResult]:
    """The bridges to the figures of a list, the findings about it, and its decisions."""
    fault = fault_of(listed)
    differences = Differences(listed, fault)
    own = listed.left.rules
    exact = [name for name, count in differences.counts.items() if not count]
    target = own if not len(differences.rows) or not exact else RULE_SETS[exact[0]]
    comparison = _compared(candidate, listed, target, table, figures, reported, tolerances)
    result = ListResult(
        listed=listed,
        rules=own.name,
        fault=fault.text,
        fault_kind=fault.kind,
        differing=differences.each(comparison.walk if comparison and not fault.text else None),
        unpaired=tuple(_unpaired(listed)),
        unlisted=differences.unlisted,
        counts=dict(differences.counts),
        borders=tuple(differences.borders()),
    )
    findings = tuple(_findings(result, own, target, differences))
    if comparison is not None:
        comparison = replace(comparison, findings=(*findings, *comparison.findings))
    return comparison, findings, result


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
        same = compare(listed.match, listed.match, tolerances, table=table, left_rules=listed.left.rules)
    except ReconcileError:
        return None
    # Rows about no decision, and repeated ones, are in the figures and in no decision of the bridge.
    extra = bool((listed.paired.at < 0).any() or listed.paired.repeated.any())
    shown = zip(figures, reported, strict=True)
    ends = {(one.player, one.metric): (one.left if printed else None, one.right if extra else None) for one, printed in shown}
    seats, has_row = listed.paired.seats, listed.paired.row_of >= 0
    rules = listed.left.rules, target
    walk = Walk((Statistics(listed.left), listed.right), listed.pairing, rules, seats=seats, reported=ends)
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
    rows, paired = listed.rows, listed.paired
    repeated = paired.repeated
    for row in np.flatnonzero((paired.at < 0) | repeated).tolist():
        kind = int(rows.kind[row])
        word = next(one.label for one, slot in SLOTS.items() if slot == rows.slot[row]) if kind == UNSAID else Kind(kind).label
        where = f"game {rows.game[row]}, turn {rows.turn[row]}, {word}, {listed.match.players[listed.row_seats[row]]}"
        adds = [f"error {rows.error[row]:g}"] if rows.error[row] else []  # an unknown one is written nan
        adds = ["1 decision"] * bool(rows.counted[row]) + ([] if rows.error[row] != rows.error[row] else adds)
        text = f"{where}: {rows.place(row)}"
        if repeated[row]:
            first = int(paired.row_of[paired.at[row]])
            text += f" repeats {rows.place(first)}"
        yield Unpaired(int(rows.line[row]), "twice" if repeated[row] else "no-decision", text + f", adds {' and '.join(adds) or 'nothing'}")


def _findings(result: ListResult, own: RuleSet, target: RuleSet, differences: Differences) -> Iterator[Finding]:
    listed, count = result.listed, len(result.differing)
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    missing = [one for one in result.differing if one.what == "no-row"]
    paired = plural(result.paired, "listed decision")
    if not count:
        yield new_finding("candidate-own-rules", f"rule set {own.name} gives all {paired}")
    elif target != own:
        touched = {code for one in result.differing for code in one.questions}
        deciding = listed_words([code for code in own.differing(target) if not touched or code in touched])
        yield new_finding("candidate-rules", f"rule set {target.name} gives all {paired}; {own.name} differs in {count}, by {deciding}")
    else:
        nearest = differences.nearest
        closest = f"; rule set {nearest} comes closest: {result.counts[nearest]} differ" if result.counts[nearest] < count else ""
        yield new_finding(
            "candidate-decisions", f"{count:,} of {paired} differ from rule set {own.name}: {classes_of(result.differing)}{closest}"
        )
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border_words(border, own))
    repeated = [one.text for one in result.unpaired if one.why == "twice"]
    if result.lost:
        yield new_finding("candidate-rows", result.lost)
    if repeated:
        yield new_finding("candidate-rows", f"{plural(len(repeated), 'row')} given twice: {'; '.join(summary(repeated))}")
    if missing:
        texts = list(map(address, missing))
        yield new_finding("candidate-rows", f"{plural(len(texts), 'decision')} without a row: {'; '.join(summary(texts))}")
    named = [f"{listed.rows.place(row)}: {Kind(int(listed.rows.kind[row])).label}" for row in listed.paired.misnamed]
    if named:
        yield new_finding("candidate-rows", f"{plural(len(named), 'row')} with another kind than the file has: {'; '.join(summary(named))}")
    plays = [f"{listed.rows.place(row)}: {text}" for row, text in other_plays(listed.paired, listed.match)]
    if plays:
        yield new_finding("candidate-rows", f"{plural(len(plays), 'row')} with another play than the file has: {'; '.join(summary(plays))}")
    absent = [listed.match.players[seat] for seat in (0, 1) if seat not in listed.paired.seats]
    quiet = [f"{plural(result.unlisted, 'decision')} without a row that neither side counts"] if result.unlisted else []
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
    first, _, _ = QUESTIONS[border.question].answers[own.answers[border.question]].page.partition("\n\n")
    side = "below" if border.counts < border.not_counts else "above"
    return (
        f"{border.what} is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} in the program; "
        f"{own.name} ({border.question}): {' '.join(first.split()).rstrip('.')}"
    )


def address(one: Differing) -> str:
    """Where a decision is, in words."""
    return f"game {one.game}, turn {one.turn}, {one.kind.label}, {one.player}"


def sentence(one: Differing, result: ListResult) -> str:
    """How the list and the reference differ on a decision."""
    ours, theirs = (_size(error, result.listed.in_mwc) for error in one.error)
    lost = f", error {theirs}" + (f" ({ours} in the reference)" if ours not in (theirs, "unknown") else "")
    words = {
        "counted-by-list": f"counts in the list and not under {result.rules}{lost}",
        "counted-by-reference": f"counts under {result.rules} and not in the list{lost}",
        "error": f"error {ours} in the reference, {theirs} in the list",
        "no-error": f"error {ours} in the reference, none in the list",
        "no-row": f"{'counts' if one.counted[0] else 'does not count'} under {result.rules}, error {ours}; the list has no row for it",
    }
    parts = [words[one.what]]
    if one.what in ("counted-by-list", "counted-by-reference", "error"):
        if one.cost is not None and one.what != "error":
            parts[0] += f", doubling would have cost {one.cost:.{DIGITS}f}"
        if one.questions:
            parts.append(f"{listed_words(one.questions) if len(one.questions) == 1 else either(one.questions)} decides")
        parts.append(f"as under {listed_words(one.agreeing) or 'no known rule set'}")
    return "; ".join(parts)


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + (" pp" if in_mwc else "")


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words, with the number of those left out."""
    for one in result.differing[:MOST_FACTS]:
        moved = "" if one.pr is None else f"; PR {one.pr:+.4f}"
        ids = "".join(f"; {text}" for text in (one.xgid, one.gnubg_id) if text)
        row = "" if one.line is None else f" (row {one.line})"
        yield address(one) + row, sentence(one, result) + moved + ids
    yield from ((f"row {row.line}", row.text) for row in result.unpaired[:MOST_FACTS])
    for what, count in (("decisions that differ", len(result.differing)), ("rows that fit no decision", len(result.unpaired))):
        if count > MOST_FACTS:
            yield f"more {what}", f"{count - MOST_FACTS:,}"


@dataclass(frozen=True, slots=True)
class PooledList:
    """The lists of one program held against one rule set."""

    candidate: str
    rules: str
    lists: tuple[ListResult, ...]

    @property
    def rows(self) -> int:
        """Rows of all lists."""
        return sum(one.rows for one in self.lists)

    @property
    def paired(self) -> int:
        """Decisions that have a row."""
        return sum(one.paired for one in self.lists)

    @property
    def differing(self) -> int:
        """Decisions that differ."""
        return sum(len(one.differing) for one in self.lists)

    @property
    def counts(self) -> dict[str, int]:
        """By known rule set, how many decisions differ from the lists, the fewest first."""
        sums = Counter[str]()
        for one in self.lists:
            sums.update(one.counts)
        return dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != self.rules)))

    @property
    def borders(self) -> Iterator[Border]:
        """The lines that all lists that show one agree on, as narrow as they make it."""
        found: dict[str, list[Border]] = {}
        for one in self.lists:
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

    @property
    def sentences(self) -> Iterator[str]:
        """What the lists show, the fault of all errors first."""
        over = f" in {plural(len(self.lists), 'match', 'matches')}" if len(self.lists) > 1 else ""
        faults = Counter(one.fault_kind for one in self.lists if one.fault_kind)
        for fault, count in faults.most_common():
            lists = "" if len(self.lists) == 1 else f" of {'all' if count == len(self.lists) else count} {len(self.lists)} lists"
            yield f"the errors{lists} {fault}"
        if not self.differing:
            yield f"all {plural(self.paired, 'listed decision')}{over} are as under rule set {self.rules}"
            return
        words = classes_of(one for result in self.lists for one in result.differing)
        yield f"{self.differing:,} of {plural(self.paired, 'listed decision')}{over} differ from rule set {self.rules}: {words}"
        for border in self.borders:
            yield border_words(border, self.lists[0].listed.left.rules)
        nearest = next(iter(self.counts))
        if self.counts[nearest] < self.differing:
            left = f"only {self.counts[nearest]:,} differ" if self.counts[nearest] else "nothing differs"
            yield f"from rule set {nearest} {left}: `reconcile rules` has its answers"
