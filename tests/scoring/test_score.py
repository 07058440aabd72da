"""What one decision is weighed with and whether it counts: the seat of a response, the owner after
a beaver, what was not analysed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Cubes, Kind
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.scoring.score import Scored
from tests.support.hand_made import NAN, cubes, judged, match_of, plays

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
