"""The story of a comparison: every place and number in it is in the ledger, and each kind of gap has its own."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match
from reconcile.adapters.writers import match as xg
from reconcile.errors import NotTheSameMatch
from reconcile.gap.bridge import share_of
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.parts import SMALLEST
from reconcile.gap.story import Story, led_by_cause, sentences, stories
from reconcile.gap.walk import LEADING
from reconcile.match import Match
from tests.support.balance import compared
from tests.support.bridged_pairs import read, real_pairs
from tests.support.data import label
from tests.support.examples import examples
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.long import long_but_first
from tests.support.strategies import matches, seats_swapped, second_opinions

PAIRS = [pytest.param(one, two, id=f"{label(one)}{one.suffix}-{label(two)}{two.suffix}") for one, two in real_pairs()]
SIGNED = r"[+\N{MINUS SIGN}-]\d+\.\d\d"
HALF_A_DIGIT = 0.005001


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def untrue(comparison: Comparison) -> list[str]:
    """The claims of the players' stories that the ledger does not have."""
    wrong = []
    for story in stories(comparison):
        if story.player and story.cause not in ("incomplete", "none"):
            wrong += _untrue(comparison, story)
    return wrong


def _untrue(comparison: Comparison, story: Story) -> list[str]:
    walk, wrong = comparison.walk, []
    bridge = walk.bridge(LEADING, walk.left.match.players.index(story.player))
    assert bridge.start is not None
    assert bridge.end is not None
    gap = bridge.end - bridge.start
    vectors = [vector for code, vector in bridge.contributions if share_of(code) == "engine"]
    engine = np.sum([np.zeros(len(walk.items)), *vectors], axis=0)
    first, text = story.sentences[0], " ".join(story.sentences[1:])
    if f"{bridge.start:.2f}" not in first or f"{bridge.end:.2f}" not in first:
        wrong.append("the figures")
    apart = "less than 0.01 apart" in first or "no difference" in first
    if not apart and f" {abs(gap):.2f} {'more' if gap > 0 else 'less'}" not in first:
        wrong.append("the gap")
    plain = re.sub(rf"\({SIGNED}\)|, the largest of them {SIGNED}", "", text)
    parts = [hundredths(one) for one in re.findall(SIGNED, plain)]
    if sum(parts) != round(100 * round(gap, 2)):
        wrong.append(f"parts {parts} for a gap of {gap}")
    for several, each in re.findall(rf"decisions make ({SIGNED})(?: of it)?: (.*?)\.(?: |$)", text):
        if hundredths(several) != sum(map(hundredths, re.findall(rf"\(({SIGNED})\)", each))):
            wrong.append(f"decisions that do not make {several}")
    of_it = [hundredths(size) for size in re.findall(rf"({SIGNED}) of it", text)]
    wrong += [f"{size} is not of it" for size in of_it if size * gap <= 0 or abs(size) > abs(round(100 * gap))]
    named = [(int(game), int(turn)) for game, turn in re.findall(r"game (\d+), turn (\d+)", text)]
    moved = sorted((abs(one) for one in engine.tolist() if one), reverse=True)
    places = {(int(walk.items.game[row]), int(walk.items.turn[row])): float(engine[row]) for row in np.argsort(np.abs(engine))}
    wrong += [f"game {game}, turn {turn}" for game, turn in named if abs(places.get((game, turn), 0.0)) < moved[len(named) - 1] - 1e-9]
    for number_, word, largest in re.findall(rf"(\d+) (\w*) ?differences?\b[^.]*?(?:largest of them ({SIGNED}))?(?:\.|,| and)", text):
        hidden = moved[len(named) :]
        if int(number_) != len(hidden) or (word == "smaller" and not hidden[0] < moved[len(named) - 1]):
            wrong.append(f"{number_} {word} differences")
        if largest and abs(abs(number(largest)) - hidden[0]) > HALF_A_DIGIT:
            wrong.append(f"the largest is not {largest}")
    counting = sum(step.change for step in bridge.steps if share_of(step) == "rules")
    if ("ounting makes" in text) != (abs(counting) >= SMALLEST) and abs(abs(counting) - SMALLEST) > SMALLEST:
        wrong.append("counting")
    return wrong


