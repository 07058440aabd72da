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
    (figure,) = read_reported({name: printed})
    assert (figure.value, figure.half) == pytest.approx((value, half))


NUMBER, WHOLE = "expected a number", "expected a whole number"
NEGATIVE, NO_RULE = "expected 0 or more", "does not depend on a rule|no "


@pytest.mark.parametrize(
    ("figures", "kind", "words"),
    [
        *(
            ({"pr": text}, InvalidConfiguration, NUMBER)
            for text in ("nine", "", "nan", "inf", "1e99", "1.234,5", "9.23 9.24")
        ),
        ({"decisions": "89.5"}, InvalidConfiguration, WHOLE),
        ({"decisions.take": "2.5"}, InvalidConfiguration, WHOLE),
        ({"decisions": "-89"}, InvalidConfiguration, NEGATIVE),
        ({"decisions.take": "-1.0"}, InvalidConfiguration, NEGATIVE),
        ({"decisions": "89", "decisions.counted": "90"}, InvalidConfiguration, "given twice"),
        ({}, InvalidConfiguration, "at least one"),
        ({"moves.total": "1"}, UnknownName, NO_RULE),
        ({"luck": "1"}, UnknownName, NO_RULE),
        ({"prr": "1"}, UnknownName, NO_RULE),
    ],
    ids=str,
)
def test_nonsense_is_refused(
    figures: dict[str, str], kind: type[ReconcileError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        read_reported(figures)


@pytest.mark.parametrize(
    ("name", "figures", "game", "words"),
    [
        ("gnubg/m10*.sgf", {"mwc_loss_percent": "1.0"}, None, "money"),
        ("gnubg/m14*.sgf", {"pr": "1.0"}, None, "not analysed"),
        ("gnubg/m10*.sgf", {"pr": "1.0"}, 99, "no game 99"),
    ],
)
def test_what_a_file_cannot_have_is_refused(
    data: Path, name: str, figures: dict[str, str], game: int | None, words: str
) -> None:
    match = real(name)
    with pytest.raises((NothingToCompare, UnknownName), match=words):
        investigate(match, match.players[0], figures, game=game)


def ran(*arguments: str) -> Any:
    words = ["investigate", f"{DEMONSTRATION}.xg", "--player", "nora", *arguments]
    return CliRunner().invoke(main, words)


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
    read = [Reported("pr", "7.09", 7.09, 0.005), Reported("decisions.counted", "105", 105, 0)]
    texts = {figure.metric: figure.text for figure in read}
    assert investigate(match, "nora", read) == investigate(match, "nora", texts)
    with pytest.raises(ReconcileError):
        investigate(match, "nobody", texts)
