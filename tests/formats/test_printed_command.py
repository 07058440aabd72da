"""`reconcile investigate --paste` takes figures from a file or standard input and tells how they
were understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.formats.printed import read_pasted
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import reported_by
from reconcile.report.answer import headline
from reconcile.report.html.investigation_page import investigation_page
from reconcile.report.text.investigation import paste_notes
from tests.report.markup import Page
from tests.support.command_line import XG
from tests.support.loaded import loaded
from tests.support.pasted import HEAD

NORA = "\tTomas Beck\tNora Lindqvist\n\N{BULLET} Performance Rating\t5,00\t7,09\nElo 1900\n"


def ran(*arguments: str, text: str = "") -> Any:
    return CliRunner().invoke(main, ["investigate", XG, "--player", "nora", *arguments], input=text)


def test_pasted_figures_come_from_standard_input_and_join_typed_ones() -> None:
    result = ran("--paste", "-", "--reported", "decisions=105", text=NORA)
    assert result.exit_code == 0
    assert "PR 7.09" in result.stdout
    assert "Does this checker play count" in result.stdout
    assert (
        "2 figures were read from the pasted text of XG; 1 other line with a number was not used."
        in " ".join(result.output.split())
    )


@pytest.mark.long
def test_page_says_where_pasted_figures_come_from(tmp_path: Path) -> None:
    (tmp_path / "window.txt").write_text(NORA + "\N{BULLET} Jokers\t3\t4\n", encoding="utf-8")
    result = ran("--paste", str(tmp_path / "window.txt"), "--html", str(tmp_path / "page.html"))
    assert result.exit_code == 0
    head = Page((tmp_path / "page.html").read_text("utf-8"))
    assert "4 figures were read from the pasted text of XG" in head.find("header")[0].text
    assert "Not searched for" in head.by_id("figures").text
    assert "Jokers" in head.by_id("figures").text
    assert head.problems == []
    assert "--paste window.txt" in head.by_id("method").text
    assert str(tmp_path) not in head.root.text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--paste", "-"], "nothing here"),
        (["--paste", "absent.txt"], ""),
        (["--paste", "-", "--reported", "pr=7.16"], NORA),
        (["--paste", "-"], HEAD + "Unforced moves   4   5\n"),
        ([], ""),
    ],
    ids=["no figure", "no file", "twice", "others", "nothing"],
)
def test_paste_that_cannot_be_used_is_exit_code_2(arguments: list[str], text: str) -> None:
    result = ran(*arguments, text=text)
    assert (result.exit_code, result.stdout) == (2, "")


def test_only_one_of_match_and_paste_is_standard_input() -> None:
    result = CliRunner().invoke(main, ["investigate", "-", "--player", "nora", "--paste", "-"])
    assert result.exit_code == 2
    assert "only one of FILE and --paste" in result.stderr


def test_headline_of_many_figures_stays_a_line(data: Path) -> None:
    path = data / "gnubg" / "m04_7pt_0ply.stats.txt"
    match = loaded(path.with_name("m04_7pt_0ply.sgf"))
    pasted = read_pasted("", path.read_bytes())
    result = investigate(match, "bob", reported_by(pasted, match, "bob"))
    assert "and 12 more figures" in headline(result)
    assert len(headline(result)) < 300
    notes = paste_notes(pasted, match.players)
    assert notes == (
        "48 figures were read from the pasted text of gnuBG; 17 other lines with numbers were not "
        "used.",
    )
    assert Page(investigation_page(result, notes=notes)).problems == []
