"""The page as a player uses it: files dropped or chosen, by mouse, by keyboard, on a phone,
without JavaScript."""

import pytest

from tests.support.browser import ALIKE, BYTES, DROPPED, encoded
from tests.support.data import PROJECT
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

PACK = PROJECT / "reference_matches"
PAIR = [str(next((PACK / "demonstration").glob(f"*.{ending}"))) for ending in ("xg", "sgf")]
OTHER = str(PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
FOLDER = (
    f"(names) => {{ {BYTES}"
    + """
  const file = ([name, text]) => (
    { name, isFile: true, file: done => done(new File([bytes(text)], name)) });
  const folder = (name, entries) => ({ name, isDirectory: true, createReader: () => {
    const some = [entries.slice(0, 1), entries.slice(1)];
    return { readEntries: done => done(some.shift() || []) };
  } });
  const dropped = new Event('drop', { bubbles: true, cancelable: true });
  const inner = folder('inner', names.slice(1).map(file)), hidden = file(['.DS_Store', 'AA==']);
  const entry = folder('match', [file(names[0]), inner, hidden]);
  dropped.dataTransfer = { files: [], items: [{ webkitGetAsEntry: () => entry }] };
  document.body.dispatchEvent(dropped);
}"""
)


@pytest.fixture
def console():
    return []


@pytest.fixture
def tab(request, browser, page, console):
    """The start page, on a desktop unless a test asks for a phone; nothing may be written to the
    console."""
    size = getattr(request, "param", "desktop")
    context = browser.new_context(
        viewport=SIZES[size], color_scheme="dark" if size == "phone" else "light"
    )
    opened = context.new_page()
    opened.on("console", lambda message: console.append(message.text))
    opened.on("pageerror", lambda error: console.append(str(error)))
    opened.goto(page.address)
    yield opened
    context.close()


def ask_why(tab):
    """Open a match, and the form for what somebody saw of it."""
    tab.set_input_files("#files", PAIR[:1])
    tab.click("#open button")
    tab.click("summary:has-text('showed me something else')")


@pytest.mark.parametrize("tab", long_but_first(SIZES, 0, 1), indirect=True)
def test_two_dropped_files_tell_their_story(tab, console, tmp_path):
    tab.evaluate(DROPPED, encoded(*PAIR))
    tab.wait_for_selector("#answer .lead")
    assert "Nora Lindqvist" in tab.inner_text("#answer .lead >> nth=0")
    assert "/results/" in tab.url
    before = tab.inner_text("#decision-h")
    tab.keyboard.press("ArrowRight")
    assert tab.inner_text("#decision-h") != before
    with tab.expect_download() as started:
        tab.click("a:text-is('HTML')")
    saved = tmp_path / "saved.html"
    started.value.save_as(saved)
    assert saved.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "served" not in saved.read_text("utf-8").partition("</style>")[2][:2000]
    tab.reload()
    assert "Nora Lindqvist" in tab.inner_text("#answer .lead >> nth=0")
    assert not console


def test_everything_works_by_keyboard(tab):
    tab.set_input_files("#files", PAIR)
    tab.focus("#files")
    for _ in range(9):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.textContent.trim()") == "Show":
            break
    tab.keyboard.press("Enter")
    assert tab.wait_for_selector("#answer .lead").is_visible()


def test_a_file_of_50_megabytes_is_refused_before_it_is_sent(tab, page, tmp_path):
    large = tmp_path / "large.xg"
    large.write_bytes(bytes(50 * 2**20))
    tab.set_input_files("#files", str(large))
    tab.click("#open button")
    assert "more than 32 MB" in tab.inner_text("#told")
    assert tab.url == page.address


def test_without_javascript_the_form_does_it(browser, page):
    context = browser.new_context(java_script_enabled=False, viewport=SIZES["phone"])
    tab = context.new_page()
    tab.goto(page.address)
    tab.set_input_files("#files", PAIR)
    tab.click("#open button")
    tab.wait_for_selector("#answer .lead")
    context.close()


def test_the_decisions_that_make_the_difference_lead_the_page_of_a_figure(tab, console):
    """PR 7.23 is what gnuBG's rules give: a play more counts, and two cubes less."""
    ask_why(tab)
    tab.fill("input[name=pr]", "7.23")
    tab.click("button:has-text('Find out why')")
    tab.wait_for_selector("html[data-state=ready] #decision")
    assert "Which rules give the figures" in tab.inner_text("h1")
    assert tab.locator("#decisions li:visible .place").all_inner_texts() == ["3.58", "4.2", "4.4"]
    tab.click("#answer a:has-text('game 4 turn 2')")
    assert tab.inner_text("#decision-h").startswith("Game 4, turn 2")
    assert "count as close" in tab.inner_text("#decision .says")
    assert tab.locator("#decision thead [scope=colgroup]").count() == 2
    tab.click("[data-filter=Q01]")
    assert tab.inner_text("#chosen") == "1 listed"
    tab.keyboard.press("n")
    assert tab.inner_text("#decision-h").startswith("Game 3, turn 58")
    assert not console


def test_a_dropped_folder_is_opened_to_its_last_file(tab, console):
    """Chromium gives a folder only to a hand that drops it: the entries are made as it makes
    them, a hundred at a time."""
    tab.evaluate(FOLDER, encoded(*PAIR, OTHER))
    tab.wait_for_selector("h1:text-is('2 matches')")
    tab.click("main a:has-text('Nora Lindqvist')")
    assert "Nora Lindqvist" in tab.inner_text("#answer .lead >> nth=0")
    assert not console


@needs_gnubg
def test_an_analysis_is_watched_and_found_again(tab, page, browser, console):
    tab.set_input_files("#analyse", OTHER)
    tab.select_option("#analyse ~ .fields select", "0")
    tab.click("button:has-text('Analyse')")
    tab.wait_for_url("**/jobs/**")
    at = tab.url
    tab.close()  # in the middle of it
    again = browser.new_context().new_page()
    again.goto(at)
    again.wait_for_selector("#answer .lead", timeout=60_000)
    again.context.close()
    assert not console


PLACES = {
    "/": "phone",
    "/examples/statistics": "desktop",
    "/explain/Q02": "phone",
    "/api": "desktop",
    "/nothing": "phone",
}


@pytest.mark.parametrize("path", long_but_first(PLACES, 0, 1))
def test_nobody_is_shut_out(browser, page, path):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed (extra `browser`)"
    )
    context = browser.new_context(viewport=SIZES[PLACES[path]], bypass_csp=True)
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{page.port}{page.path(path)}")
    violations = (
        axe.Axe()
        .run(tab, context=ALIKE, options={"resultTypes": ["violations"]})
        .response["violations"]
    )
    assert not [
        violation["id"]
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]
    for size in SIZES.values():
        tab.set_viewport_size(size)
        assert (
            tab.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            <= 0
        )
    context.close()
