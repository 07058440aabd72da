"""A comparison in the sentences that a player came for: the gap of each player's PR, and what makes it, largest cause first.

The sentences are made here once, from the facts of `reconcile.gap.explanation`, and every output prints the same ones. Every number in
them is a sum of the ledger: a cause is named only where the ledger has it. Words are put together once, with their numbers: names may
hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reconcile.files.wording import Sentence, Turn, listed, plural, signed
from reconcile.gap.aligned import is_shallow
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import Explanation, explained
from reconcile.gap.naming import level_name
from reconcile.gap.parts import Part, Said, apportioned, printed
from reconcile.gap.usual import FEWEST, of_others, place_of
from reconcile.gap.walk import LEADING
from reconcile.match.columns import Kind
from reconcile.match.tools import short_name
from reconcile.scoring.findings import main_level
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_words import range_words

THOUSANDTH: Final = 0.001 + 1e-6
"""EMG. What is left of an error in a file that keeps thousandths."""
MOST: Final = 0.5
CLASSES: Final = {
    "decisions.checker": ("checker play", "checker plays"),
    "decisions.double": ("double or no-double", "doubles and no-doubles"),
    "decisions.take": ("take or pass", "takes and passes"),
    "resignations": ("resignation", "resignations"),
}
CAP: Final = "the cap of PR"
NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
CALLED: Final = {
    "not-analysed": "has no analysis of it",
    "not-counted": "does not count it",
    "right": "right",
    "slip": "a slip",
    "doubtful": "doubtful",
    "error": "an error",
    "blunder": "a blunder",
}
NOUNS: Final = {kind.label: kind.noun for kind in Kind}
SILENT: Final = frozenset(("not-analysed", "not-counted"))
"""What is not called anything."""
NOT_COMMON: Final = "coverage.not-analysed"
REASONS: Final = {
    "coverage.transcript": "where the files record different games",
    "coverage.not-played": "not played or not legal",
    "coverage.unpaired": "that one tool does not record",
    NOT_COMMON: "that only one program analysed",
}
"""Why a decision has nothing to be compared with, by its cause."""


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
    """In reading order; a `Sentence` keeps the turns that it names."""
    explanation: Explanation | None = None
    """The facts about the player."""


def stories(comparison: Comparison) -> tuple[Story, ...]:
    """The story of every player that is compared; before it that the files differ, after it what else is unusual about them."""
    return (
        *_transcript(comparison),
        *(Story(one.player, one.cause, one.sentences, one) for one in explanations(comparison)),
        *(
            [Story("", "settled", (comparison.settlement.sentence,))]
            if comparison.settlement
            else []
        ),
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
    errors = (
        np.stack((one[items.left[rows]], two[items.right[rows]])) if len(rows) else np.zeros((2, 0))
    )
    apart = np.abs(errors[0] - errors[1])[errors.max(axis=0) > THOUSANDTH]
    same = comparison.left.tool == comparison.right.tool
    return bool(np.mean(apart <= THOUSANDTH) > MOST) if len(apart) else same


def _transcript(comparison: Comparison) -> Iterator[Story]:
    pairing = comparison.pairing
    if pairing.differences:
        first = pairing.differences[0]
        where = Turn(first.game, first.turn) if first.turn else f"game {first.game}"
        number = plural(len(pairing.differences), "difference")
        words = Sentence(
            f"The two files are not quite the same match: {number}, the first in ",
            where,
            f" ({first.what}).",
        )
        yield Story("", "transcript", (words,))


def _unusual(comparison: Comparison) -> Iterator[Story]:
    names = comparison.labels
    levels = [main_level(statistics.match) for statistics in comparison.statistics]
    shallow = [name for name, level in zip(names, levels, strict=True) if is_shallow(level)]
    if shallow and not comparison.totals_alone:
        words = f"The analysis by {listed(shallow)} is shallow: it does not look beyond the play itself."
        yield Story("", "shallow", (words,))
    if comparison.pairing.seats == (1, 0):
        how = "name" if comparison.pairing.matched_by == "name" else "their rolls"
        right = comparison.opening[1]
        yield Story(
            "",
            "seats",
            (f"{right} has the players in the other order; they were matched by {how}.",),
        )


def explanations(comparison: Comparison) -> tuple[Explanation, ...]:
    """Why the figures of every player that is compared differ, in the order of the left file's seats."""
    found = (explained(comparison, seat) for seat in comparison.walk.seats)
    return tuple(replace(one, sentences=tuple(_told(comparison, one))) for one in found)


