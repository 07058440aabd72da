"""A whole small file of each tool, for tests that spoil a sound file or need any file at all."""

from dataclasses import replace

from reconcile.match.board.position import START, swap
from tests.support.small_sgf import ANN_31, BEN_31, root
from tests.support.written import (
    Candidate,
    Cube,
    Double,
    Ending,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
    level_equity,
)
from tests.support.xg_writer import write

USUAL = f"{root()}{ANN_31}{BEN_31})"
"""A `.sgf` file of gnuBG with one analysed play of each player."""


def after(*steps):
    counts = list(START)
    for source, target in steps:
        counts[source] -= 1
        counts[target] += 1
    return tuple(counts)


POINT = Candidate(((8, 5), (6, 5)), after((8, 5), (6, 5)), level_equity(0.25))
SPLIT = Candidate(((24, 21), (6, 5)), after((24, 21), (6, 5)), level_equity(0.125))
ONLY = Candidate(((24, 18), (18, 12)), after((24, 12)), level_equity(0.0))
CLOSE = Cube(Double.NO, no_double=level_equity(0.5), double_take=level_equity(0.375))
TAKEN = Cube(Double.YES, Take.TAKE, level_equity(0.5), level_equity(0.75))
PASSED = Cube(Double.YES, Take.PASS, level_equity(0.75), level_equity(1.5))
MADE = swap(POINT.position)


def match_of(*games, **more):
    return WrittenMatch(
        **{
            "players": ("Nora Lindqvist", "Tomás Beck"),
            "length": 5,
            "games": games,
            "ended": False,
            **more,
        }
    )


def game_of(*turns, score=(0, 0), ending=None, **more):
    return Game(turns, score, ending, **more)


WRITTEN = match_of(
    game_of(
        Turn(1, START, move=Move((3, 1), (POINT, SPLIT), played=1, luck=0.5)),
        Turn(2, MADE, TAKEN, Move((6, 6), (ONLY,))),
        Turn(
            1,
            swap(MADE),
            replace(CLOSE, double=Double.NO),
            Move((2, 1), (POINT, SPLIT), luck=-0.25),
        ),
        Turn(2, MADE, Cube(), Move((4, 1), (POINT, SPLIT))),
        Turn(1, START, PASSED),
        ending=Ending(winner=1, points=2, termination=Termination.PASS),
    ),
    game_of(
        Turn(2, START, move=Move((3, 1), (POINT, SPLIT))),
        Turn(1, MADE, CLOSE, Move((3, 2), (POINT, SPLIT))),
        score=(2, 0),
        ending=Ending(winner=2, points=1),
    ),
    event="Nordic Open",
)
"""What the `.xg` file holds."""
CONTENT = write(WRITTEN)
"""The bytes of a `.xg` file of two short games, with every kind of decision."""

EVENING = """\
; [Variation "Backgammon"]
; [Crawford "On"]

5 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 8/5 6/5                  64: 24/18 18/14
  2)  Doubles => 2                 Takes
  3) 51: 13/8 6/5                 66: Cannot Move
  4) 21: ????
                                  Wins 2 points

 Game 2
 Ann : 0                          Ben : 2
  1)                              62: 24/18 13/11
  2) 64: 24/18 18/14*              Doubles => 2
  3)  Drops
                                  Wins 1 point
"""
"""A transcript of two games, with a double that is taken and one that is dropped."""
