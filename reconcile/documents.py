"""Results as the JSON documents of the command line; an unknown figure is null. Schemas stand in `reconcile/schemas`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from reconcile.figures import Statistics, nested
from reconcile.findings import Finding, findings_of
from reconcile.match import Source
from reconcile.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.benchmark.published import Reference
    from reconcile.benchmark.score import Costly, FileScore, Score, Tally
    from reconcile.bridge import Bridge
    from reconcile.candidates.judge import CandidateResult
    from reconcile.changes import Changes, Told
    from reconcile.comparison import Comparison, Figure, Side
    from reconcile.folders import FolderResult
    from reconcile.investigation import Explanation, Investigation, Turning
    from reconcile.measurement import Measured
    from reconcile.pool import Pooled
    from reconcile.reference import MatchResult, PackResult
    from reconcile.results import Value
    from reconcile.walk import Walk

SCHEMA_VERSION: Final = 1


def dumps(document: Any) -> str:
    """A document as text: stable, readable, strict JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def source_document(source: Source) -> dict[str, Any]:
    """Where a match came from."""
    return {
        "path": source.path,
        "sha256": source.sha256,
        "format": source.format,
        "tool": source.tool,
        "tool_version": source.tool_version,
    }


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
        from reconcile.gnubg_table import GnubgTable

        table = GnubgTable(statistics)
    numbers = statistics.match.games.number.tolist()

    def figures(seat: int, game: int | None) -> dict[str, Any]:
        document = nested(statistics.figures(seat, game))
        covered = statistics.completeness(seat, game)
        document["completeness"] = {part: coverage._asdict() for part, coverage in covered.items()}
        if table is not None:
            document["gnubg"] = table.table(seat, game)
        if statistics.rules.name == "gnubg-manual":
            from reconcile.gnubg_table import manual_results

            document["gnubg_manual"] = manual_results(statistics, seat, game)
        return document

    players = []
    for seat, name in enumerate(statistics.match.players):
        player = {"name": name, **figures(seat, None)}
        if per_game:
            player["games"] = [{"game": number, **figures(seat, index)} for index, number in enumerate(numbers)]
        players.append(player)
    return players


def finding_document(finding: Finding) -> dict[str, Any]:
    """A finding."""
    return asdict(finding)


