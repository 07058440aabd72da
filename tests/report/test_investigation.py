"""The page of an investigation: sound, self-contained, complete, and names stay text."""

import json

import pytest

from reconcile.report.html.page import investigation_page
from reconcile.report.text.investigation import headline
from reconcile.rules.rulesets import RULE_SETS
from tests.report import samples
from tests.report.markup import Page
from tests.report.open_pages import PHONE
from tests.report.pages import INVESTIGATED, PAGES, investigated, parsed
from tests.support.long import long_but_first

LARGEST, DECISIONS, MORE = 430_000, 600, 500
"""Bytes of a page with one analysis, of at most so many decisions as 7 points have; and bytes of
each decision beyond, as in 25 points.
"""


def page_of(name):
    return PAGES[f"investigation {name}"]


def in_the_script(page):
    """What the page's script is given."""
    return json.loads(page.partition('id="decisions-data">')[2].partition("</script>")[0])


@pytest.mark.parametrize("name", long_but_first(INVESTIGATED, 3))
def test_page_is_small_has_no_path_of_anybody_and_all_that_was_found(name):
    source, page, result = page_of(name), parsed(f"investigation {name}"), investigated(name)
    assert len(source.encode()) < LARGEST
    assert str(samples.FOLDER) not in source
    assert headline(result) in page.by_id("verdict").text
    label = {"exact": "No difference", "nothing fits": "No rules give these figures"}.get(name)
    assert label is None or label in page.by_id("verdict").text
    (known,) = (table for table in page.find("table") if table.all("th")[0].text == "Rule set")
    rows = known.all("tbody")[0].children
    fitting = [(row.children[0].text, row.children[1].text) for row in rows]
    assert fitting == [
        (rule_set.name, "yes" if rule_set.fits else "no") for rule_set in result.rule_sets
    ]
    assert len(fitting) == len(RULE_SETS)
    for explanation in result.explanations[:1]:
        assert f"rule set {explanation.nearest}" in page.by_id("expert").text
        assert all(change.title in page.by_id("expert").text for change in explanation.differences)


def test_list_begins_with_the_decisions_that_make_the_difference():
    """The explanation of PR 7.23 by gnuBG's rules turns on a play that XG does not count and on two
    cubes that gnuBG does not.
    """
    result = samples.nora(pr="7.23")
    page, data = Page(investigation_page(result)), in_the_script(investigation_page(result))
    decisions = result.explanations[0].decisions
    places = [(decision["game"], decision["turn"], decision["kind"]) for decision in decisions]
    assert places == [(3, 58, "play"), (4, 2, "no-double"), (4, 4, "no-double")]
    name, _, has = data["groups"][0]
    assert name == "turning"
    kinds = [data["kinds"][kind][0] for kind in data["kind"]]
    assert {(data["game"][at], data["turn"][at], kinds[at]) for at in has} == set(places)
    assert [data["keys"][at] for at in data["order"][:3]] == [
        "g3t58",
        "g4t2c",
        "g4t4c",
    ]
    for at in has:
        counted = [side["counted"][at] == "1" for side in data["sides"]]
        assert (
            counted == [decisions[0]["counted_from"], True]
            if kinds[at] == "play"
            else [True, False]
        )
    assert data["keys"][data["start"]] == "g3t58"
    (says,) = (group[1] for group in data["groups"][1:] if data["start"] in group[2] and group[1])
    assert "Does this checker play count as a decision? As gnubg" in says
    links = {link.get("href") for link in page.by_id("answer").all("a")}
    assert links == {"#g3t58", "#g4t2c", "#g4t4c"}


def test_file_whose_own_rules_give_the_figure_has_one_column():
    data = in_the_script(page_of("exact"))
    assert [side["label"] for side in data["sides"]] == ["XG"]
    assert data["groups"][0][0] == "all"


def test_resignation_makes_the_difference_without_a_board():
    result = investigated("resigned")
    shown = result.explanations[0]
    page = parsed("investigation resigned")
    assert (
        shown.nearest,
        shown.differences,
        [difference.question for difference in shown.own_differences],
    ) == (
        "xg",
        (),
        ["Q07", "Q13"],
    )
    assert "error 0.000 -> 0.200" in page.by_id("expert").text
    data = in_the_script(page_of("resigned"))
    assert data["groups"][0][0] == "turning"
    assert {data["kinds"][data["kind"][at]][0] for at in data["groups"][0][2]} == {"resign"}


def test_a_phone_without_scripts_has_rows_of_words_and_no_empty_picture(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(investigation_page(samples.nora(pr="7.23")), "utf-8")
    viewport = PHONE
    page = browser.new_context(viewport=viewport, java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    assert not page.locator("#curve").is_visible()
    right = [box.bounding_box() for box in page.locator(".rows td, .rows th").all()]
    assert max(box["x"] + box["width"] for box in right) <= 390
    assert max(box["height"] for box in right) < 120
