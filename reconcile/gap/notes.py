"""What a reader has to know beside the rows: findings, each said once and the most important first;
and all of a comparison as strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations
from reconcile.scoring.findings import NOTES, Finding


def noted(findings: Iterable[tuple[str, Finding]], players: Iterable[str]) -> list[str]:
    """The findings that are notes, each with what its file is called (empty for all files), of
    these players."""
    shown = {None, *players}
    chosen = [
        (NOTES.index(finding.code), finding.note(label))
        for label, finding in findings
        if finding.code in NOTES and finding.player in shown
    ]
    return list(dict.fromkeys(words for _, words in sorted(chosen, key=lambda note: note[0])))


def notes(comparison: Comparison) -> list[str]:
    """The notes of a comparison."""
    left, right = comparison.labels
    labels: Mapping[str | None, str] = {None: "", "left": left, "right": right}
    players = [figure.player for figure in comparison.figures]
    findings = ((labels[finding.side], finding) for finding in comparison.findings)
    settlement = comparison.settlement
    return noted(findings, players) + ([settlement.sentence] if settlement else [])


def story(comparison: Comparison) -> Iterator[str]:
    """Headlines, rows and notes as strings, in reading order."""
    for explanation in explanations(comparison):
        yield from explanation.shown().story()
    yield from notes(comparison)
