"""From the figures of a program to its answers, in words and as a file of rules.

A case from which answers are read names every question whose answer can change its figures
(`Case.reads`). Its figures under every combination of these answers are known, and what the program
gives leaves some of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, product
from types import MappingProxyType
from typing import Final, TypeAlias

import yaml

from reconcile.infer.catalogue import program_figures
from reconcile.infer.reported import Reported, decimals_of, fits_figure
from reconcile.match.match import Match
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.suite.cases import PLAIN_CASE, Case, every
from reconcile.suite.run import Ran
from reconcile.suite.synthetic import FORMATS, STUDIED
from reconcile.wording import either, listed, one_line, plural

BASE_RULES: Final = RULE_SETS["gnubg"]
"""Answers the questions that a case is not about; by `Case.reads` any other rule set would do."""
STUDIED_SEAT: Final = 0
"""Of the studied player."""
EQUITY: Final = tuple(
    name
    for name, figure in METRICS.items()
    if name.startswith(("decisions.", "equity_error."))
    or (figure.factor != 1 and not figure.in_mwc)
)
"""Figures of decisions, errors and rates, by which most questions are answered."""
CHANCE: Final = tuple(name for name in METRICS if name.startswith("mwc_loss_percent."))
GRADES: Final = tuple(
    name for name in METRICS if name.startswith(("errors.", "blunders.", "doubtful."))
)
READ_FIGURES: Final = {"Q10": CHANCE, "Q12": GRADES}
"""The figures that are read of a case about a question alone, where these are not those of
decisions, errors and rates."""
NOUNS: Final = {
    EQUITY: "decisions, errors or rates",
    CHANCE: "losses in match winning chance",
    GRADES: "numbers of errors and blunders",
}
RATES: Final = {
    "pr": "500/counted",
    "error_rate_memg": "1000/counted",
    "snowie_er": "snowie",
    "snowie_memg": "snowie",
}
"""The answer to Q08 by the rate that a program gives."""
COUNTED: Final = "decisions.counted"
COUNTING: Final = ("Q01", "Q02", "Q03", "Q04", "Q05", "Q14", "Q15", "Q16")
"""The questions about what counts."""
PLAIN_NAMES: Final = {
    COUNTED: "decisions",
    "equity_error.total": "equity lost",
    "mwc_loss_percent.total": "MWC lost",
}
LONGEST_NAME: Final = 40
LONGEST_TITLE: Final = 200
MOST_SHOWN: Final = 2
"""Figures of a match in a sentence."""
MOST_DIGITS: Final = 4
"""Of a figure in a sentence."""
MOST_NEAR: Final = 3
"""Rule sets that a sentence names; of more, only their number."""
SAME_FIGURES: Final = "the figures that it prints are the same under all answers"
NO_CASE: Final = "no case about it was run"
Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some."""


@dataclass(frozen=True)
class ReadCase:
    """A case in a format, with the figures under every combination of the answers read from it."""

    case: Case
    form: str

    @property
    def about(self) -> tuple[str, ...]:
        """The questions."""
        return self.case.reads

    @property
    def figures(self) -> tuple[str, ...]:
        """The metrics that are read; no other question than those in `about` can change them."""
        return READ_FIGURES.get(self.about[0], EQUITY) if self.about else (*EQUITY, *CHANCE)

    @property
    def match(self) -> Match:
        """The file as our reader reads it."""
        return self.case.read(self.form)

    @cached_property
    def predicted(self) -> Mapping[Answers, Figures]:
        """The figures by combination of answers to `about`, in its order."""
        answers = (supported(self.form)[code] for code in self.about)
        return {
            names: self.under(dict(zip(self.about, names, strict=True)))
            for names in product(*answers)
        }

    def under(self, answers: Mapping[str, str]) -> Figures:
        """The figures with some answers of `BASE_RULES` replaced."""
        rules = replace(BASE_RULES, answers=MappingProxyType({**BASE_RULES.answers, **answers}))
        predicted = program_figures(self.match, rules)[STUDIED_SEAT]
        return {name: predicted[name] for name in self.figures}


@cache
def read_cases(form: str) -> Mapping[str, ReadCase]:
    """By id, the cases of a format from which answers are read; the first is the one on which all
    rules agree."""
    read = [
        case for case in every() if form in case.read_in and (case.reads or case.id == PLAIN_CASE)
    ]
    read.sort(key=lambda case: case.id != PLAIN_CASE)
    # A program is asked for such a case in this format, also where the suite has it in another.
    return {case.id: ReadCase(replace(case, formats=(form,)), form) for case in read}


@cache
def supported(form: str) -> Mapping[str, Answers]:
    """By question, the answers for which files of this format have what they need."""
    match = read_cases(form)[PLAIN_CASE].match
    return {
        code: tuple(name for name, answer in question.answers.items() if answer.applies(match))
        for code, question in QUESTIONS.items()
    }