def _told(of: Comparison, one: Explanation) -> Iterator[Sentence]:
    """The sentences about a player."""
    told = one.told
    if one.cause == "incomplete":
        yield from _incomplete(of, one)
        return
    if not told.parts:
        yield Sentence(f"{_first(of, one)}.")
        if told.reason:
            yield Sentence(f"The gap cannot be split: {told.reason}.")
        return
    whole = printed(_gap(one))
    cancel = "" if whole else ", although single causes are larger: they cancel"
    yield Sentence(f"{_first(of, one)}{cancel}.")
    (first, size), *others = told.parts
    yield _leading(of, first, size, whole)
    if others:
        yield Sentence(
            Sentence.listed([_beside(of, part, size) for part, size in others]).opening(), "."
        )


def _gap(one: Explanation) -> float:
    return (one.end or 0.0) - (one.start or 0.0)


def _leading(of: Comparison, part: Part, hundredths: int, whole: int) -> Sentence:
    """The first part of a gap of `whole` hundredths."""
    of_it = " of it" if 0 < hundredths <= whole or whole <= hundredths < 0 else ""
    return Sentence(
        _makes(of, part, hundredths).opening(), of_it, _detail(of, part, hundredths), "."
    )


def _beside(of: Comparison, part: Part, hundredths: int) -> Sentence:
    """A part as one of several."""
    where = (
        [" (", Sentence.listed([Turn(each.game, each.turn) for each in part.named]), ")"]
        if len(part.named) > 1
        else []
    )
    return Sentence(_makes(of, part, hundredths), *where)


def _makes(of: Comparison, part: Part, hundredths: int) -> Sentence:
    """`two decisions make +0.46`."""
    makes = f" {'makes' if _is_one(part) else 'make'} {signed(hundredths / 100)}"
    if part.capped:
        return Sentence(CAP, makes)
    if part.cause == "coverage":
        where = " or only one program analysed" * (NOT_COMMON in part.lacking)
        where = (
            REASONS[NOT_COMMON]
            if part.lacking.keys() == {NOT_COMMON}
            else f"that only one file has{where}"
        )
        return Sentence(plural(sum(part.lacking.values()), "decision"), f" {where}{makes}")
    if part.cause == "decisions" and part.said is not None:
        (named,) = part.named
        return Sentence(f"one {NOUNS[named.kind]} (", Turn(named.game, named.turn), f"){makes}")
    if part.cause == "decisions":
        return Sentence(f"{number(len(part.named))} decisions{makes}")
    if part.cause == "rest":
        whose = "" if of.right.format == DECISIONS else " of the analysis"
        return Sentence(
            plural(len(part.moved), f"{part.beside} difference".strip()), f"{whose}{makes}"
        )
    return Sentence(
        "counting" if part.cause == "rules" else "what no rule and no decision explains", makes
    )


