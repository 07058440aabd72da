"""The open points: every answer and every cell of the matrix that is marked open, and what would settle it."""

from __future__ import annotations

from typing import Final

from docs.making import public
from docs.making.evidence import cells
from docs.making.markdown import code, fenced, heading, page, prose, table
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

OTHERWISE: Final = (
    "A match with the program's own figures in which this answer and another answer to its question count differently; "
    "`reconcile investigate` lists the decisions on which they differ."
)


WANTED: Final = (
    (
        "bearoff_gammonnet_7p.xg",
        "https://raw.githubusercontent.com/kevung/xgparser/c856c79/xgparser/testdata/bearoff_gammonnet_7p.xg",
        "XG's window, as blunderDB's issue 595 very probably quotes it: 68 decisions (64 checker plays, 3 doubles, 1 take) and PR 8.48 for "
        "one player, 89 (78, 10, 1) and PR 0.52 for the other",
        "--reported pr=8.48 --reported decisions=68 --reported decisions.double=3",
    ),
    (
        "HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg",
        "https://raw.githubusercontent.com/kevung/blunderDB/487a648/testdata/"
        "HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg",
        "XG's PRs, as blunderDB states them: 9.28 and 13.20",
        "--reported pr=13.20",
    ),
)
"""Files that would decide Q03 and cannot be had here: name, address by commit, what XG shows of them, and how that is asked."""


def evidence_wanted() -> str:
    """How anybody who has one of the files settles the question."""
    parts = [
        heading(4, "Evidence wanted", "evidence-wanted"),
        "Two public files would decide this question. They are named in repositories, and no copy of them could be had here, so their "
        "SHA-256 is not known and no pack can name them. If you have one, two commands answer: the first prints the players' names, and "
        "the second says which clauses give XG's figures of the player whom you name. Send what it prints as an issue.",
    ]
    for name, address, seen, asked in WANTED:
        lines = (f"curl -LO {address}", f"reconcile stats {name} --rules xg", f"reconcile investigate {name} --player NAME {asked}")
        parts += [f"{code(name)}. {seen}.", fenced("\n".join(lines), "sh")]
    return "\n\n".join(
        [*parts, "What the answer changes, on the public files that are at hand: the PR of the players below, and nothing else."]
    )


def losing_side() -> str:
    """Public files on which the clauses of Q03 count differently, with the PR by each."""
    answers = list(QUESTIONS["Q03"].answers)
    rows = []
    for name, kept in public.measured().items():
        for player in kept["players"] if kept["format"] == "xg" else ():
            counts, rates = player["double_decisions"], player["pr_by_losing_side"]
            if len(set(counts.values())) > 1:
                rows.append((code(name), player["name"], *(f"{counts[answer]}, {rates[answer]:.2f}" for answer in answers)))
    listed = table(["file", "player", *(f"{code(answer)}: doubles, PR" for answer in answers)], rows, "ll" + "r" * len(answers))
    address = "[errors in published descriptions](errors-in-descriptions-of-files.md#files)"
    return f"{evidence_wanted()}\n\n{listed}\n\nThe SHA-256 of these files and where they are public: {address}."


def open_cells() -> list[tuple[str, str]]:
    """Rule set and question of every cell marked open."""
    return [(rules.name, question) for rules in RULE_SETS.values() for question in QUESTIONS if question in rules.open]


def open_points_page() -> str:
    """The page of everything open."""
    parts = [
        "Some answers are not known outside a program. They are marked, never silently guessed: the best attested answer is used, the "
        "others are tried by `reconcile investigate`, and this page says which file would settle the matter. If you have one, please open "
        "an issue.",
        heading(2, "Cells of the matrix", "cells"),
        "It is not known what a program does; the answer named here is used until somebody proves another.",
    ]
    for name, question in open_cells():
        cell = RULE_SETS[name].evidence[question]
        parts += [
            heading(3, f"{code(name)}, {question}", f"{name}-{question}"),
            f"[{QUESTIONS[question].title}](questions/{question}.md) {cell.status_words.capitalize()}: {prose(cell.quote or '')}. "
            f"Used until then: [{code(cell.used)}](questions/{question}.md#{cell.used}).",
            f"What would settle it: {cell.settled_by or OTHERWISE}",
        ]
        if (name, question) == ("xg", "Q03"):
            parts.append(losing_side())
    weak = [
        (rules, question, cell)
        for rules, question, cell in cells()
        if cell.answer and cell.status and not cell.status.needs_source and question not in rules.open
    ]
    parts += [
        heading(2, "Attested or inferred, not verified", "attested"),
        "These answers come from a third party's description of a program, or follow from a text that does not state them. No file with "
        "the program's own figures has confirmed them yet; one on which the answer makes a difference would.",
        table(
            ["rule set", "question", "answer", "status", "what is known, and where", "what would settle it"],
            (
                (
                    code(rules.name),
                    f"[{question}](questions/{question}.md)",
                    f"[{code(cell.used)}](questions/{question}.md#{cell.used})",
                    cell.status_words,
                    "; ".join(prose(text) for text in (cell.quote, cell.source) if text),
                    prose(cell.settled_by or OTHERWISE),
                )
                for rules, question, cell in weak
            ),
        ),
        heading(2, "Answers that no rule set gives", "answers"),
        "`reconcile investigate` tries them; who counts so, or is said to, is stated here.",
        table(
            ["question", "answer", "status", "source"],
            (
                (
                    f"[{code_}](questions/{code_}.md)",
                    f"[{code(name)}](questions/{code_}.md#{name})",
                    answer.status.value,
                    prose(answer.source),
                )
                for code_, question in QUESTIONS.items()
                for name, answer in question.answers.items()
                if answer.status
            ),
        ),
    ]
    return page("Open points", *parts)
