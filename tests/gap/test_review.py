"""A review of one analysis is its statistics, one of two their comparison, and its decisions are those of every analysis side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

import reconcile
from reconcile.document import document
from reconcile.errors import NothingToCompare, NotTheSameMatch
from reconcile.gap import sides
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.gap.settle import settlement
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.results.comparison import comparison_document
from reconcile.results.review import review_document
from tests.support.hand_made import plays
from tests.support.hand_made_levels import two_opinions, with_levels
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg, named


def test_one_analysis_has_the_figures_and_decisions_of_its_statistics() -> None:
    match = bundled_xg()
    one, alone = reconcile.review(match), reconcile.statistics(match)
    assert one.players == match.players
    for seat, name in enumerate(match.players):
        assert {
            found.metric: found.value for found in one.figures if found.player == name
        } == alone.figures(seat)
    table, expected = one.decisions(), alone.decisions()
    assert set(table["analysis"]) == {0}
    for name, column in expected.columns.items():
        np.testing.assert_array_equal(table[name], column, err_msg=name)
    assert one.disputes == ()
    assert one.explanation == ()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often files were paired, scored and aligned."""
    counts: Counter[str] = Counter()

    def counted(name: str, maker: Callable[..., Any], *given: Any, **more: Any) -> Any:
        counts[name] += 1
        return maker(*given, **more)

    for name in ("pair", "statistics", "Aligned"):
        monkeypatch.setattr(sides, name, partial(counted, name, getattr(sides, name)))
    return counts


def test_analyses_are_paired_and_scored_once_whatever_is_asked(made: Counter[str]) -> None:
    files = bundled_xg(), bundled_sgf(), named(bundled_sgf(), "again.sgf")
    many = reconcile.review(*files, rules=["xg", "gnubg", "gnubg"])
    for left, right in many.indices:
        assert many.pair(left, right).walk is many.judged(left=left, right=right).walk
        assert many.bridge(left, right) is many.pair(left, right).walk.bridge(
            "pr", many.seat(left, 0)
        )
    assert many.outliers.keys() == {0, 1}
    # Each of three under its rules; the file with most decisions with each, and every two of them.
    assert made == {"statistics": 3, "pair": 3 + 3, "Aligned": 1}


def test_comparison_of_two_aligns_nothing(made: Counter[str]) -> None:
    compared = reconcile.compare(bundled_xg(), bundled_sgf())
    assert compared.bridges
    assert made == {"statistics": 2, "pair": 1}


def test_rollouts_are_kept_beside_what_was_found_before(made: Counter[str]) -> None:
    both = reconcile.review(bundled_xg(), bundled_sgf())
    assert replace(both, settlement=settlement("gnuBG", "1", 36, (), ())).bridge(
        0, 1
    ) is both.bridge(0, 1)
    assert made == {"statistics": 2, "pair": 2, "Aligned": 1}


def test_an_engine_without_statistics_counts_as_the_analysis_beside_it() -> None:
    left, engine = two_opinions(0.5, tools=("eXtreme Gammon", "Open Sage"))
    assert [one.rules.name for one in reconcile.review(left, engine).analyses] == ["xg", "xg"]
    assert [one.rules.name for one in reconcile.review(left, engine, left).analyses] == [
        "xg",
        "gnubg",
        "xg",
    ]
    assert reconcile.review(left, engine, left).pair(0, 1).right.rules == "xg"


def test_turns_with_a_dead_cube_are_rows_only_where_a_rule_set_counts_them() -> None:
    files = [with_a_dead_cube(tool) for tool in ("eXtreme Gammon", "BGBlitz", "GNU Backgammon")]
    many = reconcile.review(*files, rules=["xg", "bgblitz", "gnubg"])
    assert [len(one.match.cubes) for one in many.analyses] == [1, 1, 1]
    assert [len(one.match.cubes) for one in many.pair(0, 2).statistics] == [0, 0]
    assert [len(one.match.cubes) for one in many.pair(0, 1).statistics] == [1, 1]


def with_a_dead_cube(tool: str) -> Match:
    """Two rolls of a player who holds a cube that wins the match, and no record of the cube."""
    made = plays(2, turn=[1, 3], cube=[4, 4], owner=[1, 1])
    return with_levels(made, length=3, tool=tool)


