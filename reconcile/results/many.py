"""Several analyses of one match as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from reconcile.gap.many_story import sentences
from reconcile.gap.walk import LEADING
from reconcile.results.comparison import bridge_document, comparison_document, settled_document
from reconcile.results.documents import SCHEMA_VERSION, finding_document, short_metric
from reconcile.scoring.findings import findings_of, level_text

if TYPE_CHECKING:
    from reconcile.gap.many import DisputedDecision, Figures, SeveralAnalyses
    from reconcile.gap.many_folders import ManyFolders
    from reconcile.results.models import many as models


def many_document(many: SeveralAnalyses) -> models.Many:
    """All that was found, with every pair and every decision."""
    match, names = many.aligned.match, many.names
    document: models.Many = {
        "schema_version": SCHEMA_VERSION,
        "players": list(names),
        "length": match.length,
        "sides": [_side(many, side) for side in range(len(many.sides))],
        "pairs": [_pair(many, left, right) for left, right in many.indices],
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
        "story": list(sentences(many)),
    }
    if many.settlement is not None:
        document["settled"] = settled_document(many.settlement, many.labels)
    return document


def _values(figures: Figures) -> models.Values:
    return {short_metric(name): value for name, value in figures.items()}


def _side(many: SeveralAnalyses, side: int) -> models.ManySide:
    statistics, source = many.sides[side], many.matches[side].source
    names, seats = many.names, many.seats
    document: models.ManySide = {
        "label": many.labels[side],
        "path": source.path,
        "sha256": source.sha256 or None,
        "format": source.format,
        "tool": source.tool,
        "tool_version": source.tool_version,
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
    return document


def _pair(many: SeveralAnalyses, left: int, right: int) -> models.ManyPair:
    pair = many.pair(left, right)
    document = {**comparison_document(pair, ledger=False), "left": left, "right": right}
    document["bridge"] = [bridge_document(bridge) for bridge in pair.bridges]
    return cast("models.ManyPair", document)


def _outlier(many: SeveralAnalyses, seat: int) -> models.Outlier | None:
    outlier, items = many.outliers[seat], many.aligned.items
    if outlier is None:
        return None
    largest: models.Deciding | None = None
    if outlier.item is not None:
        largest = {
            "game": int(items.game[outlier.item]),
            "turn": int(items.turn[outlier.item]),
            "kind": str(items.kind_labels[outlier.item]),
            "change": outlier.change,
            "against": outlier.other,
        }
    document: models.Outlier = {
        "side": outlier.side,
        "pr_from_median": outlier.from_median,
        "median": list(outlier.median),
        "decisions": outlier.decisions,
        "largest": largest,
    }
    if outlier.distance[0] != outlier.distance[1]:
        document["range"] = list(outlier.distance)
    return document


def _voters(many: SeveralAnalyses, seat: int) -> models.Voters:
    voters, without = many.voters(seat), many.without_a_vote[seat]
    return {
        "sides": voters,
        "pr": [many.by_one_rule[side].figures(many.seat(side, seat))[LEADING] for side in voters],
        "without": [{"side": side, "why": why} for side, why in without.items()],
    }


def _dispute(one: DisputedDecision) -> models.Dispute:
    return {
        "game": one.game,
        "turn": one.turn,
        "kind": one.kind,
        "player": one.player,
        "played": one.played,
        "at_stake": one.at_stake,
        "majority": one.majority or None,
        "dispute": "choice" if one.other_choice else "size",
        "verdicts": [
            {"side": say.side, "best": say.best or None, "error": say.error, "level": say.level or None, "counted": say.counted}
            for say in one.verdicts
        ],
        "xgid": one.xgid or None,
        "gnubg_id": one.gnubg_id or None,
    }


def _decisions(many: SeveralAnalyses) -> models.Decisions:
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


def many_folders_document(result: ManyFolders) -> models.ManyFolders:
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
