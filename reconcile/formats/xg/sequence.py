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

from reconcile.formats.rows import NOBODY
from reconcile.formats.xg import records
from reconcile.formats.xg.games import Game
from reconcile.formats.xg.records import CUBE, GAME_FOOTER, GAME_HEADER, MATCH_FOOTER, MOVE
from reconcile.formats.xg.values import Array
from reconcile.wording import summary

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
STRANGE: Final = np.array(
    [[kind not in after for kind in FOLLOWERS] for after in FOLLOWERS.values()]
)
NO_ACCESS, OVER, NOT_DOUBLED, DOUBLED = -2, -1, 0, 1
PASSED, TAKEN = 0, 1
ILLEGAL_PLAY: Final = 2
DROPPED, BORNE_OFF = 0, (1, 2, 3)
"""How games end but by resignation and settlement."""
SEATS: Final = (1, -1)
"""The players as records have them, by seat."""
PIPS: Final = np.arange(26, dtype=np.float32)
FROM_BEFORE: Final = "than the record before leads to"
Faults = Iterator[tuple[str, Array]]
"""What may be wrong, and the turns at which it is."""


def disagreements(
    blob: bytes | bytearray, kinds: Array, games: list[Game], length: int | None, rolls: Array
) -> list[str]:
    """Where records do not follow from those before them, as a person reads it; the first of
    many.

    `rolls` are the `MOVE_NUMBERS` of every roll.
    """
    rows = np.flatnonzero(kinds <= MATCH_FOOTER)
    kinds_before, kinds_after = kinds[rows[:-1]], kinds[rows[1:]]
    strange = np.flatnonzero(STRANGE[kinds_before, kinds_after])
    faults = [
        (int(rows[at + 1]), f"{NAMES[kinds_after[at]]} after {NAMES[kinds_before[at]]}")
        for at in strange
    ]
    turns = _Turns(blob, kinds, games, length)
    for group in (turns.faults(), turns.faults_of_score(), turns.faults_of_rolls(rolls)):
        for words, wrong in group:
            faults += [(int(turns.row[at]), words) for at in wrong]
    faults += turns.ends()
    return summary([f"record {row}: {words}" for row, words in sorted(faults)])


