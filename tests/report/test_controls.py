"""Every button, key and filter of the page of a match does what it says."""

import functools

import pytest

from reconcile.gap.review import review
from reconcile.report.html.decision_list import review_decisions
from tests.report.open_pages import PHONE, opened, practise
from tests.support.browser import violations
from tests.support.command_line import SGF, XG
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.several import analyses_of

LOOKS = """() => [location.hash, document.documentElement.dataset.practice,
  document.activeElement.outerHTML.slice(0, 200), document.getElementById('decision').outerHTML,
  document.getElementById('chosen').textContent, document.getElementById('keys').open,
  document.getElementById('curve').className, document.getElementById('copy-positions').textContent,
  [...document.querySelectorAll('#list, #strip, #curve .plot, #practice, .rows')]
    .map((one) => one.outerHTML)].join('\\n')"""
"""What a player can see of it, and what has the focus."""
SIZE = 0.020
KEYS = (
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "[",
    "]",
    "n",
    "p",
    "f",
    "a",
    "c",
    "b",
    "?",
)
BUTTONS = "button:visible, #strip a, .rows a, .rows summary, #decisions li:nth-child(5):visible"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    return opened(browser, analyses_of(XG, SGF), tmp_path_factory.mktemp("controls"))


def reset(page, place=""):
    """The page as it opens, or at a decision in its middle."""
    page.goto(page.url.partition("#")[0] + place)
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.state === 'ready'")


def changed(page, act):
    before = page.evaluate(LOOKS)
    act()
    return page.evaluate(LOOKS) != before


def test_every_key_does_something_in_the_middle_of_the_match(page):
    decisions = review_decisions(analyses_of(XG, SGF))
    middle = next(
        at for at in decisions.order[5:] if decisions.aligned.game[decisions.shown[at]] == 2
    )
    reset(page)
    idle = []
    for key in KEYS:
        page.evaluate(f"location.hash = '{decisions.keys[middle]}'")
        page.locator("#decisions [aria-selected=true]").click()
        if not changed(page, functools.partial(page.keyboard.press, key)):
            idle.append(key)
    assert idle == []


@pytest.mark.exhaustive
def test_every_button_and_link_does_something(page):
    decisions = review_decisions(analyses_of(XG, SGF))
    place = f"#{decisions.keys[decisions.order[5]]}"
    reset(page, place)
    count = page.locator(BUTTONS).count()
    assert count > 40
    idle = []
    for number in range(count):
        reset(page, place)
        button = page.locator(BUTTONS).nth(number)
        is_shown = button.get_attribute("aria-pressed") == "true" or button.evaluate(
            "one => one.matches('[aria-selected=true], [aria-current=true], .copy, .word *')"
        )
        if not is_shown and not changed(page, button.click):
            idle.append(button.inner_text())
    assert idle == []


def test_every_choice_lists_what_it_counts(page):
    reset(page)
    for select in page.locator("#choose select:not([name=order])").all():
        for value in select.locator("option").all():
            words = value.inner_text()
            select.select_option(value.get_attribute("value"))
            listed = page.locator("#decisions li:visible").count()
            if words.endswith(")"):
                assert listed == int(words.rpartition("(")[2].rstrip(")")), words
        select.select_option("")


def test_next_error_walks_the_errors_of_the_list_and_begins_again(page):
    decisions = review_decisions(analyses_of(XG, SGF))
    errors = [index for index in decisions.order if round(decisions.worst[index], 5) >= SIZE]
    assert 10 < len(errors) < len(decisions.order)
    reset(page)
    button = page.locator("[data-go=error]")
    assert changed(page, button.click), "not even the first press is idle"
    reset(page, f"#{decisions.keys[errors[0]]}")
    shown = page.evaluate(
        """count => Array.from({ length: count }, () => {
          document.querySelector('[data-go=error]').click();
          return location.hash.slice(1);
        })""",
        len(errors),
    )
    assert shown == [decisions.keys[index] for index in [*errors[1:], errors[0]]]
    reset(page)
    page.select_option("#choose select[name=order]", "game")
    page.keyboard.press("Home")
    button.click()
    first, second = sorted(errors)[:2]
    assert page.evaluate("location.hash.slice(1)") == decisions.keys[first or second]


def test_list_without_errors_has_no_next_one(pair):
    _, page, decisions = pair
    once = next(entry for entry in decisions.filters if entry.name == "counted-once")
    page.click("[data-filter=counted-once]")
    wrong = [
        index
        for index in decisions.order
        if once.group[index] and round(decisions.worst[index], 5) >= SIZE
    ]
    assert page.locator("[data-go=error]").is_disabled() == (not wrong)


def test_strip_shows_the_game_that_practice_asks_about(pair):
    page = pair.page
    practise(page)
    games = set()
    for _ in range(12):
        game = page.evaluate("document.getElementById('decision').dataset.game")
        assert page.locator("#strip [aria-current=true]").get_attribute("data-game") == game
        games.add(game)
        page.keyboard.press("n")
    assert len(games) > 1


@pytest.mark.parametrize("path", cases("gnubg/m09*.sgf"))
def test_keys_reach_whatever_scrolls(browser, tmp_path, path):
    page = opened(browser, review(loaded(str(path))), tmp_path, viewport=PHONE)
    rule = {"runOnly": {"type": "rule", "values": ["scrollable-region-focusable"]}}
    for key in ("n", "c"):
        page.keyboard.press(key)
        assert violations(page, options=rule) == []
