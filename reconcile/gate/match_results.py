"""What came of one reference match: reported figures, pairs and candidates, judged; and what a
program under test owes: a cell for each figure of each player of each match, and what came of it.

Every cell is counted once; headline, lists, outputs and exit code are views of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from reconcile.document import (
    FIRST,
    HIDDEN,
    LEFT_OUT,
    OR_NULL,
    Document,
    Key,
    Positive,
    Sha256,
    Text,
    within,
)
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, UNGATED, WITHIN, Figure
from reconcile.gate.candidates.lists import ListResult
from reconcile.gate.manifest import SHORTEST_ORIGIN, Again, Manifest, Pair, Reported
from reconcile.infer.program import Subject
from reconcile.infer.reported import Reported as Shown
from reconcile.match.values import grouped
from reconcile.notebook import one_line
from reconcile.results.comparison import ComparisonDocument, briefly
from reconcile.scoring.figures import METRICS, MetricName, short_metric
from reconcile.scoring.findings import Finding
from reconcile.wording import listed, plural

State = Literal["judged", "unsupported", "incomparable", "missing"]
STATES: tuple[State, ...] = ("judged", "unsupported", "incomparable", "missing")
FEW = 3
"""Figures that are named with their players."""
NO_REFERENCE = "no reference has it"


@dataclass(frozen=True, slots=True)
class Missing(Document):
    """What a program does not give of a match, although the reference has it."""

    match: Text
    """Id of the match."""
    candidate: Text
    """Name of the file or program."""
    player: str | None
    """Whose figures; null for the whole match."""
    figure: MetricName | None
    """The figure; null for all of a player or match."""


@dataclass(frozen=True, slots=True)
class Unjudged(Document):
    """What the program under test gives and is not judged: a figure, or all that it says of a match
    or a name that the pack does not have."""

    match: str
    """Id of the match, or what the program says of one that the pack does not have."""
    candidate: Text
    """Name of the file or program."""
    part: str
    """The part of the match it is about; empty for all of it."""
    player: str | None
    """Whose figure it is; null for all of a match."""
    metric: MetricName | None
    """The name of the figure; null for all of a match."""
    value: Annotated[float | None, Key("given")]
    """Its value, in the unit of the metric; null for all of a match."""
    reason: Text
    """Why it is not judged."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure that a program owes or gives, and what came of it."""

    match: str
    program: str
    """What is given under the same name is of one program."""
    candidate: str
    """Its name, or the file, for people."""
    state: State
    part: str = ""
    player: str | None = None
    """`None` for all of a match."""
    figure: str | None = None
    """Full name; `None` for all of a player or match."""
    value: float | None = None
    reason: str = ""
    is_owed: bool = True
    """Whether the pack has it; otherwise it is missing there."""
    fails: bool = False
    """Whether it fails without `--strict` too: the pack declares that the program gives it."""
    is_failure: bool = False
    """Whether the program failed, which is said apart."""

    @property
    def is_unjudged(self) -> bool:
        """Whether it is given and not judged."""
        return self.state == "incomparable" and self.value is not None

    @property
    def suite(self) -> str:
        """What was judged, in words."""
        return suite_of(self.candidate, self.part)

    @property
    def name(self) -> str | None:
        """The name of the figure in documents."""
        return self.figure and short_metric(self.figure)

    def __str__(self) -> str:
        return f"{self.name or 'figure'}{f' of {self.player}' * bool(self.player)}"


def suite_of(candidate: str, part: str) -> str:
    """What is judged of a candidate, in words that are the same for every version of it."""
    return f"candidate {candidate}{part and f' {part}'}"


# -- views ----------------------------------------------------------------------------------------


def always_given(cells: Sequence[Cell]) -> list[str]:
    """What a program gives of every player, if the reference has it."""
    lacking = {cell.figure for cell in cells if cell.state == "missing"}
    usual = {cell.figure for cell in cells if cell.value is not None} - lacking
    return [name for name in METRICS if name in usual]


