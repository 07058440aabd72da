"""What a probe found, as a JSON document and as a rule file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import yaml

from reconcile.files.wording import one_line
from reconcile.probe.evidence import evidence, sentence
from reconcile.probe.probe import Probed
from reconcile.results.documents import SCHEMA_VERSION
from reconcile.rules.evidence import Status
from reconcile.rules.rule_file import NAME

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


def rules_yaml(probed: Probed) -> str:
    """The answers with their evidence; what was not seen is that of the nearest known rule set."""
    nearest = probed.nearest
    source = f"{probed.program}, probed with .{probed.form} files"
    answers, known, open_ = {}, {}, []
    for code, finding in probed.findings.items():
        if finding.answer is not None:
            answers[code] = finding.answer
            known[code] = {"status": Status.PROBED.value, "source": source, "quote": evidence(finding)}
        elif finding.possible and nearest.answers[code] not in finding.possible:
            answers[code] = finding.possible[0]
            known[code] = {"status": Status.INFERRED.value, "source": source, "quote": f"one of several: {evidence(finding)}"}
        else:
            open_.append(f"# {code}: as {nearest.name}; {one_line(evidence(finding))}\n")
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", probed.program).strip("-.+_")[:40] or "program"
    assert NAME.fullmatch(name + "-probed")
    file = {
        "schema_version": 1,
        "name": f"{name}-probed",
        "title": f"{probed.program}, probed"[:200],
        "extends": nearest.name,
        "answers": answers,
        "evidence": known,
    }
    text = yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)
    return f"# {one_line(sentence(probed))}\n{text}{''.join(open_)}"
