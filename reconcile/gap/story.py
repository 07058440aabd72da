"""A comparison in the sentences that a player came for: the gap of each player's PR, and what makes it, largest cause first.

The sentences are made here once, from the bridge of PR, and every output prints the same ones. Every number in them is a sum of the
ledger: a cause is named only where the ledger has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reconcile.columns import Kind
from reconcile.files.wording import listed, plural
from reconcile.gap.bridge import DECISIONS, Bridge, SideOfDecision, share_of, shares
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import Reader
from reconcile.gap.settle import sentence
from reconcile.gap.usual import FEWEST, of_others, place_of
from reconcile.gap.walk import LEADING
from reconcile.rules.q12_thresholds import Thresholds
from reconcile.scoring.findings import main_level
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_words import range_words
from reconcile.scoring.statistics import Statistics
from reconcile.tools import TOOLS, short_name

MENTIONED: Final = 0.005
"""A part of the gap smaller than this rounds to 0.00 and is not mentioned."""
FEW: Final = 3
"""Decisions that are named one by one."""
HALF: Final = 0.5
"""Share of a gap that single decisions must make to be its cause."""
SHALLOW: Final = 1.0
"""An analysis that looks fewer plies ahead than this is shallow (gnuBG's 0-ply, XG's 1-ply)."""
NOUNS: Final = {
    Kind.PLAY: "play",
    Kind.NO_DOUBLE: "no-double",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.PASS: "pass",
    Kind.BEAVER: "beaver",
    Kind.RESIGN: "resignation",
    Kind.ACCEPT_RESIGN: "accepted resignation",
}
CLASSES: Final = {
    "decisions.checker": ("checker play", "checker plays"),
    "decisions.double": ("double or no-double", "doubles and no-doubles"),
    "decisions.take": ("take or pass", "takes and passes"),
}
NUMBERS: Final = {2: "two", 3: "three"}
NAMES: Final = frozenset(tool.short for tool in TOOLS.values())
CUBEFUL: Final = " cubeful"
CALLS: Final = "calls it "
PARTS: Final = {"checker": "checker plays", "cube": "cube decisions"}


@dataclass(frozen=True, slots=True)
class Story:
    """Why the PR of a player differs, or what holds for the whole match."""

    player: str
    """Empty for what holds for the match."""
    cause: str
    """The largest one: `decision`, `decisions`, `small-differences`, `counting`, `coverage`, `reporting`; `none` without a gap;
    `incomplete` where a PR is unknown or rests on a part of the decisions; for the match `transcript`,
    `settled`, `usual`, `open-rule`, `dead-cubes`, `shallow` or `seats`."""
    sentences: tuple[str, ...]
    item: int | None = None
    """The decision of the walk that moves the PR most."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the gap in words; `{}` stands for its change."""

    cause: str
    change: float
    sentence: str
    """Where it is the largest."""
    short: str
    """Where it is not."""


def stories(comparison: Comparison) -> tuple[Story, ...]:
    """The story of every player that is compared; before it that the files differ, after it what else is unusual about them."""
    return (
        *_transcript(comparison),
        *(_story(comparison, seat) for seat in comparison.walk.seats),
        *_settled(comparison),
        *_usual(comparison),
        *_undecided(comparison),
        *_unusual(comparison),
    )


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """All sentences in reading order."""
    return tuple(sentence for story in stories(comparison) for sentence in story.sentences)


def led_by_cause(comparison: Comparison) -> bool:
    """Whether the cause is the headline and not the verdict: two engines do not agree to a tolerance meant for one analysis."""
    return not comparison.totals_alone and comparison.left.tool != comparison.right.tool


def names_of(comparison: Comparison) -> tuple[str, str]:
    """What the sentences call the two sides: their tools, or a side's tool and level where both are of one tool."""
    left, right = (short_name(side.tool) for side in (comparison.left, comparison.right))
    if left != right:
        return left, right
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    if levels[0] and levels[1] and levels[0] != levels[1] and not comparison.totals_alone:
        return f"{left} {levels[0].label.removesuffix(CUBEFUL)}", f"{right} {levels[1].label.removesuffix(CUBEFUL)}"
    return f"the left {left}", f"the right {right}"


def _settled(comparison: Comparison) -> Iterator[Story]:
    if comparison.settlement is not None:
        yield Story("", "settled", (sentence(comparison.settlement, names_of(comparison)),))


def _transcript(comparison: Comparison) -> Iterator[Story]:
    pairing = comparison.pairing
    if pairing.differences:
        first = pairing.differences[0]
        where = f"game {first.game}" + (f", turn {first.turn}" if first.turn else "")
        paired, every = comparison.paired
        differ = f"{plural(len(pairing.differences), 'difference')}, the first in {where} ({first.what})"
        sentence = f"The two files are not quite the same match: {differ}; {paired} of {plural(every, 'decision')} are in both."
        yield Story("", "transcript", (sentence,))


