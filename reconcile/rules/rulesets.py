"""Rule sets: one answer to every question, named after the program that counts this way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reconcile.errors import UnknownName, expect
from reconcile.language import say
from reconcile.match.match import Match
from reconcile.match.tools import GNUBG, TOOLS, short_name
from reconcile.rules.catalogue import Answer, Cell, Question, Value, known_program, standing
from reconcile.rules.q01_play_counts import QUESTION as Q01
from reconcile.rules.q02_close_no_double import QUESTION as Q02
from reconcile.rules.q03_losing_side import QUESTION as Q03
from reconcile.rules.q04_optional_double import QUESTION as Q04
from reconcile.rules.values import Q05, Q06, Q07, Q08, Q09, Q10, Q11, Q12, Q13, Q14, Q15, Q16
from reconcile.wording import did_you_mean

__all__ = [
    "Q01",
    "Q02",
    "Q03",
    "Q04",
    "Q05",
    "Q06",
    "Q07",
    "Q08",
    "Q09",
    "Q10",
    "Q11",
    "Q12",
    "Q13",
    "Q14",
    "Q15",
    "Q16",
]

_EVERY: tuple[Question[Any], ...] = (
    Q01,
    Q02,
    Q03,
    Q04,
    Q05,
    Q06,
    Q07,
    Q08,
    Q09,
    Q10,
    Q11,
    Q12,
    Q13,
    Q14,
    Q15,
    Q16,
)
QUESTIONS: Mapping[str, Question[Any]] = MappingProxyType(
    {question.code: question for question in _EVERY}
)
"""Every question by code, in the order in which a bridge switches them."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One answer to every question."""

    name: str
    title: str
    answers: Mapping[str, str]
    """Question code -> name of the answer."""
    open: frozenset[str] = frozenset()
    """Questions for which nobody outside knows the program's answer; the answer here is our
    choice."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By question, every answer that the program may use as far as anybody outside knows, ours
    among them."""
    file: str = ""
    """The name of the file that declares it; empty for one that comes with the program."""
    program: str = ""
    """The program that counts so."""
    version: str = ""
    """Of the program or of the rules; empty where a file does not state it."""
    rates_decisions: bool = True
    """Whether the program has a rate per decision. Of one that has none it is not known what
    counts, so there is no PR under its rules."""
    basis: str = ""
    """What the rules as a whole rest on, in a few words."""
    evidence: Mapping[str, Cell] = field(default_factory=dict)
    """By question, how the program's answer is known."""

    def __hash__(self) -> int:
        return hash((self.name, self.file))

    @property
    def standing(self) -> str:
        """How far the rules are known, in words: what they rest on, and the answers that do not
        rest on the program itself."""
        return standing(self.basis, self.evidence)

    @property
    def words(self) -> str:
        """The rules in a sentence: `gnuBG's rules`; where a program has several, or a file declares
        them, `the rules blunderdb-2026`."""
        several = sum(rules.program == self.program for rules in RULE_SETS.values()) > 1
        is_named = several or self.file or not self.program or " " in short_name(self.program)
        if is_named:
            return say("rules.named", name=self.file or self.name)
        return say("rules.of", program=short_name(self.program))

    @property
    def known_as(self) -> str:
        """Its name; of rules that a file declares, that of a known rule set with the same answers,
        if there is one."""
        same = (rules.name for rules in RULE_SETS.values() if rules.answers == self.answers)
        return next(same, self.name) if self.file else self.name

    def answer(self, code: str) -> Answer[Any]:
        """The answer to a question."""
        return QUESTIONS[code].answers[self.answers[code]]

    def value(self, question: Question[Value]) -> Value:
        """The function or constant that answers a question."""
        return question.answers[self.answers[question.code]].value

    def switched(self, code: str, answer: str) -> RuleSet:
        """The same rules with one answer changed. Raises `UnknownName`."""
        if answer not in QUESTIONS[code].answers:
            raise UnknownName(
                f"{code} has no answer {answer!r}, expected one of "
                f"{', '.join(QUESTIONS[code].answers)}"
            )
        return replace(self, answers={**self.answers, code: answer})

    def differing(self, other: RuleSet) -> list[str]:
        """The questions to which another rule set has another answer."""
        return [code for code, answer in self.answers.items() if answer != other.answers[code]]

    def supported(
        self, code: str, match: Match, supports: dict[Callable[[Match], bool], bool] | None = None
    ) -> str:
        """The answer to a question, or the one that takes its place where a file does not have what
        it needs.

        `supports` keeps what was asked of the file, since several answers need the same.
        """
        supports = {} if supports is None else supports
        answers, used = QUESTIONS[code].answers, self.answers[code]
        while fallback := answers[used].fallback:
            applies = answers[used].applies
            if applies not in supports:
                supports[applies] = applies(match)
            if supports[applies]:
                break
            used = fallback
        return used

    def for_match(self, match: Match) -> tuple[RuleSet, tuple[tuple[str, str, str], ...]]:
        """The rules as far as a file supports them, and what was replaced: (question, wanted,
        used)."""
        supports: dict[Callable[[Match], bool], bool] = {}
        used = {code: self.supported(code, match, supports) for code in self.answers}
        replaced = tuple(
            (code, name, used[code]) for code, name in self.answers.items() if used[code] != name
        )
        return replace(self, answers=used) if replaced else self, replaced


