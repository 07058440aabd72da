"""A judged pack, the measurement of a pack, and the changes between two results, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reconcile.results.comparison import comparison_document
from reconcile.results.documents import SCHEMA_VERSION, figure_document, finding_document, short_metric

if TYPE_CHECKING:
    from reconcile.gate.candidates.judgement import CandidateResult
    from reconcile.gate.changes import Changes, TextChange
    from reconcile.gate.measure import Measured
    from reconcile.gate.pack_results import MatchResult, PackResult
    from reconcile.results.flat import Value


def pack_document(result: PackResult) -> dict[str, Any]:
    """A reference pack, judged."""
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
                        "figures": [figure_document(figure) for figure in (*reported.figures, *reported.shares)],
                    }
                    for reported in match.reported
                ],
                "pairs": [
                    {"judged_by": pair.pair.judged_by, **_named(match, comparison_document(pair.comparison))} for pair in match.pairs
                ],
                "candidates": [_candidate(match, candidate) for candidate in match.candidates],
                "not_compared": list(map(str, match.not_compared)),
                "findings": [finding_document(finding) for finding in match.findings],
            }
            for match in result.matches
        ],
        "not_compared": list(map(str, result.not_compared)),
    }


def _named(match: MatchResult, comparison: dict[str, Any], sides: Sequence[str] = ("left", "right")) -> dict[str, Any]:
    """A comparison that names the files of the pack as the manifest does, wherever the pack is installed."""
    for side in sides:
        given = comparison[side]["path"]
        path = given.replace("\\", "/")
        comparison[side]["path"] = next((file.name for file in match.manifest.files.values() if path.endswith(f"/{file.name}")), given)
    return comparison


def _candidate(match: MatchResult, candidate: CandidateResult) -> dict[str, Any]:
    """What a program under test reports about a match, with its bridges if there are any."""
    compared = candidate.comparison
    return {
        "name": candidate.candidate,
        "part": candidate.part,
        "file": candidate.file,
        "rules": candidate.rules,
        "table": candidate.table,
        "figures": [figure_document(figure) for figure in candidate.figures],
        "reported": list(candidate.reported),
        "comparison": _named(match, comparison_document(compared), ["left"]) if compared is not None else None,
        "findings": [finding_document(finding) for finding in candidate.findings],
    }


def measurement_document(pack: str, rows: Sequence[Measured]) -> dict[str, Any]:
    """How wide the gaps of a pack are."""
    return {
        "schema_version": SCHEMA_VERSION,
        "pack": pack,
        "measured": [
            asdict(row)
            | {"table": row.table or None, "metric": short_metric(row.metric), "ratio": row.ratio, "suggested": float(row.suggested)}
            for row in rows
        ],
    }


def changes_document(changes: Changes) -> dict[str, Any]:
    """What changed between two results."""

    def value(figure: Value | None) -> dict[str, Any] | None:
        names = ("left", "right", "gap", "tolerance", "level", "verdict")
        return None if figure is None else {name: getattr(figure, name) for name in names} | {"steps": dict(figure.steps)}

    def rows(entries: Sequence[TextChange], *names: str) -> list[dict[str, Any]]:
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
        "findings": rows(changes.findings, "match", "judged", "side", "code"),
        "not_compared": rows(changes.absent, "match", "judged"),
        "sources": rows(changes.sources, "match", "judged", "side", "what"),
    }
