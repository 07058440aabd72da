"""Why a player's figure differs, as facts: the cause, and the parts that add up to the gap. `reconcile.gap.story` has the sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, cast

from reconcile.columns import KindName
from reconcile.document import Count, Document, Key, Positive
from reconcile.files.bundled import read_pages
from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison
from reconcile.gap.parts import Part, parts_of, printed
from reconcile.gap.story import Story, stories
from reconcile.gap.walk import LEADING

EXPLAINED: Final = read_pages(Path(__file__).with_name("explanation.md"))
"""Every cause of a player's gap, with its page."""
CHECKER: Final = "checker_pr"
"""The figure that is explained where a PR is unknown."""


PartCause = Literal["rules", "coverage", "reporting", "decisions", "rest"]
Cause = Literal[PartCause, "none", "incomplete"]


@dataclass(frozen=True, slots=True)
class PlacedChange(Document):
    """What one decision adds to a gap."""

    game: int
    """Number of the game as in the left file."""
    turn: Positive
    """From 1 in each game, counting both players."""
    kind: KindName
    """What was done."""
    change: float
    """In the unit of the metric: what the rows of the ledger for it add up to in this part."""


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
    """These, the largest first; none of `rest`, of which only the number is told."""


@dataclass(frozen=True, slots=True)
class Explanation(Document):
    """Why a figure of a player differs."""

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
    sentences: tuple[str, ...]
    """The same in words, as in `story`."""


def explanations(comparison: Comparison, told: Sequence[Story] = ()) -> tuple[Explanation, ...]:
    """Why the figures of every player that is compared differ, in the order of the left file's seats; `told` are its stories, if known."""
    found = []
    for seat, story in zip(comparison.walk.seats, [one for one in told or stories(comparison) if one.player], strict=True):
        bridge = _bridge(comparison, seat)
        parts = _parts(comparison, bridge, story.cause)
        found.append(
            Explanation(
                player=story.player,
                metric=bridge.metric,
                cause=cast("Cause", story.cause),
                start=bridge.start,
                end=bridge.end,
                parts=parts,
                sentences=story.sentences,
            )
        )
    return tuple(found)


def _bridge(comparison: Comparison, seat: int) -> Bridge:
    """That of PR, or of checker PR where this is known and that is not."""
    bridges = [comparison.walk.bridge(name, seat) for name in (LEADING, CHECKER)]
    return next((one for one in bridges if one.start is not None and one.end is not None), bridges[0])


def _parts(comparison: Comparison, bridge: Bridge, first: str) -> tuple[ExplainedPart, ...]:
    if bridge.start is None or bridge.end is None:
        return ()
    gap = bridge.end - bridge.start
    by_cause: dict[str, list[Part]] = defaultdict(list)
    for part in parts_of(comparison, bridge) if bridge.steps else [Part("rest", gap, "")]:
        by_cause[part.cause].append(part)
    found = [_together(comparison, cause, parts) for cause, parts in by_cause.items()]
    return tuple(sorted(found, key=lambda one: (one.cause != first, one.change * gap < 0, -abs(printed(one.change)), -abs(one.change))))


def _together(comparison: Comparison, cause: str, parts: list[Part]) -> ExplainedPart:
    """The parts of one cause as one: several single decisions, or the rules and the cap."""
    items, changes = comparison.walk.items, defaultdict[int, float](float)
    for part in parts:
        for row, change in part.moved:
            changes[row] += change
    rows = sorted(changes, key=lambda row: (-round(abs(changes[row]), 9), row)) if cause != "rest" else []
    placed = (PlacedChange(int(items.game[row]), int(items.turn[row]), str(items.kind_labels[row]), changes[row]) for row in rows)
    return ExplainedPart(cast("PartCause", cause), sum(part.change for part in parts), len(changes), tuple(placed))
