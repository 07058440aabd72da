"""Several analyses of one match: figures as in the single files, pairs as compared by two, the outlier and disputes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest

from reconcile.document import document
from reconcile.gap.comparison import compare
from reconcile.gap.disputed import majority
from reconcile.gap.pairing import called
from reconcile.gap.pairing import pair as paired
from reconcile.gap.review import Review, review
from reconcile.gap.review_rows import review_story
from reconcile.match.match import Level, Match
from reconcile.results.comparison import comparison_document
from reconcile.results.review import review_document
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg, chosen, dearer, named, of_tool, real_sets

Analyses = Callable[[], list[Match]]


def of_the_demonstration() -> list[Match]:
    """Two analyses of its first games, and one that charges more for some plays."""
    match = beginning(".xg")
    odd = of_tool(dearer(match, "odd.xg", chosen(match, 0, 2), 0.25), "odd.xg", "BGBlitz")
    return [match, beginning(".sgf"), odd]


SETS = [pytest.param(of_the_demonstration, id="demonstration"), *real_sets(0, 1)]


@pytest.mark.parametrize("analyses", SETS)
def test_pairs_are_the_comparisons_of_two_files(analyses: Analyses) -> None:
    reviewed = review(*analyses())
    whole: Any = document(review_document(reviewed))
    for pair in some(whole["pairs"]):
        left, right = (analyses()[pair[side]] for side in ("left", "right"))
        names = reviewed.analyses[
            pair["left"]
        ].match.names  # those of the review, whatever the file calls its players
        two: Any = document(
            comparison_document(compare(called(left, names), right, need_verdict=False))
        )
        two["transcript"]["players_matched_by"] = paired(left, right).matched_by
        same = two.keys() - {"left", "right", "ledger", "games", "decisions"}
        assert {key: pair[key] for key in same} == {key: two[key] for key in same}
        assert [game["figures"] for game in pair["games"]] == [
            game["figures"] for game in two["games"]
        ]


def told(many: Review) -> dict[str, Any]:
    """What was found, with the files' names in place of their numbers."""
    files = [match.source.path for match in many.matches]
    names = dict(zip(files, many.labels, strict=True))
    return {
        "outliers": {
            many.names[seat]: one
            and (
                files[one.side],
                one.from_median,
                one.decisions,
                one.largest
                and (
                    files[one.largest.against],
                    one.largest.game,
                    one.largest.turn,
                    one.largest.change,
                ),
            )
            for seat, one in many.outliers.items()
        },
        "disputes": [
            (one.item, one.at_stake, one.majority, spoken(one, files)) for one in many.disputes
        ],
        "agreed": [(one.item, one.least, spoken(one, files)) for one in many.agreed_errors],
        "figures": {file: many.figures_of(side, 0) for side, file in enumerate(files)},
        "labels": names,
    }


def spoken(one: Any, files: list[str]) -> dict[str, Any]:
    return {files[say.side]: (say.best, say.error, say.level, say.counted) for say in one.verdicts}


@pytest.mark.parametrize("analyses", SETS)
def test_figures_are_those_of_the_single_files_and_their_order_changes_nothing_but_the_order(
    analyses: Analyses,
) -> None:
    matches = analyses()
    many = review(*matches)
    expected = told(many)
    for side, match in some(enumerate(many.matches)):
        alone = statistics(match)
        assert all(
            many.figures_of(side, seat) == alone.figures(many.seat(side, seat)) for seat in (0, 1)
        )
    for turned in (matches[::-1], matches[1:] + matches[:1]):
        assert told(review(*turned)) == expected


@pytest.mark.parametrize("analyses", SETS)
def test_decisions_in_dispute_are_those_where_a_pair_has_another_best_action(
    analyses: Analyses,
) -> None:
    """The causes of the bridges of two files are found by another way than the votes of all.

    A pair is two analyses that vote: of several by one program one does.
    """
    many = review(*analyses())
    items = many.aligned.items
    disputed = {(one.game, one.turn, one.kind) for one in many.disputes}
    voters = many.aligned.voters
    assert len({many.matches[side].source.tool for side in voters}) == len(voters)
    for left, right in some(combinations(voters, 2)):
        walk = many.pair(left, right).walk
        found = walk.items
        for item in some(np.flatnonzero(found.common & (found.left >= 0)).tolist()):
            if walk.attribution.of_analysis(item) in (
                "engine.other-best-move",
                "engine.other-cube-verdict",
            ):
                place = (int(found.game[item]), int(found.turn[item]), str(found.kind_labels[item]))
                row = next(
                    row
                    for row in range(len(items))
                    if (items.game[row], items.turn[row], items.kind_labels[row]) == place
                )
                tied = many.aligned.votes[left, row] & many.aligned.votes[right, row]
                assert place in disputed or tied, place


