"""Several analyses of one match: figures as in the single files, pairs as compared by two, the
outlier, who votes, and what is in dispute; on real sets, and on ones made by hand."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, islice
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.document import document
from reconcile.gap.aligned import SIZE, depth_of, majority
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import called, pair
from reconcile.gap.review import NOISE, far_from_others, review, review_rows
from reconcile.match.match import Level, Match
from reconcile.results.comparison import comparison_document, review_document
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.hand_made import match_from
from tests.support.hand_made_levels import LEVELS, two_opinions
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg, named, real_sets
from tests.support.tables import cases_of


def of_tool(match, name, tool):
    """The same analysis as that of another program."""
    other = named(match, name)
    return replace(other, source=replace(other.source, tool=tool))


def dearer(match, name, rows, by):
    """An analysis that charges more for these plays (rows), and prefers the candidate that the
    others have second."""
    error = match.plays.stored_error.copy()
    error[rows] += by

    def candidates(row):
        listed = match.candidates(row)
        return (listed[1], listed[0], *listed[2:]) if row in rows else listed

    return replace(
        named(match, name), plays=match.plays.replaced(stored_error=error), candidates=candidates
    )


def chosen(match, seat, number):
    """Plays of a player that count, that were not the best ones, and in which the file has several
    candidates."""
    wrong = (
        (match.plays.player == seat) & (match.plays.stored_error > 0.001) & (match.plays.flag == 0)
    )
    rows = [
        row
        for row in np.flatnonzero(wrong).tolist()
        if len(match.candidates(row)) > 2 and not match.candidates(row)[1].made
    ]
    assert len(rows) >= number
    return rows[:number]


Analyses = Callable[[], list[Match]]


def of_the_demonstration():
    """Two analyses of its first games, and one that charges more for some plays."""
    match = beginning(".xg")
    odd = of_tool(dearer(match, "odd.xg", chosen(match, 0, 2), 0.25), "odd.xg", "BGBlitz")
    return [match, beginning(".sgf"), odd]


SETS = [pytest.param(of_the_demonstration, id="demonstration"), *real_sets(0, 1)]


@pytest.mark.parametrize("analyses", SETS)
def test_pairs_are_the_comparisons_of_two_files(analyses):
    matches = analyses()
    reviewed = review(*matches)
    everything: Any = document(review_document(reviewed))
    for both in some(everything["pairs"]):
        left, right = (matches[both[side]] for side in ("left", "right"))
        # The players are called as in the review, whatever the file calls them.
        left_named = called(left, reviewed.analyses[both["left"]].match.names)
        two: Any = document(comparison_document(compare(left_named, right, need_verdict=False)))
        two["transcript"]["players_matched_by"] = pair(left, right).matched_by
        # Where a third file counts turns with a dead cube, all have a row for each such turn.
        for counted in ("decisions", "paired"):
            assert both["transcript"].pop(counted) >= two["transcript"].pop(counted)
        same = two.keys() - {"left", "right", "ledger", "games", "decisions"}
        assert {key: rounded(both[key]) for key in same} == {key: rounded(two[key]) for key in same}
        games = ([game["figures"] for game in each["games"]] for each in (both, two))
        assert next(games) == next(games)


def rounded(part):
    """A part of a document with its figures to twelve digits: sums of more rows round otherwise."""
    return json.loads(json.dumps(part), parse_float=lambda figure: float(f"{float(figure):.12g}"))


def verdicts(many):
    """Outliers, disputes and errors, with the files' names in place of their numbers."""
    files = [match.source.path for match in many.matches]
    outliers = [each for each in many.outlier.values() if each]
    return [
        dict(zip(files, many.labels, strict=True)),
        *(
            (files[each.side], each.from_median, each.decisions, files[each.nearest], each.rows)
            for each in outliers
        ),
        *(
            (
                (each["at_stake"], each["majority"], each["xgid"]),
                dict(zip(files, each["verdicts"], strict=True)),
            )
            for each in (*many.disputes, *many.agreed_errors)
        ),
    ]


