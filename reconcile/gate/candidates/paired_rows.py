"""The rows of a list of decisions: what they say, and which decision of the reference each is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from reconcile.files.wording import plural
from reconcile.gap.paired_decisions import Items
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Bools, Floats, Ints, Kind
from reconcile.match.match import Match

Unit = Literal["equity", "mwc"]
"""Of the errors: equity (EMG), or match winning chance in percentage points."""
PLAY, ACTION, RESPONSE, BEAVERED, RESIGNED, ANSWERED = range(6)
"""What a player can decide on in one turn, once each: a roll, the cube, the answer to a double, a beaver (which may be answered by a
double that has to be taken), giving up, the answer to that."""
SLOTS: Final = {
    Kind.PLAY: PLAY,
    Kind.NO_DOUBLE: ACTION,
    Kind.DOUBLE: ACTION,
    Kind.TAKE: RESPONSE,
    Kind.PASS: RESPONSE,
    Kind.BEAVER: BEAVERED,
    Kind.RESIGN: RESIGNED,
    Kind.ACCEPT_RESIGN: ANSWERED,
}
SLOT_OF: Final = np.array([SLOTS[kind] for kind in Kind])
"""By kind."""
WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        Kind.PLAY.label: ("move", "checker", "checker play", "checkerplay", "chequer", "chequer play", "roll"),
        Kind.NO_DOUBLE.label: ("nodouble", "nd", "no redouble", "roll on"),
        Kind.DOUBLE.label: ("redouble", "d", "initial double"),
        Kind.TAKE.label: ("accept", "t", "double take"),
        Kind.PASS.label: ("drop", "reject", "p", "double pass"),
        Kind.BEAVER.label: ("beaver take",),
        Kind.RESIGN.label: ("resignation",),
        Kind.ACCEPT_RESIGN.label: ("accepted resignation",),
        "cube": ("cube action", "cube decision", "double decision"),
        "response": ("cube response", "take decision", "take or pass"),
    }
)
"""Words for the kind of a decision and what else is read as each, without case, with blanks, hyphens and underscores alike.

`cube` is whatever the player on roll did with the cube, `response` whatever the answer to a double was."""
SEATS: Final = ("1", "2")
"""The first and the second player of a file, where a list gives no names."""
UNSAID: Final = -1
"""The kind of a row that says `cube` or `response` and leaves it to the file which."""


def folded_word(text: str) -> str:
    """A word in the form used for comparing."""
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())


_MEANT: Final = {folded_word(word): (SLOTS[kind], kind.value) for kind in Kind for word in (kind.label, *WORDS[kind.label])} | {
    folded_word(word): (slot, UNSAID) for name, slot in (("cube", ACTION), ("response", RESPONSE)) for word in (name, *WORDS[name])
}


@lru_cache(maxsize=1024)
def meaning(word: str) -> tuple[int, int] | None:
    """Slot of a turn and kind (`UNSAID` if the word leaves it open); `None` for an unknown word."""
    return _MEANT.get(folded_word(word))


@dataclass(frozen=True, eq=False)
class StatedRows:
    """Columns of equal length, one entry per row of the list."""

    where: str
    """File, for messages; a row's `line` follows."""
    line: Ints
    """Line of the file, or number of the item, from 1."""
    game: Ints
    turn: Ints
    player: Ints
    """Index into `names`."""
    names: tuple[str, ...]
    """Players as the list names them: a name, or 1 or 2 for the file's first or second player."""
    slot: Ints
    kind: Ints
    """A `Kind`, or `UNSAID`."""
    counted: Bools
    error: Floats
    """As given, in `unit`; NaN if the list does not say."""
    half: Floats
    """Half of the last printed digit of each error."""
    luck: Floats
    """Equity (EMG) gained by the roll; NaN if the list does not say."""
    luck_half: Floats
    best: tuple[str, ...]
    """The right action in the program's words; empty where it does not say."""
    played: tuple[str, ...]
    """The action made, likewise."""
    unit: Unit = "equity"
    program: str = ""
    """The program and its version, if the list names it."""

    def __len__(self) -> int:
        return len(self.line)

    def place(self, row: int) -> str:
        """Where a row is, for a message."""
        return f"row {int(self.line[row])}"


MOSTLY: Final = 0.9
"""Share of the rows that another way of numbering has to pair before it is taken for the program's."""
OwnRows = npt.NDArray[np.int64]
_TURNS: Final = 2**21
"""More than any turn has for a number."""


@dataclass(frozen=True, eq=False)
class PairedRows:
    """The rows of a list beside the decisions of a match."""

    rows: StatedRows
    seats: tuple[int, ...]
    """The seats that the list is about, in order."""
    at: OwnRows
    """By row of the list the row of the match (plays, cubes, resignations); -1 if it has no such decision."""
    row_of: OwnRows
    """By row of the match the first row of the list about it, -1 without one."""
    mine: Bools
    """By row of the match whether the list should have it: it is a decision of one of `seats`."""
    misnamed: tuple[int, ...]
    """OwnRows of the list that call a decision another kind than it is."""

    @property
    def repeated(self) -> Bools:
        """By row of the list, whether an earlier row is about the same decision."""
        paired = self.at >= 0
        repeated = paired.copy()
        repeated[self.row_of[self.row_of >= 0]] = False
        return repeated

    @property
    def missing(self) -> OwnRows:
        """The rows of the match that the list should have and has not."""
        return np.flatnonzero(self.mine & (self.row_of < 0))


