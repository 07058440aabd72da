"""The laws of the rows of a gap: they add up, nothing large is left out, and exchanged sides have
the mirror image."""

import math
from collections import defaultdict

import numpy as np

from reconcile.gap.explanation import LARGE, MOST_NAMED, explanations
from reconcile.scoring.figures import METRICS

CLOSE = 1e-9


def value(printed):
    """Hundredths of what is printed."""
    return round(100 * float(printed.replace("\N{MINUS SIGN}", "-")))


def faults(comparison):
    """Everything about the rows of a comparison that breaks a law; nothing where they keep all."""
    return [
        f"{explanation.player}: {fault}"
        for explanation in explanations(comparison)
        for fault in (*_sums_and_order(explanation), *_left_out(comparison, explanation))
    ]


def _sums_and_order(explanation):
    start, end, rows = explanation.start, explanation.end, explanation.rows
    if start is None or end is None:
        if rows:
            yield "rows without a figure"
        return
    total = sum(row.change for row in rows)
    if not math.isclose(total, end - start, abs_tol=CLOSE):
        yield f"{total} of {end - start}"
    shown = METRICS[explanation.metric].shown
    printed = value(shown(end)) - value(shown(start))
    if sum(value(row.printed) for row in rows) != printed:
        yield f"{[row.printed for row in rows]} of {printed} hundredths"
    named = [row for row in rows if row.kind != "rest"]
    sizes = [abs(row.change) for row in named]
    if np.any(np.diff(sizes) > CLOSE):
        yield f"not by size: {sizes}"
    if named != list(rows[: len(named)]) or len(rows) > len(named) + 1:
        yield f"kinds {[row.kind for row in rows]}"
    for row in named:
        if value(row.printed) != value(f"{row.change:.2f}"):
            yield f"{row.change} is printed as {row.printed}"


def _left_out(comparison, explanation):
    """No decision left out is larger than a named one, nor large while there is room; each named
    one is its share of the ledger."""
    if not explanation.rows:
        return
    walk = comparison.walk
    bridge = walk.bridge(explanation.metric, walk.left.match.names.index(explanation.player))
    places = defaultdict(list)
    moved = bridge.contributions.get("engine", np.zeros(1))
    for decision in np.flatnonzero(moved).tolist():
        places[walk.aligned.place(decision)].append(float(np.asarray(moved)[decision]))
    named = [row for row in explanation.rows if row.kind == "decision"]
    for row in named:
        changes = places[row.place]
        if not any(math.isclose(change, row.change, abs_tol=CLOSE) for change in changes):
            yield f"{row.text}: {row.change}, in the ledger {changes}"
    rest = [row for row in explanation.rows if row.kind == "rest"]
    largest = max([abs(row.largest or 0.0) for row in rest], default=0.0)
    smallest = LARGE if len(named) < MOST_NAMED else math.inf
    if largest > min([smallest, *(abs(row.change) for row in named)]) + CLOSE:
        yield f"{largest} is left, and {len(named)} are named, smaller ones too"
    left = [change for changes in places.values() for change in changes]
    number, capped = len(left), any(row.kind == "cap" for row in explanation.rows)
    for row in named:
        left.pop(np.argmin(np.abs(np.array(left) - row.change)))
    for row in rest if left and not capped else ():
        counts = sum(change > 0 for change in left), sum(change < 0 for change in left)
        if (row.up, row.down, abs(row.largest)) != (*counts, max(map(abs, left))):
            yield f"{row} of {left}"
    if len(named) > MOST_NAMED or (rest and not capped and rest[0].count + len(named) != number):
        yield f"{rest} and {len(named)} of {number} decisions"


def unmirrored(there, back):
    """What is not the mirror image where the sides are exchanged, whatever the files call the
    players."""
    mirrors = {mirror.player: mirror for mirror in explanations(back)}
    names, theirs = (bridge.walk.left.match.names for bridge in (there, back))
    places = not there.pairing.differences
    wrong = []
    for here in explanations(there):
        other = mirrors[theirs[there.pairing.seats[names.index(here.player)]]]
        if (here.start, here.end, here.metric) != (other.end, other.start, other.metric):
            wrong.append(f"{here.player}: {here.headline} / {other.headline}")
        rows = sorted(str(_key(row, 1, places=places)) for row in here.rows)
        mirrored = sorted(str(_key(row, -1, places=places)) for row in other.rows)
        if rows != mirrored:
            wrong.append(f"{here.player}: {rows} / {mirrored}")
    return wrong


def _key(row, sign, *, places):
    """A row as the left side has it; without its place where turns may have other numbers."""
    sides = (row.left, row.right)[::sign]
    text = row.text if places or row.kind != "decision" else ""
    return row.kind, sign * value(row.printed), text, *sides, row.count
