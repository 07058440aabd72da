"""From the figures of a program to its answers, in words and as a file of rules.

A case from which answers are read names every question whose answer can change its figures
(`Case.reads`). Its figures under every combination of these answers are known, and what the program
gives leaves some of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial, reduce
from itertools import product
from operator import and_
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import yaml

from reconcile.infer.reported import Reported, decimals_of, fits_figure
from reconcile.rules.evidence import Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.cases import PLAIN_CASE, Case, every
from reconcile.suite.run import Ran
from reconcile.suite.synthetic import FORMATS, STUDIED
from reconcile.wording import either, listed, one_line, plural

if TYPE_CHECKING:
    import pandas as pd

BASE_RULES: Final = RULE_SETS["gnubg"]
"""Answers the questions that a case is not about; by `Case.reads` any other rule set would do."""
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
NO_CASE: Final = "no case about it was run"
Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some."""


@cache
def read_cases(form: str) -> Mapping[str, Case]:
    """By id, the cases of a format from which answers are read, and the one on which all rules
    agree."""
    cases = (case for case in every() if form in case.read_in)
    return {case.id: case for case in cases if case.reads or case.id == PLAIN_CASE}


@cache
def supported(form: str) -> Mapping[str, Answers]:
    """By question, the answers for which files of this format have what they need."""
    match = read_cases(form)[PLAIN_CASE].read(form)
    return {
        code: tuple(name for name, answer in question.answers.items() if answer.applies(match))
        for code, question in QUESTIONS.items()
    }


def names_read(case: Case) -> tuple[str, ...]:
    """The figures that are read of a case; no other question than its own can change them."""
    own = {"Q10": CHANCE, "Q12": GRADES}
    return own.get(case.reads[0], EQUITY) if case.reads else (*EQUITY, *CHANCE)


def figures_under(case: Case, form: str, answers: Mapping[str, str]) -> Figures:
    """The studied player's figures, with some answers of `BASE_RULES` replaced."""
    rules = replace(BASE_RULES, answers=MappingProxyType({**BASE_RULES.answers, **answers}))
    figures = statistics(case.read(form), rules).figures(0)
    return {name: figures[name] for name in names_read(case)}


@cache
def predicted(case: Case, form: str) -> pd.DataFrame:
    """The figures of a case, a row for every combination of answers to its questions, which are the
    first columns."""
    import pandas as pd

    rows = product(*(supported(form)[code] for code in case.reads))
    each = [dict(zip(case.reads, answers, strict=True)) for answers in rows]
    return pd.DataFrame([{**answers, **figures_under(case, form, answers)} for answers in each])


@dataclass(frozen=True, eq=False)
class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    case: Case
    form: str
    figures: Mapping[str, Reported]
    """Only the figures that are read, by metric."""
    failure: str = ""
    """Why there are no figures."""

    @property
    def predicted(self) -> pd.DataFrame:
        """The figures under every combination of answers."""
        return predicted(self.case, self.form)

    @cached_property
    def fits(self) -> pd.Series[bool]:
        """Which combinations of answers give them."""
        import pandas as pd

        columns = [
            self.predicted[name].map(partial(fits_figure, figure=figure)).astype(bool)
            for name, figure in self.figures.items()
        ]
        return reduce(and_, columns, pd.Series(True, index=self.predicted.index))

    def excluded(self, code: str) -> set[str]:
        """The answers to a question that cannot give the figures."""
        answers = self.predicted[code]
        return {*answers} - {*answers[self.fits]}


@dataclass(frozen=True)
class Finding:
    """The answers that a program may give to a question."""

    question: str
    possible: Answers
    state: Literal["answered", "several", "unexplained", "unseen"]
    """Several possible answers, figures that contradict all, or nothing that says which."""
    evidence: str
    """How an answer is known, or why there is none."""

    @property
    def answer(self) -> str | None:
        """The only possible answer, if it is known."""
        return self.possible[0] if self.state == "answered" else None


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
        match = read_cases(self.form)[PLAIN_CASE].read(self.form)
        rule_sets = [rules.for_match(match)[0] for rules in RULE_SETS.values()]
        fewest = min(len(self.differing(rules)) for rules in rule_sets)
        return tuple(rules for rules in rule_sets if len(self.differing(rules)) == fewest)

    def differing(self, rules: RuleSet) -> list[str]:
        """The questions to which the program cannot have the answer of a rule set."""
        return [
            code
            for code, finding in self.findings.items()
            if finding.state != "unseen" and rules.answers[code] not in finding.possible
        ]


