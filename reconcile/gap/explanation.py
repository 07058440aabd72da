"""Why a player's figure differs, as facts: the cause, and the parts that add up to the gap. `reconcile.gap.story` has the words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from reconcile.document import HIDDEN, Count, Document, Key
from reconcile.files.bundled import read_pages
from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison
from reconcile.gap.parts import Part, PartCause, PlacedChange, parts_of, placed, printed, sizes
from reconcile.gap.verdict import lacking
from reconcile.gap.walk import LEADING

EXPLAINED: Final = read_pages(Path(__file__).with_name("explanation.md"))
"""Every cause of a player's gap, with its page."""
CHECKER: Final = "checker_pr"
"""The figure that is explained where a PR is unknown."""
Cause = Literal[PartCause, "none", "incomplete"]


@dataclass(frozen=True, slots=True)
class ExplainedPart(Document):
    """A part of a gap."""

    cause: PartCause
    """Its code; `reconcile explain CODE` prints the page."""
    change: float
    """In the unit of the metric."""
    count: Count
    """Decisions that make it."""
    decisions: tuple[PlacedChange, ...]
    """These, the largest first; none of `rest`, which has only a number."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the sentences about a player say besides the gap itself."""

    parts: tuple[tuple[Part, int], ...] = ()
    """What the gap is made of, each part with its size as it is printed, in hundredths: what makes it, then what cancels it."""
    reason: str = ""
    """Why the gap cannot be split, if it cannot."""
    missing: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The sides, 0 left and 1 right, that have not analysed everything, each with what it lacks."""
    without: tuple[int, ...] = ()
    """The sides that have no PR."""
    checker: tuple[float, float] | None = None
    """The two figures of checker plays, where both sides analysed all of them."""


@dataclass(frozen=True, slots=True)
class Explanation(Document):
    """Why a figure of a player differs. The changes of the parts add up to `end - start`."""

    player: str
    """As the left file has the name."""
    metric: str
    """`pr`, or `checker_pr` where a PR is unknown and this figure is not."""
    cause: Cause
    """What the sentences begin with: the largest that makes the gap; `none` without a gap, `incomplete` where the PRs do not compare."""
    start: Annotated[float | None, Key("from")]
    """The left figure."""
    end: Annotated[float | None, Key("to")]
    """The right figure."""
    parts: tuple[ExplainedPart, ...]
    """They add up to the gap; none where a figure is unknown."""
    told: Annotated[Told, HIDDEN] = field(repr=False)
    """What the sentences are made of."""
    sentences: tuple[str, ...] = ()
    """The same in words, as in `story`."""


def explained(comparison: Comparison, seat: int) -> Explanation:
    """Why the figure of a player differs that is compared, by the seat in the left file; without the sentences."""
    leading = comparison.walk.bridge(LEADING, seat)
    plays = leading if _known(leading) else comparison.walk.bridge(CHECKER, seat)
    bridge = plays if _known(plays) else leading
    gap = (bridge.end or 0.0) - (bridge.start or 0.0)
    parts = (
        list(parts_of(comparison, bridge))
        if bridge.steps
        else [Part("rest", gap)]
        if _known(bridge)
        else []
    )
    missing = _missing(comparison, seat)
    shown: list[tuple[Part, int]] = []
    cause: Cause = "incomplete" if missing or not _known(leading) else "none"
    if cause == "none" and bridge.steps:
        whole = printed(gap)
        shown = [
            (part, size) for part, size in zip(parts, sizes(parts, whole), strict=True) if size
        ]
        # What makes the gap comes before what cancels it; of one size the order is that of the parts.
        shown.sort(key=lambda one: (one[1] * whole < 0, -abs(one[1])))
        cause = shown[0][0].cause if shown else "none"
    told = Told(
        parts=tuple(shown),
        reason="" if bridge.steps else bridge.reason,
        missing=missing,
        without=tuple(
            side for side, value in enumerate((leading.start, leading.end)) if value is None
        ),
        checker=_checker(comparison, bridge.player) if cause == "incomplete" else None,
    )
    return Explanation(
        bridge.player,
        bridge.metric,
        cause,
        bridge.start,
        bridge.end,
        _merged(comparison, parts, cause, gap),
        told,
    )


def _known(bridge: Bridge) -> bool:
    return bridge.start is not None and bridge.end is not None


def _missing(comparison: Comparison, seat: int) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What a side has not analysed: `9 of 50 cube decisions`."""
    seats = (seat,) if comparison.totals_alone else (seat, comparison.pairing.seats[seat])
    found = (
        (side, lacking(comparison.statistics[side].completeness(own)))
        for side, own in enumerate(seats)
    )
    return tuple((side, tuple(missing)) for side, missing in found if missing)


def _checker(comparison: Comparison, player: str) -> tuple[float, float] | None:
    figure = next(
        (one for one in comparison.figures if (one.metric, one.player) == (CHECKER, player)), None
    )
    if figure is None or figure.coverage or figure.left is None or figure.right is None:
        return None
    return figure.left, figure.right


def _merged(
    comparison: Comparison, parts: Sequence[Part], first: Cause, gap: float
) -> tuple[ExplainedPart, ...]:
    """One part for each cause: that of the explanation, then those that make the gap before those that cancel it."""
    by_cause: dict[PartCause, list[Part]] = defaultdict(list)
    for part in parts:
        by_cause[part.cause].append(part)
    found = [_together(comparison, cause, same) for cause, same in by_cause.items()]
    return tuple(
        sorted(
            found,
            key=lambda one: (
                one.cause != first,
                one.change * gap < 0,
                -abs(printed(one.change)),
                -abs(one.change),
            ),
        )
    )


def _together(comparison: Comparison, cause: PartCause, parts: Sequence[Part]) -> ExplainedPart:
    """The parts of one cause as one: several single decisions, or the rules and the cap."""
    changes: dict[int, float] = defaultdict(float)
    for part in parts:
        for row, change in part.moved:
            changes[row] += change
    largest = (
        sorted(changes.items(), key=lambda moved: (-round(abs(moved[1]), 9), moved[0]))
        if cause != "rest"
        else []
    )
    return ExplainedPart(
        cause, sum(part.change for part in parts), len(changes), tuple(placed(comparison, largest))
    )