def lacking(cells: Iterable[Cell]) -> Iterator[Cell]:
    """What is missing: where all of a player or match is, one cell without figure or player."""
    for group in grouped(cells, lambda cell: (cell.program, cell.match, cell.is_owed)).values():
        players = {cell.player for cell in group if cell.state != "missing"}
        if not players:
            yield replace(group[0], player=None, figure=None)
            continue
        first: dict[object, Cell] = {}
        for cell in group:
            if cell.state == "missing":
                here = cell.player in players
                shown = cell if here else replace(cell, figure=None, part="")
                first.setdefault((shown.player, shown.figure, shown.part), shown)
        yield from first.values()


def unjudged(cells: Iterable[Cell]) -> Iterator[Unjudged]:
    """What programs give and is not judged, for documents."""
    for cell in cells:
        if not cell.is_owed or cell.is_unjudged:
            facts = cell.player, cell.name, cell.value, cell.reason
            yield Unjudged(cell.match, cell.candidate, cell.part, *facts)


def by_match(cells: Iterable[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """What is missing by match and candidate; what failed is said apart."""
    apart = (cell for cell in lacking(cells) if not cell.is_failure)
    return grouped(apart, lambda cell: (cell.match, cell.candidate))


def missing_lines(cells: Iterable[Cell]) -> Iterator[str]:
    """A line for each match and candidate: `MATCH: prog gives no pr of Nora, no figure of Bo`."""
    for (match, candidate), group in by_match(cells).items():
        yield f"{match}: {missing_words(candidate, group)}"


def incomparable_lines(cells: Iterable[Cell]) -> Iterator[str]:
    """A line for each candidate and reason for which nothing can be said of figures."""
    apart = (cell for cell in cells if cell.state == "incomparable")
    for (candidate, reason), group in grouped(
        apart, lambda cell: (cell.candidate, cell.reason)
    ).items():
        each = [cell.name or "" for cell in group]
        names = listed(list(dict.fromkeys(each if len(group) > FEW else map(str, group))))
        matches = plural(len({cell.match for cell in group}), "match", "matches")
        count = plural(len(group), "figure")
        yield f"{candidate}: {reason}: {names} ({count} of {matches})"


def missing_words(candidate: str, group: Sequence[Cell]) -> str:
    """The same of one match and candidate."""
    if not group[0].is_owed:
        return f"{candidate}: {'; '.join(dict.fromkeys(cell.reason for cell in group))}"
    parts = [
        f"{listed([cell.name or 'figure' for cell in cells])} of {player}" if player else "figure"
        for player, cells in grouped(group, lambda cell: cell.player).items()
    ]
    why = f": {group[0].reason}" if group[0].reason else ""
    return f"{candidate} gives no {', no '.join(parts)}{why}"


# -- a match ---------------------------------------------------------------------------------------

Written = Annotated[str, within(min_length=SHORTEST_ORIGIN)]


@dataclass(frozen=True, slots=True)
class ArchiveOrigin(Document):
    """A public archive, and the member of it that is the file."""

    url: str
    """Its address."""
    sha256: Sha256
    """SHA-256 of the archive."""
    bytes: Positive
    """Size of the archive."""
    member: str
    """The file's name in the archive."""
    licence: str | None
    """Name in the archive of the licence's text; null if the manifest names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFile(Document):
    """A file of a match, from the manifest."""

    handle: str
    """Its name in reported figures and pairs."""
    name: Text
    """Its name, without a path."""
    sha256: Sha256
    """SHA-256 of its bytes."""
    bytes: Positive
    """Its size."""
    url: str | None
    """Its public address; null if it has none."""
    bundled: bool
    """Whether it is bundled with the pack."""
    tool: str
    """The program that made it."""
    tool_version: str | None
    """Version of that program; null if unknown."""
    level: str | None
    """How it was analysed, in words; null if unknown."""
    archive: ArchiveOrigin | None
    """The archive that it is from; null if it is from none."""


@dataclass(frozen=True, slots=True)
class ReportedResult(Document):
    """A tool's figures for a file, on the left, and ours, on the right."""

    file: str
    """Handle of the file in the manifest."""
    rules: str
    """The rule set of our figures."""
    table: str
    """The tolerance table."""
    source: Written
    """Who read the figures, where and when."""
    figures: Annotated[tuple[Figure, ...], within(min_length=1), Key(shown="judged")]
    """The figures."""
    entry: Annotated[int, HIDDEN]
    """Which of the manifest's `reported` it is."""
    shares: Annotated[tuple[Figure, ...], HIDDEN] = ()
    """Shares of gaps for which the table has a bound; the whole gap is reporting."""
    findings: Annotated[tuple[Finding, ...], HIDDEN] = ()
    """About overrides and known gaps."""

    @property
    def suite(self) -> str:
        """What was judged, in words."""
        return f"reported {self.file}"

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures, in the order of the manifest, and the shares of their gaps."""
        return *self.figures, *self.shares


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair of files compared."""

    pair: Pair
    source: Again[Comparison] = field(compare=False)
    gates: bool
    judged: tuple[Figure, ...]
    """The figures of the comparison that count for the verdict."""
    findings: tuple[Finding, ...]

    @classmethod
    def made_by(cls, pair: Pair, again: Again[Comparison]) -> PairResult:
        """What comes of a pair of a manifest. Raises what the comparison raises."""
        comparison = again()
        return cls(pair, again, pair.judged_by is not None, comparison.judged, comparison.findings)

    @property
    def suite(self) -> str:
        """What was judged, in words."""
        return f"{self.pair.left} against {self.pair.right}"

    @property
    def comparison(self) -> Comparison:
        """The comparison itself, with both matches: large, so that it is not held in memory."""
        return self.source()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDocument(ComparisonDocument):
    """A comparison and its tolerance table."""

    judged_by: Annotated[str | None, FIRST]
    """A tolerance table; null for a pair that is explained, not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult(Document):
    """The figures of a program under test, right, and those of the reference, left."""

    candidate: Annotated[Text, Key("name")]
    """Name of the program if its output names it, otherwise of the file or the command."""
    version: Annotated[str, OR_NULL] = ""
    """Version of the program; null if it does not say."""
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
    """For each figure, in order, whether the left one was reported by the tool, or is ours."""
    source: Annotated[
        Again[Comparison] | None,
        Key("comparison", shown="compared", kind=ComparisonDocument | None),
    ] = field(default=None, compare=False)
    """The reference file and the candidate compared, where it is a match file; null for figures and
    lists of decisions."""
    findings: tuple[Finding, ...] = ()
    """Findings about it, above all which rules give its figures."""
    decisions: Annotated[ListResult | None, LEFT_OUT] = None
    """Its decisions, where it lists them."""
    path: Annotated[str, HIDDEN] = ""
    """The name of the reference file, for its comparison."""
    match: Annotated[str, HIDDEN] = ""
    """Id of the reference match."""
    place: Annotated[str, HIDDEN] = ""
    """Where its file has it."""
    program: Annotated[str, HIDDEN] = ""
    """The program whose diagnosis it belongs to; empty for one that shows its decisions."""
    of: Annotated[str, HIDDEN] = ""
    """What results of one program share: its name, or nothing."""
    subject: Annotated[Subject | None, HIDDEN] = field(default=None, compare=False)
    """What a diagnosis asks, with the figures as they are given; `None` for one that shows its
    decisions."""
    expected: Annotated[Mapping[str, frozenset[str]] | None, HIDDEN] = None
    """By player, the figures that the reference has; `None` for a match file."""

    @property
    def comparison(self) -> Comparison | None:
        """The comparison of a match file: large, so that it is not held in memory."""
        return None if self.source is None else self.source()

    @property
    def compared(self) -> ComparisonDocument | None:
        """The same as it is written: it names the reference file without its folder."""
        if (comparison := self.comparison) is None:
            return None
        left = replace(comparison.left, path=self.path)
        return briefly(ComparisonDocument, comparison, left=left)

    @property
    def totals(self) -> tuple[Figure, ...]:
        """The figures without the shares of their gaps."""
        return tuple(figure for figure in self.figures if not figure.share)

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures that count for the verdict."""
        return tuple(figure for figure in self.figures if figure.verdict != UNGATED)

    @property
    def stated(self) -> tuple[Figure, ...]:
        """The figures that the candidate has, judged or not."""
        return tuple(figure for figure in self.figures if figure.right is not None)

    @property
    def shown(self) -> Iterator[tuple[Figure, Shown]]:
        """The same, each as it is given, or as it follows from decisions."""
        if self.subject is not None:
            return zip(self.stated, (shown for _, shown in self.subject.figures), strict=True)
        return ((figure, _following(figure)) for figure in self.stated)

    @property
    def suite(self) -> str:
        """What was judged, in words that are the same for every version of the program."""
        return suite_of(self.candidate, self.part)

    @property
    def title(self) -> str:
        """The same with the program's version, for people."""
        return " ".join(filter(None, ("candidate", self.candidate, self.version, self.part)))


def _following(figure: Figure) -> Shown:
    """A figure that follows from decisions."""
    value, half = figure.right or 0.0, 0.0 if METRICS[figure.metric].is_whole else 1e-6
    return Shown(figure.metric, f"{value:.6g}", value, half)


@dataclass(frozen=True, slots=True)
class NotCompared(Document):
    """A part of a pack, or of what a program under test gives, that could not be compared."""

    part: Annotated[Text, Key("what")]
    """The part."""
    why: str
    """Why not."""
    candidate: Annotated[str, HIDDEN] = ""
    """Its program, if it is of one that is under test."""
    match: Annotated[str, HIDDEN] = ""
    """Id of the reference match; empty where none was identified."""
    of: Annotated[str, HIDDEN] = ""
    """What results of one program share, as of a `CandidateResult`."""
    about: Annotated[str, HIDDEN] = ""
    """What the program says of a match that was not identified: its id, or the players."""
    is_absent: Annotated[bool, HIDDEN] = False
    """Whether files that do not come with the pack were not found."""
    is_unsupported: Annotated[bool, HIDDEN] = False
    """Whether the program says that it does not support the match: no failure with `--strict`."""
    failure: Annotated[str, HIDDEN] = ""
    """What failed that should have worked, a file to be read or a program, as a terminal shows it:
    the exit code is 2. Empty for what is not there."""
    keys: Annotated[tuple[str | int, ...], HIDDEN] = ()
    """Where the manifest names it."""
    at: Annotated[tuple[Path, int] | None, HIDDEN] = None
    """A manifest that cannot be read, and the line that is wrong."""

    def __str__(self) -> str:
        return f"{self.part}: {self.why}"

    @property
    def is_failure(self) -> bool:
        """Whether something should have worked."""
        return bool(self.failure)

    @property
    def is_wrong(self) -> bool:
        """Whether what a program gives is about nothing in the pack, or is given in a way that
        cannot be used."""
        apart = self.is_absent or self.is_unsupported or self.is_failure
        return bool(self.candidate) and not apart


def not_used(candidate: str, why: str, match: str = "", **facts: Any) -> NotCompared:
    """What a program under test gives and nothing can be compared with; `facts` as there."""
    return NotCompared(f"candidate {candidate}", why, candidate, match, **facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(Document):
    """One reference match."""

    id: Annotated[str, within(pattern="^[a-z0-9][a-z0-9-]*$")]
    """Name of its folder."""
    title: str
    """Players, length, occasion."""
    synthetic: bool
    """True if the match was not analysed by the tools named in its files."""
    licence: Text
    """The licence under which the files may be shared."""
    provenance: Written
    """Who made the match, where and when."""
    files: Annotated[tuple[PackFile, ...], within(min_length=1)]
    """The files of the match."""
    reported: tuple[ReportedResult, ...]
    """Figures that tools showed, compared with ours."""
    pairs: Annotated[tuple[PairResult, ...], Key(shown="documents", kind=tuple[PairDocument, ...])]
    """Pairs of files, compared."""
    candidates: tuple[CandidateResult, ...] = ()
    """The output of a program under test for the match, compared with a file of it."""
    not_compared: tuple[NotCompared, ...]
    """Parts that could not be compared."""
    findings: tuple[Finding, ...]
    """Findings about its reported figures and its pairs."""
    manifest: Annotated[Manifest, HIDDEN]
    folder: Annotated[Path, HIDDEN]
    """Where its manifest is."""
    cells: Annotated[tuple[Cell, ...], HIDDEN] = ()
    """What programs under test owe and give of it, and what came of it."""

    def __repr__(self) -> str:
        return one_line(
            self, f"{self.id}: {counted(self.figures)}, {len(self.not_compared)} not compared"
        )

    @property
    def results(self) -> tuple[ReportedResult | PairResult | CandidateResult, ...]:
        """What counts for the verdict."""
        return *self.reported, *(pair for pair in self.pairs if pair.gates), *self.candidates

    @property
    def nothing_here(self) -> bool:
        """Whether files that were not found are all there is to say about the match."""
        return (
            bool(self.not_compared)
            and not any(self.figures)
            and not self.pairs
            and all(part.is_absent for part in self.not_compared)
        )

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What should have worked and did not; the exit code is 2."""
        return tuple(part for part in self.not_compared if part.is_failure)

    @property
    def listed(self) -> tuple[Reported, ...]:
        """The reported figures that are shown and not judged."""
        return tuple(entry for entry in self.manifest.reported if entry.table is None)

    @property
    def unjudged(self) -> list[Cell]:
        """What programs give and is not judged."""
        return [cell for cell in self.cells if cell.is_unjudged]

    @property
    def documents(self) -> tuple[PairDocument, ...]:
        """The comparisons; they name the files as the manifest does."""
        return tuple(map(self._document, self.pairs))

    def _document(self, result: PairResult) -> PairDocument:
        pair, comparison = result.pair, result.comparison
        sides = {
            side: replace(getattr(comparison, side), path=self.manifest.files[handle].name)
            for side, handle in (("left", pair.left), ("right", pair.right))
        }
        return briefly(PairDocument, comparison, judged_by=pair.judged_by, **sides)

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that count for the verdict."""
        for result in self.results:
            yield from result.judged


def match_result(
    manifest: Manifest,
    folder: Path,
    reported: Sequence[ReportedResult],
    pairs: Sequence[PairResult],
    not_compared: Sequence[NotCompared],
) -> MatchResult:
    """What came of the match of a manifest in a folder."""
    findings = [finding for entry in reported for finding in entry.findings]
    about_pairs = (finding for pair in pairs for finding in pair.findings)
    findings += [finding for finding in about_pairs if finding.severity != "info"]
    files = []
    for handle, file in manifest.files.items():
        archive = file.archive and ArchiveOrigin(**dict(file.archive))
        files.append(PackFile(handle=handle, **{**dict(file), "archive": archive}))
    facts = ("id", "title", "synthetic", "licence", "provenance")
    return MatchResult(
        **{name: getattr(manifest, name) for name in facts},
        files=tuple(files),
        reported=tuple(reported),
        pairs=tuple(pairs),
        not_compared=tuple(not_compared),
        findings=tuple(findings),
        manifest=manifest,
        folder=folder,
    )


def verdicts_of(figures: Iterable[Figure]) -> dict[str, int]:
    """How many figures have each verdict."""
    verdicts = Counter(figure.verdict for figure in figures)
    return {word: verdicts[word] for word in (WITHIN, OUTSIDE, OPEN, INCOMPLETE)}


def counted(figures: Iterable[Figure]) -> str:
    """The same in words."""
    return ", ".join(f"{count} {word}" for word, count in verdicts_of(figures).items())
