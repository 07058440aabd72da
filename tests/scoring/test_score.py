"""What one decision is weighed with and whether it counts: the seat of a response, the owner after
a beaver, what was not analysed."""

from dataclasses import replace

import numpy as np
import pytest

from reconcile.infer.reported import figures_in_part
from reconcile.match.columns import Kind
from reconcile.match.met import load_met
from reconcile.match.tools import BGSAGE
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.figures import figures_of, totals_of
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import NAN, cubes, judged, match_from, match_of, plays, switched

MET = load_met("Kazaross-XG2")


def at_3_away_5_away(table):
    """Ann needs 3 points, Ben 5; equities are stored as Ann's chances of winning the match."""
    match = replace(match_of(cube=table), cube_unit="mwc")
    return replace(match, games=match.games.replaced(score=np.array([[4, 2]])))


def chances(cube):
    """Ann's chances of winning the match once the cube is won and lost."""
    return float(MET.chance(3 - cube, 5, False)), float(MET.chance(3, 5 - cube, False))


@pytest.mark.parametrize(
    ("kind", "error"), [(Kind.TAKE, 0.25), (Kind.PASS, 0.0), (Kind.BEAVER, 0.25)]
)
def test_response_is_weighed_in_the_doubler_s_view(kind, error):
    """Ann doubled; double/take is worth 1.25 to her, a quarter more than a pass, so that Ben's take
    loses 0.25 and his pass nothing."""
    won, lost = chances(1)
    half = (won - lost) / 2
    take = (won + lost) / 2 + 1.25 * half
    row = cubes(kind=[kind], player=[1], no_double=[take], double_take=[take], stored_error=[NAN])
    scored = judged(at_3_away_5_away(row), "Q06", "candidate-0", base="gnubg")
    assert (scored.win[0], scored.lose[0]) == pytest.approx((won, lost))
    assert scored.error[0] == pytest.approx(error, abs=1e-6)
    assert scored.loss[0] == pytest.approx(error * half, abs=1e-6)


def test_answer_to_a_beaver_is_weighed_in_the_view_of_who_answers():
    """Ann answers Ben's beaver: the equities are hers, as those of her double were."""
    row = cubes(
        kind=[Kind.TAKE],
        player=[0],
        answers_beaver=[True],
        no_double=[0.7],
        double_take=[0.7],
        stored_error=[NAN],
    )
    scored = judged(at_3_away_5_away(row), "Q14", "gnubg-recount", base="gnubg")
    assert (scored.win[0], scored.lose[0]) == pytest.approx(chances(1))


def test_response_may_be_weighed_at_the_cube_that_it_decides():
    row = cubes(2, kind=[Kind.TAKE, Kind.DOUBLE], player=[1, 0])
    match = replace(at_3_away_5_away(row), cube_unit="emg")
    before, after = (judged(match, "Q10", answer) for answer in ("before-double", "after-double"))
    assert before.win.tolist() == pytest.approx([chances(1)[0]] * 2)
    assert after.win.tolist() == pytest.approx(
        [chances(2)[0], chances(1)[0]]
    )  # a double is always weighed before it


def test_resignation_that_counts_is_in_every_total():
    rules = switched("Q07", "yes-with-decision", "gammonview")
    ours = statistics(match_of(plays(), cubes(stored_error=[0.0]), 0.1, tool=BGSAGE.name), rules)
    outcome = ours.figures(0)
    assert outcome["decisions.counted"] == 3
    assert outcome["pr"] == pytest.approx(500 * 0.2 / 3)
    totals = totals_of(ours.sums.games, rules, is_money=False, one_point=np.array([False]))
    columns, in_part = figures_of(totals), figures_in_part(ours, 0)
    for name in ("decisions.counted", "pr", "error_rate_memg", "equity_error.total", "cube_pr"):
        assert columns[name][0, 0] == in_part[name] == pytest.approx(outcome[name])


def test_resignation_that_nobody_judged_leaves_every_number_in_its_precision():
    """An error of gnuBG's is single precision; were it widened, the same file would be scored two
    ways."""
    case = {"plays": {"stored_error": [0.1, 0.7], "single": ["stored_error"]}}
    cube = {"rows": 0, "single": ["stored_error", "no_double", "double_take", "double_pass"]}
    with_it, without = (
        score(match_from(case | {"cubes": cube, "resigned": resigned}), rule_set("xg"), MET)
        for resigned in ([NAN], [])
    )
    assert with_it.error.dtype == without.error.dtype == np.float32
    for name in ("error", "loss"):
        assert getattr(with_it, name)[:2].tolist() == getattr(without, name).tolist()


def test_take_is_the_doubler_s_loss_seen_from_the_other_side():
    """A response is weighed with the eyes of who doubled, so either player loses the same by the
    same wrong take at an even score."""
    wrong = cubes(2, kind=[Kind.TAKE] * 2, player=[0, 1], stored_error=[0.125, 0.125])
    row, other = judged(match_of(cube=wrong), "Q10", "before-double").loss.tolist()
    assert row == pytest.approx(other, rel=1e-6)
