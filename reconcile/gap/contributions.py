"""Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reconcile.gap.bridge import CAUSES, Bridge, Contribution, SideOfDecision
from reconcile.gap.naming import level_name, pair_labels
from reconcile.gap.one_way import Way
from reconcile.gap.rows import apart
from reconcile.gap.walk import CHECKER, LEADING, Walk
from reconcile.match.columns import Cubes, Plays
from reconcile.match.tools import short_name
from reconcile.match.values import once
from reconcile.scoring.decision_table import identifiers_of, located
from reconcile.scoring.score import Scored

if TYPE_CHECKING:
    import pandas as pd


Sides = tuple[SideOfDecision | None, SideOfDecision | None]


@dataclass(frozen=True, slots=True)
class Share:
    """What one decision adds to a step of a bridge, for one cause."""

    bridge: Bridge
    step: str
    cause: str
    item: int
    """Of `Walk.items`."""
    change: float
    ways: tuple[Way, ...]
    """Those of `Walk.ways` on which it does."""


class Reader:
    """Looks up the decisions behind the items of a walk."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.sides = (walk.left, walk.right)
        matches = walk.left.match, walk.right.match
        tools = [short_name(match.source.tool) for match in matches]
        levels = [level_name(match) for match in matches]
        self.words = pair_labels((tools[0], tools[1]), (levels[0], levels[1]))

    @once
    def identifiers(self, item: int) -> tuple[str, str]:
        """XGID and gnuBG's `Position ID:Match ID` of an item; empty where no such ID exists (a resignation)."""
        left, right = int(self.walk.items.left[item]), int(self.walk.items.right[item])
        return identifiers_of(
            *((self.walk.left.match, left) if left >= 0 else (self.walk.right.match, right))
        )

    def side(self, item: int, which: int) -> SideOfDecision | None:
        """What the left (0) or right (1) file says of an item."""
        rows = (self.walk.items.left, self.walk.items.right)[which]
        return side_of_decision(self.sides[which], int(rows[item]))

    def contribution(self, share: Share) -> Contribution:
        """A decision's share of a step in full."""
        item, cause = share.item, CAUSES[share.cause]
        sides = self.side(item, 0), self.side(item, 1)
        ids = self.identifiers(item)
        return Contribution(
            player=share.bridge.player,
            metric=share.bridge.metric,
            step=share.step,
            cause=cause.code,
            cause_title=cause.title,
            change=share.change,
            sentence=self._sentence(sides),
            left=sides[0],
            right=sides[1],
            xgid=ids[0],
            gnubg_id=ids[1],
        )

    def _sentence(self, sides: Sides) -> str:
        """What either side says: `XG 0.016, gnuBG not counted`."""
        return ", ".join(
            f"{label} {words}" for label, words in zip(self.words, opinions(*sides), strict=True)
        )


def opinions(*sides: SideOfDecision | None) -> tuple[str, str]:
    """What either side says of a decision: the error, with the digits that show how they differ, and whether it does not count."""
    errors = [None if side is None else side.error for side in sides]
    words = []
    for side, error, text in zip(
        sides, errors, apart(*(one or 0.0 for one in errors)), strict=True
    ):
        if side is None:
            words.append("does not have it")
        elif error is None:
            words.append("not analysed")
        elif side.counted:
            words.append(text)
        else:
            words.append(f"{text}, not counted" if float(text) else "not counted")
    return words[0], words[1]


def side_of_decision(scored: Scored, row: int) -> SideOfDecision | None:
    """What a file says of a checker play or a cube decision; `None` for a resignation, or where the file does not have it (-1)."""
    match = scored.match
    table, index = located(match, row)
    if row < 0 or table is None:
        return None
    analysed, level = bool(table.analysed[index]), int(table.level[index])
    equities: dict[str, float | None] = {}
    if analysed and isinstance(table, Cubes):
        equities = {
            name: float(getattr(scored.view, name)[index])
            for name in ("no_double", "double_take", "double_pass")
        }
    return SideOfDecision(
        decision=match.play_decision(index)
        if isinstance(table, Plays)
        else match.cube_decision(index),
        counted=bool(scored.counted[row]),
        error=float(scored.error[row]) if analysed else None,
        level=match.levels[level].label if 0 <= level < len(match.levels) else "",
        **equities,
    )


def shares_of(walk: Walk, bridges: Sequence[Bridge]) -> list[Share]:
    """What every decision adds to these bridges, the largest first."""
    ways = {
        number: tuple(way for bit, way in enumerate(walk.ways) if number >> bit & 1)
        for number in range(1 << len(walk.ways))
    }
    found = []
    for bridge in bridges:
        for columns in walk.shares(bridge):
            rows = zip(
                columns.cause,
                columns.item.tolist(),
                columns.change.tolist(),
                columns.ways.tolist(),
                strict=True,
            )
            found += [
                Share(bridge, columns.step, cause, item, change, ways[number])
                for cause, item, change, number in rows
            ]
    return sorted(
        found, key=lambda share: (-abs(share.change), share.item, share.bridge.player, share.cause)
    )


def contributions_of(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Contribution, ...]:
    """Every decision that moves these bridges, the largest contribution first."""
    return tuple(map(Reader(walk).contribution, shares_of(walk, bridges)))


def ledger_columns(walk: Walk, bridges: Sequence[Bridge]) -> dict[str, list[Any]]:
    """Every contribution of every decision to these bridges, with XGID and gnuBG ID (empty without one)."""
    reader = Reader(walk)
    columns = {name: column.tolist() for name, column in walk.ledger_columns(bridges).items()}
    identifiers = [reader.identifiers(item) for item in columns.pop("item")]
    return {
        **columns,
        "xgid": [xgid for xgid, _ in identifiers],
        "gnubg_id": [gnubg_id for _, gnubg_id in identifiers],
    }


def ledger_frame(walk: Walk, bridges: Sequence[Bridge] | None = None) -> pd.DataFrame:
    """The same as a table, by default for all bridges of the match."""
    import pandas as pd

    return pd.DataFrame(ledger_columns(walk, walk.bridges() if bridges is None else bridges))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One decision and all that it moves a figure, over every step."""

    change: float
    largest: Contribution
    """Its share of the step that it moves most."""


def rate_bridges(walk: Walk) -> tuple[Bridge, ...]:
    """By player the bridge of PR, or of checker PR where PR has none."""
    rates = (walk.bridge(LEADING, seat) for seat in walk.seats)
    return tuple(
        walk.bridge(CHECKER, seat) if rate.reason else rate
        for seat, rate in zip(walk.seats, rates, strict=True)
    )


def disagreements(walk: Walk, most: int) -> tuple[Disagreement, ...]:
    """The decisions that move the rates of the players most, largest first; one that no ID can describe is left out."""
    reader, found = Reader(walk), []
    for bridge in rate_bridges(walk):
        largest: dict[int, Share] = {}
        for share in shares_of(walk, [bridge]):
            largest.setdefault(share.item, share)
        whole = (
            np.sum([vector for _, vector in bridge.contributions], axis=0)
            if bridge.contributions
            else np.zeros(0)
        )
        found += [
            (float(whole[item]), largest[item])
            for item in np.flatnonzero(whole).tolist()
            if reader.identifiers(item)[0]
        ]
    found.sort(key=lambda entry: (-abs(entry[0]), entry[1].item, entry[1].bridge.player))
    return tuple(Disagreement(change, reader.contribution(share)) for change, share in found[:most])
