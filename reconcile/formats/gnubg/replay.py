"""The board of one SGF game, replayed node by node as gnuBG replays it.

It is needed only if the file is not enough: the play made is not the alternative that the file
points to, a gammon must be distinguished from a backgammon, or a position is to be shown. A board
is 25 counts (points 1 to 24 of that side, then its bar) for each player; there are at most 255
checkers anywhere, so that bytes are enough.
"""

from __future__ import annotations

from functools import lru_cache

from reconcile.formats.gnubg.collection import Node, value, values
from reconcile.match.board.position import STARTS

Board = tuple[bytearray, bytearray]
"""Checkers of White (seat 0) and Black (seat 1), each numbered from 0 in that player's view; 24 is
the bar."""

BAR = 24
OFF = -1
LETTERS = b"abcdefghijklmnopqrstuvwxy"
MOST_PLACED = 100
"""Most values of a property that sets up a position; there are 25 places."""
LONGEST_PLAY = 8
"""Letters of four steps; gnuBG does not read anything after them."""
Steps = tuple[tuple[int, int], ...]
MOST_STEPS = 1 << 14
"""Plays whose steps are kept; a long match has some thousand different ones."""


def _numbers(seat: int) -> list[int]:
    points = range(BAR) if seat == 0 else range(BAR - 1, -1, -1)
    return [dict(zip(LETTERS, (*points, BAR), strict=True)).get(byte, OFF) for byte in range(256)]


_NUMBERS = _numbers(0), _numbers(1)
"""By seat and letter: points from 0 in that seat's numbering."""


def start(variation: str) -> Board:
    """The opening position of a variation."""
    side = bytearray(max(checkers, 0) for checkers in STARTS[variation][1:])
    return side, side.copy()


def steps(letters: bytes, seat: int) -> Steps:
    """The (from, to) numbers of a play in the player's numbering from 0, bar 24, off -1."""
    return _steps(letters[:LONGEST_PLAY], seat)


@lru_cache(MOST_STEPS)
def _steps(letters: bytes, seat: int) -> Steps:
    numbers = [_NUMBERS[seat][letter] for letter in letters]
    return tuple(zip(numbers[::2], numbers[1::2], strict=False))


def play(board: Board, seat: int, letters: bytes) -> bool:
    """Play on a board, as gnuBG replays a transcript without checking it; returns whether the play
    is possible at all.

    A step from a point without a checker is skipped; all checkers of a made point that is hit go to
    the bar. A play is possible, whatever the dice, if every step starts at a checker, moves forward
    and does not end on a made point.
    """
    own, other = board[seat], board[1 - seat]
    possible = True
    for origin, target in _steps(letters[:LONGEST_PLAY], seat):
        if origin < 0 or not own[origin]:
            possible = False
            continue
        if target >= origin:
            possible = False
        own[origin] -= 1
        if 0 <= target < BAR:
            own[target] += 1
            if hit := other[23 - target]:
                possible &= hit == 1
                other[BAR] += hit
                other[23 - target] = 0
    return possible


def apply(board: Board, seat: int, letters: bytes) -> Board:
    """Both sides, this seat's first, after a play as gnuBG compares it with the alternatives of a
    list.

    It stops at its first impossible step. If that step ends on a made point, the checker has
    already left its own point.
    """
    own, other = board[seat].copy(), board[1 - seat]
    for origin, target in _steps(letters[:LONGEST_PLAY], seat):
        if origin < 0 or target > origin or not own[origin]:
            break
        own[origin] -= 1
        if target < 0:
            continue
        hit = other[23 - target]
        if hit > 1:
            break
        if hit:
            own[target] = 1
            other = other.copy()
            other[23 - target] = 0
            other[BAR] += 1
        else:
            own[target] += 1
    return own, other


def locate(board: Board, parts: list[bytes], text: bytes, seat: int) -> int:
    """The first alternative that leads from a board to the position of the play made; 0 if none
    does."""
    steps_played = text[2:]
    after = apply(board, seat, steps_played)
    for index, part in enumerate(parts[1:], 1):
        letters = part[: part.find(b" ")]
        if letters == steps_played or apply(board, seat, letters) == after:
            return index
    return 0


def set_up(board: Board, node: Node, roller: int) -> Board:
    """The board after `AE`, `AW` and `AB`, whose points are White's letters for both players, with
    `roller` (-1: nobody) on roll before.

    gnuBG places the checkers on the board of the player on roll and then takes it for White's, so
    the checkers that stay are exchanged where Black is on roll.
    """
    first, second = board[roller == 1].copy(), board[roller != 1].copy()
    for key in node:
        if key == b"PL" and on_roll(node, roller) != roller:
            first, second = second, first
        if key not in (b"AE", b"AW", b"AB"):
            continue
        for text in values(node, key)[:MOST_PLACED]:
            low, _, high = text.partition(b":")
            start, end = LETTERS.find(low[:1]), LETTERS.find((high or low)[:1])
            for index in range(start, end + 1) if start >= 0 else ():
                if key == b"AE":
                    first[index] = 0
                    second[index if index == BAR else 23 - index] = 0
                elif key == b"AW":
                    first[index] += 1
                else:
                    second[index if index == BAR else 23 - index] += 1
    return first, second


def on_roll(node: Node, seat: int) -> int:
    """The player on roll at a node, given the one before it."""
    return int(value(node, b"PL")[:1] == b"B") if b"PL" in node else seat
