"""The ledger of a comparison as a table: every contribution of every decision, with the IDs to look it up in either tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reconcile.gap.contributions import Reader
from reconcile.gap.walk import Walk

if TYPE_CHECKING:
    import pandas as pd


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """Every contribution of every decision to every bridge of the match, with XGID and gnuBG ID (empty where there is none)."""
    reader = Reader(walk)
    frame = walk.ledger(walk.bridges())
    identifiers = [reader.identifiers(item) for item in frame.pop("item").astype(int).tolist()]
    frame["xgid"] = [xgid for xgid, _ in identifiers]
    frame["gnubg_id"] = [gnubg_id for _, gnubg_id in identifiers]
    return frame.astype({"game": "int64", "turn": "int64", "change": "float64"})
