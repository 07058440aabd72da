"""The page of programs: how each answer of each is known; what was probed is kept in
`docs/programs.json`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.making.evidence import answer_of, cells, grounds, linked
from docs.making.markdown import code, coded, filled, page, prose, table
from reconcile.rules.catalogue import Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet

KEPT = Path(__file__).parents[1] / "programs.json"
TEXT = """\
This page says of every known program how its answers to the [questions](rules.md) on which \
programs differ are known. One answer of a program may be measured and another a guess, so the \
evidence is given for each answer. The table behind this page is [evidence.json](evidence.json), \
with one row for each program, version and question.

[[facts]]

## How the answers are known

*Probed*, *verified*, *source-code* and *documented* need a source that names the program and its \
version. A test checks this. If an answer is unknown, the rule set uses the one named here \
meanwhile.

[[counts]]

`python -m benchmarks.programs` probes the programs that run here: [[probed]]. If no file of the \
format can show an answer, it stays unknown.

[[each]]

## How a program is probed

`reconcile suite run` asks a program for the cases of the [conformance suite](suite.md). In some \
sixty of them the answers give different figures, and the answers that give everything the \
program prints remain. It needs a harness, or a command that prints the figures of a match in \
[any form that a candidate can have](candidates.md). A rate and the number of decisions are \
enough for most questions.

```sh
reconcile suite run --candidate-command 'prog stats {file}' -o rules.yaml
```

`--format sgf` writes the matches as gnuBG does, `--format xg` (the default) as eXtreme Gammon. \
`rules.yaml` is a [file of rules](rules.md#rules-of-your-own) with the evidence of every answer; \
its first lines say which known program counts the same way, and what could not be seen. \
`reconcile explain --rules rules.yaml` compares it with the known rule sets.

No match distinguishes some answers: `candidate-0` and `counted-plays` (Q06) if every play with a \
choice counts, `xg` and `bgblitz` (Q02) if every play counts, and `xg` and `backgammondb` (Q12), \
which differ in howlers only. In an `.xg` file no beavers are read (Q14). An `.sgf` file has no \
resignation errors (Q07) and no stored errors (Q04, Q06)."""


def programs_page() -> str:
    """The page with every answer and its evidence."""
    probes: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
    facts = (
        (f"[{code(name)}](#{name})", f"{prose(rules.program)} {rules.version}", rules.title)
        for name, rules in RULE_SETS.items()
    )
    text = filled(
        TEXT,
        facts=table(("rule set", "program", "what it is"), facts),
        counts=_counts(),
        probed="; ".join(
            "{program} {version} with `.{format}` files, on {probed}".format(**probe)
            for probe in probes
        ),
        each="\n\n".join(part for rules in RULE_SETS.values() for part in _of(rules)),
    )
    return page("Which program counts how", text)


def _counts() -> str:
    numbers = Counter(cell.status for _, _, cell in cells())
    rows = [(status.value, status.words, numbers[status]) for status in Status]
    return table(("status", "what it means", "answers"), rows, "llr")


def _of(rules: RuleSet) -> Iterator[str]:
    """A rule set with the evidence of every answer."""
    yield coded(2, rules.name)
    yield f"{prose(rules.program)} {rules.version}: {prose(rules.standing)}."
    rows = (
        (
            linked(question),
            answer_of(cell, f"questions/{question}.md"),
            cell.status_words,
            grounds(cell),
            cell.date or "",
            prose(cell.separates or "–"),
        )
        for question, cell in rules.evidence.items()
    )
    known, told = "what is known, and where", "what distinguishes it from the next answer"
    yield table(("question", "answer", "status", known, "looked up", told), rows)
