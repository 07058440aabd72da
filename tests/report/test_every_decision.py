"""The page's own script shows every decision as Python would: board, notation, identifiers, figures, by key, filter and link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.contributions import Reader
from reconcile.match.columns import Kind
from reconcile.report import numbers
from reconcile.report.html.decisions import Opinion, card_of
from reconcile.report.html.render import comparison_page
from reconcile.report.words import KINDS, side_labels
from reconcile.rules.rulesets import Q12
from reconcile.scoring.grades import grade_of
from tests.support.browser import IN_A_BROWSER, chromium
from tests.support.data import PROJECT

pytestmark = IN_A_BROWSER
PAIR = PROJECT / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck"
SHOWN = """() => {
  const card = document.querySelector('#browse .card'), board = card.querySelector('svg.board');
  const texts = (one, inside) => [...one.querySelectorAll(inside)].map(each => each.textContent.trim());
  return {
    key: location.hash.slice(1), title: texts(card, 'h3')[0], done: texts(card, '.what b')[0], where: texts(card, '.what')[0],
    board: board ? board.outerHTML : '', ids: texts(card, '.ids code'), lines: texts(card, '.legend li'),
    opinions: [...card.querySelectorAll('.opinion')].map(one => [texts(one, 'caption')[0], texts(one, 'p'),
      [...one.querySelectorAll('tbody tr')].map(row => [row.className, ...texts(row, 'th, td')])])
  };
}"""
EVERY = f"""() => {{
  const shown = {SHOWN}, found = [shown()];
  document.querySelector('#browse').scrollIntoView();
  for (let next = document.querySelectorAll('.turner button')[1]; !next.disabled; found.push(shown())) {{
    document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}));
  }}
  return found;
}}"""
AS_DRAWN = "svg => svg && document.adoptNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement).outerHTML"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def page_of(browser: Any, comparison: Comparison, folder: Path, place: str = "") -> Any:
    path = folder / "report.html"
    path.write_text(comparison_page(comparison), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri() + place)
    return page


@pytest.fixture(scope="module")
def demonstration() -> Comparison:
    return compare(load_match(f"{PAIR}.xg"), load_match(f"{PAIR}.sgf"))


def opinion(one: Opinion, labels: tuple[str, str]) -> tuple[str, list[str], list[list[str]]]:
    """A card's opinion as texts of the page."""
    side = one.side
    said = "not in this file"
    if side:
        said = f"{'counts' if side.counted else 'does not count'}, error {numbers.number(side.error, 3)}" + (
            f", {one.level}" * bool(one.level)
        )
    notes = ["Equities in the view of the player on roll."] if side and side.decision.kind is not Kind.PLAY and one.options else []
    notes += [one.note] if one.note else []
    notes += [f"{one.hidden} more in the file."] if one.hidden else []
    rows = []
    for row in one.options:
        head = f"{row.rank or ''}{row.action}{row.level}{'played' if row.made else ''}"
        behind = "" if row.behind is None else numbers.equity(row.behind)
        rows.append(["made" if row.made else "", head, numbers.equity(row.equity), behind])
    missing = "This file has no such decision." if not side else "Not analysed." if side.error is None else ""
    return f"{one.tool} {said}", notes, rows or [["", missing or "The file holds no candidates of this decision."]]


def same_as_python(browser: Any, comparison: Comparison, folder: Path) -> int:
    page = page_of(browser, comparison, folder)
    reader, items, left = Reader(comparison.walk), comparison.walk.items, comparison.walk.left.match
    labels = side_labels(comparison)
    wanted = {}
    for item in range(len(items)):
        kind, seat = Kind(int(items.kind[item])), int(items.player[item])
        place = (int(items.game[item]), int(items.turn[item]), left.players[seat])
        sides = list(zip(labels, (reader.side(item, 0), reader.side(item, 1)), strict=True))
        key = f"g{place[0]}t{place[1]}" + ("" if kind is Kind.PLAY else f"-{kind.label}")
        wanted[key] = kind, card_of(1, place, KINDS[kind], sides, left, reader.identifiers(item))
    shown = page.evaluate(EVERY)
    shown[0]["key"] = "g1t1"  # nothing was asked for yet, so the address is bare
    assert [one["key"] for one in shown] == sorted(wanted, key=[one["key"] for one in shown].index)
    for one in shown:
        kind, card = wanted[one["key"]]
        assert (one["title"], one["done"]) == (card.title, card.done), one["key"]
        assert one["ids"] == [card.xgid or "unknown", card.gnubg_id or "unknown"], one["key"]
        if kind > Kind.BEAVER:
            continue
        assert one["where"] == f"{card.done} at {card.where}", one["key"]
        assert one["lines"] == [f"{play} {label}" for _, label, play in card.lines], one["key"]
        for found, expected in zip(one["opinions"], card.opinions, strict=True):
            assert tuple(found) == opinion(expected, labels), one["key"]
        assert one["board"] == page.evaluate(AS_DRAWN, card.board.replace("board-1-", "browsed-board-")), one["key"]
    page.close()
    return len(shown)


