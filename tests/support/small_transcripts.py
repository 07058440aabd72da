"""Short transcripts written by hand, and what two files of one match must have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reconcile.formats import read_match
from reconcile.match.board.play import apply_play
from reconcile.match.columns import Validity
from reconcile.match.match import Match

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


def read(text: str) -> Match:
    """The match that a transcript tells."""
    return read_match("evening.mat", text.encode())


def cube_rows(match: Match) -> list[tuple[Any, ...]]:
    """Every cube decision: where it stands, what was done, the cube and its owner."""
    cubes = match.cubes
    columns = (cubes.game, cubes.turn, cubes.player, cubes.kind, cubes.cube, cubes.owner)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def results(match: Match) -> list[tuple[Any, ...]]:
    """Every roll that was played: where it stands, its dice, the position before and after it."""
    plays = match.plays
    rows = []
    for row in range(len(plays)):
        if plays.validity[row] == Validity.UNPLAYED:
            continue
        before = tuple(plays.position[row].tolist())
        place = (int(plays.game[row]), int(plays.turn[row]), int(plays.player[row]))
        stake = (int(plays.cube[row]), int(plays.owner[row]))
        rows.append(
            (
                *place,
                tuple(sorted(plays.dice[row].tolist())),
                stake,
                before,
                apply_play(before, plays.play[row]),
            )
        )
    return rows


def game_rows(match: Match) -> list[tuple[Any, ...]]:
    """Every game: its number, score and result."""
    games = match.games
    columns = (
        games.number,
        games.score,
        games.crawford,
        games.winner,
        games.points,
        games.resigned,
    )
    return [
        tuple(map(str, row)) for row in zip(*(column.tolist() for column in columns), strict=True)
    ]


def same_match(
    first: Match, other: Match, cubes: Callable[[Match], list[tuple[Any, ...]]] = cube_rows
) -> None:
    """Check that two files tell one match."""
    assert results(first) == results(other)
    assert game_rows(first) == game_rows(other)
    assert cubes(first) == cubes(other)
    assert (first.length, first.complete, first.rules.variation) == (
        other.length,
        other.complete,
        other.rules.variation,
    )
