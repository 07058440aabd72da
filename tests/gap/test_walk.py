"""What a bridge promises: its steps are the gap, its ledger is its steps, on real, bundled and generated matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.formats import written as xg
from reconcile.match.board.position import START
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from tests.support.balance import compared, ledger_of, unbalanced, walks
from tests.support.bridged_pairs import ANALYSIS_STEPS, read, real_pairs
from tests.support.claims import some
from tests.support.data import ONE_OF_EACH, cases, label
from tests.support.examples import examples
from tests.support.loaded import beginning, loaded
from tests.support.long import long_but_first
from tests.support.strategies import matches, second_opinions

PAIRS = [
    pytest.param(one, two, id=f"{label(one)}{one.suffix}-{label(two)}{two.suffix}")
    for one, two in real_pairs()
]


@pytest.mark.parametrize(("left", "right"), long_but_first(PAIRS, 1, 5))
def test_steps_add_up_to_every_gap_and_the_ledger_to_every_step(left: Path, right: Path) -> None:
    assert unbalanced(compared(loaded(left), loaded(right))) == []


@pytest.mark.parametrize("path", [None, *cases(*ONE_OF_EACH, short=0, most=4)])
def test_identical_files_have_bridges_of_zero_and_an_empty_ledger(path: Path | None) -> None:
    match = loaded(path) if path else beginning(".xg")
    for _, bridges, ledger in some(walks(compared(match, match))):
        assert len(ledger) == 0
        assert {step.change for bridge in bridges for step in bridge.steps} <= {0.0}


@pytest.mark.parametrize(
    ("ending", "rules"),
    long_but_first([("sgf", "xg"), *(("xg", rules) for rules in sorted(RULE_SETS))], 2, 6),
)
def test_one_file_under_two_rule_sets_differs_in_rule_steps_only(ending: str, rules: str) -> None:
    one_file_under(beginning(f".{ending}"), rules)


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=0, most=4))
def test_one_real_file_under_two_rule_sets_differs_in_rule_steps_only(path: Path) -> None:
    one_file_under(loaded(path), "gnubg" if path.suffix == ".xg" else "xg")


def one_file_under(match: Match, rules: str) -> None:
    comparison = compared(match, match, right_rules=rules)
    walked = list(walks(comparison))
    assert unbalanced(comparison, walked) == []
    for _, _, ledger in walked:
        assert not set(ledger["step"]) & ANALYSIS_STEPS


@pytest.mark.parametrize(("left", "right"), long_but_first([("xg", "sgf"), ("sgf", "sgf")]))
def test_another_match_equity_table_on_one_side_is_a_step_of_its_own(left: str, right: str) -> None:
    comparison = compared(
        beginning(f".{left}"), beginning(f".{right}"), met=("Kazaross-XG2", "zadeh")
    )
    assert unbalanced(comparison) == []
    bridge = comparison.walk.bridge("mwc_loss_percent", 0)
    (step,) = (step for step in bridge.steps if step.code == "Q11")
    assert step.change != 0
    assert step.title.endswith("Kazaross-XG2 -> zadeh")
    ledger = ledger_of(comparison.walk, [bridge])
    assert set(ledger["cause"][ledger["step"] == "Q11"]) == {"conversion.met"}


def test_table_from_a_file_on_both_sides_is_one_table(tmp_path: Path) -> None:
    table = tmp_path / "even.xml"
    table.write_text(EVEN_TABLE, "utf-8")
    match = beginning(".sgf")
    assert compared(match, match, met=str(table)).walk.forward.questions == ()


EVEN_TABLE = """<?xml version="1.0"?>
<met><info><name>Even</name><description>d</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table player="both" type="explicit"><row><me>0.5</me><me>0.48</me></row></post-crawford-table></met>
"""


# -- generated matches -------------------------------------------------------------------------------------------------

GENERATED = settings(
    max_examples=examples(10),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.long
@GENERATED
@given(st.data())
def test_generated_pairs_balance_in_both_directions(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    rules = data.draw(st.sampled_from(sorted(RULE_SETS)))
    try:
        there = compared(left, right, right_rules=rules)
        back = compared(right, left, left_rules=rules)
    except NotTheSameMatch:
        return
    assert unbalanced(there) == []
    assert unbalanced(back) == []


@pytest.mark.long
@GENERATED
@given(matches(), st.sampled_from(sorted(RULE_SETS)))
def test_generated_file_under_two_rule_sets_differs_in_rule_steps_only(
    match: xg.WrittenMatch, rules: str
) -> None:
    if any(game.turns for game in match.games):
        one_file_under(read(match), rules)


@pytest.mark.long
@GENERATED
@given(matches())
def test_generated_file_against_itself_has_an_empty_ledger(match: xg.WrittenMatch) -> None:
    if any(turn.move for game in match.games for turn in game.turns):
        for _, _, ledger in some(walks(compared(read(match), read(match)))):
            assert len(ledger) == 0


# -- matches made up ---------------------------------------------------------------------------------------------------


def made_up(*turns: xg.Turn) -> Match:
    return read(xg.WrittenMatch(("Ann", "Ben"), 3, (xg.Game(turns, (0, 0), None),), ended=False))


BEST = xg.Candidate(((8, 5), (6, 5)), START, xg.level_equity(0.5))
WORST = xg.Candidate(((24, 20),), tuple(reversed(START)), xg.level_equity(-0.5))


def test_last_roll_that_nobody_played_has_its_partner_in_the_same_file() -> None:
    played = xg.Turn(1, START, move=xg.Move((3, 1), (BEST, WORST), played=1))
    judged = xg.Turn(
        2, START, move=xg.Move((4, 2), (BEST, WORST), played=0, error=-0.25, was_played=False)
    )
    match = made_up(played, judged)
    comparison = compared(match, match, right_rules="gnubg")
    assert comparison.paired[0] == comparison.paired[1]
    assert unbalanced(comparison) == []
    assert not set(ledger_of(comparison.walk, comparison.bridges)["step"]) & ANALYSIS_STEPS


def test_cube_of_a_game_without_a_roll_has_its_partner_in_the_same_file() -> None:
    passed = xg.Cube(xg.Double.YES, xg.Take.PASS, xg.level_equity(0.5), xg.level_equity(0.75))
    match = made_up(xg.Turn(1, START, passed))
    assert compared(match, match).paired == (2, 2)


def test_share_of_a_capped_figure_changes_without_a_cause_of_its_own() -> None:
    blunder = xg.Turn(1, START, move=xg.Move((3, 1), (BEST, WORST), played=1))
    other = xg.Turn(2, START, move=xg.Move((4, 2), (BEST, WORST), played=1))
    worse = xg.Move((3, 1), (BEST, replace(WORST, evaluation=xg.level_equity(-1.5))), played=1)
    left, right = (
        made_up(blunder, other, blunder),
        made_up(blunder, other, replace(blunder, move=worse)),
    )
    comparison = compared(left, right)
    assert unbalanced(comparison) == []
    walk = comparison.walk
    bridge = walk.bridge("pr", 0)
    assert (bridge.start, bridge.end) == (100, 100)
    causes = dict(
        zip(*(ledger_of(walk, [bridge])[name].tolist() for name in ("turn", "cause")), strict=True)
    )
    assert causes == {1: "conversion.cap", 3: "engine.error-size"}
