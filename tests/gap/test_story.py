"""The story of a comparison: each kind of gap has its own. That every place and number is true says the judge (`tests/oracles`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.formats import load_match
from reconcile.formats import written as xg
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.story import led_by_cause, sentences, stories
from reconcile.match.match import Match
from tests.oracles.stories.runs import judged_pair
from tests.support.balance import compared
from tests.support.bridged_pairs import read
from tests.support.examples import examples
from tests.support.hand_made import cubes
from tests.support.hand_made_levels import turned, two_opinions
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.strategies import matches, seats_swapped


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
    assert {story.cause for story in found} == {"rules"}
    assert all("ounting makes" in " ".join(story.sentences) for story in found)
    assert not any("analysis" in sentence for story in found for sentence in story.sentences)


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(matches())
def test_players_in_the_other_order_are_mentioned(match: xg.WrittenMatch) -> None:
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
    assert first.cause == "decisions"
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
    assert all(len(story.sentences) <= 3 for story in stories(comparison))


def two(*changes: float, **given: Any) -> Comparison:
    """Two opinions of one match, in which Ann's PR is 50 on the left."""
    return compared(*two_opinions(*changes, **given), "xg", "xg")


def of_ann(comparison: Comparison) -> tuple[str, ...]:
    return next(story.sentences for story in stories(comparison) if story.player == "Ann")


def test_decision_that_cancels_is_named_and_what_is_left_is_smaller() -> None:
    assert of_ann(two(-0.5, -0.49, 0.79, *[0.01] * 10)) == (
        "XG 50.00, gnuBG 49.90: gnuBG charges Ann 0.10 less.",
        "One play (game 1, turn 1) makes −0.50: XG calls it a blunder (0.100), gnuBG right.",
        "11 smaller differences of the analysis make −0.39 and one play (game 1, turn 3) makes +0.79.",
    )


def test_decisions_of_the_side_of_the_gap_are_its_cause_and_lead() -> None:
    assert of_ann(two(-0.43, 0.10, -0.42, *[-0.01] * 5)) == (
        "XG 50.00, gnuBG 49.20: gnuBG charges Ann 0.80 less.",
        "One play (game 1, turn 1) makes −0.43 of it: XG calls it a blunder (0.100), gnuBG a slip (0.014).",
        "7 smaller differences of the analysis make −0.37.",
    )
    assert of_ann(two(0.44, 0.45, *[0.02] * 10))[1] == "Two decisions make +0.89 of it: game 1, turn 2 (+0.45) and game 1, turn 1 (+0.44)."


def test_sum_of_decisions_is_that_of_the_numbers_printed_with_it() -> None:
    """0.434 and 0.434 are 0.868, printed as 0.43 and 0.43."""
    sentences_ = of_ann(two(0.434, 0.434, *[0.02] * 10))
    assert sentences_[0].endswith("gnuBG charges Ann 1.07 more.")
    assert sentences_[1:] == (
        "Two decisions make +0.86 of it: game 1, turn 1 (+0.43) and game 1, turn 2 (+0.43).",
        "10 smaller differences of the analysis make +0.21.",
    )


def test_without_a_decision_that_stands_out_the_largest_difference_is_given() -> None:
    assert of_ann(two(*[-0.05] * 20))[1:] == ("20 differences of the analysis make −1.00 of it, the largest of them −0.05.",)


def test_what_is_as_large_as_what_is_named_is_not_called_smaller() -> None:
    assert of_ann(two(*[-0.3] * 5))[1:] == (
        "Three decisions make −0.90 of it: game 1, turn 1 (−0.30), game 1, turn 2 (−0.30) and game 1, turn 3 (−0.30).",
        "2 other differences of the analysis make −0.60.",
    )


def test_causes_that_cancel_are_named_though_there_is_no_difference() -> None:
    assert of_ann(two(0.3, -0.3)) == (
        "XG 50.00, gnuBG 50.00: no difference for Ann, although single causes are larger: they cancel.",
        "One play (game 1, turn 1) makes +0.30: both call it a blunder (0.100 and 0.160).",
        "One play (game 1, turn 2) makes −0.30.",
    )


