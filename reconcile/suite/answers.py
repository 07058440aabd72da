"""From the figures of a program to its answers, and these as a file of rules.

The figures of a case from which answers are read are known under every combination of answers to
its questions, and what the program gives leaves some of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import yaml

from reconcile.infer.reported import Reported, fits_figure
from reconcile.rules.catalogue import Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import METRICS
from reconcile.suite.cases import FORMATS, PLAIN_CASE, STUDIED, Case, by_id, every, table
from reconcile.suite.documents import CaseResult
from reconcile.wording import either, listed, one_line, plural

RATES = {
    "pr": "500/counted",
    "error_rate_memg": "1000/counted",
    "snowie_er": "snowie",
    "snowie_memg": "snowie",
}
"""The answer to Q08 by the rate that a program gives."""
LONGEST_NAME = 40
LONGEST_TITLE = 200
MOST_NEAR = 3
"""Rule sets that a sentence names; of more, only their number."""
NO_CASE = "no case about it was run"
Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some, or several to one."""


class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    def __init__(self, result: CaseResult, names: frozenset[str]) -> None:
        self.case = result.case
        self.failure = "" if result.printed else result.reason
        """Why it has no figures; empty if it has."""
        shown, changing = _studied(result), self.case.given[result.form]
        self.figures = {name: shown[name] for name in changing if name in shown.keys() & names}
        combinations = list(self.case.combinations(result.form))
        self.every: Sequence[Mapping[str, str]] = [answers for answers, _ in combinations]
        self.fitting: Sequence[Mapping[str, str]] = [
            answers
            for answers, figures in combinations
            if all(fits_figure(figures[name], figure) for name, figure in self.figures.items())
        ]
        """The combinations of answers that give the figures."""

    @property
    def codes(self) -> Answers:
        """The questions that it is about."""
        return self.case.reads

    def excluded(self, code: str) -> set[str]:
        """The answers to a question that do not give the figures."""
        possible = {answers[code] for answers in self.fitting}
        return {answers[code] for answers in self.every} - possible if possible else set()

    def __str__(self) -> str:
        return f"{self.case.id} ({self.case.about})"


def _studied(result: CaseResult) -> Mapping[str, Reported]:
    """The figures that a program gives of the studied player."""
    return result.printed.get(result.case.players[STUDIED], {})


@dataclass(frozen=True)
class Finding:
    """The answers that a program may give to a question."""

    possible: Answers
    evidence: str
    """How they are known, or why they are not."""
    is_seen: bool = False
    """Whether the cases that were run say anything of it."""
    is_explained: bool = True
    """Whether known answers give the figures of all cases about it."""

    @property
    def answer(self) -> str | None:
        """The only possible answer, if it is known."""
        is_known = self.is_seen and self.is_explained and len(self.possible) == 1
        return self.possible[0] if is_known else None


@dataclass(frozen=True)
class ReadBack:
    """What was found of a program's rules."""

    program: str
    form: str
    """The format of most files that it was given."""
    names: frozenset[str]
    """The figures that it gives and that mean what they are called."""
    findings: Mapping[str, Finding]

    @cached_property
    def nearest(self) -> tuple[RuleSet, ...]:
        """The known rule sets with the fewest other answers, as far as files of the format support
        them."""
        match = _plain_case().read(self.form)
        rule_sets = [rules.for_match(match)[0] for rules in RULE_SETS.values()]
        fewest = min(len(self.differing(rules)) for rules in rule_sets)
        return tuple(rules for rules in rule_sets if len(self.differing(rules)) == fewest)

    def differing(self, rules: RuleSet) -> list[str]:
        """The questions to which the program cannot have the answer of a rule set."""
        return [
            code
            for code, finding in self.findings.items()
            if finding.is_seen and rules.answers[code] not in finding.possible
        ]


def _plain_case() -> Case:
    return by_id()[PLAIN_CASE]


def read_back(program: str, results: Iterable[CaseResult]) -> ReadBack:
    """The answers of a program by its figures of cases.

    Only figures that are right in the case on which all rules agree are used, if that is among the
    cases. A figure that it does not have (grades of errors, which depend on rules) is taken at its
    word.
    """
    asked = [result for result in results if result.form]
    form = next((result.form for result in asked), FORMATS[0])
    shown = {result.id: _studied(result) for result in asked}
    plain = _plain_case()
    right = [plain.under(rules, form)[plain.players[STUDIED]] for rules in RULE_SETS]
    wrong = {
        name
        for name, figure in shown.get(PLAIN_CASE, {}).items()
        if not any(fits_figure(figures.get(name), figure) for figures in right)
    }
    names = frozenset(name for figures in shown.values() for name in figures) - wrong
    readings = [Reading(result, names) for result in asked if result.case.reads]
    return ReadBack(program, form, names, _findings(readings, form, names))


def _findings(
    readings: Sequence[Reading], form: str, names: frozenset[str]
) -> Mapping[str, Finding]:
    """A finding for every question; a case that contradicts the others is left out, and its
    questions have no answer."""
    supported: Mapping[str, Sequence[str]] = table()["answers"][form]
    left, contradicting = _left(readings, supported)
    findings = {}
    for code, answers in supported.items():
        about = [reading for reading in readings if code in reading.codes]
        possible = tuple(answer for answer in answers if answer in left[code])
        unlike = [str(reading) for reading in about if reading in contradicting]
        unseen = _unseen(code, about, form, names)
        if code == "Q08":
            possible, unseen = _rate(possible, names)
        elif not unseen and len(possible) == len(answers) and not unlike and code != "Q11":
            unseen = "the figures that it prints are the same under all answers"
        evidence = f"no known answer gives {'; '.join(unlike)}"
        evidence = evidence if unlike else _evidence(code, possible, about)
        findings[code] = Finding(possible, unseen or evidence, not unseen, not unlike)
    return findings


