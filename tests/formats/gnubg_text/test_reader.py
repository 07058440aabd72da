"""A short match that gnuBG analysed and exported for this test: what is in its pages, and what happens to pages that are not whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match, read_match
from reconcile.match.board.play import play_text
from reconcile.match.columns import Kind
from reconcile.match.match import Match, fingerprint
from reconcile.scoring.statistics import statistics

HERE = Path(__file__).parent
FIRST, SECOND = (HERE / f"evening{number}.txt" for number in ("", "_002"))
PAGES = FIRST.read_text("utf-8") + SECOND.read_text("utf-8")


def read(text: str) -> Match:
    return read_match("evening.txt", text.encode())


@pytest.fixture(scope="module")
def match() -> Match:
    return load_match(FIRST)


@pytest.fixture(scope="module")
def whole() -> Match:
    """The same analysis as gnuBG saved it."""
    return load_match(HERE / "evening.sgf")


def test_match_is_that_of_the_sgf(match: Match, whole: Match) -> None:
    assert (match.source.format, match.source.tool, match.source.tool_version) == ("gnubg-text", "GNU Backgammon", "1.07.001")
    assert (match.players, match.length, match.rules, match.complete) == (whole.players, whole.length, whole.rules, whole.complete)
    assert fingerprint(match) == fingerprint(whole)
    assert (match.event, match.notes) == ("Club evening", ())
    for table in ("games", "plays", "cubes", "resignations"):
        assert len(getattr(match, table)) == len(getattr(whole, table))
    assert match.games.resigned.tolist() == [False, True]
    assert [level.label for level in match.levels] == ["0-ply cubeful"]


def test_equities_are_those_of_the_sgf_to_the_printed_digit(match: Match, whole: Match) -> None:
    for name in ("best", "luck"):
        assert np.allclose(getattr(match.plays, name), getattr(whole.plays, name), rtol=0, atol=0.000501)
    assert match.plays.luck_mark.tolist() == whole.plays.luck_mark.tolist()
    lost = [one.plays.best - one.plays.played for one in (match, whole)]
    assert np.all(np.abs(lost[0] - lost[1]) <= match.plays.half + 1e-6)
    one, two = statistics(match), statistics(whole)
    for seat in (0, 1):
        mine, theirs = one.figures(seat), two.figures(seat)
        for metric in ("decisions.checker", "decisions.double", "decisions.take", "errors.total", "blunders.total", "doubtful.total"):
            assert mine[metric] == theirs[metric]
        assert mine["equity_error.total"] == pytest.approx(theirs["equity_error.total"], abs=0.002)


def test_cube_actions_and_their_three_values(match: Match) -> None:
    cubes = match.cubes
    acted = [
        (Kind(kind).label, match.players[seat], int(cube))
        for kind, seat, cube in zip(cubes.kind, cubes.player, cubes.cube, strict=True)
        if kind != Kind.NO_DOUBLE
    ]
    assert acted == [("double", "Ben", 1), ("double", "Ann", 2), ("take", "Ann", 1), ("pass", "Ben", 2)]
    assert cubes.double_pass[cubes.analysed].tolist() == [1.0] * int(cubes.analysed.sum())
    taken = int(np.flatnonzero(cubes.kind == Kind.TAKE)[0])
    doubled = int(np.flatnonzero((cubes.kind == Kind.DOUBLE) & (cubes.player == 1))[0])
    assert cubes.double_take[taken] == cubes.double_take[doubled]  # in the view of the player who doubled


def test_candidates_as_printed(match: Match) -> None:
    row = next(row for row in range(len(match.plays)) if match.candidates(row)[-1].made)
    candidates = match.candidates(row)
    assert len(candidates) in (5, 6)
    assert sum(one.made for one in candidates) == 1
    assert all(len(one.probabilities) == 5 for one in candidates)
    assert candidates[0].equity == pytest.approx(match.plays.best[row])
    made = next(one for one in candidates if one.made)
    assert made.equity == match.plays.played[row]
    assert play_text(match.plays.position[row].tolist(), made.play) == play_text(match.plays.position[row].tolist(), match.plays.play[row])


def test_pages_put_together_by_hand_are_the_same_match(match: Match) -> None:
    assert fingerprint(read(PAGES)) == fingerprint(match)
    assert fingerprint(read(SECOND.read_text("utf-8") + FIRST.read_text("utf-8"))) == fingerprint(match)
    assert read_match("f", ("\ufeff" + PAGES.replace("\n", "\r\n")).encode()).source.format == "gnubg-text"


def test_an_unanalysed_page_is_not_analysed() -> None:
    text = PAGES
    for line in [line for line in text.splitlines() if "Eq.:" in line]:
        text = text.replace(line + "\n", "")
    bare = read(text.replace("Cube analysis", "Nothing"))
    assert not bare.plays.analysed.any()
    assert not bare.cubes.analysed.any()
    assert statistics(bare).figures(0)["pr"] is None


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        ("4HPwATDgc/ABMA", "4HPwATDgc/ABKA", "turn 2: the board does not follow from the play before it"),
        ("* Ann moves 8/5 6/5", "* Ann moves 8/5 8/5", "turn 2: the board does not follow"),
    ],
)
def test_what_cannot_have_been_is_noted(old: str, new: str, evidence: str) -> None:
    notes = read(PAGES.replace(old, new, 1)).notes
    assert any(evidence in note.evidence for note in notes), notes