@pytest.mark.parametrize(
    ("change", "base", "said"),
    [
        (0.002, 0.1, "XG 50.00, gnuBG 50.00: no difference for Ann."),
        (0.004, 0.100004, "XG 50.00, gnuBG 50.01: less than 0.01 apart for Ann."),
        (0.007, 0.099994, "XG 50.00, gnuBG 50.00: less than 0.01 apart for Ann."),
        (0.008, 0.1, "XG 50.00, gnuBG 50.01: gnuBG charges Ann 0.01 more."),
    ],
)
def test_no_difference_is_said_only_where_none_is_printed(change: float, base: float, said: str) -> None:
    assert of_ann(two(change, error=base))[0] == said


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(-100, 120).map(lambda one: one / 200), min_size=1, max_size=40), st.sampled_from([0.1, 0.13]))
def test_story_of_any_changes_is_true_either_way_round(changes: list[float], error: float) -> None:
    one, other = two_opinions(*changes, error=error)
    for left, right in ((one, other), (other, one)):
        assert list(map(str, judged_pair("changes", left, right, whole=False))) == []


def test_names_may_hold_anything() -> None:
    said = of_ann(two(0.3, 0.05, 0.05, tools=("XG", "Bot {x} {} of it.")))
    assert said == (
        "XG 50.00, Bot {x} {} of it. 50.40: Bot {x} {} of it. charges Ann 0.40 more.",
        "One play (game 1, turn 1) makes +0.30 of it: both call it a blunder (0.100 and 0.160).",
        "2 smaller differences of the analysis make +0.10.",
    )
    named = two(0.3, -0.3, tools=("bot %s {0}", "no {} difference for"))
    assert of_ann(named)[0].startswith("bot %s {0} 50.00, no {} difference for 50.00: no difference for Ann, although")
    assert "Bot %s" not in " ".join(sentences(named))


@pytest.mark.parametrize(
    ("error", "other", "said"),
    [
        (0.08, 0.06, "XG calls it a blunder (0.080), gnuBG doubtful (0.060)"),
        (0.07996, 0.03, "XG calls it an error (0.07996), gnuBG a slip (0.030)"),
        (0.02, 0.06004, "both call it an error (0.020 and 0.06004)"),
        (0.0196, 0.12, "XG calls it a slip (0.0196), gnuBG an error (0.120)"),
        (0.0, 0.12004, "XG calls it right, gnuBG a blunder (0.12004)"),
    ],
)
def test_error_at_the_border_has_the_grade_of_its_tool_and_the_digits_show_it(error: float, other: float, said: str) -> None:
    comparison = compared(*two_opinions(5 * (other - error), error=error), "xg", "gnubg")
    assert of_ann(comparison)[1].endswith(f": {said}.")


def test_player_whose_cube_decisions_only_one_side_analysed_is_compared_by_checker_plays() -> None:
    left, right = two_opinions(0.3)
    some = [replace(one, cubes=cubes(2, turn=[1, 2], analysed=analysed)) for one, analysed in ((left, [True] * 2), (right, [True, False]))]
    assert of_ann(compared(some[0], some[1], "xg", "xg")) == (
        "gnuBG analysed only 1 of 2 cube decisions of Ann, so the two PRs do not compare.",
        "In checker plays, which both analysed: XG 50.00, gnuBG 50.30.",
    )


def test_players_in_the_other_order_are_said_to_be_matched_by_what_matched_them() -> None:
    left, right = demonstration()
    for names, how in ((right.players[::-1], "name"), (("Somebody", "Else"), "their rolls")):
        (found,) = (story.sentences for story in stories(compared(left, turned(right, names))) if story.cause == "seats")
        assert found == (f"gnuBG has the players in the other order; they were matched by {how}.",)


def test_decisions_without_a_partner_are_given_with_the_reason_and_their_number() -> None:
    left, right = two_opinions(0.3, plays_of_the_second=98)
    dear = replace(left, plays=left.plays.replaced(stored_error=np.array([0.1] * 98 + [0.6, 0.7])))
    for comparison, sign in ((compared(dear, right, "xg", "xg"), "−"), (compared(right, dear, "xg", "xg"), "+")):
        said = "2 decisions that only one file has make {}5.50: 2 where the files record different games."
        assert of_ann(comparison)[1] == said.format(sign)
        assert "are in both" not in " ".join(sentences(comparison))
