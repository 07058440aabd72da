"""Every answer to every question has a decision where it matters; columns are made by hand, so that only one thing differs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.adapters import load_match
from reconcile.columns import UNKNOWN_COUNT, Kind, Validity
from reconcile.errors import UnknownName
from reconcile.met import load_met
from reconcile.rules import QUESTIONS, RULE_SETS, Evidence, own_rules, rule_set
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import NAN, cubes, judged, match_of, plays, switched, view

# -- Q01 ... Q04: does it count? ---------------------------------------------------------------------------------------

PLAYS = {
    "flagged, spread": plays(flag=[1]),
    "not flagged, no spread": plays(spread=[0.0]),
    "not flagged, one legal play": plays(legal=[1], spread=[0.0]),
    "illegal": plays(validity=[Validity.ILLEGAL]),
    "unplayed": plays(validity=[Validity.UNPLAYED], legal=[UNKNOWN_COUNT], spread=[NAN]),
    "dance": plays(legal=[0], flag=[1], spread=[NAN]),
    "spread just too small": plays(spread=[0.000_099]),
    "spread just large enough": plays(spread=[0.000_1]),
    "equal to the thousandth, every legal play kept": plays(legal=[16], spread=[0.0004], highest=[0.5004]),
    "equal to the thousandth, list cut": plays(spread=[0.0004], highest=[0.5004]),
    "no flag in the format": plays(flag=[-1]),
    "usual": plays(),
}
NO_CHOICE = {"not flagged, one legal play", "unplayed", "dance"}
COUNTED_PLAYS = {
    "xg-flag": set(PLAYS) - {"flagged, spread", "illegal", "unplayed", "dance", "no flag in the format"},
    "xg-spread": set(PLAYS) - NO_CHOICE - {"not flagged, no spread", "illegal", "spread just too small"},
    "gnubg": set(PLAYS) - NO_CHOICE,
    "blunderdb": set(PLAYS) - NO_CHOICE - {"illegal", "equal to the thousandth, every legal play kept"},
    "all-plies": set(PLAYS) - {"unplayed"},
}


@pytest.mark.parametrize(("answer", "counted"), COUNTED_PLAYS.items())
def test_q01_plays_that_count(answer: str, counted: set[str]) -> None:
    rule = QUESTIONS["Q01"].answers[answer].value
    assert {name for name, one in PLAYS.items() if rule(one)[0]} == counted


VIEWS = {
    "0.15 short of doubling": view(0.50, 0.35),
    "0.17 short of doubling": view(0.50, 0.33),
    "0.21 short of doubling": view(0.50, 0.29),
    "0.30 short of doubling": view(0.50, 0.20),
    "right to double": view(0.50, 0.90),
    "wrong by far not to double": view(0.00, 0.60),
    "too good by 0.10": view(1.10, 1.30),
    "too good by 0.18": view(1.18, 1.30),
    "too good by 0.30": view(1.30, 1.50),
    "losing slightly": view(-0.05, -0.10),
    "losing badly": view(-0.95, -1.05),
    "losing, no double alone below -0.9": view(-0.91, -0.89),
    "exactly 0": view(0.0, -0.1),
    "doubling changes nothing": view(0.30, 0.30),
    "doubling changes nothing, with a stored error": view(0.30, 0.30, stored_error=0.0001),
    "doubling changes 0.0009": view(0.30, 0.3009),
    "doubling changes 0.0011": view(0.30, 0.3011),
    "missed double of the losing side": view(-0.20, -0.10),
    "not allowed to double": view(0.50, 0.90, access=False),
    "not analysed": view(NAN, NAN, NAN),
    "without equities, marked as a decision": view(NAN, NAN, NAN, flag=0),
    "without equities, marked as none": view(NAN, NAN, NAN, flag=1),
}
UNKNOWN = {"not analysed", "without equities, marked as a decision", "without equities, marked as none"}
FAR = {"0.21 short of doubling", "0.30 short of doubling", "too good by 0.30"} | UNKNOWN
LOSING_BADLY = {"losing badly"}
LOSING = LOSING_BADLY | {"losing slightly", "losing, no double alone below -0.9", "missed double of the losing side"}
NOT_WINNING = LOSING | {"exactly 0", "wrong by far not to double"}
OPTIONAL = {"doubling changes nothing", "doubling changes nothing, with a stored error", "doubling changes 0.0009"}
COUNTED_VIEWS = {
    ("Q02", "xg"): set(VIEWS) - FAR,
    ("Q02", "gnubg"): set(VIEWS) - FAR - {"0.17 short of doubling", "too good by 0.18"},
    ("Q02", "gnubg-manual"): set(VIEWS) - {"0.30 short of doubling", "wrong by far not to double"} - UNKNOWN,
    ("Q02", "window-0.16"): set(VIEWS)
    - FAR
    - {"0.17 short of doubling", "too good by 0.18", "right to double", "wrong by far not to double", "not allowed to double"},
    ("Q02", "marked"): {"without equities, marked as a decision"},
    ("Q03", "nd-positive"): set(VIEWS) - NOT_WINNING - UNKNOWN,
    ("Q03", "minus-0.9"): set(VIEWS) - LOSING_BADLY,
    ("Q03", "minus-0.5"): set(VIEWS) - LOSING_BADLY - {"losing, no double alone below -0.9"},
    ("Q03", "all"): set(VIEWS),
    ("Q04", "yes"): set(VIEWS),
    ("Q04", "within-0.001-no"): set(VIEWS) - OPTIONAL,
    ("Q04", "no-unless-error"): set(VIEWS) - OPTIONAL | {"doubling changes nothing, with a stored error"},
}


@pytest.mark.parametrize(("question", "counted"), COUNTED_VIEWS.items())
def test_no_doubles_that_count(question: tuple[str, str], counted: set[str]) -> None:
    code, answer = question
    rule = QUESTIONS[code].answers[answer].value
    assert {name for name, one in VIEWS.items() if rule(one)[0]} == counted


@pytest.mark.parametrize(("answer", "width"), [("xg", 0.200), ("gnubg", 0.160)])
def test_q02_window_is_open_at_its_border(answer: str, width: float) -> None:
    rule = QUESTIONS["Q02"].answers[answer].value
    assert not rule(view(width, 0.0))[0]
    assert rule(view(np.nextafter(width, 0), 0.0))[0]


def test_q02_gnubg_measures_from_the_best_action_and_xg_from_no_double() -> None:
    missed = view(0.0, 0.5, access=True)
    assert missed.best[0] == 0.5
    for answer in ("xg", "gnubg"):
        assert QUESTIONS["Q02"].answers[answer].value(missed)[0]


@pytest.mark.parametrize("answer", ["xg", "gnubg"])
def test_doubles_and_answers_always_count(answer: str) -> None:
    far = cubes(3, kind=[Kind.DOUBLE, Kind.TAKE, Kind.PASS], no_double=[0.9] * 3, double_take=[-0.9] * 3)
    assert judged(match_of(cube=far), "Q02", answer).counted.tolist() == [True] * 3


# -- Q05 ... Q07: what is it worth? ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "counted"), [("left-out", [False, False]), ("counts-with-zero-error", [True, True])])
def test_q05_decision_that_was_not_analysed(answer: str, counted: list[bool]) -> None:
    unknown = match_of(
        plays(analysed=[False], stored_error=[NAN], best=[NAN], played=[NAN]),
        cubes(analysed=[False], stored_error=[NAN], no_double=[NAN], double_take=[NAN], double_pass=[NAN]),
    )
    found = judged(unknown, "Q05", answer)
    assert found.counted.tolist() == counted
    assert found.error.tolist() == [0, 0]


def test_q05_forced_play_that_was_not_analysed_counts_under_no_answer() -> None:
    forced = match_of(plays(analysed=[False], legal=[1], stored_error=[NAN], best=[NAN], played=[NAN]))
    for answer in QUESTIONS["Q05"].answers:
        assert judged(forced, "Q05", answer).counted.tolist() == [False]


@pytest.mark.parametrize(("answer", "error"), [("stored", 0.1234), ("candidate-0", 0.25), ("max-candidate", 0.5), ("millipoint", 0.123)])
def test_q06_size_of_a_play_s_error(answer: str, error: float) -> None:
    one = match_of(plays(stored_error=[0.1234], best=[0.5], played=[0.25], highest=[0.75]))
    assert judged(one, "Q06", answer).error.tolist() == [pytest.approx(error)]


def test_q06_without_stored_errors_the_first_candidate_stands_in() -> None:
    bare = match_of(plays(stored_error=[NAN], best=[0.5], played=[0.2496]))
    assert judged(bare, "Q06", "stored").error.tolist() == [pytest.approx(0.2504)]
    assert judged(bare, "Q06", "millipoint").error.tolist() == [pytest.approx(0.250)]


@pytest.mark.parametrize(
    ("kind", "no_double", "double_take", "error"),
    [
        (Kind.NO_DOUBLE, 0.5, 0.75, 0.25),
        (Kind.NO_DOUBLE, 0.5, 1.5, 0.5),
        (Kind.NO_DOUBLE, 0.5, 0.25, 0.0),
        (Kind.NO_DOUBLE, 1.25, 1.5, 0.0),
        (Kind.DOUBLE, 0.5, 0.25, 0.25),
        (Kind.DOUBLE, 1.25, 1.5, 0.25),
        (Kind.DOUBLE, 0.5, 0.75, 0.0),
        (Kind.TAKE, 0.5, 1.25, 0.25),
        (Kind.TAKE, 0.5, 0.75, 0.0),
        (Kind.PASS, 0.5, 0.75, 0.25),
        (Kind.PASS, 0.5, 1.25, 0.0),
    ],
)
def test_q06_error_at_the_cube_follows_from_the_three_equities(kind: Kind, no_double: float, double_take: float, error: float) -> None:
    one = cubes(kind=[kind], no_double=[no_double], double_take=[double_take], stored_error=[0.7])
    assert judged(match_of(cube=one), "Q06", "candidate-0").error.tolist() == [error]
    assert judged(match_of(cube=one), "Q06", "stored").error.tolist() == [0.7]


@pytest.mark.parametrize(("answer", "total"), [("yes-without-decision", 0.3), ("no", 0.1)])
def test_q07_resignation_adds_its_error_and_no_decision(answer: str, total: float) -> None:
    figures = statistics(match_of(plays(), None, 0.2), switched("Q07", answer)).figures(0)
    assert figures["equity_error.total"] == pytest.approx(total)
    assert figures["decisions.counted"] == 1


def test_q07_resignation_that_was_not_judged_adds_nothing() -> None:
    figures = statistics(match_of(plays(), None, NAN), "xg").figures(0)
    assert figures["equity_error.total"] == pytest.approx(0.1)


# -- Q08 ... Q14 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "rate"), [("500/counted", 25.0), ("1000/counted", 50.0), ("snowie", 100 / 3)])
def test_q08_names_the_rate_a_program_shows(answer: str, rate: float) -> None:
    three = plays(3, player=[0, 0, 1], stored_error=[0.1, 0.0, 0.0])
    found = statistics(match_of(three), switched("Q08", answer)).figures(0)
    assert found[QUESTIONS["Q08"].answers[answer].value] == pytest.approx(rate)


@pytest.mark.parametrize(("answer", "pr"), [("x1.5", 75.0), ("x1", 50.0)])
def test_q09_rate_of_a_one_point_match(answer: str, pr: float) -> None:
    rules = switched("Q09", answer)
    assert statistics(match_of(plays(), length=1), rules).figures(0)["pr"] == pytest.approx(pr)
    assert statistics(match_of(plays(), length=2), rules).figures(0)["pr"] == pytest.approx(50)


def test_q10_answer_weighs_an_error_at_the_cube_before_or_after_the_double() -> None:
    take = match_of(cube=cubes(kind=[Kind.TAKE], stored_error=[0.1], player=[1]))
    (before,), (after,) = (judged(take, "Q10", answer).loss for answer in ("before-double", "after-double"))
    met = load_met("Kazaross-XG2")
    for loss, points in ((before, 1), (after, 2)):
        swing = float(met.chance(7 - points, 7, False)) - float(met.chance(7, 7 - points, False))
        assert loss == pytest.approx(0.1 * swing / 2, rel=1e-6)


def test_q10_leaves_plays_and_doubles_alone() -> None:
    match = match_of(plays(stored_error=[0.1]), cubes(kind=[Kind.DOUBLE], stored_error=[0.1]))
    assert judged(match, "Q10", "before-double").loss.tolist() == judged(match, "Q10", "after-double").loss.tolist()


def test_q11_table_changes_chances_lost_and_no_equity() -> None:
    kazaross, woolsey = (statistics(match_of(plays()), "xg", met).figures(0) for met in ("Kazaross-XG2", "woolsey"))
    assert kazaross["mwc_loss_percent.total"] != woolsey["mwc_loss_percent.total"]
    assert kazaross["pr"] == woolsey["pr"]
    assert statistics(match_of(plays()), "xg").scored.met.name == QUESTIONS["Q11"].answers["Kazaross-XG2"].value


def test_q12_borders_differ_by_program_and_rise() -> None:
    borders = {name: answer.value for name, answer in QUESTIONS["Q12"].answers.items()}
    assert (borders["xg"].error, borders["xg"].blunder) == (0.020, 0.080)
    assert (borders["gnubg"].doubtful, borders["gnubg"].error, borders["gnubg"].blunder) == (0.03, 0.06, 0.12)
    assert (borders["blunderdb"].error, borders["blunderdb"].blunder) == (0.050, 0.100)
    assert (borders["backgammondb"].error, borders["backgammondb"].blunder, borders["backgammondb"].howler) == (0.020, 0.080, 0.250)
    assert len(set(borders.values())) == len(borders)
    for border in borders.values():
        assert (border.doubtful or 0) < border.error < border.blunder < (border.howler or 10)


@pytest.mark.parametrize(("answer", "pr"), [("100", 100.0), ("none", 250.0)])
def test_q13_rate_above_100(answer: str, pr: float) -> None:
    figures = statistics(match_of(plays(stored_error=[0.5])), switched("Q13", answer)).figures(0)
    assert figures["pr"] == pr
    assert figures["equity_error.total"] == 0.5


@pytest.mark.parametrize(("answer", "counted"), [("as-played", False), ("gnubg-recount", True)])
def test_q14_answer_to_a_beaver_is_a_take_only_in_gnubg_s_recount(answer: str, counted: bool) -> None:
    beaver = cubes(kind=[Kind.TAKE], answers_beaver=[True], double_take=[1.5], stored_error=[NAN])
    found = judged(match_of(cube=beaver, length=None), "Q14", answer)
    assert found.counted.tolist() == [counted]
    assert found.error.tolist() == [0.5 if counted else 0.0]


@pytest.mark.parametrize(("answer", "error"), [("as-played", 0.25), ("gnubg-recount", 0.0)])
def test_q14_owner_after_a_beaver_may_double_or_not(answer: str, error: float) -> None:
    missed = cubes(double_take=[0.75], recount_access=[False], stored_error=[NAN])
    assert judged(match_of(cube=missed, length=None), "Q14", answer).error.tolist() == [error]


# -- real matches ------------------------------------------------------------------------------------------------------

CHARLOT, COMMENT, UNGER, BEAVERS = "real/charlot1*.xg", "real/match_with_comment.xg", "real/test.xg", "gnubg/m49*.sgf"
REAL: dict[tuple[str, str, str], tuple[str, int, int, Kind]] = {
    ("Q01", "xg-flag", "xg-spread"): (CHARLOT, 1, 42, Kind.PLAY),
    ("Q01", "xg-flag", "gnubg"): (CHARLOT, 1, 39, Kind.PLAY),
    ("Q01", "xg-flag", "blunderdb"): (CHARLOT, 1, 41, Kind.PLAY),
    ("Q01", "xg-flag", "all-plies"): (CHARLOT, 1, 8, Kind.PLAY),
    ("Q01", "xg-spread", "gnubg"): (CHARLOT, 1, 39, Kind.PLAY),
    ("Q01", "xg-spread", "blunderdb"): (CHARLOT, 1, 41, Kind.PLAY),
    ("Q01", "xg-spread", "all-plies"): (CHARLOT, 1, 8, Kind.PLAY),
    ("Q01", "gnubg", "blunderdb"): (CHARLOT, 1, 39, Kind.PLAY),
    ("Q01", "gnubg", "all-plies"): (CHARLOT, 1, 8, Kind.PLAY),
    ("Q01", "blunderdb", "all-plies"): (CHARLOT, 1, 8, Kind.PLAY),
    ("Q02", "xg", "gnubg"): (CHARLOT, 1, 13, Kind.NO_DOUBLE),
    ("Q02", "xg", "gnubg-manual"): (CHARLOT, 1, 15, Kind.NO_DOUBLE),
    ("Q02", "xg", "window-0.16"): (CHARLOT, 1, 13, Kind.NO_DOUBLE),
    ("Q02", "gnubg", "gnubg-manual"): (CHARLOT, 1, 13, Kind.NO_DOUBLE),
    ("Q02", "gnubg", "window-0.16"): (COMMENT, 8, 9, Kind.NO_DOUBLE),
    ("Q02", "gnubg-manual", "window-0.16"): (CHARLOT, 1, 13, Kind.NO_DOUBLE),
    ("Q03", "nd-positive", "minus-0.9"): (COMMENT, 8, 17, Kind.NO_DOUBLE),
    ("Q03", "nd-positive", "minus-0.5"): (COMMENT, 8, 17, Kind.NO_DOUBLE),
    ("Q03", "nd-positive", "all"): (COMMENT, 8, 17, Kind.NO_DOUBLE),
    ("Q03", "minus-0.9", "minus-0.5"): (COMMENT, 8, 21, Kind.NO_DOUBLE),
    ("Q03", "minus-0.9", "all"): (COMMENT, 8, 23, Kind.NO_DOUBLE),
    ("Q03", "all", "minus-0.5"): (COMMENT, 8, 21, Kind.NO_DOUBLE),
    ("Q04", "yes", "within-0.001-no"): (COMMENT, 8, 41, Kind.NO_DOUBLE),
    ("Q04", "yes", "no-unless-error"): (COMMENT, 8, 41, Kind.NO_DOUBLE),
    ("Q05", "left-out", "counts-with-zero-error"): (COMMENT, 1, 34, Kind.PLAY),
    ("Q06", "stored", "candidate-0"): (CHARLOT, 1, 40, Kind.PLAY),
    ("Q06", "stored", "max-candidate"): (CHARLOT, 1, 40, Kind.PLAY),
    ("Q06", "stored", "millipoint"): (CHARLOT, 1, 6, Kind.PLAY),
    ("Q06", "candidate-0", "max-candidate"): (CHARLOT, 2, 10, Kind.PLAY),
    ("Q06", "candidate-0", "millipoint"): (CHARLOT, 1, 6, Kind.PLAY),
    ("Q06", "max-candidate", "millipoint"): (CHARLOT, 1, 6, Kind.PLAY),
    ("Q10", "before-double", "after-double"): (UNGER, 4, 20, Kind.PASS),
    ("Q14", "as-played", "gnubg-recount"): (BEAVERS, 1, 73, Kind.TAKE),
}
"""Question and two answers: the file, the game and the turn of a decision that they judge differently."""
NO_RECORD = {
    *(("Q02", answer, "marked") for answer in ("xg", "gnubg", "gnubg-manual", "window-0.16")),  # no file has equities and marks
    ("Q04", "within-0.001-no", "no-unless-error"),  # only the match Squire/Jørgensen, which is public and not at hand
    ("Q07", "yes-without-decision", "no"),  # every resignation at hand is without error
}


@pytest.mark.parametrize(("answers", "where"), REAL.items(), ids=["-".join(answers) for answers in REAL])
def test_answers_differ_on_a_decision_of_a_real_match(data: Path, answers: tuple[str, str, str], where: tuple[str, int, int, Kind]) -> None:
    code, one, two = answers
    pattern, game, turn, kind = where
    (path,) = data.glob(pattern)
    match = load_match(str(path))
    base = own_rules(match).switched("Q03", "all") if code in ("Q02", "Q04") else own_rules(match)
    found = []
    for answer in (one, two):
        judged_so = score(match, base.switched(code, answer), load_met("Kazaross-XG2"))
        table = match.plays if kind is Kind.PLAY else match.cubes
        here = (match.games.number[table.game] == game) & (table.turn == turn)
        if kind is not Kind.PLAY:
            here &= match.cubes.kind == kind
        (index,) = np.flatnonzero(here).tolist()
        row = index + (0 if kind is Kind.PLAY else len(match.plays))
        found.append((judged_so.counted[row], judged_so.error[row], judged_so.loss[row]))
    assert found[0] != found[1]
    if code in ("Q01", "Q02", "Q03", "Q04", "Q05"):
        assert found[0][0] != found[1][0]


def test_every_pair_of_answers_that_judge_decisions_has_its_record_or_is_known_to_have_none() -> None:
    pairs = {
        (code, *pair)
        for code in ("Q01", "Q02", "Q03", "Q04", "Q05", "Q06", "Q07", "Q10", "Q14")
        for pair in combinations(answers_of(code), 2)
    }
    assert pairs == set(REAL) | NO_RECORD


def answers_of(code: str) -> list[str]:
    return list(QUESTIONS[code].answers)


# -- the book ----------------------------------------------------------------------------------------------------------


def test_questions_are_numbered_in_order() -> None:
    assert list(QUESTIONS) == [f"Q{number:02}" for number in range(1, len(QUESTIONS) + 1)]


@pytest.mark.parametrize("name", RULE_SETS)
def test_rule_set_answers_every_question_with_an_answer_of_it(name: str) -> None:
    rules = RULE_SETS[name]
    assert rules.name == name
    assert rules.title
    assert list(rules.answers) == list(QUESTIONS)
    for code in QUESTIONS:
        assert rules.answer(code).name == rules.answers[code]


@pytest.mark.parametrize("code", QUESTIONS)
def test_question_has_a_page_and_at_least_one_answer(code: str) -> None:
    question = QUESTIONS[code]
    assert question.title.endswith("?")
    assert question.page.startswith(question.title)
    assert question.page.partition("\n\n")[2].strip()
    assert question.answers


@pytest.mark.parametrize(("code", "name"), [(code, name) for code, question in QUESTIONS.items() for name in question.answers])
def test_answer_has_a_page_a_source_and_its_evidence(code: str, name: str) -> None:
    answer = QUESTIONS[code].answers[name]
    assert answer.name == name
    assert answer.page.strip()
    assert answer.source.strip()
    assert isinstance(answer.evidence, Evidence)
    assert not answer.fallback or answer.fallback in QUESTIONS[code].answers


def test_answers_that_differ_for_no_decision_do_not_exist() -> None:
    """Every answer of the questions that are functions is told apart from every other one by a row above."""
    tables: dict[str, dict[str, Any]] = {"Q01": PLAYS, "Q02": VIEWS, "Q03": VIEWS, "Q04": VIEWS}
    for code, rows in tables.items():
        rules: dict[str, Callable[..., Any]] = {name: answer.value for name, answer in QUESTIONS[code].answers.items()}
        verdicts = {name: tuple(bool(rule(row)[0]) for row in rows.values()) for name, rule in rules.items()}
        assert len(set(verdicts.values())) == len(verdicts), code


@pytest.mark.parametrize(("code", "rows"), [("Q01", COUNTED_PLAYS), *((code, COUNTED_VIEWS) for code in ("Q02", "Q03", "Q04"))])
def test_no_answer_is_without_a_claim(code: str, rows: dict[Any, set[str]]) -> None:
    claimed = {key if isinstance(key, str) else key[1] for key in rows if isinstance(key, str) or key[0] == code}
    assert claimed == set(QUESTIONS[code].answers)


def test_rule_sets_differ_in_more_than_their_names() -> None:
    answers = [tuple(rules.answers.values()) for rules in RULE_SETS.values()]
    assert len(set(answers)) == len(answers)


def test_file_without_the_flag_falls_back_to_the_spread_and_says_so() -> None:
    rules, replaced = rule_set("xg").for_match(match_of(plays(flag=[-1])))
    assert rules.answers["Q01"] == "xg-spread"
    assert replaced == (("Q01", "xg-flag", "xg-spread"),)
    assert rule_set("xg").for_match(match_of(plays())) == (rule_set("xg"), ())


def test_own_rules_are_those_of_the_tool_that_wrote_the_file() -> None:
    names = [own_rules(match_of(tool=tool)).name for tool in ("eXtreme Gammon", "GNU Backgammon", "a site")]
    assert names == ["xg", "gnubg", "gnubg"]


def test_unknown_rule_set_or_answer_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="xg"):
        rule_set("xgg")
    with pytest.raises(UnknownName, match="nd-positive"):
        rule_set("xg").switched("Q03", "positive")
