"""The matrix of rule sets, and a page for every question."""

from __future__ import annotations

import inspect
from typing import Final

from docs.making.markdown import code, heading, page, paragraphs, prose, table
from reconcile.rules.catalogue import Answer, Question
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.tools import TOOLS

OPEN_MARK: Final = "?"


def users(question: str, answer: str) -> list[RuleSet]:
    """The rule sets that give an answer."""
    return [rules for rules in RULE_SETS.values() if rules.answers[question] == answer]


def _cell(rules: RuleSet, question: str, folder: str) -> str:
    answer = rules.answers[question]
    mark = f" [{OPEN_MARK}](open-points.md#{rules.name}-{question})" if question in rules.open else ""
    return f"[{code(answer)}]({folder}{question}.md#{answer}){mark}"


def matrix() -> str:
    """Rule sets by question, every cell linked to its answer."""
    rows = [
        (f"[{code_}](questions/{code_}.md) {question.title}", *(_cell(rules, code_, "questions/") for rules in RULE_SETS.values()))
        for code_, question in QUESTIONS.items()
    ]
    return table(["question", *(f"[{code(name)}](#{name})" for name in RULE_SETS)], rows)


def rules_page() -> str:
    """The page of all rule sets."""
    parts = [
        "Two programs read the same match and show two error rates, often because they count different decisions. Every point on which "
        "they "
        f"differ is a question here, {len(QUESTIONS)} of them. A rule set is one answer to each, under the name of the program that "
        f"counts so.",
        "`reconcile rules` prints this matrix, `reconcile explain Q02` the page of a question. Without `--rules` a file is scored under "
        "the "
        f"rules of the tool that wrote it: {', '.join(f'{tool.name} {code(tool.rules)}' for tool in TOOLS.values())}.",
        matrix(),
        f"`{OPEN_MARK}`: nobody outside knows the program's answer. The best attested one is used; "
        "[open points](open-points.md) says what would settle it.",
        "## One by one",
    ]
    for rules in RULE_SETS.values():
        openly = ", ".join(f"[{code_}](open-points.md#{rules.name}-{code_})" for code_ in sorted(rules.open))
        own = ", ".join(tool.name for tool in TOOLS.values() if tool.rules == rules.name)
        lines = [f"{rules.title}."]
        if own:
            lines.append(f"The default for files written by {own}.")
        lines.append(f"Open: {openly}." if openly else "No answer is marked open.")
        parts += [heading(3, code(rules.name), rules.name), " ".join(lines)]
    return page("Rule sets", *parts)


def question_page(question: Question) -> str:
    """The page of a question with all its answers."""
    text = inspect.cleandoc(question.page).partition("\n")[2]
    parts = [
        paragraphs(text),
        table(
            ["rule set", "answer"],
            ((f"[{code(rules.name)}](../rules.md#{rules.name})", _answer_link(rules, question.code)) for rules in RULE_SETS.values()),
        ),
        "## Answers",
        *(_answer(question, answer) for answer in question.answers.values()),
    ]
    return page(f"{question.code}: {question.title}", *parts)


def _answer_link(rules: RuleSet, question: str) -> str:
    mark = f" [{OPEN_MARK}](../open-points.md#{rules.name}-{question})" if question in rules.open else ""
    return f"[{code(rules.answers[question])}](#{rules.answers[question]}){mark}"


def _answer(question: Question, answer: Answer) -> str:
    used = ", ".join(f"[{code(rules.name)}](../rules.md#{rules.name})" for rules in users(question.code, answer.name))
    facts = [
        ("Used by", used or "no rule set; `reconcile investigate` tries it"),
        ("Evidence", prose(answer.evidence.value)),
        ("Source", prose(answer.source)),
    ]
    if answer.fallback:
        replacement = f"[{code(answer.fallback)}](#{answer.fallback}) is used instead, and every result says so"
        facts.append(("If a file lacks what it needs", replacement))
    listed = "\n".join(f"- **{name}:** {text}" for name, text in facts)
    return f"{heading(3, code(answer.name), answer.name)}\n\n{paragraphs(answer.page)}\n\n{listed}"
