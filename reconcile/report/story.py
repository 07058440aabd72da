"""A gap of PR in sentences: how much of it is counting, how much is analysis, and which decisions make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reconcile.files.wording import plural
from reconcile.gap.bridge import Bridge, Contribution, share_of
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import Figure
from reconcile.report import numbers

COUNTED = (("decisions.checker", "checker plays"), ("decisions.double", "doubles and no-doubles"), ("decisions.take", "takes and passes"))
LARGEST = 3
"""Decisions named."""


def story(comparison: Comparison, bridge: Bridge, contributions: Sequence[Contribution], labels: tuple[str, str]) -> tuple[str, ...]:
    """The sentences of a bridge, whole gap first; none where there is no bridge or no gap."""
    if not bridge.steps or bridge.start is None or bridge.end is None or bridge.start == bridge.end:
        return ()
    return tuple(_sentences(comparison, bridge, contributions, labels))


def _sentences(comparison: Comparison, bridge: Bridge, contributions: Sequence[Contribution], labels: tuple[str, str]) -> Iterator[str]:
    one, two = labels
    shares = {"rules": 0.0, "engine": 0.0, "coverage": 0.0}
    engine = 0
    for step in bridge.steps:
        share = share_of(step)
        if share in shares:
            shares[share] += step.change
        engine += step.decisions if share == "engine" else 0
    figures = {figure.metric: figure for figure in comparison.figures if figure.player == bridge.player}
    if shares["rules"]:
        yield f"Counting makes {numbers.change(bridge.metric, shares['rules'])} of the gap: {_counts(figures, one, two)}."
    if shares["engine"]:
        decisions = f"{plural(engine, 'decision')} whose analyses differ"
        yield f"The analysis makes {numbers.change(bridge.metric, shares['engine'])}: {decisions}{_largest(bridge, contributions)}."
    if shares["coverage"]:
        yield f"Decisions that only one file has, or only one tool analysed, make {numbers.change(bridge.metric, shares['coverage'])}."


def _counts(figures: dict[str, Figure], one: str, two: str) -> str:
    parts = []
    for metric, noun in COUNTED:
        figure = figures.get(metric)
        if figure is not None and figure.left is not None and figure.right is not None:
            parts.append((noun, int(figure.left), int(figure.right)))
    differing = [f"{left} {noun} in {one} and {right} in {two}" for noun, left, right in parts if left != right]
    if not differing:
        return "the same numbers of decisions count on both sides, though not the same decisions or sizes of error"
    return f"{', '.join(differing)} count"


def _largest(bridge: Bridge, contributions: Sequence[Contribution]) -> str:
    found: dict[str, float] = {}
    for one in contributions:
        side = one.left or one.right
        if (one.player, one.metric, one.step) == (bridge.player, bridge.metric, "engine") and side is not None:
            where = f"game {side.decision.game} turn {side.decision.turn}"
            found[where] = found.get(where, 0.0) + one.change
    if not found:
        return ""
    first = sorted(found.items(), key=lambda entry: -abs(entry[1]))[:LARGEST]
    named = ", ".join(f"{where} ({numbers.change(bridge.metric, change)})" for where, change in first)
    return f", most of all {named}"
