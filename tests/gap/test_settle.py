"""Disputes of two analyses, and what rollouts make of them: exact on numbers and matches that were
made up for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reconcile.engines.gnubg import Gnubg
from reconcile.engines.rollout import Question, Rolled, can_be_rolled_out, roll_out
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.gap.settle import Dispute, settlement, with_rollout
from reconcile.match.board.identifiers import Situation
from reconcile.match.board.play import Play
from reconcile.match.board.position import START
from reconcile.match.match import Candidate
from tests.support.balance import compared
from tests.support.claims import some
from tests.support.command_line import SGF, XG, run
from tests.support.gnubg import needs_gnubg, program
from tests.support.hand_made import plays
from tests.support.hand_made_levels import with_levels
from tests.support.schemas import faults
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tables import cases_of

SIDES = ("XG", "gnuBG")
POINT: Play = ((8, 5), (6, 5))
SPLIT: Play = ((24, 23), (13, 10))
RUN: Play = ((24, 20),)

# -- which decisions are in dispute ----------------------------------------------------------------


def opinion(*best, error=0.125, cube=None, tool="XG", player=0):
    """An opening 31 that was run with, and what a tool thinks best of it; nothing, if it did not
    analyse the roll."""
    table = plays(play=[RUN], stored_error=[error], analysed=[bool(best)], player=[player])
    candidates = tuple(Candidate(play, 0.5, "3-ply") for play in best)
    return replace(with_levels(table, cube, tool=tool), candidates=lambda _row: candidates)


def asked(left, right, seats=(0, 1)):
    comparison = compared(left, right, "xg", "xg")
    return replace(comparison, walk=replace(comparison.walk, seats=seats)).to_settle


def test_roll_on_which_each_side_wants_another_play_is_in_dispute():
    (dispute,) = asked(opinion(POINT), opinion(SPLIT, error=0.375, tool="GNU Backgammon"))
    place = dispute.game, dispute.turn, dispute.kind, dispute.player, dispute.at_stake
    assert place == (1, 1, "play", "Ann", 0.25)
    assert (dispute.actions, dispute.plays) == (("8/5 6/5", "24/23 13/10"), (POINT, SPLIT))
    assert (dispute.wanted, dispute.decided.dice) == ((0, 1), (3, 1))
    sides = opinion(POINT, player=1), opinion(SPLIT, player=1)
    assert [each.player for each in asked(*sides, seats=(1,))] == ["Ben"]
    assert asked(*sides, seats=(0,)) == []


def elsewhere(match):
    """The roll in another position, as in files that differ before it."""
    position = list(START)
    position[6], position[5] = position[6] - 1, position[5] + 1
    moved = np.array([position], match.plays.position.dtype)
    return replace(match, plays=match.plays.replaced(position=moved))


def test_roll_with_a_common_best_play_is_in_dispute_over_its_size_alone():
    for theirs in ((POINT,), (SPLIT, POINT)):
        (dispute,) = asked(opinion(POINT), opinion(*theirs, error=0.375))
        assert (set(dispute.wanted), dispute.charged) == ({0}, (0.125, 0.375))
        assert dispute.done is not None
        assert asked(opinion(POINT), opinion(*theirs)) == []
    # Nor does a side call the play made right that it did not look at; and where the position is
    # another one, what is best here cannot be played there.
    for right in (opinion(error=0.0), elsewhere(opinion(SPLIT, error=0.375))):
        assert asked(opinion(POINT), right) == asked(right, opinion(POINT)) == []


DOUBLE, ANSWER = ("no double", "double"), ("take", "pass")


ACE_POINT = tuple({24: -1, 2: 1, 5: 1}.get(point, 0) for point in range(26))
"""Two checkers on 5 and 2 against one on the ace point of the other side: the roll wins in 19 of
36, and there is no other."""
TURNED = tuple({1: 1, 20: -1, 23: -1}.get(point, 0) for point in range(26))
"""The same in the other player's view."""


def test_response_is_asked_about_as_the_double_of_the_opponent_and_all_else_as_it_is():
    def in_view_of_the_player_on_roll(situation):
        return Dispute(1, 3, "take", "Ben", 0.3, situation, ANSWER, (0, 1)).asked

    answered = Situation(ACE_POINT, cube=2, owner=-1, length=7, score=(2, 5), double_offered=True)
    assert in_view_of_the_player_on_roll(answered) == Situation(
        TURNED, cube=2, owner=1, length=7, score=(5, 2), decider_is_top=True
    )
    for dice in ((0, 0), (3, 1)):
        here = replace(answered, owner=1, dice=dice, double_offered=False, decider_is_top=True)
        assert in_view_of_the_player_on_roll(here) == here


