"""The page of a match: who won, its games, walking it by keys, addresses, colours, a phone, the
curve, and a transcript.
"""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest

from reconcile.gap.review import review
from reconcile.match.columns import Kind
from reconcile.report.html.page import many_page
from reconcile.report.text.comparison import page_names
from tests.report.markup import Page
from tests.report.open_pages import PHONE, opened
from tests.support.command_line import SGF, XG
from tests.support.long import long_but_first
from tests.support.several import analyses_of, real_sets
from tests.support.small_transcripts import SHORT, read


def head(*files):
    return Page(many_page(review(*files)))


def test_head_says_who_won_where_and_when_and_strip_lists_the_games():
    many = analyses_of(XG, SGF)
    match = many.matches[0]
    dated = replace(match, event="Open", round="Final", place="Paris", date=date(2023, 11, 26))
    page = head(dated, replace(many.matches[1], event="", date=date(2026, 1, 2)))
    title = page.find("h1")[0].text
    winner, points = int(match.games.winner[-1]), match.games.score[-1].tolist()
    points[winner] = match.length
    assert title.startswith(f"{match.names[winner]} won {max(points)}–{min(points)}")
    assert title.rstrip().endswith("· Open · 26 November 2023")
    for said in ("XG's file says: Final, Paris.", "gnuBG's file says: 2 January 2026."):
        assert said in page.by_id("meaning").text
    other_page = head(replace(many.matches[1], date=date(2026, 1, 2)), dated)
    assert "26 November 2023" in other_page.find("h1")[0].text, "XG's day stands before gnuBG's"
    lines = [" ".join(link.text.split()) for link in page.by_id("strip").all("a")]
    assert len(lines) == len(match.games)
    called = [name.split()[-1] for name in match.names]
    for row, line in enumerate(lines):
        score = "–".join(map(str, match.games.score[row].tolist()))
        result = f"{called[int(match.games.winner[row])]} +{int(match.games.points[row])}"
        assert line.startswith(f"{row + 1} {score} {result}")
        passed = (match.cubes.game == row) & (match.cubes.kind == Kind.PASS.value)
        assert line.endswith("pass") == bool(passed.any())


def test_unfinished_match_is_no_victory():
    match = analyses_of(XG).matches[0]
    last = match.games.winner.copy()
    last[-1] = -1
    points = np.where(last < 0, 0, match.games.points)
    open_ = replace(match, complete=False, games=match.games.replaced(winner=last, points=points))
    assert " won " not in head(open_).find("h1")[0].text
    assert "unfinished" in head(open_).find("h1")[0].text


def test_n_and_an_address_lead_back_to_the_decision_from_any_place(pair):
    _, page, decisions = pair
    for index, lead in (
        (decisions.order[0], lambda: page.keyboard.press("n")),
        (3, lambda: page.evaluate(f"location.hash = '#{decisions.keys[3]}'")),
    ):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        lead()
        page.wait_for_function(
            "() => Math.abs(document.getElementById('decision').getBoundingClientRect().top) < 100"
        )
        assert page.evaluate("location.hash") == f"#{decisions.keys[index]}"


KEYS = """keys => { const at = []; keys.forEach(key => {
  document.body.dispatchEvent(new KeyboardEvent('keydown',
    {key, bubbles: true}));
  at.push(location.hash.slice(1)); }); return at; }"""


