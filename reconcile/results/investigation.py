"""The rules that give a figure somebody saw, as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from reconcile.results.documents import SCHEMA_VERSION, source_document
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.diagnosis.investigation import Difference, Explanation, Investigation
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
