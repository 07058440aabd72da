"""The story of a comparison: each kind of gap has its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.story import led_by_cause, one_analysis, sentences, stories
from reconcile.match.match import Level, Match
from reconcile.match.tools import BGSAGE, GNUBG, XG
from tests.support.balance import ANY_GAP, compared
from tests.support.hand_made import cubes, plays, resignations
from tests.support.hand_made_levels import turned, two_opinions, with_levels
from tests.support.several import bundled_sgf, bundled_xg


def test_a_file_against_itself_has_no_cause() -> None:
    left = bundled_xg()
    comparison = compare(left, left)
    assert {story.cause for story in stories(comparison)} == {"none"}
    assert not led_by_cause(comparison)
    assert all("no difference for" in sentence for sentence in sentences(comparison))


def test_one_file_under_two_rule_sets_is_a_matter_of_counting() -> None:
    left = bundled_xg()
    found = stories(compare(left, left, right_rules="blunderdb"))
    assert {story.cause for story in found} == {"rules"}
    assert all("ounting makes" in " ".join(story.sentences) for story in found)
    assert not any("analysis" in sentence for story in found for sentence in story.sentences)


def test_one_play_that_two_engines_judge_differently(data: Path) -> None:
    (left,) = data.glob("real/ronde1*.xg")
    comparison = compare(load_match(left), load_match(left.with_name(f"{left.stem}_2ply.sgf")))
    first = stories(comparison)[0]
    assert first.cause == "decisions"
    assert first.sentences[1] == (
        "One play (game 2, turn 17) makes +0.46: XG calls it a slip (0.019), gnuBG an error (0.093)."
    )
    assert led_by_cause(comparison)


def test_a_shallow_analysis_is_mentioned(data: Path) -> None:
    for shallow, said in (("_0ply", True), ("_2ply", False)):
        comparison = compare(
            load_match(data / "real/test.xg"), load_match(data / f"real/test{shallow}.sgf")
        )
        assert (stories(comparison)[-1].cause == "shallow") == said


def test_a_partly_analysed_file_gives_no_gap(data: Path) -> None:
    (left,) = data.glob("real/charlot*.xg")
    found = stories(compare(load_match(left), load_match(left.with_suffix(".sgf"))))
    assert {story.cause for story in found} == {"incomplete"}
    assert "gnuBG analysed only 9 of 50 cube decisions of charlot1" in found[0].sentences[0]
    assert not any("0.00" in story.sentences[0] for story in found)


def test_two_files_of_not_quite_the_same_match_say_so_first() -> None:
    left, right = bundled_xg(), bundled_sgf()
    dice = right.plays.dice.copy()
    dice[5] = (6, 6) if tuple(dice[5].tolist()) != (6, 6) else (5, 5)
    other = replace(right, plays=right.plays.replaced(dice=dice))
    first = stories(compared(left, other))[0]
    assert first.cause == "transcript"
    assert "not quite the same match" in first.sentences[0]


def test_sentences_are_those_of_the_stories_in_order() -> None:
    comparison = compare(bundled_xg(), bundled_sgf())
    assert sentences(comparison) == tuple(
        sentence for story in stories(comparison) for sentence in story.sentences
    )
    assert [story.player for story in stories(comparison) if story.player] == list(
        comparison.left.players
    )
    assert all(len(story.sentences) <= 3 for story in stories(comparison))


def two(*changes: float, **given: Any) -> Comparison:
    """Two opinions of one match, in which Ann's PR is 50 on the left."""
    return compared(*two_opinions(*changes, **given), "xg", "xg")


def of_ann(comparison: Comparison) -> tuple[str, ...]:
    return next(story.sentences for story in stories(comparison) if story.player == "Ann")


