"""From the figures of a program to its answers: the combinations of answers that give all figures of the cases from which answers are read.

Such a case names every question whose answer can change its figures (`Case.reads`). The figures under every combination of their answers
are known, and what the program gives leaves some of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, load_met
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics
from reconcile.suite.cases import PLAIN, Case, every
from reconcile.suite.run import Ran
from reconcile.suite.synthetic import FORMATS, STUDIED

BASE: Final = RULE_SETS["gnubg"]
"""Answers the questions that a case is not about; by `Case.reads` any other rule set would do."""
SEAT: Final = 0
"""Of the studied player."""
EQUITY: Final = tuple(
    name
    for name, one in METRICS.items()
    if name.startswith(("decisions.", "equity_error.")) or (one.factor != 1 and not one.in_mwc)
)
"""Figures of decisions, errors and rates, by which most questions are answered."""
CHANCE: Final = tuple(name for name in METRICS if name.startswith("mwc_loss_percent."))
GRADES: Final = tuple(
    name for name in METRICS if name.startswith(("errors.", "blunders.", "doubtful."))
)
READ: Final = {"Q10": CHANCE, "Q12": GRADES}
"""The figures that are read of a case about a question alone, where these are not those of decisions, errors and rates."""
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

Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some."""
Given: TypeAlias = Mapping[str, Reported]
"""Figures of the studied player by metric."""


@dataclass(frozen=True)
class ReadCase:
    """A case in a format, with the figures under every combination of the answers that are read from it."""

    case: Case
    form: str

    @property
    def about(self) -> tuple[str, ...]:
        """The questions."""
        return self.case.reads

    @property
    def figures(self) -> tuple[str, ...]:
        """The metrics that are read; no other question than those in `about` can change them."""
        return READ.get(self.about[0], EQUITY) if self.about else (*EQUITY, *CHANCE)

    @property
    def match(self) -> Match:
        """The file as our reader reads it."""
        return self.case.read(self.form)

    @cached_property
    def every(self) -> tuple[Answers, ...]:
        """All combinations of answers to `about`, in its order."""
        return tuple(product(*(supported(self.form)[code] for code in self.about)))

    @property
    def predicted(self) -> Mapping[Answers, Figures]:
        """The figures by combination."""
        return {names: self.of(names) for names in self.every}

    @cached_property
    def _known(self) -> dict[Answers, Figures]:
        return {}

    def of(self, names: Answers) -> Figures:
        """The figures under a combination, which is scored when it is first asked for."""
        if names not in self._known:
            self._known[names] = self.under(dict(zip(self.about, names, strict=True)))
        return self._known[names]

    def under(self, answers: Mapping[str, str]) -> Figures:
        """The figures with some answers of `BASE` replaced."""
        rules = replace(BASE, answers=MappingProxyType({**BASE.answers, **answers}))
        made = Statistics(score(self.match, rules, load_met(DEFAULT_MET))).figures(SEAT)
        return {name: made[name] for name in self.figures}


@cache
def read_cases(form: str) -> Mapping[str, ReadCase]:
    """By id, the cases of a format from which answers are read; the first is the one on which all rules agree."""
    read = (case for case in every() if form in case.read_in and (case.reads or case.id == PLAIN))
    found = (ReadCase(replace(case, formats=(form,)), form) for case in read)
    return {one.case.id: one for one in sorted(found, key=lambda one: one.case.id != PLAIN)}


@cache
def supported(form: str) -> Mapping[str, Answers]:
    """By question, the answers for which files of this format have what they need."""
    match = read_cases(form)[PLAIN].match
    return {
        code: tuple(name for name, one in question.answers.items() if one.applies(match))
        for code, question in QUESTIONS.items()
    }


@dataclass(frozen=True, eq=False)
class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    file: ReadCase
    given: Given
    """Only the figures that are read."""
    failure: str = ""
    """Why there are no figures."""

    def allows(self, names: Answers) -> bool:
        """Whether these answers to what the case is about give the figures."""
        made = self.file.of(names)
        return all(fits_figure(made[name], one) for name, one in self.given.items())

    @cached_property
    def fitting(self) -> frozenset[Answers]:
        """All answers that give them."""
        return frozenset(filter(self.allows, self.file.every))


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
        """The only possible answer; `None` where there are several or where the figures contradict all."""
        return (
            self.possible[0]
            if len(self.possible) == 1 and not self.unexplained and not self.unseen
            else None
        )

    @property
    def decisive(self) -> tuple[Reading, ...]:
        """The cases that exclude an answer."""
        return tuple(one for one in self.about if 0 < len(one.fitting) < len(one.file.every))


