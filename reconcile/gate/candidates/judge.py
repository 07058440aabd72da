"""Compares candidates with reference matches: finds the match each claim is about, and judges its figures by a tolerance table.

The reference is on the left: the figure that the tool itself reported if the manifest has it, otherwise ours under the tool's
rules. The candidate is on the right. A claim that fits no match or several is reported; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from reconcile.errors import NothingToCompare, NotTheSameMatch, last_part
from reconcile.files.names import fold
from reconcile.files.wording import plural
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances
from reconcile.gate.candidates.beside import Beside, Unusable
from reconcile.gate.candidates.claims import Candidate, Claim
from reconcile.gate.candidates.explain import Explained, Programs, program_of
from reconcile.gate.candidates.judgement import TABLES, CandidateResult, Judgement, Reference
from reconcile.gate.candidates.list_result import list_result
from reconcile.gate.candidates.listed import Listed, listed_beside
from reconcile.gate.kept import Kept
from reconcile.match.match import Match, fingerprint
from reconcile.match.tools import ANALYSERS, GNUBG, TOOLS
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring.findings import Finding
from reconcile.scoring.statistics import statistics

PRINTED: Final = "printed"
"""The table for figures and lists: what a program prints must be the same in every printed digit, unless somebody chose a wider table."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges candidates against the matches of a pack."""

    references: Sequence[Reference]
    tolerances: Tolerances
    table: str | None = None
    """The tolerance table for all candidates, if the user named one."""
    rules: RuleSet | None = None
    """The rule set of our figures beside those of all candidates, if the user named one."""
    aliases: Sequence[Sequence[str]] = ()
    today: date | None = None
    """The day on which overrides and known gaps are checked for expiry; by default today."""
    judgement: Judgement = field(default_factory=Judgement)
    programs: Programs = field(default_factory=Programs)

    def consider(self, candidate: Candidate, reference: Reference | None = None) -> None:
        """Judge everything in a candidate; `reference` is the match if a command was run for it."""
        is_command = reference is not None
        if candidate.about and reference is None:
            reference = self._named(candidate.about)
            if reference is None:
                self.judgement.refuse(candidate.name, self._no_such(candidate.about))
                return
        for match in candidate.matches:
            self._match(candidate, match, reference)
        for claim in candidate.claims:
            self._claim(candidate, claim, reference, is_command=is_command)

    def absorb(self, judgement: Judgement, programs: Programs) -> None:
        """Add what was found apart about some of the matches."""
        self.judgement.absorb(judgement)
        self.programs.absorb(programs)

    # -- which match ----------------------------------------------------------------------------------------------------

    def _named(self, name: str) -> Reference | None:
        return next((reference for reference in self.references if reference.id == name), None)

    def _no_such(self, name: str) -> str:
        return f"no reference match {name[:80]!r}, expected one of {', '.join(reference.id for reference in self.references)}"

    def _seats(self, reference: Reference, names: Sequence[str]) -> list[int] | None:
        """The seats of names in a reference match; `None` if a name matches no player, or two names match one player."""
        seats = [self._seat(reference.players, name) for name in names]
        known = [seat for seat in seats if seat is not None]
        return known if len(known) == len(names) and len(set(known)) == len(names) else None

    def _seat(self, players: Sequence[str], name: str) -> int | None:
        groups = {
            fold(variant): number for number, group in enumerate(self.aliases) for variant in group
        }
        wanted = groups.get(fold(name), fold(name))
        keys = [groups.get(fold(player), fold(player)) for player in players]
        if wanted in keys:
            return keys.index(wanted)
        short = [
            seat
            for seat, player in enumerate(map(fold, players))
            if min(len(player), len(fold(name))) >= SHORTEST_PREFIX
            and (player.startswith(fold(name)) or fold(name).startswith(player))
        ]
        return short[0] if len(short) == 1 else None

    def _find(self, claim: Claim) -> tuple[Reference | None, str]:
        """The match that a claim is about, or the reason why none was identified."""
        if claim.match is not None:
            reference = self._named(claim.match)
            return reference, "" if reference else self._no_such(claim.match)
        whose = " and ".join(map(repr, claim.players))
        fits = [
            reference
            for reference in self.references
            if (not claim.players or self._seats(reference, claim.players) is not None)
            and (
                claim.length is None or reference.length is None or claim.length == reference.length
            )
        ]
        if len(fits) == 1:
            return fits[0], ""
        named = whose or "neither players nor a match"
        named += f", {plural(claim.length, 'point')}" if claim.length else ""
        if not fits:
            return (
                None,
                f"no reference match has {named}; correct the names, give --aliases, or name the match: FILE#MATCH",
            )
        ids = ", ".join(reference.id for reference in fits)
        return (
            None,
            f"it names {named}, which fits {len(fits)} reference matches ({ids}); name the match: FILE#MATCH",
        )

    # -- figures --------------------------------------------------------------------------------------------------------

    def _claim(
        self, candidate: Candidate, claim: Claim, reference: Reference | None, *, is_command: bool
    ) -> None:
        place = f"{claim.where.short()}: " if len(candidate.claims) > 1 or claim.program else ""
        reason = ""
        if reference is None:
            reference, reason = self._find(claim)
        if reference is not None:
            try:
                program = program_of(candidate, claim, is_command=is_command)
                reason = self._judged(candidate, self._beside(claim, reference), program)
            except Unusable as error:
                reason = error.reason
        if reason:
            self.judgement.refuse(candidate.name, place + reason, reference)

    def _handle(self, reference: Reference, tool: str | None) -> str | None:
        """The file that a claim is compared with: the one in the manifest, or the first readable file of the tool."""
        chosen = reference.manifest.candidates
        handles = [chosen.file] if chosen and chosen.file else reference.analysed(tool)
        reported = {entry.file for entry in reference.manifest.reported}
        for usable in (reference.available, reported):
            for handle in handles:
                if handle in usable:
                    return handle
        return None

    def _table(self, reference: Reference, handle: str, *, listed: bool = False) -> str:
        chosen = reference.manifest.candidates
        default = TABLES.get(reference.tool_of(handle), DEFAULT_TABLE) if listed else PRINTED
        return self.table or (chosen.table if chosen else None) or default

    def _rules(self, reference: Reference, handle: str) -> RuleSet:
        chosen = reference.manifest.candidates
        if self.rules is not None:
            return self.rules
        if chosen and chosen.rules:
            return rule_set(chosen.rules)
        file = reference.available.get(handle)
        if file is not None:
            return own_rules(file.bare())
        return rule_set(TOOLS.get(reference.tool_of(handle), GNUBG).rules)

    def _beside(self, claim: Claim, reference: Reference) -> Beside:
        """A claim beside the file of a match that it is compared with. Raises `Unusable`."""
        handle = self._handle(reference, claim.tool)
        if handle is None:
            raise Unusable(reference.lacking)
        file = reference.available.get(handle)
        if file is None and claim.rows is not None:
            raise Unusable(reference.lacking)
        rules, table = self._rules(reference, handle), self._table(reference, handle)
        listed: Listed | None = None
        if claim.rows is not None and file is not None:
            match = file.match()
            answer = listed_beside(
                match, rules, claim.rows, lambda name: self._seat(match.players, name)
            )
            if isinstance(answer, str):
                raise Unusable(answer)
            listed = answer
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

    def _judged(self, candidate: Candidate, beside: Beside, program: tuple[str, str]) -> str:
        """Judge the figures of a claim, add the result, and say which listed rows are lost. Raises `Unusable`."""
        claim, reference, listed = beside.claim, beside.reference, beside.listed
        stated = beside.stated(self._seat)
        judged_figures = [beside.judged(seat, figure) for seat, figure in stated]
        figures = [figure for figure, _ in judged_figures]
        reported = [is_reported for _, is_reported in judged_figures]
        findings: tuple[Finding, ...] = tuple(beside.findings(figures, stated))
        comparison = decisions = None
        if listed is not None:
            comparison, about, decisions = list_result(
                candidate, listed, beside.table, figures, reported, self.tolerances
            )
            findings = *about, *findings
        shares = list(beside.shares(figures))
        result = CandidateResult(
            candidate=candidate.name,
            file=beside.handle,
            rules=beside.rules.name,
            table=beside.table,
            figures=(*figures, *shares),
            reported=(*reported, *(False for _ in shares)),
            kept=comparison,
            findings=findings,
            part=self._part(reference, candidate, claim),
            version=claim.version,
            decisions=decisions,
            of=program,
            expected=beside.expected,
        )
        self.judgement.add(reference, result)
        file = reference.available.get(beside.handle)
        if file is not None and listed is None:
            self.programs.add(
                program,
                reference.id,
                result,
                Explained(
                    candidate=candidate,
                    match=file.match,
                    known=file.known,
                    players=beside.players,
                    rules=beside.rules,
                    table=beside.table,
                    stated=stated,
                    figures=figures,
                    reported=reported,
                ),
            )
        return decisions.lost if decisions is not None else ""

    def _part(self, reference: Reference, candidate: Candidate, claim: Claim) -> str:
        """A label that distinguishes several results of one candidate for one match."""
        earlier = self.judgement.results.get(reference.id, ())
        is_second = any(result.candidate == candidate.name for result in earlier)
        return claim.where.short(candidate.name) if is_second else ""

    # -- decisions ------------------------------------------------------------------------------------------------------

    def _match(self, candidate: Candidate, match: Match, reference: Reference | None) -> None:
        named = f"{match.players[0]} - {match.players[1]}"
        compared, reasons = False, []
        for one in [reference] if reference else self._same(match):
            chosen = one.manifest.candidates
            handles = [chosen.file] if chosen and chosen.file else one.analysed(analysis_of(match))
            for handle in handles:
                if handle not in one.available:
                    continue
                try:
                    result = self._compared(candidate, match, one, handle)
                except NotTheSameMatch as error:
                    reasons.append(error.briefly())
                except NothingToCompare as error:
                    compared = True
                    names = map(last_part, (one.available[handle].path, match.source.path))
                    self.judgement.refuse(candidate.name, error.named(", ".join(names)), one)
                else:
                    compared = True
                    self.judgement.add(one, result)
        if not compared:
            why = (
                reasons[0]
                if reference and reasons
                else f"{named}: no available reference match has the same rolls"
            )
            self.judgement.refuse(candidate.name, why, reference)

    def _same(self, match: Match) -> Iterator[Reference]:
        """The matches with the same rolls; if there is none, those with the same length and players, whose transcripts may differ."""
        mine = fingerprint(match)
        same = [
            one
            for one in self.references
            if mine and any(other.fingerprint == mine for other in one.available.values())
        ]
        yield from same
        if not same:
            yield from (
                one
                for one in self.references
                if one.available
                and one.length == match.length
                and self._seats(one, match.players) is not None
            )

    def _compared(
        self, candidate: Candidate, match: Match, reference: Reference, handle: str
    ) -> CandidateResult:
        left = reference.available[handle].match()
        table = self._table(reference, handle, listed=True)
        chosen = reference.manifest.candidates
        rules = self.rules or (chosen.rules if chosen else None)
        comparison = compare(
            left,
            match,
            self.tolerances,
            table=table,
            left_rules=rules,
            aliases=self.aliases,
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
            kept=Kept(comparison),
            findings=tuple(
                finding for finding in comparison.findings if finding.severity != "info"
            ),
            part=f"against {handle}" if several else "",
            path=reference.manifest.files[handle].name,
        )


def analysis_of(match: Match) -> str | None:
    """The tool whose analysis a match uses: the tool that wrote it, or, for a database, the one that its levels name."""
    if match.source.tool in TABLES:
        return match.source.tool
    tools = {ANALYSERS.get(level.label.partition(" ")[0].casefold()) for level in match.levels}
    tool = next(iter(tools)) if len(tools) == 1 else None
    return tool.name if tool else None