def _unusual(comparison: Comparison) -> Iterator[Story]:
    names = names_of(comparison)
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    shallow = [
        name
        for name, level in zip(names, levels, strict=True)
        if level is not None and level.lookahead is not None and level.lookahead < SHALLOW
    ]
    if shallow and not comparison.totals_alone:
        words = f"The analysis by {listed(shallow)} is shallow: it does not look beyond the play itself."
        yield Story("", "shallow", (words,))
    if comparison.pairing.seats == (1, 0):
        how = "name" if comparison.pairing.matched_by == "name" else "their rolls"
        yield Story("", "seats", (_sentence(f"{names[1]} has the players in the other order; they were matched by {how}."),))


def _story(comparison: Comparison, seat: int) -> Story:
    walk = comparison.walk
    player = walk.left.match.names[seat]
    bridge = walk.bridge(LEADING, seat)
    missing = list(_missing(comparison, seat))
    if missing or bridge.start is None or bridge.end is None:
        return Story(player, "incomplete", tuple(_incomplete(comparison, bridge, missing)))
    gap = bridge.end - bridge.start
    first = _first(comparison, bridge, gap)
    if not bridge.steps:
        return Story(player, "none", (first, f"The gap cannot be split: {bridge.reason}."))
    parts, item = _parts(comparison, bridge, gap)
    shown = [part for part in sorted(parts, key=lambda part: -abs(part.change)) if abs(part.change) >= MENTIONED]
    if not shown:
        return Story(player, "none", (first,), item)
    if abs(gap) < MENTIONED:
        first = f"{first.rstrip('.')}, although single causes are larger: they cancel."
    largest = shown[0].sentence if abs(gap) >= MENTIONED else shown[0].sentence.replace(" of it", "")
    lines = [first, largest.format(_change(shown[0].change))]
    if len(shown) > 1:
        lines.append(_sentence(f"{listed([part.short.format(_change(part.change)) for part in shown[1:]])}."))
    return Story(player, shown[0].cause, tuple(lines), item)


def _first(comparison: Comparison, bridge: Bridge, gap: float) -> str:
    """`XG 3.66, gnuBG 3.94: gnuBG charges Nora 0.28 more.`"""
    shown, (left, right) = METRICS[LEADING].shown, names_of(comparison)
    both = _sentence(f"{left} {shown(bridge.start)}, {right} {shown(bridge.end)}")
    if abs(gap) < MENTIONED:
        return f"{both}: no difference for {bridge.player}."
    return f"{both}: {right} charges {bridge.player} {shown(abs(gap))} {'more' if gap > 0 else 'less'}."


def _sentence(words: str) -> str:
    """With a capital letter, unless it begins with a program's name."""
    return words[0].upper() + words[1:] if words.split()[0] not in NAMES else words


def _change(change: float) -> str:
    return f"{change:+.2f}".replace("-", "\N{MINUS SIGN}")


def _missing(comparison: Comparison, seat: int) -> Iterator[str]:
    """What a side has not analysed: `gnuBG analysed 9 of 50 cube decisions`."""
    seats = seat, comparison.pairing.seats[seat]
    sides = list(zip(names_of(comparison), seats, comparison.statistics, strict=True))
    for name, side, statistics in sides[:1] if comparison.totals_alone else sides:
        covered = statistics.completeness(side)
        lacking = [
            f"{covered[part].analysed} of {covered[part].expected} {noun}" for part, noun in PARTS.items() if not covered[part].complete
        ]
        if lacking:
            yield f"{name} analysed only {listed(lacking)}"


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
    pair = " against ".join(
        f"{short_name(side.tool)} {level.label.removesuffix(CUBEFUL) if level else ''}".strip() for side, level in sides
    )
    places = listed([f"the {shown(abs(one.gap or 0))} of {one.player} is {place_of(one.gap or 0, gaps)}" for one in here])
    average = shown(sum(gaps) / len(gaps))
    other = "other " if len(gaps) < len(comparison.usual) else ""
    yield Story("", "usual", (f"In {len(gaps)} {other}player-matches of {pair} the gap was {average} on average; {places}.",))


def _incomplete(comparison: Comparison, bridge: Bridge, missing: Sequence[str]) -> Iterator[str]:
    """What is missing, and the figure that both sides have in full, if there is one."""
    shown = METRICS[LEADING].shown
    ends = list(zip(names_of(comparison), (bridge.start, bridge.end), strict=True))
    if missing:
        yield _sentence(f"{listed(list(missing))} of {bridge.player}, so the two PRs do not compare.")
    else:
        absent = [name for name, value in ends if value is None]
        yield _sentence(f"{listed(absent)} {'gives' if len(absent) == 1 else 'give'} no PR of {bridge.player}.")
    figure = next((one for one in comparison.figures if (one.metric, one.player) == ("checker_pr", bridge.player)), None)
    if figure is not None and not figure.coverage and figure.left is not None and figure.right is not None:
        (left, _), (right, _) = ends
        yield f"In checker plays, which both analysed: {left} {shown(figure.left)}, {right} {shown(figure.right)}."


