"""Plays: their effect on a position, their notation, and which of them a roll allows.

A play is a tuple of (from, to) pairs in the player's own numbering, 25 the bar and 0 off; a dance
is the empty tuple. A pair may stand for several steps of one checker ("13/7" for 6 as 4 and 2) as
long as no step between hits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.match.board.position import BAR, HOME, Counts, Position, counts
from reconcile.match.values import Texts

Play = tuple[tuple[int, int], ...]

OFF = 0

NO_PLAY = "cannot move"
_NAMED_PLACES = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF, "-": OFF}
_DANCES = frozenset(("", NO_PLAY, "can't move", "no move", "no play", "dance"))
MOST_STEPS = 4
MOST_WRITTEN = 1 << 14
"""Plays whose notation is kept: a few thousand make up most of what is played."""
_CHAIN = re.compile(
    r"((?:b(?:ar)?|\d{1,2})(?:\*?/(?:o(?:ff)?|-|\d{1,2}))+)\*?(?:\(([1-4])\))?\*?", re.ASCII
)
_BLANKS = re.compile(r"\s*(/)\s*|\s+(?=\()")
"""Within a move."""
NO_MOVE = "0/0"
"""Written for a die that has nothing to move."""

# The generator keeps a position in one integer: four bits for the player's checkers on each of the
# places 1..25, and below them one bit for every blot that was hit. Points blocked by the opponent
# stay blocked for the whole play.
_OWN = 32
_PLACES = range(1, BAR + 1)
ANY = -1
"""A state that never occurs: the first state found is good enough."""
MOST_RESULTS = 10_000
"""More positions than any roll can lead to."""


class LegalPlay(NamedTuple):
    """A position that a roll can lead to, and one way to get there in single steps."""

    play: Play
    result: Counts
    """In the view of the player who moved."""


@dataclass(slots=True)
class Effort:
    """Counts the sequences of moves that were tried, so that a file reader can stop before it takes
    too long."""

    tried: int = 0


def apply_play(position: Position, play: Play) -> Counts:
    """The position after the play, still in the view of the player who moved; a blot that is hit
    goes to index 0.

    Raises `ValueError` only for impossible steps: from a point without one of the player's
    checkers, to a point that the opponent has made, backwards or beyond the board. `legal_plays`
    checks whether the dice allow it.
    """
    board = list(counts(position))
    for start, end in play:
        if end >= start:
            raise ValueError(f"{start}/{end} is not a checker move")
        _make(board, start, end)
    return tuple(board)


def carried_out(position: Position, play: Play) -> Counts:
    """The same for an illegal play, as it is recorded: backward moves are made, other impossible
    steps are left out."""
    board = list(counts(position))
    for start, end in play:
        with suppress(ValueError):
            _make(board, start, end)
    return tuple(board)


def _make(board: list[int], start: int, end: int) -> None:
    """Move one checker, or leave the board as it is and raise `ValueError`."""
    if not (OFF <= end < BAR and OFF < start <= BAR):
        raise ValueError(f"{start}/{end} is not a checker move")
    if board[start] <= 0:
        raise ValueError(f"{start}/{end}: no own checker on {start}")
    if end and board[end] < -1:
        raise ValueError(f"{start}/{end}: the opponent has made point {end}")
    board[start] -= 1
    if end == OFF:
        return
    if board[end] == -1:
        board[end] = 0
        board[0] -= 1
    board[end] += 1


def play_text(position: Position, play: Play) -> str:
    """The play in standard notation: `13/8*/3(2)`, `bar/24`, `6/off`, `cannot move`.

    The steps of a checker are joined unless one of them hits on the way; each hit is marked once.
    """
    board = counts(position) if play else ()
    hits = [(0 < end < BAR and board[end] == -1) << step for step, (_, end) in enumerate(play)]
    return _written(play, sum(hits))


def notation(plays: Iterable[Play | None], positions: npt.NDArray[Any]) -> Texts:
    """The same of many plays, each from its position, shape (plays, 26); none where there is no
    play."""
    numbers: dict[Play | None, int] = {}
    number = np.array([numbers.setdefault(play, len(numbers)) for play in plays], np.int64)
    distinct = [*numbers]
    # Which steps of a play hit, a bit for each; nobody is hit on the bar or off the board.
    width = max((len(play) for play in distinct if play), default=1)
    ends = np.full((len(distinct), width), BAR)
    for row, play in enumerate(distinct):
        ends[row, : len(play or ())] = [end if OFF < end < BAR else BAR for _, end in play or ()]
    ends = ends[number]
    hits = (np.take_along_axis(positions, ends, axis=1) == -1) & (ends < BAR)
    codes, shown = np.unique(number << width | hits @ (1 << np.arange(width)), return_inverse=True)
    every_step = (1 << width) - 1
    texts = [_written(distinct[code >> width] or (), code & every_step) for code in codes.tolist()]
    is_play = np.array([play is not None for play in distinct], bool)[number]
    return Texts(np.where(is_play, shown, -1), texts)


@lru_cache(MOST_WRITTEN)
def _written(play: Play, hits: int) -> str:
    """A play in notation, by the steps that hit, a bit for each."""
    chains: list[list[int]] = []
    for start, end in sorted(play, reverse=True):
        chain = next((chain for chain in chains if chain[-1] == start), None)
        if chain is None:
            chains.append([start, end])
        else:
            chain.append(end)
    unmarked = {end for step, (_, end) in enumerate(play) if hits >> step & 1}
    words = []
    for path, times in Counter(map(tuple, sorted(chains, reverse=True))).items():
        word = "bar" if path[0] == BAR else str(path[0])
        for place in path[1:]:
            if place in unmarked or place == path[-1]:
                word += f"/{place or 'off'}"
            if place in unmarked:
                word += "*"
                unmarked.remove(place)
        words.append(word if times == 1 else f"{word}({times})")
    return " ".join(words) or NO_PLAY


def parse_play(
    text: str,
    dice: tuple[int, int] | None = None,
    position: Position | None = None,
    *,
    backward: bool = False,
) -> Play:
    """The play written by XG, gnuBG or a transcript; a blank or "Cannot Move" is the empty play.

    Pairs stay as they are written ("24/20" for 11 is one pair) unless the dice are given, see
    `single_steps`. Anything else, for example XG's "Illegal play" or the "????" of a roll that was
    not played, raises `ValueError`, as does a backward move unless `backward` allows it.
    """
    words = _BLANKS.sub(r"\1", text.lower().replace(",", " ")).split()
    if " ".join(words) in _DANCES:
        return ()
    pairs: list[tuple[int, int]] = []
    for word in words:
        if word == NO_MOVE:
            continue
        chain = _CHAIN.fullmatch(word)
        if not chain:
            raise ValueError(f"not a play: {text!r}")
        places = [
            int(_NAMED_PLACES.get(name, name)) for name in chain[1].replace("*", "").split("/")
        ]
        steps = list(pairwise(places))
        if not all(
            OFF <= end < start <= BAR or (backward and OFF < start < end < BAR)
            for start, end in steps
        ):
            raise ValueError(f"not a play: {text!r} has {word!r}")
        pairs += steps * int(chain[2] or 1)
    if len(pairs) > MOST_STEPS:
        raise ValueError(f"not a play: {text!r} has {len(pairs)} steps")
    return tuple(pairs) if dice is None else single_steps(tuple(pairs), dice, position)


def single_steps(play: Play, dice: tuple[int, int], position: Position | None = None) -> Play:
    """The play with every pair that uses several dice split into steps of one die.

    If the position is known, a checker that plays two different dice goes over an open point,
    preferably without hitting, since a hit would have been written; otherwise the larger die comes
    first.
    """
    large, small = max(dice), min(dice)
    if large == small:
        return tuple(step for start, end in play for step in _divided(start, end, large))
    if len(play) != 1 or play[0][0] - play[0][1] <= large:
        return play
    start, end = play[0]
    between = [start - large, start - small]
    if position is not None:
        board = counts(position)
        between.sort(key=lambda place: min(board[place], 0), reverse=True)
    return ((start, between[0]), (between[0], end))


def _divided(start: int, end: int, die: int) -> Iterator[tuple[int, int]]:
    while start - die > end:
        yield start, start - die
        start -= die
    yield start, end


def legal_plays(position: Position, die1: int, die2: int) -> list[LegalPlay]:
    """Every different position that the roll can lead to, with one play each; none for a dance.

    As many dice as possible must be played, a double four times; if only one of two dice can be
    played, the larger if possible.
    """
    board = counts(position)
    states = _results(board, die1, die2)
    return [LegalPlay(play, apply_play(board, play)) for play in states.values()]


def legal_play_meant(
    position: Position, die1: int, die2: int, play: Play, effort: Effort | None = None
) -> tuple[LegalPlay | None, int]:
    """The legal play that leads where these steps lead, and how many there are; the count may be
    cut above 1.

    If the steps are written in an impossible order or path, the player's checkers identify the
    play; an unnecessary hit would have been written.
    """
    board = counts(position)
    try:
        after = apply_play(board, play)
    except ValueError:
        wanted = None
    else:
        wanted = _state(after)[0] | sum(
            1 << place for place in range(1, BAR) if board[place] == -1 != after[place]
        )
    states = _results(board, die1, die2, stop_after=2, wanted=wanted, effort=effort)
    if wanted in states:
        return LegalPlay(play, after), len(states)
    own = [max(count, 0) for count in board]
    for start, end in play:
        own[start] -= 1
        own[end] += 1
    if min(own) < 0:
        return None, len(states)
    checkers = _state(own)[0] >> _OWN
    same_checkers = [state for state in states if state >> _OWN == checkers]
    if not same_checkers:
        return None, len(states)
    best = states[min(same_checkers, key=lambda state: (state & (1 << _OWN) - 1).bit_count())]
    return LegalPlay(best, apply_play(board, best)), len(states)


def count_legal_plays(
    position: Position, die1: int, die2: int, stop_after: int = 2, *, effort: Effort | None = None
) -> int:
    """How many different positions the roll can lead to, counting only up to `stop_after`: by
    default 0 is a dance, 1 forced."""
    return min(len(_results(counts(position), die1, die2, stop_after, effort=effort)), stop_after)


def _results(
    board: Counts,
    die1: int,
    die2: int,
    stop_after: int = MOST_RESULTS,
    *,
    wanted: int | None = ANY,
    effort: Effort | None = None,
) -> dict[int, Play]:
    """The states that a roll can lead to, with a play each; the search may end with `stop_after` of
    them and the wanted one."""
    if not (1 <= die1 <= 6 and 1 <= die2 <= 6):
        raise ValueError(f"no roll: {die1} {die2}")
    large, small = max(die1, die2), min(die1, die2)
    state, blots, blocked = _state(board)
    orders = [(large,) * 4] if large == small else [(large, small), (small, large)]
    states: dict[int, Play] = {}
    tried, longest = 0, 1
    for dice in orders:
        # Only the larger die counts; the smaller may be used only by playing both.
        only_more = bool(states) and longest == 1
        for reached, play in _sequences(state, dice, blots, blocked):
            tried += 1
            length = len(play)
            if length < longest or (only_more and length == longest):
                continue
            if length > longest:
                states.clear()
                longest, only_more = length, False
            states.setdefault(reached, play)
            enough = longest == len(dice) and len(states) >= stop_after
            if enough and (wanted == ANY or wanted in states):
                break
        else:
            continue
        break
    if effort is not None:
        effort.tried += tried
    return states


def _state(board: Sequence[int]) -> tuple[int, int, int]:
    """The own checkers as an integer, and a bit for each of the opponent's blots and points."""
    state = blots = blocked = 0
    for place in _PLACES:
        count = board[place]
        if not count:
            continue
        if count > 0:
            state |= count << (_OWN + 4 * place)
        elif count == -1:
            blots |= 1 << place
        else:
            blocked |= 1 << place
    return state, blots, blocked