def number(count: int) -> str:
    """A small number in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _is_one(part: Part) -> bool:
    """Whether what makes a part is in the singular."""
    several = {
        "coverage": sum(part.lacking.values()),
        "decisions": len(part.named),
        "rest": len(part.moved),
    }
    return part.capped or several.get(part.cause, 1) == 1


def _detail(of: Comparison, part: Part, hundredths: int) -> str:
    """What there is to say of a part besides its size."""
    if part.capped:
        return ""
    if part.cause == "rules":
        return f": {_counted(of.labels[1], part)}"
    if part.cause == "reporting":
        return ": a figure shown is not the one that its own decisions give"
    if part.cause == "coverage":
        return "" if part.lacking.keys() == {NOT_COMMON} else f": {listed(because(part.lacking))}"
    if part.said is not None:
        return f": {_said(of.labels, part.said)}"
    if part.named:
        changes = [each.change for each in part.named]
        each = apportioned(changes, [printed(change) for change in changes], hundredths)
        where = [
            Sentence(Turn(at.game, at.turn), f" ({signed(size / 100)})")
            for at, size in zip(part.named, each, strict=True)
        ]
        return Sentence(": ", Sentence.listed(where))
    size = printed(part.moved[0][1])
    return f", the largest of them {signed(size / 100)}" if size and len(part.moved) > 1 else ""


def _counted(name: str, part: Part) -> str:
    """How many decisions the right side counts more or fewer."""
    said = [
        f"{abs(gap)} {word} {CLASSES[kind][abs(gap) != 1]}"
        for word, way in (("more", 1), ("fewer", -1))
        for kind, gap in part.counted
        if gap * way > 0
    ]
    return (
        f"{name} counts {listed(said)}"
        if said
        else "as many decisions count, but not the same ones or not at the same cost"
    )


def because(lacking: Mapping[str, int]) -> list[str]:
    """Why decisions have nothing to be compared with: `3 that one tool does not record`."""
    return [f"{lacking[cause]} {words}" for cause, words in REASONS.items() if cause in lacking]


def _said(names: tuple[str, str], said: tuple[Said, Said]) -> str:
    """What either side calls a decision."""
    first, second = said
    sizes = [f"{one.error:.{one.digits}f}" if one.digits else "" for one in said]
    if first.called == second.called and all(sizes):
        return f"both call it {CALLED[first.called]} ({sizes[0]} and {sizes[1]})"
    words = [
        f"{CALLED[one.called]} ({size})" if size else CALLED[one.called]
        for one, size in zip(said, sizes, strict=True)
    ]
    calls = ["" if one.called in SILENT else "calls it " for one in said]
    return f"{names[0]} {calls[0]}{words[0]}, {names[1]} {'' if calls[0] else calls[1]}{words[1]}"


def _first(of: Comparison, one: Explanation) -> str:
    """`XG 3.66, gnuBG 3.94: gnuBG charges Nora 0.28 more`."""
    shown, right, gap = METRICS[LEADING].shown, of.labels[1], _gap(one)
    ends = shown(one.start), shown(one.end)
    both = f"{of.opening[0]} {ends[0]}, {right} {ends[1]}"
    if printed(gap) and ends[0] != ends[1]:
        return f"{both}: {right} charges {one.player} {shown(abs(gap))} {'more' if gap > 0 else 'less'}"
    return f"{both}: {'no difference' if ends[0] == ends[1] and not printed(gap) else 'less than 0.01 apart'} for {one.player}"


def _incomplete(of: Comparison, one: Explanation) -> Iterator[Sentence]:
    """What is missing, and the figure that both sides have in full, if there is one."""
    told, shown = one.told, METRICS[LEADING].shown
    if told.missing:
        names = _named(of, [side for side, _ in told.missing])
        missing = [
            f"{name} analysed only {listed(words)}"
            for name, (_, words) in zip(names, told.missing, strict=True)
        ]
        yield Sentence(f"{listed(missing)} of {one.player}, so the two PRs do not compare.")
    else:
        gives = "gives" if len(told.without) == 1 else "give"
        yield Sentence(f"{listed(_named(of, told.without))} {gives} no PR of {one.player}.")
    if told.checker is not None:
        (left, right), plays = of.labels, [shown(value) for value in told.checker]
        yield Sentence(
            f"In checker plays, which both analysed: {left} {plays[0]}, {right} {plays[1]}."
        )


def _named(of: Comparison, sides: Sequence[int]) -> list[str]:
    """The names of sides with which a sentence begins."""
    return [(of.labels if number else of.opening)[side] for number, side in enumerate(sides)]


def _undecided(comparison: Comparison) -> Iterator[Story]:
    """What is not known of a tool's rules and moves a PR that is compared."""
    for statistics, own in zip(comparison.statistics, ("left_range", "right_range"), strict=True):
        shown = {
            figure.player
            for figure in comparison.figures
            if figure.metric == LEADING and getattr(figure, own)
        }
        for code, seat, words in range_words(statistics):
            left_seat = seat if own == "left_range" else comparison.pairing.seats.index(seat)
            if comparison.walk.left.match.names[left_seat] in shown:
                yield Story("", code, (f"{words}.",))


def _usual(comparison: Comparison) -> Iterator[Story]:
    """How large such a gap is in other matches."""
    shown = METRICS[LEADING].shown
    here = [
        one
        for one in comparison.figures
        if one.metric == LEADING and one.gap is not None and not one.coverage
    ]
    gaps = of_others(comparison.usual, [abs(one.gap or 0) for one in here])
    if len(gaps) < FEWEST or not here:
        return
    sides = zip((comparison.left, comparison.right), comparison.statistics, strict=True)
    pair = " against ".join(
        f"{short_name(side.tool)} {level_name(one.match)}".strip() for side, one in sides
    )
    places = listed(
        [
            f"the {shown(abs(one.gap or 0))} of {one.player} is {place_of(one.gap or 0, gaps)}"
            for one in here
        ]
    )
    average = shown(sum(gaps) / len(gaps))
    other = "other " if len(gaps) < len(comparison.usual) else ""
    yield Story(
        "",
        "usual",
        (
            f"In {len(gaps)} {other}player-matches of {pair} the gap was {average} on average; {places}.",
        ),
    )