@dataclass(frozen=True)
class ReadBack:
    """What was found of a program's rules."""

    program: str
    form: str
    """The format of most files that it was given."""
    names: tuple[str, ...]
    """The figures that it gives and that mean what they are called."""
    other: tuple[tuple[str, str, float | None], ...]
    """The figures that mean something else, as its text and ours of the case on which all rules agree."""
    seen: tuple[Reading, ...]
    findings: Mapping[str, Finding]

    @property
    def answered(self) -> tuple[Finding, ...]:
        """The questions with an answer."""
        return tuple(one for one in self.findings.values() if one.answer is not None)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The questions without."""
        return tuple(one for one in self.findings.values() if one.answer is None)

    @cached_property
    def known(self) -> tuple[RuleSet, ...]:
        """The known rule sets as far as files of the format support them."""
        return tuple(
            rules.for_match(read_cases(self.form)[PLAIN].match)[0] for rules in RULE_SETS.values()
        )

    @property
    def nearest(self) -> RuleSet:
        """The known rule set with the fewest other answers."""
        return min(self.known, key=lambda rules: len(self.differing(rules)))

    @property
    def equally_near(self) -> tuple[str, ...]:
        """The known rule sets that are as near."""
        least = len(self.differing(self.nearest))
        return tuple(rules.name for rules in self.known if len(self.differing(rules)) == least)

    def differing(self, rules: RuleSet) -> tuple[Finding, ...]:
        """The questions to which the program cannot have the answer of a rule set."""
        return tuple(
            one
            for one in self.findings.values()
            if not one.unseen and rules.answers[one.question] not in one.possible
        )

    @property
    def failures(self) -> tuple[Reading, ...]:
        """The cases for which it gave no figures."""
        return tuple(one for one in self.seen if one.failure)


@lru_cache(maxsize=8)
def read_back(ran: Ran) -> ReadBack:
    """The answers of a program by its figures of cases; those from which none are read are left out.

    Only figures that are right in the case on which all rules agree are used, if that is among the cases. A figure that it does not have
    (grades of errors, which depend on rules) is taken at its word.
    """
    cases = {
        one.case.id: one for one in ran.asked if one.form and one.case.id in read_cases(one.form)
    }
    form = next((one.form for one in cases.values()), FORMATS[0])
    given = {name: one.answer.found.get(STUDIED, {}) for name, one in cases.items()}
    plain = read_cases(form)[PLAIN].under({})
    known = {name: one for name, one in given.get(PLAIN, {}).items() if name in plain}
    other = tuple(
        (name, one.text, plain[name])
        for name, one in known.items()
        if not fits_figure(plain[name], one)
    )
    names = {name for of in given.values() for name in of} - {name for name, _, _ in other}
    seen = tuple(
        _reading(
            read_cases(one.form)[name],
            given[name],
            names,
            one.answer.crashed or one.answer.unsupported,
        )
        for name, one in cases.items()
        if name != PLAIN
    )
    return ReadBack(
        ran.program, form, tuple(sorted(names)), other, seen, _findings(seen, form, names)
    )


def _reading(file: ReadCase, given: Given, names: set[str], failure: str) -> Reading:
    kept = {name: one for name, one in given.items() if name in names and name in file.figures}
    return Reading(file, kept, failure)


class _Relation:
    """The combinations of answers to some questions that are still possible."""

    def __init__(self, codes: tuple[str, ...], rows: Iterable[Answers]) -> None:
        self.codes, self.rows = codes, frozenset(rows)

    def joined(self, others: Sequence[_Relation], seen: Reading) -> _Relation:
        """With the questions of others, and only what fits a case."""
        every = (self, *others)
        codes = tuple(code for one in every for code in one.codes)
        places = [codes.index(code) for code in seen.file.about]
        rows = (
            tuple(name for part in parts for name in part)
            for parts in product(*(one.rows for one in every))
        )
        return _Relation(
            codes, (row for row in rows if seen.allows(tuple(row[place] for place in places)))
        )


def _findings(seen: Sequence[Reading], form: str, names: set[str]) -> dict[str, Finding]:
    """A finding for every question.

    Cases about one question come first, so that those about several start from few combinations. A case that contradicts the others is
    left out, and its questions have no answer.
    """
    relations = [
        _Relation((code,), ((name,) for name in supported(form)[code])) for code in QUESTIONS
    ]
    unexplained = []
    for one in sorted(seen, key=lambda one: len(one.file.about)):
        if one.failure or not one.given:
            continue
        touched = [relation for relation in relations if set(relation.codes) & set(one.file.about)]
        new = touched[0].joined(touched[1:], one)
        if not new.rows:
            unexplained.append(one)
            continue
        relations = [relation for relation in relations if relation not in touched] + [new]
    return {code: _finding(code, relations, seen, unexplained, form, names) for code in QUESTIONS}


def _finding(
    code: str,
    relations: Sequence[_Relation],
    seen: Sequence[Reading],
    unexplained: Sequence[Reading],
    form: str,
    names: set[str],
) -> Finding:
    about = [one for one in seen if code in one.file.about]
    relation = next(one for one in relations if code in one.codes)
    left = {row[relation.codes.index(code)] for row in relation.rows}
    possible = tuple(name for name in supported(form)[code] if name in left)
    unseen = ""
    if code == "Q08":
        rates = list(dict.fromkeys(RATES[name] for name in RATES if name in names))
        if len(rates) > 1 and rates[-1] == RATES["snowie_memg"]:
            rates.pop()  # printed beside a rate of decisions
        possible = tuple(rates) or possible
        unseen = (
            "" if len(rates) == 1 else "it prints several rates" if rates else "it prints no rate"
        )
    elif code == "Q11":
        unseen = (
            ""
            if any(name.startswith("mwc_loss") for name in names)
            else "it prints no loss in match winning chance"
        )
    elif not about:
        can = any(code in one.about for one in read_cases(form).values())
        unseen = "no case about it was run" if can else f"no .{form} file can show it"
    elif all(one.failure for one in about):
        unseen = f"it fails on the matches about it: {about[0].failure}"
    elif not any(one.given for one in about):
        unseen = f"it prints no {NOUNS[about[0].file.figures]}"
    elif len(possible) == len(supported(form)[code]) and not any(
        one in unexplained for one in about
    ):
        unseen = "the figures that it prints are the same under all answers"
    return Finding(
        code, possible, tuple(about), tuple(one for one in unexplained if one in about), unseen
    )
