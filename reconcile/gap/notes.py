"""What a reader has to know beside the rows: findings, each said once and the most important first; and all of a comparison as strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations
from reconcile.scoring.findings import NOTES, Finding


def noted(findings: Iterable[tuple[str, Finding]], players: Iterable[str]) -> list[str]:
    """The findings that are notes, each with what its file is called (empty for all files), of these players."""
    shown = {None, *players}
    chosen = [
        (NOTES.index(one.code), one.note(label))
        for label, one in findings
        if one.code in NOTES and one.player in shown
    ]
    return list(dict.fromkeys(words for _, words in sorted(chosen, key=lambda note: note[0])))


def notes(comparison: Comparison) -> list[str]:
    """The notes of a comparison."""
    left, right = comparison.labels
    labels: Mapping[str | None, str] = {None: "", "left": left, "right": right}
    players = [figure.player for figure in comparison.figures]
    found = noted(((labels[one.side], one) for one in comparison.findings), players)
    return found + ([comparison.settlement.sentence] if comparison.settlement else [])


def story(comparison: Comparison) -> Iterator[str]:
    """Headlines, rows and notes as strings, in reading order."""
    for one in explanations(comparison):
        yield from one.shown().story()
    yield from notes(comparison)
