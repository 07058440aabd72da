"""The report in a real browser: quiet, asking nobody for anything, sortable, filterable, printable,
readable for everyone.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from reconcile.gap.comparison import compare
from reconcile.report.html.render import comparison_page
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg


@dataclass
class Opened:
    """A page, and everything it said or asked for."""

    page: Any
    messages: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def full_report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "whole.html"
    path.write_text(comparison_page(compare(bundled_xg(), bundled_sgf())), "utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Of the first games: a page that opens sooner."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(comparison_page(compare(beginning(".xg"), beginning(".sgf"))), "utf-8")
    return path


def opened(browser, report, place="", **context):
    page = browser.new_context(**context).new_page()
    view = Opened(page)
    page.on("console", lambda message: view.messages.append(message.text))
    page.on("pageerror", lambda error: view.messages.append(str(error)))
    page.on("request", lambda request: view.asked.append(request.url))
    page.goto(report.as_uri() + place)
    return view


def column(page, number):
    texts: list[str] = page.locator(
        f"table.ledger tbody tr:not([hidden]) > :nth-child({number})"
    ).all_inner_texts()
    return [text.strip() for text in texts]


def test_page_is_quiet_and_dark_where_that_is_asked_for(browser, report):
    brightness = {}
    for scheme in ("light", "dark"):
        view = opened(browser, report, color_scheme=scheme)
        view.page.wait_for_load_state("networkidle")
        assert view.messages == []
        assert view.asked == [report.as_uri()]
        colour = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness[scheme] = sum(
            int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]
        )
        view.page.keyboard.press("Tab")
        assert view.page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    assert brightness["dark"] < 200 < 600 < brightness["light"]


def test_ledger_is_sorted_by_a_column_up_and_down_and_filtered_by_player(browser, report):
    page = opened(browser, report, place="#ledger").page
    head = page.locator("table.ledger thead th").nth(1).locator("button")
    head.click()
    games = [int(text) for text in column(page, 2)]
    assert games == sorted(games)
    head.click()
    games = [int(text) for text in column(page, 2)]
    assert games == sorted(games, reverse=True)
    assert len(set(games)) > 1
    everybody = set(column(page, 1))
    assert len(everybody) == 2
    chosen = sorted(everybody)[0]
    page.select_option("#ledger form select[name=player]", chosen)
    assert set(column(page, 1)) == {chosen}
    page.locator("#ledger form [type=reset]").click()
    # The form tells of a reset before its fields have changed, so the page looks a moment later.
    shown = (
        "[...document.querySelectorAll('table.ledger tbody tr:not([hidden]) > "
        ":nth-child(1)')].map(cell => cell.innerText.trim())"
    )
    page.wait_for_function(f"() => new Set({shown}).size === 2")
    assert set(column(page, 1)) == everybody


def test_ledger_is_complete_without_scripts(browser, report):
    with_scripts = opened(browser, report).page
    without = opened(browser, report, java_script_enabled=False).page
    assert (
        without.locator("table.ledger tbody tr").count()
        == with_scripts.locator("table.ledger tbody tr").count()
        > 20
    )
    assert not without.locator("#ledger form").is_visible()


def test_print_is_short_and_has_ten_decisions(browser, full_report):
    page = opened(browser, full_report).page
    without = opened(browser, full_report, java_script_enabled=False).page
    every, static = (
        max(map(int, re.findall(rb"/Count (\d+)", printed_page.pdf(format="A4"))))
        for printed_page in (page, without)
    )
    assert every == static <= 9  # scripts that change a page while it is laid out cut its end
    page.emulate_media(media="print")
    assert [card.is_visible() for card in page.locator("#cards .card").all()] == 10 * [True]
    assert page.locator("#figures").is_visible()
    hidden = page.locator(".ids, .turner, .chips, #choose, #list, nav, #ledger").all()
    assert len(hidden) > 10
    assert not any(element.is_visible() for element in hidden)


def test_nothing_scrolls_sideways_without_a_sign(browser, report):
    for width in (390, 1920):
        page = opened(browser, report, viewport={"width": width, "height": 900}).page
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for box in page.locator(".scroll:visible").all():
            wide = box.evaluate("box => box.scrollWidth > box.clientWidth + 1")
            signs = box.evaluate(
                "box => [box.classList.contains('more'), "
                "!!box.previousElementSibling?.matches('.sideways:not([hidden])')]"
            )
            assert signs == [wide, wide]
            assert not (wide and box.evaluate("box => !!box.closest('.card')"))
