"""Which cause a difference between two analyses has, what either side says of it, and which
position it is: files made by hand, so that only one thing differs, and a real match."""

from functools import cache

import numpy as np
import pytest

from reconcile.gap.walk import CAUSES, RULE_CAUSES
from reconcile.match.board.position import from_xgid
from reconcile.match.columns import Kind
from reconcile.match.match import Facts
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import compared, ledger_of, shares_of, sides_of
from tests.support.claims import some
from tests.support.data import FOLDER
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.loaded import loaded
from tests.support.several import bundled_sgf, bundled_xg


def test_every_question_that_changes_figures_has_a_cause():
    assert set(RULE_CAUSES) == set(QUESTIONS) - {"Q08", "Q12"}
    assert set(RULE_CAUSES.values()) <= set(CAUSES)


# -- one difference --------------------------------------------------------------------------------


VERDICT = "engine.other-cube-verdict"


def test_resignation_comes_after_the_last_turn_and_is_left_out_where_one_file_lacks_it():
    match = with_levels(plays(2, turn=[1, 7]), None, 0.25)
    walk = compared(match, match, "xg", "gnubg").walk
    ledger = ledger_of(walk, [walk.bridge("equity_error", 0)])
    names = ["turn", "kind", "change", "cause"]
    (row,) = ledger[ledger["step"] == "Q07"][names].values.tolist()
    assert row == [8, "resign", -0.25, "rule.Q07"]
    item = int(np.flatnonzero(walk.aligned.rows[0] == 2)[0])
    assert (walk.aligned.stated("xgid")[item], sides_of(walk, item)) == ("", (None, None))


@pytest.mark.parametrize("owner", [1, 0])
def test_response_is_described_in_the_view_of_who_answers(owner):
    """Columns say who owns the cube in the view of the player on roll, who doubles."""
    take = with_levels(plays(), cubes(kind=[Kind.TAKE], owner=[owner], cube=[2]))
    situation = Facts(take).situations(np.array([1]))
    assert (situation.owner[0], situation.double_offered[0]) == (-owner, True)


# -- the demonstration, and the match of charlot2 --------------------------------------------------


@cache
def of_charlot2():
    """What moves the player's PR in a real match."""
    if not FOLDER.is_dir():
        pytest.skip("needs a real match")
    left, right = (
        loaded(FOLDER / "real" / f"charlot1-charlot2_7p_2025-11-08-2305{ending}")
        for ending in (".xg", "_2ply.sgf")
    )
    walk = compared(left, right).walk
    return shares_of(walk, [walk.bridge("pr", 1)])


def test_pr_of_charlot2_moves_by_three_no_doubles_four_plays_and_finer_causes_of_the_analysis():
    counting = [each for each in of_charlot2() if each.step.startswith("Q")]
    kinds = sorted((each.step, each.kind) for each in counting)
    assert kinds == [("Q01", "play")] * 4 + [("Q02", "no-double")] * 3
    said = {each.said for each in counting}
    assert {("not counted", "0.000"), ("0.000", "not counted")} <= said
    first, *rest = of_charlot2()
    assert (first.cause, first.said) == ("engine.other-best-move", ("0.016", "0.000"))
    assert [each.said for each in rest if each.cause == VERDICT] == [("0.008", "0.000")]


def test_contributions_are_the_largest_first_each_of_one_position_as_either_tool_takes_it():
    walk = compared(bundled_xg(), bundled_sgf()).walk
    contributions = shares_of(walk, walk.bridges(("pr", "mwc_loss_percent")))
    sizes = [abs(each.change) for each in contributions]
    assert sizes == sorted(sizes, reverse=True)
    for each in some([*contributions, *(of_charlot2() if FOLDER.is_dir() else ())]):
        assert each.cause in CAUSES
        assert not {"nan", "None"} & set(each.said)
        decision, *rest = (side.decision for side in each.sides if side)
        for other in rest:
            assert (other.position, other.kind) == (decision.position, decision.kind)
        answers = decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER)
        stated = from_xgid(each.xgid)
        facts = decision.position, decision.cube, decision.away, answers
        assert (stated.position, stated.cube, stated.away, stated.double_offered) == facts
        assert sorted(stated.dice) == sorted(decision.dice or (0, 0))
    columns = walk.ledger_columns(walk.bridges(("pr", "mwc_loss_percent")))
    rows = {*zip(columns["step"], columns["xgid"], columns["gnubg_id"], strict=True)}
    assert rows == {(each.step, each.xgid, each.gnubg_id) for each in contributions}
