"""Figures of a file, or of players over many files, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from reconcile.results.documents import SCHEMA_VERSION, finding_document, source_document
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import Statistics, nested

if TYPE_CHECKING:
    from reconcile.scoring.pool import Pooled


def statistics_document(statistics: Statistics, *, per_game: bool = False) -> dict[str, Any]:
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


def _players(statistics: Statistics, per_game: bool) -> list[dict[str, Any]]:
    table = None
    if statistics.rules.name == "gnubg":
        from reconcile.scoring.gnubg_table import GnubgTable

        table = GnubgTable(statistics)
    numbers = statistics.match.games.number.tolist()

    def figures(seat: int, game: int | None) -> dict[str, Any]:
        document = nested(statistics.figures(seat, game))
        covered = statistics.completeness(seat, game)
        document["completeness"] = {part: coverage._asdict() for part, coverage in covered.items()}
        if table is not None:
            document["gnubg"] = table.table(seat, game)
        if statistics.rules.name == "bgblitz":
            from reconcile.scoring.bgblitz_luck import result_minus_skill

            luck = result_minus_skill(statistics, seat, game)._asdict()
            document["bgblitz"] = {"luck": {name: None if isnan(value) else value for name, value in luck.items()}}
        if statistics.rules.name == "gnubg-manual":
            from reconcile.scoring.gnubg_table import manual_results

            document["gnubg_manual"] = manual_results(statistics, seat, game)
        return document

    players = []
    for seat, name in enumerate(statistics.match.players):
        player = {"name": name, **figures(seat, None)}
        if per_game:
            player["games"] = [{"game": number, **figures(seat, index)} for index, number in enumerate(numbers)]
        players.append(player)
    return players


def pool_document(pooled: Sequence[Pooled]) -> dict[str, Any]:
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
                **nested(dict(one.figures)),
                "completeness": {part: coverage._asdict() for part, coverage in one.completeness.items()},
                "interval95": {name: list(interval) for name, interval in one.intervals.items()},
                "resampled": one.resampled,
            }
            for one in pooled
        ],
    }
