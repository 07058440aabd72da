"""The identifiers to paste into other programs: gnuBG's Match ID and GNU ID, and XG's XGID.

Both describe a `Situation` from a fixed seat, not the decider's: gnuBG's player 1 and XG's player 1
sit at the bottom of the board. So a decider at the bottom is player 1 in both.

Both describe a double by the doubler and by the cube **before** it. For the Match ID gnuBG's text
exports show this (a Position ID with a double pending is also the doubler's), for the XGID gnuBG's
import of one. Impossible situations raise `ValueError`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.match.board.position import (
    BAR,
    CHECKERS,
    KEY_BYTES,
    START,
    Counts,
    checked,
    position_id,
    swap,
)

Dice = tuple[int, int]
NO_DICE: Final[Dice] = (0, 0)

MATCH_ID_LENGTH: Final = 12
# bits from the lowest of the first byte on; gnuBG's manual, "A technical description of the Match
# ID"
_MATCH_FIELDS: Final = {
    "log_cube": 4,
    "owner": 2,  # player 0, player 1; 3 centred
    "on_roll": 1,  # player
    "crawford": 1,
    "state": 3,  # 0 no game, 1 playing, 2 over, 3 resigned, 4 dropped
    # the player who decides: not the one on roll when a double or a resignation is offered
    "turn": 1,
    "doubled": 1,
    "resigned": 2,  # 1 single, 2 gammon, 3 backgammon
    "die1": 3,  # the larger
    "die2": 3,
    "length": 15,  # 0 money
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,  # gnuBG 1.0 and later; set in a match, where it means nothing
}
CENTRED: Final = 3
_PLAYING: Final = 1

LARGEST_CUBE: Final = 1 << 15
XG_DOUBLED: Final = "D"
LARGEST_CUBE_OF_XG: Final = (
    10  # as a power of two: XG's own setting, which no decision of a match depends on
)
_XGID: Final = re.compile(
    r"(?:XGID=)?([-A-Oa-o]{26}):(\d{1,2}):(-1|0|1):(-1|1):([0-6]{2}|D)"
    r":(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):\d{1,2}",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a decision depends on, in the decider's view."""

    position: Counts = START
    """The decider's view, also for a response to a double; given as an array or any sequence,
    stored as a tuple."""
    dice: Dice = NO_DICE
    """(0, 0) before the roll: a cube action or a response."""
    cube: int = 1
    """Value of the cube, 1, 2, 4...; with a double offered, before that double."""
    owner: int = 0
    """Who owns the cube: 1 the decider, 0 nobody, -1 the opponent; with a double offered, before
    that double."""
    length: int | None = None
    """Points of the match; `None` for money."""
    score: tuple[int, int] = (0, 0)
    """Points won by (decider, opponent)."""
    crawford: bool = False
    """Whether this is the Crawford game."""
    jacoby: bool = False
    beavers: bool = False
    """Only in an XGID."""
    double_offered: bool = False
    """Whether the decider has to respond to a double by the opponent, who is then on roll."""
    decider_is_top: bool = False
    """Whether the decider is player 0 of gnuBG, player 2 of XG."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", checked(self.position))
        is_match, cube = self.length is not None, self.cube
        for why, is_wrong in {
            f"dice {self.dice}": self.dice != NO_DICE
            and (self.double_offered or not {*self.dice} <= {*range(1, 7)}),
            f"cube {cube}": cube < 1 or cube & (cube - 1) or cube > LARGEST_CUBE,
            f"cube owner {self.owner}": not -1 <= self.owner <= 1 - self.double_offered,
            f"match length {self.length}": is_match and not 1 <= (self.length or 0) < 1 << 15,
            f"score {self.score}": not all(0 <= points < 1 << 15 for points in self.score),
            "rules of money play": is_match and (self.jacoby or self.beavers),
            "a Crawford game of money play": self.crawford and not is_match,
        }.items():
            if is_wrong:
                raise ValueError(f"no such situation: {why}")

    @property
    def away(self) -> tuple[int, int] | None:
        """Points still needed by (decider, opponent); `None` for money."""
        return (
            None
            if self.length is None
            else (self.length - self.score[0], self.length - self.score[1])
        )

    @property
    def _on_roll_is_top(self) -> bool:
        return self.decider_is_top != self.double_offered


def gnubg_id(situation: Situation) -> str:
    """`Position ID:Match ID`, which gnuBG accepts as one text."""
    position = swap(situation.position) if situation.double_offered else situation.position
    return f"{position_id(position)}:{match_id(situation)}"


def match_id(situation: Situation) -> str:
    """gnuBG's Match ID (12 characters): cube, score, dice and whose turn it is, but neither
    position nor beavers."""
    decider = 0 if situation.decider_is_top else 1
    score = situation.score if situation.decider_is_top else situation.score[::-1]
    values = {
        "log_cube": situation.cube.bit_length() - 1,
        "owner": (CENTRED, decider, 1 - decider)[situation.owner],
        "on_roll": 0 if situation._on_roll_is_top else 1,
        "crawford": situation.crawford,
        "state": _PLAYING,
        "turn": decider,
        "doubled": situation.double_offered,
        "resigned": 0,
        "die1": max(situation.dice),
        "die2": min(situation.dice),
        "length": situation.length or 0,
        "score0": score[0],
        "score1": score[1],
        "no_jacoby": not situation.jacoby,
    }
    bits = place = 0
    for field, width in _MATCH_FIELDS.items():
        bits |= values[field] << place
        place += width
    return b64encode(bits.to_bytes(MATCH_ID_LENGTH * 3 // 4, "little")).decode("ascii")


def match_id_fields(text: str) -> dict[str, int]:
    """What a Match ID says, by field as gnuBG's manual numbers players and rules. Raises
    `ValueError`.

    `owner` is 0, 1 or `CENTRED`; `on_roll` and `turn` are players, the second the one who decides.
    """
    if len(text) != MATCH_ID_LENGTH:
        raise ValueError(f"a Match ID has {MATCH_ID_LENGTH} characters, not {text!r}")
    bits = int.from_bytes(b64decode(text, validate=True), "little")
    fields = {}
    for field, width in _MATCH_FIELDS.items():
        fields[field] = bits & (1 << width) - 1
        bits >>= width
    if fields["owner"] not in (0, 1, CENTRED):
        raise ValueError(f"a Match ID with no possible owner of the cube: {text!r}")
    return fields


def xgid(situation: Situation) -> str:
    """XG's identifier: `XGID=board:log2 cube:owner:turn:dice:score:score:rules:length:log2 largest
    cube`.

    The board runs from the top player's bar over the bottom player's points 1-24 to the bottom
    player's bar; capital letters are the bottom player's checkers (A one, B two...), small ones the
    top player's. Owner, turn and the first score refer to the bottom player (1 bottom, -1 top).
    Dice: `00` before the roll, `D` for a pending double, with the doubler's turn. Rules: in a match
    1 for the Crawford game; for money (length 0) 1 Jacoby + 2 beavers.
    """
    seat = -1 if situation.decider_is_top else 1
    score = situation.score[::seat]
    fields = (
        "".join(
            [
                letter(count)
                for count in (situation.position if seat == 1 else swap(situation.position))
            ]
        ),
        situation.cube.bit_length() - 1,
        seat * situation.owner,
        -1 if situation._on_roll_is_top else 1,
        XG_DOUBLED if situation.double_offered else f"{max(situation.dice)}{min(situation.dice)}",
        *score,
        int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beavers,
        situation.length or 0,
        LARGEST_CUBE_OF_XG,
    )
    return "XGID=" + ":".join(map(str, fields))


def from_xgid(text: str) -> Situation:
    """The situation of an XGID, with or without `XGID=`. Raises `ValueError`, also for a pending
    beaver (dice `B`) or raccoon (`R`)."""
    parsed = _XGID.fullmatch(text.strip())
    if not parsed:
        raise ValueError(f"not an XGID: {text!r}")
    board, log_cube, owner, turn, dice, score1, score2, rules, length = parsed.groups()
    doubled = dice == XG_DOUBLED
    seat = -int(turn) if doubled else int(turn)
    position = tuple([_count(letter) for letter in board])
    score = (int(score1), int(score2))
    in_match = int(length) > 0
    if int(log_cube) > 15 or (in_match and int(rules) > 1):
        raise ValueError(f"not an XGID: {text!r} (cube 2^{log_cube}, rules {rules})")
    return Situation(
        position=position if seat == 1 else swap(position),
        dice=NO_DICE if doubled else (int(dice[0]), int(dice[1])),
        cube=1 << int(log_cube),
        owner=seat * int(owner),
        length=int(length) or None,
        score=score if seat == 1 else score[::-1],
        crawford=in_match and rules == "1",
        jacoby=not in_match and bool(int(rules) & 1),
        beavers=not in_match and bool(int(rules) & 2),
        double_offered=doubled,
        decider_is_top=seat == -1,
    )


def letter(count: int) -> str:
    """The letter of a point in an XGID; positive counts are the bottom player's."""
    if count == 0:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def _count(letter: str) -> int:
    if letter == "-":
        return 0
    return (
        ord(letter) - ord("A") + 1
        if letter <= chr(ord("A") + CHECKERS)
        else ord("a") - ord(letter) - 1
    )


_LETTERS: Final = np.frombuffer(
    "".join(letter(count) for count in range(-CHECKERS, CHECKERS + 1)).encode(), np.uint8
)
"""By the signed count, from -15 on."""

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Situations:
    """Decisions as columns, in the deciders' views; the meaning of each is that of the field of
    `Situation`."""

    position: Ints
    """Shape (rows, 26)."""
    dice: Ints
    """Shape (rows, 2)."""
    cube: Ints
    owner: Ints
    length: Ints
    """0 for money."""
    score: Ints
    """Shape (rows, 2): points won by (decider, opponent)."""
    rules: Ints
    """In a match 1 for the Crawford game; for money 1 Jacoby + 2 beavers."""
    double_offered: Bools
    decider_is_top: Bools

    def possible(self) -> Bools:
        """Whether each can be: what `Situation` refuses cannot."""
        cube, owner = self.cube, self.owner
        rolled = (self.dice != 0).any(axis=1)
        dice = ((self.dice >= 1) & (self.dice <= 6)).all(axis=1) & ~self.double_offered
        possible = possible_positions(self.position)
        possible &= (
            (cube >= 1) & (cube & (cube - 1) == 0) & (cube <= LARGEST_CUBE) & (dice | ~rolled)
        )
        possible &= (np.abs(owner) <= 1) & ~(self.double_offered & (owner == 1))
        return possible & ((self.score >= 0) & (self.score < 1 << 15)).all(axis=1)


def possible_positions(positions: Ints) -> Bools:
    """Whether each can be, shape (rows, 26): at most 15 checkers a player, and on each bar only its
    owner's."""
    own, other = np.maximum(positions, 0).sum(axis=1), np.minimum(positions, 0).sum(axis=1)
    possible: Bools = (
        (positions[:, 0] <= 0) & (positions[:, BAR] >= 0) & (own <= CHECKERS) & (other >= -CHECKERS)
    )
    return possible


_FIRST, _SECOND, _THIRD = np.indices((16,) * 3, np.uint64).reshape(3, -1)
_ONES = (np.uint64(1) << np.arange(16, dtype=np.uint64)) - np.uint64(1)
_RUNS: Final = (
    _ONES[_FIRST]
    | _ONES[_SECOND] << _FIRST + np.uint64(1)
    | _ONES[_THIRD] << _FIRST + _SECOND + np.uint64(2)
)
"""What three places are in a key, by their counts, four bits each: a bit for every checker, and a
zero after those of each place."""
_SIZES: Final = _FIRST + _SECOND + _THIRD + np.uint64(3)


def position_keys(positions: Ints) -> npt.NDArray[np.uint8]:
    """The ten bytes of the Position ID of every possible position, shape (rows, 10)."""
    places = np.zeros((27, 2, len(positions)), np.int16)  # of each side, with two that do not exist
    places[:BAR] = np.maximum(
        np.stack((-positions[:, BAR - 1 :: -1].T, positions[:, 1:].T), axis=1), 0
    )
    bits, size = np.zeros((2, 2, len(positions)), np.uint64)
    for three in places[::3] << 8 | places[1::3] << 4 | places[2::3]:
        bits |= _RUNS.take(three) << size
        size += _SIZES.take(three)
    size -= 2
    keys = np.empty(len(positions), [("low", "<u8"), ("high", "<u2")])
    keys["low"], keys["high"] = bits[0] | bits[1] << size[0], bits[1] >> np.uint64(64) - size[0]
    return keys.view(np.uint8).reshape(-1, KEY_BYTES)


def xgids(rows: Situations) -> list[str | None]:
    """The XGID of every row; `None` for a situation that cannot be, as in a damaged game."""
    possible = rows.possible()
    top = rows.decider_is_top
    position = np.where(top[:, np.newaxis], -rows.position[:, ::-1], rows.position)
    boards = (
        _LETTERS[np.where(possible[:, np.newaxis], position, 0) + CHECKERS]
        .tobytes()
        .decode("ascii")
    )
    side = np.where(top, -1, 1)
    columns = (
        (np.frexp(rows.cube)[1] - 1),
        side * rows.owner,
        np.where(top != rows.double_offered, -1, 1),
        rows.dice.max(axis=1) * 10 + rows.dice.min(axis=1),
        np.where(top, rows.score[:, 1], rows.score[:, 0]),
        np.where(top, rows.score[:, 0], rows.score[:, 1]),
        rows.rules,
        rows.length,
    )
    texts: list[str | None] = []
    width = position.shape[1]
    rows_of_columns = zip(
        possible.tolist(),
        rows.double_offered.tolist(),
        *(column.tolist() for column in columns),
        strict=True,
    )
    for at, (can_be, offered, cube, owner, turn, dice, bottom, above, rules, length) in enumerate(
        rows_of_columns
    ):
        board = boards[at * width : (at + 1) * width]
        roll = XG_DOUBLED if offered else f"{dice:02}"
        score = f"{bottom}:{above}:{rules}:{length}"
        text = f"XGID={board}:{cube}:{owner}:{turn}:{roll}:{score}:{LARGEST_CUBE_OF_XG}"
        texts.append(text if can_be else None)
    return texts
