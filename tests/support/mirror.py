"""Whether a comparison with its sides exchanged is the mirror image: every step, every row of the
ledger, every range and sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import product

from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import contributions_of
from reconcile.gap.walk import Walk
from reconcile.scoring.metrics import BRIDGED

MIRRORED = {"left": "right", "right": "left"}
NOISE = 1e-12
Row = tuple[str, str, int, int]
"""Step, cause, and the rows of a decision in the left and in the right file."""


def exchanged(code: str) -> str:
    """The step that an exchange of the sides makes of one."""
    name, dash, side = code.partition("-")
    return name + dash + MIRRORED.get(side, side)


def unmirrored(there: Comparison, back: Comparison, *, games: bool = True) -> list[str]:
    """Everything that is not the mirror image; nothing when all of it is."""
    there_walk, back_walk = there.walk, back.walk
    numbers = [set(walk.left.match.games.number.tolist()) for walk in (there_walk, back_walk)]
    common = sorted(numbers[0] & numbers[1]) if games else []
    wrong = []
    for game, seat, name in product((None, *common), there_walk.seats, BRIDGED):
        here = there_walk.bridge(name, seat, game)
        other = back_walk.bridge(name, there.pairing.seats[seat], game)
        where = f"{here.player} {name}" + (f" of game {game}" if game else "")
        wrong += [f"{where}: {fault}" for fault in _faults(here, other, there_walk, back_walk)]
    return wrong


def _faults(here: Bridge, other: Bridge, there_walk: Walk, back_walk: Walk) -> Iterator[str]:
    if bool(here.reason) != bool(other.reason) or _words(here.reason) != _words(other.reason):
        yield f"{here.reason or 'a bridge'}, exchanged {other.reason or 'a bridge'}"
    steps = {step.code: step for step in here.steps}
    back = {exchanged(step.code): step for step in other.steps}
    if steps.keys() != back.keys():
        yield f"steps {sorted(steps)}, exchanged {sorted(back)}"
        return
    for code, step in steps.items():
        mirror = back[code]
        if not math.isclose(step.change, -mirror.change, rel_tol=NOISE, abs_tol=NOISE):
            yield f"{code}: {step.change:+}, exchanged {mirror.change:+}"
        if step.decisions != mirror.decisions:
            yield f"{code}: {step.decisions} decisions, exchanged {mirror.decisions}"
        ends = [(None if end is None else end) for end in (step.low, step.high)]
        negated = [None if end is None else -end for end in (mirror.high, mirror.low)]
        if ends != negated and not all(
            a is not None and b is not None and abs(a - b) < NOISE
            for a, b in zip(ends, negated, strict=True)
        ):
            yield f"{code}: range {ends}, exchanged {negated}"
        if code.startswith("Q") and sorted(step.title.split()) != sorted(mirror.title.split()):
            yield f"{code}: {step.title}, exchanged {mirror.title}"
    rows, mirrors = (
        _rows(there_walk, here),
        {
            (exchanged(step), cause, b, a): -x
            for (step, cause, a, b), x in _rows(back_walk, other).items()
        },
    )
    if rows.keys() != mirrors.keys():
        yield f"rows {sorted(rows.keys() ^ mirrors.keys())[:3]} on one side only"
    elif far := [
        (row, rows[row], mirrors[row])
        for row in rows
        if not math.isclose(rows[row], mirrors[row], rel_tol=NOISE, abs_tol=NOISE)
    ]:
        yield f"{far[0]} and {len(far) - 1} more rows"


def _rows(walk: Walk, bridge: Bridge) -> dict[Row, float]:
    items, columns = walk.items, walk.ledger_columns([bridge])
    changes: dict[Row, float] = {}
    for step, cause, item, change in zip(
        *(columns[name].tolist() for name in ("step", "cause", "item", "change")), strict=True
    ):
        row = step, cause, int(items.left[item]), int(items.right[item])
        assert row not in changes, f"{row} is in the ledger twice"
        changes[row] = change
    return changes


def _words(sentence: str) -> Counter[str]:
    """The words of a sentence in any order, of either side."""
    words = (
        sentence.lower()
        .replace(",", " ")
        .replace(";", " ")
        .replace(".", " ")
        .replace(":", " ")
        .split()
    )
    return Counter("side" if word in MIRRORED else word for word in words)


def cards_unmirrored(
    there: Comparison, back: Comparison, metrics: tuple[str, ...] = ("pr",)
) -> list[str]:
    """Cards of decisions that say something else when the sides are exchanged, or come in another
    order."""
    walks = there.walk, back.walk
    there_walk, back_walk = (
        [(card, _words(card.sentence)) for card in contributions_of(walk, walk.bridges(metrics))]
        for walk in walks
    )
    if len(there_walk) != len(back_walk):
        return [f"{len(there_walk)} cards, exchanged {len(back_walk)}"]
    return [
        f"{card.step} {card.change:+}: {card.sentence} / exchanged {other.step} "
        f"{other.change:+}: {other.sentence}"
        for (card, words), (other, mirrored) in zip(there_walk, back_walk, strict=True)
        if (card.step, card.cause, words) != (exchanged(other.step), other.cause, mirrored)
        or not math.isclose(card.change, -other.change, abs_tol=NOISE)
    ]
