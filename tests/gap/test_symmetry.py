"""The law of symmetry: exchange the sides, and every cause, decision's share, range and sentence is the mirror image."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from tests.support.balance import ANY_GAP
from tests.support.bridged_pairs import read, real_pairs
from tests.support.data import label, matching
from tests.support.examples import examples
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.long import long_but_first
from tests.support.mirror import cards_unmirrored, unmirrored
from tests.support.strategies import matches, second_opinions
from tests.support.variants import variant


def bgblitz_pairs() -> list[tuple[Path, Path]]:
    """Files of one match of which BGBlitz wrote one."""
    return [(one, two) for one in matching("bgblitz/bgf/*") for two in matching(f"bgblitz/xg/{one.stem}*", f"bgblitz/mat/{one.stem}*")]


PAIRS = [
    pytest.param(one, two, id=f"{label(one)}{one.suffix}-{label(two)}{two.suffix}")
    for one, two in (*real_pairs()[1:2], *bgblitz_pairs()[:2], *real_pairs()[2:], *bgblitz_pairs()[2:])
]


def faults(left: Match, right: Match, *, rules: tuple[str | None, str | None] = (None, None), games: bool = True) -> list[str]:
    there = compare(left, right, ANY_GAP, left_rules=rules[0], right_rules=rules[1])
    back = compare(right, left, ANY_GAP, left_rules=rules[1], right_rules=rules[0])
    return [*unmirrored(there, back, games=games), *cards_unmirrored(there, back)]


@pytest.mark.parametrize(
    "rules",
    long_but_first(
        pytest.param(one, id="-".join(map(str, one)))
        for one in [(None, None), ("gnubg", "xg"), ("xg", "bgblitz"), ("blunderdb", "backgammondb"), ("gammonview", "snowie4")]
    ),
)
def test_demonstration_exchanged_is_the_mirror_image(rules: tuple[str | None, str | None]) -> None:
    assert faults(beginning(".xg"), beginning(".sgf"), rules=rules) == []


@pytest.mark.parametrize(("left", "right"), long_but_first(PAIRS, 0, 4))
def test_exchanged_files_give_the_mirror_image(left: Path, right: Path) -> None:
    assert faults(loaded(left), loaded(right), games=False) == []


@pytest.mark.parametrize("seed", long_but_first([pytest.param(seed, id=str(seed)) for seed in (8, 21, *range(5))], 1, 2))
@pytest.mark.parametrize("suffixes", long_but_first([pytest.param((".xg", ".sgf"), id="xg"), pytest.param((".sgf", ".xg"), id="sgf")]))
def test_files_of_which_one_has_other_rolls_exchanged_are_the_mirror_image(suffixes: tuple[str, str], seed: int) -> None:
    altered, other = (Path(f"{DEMONSTRATION}{suffix}").read_bytes() for suffix in suffixes)
    left, right = read_match(f"left{suffixes[0]}", variant(altered, seed)), read_match(f"right{suffixes[1]}", other)
    assert faults(left, right, games=False) == []


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_generated_pairs_exchanged_are_the_mirror_image(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    rules = tuple(data.draw(st.sampled_from(sorted(RULE_SETS))) for _ in range(2))
    try:
        assert faults(left, right, rules=(rules[0], rules[1])) == []
    except NotTheSameMatch:
        return
