"""A review of one analysis is its statistics, one of two their comparison, its decisions are those
of every analysis side by side; and what rows say of one or several."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import reconcile
from reconcile.document import document
from reconcile.errors import NothingToCompare, NotTheSameMatch
from reconcile.gap.comparison import compare
from reconcile.gap.review import review, review_rows
from reconcile.match.columns import Validity
from reconcile.match.tools import GNUBG, XG
from reconcile.results.comparison import comparison_document, review_document
from tests.support.claims import some
from tests.support.hand_made import plays
from tests.support.hand_made_levels import two_opinions, with_levels
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg


def test_one_analysis_has_the_figures_and_decisions_of_its_statistics():
    match = bundled_xg()
    reviewed, alone = review(match), reconcile.statistics(match)
    for seat, name in enumerate(reviewed.players):
        figures = {each.metric: each.value for each in reviewed.figures if each.player == name}
        assert figures == alone.figures(seat)
    table = reviewed.decisions()
    assert set(table["analysis"]) == {0}
    for name, column in alone.decisions().columns.items():
        np.testing.assert_array_equal(table[name], column, err_msg=name)
    assert (reviewed.disputes, reviewed.explanation) == ((), ())


def test_every_analysis_of_a_decision_stands_beside_the_others():
    matches = bundled_xg(), bundled_sgf(), bundled_xg()
    three = review(*matches, rules=[None, None, "gnubg"])
    table = three.decisions()
    for side, (match, rules) in enumerate(zip(matches, ("xg", "gnubg", "gnubg"), strict=True)):
        alone = reconcile.statistics(match, rules)
        for seat in (0, 1):
            figures = alone.figures(three.seat(side, seat))
            rows = (table["analysis"] == side) & (table["seat"] == seat)
            lost = pytest.approx(figures["equity_error.total"], abs=1e-6)
            assert np.nansum(table["error"][rows]) == lost
            assert table["counted"][rows].sum() == figures["decisions.counted"]
    for name in ("game", "turn", "player", "kind", "dice", "played"):
        assert len(set(table[name][:3].tolist())) == 1
    assert table["analysis"][:3].tolist() == [0, 1, 2]


# -- rules, and what is refused --------------------------------------------------------------------


def test_an_engine_without_statistics_counts_as_the_analysis_beside_it():
    left, engine = two_opinions(0.5, tools=(XG.name, "Open Sage"))
    for files, names in (
        ((left, engine), ["xg", "xg"]),
        ((left, engine, left), ["xg", "gnubg", "xg"]),
    ):
        reviewed = review(*files)
        assert [statistics.rules.name for statistics in reviewed.analyses] == names
        assert reviewed.pair(0, 1).right.rules == "xg"
        assert len(reviewed.explanation) == len(reviewed.players)


def test_turns_with_a_dead_cube_are_rows_of_all_files_where_a_rule_set_counts_them():
    """Two rolls of a player who holds a cube that wins the match, and no record of the cube."""
    table = plays(2, turn=[1, 3], cube=[4, 4], owner=[1, 1])
    tools = (XG.name, "BGBlitz", GNUBG.name)
    sides = [with_levels(table, length=3, tool=tool) for tool in tools]
    for files, rules, number in ((sides, ["xg", "bgblitz", "gnubg"], 1), (sides[::2], None, 0)):
        many = review(*files, rules=rules)
        for analyses in (many.analyses, many.pair(0, -1).statistics):
            assert {len(statistics.match.cubes) for statistics in analyses} == {number}


def test_a_file_of_another_match_and_none_at_all_are_refused():
    match = bundled_xg()
    with pytest.raises(NotTheSameMatch):
        review(match, two_opinions()[0])
    for number in (0, 21):
        with pytest.raises(NothingToCompare, match=f"1 to 20 analyses of a match, found {number}"):
            review(*[match] * number)
    with pytest.raises(NothingToCompare, match="a rule set for each of 1 analyses, found 2"):
        review(match, rules=["xg", "gnubg"])
    with pytest.raises(NothingToCompare, match="expected two analyses"):
        review(match).judged()


# -- rows of one analysis --------------------------------------------------------------------------


def test_pr_is_the_sum_of_what_it_is_made_of_and_the_costliest_are_the_player_s_own():
    match = bundled_xg()
    table = reconcile.statistics(match).decisions().columns
    for seat, rows in enumerate(some(review_rows(review(match)))):
        mine = table["seat"] == seat
        keys = (-table["error"][mine], table["game"][mine], table["turn"][mine])
        costs = sorted(zip(*keys, strict=True))[:3]
        named = [(line.lead, line.place.game, line.place.turn) for line in rows.lines if line.place]
        assert named == [(f"{-cost:.3f} EMG", game, turn) for cost, game, turn in costs]
        parts = sum(
            float(line.lead.removesuffix(" of the PR")) for line in rows.lines if line.place is None
        )
        pr = f"{reconcile.statistics(match).figures(seat)['pr']:.2f}"
        assert f"{parts:.2f}" == pr
        errors = np.round(table["error"][mine], 5)
        number, blunders = ((errors >= border).sum() for border in (0.02, 0.08))
        assert f"PR {pr} by XG" in rows.headline
        assert rows.headline.endswith(f"{number} errors, {blunders} of them blunders")


def test_capped_pr_says_what_it_would_be():
    (rows, _) = review_rows(review(two_opinions(error=0.3)[0], rules="xg"))
    assert "PR 100.00 by XG" in rows.headline
    assert list(map(str, rows.lines[:2])) == [
        "150.00 of the PR lost in checker plays: 100 decisions",
        "−50.00 of the PR cap of PR at 100: 150.00 without it",
    ]


# -- files that spell the players in different ways ------------------------------------------------

SPELLINGS = (
    ("Kévin Unger", "Nora Beck"),
    ("kévin_unger", "NORA_BECK"),
    ("KÉVIN UNGER", "nora  beck"),
)


def spelt(ending, names):
    """The match under other names, with a last roll that was not played: a finding that names its
    player."""
    match = beginning(ending, 1)
    validity = match.plays.validity.copy()
    validity[-1] = Validity.UNPLAYED.value
    return replace(match, players=names, plays=match.plays.replaced(validity=validity))


def places(value, names, place=""):
    """Where these names are, as a key or in a text."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from (f"{place}/{key}" for name in names if name in key)
            yield from places(part, names, f"{place}/{key}")
    elif isinstance(value, list):
        for part in value:
            yield from places(part, names, place)
    elif isinstance(value, str):
        yield from (place for name in names if name in value)


