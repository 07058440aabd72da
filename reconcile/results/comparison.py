"""A comparison of two files, or of two folders, as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reconcile.results.documents import SCHEMA_VERSION, figure_document, finding_document
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.gap.bridge import Bridge
    from reconcile.gap.comparison import Comparison, Side
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.verdict import Figure
    from reconcile.gap.walk import Walk


def comparison_document(comparison: Comparison, *, ledger: bool = True) -> dict[str, Any]:
    """Two files of one match, compared; with `ledger` also the bridges, for the match and every game."""
    games = [
        {"game": number, "figures": [_plain(figure) for figure in figures], **(_gap(comparison.walk, number) if ledger else {})}
        for number, figures in comparison.by_game
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "left": _side(comparison.left),
        "right": _side(comparison.right),
        "table": comparison.table,
        "verdict": comparison.verdict,
        "figures": [figure_document(figure) for figure in (*comparison.figures, *comparison.shares)],
        **(_gap(comparison.walk) if ledger else {}),
        "games": games,
        "transcript": {
            "same": not comparison.pairing.differences,
            "players_matched_by": comparison.pairing.matched_by,
            "decisions": comparison.paired[1],
            "paired": comparison.paired[0],
            "differences": [asdict(difference) for difference in comparison.pairing.differences],
        },
        "findings": [finding_document(finding) for finding in comparison.findings],
    }


def _gap(walk: Walk, game: int | None = None) -> dict[str, Any]:
    """Bridges and ledger of a match or a game."""
    from reconcile.gap.ledger import ledger_rows

    bridges = walk.bridges(game=game)
    return {"bridge": [bridge_document(bridge) for bridge in bridges], "ledger": ledger_rows(walk, bridges)}


def bridge_document(bridge: Bridge) -> dict[str, Any]:
    """A bridge with its steps; for a figure without a bridge, the reason."""
    steps = []
    for step in bridge.steps:
        document: dict[str, Any] = {"code": step.code, "title": step.title, "change": step.change, "decisions": step.decisions}
        if step.low is not None:
            document |= {"low": step.low, "high": step.high}
        steps.append(document)
    document = {
        "player": bridge.player,
        "metric": SHORT.get(bridge.metric, bridge.metric),
        "from": bridge.start,
        "to": bridge.end,
        "steps": steps,
    }
    return document | ({"reason": bridge.reason} if bridge.reason else {})


def _side(side: Side) -> dict[str, Any]:
    document = asdict(side)
    document["sha256"] = side.sha256 or None
    document["players"] = list(side.players)
    return document


def _plain(figure: Figure) -> dict[str, Any]:
    return {name: value for name, value in figure_document(figure).items() if name in ("metric", "player", "left", "right", "gap")}


def folder_document(result: FolderResult) -> dict[str, Any]:
    """Two folders, judged: every pair with its figures and bridges; for the ledger of a pair, compare its two files."""
    pairs = []
    for pair in result.pairs:
        document: dict[str, Any] = {"left": pair.left, "right": pair.right, "players": list(pair.players), "verdict": pair.verdict}
        if pair.comparison is None:
            compared = None
        else:
            bridges = [bridge_document(bridge) for bridge in pair.comparison.bridges]
            compared = comparison_document(pair.comparison, ledger=False) | {"bridge": bridges}
        pairs.append(document | {"reason": pair.reason or None, "comparison": compared})
    return {
        "schema_version": SCHEMA_VERSION,
        "left": result.left,
        "right": result.right,
        "table": result.table,
        "verdict": result.verdict,
        "summary": result.summary,
        "pairs": pairs,
        "not_compared": [{"side": one.side, "file": one.name, "why": one.why, "reason": one.reason} for one in result.leftovers],
    }
