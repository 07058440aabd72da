"""The HTML report of a comparison: what it shows, where, and the same bytes every time."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.comparison import compare
from reconcile.report.html.page import SCRIPTS, comparison_page
from reconcile.report.words import verdict_of
from tests.report import samples
from tests.report.markup import Page
from tests.report.pages import PAGES, parsed


def test_decision_comes_first_and_the_verdict_has_a_word():
    page = parsed("whole")
    verdict = verdict_of(samples.demonstration())
    assert verdict.sentence in page.by_id("verdict").text
    assert verdict.label in page.by_id("verdict").text
    order = ["answer", "decision", "decisions", "curve", "meaning", "expert", "verdict"]
    assert [key for key in page.ids if key in order] == order


@cache
def plain_page():
    """With the bridges that the comparison has."""
    return Page(comparison_page(samples.demonstration()))


def test_two_engines_are_no_alarm_and_a_chosen_table_is_one():
    comparison = samples.demonstration()
    page = plain_page()
    note = page.by_id("verdict")
    assert "the documented 0.10 is for one analysis that is read twice." in note.text
    assert page.ids.index("answer") < page.ids.index("verdict")
    assert '<body class="review of-2 noted-only">' in PAGES["whole"]
    assert "badge outside" not in PAGES["whole"]
    alarm = comparison_page(replace(comparison, named=True))
    assert '<div class="verdict outside" id="verdict">' in alarm
    assert "badge outside" in alarm
    assert "noted-only" not in alarm.partition("<body")[2].partition(">")[0]
    ids = Page(alarm).ids
    assert ids.index("verdict") < ids.index("answer")


def test_decisions_of_one_file_alone_have_their_reason_and_number():
    left, right = samples.matches()
    missing = replace(
        right,
        plays=right.plays.replaced(
            validity=np.where(np.arange(len(right.plays)) < 3, 2, right.plays.validity)
        ),
    )
    text = Page(comparison_page(compare(left, missing))).by_id("expert").text
    assert " decisions are in both files; in one alone: " in text
    assert "An illegal or unplayed ply: 3" in text


def test_page_holds_so_many_decisions_and_says_when_there_are_more(
    monkeypatch,
):
    assert MOST_ON_A_PAGE == 4000
    comparison = samples.demonstration()
    every = len(comparison.walk.aligned)
    for most in (every, 10):
        monkeypatch.setattr("reconcile.report.html.decision_list.MOST_ON_A_PAGE", most)
        page = comparison_page(comparison)
        sentence = (
            f"The page has the first {most} of {every} decisions; with more it would open slowly."
        )
        assert (sentence in page) is (most < every)
        data = json.loads(page.partition('id="decisions-data">')[2].partition("</script>")[0])
        columns = [
            data[name] for name in ("game", "turn", "kind", "player", "dice", "position", "play")
        ]
        columns += [
            side[name]
            for side in data["sides"]
            for name in ("counted", "error", "level", "options", "more", "note")
        ]
        assert {len(column) for column in columns} == {most}
        assert max(data["order"], default=0) < most


def test_page_names_files_without_their_folder_with_their_hash_and_how_they_were_compared():
    expert = parsed("whole").by_id("expert").text
    comparison = samples.demonstration()
    assert str(samples.FOLDER) not in PAGES["whole"]
    assert str(Path.home()) not in PAGES["whole"]
    for side in (comparison.left, comparison.right):
        assert Path(side.path).name in expert
        assert side.sha256 in expert
        assert side.met in expert
    assert "GNU Backgammon, 1.07.001" in expert
    assert "reconcile compare nora-lindqvist-tomas-beck.xg nora-lindqvist-tomas-beck.sgf" in expert


def test_bridge_is_drawn_and_listed_with_the_same_numbers():
    expert = parsed("whole").by_id("expert")
    charts = [picture for picture in expert.all("svg") if picture.get("class") == "chart"]
    assert len(charts) == 6  # PR and two judged figures of two players
    bars = [
        group.children[0].text
        for group in charts[0].all("g")
        if group.children and group.children[0].name == "title"
    ]
    assert bars[:2] == ["allowed: 0.10 to either side of the left figure", "XG: 7.16"]
    assert bars[-1] == "gnuBG: 4.85"
    assert any(bar.startswith("Q01") and "+0.050" in bar and "3 decisions" in bar for bar in bars)
    listed = [" ".join(entry.text.split()) for entry in expert.all("li")]
    (walk,) = (text for text in listed if "7.16, Q01" in text)
    assert walk.startswith("PR of Nora Lindqvist: 7.16, Q01 +0.050, ")
    assert walk.endswith(" = 4.85")


def test_markup_in_names_is_text_everywhere():
    for name in ("hostile", "investigation hostile"):
        assert "<script>alert" not in PAGES[name]
        assert "<img" not in PAGES[name]
    page = parsed("hostile")
    data = page.by_id("decisions-data").text
    assert ("<" in data, json.loads(data)["players"]) == (False, list(samples.HOSTILE))
    assert [script.get("type") for script in page.find("script")] == [
        *2 * ["application/json"],
        *len(SCRIPTS) * [""],
    ]
    assert page.find("img") == []
    assert page.find("b") == [element for element in page.find("b") if "made" not in element.text]
    assert samples.HOSTILE[0] in page.find("h1")[0].text
    assert all(name in page.by_id("expert").text for name in samples.HOSTILE)
    assert samples.HOSTILE[0] in page.find("noscript")[0].text
    investigation = parsed("investigation hostile")
    assert samples.HOSTILE[1] in investigation.find("h1")[0].text
    assert "Pasted <b>figures</b>." in investigation.find("header")[0].text


def test_synthetic_data_is_announced():
    assert "Synthetic data. Synthetic: written from" in parsed("whole").find("aside")[0].text
    assert parsed("bare").find("aside") == []


def test_transcript_differences_are_listed_and_the_rest_counted():
    comparison = samples.demonstration()
    differences = tuple(
        {"game": 1, "turn": turn, "what": "differs", "left": f"<l{turn}>", "right": "r"}
        for turn in range(150)
    )
    differing = replace(comparison, pairing=replace(comparison.pairing, differences=differences))
    expert = Page(comparison_page(differing)).by_id("expert").text
    assert ("<l99>" in expert, "<l100>" in expert) == (True, False)
    assert "Where the transcripts differ (100 of 150)" in expert


def test_rules_that_differ_stand_side_by_side():
    cells = [[cell.text for cell in row.children] for row in parsed("whole").find("tr")]
    rows = {row[0].partition(" ")[0]: row[1:] for row in cells}
    assert rows["Q02"] == ["xg", "gnubg"]


def test_pair_that_is_only_explained_gets_no_verdict_of_a_figure():
    page = Page(comparison_page(samples.walked(samples.demonstration()), judged=False))
    assert "Explained, not judged" in page.by_id("verdict").text
    assert "PR of Nora Lindqvist differs by 2.31" in page.by_id("verdict").text
    assert "outside" not in page.by_id("expert").text
    assert page.by_id("expert").all("svg")


def test_index_of_a_pack_begins_with_what_failed_and_leads_to_matches_and_comparisons():
    titles = [title.text for title in parsed("pack").find("h2")]
    assert titles[:2] == ["Outside", "Explained"]
    links = {link.get("href"): link.text for link in parsed("pack").find("a")}
    assert {"two.html", "two.pair-1.html", "four.pair-1.html"} <= set(links)
    assert "by XG" in links["four.pair-1.html"]
