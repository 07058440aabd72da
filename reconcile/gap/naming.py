"""What the sides of a comparison are called, each differently; and matches without the names in them, for showing to others.

Names are taken out before anything is computed, so that no output has to think of it. Rolls, plays and scores stay: who has the match at
hand will recognise it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from reconcile.gap.comparison import Comparison
from reconcile.gap.pairing import pair
from reconcile.match.match import Match
from reconcile.match.tools import short_name
from reconcile.scoring.findings import SYNTHETIC, main_level


def names_of(comparison: Comparison, *, opening: bool = False) -> tuple[str, str]:
    """What sentences call the two sides: their tools, or a side's tool and level where both are of one tool; a program keeps its letters.

    With `opening`, as a sentence begins.
    """
    left, right = (short_name(side.tool) for side in (comparison.left, comparison.right))
    if left != right:
        return left, right
    levels = [level_name(statistics.match) for statistics in comparison.statistics]
    if all(levels) and levels[0] != levels[1] and not comparison.totals_alone:
        return f"{left} {levels[0]}", f"{right} {levels[1]}"
    the = "The" if opening else "the"
    return f"{the} left {left}", f"{the} right {right}"


def level_name(match: Match) -> str:
    """How deep most of a match is analysed, in the tool's words, of which `cubeful` goes without saying; empty where unknown."""
    level = main_level(match)
    return level.label.removesuffix(" cubeful") if level else ""


def labels_of(matches: Sequence[Match]) -> tuple[str, ...]:
    """What the sides are called: the tool; where several have one, also the level; then a number, in the order of their paths."""
    names = [short_name(match.source.tool) for match in matches]
    words = [level_name(match) for match in matches]
    longer = [word if word.startswith(name) else f"{name} {word}".strip() for name, word in zip(names, words, strict=True)]
    names = _distinct(names, longer)
    order = sorted(range(len(matches)), key=lambda index: (matches[index].source.path, matches[index].source.sha256, index))
    number = {side: sum(names[one] == names[side] for one in order[: place + 1]) for place, side in enumerate(order)}
    return tuple(_distinct(names, [f"{name} ({number[side]})" for side, name in enumerate(names)]))


def _distinct(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)]


PLAYERS: Final = ("Player 1", "Player 2")
"""The names of the left file's seats."""


def anonymised(*matches: Match, aliases: Sequence[Sequence[str]] = ()) -> list[Match]:
    """Files of a match with their players renamed by the first file's seats, without event, date, file names and SHA-256.

    Players are matched first, while they have names. Raises `NotTheSameMatch`.
    """
    seats = [pair(matches[0], match, aliases).seats for match in matches]
    sides = ["left", "right"] if len(matches) == 2 else [f"analysis {number}" for number in range(1, len(matches) + 1)]
    renamed = [(PLAYERS[one.index(0)], PLAYERS[one.index(1)]) for one in seats]
    return [_nameless(*one) for one in zip(matches, renamed, sides, strict=True)]


def _nameless(match: Match, players: tuple[str, str], side: str) -> Match:
    """The match under other names; a synthetic one still says so."""
    hidden = tuple(zip((*match.players, match.source.path), (*players, side), strict=True))
    return replace(
        match,
        source=replace(match.source, path=f"{side}.{match.source.format}", content=b"", digest=""),
        players=players,
        event=SYNTHETIC if match.event.startswith(SYNTHETIC) else "",
        date=None,
        notes=tuple(replace(note, evidence=_without(note.evidence, hidden)) for note in match.notes),
    )


def _without(text: str, hidden: Iterable[tuple[str, str]]) -> str:
    """All names at once, so that none is looked for in what stands for another; of two, the longer."""
    stand_ins = dict(hidden)
    names = sorted(filter(None, stand_ins), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, names)), lambda found: stand_ins[found[0]], text) if names else text