def _sequences(
    state: int, dice: tuple[int, ...], blots: int, blocked: int, below: int = BAR, done: Play = ()
) -> Iterator[tuple[int, Play]]:
    """Every way to play the dice in this order as far as possible.

    A double is played from the back forwards: every set of moves can be made in that order, so each
    is found just once.
    """
    die, rest = dice[0], dice[1:]
    is_double = bool(rest) and die == rest[0]
    for start, reached in _steps(state, die, blots, blocked, below):
        play = (*done, (start, max(start - die, OFF)))
        further = False
        if rest:
            for ending in _sequences(
                reached, rest, blots, blocked, start if is_double else BAR, play
            ):
                further = True
                yield ending
        if not further:
            yield reached, play


def _steps(state: int, die: int, blots: int, blocked: int, below: int) -> Iterator[tuple[int, int]]:
    """The moves of one checker with one die from `below` or nearer: the start, and the state
    after."""
    # The player's hindmost checker; negative if all are off.
    back = (state.bit_length() - 1 >> 2) - _OWN // 4
    if back == BAR:
        below, last = BAR, BAR
    else:
        below, last = min(below, back), 1
    for start in range(below, last - 1, -1):
        if not state >> (_OWN + 4 * start) & 15:
            continue
        end = start - die
        if end > 0:
            if not blocked >> end & 1:
                yield (
                    start,
                    (state - (1 << _OWN + 4 * start) + (1 << _OWN + 4 * end)) | (blots & 1 << end),
                )
        elif back <= HOME and (end == 0 or start == back):
            yield start, state - (1 << _OWN + 4 * start)
        else:
            return
