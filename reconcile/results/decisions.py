"""Every decision of a match as one list: whether it counts under a rule set and what it lost, as programs under test list theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from reconcile.columns import Kind
from reconcile.gap.paired_decisions import pair_items
from reconcile.gap.pairing import pair
from reconcile.results.documents import SCHEMA_VERSION
from reconcile.scoring.statistics import Statistics
from reconcile.tools import ANALYSERS
from reconcile.version import __version__

if TYPE_CHECKING:
    from reconcile.results.models import decisions as models

_STAGE = np.array([2, 0, 0, 1, 1, 1, 3, 4])
"""By kind: within a turn the cube action, the response, the play, a resignation and its answer."""


def decisions_document(statistics: Statistics) -> models.Decisions:
    """The decisions in the order played; an error that the file does not give is null."""
    scored = statistics.scored
    match = scored.match
    items = pair_items(scored, scored, pair(match, match))
    stored = match.resignations.stored_error
    analysed = np.concatenate((match.plays.analysed, match.cubes.analysed, stored == stored))
    luck = match.plays.luck.astype(float)
    rows = np.arange(len(scored.error))  # without resignations where the rules leave them out
    rows = rows[np.lexsort((_STAGE[items.kind[rows]], items.turn[rows], items.game[rows]))]
    names: list[str | int] = [1, 2] if len({name.strip() for name in match.players} - {""}) < 2 else list(match.players)
    decisions = [
        {
            "game": int(items.game[row]),
            "turn": int(items.turn[row]),
            "player": names[int(items.player[row])],
            "kind": Kind(int(items.kind[row])).label,
            "counted": bool(scored.counted[row]),
            "error": float(scored.error[row]) if analysed[row] or scored.error[row] else None,
        }
        | ({"luck": float(luck[row])} if row < len(luck) and luck[row] == luck[row] else {})
        for row in rows.tolist()
    ]
    document = {"schema_version": SCHEMA_VERSION, "program": f"reconcile {__version__}, rule set {scored.rules.name}"}
    if match.length is not None:
        document["length"] = match.length
    tool = next((key for key, tool in ANALYSERS.items() if tool.name == match.source.tool), None)
    if tool is not None:
        document["analysis"] = tool
    return cast("models.Decisions", document | {"decisions": decisions})
