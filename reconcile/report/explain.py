"""The page of every code: questions and answers, findings, figures; generated from the data that
the program itself uses."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from reconcile.errors import UnknownName
from reconcile.files.bundled import read_pages
from reconcile.gap.explanation import ROW_PAGES
from reconcile.gap.walk import CAUSES
from reconcile.infer.reported import CHECKS
from reconcile.report.blocks import FIXED, beside
from reconcile.report.numbers import WIDTH
from reconcile.rules.catalogue import Answer, Cell, Question
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, answer_evidence, givers
from reconcile.scoring.figures import ALIASES, METRICS
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.gnubg_table import RESULTS
from reconcile.wording import harmless, plural

BENCHMARK_FIGURES = read_pages(Path(__file__).with_name("benchmark_figures.md"))
"""The figures of an engine's score, which the package `engine_benchmark` computes."""


GROUPS: dict[str, Mapping[str, Any]] = {
    "Questions": QUESTIONS,
    "Rule sets": RULE_SETS,
    "Findings": FINDINGS,
    "What makes the gap of a player": ROW_PAGES,
    "Causes of a gap": CAUSES,
    "Checks of an investigation": CHECKS,
    "Figures": METRICS,
    "Luck and results in gnuBG": RESULTS,
    "Figures of a benchmark score": BENCHMARK_FIGURES,
}
"""What has a page, by title; one code may be in two groups, as the cause and the check
`rounding`."""


def codes() -> list[str]:
    """Every code that has a page."""
    answers = [
        f"{question.code}:{name}" for question in QUESTIONS.values() for name in question.answers
    ]
    return list(
        dict.fromkeys(
            [*QUESTIONS, *answers, *(code for group in GROUPS.values() for code in group)]
        )
    )


def page(code: str) -> str:
    """The page of a code. Raises `UnknownName` with the nearest codes."""
    code = {name.lower(): name for name in (*codes(), *ALIASES)}.get(code.lower(), code)
    question, _, answer = code.partition(":")
    if question.upper() in QUESTIONS:
        return _question(QUESTIONS[question.upper()], answer)
    if code in RULE_SETS:
        rules = RULE_SETS[code]
        answers = "\n".join(
            _row(f"  {key}  ", f"{QUESTIONS[key].title}  {_cell(rules, key)}")
            + _evidence(rules, key)
            for key in rules.answers
        )
        return "\n\n".join([f"{code}: {rules.title}", _wrapped(f"{_standing(rules)}."), answers])
    names = dict.fromkeys((code, ALIASES.get(code, code)))
    entries = [(name, group[name]) for group in GROUPS.values() for name in names if name in group]
    if entries:
        return "\n\n".join(_entry(name, entry) for name, entry in entries)
    near = [cause for cause in CAUSES if cause.startswith(f"{code}.")] or get_close_matches(
        code, codes(), 3
    )
    hint = f"; did you mean {' or '.join(near)}?" if near else ";"
    raise UnknownName(f"no page {code!r}{hint} `reconcile explain` lists all")


def _entry(code: str, entry: Any) -> str:
    """The page of a finding with its advice, of a figure with its unit, or of anything else that
    has a title and a page."""
    text = _wrapped(inspect.cleandoc(entry.page))
    if code in FINDINGS:
        advice = _wrapped(f"What to do: {entry.advice}")
        return "\n\n".join([f"{code} ({entry.severity}): {entry.title}", text, advice])
    unit = f" ({entry.unit})" if code in METRICS and entry.unit else ""
    return f"{code}: {entry.title}{unit}\n\n{text}"


def _question(question: Question[Any], name: str) -> str:
    answers, title = question.answers, f"{question.code}: {question.title}"
    if name in answers:
        return f"{title}\n\n{_answer(answers[name], question)}"
    if name:
        expected = f"expected one of {', '.join(answers)}"
        raise UnknownName(f"{question.code} has no answer {name!r}, {expected}")
    page = _wrapped(inspect.cleandoc(question.page).partition("\n")[2])
    return "\n\n".join([title, page, *(_answer(answer, question) for answer in answers.values())])


def _answer(answer: Answer[Any], question: Question[Any]) -> str:
    used = ", ".join(rules.name for rules, _ in givers(question.code, answer.name))
    lines = [
        _wrapped(inspect.cleandoc(answer.page), "    "),
        _wrapped(f"Used by: {used or 'no rule set'}", "    "),
    ]
    lines += [
        _wrapped(f"{name}: {text}", "    ") for name, text in answer_evidence(question, answer)
    ]
    if answer.fallback:
        lines.append(f"    If a file lacks what it needs: {answer.fallback}")
    return "\n".join([f"  {answer.name}", *lines])


