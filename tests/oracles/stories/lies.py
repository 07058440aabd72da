"""True documents, and sentences in them that are made false by one word or number, each of its own kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tests.oracles.stories import documents, pools
from tests.oracles.stories.archive import ARCHIVE, Archive
from tests.oracles.stories.compared import Compared
from tests.oracles.stories.generated import generated
from tests.oracles.stories.investigated import Investigated
from tests.oracles.stories.judge import Fault, faults
from tests.oracles.stories.runs import COMPARED, INVESTIGATED
from tests.oracles.stories.several import Several
from tests.oracles.stories.several_story import SEVERAL
from tests.support.loaded import DEMONSTRATION
from tests.support.several import bundled_sgf, bundled_xg, chosen, dearer

NORA, TOMAS = "Nora Lindqvist", "Tomas Beck"
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Lie:
    """A part of a true sentence, and what it is replaced by."""

    about: str
    """The document: `two`, `three`, `pool`, the seed of a generated pair, or a player and figures that are investigated."""
    true: str
    false: str


LIES = (
    # numbers
    Lie("two", "XG 7.16, gnuBG 4.85", "XG 7.17, gnuBG 4.85"),
    Lie("two", "Nora Lindqvist 2.31 less", "Nora Lindqvist 2.32 less"),
    Lie(
        "two",
        f"(game 2, turn 20) makes {MINUS}0.57 of it",
        f"(game 2, turn 20) makes {MINUS}0.56 of it",
    ),
    Lie("two", "a blunder (0.153)", "a blunder (0.154)"),
    Lie("two", f"{MINUS}0.88 and counting makes +0.08", f"{MINUS}0.87 and counting makes +0.07"),
    # signs and directions
    Lie("two", "counting makes +0.08", f"counting makes {MINUS}0.08"),
    Lie("two", "charges Tomas Beck 0.78 less", "charges Tomas Beck 0.78 more"),
    Lie("three", "2.49 below the median", "2.49 above the median"),
    # names of sides, players and places
    Lie("two", "gnuBG charges Nora", "XG charges Nora"),
    Lie("two", "XG 7.74, gnuBG 6.96", "gnuBG 7.74, XG 6.96"),
    Lie("two", "gnuBG charges Tomas Beck", "gnuBG charges Nora Lindqvist"),
    Lie("two", "One take (game 2, turn 20)", "One play (game 2, turn 20)"),
    Lie("two", "game 4, turn 8", "game 4, turn 9"),
    # adjectives
    Lie(
        "two",
        "XG calls it a blunder (0.153), gnuBG an error",
        "XG calls it an error (0.153), gnuBG an error",
    ),
    Lie("two", "gnuBG an error (0.063)", "gnuBG doubtful (0.063)"),
    Lie("two", "40 smaller differences", "40 other differences"),
    Lie("two", "The analysis by gnuBG is shallow", "The analysis by XG is shallow"),
    Lie("19", "both call it a blunder", "both call it an error"),
    Lie("4", "no difference for Zoë Müller", "less than 0.01 apart for Zoë Müller"),
    Lie("4", "The left gnuBG and the right gnuBG give no PR", "The left gnuBG gives no PR"),
    Lie(
        "1",
        "as many decisions count, but not the same ones or not at the same cost",
        "gnuBG counts 1 more checker play",
    ),
    # counts
    Lie("two", "37 smaller differences", "36 smaller differences"),
    Lie("two", "Three decisions make", "Two decisions make"),
    Lie(
        "28",
        "BGBlitz counts 2 more doubles and no-doubles",
        "BGBlitz counts 3 more doubles and no-doubles",
    ),
    Lie(
        "28",
        "BGBlitz counts 2 more doubles and no-doubles",
        "BGBlitz counts 2 fewer doubles and no-doubles",
    ),
    Lie("61", "2 decisions that only one file has", "3 decisions that only one file has"),
    Lie(
        "6",
        "1 difference, the first in game 2, turn 5",
        "2 differences, the first in game 2, turn 5",
    ),
    Lie("6", "the first in game 2, turn 5", "the first in game 2, turn 4"),
    Lie("9", "they were matched by name", "they were matched by their rolls"),
    Lie("145", "larger than all of them", "larger than 11 of them"),
    Lie("145", "on average", "at most"),
    # ranges
    Lie("2", "PR of Ann is 96.29 to 100.00", "PR of Ann is 96.29 to 99.00"),
    Lie("2", "its double decisions: 2 or 3", "its double decisions: 3 or 4"),
    Lie("2", "analysed only 1 of 5 checker plays", "analysed only 2 of 5 checker plays"),
    # several analyses: outlier, disputes, consensus, voters
    Lie("three", "gnuBG is the outlier", "XG is the outlier"),
    Lie("three", "on 18 decisions it is alone", "on 29 decisions it is alone"),
    Lie("three", "45 decisions are in dispute", "44 decisions are in dispute"),
    Lie(
        "three",
        "on 34 the analyses prefer another choice",
        "on 35 the analyses prefer another choice",
    ),
    Lie("three", "most is at stake in game 3, turn 30", "most is at stake in game 2, turn 20"),
    Lie("three", "XG and BGBlitz prefer", "XG and gnuBG prefer"),
    Lie(
        "three",
        "All analyses call 13 decisions an error",
        "All analyses call 12 decisions an error",
    ),
    Lie("three", "a PR of 11.48 for Nora", "a PR of 11.49 for Nora"),
    Lie(
        "three",
        "and 7.74 for Tomas Beck (XG 7.74 and BGBlitz 7.74 vote)",
        "and 7.74 for Tomas Beck (XG 7.74 alone votes)",
    ),
    Lie(
        "three",
        "has no vote: its analysis is shallow",
        "has no vote: another analysis by the same program votes",
    ),
    Lie("three", "BGBlitz at 7.52", "BGBlitz at 7.52; none of them is an outlier"),
    # investigations
    Lie(
        "Tomas Beck: pr=7.5",
        "is exactly what rule set blunderdb-2026 gives",
        "is exactly what rule set blunderdb gives",
    ),
    Lie("Tomas Beck: pr=7.5", "PR 7.7 (0.2 more)", "PR 7.7 (0.2 less)"),
    Lie(
        "Tomas Beck: pr=7.5",
        "3 decisions count or cost otherwise",
        "4 decisions count or cost otherwise",
    ),
    Lie(
        "Tomas Beck: pr=7.5",
        "turn 39 (no-double): counts now",
        "turn 39 (no-double): no longer counts",
    ),
    Lie("Tomas Beck: pr=7.5", "1 of 9 known rule sets", "2 of 9 known rule sets"),
    Lie("Tomas Beck: pr=7.5", "would narrow it down: 63", "would decide: 63"),
    Lie(
        "Tomas Beck: pr=7.74",
        "is exactly what XG's own rules give",
        "is, as far as the digits go, what XG's own rules give",
    ),
    Lie("Tomas Beck: pr=7.16,decisions=104", "are Nora Lindqvist's", "are Tomas Beck's"),
    Lie("Tomas Beck: pr=7.16,decisions=104", "PR 7.74", "PR 7.75"),
    # a pool
    Lie("pool", "drawing games", "drawing matches"),
)
"""At least thirty, of every kind."""


@cache
def _three() -> documents.Document:
    match = bundled_xg()
    other = dearer(match, "third.xg", chosen(match, 0, 6), 0.3)
    return documents.several(
        [match, bundled_sgf(), replace(other, source=replace(other.source, tool="BGBlitz"))]
    )


@cache
def _two(seed: str) -> documents.Document:
    if seed == "two":
        return documents.compared(bundled_xg(), bundled_sgf(), whole=False)
    pair = generated(int(seed))
    return documents.compared(pair.left, pair.right, whole=False)


@cache
def _investigated(about: str) -> tuple[documents.Document, str]:
    player, _, given = about.partition(": ")
    return documents.investigated(
        bundled_xg(), player, dict(one.split("=") for one in given.split(","))
    )


@cache
def _counted(rules: str) -> documents.Document:
    return documents.per_game(bundled_xg(), rules)


@cache
def _pool() -> tuple[Sequence[documents.Document], documents.Document, str]:
    return documents.pooled([DEMONSTRATION.with_suffix(".xg")])


def told(about: str, edit: Callable[[str], str] = str) -> tuple[str, list[Fault]]:
    """What a document says, and the faults of it with its sentences edited."""
    if about == "pool":
        each, document, text = _pool()
        pool = pools.Pool(each, document, edit(text))
        return text, list(faults(about, pool, pool.sentences, pools.POOL))
    if "=" in about:
        found, text = _investigated(about)
        facts = Investigated(found, edit(text), _counted)
        return text, list(faults(about, facts, facts.sentences, INVESTIGATED))
    document = _three() if about == "three" else _two(about)
    forms, made = (
        (SEVERAL, Several(document)) if about == "three" else (COMPARED, Compared(document))
    )
    sentences: list[str] = [edit(sentence) for sentence in document["story"]]
    return "\n".join(document["story"]), list(faults(about, made, sentences, forms))


def of_an_archive(text: str, decisions: Sequence[Mapping[str, object]]) -> Iterator[Fault]:
    """The faults of a report."""
    facts = Archive(text, decisions)
    yield from faults("archive", facts, facts.sentences, ARCHIVE)