@dataclass(frozen=True, eq=False)
class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    file: ReadCase
    figures: Mapping[str, Reported]
    """Only the figures that are read, by metric."""
    failure: str = ""
    """Why there are no figures."""

    @cached_property
    def fitting(self) -> frozenset[Answers]:
        """All combinations of answers that give them."""
        return frozenset(
            names
            for names, predicted in self.file.predicted.items()
            if all(fits_figure(predicted[name], figure) for name, figure in self.figures.items())
        )

    def excluded(self, code: str) -> set[str]:
        """The answers to a question that cannot give the figures."""
        place = self.file.about.index(code)
        every_one, left = (
            {names[place] for names in combinations}
            for combinations in (self.file.predicted, self.fitting)
        )
        return every_one - left


@dataclass(frozen=True, eq=False)
class Finding:
    """The answers that a program may give to a question."""

    question: str
    possible: Answers
    about: tuple[Reading, ...]
    """The cases about it."""
    unexplained: tuple[Reading, ...]
    """The cases whose figures no combination of answers gives."""
    unseen: str = ""
    """Why nothing can be said."""

    @property
    def answer(self) -> str | None:
        """The only possible answer; `None` where there are several or where the figures contradict
        all."""
        is_open = len(self.possible) != 1 or self.unexplained or self.unseen
        return None if is_open else self.possible[0]


