"""The report in a real browser: quiet, asking nobody for anything, sortable, filterable, printable,
readable for everyone.
"""

import re

from tests.report.open_pages import opened
from tests.support.command_line import SGF, XG
from tests.support.several import analyses_of, beginnings


def brightness_of_a_quiet_page(browser, address, scheme):
    page, messages, asked = browser.new_page(color_scheme=scheme), [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert (messages, asked) == ([], [address])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


def test_page_is_quiet_and_dark_where_that_is_asked_for(browser, tmp_path):
    address = opened(browser, beginnings(".xg", ".sgf"), tmp_path).url
    light, dark = (
        brightness_of_a_quiet_page(browser, address, scheme) for scheme in ("light", "dark")
    )
    assert dark < 200 < 600 < light


def test_print_is_short_and_has_all_figures(browser, tmp_path):
    page = opened(browser, analyses_of(XG, SGF), tmp_path)
    without = browser.new_context(java_script_enabled=False).new_page()
    without.goto(page.url)
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


def test_nothing_scrolls_sideways_without_a_sign(browser, tmp_path):
    for width in (390, 1920):
        size = {"width": width, "height": 900}
        page = opened(browser, beginnings(".xg", ".sgf"), tmp_path, viewport=size)
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
