"""Disputes of two analyses and what rollouts make of them: exact on numbers that were made up for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.document import document as as_document
from reconcile.engines.gnubg import Gnubg
from reconcile.engines.rollout import Question, Rolled, can_be_rolled_out, roll_out
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.review import Review, review
from reconcile.gap.settle import Dispute, SettledDecision, settlement, with_rollout
from reconcile.match.board.identifiers import Situation
from reconcile.results.comparison import comparison_document
from tests.support.claims import some
from tests.support.command_line import SGF, XG
from tests.support.gnubg import needs_gnubg, program
from tests.support.loaded import DEMONSTRATION, beginning
from tests.support.schemas import faults

SIDES = ("XG", "gnuBG")
FOUND = Gnubg(Path("gnubg"), "9.9")
PLAY = Dispute(
    1,
    2,
    "play",
    "Ann",
    0.1,
    Situation(dice=(3, 1)),
    ("8/5 6/5", "24/20"),
    (0, 1),
    (((8, 5), (6, 5)), ((24, 20),)),
)
CUBE = Dispute(1, 3, "double", "Ann", 0.2, Situation(), ("no double", "double"), (1, 0))
TAKE = Dispute(1, 3, "take", "Ben", 0.3, Situation(double_offered=True), ("take", "pass"), (0, 1))


def race(**said: Any) -> Situation:
    """Two checkers on 5 and 2 against one on the ace point: the roll wins in 19 of 36, and there is no other."""
    position = [0] * 26
    position[5] = position[2] = 1
    position[24] = -1
    return Situation(tuple(position), **said)


# -- what an answer means ------------------------------------------------------------------------------------------------


def values(one: SettledDecision) -> tuple[list[float | None], list[float | None]]:
    return [each.equity for each in one.actions], [each.standard_error for each in one.actions]


def test_the_better_action_is_right_beyond_two_standard_errors_of_the_difference() -> None:
    clear = with_rollout(PLAY, ((0.30, 0.19), (0.03, 0.04)))
    assert (clear.best, clear.right, clear.decides) == ("8/5 6/5", (0,), True)
    close = with_rollout(PLAY, ((0.29, 0.19), (0.03, 0.04)))
    assert (close.best, close.right, close.decides) == (None, (), False)


@pytest.mark.parametrize(
    ("asked", "rolled", "worth", "errors", "right"),
    [
        (CUBE, (0.9, 1.4), [0.9, 1.0], [0.01, 0.0], (0,)),
        (CUBE, (0.9, 0.8), [0.9, 0.8], [0.01, 0.02], (1,)),
        (CUBE, (0.9, 1.03), [0.9, 1.0], [0.01, 0.02], (0,)),
        (CUBE, (0.9, 1.05), [0.9, 1.0], [0.01, 0.0], (0,)),
        (TAKE, (0.5, 0.7), [-0.7, -1.0], [0.02, 0.0], (0,)),
        (TAKE, (0.5, 1.2), [-1.2, -1.0], [0.02, 0.0], (1,)),
    ],
)
def test_a_double_is_worth_what_the_opponent_leaves_of_it_and_an_answer_is_weighed_in_the_view_of_who_answers(
    asked: Dispute,
    rolled: tuple[float, float],
    worth: list[float],
    errors: list[float],
    right: tuple[int, ...],
) -> None:
    """Within two standard errors (0.02 each) of a pass the opponent may take; beyond it the opponent passes, and a pass is exact."""
    one = with_rollout(asked, (rolled, (0.01, 0.02)))
    assert (values(one), one.right) == ((worth, errors), right)


def test_what_was_not_finished_decides_nothing() -> None:
    late = with_rollout(PLAY, None)
    assert (late.finished, late.best, late.right, values(late)) == (
        False,
        None,
        (),
        ([None, None], [None, None]),
    )


def note(*decisions: SettledDecision) -> str:
    return settlement("gnuBG", "1.07.001", 1296, decisions, SIDES).sentence


def test_note_counts_the_decisions_by_their_verdicts() -> None:
    left, right, close, late = (
        with_rollout(PLAY, values and (values, (0.01, 0.01)))
        for values in ((0.5, 0.1), (0.1, 0.5), (0.1, 0.1), None)
    )
    assert note(left, close, left, close, right, left, late) == (
        "Rolled out: 7 decisions in dispute, by gnuBG with 1296 trials each: XG right 3, too few "
        "games to tell 2, gnuBG right 1, not finished in the time allowed 1."
    )
    assert note().endswith(
        "0 decisions in dispute, by gnuBG with 1296 trials each: nothing to settle."
    )


SIZE = replace(PLAY, wanted=(0, 0), done=1, charged=(0.05, 0.15))
"""XG charges 0.05 for 24/20, gnuBG 0.15: whoever is on the loss's side of 0.10 is nearer."""


