"""The page of a match: one decision shown in every analysis, and keys, rows, filters, counts, curve
and address that lead to it.
"""

import json
import re
from itertools import chain
from xml.etree import ElementTree

import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.review import review, review_rows
from reconcile.match.board.position import from_xgid
from reconcile.report import numbers
from reconcile.report.html.decision_list import comparison_decisions, review_decisions
from reconcile.report.html.look import digest, scripts
from reconcile.report.html.page import SCRIPTS, comparison_page, facts_of, many_page
from reconcile.scoring.decisions import in_order
from tests.report.markup import Page
from tests.report.open_pages import PHONE, opened
from tests.support.browser import violations
from tests.support.command_line import PACK, SGF, XG
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.several import analyses_of, beginnings

FEW = pytest.mark.parametrize(
    "files", long_but_first([[XG, SGF], [XG], [XG, SGF, XG]], 2), ids=["two", "one", "three"]
)
SIZE = 0.020


def judged(row):
    """Whether an analysis counts a decision of its table, and whether it is an error."""
    return row is not None and row["counted"], row is not None and row["error"] >= SIZE


@FEW
def test_filters_count_what_the_documents_say(files):
    many = analyses_of(*files)
    counts = {choice.name: choice.count for choice in review_decisions(many).filters}
    voters = [side for side in range(len(files)) if side not in many.aligned.without_vote]
    sides = [*tables(many)]
    every = [[side.get(place) for side in sides] for place in dict.fromkeys(chain(*sides))]
    rows = [[row[side] for side in voters] for row in every]
    wrong = [[judged(row)[1] for row in listed] for listed in rows]
    expected = {
        "all": sum(any(map(any, map(judged, row))) for row in every),
        "wrong-in-all": sum(map(all, wrong)),
    }
    if len(files) > 1:
        expected |= {
            f"only-{side}": sum(calls[place] and sum(calls) == 1 for calls in wrong)
            for place, side in enumerate(voters)
        }
        expected["counted-once"] = sum(
            sum(judged(row)[0] for row in listed) == 1 for listed in rows
        )
        expected |= {
            f"other-{kind}": sum(dispute["dispute"] == kind for dispute in many.disputes)
            for kind in ("choice", "size")
        }
    assert counts == expected
    assert expected["wrong-in-all"]


def test_address_names_the_decision():
    decisions = review_decisions(analyses_of(XG))
    letters = {
        "play": "",
        "no-double": "c",
        "double": "c",
        "take": "r",
        "pass": "r",
        "beaver": "r",
        "resign": "e",
        "accept-resign": "e2",
    }
    aligned = decisions.aligned
    assert len(decisions.keys) == len(aligned) > 250
    for row, key in zip(decisions.shown.tolist(), decisions.keys, strict=True):
        place = aligned.place(row)
        assert key == f"g{place.game}t{place.turn}{letters[place.kind]}"


def test_unknown_error_is_a_dash_and_nobodys_error(data):
    stem = data / "real" / "charlot1-charlot2_7p_2025-11-08-2305"
    decisions = review_decisions(review(load_match(f"{stem}.xg"), load_match(f"{stem}.sgf")))
    unknown = [
        index
        for index in range(len(decisions.shown))
        if decisions.error[1, index] != decisions.error[1, index]
    ]
    assert len(unknown) > 20
    assert not decisions.wrong[1, unknown].any()
    assert {decisions.row(index).errors[1] for index in unknown} == {numbers.UNKNOWN}


TWO_PLY = PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"


def without_cubes(folder):
    """An analysis of checker plays alone."""
    plays = folder / "plays-only.sgf"
    plays.write_text(re.sub(r"DA\[[^]]*\]", "", TWO_PLY.read_text("utf-8")), "utf-8")
    return plays


def test_page_opens_on_a_decision_that_every_analysis_judges(tmp_path):
    comparison = compare(load_match(str(TWO_PLY)), load_match(str(without_cubes(tmp_path))))
    assert not comparison.statistics[1].match.cubes.analysed.any()
    data = json.loads(Page(comparison_page(comparison)).by_id("decisions-data").text)
    assert data["kinds"][data["kind"][data["start"]]][0] == "play"


def test_pr_without_the_cubes_is_put_in_no_class(tmp_path):
    plays, both = load_match(str(without_cubes(tmp_path))), load_match(str(TWO_PLY))
    alone, pair = review(plays), compare(both, plays)
    for facts, complete in (
        (facts_of(review_decisions(alone), alone.analyses), 0),
        (facts_of(comparison_decisions(pair, []), pair.statistics), 2),
    ):
        assert sum(" by gnuBG" in fact and ": PR " in fact for fact in facts) <= complete
    (first, _) = review_rows(review(plays))
    assert re.search(r"no PR by gnuBG, 0 of \d+ cube decisions analysed", first.headline)


