"""Rule sets: one answer to every question, named after the program that counts this way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from reconcile.errors import UnknownName
from reconcile.match import Match
from reconcile.rules import (
    q01_play_counts,
    q02_close_no_double,
    q03_losing_side,
    q04_optional_double,
    q05_not_analysed,
    q06_error_size,
    q07_resignations,
    q08_rate,
    q09_one_point,
    q10_response_cube,
    q11_match_equity_table,
    q12_thresholds,
    q13_cap,
    q14_beaver,
    q15_right_action,
    q16_dead_cube,
)
from reconcile.rules.catalogue import Answer, Question
from reconcile.tools import GNUBG, TOOLS

QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        module.QUESTION.code: module.QUESTION
        for module in (
            q01_play_counts,
            q02_close_no_double,
            q03_losing_side,
            q04_optional_double,
            q05_not_analysed,
            q06_error_size,
            q07_resignations,
            q08_rate,
            q09_one_point,
            q10_response_cube,
            q11_match_equity_table,
            q12_thresholds,
            q13_cap,
            q14_beaver,
            q15_right_action,
            q16_dead_cube,
        )
    }
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
    """Questions for which nobody outside knows the program's answer; the answer here is our choice."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By question, every answer that the program may use as far as anybody outside knows, ours among them."""
    file: str = ""
    """The name of the file that declares it; empty for one that comes with the program."""
    version: str = ""
    """Of the program or of the rules, where a file states it."""
    evidence: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By question, how a file says that its answer is known."""

    def answer(self, code: str) -> Answer:
        """The answer to a question."""
        return QUESTIONS[code].answers[self.answers[code]]

    def value(self, code: str) -> Any:
        """The function or constant that answers a question."""
        return QUESTIONS[code].answers[self.answers[code]].value

    def switched(self, code: str, answer: str) -> RuleSet:
        """The same rules with one answer changed. Raises `UnknownName`."""
        if answer not in QUESTIONS[code].answers:
            raise UnknownName(f"{code} has no answer {answer!r}, expected one of {', '.join(QUESTIONS[code].answers)}")
        return replace(self, answers=MappingProxyType({**self.answers, code: answer}))

    def differing(self, other: RuleSet) -> list[str]:
        """The questions to which another rule set has another answer."""
        return [code for code, answer in self.answers.items() if answer != other.answers[code]]

    def supported(self, code: str, match: Match, known: dict[Callable[[Match], bool], bool] | None = None) -> str:
        """The answer to a question, or the one that takes its place where a file does not have what it needs.

        `known` keeps what was asked of the file, since several answers need the same.
        """
        known = {} if known is None else known
        answers, used = QUESTIONS[code].answers, self.answers[code]
        while fallback := answers[used].fallback:
            applies = answers[used].applies
            if applies not in known:
                known[applies] = applies(match)
            if known[applies]:
                break
            used = fallback
        return used

    def for_match(self, match: Match) -> tuple[RuleSet, tuple[tuple[str, str, str], ...]]:
        """The rules as far as a file supports them, and what was replaced: (question, wanted, used)."""
        known: dict[Callable[[Match], bool], bool] = {}
        used = {code: self.supported(code, match, known) for code in self.answers}
        replaced = tuple((code, name, used[code]) for code, name in self.answers.items() if used[code] != name)
        return (replace(self, answers=MappingProxyType(used)) if replaced else self), replaced


def _rule_set(
    name: str, title: str, answers: str, *, open_: tuple[str, ...] = (), alternatives: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> RuleSet:
    """A rule set from its answers to Q01, Q02... in order."""
    given = dict(zip(QUESTIONS, answers.split(), strict=True))
    for code, answer in given.items():
        if answer not in QUESTIONS[code].answers:
            raise ValueError(f"rule set {name}: {code} has no answer {answer}")
    return RuleSet(name, title, MappingProxyType(given), frozenset(open_), MappingProxyType(dict(alternatives)))


RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            _rule_set(
                "xg",
                "eXtreme Gammon's statistics window",
                "xg-flag xg minus-0.9 yes left-out stored yes-without-decision "
                "500/counted x1.5 before-double Kazaross-XG2 xg 100 as-played yes no",
                open_=("Q03",),
                alternatives={
                    "Q03": ("nd-positive", "minus-0.5", "minus-0.9"),
                    "Q07": ("yes-without-decision", "no"),
                    "Q09": ("x1.5", "x1"),
                },
            ),
            _rule_set(
                "gnubg",
                "GNU Backgammon's statistics of a saved match",
                "gnubg gnubg all yes left-out candidate-0 no 1000/counted x1 before-double Kazaross-XG2 gnubg none gnubg-recount yes no",
            ),
            _rule_set(
                "gnubg-manual",
                "GNU Backgammon as its manual describes it",
                "gnubg gnubg-manual all yes left-out candidate-0 no 1000/counted x1 before-double Kazaross-XG2 gnubg none as-played yes no",
                open_=("Q02",),
            ),
            _rule_set(
                "blunderdb",
                "blunderDB, first statistics page (releases before the tighter one)",
                "gnubg window-0.16 all yes "
                "left-out millipoint no 500/counted x1 before-double Kazaross-XG2 blunderdb none as-played yes no",
                open_=("Q07", "Q10"),
            ),
            _rule_set(
                "blunderdb-2026",
                "blunderDB, statistics page of 2026",
                "blunderdb xg nd-positive yes "
                "left-out millipoint no 500/counted x1 before-double Kazaross-XG2 blunderdb none as-played yes no",
                open_=("Q01", "Q07"),
            ),
            _rule_set(
                "backgammondb",
                "BackgammonDB",
                "xg-flag xg minus-0.9 within-0.001-no left-out stored yes-without-decision "
                "500/counted x1.5 before-double Kazaross-XG2 backgammondb none as-played yes no",
            ),
            _rule_set(
                "gammonview",
                "GammonView 3.1",
                "xg-spread xg-rounded minus-0.9-right trivial-no left-out ten-thousandth no "
                "500/counted x1 before-double Kazaross-XG2 xg none as-played yes no",
            ),
            _rule_set(
                "bgblitz",
                "BGBlitz's totals in a .bgf file",
                "bgblitz bgblitz all yes "
                "left-out counted-plays no 500/counted x1 before-double file bgblitz none as-played only-errors with-the-play",
                open_=("Q08",),
            ),
            _rule_set(
                "snowie4",
                "Snowie 4's error rate",
                "all-plies gnubg all yes left-out candidate-0 no snowie x1 before-double Kazaross-XG2 gnubg none as-played yes no",
            ),
        )
    }
)


def is_rule_file(name: str) -> bool:
    """Whether what is given for a rule set is the path of a file, by its ending."""
    return name.lower().endswith((".yaml", ".yml"))


def rule_set(name: str | RuleSet) -> RuleSet:
    """A rule set by name, from a YAML file by its path, or as it is. Raises `UnknownName`, `InvalidConfiguration`."""
    if isinstance(name, RuleSet):
        return name
    if is_rule_file(name):
        from reconcile.rules.rule_file import read_rules

        known = {one.name: one.answers for one in RULE_SETS.values()}
        file = read_rules(Path(name), {code: question.answers for code, question in QUESTIONS.items()}, known)
        return RuleSet(
            file.name or "",
            file.title or "",
            MappingProxyType(file.answers),
            file=Path(name).name,
            version=file.version or "",
            evidence=MappingProxyType(file.evidence),
        )
    if name not in RULE_SETS:
        raise UnknownName(f"no rule set {name!r}, expected one of {', '.join(RULE_SETS)}, or a file of rules that ends in .yaml")
    return RULE_SETS[name]


def own_rules(match: Match, beside: Match | None = None) -> RuleSet:
    """The rule set of the tool that wrote the file; for a tool that counts nothing itself that of the match `beside` it, else `gnubg`."""
    tool = TOOLS.get(match.source.tool, GNUBG)
    if beside is not None and not tool.counts:
        return own_rules(beside)
    if tool.earlier_rules:
        changed, earlier = tool.earlier_rules
        version = tuple(int(number) for number in re.findall(r"\d+", match.source.tool_version or ""))
        if version and version < changed:
            return RULE_SETS[earlier]
    return RULE_SETS[tool.rules]
