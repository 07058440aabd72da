"""Compares candidates with reference matches: finds the match of a claim, judges its figures.

The reference is on the left: the figure that the tool itself reported if the manifest has it,
otherwise ours under the tool's rules. The candidate is on the right. A claim that fits no match or
several is reported; nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from reconcile.errors import NothingToCompare, NotTheSameMatch, ReconcileError, last_part
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances
from reconcile.gap.verdict import UNGATED, Figure, gate_findings, judged, judged_share
from reconcile.gate.candidates.claims import Candidate, Claim, Stated
from reconcile.gate.candidates.listed import Listed, listed_beside
from reconcile.gate.candidates.programs import with_decisions
from reconcile.gate.candidates.references import TABLES, Available, Names, Reference, same_match
from reconcile.gate.kept import Kept
from reconcile.gate.manifest import half_a_digit, half_of_tool
from reconcile.gate.match_results import CandidateResult, Explained, NotCompared, not_used
from reconcile.match.match import Match
from reconcile.match.tools import ANALYSERS, GNUBG, TOOLS
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS, short_metric
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking, statistics
from reconcile.wording import plural

PRINTED: Final = "printed"
"""The table for figures and lists: every printed digit is the same."""
LOST_ZERO: Final = 10.0
"""A number of JSON loses a zero at its end one time in ten, two one time in a hundred."""
NO_DECISIONS: Final = "no bridge, because the candidate gives only totals, no decisions"
Outcome = CandidateResult | NotCompared
"""What comes of a part of a candidate."""


class Unusable(ReconcileError):
    """A claim that cannot be compared with a match; the text says why."""


@dataclass(frozen=True, slots=True)
class ReferenceSide:
    """What a claim is compared with: a file of a reference match, or figures reported of one."""

    reference: Reference
    handle: str
    """The key of the file in the manifest."""
    file: Available | None
    """`None` where the file is not available: then only reported figures are on the left."""
    rules: RuleSet
    """Of the figures on the left that are ours."""
    table: str
    gate: Gate
    players: Sequence[str]
    ours: Statistics | None
    printed: Mapping[tuple[int, str], str]
    """What the tool reported of this file under these rules, by seat and metric."""

    def judged(self, seat: int, stated: Stated) -> Figure:
        """A figure with its verdict."""
        printed, name = self.printed.get((seat, stated.metric)), self.players[seat]
        figure = Figure(stated.metric, name, None, stated.value)
        missing = "missing in the candidate" if stated.value is None else ""
        half = min(stated.half, self._demanded(stated.metric))
        if printed is not None:
            figure = replace(figure, left=float(printed))
            half = max(half, half_of_tool(printed))
        elif self.ours is not None:
            ends = open_range(self.ours).figures[seat].get(stated.metric)
            if ends and stated.value is not None:
                gaps = stated.value - ends[1], stated.value - ends[0]
                figure = replace(figure, left_range=ends, gap_range=gaps)
            figure = replace(figure, left=self.ours.figures(seat).get(stated.metric))
            unanalysed = lacking(self.ours.completeness(seat), METRICS[stated.metric].parts)
            missing = "; ".join(f"left: {words}" for words in unanalysed) or missing
        figure = judged(figure, self.gate, missing, half)
        if figure.tolerance is None:
            why = "the level off" if self.gate.of(figure.metric, name) else "no bound"
            figure = replace(figure, note=f"table {self.table} has {why} for {figure.metric}")
        return figure

    def _demanded(self, metric: str) -> float:
        """Half of the last digit that the pack demands of a figure; without end without one."""
        digits = self.reference.candidates.digits.get(metric)
        return math.inf if digits is None else 0.5 * 10.0**-digits

    @property
    def expected(self) -> Mapping[str, frozenset[str]]:
        """By player, the figures that the reference has: what a candidate may lack."""
        return {
            name: frozenset(
                metric
                for metric in METRICS
                if (self.ours and self.ours.figures(seat)[metric] is not None)
                or (seat, metric) in self.printed
            )
            for seat, name in enumerate(self.players)
        }

    def shares(self, figures: Sequence[Figure]) -> Iterator[Figure]:
        """The shares of gaps that the table bounds, which totals do not show."""
        for figure in figures:
            for share in SHARES:
                if self.gate.table.of(f"{figure.metric}@{share}") is not None:
                    yield judged_share(figure, share, None, self.gate, NO_DECISIONS)

    def findings(
        self, figures: Sequence[Figure], stated: Sequence[tuple[int, Stated]]
    ) -> Iterator[Finding]:
        """What is to be said of the figures beside their verdicts."""
        stated_figures = [figure for figure in figures if figure.right is not None]
        unjudged = [figure.metric for figure in stated_figures if figure.verdict == UNGATED]
        if unjudged:
            named = ", ".join(dict.fromkeys(unjudged))
            words = f"{len(unjudged)} of {plural(len(stated_figures), 'given figure')}"
            yield new_finding("candidate-unjudged", f"{words}, table {self.table}: {named}")
        if coarse := list(self._coarse(stated)):
            more = f"; {len(coarse) - 1} more" if len(coarse) > 1 else ""
            yield new_finding("candidate-digits", coarse[0] + more)
        yield from gate_findings(figures, self.gate)

    def _coarse(self, stated: Sequence[tuple[int, Stated]]) -> Iterator[str]:
        """The figures with fewer digits than the reference prints, or than are usual."""
        for seat, figure in stated:
            metric = METRICS[figure.metric]
            bound = self.gate.of(figure.metric, self.players[seat])
            is_printed = figure.value is not None and figure.text and not metric.is_whole
            if is_printed and bound is not None and bound.within is not None:
                printed = self.printed.get((seat, figure.metric))
                usual = half_a_digit(printed) if printed else 0.5 * 10.0**-metric.decimals
                usual = min(usual, self._demanded(figure.metric))
                # A number of JSON may have lost a zero at its end.
                widest = LOST_ZERO * usual if figure.is_number else usual
                if figure.half > widest * (1 + 1e-9):
                    name = f"{short_metric(figure.metric)} of {self.players[seat]}"
                    digits = f"{0:.{round(-math.log10(2 * usual))}f}"
                    yield f"{name} as {figure.text}, where {digits} is usual"


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
        named = references[0] if is_command else None
        try:
            if candidate.about and named is None:
                named = _named(candidate.about, references)
        except Unusable as error:
            yield not_used(candidate.name, error.reason)
            return
        for match in candidate.matches:
            yield from self._match(candidate, match, references, named)
        for claim in candidate.claims:
            reference, reason = named, ""
            try:
                reference = named or self._find(claim, references)
                program = candidate.name if is_command else claim.program
                result = self._result(candidate, claim, reference, program)
                reason = result.decisions.lost if result.decisions is not None else ""
                yield result
            except Unusable as error:
                reason = error.reason
            if reason:
                if len(candidate.claims) > 1 or claim.program:
                    reason = f"{claim.where.short()}: {reason}"
                yield not_used(candidate.name, reason, reference.id if reference else "")

    # -- figures and lists ------------------------------------------------------------------------

    def _find(self, claim: Claim, references: Sequence[Reference]) -> Reference:
        """The match that a claim is about. Raises `Unusable` if none or several may be it."""
        if claim.match:
            return _named(claim.match, references)
        fits = [
            reference
            for reference in references
            if (not claim.players or self.names.fit(reference, claim.players))
            and (None in (claim.length, reference.length) or claim.length == reference.length)
        ]
        if len(fits) == 1:
            return fits[0]
        whose = " and ".join(map(repr, claim.players)) or "neither players nor a match"
        whose += f", {plural(claim.length, 'point')}" if claim.length else ""
        if not fits:
            remedy = "correct the names, give --aliases, or name the match: FILE#MATCH"
            raise Unusable(f"no reference match has {whose}; {remedy}")
        ids = ", ".join(reference.id for reference in fits)
        words = f"it names {whose}, which fits {len(fits)} reference matches ({ids})"
        raise Unusable(f"{words}; name the match: FILE#MATCH")

    def _beside(self, claim: Claim, reference: Reference) -> ReferenceSide:
        """What a claim is compared with in a match. Raises `Unusable`."""
        handle = reference.handle_for(claim.tool)
        file = reference.available.get(handle or "")
        if handle is None or (file is None and claim.rows is not None):
            raise Unusable(reference.lacking)
        declared = self.rules or reference.candidates.rules
        default = (
            own_rules(file.bare()) if file else TOOLS.get(reference.tool_of(handle), GNUBG).rules
        )
        rules = rule_set(declared or default)
        table = self.table or reference.candidates.table or PRINTED
        players = file.players if file else reference.players
        return ReferenceSide(
            reference=reference,
            handle=handle,
            file=file,
            rules=rules,
            table=table,
            gate=self.tolerances.gate(table, reference.id, self.today),
            players=players,
            ours=statistics(file.bare(), rules) if file else None,
            printed={  # of several entries about one figure the first
                (seat, metric): text
                for entry in reversed(reference.manifest.reported)
                if entry.file == handle and rule_set(entry.rules) == rules
                for name, figures in entry.players.items()
                if (seat := entry.seat(name, players)) is not None
                for metric, text in figures.items()
            },
        )

    def _listed(self, claim: Claim, beside: ReferenceSide) -> Listed | None:
        """The decisions of a claim beside those of the file. Raises `Unusable`."""
        if claim.rows is None or beside.file is None:
            return None
        match = beside.file.match()
        joined = listed_beside(
            match, beside.rules, claim, lambda name: self.names.seat(match.players, name)
        )
        if isinstance(joined, str):
            raise Unusable(joined)
        return joined

    def _stated(
        self, figures: Sequence[Stated], beside: ReferenceSide
    ) -> Iterator[tuple[int, Stated]]:
        """Figures with the seats of their players. Raises `Unusable`."""
        owners: dict[int, str | int] = {}
        for figure in figures:
            owner = figure.player
            seat = owner if isinstance(owner, int) else self.names.seat(beside.players, owner)
            if seat is None:
                players = ", ".join(map(repr, beside.players))
                why = f"no player {owner!r} in this match, expected {players}"
                raise Unusable(why if players else beside.reference.lacking)
            if owners.setdefault(seat, owner) != owner:
                both = f"{owners[seat]!r} and {owner!r} are both {beside.players[seat]!r}"
                raise Unusable(f"{both}; give each player's figures once")
            yield seat, figure
        if not owners:
            raise Unusable("it gives no figure")

    def _result(
        self, candidate: Candidate, claim: Claim, reference: Reference, program: str
    ) -> CandidateResult:
        """The judged figures of a claim. Raises `Unusable`."""
        beside = self._beside(claim, reference)
        listed = self._listed(claim, beside)
        stated = list(self._stated(tuple(listed.figures()) if listed else claim.figures, beside))
        figures = tuple(beside.judged(seat, figure) for seat, figure in stated)
        shares = tuple(beside.shares(figures))
        reported = tuple((seat, figure.metric) in beside.printed for seat, figure in stated)
        result = CandidateResult(
            candidate=candidate.name,
            file=beside.handle,
            rules=beside.rules.name,
            table=beside.table,
            figures=(*figures, *shares),
            reported=(*reported, *(False for _ in shares)),
            findings=tuple(beside.findings(figures, stated)),
            version=claim.version,
            match=reference.id,
            place=claim.where.short(candidate.name),
            sha256=candidate.sha256,
            of=program,
            expected=beside.expected,
        )
        if listed is not None:
            return with_decisions(result, listed, self.tolerances)
        if beside.file is None:
            return result
        return replace(result, explained=Explained(beside.file, beside.rules, stated))

    # -- match files ------------------------------------------------------------------------------

    def _match(
        self,
        candidate: Candidate,
        match: Match,
        references: Sequence[Reference],
        named: Reference | None,
    ) -> Iterator[Outcome]:
        """What comes of a match file, beside every file of the reference matches that it may be."""
        reasons, is_compared = [], False
        for reference in [named] if named else same_match(match, references, self.names):
            for handle in filter(
                reference.available.__contains__, reference.handles(analysis_of(match))
            ):
                try:
                    yield self._compared(candidate, match, reference, handle)
                    is_compared = True
                except NotTheSameMatch as error:
                    reasons.append(error.briefly())
                except NothingToCompare as error:
                    is_compared = True
                    files = reference.available[handle].path, match.source.path
                    why = error.named(", ".join(map(last_part, files)))
                    yield not_used(candidate.name, why, reference.id)
        if not is_compared:
            players = " - ".join(match.players)
            why = f"{players}: no available reference match has the same rolls"
            why = reasons[0] if named and reasons else why
            yield not_used(candidate.name, why, named.id if named else "")

    def _compared(
        self, candidate: Candidate, match: Match, reference: Reference, handle: str
    ) -> CandidateResult:
        """A match file compared with a file of a reference. Raises as `compare` does."""
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
        findings = (finding for finding in comparison.findings if finding.severity != "info")
        several = len(reference.analysed(analysis_of(match))) > 1
        return CandidateResult(
            candidate=candidate.name,
            file=handle,
            rules=comparison.left.rules,
            table=table,
            figures=comparison.judged,
            reported=(False,) * len(comparison.judged),
            source=Kept(comparison),
            findings=tuple(findings),
            part=f"against {handle}" if several else "",
            path=reference.manifest.files[handle].name,
            match=reference.id,
        )


def _named(name: str, references: Sequence[Reference]) -> Reference:
    """The match of an id. Raises `Unusable`."""
    for reference in references:
        if reference.id == name:
            return reference
    ids = ", ".join(reference.id for reference in references)
    raise Unusable(f"no reference match {name[:80]!r}, expected one of {ids}")


def analysis_of(match: Match) -> str | None:
    """The tool whose analysis a match uses: its own, or for a database the one of its levels."""
    if match.source.tool in TABLES:
        return match.source.tool
    tools = {ANALYSERS.get(level.label.partition(" ")[0].casefold()) for level in match.levels}
    tool = next(iter(tools)) if len(tools) == 1 else None
    return tool.name if tool else None