@lru_cache(maxsize=8)
def read_back(ran: Ran) -> ReadBack:
    """The answers of a program by its figures of cases; those from which none are read are left
    out.

    Only figures that are right in the case on which all rules agree are used, if that is among the
    cases. A figure that it does not have (grades of errors, which depend on rules) is taken at its
    word.
    """
    asked = {
        asking.case.id: asking
        for asking in ran.asked
        if asking.form and asking.case.id in read_cases(asking.form)
    }
    form = next((asking.form for asking in asked.values()), FORMATS[0])
    shown = {name: asking.figures.get(STUDIED, {}) for name, asking in asked.items()}
    plain = figures_under(read_cases(form)[PLAIN_CASE], form, {})
    names = frozenset(name for figures in shown.values() for name in figures) - {
        name
        for name, figure in shown.get(PLAIN_CASE, {}).items()
        if name in plain and not fits_figure(plain[name], figure)
    }
    readings = []
    for name, asking in asked.items():
        read = names & {*names_read(asking.case)}
        figures = {metric: figure for metric, figure in shown[name].items() if metric in read}
        failure = asking.crashed or asking.unsupported
        readings.append(Reading(asking.case, asking.form, figures, failure))
    findings = _findings([each for each in readings if each.case.reads], form, names)
    return ReadBack(ran.about.program, form, names, findings)


def _findings(readings: Sequence[Reading], form: str, names: frozenset[str]) -> dict[str, Finding]:
    """A finding for every question; a case that contradicts the others is left out, and its
    questions have no answer."""
    left, unexplained = _left(readings, form)
    findings = {}
    for code, answers in supported(form).items():
        about = [reading for reading in readings if code in reading.case.reads]
        possible = tuple(name for name in answers if name in left[code])
        contradicting = [reading for reading in about if reading in unexplained]
        unseen = _unseen(code, about, form, names)
        if code == "Q08":
            possible, unseen = _rate(possible, names)
        elif not unseen and possible == answers and not contradicting and code != "Q11":
            unseen = "the figures that it prints are the same under all answers"
        if unseen:
            finding = Finding(code, possible, "unseen", unseen)
        elif contradicting:
            each = (f"{_shown(reading)} for {reading.case.has}" for reading in contradicting)
            text = f"no known answer gives {'; '.join(each)}"
            finding = Finding(code, possible, "unexplained", text)
        else:
            state: Literal["answered", "several"] = "answered" if len(possible) == 1 else "several"
            finding = Finding(code, possible, state, _evidence(code, possible, about))
        findings[code] = finding
    return findings


def _evidence(code: str, possible: Answers, about: Sequence[Reading]) -> str:
    """How an answer is known, or which cannot be told apart."""
    if code == "Q08":
        name = next(name for name, answer in RATES.items() if answer == possible[0])
        return f"it prints {METRICS[name].words}"
    if code == "Q11":
        return "every loss in match winning chance that it prints"
    if len(possible) > 1:
        return f"the same figures in every match: {either(possible)}"
    return "; ".join(_outcome(reading, code) for reading in _deciding(code, possible[0], about))


def _left(readings: Sequence[Reading], form: str) -> tuple[dict[str, set[str]], list[Reading]]:
    """By question the answers that are still possible, and the cases that contradict the others.

    What is possible are rows of answers to questions that cases share. Cases about one question
    come first, so that those about several start from few rows.
    """
    import pandas as pd

    tables = [pd.DataFrame({code: answers}) for code, answers in supported(form).items()]
    unexplained = []
    for reading in sorted(readings, key=lambda reading: len(reading.case.reads)):
        if reading.failure or not reading.figures:
            continue
        codes = list(reading.case.reads)
        touched = [table for table in tables if not {*codes}.isdisjoint(table)]
        fitting = reading.predicted.loc[reading.fits, codes]
        rows = reduce(partial(pd.merge, how="cross"), touched).merge(fitting)
        if len(rows):
            tables = [*(table for table in tables if {*codes}.isdisjoint(table)), rows]
        else:
            unexplained.append(reading)
    return {code: {*table[code]} for table in tables for code in map(str, table)}, unexplained


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
        can = any(code in case.reads for case in read_cases(form).values())
        return NO_CASE if can else f"no .{form} file can show it"
    if all(reading.failure for reading in about):
        return f"it fails on the matches about it: {about[0].failure}"
    if not any(reading.figures for reading in about):
        return f"it prints no {NOUNS[names_read(about[0].case)]}"
    return ""