FIRST_TWO = "Two decisions make {} of it: game 1, turn 1 ({}) and game 1, turn 2 ({})."
TOLD: dict[str, tuple[list[float], float, tuple[str, ...]]] = {
    "decision that cancels is named and what is left is smaller": (
        [-0.5, -0.49, 0.79, *[0.01] * 10],
        0.1,
        (
            "XG 50.00, gnuBG 49.90: gnuBG charges Ann 0.10 less.",
            "One play (game 1, turn 1) makes −0.50: XG calls it a blunder (0.100), gnuBG right.",
            "11 smaller differences of the analysis make −0.39 and one play (game 1, turn 3) makes +0.79.",
        ),
    ),
    "decisions of the side of the gap are its cause and lead": (
        [-0.43, 0.10, -0.42, *[-0.01] * 5],
        0.1,
        (
            "XG 50.00, gnuBG 49.20: gnuBG charges Ann 0.80 less.",
            "One play (game 1, turn 1) makes −0.43 of it: XG calls it a blunder (0.100), gnuBG a slip (0.014).",
            "7 smaller differences of the analysis make −0.37.",
        ),
    ),
    "larger of two decisions comes first": (
        [0.44, 0.45, *[0.02] * 10],
        0.1,
        (
            "Two decisions make +0.89 of it: game 1, turn 2 (+0.45) and game 1, turn 1 (+0.44).",
            "10 smaller differences of the analysis make +0.20.",
        ),
    ),
    "sum of decisions is that of the numbers printed with it: 0.434 and 0.434 are 0.868, printed as 0.43 and 0.43": (
        [0.434, 0.434, *[0.02] * 10],
        0.1,
        (
            "XG 50.00, gnuBG 51.07: gnuBG charges Ann 1.07 more.",
            FIRST_TWO.format("+0.86", "+0.43", "+0.43"),
            "10 smaller differences of the analysis make +0.21.",
        ),
    ),
    "without a decision that stands out the largest difference is given": (
        [-0.05] * 20,
        0.1,
        ("20 differences of the analysis make −1.00 of it, the largest of them −0.05.",),
    ),
    "what is as large as what is named is not called smaller": (
        [-0.3] * 5,
        0.1,
        (
            "Three decisions make −0.90 of it: game 1, turn 1 (−0.30), game 1, turn 2 (−0.30) and game 1, turn 3 (−0.30).",
            "2 other differences of the analysis make −0.60.",
        ),
    ),
    "causes that cancel are named though there is no difference": (
        [0.3, -0.3],
        0.1,
        (
            "XG 50.00, gnuBG 50.00: no difference for Ann, although single causes are larger: they cancel.",
            "One play (game 1, turn 1) makes +0.30: both call it a blunder (0.100 and 0.160).",
            "One play (game 1, turn 2) makes −0.30.",
        ),
    ),
    "decision that makes less than half of the gap is not its cause": (
        [0.47, *[0.01] * 53],
        0.1,
        ("54 differences of the analysis make +1.00 of it, the largest of them +0.47.",),
    ),
    # 100 plays of 1.25 would be 125, of which each has 1 in the 100 that is shown; 40 cost nothing to gnuBG, 60 have 1.25 of its 75.
    "decisions that are the same are no differences where the figure is capped": (
        [-1.25] * 40,
        0.25,
        (
            "XG 100.00, gnuBG 75.00: gnuBG charges Ann 25.00 less.",
            "40 differences of the analysis make −40.00, the largest of them −1.00.",
            "The cap of PR makes +15.00.",
        ),
    ),
    "only other decision is named with the first": (
        [0.6, 0.2],
        0.1,
        (FIRST_TWO.format("+0.80", "+0.60", "+0.20"),),
    ),
}
"""Changes of the single decisions, the error of each on the left, and the last sentences that are said of Ann."""


@pytest.mark.parametrize("what", TOLD)
def test_story_of_changes_is(what: str) -> None:
    changes, error, said = TOLD[what]
    assert of_ann(two(*changes, error=error))[-len(said) :] == said


@pytest.mark.parametrize(
    ("change", "base", "said"),
    [
        (0.002, 0.1, "XG 50.00, gnuBG 50.00: no difference for Ann."),
        (0.004, 0.100004, "XG 50.00, gnuBG 50.01: less than 0.01 apart for Ann."),
        (0.007, 0.099994, "XG 50.00, gnuBG 50.00: less than 0.01 apart for Ann."),
        (0.008, 0.1, "XG 50.00, gnuBG 50.01: gnuBG charges Ann 0.01 more."),
    ],
)
def test_no_difference_is_said_only_where_none_is_printed(
    change: float, base: float, said: str
) -> None:
    assert of_ann(two(change, error=base))[0] == said


