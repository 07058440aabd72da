"""The analysis that is far from all others of a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np

from reconcile.document import LEFT_OUT, Count, Document, Ends, Key
from reconcile.gap.explanation import GapRow
from reconcile.scoring.open_rules import Range

NOISE: Final = 0.10
"""PRs this close are the same: the tolerance of PR in the table `documented`."""
FEWEST: Final = 3
"""Programs with a complete analysis of a player, of which one can be the outlier."""


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
    nearest: Count = 0
    """The index of the analysis nearest to it."""
    distance: float = 0.0
    """Its PR less that of the nearest one."""
    rows: tuple[GapRow, ...] = ()
    """What makes the distance; the changes add up to it."""
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
