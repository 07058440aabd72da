"""The changes between two results as blocks: verdicts first, then figures, then everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from reconcile.files.wording import plural
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.changes import ChangedFigure, Changes, Path, Value
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Heading, Toned
from reconcile.report.words import verdict_word
from reconcile.scoring.metrics import metric

MOST: Final = 40
"""Most lines of a section; the rest is counted."""
HEADS: Final = {
    "worse": "Verdicts that got worse",
    "waived": "Verdicts that are better only because more is allowed",
    "better": "Verdicts that got better",
    "new": "Figures that are new",
    "gone": "Figures that are gone",
    "moved": "Figures that moved with the same verdict",
    "bound": "Figures of which the tolerance changed",
}
FAILING: Final = {
    "worse": ("verdict", "got worse"),
    "new": ("new figure", "out of tolerance"),
    "gone": ("figure", "within tolerance no longer there"),
}
WORDS: Final = {"left": "left", "right": "right", "gap": "gap", "tolerance": "allowed"}
DIGITS: Final = 6
"""Significant digits of a value that moved by less than reports show."""


def changes_blocks(changes: Changes, *, fail_on: str = "error") -> Iterator[Block]:
    """What changed in a sentence, and a list for every kind of change, the worst first."""
    tone = OUTSIDE if changes.exit_code(fail_on=fail_on) else WITHIN
    yield Heading(Toned(changes_sentence(changes, fail_on=fail_on), tone))
    places = changes.old.places & changes.new.places
    for change, head in HEADS.items():
        lines: dict[str, None] = {}
        for figure in (figure for figure in changes.figures if figure.change == change):
            part = figure.where[:-1]
            lines[_figure(figure) if part in places else _part(changes, part)] = None
        yield from _section(head, list(lines))
    facts = [
        f"{', '.join(fact.where)}: {fact.old or 'none'} -> {fact.new or 'none'}"
        for fact in changes.facts
    ]
    yield from _section("Findings, tools, rules and files that changed", facts)


def changes_sentence(changes: Changes, *, fail_on: str = "error") -> str:
    """What changed, in one sentence."""
    name = changes.new.name
    if not (changes.figures or changes.facts):
        return f"{name}: nothing changed in {plural(changes.new.size, 'figure')}."
    failing = Counter[str](figure.change for figure in changes.figures if figure.fails(fail_on))
    harmless = Counter[str](
        figure.change for figure in changes.figures if not figure.fails(fail_on)
    )
    bad = [
        f"{plural(failing[key], noun)} {rest}"
        for key, (noun, rest) in FAILING.items()
        if failing[key]
    ]
    counted = [
        f"{harmless[key]} {'worse, not an error' if key == 'worse' else key}"
        for key in HEADS
        if harmless[key]
    ]
    parts = [", ".join(bad) or "no verdict got worse"]
    if counted:
        parts.append(f"other figures: {', '.join(counted)}")
    elif not changes.figures:
        parts.append("every figure is the same")
    return f"{name}: {'; '.join(parts)}."


def _section(head: str, lines: list[str]) -> Iterator[Block]:
    if lines:
        yield Bullets(lines[:MOST], head, more=max(0, len(lines) - MOST))


def _part(changes: Changes, part: Path) -> str:
    """A line for a part all of whose figures are new or gone."""
    figures = {**changes.old.figures, **changes.new.figures}
    verdicts = Counter(
        value.verdict for path, value in figures.items() if path[: len(part)] == part
    )
    words = ", ".join(f"{count} {verdict_word(word)}" for word, count in sorted(verdicts.items()))
    return f"{', '.join(part)}:  {plural(verdicts.total(), 'figure')} ({words})"


def _figure(figure: ChangedFigure) -> str:
    name, _, share = figure.metric.partition("@")
    title = metric(name).title + (f", {SHARES[share]}" if share else "")
    old, new = figure.old, figure.new
    parts = [f"{', '.join(figure.where)}:  {title}"]
    value = new or old
    if old is not None and new is not None:
        if old.verdict != new.verdict:
            parts.append(f"{verdict_word(old.verdict)} -> {verdict_word(new.verdict)}")
        parts += _moves(name, old, new)
    elif value is not None:
        shown = [
            numbers.figure(name, side) for side in (value.left, value.right) if side is not None
        ]
        parts += [verdict_word(value.verdict), " against ".join(shown) or "unknown"]
    return "  ".join(parts)


def _moves(name: str, old: Value, new: Value) -> Iterator[str]:
    """The numbers that differ, with enough digits to see it."""
    for field in ("left", "right", "gap", "tolerance"):
        before, after = getattr(old, field), getattr(new, field)
        if before == after:
            continue
        shown = [numbers.figure(name, before), numbers.figure(name, after)]
        if field == "gap":
            shown = [
                numbers.gap_and_bound(name, side.gap, side.tolerance)[0] for side in (old, new)
            ]
        for form in (f".{DIGITS}g", ""):
            if shown[0] == shown[1] and before is not None and after is not None:
                shown = [format(before, form), format(after, form)]
        if shown[0] != shown[1]:
            word = WORDS[field] if {old.gap, new.gap} != {None} else ""
            yield f"{word} {shown[0]} -> {shown[1]}".lstrip()