def _shipped(name: str) -> RuleSet:
    """The rule set of a program, made of what is known of it."""
    facts, cells = known_program(name)
    return RuleSet(
        name=name,
        answers={code: cell.used for code, cell in cells.items()},
        open=frozenset(code for code, cell in cells.items() if cell.open),
        alternatives={code: cell.possible for code, cell in cells.items() if cell.possible},
        evidence=cells,
        **facts,
    )


NAMES = (
    "xg",
    "gnubg",
    "gnubg-manual",
    "blunderdb",
    "blunderdb-2026",
    "backgammondb",
    "gammonview",
    "bgblitz",
    "snowie4",
    "bgdb",
)
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType({name: _shipped(name) for name in NAMES})


def givers(code: str, answer: str) -> list[tuple[RuleSet, Cell]]:
    """The rule sets that give an answer to a question, and how it is known of each."""
    return [
        (rules, rules.evidence[code])
        for rules in RULE_SETS.values()
        if rules.answers[code] == answer
    ]


def is_rule_file(name: str) -> bool:
    """Whether what is given for a rule set is the path of a file, by its ending."""
    return name.lower().endswith((".yaml", ".yml"))


def rule_set(name: str | Path | Mapping[str, Any] | RuleSet) -> RuleSet:
    """A rule set by name, from a YAML file by its path, from what such a file has, or as it is.

    Raises `UnknownName`, `InvalidConfiguration`, `InvalidArgument`.
    """
    if isinstance(name, RuleSet):
        return name
    expect(
        "rules",
        name,
        (str, Path, Mapping),
        "the name of a rule set, the path of a .yaml file, a mapping like one, or a rule set",
    )
    if not isinstance(name, Mapping):
        name = str(name)
    if isinstance(name, Mapping) or is_rule_file(name):
        from reconcile.rules.rule_file import read_rules

        rule_sets = {rules.name: rules.answers for rules in RULE_SETS.values()}
        file = read_rules(
            name, {code: question.answers for code, question in QUESTIONS.items()}, rule_sets
        )
        cells = file.cells()
        return RuleSet(
            file.name or "",
            file.title or "",
            file.answers,
            frozenset(code for code, cell in cells.items() if cell.open),
            file="" if isinstance(name, Mapping) else Path(name).name,
            program=file.program or "",
            version=file.version or "",
            evidence=cells,
            rates_decisions=file.answers["Q08"] != "snowie",
        )
    if name not in RULE_SETS:
        raise UnknownName(
            f"no rule set {name!r}{did_you_mean(name, RULE_SETS)}, expected one of "
            f"{', '.join(RULE_SETS)}, or a file of rules that ends in .yaml"
        )
    return RULE_SETS[name]


def own_rules(match: Match, beside: Match | None = None) -> RuleSet:
    """The rule set of the tool that wrote the file; for a tool that counts nothing itself that of
    the match `beside` it, else `gnubg`."""
    tool = TOOLS.get(match.source.tool, GNUBG)
    if beside is not None and not tool.counts:
        return own_rules(beside)
    if tool.earlier_rules:
        changed, earlier = tool.earlier_rules
        version = tuple(
            int(number) for number in re.findall(r"\d+", match.source.tool_version or "")
        )
        if version and version < changed:
            return RULE_SETS[earlier]
    return RULE_SETS[tool.rules]


def answer_evidence(question: Question[Any], answer: Answer[Any]) -> list[tuple[str, str]]:
    """How it is known that programs give an answer, as `Evidence` and `Source`."""
    rows = givers(question.code, answer.name)
    if not rows:
        return [
            ("Evidence", f"{answer.status.value}: {answer.status.words}" if answer.status else ""),
            ("Source", answer.source),
        ]
    programs = ", ".join(f"{rules.name} {cell.status_words}" for rules, cell in rows)
    sources = "; ".join(
        f"{rules.name}: {cell.source}" for rules, cell in rows if cell.source and cell.answer
    )
    return [("Evidence", programs), ("Source", sources or "none: no program is known to count so")]


def rule_sets() -> Mapping[str, str]:
    """What every known rule set is about, by its name."""
    return {name: rules.title for name, rules in RULE_SETS.items()}
