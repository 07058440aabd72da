"""A comparison of two files, of several analyses of one match, or of folders, as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from reconcile.document import SCHEMA_VERSION
from reconcile.document import document as as_document
from reconcile.gap.contributions import Reader
from reconcile.gap.many_story import sentences as many_sentences
from reconcile.gap.naming import names_of
from reconcile.gap.settle import identifiers, sentence
from reconcile.gap.story import stories
from reconcile.gap.walk import LEADING
from reconcile.results.documents import figure_document, finding_document, picked, source_document
from reconcile.scoring.findings import findings_of, level_text
from reconcile.scoring.metrics import short_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reconcile.gap.bridge import Bridge, SideOfDecision
    from reconcile.gap.comparison import Comparison, Side
    from reconcile.gap.folders import FolderPair, FolderResult
    from reconcile.gap.many import DisputedDecision, Figures, SeveralAnalyses
    from reconcile.gap.many_folders import ManyFolders
    from reconcile.gap.settle import Settled, Settlement
    from reconcile.gap.verdict import Figure
    from reconcile.gap.walk import Walk
    from reconcile.results.models import comparison as models
    from reconcile.results.models import many as several


def comparison_document(comparison: Comparison, *, ledger: bool = True) -> models.Comparison:
    """Two files of one match, compared; with `ledger` also the bridges, for the match and every game."""
    games: list[models.Game] = [
        {"game": number, "figures": [_plain(figure) for figure in figures], **_gap(comparison.walk, number, ledger=ledger)}
        for number, figures in comparison.by_game
    ]
    told = stories(comparison)
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
        "explanation": [as_document(one.explanation) for one in told if one.explanation],
        "story": [sentence for one in told for sentence in one.sentences],
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
    known: Sequence[Any] = [*zip(one.equities, one.errors, strict=True)] or [(None, None)] * len(asked.actions)
    actions = [
        {
            "action": action,
            "equity": equity,
            "standard_error": error,
            "wanted_by": [side for side, at in enumerate(asked.wanted) if at == i],
        }
        for i, (action, (equity, error)) in enumerate(zip(asked.actions, known, strict=True))
    ]
    best = None if one.best is None else asked.actions[one.best]
    found = {"xgid": xgid, "gnubg_id": gnubg_id, "actions": actions, "best": best, "right": list(one.right)}
    return cast("models.SettledDecision", picked(asked, "game", "turn", "kind", "player", "at_stake") | found)


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
    return cast("models.Bridge", as_document(bridge))


def _side(side: Side) -> models.Side:
    return cast("models.Side", as_document(side))


def _plain(figure: Figure) -> models.PlainFigure:
    names = ("metric", "player", "left", "right", "gap")
    return cast("models.PlainFigure", {name: value for name, value in figure_document(figure).items() if name in names})


def folder_document(result: FolderResult) -> several.Folders:
    """Two folders, judged: every pair with its figures and bridges; for the ledger of a pair, compare its two files."""
    return {
        "schema_version": SCHEMA_VERSION,
        "left": result.left,
        "right": result.right,
        "table": result.table,
        "verdict": result.verdict,
        "summary": cast("several.FolderSummary", result.summary),
        "pairs": [_pair(pair) for pair in result.pairs],
        "not_compared": [{"side": one.side, "file": one.name, "why": one.why, "reason": one.reason} for one in result.leftovers],
    }


def _pair(pair: FolderPair) -> several.FolderPair:
    compared = None
    if pair.comparison is not None:
        compared = comparison_document(pair.comparison, ledger=False)
        compared["bridge"] = [bridge_document(bridge) for bridge in pair.comparison.bridges]
    known = picked(pair, "left", "right", "players", "verdict")
    return cast("several.FolderPair", known | {"reason": pair.reason or None, "comparison": compared})


def many_document(many: SeveralAnalyses) -> several.Many:
    """All that was found, with every pair and every decision."""
    match, names = many.aligned.match, many.names
    document: several.Many = {
        "schema_version": SCHEMA_VERSION,
        "players": list(names),
        "length": match.length,
        "sides": [_many_side(many, side) for side in range(len(many.sides))],
        "pairs": [_many_pair(many, left, right) for left, right in many.indices],
        "outlier": {names[seat]: _outlier(many, seat) for seat in many.seats},
        "disputes": [_dispute(one) for one in many.disputes],
        "agreed_errors": [_dispute(one) for one in many.agreed_errors],
        "consensus": {names[seat]: _values(many.consensus.figures(seat)) for seat in many.seats},
        "consensus_rules": many.consensus_rules.name,
        "voters": {names[seat]: _voters(many, seat) for seat in many.seats},
        "decisions": _decisions(many),
        "transcript": {
            "same": many.same_transcript,
            "reference": many.aligned.reference,
            "decisions": len(many.aligned.items),
            "in_all": many.in_all,
        },
        "story": list(many_sentences(many)),
    }
    if many.settlement is not None:
        document["settled"] = settled_document(many.settlement, many.labels)
    return document


def _values(figures: Figures) -> several.Values:
    return {short_metric(name): value for name, value in figures.items()}


def _many_side(many: SeveralAnalyses, side: int) -> several.ManySide:
    statistics, source = many.sides[side], many.matches[side].source
    names, seats = many.names, many.seats
    document: Any = {
        "label": many.labels[side],
        **source_document(source),
        "sha256": source.sha256 or None,
        "rules": statistics.rules.name,
        "met": statistics.scored.met.name,
        "level": level_text(statistics.match),
        "players": [statistics.match.names[many.seat(side, seat)] for seat in (0, 1)],
        "figures": {names[seat]: _values(many.figures(side, seat)) for seat in seats},
        "findings": [finding_document(finding) for finding in findings_of(statistics)],
    }
    moved = {names[seat]: {short_metric(name): list(ends) for name, ends in many.ranges[side][seat].items()} for seat in seats}
    if any(moved.values()):
        document["range"] = moved
    if missing := {names[seat]: words for seat in seats if (words := many.missing(side, seat))}:
        document["missing"] = missing
    return cast("several.ManySide", document)


def _many_pair(many: SeveralAnalyses, left: int, right: int) -> several.ManyPair:
    pair = many.pair(left, right)
    document = {**comparison_document(pair, ledger=False), "left": left, "right": right}
    document["bridge"] = [bridge_document(bridge) for bridge in pair.bridges]
    return cast("several.ManyPair", document)


def _outlier(many: SeveralAnalyses, seat: int) -> several.Outlier | None:
    outlier, items = many.outliers[seat], many.aligned.items
    if outlier is None:
        return None
    largest: several.Deciding | None = None
    if outlier.item is not None:
        largest = {
            "game": int(items.game[outlier.item]),
            "turn": int(items.turn[outlier.item]),
            "kind": str(items.kind_labels[outlier.item]),
            "change": outlier.change,
            "against": outlier.other,
        }
    document: several.Outlier = {
        "side": outlier.side,
        "pr_from_median": outlier.from_median,
        "median": list(outlier.median),
        "decisions": outlier.decisions,
        "largest": largest,
    }
    if outlier.distance[0] != outlier.distance[1]:
        document["range"] = list(outlier.distance)
    return document


def _voters(many: SeveralAnalyses, seat: int) -> several.Voters:
    voters, without = many.voters(seat), many.without_a_vote[seat]
    return {
        "sides": voters,
        "pr": [many.by_one_rule[side].figures(many.seat(side, seat))[LEADING] for side in voters],
        "without": [{"side": side, "why": why} for side, why in without.items()],
    }


def _dispute(one: DisputedDecision) -> several.Dispute:
    found = {
        "majority": one.majority or None,
        "dispute": "choice" if one.other_choice else "size",
        "verdicts": [
            {"side": say.side, "best": say.best or None, "error": say.error, "level": say.level or None, "counted": say.counted}
            for say in one.verdicts
        ],
        "xgid": one.xgid or None,
        "gnubg_id": one.gnubg_id or None,
    }
    return cast("several.Dispute", picked(one, "game", "turn", "kind", "player", "played", "at_stake") | found)


def _decisions(many: SeveralAnalyses) -> several.Decisions:
    aligned, items = many.aligned, many.aligned.items
    sides, rows = range(len(many.sides)), range(len(items))

    def words(texts: Sequence[str]) -> list[str | None]:
        return [text or None for text in texts]

    return {
        "game": items.game.tolist(),
        "turn": items.turn.tolist(),
        "kind": items.kind_labels.tolist(),
        "player": [many.names[seat] for seat in items.player.tolist()],
        "at_stake": many.aligned.at_stake.tolist(),
        "best": [words([aligned.best(side, item) for item in rows]) for side in sides],
        "error": [[None if error != error else error for error in aligned.error[side].tolist()] for side in sides],
        "level": [words(aligned.level[side]) for side in sides],
        "counted": aligned.counted.tolist(),
    }


def many_folders_document(result: ManyFolders) -> several.ManyFolders:
    """Some folders: every match with several analyses."""
    return {
        "schema_version": SCHEMA_VERSION,
        "folders": list(result.folders),
        "outliers": result.outliers,
        "matches": [
            {
                "files": list(one.files),
                "players": list(one.players),
                "reason": one.reason or None,
                "analyses": None if one.many is None else many_document(one.many),
            }
            for one in result.matches
        ],
        "not_compared": [{"file": one.name, "why": one.why, "reason": one.reason} for one in result.left],
    }
