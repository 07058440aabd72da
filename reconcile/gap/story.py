"""A comparison in the sentences that a player came for: the gap of each player's PR, and what makes it, largest cause first.

The sentences are made here once, from the bridge of PR, and every output prints the same ones. Every number in them is a sum of the
ledger: a cause is named only where the ledger has it. Words are put together once, with their numbers: names may hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reconcile.files.wording import listed, plural
from reconcile.gap.bridge import Bridge
from reconcile.gap.comparison import Comparison
from reconcile.gap.consensus import is_shallow
from reconcile.gap.naming import CUBEFUL, names_of
from reconcile.gap.parts import parts_of, printed, sizes
from reconcile.gap.settle import sentence
from reconcile.gap.usual import FEWEST, of_others, place_of
from reconcile.gap.verdict import lacking
from reconcile.gap.walk import LEADING
from reconcile.scoring.findings import main_level
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_words import range_words
from reconcile.tools import short_name

THOUSANDTH: Final = 0.001 + 1e-6
"""EMG. What is left of an error in a file that keeps thousandths."""
MOST: Final = 0.5
OURS: Final = ("the left ", "the right ")
"""How a name begins that is not a program's own."""


@dataclass(frozen=True, slots=True)
class Story:
    """Why the PR of a player differs, or what holds for the whole match."""

    player: str
    """Empty for what holds for the match."""
    cause: str
    """The largest one that makes the gap: `rules`, `coverage`, `reporting`, `decisions` or `rest`; `none` without a gap; `incomplete`
    where a PR is unknown or rests on a part of the decisions; for the match `transcript`, `settled`, `usual`, `open-rule`,
    `dead-cubes`, `shallow` or `seats`."""
    sentences: tuple[str, ...]


def stories(comparison: Comparison) -> tuple[Story, ...]:
    """The story of every player that is compared; before it that the files differ, after it what else is unusual about them."""
    rollouts = [sentence(comparison.settlement, names_of(comparison))] if comparison.settlement else []
    return (
        *_transcript(comparison),
        *(_story(comparison, seat) for seat in comparison.walk.seats),
        *(Story("", "settled", (text,)) for text in rollouts),
        *_usual(comparison),
        *_undecided(comparison),
        *_unusual(comparison),
    )


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """All sentences in reading order."""
    return tuple(sentence for story in stories(comparison) for sentence in story.sentences)


def led_by_cause(comparison: Comparison) -> bool:
    """Whether the cause is the headline and not the verdict, which is no alarm then.

    Two analyses do not agree to a tolerance meant for two readings of one; a table that somebody chose is meant for these.
    """
    return not (comparison.named or comparison.totals_alone or one_analysis(comparison))


def one_analysis(comparison: Comparison) -> bool:
    """Whether two files are readings of one analysis: where either has an error, most are the same number to the thousandth."""
    walk, items = comparison.walk, comparison.walk.items
    rows = np.flatnonzero(items.common)
    one, two = walk.left.error, walk.right.error
    rows = rows[(items.left[rows] < len(one)) & (items.right[rows] < len(two))]
    errors = np.stack((one[items.left[rows]], two[items.right[rows]])) if len(rows) else np.zeros((2, 0))
    apart = np.abs(errors[0] - errors[1])[errors.max(axis=0) > THOUSANDTH]
    same = comparison.left.tool == comparison.right.tool
    return bool(np.mean(apart <= THOUSANDTH) > MOST) if len(apart) else same


def _transcript(comparison: Comparison) -> Iterator[Story]:
    pairing = comparison.pairing
    if pairing.differences:
        first = pairing.differences[0]
        where = f"game {first.game}" + (f", turn {first.turn}" if first.turn else "")
        differ = f"{plural(len(pairing.differences), 'difference')}, the first in {where} ({first.what})"
        yield Story("", "transcript", (f"The two files are not quite the same match: {differ}.",))


def _unusual(comparison: Comparison) -> Iterator[Story]:
    names = names_of(comparison)
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    shallow = [name for name, level in zip(names, levels, strict=True) if is_shallow(level)]
    if shallow and not comparison.totals_alone:
        words = f"The analysis by {listed(shallow)} is shallow: it does not look beyond the play itself."
        yield Story("", "shallow", (words,))
    if comparison.pairing.seats == (1, 0):
        how = "name" if comparison.pairing.matched_by == "name" else "their rolls"
        yield Story("", "seats", (f"{_opening(names[1])} has the players in the other order; they were matched by {how}.",))


