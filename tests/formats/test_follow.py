"""What follows a game, event by event, whatever the format: cube, owner, who may double, which
answers belong to a beaver."""

from __future__ import annotations

from typing import Any

from reconcile.formats import read_match
from reconcile.formats.follow import HIGHEST_CUBE, Follower, Recounted
from reconcile.formats.gnubg import writer
from reconcile.formats.rows import CUBE, Rows, typed
from reconcile.match.columns import Cubes, Kind, Validity
from tests.support.small_sgf import ANN, BEN, root
from tests.support.small_sgf import read as read_record

SESSION = """\
; [Jacoby "On"]
; [Beaver "On"]

0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 31: 8/5 6/5
  2)  Doubles => 2                Beavers => 4
  3)  Takes
  4) 42: 8/4 6/4                 42: 8/4 6/4
  5) 65: 24/13                   65: 24/13
"""
POINT, FOUR, RUN = ((8, 5), (6, 5)), ((8, 4), (6, 4)), ((24, 18), (18, 13))
NODES = (
    *(writer.rolled(seat, (3, 1), POINT) for seat in (ANN, BEN)),
    *(writer.acted(seat, word) for seat, word in ((ANN, "double"), (BEN, "double"), (ANN, "take"))),
    *(
        writer.rolled(seat, dice, play)
        for dice, play in (((4, 2), FOUR), ((6, 5), RUN))
        for seat in (ANN, BEN)
    ),
)
RECORD = f"{root(0, 0, rules='Jacoby')}{''.join(NODES)})"
"""The same game as gnuBG saves it."""


def game(
    kind: type[Follower] = Follower,
    length: int | None = None,
    score: tuple[int, int] = (0, 0),
    **more: Any,
) -> Follower:
    return kind(Rows(), 0, 1, score, length, **more)


def column(follower: Follower, name: str) -> list[Any]:
    """A column of its cube actions, then of the answers."""
    result: list[Any] = typed(follower.rows.actions + follower.rows.responses, CUBE)[name].tolist()
    return result


def rolled(follower: Follower, *seats: int) -> None:
    for seat in seats:
        follower.check_turn(seat)
        follower.roll(seat, (3, 1), Validity.VALID, 16, True)


def test_largest_cube_is_not_turned() -> None:
    follower = game(cube=HIGHEST_CUBE)
    follower.double(ANN)
    follower.answer(BEN, Kind.TAKE)
    assert follower.cube == HIGHEST_CUBE


def test_recount_of_gnubg_gives_the_cube_of_a_beaver_to_the_doubler() -> None:
    access = {}
    for kind in (Follower, Recounted):
        follower = game(kind)
        follower.double(ANN)
        follower.double(BEN)
        follower.answer(ANN, Kind.TAKE)
        rolled(follower, ANN)
        follower.without_double(BEN)
        rolled(follower, BEN)
        follower.without_double(ANN, expected=False)
        access[kind] = column(follower, "access")[1:3], column(follower, "recount_access")[1:3]
    assert access[Follower] == ([True, False], [True, False])
    assert access[Recounted] == ([True, False], [False, True])


def test_beaver_without_an_answer_gives_the_cube_to_nobody_in_the_recount() -> None:
    follower = game(Recounted)
    follower.double(ANN)
    follower.double(BEN)
    rolled(follower, BEN)
    follower.without_double(ANN)
    assert (column(follower, "access")[1], column(follower, "recount_access")[1]) == (False, True)


RECOUNTED = ("recount_access", "expected")
"""What is otherwise after a beaver, where gnuBG evaluates no turn of whom its recount has without
the cube."""


def test_transcript_and_record_of_one_game_have_the_same_cube_rows() -> None:
    transcript, record = read_match("a.mat", SESSION.encode()), read_record(RECORD)
    assert transcript.cubes.kind.tolist().count(Kind.BEAVER) == 1
    same = [name for name in Cubes.names() if name in CUBE and name not in RECOUNTED]
    assert {name: getattr(transcript.cubes, name).tolist() for name in same} == {
        name: getattr(record.cubes, name).tolist() for name in same
    }
    assert (transcript.cubes.position == record.cubes.position).all()
    assert (
        transcript.cubes.access.tolist()
        == transcript.cubes.recount_access.tolist()
        != record.cubes.recount_access.tolist()
    )
    recounted = record.cubes.recount_access | (record.cubes.kind > Kind.DOUBLE)
    assert (record.cubes.expected == transcript.cubes.expected & recounted).all()
    assert not recounted.all()
