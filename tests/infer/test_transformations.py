"""What is done to all figures alike is undone first; a cause that few decisions show is open; a
known answer stays beside the unknown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reconcile.infer.program import Diagnosis, diagnose
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.suite.cases import every
from tests.support.faulty import PACK, Printed, subjects
from tests.support.loaded import loaded

NAMES = (
    "pr", "checker_pr", "decisions.counted", "decisions.checker", "decisions.double",
    "equity_error.total", "equity_error.checker", "mwc_loss_percent.total",
)  # fmt: skip
BUNDLED = sorted((*PACK.glob("*/*.xg"), *PACK.glob("*/*.sgf")))
Shown = dict[int, dict[str, float | int | None]]


def matches() -> list[Match]:
    return [loaded(path) for path in BUNDLED]


def program(
    rules: RuleSet,
    shows: Callable[[Shown], Shown] = lambda shown: shown,
    scores: Callable[[Scored], Scored] = lambda scored: scored,
    among: list[Match] | None = None,
) -> Diagnosis:
    """What is said of a program that counts so."""
    pairs: list[tuple[Match, Printed]] = []
    for match in among or matches():
        scored = Statistics(scores(score(match, rules, table_of(match, rules))))
        shown = shows({seat: dict(scored.figures(seat)) for seat in (0, 1)})
        printed = {
            seat: {name: METRICS[name].shown(own[name]) for name in NAMES if own[name] is not None}
            for seat, own in shown.items()
        }
        pairs.append((match, printed))
    result = diagnose("prog", subjects(pairs))
    assert result is not None
    return result


def exchanged(shown: Shown) -> Shown:
    return {0: shown[1], 1: shown[0]}


def times(factor: float, *names: str) -> Callable[[Shown], Shown]:
    return lambda shown: {
        seat: {
            name: value * factor if name in names and value is not None else value
            for name, value in own.items()
        }
        for seat, own in shown.items()
    }


@pytest.mark.parametrize("rules", ["xg", "gammonview", "blunderdb-2026"])
@pytest.mark.parametrize(
    ("code", "shows"),
    [
        ("other-player", exchanged),
        ("factor", times(2, "pr")),
        ("factor", times(0.01, "mwc_loss_percent.total")),
        ("factor", times(1000, "equity_error.total", "equity_error.checker")),
    ],
    ids=["exchanged", "PR doubled", "fraction", "thousandths"],
)
def test_what_is_done_to_all_figures_hides_no_rules(
    rules: str, code: str, shows: Callable[[Shown], Shown]
) -> None:
    result = program(RULE_SETS[rules].switched("Q07", "no"), shows)
    assert result.faults[0].code == code
    assert result.candidate == "prog"
    assert result.faults[0].explained >= result.best.number
    assert result.sure != "none"


def test_rules_with_another_answer_are_found_behind_exchanged_players() -> None:
    result = program(RULE_SETS["gnubg"].switched("Q01", "blunderdb"), exchanged)
    assert result.faults[0].code == "other-player"
    assert [
        (difference.question, difference.answer_to) for difference in result.best.differences
    ] == [("Q01", "blunderdb")]
    assert "With that undone the program counts like" in result.sentence


def one_decision(scored: Scored) -> Scored:
    """The nearest no-double to a border of 0.1 does not count; the border is fitted to it."""
    start = len(scored.match.plays)
    cost = np.full(len(scored.error), -1.0)
    view = scored.view.no_double - scored.view.least
    cost[start : start + len(view)] = np.where(view == view, view, -1)
    rows = np.flatnonzero((scored.kind == Kind.NO_DOUBLE.value) & scored.counted & (cost >= 0))
    worst = rows[np.argsort(cost[rows])[-1:]]
    counted = scored.counted.copy()
    counted[worst] = False
    return replace(scored, counted=counted)


@pytest.mark.long
def test_border_that_one_decision_shows_is_open_at_most() -> None:
    for match in matches():
        result = program(RULE_SETS["gnubg"], scores=one_decision, among=[match])
        named = [
            fault.code for fault in result.faults if fault.code not in ("decision-missing", "level")
        ]
        assert named == []
        assert result.sure != "certain"


def test_open_cause_names_the_case_of_the_suite_that_decides() -> None:
    """The PR is the mean of those of plays and cube, or the plays alone: one figure of one
    match."""
    match = matches()[0]
    figures = {seat: dict(Statistics(score_of(match)).figures(seat)) for seat in (0, 1)}
    wrong = [(row["checker_pr"] or 0, row["cube_pr"] or 0) for row in figures.values()]
    printed = {
        seat: {"pr": f"{(plays + cube) / 2:.2f}"} for seat, (plays, cube) in enumerate(wrong)
    }
    result = diagnose("prog", subjects([(match, printed)]))
    assert result is not None
    assert result.sure == "open"
    (case,) = re.findall(r"`reconcile suite run --only (\S+)` decides", result.sentence)
    assert case in {suite_case.id for suite_case in every()}


def score_of(match: Match) -> Scored:
    rules = own_rules(match)
    return score(match, rules, table_of(match, rules))


def test_known_answer_stays_beside_an_unknown_fault() -> None:
    """The answers to doubles cost a seventh, which nobody knows; the counting of plays is known."""

    def odd(scored: Scored) -> Scored:
        theirs = np.isin(scored.kind, [Kind.TAKE.value, Kind.PASS.value])
        return replace(scored, loss=np.where(theirs, scored.loss / 7, scored.loss))

    result = program(RULE_SETS["gnubg"].switched("Q01", "blunderdb"), scores=odd)
    assert [
        (difference.question, difference.answer_to) for difference in result.best.differences
    ] == [("Q01", "blunderdb")]
    assert "No known mistake gives the others" in result.sentence
