"""From the figures of a program to its answers, and these as a file of rules.

The figures of a case from which answers are read are known under every combination of answers to
its questions, and what the program gives leaves some of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import yaml

from reconcile.infer.reported import fits_figure
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import METRICS
from reconcile.suite.cases import FORMATS, PLAIN_CASE, STUDIED, Case, every, table
from reconcile.suite.run import Judged, Ran
from reconcile.wording import either, listed, one_line, plural

RATES: Final = {
    "pr": "500/counted",
    "error_rate_memg": "1000/counted",
    "snowie_er": "snowie",
    "snowie_memg": "snowie",
}
"""The answer to Q08 by the rate that a program gives."""
LONGEST_NAME: Final = 40
LONGEST_TITLE: Final = 200
MOST_NEAR: Final = 3
"""Rule sets that a sentence names; of more, only their number."""
NO_CASE: Final = "no case about it was run"
Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some, or several to one."""


class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    def __init__(self, judged: Judged, names: frozenset[str]) -> None:
        self.case, self.form = judged.case, judged.form
        shown = judged.figures.get(self.case.players[STUDIED], {})
        self.figures = {
            name: shown[name]
            for name in self.case.given[self.form]
            if name in shown and name in names
        }
        self.failure = judged.failure
        combinations = list(self.case.combinations(self.form))
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

    def words(self) -> str:
        """The case, and the first figure that the program gives for it and that answers change."""
        values = self.case.given[self.form]
        names = (*RATES, *self.figures)
        telling = [name for name in names if name in self.figures and name in values]
        telling.sort(key=lambda name: not isinstance(values[name], Sequence))
        figure = METRICS[telling[0]]
        shown = f"{figure.words} {figure.shown(self.figures[telling[0]].value)}"
        return f"{self.case.id} ({self.case.about}): {shown}"


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
    return next(case for case in every() if case.id == PLAIN_CASE)


@lru_cache(maxsize=8)
def read_back(ran: Ran) -> ReadBack:
    """The answers of a program by its figures of cases.

    Only figures that are right in the case on which all rules agree are used, if that is among the
    cases. A figure that it does not have (grades of errors, which depend on rules) is taken at its
    word.
    """
    asked = [each for each in ran.cases if each.form]
    form = next((each.form for each in asked), FORMATS[0])
    shown = {each.case.id: each.figures.get(each.case.players[STUDIED], {}) for each in asked}
    plain = _plain_case()
    right = [plain.under(rules, form)[plain.players[STUDIED]] for rules in RULE_SETS]
    wrong = {
        name
        for name, figure in shown.get(PLAIN_CASE, {}).items()
        if not any(fits_figure(figures.get(name), figure) for figures in right)
    }
    names = frozenset(name for figures in shown.values() for name in figures) - wrong
    readings = [Reading(each, names) for each in asked if each.case.reads]
    return ReadBack(ran.about.program, form, names, _findings(readings, form, names))


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
        possible, unlike = tuple(left[code]), [each for each in about if each in contradicting]
        unseen = _unseen(code, about, form, names)
        if code == "Q08":
            possible, unseen = _rate(possible, names)
        elif not unseen and len(possible) == len(answers) and not unlike and code != "Q11":
            unseen = "the figures that it prints are the same under all answers"
        evidence = _evidence(code, possible, about)
        if unlike:
            evidence = f"no known answer gives {'; '.join(each.words() for each in unlike)}"
        findings[code] = Finding(possible, unseen or evidence, not unseen, not unlike)
    return findings


def _left(
    readings: Sequence[Reading], supported: Mapping[str, Sequence[str]]
) -> tuple[Mapping[str, Sequence[str]], Sequence[Reading]]:
    """By question the answers that are still possible, and the cases that contradict the others;
    cases about one question come first."""
    left = {code: list(answers) for code, answers in supported.items()}
    used = [reading for reading in readings if reading.figures]
    used.sort(key=lambda reading: len(reading.codes))
    contradicting: list[Reading] = []
    before = None
    while before != left:
        before = {code: list(answers) for code, answers in left.items()}
        for reading in used:
            rows = [
                row
                for row in reading.fitting
                if all(answer in left[code] for code, answer in row.items())
            ]
            if rows:
                for code in reading.codes:
                    still = {row[code] for row in rows}
                    left[code] = [answer for answer in left[code] if answer in still]
            else:
                contradicting.append(reading)
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
    return "; ".join(reading.words() for reading in deciding)


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
