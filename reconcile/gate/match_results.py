"""What was found for one reference match: reported figures, pairs and candidates, judged; and what could not be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from reconcile.document import FIRST, HIDDEN, Document, Key, Positive, Sha256, Text, within
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, WITHIN, Figure
from reconcile.gate.candidates.judgement import CandidateResult, NotCompared, NotComparedParts
from reconcile.gate.kept import Again
from reconcile.gate.manifest import SHORTEST_ORIGIN, Manifest, Pair, Reported
from reconcile.notebook import one_line
from reconcile.results.comparison import ComparisonDocument, briefly
from reconcile.scoring.findings import Finding

Written = Annotated[str, within(min_length=SHORTEST_ORIGIN)]


@dataclass(frozen=True, slots=True)
class PackageOrigin(Document):
    """A source distribution on a package index, and the member of it that is the file."""

    name: str
    """Its name on the index."""
    version: str
    """Its version."""
    sha256: Sha256
    """SHA-256 of the archive."""
    bytes: Positive
    """Size of the archive."""
    member: str
    """The file's name in the archive."""
    licence: str
    """Name in the archive of the licence's text."""


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
    package: PackageOrigin | None
    """The package that it is taken from; null if it is none."""


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
    """Shares of gaps for which the table has a bound; between a tool's figure and ours the whole gap is reporting."""
    findings: Annotated[tuple[Finding, ...], HIDDEN] = ()
    """About overrides and known gaps."""

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures, in the order of the manifest, and the shares of their gaps."""
        return *self.figures, *self.shares


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair of files compared."""

    pair: Pair
    kept: Again[Comparison]
    gates: bool
    judged: tuple[Figure, ...]
    """The figures of the comparison that count for the verdict."""
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, pair: Pair, again: Again[Comparison]) -> PairResult:
        """What was found for a pair of a manifest. Raises what the comparison raises."""
        comparison = again()
        return cls(pair, again, pair.judged_by is not None, comparison.judged, comparison.findings)

    @property
    def comparison(self) -> Comparison:
        """The comparison itself, with both matches: large, so that it is not held in memory."""
        return self.kept()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair(ComparisonDocument):
    """A comparison and its tolerance table."""

    judged_by: Annotated[str | None, FIRST]
    """A tolerance table; null for a pair that is explained, not judged."""


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
    pairs: Annotated[tuple[PairResult, ...], Key(shown="judged_pairs", kind=tuple[JudgedPair, ...])]
    """Pairs of files, compared."""
    candidates: tuple[CandidateResult, ...] = ()
    """The output of a program under test for the match, compared with a file of it."""
    not_compared: NotComparedParts
    """Parts that could not be compared; in results of version 0.1, a line for each."""
    findings: tuple[Finding, ...]
    """Findings about its reported figures and its pairs."""
    manifest: Annotated[Manifest, HIDDEN]
    folder: Annotated[Path, HIDDEN]
    """Where its manifest is."""

    def __repr__(self) -> str:
        return one_line(
            self, f"{self.id}: {counted(self.figures)}, {len(self.not_compared)} not compared"
        )

    @property
    def parts(self) -> Iterator[tuple[str, tuple[Figure, ...]]]:
        """The figures that gate with what they were judged as: `reported xg`, `xg against gnubg`, `candidate NAME`."""
        for reported in self.reported:
            yield f"reported {reported.file}", reported.judged
        for pair in self.pairs:
            if pair.gates:
                yield f"{pair.pair.left} against {pair.pair.right}", pair.judged
        for candidate in self.candidates:
            yield candidate.suite, candidate.judged

    @property
    def nothing_here(self) -> bool:
        """Whether files that were not found are all there is to say about the match."""
        return (
            bool(self.not_compared)
            and not any(self.figures)
            and not self.pairs
            and all(one.is_absent for one in self.not_compared)
        )

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What should have worked and did not; the exit code is 2."""
        return tuple(one for one in self.not_compared if one.is_failure)

    @property
    def listed(self) -> tuple[Reported, ...]:
        """The reported figures that are shown and not judged."""
        return tuple(entry for entry in self.manifest.reported if entry.table is None)

    @property
    def unjudged(self) -> Iterator[tuple[CandidateResult, Figure]]:
        """The figures that candidates give and nothing bounds, each after its candidate."""
        yield from (
            (candidate, figure) for candidate in self.candidates for figure in candidate.unjudged
        )

    @property
    def judged_pairs(self) -> tuple[JudgedPair, ...]:
        """The comparisons; they name the files as the manifest does, wherever the pack is installed."""
        return tuple(map(self._judged_pair, self.pairs))

    def _judged_pair(self, one: PairResult) -> JudgedPair:
        left, right = (
            self.manifest.files[handle].name for handle in (one.pair.left, one.pair.right)
        )
        named = {
            "left": replace(one.comparison.left, path=left),
            "right": replace(one.comparison.right, path=right),
        }
        return briefly(JudgedPair, one.comparison, judged_by=one.pair.judged_by, **named)

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that count for the verdict."""
        for _, figures in self.parts:
            yield from figures


def match_result(
    manifest: Manifest,
    folder: Path,
    reported: Sequence[ReportedResult],
    pairs: Sequence[PairResult],
    not_compared: Sequence[NotCompared],
) -> MatchResult:
    """What was found for the match of a manifest in a folder."""
    found = [finding for one in reported for finding in one.findings]
    found += [finding for pair in pairs for finding in pair.findings if finding.severity != "info"]
    return MatchResult(
        id=manifest.id,
        title=manifest.title,
        synthetic=manifest.synthetic,
        licence=manifest.licence,
        provenance=manifest.provenance,
        files=tuple(
            PackFile(
                handle=handle,
                **dict(file) | {"package": file.package and PackageOrigin(**dict(file.package))},
            )
            for handle, file in manifest.files.items()
        ),
        reported=tuple(reported),
        pairs=tuple(pairs),
        not_compared=tuple(not_compared),
        findings=tuple(found),
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
