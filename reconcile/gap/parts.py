"""What the gap of a player's PR is made of: counting, coverage, single decisions, and the differences that are left.

The parts add up to the gap, also as they are printed. Nothing here depends on which file is the left one: exchanged sides have the same
parts with the other sign. `reconcile.gap.story` has the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, cast

import numpy as np

from reconcile.gap.bridge import Bridge, SideOfDecision, Vector, share_of, shares
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import Reader
from reconcile.gap.paired_decisions import Placed
from reconcile.match.columns import Ints
from reconcile.rules.q12_thresholds import Thresholds
from reconcile.rules.rulesets import Q12, Q13
from reconcile.scoring.grades import grade_of

SMALLEST: Final = 0.005
"""A change smaller than this rounds to 0.00."""
FEW: Final = 3
"""Decisions of one sign that are named one by one."""
HALF: Final = 0.5
"""Share of a gap that single decisions must make to be its cause."""
EQUAL: Final = 9
"""Digits to which two changes of equal size agree, whichever side they are seen from."""
NOISE: Final = 1e-9
CLASSES: Final = ("decisions.checker", "decisions.double", "decisions.take")
RESIGNED: Final = "resignations"
DIGITS: Final = (3, 4, 5, 6)
"""With which an error is told."""

PartCause = Literal["rules", "coverage", "reporting", "decisions", "rest"]
Called = Literal["not-analysed", "not-counted", "right", "slip", "doubtful", "error", "blunder"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a side calls a decision."""

    called: Called
    error: float = 0.0
    """Equity lost (EMG)."""
    digits: int = 0
    """With how many the error shows why; 0 where it is not told."""


@dataclass(frozen=True, slots=True)
class PlacedChange(Placed):
    """What one decision adds to a gap."""

    change: float
    """In the unit of the metric: what the rows of the ledger for it add up to in this part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a gap: what makes it, and what there is to say of it."""

    cause: PartCause
    change: float
    moved: tuple[tuple[int, float], ...] = ()
    """The items of the walk that make it, each with its change; none of what no decision makes."""
    capped: bool = False
    """Whether the cap of PR makes it: its decisions are the same on both sides."""
    counted: tuple[tuple[str, int], ...] = ()
    """Of `rules`, how many more decisions of a class the right side counts, or fewer."""
    lacking: Mapping[str, int] = field(default_factory=dict)
    """Of `coverage`, how many decisions have nothing to be compared with, by their cause."""
    named: tuple[PlacedChange, ...] = ()
    """Of `decisions`, which they are."""
    said: tuple[Said, Said] | None = None
    """What either side calls it, if it is one."""
    beside: Literal["", "smaller", "other"] = ""
    """Of `rest`, how its decisions are told from those that are named, if any are."""

    @property
    def hundredths(self) -> int:
        """Its size as it is printed: of named decisions, what they add up to as they are printed."""
        return (
            sum(printed(one.change) for one in self.named) if self.named else printed(self.change)
        )


def printed(change: float) -> int:
    """A change as it is printed, in hundredths."""
    return round(100 * round(change, 2))


def sizes(parts: Sequence[Part], whole: int) -> list[int]:
    """Parts of a gap in hundredths that add up to the whole as they are printed: the small differences are what is left of it."""
    others = next((index for index, part in enumerate(parts) if part.cause == "rest"), None)
    if others is None:
        return apportioned(
            [part.change for part in parts], [part.hundredths for part in parts], whole
        )
    found = [part.hundredths for part in parts]
    found[others] += whole - sum(found)
    return found


def apportioned(changes: Sequence[float], hundredths: Sequence[int], whole: int) -> list[int]:
    """The same for any changes: those nearest to the next digit are rounded to it."""
    found = [*hundredths]
    while found and (lacking := whole - sum(found)):
        step = 1 if lacking > 0 else -1
        nearest = max(
            range(len(found)),
            key=lambda index: round(step * (100 * changes[index] - found[index]), EQUAL),
        )
        found[nearest] += step
    return found


def parts_of(comparison: Comparison, bridge: Bridge) -> Iterator[Part]:
    """What a gap of PR is made of."""
    sums = shares(bridge)
    if change := sums.get("rules", 0.0):
        moved = _moved(_added(comparison, bridge, "rules"))
        yield Part("rules", change, moved, counted=tuple(_counted(comparison, bridge)))
    if change := sums.get("coverage", 0.0):
        added = _added(comparison, bridge, "coverage")
        lacking = reasons(comparison, np.flatnonzero(added))
        yield Part("coverage", change, _moved(added), capped=not lacking, lacking=lacking)
    if change := sums.get("reporting", 0.0):
        yield Part("reporting", change)
    yield from _analysis(comparison, bridge)


def _added(comparison: Comparison, bridge: Bridge, share: str) -> Vector:
    """What every item of the walk adds to the gap in the steps of a share."""
    vectors = [vector for code, vector in bridge.contributions if share_of(code) == share]
    added: Vector = np.sum(vectors, axis=0) if vectors else np.zeros(len(comparison.walk.items))
    return added


def _moved(added: Vector, rows: Sequence[int] | None = None) -> tuple[tuple[int, float], ...]:
    """Items with their changes: all that have one, or some of them."""
    return tuple(
        (row, float(added[row]))
        for row in (np.flatnonzero(added).tolist() if rows is None else rows)
    )


