"""What the page of a match says around a decision: its numbers in other programs, comments, marks,
every candidate, and how a game was resigned.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.gap.review import review
from reconcile.match.columns import Kind
from reconcile.report.html.decision_list import review_decisions
from tests.report.open_pages import opened
from tests.support.command_line import SGF, XG
from tests.support.data import label, matching, skipped_if_empty
from tests.support.several import analyses_of

HEADS = """() => {
  const found = [], press = key => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true }));
  press('Home');
  for (let last = ''; location.hash !== last; press('ArrowRight')) {
    last = location.hash;
    const box = document.getElementById('decision');
    found.push([box.dataset.kind, box.querySelector('h2 small')?.textContent || '']);
  }
  return found;
}"""


def first(pattern):
    """The first of the real files."""
    files = matching(pattern)[:1]
    return skipped_if_empty([pytest.param(path, id=label(path)) for path in files])


def numbered(browser, path, folder):
    """Of every play the number of its move in a transcript, and in gnuBG's text."""
    heads = opened(browser, review(load_match(str(path))), folder).evaluate(HEADS)
    return [tuple(map(int, re.findall(r"\d+", text))) for kind, text in heads if kind == "play"]


@pytest.mark.parametrize("path", first("real/*.mat"))
def test_moves_have_the_numbers_of_a_transcript(browser, tmp_path, path):
    expected = []
    for line in path.read_text("utf-8-sig").splitlines():
        if row := re.match(r" *(\d+)\) ", line):
            expected += [int(row[1])] * len(re.findall(r"(?<!\d)[1-6][1-6]:", line))
    assert [first for first, _ in numbered(browser, path, tmp_path)] == expected
    assert len(expected) > 100


@pytest.mark.parametrize("path", first("gnubg-text/2-ply/*[0-9][0-9][0-9][0-9].txt"))
def test_moves_have_the_numbers_of_gnubgs_text(browser, tmp_path, path):
    games = [path, *sorted(path.parent.glob(f"{path.stem}_*.txt"))]
    text = "".join(game.read_text("utf-8") for game in games)
    said = re.findall(r"^Move number (\d+): .* to play", text, re.MULTILINE)
    assert [second for _, second in numbered(browser, path, tmp_path)] == list(map(int, said))
    assert said


def test_comments_of_every_file_are_below_the_board(browser, tmp_path):
    many = analyses_of(XG, SGF)
    place = 0, 3, Kind.PLAY
    texts = ("A <b>hard</b> one.\nSee Magriel.", "Another hand.")
    files = [
        replace(match, comments={place: text})
        for match, text in zip(many.matches, texts, strict=True)
    ]
    page = opened(browser, review(*files), tmp_path, "#g1t3")
    assert tuple(page.locator("#decision .board-side .comment").all_inner_texts()) == texts
    page.keyboard.press("ArrowRight")
    assert page.locator("#decision .comment").count() == 0


def test_list_by_game_marks_errors_by_their_size(browser, tmp_path):
    page, decisions = opened(browser, analyses_of(XG), tmp_path), review_decisions(analyses_of(XG))
    assert not page.locator("#decisions em").first.is_visible()
    page.select_option("#choose select[name=order]", "game")
    rows = page.evaluate(
        "[...document.querySelectorAll('#decisions li:not([hidden])')].map(row => "
        "[Number(row.dataset.decision), row.querySelector('em').innerText])"
    )
    listed = [index for index, _ in rows]
    assert listed == sorted(listed)
    kinds = [decisions.aligned.kind_labels[item] for item in decisions.shown]
    assert [index for index, kind in enumerate(kinds) if kind == "play"] == [
        index for index in listed if kinds[index] == "play"
    ]
    marks = ("", "?!", "?", "??")
    borders = (0.02, 0.05, 0.08)
    for index, mark in rows:
        reached = sum(round(decisions.worst[index], 5) >= border for border in borders)
        assert mark == marks[reached], decisions.keys[index]
    assert {mark for _, mark in rows} == set(marks)


def test_resignation_shows_the_last_board_and_what_it_was_worth(browser, tmp_path):
    many = analyses_of(XG)
    decisions, games = review_decisions(many), many.matches[0].games
    aligned = decisions.aligned
    (at, *_) = np.flatnonzero(aligned.kind[decisions.shown] == Kind.RESIGN.value)
    decision = decisions.shown[at]
    page = opened(browser, many, tmp_path, f"#{decisions.keys[at]}")
    points = int(games.points[games.number == aligned.game[decision]][0])
    said = page.locator("#decision .what b").inner_text()
    assert said.startswith("resigns")
    assert said.endswith(f"{points} point{'s' * (points > 1)}")
    shares = {1: "resigns,", 2: "resigns a gammon,", 3: "resigns a backgammon,"}
    assert said.startswith(shares[points // int(aligned.stated("cube")[decision])])
    stacks = page.evaluate(
        "[...document.querySelectorAll('#decision .board g[data-point]')].map(one => "
        "[one.parentNode.classList.contains('own'), Number(one.dataset.point), "
        "Number(one.dataset.count)])"
    )
    board = [0] * 26
    for is_own, point, count in stacks:
        board[point] = count if is_own else -count
    assert board == aligned.stated("position")[decision].tolist()
