"""The columns of a decision's situation: its phase, score and position, what was done and best,
equities, and of mistakes the XGID."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile.corpus.tables import RULES
from reconcile.formats import load_match
from reconcile.formats.xg import records
from reconcile.match.board.play import apply_play, play_text
from reconcile.match.board.position import NACKGAMMON, START, position_id, swap
from reconcile.match.columns import Kind
from reconcile.match.facts import Facts
from reconcile.match.phases import race_state
from reconcile.scoring.grades import ERROR
from reconcile.scoring.statistics import statistics
from tests.corpus.corpus_folder import make, table
from tests.support import blunderdb_writer
from tests.support import data as real
from tests.support.archive import SGF, XG
from tests.support.small_transcripts import MONEY, SHORT
from tests.support.xg_tampering import changed, first

EQUAL = real.PROJECT / "reference_matches" / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
"""Some of its plays are as good as gnuBG's first candidate."""
Decided = dict[tuple[Any, ...], Any]


def position(**places):
    """Checkers by place: `p6=2` two own ones on the six point, `p20=-3` three of the opponent's."""
    counts = [0] * 26
    for place, count in places.items():
        counts[int(place[1:])] = count
    return tuple(counts)


@pytest.mark.parametrize(
    ("board", "contact", "home"),
    [
        (START, True, False),
        (NACKGAMMON, True, False),
        (position(p6=15, p7=-15), False, True),
        (position(p7=15, p6=-15), True, False),
        (position(p7=15, p8=-15), False, False),
        (position(p6=14, p1=1, p2=-1), True, True),
        (position(p6=14, p25=1, p24=-1), True, False),
        (position(p6=15, p0=-1, p20=-14), True, True),
        (position(p1=15, p24=-15), False, True),
        (position(p24=-3), False, True),
        (position(p6=3), False, True),
    ],
)
def test_contact_ends_when_the_last_checkers_have_passed(board, contact, home):
    state = race_state(np.array([board], np.int8))
    assert (bool(state[0][0]), bool(state[1][0])) == (contact, home)


@given(st.lists(st.lists(st.integers(-3, 3), min_size=26, max_size=26), min_size=1, max_size=8))
def test_contact_is_the_same_for_both_players(boards):
    mine = race_state(np.array(boards, np.int8))[0]
    theirs = race_state(np.array([swap(board) for board in boards], np.int8))[0]
    by_hand = [
        any(own > 0 and other < 0 for p, own in enumerate(board) for other in board[:p])
        for board in boards
    ]
    assert mine.tolist() == theirs.tolist() == by_hand


def decisions(folder, *files):
    """The table of decisions of these files."""
    (folder / "in").mkdir()
    for file in files:
        if isinstance(file, Path):
            (folder / "in" / file.name).write_bytes(file.read_bytes())
        else:
            (folder / "in" / file[0]).write_text(file[1])
    make(folder / "in", folder / "out")
    return table(folder / "out", "decisions")


def test_scores_are_the_deciders_and_money_has_none(tmp_path):
    cells = "  1) 31: 8/5 6/5                  64: 24/14\n"
    rows = decisions(tmp_path, ("a.mat", SHORT), ("b.mat", MONEY + cells))
    by_match = [
        [row for row in rows if row["match"] == number]
        for number in dict.fromkeys(row["match"] for row in rows)
    ]
    assert {
        (row["game"], row["seat"], row["away"], row["opponent_away"]) for row in by_match[0]
    } == {
        (1, 0, 3, 3),
        (1, 1, 3, 3),
        (2, 0, 1, 3),
        (2, 1, 3, 1),
    }
    assert {(row["away"], row["opponent_away"]) for row in by_match[1]} == {(None, None)}
    phases = {
        (row["turn"] <= 6, row["phase"])
        for row in rows
        if row["kind"] not in ("resign", "accept-resign")
    }
    assert phases == {(True, "opening"), (False, "contact")}
    assert {row["phase"] for row in rows if row["kind"] in ("resign", "accept-resign")} == {None}


def test_decisions_have_position_actions_and_equities_as_the_match_has_them(
    tmp_path,
):
    for path in (XG, SGF, EQUAL):
        (tmp_path / path.name).mkdir()
        _agrees_with_the_match(tmp_path / path.name, path)


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    real.cases(
        "real/*.xg",
        "real/*.sgf",
        "bgblitz/bgf/*.bgf",
        "bgblitz/xg/*.xg",
        "gnubg/m*.sgf",
        short=1,
        most=8,
    ),
)
def test_they_do_in_real_files(tmp_path, path):
    _agrees_with_the_match(tmp_path, path)


