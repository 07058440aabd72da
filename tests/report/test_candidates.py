"""The candidates of a decision on the page: all analyses in one table, chances as the documents
have them, and what a play gives up.
"""

import pytest

from reconcile.report import numbers
from reconcile.report.html.decision_list import review_decisions
from reconcile.results.decisions import decisions_document
from reconcile.scoring.statistics import statistics
from tests.report.open_pages import PHONE, opened
from tests.support.long import long_but_first
from tests.support.several import beginnings

NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
TABLES = """() => {
  const found = {}, press = key => document.body.dispatchEvent(
    new KeyboardEvent('keydown', {key: key, shiftKey: true, bubbles: true}));
  press('Home');
  for (let last = ''; location.hash !== last; press('ArrowRight')) {
    last = location.hash;
    const box = document.getElementById('decision');
    const texts = all => [...all].map(one => one.textContent);
    found[last.slice(1)] = {
      heads: texts(box.querySelectorAll('thead tr:last-child th')),
      groups: texts(box.querySelectorAll('thead [scope=colgroup]')),
      rows: [...box.querySelectorAll('[data-action]')].map(row => [
        row.dataset.action, row.className, texts(row.querySelectorAll('td'))]),
      notes: texts(box.querySelectorAll('.opinion p')),
      players: [...box.querySelectorAll('.players tbody tr')].map(
        row => texts(row.querySelectorAll('td'))),
      verdicts: texts(box.querySelectorAll('.opinion strong'))
    };
  }
  return found;
}"""
WIDE = {"width": 1280, "height": 800}


def percent(value):
    return f"{round(1000 * value) / 10:.1f}"


def documents(many):
    """By analysis the list of its decisions with candidates."""
    for match in many.matches:
        rows = decisions_document(statistics(match), candidates=True).decisions
        yield {(row["game"], row["turn"], row["kind"]): row for row in rows}


def chances_of_cubes(many):
    """By analysis those of every cube decision: without a double, and with one that is taken."""
    for match in many.matches:
        plays = len(match.plays)
        cubes = map(match.decision, range(plays, plays + len(match.cubes)))
        yield {(cube.game, cube.turn, cube.kind.label): cube.chances for cube in cubes}


def cells(row, action, chances):
    """Equity, and so many chances, that a document has of a play; `None` where it lists no such."""
    listed = next((candidate for candidate in row["candidates"] if candidate.play == action), None)
    if listed is None:
        return None
    return [
        numbers.signed(listed.equity, 3),
        *(
            percent(getattr(listed.chances, name)) if listed.chances else numbers.UNKNOWN
            for name in NAMES[:chances]
        ),
    ]


def place_of(items, item):
    """Game, turn and kind of a decision."""
    return int(items.game[item]), int(items.turn[item]), items.kind_labels[item]


