"""The changes between two results as blocks: verdicts first, then figures, then everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from reconcile.files.wording import plural
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import OUTSIDE, UNGATED, WITHIN
from reconcile.gate.changes import (
    Bound,
    ChangedFigure,
    ChangedFinding,
    ChangedPart,
    ChangedSource,
    Changes,
    differ,
)
from reconcile.gate.flat import Value
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Heading, Toned
from reconcile.report.words import step_name, verdict_word
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
}
DIGITS: Final = 6
"""Significant digits of a value that moved by less than reports show."""

One = TypeVar("One")


def changes_blocks(found: Changes, *, fail_on: str = "error") -> Iterator[Block]:
    """What changed in a sentence, and a list for every kind of change, the worst first."""
    yield Heading(
        Toned(
            changes_sentence(found, fail_on=fail_on),
            OUTSIDE if found.exit_code(fail_on=fail_on) else WITHIN,
        )
    )
    yield from _sections(found)


def changes_sentence(found: Changes, *, fail_on: str = "error") -> str:
    """What changed, in one sentence."""
    failing = [figure for figure in found.figures if figure.fails(fail_on=fail_on)]
    counts = {
        name: sum(figure.change == name for figure in failing) for name in ("worse", "new", "gone")
    }
    words = (
        (counts["worse"], "verdict", "got worse"),
        (counts["new"], "new figure", "out of tolerance"),
        (counts["gone"], "figure", "within tolerance no longer there"),
    )
    bad = [f"{plural(count, noun)} {rest}" for count, noun, rest in words if count]
    harmless = {
        name: sum(
            figure.change == name and not figure.fails(fail_on=fail_on) for figure in found.figures
        )
        for name in HEADS
    }
    others = [
        f"{count} {'worse, not an error' if name == 'worse' else name}"
        for name, count in harmless.items()
        if count
    ]
    if not (
        found.figures or found.tolerances or found.findings or found.sources or found.not_compared
    ):
        return f"{found.new.name}: nothing changed in {plural(found.new.size, 'figure')}."
    rest = (
        f"other figures: {', '.join(others)}"
        if others
        else ""
        if found.figures
        else "every figure is the same"
    )
    return f"{found.new.name}: {'; '.join(filter(None, (', '.join(bad) or 'no verdict got worse', rest)))}."


def _sections(found: Changes) -> Iterator[Block]:
    for name, head in HEADS.items():
        chosen = [figure for figure in found.figures if figure.change == name]
        if name in ("new", "gone"):
            yield from _section(head, list(_together(found, chosen)), str)
        else:
            yield from _section(head, chosen, _figure)
    yield from _section(
        "Tolerances that changed",
        found.tolerances,
        lambda one: (
            f"{metric_title(one.metric)}  {_bound(one.old)} -> {_bound(one.new)}  for {plural(one.figures, 'figure')}"
        ),
    )
    others: tuple[tuple[str, Sequence[Any], Callable[[Any], str]], ...] = (
        ("Findings that are new", [one for one in found.findings if one.old is None], _finding),
        ("Findings that are gone", [one for one in found.findings if one.new is None], _finding),
        ("Findings that changed", [one for one in found.findings if one.old and one.new], _finding),
        (
            "Parts that are no longer compared",
            [one for one in found.not_compared if one.old is None],
            _absent,
        ),
        (
            "Parts that are compared again",
            [one for one in found.not_compared if one.new is None],
            _absent,
        ),
        ("Tools, rules and files that changed", found.sources, _source),
    )
    for head, entries, line in others:
        yield from _section(head, entries, line)


def _together(found: Changes, chosen: Sequence[ChangedFigure]) -> Iterator[str]:
    """A line for each figure, or a single line if all figures of a part are new or gone."""
    parts = {key[:2] for key in found.old.figures} & {key[:2] for key in found.new.figures}
    groups: dict[tuple[str, str], list[ChangedFigure]] = {}
    for one in chosen:
        groups.setdefault((one.match, one.judged), []).append(one)
    for part, ones in groups.items():
        if part in parts:
            yield from map(_figure, ones)
        else:
            verdicts = Counter(
                value.verdict
                for one in ones
                for value in (one.new or one.old,)
                if value is not None
            )
            words = ", ".join(
                f"{count} {verdict}"
                for verdict, count in sorted(verdicts.items())
                if verdict != UNGATED
            )
            yield f"{', '.join(filter(None, part))}:  {plural(len(ones), 'figure')}{f' ({words})' if words else ''}"


def _section(head: str, entries: Sequence[One], line: Callable[[One], str]) -> Iterator[Block]:
    if entries:
        yield Bullets([line(one) for one in entries[:MOST]], head, more=max(0, len(entries) - MOST))


def _figure(one: ChangedFigure) -> str:
    name = one.metric
    parts = [f"{metric_title(name)}  {one.player}"]
    old, new = one.old, one.new
    if old is not None and new is not None:
        if old.verdict != new.verdict:
            parts.append(f"{verdict_word(old.verdict)} -> {verdict_word(new.verdict)}")
        for label, word in _labels(one).items():
            before, now = getattr(old, label), getattr(new, label)
            if differ(before, now):
                bounds = (old.tolerance, new.tolerance) if label == "gap" else None
                parts.append(f"{word} {_move(name, before, now, bounds)}".lstrip())
        if new.tolerance is not None:
            parts.append(f"allowed {numbers.gap_and_bound(plain(name), None, new.tolerance)[1]}")
        moved = [
            f"{step_name(code)} {numbers.change(plain(name), (new.steps.get(code, 0.0)) - old.steps.get(code, 0.0))}"
            for code in dict.fromkeys((*old.steps, *new.steps))
            if differ(old.steps.get(code, 0.0), new.steps.get(code, 0.0))
        ]
        if moved and all(
            one.steps or one.gap == 0 for one in (old, new)
        ):  # where there is no gap, no step moves anything
            parts.append(f"({', '.join(moved)})")
    else:
        parts.append(_alone(name, new or old))
    where = ", ".join(filter(None, (one.match, one.judged)))
    return "  ".join([*([f"{where}:"] if where else []), *parts])


def _labels(one: ChangedFigure) -> dict[str, str]:
    """The names of its numbers; a figure of statistics has only one."""
    if (
        one.new is not None
        and one.old is not None
        and one.new.right is None
        and one.old.right is None
        and one.new.gap is None
    ):
        return {"left": ""}
    sides = {"reported": ("reported", "ours"), "candidate": ("reference", "candidate")}.get(
        one.judged.partition(" ")[0], ("left", "right")
    )
    return dict(zip(("left", "right", "gap"), (*sides, "gap"), strict=True))


def _alone(name: str, value: Value | None) -> str:
    if value is None:
        return ""
    shown = [
        numbers.figure(plain(name), number)
        for number in (value.left, value.right)
        if number is not None
    ]
    return "  ".join(
        [
            *([] if value.verdict == UNGATED else [value.verdict]),
            " against ".join(shown) or "unknown",
        ]
    )


def _move(
    name: str,
    old: float | None,
    new: float | None,
    bounds: tuple[float | None, float | None] | None,
) -> str:
    """Both values, with enough digits to see the difference, and of gaps on which side of its bound each is."""
    if bounds is None:
        a, b = numbers.figure(plain(name), old), numbers.figure(plain(name), new)
    else:
        a, b = (
            numbers.gap_and_bound(plain(name), gap, bound)[0]
            for gap, bound in zip((old, new), bounds, strict=True)
        )
    if a == b and old is not None and new is not None:
        a, b = f"{old:.{DIGITS}g}", f"{new:.{DIGITS}g}"
        if a == b:
            a, b = repr(old), repr(new)
    return f"{a} -> {b}"


def plain(name: str) -> str:
    """The metric of a figure or of a share of its gap."""
    return name.partition("@")[0]


def metric_title(name: str) -> str:
    """`PR`, or `PR, analysis` for a share of its gap, as every form calls it."""
    share = name.partition("@")[2]
    return metric(plain(name)).title + (f", {SHARES[share]}" if share else "")


def _bound(one: Bound) -> str:
    return verdict_word(UNGATED) if one.tolerance is None else f"{one.tolerance:g} ({one.level})"


def _finding(one: ChangedFinding) -> str:
    where = ", ".join(filter(None, (one.match, one.judged, one.side)))
    text = f"{one.old} -> {one.new}" if one.old and one.new else one.new or one.old or ""
    return f"{where}: {text} ({one.code})" if where else f"{text} ({one.code})"


def _absent(one: ChangedPart) -> str:
    return ": ".join(
        filter(None, (", ".join(filter(None, (one.match, one.judged))), one.new or one.old))
    )


def _source(one: ChangedSource) -> str:
    where = ", ".join(filter(None, (one.match, one.judged, one.side)))
    words = {"sha256": "SHA-256", "met": "match equity table"}.get(one.what, one.what)
    short = 12 if one.what == "sha256" else None
    old, new = ("none" if value is None else value[:short] for value in (one.old, one.new))
    return f"{where}: {words} {old} -> {new}" if where else f"{words} {old} -> {new}"
