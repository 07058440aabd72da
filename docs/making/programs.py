"""The matrix of programs: which answers each gives, and how that is known; what was probed is kept in `docs/programs.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from docs.making.markdown import code, fenced, page, prose, table
from reconcile.rules.catalogue import Evidence
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

KEPT: Final = Path(__file__).parents[1] / "programs.json"
CHECKED: Final = Path(__file__).parents[1] / "checked.json"
PROBED: Final = "P"
MARKS: Final = {Evidence.VERIFIED: "V", Evidence.DOCUMENTED: "D", Evidence.ATTESTED: "A", Evidence.OPEN: "?"}
"""From the strongest to the weakest."""


class Program(NamedTuple):
    """A program whose rules are known, and how."""

    name: str
    rules: str
    version: str
    known: Evidence
    """The strongest evidence that there is of any of its answers."""
    how: str
    date: str
    unknown: tuple[str, ...] = ()
    """Questions whose answer in the rule set is not the program's, since it shows nothing that depends on them."""


def _programs() -> tuple[Program, ...]:
    measured = {name: one["measured"] for name, one in json.loads(CHECKED.read_text("utf-8")).items()}
    verified, documented = Evidence.VERIFIED, Evidence.DOCUMENTED
    asked, documentation = "asked itself about other files as well", "its documentation"
    window, totals = "figures of its window, as people read them", "its own totals in 11 `.bgf` files"
    return (
        Program("GNU Backgammon", "gnubg", "1.07.001", verified, asked, measured["gnubg-fresh"]),
        Program("GammonView", "gammonview", "3.1.0", verified, asked, measured["gammonview"], unknown=("Q12",)),
        Program("eXtreme Gammon", "xg", "2, file versions 30 and 32", verified, window, measured["xg-window"]),
        Program("blunderDB", "blunderdb-2026", "statistics page of 2026", documented, documentation, "2026"),
        Program("BackgammonDB", "backgammondb", "pages on PR and match statistics", documented, documentation, "2026"),
        Program("BGBlitz", "bgblitz", "not stated in its files", verified, totals, "2026"),
    )


def programs_page() -> str:
    """The page with the matrix."""
    programs = _programs()
    probes: dict[str, dict[str, Any]] = {one["program"]: one for one in json.loads(KEPT.read_text("utf-8"))}
    links = {name: f"[{code(name)}](rules.md#{name})" for name in RULE_SETS}
    facts = []
    for one in programs:
        probe = probes.get(one.name)
        how = f"probed with `.{probe['format']}`; {one.how}" if probe else one.how
        facts.append((one.name, probe["version"] if probe else one.version, links[one.rules], how, probe["probed"] if probe else one.date))
    rows = [
        (f"[{code_}](questions/{code_}.md) {question.title}", *(_cell(one, code_, probes.get(one.name)) for one in programs))
        for code_, question in QUESTIONS.items()
    ]
    legend = (
        f"**{PROBED}** probed, **V** verified on its own figures, **D** documented by its author, **A** attested by others, **?** open."
    )
    return page(
        "Which program counts how",
        "The answers of every known program to the [questions](rules.md) on which programs differ, and how each is known.",
        table(("program", "version", "rule set", "how it is known", "date"), facts),
        legend,
        table(("question", *(one.name for one in programs)), rows),
        "## Borders that were measured",
        "Of a program that was probed, the two closest numbers with different figures; a dash where nothing changes.",
        _borders(probes),
        "## How a program is probed",
        "`reconcile probe` runs a program once for each of some forty small synthetic matches. In each, some answers give other figures "
        "than others; what the program prints leaves the answers that give all of it. It needs a command that prints the figures of a "
        "match in [any form that a candidate can have](candidates.md): a rate and the number of decisions are enough for most questions.",
        fenced("reconcile probe --candidate-command 'prog stats {file}' --program 'prog 2.1' -o rules.yaml --html probe.html", "sh"),
        "`--format sgf` writes the matches as gnuBG does, `--format xg` (the default) as eXtreme Gammon. The first line says which program "
        "counts alike and what could not be seen. `rules.yaml` is a [file of rules](rules.md#rules-of-your-own) with the evidence of every "
        "answer; `reconcile rules rules.yaml` compares it with the known rule sets. The columns of gnuBG and GammonView were made by "
        "`python -m benchmarks.programs`.",
        "Some answers no match can tell apart: `candidate-0` and `counted-plays` (Q06) where every play with a choice counts, `xg` and "
        "`bgblitz` (Q02) where every play counts, `xg` and `backgammondb` (Q12), which differ in howlers only. An `.xg` file has no "
        "beavers that are read here (Q14); an `.sgf` file has no resignation errors (Q07) and no stored errors (Q04, Q06).",
    )


def _cell(program: Program, question: str, probe: Mapping[str, Any] | None) -> str:
    rules = RULE_SETS[program.rules]
    answer, mark = rules.answer(question).name, ""
    if probe is not None and probe["answers"][question]["answer"] is not None:
        answer, mark = probe["answers"][question]["answer"], PROBED
    elif question in rules.open or question in program.unknown:
        mark = MARKS[Evidence.OPEN]
    else:
        strength = list(MARKS)
        mark = MARKS[max(program.known, rules.answer(question).evidence, key=strength.index)]
    return f"[{code(answer)}](questions/{question}.md#{answer}) {mark}"


def _borders(probes: Mapping[str, Mapping[str, Any]]) -> str:
    keys = dict.fromkeys(key for probe in probes.values() for key in probe["borders"])
    rows = []
    for key in keys:
        found = [probe["borders"].get(key) for probe in probes.values()]
        one = next(border for border in found if border)
        link = f"[{one['question']}](questions/{one['question']}.md) {prose(one['title'])}"
        rows.append((link, *("–" if border is None or border["low"] is None else _between(border) for border in found)))
    return table(("number (EMG)", *(f"{name} {probe['version']}" for name, probe in probes.items())), rows)


def _between(border: Mapping[str, Any]) -> str:
    low, high = (f"{border[end]:.7f}".rstrip("0").replace("-", "\N{MINUS SIGN}") for end in ("low", "high"))
    return f"{low} to {high}"
