"""The page of an investigation: sound, self-contained, complete, and names stay text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.formats import load_match
from reconcile.infer.investigation import investigate
from reconcile.report.answer import headline
from reconcile.report.html.investigation_page import MOST_BOARDS, investigation_page
from reconcile.rules import RULE_SETS
from tests.report import samples
from tests.report.markup import Page
from tests.report.pages import INVESTIGATED, PAGES, investigated
from tests.support.data import FOLDER, cases

LARGEST = 600_000
XG = str(samples.FOLDER / "nora-lindqvist-tomas-beck.xg")


def page_of(name: str) -> str:
    return PAGES[f"investigation {name}"]


@pytest.mark.parametrize("name", INVESTIGATED)
def test_page_is_small_and_has_no_path_of_anybody(name: str) -> None:
    source = page_of(name)
    assert len(source.encode()) < LARGEST
    assert str(samples.FOLDER) not in source


@pytest.mark.parametrize("name", INVESTIGATED)
def test_headline_comes_first(name: str) -> None:
    page = Page(page_of(name))
    assert headline(investigated(name)) in page.by_id("verdict").text
    label = {"exact": "No difference", "nothing fits": "No rules give these figures"}.get(name)
    assert label is None or label in page.by_id("verdict").text


@pytest.mark.parametrize("name", INVESTIGATED)
def test_every_known_rule_set_has_its_yes_or_no(name: str) -> None:
    rows = Page(page_of(name)).by_id("known").all("tbody")[0].children
    shown = [(row.all("code")[0].text, row.children[1].text.strip()) for row in rows]
    assert shown == [(one.name, "yes" if one.fits else "no") for one in investigated(name).known]
    assert len(shown) == len(RULE_SETS)


@pytest.mark.parametrize("name", INVESTIGATED)
def test_differences_link_to_the_pages_of_their_rules(name: str) -> None:
    page, result = Page(page_of(name)), investigated(name)
    shown = result.explanations or result.closest
    assert shown
    cards = [element for element in page.elements() if re.fullmatch(r"explanation-\d+", element.get("id"))]
    assert len(cards) == len(shown)
    for card, one in zip(cards, shown, strict=True):
        links = {link.get("href") for link in card.all("a") if link.get("class") == "code"}
        assert links == {f"#rule-{difference.question}" for difference in one.differences}
        for difference in one.differences:
            rule = page.by_id(f"rule-{difference.question}")
            assert rule.name == "details"
            assert difference.answer_from in rule.text
            assert difference.answer_to in rule.text
    assert [card for card in cards if "open" in card.attributes] == cards[:1]


def test_decisions_have_boards_and_identifiers() -> None:
    page, first = Page(page_of("explained")), investigated("explained").explanations[0]
    cards = [element for element in page.find("article") if element.get("class") == "card"]
    assert len(cards) == min(len(first.decisions), MOST_BOARDS) > 0
    for card, decision in zip(cards, first.decisions, strict=False):
        assert f"Game {decision.game}, turn {decision.turn}" in card.text
        assert decision.xgid in card.text
        assert decision.gnubg_id in card.text
        assert [picture.get("class") for picture in card.all("svg")].count("board") == 1
        assert "#rule-Q01" in [link.get("href") for link in card.all("a")]


def test_resignation_has_a_card_without_a_board() -> None:
    result = investigated("resigned")
    shown = result.explanations[0]
    page = Page(page_of("resigned"))
    assert (shown.nearest, shown.differences, [one.question for one in shown.own_differences]) == ("xg", (), ["Q07", "Q13"])
    assert "error 0.000 -> 0.200" in page.by_id("decisions").text
    other = replace(result, explanations=tuple(one for one in result.explanations if "Q07" in [d.question for d in one.differences]))
    cards = Page(investigation_page(other)).find("article")
    assert "resign" in cards[0].text
    assert cards[0].all("svg") == []


def test_figures_are_shown_as_they_were_printed() -> None:
    rows = Page(page_of("explained")).by_id("figures").all("tbody")[0].children
    assert [(row.children[0].text, row.children[1].text) for row in rows] == [("PR", "7.09"), ("Decisions", "105")]


def test_markup_in_names_and_notes_is_text() -> None:
    source = page_of("hostile")
    assert "<script>alert" not in source
    assert "<img" not in source
    page = Page(source)
    assert len(page.find("script")) == 1
    assert samples.HOSTILE[1] in page.find("h1")[0].text
    assert "Pasted <b>figures</b>." in page.find("header")[0].text


def test_synthetic_data_is_announced() -> None:
    assert "Synthetic data." in Page(page_of("explained")).find("aside")[0].text
    assert Page(page_of("resigned")).find("aside") == []


@pytest.mark.long
def test_same_page_every_time_and_in_another_process() -> None:
    script = "import sys; from tests.report.pages import PAGES; sys.stdout.buffer.write(PAGES['investigation explained'].encode('utf-8'))"
    made = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    assert made.stdout.decode("utf-8") == page_of("explained")


def test_page_is_written_by_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    arguments = ["investigate", XG, "--player", "nora", "--reported", "pr=7.09", "--reported", "decisions=105"]
    result = CliRunner().invoke(main, [*arguments, "--html", str(out)])
    assert result.exit_code == 0
    assert out.read_text("utf-8") == page_of("explained")
    assert f"wrote {out}" in result.stderr
    piped = CliRunner().invoke(main, [*arguments, "--html", "-"])
    assert piped.stdout == page_of("explained")
    both = CliRunner().invoke(main, [*arguments, "--html", "-", "--json", "-"])
    assert both.exit_code == 2


@pytest.mark.parametrize("path", cases("real/*.xg", "real/test.sgf", "gnubg/m0[15]*.sgf", "gnubg/m5[359]*.sgf", short=1))
def test_page_of_a_real_match_is_sound(path: Path) -> None:
    match = load_match(str(path))
    for player in match.players:
        page = investigation_page(investigate(match, player, {"pr": "6.51"}))
        assert Page(page).problems == []
        assert len(page.encode()) < LARGEST
    assert str(FOLDER) not in page
