"""The results for a pack of reference matches: frozen values that every output renders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN, Figure
from reconcile.gate.candidates.judgement import CandidateResult
from reconcile.gate.manifest import Manifest, Pair
from reconcile.scoring.findings import Finding


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """Reported figures of one file compared with ours."""

    file: str
    rules: str
    table: str
    source: str
    figures: tuple[Figure, ...]
    """`left` is the tool's figure, `right` is ours; in the order of the manifest."""
    entry: int
    """Which of the manifest's `reported` it is."""
    shares: tuple[Figure, ...] = ()
    """Shares of gaps for which the table has a bound; between a tool's figure and ours the whole gap is reporting."""
    findings: tuple[Finding, ...] = ()
    """About overrides and known gaps."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair of files compared."""

    pair: Pair
    comparison: Comparison
    gates: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Everything found for one reference match."""

    manifest: Manifest
    folder: Path
    reported: tuple[ReportedResult, ...]
    pairs: tuple[PairResult, ...]
    not_compared: tuple[str, ...]
    """Reasons, one for every set of figures, pair or candidate that could not be compared."""
    candidates: tuple[CandidateResult, ...] = ()

    @property
    def findings(self) -> Iterator[Finding]:
        """The findings of its reported figures and its pairs."""
        for reported in self.reported:
            yield from reported.findings
        for pair in self.pairs:
            yield from (finding for finding in pair.comparison.findings if finding.severity != "info")

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that count for the verdict."""
        for reported in self.reported:
            yield from reported.figures
            yield from reported.shares
        for pair in self.pairs:
            if pair.gates:
                yield from pair.comparison.judged
        for candidate in self.candidates:
            yield from candidate.judged


@dataclass(frozen=True, slots=True)
class PackResult:
    """Everything found for a pack."""

    name: str
    matches: tuple[MatchResult, ...]
    findings: tuple[Finding, ...] = ()
    """About the tolerances: bounds that are far too wide, and exceptions that apply to nothing that was judged."""
    not_compared: tuple[str, ...] = ()
    """Reasons, one for every part of a candidate that belongs to no match of the pack."""
    failed: tuple[str, ...] = ()
    """Why a program under test gave no figures, one line per failed run."""

    @property
    def summary(self) -> dict[str, int]:
        """How many figures are within, outside, incomplete; how many parts were not compared."""
        verdicts = [figure.verdict for match in self.matches for figure in match.figures]
        return {
            "within": verdicts.count(WITHIN),
            "outside": verdicts.count(OUTSIDE),
            "incomplete": verdicts.count(INCOMPLETE),
            "not_compared": sum(len(match.not_compared) for match in self.matches) + len(self.not_compared),
        }

    @property
    def verdict(self) -> str:
        """`within` or `outside`; never `within` if a program under test failed."""
        failing = any(figure.verdict == OUTSIDE and figure.level == "error" for match in self.matches for figure in match.figures)
        return OUTSIDE if failing or self.failed else WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not, 2 if a program under test failed.

        With `strict`, incomplete figures and parts that were not compared also fail; with `fail_on="warn"`, level warn does.
        """
        if self.failed:
            return 2
        levels = ("error", "warn") if fail_on == "warn" else ("error",)
        failing = any(figure.verdict == OUTSIDE and figure.level in levels for match in self.matches for figure in match.figures)
        summary = self.summary
        return int(failing or (strict and summary["incomplete"] + summary["not_compared"] > 0))
