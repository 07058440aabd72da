"""The board of a page: the same picture as a notebook has, and the arrows of plays."""

from dataclasses import asdict
from xml.etree import ElementTree

import reconcile
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.position import START
from reconcile.report.html.look import as_json, messages, scripts

DRAWN = """([counts, play]) => Board.svg({ counts, dice: [0, 0], cube: 1, owner: 0, offered: false,
  checkers: 15, light: true, away: null, names: ['', ''] }, [['played', play]], 'k', '', false)"""


SITUATION = """one => {
  const away = one.length && one.score.map((points) => one.length - points);
  const own = { counts: one.position, offered: one.double_offered, away };
  return Board.svg({ ...one, ...own }, [], 'k', 'Nora', false);
}"""


def drawing_page(browser):
    """A page that has nothing but what draws a board."""
    page = browser.new_page()
    said = as_json(messages(("board", "notation"), "en"))
    page.set_content(f'<html lang="en"><script type="application/json" id="words">{said}</script>')
    source = "".join(scripts()[name] for name in ("words", "notation", "board"))
    page.add_script_tag(content=f"{source}; window.Board = Board;")
    return page


def elements(svg):
    """Tags, attributes and texts of a picture."""
    return [(each.tag, each.attrib, each.text) for each in ElementTree.fromstring(svg).iter()]


def test_page_draws_the_board_that_a_notebook_shows(browser):
    page = drawing_page(browser)
    for path in reconcile.samples().values():
        for decision in list(reconcile.load_match(path).decisions())[::7]:
            names, is_light = (decision.player, decision.opponent), decision.seat == 0
            shown = {**asdict(decision.situation), "names": names, "light": is_light}
            drawn = page.evaluate(SITUATION, shown | {"checkers": decision.checkers})
            expected = board_svg(
                decision.situation, names, light=is_light, key="k", name="Nora", shared=True
            )
            assert elements(drawn) == elements(expected)


def test_steps_of_one_checker_are_one_arrow_unless_it_hits_on_the_way(browser):
    page = drawing_page(browser)
    hit = [-1 if place == 18 else count for place, count in enumerate(START)]
    for counts, play, lines in (
        (START, ((24, 18), (18, 13)), 1),
        (hit, ((24, 18), (18, 13)), 2),
        (START, ((13, 7), (8, 7)), 2),
    ):
        svg = page.evaluate(DRAWN, [list(counts), [list(step) for step in play]])
        # Each with its white edge.
        assert svg.count("Q") == 2 * lines
