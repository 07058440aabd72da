"""The matrix of rule sets, and a page for every question."""

from __future__ import annotations

import inspect
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from docs.making.evidence import of_question
from docs.making.markdown import code, fenced, heading, page, paragraphs, prose, table
from reconcile.match.tools import TOOLS
from reconcile.report.explain import rule_differences
from reconcile.rules.catalogue import Answer, Question
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, givers, rule_set

OPEN_MARK: Final = "?"
EXAMPLE: Final = """\
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
KEYS: Final = (
    (
        "`extends`",
        "the rule set that answers every question that is not under `answers`. "
        "Without it `answers` must have all",
    ),
    ("`answers`", "question and name of the answer, as in the matrix"),
    (
        "`name`",
        "its name in outputs, by default that of the file without its ending. It "
        "may not be that of a known rule set",
    ),
    (
        "`title`, `version`",
        "whose rules they are. A version is text, in quotes if it looks like a number",
    ),
    ("`program`", "the program whose rules they are"),
    (
        "`evidence`",
        "by question, how the answer is known: a sentence, or the columns of the [table of "
        f"programs](programs.md), `status` ({', '.join(code(status.value) for status in Status)}), "
        "`source`, `quote`, `date`, `separates`. The first four need a `source`",
    ),
)
"""What a file of rules may have."""


def _cell(rules: RuleSet, question: str, folder: str) -> str:
    answer = rules.answers[question]
    mark = (
        f" [{OPEN_MARK}](open-points.md#{rules.name}-{question})" if question in rules.open else ""
    )
    return f"[{code(answer)}]({folder}{question}.md#{answer}){mark}"


def matrix() -> str:
    """Rule sets by question, every cell linked to its answer."""
    rows = [
        (
            f"[{code_}](questions/{code_}.md) {question.title}",
            *(_cell(rules, code_, "questions/") for rules in RULE_SETS.values()),
        )
        for code_, question in QUESTIONS.items()
    ]
    return table(["question", *(f"[{code(name)}](#{name})" for name in RULE_SETS)], rows)


def rules_page() -> str:
    """The page of all rule sets."""
    parts = [
        "Two programs read the same match and show two error rates, often because they count "
        f"different decisions. There are {len(QUESTIONS)} questions on which programs are known to "
        "differ. A rule set is one answer to each, under the name of the program that counts so.",
        "`reconcile explain --rules` prints this matrix, `reconcile explain Q02` the page of a "
        "question. Without a rule set, a file is scored under the rules of the tool that wrote it: "
        f"{', '.join(f'{tool.name} {code(tool.rules)}' for tool in TOOLS.values())}.",
        matrix(),
        f"`{OPEN_MARK}`: nobody outside knows the program's answer. The answer shown is used "
        "meanwhile, and [open points](open-points.md) says what would settle it. "
        "[Programs](programs.md) says how every other answer is known.",
        *_declared(),
        "## One by one",
    ]
    for rules in RULE_SETS.values():
        own = ", ".join(tool.name for tool in TOOLS.values() if tool.rules == rules.name)
        lines = [f"{rules.title}."]
        if own:
            lines.append(f"The default for files written by {own}.")
        lines.append(
            f"{prose(rules.program)} {rules.version}: {prose(rules.standing)}. [Answer by "
            f"answer](programs.md#{rules.name})."
        )
        parts += [heading(3, code(rules.name), rules.name), " ".join(lines)]
    return page("Rule sets", *parts)


def _declared() -> tuple[str, ...]:
    """How rules are declared in a file, with an example whose difference to the known rule sets is
    printed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ours.yaml"
        path.write_text(EXAMPLE, "utf-8")
        printed = rule_differences(rule_set(str(path)))
    return (
        "## Rules of your own",
        "You can declare the rules of any other program in a YAML file. It names the nearest rule "
        "set and the answers that differ. Give the path of the file, which ends in `.yaml` or "
        "`.yml`, instead of the name of a rule set: in `--rules` of `stats`, `--left-rules` and "
        "`--right-rules` of `compare`, and in the [library](library.md). `rules` in the manifest "
        "of a [pack](packs.md) takes a file beside the manifest or in the folder of the pack. "
        "`reconcile corpus` does not accept rule files, because a corpus can be extended later, "
        "after the file has changed.",
        fenced(EXAMPLE.strip(), "yaml"),
        table(
            ["key", "what it is"],
            KEYS,
        ),
        "An unknown key or answer is an error that gives the line. The program trusts your file, "
        "so its figures are single numbers, never ranges, except for answers of status `unknown`. "
        "`reconcile explain --rules ours.yaml` prints how it differs from the known rule sets, the "
        "nearest first:",
        fenced(printed, "text"),
        "A number inside an answer, such as the 0.160 of a close no-double, cannot be set. If no "
        "answer fits, a new one is a function of a few lines. CONTRIBUTING.md in the repository "
        "has the steps under *Add an answer*. [`reconcile investigate`](cli.md#investigate) tries "
        "every combination of answers and names those that give a figure. Copy them into the file. "
        "With `--rules ours.yaml` it says first whether your rules give the figure.",
    )


def question_page(question: Question[Any]) -> str:
    """The page of a question with all its answers."""
    text = inspect.cleandoc(question.page).partition("\n")[2]
    parts = [
        paragraphs(text),
        of_question(question),
        "## Answers",
        *(_answer(question, answer) for answer in question.answers.values()),
    ]
    return page(f"{question.code}: {question.title}", *parts)


def _answer(question: Question[Any], answer: Answer[Any]) -> str:
    used = ", ".join(
        f"[{code(rules.name)}](../rules.md#{rules.name}) ({cell.status_words})"
        for rules, cell in givers(question.code, answer.name)
    )
    facts = [("Used by", used or "no rule set; `reconcile investigate` tries it")]
    if answer.status:
        facts += [
            ("Evidence", f"{answer.status.value}: {answer.status.words}"),
            ("Source", prose(answer.source)),
        ]
    if answer.fallback:
        replacement = (
            f"[{code(answer.fallback)}](#{answer.fallback}) is used instead, and "
            f"every result says so"
        )
        facts.append(("If a file lacks what it needs", replacement))
    listed = "\n".join(f"- **{name}:** {text}" for name, text in facts)
    return f"{heading(3, code(answer.name), answer.name)}\n\n{paragraphs(answer.page)}\n\n{listed}"
