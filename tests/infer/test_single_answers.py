"""Every answer of every question changes the arrays as it changes the scoring: one question at a
time, on matches made to show it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.infer.answer_grid import Combinations
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import NAN, cubes, match_of, plays

XG, GNUBG, BGSAGE = "eXtreme Gammon", "GNU Backgammon", "Open Sage"
MOSTLY_ANALYSED = cubes(
    10,
    turn=list(range(1, 20, 2)),
    analysed=[True] * 9 + [False],
    stored_error=[0.125, *[0.0] * 8, NAN],
    no_double=[0.5] * 9 + [NAN],
    double_take=[0.4] * 9 + [NAN],
)
ONE_TAKE = cubes(
    2, kind=[Kind.NO_DOUBLE, Kind.TAKE], stored_error=[0.0625, 0.125], double_take=[0.4, 1.125]
)
BEAVERED = cubes(
    3,
    turn=[1, 3, 5],
    kind=[Kind.NO_DOUBLE, Kind.TAKE, Kind.NO_DOUBLE],
    answers_beaver=[False, True, False],
    recount_access=[True, True, False],
    double_take=[0.4, 1.5, 1.4],
    double_pass=[1.0, 1.0, 1.3],
    no_double=[0.5, 0.5, 1.0],
    stored_error=[NAN] * 3,
)
OWNER_ALONE = BEAVERED.replaced(answers_beaver=np.zeros(3, bool))
MATCHES: dict[str, tuple[Match, set[str]]] = {
    "one point, the cube mostly analysed": (
        match_of(plays(), MOSTLY_ANALYSED, length=1, tool=XG),
        {"Q05", "Q09"},
    ),
    "one point, with a cube": (match_of(plays(), ONE_TAKE, length=1, tool=XG), {"Q09"}),
    "a take": (match_of(plays(), ONE_TAKE, tool=XG), {"Q10"}),
    "beyond the cap": (match_of(plays(stored_error=[0.75]), tool=XG), {"Q13"}),
    "resigned": (match_of(plays(), None, 0.25, tool=XG), {"Q07"}),
    "resigned rightly": (match_of(plays(), None, 0.0, tool=BGSAGE), {"Q07"}),
    "a beaver": (match_of(plays(), BEAVERED, length=None, tool=GNUBG), {"Q14"}),
    "another owner after a beaver": (
        match_of(plays(), OWNER_ALONE, length=None, tool=GNUBG),
        {"Q14"},
    ),
}
"""Each with the questions that it is made to show."""


@pytest.mark.parametrize("name", MATCHES)
def test_switching_one_answer_gives_the_figures_of_scoring_with_it(name: str) -> None:
    match, shown = MATCHES[name]
    space = Combinations(match, None, 0, None)
    tables = space.figures()
    own = space.base.for_match(match)[0]
    changing = set()
    for axis, (code, answers) in enumerate(space.axes.items()):
        for number, answer in enumerate(answers):
            row = tuple(number if other == axis else 0 for other in range(len(space.axes)))
            expected = statistics(match, own.switched(code, answer)).figures(0)
            figures = {
                metric: float(np.broadcast_to(table, table_shape(space))[row])
                for metric, table in tables.items()
            }
            wanted = {
                metric: NAN if expected[metric] is None else expected[metric] for metric in figures
            }
            assert figures == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True), (
                code,
                answer,
            )
            if number and expected != statistics(match, own).figures(0):
                changing.add(code)
    assert shown <= changing  # the match shows what it is made for


def table_shape(space: Combinations) -> tuple[int, ...]:
    return tuple(len(answers) for answers in space.axes.values())


def test_question_that_changes_nothing_is_not_tried() -> None:
    plain = Combinations(match_of(plays(), cubes(), tool=XG), None, 0, None)
    assert {
        code for code in ("Q05", "Q07", "Q09", "Q10", "Q13", "Q14") if len(plain.axes[code]) > 1
    } == set()


def test_question_of_what_is_not_analysed_is_tried_where_either_table_lacks_something() -> None:
    unknown = plays(
        analysed=[False], stored_error=[NAN], best=[NAN], played=[NAN], highest=[NAN], spread=[NAN]
    )
    for match in (match_of(unknown, cubes(), tool=XG), match_of(plays(), MOSTLY_ANALYSED, tool=XG)):
        assert len(Combinations(match, None, 0, None).axes["Q05"]) == 2


def test_game_s_figures_divide_by_the_moves_of_that_game() -> None:
    two = plays(3, game=[0, 1, 1], turn=[1, 1, 2], stored_error=[0.125, 0.25, 0.0])
    match = match_of(two, tool=XG)
    games = {name: np.repeat(getattr(match.games, name), 2, axis=0) for name in match.games.names()}
    match = replace(match, games=type(match.games)(2, games))
    for game, rate in ((None, 62.5), (0, 62.5), (1, 62.5)):
        assert Combinations(match, None, 0, game).figures()["snowie_er"].max() == rate
