"""A judged pack with lists of decisions, the measurement of a pack, and the changes between two results, as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from reconcile.gate.candidates.list_result import ListResult, sentence
from reconcile.gate.candidates.pooled_lists import PooledList, pooled_lists
from reconcile.results.comparison import comparison_document
from reconcile.results.documents import SCHEMA_VERSION, figure_document, finding_document, short_metric
from reconcile.rules.rulesets import QUESTIONS

if TYPE_CHECKING:
    from reconcile.diagnosis.checks.check import Place
    from reconcile.diagnosis.program import Diagnosis
    from reconcile.gap.verdict import Figure
    from reconcile.gate.candidates.judgement import CandidateResult
    from reconcile.gate.changes import Bound, Changes, FigureChange, TextChange
    from reconcile.gate.measure import Measured
    from reconcile.gate.pack_results import MatchResult, PackResult
    from reconcile.results.flat import Value
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
        "differing": [
            {
                "what": one.what,
                "row": one.line,
                "game": one.game,
                "turn": one.turn,
                "player": one.player,
                "kind": one.kind.label,
                "counted": list(one.counted),
                "error": list(one.error),
                "pr": one.pr,
                "questions": list(one.questions),
                "agreeing": list(one.agreeing),
                "sentence": sentence(one, result),
                "xgid": one.xgid or None,
                "gnubg_id": one.gnubg_id or None,
            }
            for one in result.differing
        ],
        "unpaired": [{"row": row.line, "why": row.why, "text": row.text} for row in result.unpaired],
        "borders": [
            {"question": one.question, "measure": one.what, "counts": one.counts, "not_counts": one.not_counts, "moved": one.moved}
            for one in result.borders
        ],
        "rule_sets": result.counts,
    }


def pooled_document(pooled: PooledList) -> list_models.PooledLists:
    """The lists of one program over all matches."""
    return {
        "candidate": pooled.candidate,
        "rules": pooled.rules,
        "matches": len(pooled.lists),
        "rows": pooled.rows,
        "paired": pooled.paired,
        "differing": pooled.differing,
        "rule_sets": pooled.counts,
        "sentences": list(pooled.sentences),
    }


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
    return {
        "candidate": one.candidate,
        "matches": list(one.matches),
        "sentence": one.sentence,
        "rule_sets": [{"name": count.name, "explained": count.explained, "given": count.given} for count in one.rule_sets],
        "best": {
            "rules": one.rules,
            "differences": [
                {"question": code, "from": before, "to": after, "title": QUESTIONS[code].title} for code, before, after in one.changes
            ],
            "explained": one.explained,
            "given": one.given,
            "also": list(one.also),
        },
        "sure": one.sure,
        "why": one.why,
        "faults": [
            {
                "code": fault.code,
                "sentence": fault.sentence,
                "rules": fault.rules,
                "matches": list(fault.matches),
                "explained": fault.explained,
                "decisions": [_place(match, place) for match, place in fault.decisions],
            }
            for fault in one.faults
        ],
        "against": [
            {
                "match": against.match,
                "explained": against.explained,
                "given": against.given,
                "sentence": against.sentence,
                "decisions": [{"counted": how, **_place(against.match, place)} for how, place in against.decisions],
            }
            for against in one.against
        ],
    }


def _place(match: str, place: Place) -> diagnosis_models.DiagnosedDecision:
    return cast("diagnosis_models.DiagnosedDecision", {"match": match, **asdict(place)})


def _match(match: MatchResult) -> models.ReferenceMatch:
    manifest = match.manifest
    return {
        "id": manifest.id,
        "title": manifest.title,
        "synthetic": manifest.synthetic,
        "licence": manifest.licence,
        "provenance": manifest.provenance,
        "files": [cast("models.PackFile", {"handle": handle, **file.model_dump()}) for handle, file in manifest.files.items()],
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
        "pairs": [{"judged_by": one.pair.judged_by, **_named(match, comparison_document(one.comparison))} for one in match.pairs],
        "candidates": [_candidate(match, candidate) for candidate in match.candidates],
        "not_compared": list(map(str, match.not_compared)),
        "findings": [finding_document(finding) for finding in match.findings],
    }


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
    document: models.Candidate = {
        "name": candidate.candidate,
        "version": candidate.version or None,
        "part": candidate.part,
        "file": candidate.file,
        "rules": candidate.rules,
        "table": candidate.table,
        "figures": [figure_document(figure) for figure in candidate.figures],
        "reported": list(candidate.reported),
        "comparison": _named(match, comparison_document(compared), both=False) if compared is not None else None,
        "findings": [finding_document(finding) for finding in candidate.findings],
    }
    if candidate.decisions is not None:
        document["decisions"] = list_document(candidate.decisions)
    return document


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


def measurement_document(pack: str, rows: Sequence[Measured]) -> models.Measurement:
    """How wide the gaps of a pack are."""
    return {"schema_version": SCHEMA_VERSION, "pack": pack, "measured": [_measured(row) for row in rows]}


def _measured(row: Measured) -> models.MeasuredRow:
    own = {"table": row.table or None, "metric": short_metric(row.metric), "ratio": row.ratio, "suggested": float(row.suggested)}
    return cast("models.MeasuredRow", asdict(row) | own)


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
    return {
        **cast("change_models.ChangedFigure", dict(zip(("match", "judged", "player", "metric"), one.key, strict=True))),
        "change": one.change,
        "worse": one.fails(),
        "old": _value(one.old),
        "new": _value(one.new),
    }


def _value(figure: Value | None) -> change_models.Value | None:
    return None if figure is None else cast("change_models.Value", asdict(figure))


def _bound(bound: Bound) -> change_models.Bound:
    return {"tolerance": bound[0], "level": bound[1]}


def _rows(entries: Sequence[TextChange], *names: str) -> list[dict[str, str | None]]:
    return [{**dict(zip(names, one.where, strict=True)), "old": one.old, "new": one.new} for one in entries]
