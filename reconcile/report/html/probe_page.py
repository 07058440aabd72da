"""The page of a probe: what a program answers to every question, and the evidence."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from reconcile.report.html.figures import Rule
from reconcile.report.html.render import render
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.answer_documents import evidence, outcome, sentence
from reconcile.suite.probe import Probed

MOST_FIGURES: Final = 3
"""Figures of a match in its row."""


def probe_page(probed: Probed) -> str:
    """The result as one HTML file."""
    rows = [(code, one, evidence(one)) for code, one in probed.findings.items()]
    differs = bool(probed.differing(probed.nearest)) or any(
        one.unexplained for one in probed.findings.values()
    )
    words = [
        "reconcile",
        "probe",
        "--candidate-command",
        "PROGRAM {file}",
        "--format",
        probed.form,
        "--html",
        "probe.html",
    ]
    matches = [
        (
            one.file.case,
            outcome(one) if one.given or one.failure else "",
            [*one.given.values()][:MOST_FIGURES],
        )
        for one in probed.seen
    ]
    return render(
        "probe.html.j2",
        probed=probed,
        sentence=sentence(probed),
        verdict=("explained", "Other answers")
        if differs
        else ("within", f"Like {probed.nearest.name}"),
        rows=rows,
        matches=matches,
        rules=list(_rules(probed)),
        command=shlex.join(words),
    )


def _rules(probed: Probed) -> Iterator[Rule]:
    """Every question with its possible answers, and the known rule sets that give them."""
    for code, one in probed.findings.items():
        yield (
            code,
            {
                name: [rules.name for rules in RULE_SETS.values() if rules.answers[code] == name]
                for name in one.possible
            },
        )