def _evidence(rules: RuleSet, code: str) -> str:
    """How a rule set's answer to a question is known, in lines of their own."""
    return f"\n{_row(' ' * 7, _declared(rules.evidence[code]))}"


def _wrapped(text: str, indent: str = "") -> str:
    paragraphs = [" ".join(part.split()) for part in text.strip().split("\n\n")]
    return "\n\n".join(
        textwrap.fill(part, WIDTH, initial_indent=indent, subsequent_indent=indent)
        for part in paragraphs
    )


def table_of_contents() -> str:
    """Every code with its title."""
    parts = []
    for title, entries in GROUPS.items():
        width = max(map(len, entries)) + 2
        parts.append(
            "\n".join(
                [title, *(f"  {code:<{width}}{entry.title}" for code, entry in entries.items())]
            )
        )
    return (
        "\n\n".join(parts)
        + "\n\n`reconcile explain CODE` prints the page; `Q01:xg-flag` that of one answer."
    )


def rule_matrix() -> str:
    """Every question with its answers, and the rule sets that give each."""
    lines = []
    for code, question in QUESTIONS.items():
        answers: dict[str, list[str]] = {}
        for name, rules in RULE_SETS.items():
            answers.setdefault(rules.answers[code], []).append(
                name + (" ?" if code in rules.open else "")
            )
        width = max(map(len, answers)) + 2
        lines += [
            f"{code} {question.title}",
            *(_row(f"  {answer:<{width}}", ", ".join(names)) for answer, names in answers.items()),
        ]
    note = (
        "? nobody outside knows the program's answer, this one is used meanwhile; "
        "`reconcile explain NAME` says how each is known"
    )
    return "\n".join([*lines, "", textwrap.fill(note, WIDTH)])


def rule_differences(rules: RuleSet) -> str:
    """Where a rule set differs from the known ones: from the nearest every answer, from the others
    the questions."""
    every_other = [other for other in RULE_SETS.values() if other.name != rules.name]
    nearest, *farther = sorted(every_other, key=lambda other: len(rules.differing(other)))
    codes, both = rules.differing(nearest), (rules, nearest)
    width = max(len(side.name) for side in both) + 2
    title = " ".join(
        [*rules.title.split(), *([f"(version {rules.version})"] if rules.version else [])]
    )
    lines = [f"{rules.name}: {title}", "", f"Nearest: {nearest.name}, {_differences(codes)}"]
    for code in codes:
        question = f"{code} {QUESTIONS[code].title}"
        lines += textwrap.wrap(question, WIDTH, initial_indent="  ", subsequent_indent=" " * 6)
        lines += [f"      {side.name:<{width}}{_cell(side, code)}" for side in both]
    width = max(len(other.name) for other in every_other) + 2
    lines += ["", "The others"]
    for other in farther:
        lines.append(_row(f"  {other.name:<{width}}", _differences(rules.differing(other))))
    if not rules.file:
        evidence = f"`reconcile explain {rules.name}` has the evidence."
        lines += ["", _wrapped(f"{_standing(rules)}. {evidence}")]
    elif rules.evidence:
        lines += ["", "Evidence"]
        for code, cell in sorted(rules.evidence.items()):
            lines.append(_row(f"  {code}  ", _declared(cell)))
    return harmless("\n".join(lines))


def _standing(rules: RuleSet) -> str:
    return f"{rules.program} {rules.version}: {rules.standing}"


def _declared(cell: Cell) -> str:
    """The evidence for an answer."""
    parts = "; ".join(filter(None, (cell.quote, cell.source, cell.date)))
    return f"{cell.status_words}{': ' if parts else ''}{parts}" if cell.status else parts


def _differences(codes: Sequence[str]) -> str:
    """How many answers differ, and to which questions."""
    if not codes:
        return "the same answers"
    differ = "differs" if len(codes) == 1 else "differ"
    return f"{plural(len(codes), 'answer')} {differ}: {', '.join(codes)}"


def _row(head: str, text: str) -> str:
    """The text beside its head; a question mark stays beside what it marks."""
    return "\n".join(beside(head, text.replace(" ?", f"{FIXED}?")))


def _cell(rules: RuleSet, code: str) -> str:
    return rules.answers[code] + (" ?" if code in rules.open else "")
