"""The programs under test of a run: the diagnosis of each over all its results, and the bridges from the references to its figures.

A command is one program. Files whose figures name a program are that program's; all others of one kind (figures, listings, the exports
of one tool) are one program together. A program that gives only totals does not show its decisions. But the reference file's decisions,
counted under the rules by which the program counts all its matches, show which decisions make up the gap; the rest, between that figure
and the candidate's, is the last step, reporting.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reconcile.files.wording import plural
from reconcile.gap.comparison import TOTALS, Comparison, beside_itself, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, Figure
from reconcile.gate.candidates.claims import Candidate, Claim, Stated
from reconcile.gate.candidates.judgement import CandidateResult, Judgement
from reconcile.gate.kept import Again
from reconcile.infer.figure_table import COLUMN, MATCH
from reconcile.infer.memory import Known, Memory
from reconcile.infer.program import Diagnosis, diagnose
from reconcile.infer.reported import EXPLORED, Reported, fits_figure
from reconcile.infer.run import Subject
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS

StatedBySeat = Sequence[tuple[int, Stated]]
"""Seat and figure."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Figures of one match as a program under test gives them, and what is needed to explain their gaps."""

    candidate: Candidate
    match: Again[Match]
    known: Known
    """The same without candidates and content, which no figure needs."""
    players: Sequence[str]
    rules: RuleSet
    """Of the figures on the left."""
    table: str
    stated: StatedBySeat
    figures: Sequence[Figure]
    reported: Sequence[bool]

    def of_seats(self, metrics: Container[str]) -> dict[int, list[Reported]]:
        """The given figures among some metrics, by seat."""
        found: dict[int, list[Reported]] = {}
        for seat, one in self.stated:
            if one.metric in metrics and one.value is not None:
                found.setdefault(seat, []).append(
                    Reported(one.metric, one.text, one.value, one.half)
                )
        return found

    def under(
        self, diagnosis: Diagnosis, reference: str, memory: Memory, tolerances: Tolerances
    ) -> tuple[Again[Comparison] | None, tuple[Finding, ...]]:
        """The comparison whose bridges lead through the rules by which the program counts all its matches to the given figures, and the
        finding about them. `reference` is the id of this match.
        """
        rules = diagnosis.best.of(self.rules)
        wanted = [(seat, one) for seat, ones in self.of_seats(EXPLORED).items() for one in ones]
        if not wanted:
            return None, ()
        ours, table = (
            memory.figures(self.known, rules),
            memory.table(self.known, rules, self.rules)[:, MATCH],
        )
        fits = sum(fits_figure(float(table[seat, COLUMN[one.metric]]), one) for seat, one in wanted)
        about = (self._finding(diagnosis, reference, fits, len(wanted)),)
        # An unanalysed file has no bridge.
        gate = tolerances.gate(self.table)
        bounds = (
            (gate.of(name, self.players[seat]), ours[seat][name])
            for seat in (0, 1)
            for name in METRICS
        )
        bounded = any(
            bound is not None and bound.level != "off" and value is not None
            for bound, value in bounds
        )
        if not bounded:
            return None, about
        shown = zip(self.figures, self.reported, strict=True)
        ends = {
            (figure.player, figure.metric): (figure.left if printed else None, figure.right)
            for figure, printed in shown
        }
        of = self.candidate.name, self.candidate.sha256
        return Again(
            _towards,
            (
                self.match,
                of,
                (self.rules, rules),
                self.table,
                tolerances,
                self.figures,
                ends,
                about,
            ),
        ), about

    def _finding(self, diagnosis: Diagnosis, reference: str, fits: int, of: int) -> Finding:
        """What the diagnosis says of every match, and how many figures its rules give in this one."""
        rules, best = diagnosis.best.of(self.rules), diagnosis.best
        differing = self.rules.differing(rules)
        words = f"{_words(rules)} gives {_of_rules(fits, of)}"
        if diagnosis.faults:
            fault = diagnosis.faults[0]
            if reference in fault.matches:
                return new_finding("candidate-fault", fault.brief)
            words = f"{fault.brief}, in other matches; here {words}"
        elif best.explained < best.given:
            words = f"{_words(rules)} comes closest over all matches; here it gives {_of_rules(fits, of)}"
        if fits < of:
            severity: Severity | None = (
                None if any(figure.verdict == OUTSIDE for figure in self.figures) else "info"
            )
            return new_finding("candidate-unexplained", words, severity=severity)
        if not differing:
            return new_finding("candidate-own-rules", words)
        words += f"; it differs from {self.rules.name} in {', '.join(differing)}"
        return new_finding("candidate-rules", words)


