"""The HTML report of a comparison: what it shows, where, and the same bytes every time."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from reconcile import __version__
from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.bridge import Bridge, Contribution
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import TranscriptDifference
from reconcile.report.html.render import comparison_page
from reconcile.report.verdict import verdict_of
from tests.report import samples
from tests.report.markup import Page
from tests.report.pages import PAGES, parsed

LARGEST = 640_000


def test_decision_comes_first_and_the_verdict_has_a_word():
    page = parsed("whole")
    verdict = verdict_of(samples.demonstration())
    assert verdict.sentence in page.by_id("verdict").text
    assert verdict.label in page.by_id("verdict").text
    first = ["answer", "decision", "decisions", "curve", "meaning", "expert"]
    order = [
        *first,
        "verdict",
        "pair",
        "figures",
        "bridge",
        "findings",
        "cards",
        "ledger",
        "rules",
        "method",
    ]
    assert [key for key in page.ids if key in order] == order


@cache
def plain_page():
    """With the bridges that the comparison has."""
    return Page(comparison_page(samples.demonstration()))


def test_two_engines_are_no_alarm_a_chosen_table_is_one_and_equity_is_seen_as_the_cards_say():
    comparison = samples.demonstration()
    page = plain_page()
    note = page.by_id("verdict")
    assert note.attributes["role"] == "note"
    assert "the documented 0.10 is for one analysis that is read twice." in note.text
    assert page.ids.index("answer") < page.ids.index("verdict")
    assert '<body class="review of-2 noted-only">' in PAGES["whole"]
    assert "badge outside" not in PAGES["whole"].partition('id="verdict"')[2].partition("</p>")[0]
    alarm = comparison_page(replace(comparison, named=True))
    assert '<div class="verdict outside" id="verdict">' in alarm
    assert "noted-only" not in alarm.partition("<body")[2].partition(">")[0]
    ids = Page(alarm).ids
    assert ids.index("verdict") < ids.index("answer")
    page = plain_page()
    assert "seen by the player on roll" in page.by_id("method").text
    assert (
        "Equities are for the player on roll, chances for the player who decides."
        in page.by_id("cards").text
    )


def test_decisions_of_one_file_alone_have_their_reason_and_number():
    left, right = samples.matches()
    missing = replace(
        right,
        plays=right.plays.replaced(
            validity=np.where(np.arange(len(right.plays)) < 3, 2, right.plays.validity)
        ),
    )
    text = Page(comparison_page(compare(left, missing))).by_id("pair").text
    assert " decisions are in both files; in one alone: " in text
    assert "An illegal or unplayed ply: 3" in text


def test_page_holds_so_many_decisions_and_says_when_there_are_more(
    monkeypatch,
):
    assert MOST_ON_A_PAGE == 4000
    comparison = samples.demonstration()
    every = len(comparison.walk.aligned)
    for most in (every, 10):
        monkeypatch.setattr("reconcile.report.html.browser.MOST_ON_A_PAGE", most)
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
        assert max(data["rest"], default=0) < most


def test_page_names_files_without_their_folder_with_their_hash_and_how_they_were_compared():
    pair = parsed("whole").by_id("pair")
    comparison = samples.demonstration()
    assert str(samples.FOLDER) not in PAGES["whole"]
    assert str(Path.home()) not in PAGES["whole"]
    for side in (comparison.left, comparison.right):
        assert Path(side.path).name in pair.text
        assert side.sha256 in PAGES["whole"]
        assert side.met in pair.text
    assert "GNU Backgammon, 1.07.001" in pair.text
    method = parsed("whole").by_id("method").text
    assert "same decisions and errors up to rounding" in method
    assert "reconcile compare nora-lindqvist-tomas-beck.xg nora-lindqvist-tomas-beck.sgf" in method
    assert f"reconcile {__version__}" in method
    assert len(PAGES["whole"].encode()) < LARGEST


def test_figures_are_in_groups_with_a_true_minus_and_the_tools_words():
    figures = parsed("whole").by_id("figures")
    for group in ("Overall", "Checker play", "Cube", "Match winning chance", "Luck", "Counts"):
        assert group in figures.text
    assert "−2.31" in figures.text
    assert "-2.31" not in figures.text
    assert "Expert" in figures.text
    assert "Intermediate" in figures.text
    for word in ("outside", "within", "not judged", "allowed 0.10"):
        assert word in figures.text


def test_bridge_is_drawn_and_listed_with_the_same_numbers():
    page = parsed("whole")
    bridge = page.by_id("bridge-1")
    bars = [
        group.children[0].text
        for group in bridge.all("svg")[0].all("g")
        if group.children and group.children[0].name == "title"
    ]
    assert bars[0] == "XG: 7.16"
    assert bars[-1] == "gnuBG: 4.85"
    assert any(bar.startswith("Q01") and "+0.050" in bar and "3 decisions" in bar for bar in bars)
    cells = [[cell.text for cell in row.children] for row in bridge.all("tr")]
    assert ["+0.050", "7.207", "3"] in [row[1:] for row in cells]
    assert cells[-1][1:3] == ["−2.307", "4.85"]
    assert "in other orders +0.040 to +0.060" in bridge.text
    assert "No change: reported-left, reported-right" in bridge.text
    folded = [element for element in page.by_id("bridge").all("details") if element.all("svg")]
    assert len(folded) == 4  # two judged figures of two players beside PR


def test_ledger_is_complete_without_a_script():
    page = parsed("whole")
    contributions = samples.contributions(samples.demonstration())
    table = next(table for table in page.find("table") if table.get("class") == "ledger")
    body = table.all("tbody")[0]
    assert len(body.children) == len(
        {
            (
                contribution.xgid,
                contribution.step,
                contribution.left and contribution.left.decision.turn,
            )
            for contribution in contributions
        }
    )
    exact = [
        float(cell.get("data-v"))
        for row in body.children
        for cell in row.children
        if "data-v" in cell.attributes
    ]
    assert sum(exact) == pytest.approx(
        sum(contribution.change for contribution in contributions), abs=1e-6
    )
    assert "hidden" in page.by_id("ledger").all("form")[0].attributes


@pytest.mark.long
def test_ledger_too_long_for_a_page_sums_up_the_smallest_rows_and_stays_small_enough():
    comparison = samples.demonstration()
    few = samples.contributions(comparison)
    many: list[Contribution] = []
    for turn in range(60):
        for contribution in few:
            assert contribution.left is not None
            left = replace(
                contribution.left,
                decision=replace(
                    contribution.left.decision, turn=turn * 1000 + contribution.left.decision.turn
                ),
            )
            many.append(replace(contribution, left=left, change=contribution.change / (turn + 1)))
    source = comparison_page(samples.walked(comparison), many)
    page = Page(source)
    assert len(source.encode()) < LARGEST
    assert "smaller rows, left out here, together" in page.by_id("ledger").text
    shown = page.by_id("ledger").all("tbody")[0].children
    assert len(shown) < len(many) / len(samples.METRICS)
    by_player: dict[str, float] = {}
    for row in shown:
        by_player[row.children[0].text] = by_player.get(row.children[0].text, 0.0) + float(
            row.children[9].get("data-v")
        )
    for row in page.by_id("ledger").all("tfoot")[0].children:
        if "left out" in row.text:
            by_player[row.children[0].text] += float(row.children[2].text.replace("−", "-"))
    for player, total in by_player.items():
        assert total == pytest.approx(
            sum(
                contribution.change
                for contribution in many
                if contribution.metric == "pr" and contribution.player == player
            ),
            abs=2e-3,
        )


def test_markup_in_names_is_text_everywhere():
    source = PAGES["hostile"]
    assert "<script>alert" not in source
    assert "<img" not in source
    page = Page(source)
    assert [script.get("type") for script in page.find("script")] == ["application/json", *6 * [""]]
    assert page.find("img") == []
    assert page.find("b") == [element for element in page.find("b") if "made" not in element.text]
    assert samples.HOSTILE[0] in page.find("h1")[0].text
    assert all(name in page.by_id("figures").text for name in samples.HOSTILE)
    assert samples.HOSTILE[0] in page.by_id("decisions").text
    assert samples.HOSTILE[0] in page.by_id("ledger").text


def test_what_is_missing_is_said_plainly_and_synthetic_data_is_announced():
    page = parsed("bare")
    assert "This report holds no bridges" in page.by_id("bridge").text
    assert "holds no contributions" in page.by_id("cards").text
    assert "The ledger is empty" in page.by_id("ledger").text
    without = comparison_page(
        samples.walked(
            samples.demonstration(),
            [Bridge("Nora Lindqvist", "pr", 7.16, None, (), "the right file is <not> analysed")],
        ),
        (),
    )
    assert "the right file is <not> analysed" in Page(without).by_id("bridge").text
    page = parsed("whole")
    assert "Synthetic data. made up" in page.find("aside")[0].text
    assert parsed("bare").find("aside") == []


def test_decision_that_one_side_lacks_is_shown_from_the_other():
    contribution = replace(
        samples.contributions(samples.demonstration())[0],
        left=None,
        change=3.0,
        xgid="",
        gnubg_id="",
    )
    page = Page(comparison_page(samples.walked(samples.demonstration(), ()), [contribution]))
    assert "This file has no such decision." in page.by_id("decision-1").text
    nowhere = replace(contribution, right=None)
    page = Page(comparison_page(samples.walked(samples.demonstration(), ()), [nowhere]))
    assert "decision-1" not in page.ids
    assert "+3.000" in page.by_id("ledger").text


def test_transcript_differences_are_listed_and_the_rest_counted():
    comparison = samples.demonstration()
    differences = tuple(
        TranscriptDifference(1, turn, "differs", f"<l{turn}>", "r") for turn in range(150)
    )
    page = Page(
        comparison_page(
            replace(comparison, pairing=replace(comparison.pairing, differences=differences))
        )
    )
    assert "<l99>" in page.by_id("findings").text
    assert "<l100>" not in page.by_id("findings").text
    assert "50 more differences" in page.by_id("findings").text


def test_rules_that_differ_have_their_pages_and_steps_link_to_them():
    page = parsed("whole")
    rule = page.by_id("rule-Q02")
    assert "xg" in rule.text
    assert "gnubg" in rule.text
    assert "Evidence: " in rule.text
    assert "`" not in rule.text
    links = {link.get("href") for link in page.by_id("bridge").all("a")}
    assert {"#rule-Q01", "#rule-Q02", "#step-engine"} <= links


def test_pair_that_is_only_explained_gets_no_verdict_of_a_figure():
    page = Page(comparison_page(samples.walked(samples.demonstration()), (), judged=False))
    assert "Explained, not judged" in page.by_id("verdict").text
    assert "PR of Nora Lindqvist differs by 2.31" in page.by_id("verdict").text
    assert "outside" not in page.by_id("figures").text
    assert page.by_id("bridge-1").all("svg")


def test_index_of_a_pack_begins_with_what_failed_and_leads_to_matches_and_comparisons():
    titles = [title.text for title in parsed("pack").find("h2")]
    assert titles[:3] == ["Outside", "Explained", "Within"]
    links = {link.get("href"): link.text for link in parsed("pack").find("a")}
    assert {"one.html", "two.html", "two.pair-1.html", "four.pair-1.html"} <= set(links)
    assert "by XG" in links["four.pair-1.html"]
