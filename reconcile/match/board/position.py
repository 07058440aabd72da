"""A position as 26 signed counts in one player's view, its phase, and the identifiers to paste into
other programs: gnuBG's Position ID, Match ID and GNU ID, and XG's XGID.

The player whose view it is ("own") has positive counts: index 0 is the opponent's bar (<= 0), 1..24
are the points in this player's numbering, from the ace point, 25 is this player's bar (>= 0).
Missing checkers are borne off. Functions accept NumPy rows as well as tuples and return tuples of
`int`, which can be compared and hashed. An impossible position or text raises `ValueError`.

Match ID and XGID describe a `Situation` from a fixed seat, not the decider's: gnuBG's player 1 and
XG's player 1 sit at the bottom of the board. So a decider at the bottom is player 1 in both. Both
describe a double by the doubler and by the cube **before** it. For the Match ID gnuBG's text
exports show this (a Position ID with a double pending is also the doubler's), for the XGID gnuBG's
import of one.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.match.columns import Bools, Ints

Counts = tuple[int, ...]
Position = Sequence[int] | npt.NDArray[np.integer[Any]]
"""Any sequence of the 26 counts."""

PLACES = 26
HOME = 6
"""The home board is the points up to here."""
BAR = 25
"""Index of the own bar; as the start of a move, the bar."""
CHECKERS = 15
"""Checkers of each player, except in hypergammon."""


def _start(own: Mapping[int, int]) -> Counts:
    """A first position, the same for both players, from the own checkers by point."""
    return tuple(own.get(place, 0) - own.get(BAR - place, 0) for place in range(PLACES))


START = _start({24: 2, 13: 5, 8: 3, 6: 5})
STARTS: dict[str, Counts] = {
    "backgammon": START,
    "nackgammon": _start({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    "longgammon": _start({24: 15}),
    **{
        f"hypergammon{checkers}": _start(dict.fromkeys(range(BAR - checkers, BAR), 1))
        for checkers in (1, 2, 3)
    },
}
"""By the name of the variation."""

KEY_BYTES = 10
POSITION_ID_LENGTH = 14
_HALF_PLACES = 25


def counts(position: Position) -> Counts:
    """The position as a plain tuple of `int`."""
    if isinstance(position, tuple) and {*map(type, position)} == {int}:  # nearly always the case
        plain = position
    else:
        plain = (
            tuple(map(int, position))
            if isinstance(position, (list, tuple, Sequence))
            else tuple(position.tolist())
        )
    if len(plain) != PLACES:
        raise ValueError(f"a position has {PLACES} counts, not {len(plain)}")
    return plain


def checkers_of(variation: str) -> int:
    """The checkers of each player in a variation; in one that is not known as in backgammon."""
    return sum(count for count in STARTS.get(variation, START) if count > 0)


def checked(position: Position, checkers: int = CHECKERS) -> Counts:
    """The same. Raises `ValueError` if a bar has the wrong player's checkers or a player has more
    than `checkers`."""
    plain = counts(position)
    if plain[0] > 0 or plain[BAR] < 0:
        raise ValueError(
            f"a bar has the other player's checkers: {plain[0]} on the opponent's, {plain[BAR]} on "
            "the own"
        )
    if min(borne_off(plain, checkers)) < 0:
        raise ValueError(f"a player has more than {checkers} checkers")
    return plain


def swap(position: Position) -> Counts:
    """The same position in the other player's view."""
    return tuple([-count for count in reversed(counts(position))])


def borne_off(position: Position, checkers: int = CHECKERS) -> tuple[int, int]:
    """Checkers borne off, (own, opponent), of `checkers` each."""
    plain = counts(position)
    own = sum([count for count in plain if count > 0])
    return checkers - own, checkers - own + sum(plain)


def size_of_win(loser: Position, checkers: int = CHECKERS, *, gammons: bool = True) -> int:
    """What bearing off the last checker wins, in cubes: 1, a gammon 2, a backgammon 3.

    `loser` is the position in the loser's view. Without `gammons` a game is one, as by the Jacoby
    rule before a double.
    """
    plain = counts(loser)
    if not gammons or borne_off(plain, checkers)[0] > 0:
        return 1
    return 3 if any(count > 0 for count in plain[19:]) else 2


