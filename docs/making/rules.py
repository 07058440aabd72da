"""The matrix of rule sets, and a page for every question."""

from __future__ import annotations

import inspect
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs.making.evidence import answer_of, grounds, linked
from docs.making.markdown import code, coded, fenced, filled, page, paragraphs, prose, table
from reconcile.match.tools import TOOLS
from reconcile.report.explain import rule_differences
from reconcile.rules.catalogue import Answer, Question, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, rule_set

MARKS = dict(zip(Status, "PVSDAIG?–", strict=True))
"""From the strongest to the weakest."""
EXAMPLE = """\
extends: gammonview
title: Our program
version: "2.1"
answers:
  Q04: yes
  Q13: 100
evidence:
  Q04:
    status: source-code
    source: "our program 2.1, count.py, is_decision()"
    quote: "every double counts"
    date: 2026-11-22
"""
"""A file of rules."""
TEXT = """\
Two programs read the same match and show two error rates, often because they count different \
decisions. There are [[number]] questions on which programs are known to differ. A rule set is \
one answer to each, under the name of the program that counts so.

`reconcile explain --rules` prints this matrix, `reconcile explain Q02` the page of a question. \
Without a rule set, a file is scored under the rules of the tool that wrote it: [[own]].

[[matrix]]

How the answer is known: [[marks]]. [Programs](programs.md) says so of every answer. Where \
nobody outside knows it (`?`), the answer shown is used meanwhile, and [open \
points](open-points.md) says what would settle it.

## Rules of your own

You can declare the rules of any other program in a YAML file. It names the nearest rule set and \
the answers that differ. Give the path of the file, which ends in `.yaml` or `.yml`, instead of \
the name of a rule set: in `--rules` of `stats`, `--left-rules` and `--right-rules` of \
`compare`, and in the [library](library.md). `rules` in the manifest of a [pack](packs.md) takes \
a file beside the manifest or in the folder of the pack. `reconcile corpus` does not accept rule \
files, because a corpus can be extended later, after the file has changed.

```yaml
[[example]]
```

| key | what it is |
| --- | --- |
| `extends` | the rule set that answers every question that is not under `answers`. Without it \
`answers` must have all |
| `answers` | question and name of the answer, as in the matrix |
| `name` | its name in outputs, by default that of the file without its ending. It may not be \
that of a known rule set |
| `title`, `version` | whose rules they are. A version is text, in quotes if it looks like a \
number |
| `program` | the program whose rules they are |
| `evidence` | by question, how the answer is known: a sentence, or `status` (a word of [this \
list](programs.md#how-the-answers-are-known)), `source`, `quote`, `date`, `separates`. The first \
four of the list need a `source` |

An unknown key or answer is an error that gives the line. The program trusts your file, so its \
figures are single numbers, never ranges, except for answers of status `unknown`. `reconcile \
explain --rules ours.yaml` prints how it differs from the known rule sets, the nearest first:

[[printed]]

A number inside an answer, such as the 0.160 of a close no-double, cannot be set. If no answer \
fits, a new one is a function of a few lines. CONTRIBUTING.md in the repository has the steps \
under *Add an answer*. [`reconcile investigate`](cli.md#investigate) tries every combination of \
answers and names those that give a figure. Copy them into the file. With `--rules ours.yaml` it \
says first whether your rules give the figure."""


def rules_page() -> str:
    """The page of all rule sets."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ours.yaml"
        path.write_text(EXAMPLE, "utf-8")
        printed = rule_differences(rule_set(str(path)))
    text = filled(
        TEXT,
        number=len(QUESTIONS),
        own=", ".join(f"{tool.name} {code(tool.rules)}" for tool in TOOLS.values()),
        matrix=_matrix(),
        marks=", ".join(f"**{mark}** {status.value}" for status, mark in MARKS.items()),
        example=EXAMPLE.strip(),
        printed=fenced(printed),
    )
    return page("Rule sets", text)


def _matrix() -> str:
    """Rule sets by question, every cell linked to its answer, with the mark of how it is known."""
    head = ("question", *(f"[{code(name)}](programs.md#{name})" for name in RULE_SETS))
    rows = (
        (
            f"{linked(number)} {question.title}",
            *(_cell(rules, number) for rules in RULE_SETS.values()),
        )
        for number, question in QUESTIONS.items()
    )
    return table(head, rows)


def _cell(rules: RuleSet, question: str) -> str:
    cell = rules.evidence[question]
    mark = MARKS[cell.status] if cell.status else ""
    if cell.open:
        mark = f"[?](open-points.md#{rules.name}-{question})"
    return f"[{code(cell.used)}](questions/{question}.md#{cell.used}) {mark}"


def question_page(question: Question[Any]) -> str:
    """The page of a question with all its answers."""
    text = inspect.cleandoc(question.page).partition("\n")[2]
    rows = (
        (f"[{code(rules.name)}](../programs.md#{rules.name})", *_known(rules, question.code))
        for rules in RULE_SETS.values()
    )
    parts = [
        paragraphs(text),
        table(("rule set", "answer", "status", "what is known, and where"), rows),
        "## Answers",
        *(_answer(question, answer) for answer in question.answers.values()),
    ]
    return page(f"{question.code}: {question.title}", *parts)


def _known(rules: RuleSet, question: str) -> tuple[str, str, str]:
    cell = rules.evidence[question]
    mark = f" [?](../open-points.md#{rules.name}-{question})" if cell.open else ""
    return f"{answer_of(cell, '')}{mark}", cell.status_words, grounds(cell)


def _answer(question: Question[Any], answer: Answer[Any]) -> str:
    parts = [coded(3, answer.name), paragraphs(answer.page)]
    if answer.status:
        parts.append(
            f"No rule set gives it; `reconcile investigate` tries it. It is {answer.status.value}: "
            f"{prose(answer.source)}."
        )
    if answer.fallback:
        parts.append(
            f"If a file lacks what it needs, [{code(answer.fallback)}](#{answer.fallback}) is used "
            "instead, and every result says so."
        )
    return "\n\n".join(parts)
