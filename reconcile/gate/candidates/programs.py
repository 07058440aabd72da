"""The programs under test of a run: the diagnosis of each.

A command is one program. Files whose figures name a program are that program's; all others are one
program together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from reconcile.gap.verdict import OUTSIDE
from reconcile.infer.groups import Compared, Group, groups_of
from reconcile.infer.program import Diagnosis, Run, Subject, diagnosis_of
from reconcile.infer.reported import Reported, fits_figure
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.gate.match_results import CandidateResult, Explained, NotCompared


class Programs(NamedTuple):
    """What is known of the programs of a run."""

    results: list[CandidateResult]
    """With what is found of the rules that their programs follow."""
    diagnoses: list[Diagnosis]
    groups: list[Group]


def diagnosed(results: Sequence[CandidateResult], *, is_claimed: bool = False) -> Programs:
    """What the figures of each program have in common; what is off is beside the rules that they
    show, or the claimed ones."""
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
                outcome.results[index] = _under(run, label, results[index])
            rules = run.own if is_claimed else run.rules
            compared += _beside_rules(run, rules, [result for result in own if _subject(result)])
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


def _beside_rules(run: Run, rules: str, results: Sequence[CandidateResult]) -> Iterator[Compared]:
    """The figures beside rules; off are those out of tolerance that the rules do not give."""
    outside = list(map(_outside, results))
    players = [result.explained.file.players for result in results if result.explained]
    expected, wrong = run.under(rules), run.wrong(rules)
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


def _under(run: Run, program: str, result: CandidateResult) -> CandidateResult:
    """A result with its program, and the finding about its rules."""
    part = result.explained
    if part is None:
        return result
    result = replace(result, program=program)
    if not part.ruled:
        return result
    rules = next(entry for entry in run.subjects if entry.id == result.match).rules(run.rules)
    ours = part.file.under_rules.under(rules)
    names = list(METRICS)
    fits = [
        fits_figure(float(ours[seat, names.index(shown.metric)]), shown)
        for seat, shown in part.ruled
    ]
    finding = _finding(result, part.rules, rules, fits)
    return replace(result, findings=(finding, *result.findings))


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