def place(decision):
    return decision.game, decision.turn, decision.kind


def wants(dispute):
    return [dispute.actions[wanted] for wanted in dispute.wanted if wanted is not None]


def test_a_file_has_no_dispute_with_itself_and_several_the_same_whichever_comes_first():
    assert compare(bundled_xg(), bundled_xg()).to_settle == []
    three = review(bundled_xg(), bundled_sgf(), bundled_xg())
    turned = review(bundled_sgf(), bundled_xg(), bundled_xg())
    disputes = {place(each): each for each in three.disputes}
    assert list(map(place, three.to_settle)) == list(disputes)
    for each, other in zip(some(three.to_settle), turned.to_settle, strict=True):
        dispute = disputes[place(each)]
        assert (each.wanted[0] != each.wanted[1]) == (dispute.dispute == "choice")
        if dispute.dispute == "size":
            charged = [charge for charge in each.charged if charge is not None]
            assert max(charged) - min(charged) == pytest.approx(each.at_stake)
            assert (each.done is None, len(each.actions) >= 2) == (False, True)
        elif each.plays:
            assert wants(each) == [verdict.best for verdict in dispute.verdicts]
        first, second, third = wants(each)
        assert wants(other) == [second, first, third]


# -- what an answer means --------------------------------------------------------------------------

PLAY = Dispute(
    1, 2, "play", "Ann", 0.1, Situation(dice=(3, 1)), ("8/5 6/5", "24/20"), (0, 1), (POINT, RUN)
)
CUBE = Dispute(1, 3, "double", "Ann", 0.2, Situation(), DOUBLE, (1, 0))
TAKE = Dispute(1, 3, "take", "Ben", 0.3, Situation(double_offered=True), ANSWER, (0, 1))


def test_the_better_action_is_right_beyond_two_standard_errors_of_the_difference():
    for equity, best, right in ((0.30, "8/5 6/5", (0,)), (0.29, None, ())):
        settled = with_rollout(PLAY, ((equity, 0.19), (0.03, 0.04)))
        assert (settled.best, settled.right, settled.decides) == (best, right, bool(best))
    late = with_rollout(PLAY, None)
    assert (late.finished, late.best, late.right) == (False, None, ())
    assert {(each.equity, each.standard_error) for each in late.actions} == {(None, None)}


@pytest.mark.parametrize(
    ("kind", "rolled", "worth", "right"),
    cases_of(__file__, "a_double_is_worth_what_the_opponent_leaves"),
)
def test_a_double_is_worth_what_the_opponent_leaves_and_an_answer_is_in_the_answerer_s_view(
    kind, rolled, worth, right
):
    """Within two standard errors (0.02 each) of a pass the opponent may take; beyond it the
    opponent passes, and a pass is exact."""
    settled = with_rollout(CUBE if kind == "double" else TAKE, (rolled, (0.01, 0.02)))
    actions = tuple((action.equity, action.standard_error) for action in settled.actions)
    assert (actions, settled.right) == (worth, right)


SIZE = replace(PLAY, wanted=(0, 0), done=1, charged=(0.05, 0.15))
"""XG charges 0.05 for 24/20, gnuBG 0.15: whoever is on the loss's side of 0.10 is nearer."""


@pytest.mark.parametrize(
    ("loss", "error", "nearest", "verdict"),
    cases_of(__file__, "who_is_nearer_is_decided_beyond_two_standard_errors_from_the_middle"),
)
def test_who_is_nearer_is_decided_beyond_two_standard_errors_from_the_middle(
    loss, error, nearest, verdict
):
    settled = with_rollout(SIZE, ((0.3, 0.3 - loss), (error * 0.6, error * 0.8)))
    assert (settled.right, settled.decides) == (nearest, bool(nearest))
    assert (settled.loss, settled.loss_standard_error) == pytest.approx((loss, error))
    assert settled.verdict(SIDES) == verdict


