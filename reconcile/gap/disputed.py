"""What several analyses of one match say of each other: the outlier, and what each thinks of a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, OR_NULL, Amount, Count, Document, Ends, Key, Positive, Text
from reconcile.gap.aligned import Aligned
from reconcile.gap.consensus import majority
from reconcile.match.columns import Bools, Floats, KindName
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.sums import DecisionClass


@dataclass(frozen=True, slots=True)
class Deciding(Document):
    """The decision that makes most of an outlier's gap."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    change: float
    """How much it moves the PR from side `against` to the outlier."""
    against: Count
    """The side nearest to the median of the others."""


@dataclass(frozen=True, slots=True)
class Outlier(Document):
    """The analysis whose PR is furthest from the median of the others: by more than 0.10, and by more than 0.10 further than any other."""

    side: Count
    """Its index, from 0."""
    from_median: Annotated[float, Key("pr_from_median")]
    """Its PR less the median of the others'."""
    median: Ends
    """The median of the others' PRs; twice one number where no open rule moves it."""
    decisions: Count
    """Decisions of the player on which no other analysis thinks best what this one does."""
    largest: Deciding | None
    """The decision that makes most of it; null where there is none."""
    range: Annotated[Ends | None, LEFT_OUT] = None
    """The same with every PR anywhere in its range; absent where no open rule moves one."""


@dataclass(frozen=True, slots=True)
class SideVerdict(Document):
    """What one side says of a decision."""

    side: Count
    """Its index, from 0."""
    best: Annotated[Text, OR_NULL]
    """The action it thinks best; null where it does not say."""
    error: Amount | None
    """Equity lost (EMG) by what was done, under the side's own rules; null where not evaluated."""
    level: Annotated[Text, OR_NULL]
    """How deep it looked, in the tool's words; null where unknown."""
    counted: bool
    """Whether the decision counts under the side's own rules."""


@dataclass(frozen=True, slots=True)
class DisputedDecision(Document):
    """A decision with the verdicts of all sides."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    player: str
    """Who decided."""
    played: str
    """What was done."""
    at_stake: Amount
    """The largest error that a side charges less the smallest (EMG)."""
    majority: Annotated[Text, OR_NULL]
    """The action that most sides think best; null where none says, or where two have as many votes."""
    dispute: Literal["choice", "size"]
    """`choice` where no action is the best one for all sides; `size` where they agree on it."""
    verdicts: tuple[SideVerdict, ...]
    """Of every side, in order."""
    xgid: Annotated[str, OR_NULL]
    """The position for eXtreme Gammon; null if there is no ID."""
    gnubg_id: Annotated[str, OR_NULL]
    """The position for GNU Backgammon; null if there is no ID."""
    item: Annotated[int, HIDDEN] = -1
    """Its row among the decisions of the reference file."""
    least: Annotated[float, HIDDEN] = 0.0
    """The smallest error charged (EMG)."""


def ranked(aligned: Aligned, chosen: Bools, size: Floats, seats: Sequence[int]) -> list[int]:
    """The chosen decisions of these players but resignations, those of the largest `size` first."""
    items = aligned.items
    rows = np.flatnonzero(chosen & np.isin(items.player, seats) & (items.decision_class != int(DecisionClass.RESIGNATION)))
    order = np.lexsort((items.kind[rows], items.turn[rows], items.game[rows], -np.round(size[rows], 9)))
    found: list[int] = rows[order].tolist()
    return found


def decisions_of(aligned: Aligned, rows: Sequence[int]) -> Iterator[DisputedDecision]:
    """Decisions of the reference file as all sides see them."""
    items, sides = aligned.items, range(len(aligned.sides))
    said = majority(aligned.votes, aligned.known)[1].tolist()
    for item in rows:
        xgid, gnubg_id = identifiers_of(aligned.match, item)
        yield DisputedDecision(
            game=int(items.game[item]),
            turn=int(items.turn[item]),
            kind=str(items.kind_labels[item]),
            player=aligned.match.names[int(items.player[item])],
            played=aligned.played(item),
            at_stake=float(aligned.at_stake[item]),
            majority=aligned.said(item, said[item]),
            dispute="choice" if aligned.disputed[item] else "size",
            verdicts=tuple(verdict(aligned, side, item) for side in sides),
            xgid=xgid,
            gnubg_id=gnubg_id,
            item=item,
            least=float(aligned.least[item]),
        )


def verdict(aligned: Aligned, side: int, item: int) -> SideVerdict:
    """What a side says of a decision."""
    error = float(aligned.error[side, item])
    return SideVerdict(
        side=side,
        best=aligned.best(side, item),
        error=None if error != error else error,
        level=aligned.level[side][item],
        counted=bool(aligned.counted[side, item]),
    )