@pytest.mark.parametrize(
    ("loss", "error", "nearest"),
    [
        (0.06, 0.019, (0,)),
        (0.06, 0.021, ()),
        (0.14, 0.019, (1,)),
        (0.14, 0.021, ()),
        (-0.2, 0.01, (0,)),
    ],
)
def test_who_is_nearer_is_told_beyond_two_standard_errors_from_the_middle(
    loss: float, error: float, nearest: tuple[int, ...]
) -> None:
    one = with_rollout(SIZE, ((0.3, 0.3 - loss), (error * 0.6, error * 0.8)))
    assert (one.right, one.decides) == (nearest, bool(nearest))
    assert (one.loss, one.loss_standard_error) == pytest.approx((loss, error))
    assert one.off == pytest.approx((0.05 - max(loss, 0), 0.15 - max(loss, 0)))
    verdict = f"{SIDES[nearest[0]]} nearer" if nearest else "too few games to tell"
    assert one.verdict(SIDES) == verdict
    assert note(one).endswith(f": {verdict} 1.")


# -- which decisions are in dispute --------------------------------------------------------------------------------------


def test_a_file_has_no_dispute_with_itself_and_two_have_the_same_whichever_comes_first() -> None:
    one, two = load_match(f"{DEMONSTRATION}.xg"), load_match(f"{DEMONSTRATION}.sgf")

    def found(left: Any, right: Any) -> list[Dispute]:
        return compare(left, right).to_settle

    assert found(one, one) == []
    here, there = found(one, two), found(two, one)
    assert here
    assert [(d.game, d.turn, d.kind, d.at_stake) for d in here] == [
        (d.game, d.turn, d.kind, d.at_stake) for d in there
    ]
    assert [d.at_stake for d in here] == sorted((d.at_stake for d in here), reverse=True)
    assert {d.wanted for d in here if d.done is None} <= {(0, 1), (1, 0)}
    sizes = [d for d in here if d.done is not None]
    assert sizes
    for dispute in sizes:
        charged = [one for one in dispute.charged if one is not None]
        assert max(charged) - min(charged) == pytest.approx(dispute.at_stake)
        assert dispute.at_stake >= 0.02
        assert len(dispute.actions) >= 2


@pytest.fixture(scope="module")
def three() -> Review:
    return review(*[load_match(path) for path in (XG, SGF, XG)])


def place(one: Any) -> tuple[int, int, str]:
    return one.game, one.turn, one.kind


def test_every_dispute_is_asked_about_once(three: Review) -> None:
    assert sorted(map(place, three.to_settle)) == sorted(map(place, three.disputes))
    assert {place(one) for one in three.to_settle if one.done is None} <= {
        place(one) for one in three.disputes if one.dispute == "choice"
    }


def test_every_side_wants_what_it_thinks_best(three: Review) -> None:
    disputes = {place(one): one for one in three.disputes}
    for asked in some(three.to_settle):
        dispute = disputes[place(asked)]
        assert len(asked.wanted) == 3
        assert asked.wanted[0] == asked.wanted[2], place(asked)
        assert (asked.wanted[0] != asked.wanted[1]) == (dispute.dispute == "choice"), place(asked)
        if asked.plays and dispute.dispute == "choice":
            named = [asked.actions[wanted] for wanted in asked.wanted if wanted is not None]
            assert named == [verdict.best for verdict in dispute.verdicts]


def test_the_order_of_files_changes_nothing_but_the_order(three: Review) -> None:
    turned = review(*[load_match(path) for path in (SGF, XG, XG)])
    for one, other in some(zip(three.to_settle, turned.to_settle, strict=True)):
        wants = [one.actions[wanted] for wanted in one.wanted if wanted is not None]
        theirs = [other.actions[wanted] for wanted in other.wanted if wanted is not None]
        assert (wants[0], wants[1], wants[2]) == (theirs[1], theirs[0], theirs[2])


