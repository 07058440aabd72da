"""The pages of rules, made of the table of programs: the matrix of rule sets, every question, what
is known of every answer of every program (`docs/evidence.json`), and what is open."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs.making.markdown import code, coded, fenced, filled, page, paragraphs, prose, table
from reconcile.match.tools import TOOLS
from reconcile.report.explain import rule_differences
from reconcile.rules.catalogue import Answer, Cell, Question, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, rule_set

EVIDENCE = Path(__file__).parents[1] / "evidence.json"
"""The table of programs as it is published."""


def cells() -> Iterator[tuple[RuleSet, str, Cell]]:
    """Every row of the table, in the order of the rule sets."""
    for rules in RULE_SETS.values():
        for question, cell in rules.evidence.items():
            yield rules, question, cell


def rows() -> list[dict[str, str | None]]:
    """The table as it is published."""
    return [
        {
            "program": rules.program,
            "version": rules.version,
            "question": question,
            "answer": cell.answer,
            "status": cell.status.value if cell.status else None,
            "source": cell.source,
            "quote": cell.quote,
            "date": cell.date,
            "separates": cell.separates,
        }
        for rules, question, cell in cells()
    ]


def evidence_json() -> str:
    """The file."""
    return json.dumps(rows(), indent=1, ensure_ascii=False) + "\n"


def linked(question: str) -> str:
    """A question as a link."""
    return f"[{question}](questions/{question}.md)"


def answer_of(cell: Cell, page: str) -> str:
    """The answer as a link to its section of a page; of an unknown one what is used meanwhile."""
    link = f"[{code(cell.used)}]({page}#{cell.used})"
    if cell.answer:
        return link
    unknown = "not applicable" if cell.status is Status.NOT_APPLICABLE else "unknown"
    return f"{unknown}, {link} is used"


def grounds(cell: Cell) -> str:
    """What is known of an answer, and where."""
    return "; ".join(prose(text) for text in (cell.quote, cell.source) if text) or "–"


# -- rule sets and questions -----------------------------------------------------------------------

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
OF_RULES = """\
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
        OF_RULES,
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


# -- programs --------------------------------------------------------------------------------------

PROBED = Path(__file__).parents[1] / "programs.json"
"""What was probed of the programs that run here."""
OF_PROGRAMS = """\
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
    probes: list[dict[str, Any]] = json.loads(PROBED.read_text("utf-8"))
    facts = (
        (f"[{code(name)}](#{name})", f"{prose(rules.program)} {rules.version}", rules.title)
        for name, rules in RULE_SETS.items()
    )
    text = filled(
        OF_PROGRAMS,
        facts=table(("rule set", "program", "what it is"), facts),
        counts=_counts(),
        probed="; ".join(
            "{program} {version} with `.{format}` files, on {probed}".format(**probe)
            for probe in probes
        ),
        each="\n\n".join(part for rules in RULE_SETS.values() for part in _of_program(rules)),
    )
    return page("Which program counts how", text)


def _counts() -> str:
    numbers = Counter(cell.status for _, _, cell in cells())
    rows = [(status.value, status.words, numbers[status]) for status in Status]
    return table(("status", "what it means", "answers"), rows, "llr")


def _of_program(rules: RuleSet) -> Iterator[str]:
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


# -- open points -----------------------------------------------------------------------------------

OF_OPEN_POINTS = """\
Some rules of a program are not known outside it. Each is marked `?` wherever it is used. The \
best attested answer is used meanwhile, `reconcile investigate` tries the others, and figures \
that depend on it are shown as a range. This page says which file would settle each point. If you \
have one, please open an issue.

## Evidence wanted {#evidence-wanted}

Of eXtreme Gammon one rule that moves figures is open: [which no-doubles of the losing side \
count](questions/Q03.md).

Three public files would decide it. Two repositories name them, but we have no copy and do not \
know their SHA-256. If you have one, run its commands below. The `stats` command prints the \
players' names. The `investigate` command says which answers give XG's figures of the player you \
name. Please send what it prints as an issue.

`bearoff_gammonnet_7p.xg`. XG's window of this match, or of one that ends in the same bear-offs, \
is quoted in blunderDB's reference `issue595`: 68 decisions (64 checker plays, 3 doubles, 1 take) \
and PR 8.48 for one player, 89 decisions (78, 10, 1) and PR 0.52 for the other.

```sh
curl -LO \
https://raw.githubusercontent.com/kevung/xgparser/c856c79/xgparser/testdata/bearoff_gammonnet_7p.xg
reconcile stats bearoff_gammonnet_7p.xg --rules xg
reconcile investigate bearoff_gammonnet_7p.xg --player NAME --reported pr=8.48 --reported \
decisions=68 --reported decisions.double=3
```

