"""Figures of a file, or of players over many files, as JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, cast

from reconcile.results.documents import SCHEMA_VERSION, finding_document, source_document
from reconcile.scoring.findings import findings_of
from reconcile.scoring.net_luck import skill_measures
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.pool import match_intervals
from reconcile.scoring.statistics import Coverage, Statistics, nested

if TYPE_CHECKING:
    from reconcile.results.models import statistics as models
    from reconcile.scoring.pool import Pooled


def statistics_document(statistics: Statistics, *, per_game: bool = False) -> models.Statistics:
    """One file's figures under one rule set."""
    match = statistics.match
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source_document(match.source),
        "match": {
            "length": match.length,
            "games": len(match.games),
            "complete": match.complete,
            "players": list(match.players),
        },
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
            from reconcile.scoring.bgblitz_luck import result_minus_skill

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
            {
                "name": one.name,
                "names": list(one.names),
                "rules": one.rules,
                "matches": one.matches,
                "unanalysed": one.unanalysed,
                "games": one.games,
                **_figures(one.figures, one.completeness),
                **_ranges(one.ranges, one.open_rules),
                "interval95": cast("models.Intervals", one.intervals),
                "resampled": one.resampled,
            }
            for one in pooled
        ],
    }