def _counted(comparison: Comparison, bridge: Bridge) -> Iterator[tuple[str, int]]:
    """How many more decisions of each class the right side counts, or fewer; nothing of a class of which it counts as many."""
    figures = {
        figure.metric: figure for figure in comparison.figures if figure.player == bridge.player
    }
    every, *gaps = (
        figures[metric].gap if metric in figures else None
        for metric in ("decisions.counted", *CLASSES)
    )
    known = [gap for gap in gaps if gap is not None]
    resigned = every - sum(known) if every is not None and len(known) == len(gaps) else None
    yield from (
        (name, int(gap))
        for name, gap in zip((*CLASSES, RESIGNED), (*gaps, resigned), strict=True)
        if gap
    )


def reasons(comparison: Comparison, rows: Ints) -> dict[str, int]:
    """Why these items of the walk have nothing to be compared with: for each cause, how many."""
    walk = comparison.walk
    causes = walk.attribution.causes(
        "coverage-left", rows.astype(np.int64), walk.forward.ruled, walk.forward.landing
    ).tolist()
    return {
        cause: count for cause, count in Counter(causes).items() if cause.startswith("coverage.")
    }


def _analysis(comparison: Comparison, bridge: Bridge) -> Iterator[Part]:
    """The share of the analysis: the decisions that are its cause, those as large that cancel them, and the others together."""
    items = comparison.walk.items
    moved = _added(comparison, bridge, "engine")
    if capped := _capped(comparison, bridge, np.flatnonzero(moved)):
        yield Part("rules", float(moved[capped].sum()), _moved(moved, capped), capped=True)
        moved[capped] = 0
    order = [
        row
        for row in np.lexsort(
            (items.kind, items.turn, items.game, -np.abs(moved).round(EQUAL))
        ).tolist()
        if moved[row]
    ]
    named = _named(moved[order], abs((bridge.end or 0.0) - (bridge.start or 0.0)))
    for way in dict.fromkeys(np.sign(moved[order[:named]]).tolist()):
        yield _named_ones(comparison, [row for row in order[:named] if moved[row] * way > 0], moved)
    others = order[named:]
    if others:
        sizes = [abs(printed(moved[row])) for row in (order[named - 1], others[0])] if named else []
        beside: Literal["", "smaller", "other"] = (
            "" if not named else "smaller" if sizes[1] < sizes[0] else "other"
        )
        yield Part("rest", float(moved[others].sum()), _moved(moved, others), beside=beside)


def _capped(comparison: Comparison, bridge: Bridge, rows: Ints) -> list[int]:
    """The decisions that are the same in both analyses, and whose share of a capped figure is not."""
    caps = [statistics.rules.value(Q13) for statistics in comparison.statistics]
    if not any(
        cap is not None and end == cap for cap in caps for end in (bridge.start, bridge.end)
    ):
        return []
    causes: dict[int, set[str]] = {}
    for columns in comparison.walk.shares(bridge):
        if share_of(columns.step) == "engine":
            for row, cause in zip(columns.item.tolist(), columns.cause, strict=True):
                causes.setdefault(row, set()).add(cause)
    # On every way that is walked, or exchanged files would differ in what the cap makes.
    return [row for row in rows.tolist() if causes.get(row) == {"conversion.cap"}]


def _named(moved: Vector, gap: float) -> int:
    """How many decisions are named one by one, of all by size.

    These are the first that make half of the gap between them, with those that cancel it and are as large; else those that alone are as
    large as half of it. Where the next one is as large as the last, or the only other, it is named too.
    """
    total, printed_ = float(moved.sum()), [abs(printed(change)) for change in moved.tolist()]
    half = HALF * max(gap, abs(total), SMALLEST) - NOISE
    way = np.sign(total if abs(total) >= SMALLEST or not len(moved) else moved[0])

    def few(number: int) -> bool:
        ours = np.count_nonzero(np.sign(moved[:number]) == way)
        return (
            number <= len(moved)
            and bool(printed_[number - 1])
            and max(int(ours), number - int(ours)) <= FEW
        )

    def enough(number: int) -> bool:
        first = moved[:number]
        return abs(float(first[np.sign(first) == way].sum())) >= half

    several = [number for number in range(1, 2 * FEW + 1) if few(number) and enough(number)]
    large = int(np.count_nonzero(np.abs(moved) >= half))
    named = several[0] if several else large if large and few(large) else 0
    while (
        named
        and few(named + 1)
        and (printed_[named] == printed_[named - 1] or named + 1 == len(moved))
    ):
        named += 1
    return named


def _named_ones(comparison: Comparison, rows: Sequence[int], moved: Vector) -> Part:
    """Decisions of one sign: where they are, and of a single one what either side says of it."""
    changes = _moved(moved, rows)
    said = None
    if len(rows) == 1:
        reader, sides = Reader(comparison.walk), comparison.statistics
        one, two = (
            _said(reader.side(rows[0], side), sides[side].rules.value(Q12)) for side in (0, 1)
        )
        said = one, two
    return Part(
        "decisions",
        sum(change for _, change in changes),
        changes,
        named=tuple(placed(comparison, changes)),
        said=said,
    )


def placed(comparison: Comparison, moved: Iterable[tuple[int, float]]) -> Iterator[PlacedChange]:
    """Items of the walk with where they are, each with its change."""
    yield from (PlacedChange(*comparison.walk.items.place(row), change) for row, change in moved)


def _said(side: SideOfDecision | None, limits: Thresholds) -> Said:
    """What a side calls a decision, and the error with the digits that show why; no error where there is none."""
    if side is None or side.error is None:
        return Said("not-analysed")
    if round(side.error, 3) == 0:
        return Said("right" if side.counted else "not-counted")
    grade = grade_of(side.error, limits)
    digits = next(
        (digits for digits in DIGITS if grade_of(round(side.error, digits), limits) == grade),
        DIGITS[-1],
    )
    return Said(cast("Called", grade or "slip"), side.error, digits)