@pytest.mark.parametrize("analyses", SETS)
def test_file_given_twice_agrees_with_itself(analyses: Analyses) -> None:
    first, second = analyses()[:2]
    many = review(first, second, first)
    assert many.aligned.without_vote[2] == ("copy", 0)
    assert many.outliers == {0: None, 1: None}
    assert {one.item for one in many.disputes} == {
        one.item for one in review(first, second).disputes
    }
    assert all(figure.gap in (None, 0) for figure in many.pair(0, 2).figures)
    assert many.figures_of(0, 0) == many.figures_of(2, 0)
    assert (many.aligned.votes[0] == many.aligned.votes[2]).all()


def test_planted_outlier_is_found_with_its_distance_and_decisions() -> None:
    match = bundled_xg()
    rows, seat = chosen(match, 0, 4), 0
    sides = [
        named(match, "a.xg"),
        of_tool(match, "b.xg", "GNU Backgammon"),
        of_tool(dearer(match, "odd.xg", rows, 0.25), "odd.xg", "BGBlitz"),
        of_tool(match, "c.xg", "Open Sage"),
    ]
    many = review(*sides, rules="xg")
    outlier = many.outliers[many.names.index(match.players[seat])]
    assert outlier is not None
    assert outlier.largest is not None
    counted = statistics(match).figures(seat)["decisions.counted"]
    assert (many.matches[outlier.side].source.path, outlier.decisions) == ("odd.xg", len(rows))
    assert outlier.from_median == pytest.approx(
        500 * 0.25 * len(rows) / float(counted or 0), abs=1e-9
    )
    assert outlier.largest.change == pytest.approx(outlier.from_median / len(rows), abs=1e-9)
    assert {(one.game, one.turn) for one in many.disputes} == {
        (int(match.games.number[match.plays.game[row]]), int(match.plays.turn[row])) for row in rows
    }
    assert all(one.at_stake == pytest.approx(0.25, abs=1e-6) for one in many.disputes)
    assert many.outliers[1 - seat] is None
    assert any("outlier BGBlitz" in said for said in review_story(many))


def test_most_votes_decide() -> None:
    votes = np.array([[1, 1, 1, 1, 0], [1, 2, 1, 3, 0], [2, 4, 2, 2, 0], [1, 8, 2, 2, 0]])
    assert majority(votes).tolist() == [1, 0, 0, 2, 0]  # four opinions; two against two; none


@pytest.mark.parametrize("analyses", SETS)
def test_second_file_of_a_program_or_a_copy_changes_no_verdict(analyses: Analyses) -> None:
    """Whoever is the outlier, what is in dispute and what is wrong to all is the same with it and without it."""
    first, *others = analyses()
    tools = {first.source.tool, *(one.source.tool for one in others)}
    second = next((one for one in others if one.source.tool != first.source.tool), None)
    assert second is not None, tools
    alone = review(first, second)
    shallow = replace(
        named(second, "shallow.x"), levels=(Level("0-ply", 0.0),) * len(second.levels)
    )
    several = (row for row in range(len(second.plays)) if len(second.candidates(row)) > 2)
    rows = some(islice(several, 2))
    for more in ([named(first, "copy.x")], [first], [dearer(shallow, "odd.x", rows, 0.5)]):
        many = review(first, second, *more)
        assert many.outliers == {0: None, 1: None}
        assert [one.item for one in many.disputes] == [one.item for one in alone.disputes]
        assert [one.at_stake for one in many.disputes] == [one.at_stake for one in alone.disputes]
        assert len(many.agreed_errors) == len(alone.agreed_errors)
        assert len(many.analyses) == 3


def test_one_player_alone() -> None:
    many = review(bundled_xg(), bundled_sgf(), named(bundled_xg(), "c.xg"), player="tomas")
    assert [many.names[seat] for seat in many.seats] == ["Tomas Beck"]
    assert {one.player for one in many.disputes} == {"Tomas Beck"}
    assert {figure.player for figure in many.pair(0, 1).figures} == {"Tomas Beck"}


def test_other_positions_are_other_decisions_and_a_file_that_lacks_many_takes_no_part() -> None:
    """As after a play that only one file has: the rolls are the same, the positions are not."""
    match = bundled_xg()
    position = match.plays.position.copy()
    elsewhere = np.arange(len(position)) % 3 == 0
    position[elsewhere] = np.roll(position[elsewhere], 1, axis=1)
    cut = (match.players[0][:-1], match.players[1][:-1])  # so that another file is the reference
    other = replace(
        named(match, "other.xg"), players=cut, plays=match.plays.replaced(position=position)
    )
    other = replace(other, source=replace(other.source, tool="Open Sage"))
    many = review(named(match, "a.xg"), other, of_tool(match, "b.xg", "GNU Backgammon"))
    assert ((many.aligned.rows[1, : len(match.plays)] == -1) == elsewhere).all()
    assert many.disputes == ()
    for seat in (0, 1):
        assert "decisions of the match" in many.missing(1, seat)
        assert list(many.rates(seat)) == [0, 2]