`Kev_GammonNetNormal_2026-10-06_7p.xg`. blunderDB's reference of its issue 595 names this file \
(`testdata/`), so the figures above are its figures. If the two files differ, this one decides \
and the other only shows its bear-offs.

```sh
reconcile stats Kev_GammonNetNormal_2026-10-06_7p.xg --rules xg
reconcile investigate Kev_GammonNetNormal_2026-10-06_7p.xg --player NAME --reported pr=8.48 \
--reported decisions=68 --reported decisions.double=3
```

`HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg`. According to blunderDB, XG \
shows PR 9.28 and 13.20.

```sh
curl -LO \
https://raw.githubusercontent.com/kevung/blunderDB/487a648/testdata/HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg
reconcile stats HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg --rules xg
reconcile investigate HsbtMarseille_main_ronde4_LamourDeCaslouGildas_UngerKevin_7p.xg --player \
NAME --reported pr=13.20
```

On the public files that we have, the answer changes the PR of these players and nothing else. Each
cell has the double decisions and the PR:

| file | player | `nd-positive` | `minus-0.9`, `minus-0.9-right` | `all` | `minus-0.5` |
| --- | --- | ---: | ---: | ---: | ---: |
| `match_with_comment.xg` | Nicolas HARMAND | 10, 6.75 | 13, 6.51 | 26, 5.64 | 12, 6.59 |
| `ronde1-UngerHarmand-FriebeJacobi-7pt.xg` | FRIEBE JACOBI | 17, 3.65 | 18, 3.61 | 18, 3.61 | \
18, 3.61 |
| `MYdvw1qGuyaRUH__.xg` | Jade1 | 4, 11.22 | 4, 11.22 | 9, 10.10 | 4, 11.22 |
| `UL-CV6F9jMM-E1Pu.xg` | Dunes_04 | 10, 21.61 | 11, 21.38 | 11, 21.38 | 11, 21.38 |
| `UL-CV6F9jMM-E1Pu.xg` | Jade1 | 16, 8.40 | 17, 8.32 | 17, 8.32 | 17, 8.32 |

The last two files are samples of the package gammonview 3.1.0.
[Errors in published descriptions](errors-in-published-descriptions.md#files) has the SHA-256 of
the others and their addresses.

## Unknown answers {#cells}

The answer in the third column is used until somebody proves another. Where the last column is \
empty, it takes a match with the program's own figures in which this answer and another one count \
differently. `reconcile investigate` lists the decisions on which they differ.

[[unknown]]

## Attested or inferred, not verified {#attested}

These answers come from a third party's description of a program, or follow from a text that does \
not state them. No file with the program's own figures has confirmed them yet. Where the last \
column is empty, it takes a match with the program's own figures in which this answer and another \
one count differently.

[[unverified]]

## Answers that no rule set gives {#answers}

`reconcile investigate` tries these answers too. The last column says who counts so, or is said to.

[[unused]]"""
"""The prices of the answers of Q03 are measured once; `tests/project/test_site.py` measures them
again where the files are."""


def open_points_page() -> str:
    """The page of everything open."""
    known = ("question", "answer used", "status", "what is known, and where")
    text = filled(
        OF_OPEN_POINTS,
        unknown=table(("rule set", *known, "what would settle it"), _open_cells(True)),
        unverified=table(("rule set", *known, "what would settle it"), _open_cells(False)),
        unused=table(("question", "answer", "status", "source"), _unused()),
    )
    return page("Open points", text)


def _open_cells(unknown: bool) -> Iterator[tuple[str, ...]]:
    """The cells that are open, or those that no figure of the program itself confirms."""
    for rules, question, cell in cells():
        sourced = not cell.status or cell.status.needs_source
        if cell.open if unknown else cell.answer and not sourced and not cell.open:
            anchor = f"{{#{rules.name}-{question}}} {QUESTIONS[question].title}" if unknown else ""
            yield (
                code(rules.name),
                f"{linked(question)}{anchor}",
                f"[{code(cell.used)}](questions/{question}.md#{cell.used})",
                cell.status_words,
                grounds(cell),
                prose(cell.settled_by),
            )


def _unused() -> Iterator[tuple[str, ...]]:
    for number, question in QUESTIONS.items():
        for name, answer in question.answers.items():
            if answer.status:
                link = f"[{code(name)}](questions/{number}.md#{name})"
                yield linked(number), link, answer.status.value, prose(answer.source)