@pytest.mark.parametrize("analyses", SETS)
def test_figures_are_those_of_the_files_and_their_order_changes_nothing_but_the_order(
    analyses,
):
    matches = analyses()
    many = review(*matches)
    for side, match in some(enumerate(many.matches)):
        alone = statistics(match)
        for seat in (0, 1):
            assert many.figures_of(side, seat) == alone.figures(many.seat(side, seat))
    for turned in (matches[::-1], matches[1:] + matches[:1]):
        assert verdicts(review(*turned)) == verdicts(many)


@pytest.mark.parametrize("analyses", SETS)
def test_decisions_in_dispute_are_those_where_a_pair_has_another_best_action(
    analyses,
):
    """The causes of the bridges of two files are found by another way than the votes of all.

    A pair is two analyses that vote: of several by one program one does.
    """
    many = review(*analyses())
    aligned, voters = many.aligned, many.aligned.voters
    places = {aligned.place(row): row for row in reversed(range(len(aligned)))}
    disputed = {aligned.place(row) for row in many.disputed}
    assert len({many.matches[side].source.tool for side in voters}) == len(voters)
    other_best = {"engine.other-best-move", "engine.other-cube-verdict"}
    for left, right in some(combinations(voters, 2)):
        walk = many.pair(left, right).walk
        common = np.flatnonzero(walk.aligned.common)
        causes = walk.attribution.of_analysis(common)
        for decision in some(common[np.isin(causes, list(other_best))].tolist()):
            place = walk.aligned.place(decision)
            row = places[place]
            assert place in disputed or aligned.votes[left, row] & aligned.votes[right, row]


@pytest.mark.parametrize("analyses", SETS)
def test_copy_or_second_file_of_a_program_changes_no_verdict(analyses):
    """Whoever is the outlier, what is in dispute and what is wrong to all is the same with it and
    without it."""
    first, *rest = analyses()
    second = next(other for other in rest if other.source.tool != first.source.tool)
    alone = review(first, second)
    levels = (Level("0-ply", 0.0),) * len(second.levels)
    shallow = replace(named(second, "shallow.x"), levels=levels)
    several = (row for row in range(len(second.plays)) if len(second.candidates(row)) > 2)
    odd = dearer(shallow, "odd.x", some(islice(several, 2)), 0.5)
    for more in (first, named(first, "copy.x"), odd):
        many = review(first, second, more)
        assert set(many.outlier.values()) == {None}
        assert many.disputed == alone.disputed
        assert many.agreed == alone.agreed
        stakes = (each.aligned.at_stake[each.disputed].tolist() for each in (many, alone))
        assert next(stakes) == next(stakes)
    assert review(first, second, first).aligned.without_vote == {2: ("copy", 0)}


def test_one_player_alone():
    many = review(bundled_xg(), bundled_sgf(), named(bundled_xg(), "c.xg"), player="tomas")
    assert many.players == ("Tomas Beck",)
    assert {each["player"] for each in many.disputes} == {"Tomas Beck"}
    assert {figure.player for figure in many.pair(0, 1).figures} == {"Tomas Beck"}


def test_other_positions_are_other_decisions_and_a_file_that_lacks_many_takes_no_part():
    """As after a play that only one file has: the rolls are the same, the positions are not."""
    match = bundled_xg()
    position = match.plays.position.copy()
    elsewhere = np.arange(len(position)) % 3 == 0
    position[elsewhere] = np.roll(position[elsewhere], 1, axis=1)
    first, second = match.players
    cut = first[:-1], second[:-1]  # so that another file is the reference
    other = of_tool(match, "other.xg", "Open Sage")
    other = replace(other, players=cut, plays=match.plays.replaced(position=position))
    many = review(named(match, "a.xg"), other, of_tool(match, "b.xg", "GNU Backgammon"))
    assert ((many.aligned.rows[1, : len(match.plays)] == -1) == elsewhere).all()
    assert many.disputes == ()
    for seat in (0, 1):
        assert "decisions of the match" in many.missing(1, seat)
        assert list(many.rates(seat)) == [0, 2]


# -- the outlier -----------------------------------------------------------------------------------


