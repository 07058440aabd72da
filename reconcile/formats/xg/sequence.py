"""What in the records of an `.xg` file does not follow from the records before, over columns.

XG writes a cube record before every roll, then the roll; each repeats the position and the cube,
and what its analysis was made for (dice, score). So a record that was changed, lost or repeated
disagrees with another one. Nothing is corrected: the figures are those of the records as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from reconcile.files.wording import summary
from reconcile.formats.rows import NOBODY
from reconcile.formats.xg import records
from reconcile.formats.xg.games import Game
from reconcile.formats.xg.records import CUBE, GAME_FOOTER, GAME_HEADER, MATCH_FOOTER, MOVE
from reconcile.formats.xg.values import Array

FOLLOWERS: Final = {
    records.MATCH_HEADER: (GAME_HEADER,),
    GAME_HEADER: (CUBE, GAME_FOOTER),
    CUBE: (MOVE, GAME_FOOTER),
    MOVE: (CUBE, GAME_FOOTER),
    GAME_FOOTER: (GAME_HEADER, MATCH_FOOTER),
    MATCH_FOOTER: (),
}
"""What can follow a record, by kind; any can be the last of a match that was not finished."""
NAMES: Final = ("match header", "game header", "cube", "roll", "end of a game", "end of the match")
ALLOWED: Final = np.array([[kind in after for kind in FOLLOWERS] for after in FOLLOWERS.values()])
NO_ACCESS, OVER, NOT_DOUBLED, DOUBLED = -2, -1, 0, 1
PASSED, TAKEN = 0, 1
ILLEGAL_PLAY: Final = 2
DROPPED, BORNE_OFF = 0, (1, 2, 3)
"""How games end but by resignation and settlement."""
SEATS: Final = (1, -1)
"""The players as records have them, by seat."""
PIPS: Final = np.arange(26, dtype=np.int16)
CUBES: Final = records.columns(
    records.CUBE_LAYOUT, "position", "on_roll", "double", "take", "cube", "error", "away"
)
MOVES: Final = records.columns(
    records.MOVE_LAYOUT,
    "position", "on_roll", "after", "play", "dice", "cube", "error", "away",
    "dice_given", "played", "invalid",
)  # fmt: skip
FOOTERS: Final = records.columns(records.GAME_FOOTER_LAYOUT, "score", "termination")


def disagreements(
    blob: bytes | bytearray, kinds: Array, games: list[Game], length: int | None
) -> list[str]:
    """Where records do not follow from those before them, as a person reads it; the first of
    many."""
    rows = np.flatnonzero(kinds <= MATCH_FOOTER)
    kinds_before, kinds_after = kinds[rows[:-1]], kinds[rows[1:]]
    strange = np.flatnonzero(~ALLOWED[kinds_before, kinds_after])
    turns = _Turns(blob, kinds, games, length)
    faults = [
        (int(rows[at + 1]), f"{NAMES[kinds_after[at]]} after {NAMES[kinds_before[at]]}")
        for at in strange
    ]
    for words, wrong in turns.faults():
        faults += [(int(turns.row[at]), words) for at in np.flatnonzero(wrong)]
    faults += turns.ends(blob)
    return summary([f"record {row}: {words}" for row, words in sorted(faults)])


class _Turns:
    """The cube records and rolls of all games, in the order of the file, and what is wrong with
    each."""

    def __init__(
        self, blob: bytes | bytearray, kinds: Array, games: list[Game], length: int | None
    ) -> None:
        self.games = games
        self.most = 2**31 if length is None else length
        """Points; XG may stop at the length of the match."""
        self.headers = np.flatnonzero(kinds == GAME_HEADER)
        self.row = np.flatnonzero((kinds == CUBE) | (kinds == MOVE))
        self.row = self.row[self.row > self.headers[0]]
        self.is_roll = kinds[self.row] == MOVE
        self.game = self.headers.searchsorted(self.row) - 1
        self.first = np.ones(len(self.row), bool)
        self.first[1:] = self.game[1:] != self.game[:-1]
        self.last = np.append(self.first, True)[1:]
        self.moves: Any = np.frombuffer(blob, MOVES)
        self.cubes: Any = np.frombuffer(blob, CUBES)
        self.on_roll, self.cube, self.before = map(self.either, ("on_roll", "cube", "position"))
        self.double = np.where(self.is_roll, OVER, self.cubes["double"][self.row])
        self.take = self.cubes["take"][self.row]
        self.away: Array | None = None
        if length is not None:
            away = length - np.array([game.score for game in games])[self.game]
            self.away = np.where(self.on_roll[:, None] > 0, away, away[:, ::-1])

    def either(self, name: str) -> Array:
        """A field that both kinds of record have."""
        column: Array = self.cubes[name][self.row]
        column[self.is_roll] = self.moves[name][self.row[self.is_roll]]
        return column

    def faults(self) -> Iterator[tuple[str, Array]]:
        """What may be wrong with a record, and with which it is."""
        from_before = "than the record before leads to"
        yield (
            f"another player {from_before}",
            self.unlike(self.on_roll, np.where(self.is_roll, -self.on_roll, self.on_roll)),
        )
        yield "a double without an answer", (self.double == DOUBLED) & (self.take < PASSED)
        ended = (self.double == OVER) | ((self.double == DOUBLED) & (self.take == PASSED))
        yield "a game that goes on behind its end", ~self.is_roll & ended & ~self.last
        yield f"another cube {from_before}", self.wrong_cube()
        yield (
            "an access to the cube that the player has not, or none that he has",
            self.wrong_access(),
        )
        yield from self.faults_of_rolls(from_before)
        scored = self.either("error") > records.NOT_SCORED
        if self.away is not None:
            other = (self.either("away") != self.away).any(axis=1)
            yield "an analysis at another score", scored & other

    def unlike(self, column: Array, leads_to: Array) -> Array:
        """Where a column is not what the record before in its game leads to."""
        wrong = ~self.first
        wrong[1:] &= column[1:] != leads_to[:-1]
        return wrong

    def wrong_cube(self) -> Array:
        """The cube is turned by a take; what beavers make of it is left open."""
        answered = self.double == DOUBLED
        turned = -self.on_roll * (np.abs(self.cube) + 1)
        wrong: Array = self.unlike(
            self.cube, np.where(answered & (self.take == TAKEN), turned, self.cube)
        )
        wrong[1:] &= ~(answered & (self.take > TAKEN))[:-1]
        wrong |= self.first & (self.cube != 0)
        return wrong

    def wrong_access(self) -> Array:
        """A cube record says that there was no access, or what was done; of a cube that would win
        nothing more it may say either."""
        access = (self.cube * self.on_roll >= 0) & ~self.first
        access &= ~np.array([game.crawford for game in self.games])[self.game]
        alive = True if self.away is None else 1 << np.abs(self.cube) < self.away[:, 0]
        wrong: Array = np.where(
            access, alive & (self.double == NO_ACCESS), self.double >= NOT_DOUBLED
        )
        wrong |= (self.double < NO_ACCESS) | (self.double > DOUBLED)
        wrong &= ~self.is_roll
        return wrong

    def faults_of_rolls(self, from_before: str) -> Iterator[tuple[str, Array]]:
        """What may be wrong with a position, a play and its dice."""
        at = np.flatnonzero(self.is_roll)
        row, on_roll, moves = self.row[at], self.on_roll[at], self.moves
        before, after = self.before[at], moves["after"][row]
        theirs = np.flatnonzero(on_roll < 0)
        then = after.copy()
        then[theirs] = -after[theirs, ::-1]
        before[theirs] = -before[theirs, ::-1]
        played = moves["played"][row] != 0
        leads_to = self.before.copy()
        leads_to[at[played]] = then[played]
        self.boards = leads_to
        wrong = ~self.first
        wrong[1:] &= (self.before[1:] != leads_to[:-1]).any(axis=1)
        yield f"another position {from_before}", wrong

        def of_all(rolls: Array) -> Array:
            of_records = np.zeros(len(self.row), bool)
            of_records[at] = rolls
            return of_records

        yield "a roll that was not played where the game goes on", of_all(~played & ~self.last[at])
        play, dice = moves["play"][row], moves["dice"][row]
        start, end = play[:, ::2], play[:, 1::2]
        moving = np.logical_and.accumulate((start >= 0) & (start != end), axis=1)
        pips = ((start - np.maximum(end, -1)) * moving).sum(axis=1)
        lost = np.maximum(before, 0) @ PIPS - np.maximum(after, 0) @ PIPS
        yield "a play that does not lead to the position after it", of_all(played & (pips != lost))
        low, high = dice.min(axis=1), dice.max(axis=1)
        most = np.where(low == high, 4 * low, low + high)
        off = (moving & (end < 0)).any(axis=1)
        fits = off | (pips == most) | (pips == low) | (pips == high)
        fits |= (low == high) & (pips % np.maximum(low, 1) == 0)
        legal = played & (moves["invalid"][row] != ILLEGAL_PLAY)
        yield (
            "a play that its dice do not give",
            of_all(legal & ~((pips == 0) | fits & (pips <= most))),
        )
        of_others = np.sort(dice, axis=1) != np.sort(moves["dice_given"][row], axis=1)
        scored = moves["error"][row] > records.NOT_SCORED
        yield "an analysis of other dice", of_all(scored & of_others.any(axis=1))

    def ends(self, blob: bytes | bytearray) -> Iterator[tuple[int, str]]:
        """Games whose end is not what was played, or whose score is not what the game before led
        to."""
        footers = np.frombuffer(blob, FOOTERS)
        ends = np.flatnonzero(self.last)
        last_of = dict(zip(self.game[ends].tolist(), ends.tolist(), strict=True))
        for index, (game, following) in enumerate(zip_longest(self.games, self.games[1:])):
            if not game.footer:
                continue
            score = list(game.score)
            score[game.winner] += game.points << game.automatic_doubles  # nobody's are 0
            stated = footers["score"][game.footer].tolist()
            if stated not in (score, [min(points, self.most) for points in score]):
                yield game.footer, f"a score of {stated[0]}-{stated[1]} after {score[0]}-{score[1]}"
            if following and list(following.score) != stated:
                yield int(self.headers[index + 1]), "another score than the game before led to"
            if index not in last_of or game.winner == NOBODY:
                continue
            last, end = last_of[index], int(footers["termination"][game.footer])
            passed = bool(self.double[last] == DOUBLED) and bool(self.take[last] == PASSED)
            board = self.boards[last] * SEATS[game.winner]
            winner_off, loser_off = not (board > 0).any(), not (board < 0).any()
            if (passed, winner_off) != (end == DROPPED, end in BORNE_OFF) or loser_off:
                yield game.footer, "an end that was not played"
            elif passed and self.on_roll[last] != SEATS[game.winner]:
                yield game.footer, "a pass by the winner"
