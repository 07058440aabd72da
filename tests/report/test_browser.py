"""The report in a real browser: quiet, asking nobody for anything, sortable, filterable, printable,
readable for everyone.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from reconcile.gap.comparison import compare
from reconcile.report.html.page import comparison_page
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


def test_print_is_short_and_has_all_figures(browser, full_report):
    page = opened(browser, full_report).page
    without = opened(browser, full_report, java_script_enabled=False).page
    every, static = (
        max(map(int, re.findall(rb"/Count (\d+)", printed_page.pdf(format="A4"))))
        for printed_page in (page, without)
    )
    assert max(every, static) <= 9  # scripts that change a page while it is laid out cut its end
    page.emulate_media(media="print")
    tables = page.locator("#expert table").all()
    assert len(tables) > 3
    assert all(table.is_visible() for table in tables)
    hidden = page.locator(".ids, .turner, .chips, #choose, #list, nav, .copy").all()
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
