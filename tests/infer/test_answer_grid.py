"""Every combination of answers is scored truly: the figures in the arrays are those of scoring the
match under just these answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reconcile.formats import read_match
from reconcile.formats.xg import writer as xg_writer
from reconcile.infer.answer_grid import Combinations
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules import QUESTIONS
from reconcile.scoring.statistics import statistics
from tests.support import strategies
from tests.support.data import ONE_OF_EACH, cases
from tests.support.examples import examples
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import loaded, real
from tests.support.long import long_but_first

XG, GNUBG, BGSAGE = "eXtreme Gammon", "GNU Backgammon", "Open Sage"


def check(space: Combinations, chosen: Mapping[str, int]) -> bool:
    """Figures of one combination in the arrays, against scoring the match under just these answers;
    whether they are others than by the file's own rules."""
    row = tuple(chosen.get(code, 0) % len(names) for code, names in space.axes.items())
    rules = own = space.supported
    for code, name in space.answers_at(row).items():
        rules = rules.switched(code, name)
    expected, plain = (
        statistics(space.match, each).figures_at(space.seat, space.game) for each in (rules, own)
    )
    shape = [len(names) for names in space.axes.values()]
    figures = {name: np.broadcast_to(table, shape)[row] for name, table in space.figures().items()}
    wanted = {name: NAN if expected[name] is None else expected[name] for name in figures}
    assert figures == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True), rules
    return expected != plain


ANSWERS = st.fixed_dictionaries({code: st.integers(0, 59) for code in QUESTIONS})
PLACES = {"seat": st.integers(0, 1), "number": st.integers(-1, 30), "chosen": ANSWERS}
"""A player, a game (the match where negative), and answers."""
QUICK = settings(
    max_examples=examples(6),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def check_at(match: Match, seat: int, number: int, chosen: Mapping[str, int]) -> None:
    game = None if number < 0 else number % len(match.games)
    check(Combinations(match, None, seat, game), chosen)


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=1))
@QUICK
@example(seat=1, number=0, chosen={"Q01": 14, "Q16": 1})  # dead cubes with other plays
@given(**PLACES)
def test_any_combination_on_a_real_match_is_what_scoring_gives(
    path: Path, seat: int, number: int, chosen: dict[str, int]
) -> None:
    check_at(loaded(path), seat, number, chosen)


@pytest.mark.long
@settings(max_examples=examples(50))
@given(generated=strategies.matches(), **PLACES)
def test_any_combination_on_a_generated_match_is_what_scoring_gives(
    generated: Any, seat: int, number: int, chosen: dict[str, int]
) -> None:
    check_at(read_match("made.xg", xg_writer.write(generated)), seat, number, chosen)


UNKNOWN: dict[str, Any] = {"analysed": [False], "stored_error": [NAN], "spread": [NAN]}
NO_CUBES = cubes(analysed=[False], no_double=[NAN], double_take=[NAN], stored_error=[NAN])
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
EDGES: dict[str, tuple[Match, set[str]]] = {
    "one point, mostly analysed": (
        match_of(plays(), MOSTLY_ANALYSED, length=1, tool=XG),
        {"Q05", "Q09"},
    ),
    "one point, with a cube": (match_of(plays(), ONE_TAKE, length=1, tool=XG), {"Q09"}),
    "a take": (match_of(plays(), ONE_TAKE, tool=XG), {"Q10"}),
    "beyond the cap": (match_of(plays(stored_error=[0.75]), tool=XG), {"Q13"}),
    "resigned": (match_of(plays(), None, 0.25, tool=XG), {"Q07"}),
    "resigned rightly": (match_of(plays(), None, 0.0, tool=BGSAGE), {"Q07"}),
    "a beaver": (match_of(plays(), BEAVERED, length=None, tool=GNUBG), {"Q14"}),
    "another owner after it": (match_of(plays(), OWNER_ALONE, length=None, tool=GNUBG), {"Q14"}),
    "errors and no decision": (match_of(plays(flag=[1], legal=[1], spread=[0.0])), set()),
    "plays without cube analysis": (match_of(plays(), NO_CUBES), set()),
    "cube without plays": (
        match_of(plays(**UNKNOWN), cubes(kind=[Kind.TAKE], stored_error=[0.1])),
        set(),
    ),
}
"""Each with the questions that it is made to show."""


@pytest.mark.parametrize("name", long_but_first(EDGES, 3))
def test_switching_one_answer_gives_the_figures_of_scoring_with_it(name: str) -> None:
    match, shown = EDGES[name]
    space = Combinations(match, None, 0, None)
    changing = {
        code
        for code, answers in space.axes.items()
        for number in range(len(answers))
        if check(space, {code: number})
    }
    assert shown <= changing  # the match shows what it is made for


@pytest.mark.parametrize("name", EDGES)
@QUICK
@given(**PLACES)
def test_any_combination_at_the_edges_is_what_scoring_gives(
    name: str, seat: int, number: int, chosen: dict[str, int]
) -> None:
    check_at(EDGES[name][0], seat, number, chosen)


def several(match: Match) -> set[str]:
    """The questions of which several answers are tried."""
    axes = Combinations(match, None, 0, None).axes
    return {code for code, names in axes.items() if len(names) > 1}


def test_answers_that_cannot_matter_are_left_out(data: Path) -> None:
    never = {"Q05", "Q07", "Q09", "Q13", "Q14", "Q16"}
    varied = {code for code, question in QUESTIONS.items() if question.is_varied}
    assert several(real("real/charlot1*.xg")) == varied - never
    assert several(match_of(plays(), cubes(), tool=XG)) & (never | {"Q10"}) == set()
    unknown = plays(**UNKNOWN, best=[NAN], played=[NAN], highest=[NAN])
    for match in (match_of(unknown, cubes(), tool=XG), match_of(plays(), MOSTLY_ANALYSED, tool=XG)):
        assert "Q05" in several(match)


def test_game_s_figures_divide_by_the_moves_of_that_game() -> None:
    two = plays(3, game=[0, 1, 1], turn=[1, 1, 2], stored_error=[0.125, 0.25, 0.0])
    match = match_of(two, tool=XG)
    games = {name: np.repeat(getattr(match.games, name), 2, axis=0) for name in match.games.names()}
    match = replace(match, games=type(match.games)(2, games))
    for game in (None, 0, 1):
        assert Combinations(match, None, 0, game).figures()["snowie_er"].max() == 62.5
