"""The page of exercises in Chromium: one at a time, the answer on demand, what is kept, and the
lesson sheet on paper."""

import re

import pytest

from tests.support.command_line import SGF, XG, run


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("exercises") / "page.html"
    run("exercises", XG, SGF, "--player", "nora", "--html", path, "--quiet")
    return path.as_uri()


def shown(page, part):
    return page.locator(f"#{part} > li:visible").count()


def test_one_is_asked_at_a_time_and_its_answer_is_shown_on_demand(browser, address):
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(address)
    assert (shown(page, "questions"), shown(page, "answers")) == (1, 0)
    page.click("#show")
    assert (shown(page, "questions"), shown(page, "answers")) == (1, 1)
    first = page.locator("#questions > li:visible h2").inner_text()
    page.click("#right")
    assert page.locator("#tally").inner_text() == "25 to ask. 1 of 1 right."
    page.keyboard.press("Enter")  # the button that shows the answer has the focus
    page.click("#again")
    assert page.locator("#tally").inner_text() == "25 to ask. 1 of 2 right."
    assert page.locator("#questions > li:visible h2").inner_text() != first
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide)


def test_nothing_is_kept_unless_asked_and_what_is_kept_comes_again_later(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.click("#show")
    page.click("#right")
    page.reload()
    assert page.locator("#tally").inner_text() == "26 to ask."
    page.check("#keep")
    page.click("#show")
    page.click("#right")
    page.reload()
    assert page.locator("#tally").inner_text() == "25 to ask."
    page.uncheck("#keep")
    page.reload()
    assert page.locator("#tally").inner_text() == "26 to ask."
    context.close()


def test_on_paper_are_four_positions_a_page_and_then_the_answers(browser, address):
    page = browser.new_page()
    page.goto(address)
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert page.evaluate("document.querySelectorAll('#questions > li').length") == 26
    assert 7 + 3 <= len(pages) <= 7 + 6


def test_without_scripts_every_question_leads_to_its_answer(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert (shown(page, "questions"), shown(page, "answers")) == (26, 26)
    page.click("#q3 a")
    assert page.url.endswith("#a3")
    context.close()
