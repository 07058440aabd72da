"""The ledger of a comparison as a table, and the decisions that move a figure most as lines to paste into either tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reconcile.gap.bridge import Bridge, Contribution
from reconcile.gap.contributions import Reader, Share, shares_of
from reconcile.gap.walk import LEADING, Walk
from reconcile.scoring.metrics import METRICS, SHORT

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


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One decision and all that it moves a figure, over every step."""

    change: float
    largest: Contribution
    """Its share of the step that it moves most."""


def disagreements(walk: Walk, most: int, metric: str = LEADING) -> tuple[Disagreement, ...]:
    """The decisions that move a metric of the players most, largest first; one that no ID can describe is left out."""
    reader, found = Reader(walk), []
    for bridge in walk.bridges((metric,)):
        largest: dict[int, Share] = {}
        for share in shares_of(walk, [bridge]):
            largest.setdefault(share.item, share)
        whole = np.sum([vector for _, vector in bridge.contributions], axis=0) if bridge.contributions else np.zeros(0)
        found += [(float(whole[item]), largest[item]) for item in np.flatnonzero(whole).tolist() if reader.identifiers(item)[0]]
    found.sort(key=lambda entry: (-abs(entry[0]), entry[1].item, entry[1].bridge.player))
    return tuple(Disagreement(change, reader.contribution(share)) for change, share in found[:most])


def disagreements_text(found: Sequence[Disagreement]) -> str:
    """One decision a line: change, XGID, gnuBG ID, player and what happened, parted by tabs."""
    title = METRICS[LEADING].title
    lines = [f"# change of {title}\tXGID\tgnuBG ID\tplayer\twhat"]
    for one in found:
        share = one.largest
        cells = (f"{one.change:+.4f}", share.xgid, share.gnubg_id, share.player, f"{_place(share)}: {share.sentence}")
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "\n".join(lines) + "\n"


def _place(share: Contribution) -> str:
    side = share.left or share.right
    if side is None:
        return share.cause_title
    decision = side.decision
    dice = " {}-{}".format(*decision.dice) if decision.dice else ""
    return f"game {decision.game}, turn {decision.turn}, {decision.kind.label}{dice}"