# -- rollouts ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@needs_gnubg
def test_the_last_roll_of_a_game_has_its_exact_values() -> None:
    chance = 19 / 36
    seen: list[tuple[int, int, float]] = []
    asked = [Question(race()), Question(race(length=3, score=(1, 1)))]
    money, match = roll_out(
        asked, program(), trials=36, timeout=60, games=lambda *now: seen.append(now)
    )
    assert seen
    assert {total for _, total, _ in seen} == {72}  # of the question at hand, both values of it
    assert money is not None
    assert match is not None
    assert money.equities == pytest.approx((2 * chance - 1, 4 * chance - 2), abs=2e-6)
    assert money.errors == pytest.approx((0, 0), abs=1e-6)
    win, lose = 0.67736, 1 - 0.67736  # 1-away 2-away of Kazaross-XG2
    assert match.equities == pytest.approx(
        (2 * chance - 1, (2 * chance - win - lose) / (win - lose)), abs=1e-5
    )


@pytest.mark.long
@needs_gnubg
def test_a_play_is_worth_what_the_opponent_can_make_of_its_cube() -> None:
    position = [0] * 26
    position[1] = 4
    position[20] = position[23] = -1
    chance = 19 / 36  # of the opponent, whose double is right, and rightly taken
    asked = [
        Question(
            Situation(tuple(position), dice=(1, 2), cube=1 + owner, owner=owner),
            (((1, 0), (1, 0)),),
        )
        for owner in (0, 1)
    ]
    assert all(map(can_be_rolled_out, asked))
    for found, opponent in zip(
        roll_out(asked, program(), trials=36, timeout=60),
        (4 * chance - 2, 2 * chance - 1),
        strict=True,
    ):
        assert found is not None
        assert found.equities == pytest.approx((-opponent,), abs=2e-6)


@pytest.mark.long
@needs_gnubg
def test_the_same_question_has_the_same_answer_and_is_kept(tmp_path: Path) -> None:
    asked = [Question(race()), Question(race(cube=2, owner=1))]
    first = roll_out(asked, program(), trials=36, timeout=60, cache=tmp_path)
    assert first == roll_out(
        asked, replace(program(), path=Path("/nowhere")), trials=36, timeout=60, cache=tmp_path
    )
    for path in tmp_path.glob("*/*.json"):
        path.write_bytes(b"x")
    assert first == roll_out(asked, program(), trials=36, timeout=60, cache=tmp_path, jobs=2)


@pytest.mark.long
@needs_gnubg
def test_what_is_not_finished_in_time_is_unknown(tmp_path: Path) -> None:
    asked = [Question(Situation(length=7)), Question(Situation())]
    assert roll_out(asked, program(), trials=1296, timeout=0.5, cache=tmp_path) == [None, None]
    assert not list(tmp_path.glob("*/*"))


def test_a_play_that_ends_the_game_is_not_rolled_out() -> None:
    position = [0] * 26
    position[1], position[24] = 1, -1
    assert not can_be_rolled_out(Question(Situation(tuple(position), dice=(3, 1)), (((1, 0),),)))
    assert can_be_rolled_out(Question(race()))


# -- the command ---------------------------------------------------------------------------------------------------------


def test_the_command_writes_who_was_right_into_every_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.engines.gnubg.find", lambda: FOUND)
    monkeypatch.setattr(
        "reconcile.engines.rollout.roll_out",
        lambda asked, *_, **__: [Rolled((0.5, 0.1), (0.01, 0.01)) for _ in asked],
    )
    target, page = tmp_path / "result.json", tmp_path / "page.html"
    words = [
        f"{DEMONSTRATION}.xg",
        f"{DEMONSTRATION}.sgf",
        "--settle",
        "2",
        "--json",
        str(target),
        "--html",
        str(page),
    ]
    ran = CliRunner().invoke(main, ["compare", *words])
    assert ran.exit_code in (0, 1), ran.output
    document = json.loads(target.read_text("utf-8"))
    assert faults("comparison", document) == []
    found = document["settled"]
    assert (found["trials"], len(found["decisions"]), found["program"]) == (1296, 2, "gnuBG 9.9")
    assert found["sentence"] in document["story"]
    for text in (" ".join(ran.stdout.split()), page.read_text("utf-8").replace("&#39;", "'")):
        assert found["sentence"] in text
    assert "standard error 0.010" in page.read_text("utf-8")
    assert "settled" not in as_document(
        comparison_document(compare(beginning(".xg"), beginning(".sgf")))
    )


def test_it_is_for_two_files(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["compare", str(tmp_path), str(tmp_path), "--settle", "2"])
    assert ran.exit_code == 2
