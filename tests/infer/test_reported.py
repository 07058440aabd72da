"""Figures are read as programs print them; nonsense, and figures that no rule or no analysis can
give, are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.errors import InvalidConfiguration, NothingToCompare, ReconcileError, UnknownName
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import Reported, read_reported
from tests.support.loaded import DEMONSTRATION, loaded, real


@pytest.mark.parametrize(
    ("name", "printed", "value", "half"),
    [
        ("pr", "9.23", 9.23, 0.005),
        ("pr", "9,23", 9.23, 0.005),
        ("pr", " 9.2 ", 9.2, 0.05),
        ("pr", "9", 9, 0.5),
        ("mwc_loss_percent", "19.85%", 19.85, 0.005),
        ("mwc_loss_percent", "-19,85 %", 19.85, 0.005),
        ("error_rate_memg", "\N{MINUS SIGN}97.8", 97.8, 0.05),
        ("decisions", "121", 121, 0),
        ("equity_error.take", "0.000", 0, 0.0005),
    ],
)
def test_figure_is_read_as_programs_print_it(
    name: str, printed: str, value: float, half: float
) -> None:
    (answer_found,) = read_reported({name: printed})
    assert answer_found.value == pytest.approx(value)
    assert answer_found.half == pytest.approx(half)


@pytest.mark.parametrize(
    "figures",
    [
        {"pr": "nine"},
        {"pr": ""},
        {"pr": "nan"},
        {"pr": "inf"},
        {"pr": "1e99"},
        {"pr": "1.234,5"},
        {"pr": "9.23 9.24"},
        {"decisions": "89.5"},
        {"decisions": "-89"},
        {"decisions": "89", "decisions.counted": "90"},
        {},
    ],
    ids=str,
)
def test_nonsense_is_refused(figures: dict[str, str]) -> None:
    with pytest.raises(InvalidConfiguration):
        read_reported(figures)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("-5", "0 or more decisions"), ("-1.0", "0 or more"), ("2.5", "a whole number of decisions")],
)
def test_count_is_a_whole_number_and_never_negative(text: str, expected: str) -> None:
    for name in ("decisions", "decisions.take"):
        with pytest.raises(InvalidConfiguration, match=f"{name}: expected {expected}"):
            read_reported({name: text})


@pytest.mark.parametrize("name", ["moves.total", "luck", "prr"])
def test_figure_that_depends_on_no_rule_is_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        read_reported({name: "1"})


def test_chances_of_a_money_session_and_a_match_without_analysis_are_refused(data: Path) -> None:
    money = real("gnubg/m10*.sgf")
    with pytest.raises(NothingToCompare, match="money"):
        investigate(money, money.players[0], {"mwc_loss_percent": "1.0"})
    bare = real("gnubg/m14*.sgf")
    with pytest.raises(NothingToCompare, match="not analysed"):
        investigate(bare, bare.players[0], {"pr": "1.0"})
    with pytest.raises(UnknownName, match="no game 99"):
        investigate(money, money.players[0], {"pr": "1.0"}, game=99)


def ran(*arguments: str) -> Any:
    return CliRunner().invoke(
        main, ["investigate", f"{DEMONSTRATION}.xg", "--player", "nora", *arguments]
    )


@pytest.mark.parametrize("figure", ["pr=nine", "decisions=105.5", "moves.total=10", "prr=1"])
def test_nonsense_on_the_command_line_is_one_line_and_exit_code_2(figure: str) -> None:
    result = ran("--reported", figure)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_figures_of_no_rules_exit_with_1_and_show_what_comes_closest() -> None:
    result = ran("--reported", "pr=7.30", "--reported", "decisions=106")
    assert result.exit_code == 1
    assert "Closest:" in result.stdout
    assert re.search(r"^PR +7\.30 +7\.16 +7\.30 +6\.47 to 7\.68$", result.stdout, re.MULTILINE)
    assert "digits" not in result.stdout


def test_figures_may_come_already_read() -> None:
    match = loaded(Path(f"{DEMONSTRATION}.xg"))
    answer_found = investigate(
        match,
        "nora",
        [Reported("pr", "7.09", 7.09, 0.005), Reported("decisions.counted", "105", 105, 0)],
    )
    assert answer_found == investigate(match, "nora", {"pr": "7.09", "decisions": "105"})


def test_investigation_needs_a_known_player() -> None:
    with pytest.raises(ReconcileError):
        investigate(loaded(Path(f"{DEMONSTRATION}.xg")), "nobody", {"pr": "1"})