def test_arrows_pass_over_turns_without_a_choice_and_brackets_go_by_games(short_pair):
    _, page, decisions = short_pair
    count = len(decisions.shown)
    choice = [
        bool(decisions.counted[:, index].any() or decisions.wrong[:, index].any())
        or decisions.aligned.kind_labels[decisions.shown[index]] not in ("play", "no-double")
        for index in range(count)
    ]
    expected = [decisions.keys[0], *(decisions.keys[at] for at in range(1, count) if choice[at])]
    walked = page.evaluate(KEYS, ["Home", *["ArrowRight"] * (len(expected) - 1)])
    assert walked == expected
    assert 20 < len(expected) < count
    games = decisions.aligned.game[decisions.shown]
    firsts = [
        next(decisions.keys[at] for at in np.flatnonzero(games == game) if choice[at])
        for game in sorted(set(games.tolist()))
    ]
    page.evaluate(KEYS, ["Home"])
    assert page.evaluate(KEYS, ["]"] * (len(firsts) - 1)) == firsts[1:]
    assert page.evaluate(KEYS, ["["] * (len(firsts) - 1)) == firsts[:-1][::-1]
    current = page.locator("#strip [aria-current=true]")
    assert current.get_attribute("data-game") == "1"
    page.locator("#strip a").nth(2).click()
    assert page.evaluate("document.getElementById('decision').dataset.game") == "3"


def test_list_has_arrows_inside_and_selects_hold_their_words(pair):
    _, page, decisions = pair
    page.locator("#decisions").focus()
    page.keyboard.press("Home")
    page.locator("#decisions li").first.click()
    page.locator("#decisions").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("location.hash") == f"#{decisions.keys[decisions.order[2]]}"
    assert page.locator("#decisions [aria-selected=true]").get_attribute("id") == page.locator(
        "#decisions"
    ).get_attribute("aria-activedescendant")
    assert page.evaluate("document.activeElement.id") == "decisions"
    for select in page.locator("#choose select").all():
        fits = select.evaluate(
            """one => { const probe = document.createElement('span');
            const style = getComputedStyle(one); probe.style.fontSize = style.fontSize;
            probe.textContent = one.options[0].text; document.body.append(probe);
            const wide = probe.offsetWidth; probe.remove();
            return wide + 20 <= one.offsetWidth; }"""
        )
        assert fits


COLOURS = """() => {
  const own = document.querySelector('#decision .board .own');
  return [document.getElementById('decision').dataset.player,
    own.getAttribute('fill').includes('light'),
    own.querySelector('circle').parentNode.dataset.point]; }"""


def test_colours_belong_to_players_and_one_can_be_kept_below(short_pair):
    many, page, decisions = short_pair
    page.evaluate(KEYS, ["Home"])
    colours: dict[str, set[bool]] = {}
    for _ in range(25):
        player, light, _ = page.evaluate(COLOURS)
        colours.setdefault(player, set()).add(light)
        page.keyboard.press("ArrowRight")
    assert colours == {many.names[0]: {True}, many.names[1]: {False}}
    marks = page.evaluate(
        "[...document.querySelectorAll('#curve .p1, #curve .p2')].map(one => [one.tagName, "
        "one.classList.contains('p1')])"
    )
    assert {tuple(mark) for mark in marks} == {("circle", True), ("rect", False)}
    assert len(marks) == int(decisions.wrong.any(axis=0).sum())
    labels = (
        "[...document.querySelectorAll('#decision .board-text text')]"
        ".filter((_, at) => at % 2 === 0).map(one => one.textContent.split(',')[0])"
    )
    page.evaluate(KEYS, ["Home"])
    below = page.evaluate(labels)[1]
    page.keyboard.press("b")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(labels)[1] == below
        assert page.locator("#decision [data-go=b]").get_attribute("aria-pressed") == "true"
    page.keyboard.press("b")
    assert page.evaluate(labels)[1] == page.evaluate(
        "document.getElementById('decision').dataset.player"
    )


DEMONSTRATIONS = [
    pytest.param(lambda files=files: analyses_of(*files).matches, 422 * (len(files) + 1), id=name)
    for name, files in (("one", [XG]), ("two", [XG, SGF]), ("three", [XG, SGF, XG]))
]
EVERY_REAL = [
    pytest.param(
        lambda read=each.values[0], count=count: read()[:count],
        2 * 844,
        marks=each.marks,
        id=f"{each.id}-{count}",
    )
    for count in (4, 2, 1, 3)
    for each in real_sets()
]