class _Turns:
    """The cube records and rolls of all games, in the order of the file, and what is wrong with
    each."""

    def __init__(
        self, blob: bytes | bytearray, kinds: Array, games: list[Game], length: int | None
    ) -> None:
        self.blob, self.games, self.length = blob, games, length
        self.headers = np.flatnonzero(kinds == GAME_HEADER)
        self.row = row = np.flatnonzero((kinds == CUBE) | (kinds == MOVE))
        self.is_roll = kinds[row] == MOVE
        self.starts = row.searchsorted(self.headers)
        first = np.zeros(len(row) + 1, bool)
        first[self.starts] = first[-1] = True
        self.first, self.last, self.inside = first[:-1], first[1:], ~first[1:-1]
        self.numbers: Array = np.frombuffer(blob, "<i4")
        self.at_number = row * (records.RECORD_SIZE // 4)
        self.on_roll, self.cube, *self.away = self.numbers.take(
            self.at_number + self.of_kind(records.TURN_NUMBERS.columns)
        )
        self.double, self.take = self.numbers.take(self.at_number + records.CUBE_ACTIONS.columns)
        self.double[self.is_roll] = OVER
        self.answered = self.double == DOUBLED
        self.passed = self.answered & (self.take == PASSED)
        errors = row * (records.RECORD_SIZE // 8) + self.of_kind(records.TURN_ERRORS.columns)[0]
        self.scored = np.frombuffer(blob, "<f8").take(errors) > records.NOT_SCORED

    def of_kind(self, places: Array) -> Array:
        """Of places in a cube record and in a roll, those of every record."""
        return np.where(self.is_roll, places[:, 1:], places[:, :1])

    def faults(self) -> Faults:
        """What may be wrong with any record."""
        on_roll, cube, double, inside = self.on_roll, self.cube, self.double, self.inside
        next_on_roll = np.where(self.is_roll, -on_roll, on_roll)
        yield (
            f"another player {FROM_BEFORE}",
            np.flatnonzero(inside & (on_roll[1:] != next_on_roll[:-1])) + 1,
        )
        yield "a double without an answer", np.flatnonzero(self.answered & (self.take < PASSED))
        ended = ((double == OVER) & ~self.is_roll) | self.passed
        yield "a game that goes on behind its end", np.flatnonzero(ended & ~self.last)
        # The cube is turned by a take; what beavers make of it is left open.
        power = np.abs(cube)
        next_cube = np.where(self.answered & (self.take == TAKEN), -on_roll * (power + 1), cube)
        wrong = self.first & (cube != 0)
        beaver = self.answered & (self.take > TAKEN)
        wrong[1:] |= inside & (cube[1:] != next_cube[:-1]) & ~beaver[:-1]
        yield f"another cube {FROM_BEFORE}", np.flatnonzero(wrong)

    def faults_of_score(self) -> Faults:
        """What may be wrong with the score of an analysis, and with the access to the cube."""
        on_roll, cube, double = self.on_roll, self.cube, self.double
        *scores, crawford = np.array(
            [(*game.score, game.crawford) for game in self.games]
        ).T.repeat(np.diff(self.starts, append=len(cube)), axis=1)
        # A cube record says that there was no access, or what was done; of a cube that would win
        # nothing more it may say either.
        refused = double == NO_ACCESS
        if self.length is not None:
            away = self.length - np.where(on_roll > 0, scores, scores[::-1])
            other = (self.away[0] != away[0]) | (self.away[1] != away[1])
            yield "an analysis at another score", np.flatnonzero(self.scored & other)
            refused &= 1 << np.abs(cube) < away[0]
        access = (cube * on_roll >= 0) & ~self.first & (crawford == 0)
        wrong = np.where(access, refused, double >= NOT_DOUBLED)
        wrong |= (double < NO_ACCESS) | (double > DOUBLED)
        yield (
            "an access to the cube that the player has not, or none that he has",
            np.flatnonzero(wrong),
        )

    def play(self, at: Array) -> tuple[Array, Array]:
        """Whether each roll was played, and the pips that its player lost by it; sets the position
        that every record leads to."""
        row, moves = self.row[at], np.frombuffer(self.blob, records.MOVE_RESULTS)
        self.position = np.frombuffer(self.blob, records.CUBE_POSITIONS)["position"][self.row]
        self.position[at] = before = moves["before"][row]
        boards = np.stack((before, moves["after"][row])).view(np.int8).reshape(2, -1, 26)
        theirs = np.flatnonzero(self.on_roll[at] < 0)
        turned = boards.copy()
        turned[:, theirs] = -boards[:, theirs, ::-1]
        played = moves["played"][row] != 0
        self.leads_to = self.position.copy()
        self.leads_to[at[played]] = turned[1].view(before.dtype)[played, 0]
        return played, (np.maximum(turned[0], 0) - np.maximum(boards[1], 0)) @ PIPS

    def faults_of_rolls(self, rolls: Array) -> Faults:
        """What may be wrong with a position, a play and its dice."""
        at = np.flatnonzero(self.is_roll)
        played, lost = self.play(at)
        unlike = self.position[1:] != self.leads_to[:-1]
        yield f"another position {FROM_BEFORE}", np.flatnonzero(self.inside & unlike) + 1
        yield "a roll that was not played where the game goes on", at[~(played | self.last[at])]
        dice, invalid, start, end = rolls[:2], rolls[3], rolls[4::2], rolls[5::2]
        moving = np.logical_and.accumulate((start >= 0) & (start != end))
        pips = ((start - np.maximum(end, -1)) * moving).sum(axis=0)
        yield "a play that does not lead to the position after it", at[played & (pips != lost)]
        low, high = np.minimum(*dice), np.maximum(*dice)
        double = low == high
        most = (low + high) << double
        fits = (moving & (end < 0)).any(axis=0) | (double & (pips % low == 0))
        fits |= (pips == most) | (pips == low) | (pips == high)
        unfit = (pips != 0) & ~(fits & (pips <= most))
        yield "a play that its dice do not give", at[unfit & played & (invalid != ILLEGAL_PLAY)]
        of_analysis = self.numbers.take(self.at_number[at] + records.DICE_OF_ANALYSIS.columns)
        other = (np.minimum(*of_analysis) != low) | (np.maximum(*of_analysis) != high)
        yield "an analysis of other dice", at[self.scored[at] & other]

    def ends(self) -> Iterator[tuple[int, str]]:
        """Games whose end is not what was played, or whose score is not the game before led
        to."""
        ends = np.flatnonzero(self.last)
        boards = self.leads_to[ends].view(np.int8).reshape(-1, 26)
        left = np.stack((boards > 0, boards < 0), axis=1).any(axis=2)
        games = self.starts.searchsorted(ends, "right") - 1
        columns: tuple[Any, ...] = (
            left.tolist(),
            self.passed[ends].tolist(),
            self.on_roll[ends].tolist(),
        )
        last_of = dict(zip(games.tolist(), zip(*columns, strict=True), strict=True))
        most = 2**31 if self.length is None else self.length
        for index, (game, following) in enumerate(zip_longest(self.games, self.games[1:])):
            if not game.footer:
                continue
            score = list(game.score)
            score[game.winner] += game.points << game.automatic_doubles  # nobody's are 0
            stated = game.score_after
            # XG may stop at the length of the match.
            if stated not in (tuple(score), tuple(min(points, most) for points in score)):
                yield game.footer, f"a score of {stated[0]}-{stated[1]} after {score[0]}-{score[1]}"
            if following and following.score != stated:
                yield int(self.headers[index + 1]), "another score than the game before led to"
            if index not in last_of or game.winner == NOBODY:
                continue
            checkers, passed, on_roll = last_of[index]
            end = game.termination
            winner_off, loser_off = not checkers[game.winner], not checkers[1 - game.winner]
            if (passed, winner_off) != (end == DROPPED, end in BORNE_OFF) or loser_off:
                yield game.footer, "an end that was not played"
            elif passed and on_roll != SEATS[game.winner]:
                yield game.footer, "a pass by the winner"
