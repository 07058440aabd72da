"""Every combination of answers is scored truly: the figures in the arrays are those of scoring the
match under just these answers."""

from __future__ import annotations

from collections.abc import Mapping
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


def check(match: Match, seat: int, game: int | None, chosen: Mapping[str, int]) -> None:
    """Figures of one combination in the arrays, against scoring the match under just these
    answers."""
    space = Combinations(match, None, seat, game)
    row = tuple(chosen.get(code, 0) % len(names) for code, names in space.axes.items())
    rules = space.base.for_match(match)[0]
    for code, name in space.answers_at(row).items():
        rules = rules.switched(code, name)
    expected = statistics(match, rules).figures_at(seat, game)
    for name, table in space.figures().items():
        value = float(
            table[tuple(i if size > 1 else 0 for i, size in zip(row, table.shape, strict=True))]
        )
        wanted = expected[name]
        assert (
            np.isnan(value)
            if wanted is None
            else value == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        ), (name, value, wanted, rules)


ANSWERS = st.fixed_dictionaries({code: st.integers(0, 59) for code in QUESTIONS})
QUICK = settings(
    max_examples=examples(6),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=1))
@QUICK
@example(
    seat=1, whole_match=False, number=0, chosen={**dict.fromkeys(QUESTIONS, 0), "Q01": 14, "Q16": 1}
)  # dead cubes with other plays
@given(seat=st.integers(0, 1), whole_match=st.booleans(), number=st.integers(0, 30), chosen=ANSWERS)
def test_any_combination_on_a_real_match_is_what_scoring_gives(
    path: Path, seat: int, whole_match: bool, number: int, chosen: dict[str, int]
) -> None:
    match = loaded(path)
    check(match, seat, None if whole_match else number % len(match.games), chosen)


@pytest.mark.long
@settings(max_examples=examples(50))
@given(
    generated=strategies.matches(),
    seat=st.integers(0, 1),
    whole_match=st.booleans(),
    number=st.integers(0, 30),
    chosen=ANSWERS,
)
def test_any_combination_on_a_generated_match_is_what_scoring_gives(
    generated: Any, seat: int, whole_match: bool, number: int, chosen: dict[str, int]
) -> None:
    match = read_match("made.xg", xg_writer.write(generated))
    check(match, seat, None if whole_match else number % len(match.games), chosen)


EDGES = {
    "one point": match_of(plays(), length=1),
    "beyond the cap": match_of(plays(stored_error=[0.9])),
    "errors and no decision": match_of(plays(flag=[1], legal=[1], spread=[0.0])),
    "money": match_of(
        plays(),
        cubes(2, kind=[Kind.NO_DOUBLE, Kind.TAKE], answers_beaver=[False, True]),
        length=None,
    ),
    "plays without cube analysis": match_of(
        plays(), cubes(analysed=[False], no_double=[NAN], double_take=[NAN], stored_error=[NAN])
    ),
    "cube without plays": match_of(
        plays(analysed=[False], stored_error=[NAN], spread=[NAN]),
        cubes(kind=[Kind.TAKE], stored_error=[0.1]),
    ),
    "resigned": match_of(plays(), None, 0.2),
}


@pytest.mark.parametrize("name", EDGES)
@QUICK
@given(seat=st.integers(0, 1), chosen=ANSWERS)
def test_any_combination_at_the_edges_is_what_scoring_gives(
    name: str, seat: int, chosen: dict[str, int]
) -> None:
    check(EDGES[name], seat, None, chosen)


def test_answers_that_cannot_matter_are_left_out(data: Path) -> None:
    axes = Combinations(real("real/charlot1*.xg"), None, 0, None).axes
    assert {code for code, names in axes.items() if len(names) == 1} == {
        "Q05",
        "Q07",
        "Q09",
        "Q13",
        "Q14",
        "Q16",
    }
    assert len(Combinations(match_of(plays(), length=1), None, 0, None).axes["Q09"]) == 2
    assert len(Combinations(match_of(plays(stored_error=[0.9])), None, 0, None).axes["Q13"]) == 2
