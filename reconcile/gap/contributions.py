"""Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as
a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from reconcile.gap.bridge import CAUSES, Bridge, Contribution, SideOfDecision
from reconcile.gap.naming import level_name, pair_labels
from reconcile.gap.paired_decisions import level_label
from reconcile.gap.rows import apart
from reconcile.gap.walk import CHECKER, LEADING, Walk
from reconcile.match.columns import Cubes, Plays
from reconcile.match.tools import short_name
from reconcile.match.values import once
from reconcile.scoring.decision_table import identifiers_of, located
from reconcile.scoring.score import Scored

if TYPE_CHECKING:
    import pandas as pd


class Share(NamedTuple):
    """A row of the ledger: what one decision adds to a step of a bridge, for one cause."""

    player: str
    metric: str
    step: str
    cause: str
    change: float
    item: int
    """Of `Walk.items`."""


class Reader:
    """Looks up the decisions behind the items of a walk."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.sides = (walk.left, walk.items.left), (walk.right, walk.items.right)
        left, right = walk.left.match, walk.right.match
        tools = short_name(left.source.tool), short_name(right.source.tool)
        self.labels = pair_labels(tools, (level_name(left), level_name(right)))

    @once
    def identifiers(self, item: int) -> tuple[str, str]:
        """XGID and gnuBG's `Position ID:Match ID` of an item; empty where there is no such ID (a
        resignation)."""
        scored, rows = next(side for side in self.sides if side[1][item] >= 0)
        return identifiers_of(scored.match, int(rows[item]))

    def side(self, item: int, which: int) -> SideOfDecision | None:
        """What the left (0) or right (1) file says of an item."""
        scored, rows = self.sides[which]
        return side_of_decision(scored, int(rows[item]))

    def contribution(self, share: Share) -> Contribution:
        """A decision's share of a step in full; its sentence is `XG 0.016, gnuBG not counted`."""
        sides = self.side(share.item, 0), self.side(share.item, 1)
        xgid, gnubg_id = self.identifiers(share.item)
        words = zip(self.labels, opinions(*sides), strict=True)
        return Contribution(
            player=share.player,
            metric=share.metric,
            step=share.step,
            cause=share.cause,
            cause_title=CAUSES[share.cause].title,
            change=share.change,
            sentence=", ".join(map(" ".join, words)),
            left=sides[0],
            right=sides[1],
            xgid=xgid,
            gnubg_id=gnubg_id,
        )


def opinions(*sides: SideOfDecision | None) -> tuple[str, str]:
    """What either side says of a decision: the error, with the digits that show how they differ,
    and whether it does not count."""
    errors = [None if side is None else side.error for side in sides]
    numbers = apart(*(error or 0.0 for error in errors))
    words = []
    for side, error, number in zip(sides, errors, numbers, strict=True):
        if side is None:
            words.append("does not have it")
        elif error is None:
            words.append("not analysed")
        elif side.counted:
            words.append(number)
        else:
            words.append(f"{number}, not counted" if float(number) else "not counted")
    return words[0], words[1]


def side_of_decision(scored: Scored, row: int) -> SideOfDecision | None:
    """What a file says of a checker play or a cube decision; `None` for a resignation, or where the
    file does not have it (-1)."""
    match = scored.match
    table, index = located(match, row)
    if row < 0 or table is None:
        return None
    analysed = bool(table.analysed[index])
    is_play = isinstance(table, Plays)
    equities: dict[str, float | None] = {}
    if analysed and isinstance(table, Cubes):
        names = "no_double", "double_take", "double_pass"
        equities = {name: float(getattr(scored.view, name)[index]) for name in names}
    return SideOfDecision(
        decision=match.play_decision(index) if is_play else match.cube_decision(index),
        counted=bool(scored.counted[row]),
        error=float(scored.error[row]) if analysed else None,
        level=level_label(match, row),
        **equities,
    )


def _shares(walk: Walk, bridges: Sequence[Bridge]) -> list[Share]:
    """What every decision adds to these bridges, the largest first."""
    columns = walk.ledger_columns(bridges)
    rows: Iterable[Any] = zip(*(columns[name].tolist() for name in Share._fields), strict=True)
    return sorted(
        map(Share._make, rows),
        key=lambda share: (-abs(share.change), share.item, share.player, share.cause),
    )


def contributions_of(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Contribution, ...]:
    """Every decision that moves these bridges, the largest contribution first."""
    return tuple(map(Reader(walk).contribution, _shares(walk, bridges)))


def ledger_columns(walk: Walk, bridges: Sequence[Bridge]) -> dict[str, list[Any]]:
    """Every contribution of every decision to these bridges, with XGID and gnuBG ID (empty without
    one)."""
    columns = {name: column.tolist() for name, column in walk.ledger_columns(bridges).items()}
    identifiers = list(map(Reader(walk).identifiers, columns.pop("item")))
    return {
        **columns,
        "xgid": [xgid for xgid, _ in identifiers],
        "gnubg_id": [gnubg_id for _, gnubg_id in identifiers],
    }


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """The same as a table, for all bridges of the match."""
    import pandas as pd

    return pd.DataFrame(ledger_columns(walk, walk.bridges()))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One decision and all that it moves a figure, over every step."""

    change: float
    largest: Contribution
    """Its share of the step that it moves most."""


def rate_bridges(walk: Walk) -> tuple[Bridge, ...]:
    """By player the bridge of PR, or of checker PR where PR has none."""
    rates = {seat: walk.bridge(LEADING, seat) for seat in walk.seats}
    return tuple(
        walk.bridge(CHECKER, seat) if rate.reason else rate for seat, rate in rates.items()
    )


def disagreements(walk: Walk, most: int) -> tuple[Disagreement, ...]:
    """The decisions that move the rates of the players most, largest first; one that no ID can
    describe is left out."""
    reader, moving = Reader(walk), []
    for bridge in rate_bridges(walk):
        largest = {share.item: share for share in reversed(_shares(walk, [bridge]))}
        changes = bridge.by_item
        moving += [
            (float(changes[item]), largest[item])
            for item in np.flatnonzero(changes).tolist()
            if reader.identifiers(item)[0]
        ]
    moving.sort(key=lambda entry: (-abs(entry[0]), entry[1].item, entry[1].player))
    return tuple(
        Disagreement(change, reader.contribution(share)) for change, share in moving[:most]
    )