def pair_rows(rows: StatedRows, items: Items, seats: Sequence[int]) -> PairedRows:
    """Pair a list with the decisions of a match, `items` of the match with itself; `seats` are those of the list's `names`."""
    seat = np.array(seats)[rows.player]
    at = _found(items, rows.game, rows.turn, seat, rows.slot)
    row_of = np.full(len(items), -1)
    paired = np.flatnonzero(at >= 0)
    row_of[at[paired][::-1]] = paired[::-1]  # of several the first
    kinds = items.kind[np.where(at >= 0, at, 0)]
    # A list that never says `no-double` means the whole class by `double`, and so with `take`.
    used = set(rows.kind.tolist())
    classes = {both for pair in ((Kind.NO_DOUBLE, Kind.DOUBLE), (Kind.TAKE, Kind.PASS)) for both in pair if not used >= set(pair)}
    free = np.isin(rows.kind, [UNSAID, *classes]) | (kinds == Kind.BEAVER)
    return PairedRows(
        rows=rows,
        seats=tuple(sorted(set(seats))),
        at=at,
        row_of=row_of,
        mine=np.isin(items.player, list(set(seats))),
        misnamed=tuple(np.flatnonzero((at >= 0) & ~free & (rows.kind != kinds)).tolist()),
    )


def numbered_otherwise(rows: StatedRows, items: Items, seats: Sequence[int]) -> str:
    """How the program seems to number its rows, if that pairs more of them than `game` and `turn` as they should be; else empty."""
    seat = np.array(seats)[rows.player]
    now = int(np.count_nonzero(_found(items, rows.game, rows.turn, seat, rows.slot) >= 0))
    if now == len(rows):
        return ""
    own_turn = _own_turns(items)
    ways = {
        "turns that count one player's turns only, where the turns of both players are counted together": (rows.game, seat, own_turn),
        "the players exchanged": (rows.game, 1 - seat, items.turn),
        "a game number too low by one": (rows.game + 1, seat, items.turn),
        "a turn number too low by one": (rows.game, seat, items.turn - 1),
    }
    paired = {
        what: int(np.count_nonzero(_found(items, game, rows.turn, player, rows.slot, turn) >= 0))
        for what, (game, player, turn) in ways.items()
    }
    best = max(paired, key=lambda what: paired[what])
    if paired[best] <= now or paired[best] < MOSTLY * len(rows):
        return ""
    return f"{now:,} of {plural(len(rows), 'row')} pair with a decision, {paired[best]:,} would with {best}"


def _own_turns(items: Items) -> OwnRows:
    """By decision, the number of its turn among the turns of its player in the game."""
    order = np.lexsort((items.turn, items.player, items.game))
    game, player, turn = (column[order] for column in (items.game, items.player, items.turn))
    starts = np.r_[True, (game[1:] != game[:-1]) | (player[1:] != player[:-1])]
    new = np.r_[True, turn[1:] != turn[:-1]] | starts
    count = np.cumsum(new)
    own = np.empty(len(order), np.int64)
    own[order] = count - np.maximum.accumulate(np.where(starts, count - 1, 0))
    return own


def _found(items: Items, game: Ints, turn: Ints, seat: Ints, slot: Ints, turns: Ints | None = None) -> OwnRows:
    """The decision at each address, -1 where there is none; a resignation is at whatever turn."""
    slots = SLOT_OF[items.kind]
    theirs = _keys(items.game, items.turn if turns is None else turns, items.player, slots)
    order = np.argsort(theirs, kind="stable")
    if not len(order):
        return np.full(len(game), -1)

    def place(slot: Ints) -> OwnRows:
        wanted = _keys(game, turn, seat, slot)
        at = order[np.searchsorted(theirs[order], wanted).clip(0, len(order) - 1)]
        return np.where(theirs[at] == wanted, at, -1)

    found = place(slot)
    # A program without a word for a beaver calls it a take.
    return np.where((found < 0) & (slot == RESPONSE), place(np.full_like(slot, BEAVERED)), found)


def _keys(game: Ints, turn: Ints, seat: Ints, slot: Ints) -> OwnRows:
    keys: OwnRows = ((game.astype(np.int64) * _TURNS + np.where(slot >= RESIGNED, 0, turn)) * 2 + seat) * len(Kind) + slot
    return keys


def other_plays(paired: PairedRows, match: Match) -> list[tuple[int, str]]:
    """The rows whose `played` is not the play of the file, each with what it says; a play that cannot be read is left out."""
    found = []
    for row, text in enumerate(paired.rows.played):
        at = int(paired.at[row])
        if not text or not 0 <= at < len(match.plays):
            continue
        board = tuple(match.plays.position[at].tolist())
        first, second = match.plays.dice[at].tolist()
        try:
            differs = apply_play(board, parse_play(text, (first, second), board)) != apply_play(board, match.plays.play[at])
        except ValueError:
            continue
        if differs:
            found.append((row, text))
    return found
