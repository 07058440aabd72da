"""The changes between two results as blocks: a sentence, and a list for every kind of change, the
worst first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.gap.verdict import OUTSIDE, UNGATED, WITHIN
from reconcile.gap.walk import SHARES
from reconcile.gate.changes import ChangedFigure, Changes, Figure
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Heading, Marked
from reconcile.report.words import verdict_word
from reconcile.scoring.figures import metric
from reconcile.wording import plural

MOST: Final = 40
"""Most lines of a section; the rest is counted."""
HEADS: Final = {
    "worse": "Figures that got worse",
    "gone": "Figures that are gone",
    "better": "Figures that got better",
    "new": "Figures that are new",
    "moved": "Figures that moved with the same verdict",
}


def changes_blocks(changes: Changes, *, fail_on: str = "error") -> Iterator[Block]:
    """What changed in a sentence, the versions, and the figures by kind of change."""
    kinds = [figure.change for figure in changes.figures]
    counts = [f"{kinds.count(kind)} {kind}" for kind in HEADS if kind in kinds]
    words = ", ".join(counts) if counts else f"nothing changed in {_size(changes)}"
    tone = OUTSIDE if changes.exit_code(fail_on=fail_on) else WITHIN
    yield Heading(Marked(f"{changes.new.name}: {words}.", tone))
    versions = [f"{each.tool}: {each.old} -> {each.new}" for each in changes.versions]
    if versions:
        yield Bullets(versions, "Other versions")
    for kind, head in HEADS.items():
        lines = [_line(figure) for figure in changes.figures if figure.change == kind]
        if lines:
            yield Bullets(lines[:MOST], head, more=max(0, len(lines) - MOST))


def _size(changes: Changes) -> str:
    return plural(len(changes.new.figures), "figure")


def _line(changed: ChangedFigure) -> str:
    """A figure, its verdicts where they differ, and its numbers with enough digits to see the
    difference."""
    name, _, share = changed.figure.partition("@")
    title = metric(name).title + (f", {SHARES[share]}" if share else "")
    ends = [figure for figure in (changed.old, changed.new) if figure]
    verdicts = list(dict.fromkeys(verdict_word(figure.verdict) for figure in ends))
    texts = [_numbers(figure, name, exact=False) for figure in ends]
    if len({*texts}) < len(ends):
        texts = [_numbers(figure, name, exact=True) for figure in ends]
    parts = [", ".join(filter(None, (changed.match, changed.player))) + f":  {title}"]
    if len(verdicts) > 1 or (len(ends) == 1 and ends[0].verdict != UNGATED):
        parts.append(" -> ".join(verdicts))
    return "  ".join([*parts, " -> ".join(dict.fromkeys(texts))])


def _numbers(figure: Figure, name: str, *, exact: bool) -> str:
    sides = [side for side in (figure.left, figure.right) if side is not None]
    texts = [f"{side:.9g}" if exact else numbers.figure(name, side) for side in sides]
    return " against ".join(texts) or "unknown"
