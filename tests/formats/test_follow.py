"""What follows a game, event by event, whatever the format: cube, owner, who may double, which
answers belong to a beaver."""

from __future__ import annotations

from reconcile.formats import read_match
from reconcile.formats.gnubg import writer
from reconcile.formats.rows import CUBE
from reconcile.match.columns import Cubes, Kind
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
