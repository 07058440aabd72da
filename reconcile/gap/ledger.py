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


def ledger_columns(walk: Walk, bridges: Sequence[Bridge]) -> dict[str, list[Any]]:
    """Every contribution of every decision to these bridges, with XGID and gnuBG ID (empty without one)."""
    reader = Reader(walk)
    columns = {name: column.tolist() for name, column in walk.ledger_columns(bridges).items()}
    identifiers = [reader.identifiers(item) for item in columns.pop("item")]
    return {**columns, "xgid": [xgid for xgid, _ in identifiers], "gnubg_id": [gnubg_id for _, gnubg_id in identifiers]}


def ledger_frame(walk: Walk, bridges: Sequence[Bridge] | None = None) -> pd.DataFrame:
    """The same as a table, by default for all bridges of the match."""
    import pandas as pd

    return pd.DataFrame(ledger_columns(walk, walk.bridges() if bridges is None else bridges))


def ledger_rows(walk: Walk, bridges: Sequence[Bridge]) -> list[dict[str, Any]]:
    """The ledger of these bridges as rows for JSON, with the short names of totals."""
    columns = ledger_columns(walk, bridges)
    columns["metric"] = [SHORT.get(name, name) for name in columns["metric"]]
    for name in ("xgid", "gnubg_id"):
        columns[name] = [identifier or None for identifier in columns[name]]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
