"""Q06 to Q12, what a decision costs and which rates follow: columns are made by hand, so that only
one thing differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.match.columns import Kind, Validity
from reconcile.match.tools import BGSAGE, GNUBG, XG
from reconcile.rules import QUESTIONS
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import NAN, cubes, judged, match_of, plays, switched

ERRORS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("errors.yaml").read_text("utf-8")
)
NAMED = {"validity": Validity, "kind": Kind}


@pytest.mark.parametrize("table", ERRORS)
def test_q06_size_of_an_error(table: str) -> None:
    for case in ERRORS[table]:
        facts: Any = {
            name: [NAMED[name][value] if name in NAMED else value]
            for name, value in case.items()
            if name != "errors"
        }
        row = (
            match_of(plays(**facts))
            if table == "plays"
            else match_of(cube=cubes(stored_error=[0.7], **facts))
        )
        for answer, error in case["errors"].items():
            assert judged(row, "Q06", answer).error.tolist() == [pytest.approx(error)], case


@pytest.mark.parametrize(
    ("answer", "total", "decisions"),
    [("yes-without-decision", 0.15, 1), ("no", 0.1, 1), ("yes-with-decision", 0.15, 2)],
)
def test_q07_resignation_adds_its_error_with_or_without_a_decision(
    answer: str, total: float, decisions: int
) -> None:
    figures = statistics(
        match_of(plays(), None, 0.05, tool=BGSAGE.name), switched("Q07", answer)
    ).figures(0)
    assert figures["equity_error.total"] == pytest.approx(total)
    assert (figures["decisions.counted"], figures["decisions.checker"]) == (decisions, 1)
    assert figures["pr"] == pytest.approx(500 * total / decisions)
    assert figures["error_rate_memg"] == pytest.approx(1000 * total / decisions)
    assert figures["checker_pr"] == pytest.approx(50)


def test_q07_resignation_without_an_error_is_a_decision_too() -> None:
    figures = statistics(
        match_of(plays(), None, 0.0, tool=BGSAGE.name), switched("Q07", "yes-with-decision")
    ).figures(0)
    assert figures["equity_error.total"] == pytest.approx(0.1)
    assert figures["decisions.counted"] == 2


@pytest.mark.parametrize("tool", [XG.name, GNUBG.name])
def test_q07_resignation_that_another_program_judged_is_no_decision_to_gammonview(
    tool: str,
) -> None:
    computed = statistics(match_of(plays(), None, 0.2, tool=tool), "gammonview")
    assert computed.scored.replaced == (("Q07", "yes-with-decision", "no"),)
    assert computed.figures(0)["equity_error.total"] == pytest.approx(0.1)
    assert computed.figures(0)["decisions.counted"] == 1


def test_q07_resignation_that_was_not_judged_adds_nothing() -> None:
    figures = statistics(match_of(plays(), None, NAN), "xg").figures(0)
    assert figures["equity_error.total"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("answer", "rate"), [("500/counted", 25.0), ("1000/counted", 50.0), ("snowie", 100 / 3)]
)
def test_q08_names_the_rate_a_program_shows(answer: str, rate: float) -> None:
    three = plays(3, player=[0, 0, 1], stored_error=[0.1, 0.0, 0.0])
    figures = statistics(match_of(three), switched("Q08", answer)).figures(0)
    assert figures[QUESTIONS["Q08"].answers[answer].value] == pytest.approx(rate)


def test_q10_leaves_plays_and_doubles_alone() -> None:
    match = match_of(plays(stored_error=[0.1]), cubes(kind=[Kind.DOUBLE], stored_error=[0.1]))
    assert (
        judged(match, "Q10", "before-double").loss.tolist()
        == judged(match, "Q10", "after-double").loss.tolist()
    )


def test_q11_table_changes_chances_lost_and_no_equity() -> None:
    kazaross, woolsey = (
        statistics(match_of(plays()), "xg", met).figures(0) for met in ("Kazaross-XG2", "woolsey")
    )
    assert kazaross["mwc_loss_percent.total"] != woolsey["mwc_loss_percent.total"]
    assert kazaross["pr"] == woolsey["pr"]
    assert (
        statistics(match_of(plays()), "xg").scored.met.name
        == QUESTIONS["Q11"].answers["Kazaross-XG2"].value
    )


def test_q12_borders_differ_by_program_and_rise() -> None:
    borders = {name: answer.value for name, answer in QUESTIONS["Q12"].answers.items()}
    assert (borders["xg"].error, borders["xg"].blunder) == (0.020, 0.080)
    assert (borders["gnubg"].doubtful, borders["gnubg"].error, borders["gnubg"].blunder) == (
        0.03,
        0.06,
        0.12,
    )
    assert (borders["blunderdb"].error, borders["blunderdb"].blunder) == (0.050, 0.100)
    assert (
        borders["backgammondb"].error,
        borders["backgammondb"].blunder,
        borders["backgammondb"].howler,
    ) == (0.020, 0.080, 0.250)
    assert len(set(borders.values())) == len(borders)
    for border in borders.values():
        assert (border.doubtful or 0) < border.error < border.blunder < (border.howler or 10)