@dataclass(frozen=True)
class ReadBack:
    """What was found of a program's rules."""

    program: str
    form: str
    """The format of most files that it was given."""
    names: tuple[str, ...]
    """The figures that it gives and that mean what they are called."""
    other: tuple[tuple[str, str, float | None], ...]
    """The figures that mean something else, as its text and ours of the case on which all rules
    agree."""
    readings: tuple[Reading, ...]
    findings: Mapping[str, Finding]

    @property
    def answered(self) -> tuple[Finding, ...]:
        """The questions with an answer."""
        return tuple(finding for finding in self.findings.values() if finding.answer is not None)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The questions without."""
        return tuple(finding for finding in self.findings.values() if finding.answer is None)

    @cached_property
    def _nearest(self) -> list[RuleSet]:
        """The known rule sets with the fewest other answers, as far as files of the format support
        them."""
        match = read_cases(self.form)[PLAIN_CASE].match
        rule_sets = [rules.for_match(match)[0] for rules in RULE_SETS.values()]
        numbers = [len(self.differing(rules)) for rules in rule_sets]
        each = zip(rule_sets, numbers, strict=True)
        return [rules for rules, number in each if number == min(numbers)]

    @property
    def nearest(self) -> RuleSet:
        """The first of the known rule sets with the fewest other answers."""
        return self._nearest[0]

    @property
    def equally_near(self) -> tuple[str, ...]:
        """All of these."""
        return tuple(rules.name for rules in self._nearest)

    def differing(self, rules: RuleSet) -> tuple[Finding, ...]:
        """The questions to which the program cannot have the answer of a rule set."""
        return tuple(
            finding
            for code, finding in self.findings.items()
            if not finding.unseen and rules.answers[code] not in finding.possible
        )

    @property
    def failures(self) -> tuple[Reading, ...]:
        """The cases for which it gave no figures."""
        return tuple(reading for reading in self.readings if reading.failure)


@lru_cache(maxsize=8)
def read_back(ran: Ran) -> ReadBack:
    """The answers of a program by its figures of cases; those from which none are read are left
    out.

    Only figures that are right in the case on which all rules agree are used, if that is among the
    cases. A figure that it does not have (grades of errors, which depend on rules) is taken at its
    word.
    """
    asked = [asking for asking in ran.asked if asking.form]
    cases = {asking.case.id: asking for asking in asked}
    cases = {name: asking for name, asking in cases.items() if name in read_cases(asking.form)}
    form = next((asking.form for asking in cases.values()), FORMATS[0])
    shown = {name: asking.answer.figures.get(STUDIED, {}) for name, asking in cases.items()}
    plain = read_cases(form)[PLAIN_CASE].under({})
    other = tuple(
        (name, figure.text, plain[name])
        for name, figure in shown.get(PLAIN_CASE, {}).items()
        if name in plain and not fits_figure(plain[name], figure)
    )
    wrong = {name for name, *_ in other}
    names = {name for both in shown.values() for name in both} - wrong
    readings = []
    for case_id, asking in cases.items():
        if case_id != PLAIN_CASE:
            file = read_cases(asking.form)[case_id]
            read = names & set(file.figures)
            figures = {name: figure for name, figure in shown[case_id].items() if name in read}
            failure = asking.answer.crashed or asking.answer.unsupported
            readings.append(Reading(file, figures, failure))
    findings = _findings(readings, form, names)
    return ReadBack(ran.program, form, tuple(sorted(names)), other, tuple(readings), findings)


def _findings(readings: Sequence[Reading], form: str, names: set[str]) -> dict[str, Finding]:
    """A finding for every question; a case that contradicts the others is left out, and its
    questions have no answer."""
    left, unexplained = _left(readings, form)
    findings = {}
    for code, answers in supported(form).items():
        about = tuple(reading for reading in readings if code in reading.file.about)
        contradicting = tuple(reading for reading in about if reading in unexplained)
        possible = tuple(name for name in answers if name in left[code])
        if code == "Q08":
            possible, unseen = _rate(possible, names)
        else:
            unseen = _unseen(code, about, form, names)
            is_told = len(possible) < len(answers) or contradicting or code == "Q11"
            unseen = unseen or ("" if is_told else SAME_FIGURES)
        findings[code] = Finding(code, possible, about, contradicting, unseen)
    return findings


def _left(readings: Sequence[Reading], form: str) -> tuple[dict[str, set[str]], list[Reading]]:
    """By question the answers that are still possible, and the cases that contradict the others.

    What is possible are combinations of answers to questions that cases share. Cases about one
    question come first, so that those about several start from few combinations.
    """
    groups: list[tuple[tuple[str, ...], set[Answers]]] = [
        ((code,), {(name,) for name in answers}) for code, answers in supported(form).items()
    ]
    unexplained: list[Reading] = []
    for reading in sorted(readings, key=lambda reading: len(reading.file.about)):
        if reading.failure or not reading.figures:
            continue
        about = reading.file.about
        touched = [group for group in groups if set(group[0]) & set(about)]
        codes = tuple(code for group in touched for code in group[0])
        places = [codes.index(code) for code in about]
        joined = (tuple(chain(*parts)) for parts in product(*(rows for _, rows in touched)))
        rows = {row for row in joined if tuple(row[at] for at in places) in reading.fitting}
        if rows:
            groups = [group for group in groups if group not in touched] + [(codes, rows)]
        else:
            unexplained.append(reading)
    left = {
        code: {row[at] for row in rows} for codes, rows in groups for at, code in enumerate(codes)
    }
    return left, unexplained


def _rate(possible: Answers, names: set[str]) -> tuple[Answers, str]:
    """What a program may answer to Q08 by the rates that it prints, and why that is not seen."""
    rates = list(dict.fromkeys(RATES[name] for name in RATES if name in names))
    if len(rates) > 1 and rates[-1] == RATES["snowie_memg"]:
        rates.pop()  # printed beside a rate of decisions
    if len(rates) == 1:
        return tuple(rates), ""
    none = "it prints no rate" if names else NO_CASE
    return tuple(rates) or possible, "it prints several rates" if rates else none


def _unseen(code: str, about: Sequence[Reading], form: str, names: set[str]) -> str:
    """Why the cases say nothing of a question; empty where they may."""
    if code == "Q11":
        printed = any(name.startswith("mwc_loss") for name in names)
        none = "it prints no loss in match winning chance" if names else NO_CASE
        return "" if printed else none
    if not about:
        can = any(code in file.about for file in read_cases(form).values())
        return NO_CASE if can else f"no .{form} file can show it"
    if all(reading.failure for reading in about):
        return f"it fails on the matches about it: {about[0].failure}"
    if not any(reading.figures for reading in about):
        return f"it prints no {NOUNS[about[0].file.figures]}"
    return ""


def sentence(result: ReadBack) -> str:
    """Which program counts like this one, and how much of that was seen."""
    near, more = result.equally_near, len(result.equally_near) - 1
    like = either(near) if len(near) <= MOST_NEAR else f"{result.nearest.name} and {more} others"
    start = f"{result.program} counts like {like}"
    if differing := result.differing(result.nearest):
        start += f" with other answers to {listed([finding.question for finding in differing])}"
    parts = [f"{len(result.answered)} of {plural(len(result.findings), 'question')} answered"]
    unknown = [
        reading.question for reading in result.open if reading.unexplained and not reading.unseen
    ]
    unseen = [reading.question for reading in result.open if reading.question not in unknown]
    if unknown:
        parts.append(f"no known answer fits {listed(unknown)}")
    if unseen:
        names = [name for name in (*RATES, *PLAIN_NAMES) if name in result.names]
        nouns = listed([PLAIN_NAMES.get(name, METRICS[name].words) for name in names])
        source = f"{nouns} alone" if len(names) == len(result.names) else "its figures"
        source = source if result.names else "the cases that were run"
        parts.append(f"{listed(unseen)} cannot be seen from {source}")
    return f"{start}; {', '.join(parts)}."


def evidence(finding: Finding) -> str:
    """How an answer is known, or why there is none."""
    if finding.unseen:
        return finding.unseen
    if finding.unexplained:
        each = (f"{_shown(reading)} for {reading.file.case.has}" for reading in finding.unexplained)
        return f"no known answer gives {'; '.join(each)}"
    if finding.question == "Q08":
        name = next(name for name, answer in RATES.items() if answer == finding.possible[0])
        return f"it prints {METRICS[name].words}"
    if finding.question == "Q11":
        return "every loss in match winning chance that it prints"
    if len(finding.possible) > 1:
        return f"the same figures in every match: {either(finding.possible)}"
    return "; ".join(outcome(reading, finding) for reading in _deciding(finding))


def _deciding(finding: Finding) -> list[Reading]:
    """Cases that exclude the other answers, those about this question alone first; all that exclude
    any where they do so only together."""
    decisive = [
        reading
        for reading in finding.about
        if 0 < len(reading.fitting) < len(reading.file.predicted)
    ]
    decisive.sort(key=lambda reading: len(reading.file.about))
    excluded = {reading: reading.excluded(finding.question) for reading in decisive}
    place = {reading: reading.file.about.index(finding.question) for reading in decisive}
    every_one = {names[place[reading]] for reading in decisive for names in reading.file.predicted}
    needed: list[Reading] = []
    left = every_one - set(finding.possible)
    while left:
        gone = {reading: len(left & excluded[reading]) for reading in decisive}
        best = max(
            decisive,
            key=lambda reading: (gone[reading] > 0, len(reading.file.about) == 1, gone[reading]),
        )
        if not gone[best]:
            return needed or decisive
        needed.append(best)
        left -= excluded[best]
    return needed


def outcome(reading: Reading, finding: Finding | None = None) -> str:
    """What a program does with a case: `a no-double that costs 0.161 counts`; of a question, what
    shows its answer."""
    case, title = reading.file.case, reading.file.case.has
    if reading.failure:
        return f"{title}: no figures, {reading.failure}"
    if finding is None or finding.question in COUNTING:
        counts = {
            names: predicted.get(COUNTED) for names, predicted in reading.file.predicted.items()
        }
        fitting = {counts[names] for names in reading.fitting}
        numbers = {number for number in counts.values() if number is not None}
        if len(fitting) == 1 and len(numbers) == 2:
            if fitting == {max(numbers)}:
                return f"{title} {'count' if case.plural else 'counts'}"
            return f"{title} {'do' if case.plural else 'does'} not count"
    return f"{title}: {_shown(reading)}{_otherwise(reading)}"


def _telling(reading: Reading) -> list[str]:
    """The figures of a case that depend on the answers, those of all decisions first."""
    predicted = list(reading.file.predicted.values())
    order = dict.fromkeys((*RATES, *PLAIN_NAMES, *reading.figures))
    names = [name for name in order if name in reading.figures]
    return sorted(names, key=lambda name: len({figures[name] for figures in predicted}) == 1)


def _shown(reading: Reading) -> str:
    """The first figures that a program gives, with digits that can be read."""
    words = []
    for name in _telling(reading)[:MOST_SHOWN]:
        figure = reading.figures[name]
        is_short = decimals_of(figure.text) <= MOST_DIGITS
        text = figure.text if is_short else f"{figure.value:.{MOST_DIGITS}f}"
        words.append(f"{METRICS[name].words} {text}")
    return listed(words) or "no figures"


def _otherwise(reading: Reading) -> str:
    """What the first figure would be under another answer, where a case is about one question."""
    if len(reading.file.about) > 1 or not reading.fitting:
        return ""
    for name in _telling(reading):
        figure = reading.figures[name]
        digits = min(decimals_of(figure.text), MOST_DIGITS)
        for names, predicted in reading.file.predicted.items():
            value = predicted[name]
            if names not in reading.fitting and value is not None:
                text = f"{value:.{digits}f}"
                if text != f"{figure.value:.{digits}f}":
                    return f" ({METRICS[name].words} {text} with {names[0]})"
    return ""


def rules_yaml(result: ReadBack, notes: Sequence[str] = ()) -> str:
    """The answers with their evidence as a file of rules; what was not seen is that of the nearest
    known rule set."""
    nearest, source = result.nearest, f"{result.program}, probed with .{result.form} files"
    answers, proofs, open_ = {}, {}, []
    for code, finding in result.findings.items():
        quote, status = evidence(finding), Status.PROBED
        if finding.answer is None:
            if not finding.possible or nearest.answers[code] in finding.possible:
                open_.append(f"# {code}: as {nearest.name}; {one_line(quote)}\n")
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
    head = "".join(f"# {one_line(note)}\n" for note in (sentence(result), *notes))
    text = yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)
    return f"{head}{text}{''.join(open_)}"
