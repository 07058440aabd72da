"""The law of symmetry: exchange the sides, and every cause, decision's share, range and sentence is the mirror image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.engines.analysis import analyse
from reconcile.errors import NotTheSameMatch
from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.match.match import Match
from reconcile.match.met.own import own_table
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.statistics import statistics
from tests.support import gnubg
from tests.support.balance import ANY_GAP, compared, unbalanced
from tests.support.bridged_pairs import read, real_pairs
from tests.support.data import cases, label, matching, skipped_if_empty
from tests.support.examples import examples
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.long import long_but_first
from tests.support.mirror import cards_unmirrored, unmirrored
from tests.support.small_bgf import match, written
from tests.support.strategies import matches, second_opinions
from tests.support.variants import variant


def bgblitz_pairs() -> list[tuple[Path, Path]]:
    """Files of one match of which BGBlitz wrote one."""
    return [
        (one, two)
        for one in matching("bgblitz/bgf/*")
        for two in matching(f"bgblitz/xg/{one.stem}*", f"bgblitz/mat/{one.stem}*")
    ]


PAIRS = [
    pytest.param(one, two, id=f"{label(one)}{one.suffix}-{label(two)}{two.suffix}")
    for one, two in (
        *real_pairs()[1:2],
        *bgblitz_pairs()[:2],
        *real_pairs()[2:],
        *bgblitz_pairs()[2:],
    )
]


def faults(
    left: Match,
    right: Match,
    *,
    rules: tuple[str | None, str | None] = (None, None),
    games: bool = True,
) -> list[str]:
    there = compare(left, right, ANY_GAP, left_rules=rules[0], right_rules=rules[1])
    back = compare(right, left, ANY_GAP, left_rules=rules[1], right_rules=rules[0])
    return [*unmirrored(there, back, games=games), *cards_unmirrored(there, back)]


@pytest.mark.parametrize(
    "rules",
    long_but_first(
        pytest.param(one, id="-".join(map(str, one)))
        for one in [
            (None, None),
            ("gnubg", "xg"),
            ("xg", "bgblitz"),
            ("blunderdb", "backgammondb"),
            ("gammonview", "snowie4"),
        ]
    ),
)
def test_demonstration_exchanged_is_the_mirror_image(rules: tuple[str | None, str | None]) -> None:
    assert faults(beginning(".xg"), beginning(".sgf"), rules=rules) == []


@pytest.mark.parametrize(("left", "right"), skipped_if_empty(long_but_first(PAIRS, 0, 2), 2))
def test_exchanged_files_give_the_mirror_image(left: Path, right: Path) -> None:
    assert faults(loaded(left), loaded(right), games=False) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "seed", long_but_first([pytest.param(seed, id=str(seed)) for seed in (8, 21, *range(5))], 1, 1)
)
@pytest.mark.parametrize(
    "suffixes",
    long_but_first(
        [pytest.param((".xg", ".sgf"), id="xg"), pytest.param((".sgf", ".xg"), id="sgf")]
    ),
)
def test_files_of_which_one_has_other_rolls_exchanged_are_the_mirror_image(
    suffixes: tuple[str, str], seed: int
) -> None:
    altered, other = (Path(f"{DEMONSTRATION}{suffix}").read_bytes() for suffix in suffixes)
    left, right = (
        read_match(f"left{suffixes[0]}", variant(altered, seed)),
        read_match(f"right{suffixes[1]}", other),
    )
    assert faults(left, right, games=False) == []


@settings(
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_generated_pairs_exchanged_are_the_mirror_image(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    rules = tuple(data.draw(st.sampled_from(sorted(RULE_SETS))) for _ in range(2))
    try:
        assert faults(left, right, rules=(rules[0], rules[1])) == []
    except NotTheSameMatch:
        return


# -- BGBlitz -----------------------------------------------------------------------------------------------------------


XG_FILES = cases("bgblitz/xg/*.xg", short=1, most=2)


def bgblitz(path: Path) -> Match:
    return loaded(path.parent.parent / "bgf" / f"{path.stem}.bgf")


@pytest.mark.parametrize("path", XG_FILES)
@pytest.mark.parametrize(
    "turned", long_but_first([False, True], 0, 1), ids=["xg-bgblitz", "bgblitz-xg"]
)
def test_books_balance_between_xg_and_bgblitz(path: Path, turned: bool) -> None:
    sides = (loaded(path), bgblitz(path))
    comparison = compared(*(reversed(sides) if turned else sides))
    assert unbalanced(comparison) == []
    assert comparison.paired[0] == comparison.paired[1]


@pytest.mark.parametrize("path", XG_FILES)
def test_what_bgblitz_alone_does_has_steps_of_its_own(path: Path) -> None:
    """Every turn with a dead cube is in both files, so that no decision is left to coverage."""
    bridges = compared(loaded(path), bgblitz(path)).bridges
    right_ones = [
        step.change
        for bridge in bridges
        for step in bridge.steps
        if (bridge.metric, step.code) == ("decisions.counted", "Q15")
    ]
    assert sum(right_ones) < 0
    dead = 0.0
    for bridge in bridges:
        changes = {step.code: step.change for step in bridge.steps}
        assert "Q15" in changes
        if bridge.metric == "decisions.double":
            # Where no cube was dead there is no such step, or an empty one for a player.
            assert changes.get("Q16", 0.0) >= 0
            dead += changes.get("Q16", 0.0)
        if bridge.metric in ("decisions.counted", "decisions.take"):
            assert changes["Q15"] <= 0
        assert changes["coverage-left"] == changes["coverage-right"] == 0
    assert dead > 0 or not is_dead(with_dead_cubes(loaded(path))).any()


@pytest.mark.long
@gnubg.needs_gnubg
@pytest.mark.parametrize("path", cases("bgblitz/xg/*.xg", short=1, most=1))
def test_books_balance_between_gnubg_and_bgblitz(path: Path) -> None:
    blitz = bgblitz(path)
    other = analyse(blitz, gnubg.program(), plies=0).match
    for left, right in ((other, blitz), (blitz, other)):
        comparison = compared(left, right)
        assert unbalanced(comparison) == []
        assert "Q15" in {step.code for bridge in comparison.bridges for step in bridge.steps}


def test_error_at_a_score_that_the_table_does_not_have_has_no_cost_and_no_bridge() -> None:
    """Another file of the same match with an error where BGBlitz's file shows nothing: its loss is unknown, and no other table is used."""
    full = read_match("full.bgf", written(match()))
    short = match()
    del short["games"][0]["moves"][4:]
    part = read_match("part.bgf", written(short))
    table = own_table(part)
    assert table is not None
    weighed = statistics(full, met=table)
    assert np.isnan(weighed.scored.loss).sum() == 1  # the pass at a cube of 2
    assert weighed.figures(0)["mwc_loss_percent.take"] is None
    assert weighed.figures(0)["mwc_loss_percent.total"] is None
    assert weighed.figures(0)["equity_error.take"] is not None
    assert weighed.figures(1)["mwc_loss_percent.total"] is not None
    way = compared(full, part).walk.forward
    every = np.ones(len(way.items), bool)
    assert "does not have a score" in str(way.stages("mwc_loss_percent.total", 0, every))
    assert not isinstance(way.stages("equity_error.total", 0, every), str)
