"""The decisions of two files as one list: each item is a decision that the left file has, the right
one, or both."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.document import Document, Positive
from reconcile.gap.pairing import Pairing
from reconcile.gap.rows import Place
from reconcile.match.all_rows import evaluated, kinds, located, over_all
from reconcile.match.columns import Bools, Floats, Ints, Kind, KindName, Validity
from reconcile.match.match import Match
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.score import CLASS_OF_KIND, Scored

Index = npt.NDArray[np.int64]
"""Rows or numbers by item."""


@dataclass(frozen=True, slots=True)
class Placed(Document):
    """A decision by its place."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in the game, from 1, counting both players."""
    kind: KindName
    """What was decided."""

    @property
    def place(self) -> Place:
        """The same as outputs name it."""
        return Place(self.game, self.turn, self.kind)


@dataclass(frozen=True)
class Items:
    """Columns over items; rows count through plays, cubes and resignations of a file as in
    `Scored`."""

    left: Index
    """Row in the left file, -1 where it has none."""
    right: Index
    player: Index
    """Seat in the left file of the decider."""
    kind: Index
    game: Index
    """Number of the game."""
    turn: Index
    """In the left file, or in the right one where only that has the decision."""
    first_turn: Index
    """The smaller one of its turns in the two files."""
    common: Bools
    """Whether both files have it, and either both or neither analysed it; or one did and the cube
    is dead."""
    paired: Bools
    dead: Bools
    """Whether both files have it, the cube is dead, and only one evaluated it: the other counts it,
    if at all, without looking (Q16)."""

    @property
    def decision_class(self) -> Index:
        """`DecisionClass` of each."""
        return CLASS_OF_KIND[self.kind]

    def in_order(self, *, right_first: bool) -> Items:
        """The same decisions in the order of play, which is one order whichever file is on the
        left.

        Of two decisions at one place that one file has each, `right_first` has the right file's
        first.
        """
        rows = np.sort((self.left, self.right), axis=0)
        side = np.where(self.left >= 0, 1, -1) * (-1 if right_first else 1)
        alone = np.where(self.paired, 0, side)
        order = np.lexsort((alone, rows[0], rows[1], self.kind, self.first_turn, self.game))
        return Items(**{column.name: getattr(self, column.name)[order] for column in fields(self)})

    def mirrored(self, seats: tuple[int, int]) -> Items:
        """The same decisions with left and right exchanged; `seats` are those of the left file's
        players in the right one."""
        return replace(self, left=self.right, right=self.left, player=np.array(seats)[self.player])

    def __len__(self) -> int:
        return len(self.left)

    def place(self, item: int) -> tuple[int, int, str]:
        """Game, turn and kind of an item."""
        return int(self.game[item]), int(self.turn[item]), str(self.kind_labels[item])

    @cached_property
    def kind_labels(self) -> npt.NDArray[np.object_]:
        """The kind of every item in words."""
        return np.array([Kind(kind).label for kind in self.kind.tolist()], object)


def at_rows(values: npt.NDArray[Any], rows: Ints, absent: float) -> npt.NDArray[Any]:
    """A column of a file at some of its rows; `absent` where it has no such row."""
    there = (rows >= 0) & (rows < len(values))
    return np.append(values, absent)[np.where(there, rows, len(values))]


ERROR, LOSS, COUNT, MOVES = range(4)
"""Of an item as a file has it: equity lost (EMG), percentage points of match winning chance lost,
whether it counts, and whether it is a roll that was played."""


def charges(scored: Scored, rows: Ints) -> Floats:
    """What a file charges for the items in these rows, shape [`ERROR` to `MOVES`, item]; 0 where it
    does not have one."""
    played = np.zeros(len(scored.error))
    played[: len(scored.match.plays)] = scored.match.plays.validity != Validity.UNPLAYED
    columns = scored.error, scored.loss, scored.counted, played
    # Some files keep single precision: the product is taken in double.
    result = np.array([at_rows(column, rows, 0).astype(np.float64) for column in columns])
    result[LOSS] *= 100
    return result


def level_label(match: Match, row: int) -> str:
    """How deep a tool looked at the decision of a row, in its own words; empty where unknown."""
    table, index = located(match, row)
    level = -1 if table is None or row < 0 else int(table.level[index])
    return match.levels[level].label if 0 <= level < len(match.levels) else ""


def _columns(match: Match, seats: tuple[int, int]) -> dict[str, npt.NDArray[Any]]:
    """Columns over the rows of a file, and one entry more: index -1 is a row that it lacks."""
    plays, cubes, resignations = match.plays, match.cubes, match.resignations
    dead = is_dead(match) & (cubes.kind == Kind.NO_DOUBLE)
    nowhere = (np.zeros(len(table), bool) for table in (plays, resignations))
    columns = {
        "player": np.array(seats)[over_all(match, "player")],
        "kind": kinds(match),
        "game": match.games.number[over_all(match, "game")],
        "turn": match.turns,
        "dead": np.concatenate((next(nowhere), dead, next(nowhere))),
        "analysed": evaluated(match),
    }
    return {name: np.append(column, column.dtype.type(0)) for name, column in columns.items()}


def _resignations(match: Match, columns: dict[str, Any]) -> dict[tuple[int, ...], list[int]]:
    """Rows of resignations and answers to them by game, player and kind, in order."""
    rows: dict[tuple[int, ...], list[int]] = {}
    first = len(match.plays) + len(match.cubes)
    for row in range(first, first + len(match.resignations)):
        key = tuple(int(columns[name][row]) for name in ("game", "player", "kind"))
        rows.setdefault(key, []).append(row)
    return rows


def pair_items(left: Scored, right: Scored, pairing: Pairing) -> Items:
    """Put the decisions of two files side by side."""
    here = _columns(left.match, (0, 1))
    there = _columns(right.match, (pairing.seats.index(0), pairing.seats.index(1)))
    number, size = (len(columns["kind"]) - 1 for columns in (here, there))
    partner = np.full(number, -1)
    partner[pairing.plays[0]] = pairing.plays[1]
    partner[len(left.match.plays) + pairing.cubes[0]] = len(right.match.plays) + pairing.cubes[1]
    resigned = _resignations(right.match, there)
    for key, rows in _resignations(left.match, here).items():
        for row, other in zip(rows, resigned.get(key, ()), strict=False):
            partner[row] = other
    is_alone = np.ones(size, bool)
    is_alone[partner[partner >= 0]] = False
    alone = np.flatnonzero(is_alone)
    rows_left = np.concatenate((np.arange(number), np.full(len(alone), -1)))
    rows_right = np.concatenate((partner, alone))
    here = {name: column[rows_left] for name, column in here.items()}
    there = {name: column[rows_right] for name, column in there.items()}
    on_left, paired = rows_left >= 0, (rows_left >= 0) & (rows_right >= 0)
    places = {
        name: np.where(on_left, here[name], there[name]).astype(np.int64)
        for name in ("player", "kind", "game", "turn")
    }
    agree = here["analysed"] == there["analysed"]
    dead = paired & here["dead"] & there["dead"] & ~agree
    earlier = np.minimum(here["turn"], there["turn"])
    return Items(
        left=rows_left,
        right=rows_right,
        first_turn=np.where(paired, earlier, places["turn"]),
        paired=paired,
        common=paired & (agree | dead),
        dead=dead,
        **places,
    )
