"""What several analyses of one match say of each other: the outlier, and what each thinks of a
decision in dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, OR_NULL, Amount, Count, Document, Ends, Key, Text
from reconcile.gap.aligned import MOST_ACTIONS, Aligned, Votes
from reconcile.gap.paired_decisions import Placed
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.open_rules import Range

NOISE: Final = 0.10
"""PRs this close are the same: the tolerance of PR in the table `documented`."""
FEWEST: Final = 3
"""Programs with a complete analysis of a player, of which one can be the outlier."""


@dataclass(frozen=True, slots=True)
class Deciding(Placed):
    """The decision that makes most of an outlier's gap."""

    change: float
    """How much it moves the PR from side `against` to the outlier."""
    against: Count
    """The side nearest to the median of the others."""


@dataclass(frozen=True, slots=True)
class Outlier(Document):
    """The analysis whose PR is furthest from the median of the other programs': by more than 0.10,
    and by more than 0.10 further than any."""

    side: Count
    """Its index, from 0."""
    from_median: Annotated[float, Key("pr_from_median")]
    """Its PR less the median of the others'."""
    median: Ends
    """The median of the others' PRs; twice one number where no open rule moves it."""
    decisions: Count = 0
    """Decisions of the player on which no other analysis thinks best what this one does."""
    largest: Deciding | None = None
    """The decision that makes most of it; null where there is none."""
    range: Annotated[Ends | None, LEFT_OUT] = None
    """The same with every PR anywhere in its range; absent where no open rule moves one."""

    @property
    def away(self) -> Range:
        """How far its PR is from the median of the others, wherever in its range each is."""
        return self.range or (self.from_median, self.from_median)

    @property
    def surely(self) -> float:
        """The least of that."""
        low, high = self.away
        return max(low, -high, 0.0)


def far_from_others(rates: Mapping[int, float], ranges: Mapping[int, Range]) -> Outlier | None:
    """The side furthest from the median of the others: by more than `NOISE`, and by more than that
    further than any other side.

    Both must hold wherever in its range each PR is; sides without a range are left out of `ranges`.
    `None` where it holds for no side.
    """
    if len(rates) < FEWEST:
        return None
    ends = {side: ranges.get(side, (pr, pr)) for side, pr in rates.items()}
    sides = []
    for side, pr in rates.items():
        beside = [other for other in rates if other != side]
        low, high = (float(np.median([ends[other][end] for other in beside])) for end in (0, 1))
        off = pr - float(np.median([rates[other] for other in beside]))
        away = ends[side][0] - high, ends[side][1] - low
        sides.append(Outlier(side, off, (low, high), range=None if away[0] == away[1] else away))
    first = max(sides, key=lambda outlier: outlier.surely)
    rest = max(max(map(abs, each.away)) for each in sides if each is not first)
    return first if first.surely > NOISE and first.surely - rest > NOISE else None


def majority(votes: Votes) -> Votes:
    """The bits of what most sides think best, shape [decision], from those of every side, shape
    [side, decision].

    No bit where no side says what is best, or where opinions with as many votes differ.
    """
    bits = np.arange(MOST_ACTIONS)[: int(votes.max(initial=0)).bit_length()]
    wanting = votes >> bits[:, None, None] & 1
    number = wanting.sum(axis=1)
    most = number.max(axis=0, initial=0)
    agreeing = (wanting & (number == most)[:, None]).any(axis=0)
    shared = np.bitwise_and.reduce(np.where(agreeing, votes, -1), axis=0)
    return np.where(most > 0, shared, 0)


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
class DisputedDecision(Placed):
    """A decision with the verdicts of all sides."""

    player: str
    """Who decided."""
    played: str
    """What was done."""
    at_stake: Amount
    """The largest error that a side charges less the smallest (EMG)."""
    majority: Annotated[Text, OR_NULL]
    """The action that most sides think best; null where none says, or where two have as many
    votes."""
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


def decisions_of(aligned: Aligned, rows: Sequence[int]) -> Iterator[DisputedDecision]:
    """Decisions of the reference file as all sides see them."""
    items, bits = aligned.items, majority(aligned.heard).tolist()
    for item in rows:
        xgid, gnubg_id = identifiers_of(aligned.match, item)
        yield DisputedDecision(
            *items.place(item),
            player=aligned.match.names[int(items.player[item])],
            played=aligned.played(item),
            at_stake=float(aligned.at_stake[item]),
            majority=aligned.action(item, bits[item]),
            dispute="choice" if aligned.disputed[item] else "size",
            verdicts=tuple(
                SideVerdict(
                    side=side,
                    best=aligned.best(side, item),
                    error=None if error != error else error,
                    level=aligned.level[side][item],
                    counted=bool(aligned.counted[side, item]),
                )
                for side, error in enumerate(aligned.error[:, item].tolist())
            ),
            xgid=xgid,
            gnubg_id=gnubg_id,
            item=item,
            least=float(aligned.least[item]),
        )
