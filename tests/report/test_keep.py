"""How a player wants the board, themes of practice and the lesson sheet; what is kept in the
browser, and that nothing is before it is asked for.
"""

import re

import numpy as np

from reconcile.match.columns import Kind
from reconcile.scoring.grades import at_least
from tests.report.open_pages import practise

STORED = "Object.keys(localStorage).length"
POINTS = """() => [...document.querySelectorAll('#decision .board g[data-point]')].map(one =>
  [one.dataset.point, Number(one.querySelector('circle').getAttribute('cx'))])"""
LOOKS = "() => [...document.querySelectorAll('#looks select')].map(one => one.selectedIndex)"

KEPT = "Object.values(localStorage).map(text => JSON.parse(text).below)"
BELOW = "document.querySelector('#looks [name=below]').value"


def choose(page, mirrored="1", colours="blue", below=2):
    page.keyboard.press("?")
    page.select_option("#looks [name=mirrored]", mirrored)
    page.select_option("#looks [name=colours]", colours)
    page.select_option("#looks [name=below]", index=below)


def again(page):
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.state === 'ready'")


def test_board_is_drawn_as_chosen_and_that_is_kept_when_asked_for(short_pair):
    many, page, _ = short_pair
    page.keyboard.press("Home")
    before = dict(page.evaluate(POINTS))
    choose(page, below=0)
    after = dict(page.evaluate(POINTS))
    assert before.keys() == after.keys()
    assert all(before[point] + after[point] == 638 for point in before)
    assert page.evaluate("document.documentElement.dataset.colours") == "blue"
    assert page.evaluate(STORED) == 0
    again(page)
    assert page.evaluate(LOOKS) == [0, 0, 0], "nothing is kept before it is asked for"
    choose(page)
    page.check("#looks [name=keep]")
    again(page)
    assert page.evaluate(LOOKS) == [1, 1, 2]
    assert page.evaluate("document.documentElement.dataset.colours") == "blue"
    label = page.locator("#decision .board-text text").nth(2).text_content()
    assert label.startswith(many.names[1])
    page.keyboard.press("b")
    assert page.evaluate(LOOKS) == [1, 1, 0], "the key of the board chooses the same"
    assert page.evaluate(KEPT) == [page.evaluate(BELOW)], "and it is kept"
    page.keyboard.press("?")
    page.uncheck("#looks [name=keep]")
    assert page.evaluate(STORED) == 0


def test_browser_that_refuses_to_keep_anything_is_no_fault(short_pair):
    page = short_pair.page
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })"
    )
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda message: faults.append(message.text))
    again(page)
    choose(page)
    assert not page.locator("#looks [name=keep]").is_visible()
    page.keyboard.press("Escape")
    practise(page)
    page.keyboard.press("1")
    assert page.evaluate("document.documentElement.dataset.colours") == "blue"
    assert faults == []


def asked(page):
    said = page.locator("[data-practice-said]").inner_text()
    found = re.match(r"Error \d+ of (\d+)", said)
    return int(found[1]) if found else 0


def test_themes_of_practice_leave_the_errors_that_have_them(pair):
    _, page, decisions = pair
    practise(page)
    every = asked(page)
    errors = np.array(decisions.order[: decisions.errors])
    rows = decisions.shown[errors]
    kind, phase = decisions.aligned.kind[rows], decisions.aligned.stated("phase")[rows]
    worst = np.round(decisions.worst[errors], 5)
    themes = {
        ("kind", "checker"): kind == Kind.PLAY,
        ("kind", "cube"): kind != Kind.PLAY,
        ("phase", "0"): phase == "opening",
        ("phase", "1"): phase == "contact",
        ("phase", "2"): phase == "race",
        ("phase", "3"): phase == "bear-off",
        ("size", "50"): worst >= 0.05,
        ("size", "80"): worst >= 0.08,
    }
    assert every == len(errors)
    for (name, value), of_theme in themes.items():
        page.select_option(f"[data-practice-of={name}]", value)
        assert asked(page) == of_theme.sum(), (name, value)
        page.select_option(f"[data-practice-of={name}]", "")
    assert asked(page) == every


def test_what_was_right_is_not_asked_again_that_day_where_it_is_kept(short_pair):
    page = short_pair.page
    page.keyboard.press("?")
    page.check("#looks [name=keep]")
    page.keyboard.press("Escape")
    practise(page)
    every, right = asked(page), 0
    for _ in range(every):
        page.keyboard.press("1")
        right += page.locator("[data-practice-said]").inner_text().startswith("Right")
        page.keyboard.press("n")
    assert 0 < right < every
    again(page)
    practise(page)
    assert asked(page) == every - right


def test_lesson_sheet_has_four_positions_a_page_and_the_answers_on_their_own(pair):
    _, page, decisions = pair
    page.evaluate("window.print = () => { window.printed = true; }")
    page.select_option("#choose [name=player]", "0")
    page.click("#print-sheet")
    assert page.evaluate("window.printed")
    questions, answers = (page.locator(f"#sheet #{name} > li") for name in ("questions", "answers"))
    errors = [
        index
        for index in decisions.order[: decisions.errors]
        if decisions.aligned.player[decisions.shown[index]] == 0
    ]
    count = len(errors)
    assert questions.count() == answers.count() == count
    xgids = [decisions.row(index).xgid for index in errors]
    assert page.locator("#sheet #answers code").all_text_contents() == xgids
    assert page.locator("#sheet .board").count() == count
    assert page.locator("#sheet #questions .arrow").count() == 0
    page.emulate_media(media="print")
    assert not page.locator("#decision").is_visible()
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    pages = max(map(int, re.findall(rb"/Count (\d+)", printed)))
    assert -(-count // 4) < pages <= -(-count // 4) + -(-count // 6)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#sheet").count() == 0
    page.emulate_media(media="screen")
    page.select_option("#choose [name=size]", "80")
    page.click("#print-sheet")
    worst = [index for index in errors if at_least(decisions.worst[index], 0.08)]
    assert 0 < questions.count() == len(worst) < count
