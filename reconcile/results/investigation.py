"""The rules that give a figure somebody saw, and an engine's score on benchmark files, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, cast

from reconcile.document import SCHEMA_VERSION
from reconcile.results.documents import finding_document, picked
from reconcile.scoring.findings import Finding

if TYPE_CHECKING:
    from reconcile.benchmark.published import Reference
    from reconcile.benchmark.score import Costly, FileScore, Score, Tally
    from reconcile.results.models import engines


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
