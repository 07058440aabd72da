"""Compares candidates with reference matches: finds the match each claim is about, and judges its figures by a tolerance table.

The reference is on the left: the figure that the tool itself reported if the manifest has it, otherwise ours under the tool's
rules. The candidate is on the right. A claim that fits no match or several is reported; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from reconcile.errors import NothingToCompare, NotTheSameMatch, last_part
from reconcile.files.names import fold
from reconcile.files.wording import plural
from reconcile.gap.bridge import SHARES
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import UNGATED, Figure, gate_findings, judged, judged_share
from reconcile.gate.candidates.claims import BOTH, Candidate, Claim
from reconcile.gate.candidates.explain import Explained, Programs, program_of
from reconcile.gate.candidates.judgement import (
    TABLES,
    CandidateResult,
    Judgement,
    Reference,
    default_table,
)
from reconcile.gate.candidates.list_result import list_result
from reconcile.gate.candidates.listed import beside
from reconcile.gate.candidates.lookup import (
    computed,
    computed_range,
    look_up,
    missing_parts,
    reported_by_tool,
    unbounded,
)
from reconcile.gate.kept import Kept
from reconcile.gate.measure import half_of_tool
from reconcile.match.match import Match, fingerprint
from reconcile.match.tools import ANALYSERS, GNUBG, TOOLS
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.statistics import statistics


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
        if candidate.positions:
            look_up(
                candidate,
                [reference] if reference else self.references,
                self.judgement,
                self.tolerances,
                self.today,
            )

    def absorb(self, judgement: Judgement, programs: Programs) -> None:
        """Add what was found apart about some of the matches."""
        self.judgement.absorb(judgement)
        self.programs.absorb(programs)

    def uncovered(self, names: Sequence[str]) -> None:
        """Report every match that no candidate covers."""
        for reference in self.references:
            known = any(key in reference.available for key in reference.analysed())
            if (
                known
                and reference.id not in self.judgement.results
                and reference.id not in self.judgement.not_compared
            ):
                self.judgement.refuse(
                    ", ".join(dict.fromkeys(names)), "has no figures for this match", reference
                )

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
        named = f"{whose or 'neither players nor a match'}{f', {claim.length} points' if claim.length else ''}"
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
        reason = claim.refused
        if reference is None and not reason:
            if claim.of is not None:
                same = list(self._same(claim.of))
                if len(same) != 1:  # already reported for its decisions
                    return
                reference = same[0]
            else:
                reference, reason = self._find(claim)
        if reference is not None and not reason:
            handle = self._handle(
                reference, claim.tool or (analysis_of(claim.of) if claim.of else None)
            )
            program = program_of(candidate, claim, is_command=is_command)
            reason = (
                reference.lacking
                if handle is None
                else self._figures(candidate, claim, reference, handle, program)
            )
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

    def _table(self, reference: Reference, handle: str, claim: Claim | None = None) -> str:
        chosen = reference.manifest.candidates
        return (
            self.table
            or (chosen.table if chosen else None)
            or default_table(reference.tool_of(handle), claim)
        )

    def _rules(self, reference: Reference, handle: str) -> RuleSet:
        chosen = reference.manifest.candidates
        if self.rules is not None:
            return self.rules
        if chosen and chosen.rules:
            return rule_set(chosen.rules)
        found = reference.available.get(handle)
        return (
            own_rules(found.bare())
            if found
            else rule_set(TOOLS.get(reference.tool_of(handle), GNUBG).rules)
        )

    def _figures(
        self,
        candidate: Candidate,
        claim: Claim,
        reference: Reference,
        handle: str,
        program: tuple[str, str],
    ) -> str:
        """Judge the figures of a claim beside a file of a match, and return what of them cannot be compared."""
        found = reference.available.get(handle)
        match = None if found is None else (found.bare if claim.rows is None else found.match)()
        rules, table = self._rules(reference, handle), self._table(reference, handle, claim)
        ours = statistics(match, rules) if match else None
        gate = self.tolerances.gate(table, reference.id, self.today)
        players = match.players if match else reference.players
        listed = None
        if claim.rows is not None and match is not None:
            listed = beside(match, rules, claim.rows, lambda name: self._seat(match.players, name))
        if isinstance(listed, str) or (claim.rows is not None and listed is None):
            return listed or reference.lacking
        by_tool = [
            entry
            for entry in reference.manifest.reported
            if entry.file == handle and rule_set(entry.rules) == rules
        ]
        figures, reported, stated = [], [], []
        owners: dict[int, str | int] = {}
        for one in claim.figures if listed is None else listed.figures():
            seat = (
                one.player
                if isinstance(one.player, int)
                else None
                if one.player == BOTH
                else self._seat(players, one.player)
            )
            if seat is None and one.player != BOTH:
                known = ", ".join(map(repr, players))
                return (
                    f"no player {one.player!r} in this match, expected {known}"
                    if players
                    else reference.lacking
                )
            if seat is not None and owners.setdefault(seat, one.player) != one.player:
                return f"{owners[seat]!r} and {one.player!r} are both {players[seat]!r}; give each player's figures once"
            name = BOTH if seat is None else players[seat]
            printed = None if seat is None else reported_by_tool(by_tool, one.metric, seat, players)
            left = float(printed) if printed is not None else computed(ours, seat, one.metric)
            ends = (
                computed_range(ours, seat, one.metric)
                if printed is None and one.value is not None
                else None
            )
            gaps = (
                (one.value - ends[1], one.value - ends[0])
                if ends and one.value is not None
                else None
            )
            figure = Figure(one.metric, name, left, one.value, left_range=ends, gap_range=gaps)
            missing = missing_parts(ours, seat, one) if printed is None else ""
            half = max(one.half, half_of_tool(printed) if printed is not None else 0.0)
            figure = judged(
                figure,
                gate,
                missing or ("missing in the candidate" if one.value is None else ""),
                half,
            )
            figures.append(
                replace(figure, note=unbounded(gate, figure, table))
                if figure.tolerance is None
                else figure
            )
            reported.append(printed is not None)
            stated.append((seat, one))
        if not figures:
            return "it gives no figure"
        findings: tuple[Finding, ...] = ()
        comparison = decisions = None
        if listed is not None:
            comparison, findings, decisions = list_result(
                candidate, listed, table, figures, reported, self.tolerances
            )
        given = [figure for figure in figures if figure.right is not None]
        unjudged = [figure.metric for figure in given if figure.verdict == UNGATED]
        if unjudged:
            words = f"{len(unjudged)} of {plural(len(given), 'given figure')}, table {table}: {', '.join(dict.fromkeys(unjudged))}"
            findings = (*findings, new_finding("candidate-unjudged", words))
        code = "candidate-zeros" if claim.tool == GNUBG.name else "candidate-contradicts"
        findings = (
            *(new_finding(code, note) for note in claim.notes),
            *findings,
            *gate_findings(figures, gate),
        )
        shares = [
            judged_share(
                figure,
                share,
                None,
                gate,
                "no bridge, because the candidate gives only totals, no decisions",
            )
            for figure in figures
            for share in SHARES
            if figure.player != BOTH and gate.table.of(f"{figure.metric}@{share}") is not None
        ]
        result = CandidateResult(
            candidate=candidate.name,
            file=handle,
            rules=rules.name,
            table=table,
            figures=(*figures, *shares),
            reported=(*reported, *(False for _ in shares)),
            kept=comparison,
            findings=findings,
            part=self._part(reference, candidate, claim),
            version=claim.version,
            decisions=decisions,
            path=reference.manifest.files[handle].name,
        )
        self.judgement.add(reference, result)
        if found is not None and listed is None:
            self.programs.add(
                program,
                reference.id,
                result,
                Explained(
                    candidate=candidate,
                    match=found.match,
                    known=found.known,
                    players=players,
                    rules=rules,
                    table=table,
                    stated=stated,
                    figures=figures,
                    reported=reported,
                ),
            )
        return decisions.lost if decisions is not None else ""

    def _part(self, reference: Reference, candidate: Candidate, claim: Claim) -> str:
        """A label that distinguishes several results of one candidate for one match."""
        earlier = [
            result
            for result in self.judgement.results.get(reference.id, ())
            if result.candidate == candidate.name
        ]
        if claim.of is not None:
            return "kept figures"
        return claim.where.short(candidate.name) if earlier else ""

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
        left, table = reference.available[handle].match(), self._table(reference, handle)
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