def _parts(comparison: Comparison, bridge: Bridge, gap: float) -> tuple[list[_Part], int | None]:
    """What the gap is made of, and the item that moves it most."""
    sums = shares(bridge)
    parts = []
    if change := sums.get("rules", 0.0):
        parts.append(_counting(comparison, bridge, change))
    if change := sums.get("coverage", 0.0):
        words = "Decisions that only one file has, or only one program analysed, make {} of it."
        parts.append(_Part("coverage", change, words, "decisions that only one side has make {}"))
    if change := sums.get("reporting", 0.0):
        words = "No rule and no decision explains {} of it: a figure shown is not the one that its own decisions give."
        parts.append(_Part("reporting", change, words, "{} stays unexplained"))
    whole = np.sum([vector for _, vector in bridge.contributions], axis=0)
    return [*parts, *_engine(comparison, bridge, gap)], int(np.argmax(np.abs(whole))) if np.any(whole) else None


def _counting(comparison: Comparison, bridge: Bridge, change: float) -> _Part:
    _, right = names_of(comparison)
    figures = {figure.metric: figure for figure in comparison.figures if figure.player == bridge.player}
    counted: dict[str, list[tuple[int, tuple[str, str]]]] = {"more": [], "fewer": []}
    for metric, nouns in CLASSES.items():
        figure = figures.get(metric)
        if figure is not None and figure.gap:
            counted["more" if figure.gap > 0 else "fewer"].append((int(abs(figure.gap)), nouns))
    said = [f"{number} {word} {one if number == 1 else many}" for word, found in counted.items() for number, (one, many) in found]
    why = f"{right} counts {listed(said)}" if said else "as many decisions count, but not the same ones or not at the same cost"
    return _Part("counting", change, f"Counting makes {{}} of it: {why}.", "counting makes {}")


def _engine(comparison: Comparison, bridge: Bridge, gap: float) -> Iterator[_Part]:
    """The share of the analysis: the decisions that make at least half of the gap, and the others together."""
    items = comparison.walk.items
    moved = np.sum([vector for code, vector in bridge.contributions if share_of(code) == "engine"], axis=0)
    order = np.argsort(-np.abs(moved), kind="stable") if np.any(moved) else np.empty(0, np.int64)
    order = order[moved[order] != 0]
    half = HALF * max(abs(gap), abs(float(np.sum(moved))), MENTIONED)
    alone = order[:1][np.abs(moved[order[:1]]) >= half]
    same = alone if len(alone) else order[np.sign(moved[order]) == np.sign(gap)][:FEW]
    count = next((number for number in range(1, len(same) + 1) if abs(moved[same[:number]].sum()) >= half), 0)
    named = same[:count].tolist()
    if count == 1:
        yield _one(comparison, named[0], float(moved[named[0]]))
    elif count:
        places = [f"game {items.game[row]}, turn {items.turn[row]}" for row in named]
        each = listed([f"{place} ({_change(moved[row])})" for place, row in zip(places, named, strict=True)])
        words = f"{NUMBERS[count]} decisions make {{}}"
        yield _Part("decisions", float(moved[named].sum()), f"{_sentence(words)} of it: {each}.", f"{words} (most of it {places[0]})")
    others = order[~np.isin(order, named)]
    if len(others):
        what = plural(len(others), "smaller difference" if count else "difference") + (
            "" if comparison.right.format == DECISIONS else " of the analysis"
        )
        what += " makes {}" if len(others) == 1 else " make {}"
        none = "" if len(others) == 1 else f", none of them more than {np.abs(moved[others]).max():.2f}"
        yield _Part("small-differences", float(moved[others].sum()), f"{what} of it{none}.", what)


def _one(comparison: Comparison, item: int, change: float) -> _Part:
    """One decision that is the story: where it is, and what either side says of it."""
    items, reader = comparison.walk.items, Reader(comparison.walk)
    words = f"one {NOUNS[Kind(int(items.kind[item]))]} (game {items.game[item]}, turn {items.turn[item]}) makes {{}}"
    sides = zip(names_of(comparison), (0, 1), comparison.statistics, strict=True)
    left, right = [(name, *_grade(reader.side(item, side), statistics)) for name, side, statistics in sides]
    said = f"{left[0]} {left[1]}{left[2]}, {right[0]} {right[1].replace(CALLS, '') if left[1].startswith(CALLS) else right[1]}{right[2]}"
    if left[1] == right[1] and left[2]:
        said = f"both call it {left[1].removeprefix(CALLS)} ({left[2].strip(' ()')} and {right[2].strip(' ()')})"
    return _Part("decision", change, f"{_sentence(words)} of it: {said}.", words)


def _grade(side: SideOfDecision | None, statistics: Statistics) -> tuple[str, str]:
    """What a side calls the size of an error, by its own borders, and the error in brackets."""
    if side is None or side.error is None:
        return "has no analysis of it", ""
    if round(side.error, 3) == 0:
        return (f"{CALLS}right" if side.counted else "does not count it"), ""
    borders: Thresholds = statistics.rules.value("Q12")
    word = "a slip"
    for name, border in (("doubtful", borders.doubtful), ("an error", borders.error), ("a blunder", borders.blunder)):
        word = name if border is not None and side.error > border else word
    return f"{CALLS}{word}", f" ({side.error:.3f})"