def test_every_decision_is_shown_as_python_shows_it(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    assert same_as_python(browser, demonstration, tmp_path) == len(demonstration.walk.items) > 250


def test_real_match_is_shown_as_python_shows_it(browser: Any, data: Path, tmp_path: Path) -> None:
    real = data / "real"
    comparison = compare(load_match(str(real / "match_with_comment.xg")), load_match(str(real / "match_with_comment_2ply.sgf")))
    assert same_as_python(browser, comparison, tmp_path) == len(comparison.walk.items)


def test_keys_step_through_and_the_address_follows(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    page = page_of(browser, demonstration, tmp_path, "#g2t3")
    assert page.evaluate(SHOWN)["title"].startswith("Game 2, turn 3:")
    assert page.locator("#browse h2").is_visible()
    before = page.locator(".turner output").inner_text()
    page.keyboard.press("ArrowRight")
    after = page.evaluate("location.hash")
    assert after.startswith(("#g2t3-", "#g2t4"))
    page.keyboard.press("ArrowLeft")
    assert (page.evaluate("location.hash"), page.locator(".turner output").inner_text()) == ("#g2t3", before)
    page.locator("#browse select[name=kind]").focus()
    page.keyboard.press("ArrowRight")  # chooses in the list, and does not step
    assert page.evaluate("document.activeElement.name") == "kind"


def test_address_of_no_decision_is_answered(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    page = page_of(browser, demonstration, tmp_path, "#g99t1-pass")
    missing = page.locator("#browse .missing")
    assert missing.inner_text() == "No such decision on this page: game 99, turn 1, pass"
    assert missing.is_visible()
    page.keyboard.press("ArrowRight")
    assert not missing.is_visible()
    page.evaluate("location.hash = '#g2t300'")
    page.wait_for_function("document.querySelector('#browse .missing').textContent.endsWith('game 2, turn 300')")
    page.evaluate("location.hash = '#g2t3'")
    page.wait_for_function("document.querySelector('#browse .missing').hidden")


@pytest.mark.parametrize("place", ["#%", "#%zz", "#g1t1%00", "#<b>", "#g1t1-\u202epass", "#ledger"])
def test_other_addresses_are_no_fault(browser: Any, demonstration: Comparison, tmp_path: Path, place: str) -> None:
    page = page_of(browser, demonstration, tmp_path)
    faults: list[Any] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.goto(page.url + place)
    page.reload()
    assert page.locator(".turner output").inner_text().startswith("1 of ")
    assert not page.locator("#browse .missing").is_visible()
    assert faults == []


def test_filters_keep_what_they_say(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    page = page_of(browser, demonstration, tmp_path)
    walk = demonstration.walk
    items, reader = walk.items, Reader(walk)
    sides = [(reader.side(item, 0), reader.side(item, 1)) for item in range(len(items))]

    def error(side: Any) -> float:
        return 0.0 if side is None or side.error is None else round(side.error, 3)

    differ = sum(
        (one and one.counted, error(one)) != (two and two.counted, error(two)) for one, two in sides if one is not None or two is not None
    )
    limits = [scored.rules.value(Q12) for scored in (walk.left, walk.right)]
    errors = [[one.error if one and one.error else 0.0 for one in pair] for pair in sides]
    blunders = sum(any(grade_of(*one) == "blunder" for one in zip(pair, limits, strict=True)) for pair in errors)
    choices = {
        ("show", "differ"): differ,
        ("show", "blunder"): blunders,
        ("player", "1"): int((items.player == 1).sum()),
        ("game", "3"): int((items.game == 3).sum()),
        ("kind", str(Kind.TAKE.value)): int((items.kind == Kind.TAKE).sum()),
    }
    for (name, value), count in choices.items():
        page.select_option(f"#browse select[name={name}]", value)
        assert page.locator(".turner output").inner_text() == f"1 of {count}", (name, value)
        page.select_option(f"#browse select[name={name}]", "")
    page.select_option("#browse select[name=cause]", "0")
    assert 0 < int(page.locator(".turner output").inner_text().split()[-1]) < len(items)


def test_places_named_in_the_page_are_links(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    page = page_of(browser, demonstration, tmp_path)
    rows = page.locator("table.ledger tbody tr")
    first = [text.strip() for text in rows.first.locator("td").all_inner_texts()[:3]]
    rows.first.locator("td a[href^='#g']").click()  # the page learns of it by an event, some time later
    page.wait_for_function(
        "start => document.querySelector('#browse h3').textContent.startsWith(start)", arg=f"Game {first[0]}, turn {first[1]}:"
    )
    assert page.evaluate(SHOWN)["key"] == f"g{first[0]}t{first[1]}" + ("" if first[2] == "play" else f"-{first[2]}")
    assert page.locator(".card h3 a[href^='#g']").count() == 10
    page.select_option("#browse select[name=kind]", str(Kind.PASS.value))
    page.evaluate("location.hash = '#g1t1'")  # a link to what the filters leave out resets them
    page.wait_for_function("document.querySelector('#browse h3').textContent.startsWith('Game 1, turn 1:')")
    assert page.locator("#browse select[name=kind]").input_value() == ""


def test_without_scripts_the_ten_costliest_are_there(browser: Any, demonstration: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(comparison_page(demonstration), "utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    assert page.locator("#decisions .card").count() == 10
    assert not page.locator("#browse").is_visible()
    assert not page.locator("nav a[href='#browse']").is_visible()
