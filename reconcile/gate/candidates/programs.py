"""The programs under test of a run: the diagnosis of each, and the bridges to its figures.

A command is one program. Files whose figures name a program are that program's; all others are one
program together. A program that gives only totals does not show its decisions. But the reference's
decisions, counted under the rules by which the program counts all its matches, show which of them
make up the gap; the rest, up to the candidate's figure, is the last step, reporting. The bridge to
the figures of a list of decisions goes from decision to decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from reconcile.errors import ReconcileError
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import TOTALS, Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.again import Again
from reconcile.gate.candidates.list_result import list_findings, list_result
from reconcile.gate.candidates.listed import Listed
from reconcile.infer.groups import Compared, Group, groups_of
from reconcile.infer.program import Diagnosis, Run, Subject, diagnosis_of
from reconcile.infer.reported import Reported, fits_figure
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.gate.match_results import CandidateResult, Explained, NotCompared


class Programs(NamedTuple):
    """What is known of the programs of a run."""

    results: list[CandidateResult]
    """With the bridges through the rules that their programs follow."""
    diagnoses: list[Diagnosis]
    groups: list[Group]


def diagnosed(results: Sequence[CandidateResult], tolerances: Tolerances) -> Programs:
    """What the figures of each program have in common."""
    programs: dict[str, list[int]] = {}
    for index, result in enumerate(results):
        gives_totals = result.expected is not None and result.decisions is None
        name = result.of or ("" if gives_totals else result.candidate)
        programs.setdefault(name, []).append(index)
    outcome = Programs(list(results), [], [])
    for name, indices in programs.items():
        own = [results[index] for index in indices]
        first, *more = dict.fromkeys(result.candidate for result in own)
        label = name or (f"{first} and {plural(len(more), 'more file')}" if more else first)
        compared = list(_beside_left(result for result in own if not _subject(result)))
        causes: dict[str, str] = {}
        if (run := Run(list(subjects(own)))).subjects:
            outcome.diagnoses.append(diagnosis_of(label, run))
            for index in indices:
                outcome.results[index] = _under(run, label, results[index], tolerances)
            compared += _beside_rules(run, [result for result in own if _subject(result)])
            if run.transformed:
                _, way, scope = run.transformed
                causes = dict.fromkeys(map(str, run.names[scope]), way.code)
        several = label if len(programs) > 1 else ""
        outcome.groups.extend(groups_of(compared, causes, several))
    return outcome


def look_ahead(outcomes: Iterable[CandidateResult | NotCompared]) -> None:
    """Compute what a diagnosis asks of every match where it was judged: one process takes long."""
    for subject in subjects(outcomes):
        subject.look_ahead()


def subjects(outcomes: Iterable[CandidateResult | NotCompared]) -> Iterator[Subject]:
    """The matches of a program that can be counted under other rules."""
    return filter(None, map(_subject, outcomes))


def _subject(outcome: CandidateResult | NotCompared) -> Subject | None:
    part: Explained | None = getattr(outcome, "explained", None)
    if part is None or not part.figures:
        return None
    return Subject(outcome.match, part.rules, part.file.under_rules, tuple(part.figures))


def _outside(result: CandidateResult) -> set[tuple[str, str]]:
    """Player and name of the figures out of tolerance."""
    figures = (figure for figure in result.totals if figure.verdict == OUTSIDE)
    return {(figure.player, figure.metric) for figure in figures}


def _beside_rules(run: Run, results: Sequence[CandidateResult]) -> Iterator[Compared]:
    """The figures beside the rules that the program follows; off are those out of tolerance that
    the rules do not give."""
    outside = list(map(_outside, results))
    players = [result.explained.file.players for result in results if result.explained]
    expected, wrong = run.under(run.rules), run.wrong(run.rules)
    for row, figure in enumerate(run.figures):
        index, seat = int(run.match[row]), int(run.seat[row])
        if expected[row] == expected[row]:
            is_off = wrong[row] and (players[index][seat], figure.metric) in outside[index]
            match = run.subjects[index].id
            yield Compared(match, seat, figure, float(expected[row]), bool(is_off))


def _beside_left(results: Iterable[CandidateResult]) -> Iterator[Compared]:
    """The figures of which no rules are known, beside those of the reference."""
    for result in results:
        players = list(dict.fromkeys(figure.player for figure in result.totals))
        for figure in result.totals:
            if figure.left is not None and figure.right is not None:
                half = 0.0 if METRICS[figure.metric].is_whole else 1e-6
                shown = Reported(figure.metric, f"{figure.right}", figure.right, half)
                seat, is_off = players.index(figure.player), figure.verdict == OUTSIDE
                yield Compared(result.match, seat, shown, figure.left, is_off)


def _under(
    run: Run, program: str, result: CandidateResult, tolerances: Tolerances
) -> CandidateResult:
    """A result with the finding about its rules, and bridges through them to the given figures."""
    part = result.explained
    if part is None:
        return result
    result = replace(result, program=program)
    if not part.ruled:
        return result
    rules = next(entry for entry in run.subjects if entry.id == result.match).rules(run.rules)
    ours = part.file.under_rules.under(rules)[0]
    names = list(METRICS)
    fits = [
        fits_figure(float(ours[seat, names.index(shown.metric)]), shown)
        for seat, shown in part.ruled
    ]
    finding = _finding(result, part.rules, rules, fits)
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
    result: CandidateResult, own: RuleSet, rules: RuleSet, fits: Sequence[bool]
) -> Finding:
    """How many figures of a match the rules give that its program follows."""
    differing = own.differing(rules)
    words = f"rule set {rules.name} gives {sum(fits)} of {len(fits)} figures that depend on the "
    words += "rules"
    if not all(fits):
        is_outside = any(figure.verdict == OUTSIDE for figure in result.figures)
        severity: Severity | None = None if is_outside else "info"
        return new_finding("candidate-unexplained", words, severity=severity)
    if differing:
        words += f"; it differs from {own.name} in {', '.join(differing)}"
    return new_finding("candidate-rules" if differing else "candidate-own-rules", words)