def compared(left, right):
    return document(comparison_document(compare(spelt(".sgf", left), spelt(".xg", right))))


def test_comparison_calls_every_player_as_the_left_file_does():
    for left, right in (SPELLINGS[:2], SPELLINGS[1::-1]):
        result = compared(left, right)
        assert set(places(result, right)) == {"/right/players"}
        assert result["right"]["players"] == list(right)
        sides = [each["side"] for each in result["findings"] if each["code"] == "unplayed-roll"]
        assert sides == ["left", "right"]
        own = {"/figures/player", "/left/players", "/findings/evidence"}
        assert own <= set(places(result, left))
    by_rolls = compared(("Ann", "Ben"), SPELLINGS[0])
    own = {"/right/players", "/findings/evidence", "/story"}
    assert set(places(by_rolls, SPELLINGS[0])) == own


def test_several_analyses_call_every_player_as_the_file_with_most_decisions_does():
    many = review(*map(spelt, (".sgf", ".xg", ".sgf"), SPELLINGS))
    result: Any = document(review_document(many))
    names = tuple(name for names in SPELLINGS for name in names if name not in many.names)
    assert len(names) == 4
    assert set(places(result, names)) == {"/sides/players"}
    assert [side["players"] for side in result["sides"]] == list(map(list, SPELLINGS))
    own = {"/pairs/figures/player", "/disputes/player", "/sides/findings/evidence"}
    assert own <= set(places(result, many.names))