def test_names_may_hold_anything() -> None:
    said = of_ann(two(0.3, 0.05, 0.05, tools=("XG", "Bot {x} {} of it.")))
    assert said == (
        "XG 50.00, Bot {x} {} of it. 50.40: Bot {x} {} of it. charges Ann 0.40 more.",
        "One play (game 1, turn 1) makes +0.30 of it: both call it a blunder (0.100 and 0.160).",
        "2 smaller differences of the analysis make +0.10.",
    )
    named = two(0.3, -0.3, tools=("bot %s {0}", "no {} difference for"))
    assert of_ann(named)[0].startswith(
        "bot %s {0} 50.00, no {} difference for 50.00: no difference for Ann, although"
    )
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
def test_error_at_the_border_has_the_grade_of_its_tool_and_the_digits_show_it(
    error: float, other: float, said: str
) -> None:
    comparison = compared(*two_opinions(5 * (other - error), error=error), "xg", "gnubg")
    assert of_ann(comparison)[1].endswith(f": {said}.")


def test_players_in_the_other_order_are_said_to_be_matched_by_what_matched_them() -> None:
    left, right = bundled_xg(), bundled_sgf()
    for names, how in ((right.players[::-1], "name"), (("Somebody", "Else"), "their rolls")):
        (found,) = (
            story.sentences
            for story in stories(compared(left, turned(right, names)))
            if story.cause == "seats"
        )
        assert found == (f"gnuBG has the players in the other order; they were matched by {how}.",)


@pytest.mark.parametrize(
    ("errors", "figures", "said"),
    [
        ([0.6], ("52.50", "50.00"), "makes {}2.50: 1"),
        ([0.6, 0.7], ("55.50", "50.00"), "make {}5.50: 2"),
    ],
)
def test_decisions_without_a_partner_are_given_with_the_reason_and_their_number(
    errors: list[float], figures: tuple[str, str], said: str
) -> None:
    number = len(errors)
    left, right = two_opinions(plays_of_the_second=100 - number)
    dear = replace(
        left, plays=left.plays.replaced(stored_error=np.array([0.1] * (100 - number) + errors))
    )
    assert of_ann(compared(dear, right, "xg", "xg"))[0].startswith(
        "XG {}, gnuBG {}: gnuBG charges Ann".format(*figures)
    )
    for comparison, sign in (
        (compared(dear, right, "xg", "xg"), "−"),
        (compared(right, dear, "xg", "xg"), "+"),
    ):
        part = said.format(sign).replace(":", " of it:")
        words = "decision" if number == 1 else "decisions"
        assert (
            of_ann(comparison)[1]
            == f"{number} {words} that only one file has {part} where the files record different games."
        )
        assert "are in both" not in " ".join(sentences(comparison))


# -- what is counted, missing, open or shallow -------------------------------------------------------------------------


def causes(comparison: Comparison) -> set[str]:
    return {story.cause for story in stories(comparison)}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (("xg", "gnubg"), ("0.50 more", "+0.50 of it: gnuBG counts 1 fewer double or no-double")),
        (("gnubg", "xg"), ("0.50 less", "−0.50 of it: gnuBG counts 1 more double or no-double")),
    ],
)
def test_counting_says_what_the_right_side_counts_more_or_fewer(
    rules: tuple[str, str], said: tuple[str, str]
) -> None:
    """A no-double 0.18 short of a double is close to XG (0.200) and not to gnuBG (0.16): 101 decisions that cost 10, or 100."""
    left, right = (
        replace(one, cubes=cubes(no_double=[0.5], double_take=[0.32])) for one in two_opinions()
    )
    first, second = of_ann(compared(left, right, *rules))
    assert first.endswith(f"gnuBG charges Ann {said[0]}.")
    assert second == f"Counting makes {said[1]}."


@pytest.mark.parametrize(
    ("errors", "said"), [((0.0,), "1 more resignation"), ((0.0, 0.0), "2 more resignations")]
)
def test_counting_says_how_many_resignations_count(errors: tuple[float, ...], said: str) -> None:
    left, right = (
        replace(
            one, source=replace(one.source, tool=BGSAGE.name), resignations=resignations(*errors)
        )
        for one in two_opinions()
    )
    assert of_ann(compared(left, right, "gnubg", "gammonview"))[-1].endswith(f"counts {said}.")


PART = "gnuBG analysed only 1 of 2 cube decisions of Ann, so the two PRs do not compare."


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_what_a_side_has_not_analysed_is_said_of_the_player_in_whichever_seat(
    exchanged: bool, seats: bool
) -> None:
    left, right = two_opinions(0.3)
    whole = replace(left, cubes=cubes(2, turn=[1, 2]))
    part = replace(right, cubes=cubes(2, turn=[1, 2], analysed=[True, False]))
    sides = (whole, turned(part) if seats else part)
    first, second = of_ann(compared(*(sides[::-1] if exchanged else sides), "xg", "xg"))
    assert first == PART
    figures = "gnuBG 50.30, XG 50.00" if exchanged else "XG 50.00, gnuBG 50.30"
    assert second == f"In checker plays, which both analysed: {figures}."


