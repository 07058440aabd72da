"""The board: well-formed, with every checker in its place, whatever the position."""

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.match.board.position import START, borne_off
from reconcile.report.html.board import HEIGHT, SHOWN, WIDTH, board_svg
from reconcile.report.html.render import as_json, messages, scripts
from tests.support.examples import examples

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def positions(draw):
    """Any position with up to fifteen checkers a side and no point held by both."""
    board = [0] * 26
    for own in (True, False):
        for _ in range(draw(st.integers(0, 15))):
            place = draw(st.integers(1, 25))
            index = place if own else 25 - place
            if own == (board[index] >= 0) or board[index] == 0:
                board[index] += 1 if own else -1
    return tuple(board)


def parsed(svg):
    return ElementTree.fromstring(svg)


def drawn(root, side):
    """Checkers by place: how many the group says, and how many can be seen or read."""
    checkers = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("class") == side:
            for stack in group.findall(f"{SVG}g"):
                circles, number = stack.findall(f"{SVG}circle"), stack.find(f"{SVG}text")
                count = int(number.text or 0) if number is not None else len(circles)
                assert len(circles) == min(count, SHOWN)
                checkers[int(stack.get("data-point", ""))] = (
                    int(stack.get("data-count", "")),
                    count,
                )
    return checkers


@given(positions())
@settings(max_examples=examples(150))
def test_every_checker_is_drawn_in_its_place_or_borne_off(position):
    root = parsed(board_svg(position))
    for side, sign, off in zip(("own", "other"), (1, -1), borne_off(position), strict=True):
        expected = {
            place: (sign * count, sign * count)
            for place, count in enumerate(position)
            if sign * count > 0
        }
        assert drawn(root, side) == expected
        trays = [group for group in root.iter(f"{SVG}g") if group.get("data-off")]
        if off:
            assert any(
                len(tray.findall(f"{SVG}rect")) == off == int(tray.get("data-off", ""))
                for tray in trays
            )
    circles = list(root.iter(f"{SVG}circle"))
    assert bool(circles) == any(position)
    for circle in circles:
        assert 0 < float(circle.get("cx", "")) < WIDTH
        assert 0 < float(circle.get("cy", "")) < HEIGHT


@given(
    positions(),
    st.integers(1, 6),
    st.integers(1, 6),
    st.sampled_from([1, 2, 64, 1024]),
    st.sampled_from([-1, 0, 1]),
    st.booleans(),
)
@settings(max_examples=examples(60))
def test_any_decision_gives_well_formed_markup(position, die1, die2, cube, owner, offered):
    svg = board_svg(
        position,
        dice=None if offered else (die1, die2),
        cube=cube,
        owner=owner,
        offered=offered,
        away=(3, 5),
        names=("<a & b>", '"c"'),
    )
    assert parsed(svg).get("class") == "board"
    assert "<a" not in svg


def texts(svg):
    return [element.text or "" for element in parsed(svg).iter(f"{SVG}text")]


def test_points_pips_names_score_and_cube_can_be_read():
    words = texts(board_svg(START, away=(3, 5), names=("Nora", "Tomas")))
    assert [str(point) for point in range(1, 25)] == words[:24]
    assert words.count("167 pips") == 2
    assert {"Nora, 3-away", "Tomas, 5-away"} <= set(words)
    assert texts(board_svg(START))[-1] == "64"
    assert texts(board_svg(START, cube=2, owner=-1))[-1] == "2"
    assert texts(board_svg(START, cube=2, owner=-1, offered=True))[-1] == "4"


def test_picture_has_a_title_and_a_description_in_words():
    root = parsed(board_svg(START, dice=(3, 1), away=(3, 5), key="k", name="Nora to play 31"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "k-t k-d"
    assert [root[0].text, root[0].get("id"), root[1].get("id")] == ["Nora to play 31", "k-t", "k-d"]
    assert root[1].text is not None
    assert root[1].text.startswith(
        "Decider, 167 pips: 2 on 24, 5 on 13, 3 on 8, 5 on 6. Opponent, 167 pips: 2 on 1"
    )
    assert "Dice 3 and 1" in root[1].text


DRAWN = """([counts, play]) => Board.svg({ counts, dice: [0, 0], cube: 1, owner: 0, offered: false,
  checkers: 15, light: true, away: null, names: ['', ''] }, [['played', play]], 'k', '', false)"""


def test_steps_of_one_checker_are_one_arrow_unless_it_hits_on_the_way(browser):
    page = browser.new_page()
    said = as_json(messages(("board", "notation"), "en"))
    page.set_content(f'<html lang="en"><script type="application/json" id="words">{said}</script>')
    source = "".join(scripts()[name] for name in ("words", "notation", "board"))
    page.add_script_tag(content=f"{source}; window.Board = Board;")
    hit = [-1 if place == 18 else count for place, count in enumerate(START)]
    for counts, play, lines in (
        (START, ((24, 18), (18, 13)), 1),
        (hit, ((24, 18), (18, 13)), 2),
        (START, ((13, 7), (8, 7)), 2),
    ):
        svg = page.evaluate(DRAWN, [list(counts), [list(step) for step in play]])
        # Each with its white edge.
        assert svg.count("Q") == 2 * lines


def test_hypergammon_has_no_checkers_off_at_the_start():
    position = (0, -1, -1, -1, *[0] * 18, 1, 1, 1, 0)
    assert "data-off" not in board_svg(position, checkers=3)