def pip_count(position: Position) -> tuple[int, int]:
    """Pips still to go, (own, opponent); a checker on the bar has 25."""
    own = opponent = 0
    for place, count in enumerate(counts(position)):
        if count > 0:
            own += place * count
        else:
            opponent -= (BAR - place) * count
    return own, opponent


def position_id(position: Position) -> str:
    """gnuBG's Position ID (14 characters) with the own player on roll."""
    key = position_keys(np.array([checked(position)]))
    return b64encode(key.tobytes()).decode("ascii").rstrip("=")


def possible_positions(positions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether each can be, shape (rows, 26): at most 15 checkers a player, and on each bar only its
    owner's."""
    own, other = np.maximum(positions, 0).sum(axis=1), np.minimum(positions, 0).sum(axis=1)
    possible: npt.NDArray[np.bool_] = (
        (positions[:, 0] <= 0) & (positions[:, BAR] >= 0) & (own <= CHECKERS) & (other >= -CHECKERS)
    )
    return possible


_FIRST, _SECOND, _THIRD = np.indices((16,) * 3, np.uint64).reshape(3, -1)
_ONES = (np.uint64(1) << np.arange(16, dtype=np.uint64)) - np.uint64(1)
_RUNS = (
    _ONES[_FIRST]
    | _ONES[_SECOND] << _FIRST + np.uint64(1)
    | _ONES[_THIRD] << _FIRST + _SECOND + np.uint64(2)
)
"""What three places are in a key, by their counts, four bits each: a bit for every checker, and a
zero after those of each place."""
_SIZES = _FIRST + _SECOND + _THIRD + np.uint64(3)


def position_keys(positions: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The ten bytes of the Position ID of every possible position, shape (rows, 10).

    The 80 bits of the key, lowest bit of each byte first, contain two halves of 25 places: the
    player NOT on roll, then the player on roll, each from that player's ace point to the bar; n
    checkers are n ones and a zero. The ID is the ten bytes in base 64. Source: gnuBG's manual, "A
    technical description of the Position ID".
    """
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


def from_position_id(text: str) -> Counts:
    """The position of a Position ID in the view of the player on roll."""
    try:
        if len(text) != POSITION_ID_LENGTH:
            raise ValueError
        bits = int.from_bytes(b64decode(text + "==", validate=True), "little")
    except ValueError:
        raise ValueError(
            f"a Position ID is {POSITION_ID_LENGTH} characters of base 64, not {text!r}"
        ) from None
    halves = [0] * (2 * _HALF_PLACES)
    for place in range(2 * _HALF_PLACES):
        while bits & 1:
            halves[place] += 1
            bits >>= 1
        bits >>= 1
    waiting, rolling = halves[:_HALF_PLACES], halves[_HALF_PLACES:]
    position = [-count for count in reversed(waiting)] + [0]
    for place, count in enumerate(rolling, start=1):
        if count and position[place]:
            raise ValueError(f"{text!r} puts both players on point {place}")
        position[place] += count
    if bits or sum(waiting) > CHECKERS or sum(rolling) > CHECKERS:
        raise ValueError(f"{text!r} has more than {CHECKERS} checkers of a player")
    return tuple(position)


Dice = tuple[int, int]
NO_DICE: Dice = (0, 0)

MATCH_ID_LENGTH = 12
# bits from the lowest of the first byte on; gnuBG's manual, "A technical description of the Match
# ID"
_MATCH_FIELDS = {
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
CENTRED = 3
_PLAYING = 1

LARGEST_CUBE = 1 << 15
XG_DOUBLED = "D"
LARGEST_CUBE_OF_XG = 10
"""As a power of two: XG's own setting, which no decision of a match depends on."""
_LETTERS = "onmlkjihgfedcba-ABCDEFGHIJKLMNO"
"""By the signed count, from -15 on: capital letters are checkers of the bottom player."""
_XGID = re.compile(
    r"(?:XGID=)?([-A-Oa-o]{26}):(\d{1,2}):(-1|0|1):(-1|1):([0-6]{2}|D)"
    r":(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):\d{1,2}",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a decision depends on, in the decider's view."""

    position: Counts = START
    """The decider's view, also for a response to a double."""
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

    @property
    def away(self) -> tuple[int, int] | None:
        """Points still needed by (decider, opponent); `None` for money."""
        return (
            None
            if self.length is None
            else (self.length - self.score[0], self.length - self.score[1])
        )


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


def from_xgid(text: str) -> Situation:
    """The situation of an XGID, with or without `XGID=`. Raises `ValueError`, also for a pending
    beaver (dice `B`) or raccoon (`R`)."""
    parsed = _XGID.fullmatch(text.strip())
    if not parsed:
        raise ValueError(f"not an XGID: {text!r}")
    board, log_cube, owner, turn, dice, score1, score2, rules, length = parsed.groups()
    doubled = dice == XG_DOUBLED
    seat = -int(turn) if doubled else int(turn)
    position = tuple([_LETTERS.index(letter) - CHECKERS for letter in board])
    score = (int(score1), int(score2))
    in_match = int(length) > 0
    if int(log_cube) > 15 or (in_match and int(rules) > 1):
        raise ValueError(f"not an XGID: {text!r} (cube 2^{log_cube}, rules {rules})")
    situation = Situation(
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
    if not situations([situation]).possible()[0]:
        raise ValueError(f"not an XGID: {text!r} (no such situation)")
    return situation


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
        """Whether each can be, as in a damaged game one may not."""
        cube, owner = self.cube, self.owner
        rolled = (self.dice != 0).any(axis=1)
        dice = ((self.dice >= 1) & (self.dice <= 6)).all(axis=1) & ~self.double_offered
        possible = possible_positions(self.position)
        possible &= (
            (cube >= 1) & (cube & (cube - 1) == 0) & (cube <= LARGEST_CUBE) & (dice | ~rolled)
        )
        possible &= (np.abs(owner) <= 1) & ~(self.double_offered & (owner == 1))
        return possible & ((self.score >= 0) & (self.score < 1 << 15)).all(axis=1)


def situations(single: Sequence[Situation]) -> Situations:
    """Single situations as columns."""
    names = ("position", "dice", "cube", "owner", "score", "double_offered", "decider_is_top")
    return Situations(
        **{name: np.array([getattr(each, name) for each in single]) for name in names},
        length=np.array([each.length or 0 for each in single]),
        rules=np.array(
            [each.crawford + each.jacoby + 2 * each.beavers for each in single], np.int64
        ),
    )


def xgids(rows: Situations) -> list[str]:
    """XG's identifier of every row: `XGID=board:log2 cube:owner:turn:dice:score:score:rules:length:
    log2 largest cube`; empty for a situation that cannot be, as in a damaged game.

    The board runs from the top player's bar over the bottom player's points 1-24 to the bottom
    player's bar; capital letters are the bottom player's checkers (A one, B two...), small ones the
    top player's. Owner, turn and the first score refer to the bottom player (1 bottom, -1 top).
    Dice: `00` before the roll, `D` for a pending double, with the doubler's turn. Rules: in a match
    1 for the Crawford game; for money (length 0) 1 Jacoby + 2 beavers.
    """
    possible, top = rows.possible(), rows.decider_is_top
    letters = np.frombuffer(_LETTERS.encode(), "S1")
    position = np.where(top[:, np.newaxis], -rows.position[:, ::-1], rows.position)
    boards = letters[np.where(possible[:, np.newaxis], position, 0) + CHECKERS]
    side, score = np.where(top, -1, 1), np.where(top, rows.score[:, ::-1].T, rows.score.T)
    dice = rows.dice.max(axis=1) * 10 + rows.dice.min(axis=1)
    columns = (
        boards.view(f"S{PLACES}").ravel().astype(str),
        np.frexp(rows.cube)[1] - 1,
        side * rows.owner,
        np.where(top != rows.double_offered, -1, 1),
        np.where(rows.double_offered, -1, dice),
        *score,
        rows.rules,
        rows.length,
        possible,
    )
    return [
        f"XGID={board}:{cube}:{owner}:{turn}:{XG_DOUBLED if roll < 0 else f'{roll:02}'}"
        f":{first}:{second}:{rules}:{length}:{LARGEST_CUBE_OF_XG}"
        if can_be
        else ""
        for board, cube, owner, turn, roll, first, second, rules, length, can_be in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def gnubg_ids(rows: Situations) -> list[str]:
    """`Position ID:Match ID` of every row, which gnuBG accepts as one text; empty as in
    `xgids`."""
    possible, offered = rows.possible(), rows.double_offered
    turned = np.where(offered[:, np.newaxis], -rows.position[:, ::-1], rows.position)
    keys = position_keys(np.where(possible[:, np.newaxis], turned, 0))
    # Two bytes between both make the base 64 of each begin at a letter of its own.
    none = np.zeros((len(keys), 2), np.uint8)
    text = b64encode(np.hstack((keys, none, _match_keys(rows))).tobytes()).decode("ascii")
    first, size = POSITION_ID_LENGTH + 2, POSITION_ID_LENGTH + 2 + MATCH_ID_LENGTH
    texts = [text[at : at + size] for at in range(0, len(text), size)]
    return [
        f"{text[:POSITION_ID_LENGTH]}:{text[first:]}" if can_be else ""
        for text, can_be in zip(texts, possible.tolist(), strict=True)
    ]


def _match_keys(rows: Situations) -> npt.NDArray[np.uint8]:
    """The nine bytes of gnuBG's Match ID of every row: cube, score, dice and whose turn it is, but
    neither position nor beavers."""
    decider, in_match = np.where(rows.decider_is_top, 0, 1), rows.length > 0
    owner = np.where(rows.owner > 0, decider, 1 - decider)
    score = np.where(rows.decider_is_top, rows.score.T, rows.score[:, ::-1].T)
    values = {
        "log_cube": np.frexp(rows.cube)[1] - 1,
        "owner": np.where(rows.owner == 0, CENTRED, owner),
        "on_roll": decider ^ rows.double_offered,
        "crawford": in_match & rows.rules,
        "state": np.full(len(decider), _PLAYING),
        "turn": decider,
        "doubled": rows.double_offered,
        "die1": rows.dice.max(axis=1),
        "die2": rows.dice.min(axis=1),
        "length": rows.length,
        "score0": score[0],
        "score1": score[1],
        "no_jacoby": in_match | (rows.rules & 1 == 0),
    }
    bits = np.zeros((len(decider), 8 * MATCH_ID_LENGTH * 3 // 4), np.uint8)
    place = 0
    for field, width in _MATCH_FIELDS.items():
        if field in values:
            bits[:, place : place + width] = values[field][:, np.newaxis] >> np.arange(width) & 1
        place += width
    return np.packbits(bits, axis=1, bitorder="little")


OPENING, CONTACT, RACE, BEAR_OFF = range(4)
PHASES = ("opening", "contact", "race", "bear-off")
OPENING_TURNS = 6
"""Of a game, both players counted."""


def phases(turn: Ints, positions: Ints) -> Ints:
    """The phase of decisions in these turns and positions: an index of `PHASES`."""
    contact, home = race_state(positions)
    return np.where(
        contact, np.where(turn <= OPENING_TURNS, OPENING, CONTACT), np.where(home, BEAR_OFF, RACE)
    )


def race_state(positions: Ints) -> tuple[Bools, Bools]:
    """Of positions, shape (rows, 26): whether the players can still meet, and whether all own
    checkers are home."""
    by_place = np.ascontiguousarray(
        positions.T
    )  # a maximum over places is then one of whole columns
    place = np.arange(BAR + 1, dtype=np.int8)[:, np.newaxis]
    last = ((by_place > 0) * place).max(axis=0)
    first = BAR - ((by_place < 0) * (BAR - place)).max(axis=0)
    return first < last, last <= HOME
