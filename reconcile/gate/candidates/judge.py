"""Compares candidates with reference matches: finds the match of a claim, judges its figures, and
says what the figures of each program have in common.

The reference is on the left: the figure that the tool itself reported if the manifest has it,
otherwise ours under the tool's rules. The candidate is on the right. A claim that fits no match or
several is reported; nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from functools import partial
from typing import Any

from reconcile.document import Ends
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnreadableFile, last_part
from reconcile.gap.bounds import Gate
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.pairing import begin_alike
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances
from reconcile.gap.verdict import (
    DECIDED,
    OUTSIDE,
    UNGATED,
    Figure,
    gate_findings,
    judged,
    judged_share,
)
from reconcile.gap.walk import SHARES
from reconcile.gate.candidates.lists import list_findings, list_result, listed_beside
from reconcile.gate.candidates.reading import Candidate, Claim, FilesAbsent, Stated, Unusable, short
from reconcile.gate.manifest import Again, Candidates, Manifest, half_a_digit
from reconcile.gate.match_results import CandidateResult, NotCompared, not_used
from reconcile.infer.program import (
    COLUMNS,
    Compared,
    Diagnosis,
    Group,
    MatchFigures,
    Run,
    Subject,
    diagnosis_of,
    groups_of,
)
from reconcile.infer.reported import EXPLORED, Reported, fits_figure, margin, shows_double
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.match.tools import ANALYSERS, GNUBG, TOOLS
from reconcile.match.turns import fingerprint
from reconcile.match.values import grouped
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring.figures import METRICS, short_metric
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking, statistics
from reconcile.wording import plural

MISREAD = {"latin-1": "UTF-8 read as Latin-1", "cp1252": "UTF-8 read as Windows-1252"}
"""By encoding in which a name may have been read, that it was."""
TABLES = {tool.name: f"{tool.key}-blunderdb" for tool in ANALYSERS.values()}
"""The default tolerance table for a match file, by the tool of the reference file."""


@dataclass(frozen=True, slots=True)
class Available:
    """A file of a match that could be read: what shows whether something is about it."""

    path: str
    tool: str
    players: tuple[str, str]
    length: int | None
    fingerprint: str
    match: Again[Match]
    """Not held in memory."""
    under_rules: MatchFigures
    """Its figures under rule sets, as far as anybody has asked for them."""
    is_table: bool = False
    """Whether these are looked up, and nothing is scored."""

    @classmethod
    def read_by(cls, again: Again[Match]) -> Available:
        """A match, and how to read it `again`."""
        match = again()
        facts = match.source.path, match.source.tool, match.players, match.length
        return cls(*facts, fingerprint(match), again, MatchFigures(again))


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference match with the files of it that are available."""

    manifest: Manifest
    available: Mapping[str, Available]
    absent: Mapping[str, str]
    """Why a file is not available."""
    unreadable: Mapping[str, UnreadableFile] = field(default_factory=dict)
    """Of these, the files that are there and cannot be read: what is wrong with each."""
    expected: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By player, the figures that it has, where nothing needs to be read or scored to know them."""
    always: frozenset[str] = frozenset()
    """Figures that a program owes which declares none, also where it gives none of them."""

    @property
    def id(self) -> str:
        """Its id in the pack."""
        return self.manifest.id

    @property
    def candidates(self) -> Candidates:
        """What the manifest and the pack say of candidates."""
        return self.manifest.candidates or Candidates()

    @property
    def demanded(self) -> frozenset[str]:
        """The figures that fail where they are missing."""
        return frozenset(self.candidates.figures) or self.always

    def tool_of(self, key: str) -> str:
        """The tool whose file it is."""
        return (self.available.get(key) or self.manifest.files[key]).tool

    def handles(self, tool: str | None = None) -> list[str]:
        """The keys of the files that a candidate is held against: the one that the manifest names,
        otherwise those that a tool analysed, or without one of it all that are analysed, in the
        order of the programs that analyse."""
        if self.candidates.file:
            return [self.candidates.file]
        keys = {
            name: [key for key in self.manifest.files if self.tool_of(key) == name]
            for name in TABLES
        }
        return keys.get(tool or "") or [key for own in keys.values() for key in own]

    def handle_for(self, tool: str | None) -> str | None:
        """The file that figures are compared with: a readable one before one with figures only."""
        handles, reported = self.handles(tool), {entry.file for entry in self.manifest.reported}
        places = (self.available, reported)
        return next((handle for place in places for handle in handles if handle in place), None)

    @property
    def lacking(self) -> str:
        """Why there is no file to compare with."""
        return "; ".join(self.absent.values()) or "the match has no analysed file"

    @property
    def players(self) -> tuple[str, ...]:
        """As an available file names them, otherwise as reported figures do; may be empty."""
        for key in self.handles():
            if key in self.available:
                return self.available[key].players
        entries = (entry for entry in self.manifest.reported if not entry.by_seat)
        return next((tuple(entry.players) for entry in entries if len(entry.players) == 2), ())

    @property
    def length(self) -> int | None:
        """Points to win; `None` for money, and if no file is available."""
        return next((file.length for file in self.available.values()), None)


@dataclass(frozen=True)
class Names:
    """The names of persons that have several."""

    aliases: Sequence[Sequence[str]] = ()

    def seat(self, players: Sequence[str], name: str) -> int | None:
        """The seat of a name among the players of a match; `None` if it fits neither or both."""
        persons = {
            fold(variant): number for number, group in enumerate(self.aliases) for variant in group
        }
        wanted, folded = fold(name), [fold(player) for player in players]
        keys, key = [persons.get(player, player) for player in folded], persons.get(wanted, wanted)
        if key in keys:
            return keys.index(key)
        shortened = [seat for seat, player in enumerate(folded) if begin_alike(player, wanted)]
        return shortened[0] if len(shortened) == 1 else None

    def unknown(self, players: Sequence[str], name: str) -> str:
        """That a name is of neither player, beside the nearest."""
        expected, folded = ", ".join(map(repr, players)), list(map(fold, players))
        if near := get_close_matches(fold(name), folded, 1):
            expected = repr(players[folded.index(near[0])])
        words = f"no player {name!r} in this match, expected {expected}; correct the name"
        return self.misread(players, name) or words

    def misread(self, players: Sequence[str], name: str) -> str:
        """How a name was read in a wrong encoding; empty if it was not."""
        for wrong, words in MISREAD.items():
            with suppress(UnicodeError):
                right = name.encode(wrong).decode()
                if right != name and (seat := self.seat(players, right)) is not None:
                    return f"expected {players[seat]!r}, found {name!r}: {words}"
        return ""

    def fit(self, reference: Reference, names: Sequence[str]) -> bool:
        """Whether each name is that of another player of a match."""
        seats = {self.seat(reference.players, name) for name in names} - {None}
        return len(seats) == len(names)


def same_match(match: Match, references: Sequence[Reference], names: Names) -> list[Reference]:
    """The matches with the same rolls; without one, those with the same length and players."""
    rolls = fingerprint(match)
    same = [
        reference
        for reference in references
        if rolls and any(file.fingerprint == rolls for file in reference.available.values())
    ]
    return same or [
        reference
        for reference in references
        if reference.available
        and reference.length == match.length
        and names.fit(reference, match.players)
    ]


# -- a claim beside its match ----------------------------------------------------------------------

PRINTED = "printed"
"""The table for figures and lists: every printed digit is the same."""
ONE_DIGIT = "given without decimals: nothing is judged by one digit; give more digits"
LOST_ZERO = 10.0
"""A number of JSON loses a zero at its end one time in ten, two one time in a hundred."""
NO_DECISIONS = "no bridge, because the candidate gives only totals, no decisions"
Outcome = CandidateResult | NotCompared
"""What comes of a part of a candidate."""


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
    own: Sequence[Mapping[str, float | None]]
    """Our figures, by seat."""
    ours: Statistics | None
    """Where they are from, if they are scored and not looked up."""
    printed: Mapping[tuple[int, str], str]
    """What the tool reported of this file under these rules, by seat and metric."""

    def judged(self, seat: int, stated: Stated, of_program: Sequence[Stated]) -> Figure:
        """A figure with its verdict; `of_program` are all that its program gives of the match."""
        name, value, player = stated.metric, stated.value, self.players[seat]
        missing = ""
        half, left = self._noise(stated, of_program), None
        ends: Ends | None = None
        if (printed := self.printed.get((seat, name))) is not None:
            left = float(printed)
            tool = Reported(name, printed, left, half_a_digit(printed))
            half = max(half, margin(tool)) if tool.half else half
        else:
            left = self.own[seat].get(name)
        if printed is None and self.ours is not None:
            ends = open_range(self.ours).figures[seat].get(name)
            unanalysed = lacking(self.ours.completeness(seat), METRICS[name].parts)
            missing = "; ".join(f"left: {words}" for words in unanalysed) or missing
        if value is None and left is not None:
            missing = missing or "missing in the candidate"
        figure = Figure(name, player, left, value)
        if ends and value is not None:
            gaps = value - ends[1], value - ends[0]
            figure = replace(figure, left_range=ends, gap_range=gaps)
        figure = judged(figure, self.gate, missing, half)
        if figure.verdict in DECIDED and value and _is_rounded(stated, of_program):
            return replace(figure, verdict=UNGATED, note=ONE_DIGIT)
        if figure.tolerance is None:
            why = "the level off" if self.gate.of(name, player) else "no bound"
            figure = replace(figure, note=f"table {self.table} has {why} for {name}")
        return figure

    def _noise(self, stated: Stated, of_program: Sequence[Stated]) -> float:
        """How far a figure may be off: a count not at all, others as `margin` says."""
        if not stated.half or stated.value is None:
            return 0.0
        half = min(stated.half, self._demanded(stated.metric))
        if _is_whole(stated):  # it has lost its zeros
            half = min(half, 0.5 * 10.0 ** -METRICS[stated.metric].decimals)
        rest = (figure.reported for figure in of_program if figure is not stated)
        declared, figure = self.reference.candidates.precision, stated.reported
        is_double = declared == "double" or (not declared and shows_double(figure, rest))
        return margin(replace(figure, half=half), is_double=is_double)

    def _demanded(self, metric: str) -> float:
        """Half of the last digit that the pack demands of a figure; without end without one."""
        digits = self.reference.candidates.digits.get(metric)
        return math.inf if digits is None else 0.5 * 10.0**-digits

    @property
    def expected(self) -> Mapping[str, frozenset[str]]:
        """By player, the figures that the reference has: what a candidate may lack."""
        return self.reference.expected or {
            player: frozenset(name for at, name in self.printed if at == seat)
            | {name for name, value in self.own[seat].items() if value is not None}
            for seat, player in enumerate(self.players)
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
        has_value = [figure for figure in figures if figure.right is not None]
        unjudged = [figure.metric for figure in has_value if figure.verdict == UNGATED]
        if unjudged:
            named = ", ".join(dict.fromkeys(unjudged))
            words = f"{len(unjudged)} of {plural(len(has_value), 'given figure')}"
            yield new_finding("candidate-unjudged", f"{words}, table {self.table}: {named}")
        if coarse := list(self._coarse(stated)):
            more = f"; {len(coarse) - 1} more" if len(coarse) > 1 else ""
            yield new_finding("candidate-digits", coarse[0] + more)
        yield from gate_findings(figures, self.gate)

    def _coarse(self, stated: Sequence[tuple[int, Stated]]) -> Iterator[str]:
        """The figures with fewer digits than the reference prints, or than are usual."""
        for seat, figure in stated:
            metric, player = METRICS[figure.metric], self.players[seat]
            bound = self.gate.of(metric.name, player)
            is_printed = figure.text and bound and bound.within and not _is_whole(figure)
            if not is_printed or metric.is_whole:
                continue
            printed = self.printed.get((seat, metric.name))
            usual = half_a_digit(printed) if printed else 0.5 * 10.0**-metric.decimals
            usual = min(usual, self._demanded(metric.name))
            # A number of JSON may have lost a zero at its end.
            if figure.half > (LOST_ZERO if figure.is_number else 1) * usual * (1 + 1e-9):
                digits = f"{0:.{round(-math.log10(2 * usual))}f}"
                whose = f"{short_metric(metric.name)} of {player}"
                yield f"{whose} as {figure.text}, where {digits} is usual"


def _is_whole(stated: Stated) -> bool:
    """Whether a figure that has decimals is given without them."""
    return stated.half == 0.5 and METRICS[stated.metric].decimals > 0


def _is_rounded(stated: Stated, of_program: Sequence[Stated]) -> bool:
    """The same, unless JSON may have lost the zeros that others of the name have."""
    of_name = [figure for figure in of_program if figure.metric == stated.metric]
    lost = stated.is_number and any(figure.half not in (0.0, 0.5) for figure in of_name)
    return _is_whole(stated) and not lost


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

    def outcomes(self, candidate: Candidate, references: Sequence[Reference]) -> Iterator[Outcome]:
        """What comes of everything in a file."""
        try:
            named = _named(candidate.about, references) if candidate.about else None
        except Unusable as error:
            yield not_used(candidate.name, error.reason, about=candidate.about)
            return
        for match in candidate.matches:
            yield from self.of_match(candidate, match, references, named)
        for claim in candidate.claims:
            try:
                reference = self._find(claim, references)
            except Unusable as error:
                whose = {"of": claim.program, "about": claim.subject}
                yield not_used(candidate.name, claim.about(error.reason), **whose)
            else:
                yield from self.of_claim(candidate, claim, reference)

    def of_program(
        self, outputs: Iterable[Candidate | NotCompared], reference: Reference
    ) -> Iterator[Outcome]:
        """What comes of everything that a program gives of a match, or fails to give."""
        for part in outputs:
            if isinstance(part, NotCompared):
                yield part
                continue
            for match in part.matches:
                yield from self.of_match(part, match, [reference], reference)
            for claim in part.claims:
                if claim.match in ("", reference.id):
                    yield from self.of_claim(part, replace(claim, program=part.name), reference)
                    continue
                why = f"it gives match {short(claim.match)} where it was asked for {reference.id}"
                yield not_used(part.name, claim.about(why), reference.id, of=part.name)

    # -- figures and lists ------------------------------------------------------------------------

    def _find(self, claim: Claim, references: Sequence[Reference]) -> Reference:
        """The match that a claim is about. Raises `Unusable` if none or several may be it."""
        if claim.match:
            return _named(claim.match, references)
        fits = [
            reference
            for reference in references
            if self.names.fit(reference, claim.players)
            and (None in (claim.length, reference.length) or claim.length == reference.length)
        ]
        if len(fits) == 1:
            return fits[0]
        whose = " and ".join(map(repr, claim.players)) or "neither players nor a match"
        whose += f", {plural(claim.length, 'point')}" if claim.length else ""
        if not fits:
            misread = (
                self.names.misread(reference.players, name)
                for reference in references
                for name in claim.players
            )
            remedy = "correct the names, give --aliases, or name the match: FILE#MATCH"
            remedy = next(filter(None, misread), remedy)
            raise Unusable(f"no reference match has {whose}; {remedy}")
        ids = ", ".join(reference.id for reference in fits)
        words = f"it names {whose}, which fits {len(fits)} reference matches ({ids})"
        raise Unusable(f"{words}; name the match: FILE#MATCH")

    def of_claim(
        self, candidate: Candidate, claim: Claim, reference: Reference
    ) -> Iterator[Outcome]:
        """What comes of a claim about a match."""
        is_absent = False
        try:
            result = self._result(candidate, claim, reference)
            reason = result.decisions.lost if result.decisions is not None else ""
            yield result
        except Unusable as error:
            reason, is_absent = error.reason, isinstance(error, FilesAbsent)
        if reason:
            facts = {"of": claim.program, "is_absent": is_absent}
            yield not_used(candidate.name, claim.about(reason), reference.id, **facts)

    def _beside(self, claim: Claim, reference: Reference) -> ReferenceSide:
        """What a claim is compared with in a match. Raises `Unusable`."""
        handle = reference.handle_for(claim.tool)
        file = reference.available.get(handle or "")
        if handle is None or (file is None and claim.rows is not None):
            raise FilesAbsent(reference.lacking)
        if claim.tool not in (None, reference.tool_of(handle)):
            raise Unusable(f"no file of this match is analysed by {claim.tool}; correct `analysis`")
        if claim.length and file and claim.length != file.length:
            points = plural(claim.length, "point")
            expected = plural(file.length, "point") if file.length else "a money session"
            raise Unusable(f"this match is {expected}, it gives {points}; correct `length`")
        players = file.players if file else reference.players
        if not players:
            raise FilesAbsent(reference.lacking)
        for name in claim.players:
            if self.names.seat(players, name) is None:
                raise Unusable(self.names.unknown(players, name))
        declared = self.rules or reference.candidates.rules
        default = TOOLS.get(reference.tool_of(handle), GNUBG).rules
        rules = rule_set(declared or (own_rules(file.match()) if file else default))
        table = self.table or reference.candidates.table or PRINTED
        printed = {  # of several entries about one figure the first
            (seat, metric): text
            for entry in reversed(reference.manifest.reported)
            if entry.file == handle and rule_set(entry.rules) == rules
            for name, figures in entry.players.items()
            if (seat := entry.seat(name, players)) is not None
            for metric, text in figures.items()
        }
        gate = self.tolerances.gate(table, reference.id, self.today)
        ours = statistics(file.match(), rules) if file and not file.is_table else None
        own = file.under_rules.by_seat(rules) if file else ({}, {})
        facts = reference, handle, file, rules, table, gate, players
        return ReferenceSide(*facts, own, ours, printed)

    def _stated(
        self, figures: Sequence[Stated], beside: ReferenceSide
    ) -> Iterator[tuple[int, Stated]]:
        """Figures with the seats of their players. Raises `Unusable`."""
        owners: dict[int, str | int] = {}
        for figure in figures:
            owner = figure.player
            seat = owner if isinstance(owner, int) else self.names.seat(beside.players, owner)
            assert seat is not None  # every name was looked up
            if owners.setdefault(seat, owner) != owner:
                both = f"{owners[seat]!r} and {owner!r} are both {beside.players[seat]!r}"
                raise Unusable(f"{both}; give each player's figures once")
            yield seat, figure
        if not owners:
            raise Unusable("it gives no figure")

    def _result(self, candidate: Candidate, claim: Claim, reference: Reference) -> CandidateResult:
        """The judged figures of a claim. Raises `Unusable`."""
        beside, listed = self._beside(claim, reference), None
        if claim.rows is not None and beside.file is not None:
            match = beside.file.match()
            listed = listed_beside(
                match, beside.rules, claim, partial(self.names.seat, match.players)
            )
        stated = list(self._stated(tuple(listed.figures()) if listed else claim.figures, beside))
        of_program = [figure for _, figure in stated]
        figures = tuple(beside.judged(seat, figure, of_program) for seat, figure in stated)
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
            of=claim.program,
            expected=beside.expected,
        )
        if listed is not None:
            decisions = list_result(listed)
            findings = *list_findings(decisions), *result.findings
            return replace(result, decisions=decisions, findings=findings)
        shown = tuple((seat, each.reported) for seat, each in stated if each.value is not None)
        if beside.file is None or not shown:
            return result
        record = beside.file.under_rules
        return replace(result, subject=Subject(reference.id, beside.rules, record, shown))

    # -- match files ------------------------------------------------------------------------------

    def of_match(
        self,
        candidate: Candidate,
        match: Match,
        references: Sequence[Reference],
        named: Reference | None,
    ) -> Iterator[Outcome]:
        """What comes of a match file, beside every file of the reference matches that it may be."""
        reasons, is_compared, tool = [], False, analysis_of(match)
        for reference in [named] if named else same_match(match, references, self.names):
            for handle in filter(reference.available.__contains__, reference.handles(tool)):
                file = reference.available[handle]
                try:
                    yield self._compared(candidate, match, reference, handle)
                    is_compared = True
                except NotTheSameMatch as error:
                    reasons.append(error.briefly())
                except NothingToCompare as error:
                    is_compared = True
                    why = error.named(", ".join(map(last_part, (file.path, match.source.path))))
                    yield not_used(candidate.name, why, reference.id)
        if not is_compared:
            players = " - ".join(match.players)
            why = f"{players}: no available reference match has the same rolls"
            why = reasons[0] if named and reasons else why
            yield not_used(candidate.name, why, named.id if named else "", about=players)

    def _compared(
        self, candidate: Candidate, match: Match, reference: Reference, handle: str
    ) -> CandidateResult:
        """A match file compared with a file of a reference. Raises as `compare` does."""
        default = TABLES.get(reference.tool_of(handle), DEFAULT_TABLE)
        table = self.table or reference.candidates.table or default
        again = Again(
            partial(
                compare_again,
                reference.available[handle].match,
                match,
                self.tolerances,
                table=table,
                left_rules=self.rules or reference.candidates.rules,
                aliases=self.names.aliases,
                match=reference.id,
                today=self.today,
            )
        )
        comparison = again()
        findings = (finding for finding in comparison.findings if finding.severity != "info")
        several = len(reference.handles(analysis_of(match))) > 1
        return CandidateResult(
            candidate=candidate.name,
            file=handle,
            rules=comparison.left.rules,
            table=table,
            figures=comparison.judged,
            reported=(False,) * len(comparison.judged),
            source=again,
            findings=tuple(findings),
            part=f"against {handle}" if several else "",
            path=reference.manifest.files[handle].name,
            match=reference.id,
        )


def compare_again(
    left: Again[Match], right: Again[Match] | Match, *arguments: Any, **named: Any
) -> Comparison:
    """Two analyses compared, of which files are read when that is asked for."""
    return compare(left(), right() if isinstance(right, Again) else right, *arguments, **named)


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


# -- programs -------------------------------------------------------------------------------------
#
# A command is one program. Files whose figures name a program are that program's; all others are
# one program together.


def diagnosed(
    results: Sequence[CandidateResult], *, is_claimed: bool = False
) -> tuple[list[CandidateResult], list[Diagnosis], list[Group]]:
    """The results with what is found of the rules that their programs follow, and what the figures
    of each program have in common; what is off is beside these rules, or the claimed ones."""
    programs = grouped(range(len(results)), lambda index: _program(results[index]))
    every, diagnoses, groups = list(results), list[Diagnosis](), list[Group]()
    for name, indices in programs.items():
        own = [results[index] for index in indices]
        first, *more = dict.fromkeys(result.candidate for result in own)
        label = name or (f"{first} and {plural(len(more), 'more file')}" if more else first)
        run, rules, causes = Run(list(subjects(own))), "", dict[str, str]()
        if run.subjects:
            rules = run.own if is_claimed else run.rules
            diagnoses.append(diagnosis_of(label, run))
            for index in indices:
                every[index] = _under(run, label, results[index])
            if run.transformed:
                _, way, scope = run.transformed
                causes = dict.fromkeys(map(str, run.names[scope]), way.code)
        compared = [figure for result in own for figure in _compared(result, rules)]
        groups.extend(groups_of(compared, causes, label if len(programs) > 1 else ""))
    return every, diagnoses, groups


def _program(result: CandidateResult) -> str:
    """The name of its program; empty for figures of a program that is not named."""
    is_file = result.expected is None or result.decisions is not None
    return result.of or (result.candidate if is_file else "")


def subjects(outcomes: Iterable[Outcome]) -> Iterator[Subject]:
    """The matches of a program that can be counted under other rules."""
    for outcome in outcomes:
        if isinstance(outcome, CandidateResult) and outcome.subject is not None:
            yield outcome.subject


def _compared(result: CandidateResult, rules: str) -> Iterator[Compared]:
    """The figures of a match beside those under rules, or of the reference where no others are
    known; off are those out of tolerance that these do not give."""
    players = list(dict.fromkeys(figure.player for figure in result.totals))
    seats = [players.index(figure.player) for figure in result.stated]
    expected = [figure.left for figure in result.stated]
    if result.subject is not None:
        ours, seats = result.subject.under(rules), [seat for seat, _ in result.subject.figures]
        expected = [
            float(ours[seat, COLUMNS[figure.metric]])
            for seat, figure in zip(seats, result.stated, strict=True)
        ]
    for (figure, shown), seat, value in zip(result.shown, seats, expected, strict=True):
        if value is not None and value == value:
            is_given = result.subject is not None and fits_figure(value, shown)
            is_off = figure.verdict == OUTSIDE and not is_given
            yield Compared(result.match, seat, shown, value, is_off)


def _under(run: Run, program: str, result: CandidateResult) -> CandidateResult:
    """A result with its program, and how many figures of the match the rules give that it
    follows."""
    if (subject := result.subject) is None:
        return result
    ours, result = subject.under(run.rules), replace(result, program=program)
    fits = [
        fits_figure(float(ours[seat, COLUMNS[shown.metric]]), shown)
        for seat, shown in subject.figures
        if shown.metric in EXPLORED
    ]
    if not fits:
        return result
    rules = subject.rules(run.rules)
    differing = subject.own.differing(rules)
    words = f"rule set {rules.name} gives {sum(fits)} of {len(fits)} figures that depend on the "
    words += "rules"
    finding = new_finding("candidate-own-rules", words)
    if not all(fits):
        finding = new_finding("candidate-unexplained", words)
        if all(figure.verdict != OUTSIDE for figure in result.figures):
            finding = replace(finding, severity="info")
    elif differing:
        words += f"; it differs from {subject.own.name} in {', '.join(differing)}"
        finding = new_finding("candidate-rules", words)
    return replace(result, findings=(finding, *result.findings))
