"""The changes between two results as blocks: verdicts first, then figures, then everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Heading, Toned
from reconcile.report.words import verdict_word
from reconcile.results.changes import NO_FIGURE, ChangedFigure, Changes
from reconcile.scoring.metrics import metric
from reconcile.wording import plural

MOST: Final = 40
"""Most lines of a section; the rest is counted."""
HEADS: Final = {
    "worse": ("Verdicts that got worse", "verdict", "got worse"),
    "waived": ("Verdicts that are better only because more is allowed", "", ""),
    "better": ("Verdicts that got better", "", ""),
    "new": ("Figures that are new", "new figure", "out of tolerance"),
    "gone": ("Figures that are gone", "figure", "within tolerance no longer there"),
    "moved": ("Figures that moved with the same verdict", "", ""),
    "bound": ("Figures of which the tolerance changed", "", ""),
}
"""By change a heading, and what is said of those that fail."""
WORDS: Final = {"left": "left", "right": "right", "gap": "gap", "tolerance": "allowed"}
FACTS: Final = "Findings, tools, rules and files that changed"


def changes_blocks(changes: Changes, *, fail_on: str = "error") -> Iterator[Block]:
    """What changed in a sentence, and a list for every kind of change, the worst first."""
    tone = OUTSIDE if changes.exit_code(fail_on=fail_on) else WITHIN
    yield Heading(Toned(_sentence(changes, fail_on), tone))
    sections: dict[str, list[str]] = {change: [] for change in HEADS}
    parts, new_parts = (
        {place[:-2] for place in side.figures} for side in (changes.old, changes.new)
    )
    apart: dict[tuple[str, str], Counter[str]] = {}
    for figure in changes.figures:
        if figure.where[:-1] in parts & new_parts:
            sections[figure.change].append(_line(figure))
        else:  # of a part that is new or gone their verdicts are enough
            shown = figure.new or figure.old or NO_FIGURE
            verdicts = apart.setdefault((figure.change, ", ".join(figure.where[:-1])), Counter())
            verdicts[verdict_word(shown["verdict"])] += 1
    for (change, part), verdicts in apart.items():
        words = ", ".join(f"{count} {word}" for word, count in sorted(verdicts.items()))
        sections[change].append(f"{part}:  {plural(verdicts.total(), 'figure')} ({words})")
    for change, lines in sections.items():
        yield from _section(HEADS[change][0], lines)
    lines = [
        f"{', '.join(fact.where)}: {fact.old or 'none'} -> {fact.new or 'none'}"
        for fact in changes.facts
    ]
    yield from _section(FACTS, lines)


def _section(head: str, lines: Sequence[str]) -> Iterator[Block]:
    if lines:
        yield Bullets(lines[:MOST], head, more=max(0, len(lines) - MOST))


def _sentence(changes: Changes, fail_on: str) -> str:
    """What changed, in one sentence."""
    name = changes.new.name
    if not (changes.figures or changes.facts):
        return f"{name}: nothing changed in {plural(len(changes.new.figures), 'figure')}."
    counts = Counter[tuple[str, bool]](
        (figure.change, figure.fails(fail_on)) for figure in changes.figures
    )
    bad, mild = [], []
    for change, (_, noun, words) in HEADS.items():
        if failing := counts[change, True]:
            bad.append(f"{plural(failing, noun)} {words}")
        if harmless := counts[change, False]:
            mild.append(f"{harmless} {'worse, not an error' if change == 'worse' else change}")
    parts = [", ".join(bad) or "no verdict got worse"]
    parts += [f"other figures: {', '.join(mild)}"] if mild else []
    parts += [] if changes.figures else ["every figure is the same"]
    return f"{name}: {'; '.join(parts)}."


def _line(figure: ChangedFigure) -> str:
    """A figure, its verdicts, and the numbers that differ with enough digits to see it."""
    name, _, share = figure.metric.partition("@")
    title = metric(name).title + (f", {SHARES[share]}" if share else "")
    parts = [f"{', '.join(figure.where)}:  {title}"]
    old, new = figure.old, figure.new
    if old is None or new is None:
        shown = new or old or NO_FIGURE
        sides = [shown[side] for side in ("left", "right") if shown[side] is not None]
        against = " against ".join(numbers.figure(name, side) for side in sides)
        return "  ".join([*parts, verdict_word(shown["verdict"]), against or "unknown"])
    if old["verdict"] != new["verdict"]:
        parts.append(f"{verdict_word(old['verdict'])} -> {verdict_word(new['verdict'])}")
    is_alone = old["gap"] is None and new["gap"] is None
    for field, word in WORDS.items():
        ends = old[field], new[field]
        texts = [numbers.figure(name, end) for end in ends]
        if field == "gap":
            each = ((side["gap"], side["tolerance"]) for side in (old, new))
            texts = [numbers.gap_and_bound(name, *pair)[0] for pair in each]
        if ends[0] != ends[1] and texts[0] == texts[1]:
            texts = ["-" if end is None else f"{end:.9g}" for end in ends]
        if texts[0] != texts[1]:
            parts.append(f"{'' if is_alone else word} {texts[0]} -> {texts[1]}".lstrip())
    return "  ".join(parts)