def sentence(result: ReadBack) -> str:
    """Which program counts like this one, and how much of that was seen."""
    near = [rules.name for rules in result.nearest]
    like = either(near) if len(near) <= MOST_NEAR else f"{near[0]} and {len(near) - 1} others"
    start = f"{result.program} counts like {like}"
    if differing := result.differing(result.nearest[0]):
        start += f" with other answers to {listed(differing)}"
    findings = result.findings
    unknown = [code for code in findings if findings[code].state == "unexplained"]
    unseen = [code for code in findings if findings[code].state in ("several", "unseen")]
    number = len(findings) - len(unknown) - len(unseen)
    parts = [f"{number} of {plural(len(findings), 'question')} answered"]
    if unknown:
        parts.append(f"no known answer fits {listed(unknown)}")
    if unseen:
        names = [name for name in (*RATES, *PLAIN_NAMES) if name in result.names]
        nouns = listed([PLAIN_NAMES.get(name, METRICS[name].words) for name in names])
        source = f"{nouns} alone" if len(names) == len(result.names) else "its figures"
        source = source if result.names else "the cases that were run"
        parts.append(f"{listed(unseen)} cannot be seen from {source}")
    return f"{start}; {', '.join(parts)}."


def _deciding(code: str, answer: str, about: Sequence[Reading]) -> list[Reading]:
    """Cases that exclude the other answers, those about this question alone first; all that exclude
    any where they do so only together."""
    ordered = sorted(about, key=lambda reading: len(reading.case.reads))
    excluded = {
        each: each.excluded(code) for each in ordered if 0 < each.fits.sum() < len(each.fits)
    }
    needed: list[Reading] = []
    left = {name for reading in excluded for name in reading.predicted[code]} - {answer}
    while left:
        gone = {reading: left & names for reading, names in excluded.items()}
        alone = {reading: len(reading.case.reads) == 1 for reading in excluded}
        best = max(gone, key=lambda each: (len(gone[each]) > 0, alone[each], len(gone[each])))
        if not gone[best]:
            return needed or list(excluded)
        needed.append(best)
        left -= excluded[best]
    return needed


def _outcome(reading: Reading, code: str) -> str:
    """What a program does with a case that shows its answer to a question: `a no-double that costs
    0.161 counts`."""
    case, title = reading.case, reading.case.has
    if code in COUNTING:
        counts = reading.predicted[COUNTED]
        fitting = counts[reading.fits].unique()
        if len(fitting) == 1 and counts.nunique() == 2:
            verbs = ("does not count", "counts") if case.is_single else ("do not count", "count")
            return f"{title} {verbs[int(fitting[0] == counts.max())]}"
    return f"{title}: {_shown(reading)}{_otherwise(reading)}"


def _telling(reading: Reading) -> list[str]:
    """The figures of a case that depend on the answers, those of all decisions first."""
    names = dict.fromkeys((*RATES, *PLAIN_NAMES, *reading.figures))
    same = reading.predicted.nunique(dropna=False) == 1
    return sorted(filter(reading.figures.__contains__, names), key=lambda name: bool(same[name]))


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
    if len(reading.case.reads) > 1 or not reading.fits.any():
        return ""
    contradicted = reading.predicted[~reading.fits].set_index(reading.case.reads[0])
    for name in _telling(reading):
        figure = reading.figures[name]
        digits = min(decimals_of(figure.text), MOST_DIGITS)
        for answer, value in contradicted[name].dropna().items():
            text = f"{value:.{digits}f}"
            if text != f"{figure.value:.{digits}f}":
                return f" ({METRICS[name].words} {text} with {answer})"
    return ""


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
