"""What the analyses of one match are called, each differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from reconcile.gap.comparison import Comparison
from reconcile.match import Match
from reconcile.scoring.findings import main_level
from reconcile.tools import short_name

CUBEFUL: Final = " cubeful"


def names_of(comparison: Comparison) -> tuple[str, str]:
    """What sentences call the two sides: their tools, or a side's tool and level where both are of one tool."""
    left, right = (short_name(side.tool) for side in (comparison.left, comparison.right))
    if left != right:
        return left, right
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    if levels[0] and levels[1] and levels[0] != levels[1] and not comparison.totals_alone:
        return f"{left} {levels[0].label.removesuffix(CUBEFUL)}", f"{right} {levels[1].label.removesuffix(CUBEFUL)}"
    return f"the left {left}", f"the right {right}"


def labels_of(matches: Sequence[Match]) -> tuple[str, ...]:
    """What the sides are called: the tool; where several have one, also the level; then a number, in the order of their paths."""
    names = [short_name(match.source.tool) for match in matches]
    levels = [main_level(match) for match in matches]
    words = [level.label.removesuffix(CUBEFUL) if level else "" for level in levels]
    longer = [word if word.startswith(name) else f"{name} {word}".strip() for name, word in zip(names, words, strict=True)]
    names = _distinct(names, longer)
    order = sorted(range(len(matches)), key=lambda index: (matches[index].source.path, matches[index].source.sha256, index))
    number = {side: sum(names[one] == names[side] for one in order[: place + 1]) for place, side in enumerate(order)}
    return tuple(_distinct(names, [f"{name} ({number[side]})" for side, name in enumerate(names)]))


def _distinct(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)]
