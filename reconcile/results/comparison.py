"""A comparison of two files, or of two folders, as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from reconcile.gap.contributions import Reader
from reconcile.gap.naming import names_of
from reconcile.gap.settle import identifiers, sentence
from reconcile.gap.story import sentences
from reconcile.gap.walk import LEADING
from reconcile.results.documents import SCHEMA_VERSION, figure_document, finding_document
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reconcile.gap.bridge import Bridge, SideOfDecision
    from reconcile.gap.comparison import Comparison, Side
    from reconcile.gap.folders import FolderPair, FolderResult
    from reconcile.gap.settle import Settled, Settlement
    from reconcile.gap.verdict import Figure
    from reconcile.gap.walk import Walk
    from reconcile.results.models import comparison as models
    from reconcile.results.models import many as folder_models


def comparison_document(comparison: Comparison, *, ledger: bool = True) -> models.Comparison:
    """Two files of one match, compared; with `ledger` also the bridges, for the match and every game."""
    games: list[models.Game] = [
        {"game": number, "figures": [_plain(figure) for figure in figures], **_gap(comparison.walk, number, ledger=ledger)}
        for number, figures in comparison.by_game
    ]
    document: Any = {
        "schema_version": SCHEMA_VERSION,
        "left": _side(comparison.left),
        "right": _side(comparison.right),
        "table": comparison.table,
        "verdict": comparison.verdict,
        "figures": [figure_document(figure) for figure in (*comparison.figures, *comparison.shares)],
        **_gap(comparison.walk, ledger=ledger),
        "games": games,
        "transcript": {
            "same": not comparison.pairing.differences,
            "players_matched_by": comparison.pairing.matched_by,
            "decisions": comparison.paired[1],
            "paired": comparison.paired[0],
            "differences": [cast("models.Difference", asdict(one)) for one in comparison.pairing.differences],
        },
        **({"decisions": moving_decisions(comparison.walk)} if ledger else {}),
        "story": list(sentences(comparison)),
        "findings": [finding_document(finding) for finding in comparison.findings],
    }
    if comparison.settlement is not None:
        document["settled"] = settled_document(comparison.settlement, names_of(comparison))
    return cast("models.Comparison", document)


def settled_document(settlement: Settlement, names: Sequence[str]) -> models.Settlement:
    """What rollouts say of the decisions in dispute, by the names of the sides."""
    return {
        "program": settlement.program,
        "trials": settlement.trials,
        "sentence": sentence(settlement, names),
        "decisions": [_settled(one) for one in settlement.decisions],
    }


def _settled(one: Settled) -> models.SettledDecision:
    asked = one.dispute
    xgid, gnubg_id = identifiers(asked)
    known: Sequence[tuple[float | None, float | None]] = [*zip(one.equities, one.errors, strict=True)] or [(None, None)] * len(
        asked.actions
    )
    return {
        "game": asked.game,
        "turn": asked.turn,
        "kind": asked.kind,
        "player": asked.player,
        "at_stake": asked.at_stake,
        "xgid": xgid,
        "gnubg_id": gnubg_id,
        "actions": [
            {
                "action": action,
                "equity": equity,
                "standard_error": error,
                "wanted_by": [side for side, wanted in enumerate(asked.wanted) if wanted == index],
            }
            for index, (action, (equity, error)) in enumerate(zip(asked.actions, known, strict=True))
        ],
        "best": None if one.best is None else asked.actions[one.best],
        "right": list(one.right),
    }


def _gap(walk: Walk, game: int | None = None, *, ledger: bool) -> models.Gap:
    """Bridges and ledger of a match or a game, if they are wanted."""
    if not ledger:
        return {}
    from reconcile.gap.contributions import ledger_rows

    bridges = walk.bridges(game=game)
    return {"bridge": [bridge_document(bridge) for bridge in bridges], "ledger": cast("list[models.Row]", ledger_rows(walk, bridges))}


def moving_decisions(walk: Walk) -> list[models.Decision]:
    """The decisions that move a PR, with what either file says of them."""
    items, reader = walk.items, Reader(walk)
    moving: set[int] = set()
    for seat in walk.seats:
        for _, vector in walk.bridge(LEADING, seat).contributions:
            moving.update(np.flatnonzero(vector).tolist())
    return [
        {
            "game": int(items.game[item]),
            "turn": int(items.turn[item]),
            "kind": str(items.kind_labels[item]),
            "player": walk.left.match.names[int(items.player[item])],
            "left": _seen(reader.side(item, 0)),
            "right": _seen(reader.side(item, 1)),
        }
        for item in sorted(moving)
    ]


def _seen(side: SideOfDecision | None) -> models.Seen | None:
    return None if side is None else {"error": side.error, "counted": side.counted, "level": side.level or None}


def bridge_document(bridge: Bridge) -> models.Bridge:
    """A bridge with its steps; for a figure without a bridge, the reason."""
    steps: list[models.Step] = []
    for step in bridge.steps:
        steps.append({"code": step.code, "title": step.title, "change": step.change, "decisions": step.decisions})
        if step.low is not None and step.high is not None:
            steps[-1] |= {"low": step.low, "high": step.high}
    document: models.Bridge = {
        "player": bridge.player,
        "metric": SHORT.get(bridge.metric, bridge.metric),
        "from": bridge.start,
        "to": bridge.end,
        "steps": steps,
    }
    if bridge.reason:
        document["reason"] = bridge.reason
    return document


def _side(side: Side) -> models.Side:
    return cast("models.Side", asdict(side) | {"sha256": side.sha256 or None})


def _plain(figure: Figure) -> models.PlainFigure:
    names = ("metric", "player", "left", "right", "gap")
    return cast("models.PlainFigure", {name: value for name, value in figure_document(figure).items() if name in names})


def folder_document(result: FolderResult) -> folder_models.Folders:
    """Two folders, judged: every pair with its figures and bridges; for the ledger of a pair, compare its two files."""
    return {
        "schema_version": SCHEMA_VERSION,
        "left": result.left,
        "right": result.right,
        "table": result.table,
        "verdict": result.verdict,
        "summary": cast("folder_models.FolderSummary", result.summary),
        "pairs": [_pair(pair) for pair in result.pairs],
        "not_compared": [{"side": one.side, "file": one.name, "why": one.why, "reason": one.reason} for one in result.leftovers],
    }


def _pair(pair: FolderPair) -> folder_models.FolderPair:
    compared = None
    if pair.comparison is not None:
        compared = comparison_document(pair.comparison, ledger=False)
        compared["bridge"] = [bridge_document(bridge) for bridge in pair.comparison.bridges]
    return {
        "left": pair.left,
        "right": pair.right,
        "players": pair.players,
        "verdict": pair.verdict,
        "reason": pair.reason or None,
        "comparison": compared,
    }
