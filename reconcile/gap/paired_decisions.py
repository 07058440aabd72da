"""The decisions of two files as one list: each item is a decision that the left file has, the right one, or both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.document import Document, Positive
from reconcile.gap.pairing import Pairing
from reconcile.match.all_rows import evaluated, kinds, over_all
from reconcile.match.columns import Kind, KindName, Validity
from reconcile.match.match import Match
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.score import CLASS_OF_KIND, Scored

Rows = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placed(Document):
    """A decision by its place."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in the game, from 1, counting both players."""
    kind: KindName
    """What was decided."""


@dataclass(frozen=True)
class Items:
    """Columns over items; rows count through plays, cubes and resignations of a file as in `Scored`."""

    left: Rows
    """Row in the left file, -1 where it has none."""
    right: Rows
    player: Rows
    """Seat in the left file of the decider."""
    kind: Rows
    game: Rows
    """Number of the game."""
    turn: Rows
    """In the left file, or in the right one where only that has the decision."""
    first_turn: Rows
    """The smaller one of its turns in the two files."""
    common: npt.NDArray[np.bool_]
    """Whether both files have it, and either both or neither analysed it; or one did and the cube is dead."""
    paired: npt.NDArray[np.bool_]
    dead: npt.NDArray[np.bool_]
    """Whether both files have it, the cube is dead, and only one evaluated it: the other counts it, if at all, without looking (Q16)."""

    @property
    def decision_class(self) -> Rows:
        """`DecisionClass` of each."""
        return CLASS_OF_KIND[self.kind]

    def in_order(self, *, right_first: bool) -> Items:
        """The same decisions in the order of play, which is one order whichever file is on the left.

        Of two decisions at one place that one file has each, `right_first` has the right file's first.
        """
        rows = np.sort((self.left, self.right), axis=0)
        alone = np.where(
            self.paired, 0, np.where(self.left >= 0, 1, -1) * (-1 if right_first else 1)
        )
        order = np.lexsort((alone, rows[0], rows[1], self.kind, self.first_turn, self.game))
        return Items(**{column.name: getattr(self, column.name)[order] for column in fields(self)})

    def mirrored(self, seats: tuple[int, int]) -> Items:
        """The same decisions with left and right exchanged; `seats` are those of the left file's players in the right one."""
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


@dataclass(frozen=True, slots=True)
class Judged:
    """Every item under one set of rules and one file's analysis; 0 where the file does not have it."""

    error: Vector
    loss: Vector
    """In percentage points of match winning chance."""
    count: Vector
    moves: Vector
    """1 for a roll that was played."""

    def replaced(self, items: npt.NDArray[np.bool_], other: Judged) -> Judged:
        """The same with some items as another has them."""
        return Judged(
            *(
                np.where(items, getattr(other, column.name), getattr(self, column.name))
                for column in fields(self)
            )
        )


def judged_items(scored: Scored, rows: Rows) -> Judged:
    """The items as one file has them in these rows."""
    known = (rows >= 0) & (rows < len(scored.error))
    row = np.where(known, rows, 0)

    def column(values: npt.NDArray[Any]) -> Vector:
        return (
            np.where(known, values[row], 0).astype(np.float64)
            if len(values)
            else np.zeros(len(rows))
        )

    played = np.zeros(len(scored.error))
    played[: len(scored.match.plays)] = scored.match.plays.validity != Validity.UNPLAYED
    return Judged(
        error=column(scored.error),
        loss=column(scored.loss) * 100,
        count=column(scored.counted),
        moves=column(played),
    )


def _columns(match: Match, seats: tuple[int, int]) -> dict[str, Any]:
    plays, cubes, resignations = match.plays, match.cubes, match.resignations
    return {
        "player": np.array(seats)[over_all(match, "player")],
        "kind": kinds(match),
        "game": match.games.number[over_all(match, "game")],
        "turn": match.turns,
        "dead": np.concatenate(
            (
                np.zeros(len(plays), bool),
                is_dead(match) & (cubes.kind == Kind.NO_DOUBLE),
                resignations.kind < 0,
            )
        ),
        "analysed": evaluated(match),
    }


def _resignations(columns: Mapping[str, Any], first: int) -> dict[tuple[int, int, int], list[int]]:
    """Rows of resignations and answers to them by game, player and kind, in order; `first` is the first of them."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for row in range(first, len(columns["kind"])):
        found.setdefault(
            (int(columns["game"][row]), int(columns["player"][row]), int(columns["kind"][row])), []
        ).append(row)
    return found


def pair_items(left: Scored, right: Scored, pairing: Pairing) -> Items:
    """Put the decisions of two files side by side."""
    one = _columns(left.match, (0, 1))
    two = _columns(right.match, (pairing.seats.index(0), pairing.seats.index(1)))
    partner = np.full(len(one["kind"]), -1)
    partner[pairing.plays[0]] = pairing.plays[1]
    partner[len(left.match.plays) + pairing.cubes[0]] = len(right.match.plays) + pairing.cubes[1]
    offsets = [len(match.plays) + len(match.cubes) for match in (left.match, right.match)]
    resigned = _resignations(two, offsets[1])
    for key, rows in _resignations(one, offsets[0]).items():
        for row, other in zip(rows, resigned.get(key, ()), strict=False):
            partner[row] = other
    single = np.ones(len(two["kind"]), bool)
    single[partner[partner >= 0]] = False
    alone = np.flatnonzero(single)
    rows_left = np.concatenate((np.arange(len(partner)), np.full(len(alone), -1)))
    rows_right = np.concatenate((partner, alone))
    paired = (rows_left >= 0) & (rows_right >= 0)
    have = partner >= 0
    agree, dead, earlier = have.copy(), one["dead"] & have, one["turn"].copy()
    there = partner[have]
    agree[have] = one["analysed"][have] == two["analysed"][there]
    dead[have] &= two["dead"][there] & ~agree[have]
    earlier[have] = np.minimum(earlier[have], two["turn"][there])
    names = ("player", "kind", "game", "turn")
    return Items(
        left=rows_left,
        right=rows_right,
        first_turn=np.concatenate((earlier, two["turn"][alone])),
        paired=paired,
        common=paired & np.concatenate((agree | dead, np.zeros(len(alone), bool))),
        dead=np.concatenate((dead, np.zeros(len(alone), bool))),
        **{name: np.concatenate((one[name], two[name][alone])).astype(np.int64) for name in names},
    )
