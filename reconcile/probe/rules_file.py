"""What a probe found as a rule file, as every `--rules` reads it."""

from __future__ import annotations

import re

import yaml

from reconcile.files.wording import one_line
from reconcile.probe.evidence import evidence, sentence
from reconcile.probe.probe import Probed
from reconcile.rules.evidence import Status
from reconcile.rules.rule_file import NAME


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