def hundredths(text: str) -> int:
    return round(100 * number(text))


@pytest.mark.parametrize(("left", "right"), long_but_first(PAIRS, 4))
def test_places_and_numbers_are_those_of_the_ledger(left: Path, right: Path) -> None:
    comparison = compared(loaded(left), loaded(right))
    assert untrue(comparison) == []
    assert all(len(story.sentences) <= 3 for story in stories(comparison))


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_generated_stories_name_no_cause_that_the_ledger_does_not_have(data: st.DataObject) -> None:
    match = data.draw(matches())
    try:
        comparison = compared(read(match), read(data.draw(second_opinions(match))))
    except NotTheSameMatch:
        return
    assert untrue(comparison) == []


def demonstration() -> tuple[Match, Match]:
    return loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf"))


def test_a_file_against_itself_has_no_cause() -> None:
    left, _ = demonstration()
    comparison = compare(left, left)
    assert {story.cause for story in stories(comparison)} == {"none"}
    assert not led_by_cause(comparison)
    assert all("no difference for" in sentence for sentence in sentences(comparison))


def test_one_file_under_two_rule_sets_is_a_matter_of_counting() -> None:
    left, _ = demonstration()
    found = stories(compare(left, left, right_rules="blunderdb"))
    assert {story.cause for story in found} == {"counting"}
    assert all("ounting makes" in " ".join(story.sentences) for story in found)
    assert not any("analysis" in sentence for story in found for sentence in story.sentences)


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(matches())
def test_players_in_the_other_order_are_mentioned(match: xg.Match) -> None:
    for right, swapped in ((match, False), (seats_swapped(match), True)):
        comparison = compared(read(match), read(right))
        found = [story for story in stories(comparison) if story.cause == "seats"]
        assert bool(found) == (comparison.pairing.seats == (1, 0))
        assert bool(found) == swapped or comparison.pairing.matched_by == "transcript"
        assert all("players in the other order; they were matched by" in story.sentences[0] for story in found)


def test_one_play_that_two_engines_judge_differently(data: Path) -> None:
    (left,) = data.glob("real/ronde1*.xg")
    comparison = compare(load_match(left), load_match(left.with_name(f"{left.stem}_2ply.sgf")))
    first = stories(comparison)[0]
    assert first.cause == "decision"
    assert first.sentences[1] == ("One play (game 2, turn 17) makes +0.46: XG calls it a slip (0.019), gnuBG an error (0.093).")
    assert led_by_cause(comparison)


def test_a_shallow_analysis_is_mentioned(data: Path) -> None:
    for shallow, said in (("_0ply", True), ("_2ply", False)):
        comparison = compare(load_match(data / "real/test.xg"), load_match(data / f"real/test{shallow}.sgf"))
        assert (stories(comparison)[-1].cause == "shallow") == said


def test_a_partly_analysed_file_gives_no_gap(data: Path) -> None:
    (left,) = data.glob("real/charlot*.xg")
    found = stories(compare(load_match(left), load_match(left.with_suffix(".sgf"))))
    assert {story.cause for story in found} == {"incomplete"}
    assert "gnuBG analysed only 9 of 50 cube decisions of charlot1" in found[0].sentences[0]
    assert not any("0.00" in story.sentences[0] for story in found)


def test_two_files_of_not_quite_the_same_match_say_so_first() -> None:
    left, right = demonstration()
    dice = right.plays.dice.copy()
    dice[5] = (6, 6) if tuple(dice[5].tolist()) != (6, 6) else (5, 5)
    other = replace(right, plays=right.plays.replaced(dice=dice))
    first = stories(compared(left, other))[0]
    assert first.cause == "transcript"
    assert "not quite the same match" in first.sentences[0]


def test_sentences_are_those_of_the_stories_in_order() -> None:
    comparison = compare(*demonstration())
    assert sentences(comparison) == tuple(sentence for story in stories(comparison) for sentence in story.sentences)
    assert [story.player for story in stories(comparison) if story.player] == list(comparison.left.players)
