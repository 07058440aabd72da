"""The programs under test of a run: which results are of one program, its diagnosis over all of them, and its gaps in that light.

A command is one program. Files whose figures name a program are that program's; all others of one kind (figures, listings, the exports
of one tool) are one program together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reconcile.diagnosis.program import diagnose
from reconcile.diagnosis.reported import EXPLORED, Reported
from reconcile.diagnosis.run import Memory, Subject
from reconcile.files.wording import plural
from reconcile.gap.tolerances import Tolerances
from reconcile.gate.candidates.claims import Candidate, Claim
from reconcile.gate.candidates.explain import Explained
from reconcile.gate.candidates.judgement import CandidateResult, Judgement
from reconcile.rules.rulesets import RULE_SETS

LUCK: Final = ("luck.equity", "luck.mwc_percent")
"""Figures that have a sign."""


def program_of(candidate: Candidate, claim: Claim, *, is_command: bool) -> tuple[str, str]:
    """Which program gives these figures, and its name if it has one: results with the same pair are of one program."""
    if is_command:
        return "command", candidate.name
    if claim.program:
        return "program", claim.program
    return f"{claim.kind} {claim.tool}" if claim.kind == "export" else claim.kind, ""


@dataclass(slots=True)
class Programs:
    """The results of a run by program."""

    _parts: dict[tuple[str, str], list[tuple[str, CandidateResult, Explained]]] = field(default_factory=dict)

    def add(self, program: tuple[str, str], reference: str, result: CandidateResult, part: Explained) -> None:
        """The result of a reference match (by its id), which is explained once all are known."""
        self._parts.setdefault(program, []).append((reference, result, part))

    def diagnose(self, judgement: Judgement, tolerances: Tolerances) -> None:
        """Diagnose every program, and add to its results the bridges through the rules by which it counts."""
        memory = Memory()
        for (_, named), parts in self._parts.items():
            diagnosis = diagnose(named or _name([result.candidate for _, result, _ in parts]), _subjects(memory, parts))
            if diagnosis is None:
                continue
            judgement.diagnoses.append(diagnosis)
            for reference, result, part in parts:
                rules = diagnosis.rules_of(part.rules, RULE_SETS.get(diagnosis.rules))
                fault = next((one for one in diagnosis.faults[:1] if reference in one.matches), None)
                comparison, findings = part.under(rules, fault, tolerances)
                changed = replace(result, comparison=comparison, findings=(*findings, *result.findings), program=diagnosis.candidate)
                results = judgement.results[reference]
                results[next(index for index, one in enumerate(results) if one is result)] = changed


def _subjects(memory: Memory, parts: Sequence[tuple[str, CandidateResult, Explained]]) -> list[Subject]:
    """The matches of a program; figures of the two players may come one after the other."""
    found: list[tuple[str, Explained, dict[int, list[Reported]], dict[int, list[Reported]]]] = []
    for reference, _, part in parts:
        given, luck = part.of_seats(EXPLORED), part.of_seats(LUCK)
        for name, other, before, lucky in found:
            if name == reference and other.match is part.match and not given.keys() & before.keys():
                before |= given
                lucky |= luck
                break
        else:
            found.append((reference, part, given, luck))
    return [memory.subject(name, part.match, part.rules, given, luck) for name, part, given, luck in found]


def _name(names: Sequence[str]) -> str:
    """What a program is called that does not say its name: the files."""
    different = list(dict.fromkeys(names))
    return different[0] if len(different) == 1 else f"{different[0]} and {plural(len(different) - 1, 'more file')}"
