"""Figures of a file, or of players over many files, and lists of decisions, as JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, cast

import numpy as np

from reconcile.columns import Kind
from reconcile.document import SCHEMA_VERSION
from reconcile.gap.paired_decisions import pair_items
from reconcile.gap.pairing import pair
from reconcile.results.documents import finding_document, picked, source_document
from reconcile.scoring.decision_table import STAGE
from reconcile.scoring.findings import findings_of
from reconcile.scoring.luck import skill_measures
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.pool import match_intervals
from reconcile.scoring.statistics import Coverage, Statistics, nested
from reconcile.tools import ANALYSERS
from reconcile.version import __version__

if TYPE_CHECKING:
    from reconcile.results.models import decisions as lists
    from reconcile.results.models import statistics as models
    from reconcile.scoring.pool import Pooled


def statistics_document(statistics: Statistics, *, per_game: bool = False) -> models.Statistics:
    """One file's figures under one rule set."""
    match = statistics.match
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source_document(match.source),
        "match": {"length": match.length, "games": len(match.games), "complete": match.complete, "players": list(match.players)},
        "rules": statistics.rules.name,
        "met": statistics.scored.met.name,
        "players": _players(statistics, per_game),
        "findings": [finding_document(finding) for finding in findings_of(statistics)],
    }


def _players(statistics: Statistics, per_game: bool) -> list[models.Player]:
    table = None
    if statistics.rules.name == "gnubg":
        from reconcile.scoring.gnubg_table import GnubgTable

        table = GnubgTable(statistics)
    numbers = statistics.match.games.number.tolist()

    def figures(seat: int, game: int | None) -> models.FileFigures:
        document = cast("models.FileFigures", _figures(statistics.figures(seat, game), statistics.completeness(seat, game)))
        if table is not None:
            document["gnubg"] = table.table(seat, game)
        if statistics.rules.name == "bgblitz":
            from reconcile.scoring.luck import result_minus_skill

            plain, weighted = (None if isnan(value) else value for value in result_minus_skill(statistics, seat, game))
            document["bgblitz"] = {"luck": {"plain": plain, "weighted": weighted}}
        if statistics.rules.name == "gnubg-manual":
            from reconcile.scoring.gnubg_table import manual_results

            document["gnubg_manual"] = cast("models.GnubgManual", manual_results(statistics, seat, game))
        return document

    players = [cast("models.Player", {"name": name, **figures(seat, None)}) for seat, name in enumerate(statistics.match.players)]
    undecided = open_range(statistics)
    for player, ranges, codes in zip(players, undecided.figures, undecided.by_player, strict=True):
        player.update(cast("models.Player", _ranges(ranges, codes)))
    for seat, player in enumerate(players):
        if intervals := match_intervals(statistics, seat):
            player["interval95"] = cast("models.Intervals", {name: list(ends) for name, ends in intervals.items()})
    if not statistics.match.is_money:
        sides = [statistics.figures(seat) for seat in (0, 1)]
        for seat, player in enumerate(players):
            difference, adjusted = skill_measures(statistics.match, sides, seat)
            player["skill"] = {"error_difference_mwc_percent": difference, "luck_adjusted_mwc_percent": adjusted}
    for seat, player in enumerate(players) if per_game else ():
        player["games"] = [{"game": number, **figures(seat, index)} for index, number in enumerate(numbers)]
    return players


def _figures(figures: Mapping[str, float | int | None], covered: Mapping[str, Coverage]) -> models.Figures:
    return cast("models.Figures", nested(dict(figures)) | {"completeness": {part: one._asdict() for part, one in covered.items()}})


def _ranges(ranges: Mapping[str, Range], codes: Sequence[str]) -> models.Ranges:
    """Absent where nothing is open."""
    return {"range": {metric: list(ends) for metric, ends in ranges.items()}, "open_rules": list(codes)} if ranges else {}


def pool_document(pooled: Sequence[Pooled]) -> models.Pool:
    """Figures of players over many matches."""
    return {
        "schema_version": SCHEMA_VERSION,
        "players": [
            cast(
                "models.PooledPlayer",
                picked(one, "name", "names", "rules", "matches", "unanalysed", "games")
                | {**_figures(one.figures, one.completeness), **_ranges(one.ranges, one.open_rules)}
                | {"interval95": one.intervals, "resampled": one.resampled},
            )
            for one in pooled
        ],
    }


def decisions_document(statistics: Statistics) -> lists.Decisions:
    """The decisions in the order played; an error that the file does not give is null."""
    scored = statistics.scored
    match = scored.match
    items = pair_items(scored, scored, pair(match, match))
    stored = match.resignations.stored_error
    analysed = np.concatenate((match.plays.analysed, match.cubes.analysed, stored == stored))
    luck = match.plays.luck.astype(float)
    rows = np.arange(len(scored.error))  # without resignations where the rules leave them out
    rows = rows[np.lexsort((STAGE[items.kind[rows]], items.turn[rows], items.game[rows]))]
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
    return cast("lists.Decisions", document | {"decisions": decisions})
