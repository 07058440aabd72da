"""A judged pack with lists of decisions, the measurement of a pack, and the changes between two results, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from reconcile.document import SCHEMA_VERSION
from reconcile.document import document as as_document
from reconcile.gate.candidates.judgement import pooled_lists
from reconcile.gate.candidates.list_result import ListResult, PooledList, sentence
from reconcile.results.comparison import comparison_document
from reconcile.results.documents import figure_document, finding_document
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import short_metric

if TYPE_CHECKING:
    from reconcile.diagnosis.checks.check import Place
    from reconcile.diagnosis.program import Diagnosis
    from reconcile.gap.verdict import Figure
    from reconcile.gate.candidates.differing import Differing
    from reconcile.gate.candidates.judgement import CandidateResult
    from reconcile.gate.changes import Bound, Changes, FigureChange, TextChange
    from reconcile.gate.pack_results import MatchResult, PackResult
    from reconcile.results.models import changes as change_models
    from reconcile.results.models import decisions as list_models
    from reconcile.results.models import investigation as diagnosis_models
    from reconcile.results.models import pack as models
    from reconcile.results.models.comparison import Comparison, Side


def list_document(result: ListResult) -> list_models.ListedDecisions:
    """A list compared row by row."""
    return {
        "rows": result.rows,
        "paired": result.paired,
        "unlisted": result.unlisted,
        "unit": result.listed.rows.unit,
        "fault": result.fault,
        "differing": [_differing(one, result) for one in result.differing],
        "unpaired": [{"row": row.line, "why": row.why, "text": row.text} for row in result.unpaired],
        "borders": [
            {"question": one.question, "measure": one.what, "counts": one.counts, "not_counts": one.not_counts, "moved": one.moved}
            for one in result.borders
        ],
        "rule_sets": result.counts,
    }


def _differing(one: Differing, result: ListResult) -> list_models.ListedDifference:
    document = {"what": one.what, "row": one.line, **_fields(one, "game", "turn", "player"), "kind": one.kind.label}
    document |= _fields(one, "counted", "error", "pr", "questions", "agreeing") | {"sentence": sentence(one, result)}
    return cast("list_models.ListedDifference", document | {"xgid": one.xgid or None, "gnubg_id": one.gnubg_id or None})


def _fields(value: object, *names: str) -> dict[str, Any]:
    """Some of its fields, in this order, a tuple as a list."""
    found = {name: getattr(value, name) for name in names}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in found.items()}


def pooled_document(pooled: PooledList) -> list_models.PooledLists:
    """The lists of one program over all matches."""
    document = {**_fields(pooled, "candidate", "rules"), "matches": len(pooled.lists), **_fields(pooled, "rows", "paired", "differing")}
    return cast("list_models.PooledLists", document | {"rule_sets": pooled.counts, "sentences": list(pooled.sentences)})


def pack_document(result: PackResult) -> models.Validation:
    """A reference pack, judged."""
    lists = pooled_lists(candidate for match in result.matches for candidate in match.candidates)
    document: models.Validation = {
        "schema_version": SCHEMA_VERSION,
        "pack": result.name,
        "verdict": result.verdict,
        "summary": result.summary,
        "errors": list(result.errors),
        "findings": [finding_document(finding) for finding in result.findings],
        "diagnosis": [_diagnosis(one) for one in result.diagnoses],
        "unjudged": [_unjudged(match.manifest.id, *one) for match in result.matches for one in match.unjudged],
        "matches": [_match(match) for match in result.matches],
        "not_compared": list(map(str, result.not_compared)),
    }
    if lists:
        document["decision_lists"] = [pooled_document(one) for one in lists]
    return document


def _diagnosis(one: Diagnosis) -> diagnosis_models.Diagnosis:
    """What a program under test does, by all its matches."""
    changes = [{"question": code, "from": old, "to": new, "title": QUESTIONS[code].title} for code, old, new in one.changes]
    document = {
        **_fields(one, "candidate", "matches", "sentence"),
        "rule_sets": [asdict(count) for count in one.rule_sets],
        "best": {"rules": one.rules, "differences": changes, **_fields(one, "explained", "given", "also")},
        **_fields(one, "sure", "why"),
        "faults": [
            _fields(fault, "code", "sentence", "rules", "matches", "explained")
            | {"decisions": [_place(match, place) for match, place in fault.decisions]}
            for fault in one.faults
        ],
        "against": [
            _fields(against, "match", "explained", "given", "sentence")
            | {"decisions": [{"counted": how, **_place(against.match, place)} for how, place in against.decisions]}
            for against in one.against
        ],
    }
    return cast("diagnosis_models.Diagnosis", document)


def _place(match: str, place: Place) -> diagnosis_models.DiagnosedDecision:
    return cast("diagnosis_models.DiagnosedDecision", {"match": match, **asdict(place)})


def _match(match: MatchResult) -> models.ReferenceMatch:
    manifest = match.manifest
    document = {
        **_fields(manifest, "id", "title", "synthetic", "licence", "provenance"),
        "files": [{"handle": handle, **file.model_dump()} for handle, file in manifest.files.items()],
        "reported": [
            _fields(reported, "file", "rules", "table", "source")
            | {"figures": [figure_document(figure) for figure in (*reported.figures, *reported.shares)]}
            for reported in match.reported
        ],
        "pairs": [
            {"judged_by": one.pair.judged_by, **_named(match, as_document(comparison_document(one.comparison)))} for one in match.pairs
        ],
        "candidates": [_candidate(match, candidate) for candidate in match.candidates],
        "not_compared": list(map(str, match.not_compared)),
        "findings": [finding_document(finding) for finding in match.findings],
    }
    return cast("models.ReferenceMatch", document)


def _named(match: MatchResult, comparison: Comparison, *, both: bool = True) -> Comparison:
    """A comparison that names the files of the pack as the manifest does, wherever the pack is installed."""
    sides: list[Side] = [comparison["left"], comparison["right"]]
    for side in sides if both else sides[:1]:
        given = side["path"].replace("\\", "/")
        side["path"] = next((file.name for file in match.manifest.files.values() if given.endswith(f"/{file.name}")), side["path"])
    return comparison


def _candidate(match: MatchResult, candidate: CandidateResult) -> models.Candidate:
    """What a program under test reports about a match, with its bridges if there are any."""
    compared = candidate.comparison
    document = {
        "name": candidate.candidate,
        "version": candidate.version or None,
        **_fields(candidate, "part", "file", "rules", "table"),
        "figures": [figure_document(figure) for figure in candidate.figures],
        "reported": list(candidate.reported),
        "comparison": _named(match, as_document(comparison_document(compared)), both=False) if compared is not None else None,
        "findings": [finding_document(finding) for finding in candidate.findings],
    }
    if candidate.decisions is not None:
        document["decisions"] = list_document(candidate.decisions)
    return cast("models.Candidate", document)


def _unjudged(match: str, candidate: CandidateResult, figure: Figure) -> models.Unjudged:
    return {
        "match": match,
        "candidate": candidate.candidate,
        "part": candidate.part,
        "player": figure.player,
        "metric": short_metric(figure.name),
        "given": cast("float", figure.right),
        "reason": figure.note,
    }


def changes_document(changes: Changes) -> change_models.Changes:
    """What changed between two results."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": changes.new.kind,
        "old": {"name": changes.old.name, "verdict": changes.old.verdict, "figures": len(changes.old.figures)},
        "new": {"name": changes.new.name, "verdict": changes.new.verdict, "figures": len(changes.new.figures)},
        "worse": bool(changes.exit_code()),
        "summary": changes.summary,
        "figures": [_changed_figure(one) for one in changes.figures],
        "tolerances": [
            {"metric": one.metric, "old": _bound(one.old), "new": _bound(one.new), "figures": one.figures} for one in changes.tolerances
        ],
        "findings": cast("list[change_models.ChangedFinding]", _rows(changes.findings, "match", "judged", "side", "code")),
        "not_compared": cast("list[change_models.ChangedPart]", _rows(changes.absent, "match", "judged")),
        "sources": cast("list[change_models.ChangedSource]", _rows(changes.sources, "match", "judged", "side", "what")),
    }


def _changed_figure(one: FigureChange) -> change_models.ChangedFigure:
    document = dict(zip(("match", "judged", "player", "metric"), one.key, strict=True)) | {"change": one.change, "worse": one.fails()}
    values = {"old": asdict(one.old) if one.old else None, "new": asdict(one.new) if one.new else None}
    return cast("change_models.ChangedFigure", document | values)


def _bound(bound: Bound) -> change_models.Bound:
    return {"tolerance": bound[0], "level": bound[1]}


def _rows(entries: Sequence[TextChange], *names: str) -> list[dict[str, str | None]]:
    return [{**dict(zip(names, one.where, strict=True)), "old": one.old, "new": one.new} for one in entries]
