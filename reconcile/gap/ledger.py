"""The ledger of a comparison as a table: every contribution of every decision, with the IDs to look it up in either tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reconcile.gap.bridge import Bridge
from reconcile.gap.contributions import Reader
from reconcile.gap.walk import Walk
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    import pandas as pd


def ledger_frame(walk: Walk, bridges: Sequence[Bridge] | None = None) -> pd.DataFrame:
    """Every contribution of every decision to these bridges, by default all of the match, with XGID and gnuBG ID (empty without one)."""
    reader = Reader(walk)
    frame = walk.ledger(walk.bridges() if bridges is None else bridges)
    identifiers = [reader.identifiers(item) for item in frame.pop("item").tolist()]
    frame["xgid"] = [xgid for xgid, _ in identifiers]
    frame["gnubg_id"] = [gnubg_id for _, gnubg_id in identifiers]
    return frame


def ledger_rows(walk: Walk, bridges: Sequence[Bridge]) -> list[dict[str, Any]]:
    """The ledger of these bridges as rows for JSON, with the short names of totals."""
    rows: list[dict[str, Any]] = ledger_frame(walk, bridges).to_dict("records")  # type: ignore[assignment]
    return [
        {**row, "metric": SHORT.get(row["metric"], row["metric"]), "xgid": row["xgid"] or None, "gnubg_id": row["gnubg_id"] or None}
        for row in rows
    ]
