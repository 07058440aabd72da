"""Which of several analyses of a player is the outlier, and which have a vote in the consensus.

Both are found from the PRs with their ranges, so that a rule nobody knows makes no outlier, and neither depends on the order of the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from reconcile.match import Level
from reconcile.scoring.open_rules import Range

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
            Apart(side, pr - float(np.median([rates[one] for one in others])), (ends[side][0] - high, ends[side][1] - low), (low, high))
        )
    first = max(found, key=_surely)
    rest = max(max(map(abs, one.distance)) for one in found if one is not first)
    return first if _surely(first) > NOISE and _surely(first) - rest > NOISE else None


def _surely(one: Apart) -> float:
    """How far a side is from the median of the others at least."""
    low, high = one.distance
    return 0.0 if low <= 0 <= high else min(abs(low), abs(high))


def without_a_vote(
    programs: Sequence[str], shallow: Sequence[bool], outlier: int | None, rank: Callable[[int], tuple[object, ...]]
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