def test_checker_plays_are_not_compared_either_where_some_are_not_analysed() -> None:
    left, right = two_opinions(0.3)
    analysed = np.array([True] * 89 + [False] * 11)
    part = replace(
        right,
        plays=right.plays.replaced(analysed=analysed),
        cubes=cubes(2, turn=[1, 2], analysed=[False] * 2),
    )
    assert of_ann(compared(replace(left, cubes=cubes(2, turn=[1, 2])), part, "xg", "xg")) == (
        "gnuBG analysed only 89 of 100 checker plays and 0 of 2 cube decisions of Ann, so the two PRs do not compare.",
    )


@pytest.mark.parametrize(
    ("lookahead", "shallow"), [(0.0, True), (0.5, True), (1.0, False), (None, False)]
)
def test_analysis_that_looks_a_whole_ply_ahead_is_not_shallow(
    lookahead: float | None, shallow: bool
) -> None:
    left, right = two_opinions(0.3)
    right = replace(right, levels=(Level("some", lookahead), right.levels[1]))
    assert ("shallow" in causes(compared(left, right))) == shallow


def losing(tool: str, more: int = 0) -> Match:
    """Plays of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    made = plays(1 + more, turn=list(range(1, 2 + more)))
    return with_levels(made, cubes(no_double=[-0.7], double_take=[-0.75]), tool=tool)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_open_rule_is_told_where_it_moves_the_figure_of_a_player_that_is_shown(
    exchanged: bool, seats: bool
) -> None:
    xg, gnubg = losing(XG.name), losing(GNUBG.name)
    for open_side in (turned(xg) if seats else xg, xg):
        other = turned(gnubg) if seats and open_side is xg else gnubg
        sides = (other, open_side) if exchanged else (open_side, other)
        for player, told in (("Ann", True), ("Ben", False)):
            comparison = compare(*sides, ANY_GAP, player=player, need_verdict=False)
            found = [
                story for story in stories(comparison) if "losing" in " ".join(story.sentences)
            ]
            assert bool(found) == told, (player, stories(comparison))


def errors(*left: float) -> Match:
    rows = len(left)
    best = [0.5] * rows
    made = plays(
        rows,
        turn=list(range(1, rows + 1)),
        stored_error=list(left),
        best=best,
        played=[0.5 - one for one in left],
    )
    return with_levels(made)


def test_analyses_that_agree_only_on_what_costs_nothing_are_two() -> None:
    right_plays = [0.0] * 20
    one, other = errors(*right_plays, 0.1, 0.2, 0.05), errors(*right_plays, 0.15, 0.1, 0.09)
    assert not one_analysis(compared(one, other))
    assert one_analysis(
        compared(one, errors(*right_plays, 0.1, 0.2, 0.09))
    )  # two of three errors are the same


def test_files_without_an_error_are_one_analysis_if_one_tool_made_both() -> None:
    one = errors(0.0, 0.0)
    other = replace(one, source=replace(one.source, tool=GNUBG.name))
    assert one_analysis(compared(one, one))
    assert not one_analysis(compared(one, other))
    assert not led_by_cause(compared(one, one))


def test_decision_that_a_side_does_not_count_is_not_called_right_by_it() -> None:
    """XG: 99 plays of 0.1 and one of 0.3, PR 51; gnuBG: 99 plays of 0.1, and one that does not count."""
    left, right = two_opinions()
    dear, free = left.plays.stored_error.copy(), right.plays.stored_error.copy()
    dear[0], free[0] = 0.3, 0.0
    flag = np.array([1] + [0] * 99)
    left = replace(left, plays=left.plays.replaced(stored_error=dear, best=dear))
    right = replace(right, plays=right.plays.replaced(stored_error=free, best=free, flag=flag))
    assert of_ann(compared(left, right, "xg", "xg")) == (
        "XG 51.00, gnuBG 50.00: gnuBG charges Ann 1.00 less.",
        "One play (game 1, turn 1) makes −1.00 of it: XG calls it a blunder (0.300), gnuBG does not count it.",
    )
