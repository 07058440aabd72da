"""What one decision is weighed with and whether it counts: the seat of a response, the owner after
a beaver, what was not analysed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.infer.run import figures_in_part
from reconcile.match.columns import Cubes, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.match.tools import BGSAGE
from reconcile.scoring.figures import totals_of
from reconcile.scoring.metrics import figures_of
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Coverage, statistics
from tests.support.hand_made import NAN, cubes, judged, match_of, plays, switched

MET = load_met("Kazaross-XG2")
UNKNOWN: dict[str, Any] = {
    name: [NAN] for name in ("stored_error", "no_double", "double_take", "double_pass")
}


def at_3_away_5_away(table: Cubes) -> Match:
    """Ann needs 3 points, Ben 5; equities are stored as Ann's chances of winning the match."""
    match = replace(match_of(cube=table), cube_unit="mwc")
    return replace(match, games=match.games.replaced(score=np.array([[4, 2]])))


def chances(cube: int) -> tuple[float, float]:
    """Ann's chances of winning the match once the cube is won and lost."""
    return float(MET.chance(3 - cube, 5, False)), float(MET.chance(3, 5 - cube, False))


@pytest.mark.parametrize(
    ("kind", "error"), [(Kind.TAKE, 0.25), (Kind.PASS, 0.0), (Kind.BEAVER, 0.25)]
)
def test_response_is_weighed_in_the_doubler_s_view(kind: Kind, error: float) -> None:
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


def test_answer_to_a_beaver_is_weighed_in_the_view_of_who_answers() -> None:
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


def test_response_may_be_weighed_at_the_cube_that_it_decides() -> None:
    row = cubes(2, kind=[Kind.TAKE, Kind.DOUBLE], player=[1, 0])
    match = replace(at_3_away_5_away(row), cube_unit="emg")
    before, after = (judged(match, "Q10", answer) for answer in ("before-double", "after-double"))
    assert before.win.tolist() == pytest.approx([chances(1)[0]] * 2)
    assert after.win.tolist() == pytest.approx(
        [chances(2)[0], chances(1)[0]]
    )  # a double is always weighed before it


def beavered(answer: str) -> Scored:
    """Two doubles that were missed by 0.2: of the player who owns the cube, and of the one whom
    gnuBG's recount takes for the owner."""
    rows = cubes(
        2,
        no_double=[0.5, 0.5],
        double_take=[0.7, 0.7],
        stored_error=[NAN, NAN],
        access=[True, False],
        recount_access=[False, True],
    )
    return judged(match_of(cube=rows, length=None), "Q14", answer, base="gnubg")


@pytest.mark.parametrize(
    ("answer", "errors"), [("as-played", [0.2, 0.0]), ("gnubg-recount", [0.0, 0.2])]
)
def test_only_the_owner_of_the_cube_misses_a_double(answer: str, errors: list[float]) -> None:
    assert beavered(answer).error.tolist() == pytest.approx(errors)


@pytest.mark.parametrize(
    ("answer", "counted", "error"), [("as-played", False, 0.0), ("gnubg-recount", True, 0.3)]
)
def test_answer_to_a_beaver_is_a_take_in_gnubg_s_recount_alone(
    answer: str, counted: bool, error: float
) -> None:
    row = cubes(kind=[Kind.TAKE], answers_beaver=[True], double_take=[1.3], stored_error=[NAN])
    scored = judged(match_of(cube=row, length=None), "Q14", answer, base="gnubg")
    assert (scored.counted[0], scored.error[0]) == (counted, pytest.approx(error))


def partly_analysed(answer: str, base: str = "xg") -> Scored:
    """Plays: analysed; unanalysed with a choice; unanalysed and forced. Cubes: unanalysed, once due
    and once not."""
    three = plays(3, analysed=[True, False, False], legal=[10, 10, 1], stored_error=[0.1, NAN, NAN])
    two = cubes(
        2, analysed=[False] * 2, expected=[True, False], **{name: [NAN] * 2 for name in UNKNOWN}
    )
    return judged(match_of(three, two), "Q05", answer, base=base)


@pytest.mark.parametrize("base", ["xg", "gnubg"])
@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        ("left-out", [True, False, False, False, False]),
        ("counts-with-zero-error", [True, True, False, True, False]),
    ],
)
def test_decision_that_was_not_analysed_counts_without_error_or_not_at_all(
    answer: str, counted: list[bool], base: str
) -> None:
    scored = partly_analysed(answer, base)
    assert scored.counted.tolist() == counted
    assert scored.error[1:].tolist() == [0.0] * 4


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
