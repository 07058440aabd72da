"""Every combination of answers is scored truly: the figures in the arrays are those of scoring the
match under just these answers."""

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reconcile.formats import read_match
from reconcile.infer.answer_grid import Combinations
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.statistics import statistics
from tests.support import strategies, xg_writer
from tests.support.data import ONE_OF_EACH, cases
from tests.support.examples import examples
from tests.support.hand_made import NAN, cubes, match_from, match_of, of_games, plays
from tests.support.loaded import loaded, real
from tests.support.long import long_but_first
from tests.support.tables import beside

XG = "eXtreme Gammon"


def check(space, chosen):
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


def check_at(match, seat, number, chosen):
    game = None if number < 0 else number % len(match.games)
    check(Combinations(match, None, seat, game), chosen)


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=1))
@QUICK
@example(seat=1, number=0, chosen={"Q01": 14, "Q16": 1})  # dead cubes with other plays
@given(**PLACES)
def test_any_combination_on_a_real_match_is_what_scoring_gives(path, seat, number, chosen):
    check_at(loaded(path), seat, number, chosen)


@pytest.mark.long
@settings(max_examples=examples(50))
@given(generated=strategies.matches(), **PLACES)
def test_any_combination_on_a_generated_match_is_what_scoring_gives(
    generated, seat, number, chosen
):
    check_at(read_match("made.xg", xg_writer.write(generated)), seat, number, chosen)


CASES = beside(__file__)
EDGES = {name: match_from({"plays": {}} | case) for name, case in CASES.items()}


@pytest.mark.parametrize("name", long_but_first(EDGES))
def test_switching_one_answer_gives_the_figures_of_scoring_with_it(name):
    space = Combinations(EDGES[name], None, 0, None)
    changing = {
        code
        for code, answers in space.axes.items()
        for number in range(len(answers))
        if check(space, {code: number})
    }
    assert {*CASES[name].get("shows", [])} <= changing  # the match shows what it is made for


@pytest.mark.parametrize("name", long_but_first(EDGES, 6, 16))
@QUICK
@given(**PLACES)
def test_any_combination_at_the_edges_is_what_scoring_gives(name, seat, number, chosen):
    check_at(EDGES[name], seat, number, chosen)


def several(match):
    """The questions of which several answers are tried."""
    axes = Combinations(match, None, 0, None).axes
    return {code for code, names in axes.items() if len(names) > 1}


def test_answers_that_cannot_matter_are_left_out(data):
    never = {"Q05", "Q07", "Q09", "Q13", "Q14", "Q16"}
    varied = {code for code, question in QUESTIONS.items() if question.is_varied}
    assert several(real("real/charlot1*.xg")) == varied - never
    assert several(match_of(plays(), cubes(), tool=XG)) & (never | {"Q10"}) == set()
    for name in ("nothing known", "one point, mostly analysed"):
        assert "Q05" in several(EDGES[name])


def test_game_s_figures_divide_by_the_moves_of_that_game():
    two = plays(3, game=[0, 1, 1], turn=[1, 1, 2], stored_error=[0.125, 0.25, 0.0])
    match = of_games(match_of(two, tool=XG), 2)
    for game in (None, 0, 1):
        assert Combinations(match, None, 0, game).figures()["snowie_er"].max() == 62.5