def _story(comparison: Comparison, seat: int) -> Story:
    walk = comparison.walk
    player = walk.left.match.names[seat]
    bridge = walk.bridge(LEADING, seat)
    missing = list(_missing(comparison, seat))
    if missing or bridge.start is None or bridge.end is None:
        return Story(player, "incomplete", tuple(_incomplete(comparison, bridge, missing)))
    if not bridge.steps:
        return Story(player, "none", (f"{_first(comparison, bridge)}.", f"The gap cannot be split: {bridge.reason}."))
    parts, whole = list(parts_of(comparison, bridge)), printed(bridge.end - bridge.start)
    # What makes the gap comes before what cancels it; of one size the order is that of the parts.
    shown = sorted(
        ((part, size) for part, size in zip(parts, sizes(parts, whole), strict=True) if size),
        key=lambda one: (one[1] * whole < 0, -abs(one[1])),
    )
    if not shown:
        return Story(player, "none", (f"{_first(comparison, bridge)}.",))
    cancel = "" if whole else ", although single causes are larger: they cancel"
    (first, size), *others = shown
    lines = [f"{_first(comparison, bridge)}{cancel}.", first.sentence(size, whole)]
    if others:
        rest = listed([part.brief(size) for part, size in others])
        lines.append(f"{rest[0].upper()}{rest[1:]}.")
    return Story(player, first.cause, tuple(lines))


def _first(comparison: Comparison, bridge: Bridge) -> str:
    """`XG 3.66, gnuBG 3.94: gnuBG charges Nora 0.28 more`."""
    shown, (left, right) = METRICS[LEADING].shown, names_of(comparison)
    gap, ends = (bridge.end or 0.0) - (bridge.start or 0.0), (shown(bridge.start), shown(bridge.end))
    both = f"{_opening(left)} {ends[0]}, {right} {ends[1]}"
    if printed(gap) and ends[0] != ends[1]:
        return f"{both}: {right} charges {bridge.player} {shown(abs(gap))} {'more' if gap > 0 else 'less'}"
    return f"{both}: {'no difference' if ends[0] == ends[1] and not printed(gap) else 'less than 0.01 apart'} for {bridge.player}"


def _opening(name: str) -> str:
    """A side's name at the beginning of a sentence: a program keeps the letters of its own."""
    return name[0].upper() + name[1:] if name.startswith(OURS) else name


def _missing(comparison: Comparison, seat: int) -> Iterator[str]:
    """What a side has not analysed: `gnuBG analysed 9 of 50 cube decisions`."""
    seats = seat, comparison.pairing.seats[seat]
    sides = list(zip(names_of(comparison), seats, comparison.statistics, strict=True))
    for name, side, statistics in sides[:1] if comparison.totals_alone else sides:
        if missing := lacking(statistics.completeness(side)):
            yield f"{name} analysed only {listed(missing)}"


def _undecided(comparison: Comparison) -> Iterator[Story]:
    """What is not known of a tool's rules and moves a PR that is compared."""
    for statistics, own in zip(comparison.statistics, ("left_range", "right_range"), strict=True):
        shown = {figure.player for figure in comparison.figures if figure.metric == LEADING and getattr(figure, own)}
        for code, seat, words in range_words(statistics):
            left_seat = seat if own == "left_range" else comparison.pairing.seats.index(seat)
            if comparison.walk.left.match.names[left_seat] in shown:
                yield Story("", code, (f"{words}.",))


def _usual(comparison: Comparison) -> Iterator[Story]:
    """How large such a gap is in other matches."""
    shown = METRICS[LEADING].shown
    here = [one for one in comparison.figures if one.metric == LEADING and one.gap is not None and not one.coverage]
    gaps = of_others(comparison.usual, [abs(one.gap or 0) for one in here])
    if len(gaps) < FEWEST or not here:
        return
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    sides = zip((comparison.left, comparison.right), levels, strict=True)
    words = (f"{short_name(side.tool)} {level.label.removesuffix(CUBEFUL) if level else ''}".strip() for side, level in sides)
    pair = " against ".join(words)
    places = listed([f"the {shown(abs(one.gap or 0))} of {one.player} is {place_of(one.gap or 0, gaps)}" for one in here])
    average = shown(sum(gaps) / len(gaps))
    other = "other " if len(gaps) < len(comparison.usual) else ""
    yield Story("", "usual", (f"In {len(gaps)} {other}player-matches of {pair} the gap was {average} on average; {places}.",))


def _incomplete(comparison: Comparison, bridge: Bridge, missing: Sequence[str]) -> Iterator[str]:
    """What is missing, and the figure that both sides have in full, if there is one."""
    shown = METRICS[LEADING].shown
    ends = list(zip(names_of(comparison), (bridge.start, bridge.end), strict=True))
    if missing:
        yield f"{_opening(listed(list(missing)))} of {bridge.player}, so the two PRs do not compare."
    else:
        absent = [name for name, value in ends if value is None]
        yield f"{_opening(listed(absent))} {'gives' if len(absent) == 1 else 'give'} no PR of {bridge.player}."
    figure = next((one for one in comparison.figures if (one.metric, one.player) == ("checker_pr", bridge.player)), None)
    if figure is not None and not figure.coverage and figure.left is not None and figure.right is not None:
        (left, _), (right, _) = ends
        yield f"In checker plays, which both analysed: {left} {shown(figure.left)}, {right} {shown(figure.right)}."
