"""Short transcripts written by hand, and what two files of one match must have in common."""

from reconcile.formats import read_match
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Validity

SHORT = """\
; [Event "Club evening"]
; [Crawford "On"]

3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 51: 13/7                     Doubles => 2
  3)  Takes                      52: 14/7
  4)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Ann : 2                        Ben : 0
  1)                             62: 24/18 13/11
  2) 65: ????                     Wins 1 point
"""
MONEY = """\
; [Variation "Backgammon"]
; [Jacoby "On"]
; [Beaver "On"]

0 point match

Game 1
Ann : 0                              Ben : 0
 1) 31: 8/5 6/5                      15: 24/23 13/8
 2)  Doubles => 2                     Beavers => 4
 3) 51: 13/8 6/5                     64: 24/14
 4) 42:
"""


def read(text):
    """The match that a transcript tells."""
    return read_match("evening.mat", text.encode())


def _rows(table, names):
    """Some columns of a table, row by row."""
    return list(zip(*(getattr(table, name).tolist() for name in names.split()), strict=True))


def cube_rows(match):
    """Every cube decision: where it stands, what was done, the cube and its owner."""
    return sorted(_rows(match.cubes, "game turn player kind cube owner"))


def results(match):
    """Every roll that was played: where it stands, the cube and its owner, the position before
    and after it, its dice."""
    rows = _rows(match.plays, "game turn player cube owner position validity dice")
    return [
        (*place, before, apply_play(tuple(before), play), sorted(dice))
        for (*place, before, validity, dice), play in zip(rows, match.plays.play, strict=True)
        if validity != Validity.UNPLAYED
    ]


def game_rows(match):
    """Every game: its number, score and result."""
    return _rows(match.games, "number score crawford winner points resigned")


def same_match(first, other, cubes=cube_rows):
    """Check that two files tell one match."""
    assert results(first) == results(other)
    assert game_rows(first) == game_rows(other)
    assert cubes(first) == cubes(other)
    assert (first.length, first.complete, first.rules.variation) == (
        other.length,
        other.complete,
        other.rules.variation,
    )
