"""What several analyses of one match say of each other: the outlier, who votes, the consensus, and what each thinks of a decision.

The consensus is ours, and no tool's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, OR_NULL, Amount, Count, Document, Ends, Key, Text
from reconcile.gap.aligned import MOST_ACTIONS, Aligned, Votes
from reconcile.gap.paired_decisions import Placed
from reconcile.match.columns import Bools, Floats
from reconcile.match.match import Level
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.open_rules import Range
from reconcile.scoring.score import chance_lost
from reconcile.scoring.statistics import Statistics

NOISE: Final = 0.10
"""PRs this close are the same: the tolerance of PR in the table `documented`."""
FEWEST: Final = 3
"""Complete analyses of a player of which one can be the outlier."""
SHALLOW: Final = 1.0
"""An analysis that looks fewer plies ahead than this is shallow (gnuBG's 0-ply, XG's 1-ply)."""
DEEPEST: Final = 1000.0
"""Lookahead of what has no number of plies: rollouts, books, and BGBlitz's own plies."""


NoVote = Literal["outlier", "shallow", "same-program"]
"""Why an analysis has no vote in the consensus of a player; `same-program`: a deeper or more complete one by the same program has it."""


@dataclass(frozen=True, slots=True)
class Apart:
    """The analysis whose PR of a player is furthest from the others'."""

    side: int
    from_median: float
    """Its PR less the median of the others'."""
    distance: Range
    """The same with every PR anywhere in its range; twice one number where no open rule moves one."""
    median: Range
    """The median of the others."""


def is_shallow(level: Level | None) -> bool:
    """Whether an analysis does not look beyond the play itself."""
    return level is not None and level.lookahead is not None and level.lookahead < SHALLOW


def far_from_others(rates: Mapping[int, float], ranges: Mapping[int, Range]) -> Apart | None:
    """The side furthest from the median of the others: by more than `NOISE`, and by more than that further than any other side.

    Both must hold wherever in its range each PR is; sides without a range are left out of `ranges`. `None` where it holds for no side.
    """
    if len(rates) < FEWEST:
        return None
    ends = {side: ranges.get(side, (pr, pr)) for side, pr in rates.items()}
    found = []
    for side, pr in rates.items():
        others = [one for one in rates if one != side]
        low, high = (float(np.median([ends[one][end] for one in others])) for end in (0, 1))
        found.append(
            Apart(
                side,
                pr - float(np.median([rates[one] for one in others])),
                (ends[side][0] - high, ends[side][1] - low),
                (low, high),
            )
        )
    first = max(found, key=_surely)
    rest = max(max(map(abs, one.distance)) for one in found if one is not first)
    return first if _surely(first) > NOISE and _surely(first) - rest > NOISE else None


def _surely(one: Apart) -> float:
    """How far a side is from the median of the others at least."""
    low, high = one.distance
    return 0.0 if low <= 0 <= high else min(abs(low), abs(high))


def without_a_vote(
    programs: Sequence[str],
    shallow: Sequence[bool],
    outlier: int | None,
    rank: Callable[[int], tuple[object, ...]],
) -> dict[int, NoVote]:
    """By side, why it has no vote in the consensus; every other side has one.

    Each program has one vote, that of its analysis that `rank` puts first; the outlier and a shallow analysis have none. Where all but
    the outlier are shallow, they vote after all.
    """
    sides = range(len(programs))
    found: dict[int, NoVote] = {} if outlier is None else {outlier: "outlier"}
    if not all(shallow[side] for side in sides if side != outlier):
        found |= {side: "shallow" for side in sides if shallow[side]}
    voted: set[str] = set()
    for side in sorted((side for side in sides if side not in found), key=rank):
        if programs[side] in voted:
            found[side] = "same-program"
        voted.add(programs[side])
    return dict(sorted(found.items()))


def depth_of(level: Level | None) -> float:
    """How deep an analysis is: plies, more than any for a rollout or a book, less than any where nothing is known."""
    return -1.0 if level is None else DEEPEST if level.lookahead is None else level.lookahead


