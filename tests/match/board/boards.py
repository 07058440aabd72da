"""Positions of every kind, and the boards that gnuBG and XG drew in their text exports."""

import re
from random import Random

import pytest
from hypothesis import strategies as st

from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START, borne_off, swap
from tests.support.data import FOLDER


@st.composite
def positions(draw):
    """Any position of up to 15 checkers a side, with at least one on the board for each."""
    board = [0] * 26
    for side, bar in ((1, 25), (-1, 0)):
        for place in draw(st.lists(st.integers(1, 25), min_size=1, max_size=15)):
            point = bar if place == 25 else place
            if board[point] * side >= 0:
                board[point] += side
    if all(count >= 0 for count in board):
        board[0] -= 1
    return tuple(board)


def rolls(seed):
    """Positions with rolls from games of random plays: hits, bars, dances, crashed boards, races
    and bearoffs."""
    chance = Random(seed)
    while True:
        position = START
        while min(15 - off for off in borne_off(position)) > 0:
            dice = chance.randint(1, 6), chance.randint(1, 6)
            yield position, dice
            plays = legal_plays(position, *dice)
            position = swap(chance.choice(plays).result if plays else position)


def read_board(lines):
    """What a drawn board shows: the position in the view of the player whose numbering it carries,
    and of the other."""
    top, bottom = (index for index, line in enumerate(lines) if "+1" in line and "---" in line)
    middle = next(index for index, line in enumerate(lines) if "|BAR|" in line)
    bar = lines[middle].index("BAR") + 1
    shown = {sign: [0] * 26 for sign in "XO"}
    for border, rows in ((top, range(top + 1, middle)), (bottom, range(bottom - 1, middle, -1))):
        columns = {
            int(label[0]): label.end() - 1
            for label in re.finditer(r"\d+", lines[border].split("-+")[0])
        }
        for place, column in [*columns.items(), (25, bar)]:
            stack = [mark for mark in (lines[row][column] for row in rows) if mark != " "]
            for sign in set(stack) & set("XO"):
                shown[sign][place] += int(stack[-1]) if stack[-1].isdigit() else stack.count(sign)
    views = {}
    for own, other in ("XO", "OX"):
        points = [
            mine - theirs for mine, theirs in zip(shown[own][1:25], shown[other][1:25], strict=True)
        ]
        views[own] = (-shown[other][25], *points, shown[own][25])
    return views


def folder(name):
    """A folder of samples; without it the test is skipped."""
    if not (FOLDER / name).is_dir():
        pytest.skip(f"the samples of {name} are not here; set RECONCILE_DATA")
    return FOLDER / name


def gnubg_boards():
    """The drawn boards of gnuBG's text exports, each with its two IDs, from the ID to the pip
    counts."""
    for path in sorted(folder("gnubg-text").glob("*/*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for index, line in enumerate(lines):
            if "Position ID:" in line:
                yield lines[index : index + 17]


def xg_texts():
    """XG's text exports of positions."""
    for path in sorted(folder("xg-text").glob("*.txt")):
        yield path.read_text(encoding="utf-8")