def comparison_document(comparison: Comparison, walk: Walk | None = None) -> dict[str, Any]:
    """Two files of one match, compared; with a walk also the bridges and their ledger, for the match and every game."""
    games = [
        {"game": number, "figures": [_plain(figure) for figure in figures], **_gap(walk, number)} for number, figures in comparison.by_game
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "left": _side(comparison.left),
        "right": _side(comparison.right),
        "table": comparison.table,
        "verdict": comparison.verdict,
        "figures": [_figure(figure) for figure in (*comparison.figures, *comparison.shares)],
        **_gap(walk),
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


def _gap(walk: Walk | None, game: int | None = None) -> dict[str, Any]:
    """Bridges and ledger of a match or a game."""
    if walk is None:
        return {}
    from reconcile.contributions import ledger_rows
    from reconcile.walk import bridges_of

    bridges = bridges_of(walk, game=game)
    return {"bridge": [_bridge(bridge) for bridge in bridges], "ledger": ledger_rows(walk, bridges)}


def _bridge(bridge: Bridge) -> dict[str, Any]:
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
    return {name: value for name, value in _figure(figure).items() if name in ("metric", "player", "left", "right", "gap")}


def _figure(figure: Figure) -> dict[str, Any]:
    document = asdict(figure)
    del document["share"]
    return document | {"metric": _short(figure.name)}


def pack_document(result: PackResult) -> dict[str, Any]:
    """A reference pack, judged."""
    from reconcile.walk import Walk

    return {
        "schema_version": SCHEMA_VERSION,
        "pack": result.name,
        "verdict": result.verdict,
        "summary": result.summary,
        "findings": [finding_document(finding) for finding in result.findings],
        "matches": [
            {
                "id": match.manifest.id,
                "title": match.manifest.title,
                "synthetic": match.manifest.synthetic,
                "licence": match.manifest.licence,
                "provenance": match.manifest.provenance,
                "files": [{"handle": handle, **file.model_dump()} for handle, file in match.manifest.files.items()],
                "reported": [
                    {
                        "file": reported.file,
                        "rules": reported.rules,
                        "table": reported.table,
                        "source": reported.source,
                        "figures": [_figure(figure) for figure in (*reported.figures, *reported.shares)],
                    }
                    for reported in match.reported
                ],
                "pairs": [
                    {"judged_by": pair.pair.judged_by, **_named(match, comparison_document(pair.comparison, Walk(pair.comparison)))}
                    for pair in match.pairs
                ],
                "candidates": [_candidate(match, candidate) for candidate in match.candidates],
                "not_compared": list(match.not_compared),
                "findings": [finding_document(finding) for finding in match.findings],
            }
            for match in result.matches
        ],
        "not_compared": list(result.not_compared),
    }


def measurement_document(pack: str, rows: Sequence[Measured]) -> dict[str, Any]:
    """How wide the gaps of a pack are."""
    return {
        "schema_version": SCHEMA_VERSION,
        "pack": pack,
        "measured": [
            asdict(row) | {"table": row.table or None, "metric": _short(row.metric), "ratio": row.ratio, "suggested": float(row.suggested)}
            for row in rows
        ],
    }


def _short(name: str) -> str:
    """A figure or a share of it, totals by their short name."""
    plain, at, share = name.partition("@")
    return SHORT.get(plain, plain) + at + share


def _named(match: MatchResult, comparison: dict[str, Any], sides: Sequence[str] = ("left", "right")) -> dict[str, Any]:
    """A comparison whose files of the pack are called as the manifest calls them, wherever the pack is installed."""
    for side in sides:
        given = comparison[side]["path"]
        path = given.replace("\\", "/")
        comparison[side]["path"] = next((file.name for file in match.manifest.files.values() if path.endswith(f"/{file.name}")), given)
    return comparison


def _candidate(match: MatchResult, candidate: CandidateResult) -> dict[str, Any]:
    """What a program under test says of a match; with its bridges where there are some."""
    from reconcile.walk import Walk

    compared = candidate.comparison
    return {
        "name": candidate.candidate,
        "part": candidate.part,
        "file": candidate.file,
        "rules": candidate.rules,
        "table": candidate.table,
        "figures": [_figure(figure) for figure in candidate.figures],
        "reported": list(candidate.reported),
        "comparison": _named(match, comparison_document(compared, Walk(compared)), ["left"]) if compared is not None else None,
        "findings": [finding_document(finding) for finding in candidate.findings],
    }


def folder_document(result: FolderResult, order: str = "documented") -> dict[str, Any]:
    """Two folders, judged: every pair with its figures and bridges; the ledger of a pair is what comparing its two files gives."""
    from reconcile.walk import Walk, bridges_of

    pairs = []
    for pair in result.pairs:
        document: dict[str, Any] = {"left": pair.left, "right": pair.right, "players": list(pair.players), "verdict": pair.verdict}
        if pair.comparison is None:
            compared = None
        else:
            bridges = [_bridge(bridge) for bridge in bridges_of(Walk(pair.comparison, order))]
            compared = comparison_document(pair.comparison) | {"bridge": bridges}
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


def changes_document(changes: Changes) -> dict[str, Any]:
    """What changed between two results."""

    def value(figure: Value | None) -> dict[str, Any] | None:
        names = ("left", "right", "gap", "tolerance", "level", "verdict")
        return None if figure is None else {name: getattr(figure, name) for name in names} | {"steps": dict(figure.steps)}

    def told(entries: Sequence[Told], *names: str) -> list[dict[str, Any]]:
        return [dict(zip(names, one.where, strict=True)) | {"old": one.old, "new": one.new} for one in entries]

    return {
        "schema_version": SCHEMA_VERSION,
        "kind": changes.new.kind,
        "old": {"name": changes.old.name, "verdict": changes.old.verdict, "figures": len(changes.old.figures)},
        "new": {"name": changes.new.name, "verdict": changes.new.verdict, "figures": len(changes.new.figures)},
        "worse": bool(changes.exit_code()),
        "summary": changes.summary,
        "figures": [
            dict(zip(("match", "judged", "player", "metric"), one.key, strict=True))
            | {"change": one.change, "worse": one.fails(), "old": value(one.old), "new": value(one.new)}
            for one in changes.figures
        ],
        "tolerances": [
            {
                "metric": one.metric,
                "old": dict(zip(("tolerance", "level"), one.old, strict=True)),
                "new": dict(zip(("tolerance", "level"), one.new, strict=True)),
                "figures": one.figures,
            }
            for one in changes.tolerances
        ],
        "findings": told(changes.findings, "match", "judged", "side", "code"),
        "not_compared": told(changes.absent, "match", "judged"),
        "sources": told(changes.sources, "match", "judged", "side", "what"),
    }


def investigation_document(result: Investigation) -> dict[str, Any]:
    """Which rules give the figures somebody saw."""
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source_document(result.match.source),
        "player": result.player,
        "game": result.game,
        "reported": {SHORT.get(one.metric, one.metric): one.text for one in result.reported},
        "rule_sets": [{"name": name, "reproduces": fits, "figures": dict(figures)} for name, fits, figures in result.known],
        "explanations": [_explanation(explanation) for explanation in result.explanations],
        "closest": [_explanation(explanation) | {"off_by_digits": explanation.off} for explanation in result.closest],
        "tried": result.tried,
    }


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return {
        "nearest": explanation.nearest,
        "differences": [
            {"question": one.question, "from": one.answer_from, "to": one.answer_to, "title": one.title} for one in explanation.differences
        ],
        "also": list(explanation.also),
        "figures": dict(explanation.figures),
        "decisions": [_turning(decision) for decision in explanation.decisions],
    }


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


