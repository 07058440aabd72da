"""The changes between two results as blocks: verdicts first, then figures, then everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.changes import ChangedFigure, Changes, Value
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Heading, Toned
from reconcile.report.words import verdict_word
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
FACTS: Final = "Findings, tools, rules and files that changed"


def changes_blocks(changes: Changes, *, fail_on: str = "error") -> Iterator[Block]:
    """What changed in a sentence, and a list for every kind of change, the worst first."""
    tone = OUTSIDE if changes.exit_code(fail_on=fail_on) else WITHIN
    yield Heading(Toned(changes_sentence(changes, fail_on=fail_on), tone))
    sections: dict[str, dict[str, None]] = {head: {} for head, *_ in HEADS.values()}
    places = changes.old.places & changes.new.places
    for figure in changes.figures:
        part = figure.where[:-1]
        text = _figure(figure) if part in places else _part(changes, part)
        sections[HEADS[figure.change][0]][text] = None
    sections[FACTS] = {
        f"{', '.join(fact.where)}: {fact.old or 'none'} -> {fact.new or 'none'}": None
        for fact in changes.facts
    }
    for head, lines in sections.items():
        if lines:
            yield Bullets(list(lines)[:MOST], head, more=max(0, len(lines) - MOST))


def changes_sentence(changes: Changes, *, fail_on: str = "error") -> str:
    """What changed, in one sentence."""
    name = changes.new.name
    if not (changes.figures or changes.facts):
        return f"{name}: nothing changed in {plural(changes.new.size, 'figure')}."
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


def _part(changes: Changes, part: tuple[str, ...]) -> str:
    """A line for a part all of whose figures are new or gone."""
    figures = {**changes.old.figures, **changes.new.figures}.items()
    verdicts = Counter(value.verdict for path, value in figures if path[: len(part)] == part)
    words = ", ".join(f"{count} {verdict_word(word)}" for word, count in sorted(verdicts.items()))
    return f"{', '.join(part)}:  {plural(verdicts.total(), 'figure')} ({words})"


def _figure(figure: ChangedFigure) -> str:
    """A line for a figure: its verdicts, and the numbers that differ."""
    name, _, share = figure.metric.partition("@")
    title = metric(name).title + (f", {SHARES[share]}" if share else "")
    old, new = figure.old, figure.new
    parts = [f"{', '.join(figure.where)}:  {title}"]
    if old is not None and new is not None:
        if old.verdict != new.verdict:
            parts.append(f"{verdict_word(old.verdict)} -> {verdict_word(new.verdict)}")
        parts += _moves(name, old, new)
    elif (value := new or old) is not None:
        sides = [side for side in (value.left, value.right) if side is not None]
        shown = " against ".join(numbers.figure(name, side) for side in sides)
        parts += [verdict_word(value.verdict), shown or "unknown"]
    return "  ".join(parts)


def _moves(name: str, old: Value, new: Value) -> Iterator[str]:
    """The numbers that differ, with enough digits to see it."""
    for field, word in (("left",) * 2, ("right",) * 2, ("gap",) * 2, ("tolerance", "allowed")):
        ends = [getattr(side, field) for side in (old, new)]
        shown = [numbers.figure(name, end) for end in ends]
        if field == "gap":
            bounds = [(side.gap, side.tolerance) for side in (old, new)]
            shown = [numbers.gap_and_bound(name, *bound)[0] for bound in bounds]
        if ends[0] != ends[1] and shown[0] == shown[1]:
            shown = ["-" if end is None else f"{end:.9g}" for end in ends]
        if shown[0] != shown[1]:
            is_alone = old.gap is None and new.gap is None
            yield f"{'' if is_alone else word} {shown[0]} -> {shown[1]}".lstrip()