def test_every_analysis_of_a_decision_stands_beside_the_others() -> None:
    matches = bundled_xg(), bundled_sgf(), bundled_xg()
    three = reconcile.review(*matches, rules=[None, None, "gnubg"])
    table = three.decisions()
    for side, (match, rules) in enumerate(zip(matches, ("xg", "gnubg", "gnubg"), strict=True)):
        alone = reconcile.statistics(match, rules)
        mine = table["analysis"] == side
        for seat in (0, 1):
            expected = alone.figures(three.seat(side, seat))
            found = mine & (table["seat"] == seat)
            assert np.nansum(table["error"][found]) == pytest.approx(
                expected["equity_error.total"], abs=1e-6
            )
            assert table["counted"][found].sum() == expected["decisions.counted"]
    in_all = [
        row
        for row in zip(
            *(
                table[name].tolist()
                for name in ("game", "turn", "player", "kind", "dice", "played")
            ),
            strict=True,
        )
        if row[3] == "play"
    ]
    assert len(in_all) > 450
    assert in_all[0] == in_all[1] == in_all[2]
    assert table["analysis"][:3].tolist() == [0, 1, 2]


def test_a_file_of_another_match_and_none_at_all_are_refused() -> None:
    with pytest.raises(NotTheSameMatch):
        reconcile.review(bundled_xg(), two_opinions()[0])
    for number in (0, 21):
        with pytest.raises(
            NothingToCompare, match=f"expected 1 to 20 analyses of a match, found {number}"
        ):
            reconcile.review(*[bundled_xg()] * number)
    with pytest.raises(
        NothingToCompare, match="expected a rule set for each of 1 analyses, found 2"
    ):
        reconcile.review(bundled_xg(), rules=["xg", "gnubg"])
    with pytest.raises(NothingToCompare, match="expected two analyses"):
        reconcile.review(bundled_xg()).judged()


# -- files that spell the players in different ways --------------------------------------------------------------------


SGF, XG = ".sgf", ".xg"
SPELLINGS: Final = (
    ("Kévin Unger", "Nora Beck"),
    ("kévin_unger", "NORA_BECK"),
    ("KÉVIN UNGER", "nora  beck"),
)


def spelt(ending: str, names: tuple[str, str]) -> Match:
    """The match under other names, with a last roll that was not played: a finding that names its player."""
    match = beginning(ending, 1)
    unplayed = np.arange(len(match.plays)) == len(match.plays) - 1
    plays = match.plays.replaced(
        validity=np.where(unplayed, np.int8(Validity.UNPLAYED.value), match.plays.validity)
    )
    return replace(match, players=names, plays=plays)


def places(value: Any, names: tuple[str, ...], place: str = "") -> Iterator[str]:
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


def test_comparison_calls_every_player_as_the_left_file_does() -> None:
    for first, second in ((0, 1), (1, 0)):
        found = document(
            comparison_document(compare(spelt(SGF, SPELLINGS[first]), spelt(XG, SPELLINGS[second])))
        )
        assert set(places(found, SPELLINGS[second])) == {"/right/players"}
        assert found["right"]["players"] == list(SPELLINGS[second])
        assert [one["side"] for one in found["findings"] if one["code"] == "unplayed-roll"] == [
            "left",
            "right",
        ]
        assert {"/figures/player", "/left/players", "/findings/evidence"} <= set(
            places(found, SPELLINGS[first])
        )


def test_several_analyses_call_every_player_as_the_file_with_most_decisions_does() -> None:
    files = zip((SGF, XG, SGF), SPELLINGS, strict=True)
    whole = review(*(spelt(ending, names) for ending, names in files))
    found = document(review_document(whole))
    others = tuple(name for names in SPELLINGS for name in names if name not in whole.names)
    assert len(others) == 4
    assert set(places(found, others)) == {"/sides/players"}
    assert [side["players"] for side in found["sides"]] == [list(names) for names in SPELLINGS]
    assert {"/pairs/figures/player", "/disputes/player", "/sides/findings/evidence"} <= set(
        places(found, whole.names)
    )


def test_names_that_were_matched_by_the_rolls_alone_are_one_as_well() -> None:
    found = document(
        comparison_document(compare(spelt(SGF, ("Ann", "Ben")), spelt(XG, SPELLINGS[0])))
    )
    told = next(one for one in found["findings"] if one["code"] == "players-by-transcript")
    assert all(name in told["evidence"] for name in ("Ann", "Ben", *SPELLINGS[0]))
    assert set(places(found, SPELLINGS[0])) == {"/right/players", "/findings/evidence", "/story"}
