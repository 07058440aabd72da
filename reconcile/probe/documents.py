"""What a probe found, as a JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from reconcile.probe.evidence import evidence, sentence
from reconcile.probe.probe import Probed
from reconcile.results.documents import SCHEMA_VERSION

if TYPE_CHECKING:
    from reconcile.results.models import engines as models


def probe_document(probed: Probed) -> models.Probe:
    """The answers and borders of a program."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "program": probed.program,
        "format": probed.form,
        "sentence": sentence(probed),
        "figures": list(probed.names),
        "other_figures": [name for name, _, _ in probed.other],
        "answers": {
            code: {"answer": one.answer, "possible": list(one.possible), "evidence": evidence(one)} for code, one in probed.findings.items()
        },
        "borders": {
            one.series.key: {
                "title": one.series.title,
                "question": one.series.question,
                "low": one.low,
                "high": one.high,
                "note": one.note,
            }
            for one in probed.borders
        },
        "nearest": probed.nearest.name,
        "equally_near": list(probed.equally_near),
        "differing": [one.question for one in probed.differing(probed.nearest)],
    }
    return cast("models.Probe", document)