def consensus(
    aligned: Aligned, sides: Sequence[Statistics], voters: tuple[Sequence[int], Sequence[int]]
) -> Statistics:
    """The figures of the consensus, by the seats of the reference file.

    `sides` are scored under the rules of the consensus; `voters` are those that are asked about each seat.
    """
    asked_about = np.array([[side in of_seat for of_seat in voters] for side in range(len(sides))])
    voting: Bools = asked_about[:, aligned.items.player]
    scored = [side.scored for side in sides]
    of_reference, match = scored[aligned.reference], aligned.match
    rows = len(of_reference.error)
    evaluated: Bools = np.logical_or.reduce(aligned.known & voting, axis=0)
    known, voting = (aligned.known & voting)[:, :rows], voting[:, :rows]
    error = aligned.column([one.error for one in scored], 0.0)[:, :rows].astype(np.float64)
    agreeing, _ = majority(np.where(voting, aligned.votes[:, :rows], 0), known)
    lost = median(error, agreeing).astype(np.result_type(*[one.error for one in scored]))
    lost[~evaluated[:rows]] = 0
    counted = aligned.column([one.counted for one in scored], False)[:, :rows].astype(bool)
    asked = known | (voting & (aligned.rows[:, :rows] >= 0) & ~evaluated[:rows])
    luck = [side.match.plays.luck for side in aligned.sides]
    plays, cubes = len(match.plays), len(match.cubes)
    rolls = aligned.column(luck, np.nan)[:, :plays].astype(np.float64)
    rolled = median(rolls, (rolls == rolls) & voting[:, :plays]).astype(np.result_type(*luck))
    made: dict[str, Any] = {
        "plays": match.plays.replaced(analysed=evaluated[:plays], luck=rolled),
        "cubes": match.cubes.replaced(analysed=evaluated[plays : plays + cubes]),
    }
    return Statistics(
        replace(
            of_reference,
            match=replace(match, **made),
            counted=asked.any(axis=0) & (2 * (counted & asked).sum(axis=0) >= asked.sum(axis=0)),
            error=lost,
            loss=chance_lost(lost, of_reference.win, of_reference.lose, of_reference.met),
        )
    )


def majority(votes: Votes, known: Bools) -> tuple[Bools, Votes]:
    """The sides of the most frequent opinions, shape [side, decision], and the bits of what all of these think best, shape [decision].

    Where no side says what is best, every side that evaluated the decision is asked. No bit where opinions with as many votes differ.
    """
    bits = np.arange(MOST_ACTIONS)[: int(votes.max(initial=0)).bit_length()]
    wanting = votes >> bits[:, None, None] & 1
    number = wanting.sum(axis=1)
    most = number.max(axis=0, initial=0)
    agreeing = np.where(most > 0, (wanting & (number == most)[:, None]).any(axis=0), known)
    return agreeing, np.where(
        most > 0, np.bitwise_and.reduce(np.where(agreeing, votes, -1), axis=0), 0
    )


def median(values: Floats, known: Bools) -> Floats:
    """The median of what is known of every decision, from shape [side, decision]; NaN where nothing is."""
    ordered = np.sort(np.where(known, values, np.inf), axis=0)
    number = known.sum(axis=0)
    columns = np.arange(values.shape[1])
    middle = (
        ordered[np.maximum(number - 1, 0) // 2, columns]
        + ordered[np.minimum(number // 2, len(ordered) - 1), columns]
    ) / 2
    return np.where(number > 0, middle, np.nan)


@dataclass(frozen=True, slots=True)
class Deciding(Placed):
    """The decision that makes most of an outlier's gap."""

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
class DisputedDecision(Placed):
    """A decision with the verdicts of all sides."""

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


def decisions_of(aligned: Aligned, rows: Sequence[int]) -> Iterator[DisputedDecision]:
    """Decisions of the reference file as all sides see them."""
    items, sides = aligned.items, range(len(aligned.sides))
    said = majority(aligned.votes, aligned.known)[1].tolist()
    for item in rows:
        xgid, gnubg_id = identifiers_of(aligned.match, item)
        yield DisputedDecision(
            *items.place(item),
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