@pytest.mark.parametrize(
    ("read", "most"), long_but_first([*DEMONSTRATIONS, *EVERY_REAL], 0, len(DEMONSTRATIONS))
)
def test_decision_fits_the_first_screen_and_thumbs_reach_what_they_need(
    browser, tmp_path, read, most
):
    """The board is half of a window and as wide as a phone, where candidates are at most so far
    down (pixels)."""
    many = review(*(replace(match, event="Open") for match in read()))
    wide = opened(browser, many, tmp_path)
    board = wide.locator("#decision .board").bounding_box()
    assert board["width"] == pytest.approx(640, abs=1)
    for box in (board, wide.locator("#decision .opinion").last.bounding_box()):
        assert box["y"] + box["height"] <= 800
    page = opened(browser, many, tmp_path, viewport=PHONE, has_touch=True)
    board = page.locator("#decision .board").bounding_box()
    assert board["width"] == pytest.approx(390, abs=1)
    assert board["y"] < 844
    last = page.locator("#decision .opinion tbody").last.bounding_box()
    assert last["y"] + last["height"] <= most
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, select, #strip a, summary')]
        .filter(one => one.getClientRects().length)
        .filter(one => one.getBoundingClientRect().height
          < (one.matches('.chips *, select, a, summary, .plain') ? 31.5 : 43.5))
        .map(one => one.textContent)"""
    )
    assert small == []
    bar = page.locator(".masthead .turner").bounding_box()
    assert bar["y"] + bar["height"] >= 843
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_curve_names_decisions_and_shows_lucky_rolls(pair, browser, tmp_path):
    many, page, decisions = pair
    curve = page.locator("#curve > svg")
    assert curve.get_attribute("role") == "slider"
    curve.hover(position={"x": 500, "y": 50})
    named = page.locator("#named").inner_text()
    wide = curve.bounding_box()["width"]
    index = next(
        at
        for at, key in enumerate(decisions.keys)
        if named.startswith(f"{decisions.row(at).place} ")
    )
    assert abs(index / len(decisions.shown) * wide - 500) < 12
    curve.focus()
    page.keyboard.press("ArrowRight")
    assert curve.get_attribute("aria-valuetext").startswith(
        decisions.row(int(curve.get_attribute("aria-valuenow")) - 1).place
    )
    assert not page.locator("#curve .roll").first.is_visible()
    page.click("#luck")
    assert page.locator("#curve .roll").first.is_visible()
    assert page.locator("#curve .roll").all_text_contents().count("▲") == 5
    phone = opened(browser, many, tmp_path, viewport=PHONE)
    numbers = phone.evaluate(
        """() => [...document.querySelectorAll('#curve > svg > text')]
        .filter(one => !one.classList.length).map(one => one.getBoundingClientRect())
        .map(box => [box.left, box.right])"""
    )
    assert all(box[1] <= following[0] + 1 for box, following in pairwise(numbers))


def test_transcript_can_be_walked_and_says_how_to_have_it_analysed(browser, tmp_path):
    many = review(read(SHORT))
    page = opened(browser, many, tmp_path)
    shown = page.locator("body").inner_text()
    assert "--analyse 2" in shown
    assert "Not analysed." not in shown
    rows = page.locator("#decisions li:visible")
    assert rows.count() == len(many.matches[0].plays) + int(
        (many.matches[0].cubes.kind != Kind.NO_DOUBLE.value).sum()
    ) + len(many.matches[0].resignations)
    page.keyboard.press("Home")
    before = page.evaluate("location.hash")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") != before
    assert not page.locator("#curve, #meaning, .chips").first.is_visible()


def test_pages_are_named_by_letters_without_accents():
    assert page_names(["Kévin Unger", "Åsa Öst", "kevin unger"]) == [
        "kevin-unger.html",
        "asa-ost.html",
        "kevin-unger-2.html",
    ]
