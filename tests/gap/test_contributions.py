"""Single decisions of a gap: which ones, what is said of them, and whether the IDs lead to the same position."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from reconcile.formats import read_match
from reconcile.formats import written as xg
from reconcile.formats.xg.writer import write
from reconcile.gap.bridge import CAUSES, Contribution
from reconcile.gap.comparison import compare
from reconcile.gap.contributions import Reader, contributions_of, ledger_columns
from reconcile.gap.walk import Walk
from reconcile.match.board.identifiers import from_xgid
from reconcile.match.board.position import START, swap
from reconcile.match.columns import Kind
from reconcile.scoring.decision_table import situation_of
from reconcile.scoring.metrics import BRIDGED
from tests.support.balance import compared
from tests.support.claims import some
from tests.support.data import FOLDER, present
from tests.support.gnubg_ids import from_gnubg_id
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.small_files import after

CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"


@cache
def demonstration() -> Walk:
    left, right = (loaded(DEMONSTRATION.with_suffix(ending)) for ending in (".xg", ".sgf"))
    return compare(left, right).walk


@cache
def charlot() -> Walk:
    if not present():
        pytest.skip("needs a real match")
    left, right = (
        loaded(FOLDER / "real" / f"{CHARLOT}{ending}") for ending in (".xg", "_2ply.sgf")
    )
    return compare(left, right).walk


@cache
def of_charlot2(metric: str) -> tuple[Contribution, ...]:
    return contributions_of(charlot(), [charlot().bridge(metric, 1)])


@cache
def of_demonstration() -> tuple[Contribution, ...]:
    walk = demonstration()
    return contributions_of(walk, walk.bridges(("pr", "mwc_loss_percent")))


# -- the match of charlot2 -------------------------------------------------------------------------------------------------


def counting_part() -> list[tuple[str, Kind]]:
    return sorted(
        (one.step, one.left.decision.kind)
        for one in of_charlot2("pr")
        if one.left and one.step.startswith("Q")
    )


def test_counting_part_is_three_no_doubles_and_by_the_numbers_of_either_side_four_plays() -> None:
    assert counting_part() == [("Q01", Kind.PLAY)] * 4 + [("Q02", Kind.NO_DOUBLE)] * 3


def test_decisions_of_charlot2_are_counted_as_both_tools_count_them() -> None:
    ends = {
        name: (bridge.start, bridge.end)
        for name in BRIDGED
        for bridge in [charlot().bridge(name, 1)]
    }
    assert ends["decisions.checker"][0] == 64
    for name, which in (("decisions.checker", Kind.PLAY), ("decisions.double", Kind.NO_DOUBLE)):
        changes = [found.change for found in of_charlot2(name)]
        assert all(
            found.left is not None and found.left.decision.kind is which
            for found in of_charlot2(name)
        )
        start, end = ends[name]
        assert start is not None
        assert start + sum(changes) == end


def test_sentences_are_what_either_side_says() -> None:
    largest = of_charlot2("pr")[0]
    assert (largest.cause, largest.sentence) == ("engine.other-best-move", "XG 0.016, gnuBG 0.000")
    counting = {one.sentence for one in of_charlot2("pr") if one.step.startswith("Q")}
    assert "XG not counted, gnuBG 0.000" in counting
    assert "XG 0.000, gnuBG not counted" in counting
    (cube,) = (found for found in of_charlot2("pr") if found.cause == "engine.other-cube-verdict")
    assert cube.sentence == "XG 0.008, gnuBG 0.000"


# -- every pair ------------------------------------------------------------------------------------------------------------


def test_contributions_add_up_the_largest_first_each_with_a_cause_a_sentence_and_one_position() -> (
    None
):
    found = of_demonstration()
    changes = [abs(one.change) for one in found]
    assert changes == sorted(changes, reverse=True)
    for bridge in demonstration().bridges(("pr", "mwc_loss_percent")):
        parts = [
            one.change
            for one in found
            if (one.player, one.metric) == (bridge.player, bridge.metric)
        ]
        assert bridge.start is not None
        assert bridge.end is not None
        assert sum(parts) == pytest.approx(bridge.end - bridge.start, abs=1e-9)
    for one in some(found):
        assert CAUSES[one.cause].title == one.cause_title
        assert one.sentence.startswith("XG ")
        assert "nan" not in one.sentence
        assert "None" not in one.sentence
        assert one.left is not None
        assert one.right is not None
        assert one.left.decision.position == one.right.decision.position
        assert one.left.decision.kind is one.right.decision.kind


def test_identifiers_decode_to_the_position_the_dice_and_the_cube_and_stand_in_the_ledger() -> None:
    for one in some([*of_demonstration(), *(of_charlot2("pr") if present() else ())]):
        side = one.left or one.right
        assert side is not None
        decision = side.decision
        for situation in (from_xgid(one.xgid), from_gnubg_id(one.gnubg_id)):
            assert situation.position == decision.position
            assert situation.cube == decision.cube
            assert situation.away == decision.away
            assert sorted(situation.dice) == sorted(decision.dice or (0, 0))
            assert situation.double_offered == (
                decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER)
            )
    bridge = demonstration().bridge("pr", 0)
    columns = ledger_columns(demonstration(), [bridge])
    rows = {*zip(columns["step"], columns["xgid"], columns["gnubg_id"], strict=True)}
    assert rows == {
        (one.step, one.xgid, one.gnubg_id) for one in contributions_of(demonstration(), [bridge])
    }
    assert "item" not in columns


# -- causes that a made-up file shows --------------------------------------------------------------------------------------


BEST = xg.Candidate(((8, 5), (6, 5)), after((8, 5), (6, 5)), xg.level_equity(0.25))
SECOND = xg.Candidate(((24, 23), (13, 10)), after((24, 23), (13, 10)), xg.level_equity(0.125))
OTHER = xg.Candidate(((24, 20),), after((24, 20)), xg.level_equity(0.0))


def file(move: xg.Move, *more: xg.Turn) -> bytes:
    turns = (xg.Turn(1, START, move=move), *more)
    return write(xg.WrittenMatch(("Ann", "Ben"), 3, (xg.Game(turns, (0, 0), None),), ended=False))


def shares(left: bytes, right: bytes, metric: str = "equity_error") -> tuple[Contribution, ...]:
    walk = compared(read_match("left.xg", left), read_match("right.xg", right)).walk
    return contributions_of(walk, walk.bridges((metric,)))


def test_decision_analysed_on_one_side_only_says_so() -> None:
    first = xg.Move((3, 1), (BEST, SECOND), played=1)
    extra = [xg.Turn(1 + turn % 2, swap(BEST.position), move=first) for turn in range(1, 20)]
    right = file(xg.Move((3, 1), (), None, SECOND.play, SECOND.position), *extra)
    (found,) = shares(file(first, *extra), right, "decisions")
    assert (found.step, found.cause, found.change) == ("coverage-left", "coverage.not-analysed", -1)
    assert found.sentence == "XG (left) 0.125, XG (right) not analysed"


def test_turn_without_a_partner_says_which_file_has_it() -> None:
    extra = xg.Turn(2, swap(SECOND.position), move=xg.Move((6, 5), (BEST, SECOND), played=1))
    move = xg.Move((3, 1), (BEST, SECOND), played=1)
    (found,) = shares(file(move, extra), file(move), "decisions")
    assert (found.step, found.cause, found.change) == ("coverage-left", "coverage.transcript", -1)
    assert found.sentence == "XG (left) 0.125, XG (right) does not have it"


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        (xg.Move((3, 1), (BEST, OTHER), None, SECOND.play, SECOND.position, error=-0.25), "engine.not-listed"),
        (xg.Move((3, 1), (BEST, replace(SECOND, evaluation=xg.level_equity(0.0))), played=1), "engine.error-size"),
    ],
)  # fmt: skip
def test_play_that_no_candidate_leads_to_and_another_size_of_error_are_causes(
    other: xg.Move, cause: str
) -> None:
    (found,) = shares(file(xg.Move((3, 1), (BEST, SECOND), played=1)), file(other))
    assert (found.cause, found.change) == (cause, 0.125)
    assert found.sentence == "XG (left) 0.125, XG (right) 0.250"


def test_another_level_of_the_same_tool_says_so() -> None:
    deeper = [
        xg.Candidate(c.play, c.position, xg.level_equity(equity), 1002)
        for c, equity in ((BEST, 0.25), (SECOND, 0.0))
    ]
    (found,) = shares(
        file(xg.Move((3, 1), (BEST, SECOND), played=1)),
        file(xg.Move((3, 1), tuple(deeper), played=1)),
    )
    assert found.cause == "engine.level"
    assert found.left is not None
    assert found.right is not None
    assert (found.left.level, found.right.level) == ("3-ply", "XG Roller++")


def test_resignation_has_no_identifier() -> None:
    walk = demonstration()
    match = walk.left.match
    rows = len(match.plays) + len(match.cubes)
    assert situation_of(match, rows) is None
    reader = Reader(walk)
    resigned = np.flatnonzero(walk.items.left >= rows)
    assert all(
        reader.identifiers(item) == ("", "") and reader.side(item, 0) is None
        for item in resigned.tolist()
    )