def _towards(
    again: Again[Match],
    of: tuple[str, str],
    rules: tuple[RuleSet, RuleSet],
    table: str,
    tolerances: Tolerances,
    figures: Sequence[Figure],
    ends: Mapping[tuple[str, str], tuple[float | None, float | None]],
    about: tuple[Finding, ...],
) -> Comparison:
    """The comparison of a file with itself under two rule sets, ending at the given figures on the right."""
    match = again()
    comparison = compare(
        match,
        match,
        tolerances,
        table=table,
        left_rules=rules[0],
        right_rules=rules[1],
        need_verdict=False,
    )
    result = beside_itself(
        comparison,
        *of,
        comparison.walk.towards(ends, totals_alone=True),
        figures,
        form=TOTALS,
        level="only figures, no decisions",
        rules=rules[1].name,
        paired=(0, comparison.paired[1]),
    )
    return replace(result, findings=(*about, *result.findings))


def _words(rules: RuleSet) -> str:
    """A rule set by its name, and where it was changed the answers that were."""
    base = RULE_SETS.get(rules.name, rules)
    changed = [f"{code} {rules.answers[code]}" for code in base.differing(rules)]
    return f"rule set {rules.name}" + (f" with {' and '.join(changed)}" if changed else "")


def _of_rules(fits: int, of: int) -> str:
    if of == 1:
        return ("the" if fits else "not the") + " one figure that depends on the rules"
    return f"{'all' if fits == of else fits or 'none of'}{'' if fits in (0, of) else ' of'} {of} figures that depend on the rules"


OTHERS: Final = METRICS.keys() - set(EXPLORED)
"""Figures that no question is about."""


def program_of(candidate: Candidate, claim: Claim, *, is_command: bool) -> tuple[str, str]:
    """Which program gives these figures, and its name if it has one: results with the same pair are of one program."""
    if is_command:
        return "command", candidate.name
    return ("program", claim.program) if claim.program else ("figures", "")


@dataclass(slots=True)
class Programs:
    """The results of a run by program."""

    _parts: dict[tuple[str, str], list[tuple[str, CandidateResult, Explained]]] = field(
        default_factory=dict
    )

    def add(
        self, program: tuple[str, str], reference: str, result: CandidateResult, part: Explained
    ) -> None:
        """The result of a reference match (by its id), which is explained once all are known."""
        self._parts.setdefault(program, []).append((reference, result, part))

    def absorb(self, other: Programs) -> None:
        """Add what was found apart; results of the same programs follow those that are here."""
        for program, parts in other._parts.items():
            self._parts.setdefault(program, []).extend(parts)

    def look_ahead(self) -> None:
        """Compute what a diagnosis asks of every match, where it was judged: one process would take long over all of them."""
        for parts in self._parts.values():
            for subject in _subjects(Memory(), parts):
                subject.look_ahead()

    def diagnose(self, judgement: Judgement, tolerances: Tolerances) -> None:
        """Diagnose every program, and add to its results the bridges through the rules by which it counts."""
        memory = Memory()
        for (_, named), parts in self._parts.items():
            first, *others = dict.fromkeys(result.candidate for _, result, _ in parts)
            files = f"{first} and {plural(len(others), 'more file')}" if others else first
            diagnosis = diagnose(named or files, _subjects(memory, parts))
            if diagnosis is None:
                continue
            judgement.diagnoses.append(diagnosis)
            for reference, result, part in parts:
                comparison, findings = part.under(diagnosis, reference, memory, tolerances)
                changed = replace(
                    result,
                    kept=comparison,
                    findings=(*findings, *result.findings),
                    program=diagnosis.candidate,
                )
                results = judgement.results[reference]
                results[next(index for index, one in enumerate(results) if one is result)] = changed


def _subjects(
    memory: Memory, parts: Sequence[tuple[str, CandidateResult, Explained]]
) -> list[Subject]:
    """The matches of a program; figures of the two players may come one after the other."""
    found: list[tuple[str, Explained, dict[int, list[Reported]], dict[int, list[Reported]]]] = []
    for reference, _, part in parts:
        given, others = part.of_seats(EXPLORED), part.of_seats(OTHERS)
        for name, other, before, further in found:
            if name == reference and other.match is part.match and not given.keys() & before.keys():
                before |= given
                further |= others
                break
        else:
            found.append((reference, part, given, others))
    return [
        memory.subject(name, part.known, part.rules, given, others)
        for name, part, given, others in found
    ]