def test_page_runs_our_scripts_which_are_small_and_no_other():
    source = many_page(analyses_of(XG))
    policy = source.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    assert "unsafe" not in policy
    inline = [script.text for script in Page(source).find("script") if not script.get("type")]
    assert [digest(text) for text in inline] == [digest(scripts()[name]) for name in SCRIPTS]
    assert all(digest(text) in policy for text in inline)
    assert policy.count("sha256-") == len(inline) + 1


def test_pages_stay_small():
    many = analyses_of(XG, SGF)
    assert len(comparison_page(compare(*many.matches)).encode()) <= 500_000
    assert len(many_page(analyses_of(XG)).encode()) <= 350_000


STATE = """() => {
  const box = document.getElementById('decision');
  const texts = (one, inside) => [...one.querySelectorAll(inside)]
    .map(each => each.textContent.trim());
  return {
    key: location.hash.slice(1), ...box.dataset,
    done: texts(box, '.what b')[0], ids: texts(box, '.ids code'), lines: texts(box, '.legend li'),
    board: box.querySelector('svg.board')?.outerHTML, notes: texts(box, '.opinion p'),
    opinions: [...box.querySelectorAll('.opinion')].map(one => [texts(one, 'caption')[0],
      [...one.querySelectorAll('tbody tr')].map(row => [row.className, ...texts(row, 'th, td')])])
  };
}"""
EVERY = f"""() => {{
  const shown = {STATE}, found = [], press = key => document.body.dispatchEvent(
    new KeyboardEvent('keydown', {{key: key, shiftKey: true, bubbles: true}}));
  if (document.querySelector('.beside')) press('c');
  press('Home');
  for (let last = ''; location.hash !== last; press('ArrowRight')) {{
    last = location.hash; found.push(shown());
  }}
  return found;
}}"""
SVG = "{http://www.w3.org/2000/svg}"


def read_back(board):
    """The position on a drawn board, the numbers of its cube and dice, and whose is the cube."""
    root, counts = ElementTree.fromstring(board), [0] * 26
    for group in root.iter(f"{SVG}g"):
        sign = {"own": 1, "other": -1}.get(group.get("class", ""), 0)
        for stack in group.findall(f"{SVG}g") if sign else ():
            counts[int(stack.get("data-point", ""))] = sign * int(stack.get("data-count", ""))
    (cube,) = (group for group in root.iter(f"{SVG}g") if group.get("class") == "cube")
    dice = [group for group in root.iter(f"{SVG}g") if group.get("class") == "die"]
    number = cube.find(f"{SVG}text")
    assert number is not None
    pips = sorted(len(die.findall(f"{SVG}circle")) for die in dice)
    return tuple(counts), int(number.text or 0), pips


def shown_of(situation):
    """The same of the situation that an identifier names."""
    is_free = situation.cube == 1 and situation.owner == 0
    number = 64 if is_free else situation.cube
    dice = sorted(die for die in situation.dice if die)
    offered = 2 * situation.cube if situation.double_offered else number
    return tuple(situation.position), offered, dice


def tables(many):
    """By analysis every decision as a row of its table."""
    for analysis in many.analyses:
        columns = in_order(analysis.scored).columns
        names = ("game", "turn", "kind")
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        yield {tuple(row[name] for name in names): row for row in rows}


def judgement(row):
    """Whether an analysis counts the decision, and its error."""
    counts = "counts" if row["counted"] else "does not count"
    return f"{counts}, error {numbers.number(row['error'], 3)}"


def assert_says(said, label, row):
    """An analysis says of a decision what its table does."""
    caption, rows = said
    if row is None:
        assert (caption, rows) == (
            f"{label} not in this file",
            [["", "This file has no such decision."]],
        )
        return
    assert caption.startswith(f"{label} {judgement(row)}")
    if row["kind"] != "play" and len(rows) > 1:
        equities = [numbers.signed(row[name], 3) for name in ("no_double", "double_take")]
        passed = numbers.signed(
            1.0 if row["double_pass"] != row["double_pass"] else row["double_pass"], 3
        )
        expected = [*equities, passed] if len(rows) == 3 else [equities[1], passed]
        assert [each[2] for each in rows] == expected
        (made,) = (each[1] for each in rows if each[0] == "made")
        said = made.removesuffix("played").replace("redouble", "double")
        assert said.startswith(row["kind"].replace("-", " "))


