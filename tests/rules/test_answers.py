"""Which decisions count, what they cost and which rates follow: every answer is told apart from
every other, at its borders too, by columns made by hand."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Kind
from reconcile.rules.rulesets import QUESTIONS, own_rules, rule_set
from reconcile.rules.views import CubeView
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import cubes, judged, match_from, match_of, plays, switched
from tests.support.tables import beside

DECISIONS: dict[str, dict[str, dict[str, Any]]] = beside(__file__, "counting.yaml")


def view(
    no_double,
    double_take,
    double_pass=1.0,
    *,
    access=True,
    stored_error=0.0,
    flag=-1,
    kind=Kind.NO_DOUBLE,
    play_counts=True,
):
    """What a rule of the cube is shown of one decision."""
    return CubeView(
        no_double=np.array([no_double]),
        double_take=np.array([double_take]),
        double_pass=np.array([double_pass]),
        access=np.array([access]),
        cubes=cubes(stored_error=[stored_error], flag=[flag], kind=[kind.value]),
        find_play_counts=lambda: np.array([play_counts]),
    )


@pytest.mark.parametrize(
    ("table", "code"), [("plays", "Q01"), *(("cubes", code) for code in ("Q02", "Q03", "Q04"))]
)
def test_decisions_that_count(table, code):
    answers = QUESTIONS[code].answers
    for name, case in DECISIONS[table].items():
        facts: Any = dict(case)
        left_out = {*facts.pop("left_out")} & set(answers)
        if table == "plays":
            row: Any = match_from({"plays": facts}).plays
        else:
            kind = Kind[facts.pop("kind", "NO_DOUBLE")]
            row = view(*facts.pop("equities"), kind=kind, **facts)
        counted = {answer for answer, rule in answers.items() if rule.value(row)[0]}
        assert counted == set(answers) - left_out, name


def counts(code, answer, case):
    return bool(QUESTIONS[code].answers[answer].value(case)[0])


def test_mark_of_a_blunderdb_database_is_not_taken_for_xg_s():
    for tool, used in (("eXtreme Gammon", "xg-flag"), ("blunderDB", "xg-spread")):
        rules, _ = rule_set("xg").for_match(match_of(plays(flag=[0]), tool=tool))
        assert rules.answers["Q01"] == used


CUBE: dict[str, dict[str, list[str]]] = beside(__file__, "borders.yaml")


def equity(word):
    """A number, or the nearest below (`0.2-`) or above it (`0.2+`)."""
    neighbour = {"-": -math.inf, "+": math.inf}.get(word[-1])
    number = float(word.rstrip("+-"))
    return number if neighbour is None else math.nextafter(number, neighbour)


@pytest.mark.parametrize("rule", CUBE)
def test_border_of_a_rule_of_the_cube(rule):
    code, *answers = rule.split()
    for answer in answers:
        for key, words in CUBE[rule].items():
            for each in words:
                case = view(*map(equity, each.split()))
                assert counts(code, answer, case) is (key == "counts"), (answer, each)


@pytest.mark.parametrize("version", ["2.36.9", "2.37", "2.37.0", "2.39.0", None])
def test_blunderdb_counts_otherwise_from_schema_2_37_on(version):
    match = match_of(plays(), tool="blunderDB")
    source = replace(match.source, tool_version=version)
    rules = "blunderdb" if version == "2.36.9" else "blunderdb-2026"
    assert own_rules(replace(match, source=source)).name == rules


ERRORS: dict[str, list[Any]] = beside(__file__, "errors.yaml")
OF_A_CUBE = ("kind", "no_double", "double_take", "errors")


@pytest.mark.parametrize("table", ERRORS)
def test_q06_size_of_an_error(table):
    for case in ERRORS[table]:
        stored = {} if table == "plays" else {"stored_error": 0.7}
        named = case if table == "plays" else zip(OF_A_CUBE, case, strict=True)
        facts: dict[str, Any] = stored | dict(named)
        errors = facts.pop("errors")
        row = match_from({table: facts})
        for answer, error in errors.items():
            assert judged(row, "Q06", answer).error.tolist() == [pytest.approx(error)], case


@pytest.mark.parametrize(
    ("answer", "rate"), [("500/counted", 25.0), ("1000/counted", 50.0), ("snowie", 100 / 3)]
)
def test_q08_names_the_rate_a_program_shows(answer, rate):
    three = plays(3, player=[0, 0, 1], stored_error=[0.1, 0.0, 0.0])
    figures = statistics(match_of(three), switched("Q08", answer)).figures(0)
    assert figures[QUESTIONS["Q08"].answers[answer].value] == pytest.approx(rate)


def test_q10_leaves_plays_and_doubles_alone():
    match = match_of(plays(stored_error=[0.1]), cubes(kind=[Kind.DOUBLE], stored_error=[0.1]))
    before, after = (judged(match, "Q10", answer) for answer in ("before-double", "after-double"))
    assert before.loss.tolist() == after.loss.tolist()


def test_q11_table_changes_chances_lost_and_no_equity():
    kazaross, woolsey = (
        statistics(match_of(plays()), "xg", met).figures(0) for met in ("Kazaross-XG2", "woolsey")
    )
    assert kazaross["mwc_loss_percent.total"] != woolsey["mwc_loss_percent.total"]
    assert kazaross["pr"] == woolsey["pr"]
    assert (
        statistics(match_of(plays()), "xg").scored.met.name
        == QUESTIONS["Q11"].answers["Kazaross-XG2"].value
    )


def test_q12_borders_differ_by_program():
    borders = {name: answer.value for name, answer in QUESTIONS["Q12"].answers.items()}
    for name, grades in {
        "xg": (None, 0.020, 0.080, None),
        "gnubg": (0.03, 0.06, 0.12, None),
        "blunderdb": (None, 0.050, 0.100, None),
        "backgammondb": (None, 0.020, 0.080, 0.250),
    }.items():
        border = borders[name]
        assert (border.doubtful, border.error, border.blunder, border.howler) == grades, name
