"""The ledger: every contribution of every decision, a row for each step it takes part in, a column for each figure it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from reconcile.gap.bridge import Contribution
from reconcile.gap.comparison import Comparison
from reconcile.report.html.decisions import Place, leading_metric, place_of
from reconcile.report.words import players
from reconcile.scoring.metrics import METRICS

MOST_ROWS: Final = 500
"""What fits into a page of reasonable size; the smallest are summed up in one line, so that the ledger still adds up."""
MOST_COLUMNS: Final = 5
PRINTED: Final = 40
"""Rows on paper; `style.css` hides those after it."""


@dataclass(slots=True)
class Row:
    """One decision in one step."""

    first: Contribution
    """One of its contributions; the others differ from it in metric and change."""
    place: Place | None
    changes: dict[str, float] = field(default_factory=dict)
    """By metric."""


Total = tuple[str, int, dict[str, float]]
"""A player, how many rows there are, and what they add up to by metric."""


def ledger(comparison: Comparison, contributions: Sequence[Contribution]) -> dict[str, object]:
    """The ledger of a comparison, largest contributions to the leading figure first, and what can be chosen in it."""
    leading = leading_metric(comparison, contributions)
    columns = _columns(comparison, contributions, leading)
    rows = _rows(comparison, contributions, columns)
    order = {name: index for index, name in enumerate(players(comparison))}

    def key(row: Row) -> tuple[float, float, int, Place | tuple[()], str]:
        sizes = [abs(round(row.changes.get(name, 0.0), 9)) for name in (leading, columns[-1])]
        return -sizes[0], -sizes[1], order.get(row.first.player, len(order)), row.place or (), row.first.step

    rows.sort(key=key)
    shown = rows[:MOST_ROWS]
    places = [row.place for row in shown if row.place]
    return {
        "columns": [METRICS[name] for name in columns],
        "rows": shown,
        "rest": _totals(rows[MOST_ROWS:]),
        "totals": _totals(rows),
        "players": sorted({row.first.player for row in shown}, key=lambda name: (order.get(name, len(order)), name)),
        "causes": sorted({row.first.cause: row.first.cause_title for row in shown}.items()),
        "kinds": sorted({place.kind for place in places}),
        "games": sorted({place.game for place in places}),
    }


def _columns(comparison: Comparison, contributions: Sequence[Contribution], leading: str) -> list[str]:
    """The figures that get a column: the leading one, then those that are judged, then others as far as there is room."""
    present = {contribution.metric for contribution in contributions}
    wanted = list(dict.fromkeys([leading, *(figure.metric for figure in comparison.judged)]))
    if not present & set(wanted[1:]):
        wanted += list(METRICS)
    return [name for name in dict.fromkeys(wanted) if name in present][:MOST_COLUMNS] or [leading]


def _rows(comparison: Comparison, contributions: Sequence[Contribution], columns: Sequence[str]) -> list[Row]:
    found: dict[tuple[str, Place | None, str, str, str], Row] = {}
    for one in contributions:
        if one.metric in columns:
            place = place_of(one, comparison)
            # Without a place only the identifiers distinguish two rows.
            row = found.setdefault((one.player, place, one.step, one.cause, "" if place else one.xgid), Row(one, place))
            row.changes[one.metric] = row.changes.get(one.metric, 0.0) + one.change
    return list(found.values())


def _totals(rows: Sequence[Row]) -> list[Total]:
    found: dict[str, Total] = {}
    for row in rows:
        player, count, sums = found.get(row.first.player, (row.first.player, 0, {}))
        for name, change in row.changes.items():
            sums[name] = sums.get(name, 0.0) + change
        found[player] = player, count + 1, sums
    return [found[player] for player in sorted(found)]
