"""The columns of a decision's situation: its phase, score and position, what was done and best,
equities, and of mistakes the XGID."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.corpus.tables import RULES
from reconcile.formats import load_match
from reconcile.formats.xg import records
from reconcile.match.board.position import position_keys, race_state, swap
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.grades import AT_THE_BORDER, ERROR
from reconcile.scoring.statistics import statistics
from tests.corpus.corpus_folder import make, table
from tests.support import blunderdb_writer
from tests.support import data as real
from tests.support.archive import SGF, XG
from tests.support.xg_tampering import changed, first

EQUAL = real.PROJECT / "reference_matches" / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
"""Some of its plays are as good as gnuBG's first candidate."""
REAL = real.matching("real/*.xg", "real/*.sgf", "bgblitz/*/*.[bx]*", "gnubg/m*.sgf")[::8]


@st.composite
def races(draw):
    """A board on which the players have passed each other at some place, but for one place."""
    counts = draw(st.lists(st.integers(0, 3), min_size=26, max_size=26))
    border, odd = draw(st.integers(0, 26)), draw(st.integers(0, 25))
    return [
        count if (place < border) != (place == odd) else -count
        for place, count in enumerate(counts)
    ]


@given(st.lists(races(), min_size=8, max_size=8))
def test_contact_is_the_same_for_both_players_and_ends_when_the_last_checkers_have_passed(boards):
    mine, home = race_state(np.array(boards, np.int8))
    theirs, _ = race_state(np.array([swap(board) for board in boards], np.int8))
    by_hand = [
        any(own > 0 and other < 0 for p, own in enumerate(board) for other in board[:p])
        for board in boards
    ]
    assert mine.tolist() == theirs.tolist() == by_hand
    assert home.tolist() == [max(board[7:]) <= 0 for board in boards]


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


PLACE = ["game", "turn", "kind", "seat"]
SAME = ["cube", "away", "opponent_away", "luck", "equity_played", "equity_best"]
CHANCES = ["chance_before", "chance_after"]
UNDER_RULES = {"counted": "counted", "error": "error", "error_mwc_percent": "loss"}
TEXTS = ["position", "phase", "played", "best", "wanted", "xgid"]


def alone(path, rules):
    """The decisions of a file that is scored by itself, by their places."""
    own = decisions_of(statistics(load_match(path), rules).scored)
    names = [*PLACE, *SAME, *CHANCES, *UNDER_RULES, *TEXTS, "evaluated"]
    return pd.DataFrame({name: own[name].tolist() for name in names}).set_index(PLACE)


@pytest.mark.parametrize(
    "paths", [[XG, SGF, EQUAL], pytest.param(REAL, marks=pytest.mark.long)], ids=len
)
def test_rows_are_the_decisions_of_each_match_scored_by_itself(tmp_path, paths):
    every = pd.DataFrame(decisions(tmp_path, *paths)).set_index(PLACE)
    for file in table(tmp_path / "out", "matches"):
        rows = every[every["match"] == file["match"]]
        assert rows.index.is_unique
        under = {rules: alone(file["file"], rules).reindex(rows.index) for rules in RULES}
        own = under["bgblitz"]  # which has a row of every turn
        pairs = [(rows[SAME], own[SAME]), (rows[CHANCES], under[RULES[0]][CHANCES])]
        for rules, each in under.items():
            here = rows[[f"{name}_{rules}" for name in UNDER_RULES.values()]]
            pairs.append((here, each[[*UNDER_RULES]].fillna({"counted": False})))
        for here, there in pairs:
            np.testing.assert_array_equal(here.astype(float), there.astype(float))
        wrong = np.any([each["error"] >= ERROR - AT_THE_BORDER for each in under.values()], axis=0)
        # What a program charges is not best to it, whatever the equities say.
        best = own["best"].where(~wrong, own["wanted"])
        for name, expected in {
            "analysed": own["evaluated"],
            "position": own["position"].map(packed),
            "phase": own["phase"],
            "action": own["played"].str.replace("-", " "),
            "best": best.str.replace("-", " "),
            "xgid": own["xgid"].where(wrong),
        }.items():
            assert "" not in rows[name].tolist()
            assert rows[name].fillna("").tolist() == expected.fillna("").tolist(), name


def packed(position):
    return position_keys(np.array([position])).tobytes()


def test_a_board_with_too_many_checkers_is_the_reason_why_a_file_has_no_rows(
    tmp_path,
):
    content = XG.read_bytes()
    board = [0] * 26
    board[6], board[8], board[20] = 10, 9, -15
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
