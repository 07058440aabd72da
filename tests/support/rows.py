"""The laws of the rows of a gap: they add up, nothing large is left out, and exchanged sides have
the mirror image."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import LARGE, MOST_NAMED, ExplainedGap, GapRow, explanations
from reconcile.scoring.metrics import METRICS

CLOSE = 1e-9


def value(printed: str) -> int:
    """Hundredths of what is printed."""
    return round(100 * float(printed.replace("\N{MINUS SIGN}", "-")))


def faults(comparison: Comparison) -> list[str]:
    """Everything about the rows of a comparison that breaks a law; nothing where they keep all."""
    wrong = []
    for explanation in explanations(comparison):
        wrong += [f"{explanation.player}: {fault}" for fault in _of_one(comparison, explanation)]
    return wrong


def _of_one(comparison: Comparison, explanation: ExplainedGap) -> Iterator[str]:
    if explanation.start is None or explanation.end is None:
        if explanation.rows:
            yield "rows without a figure"
        return
    shown = METRICS[explanation.metric].shown
    total = sum(row.change for row in explanation.rows)
    difference = explanation.end - explanation.start
    if not math.isclose(total, difference, abs_tol=CLOSE):
        yield f"{total} of {difference}"
    printed = value(shown(explanation.end)) - value(shown(explanation.start))
    if sum(value(row.printed) for row in explanation.rows) != printed:
        yield f"{[row.printed for row in explanation.rows]} of {printed} hundredths"
    sizes = [abs(row.change) for row in explanation.rows if row.kind != "rest"]
    if any(first < second - CLOSE for first, second in pairwise(sizes)):
        yield f"not by size: {sizes}"
    kinds = [row.kind for row in explanation.rows]
    if (
        "rest" in kinds[:-1]
        or len([row for row in explanation.rows if row.kind == "decision"]) > MOST_NAMED
    ):
        yield f"kinds {kinds}"
    for row in explanation.rows:
        if row.kind != "rest" and value(row.printed) != value(f"{row.change:.2f}"):
            yield f"{row.change} is printed as {row.printed}"
    yield from _left_out(comparison, explanation)


def _left_out(comparison: Comparison, explanation: ExplainedGap) -> Iterator[str]:
    """No decision left out is larger than a named one, nor large while there is room; each named
    one is its share of the ledger."""
    seat = comparison.walk.left.match.names.index(explanation.player)
    bridge = comparison.walk.bridge(explanation.metric, seat)
    engine = [
        vector for code, vector in bridge.contributions.items() if code in ("engine", "listed")
    ]
    moved = np.sum(engine, axis=0) if engine else np.zeros(len(comparison.walk.items))
    places: dict[tuple[object, ...], list[float]] = {}
    for item in np.flatnonzero(moved).tolist():
        places.setdefault(comparison.walk.items.place(item), []).append(float(moved[item]))
    named = [row for row in explanation.rows if row.kind == "decision"]
    for row in named:
        changes = places[row.game, row.turn, row.decision]
        if not any(math.isclose(change, row.change, abs_tol=CLOSE) for change in changes):
            yield f"{row.text}: {row.change}, in the ledger {changes}"
    rest = [row for row in explanation.rows if row.kind == "rest"]
    largest = abs(rest[0].largest or 0.0) if rest else 0.0
    if named and largest > min(abs(row.change) for row in named) + CLOSE:
        yield f"{largest} is left, and smaller ones are named"
    if len(named) < MOST_NAMED and largest >= LARGE + CLOSE:
        yield f"{largest} is left, and {len(named)} are named"
    number = sum(len(changes) for changes in places.values())
    capped = any(row.kind == "cap" for row in explanation.rows)
    if rest and not capped and rest[0].count + len(named) != number:
        yield f"{rest[0].count} and {len(named)} of {number} decisions"


def unmirrored(there: Comparison, back: Comparison) -> list[str]:
    """What is not the mirror image where the sides are exchanged, whatever the files call the
    players."""
    mirrors = {mirror.player: mirror for mirror in explanations(back)}
    names, theirs = (bridge.walk.left.match.names for bridge in (there, back))
    wrong = []
    for explanation in explanations(there):
        other = mirrors.get(theirs[there.pairing.seats[names.index(explanation.player)]])
        if other is None:
            wrong.append(f"{explanation.player} is missing")
            continue
        if (explanation.start, explanation.end, explanation.metric) != (
            other.end,
            other.start,
            other.metric,
        ):
            wrong.append(f"{explanation.player}: {explanation.headline} / {other.headline}")
        rows, mirrored = [
            [_key(row, sign, places=not there.pairing.differences) for row in shown.rows]
            for shown, sign in ((explanation, 1), (other, -1))
        ]
        if sorted(map(str, rows)) != sorted(map(str, mirrored)):
            wrong.append(f"{explanation.player}: {rows} / {mirrored}")
    return wrong


def _key(row: GapRow, sign: int, *, places: bool) -> tuple[object, ...]:
    """A row as the left side has it; without its place where turns may have other numbers."""
    sides = (row.left, row.right)[::sign]
    text = row.text if places or row.kind != "decision" else ""
    return row.kind, sign * value(row.printed), text, *sides, row.count