def test_note_counts_the_decisions_by_their_verdicts():
    def note(*decisions):
        return settlement("gnuBG", "1.07.001", 1296, decisions, SIDES).sentence

    left, right, close, late = (
        with_rollout(PLAY, values and (values, (0.01, 0.01)))
        for values in ((0.5, 0.1), (0.1, 0.5), (0.1, 0.1), None)
    )
    assert note(left, close, left, close, right, left, late) == (
        "Rolled out: 7 decisions in dispute, by gnuBG with 1296 trials each: XG right 3, too few "
        "games to tell 2, gnuBG right 1, not finished in the time allowed 1."
    )
    assert note().endswith("1296 trials each: nothing to settle.")


def test_the_command_writes_who_was_right_into_every_output(tmp_path, monkeypatch):
    answer = Rolled((0.5, 0.1), (0.01, 0.01))
    monkeypatch.setattr("reconcile.engines.gnubg.find", lambda: Gnubg(Path("gnubg"), "9.9"))
    monkeypatch.setattr(
        "reconcile.engines.rollout.roll_out", lambda asked, *_, **__: [answer for _ in asked]
    )
    target, page = tmp_path / "result.json", tmp_path / "page.html"
    result = run("compare", XG, SGF, "--settle", "2", "--json", str(target), "--html", str(page))
    document = json.loads(target.read_text("utf-8"))
    assert faults("comparison", document) == []
    settled = document["settled"]
    facts = settled["trials"], len(settled["decisions"]), settled["program"]
    assert facts == (1296, 2, "gnuBG 9.9")
    for text in (document["story"], " ".join(result.stdout.split()), page.read_text("utf-8")):
        assert settled["sentence"] in text
    assert "standard error 0.010" in page.read_text("utf-8")
    assert run("compare", str(tmp_path), str(tmp_path), "--settle", "2").exit_code == 2


# -- rollouts by gnuBG -----------------------------------------------------------------------------

WON = 19 / 36
"""The chance of the roll at `ACE_POINT`."""


def race(**more):
    return Question(Situation(ACE_POINT, **more))


def answers(*questions, **options):
    rolled = roll_out(questions, program(), trials=36, timeout=60, **options)
    return [each for each in rolled if each is not None]


@pytest.mark.long
@needs_gnubg
def test_last_rolls_of_a_game_have_their_exact_values():
    games: list[tuple[int, int, float]] = []
    questions = race(), race(length=3, score=(1, 1))
    money, match = answers(*questions, games=lambda *now: games.append(now))
    assert {total for _, total, _ in games} == {72}  # of the question at hand, both values of it
    assert money.equities == pytest.approx((2 * WON - 1, 4 * WON - 2), abs=2e-6)
    assert money.errors == pytest.approx((0, 0), abs=1e-6)
    win, lose = 0.67736, 1 - 0.67736  # 1-away 2-away of Kazaross-XG2
    doubled = (2 * WON - win - lose) / (win - lose)
    assert match.equities == pytest.approx((2 * WON - 1, doubled), abs=1e-5)
    # A play is worth what the opponent, whose double is right and rightly taken, makes of the cube.
    position = [0] * 26
    position[1], position[20], position[23] = 4, -1, -1
    plays = (((1, 0), (1, 0)),)
    doubled_next = [
        Question(Situation(tuple(position), dice=(1, 2), cube=1 + owner, owner=owner), plays)
        for owner in (0, 1)
    ]
    assert all(map(can_be_rolled_out, doubled_next))
    for rolled, equity in zip(answers(*doubled_next), (2 - 4 * WON, 1 - 2 * WON), strict=True):
        assert rolled.equities == pytest.approx((equity,), abs=2e-6)


@pytest.mark.long
@needs_gnubg
def test_the_same_question_has_the_same_answer_which_is_kept_if_it_was_finished(
    tmp_path,
):
    questions = [race(), race(cube=2, owner=1)]
    first = answers(*questions, cache=tmp_path)
    nobody = replace(program(), path=Path("/nowhere"))
    assert first == roll_out(questions, nobody, trials=36, timeout=60, cache=tmp_path)
    for path in tmp_path.glob("*/*.json"):
        path.write_bytes(b"x")
    assert first == answers(*questions, cache=tmp_path, jobs=2)
    late = [Question(Situation(length=7)), Question(Situation())]
    empty = tmp_path / "empty"
    assert roll_out(late, program(), trials=1296, timeout=0.5, cache=empty) == [None, None]
    assert not list(empty.glob("*/*"))


def test_a_play_that_ends_the_game_is_not_rolled_out():
    position = [0] * 26
    position[1], position[24] = 1, -1
    assert not can_be_rolled_out(Question(Situation(tuple(position), dice=(3, 1)), (((1, 0),),)))
    assert can_be_rolled_out(race())
