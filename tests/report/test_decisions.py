"""Single decisions: a card's differences are the errors, levels and their order are named, and what
was not played is not said to be.
"""

import re
from dataclasses import replace

import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.review import review, review_rows
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Candidate
from reconcile.report.html.decision_list import (
    BY_FILE,
    BY_LEVEL,
    NO_NOTE,
    comparison_decisions,
    cube_values,
    order_note,
    parted,
    review_decisions,
)
from tests.report import samples
from tests.support.balance import sides_of
from tests.support.hand_made_levels import turned, two_opinions
from tests.support.several import bundled_sgf, bundled_xg, named, real_sets

NAN = float("nan")


def real_pairs(data):
    files = [
        (xg_file, sgf_file)
        for xg_file in sorted((data / "real").glob("*.xg"))
        for sgf_file in sorted((data / "real").glob(f"{xg_file.stem}*.sgf"))
    ]
    return [
        compare(load_match(str(xg_file)), load_match(str(sgf_file))) for xg_file, sgf_file in files
    ]


def test_list_of_a_comparison_names_the_player_where_the_other_file_seats_the_two_otherwise():
    left, right = two_opinions(0.3)
    assert (left.players, turned(right).players) == (("Ann", "Ben"), ("Ben", "Ann"))
    assert comparison_decisions(compare(left, turned(right)), ()).row(0).player == "Ann"


@pytest.mark.long
def test_difference_of_a_cube_action_is_the_error_of_the_tool(data):
    count_of = dict.fromkeys(Kind, 0)
    for comparison in real_pairs(data):
        for item in range(len(comparison.walk.aligned)):
            for side in filter(None, sides_of(comparison.walk, item)):
                if side.decision.kind is not Kind.PLAY and side.error == side.error:
                    values = cube_values(side.decision.kind, *side.equities)
                    (lost,) = [-(off or 0.0) for _, _, off, is_played in values if is_played]
                    assert lost == pytest.approx(side.error, abs=5e-4), (item, values)
                    count_of[side.decision.kind] += 1
    assert min(count_of[kind] for kind in (Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS)) > 20


def test_cube_values_that_are_not_known_are_no_actions():
    assert cube_values(Kind.TAKE, NAN, 0.5, 1.0) == []
    assert cube_values(Kind.DOUBLE, NAN, 0.5, 1.0) == []
    assert [row[:3] for row in cube_values(Kind.PASS, 0.2, 0.5, NAN)] == [
        ("take", 0.5, None),
        ("pass", 1.0, -0.5),
    ]


def candidates(*rows):
    return [
        Candidate(((8, 5 - index),), equity, level) for index, (equity, level) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (((0.3, "3-ply"), (0.2, "3-ply"), (0.1, "1-ply")), NO_NOTE),
        (((0.3, "3-ply"), (0.3001, "1-ply")), NO_NOTE),  # the same as far as it is shown
        (((0.3, "3-ply"), (0.4, "1-ply")), BY_LEVEL),
        (((0.3, "3-ply"), (None, "3-ply"), (0.4, "1-ply")), BY_LEVEL),
        (((0.3, "3-ply"), (0.4, "3-ply"), (0.5, "1-ply")), BY_FILE),
    ],
)
def test_order_that_is_not_that_of_the_equities_is_explained(rows, note):
    assert order_note(parted(candidates(*rows), [True] * len(rows))[0]) == note


def test_roll_that_was_not_played_is_no_dance():
    match = samples.matches()[0]
    validity = match.plays.validity.copy()
    validity[5] = Validity.UNPLAYED
    changed = replace(match, plays=match.plays.replaced(validity=validity))
    decisions = review_decisions(review(changed))
    index = decisions.shown.tolist().index(5)
    assert decisions.row(index).done.endswith(": not played, the game had ended")
    assert changed.decision(5).play is None


def copies():
    """Two analyses, and a second file of one of them, which is not held against them."""
    return [bundled_xg(), bundled_sgf(), named(bundled_xg(), "copy.xg")]


@pytest.mark.parametrize("analyses", [pytest.param(copies, id="copies"), *real_sets(0, 1)])
def test_number_of_a_sentence_is_that_of_the_filter_which_shows_the_decisions(analyses):
    many = review(*analyses())
    sentence = review_rows(many)[-1].headline
    shown = {entry.name: entry.count for entry in review_decisions(many).filters}
    for name, words in {
        "other-choice": r"(\d+) over the best action",
        "other-size": r"(\d+) over its cost",
        "wrong-in-all": r"(\d+) decisions? (?:is|are) an error",
    }.items():
        number = re.search(words, sentence)
        assert shown[name] == (int(number[1]) if number else 0), (name, sentence)