def _decided(match):
    """By place every play, cube action and answer of a match, with its row."""
    decided: Decided = {}
    plays, cubes = len(match.plays), len(match.cubes)
    for row in range(plays + cubes):
        table, at = (match.plays, row) if row < plays else (match.cubes, row - plays)
        view = match.decision(row)
        seat = int(table.player[at])
        decided.setdefault((view.game, view.turn, view.kind.label, seat), (row, seat, view))
    return decided


def _agrees_with_the_match(folder, path):
    scored = [statistics(load_match(path), name).scored for name in RULES]
    match = scored[0].match
    document = _decided(match)
    shown = compared = 0
    for row in decisions(folder, path):
        expected = _position_of(row, document)
        assert b64encode(row["position"]).decode().rstrip("=") == position_id(expected)
        wrong = any(
            row[f"error_{name}"] is not None and row[f"error_{name}"] >= ERROR for name in RULES
        )
        shown += wrong
        _equities_belong_together(row, wrong)
        decided = document.get((row["game"], row["turn"], row["kind"], row["seat"]))
        if decided is not None:
            compared += _agrees_with_the_decision(match, row, decided, wrong)
    assert bool(compared) == bool(match.plays.analysed.any())
    assert bool(shown) == any((scoring.error >= ERROR).any() for scoring in scored)


def _position_of(row, document):
    place = row["game"], row["turn"]
    if row["kind"] not in ("resign", "accept-resign"):
        # A match leaves out no-doubles with a dead cube: their position is that of the roll that
        # follows.
        of_row = (
            document.get((*place, row["kind"], row["seat"]))
            or document[(*place, "play", row["seat"])]
        )
        return of_row[2].position
    of_game = [
        (view.turn, seat, view)
        for _, seat, view in document.values()
        if (view.game, view.kind) == (row["game"], Kind.PLAY)
    ]
    _, seat, last = max(of_game, key=lambda played: played[0])
    after = last.position if last.play is None else apply_play(last.position, last.play)
    return after if seat == row["seat"] else swap(after)


def _equities_belong_together(row, wrong):
    judged = row["equity_played"] is not None
    assert row["analysed"] or not judged
    for chance, equity in (("chance_before", "equity_best"), ("chance_after", "equity_played")):
        assert (row[chance] is not None) == (row[equity] is not None and row["away"] is not None)
    if judged and not wrong:
        assert (row["best"] == row["action"]) == (row["equity_best"] == row["equity_played"])
    if row["kind"] != "play":
        assert row["action"] == row["kind"].replace("-", " ")


def _agrees_with_the_decision(match, row, decided, wrong):
    """Whether there were candidates to compare its equities with."""
    number, _, decision = decided
    assert row["xgid"] == ((Facts(match).xgid[number] or None) if wrong else None)
    if row["kind"] == "play":
        made = decision.play
        assert row["action"] == (None if made is None else play_text(decision.position, made))
        if decision.candidates and row["analysed"]:
            judged = row["equity_played"] is not None
            assert row["equity_best"] == pytest.approx(decision.candidates[0].equity, abs=1e-5)
            played = [candidate.equity for candidate in decision.candidates if candidate.made]
            assert [row["equity_played"]] * judged == pytest.approx(played[:1], abs=1e-5)
            first = play_text(decision.position, decision.candidates[0].play)
            assert row["best"] in (first, row["action"])
            return True
    elif wrong and not match.cubes.answers_beaver[number - len(match.plays)]:
        assert row["best"] in {
            "no-double": ("double",),
            "double": ("no double",),
            "take": ("pass",),
            "pass": ("take",),
        }.get(row["kind"], ("take", "pass", None))
    return False


def test_a_board_with_too_many_checkers_is_the_reason_why_a_file_has_no_rows(
    tmp_path,
):
    content = XG.read_bytes()
    board = position(p6=10, p8=9, p20=-15)
    (tmp_path / "a.xg").write_bytes(
        changed(content, first(content, records.MOVE), records.MOVE_LAYOUT, position=board)
    )
    corpus = make(tmp_path, tmp_path / "out")
    (row,) = table(corpus.folder, "files")
    assert (
        row["error"]
        == "expected at most 15 checkers a player, found more on the board; correct the file or "
        "leave it out"
    )
    assert (corpus.matches, table(corpus.folder, "decisions")) == (0, [])


def test_a_file_that_keeps_errors_alone_has_no_best_action(tmp_path):
    database = blunderdb_writer.write(tmp_path / "club.db", [load_match(XG)])
    rows = decisions(tmp_path, database)
    assert {row["action"] is None for row in rows} == {False}
    shown = [row for row in rows if row["xgid"] is not None]
    assert {row["kind"] for row in shown} > {"play"}
    assert {row["best"] for row in shown} == {None}
