"""The programs under test of a run: the diagnosis of each, and the bridges to its figures.

A command is one program. Files whose figures name a program are that program's; all others are one
program together. A program that gives only totals does not show its decisions. But the reference's
decisions, counted under the rules by which the program counts all its matches, show which of them
make up the gap; the rest, up to the candidate's figure, is the last step, reporting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from reconcile.files.wording import plural
from reconcile.gap.comparison import TOTALS, Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, Figure
from reconcile.gate.kept import Again
from reconcile.infer.program import Diagnosis, diagnose
from reconcile.infer.reported import EXPLORED, Reported, fits_figure
from reconcile.infer.run import COLUMN, Memory, Subject
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS

if TYPE_CHECKING:
    from reconcile.gate.match_results import CandidateResult


def diagnosed(
    results: Sequence[CandidateResult], tolerances: Tolerances
) -> tuple[list[CandidateResult], list[Diagnosis]]:
    """The results with the bridges through the rules by which their programs count, and these."""
    memory, diagnoses, explained = Memory(), [], list(results)
    programs: dict[tuple[str, str], list[int]] = {}
    for index, result in enumerate(results):
        if result.explained is not None:
            programs.setdefault(result.of, []).append(index)
    for (_, named), indices in programs.items():
        own = [results[index] for index in indices]
        first, *more = dict.fromkeys(result.candidate for result in own)
        files = f"{first} and {plural(len(more), 'more file')}" if more else first
        diagnosis = diagnose(named or files, subjects(memory, own))
        if diagnosis is None:
            continue
        diagnoses.append(diagnosis)
        for index in indices:
            explained[index] = _under(diagnosis, results[index], memory, tolerances)
    return explained, diagnoses


def look_ahead(results: Sequence[CandidateResult]) -> None:
    """Compute what a diagnosis asks of every match where it was judged: one process takes long."""
    totals = [result for result in results if result.explained is not None]
    for subject in subjects(Memory(), totals):
        subject.look_ahead()


def subjects(memory: Memory, results: Sequence[CandidateResult]) -> list[Subject]:
    """The matches of a program; figures of the two players may come one after the other."""
    parts: list[tuple[CandidateResult, list[tuple[int, Reported]]]] = []
    for result in results:
        part = result.explained
        assert part is not None
        seats = part.by_seat(METRICS).items()
        pairs = [(seat, figure) for seat, figures in seats for figure in figures]
        for earlier, before in parts:
            same = earlier.explained is not None and earlier.explained.match is part.match
            if same and not _ruled_seats(pairs) & _ruled_seats(before):
                before += pairs
                break
        else:
            parts.append((result, pairs))
    return [
        Subject(result.match, part.rules, part.under_rules, memory, tuple(pairs))
        for result, pairs in parts
        if (part := result.explained) is not None
    ]


def _ruled_seats(figures: Sequence[tuple[int, Reported]]) -> set[int]:
    """The seats of which figures depend on rules."""
    return {seat for seat, figure in figures if figure.metric in EXPLORED}


def _under(
    diagnosis: Diagnosis, result: CandidateResult, memory: Memory, tolerances: Tolerances
) -> CandidateResult:
    """A result with the finding about its rules, and bridges through them to the given figures."""
    part = result.explained
    assert part is not None
    rules = diagnosis.best.under(part.rules)
    seats = part.by_seat(EXPLORED).items()
    wanted = [(seat, figure) for seat, figures in seats for figure in figures]
    result = replace(result, program=diagnosis.candidate)
    if not wanted:
        return result
    ours = memory.table(part.under_rules, rules, in_part=False)
    table = memory.table(part.under_rules, rules)
    fits = sum(
        fits_figure(float(table[seat, COLUMN[figure.metric]]), figure) for seat, figure in wanted
    )
    finding = _finding(diagnosis, result, fits, len(wanted))
    result = replace(result, findings=(finding, *result.findings))
    gate = tolerances.gate(result.table)
    bounds = (
        gate.of(name, part.players[seat])
        for seat in (0, 1)
        for name in METRICS
        if not isnan(ours[seat, COLUMN[name]])
    )
    # An unanalysed file has no bridge.
    if all(bound is None or bound.level == "off" for bound in bounds):
        return result
    figures = tuple(figure for figure in result.figures if not figure.share)
    ends = {
        (figure.player, figure.metric): (figure.left if printed else None, figure.right)
        for figure, printed in zip(figures, result.reported, strict=False)
    }
    source = result.candidate, part.sha256
    arguments = (part.match, source, (part.rules, rules), result.table, tolerances, figures, ends)
    return replace(result, source=Again(_towards, (*arguments, finding)))


def _towards(
    match: Again[Match],
    source: tuple[str, str],
    rules: tuple[RuleSet, RuleSet],
    table: str,
    tolerances: Tolerances,
    figures: Sequence[Figure],
    ends: Mapping[tuple[str, str], tuple[float | None, float | None]],
    finding: Finding,
) -> Comparison:
    """A file beside itself under two rule sets, with the given figures at the right end."""
    left, right = rules
    comparison = compare(
        match(),
        match(),
        tolerances,
        table=table,
        left_rules=left,
        right_rules=right,
        need_verdict=False,
    )
    result = beside_itself(
        comparison,
        *source,
        comparison.walk.towards(ends, totals_alone=True),
        figures,
        form=TOTALS,
        level="only figures, no decisions",
        rules=right.name,
        paired=(0, comparison.paired[1]),
    )
    return replace(result, findings=(finding, *result.findings))


def _finding(diagnosis: Diagnosis, result: CandidateResult, fits: int, count: int) -> Finding:
    """What the diagnosis says of every match, and how many figures its rules give in this one."""
    part, best = result.explained, diagnosis.best
    assert part is not None
    rules = best.under(part.rules)
    words = f"{_words(rules)} gives {_of_rules(fits, count)}"
    if diagnosis.faults:
        fault = diagnosis.faults[0]
        if result.match in fault.matches:
            return new_finding("candidate-fault", fault.brief)
        words = f"{fault.brief}, in other matches; here {words}"
    elif best.explained < best.number:
        here = f"here it gives {_of_rules(fits, count)}"
        words = f"{_words(rules)} comes closest over all matches; {here}"
    if fits < count:
        is_outside = any(figure.verdict == OUTSIDE for figure in result.figures)
        severity: Severity | None = None if is_outside else "info"
        return new_finding("candidate-unexplained", words, severity=severity)
    differing = part.rules.differing(rules)
    if not differing:
        return new_finding("candidate-own-rules", words)
    words += f"; it differs from {part.rules.name} in {', '.join(differing)}"
    return new_finding("candidate-rules", words)


def _words(rules: RuleSet) -> str:
    """A rule set by its name, and where it was changed the answers that were."""
    base = RULE_SETS.get(rules.name, rules)
    changed = [f"{code} {rules.answers[code]}" for code in base.differing(rules)]
    return f"rule set {rules.name}" + (f" with {' and '.join(changed)}" if changed else "")


def _of_rules(fits: int, count: int) -> str:
    if count == 1:
        return ("the" if fits else "not the") + " one figure that depends on the rules"
    share = f"{fits} of" if 0 < fits < count else {0: "none of"}.get(fits, "all")
    return f"{share} {count} figures that depend on the rules"
