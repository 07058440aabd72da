"""What was found for a pack of reference matches: frozen results that every output renders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN, Figure
from reconcile.gate.candidates.judgement import CandidateResult, NotCompared
from reconcile.gate.manifest import Manifest, Pair
from reconcile.scoring.findings import Finding


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """Reported figures of one file against ours."""

    file: str
    rules: str
    table: str
    source: str
    figures: tuple[Figure, ...]
    """`left` is what the tool reported, `right` is ours; in the order of the manifest."""
    entry: int
    """Which of the manifest's `reported` it is."""
    shares: tuple[Figure, ...] = ()
    """Shares of gaps that the table bounds; between a tool's figure and ours all of a gap is reporting."""
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
    not_compared: tuple[NotCompared, ...]
    """Reasons, one for every file set, pair or candidate that could not be looked at."""
    candidates: tuple[CandidateResult, ...] = ()

    @property
    def nothing_here(self) -> bool:
        """Whether files that were not found are all there is to say about the match."""
        return bool(self.not_compared) and not any(self.figures) and not self.pairs and all(one.is_absent for one in self.not_compared)

    @property
    def findings(self) -> Iterator[Finding]:
        """What is worth telling of its reported figures and its pairs."""
        for reported in self.reported:
            yield from reported.findings
        for pair in self.pairs:
            yield from (finding for finding in pair.comparison.findings if finding.severity != "info")

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that gate."""
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
    """About the tolerances: those that are far too wide, and exceptions about nothing that was judged."""
    not_compared: tuple[NotCompared, ...] = ()
    """Reasons, one for every part of a candidate that is about no match of the pack."""
    failed: tuple[str, ...] = ()
    """What a program under test did instead of giving figures, a line for each run."""

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
        """`within` or `outside`; a program under test that failed is never within."""
        failing = any(figure.verdict == OUTSIDE and figure.level == "error" for match in self.matches for figure in match.figures)
        return OUTSIDE if failing or self.failed else WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not, 2 where a program under test failed.

        With `strict` incomplete figures and what was not compared fail, too, with `fail_on="warn"` level warn.
        """
        if self.failed:
            return 2
        levels = ("error", "warn") if fail_on == "warn" else ("error",)
        failing = any(figure.verdict == OUTSIDE and figure.level in levels for match in self.matches for figure in match.figures)
        summary = self.summary
        return int(failing or (strict and summary["incomplete"] + summary["not_compared"] > 0))