def test_planted_outlier_is_found_with_its_distance_and_decisions():
    match = bundled_xg()
    rows, seat = chosen(match, 0, 4), 0
    many = review(
        named(match, "a.xg"),
        of_tool(match, "b.xg", "GNU Backgammon"),
        of_tool(dearer(match, "odd.xg", rows, 0.25), "odd.xg", "BGBlitz"),
        of_tool(match, "c.xg", "Open Sage"),
        rules="xg",
    )
    seat = many.names.index(match.players[seat])
    outlier = many.outlier_of(seat)
    assert outlier is not None
    share = 500 * 0.25 / float(statistics(match).figures(0)["decisions.counted"] or 0)
    assert (outlier.side, outlier.decisions) == (2, len(rows))
    assert outlier.from_median == pytest.approx(share * len(rows))
    assert outlier.distance == pytest.approx(share * len(rows))
    assert [row.change for row in outlier.rows] == pytest.approx([share] * len(rows))
    assert sorted(many.disputed) == rows
    assert many.aligned.at_stake[rows].tolist() == pytest.approx([0.25] * len(rows), abs=1e-6)
    assert many.outlier_of(1 - seat) is None
    assert any("outlier BGBlitz" in rows.headline for rows in review_rows(many))


def analysis(tool, *changes):
    """One of several analyses of 100 plays of Ann, whose PR is 75 and these changes."""
    return named(two_opinions(*changes, error=0.15, tools=("", tool))[1], f"{tool}.sgf")


def rows_of_ann(*sides):
    (rows,) = (rows for rows in review_rows(review(*sides)) if rows.player == "Ann")
    return list(rows.story())


NEAR = analysis("A"), analysis("B", 0.0, 0.1), analysis("D", 0.0, 0.0, 0.4)
"""75.00, 75.10 and 75.40: their median is B's."""


def test_outlier_is_named_with_the_rows_of_its_distance_from_the_nearest_one():
    odd = analysis("C", -0.3, 0.1, 0.0, *[-0.125] * 4)
    assert rows_of_ann(*NEAR, odd) == [
        "Ann: PR 74.30 to 75.40 by 4 analyses, outlier C",
        "75.00 A",
        "75.10 B",
        "75.40 D",
        "74.30 C: 0.70 below A, the nearest of the others; nowhere alone with its action",
        "−0.30 play, game 1 turn 1: A 0.150, C 0.090",
        "−0.12 play, game 1 turn 4: A 0.150, C 0.125",
        "−0.12 play, game 1 turn 5: A 0.150, C 0.125",
        "−0.12 play, game 1 turn 6: A 0.150, C 0.125",
        "−0.12 play, game 1 turn 7: A 0.150, C 0.125",
        "+0.08 1 other decision",
    ]
    rows = rows_of_ann(analysis("A", -0.1), analysis("B"), analysis("C", 0.1))
    assert rows[0] == "Ann: PR 74.90 to 75.10 by 3 analyses, no outlier"
    part = analysis("E")
    part = replace(part, plays=part.plays.replaced(analysed=np.arange(100) < 60))
    assert "- E: only 60 of 100 checker plays analysed" in rows_of_ann(*NEAR, part)


@pytest.mark.parametrize(
    ("rates", "ranges", "apart"),
    cases_of(__file__, "outlier_is_furthest_from_the_median_of_the_others"),
)
def test_outlier_is_furthest_from_the_median_of_the_others(rates, ranges, apart):
    outlier = far_from_others(rates, ranges)
    assert (outlier and (outlier.side, outlier.from_median, outlier.away, outlier.median)) == apart


@given(st.lists(st.integers(0, 2000), min_size=3, max_size=6), st.data())
def test_outlier_holds_wherever_every_pr_is_in_its_range(hundredths, data):
    rates = {side: value / 100 for side, value in enumerate(hundredths)}
    width = st.integers(0, 100).map(lambda size: size / 100)
    ranges = {side: (pr - data.draw(width), pr + data.draw(width)) for side, pr in rates.items()}
    apart = far_from_others(rates, ranges)
    if apart is None:
        return
    moved = {side: data.draw(st.sampled_from((*ranges[side], pr))) for side, pr in rates.items()}
    there = far_from_others(moved, {})
    assert there is not None
    assert there.side == apart.side
    assert apart.away[0] - 1e-9 <= there.from_median <= apart.away[1] + 1e-9
    assert abs(there.from_median) > NOISE


