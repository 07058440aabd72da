"""The programs under test of a run: the diagnosis of each, and the bridges to its figures.

A command is one program. Files whose figures name a program are that program's; all others are one
program together. A program that gives only totals does not show its decisions. But the reference's
decisions, counted under the rules by which the program counts all its matches, show which of them
make up the gap; the rest, up to the candidate's figure, is the last step, reporting. The bridge to
the figures of a list of decisions goes from decision to decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reconcile.errors import ReconcileError
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import TOTALS, Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.again import Again
from reconcile.gate.candidates.list_result import list_findings, list_result
from reconcile.gate.candidates.listed import Listed
from reconcile.infer.program import Diagnosis, diagnose
from reconcile.infer.reported import EXPLORED, Reported, fits_figure
from reconcile.infer.run import COLUMN, Memory, Subject
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.statistics import Statistics
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.gate.match_results import CandidateResult, Explained, NotCompared


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


def look_ahead(outcomes: Iterable[CandidateResult | NotCompared]) -> None:
    """Compute what a diagnosis asks of every match where it was judged: one process takes long."""
    for subject in subjects(Memory(), outcomes):
        subject.look_ahead()


def subjects(memory: Memory, outcomes: Iterable[CandidateResult | NotCompared]) -> list[Subject]:
    """The matches of a program; figures of the two players may come one after the other."""
    parts: list[tuple[str, Explained, list[tuple[int, Reported]]]] = []
    for result in outcomes:
        if (part := getattr(result, "explained", None)) is None:
            continue
        figures, seats = part.figures, {seat for seat, _ in part.ruled}
        for _, earlier, before in parts:
            earlier_seats = (seat for seat, figure in before if figure.metric in EXPLORED)
            if earlier.file is part.file and seats.isdisjoint(earlier_seats):
                before += figures
                break
        else:
            parts.append((result.match, part, figures))
    return [
        Subject(match, part.rules, part.file.under_rules, memory, tuple(figures))
        for match, part, figures in parts
    ]


def _under(
    diagnosis: Diagnosis, result: CandidateResult, memory: Memory, tolerances: Tolerances
) -> CandidateResult:
    """A result with the finding about its rules, and bridges through them to the given figures."""
    part, result = result.explained, replace(result, program=diagnosis.candidate)
    assert part is not None
    if not part.ruled:
        return result
    rules = diagnosis.best.under(part.rules)
    table = memory.table(part.file.under_rules, rules)
    fits = [fits_figure(float(table[at, COLUMN[shown.metric]]), shown) for at, shown in part.ruled]
    finding = _finding(diagnosis, result, part.rules, rules, fits)
    bridges = Again(partial(_towards, result, rules, tolerances, finding))
    return replace(result, findings=(finding, *result.findings), source=bridges)


def _towards(
    result: CandidateResult, rules: RuleSet, tolerances: Tolerances, finding: Finding
) -> Comparison:
    """A file beside itself under two rule sets, with the given figures at the right end."""
    part = result.explained
    assert part is not None
    match = part.file.match()
    same = compare(
        match,
        match,
        tolerances,
        table=result.table,
        left_rules=part.rules,
        right_rules=rules,
        need_verdict=False,
    )
    beside = beside_itself(
        same,
        result.candidate,
        result.sha256,
        same.walk.towards(result.ends(), totals_alone=True),
        result.totals,
        form=TOTALS,
        level="only figures, no decisions",
        rules=rules.name,
        paired=(0, same.paired[1]),
    )
    return replace(beside, findings=(finding, *beside.findings))


def with_decisions(
    stated: CandidateResult, table: Listed, tolerances: Tolerances
) -> CandidateResult:
    """A result of figures that follow from a list, with its decisions, findings and bridges, which
    are made again when asked for."""
    arguments = stated, table, tolerances
    try:
        walk = _beside_list(*arguments).walk
    except ReconcileError:  # the reference has no analysis
        walk = None
    decisions = list_result(table, walk)
    findings = tuple(list_findings(decisions))
    return replace(
        stated,
        source=None if walk is None else Again(partial(_beside_list, *arguments, findings)),
        findings=(*findings, *stated.findings),
        decisions=decisions,
    )


def _beside_list(
    stated: CandidateResult,
    table: Listed,
    tolerances: Tolerances,
    findings: tuple[Finding, ...] = (),
) -> Comparison:
    """The comparison of the reference with the list. Raises `ReconcileError` without analysis."""
    match, own, decisions, target = table.match, table.left.rules, table.decisions, table.target
    same = compare(match, match, tolerances, table=stated.table, left_rules=own)
    # Rows about no decision, and repeated ones, are in the figures and in no step before the last.
    extra = bool((table.rows.decision < 0).any() or table.rows.repeated.any())
    walk = replace(
        same.walk,
        statistics=(same.statistics[0], Statistics(table.right)),
        rules=(own, target),
        seats=table.seats,
        reported=stated.ends(has_right=extra),
    )
    players, has_row = [match.players[seat] for seat in table.seats], decisions.line.notna()
    theirs = tuple(figure for figure in same.figures if figure.player in players)
    result = beside_itself(
        replace(same, figures=theirs),
        stated.candidate,
        stated.sha256,
        walk,
        stated.totals,
        form=DECISIONS,
        level="counting and errors, no analysis",
        rules=target.name,
        paired=(int(has_row.sum()), int((has_row | ~decisions.added).sum())),
        tool=table.program,
    )
    return replace(result, findings=(*findings, *result.findings))


def _finding(
    diagnosis: Diagnosis, result: CandidateResult, own: RuleSet, rules: RuleSet, fits: list[bool]
) -> Finding:
    """What the diagnosis says of a match, and how many figures its rules give there."""
    faults, differing = diagnosis.faults, own.differing(rules)
    if faults and result.match in faults[0].matches:
        return new_finding("candidate-fault", faults[0].brief)
    base = RULE_SETS.get(rules.name, rules)
    changed = " and ".join(f"{code} {rules.answers[code]}" for code in base.differing(rules))
    words = f"rule set {rules.name}{' with ' * bool(changed)}{changed} gives {sum(fits)} of "
    words += f"{len(fits)} figures that depend on the rules"
    if faults:
        words += f"; in other matches {faults[0].brief}"
    if not all(fits):
        is_outside = any(figure.verdict == OUTSIDE for figure in result.figures)
        severity: Severity | None = None if is_outside else "info"
        return new_finding("candidate-unexplained", words, severity=severity)
    if differing:
        words += f"; it differs from {own.name} in {', '.join(differing)}"
    return new_finding("candidate-rules" if differing else "candidate-own-rules", words)
