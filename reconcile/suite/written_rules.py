"""The answers of a run as a file of rules."""

from __future__ import annotations

import re
from typing import Final

import yaml

from reconcile.files.wording import one_line
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import QUESTIONS
from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.run import Ran

LONGEST: Final = 40


def rules_yaml(ran: Ran) -> str:
    """The answers that the cases decide; the others are those of the rules by which it was judged."""
    named = diagnosed(ran)
    known = {code: answer for code, answer in named.rules.items() if answer is not None}
    source = f"{ran.program} {ran.version}".strip() + ", by the conformance suite"
    cases = {code: sum(one.case.question == code for one in ran.answered) for code in QUESTIONS}
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", ran.program).strip("-.+_")[:LONGEST] or "program"
    file = {
        "schema_version": 1,
        "name": f"{name}-probed",
        "title": f"{ran.program}, by the conformance suite"[:200],
        "extends": ran.rules.name,
        "answers": known,
        "evidence": {
            code: {
                "status": Status.PROBED.value,
                "source": source,
                "quote": f"{cases[code]} cases of this question; no other answer gives its figures",
            }
            for code in known
        },
    }
    open_ = "".join(f"# {code}: as {ran.rules.name}, not decided by the figures\n" for code in QUESTIONS if code not in known)
    faults = "".join(f"# {one_line(one.sentence)}\n" for one in named.faults)
    return f"{faults}{yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)}{open_}"