def _left(
    readings: Sequence[Reading], supported: Mapping[str, Sequence[str]]
) -> tuple[Mapping[str, set[str]], Sequence[Reading]]:
    """By question the answers that are still possible, and the cases that contradict the others;
    cases about one question come first."""
    left, before = {code: set(answers) for code, answers in supported.items()}, None
    used = [reading for reading in readings if reading.figures]
    used.sort(key=lambda reading: len(reading.codes))
    contradicting: list[Reading] = []
    while before != left:
        before = dict(left)
        for reading in used:
            rows = [row for row in reading.fitting if all(row[code] in left[code] for code in row)]
            left |= {code: {row[code] for row in rows} for code in reading.codes if rows}
            contradicting += [] if rows else [reading]
        used = [reading for reading in used if reading not in contradicting]
    return left, contradicting


def _rate(possible: Answers, names: frozenset[str]) -> tuple[Answers, str]:
    """What a program may answer to Q08 by the rates that it prints, and why that is not seen."""
    rates = list(dict.fromkeys(RATES[name] for name in RATES if name in names))
    if len(rates) > 1 and rates[-1] == RATES["snowie_memg"]:
        rates.pop()  # printed beside a rate of decisions
    if len(rates) == 1:
        return tuple(rates), ""
    none = "it prints no rate" if names else NO_CASE
    return tuple(rates) or possible, "it prints several rates" if rates else none


def _unseen(code: str, about: Sequence[Reading], form: str, names: frozenset[str]) -> str:
    """Why the cases say nothing of a question; empty where they may."""
    if code == "Q11":
        if any(name.startswith("mwc_loss") for name in names):
            return ""
        return "it prints no loss in match winning chance" if names else NO_CASE
    if not about:
        can = any(code in case.reads and form in case.formats for case in every())
        return NO_CASE if can else f"no .{form} file can show it"
    if all(reading.failure for reading in about):
        return f"it fails on the matches about it: {about[0].failure}"
    if not any(reading.figures for reading in about):
        return "it prints no figure that shows it"
    return ""


def _evidence(code: str, possible: Answers, about: Sequence[Reading]) -> str:
    """How an answer is known, or which cannot be told apart."""
    if code == "Q08":
        name = next(name for name, answer in RATES.items() if answer == possible[0])
        return f"it prints {METRICS[name].words}"
    if code == "Q11":
        return "every loss in match winning chance that it prints"
    if len(possible) > 1:
        return f"the same figures in every match: {either(possible)}"
    deciding, excluded = [], set[str]()
    for reading in sorted(about, key=lambda reading: len(reading.codes)):
        if reading.figures and not reading.excluded(code) <= excluded:
            deciding.append(reading)
            excluded |= reading.excluded(code)
    return "; ".join(map(str, deciding))


def sentence(result: ReadBack) -> str:
    """Which program counts like this one, and how much of that was seen."""
    near = [rules.name for rules in result.nearest]
    like = either(near) if len(near) <= MOST_NEAR else f"{near[0]} and {len(near) - 1} others"
    start = f"{result.program} counts like {like}"
    if differing := result.differing(result.nearest[0]):
        start += f" with other answers to {listed(differing)}"
    findings = result.findings
    unknown = [code for code in findings if not findings[code].is_explained]
    unseen = [code for code in findings if findings[code].answer is None and code not in unknown]
    number = len(findings) - len(unknown) - len(unseen)
    parts = [f"{number} of {plural(len(findings), 'question')} answered"]
    if unknown:
        parts.append(f"no known answer fits {listed(unknown)}")
    if unseen:
        source = "its figures" if result.names else "the cases that were run"
        parts.append(f"{listed(unseen)} cannot be seen from {source}")
    return f"{start}; {', '.join(parts)}."


def rules_yaml(result: ReadBack) -> str:
    """The answers with their evidence as a file of rules; what was not seen is that of the nearest
    known rule set."""
    nearest, source = result.nearest[0], f"{result.program}, probed with .{result.form} files"
    answers, proofs, unseen = {}, {}, []
    for code, finding in result.findings.items():
        quote, status = finding.evidence, Status.PROBED
        if finding.answer is None:
            if not finding.possible or nearest.answers[code] in finding.possible:
                unseen.append(f"# {code}: as {nearest.name}; {one_line(quote)}\n")
                continue
            quote, status = f"one of several: {quote}", Status.INFERRED
        answers[code] = finding.possible[0]
        proofs[code] = {"status": status.value, "source": source, "quote": quote}
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", result.program).strip("-.+_")[:LONGEST_NAME]
    file = {
        "schema_version": 1,
        "name": f"{name or 'program'}-probed",
        "title": f"{result.program}, probed"[:LONGEST_TITLE],
        "extends": nearest.name,
        "answers": answers,
        "evidence": proofs,
    }
    head = f"# {one_line(sentence(result))}\n"
    text = yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)
    return f"{head}{text}{''.join(unseen)}"