@pytest.mark.parametrize(
    ("files", "size", "chances"),
    long_but_first(
        [
            pytest.param((".xg", ".sgf"), WIDE, 2, id="two"),
            pytest.param((".xg", ".sgf"), PHONE, 0, id="two-on-a-phone"),
            pytest.param((".sgf",), PHONE, 2, id="one-on-a-phone"),
            pytest.param((".xg", ".sgf", ".xg"), WIDE, 0, id="three"),
        ],
        0,
        3,
    ),
)
def test_one_table_has_what_the_documents_have(browser, tmp_path, files, size, chances):
    many = beginnings(*files)
    page, decisions, sides = (
        opened(browser, many, tmp_path, viewport=size),
        review_decisions(many),
        [*documents(many)],
    )
    if len(files) == 1:
        page.keyboard.press("a")
    shown = page.evaluate(TABLES)
    whole, compared, absent = 0, 0, 0
    for index, item in enumerate(decisions.shown.tolist()):
        place = place_of(decisions.aligned, item)
        table = shown[decisions.keys[index]]
        if place[2] != "play" or not table["rows"]:
            continue
        width = (len(table["heads"]) - 1) // len(files)
        heads = ["Equity", "Diff.", *["Win", "Gammon"][: width - 2]]
        if table["heads"][1:] != len(files) * heads:
            assert not all(
                document[place].get("candidates") and document[place]["candidates"][0].chances
                for document in sides
            )
            continue
        assert width in (2, 2 + chances), "where the table is too wide it leaves the chances out"
        whole += width == 2 + chances
        if len(files) == 1:
            listed = [candidate.play for candidate in sides[0][place]["candidates"]]
            assert [action for action, _, _ in table["rows"]] == listed
        for action, _, texts in table["rows"]:
            assert len(texts) == width * len(files)
            for side, document in enumerate(sides):
                there = texts[side * width : (side + 1) * width]
                expected = cells(document[place], action, width - 2) if place in document else None
                if there[0] == numbers.UNKNOWN:
                    absent += 1
                    continue
                if width > 2 and {*there[2:]} == {numbers.UNKNOWN}:
                    assert len(table["rows"]) > 5, "of those on demand the page has no chances"
                    expected = [(expected or [""])[0], *there[2:]]
                assert [there[0], *there[2:]] == expected, (place, action, side)
                compared += 1
    assert whole > 20
    assert compared > 100
    assert absent == 0 or len(files) > 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_cube_decision_has_the_chances_of_both_players_and_the_verdict(pair):
    many, page, decisions = pair
    shown, sides = page.evaluate(TABLES), [*chances_of_cubes(many)]
    verdicts_are_those_of_the_equities(shown, decisions)
    kinds = set()
    for index, item in enumerate(decisions.shown.tolist()):
        place = place_of(decisions.aligned, item)
        table = shown[decisions.keys[index]]
        if place[2] not in ("no-double", "double", "take", "pass") or not table["players"]:
            continue
        turned = place[2] in ("take", "pass")
        for side, chances in enumerate(sides):
            win, gammon, backgammon, *lost = chances[place][0]
            there = table["players"][2 * side : 2 * side + 2][:: -1 if turned else 1]
            if win == win:
                assert there[0] == [percent(each) for each in (win, gammon, backgammon)]
                assert there[1][1:] == [percent(each) for each in lost]
                assert abs(float(there[1][0]) + float(there[0][0]) - 100) < 0.11
                kinds.add(place[2])
    assert kinds == {"no-double", "double", "take", "pass"}


VERDICTS = {
    ("double", "take"): "double, take",
    ("double", "pass"): "double, pass",
    ("no double", "take"): "no double, take",
    ("no double", "pass"): "too good to double, pass",
}


def verdicts_are_those_of_the_equities(shown, decisions):
    said = set()
    names = ("no_double", "double_take", "double_pass", "cube")
    columns = [decisions.aligned.column(name) for name in names]
    for index, item in enumerate(decisions.shown.tolist()):
        groups = shown[decisions.keys[index]]["verdicts"]
        for text, on, take, passed, _ in zip(groups, *(c[:, item] for c in columns), strict=False):
            best = "double" if min(take, passed) >= on else "no double"
            verdict = VERDICTS[best, "take" if take <= passed else "pass"]
            assert text.replace("redouble", "double") == verdict
            said.add(text)
    assert len(said) > 4


def test_all_chances_and_what_the_play_gives_up_come_on_demand_and_on_paper(short_pair):
    many, page, decisions = short_pair
    sides = [*documents(many)]
    wrong = next(
        index
        for index in decisions.order
        if decisions.aligned.kind_labels[decisions.shown[index]] == "play"
        and decisions.wrong[:, index].all()
    )
    page.goto(f"{page.url}#{decisions.keys[wrong]}")
    assert page.locator("#decision .opinion").count() == 1
    page.keyboard.press("c")
    assert page.locator("#decision .opinion").count() == 2
    table = page.locator("#decision .opinion").first
    assert "Gammon lost" in table.inner_text()
    item = decisions.shown[wrong]
    row = sides[0][int(decisions.aligned.game[item]), int(decisions.aligned.turn[item]), "play"]
    best = row["candidates"][0]
    played = next(candidate for candidate in row["candidates"] if candidate.made)
    lost = [
        round(1000 * getattr(played.chances, name)) - round(1000 * getattr(best.chances, name))
        for name in NAMES
    ]
    note = next(text for text in table.locator("p").all_inner_texts() if "against the best" in text)
    assert [
        int(float(word.replace("−", "-").replace("%", "")) * 10 + (0.5 if "+" in word else -0.5))
        for word in note.replace("Played, against the best: ", "").split()
        if word[0] in "+−"
    ] == [change for change in lost if change]
    page.locator("#decision [data-go=c]").click()
    assert page.locator("#decision .opinion").count() == 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#decision .opinion").count() == 2
