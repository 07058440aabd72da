"""What is done to all figures alike is undone first; a cause that few decisions show is open; a
known answer stays beside the unknown."""

import re
from dataclasses import replace

import numpy as np
import pytest

from reconcile.match.columns import Kind
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.cases import every
from tests.support.faulty import PACK, said_of
from tests.support.loaded import loaded
from tests.support.planted import Program

NAMES = (
    "pr", "checker_pr", "decisions.counted", "decisions.checker", "decisions.double",
    "equity_error.total", "equity_error.checker", "mwc_loss_percent.total",
)  # fmt: skip
BUNDLED = sorted((*PACK.glob("*/*.xg"), *PACK.glob("*/*.sgf")))
EXACT = Program()
PLAYS_BY_BLUNDERDB = RULE_SETS["gnubg"].switched("Q01", "blunderdb")


def program(rules, does=EXACT, among=(), names=NAMES):
    """What is said of a program that counts so."""
    return said_of(does, among or list(map(loaded, BUNDLED)), rules, names)


def showing(change):
    """Shows other figures of a player, made of both players'."""

    def shows(both, _):
        return [own | change(own, their) for own, their in (both, both[::-1])]

    return Program(shows=shows)


def times(factor, *names):
    return showing(lambda own, their: {name: own[name] and own[name] * factor for name in names})


EXCHANGED = showing(lambda own, their: their)


def changed_answers(result):
    return [(change.question, change.answer_to) for change in result.best.differences]


@pytest.mark.parametrize("rules", ["xg", "gammonview", "blunderdb-2026"])
@pytest.mark.parametrize(
    ("code", "shows"),
    [
        ("other-player", EXCHANGED),
        ("factor", times(2, "pr")),
        ("factor", times(0.01, "mwc_loss_percent.total")),
        ("factor", times(1000, "equity_error.total", "equity_error.checker")),
    ],
)
def test_what_is_done_to_all_figures_hides_no_rules(rules, code, shows):
    names = (*NAMES, "luck.equity")
    result = program(RULE_SETS[rules].switched("Q07", "no"), shows, names=names)
    assert (result.faults[0].code, result.candidate) == (code, "prog")
    assert result.faults[0].explained > result.best.number  # luck among them
    assert result.sure != "none"


def test_rules_with_another_answer_are_found_behind_exchanged_players():
    result = program(PLAYS_BY_BLUNDERDB, EXCHANGED)
    assert result.faults[0].code == "other-player"
    assert changed_answers(result) == [("Q01", "blunderdb")]
    assert "With that undone the program counts like" in result.sentence


def without_one_decision(scored):
    """The costliest no-double that counts does not; a border can be fitted to it."""
    start = len(scored.match.plays)
    cost = np.full(len(scored.error), -1.0)
    view = scored.view.no_double - scored.view.least
    cost[start : start + len(view)] = np.where(view == view, view, -1)
    rows = np.flatnonzero((scored.kind == Kind.NO_DOUBLE.value) & scored.counted & (cost >= 0))
    counted = scored.counted.copy()
    counted[rows[np.argsort(cost[rows])[-1:]]] = False
    return replace(scored, counted=counted)


@pytest.mark.long
def test_border_that_one_decision_shows_is_open_at_most():
    for match in map(loaded, BUNDLED):
        result = program(RULE_SETS["gnubg"], Program(decisions=without_one_decision), [match])
        assert {fault.code for fault in result.faults} <= {"decision-missing", "level"}
        assert result.sure != "certain"


def test_open_cause_names_the_case_of_the_suite_that_decides():
    """The PR is the mean of those of plays and cube: one figure of one match."""
    mean = showing(lambda own, their: {"pr": (own["checker_pr"] + own["cube_pr"]) / 2})
    result = program(RULE_SETS["gnubg"], mean, [loaded(BUNDLED[0])])
    assert result.sure == "open"
    (case,) = re.findall(r"`reconcile suite run --only (\S+)` decides", result.sentence)
    assert case in {suite_case.id for suite_case in every()}


def test_known_answer_stays_beside_an_unknown_fault():
    """The answers to doubles cost a seventh, which nobody knows; the counting of plays is known."""

    def odd(scored):
        theirs = np.isin(scored.kind, [Kind.TAKE.value, Kind.PASS.value])
        return replace(scored, loss=np.where(theirs, scored.loss / 7, scored.loss))

    result = program(PLAYS_BY_BLUNDERDB, Program(decisions=odd))
    assert changed_answers(result) == [("Q01", "blunderdb")]
    assert "No known mistake gives the others" in result.sentence
