"""What adds up in a figure and what does not: by hand, in fractions that are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reconcile.infer.run import figures_in_part
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.match.tools import BGSAGE
from reconcile.scoring.figures import totals_of
from reconcile.scoring.metrics import figures_of
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Coverage, statistics
from tests.support.hand_made import NAN, cubes, judged, match_of, plays, switched


def figures(match: Match, rules: str = "xg") -> dict[str, Any]:
    return statistics(match, rules).figures(0)


def test_resignation_that_counts_is_in_every_total() -> None:
    rules = switched("Q07", "yes-with-decision", "gammonview")
    ours = statistics(match_of(plays(), cubes(stored_error=[0.0]), 0.1, tool=BGSAGE.name), rules)
    outcome = ours.figures(0)
    assert outcome["decisions.counted"] == 3
    assert outcome["pr"] == pytest.approx(500 * 0.2 / 3)
    columns = figures_of(
        totals_of(ours.sums.games, rules, is_money=False, one_point=np.array([False]))
    )
    in_part = figures_in_part(ours, 0)
    for name in (
        "decisions.counted",
        "pr",
        "error_rate_memg",
        "equity_error.total",
        "decisions.checker",
        "cube_pr",
    ):
        assert columns[name][0, 0] == in_part[name] == pytest.approx(outcome[name])


@pytest.mark.parametrize(
    ("validity", "moves", "expected"),
    [(Validity.VALID, 1, 1), (Validity.ILLEGAL, 1, 0), (Validity.UNPLAYED, 0, 0)],
)
def test_roll_is_a_move_where_it_was_played_and_missing_in_no_analysis_where_it_could_not_be_judged(
    validity: Validity, moves: int, expected: int
) -> None:
    computed = statistics(match_of(plays(validity=[validity], luck=[0.5])), "xg")
    outcome = computed.figures(0)
    assert (outcome["moves.total"], outcome["moves.unforced"], outcome["moves.forced"]) == (
        moves,
        moves,
        0,
    )
    assert computed.completeness(0) == {
        "checker": Coverage(expected, expected),
        "cube": Coverage(0, 0),
        "luck": Coverage(moves, moves),
    }


def test_analysis_of_a_cube_decision_that_no_analysis_needs_makes_up_for_none_that_is_missing() -> (
    None
):
    first = cubes(2, expected=[False, True], analysed=[True, False], stored_error=[0.0, NAN])
    assert statistics(match_of(plays(), first), "xg").completeness(0)["cube"] == Coverage(1, 0)


def test_factor_of_a_one_point_match_is_in_every_rate_per_decision_and_in_no_rate_per_move() -> (
    None
):
    row = match_of(
        plays(2, player=[0, 1], stored_error=[0.125, 0.0]), cubes(stored_error=[0.0625]), length=1
    )
    rules = {
        answer: statistics(row, switched("Q09", answer)).figures(0) for answer in ("x1", "x1.5")
    }
    per_decision = {"pr": 46.875, "error_rate_memg": 93.75, "checker_pr": 62.5, "cube_pr": 31.25}
    per_move = {"snowie_er": 46.875, "snowie_memg": 93.75}
    assert {name: rules["x1"][name] for name in (*per_decision, *per_move)} == {
        **per_decision,
        **per_move,
    }
    assert {name: rules["x1.5"][name] for name in per_decision} == {
        name: 1.5 * rate for name, rate in per_decision.items()
    }
    assert {name: rules["x1.5"][name] for name in per_move} == per_move


def test_error_of_resigning_is_in_both_totals_and_in_no_class() -> None:
    outcome = figures(match_of(plays(stored_error=[0.125]), None, 0.25))
    assert (outcome["equity_error.total"], outcome["equity_error.checker"]) == (0.375, 0.125)
    assert outcome["mwc_loss_percent.total"] == pytest.approx(
        3 * outcome["mwc_loss_percent.checker"]
    )
    assert (outcome["pr"], outcome["decisions.counted"]) == (100, 1)  # 187.5, as XG shows it


def test_resignation_that_nobody_judged_leaves_every_number_in_its_precision() -> None:
    """An error of gnuBG's is single precision; were it widened, the same file would be scored two
    ways."""
    single = {
        name: np.zeros(0, np.float32)
        for name in ("stored_error", "no_double", "double_take", "double_pass")
    }
    table, cube = (
        plays(2).replaced(stored_error=np.array([0.1, 0.7], np.float32)),
        cubes(0).replaced(**single),
    )
    with_it, without = (
        score(match_of(table, cube, *resigned), switched("Q13", "none"), KAZAROSS)
        for resigned in ((NAN,), ())
    )
    assert with_it.error.dtype == without.error.dtype == np.float32
    assert (with_it.error[:2].tolist(), with_it.loss[:2].tolist()) == (
        without.error.tolist(),
        without.loss.tolist(),
    )


KAZAROSS = load_met("Kazaross-XG2")


@pytest.mark.parametrize("answer", ["stored", "millipoint"])
def test_file_that_stores_errors_has_none_where_it_stores_none(answer: str) -> None:
    missed = cubes(2, double_take=[0.75, 0.75], stored_error=[0.125, NAN])
    assert judged(match_of(cube=missed), "Q06", answer).error.tolist() == [0.125, 0]
    bare = cubes(2, double_take=[0.75, 0.75], stored_error=[NAN, NAN])
    assert judged(match_of(cube=bare), "Q06", answer).error.tolist() == [0.25, 0.25]


def test_take_is_the_doubler_s_loss_seen_from_the_other_side() -> None:
    """A response is weighed with the eyes of who doubled, so either player loses the same by the
    same wrong take at an even score."""
    wrong = cubes(2, kind=[Kind.TAKE] * 2, player=[0, 1], stored_error=[0.125, 0.125])
    row, other = judged(match_of(cube=wrong), "Q10", "before-double").loss.tolist()
    assert row == pytest.approx(other, rel=1e-6)
