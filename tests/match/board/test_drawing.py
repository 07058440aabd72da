"""The board: well-formed, with every checker in its place, whatever the position."""

import re
from itertools import islice
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

import reconcile
from reconcile.match.board.drawing import HEIGHT, SHOWN, WIDTH, board_svg
from reconcile.match.board.position import PLACES, Situation, borne_off, from_position_id, swap
from reconcile.match.columns import Kind
from tests.match.board.boards import positions, read_board
from tests.support.examples import examples
from tests.support.gnubg import needs_gnubg, terminal

SVG = "{http://www.w3.org/2000/svg}"


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
    root = parsed(board_svg(Situation(position)))
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
    dice = (0, 0) if offered else (die1, die2)
    situation = Situation(position, dice, cube, owner, 7, (4, 2), double_offered=offered)
    svg = board_svg(situation, ("<a & b>", '"c"'), key='"<a')
    assert parsed(svg).get("class") == "board"
    assert "<a" not in svg


def texts(svg):
    return [element.text or "" for element in parsed(svg).iter(f"{SVG}text")]


def test_points_pips_names_score_and_cube_can_be_read():
    words = texts(board_svg(Situation(length=7, score=(4, 2)), ("Nora", "Tomas")))
    assert [str(point) for point in range(1, 25)] == words[:24]
    assert words.count("167 pips") == 2
    assert {"Nora, 3-away", "Tomas, 5-away"} <= set(words)
    assert texts(board_svg(Situation()))[-1] == "64"
    assert texts(board_svg(Situation(cube=2, owner=-1)))[-1] == "2"
    assert texts(board_svg(Situation(cube=2, owner=-1, double_offered=True)))[-1] == "4"


def test_picture_has_a_title_and_a_description_in_words():
    situation = Situation(dice=(3, 1), length=7, score=(4, 2))
    root = parsed(board_svg(situation, key="k", name="Nora to play 31"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "k-t k-d"
    assert [root[0].text, root[0].get("id"), root[1].get("id")] == ["Nora to play 31", "k-t", "k-d"]
    assert root[1].text is not None
    assert root[1].text.startswith(
        "Decider, 167 pips: 2 on 24, 5 on 13, 3 on 8, 5 on 6. Opponent, 167 pips: 2 on 1"
    )
    assert "Dice 3 and 1" in root[1].text


def test_hypergammon_has_no_checkers_off_at_the_start():
    position = (0, -1, -1, -1, *[0] * 18, 1, 1, 1, 0)
    assert "data-off" not in board_svg(Situation(position), checkers=3)


def board_of(root):
    """The 26 counts that a picture shows, in the decider's view."""
    board = [0] * PLACES
    for side, sign in (("own", 1), ("other", -1)):
        for place, (_, seen) in drawn(root, side).items():
            board[place] += sign * seen
    return tuple(board)


def with_ids(match):
    """Every decision with its gnuBG ID."""
    table = reconcile.statistics(match).decisions()
    places = zip(table["game"].tolist(), table["turn"].tolist(), table["kind"], strict=True)
    ids = dict(zip(places, table["gnubg_id"], strict=True))
    for decision in match.decisions():
        yield decision, ids[decision.game, decision.turn, decision.kind.label]


def test_picture_of_a_decision_in_a_notebook_shows_the_position_of_its_gnubg_id():
    for path in reconcile.samples().values():
        for decision, gnubg_id in islice(with_ids(reconcile.load_match(path)), 0, None, 19):
            position = from_position_id(gnubg_id.partition(":")[0])
            shown = board_of(parsed(decision._repr_svg_()))
            assert shown == (swap(position) if decision.kind >= Kind.TAKE else position)


@needs_gnubg
def test_gnubg_reads_from_the_id_of_a_decision_what_its_picture_shows(tmp_path):
    match = reconcile.load_match(reconcile.samples()["nora-lindqvist-tomas-beck.xg"])
    decisions = [each for each in with_ids(match) if each[0].kind < Kind.TAKE][::3]
    asked = "".join(f"set gnubgid {each}\nshow board\nshow cube\n" for _, each in decisions)
    _, *blocks = terminal(asked, tmp_path).decode().split("Setting GNUbg ID ")
    owners = set()
    for (decision, _), block in zip(decisions, blocks, strict=True):
        lines = block.split("The cube is ")[0].splitlines()
        root, is_top = parsed(decision._repr_svg_()), bool(re.search("On roll|Rolled", lines[5]))
        assert board_of(root) == read_board(lines)["O" if is_top else "X"]
        cube = root.find(f"{SVG}g[@class='cube']/{SVG}text")
        height = float(cube.get("y")) - HEIGHT / 2
        if "Crawford" not in block:
            ((value, owner),) = re.findall(r"cube is at (\d+), and is (.*?)\.", block)
            assert cube.text == ("64" if value == "1" else value)
            below = {"centred": 0, "owned by gnubg": 1, "owned by root": -1}[owner]
            below *= 1 if is_top else -1
            assert (height > 50) - (height < -50) == below
            owners.add(below)
    assert owners == {-1, 0, 1}
