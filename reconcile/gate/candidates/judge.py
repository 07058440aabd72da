"""Compares candidates with reference matches: finds the match of a claim, judges its figures.

The reference is on the left: the figure that the tool itself reported if the manifest has it,
otherwise ours under the tool's rules. The candidate is on the right. A claim that fits no match or
several is reported; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from reconcile.errors import NothingToCompare, NotTheSameMatch, last_part
from reconcile.files.wording import plural
from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances
from reconcile.gate.candidates.beside import Beside, Explained, Unusable
from reconcile.gate.candidates.claims import Candidate, Claim
from reconcile.gate.candidates.list_result import list_result
from reconcile.gate.candidates.listed import listed_beside
from reconcile.gate.candidates.references import TABLES, Names, Reference, same_match
from reconcile.gate.kept import Kept
from reconcile.gate.match_results import CandidateResult, NotCompared, not_used
from reconcile.match.match import Match
from reconcile.match.tools import ANALYSERS, GNUBG, TOOLS
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring.statistics import statistics

PRINTED: Final = "printed"
"""The table for figures and lists: every printed digit is the same."""
Outcome = CandidateResult | NotCompared
"""What comes of a part of a candidate."""


@dataclass(frozen=True, slots=True)
class Judge:
    """How candidates are judged against the matches of a pack."""

    tolerances: Tolerances
    table: str | None = None
    """The tolerance table for all candidates, if the user named one."""
    rules: RuleSet | None = None
    """The rule set of our figures beside those of all candidates, if the user named one."""
    names: Names = field(default_factory=Names)
    today: date | None = None
    """The day on which overrides and known gaps are checked for expiry; by default today."""

    def outcomes(
        self, candidate: Candidate, references: Sequence[Reference], *, is_command: bool = False
    ) -> Iterator[Outcome]:
        """What comes of everything in a candidate; of a command's the match is the reference."""
        reference = references[0] if is_command else None
        if candidate.about and reference is None:
            reference = _named(candidate.about, references)
            if reference is None:
                yield not_used(candidate.name, _no_such(candidate.about, references))
                return
        for match in candidate.matches:
            yield from self._match(candidate, match, references, reference)
        for claim in candidate.claims:
            yield from self._claim(candidate, claim, references, reference, is_command=is_command)

    # -- figures and lists ------------------------------------------------------------------------

    def _claim(
        self,
        candidate: Candidate,
        claim: Claim,
        references: Sequence[Reference],
        reference: Reference | None,
        *,
        is_command: bool,
    ) -> Iterator[Outcome]:
        reason = ""
        if reference is None:
            reference, reason = self._find(claim, references)
        if reference is not None:
            try:
                beside = self._beside(claim, reference)
                result = self._result(candidate, beside, is_command=is_command)
                yield result
                reason = result.decisions.lost if result.decisions is not None else ""
            except Unusable as error:
                reason = error.reason
        if reason:
            if len(candidate.claims) > 1 or claim.program:
                reason = f"{claim.where.short()}: {reason}"
            yield not_used(candidate.name, reason, reference.id if reference else "")

    def _find(self, claim: Claim, references: Sequence[Reference]) -> tuple[Reference | None, str]:
        """The match that a claim is about, or the reason why none was identified."""
        if claim.match is not None:
            reference = _named(claim.match, references)
            return reference, "" if reference else _no_such(claim.match, references)
        fits = [
            reference
            for reference in references
            if (not claim.players or self.names.fit(reference, claim.players))
            and (None in (claim.length, reference.length) or claim.length == reference.length)
        ]
        if len(fits) == 1:
            return fits[0], ""
        whose = " and ".join(map(repr, claim.players)) or "neither players nor a match"
        whose += f", {plural(claim.length, 'point')}" if claim.length else ""
        if not fits:
            remedy = "correct the names, give --aliases, or name the match: FILE#MATCH"
            return None, f"no reference match has {whose}; {remedy}"
        ids = ", ".join(reference.id for reference in fits)
        words = f"it names {whose}, which fits {len(fits)} reference matches ({ids})"
        return None, f"{words}; name the match: FILE#MATCH"

    def _rules(self, reference: Reference, handle: str) -> RuleSet:
        if self.rules is not None:
            return self.rules
        if reference.candidates.rules:
            return rule_set(reference.candidates.rules)
        file = reference.available.get(handle)
        if file is not None:
            return own_rules(file.bare())
        return rule_set(TOOLS.get(reference.tool_of(handle), GNUBG).rules)

    def _beside(self, claim: Claim, reference: Reference) -> Beside:
        """A claim beside the file of a match that it is compared with. Raises `Unusable`."""
        handle = reference.handle_for(claim.tool)
        file = reference.available.get(handle or "")
        if handle is None or (file is None and claim.rows is not None):
            raise Unusable(reference.lacking)
        rules = self._rules(reference, handle)
        listed = None
        if claim.rows is not None and file is not None:
            match = file.match()
            joined = listed_beside(
                match, rules, claim.rows, lambda name: self.names.seat(match.players, name)
            )
            if isinstance(joined, str):
                raise Unusable(joined)
            listed = joined
        table = self.table or reference.candidates.table or PRINTED
        reported = [
            entry
            for entry in reference.manifest.reported
            if entry.file == handle and rule_set(entry.rules) == rules
        ]
        return Beside(
            claim=claim,
            reference=reference,
            handle=handle,
            rules=rules,
            table=table,
            gate=self.tolerances.gate(table, reference.id, self.today),
            players=file.players if file else reference.players,
            ours=statistics(file.bare(), rules) if file else None,
            reported=reported,
            listed=listed,
        )

    def _result(self, candidate: Candidate, beside: Beside, *, is_command: bool) -> CandidateResult:
        """The judged figures of a claim. Raises `Unusable`."""
        claim, reference, listed = beside.claim, beside.reference, beside.listed
        stated = beside.stated(self.names)
        judged = [beside.judged(seat, figure) for seat, figure in stated]
        figures = [figure for figure, _ in judged]
        reported = [is_reported for _, is_reported in judged]
        findings = tuple(beside.findings(figures, stated))
        comparison = decisions = explained = None
        file = reference.available.get(beside.handle)
        if listed is not None:
            comparison, about, decisions = list_result(
                candidate, listed, beside.table, figures, reported, self.tolerances
            )
            findings = *about, *findings
        elif file is not None:
            explained = Explained(
                file.match, file.under_rules, candidate.sha256, beside.players, beside.rules, stated
            )
        shares = list(beside.shares(figures))
        program = ("program", claim.program) if claim.program else ("figures", "")
        return CandidateResult(
            candidate=candidate.name,
            file=beside.handle,
            rules=beside.rules.name,
            table=beside.table,
            figures=(*figures, *shares),
            reported=(*reported, *(False for _ in shares)),
            source=comparison,
            findings=findings,
            version=claim.version,
            decisions=decisions,
            match=reference.id,
            place=claim.where.short(candidate.name),
            of=("command", candidate.name) if is_command else program,
            expected=beside.expected,
            explained=explained,
        )

    # -- match files ------------------------------------------------------------------------------

    def _match(
        self,
        candidate: Candidate,
        match: Match,
        references: Sequence[Reference],
        reference: Reference | None,
    ) -> Iterator[Outcome]:
        reasons, is_compared = [], False
        same = [reference] if reference else same_match(match, references, self.names)
        for beside in same:
            for handle in beside.handles(analysis_of(match)):
                if handle not in beside.available:
                    continue
                try:
                    yield self._compared(candidate, match, beside, handle)
                    is_compared = True
                except NotTheSameMatch as error:
                    reasons.append(error.briefly())
                except NothingToCompare as error:
                    is_compared = True
                    files = beside.available[handle].path, match.source.path
                    why = error.named(", ".join(map(last_part, files)))
                    yield not_used(candidate.name, why, beside.id)
        if not is_compared:
            named = f"{match.players[0]} - {match.players[1]}"
            why = f"{named}: no available reference match has the same rolls"
            if reference and reasons:
                why = reasons[0]
            yield not_used(candidate.name, why, reference.id if reference else "")

    def _compared(
        self, candidate: Candidate, match: Match, reference: Reference, handle: str
    ) -> CandidateResult:
        default = TABLES.get(reference.tool_of(handle), DEFAULT_TABLE)
        table = self.table or reference.candidates.table or default
        comparison = compare(
            reference.available[handle].match(),
            match,
            self.tolerances,
            table=table,
            left_rules=self.rules or reference.candidates.rules,
            aliases=self.names.aliases,
            match=reference.id,
            today=self.today,
        )
        several = len(reference.analysed(analysis_of(match))) > 1
        return CandidateResult(
            candidate=candidate.name,
            file=handle,
            rules=comparison.left.rules,
            table=table,
            figures=comparison.judged,
            reported=(False,) * len(comparison.judged),
            source=Kept(comparison),
            findings=tuple(
                finding for finding in comparison.findings if finding.severity != "info"
            ),
            part=f"against {handle}" if several else "",
            path=reference.manifest.files[handle].name,
            match=reference.id,
        )


def _named(name: str, references: Sequence[Reference]) -> Reference | None:
    return next((reference for reference in references if reference.id == name), None)


def _no_such(name: str, references: Sequence[Reference]) -> str:
    ids = ", ".join(reference.id for reference in references)
    return f"no reference match {name[:80]!r}, expected one of {ids}"


def analysis_of(match: Match) -> str | None:
    """The tool whose analysis a match uses: its own, or for a database the one of its levels."""
    if match.source.tool in TABLES:
        return match.source.tool
    tools = {ANALYSERS.get(level.label.partition(" ")[0].casefold()) for level in match.levels}
    tool = next(iter(tools)) if len(tools) == 1 else None
    return tool.name if tool else None
