"""Reference matches as candidates are compared with them, and the results of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

from reconcile.document import HIDDEN, LEFT_OUT, Document, Key, Text, within
from reconcile.errors import UnreadableFile
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import DECIDED, UNGATED, Figure
from reconcile.gate.candidates.list_result import ListResult
from reconcile.gate.candidates.missing import Given, Missing
from reconcile.gate.kept import Again, Kept, taken
from reconcile.gate.manifest import Manifest
from reconcile.infer.memory import Known
from reconcile.infer.program import Diagnosis
from reconcile.match.match import Match, fingerprint, no_candidates
from reconcile.match.tools import ANALYSERS
from reconcile.results.comparison import CandidateGap, candidate_gap
from reconcile.scoring.findings import Finding

TABLES: Final = {tool.name: f"{tool.key}-blunderdb" for tool in ANALYSERS.values()}
"""The default tolerance table for a match file, by the tool of the reference file."""


@dataclass(frozen=True, slots=True)
class Available:
    """A file of a match that could be read: what shows whether something is about it, and the match itself, not held in memory."""

    path: str
    tool: str
    players: tuple[str, str]
    length: int | None
    fingerprint: str
    match: Again[Match]
    bare: Kept[Match]
    """The same without candidates and content, which no figure needs: a fifth of its size, and read in a twentieth of the time."""
    known: Known
    """Its figures under rule sets, as far as anybody has asked for them."""

    @classmethod
    def of(cls, match: Match, again: Again[Match]) -> Available:
        """A match in memory, and how to read it `again`."""
        source = replace(match.source, digest=match.source.sha256, content=b"")
        bare = Kept(replace(match, candidates=no_candidates, read_first=None, source=source))
        return cls(
            source.path,
            source.tool,
            match.players,
            match.length,
            fingerprint(match),
            again,
            bare,
            Known(bare),
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference match with the files of it that are available."""

    manifest: Manifest
    available: Mapping[str, Available]
    absent: Mapping[str, str]
    """Why a file is not available."""
    unreadable: Mapping[str, UnreadableFile] = field(default_factory=dict)
    """Of these, the files that are there and cannot be read: what is wrong with each."""

    @property
    def id(self) -> str:
        """Its id in the pack."""
        return self.manifest.id

    def analysed(self, tool: str | None = None) -> list[str]:
        """Handles of the files of XG and gnuBG, XG first; only those of one tool if it has such a file, otherwise all."""
        handles = sorted(
            (key for key, file in self.manifest.files.items() if self.tool_of(key) in TABLES),
            key=lambda key: list(TABLES).index(self.tool_of(key)),
        )
        own = [key for key in handles if self.tool_of(key) == tool]
        return own or handles

    def tool_of(self, key: str) -> str:
        """The tool whose file it is."""
        return self.available[key].tool if key in self.available else self.manifest.files[key].tool

    @property
    def lacking(self) -> str:
        """Why there is no file to compare with."""
        return "; ".join(self.absent.values()) or "the match has no analysed file"

    @property
    def players(self) -> tuple[str, ...]:
        """The players, as an available file names them, otherwise as the reported figures do; empty if there is neither."""
        for key in self.analysed():
            if key in self.available:
                return self.available[key].players
        for entry in self.manifest.reported:
            if not entry.by_seat and len(entry.players) == 2:
                return tuple(entry.players)
        return ()

    @property
    def length(self) -> int | None:
        """Points to win; `None` for money, and if no file is available."""
        return next((one.length for one in self.available.values()), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult(Document):
    """The figures of a program under test, on the right, and the reference, on the left: the figure its tool reported, otherwise ours."""

    candidate: Annotated[Text, Key("name")]
    """Name of the program if its output names it, otherwise of the file or the command."""
    version: Annotated[str, Key(or_null=True, later=True)] = ""
    """Version of the program; null if it does not say. Missing in results of older versions."""
    part: str = ""
    """The part of the match it is about, for example one decision; empty for all of it."""
    file: Text
    """Handle of the file in the manifest that it was compared with."""
    rules: str
    """The rule set of those figures on the left that are ours."""
    table: Text
    """The tolerance table."""
    figures: Annotated[tuple[Figure, ...], within(min_length=1)]
    """Its figures, including those without a tolerance."""
    reported: Annotated[tuple[bool, ...], within(min_length=1)]
    """For each figure, in order, whether the left one was reported by the tool; otherwise it is ours."""
    kept: Annotated[
        Comparison | Kept[Comparison] | Again[Comparison] | None,
        Key("comparison", shown="compared", kind=CandidateGap | None),
    ] = None
    """The bridges to its figures; null if there are none. If the candidate has only totals, the bridge goes through the closest rule
    set and ends with the step `reported-right`."""
    findings: tuple[Finding, ...] = ()
    """Findings about it, above all which rules give its figures."""
    decisions: Annotated[ListResult | None, LEFT_OUT] = None
    """Its decisions, where it lists them."""
    path: Annotated[str, HIDDEN] = ""
    """The name of the reference file, for its comparison."""
    program: Annotated[str, HIDDEN] = ""
    """The program whose diagnosis it belongs to; empty for one that shows its decisions."""
    of: Annotated[tuple[str, str], HIDDEN] = ("", "")
    """The program that gives it: results with the same pair are of one program."""
    expected: Annotated[Mapping[str, frozenset[str]] | None, HIDDEN] = None
    """By player, the figures that the reference has; `None` for a match file, which has all of its own."""

    @property
    def comparison(self) -> Comparison | None:
        """The comparison with bridges and ledger: large, so that it is not held in memory."""
        return None if self.kept is None else taken(self.kept)

    @property
    def compared(self) -> CandidateGap | None:
        """The same as it is written, which names the reference file wherever the pack is installed."""
        one = self.comparison
        return None if one is None else candidate_gap(one, self.path)

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures that count for the verdict."""
        return tuple(figure for figure in self.figures if figure.verdict != UNGATED)

    @property
    def given(self) -> tuple[Figure, ...]:
        """The figures that the candidate has, judged or not."""
        return tuple(figure for figure in self.figures if figure.right is not None)

    @property
    def unjudged(self) -> tuple[Figure, ...]:
        """The figures that the candidate has and nothing bounds; `note` is the reason."""
        return tuple(figure for figure in self.given if figure.verdict == UNGATED)

    @property
    def suite(self) -> str:
        """What was judged, in words that are the same for every version of the program."""
        return f"candidate {self.candidate}" + (f" {self.part}" if self.part else "")

    @property
    def title(self) -> str:
        """The same with the program's version, for people."""
        return " ".join(filter(None, ("candidate", self.candidate, self.version, self.part)))


@dataclass(frozen=True, slots=True)
class NotCompared(Document):
    """A part of a pack, or of what a program under test gives, that could not be compared."""

    what: Text
    """The part."""
    why: str
    """Why not."""
    candidate: Annotated[str, HIDDEN] = ""
    """Its program, if it is of one that is under test."""
    is_absent: Annotated[bool, HIDDEN] = False
    """Whether files that do not come with the pack were not found."""
    is_unsupported: Annotated[bool, HIDDEN] = False
    """Whether the program itself says that it does not support the match: no failure, also with `--strict`."""
    is_failure: Annotated[bool, HIDDEN] = False
    """Whether something that should have worked did not: a file that cannot be read, a program that fails. The exit code is 2."""
    keys: Annotated[tuple[str | int, ...], HIDDEN] = ()
    """Where the manifest names it."""
    at: Annotated[tuple[Path, int] | None, HIDDEN] = None
    """A manifest that cannot be read, and the line that is wrong."""

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


NotComparedParts = Annotated[tuple[NotCompared, ...], Key(kind=tuple[NotCompared | Text, ...])]
"""As documents have them; one of an earlier version has a line for each."""


def not_used(candidate: str, why: str, *, is_failure: bool = False) -> NotCompared:
    """What a program under test gives and nothing can be compared with."""
    return NotCompared(f"candidate {candidate}", why, candidate, is_failure=is_failure)


@dataclass(slots=True)
class Judgement:
    """Everything found about the candidates of a run."""

    results: dict[str, list[CandidateResult]] = field(default_factory=dict)
    """By the id of the reference match."""
    not_compared: dict[str, list[NotCompared]] = field(default_factory=dict)
    """By the id of the reference match; the id is empty if no match was found."""
    names: set[str] = field(default_factory=set)
    """By which the program that was run calls itself."""
    diagnoses: list[Diagnosis] = field(default_factory=list)
    """One for every program that gives figures without decisions."""

    def add(self, reference: Reference, result: CandidateResult) -> None:
        """A result."""
        self.results.setdefault(reference.id, []).append(result)

    def refuse(
        self,
        candidate: str,
        reason: str,
        reference: Reference | None = None,
        *,
        is_failure: bool = False,
        is_unsupported: bool = False,
    ) -> None:
        """Something that could not be compared."""
        why = replace(
            not_used(candidate, reason, is_failure=is_failure), is_unsupported=is_unsupported
        )
        self.not_compared.setdefault(reference.id if reference else "", []).append(why)

    def absorb(self, other: Judgement) -> None:
        """Add what was found apart."""
        self.names |= other.names
        for match, results in other.results.items():
            self.results.setdefault(match, []).extend(results)
        for match, refused in other.not_compared.items():
            self.not_compared.setdefault(match, []).extend(refused)

    def rename(self, old: str, new: str) -> None:
        """Call a candidate by the name that its program gives itself, also where it gave nothing."""
        for refused in self.not_compared.values():
            refused[:] = [
                replace(one, what=not_used(new, "").what, candidate=new)
                if one.candidate == old
                else one
                for one in refused
            ]

    def given(self, references: Sequence[Reference]) -> Iterator[Given]:
        """What every program gives of the matches for which it shows totals or decisions of its own."""
        for reference in references:
            chosen = reference.manifest.candidates
            parts: dict[tuple[str, str], list[CandidateResult]] = {}
            for result in self.results.get(reference.id, ()):
                if result.expected is not None:
                    parts.setdefault(result.of, []).append(result)
            for program, results in parts.items():
                figures: dict[str, list[str]] = {}
                unknown: dict[str, list[str]] = {}
                for figure in (figure for result in results for figure in result.figures):
                    if not figure.share:
                        kind = unknown if figure.right is None else figures
                        kind.setdefault(figure.player, []).append(figure.metric)
                yield Given(
                    reference.id,
                    results[0].candidate,
                    program,
                    figures,
                    unknown,
                    {name: sorted(has) for name, has in (results[0].expected or {}).items()},
                    chosen.figures if chosen else (),
                )

    def without_candidate(
        self, references: Sequence[Reference], names: Sequence[str]
    ) -> Iterator[Missing]:
        """The matches that nothing is about; `names` are those of everything under test."""
        for reference in references:
            has_file = any(handle in reference.available for handle in reference.analysed())
            about = self.results.get(reference.id) or self.not_compared.get(reference.id)
            if has_file and not about:
                chosen = reference.manifest.candidates
                name = ", ".join(dict.fromkeys(names))
                yield Missing(reference.id, name, None, None, bool(chosen and chosen.figures))

    @property
    def failures(self) -> list[NotCompared]:
        """The matches for which a run of a program failed, and why."""
        found = [
            (match, one)
            for match, some in self.not_compared.items()
            for one in some
            if one.is_failure
        ]
        return [NotCompared(match, f"{one.candidate}: {one.why}") for match, one in found]

    @property
    def unjudged(self) -> list[str]:
        """Why nothing of a result was judged, one line for each such result."""
        results = (one for results in self.results.values() for one in results if not one.judged)
        return [f"{one.suite}: {figure.note}" for one in results for figure in one.unjudged[:1]]

    @property
    def compared(self) -> bool:
        """Whether any figure of a candidate was judged."""
        return any(
            figure.verdict in DECIDED
            for results in self.results.values()
            for result in results
            for figure in result.figures
        )
