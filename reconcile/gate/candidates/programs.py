"""The programs under test of a run: the diagnosis of each, and the bridges to its figures.

A command is one program. Files whose figures name a program are that program's; all others are one
program together. A program that gives only totals does not show its decisions. But the reference's
decisions, counted under the rules by which the program counts all its matches, show which of them
make up the gap; the rest, up to the candidate's figure, is the last step, reporting. The bridge to
the figures of a list of decisions goes from decision to decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from reconcile.errors import ReconcileError
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import TOTALS, Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.candidates.list_result import Differences, list_findings, list_result
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.kept import Again
from reconcile.infer.program import Diagnosis, diagnose
from reconcile.infer.reported import EXPLORED, Reported, fits_figure
from reconcile.infer.run import COLUMN, Memory, Subject
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.gate.match_results import CandidateResult


def diagnosed(
    results: Sequence[CandidateResult], tolerances: Tolerances
) -> tuple[list[CandidateResult], list[Diagnosis]]:
    """The results with the bridges through the rules by which their programs count, and these."""
    memory, diagnoses, explained = Memory(), [], list(results)
    programs: dict[str, list[int]] = {}
    for index, result in enumerate(results):
        if result.explained is not None:
            programs.setdefault(result.of, []).append(index)
    for name, indices in programs.items():
        own = [results[index] for index in indices]
        first, *more = dict.fromkeys(result.candidate for result in own)
        files = f"{first} and {plural(len(more), 'more file')}" if more else first
        if diagnosis := diagnose(name or files, subjects(memory, own)):
            diagnoses.append(diagnosis)
            for index in indices:
                explained[index] = _under(diagnosis, results[index], memory, tolerances)
    return explained, diagnoses


def look_ahead(results: Sequence[CandidateResult]) -> None:
    """Compute what a diagnosis asks of every match where it was judged: one process takes long."""
    for subject in subjects(Memory(), [part for part in results if part.explained is not None]):
        subject.look_ahead()


def subjects(memory: Memory, results: Sequence[CandidateResult]) -> list[Subject]:
    """The matches of a program; figures of the two players may come one after the other."""
    parts: list[tuple[CandidateResult, list[tuple[int, Reported]]]] = []
    for result in results:
        assert result.explained is not None
        figures = result.explained.figures
        for earlier, before in parts:
            seats = [
                {seat for seat, figure in part if figure.metric in EXPLORED}
                for part in (figures, before)
            ]
            same = earlier.explained and earlier.explained.file is result.explained.file
            if same and seats[0].isdisjoint(seats[1]):
                before += figures
                break
        else:
            parts.append((result, figures))
    return [
        Subject(result.match, part.rules, part.file.under_rules, memory, tuple(figures))
        for result, figures in parts
        if (part := result.explained) is not None
    ]


def _under(
    diagnosis: Diagnosis, result: CandidateResult, memory: Memory, tolerances: Tolerances
) -> CandidateResult:
    """A result with the finding about its rules, and bridges through them to the given figures."""
    part = result.explained
    assert part is not None
    rules = diagnosis.best.under(part.rules)
    ruled = [(seat, figure) for seat, figure in part.figures if figure.metric in EXPLORED]
    result = replace(result, program=diagnosis.candidate)
    if not ruled:
        return result
    ours = memory.table(part.file.under_rules, rules, in_part=False)
    table = memory.table(part.file.under_rules, rules)
    fits = [fits_figure(float(table[at, COLUMN[shown.metric]]), shown) for at, shown in ruled]
    finding = _finding(diagnosis, result, rules, f"{sum(fits)} of {len(fits)}", is_all=all(fits))
    result = replace(result, findings=(finding, *result.findings))
    gate = tolerances.gate(result.table)
    bounds = [
        gate.of(name, part.file.players[seat])
        for seat in (0, 1)
        for name in METRICS
        if not isnan(ours[seat, COLUMN[name]])
    ]
    # An unanalysed file has no bridge.
    if not any(bound is not None and bound.level != "off" for bound in bounds):
        return result
    return replace(result, source=Again(_towards, (result, rules, tolerances)))


def _towards(result: CandidateResult, rules: RuleSet, tolerances: Tolerances) -> Comparison:
    """A file beside itself under two rule sets, with the given figures at the right end."""
    part = result.explained
    assert part is not None
    match = part.file.match()
    comparison = compare(
        match,
        match,
        tolerances,
        table=result.table,
        left_rules=part.rules,
        right_rules=rules,
        need_verdict=False,
    )
    figures = tuple(figure for figure in result.figures if not figure.share)
    ends = {
        (figure.player, figure.metric): (figure.left if printed else None, figure.right)
        for figure, printed in zip(figures, result.reported, strict=False)
    }
    beside = beside_itself(
        comparison,
        result.candidate,
        result.sha256,
        comparison.walk.towards(ends, totals_alone=True),
        figures,
        form=TOTALS,
        level="only figures, no decisions",
        rules=rules.name,
        paired=(0, comparison.paired[1]),
    )
    return replace(beside, findings=(result.findings[0], *beside.findings))


def with_decisions(
    stated: CandidateResult, table: Listed, tolerances: Tolerances
) -> CandidateResult:
    """A result of figures that follow from a list, with its decisions, findings and bridges, which
    are made again when asked for."""
    differences = Differences(table)
    arguments = stated, table, differences.target, tolerances
    try:
        walk = _beside_list(*arguments).walk
    except ReconcileError:  # the reference has no analysis
        walk = None
    decisions = list_result(differences, walk)
    findings = tuple(list_findings(decisions))
    return replace(
        stated,
        source=None if walk is None else Again(_beside_list, (*arguments, findings)),
        findings=(*findings, *stated.findings),
        decisions=decisions,
    )


def _beside_list(
    stated: CandidateResult,
    table: Listed,
    target: RuleSet,
    tolerances: Tolerances,
    findings: tuple[Finding, ...] = (),
) -> Comparison:
    """The comparison of the reference with the list. Raises `ReconcileError` without analysis."""
    match, own, decisions = table.match, table.left.rules, table.decisions
    same = compare(match, match, tolerances, table=stated.table, left_rules=own)
    # Rows about no decision, and repeated ones, are in the figures and in no step before the last.
    extra = bool((table.rows.decision < 0).any() or table.rows.repeated.any())
    figures = [figure for figure in stated.figures if not figure.share]
    ends = {
        (figure.player, figure.metric): (
            figure.left if printed else None,
            figure.right if extra else None,
        )
        for figure, printed in zip(figures, stated.reported, strict=False)
    }
    sides = same.statistics[0], Statistics(table.right)
    rules, seats = (own, target), table.seats
    walk = replace(same.walk, statistics=sides, rules=rules, seats=seats, reported=ends)
    players, has_row = [match.players[seat] for seat in seats], decisions.line.notna()
    theirs = tuple(figure for figure in same.figures if figure.player in players)
    result = beside_itself(
        replace(same, figures=theirs),
        stated.candidate,
        stated.sha256,
        walk,
        figures,
        form=DECISIONS,
        level="counting and errors, no analysis",
        rules=target.name,
        paired=(int(has_row.sum()), int((has_row | ~decisions.added).sum())),
        tool=table.program,
    )
    return replace(result, findings=(*findings, *result.findings))


def _finding(
    diagnosis: Diagnosis, result: CandidateResult, rules: RuleSet, share: str, *, is_all: bool
) -> Finding:
    """What the diagnosis says of a match, and how many figures its rules give there."""
    assert result.explained is not None
    if diagnosis.faults and result.match in diagnosis.faults[0].matches:
        return new_finding("candidate-fault", diagnosis.faults[0].brief)
    own, base = result.explained.rules, RULE_SETS.get(rules.name, rules)
    changed = [f"{code} {rules.answers[code]}" for code in base.differing(rules)]
    name = f"rule set {rules.name}" + (f" with {' and '.join(changed)}" if changed else "")
    words = f"{name} gives {share} figures that depend on the rules"
    if diagnosis.faults:
        words += f"; in other matches {diagnosis.faults[0].brief}"
    if not is_all:
        is_outside = any(figure.verdict == OUTSIDE for figure in result.figures)
        severity: Severity | None = None if is_outside else "info"
        return new_finding("candidate-unexplained", words, severity=severity)
    if differing := own.differing(rules):
        words += f"; it differs from {own.name} in {', '.join(differing)}"
    return new_finding("candidate-rules" if differing else "candidate-own-rules", words)
