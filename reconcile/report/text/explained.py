"""A pair that no tolerance judges, in the words that its report begins with: both figures, and where the gap comes from."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from reconcile.gap.comparison import Comparison
from reconcile.report import numbers
from reconcile.report.words import side_labels

WIDTH: Final = 112
"""Of a line of prose, so that it can be read in a terminal and in a log."""


def explained_lines(comparison: Comparison) -> Iterator[str]:
    """For every player both PRs, and below them the sentences of the gap; nothing where a side has no PR."""
    from reconcile.gap.contributions import contributions_of
    from reconcile.gap.walk import LEADING
    from reconcile.report.story import story

    bridges = comparison.walk.bridges((LEADING,))
    contributions = contributions_of(comparison.walk, bridges)
    labels = side_labels(comparison)
    for bridge in bridges:
        if bridge.start is None or bridge.end is None:
            continue
        ends = [f"{numbers.figure(LEADING, value)} by {label}" for value, label in zip((bridge.start, bridge.end), labels, strict=True)]
        yield f"PR of {bridge.player}: {', '.join(ends)}."
        for sentence in story(comparison, bridge, contributions, labels):
            yield from wrap(numbers.ascii_minus(sentence), WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
