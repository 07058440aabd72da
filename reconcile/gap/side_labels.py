"""What several analyses of one match are called, each differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reconcile.match import Match
from reconcile.scoring.findings import main_level
from reconcile.tools import short_name


def labels_of(matches: Sequence[Match]) -> tuple[str, ...]:
    """What the sides are called: the tool; where several have one, also the level; then a number, in the order of their paths."""
    names = [short_name(match.source.tool) for match in matches]
    levels = [main_level(match) for match in matches]
    words = [level.label.removesuffix(" cubeful") if level else "" for level in levels]
    longer = [word if word.startswith(name) else f"{name} {word}".strip() for name, word in zip(names, words, strict=True)]
    names = _distinct(names, longer)
    order = sorted(range(len(matches)), key=lambda index: (matches[index].source.path, matches[index].source.sha256, index))
    number = {side: sum(names[one] == names[side] for one in order[: place + 1]) for place, side in enumerate(order)}
    return tuple(_distinct(names, [f"{name} ({number[side]})" for side, name in enumerate(names)]))


def _distinct(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)]