def walked(browser, many, folder):
    """How many decisions the keys walk through, each of them as the tables and IDs have it."""
    page, decisions = opened(browser, many, folder), review_decisions(many)
    shown, sides, boards = page.evaluate(EVERY), [*tables(many)], 0
    assert [state["key"] for state in shown] == decisions.keys
    for state in shown:
        place = int(state["game"]), int(state["turn"]), state["kind"]
        found = [side.get(place) for side in sides]
        row = next(each for each in found if each)
        assert state["player"] == row["player"]
        assert state["ids"] == [row["xgid"] or "unknown", row["gnubg_id"] or "unknown"]
        if place[2] == "play" and row["played"]:
            assert state["done"] == f"{row['dice']}: {row['played']}"
        if row["xgid"]:
            assert read_back(state["board"]) == shown_of(from_xgid(row["xgid"])), state["key"]
            boards += 1
        if state["opinions"]:
            for said, label, each in zip(state["opinions"], many.labels, found, strict=True):
                assert_says(said, label, each)
    page.close()
    return boards


def test_keys_walk_every_decision_as_its_ids_and_tables_have_it(browser, tmp_path):
    assert walked(browser, beginnings(".xg", ".sgf", ".xg"), tmp_path) > 80


def test_filters_hide_the_other_rows_and_n_walks_what_is_left(pair):
    _, page, decisions = pair
    rows = (
        "[...document.querySelectorAll('#decisions [data-decision]:not([hidden])')].map(row => "
        "Number(row.dataset.decision))"
    )
    for choice in decisions.filters:
        page.click(f"[data-filter={choice.name}]")
        left = [index for index in decisions.order if choice.group[index]]
        assert page.evaluate(rows) == left
        assert len(left) == choice.count
        following = page.evaluate("location.hash.slice(1)") == decisions.keys[left[0]]
        page.keyboard.press("n")
        assert page.evaluate(STATE)["key"] == decisions.keys[left[following]]
    page.click("[data-filter=all]")
    page.select_option("#choose select[name=kind]", "cube")
    kinds = {decisions.aligned.kind_labels[decisions.shown[index]] for index in page.evaluate(rows)}
    assert kinds
    assert "play" not in kinds
    page.locator("#choose select[name=kind]").focus()
    before = page.evaluate("location.hash")
    page.keyboard.press("n")  # chooses in the list, and does not step
    assert page.evaluate("location.hash") == before


def test_clicks_push_keys_replace_and_back_works(browser, tmp_path):
    many = analyses_of(XG, SGF)
    page = opened(browser, many, tmp_path, "#g2t3")
    assert page.evaluate(STATE)["turn"] == "3"
    row = page.locator("#decisions li").first
    row.click()
    first = page.evaluate(STATE)["key"]
    assert first == review_decisions(many).keys[int(row.get_attribute("data-decision"))]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(STATE)["key"] != first
    page.go_back()
    page.wait_for_function("() => location.hash === '#g2t3'")
    assert page.evaluate(STATE)["turn"] == "3"
    page.locator("#curve > svg").click(position={"x": 400, "y": 50})
    chosen = page.evaluate(STATE)["key"]
    assert chosen != "g2t3"
    page.locator("[data-step]").first.click()
    previous = page.evaluate(STATE)["key"]
    page.locator("[data-step]").first.click()
    assert page.evaluate(STATE)["key"] not in (previous, chosen)
    page.evaluate("location.hash = '#g99t1r'")
    page.wait_for_function(
        "() => document.getElementById('missing').textContent.endsWith('g99t1r')"
    )
    assert page.locator("#missing").is_visible()


def test_other_addresses_are_no_fault(short_pair):
    page = short_pair.page
    faults = []
    page.on("pageerror", lambda fault: faults.append(fault))
    address = page.url
    for place in ("#%", "#%zz", "#g1t1%00", "#<b>", "#verdict"):
        page.goto(address + place)
        page.reload()
        assert page.evaluate("document.documentElement.dataset.state") == "ready"
        assert faults == []
        assert page.evaluate("document.getElementById('expert').open") is (place == "#verdict")


def test_positions_that_are_copied_are_those_of_the_list(pair):
    _, page, decisions = pair
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-filter=wrong-in-all]")
    page.click("#copy-positions")
    page.wait_for_function("() => document.querySelector('#copy-positions').dataset.copy")
    copied = page.evaluate("document.querySelector('#copy-positions').dataset.copy").split("\n")
    wrong = next(choice.group for choice in decisions.filters if choice.name == "wrong-in-all")
    expected = [decisions.row(index).xgid for index in decisions.order if wrong[index]]
    assert copied == [position for position in expected if position]
    assert all(from_xgid(position) for position in copied)


def test_games_that_are_scrolled_out_of_the_strip_are_no_dead_links(browser, tmp_path):
    rich = load_match(str(PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"))
    phone = opened(browser, review(rich), tmp_path, viewport=PHONE, bypass_csp=True)
    assert phone.locator("#strip a").first.bounding_box()["x"] < 0
    assert not violations(phone)
    phone.evaluate("location.hash = document.querySelector('#strip a').hash")
    phone.wait_for_function("() => document.getElementById('decision').dataset.game === '1'")
    box = phone.locator("#decision").bounding_box()
    assert 0 <= box["y"] < 100
