"""The page of programs: which answers each gives, and how each is known; what was probed is kept in
`docs/programs.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from docs.making.evidence import counts, of_program
from docs.making.markdown import code, filled, heading, page, prose, table
from reconcile.rules.evidence import Status, weakest
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet

KEPT: Final = Path(__file__).parents[1] / "programs.json"
MARKS: Final = {
    Status.PROBED: "P",
    Status.VERIFIED: "V",
    Status.SOURCE_CODE: "S",
    Status.DOCUMENTED: "D",
    Status.ATTESTED: "A",
    Status.INFERRED: "I",
    Status.ASSUMED: "G",
    Status.UNKNOWN: "?",
    Status.NOT_APPLICABLE: "–",
}
"""From the strongest to the weakest."""
TEXT: Final = """\
This page has the answers of every known program to the [questions](rules.md) on which programs \
differ, and how each is known. One answer of a program may be measured and another a guess, so \
the evidence is given for each answer. The table behind this page is \
[evidence.json](evidence.json), with one row for each program, version and question.

[[facts]]

## How the answers are known

*Probed*, *verified*, *source-code* and *documented* need a source that names the program and its \
version. A test checks this. If an answer is unknown, the rule set uses the one named here \
meanwhile.

[[counts]]

[[legend]].

[[answers]]

## Probed again

`python -m benchmarks.programs` probes the programs that run here: [[probed]]. The table says \
what was seen for each question. If no file of the format can show it, the answer stays unknown, \
with the reason.

[[seen]]

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
    """The page with the matrix, and every answer with its evidence."""
    probes: dict[str, dict[str, Any]] = {
        probe["program"]: probe for probe in json.loads(KEPT.read_text("utf-8"))
    }
    facts = ("program", "version", "rule set", "how far it is known", "its weakest answer")
    text = filled(
        TEXT,
        facts=table(facts, _facts()),
        counts=counts(),
        legend=", ".join(f"**{mark}** {status.value}" for status, mark in MARKS.items()),
        answers=table(("question", *(code(name) for name in RULE_SETS)), _rows()),
        probed=_probed(probes.values()),
        seen=_probed_table(probes),
        each="\n\n".join(
            f"{heading(2, f'{prose(rules.program)} {rules.version}: {code(name)}', name)}\n\n"
            f"{prose(rules.standing)}.\n\n{of_program(rules)}"
            for name, rules in RULE_SETS.items()
        ),
    )
    return page("Which program counts how", text)


def _facts() -> Iterator[tuple[str, ...]]:
    for name, rules in RULE_SETS.items():
        yield (
            prose(rules.program),
            rules.version,
            f"[{code(name)}](rules.md#{name})",
            prose(rules.standing),
            _weakest(rules),
        )


def _rows() -> Iterator[tuple[str, ...]]:
    for number, question in QUESTIONS.items():
        cells = (_cell(rules, number) for rules in RULE_SETS.values())
        yield (f"[{number}](questions/{number}.md) {question.title}", *cells)


def _weakest(rules: RuleSet) -> str:
    status = weakest(rules.evidence)
    return status.value if status else "–"


def _cell(rules: RuleSet, question: str) -> str:
    cell = rules.evidence[question]
    link = f"[{code(cell.used)}](questions/{question}.md#{cell.used})"
    return f"{link} {MARKS[cell.status]}" if cell.status else link


def _probed(probes: Iterable[Mapping[str, Any]]) -> str:
    return "; ".join(
        f"{probe['program']} {probe['version']} with `.{probe['format']}` files, on "
        f"{probe['probed']}"
        for probe in probes
    )


def _probed_table(probes: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        (
            f"[{question}](questions/{question}.md)",
            *(_probed_answer(probe["answers"][question], question) for probe in probes.values()),
        )
        for question in QUESTIONS
    ]
    return table(
        ("question", *(f"{name} {probe['version']}" for name, probe in probes.items())), rows
    )


def _probed_answer(answer: Mapping[str, Any], question: str) -> str:
    if answer["answer"] is None:
        return f"unknown: {prose(answer['evidence'])}"
    return (
        f"[{code(answer['answer'])}](questions/{question}.md#{answer['answer']}): "
        f"{prose(answer['evidence'])}"
    )
