"""The rules that give a figure somebody saw, and an engine's score on benchmark files, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, cast

from reconcile.document import SCHEMA_VERSION
from reconcile.results.documents import finding_document, picked, source_document
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.benchmark.published import Reference
    from reconcile.benchmark.score import Costly, FileScore, Score, Tally
    from reconcile.diagnosis.investigation import Difference, Explanation, Investigation
    from reconcile.results.models import engines
    from reconcile.results.models import investigation as models


def investigation_document(result: Investigation) -> models.Investigation:
    """Which rules give the figures somebody saw."""
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source_document(result.match.source),
        "player": result.player,
        "game": result.game,
        "reported": {SHORT.get(one.metric, one.metric): one.text for one in (*result.reported, *(other for other, _ in result.others))},
        "rule_sets": [{"name": name, "reproduces": fits, "figures": dict(figures)} for name, fits, figures in result.known],
        "checks": [
            {"code": one.code, "sentence": one.sentence, "figures": {SHORT.get(name, name): value for name, value in one.figures.items()}}
            for one in result.checks
        ],
        "explanations": [_explanation(explanation) for explanation in result.explanations],
        "closest": [{**_explanation(explanation), "off_by_digits": explanation.off} for explanation in result.closest],
        "tried": result.tried,
    }


def _explanation(explanation: Explanation) -> models.Explanation:
    return {
        "nearest": explanation.nearest,
        "differences": [_difference(one) for one in explanation.differences],
        "also": list(explanation.also),
        "figures": dict(explanation.figures),
        "own_differences": [_difference(one) for one in explanation.own_differences],
        "decisions": [
            cast("models.TurningDecision", {name: value for name, value in asdict(one).items() if name != "row"})
            for one in explanation.decisions
        ],
    }


def _difference(one: Difference) -> models.RuleDifference:
    return {"question": one.question, "from": one.answer_from, "to": one.answer_to, "title": one.title}


def benchmark_document(
    score: Score,
    references: Sequence[Reference],
    findings: Sequence[Finding],
    *,
    table: str | None,
    verdict: Literal["within", "outside", "not judged"],
) -> engines.Benchmark:
    """An engine's score on benchmark files."""
    return {
        "schema_version": SCHEMA_VERSION,
        "engine": score.engine,
        "table": table,
        "verdict": verdict,
        "files": [_benchmark_file(one, references) for one in score.files],
        "classes": {name: _tally(tally) for name, tally in score.by_class.items()},
        "total": _tally(score.total),
        "published": [cast("engines.PublishedScore", asdict(reference)) for reference in references],
        "worst": [_costly(one) for one in score.worst],
        "findings": [finding_document(finding) for finding in findings],
    }


def _benchmark_file(one: FileScore, references: Sequence[Reference]) -> engines.BenchmarkFile:
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


def _tally(tally: Tally) -> engines.Tally:
    from reconcile.benchmark.score import BORDERS

    averages = ("average_loss", "average_loss_interesting", "standard_error")
    counts = ("errors", "n_out", "n_out_interesting", "missing", "illegal")
    bins = [{"up_to": border, "lines": count} for border, count in zip([*BORDERS, None], tally.bins, strict=True)]
    return cast("engines.Tally", picked(tally, "lines", "scored", "interesting", *averages, *counts) | {"distribution": bins})


def _costly(one: Costly) -> engines.Costly:
    from reconcile.board.identifiers import Situation, gnubg_id, xgid
    from reconcile.board.play import format_play

    position, plays = one.position, one.plays()
    names = {key: None if play is None else format_play(position, play) for key, play in plays.items()}
    situation = Situation(position, one.dice)
    return {
        "path": one.path,
        "line": one.line,
        "key": one.key,
        "dice": list(one.dice),
        "class": cast("engines.Class", one.group),
        "xgid": xgid(situation),
        "gnubg_id": gnubg_id(situation),
        "equity": one.equity,
        "choice": {"key": one.choice, "play": names[one.choice], "listed": one.is_listed, "loss": one.loss},
        "listed": [{"key": listed.key, "play": names[listed.key], "loss": listed.loss} for listed in one.listed],
    }