def _turning(decision: Turning) -> dict[str, Any]:
    return {name: value for name, value in asdict(decision).items() if name != "row"}


def benchmark_document(
    score: Score, references: Sequence[Reference], findings: Sequence[Finding], *, table: str | None, verdict: str
) -> dict[str, Any]:
    """An engine's score on benchmark files."""
    return {
        "schema_version": SCHEMA_VERSION,
        "engine": score.engine,
        "table": table,
        "verdict": verdict,
        "files": [_benchmark_file(one, references) for one in score.files],
        "classes": {name: _tally(tally) for name, tally in score.by_class.items()},
        "total": _tally(score.total),
        "published": [asdict(reference) for reference in references],
        "worst": [_costly(one) for one in score.worst],
        "findings": [finding_document(finding) for finding in findings],
    }


def _benchmark_file(one: FileScore, references: Sequence[Reference]) -> dict[str, Any]:
    contents = one.contents
    return {
        "path": contents.path,
        "sha256": one.sha256,
        "complete": one.complete,
        "database": next((reference.database for reference in references if reference.path == contents.path), None),
        "lines": {"total": contents.lines, **dict(sorted(contents.kinds.items()))},
        "settings": list(contents.settings),
        "without_plays": contents.unlisted,
        "without_rollouts": contents.without_rollouts,
        "unordered": contents.unordered,
        "interesting_cubes": contents.interesting_cubes,
        "cube_actions": dict(sorted(contents.actions.items())),
        "classes": {name: _tally(tally) for name, tally in one.by_class.items()},
        "total": _tally(one.total),
    }


def _tally(tally: Tally) -> dict[str, Any]:
    from reconcile.benchmark.score import BORDERS

    return {
        "lines": tally.lines,
        "scored": tally.scored,
        "interesting": tally.interesting,
        "average_loss": tally.average_loss,
        "average_loss_interesting": tally.average_loss_interesting,
        "standard_error": tally.standard_error,
        "errors": tally.errors,
        "n_out": tally.n_out,
        "n_out_interesting": tally.n_out_interesting,
        "missing": tally.missing,
        "illegal": tally.illegal,
        "distribution": [{"up_to": border, "lines": count} for border, count in zip([*BORDERS, None], tally.bins, strict=True)],
    }


def _costly(one: Costly) -> dict[str, Any]:
    from reconcile.identifiers import Situation, gnubg_id, xgid
    from reconcile.play import format_play

    position, plays = one.position, one.plays()
    names = {key: None if play is None else format_play(position, play) for key, play in plays.items()}
    situation = Situation(position, one.dice)
    return {
        "path": one.path,
        "line": one.line,
        "key": one.key,
        "dice": list(one.dice),
        "class": one.group,
        "xgid": xgid(situation),
        "gnubg_id": gnubg_id(situation),
        "equity": one.equity,
        "choice": {"key": one.choice, "play": names[one.choice], "listed": one.is_listed, "loss": one.loss},
        "listed": [{"key": listed.key, "play": names[listed.key], "loss": listed.loss} for listed in one.listed],
    }
