"""Every page is sound and can be used by anybody: tags, headings, tables, links, names of pictures
and controls, contrast.
"""

import re

import pytest

from tests.report.markup import assert_headings, assert_links, assert_tables
from tests.report.pages import PAGES, parsed
from tests.support.long import long_but_first

RARER = (
    "bare",
    "archive",
    "one player",
    "several equal",
    "explained match",
    "investigation exact",
    "investigation nothing fits",
    "investigation one game",
)
NAMES = [*(name for name in PAGES if name not in RARER), *(name for name in PAGES if name in RARER)]


@pytest.mark.parametrize(
    "name",
    long_but_first(NAMES, len(PAGES.keys() - set(RARER))),
    ids=[name.replace(" ", "-") for name in NAMES],
)
def test_page_can_be_used_by_anybody(name):
    source, page = PAGES[name], parsed(name)
    assert page.problems == []
    assert_headings(page)
    assert_tables(page, without=name in ("empty pack", "folders of several"))
    assert_links(page)
    assert_asks_nobody(source, page)
    assert_language_title_schemes_and_skip_link(page)
    assert_pictures_have_names_and_controls_have_words(page)


def assert_asks_nobody(source, page):
    assert set(re.findall(r"https?://[^\s\"'<]*", source)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in source
    assert "url(" not in source
    for element in page.elements:
        assert not element.get("src")
        assert not any(name.startswith("on") for name in element.attributes), element.attributes
    assert {link.get("href") for link in page.find("link")} == {"data:,"}


def assert_language_title_schemes_and_skip_link(page):
    assert page.find("html")[0].get("lang") == "en"
    assert page.find("title")[0].text.strip()
    assert {element.get("name"): element.get("content") for element in page.find("meta")}[
        "color-scheme"
    ] == "light dark"
    first_link = page.find("a")[0]
    assert (first_link.get("class"), first_link.get("href")) == ("skip", "#main")


def assert_pictures_have_names_and_controls_have_words(page):
    for picture in page.find("svg"):
        if picture.get("role") in ("img", "group"):
            assert bool(picture.all("a")) == (
                picture.get("role") == "group"
            )  # what is inside an image cannot be reached
            assert picture.children[0].name == "title"
            assert picture.children[0].text
        else:
            assert picture.get("aria-hidden") == "true"
    assert all(button.text.strip() for button in page.find("button"))
    for control in page.find("select") + page.find("input"):
        assert "label" in control.ancestors
    for region in page.elements:
        if region.get("tabindex") == "0":
            assert region.get("role") == "group"
            assert region.get("aria-label") or region.get("aria-labelledby")