# -- who votes -------------------------------------------------------------------------------------


def test_most_votes_decide():
    votes = np.array([[1, 1, 1, 1, 0], [1, 2, 1, 3, 0], [2, 4, 2, 2, 0], [1, 8, 2, 2, 0]])
    assert majority(votes).tolist() == [1, 0, 0, 2, 0]  # four opinions; two against two; none


def test_analysis_of_nine_in_ten_decisions_takes_part_and_of_fewer_it_does_not():
    for rows, taking in ((100, True), (90, True), (89, False)):
        short = two_opinions(plays_of_the_second=rows, tools=("", "C"), error=0.15)[1]
        many = review(*NEAR, named(short, "C.sgf"))
        assert (3 in many.rates(0), bool(many.missing(3, 0))) == (taking, not taking), rows


def test_complete_analysis_votes_for_its_program_rather_than_a_deeper_one_of_a_part():
    deep = replace(named(analysis("A"), "deep.sgf"), levels=(Level("4-ply", 4),) * 2)
    part = replace(deep, plays=deep.plays.replaced(analysed=np.arange(100) < 60))
    for other, voters in ((deep, [1, 2]), (part, [0, 2])):
        assert review(NEAR[0], other, NEAR[1]).aligned.voters == voters
    levels = None, Level("0-ply", 0.0), Level("4-ply", 4.0), Level("rollout", None)
    assert (depths := list(map(depth_of, levels))) == sorted(depths)
    # Of one program alone they are held against each other, and none is an outlier.
    sides = [named(analysis("A", change), f"{change}.x") for change in (0.0, 5.0, 9.0)]
    many = review(*sides, sides[0])
    assert many.aligned.voters == [0, 1, 2]
    assert (set(many.outlier.values()), len(many.disputes)) == ({None}, 1)


# -- what is in dispute ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases_of(__file__, "disputes"), ids=itemgetter("claim"))
def test_disputes_of_sides_made_by_hand(case):
    sides = (replace(match_from(side), levels=LEVELS) for side in case["sides"])
    many = review(*[named(side, f"{number}.xg") for number, side in enumerate(sides)])
    assert [each["dispute"] for each in many.disputes] == case["disputes"]
    best = [[verdict["best"] for verdict in each["verdicts"]] for each in many.disputes]
    assert case.get("best", best) == best
    if "stakes" in case:
        assert many.aligned.at_stake.tolist() == case["stakes"]
    turns, least = many.aligned.turn[many.agreed], many.aligned.least[many.agreed]
    agreed = [list(pair) for pair in zip(turns.tolist(), least.round(3).tolist(), strict=True)]
    assert case.get("agreed", agreed) == agreed


@pytest.mark.parametrize(("apart", "number"), [(SIZE - 0.001, 0), (SIZE, 1), (0.5, 1)])
def test_sizes_are_in_dispute_from_an_error_on_and_named(apart, number):
    """All agree on the best play; one charges more for the one made."""
    match = bundled_xg()
    (row,) = chosen(match, 0, 1)
    sides = []
    for name, size in (("a.xg", 0.25), ("b.xg", 0.25 + apart)):
        error = match.plays.stored_error.astype(np.float64)
        error[row] = size
        sides.append(replace(named(match, name), plays=match.plays.replaced(stored_error=error)))
    many = review(*sides)
    assert many.disputed == [row] * number
    assert not many.aligned.disputed[row]
    rows, (left, right) = review_rows(many)[-1], many.labels
    for line in rows.lines:
        assert rows.headline.startswith("1 decision in dispute: 1 over its cost")
        assert line.detail.endswith(f"0.250 by {left}, {0.25 + apart:.3f} by {right}")
