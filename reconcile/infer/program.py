"""One diagnosis of a program over all matches of a run: its mistake if it makes an ordinary one,
the rules by which it counts, how sure that is, and what speaks against it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import FIRST, Count, Document, Key, Text
from reconcile.files.wording import capital, either, plural, some
from reconcile.files.yaml_file import read_tree
from reconcile.infer.catalogue import counted
from reconcile.infer.causes import (
    LIKE,
    MOST_DECISIONS,
    MOST_NAMED,
    NO_FIGURES,
    OWN_WORDS,
    SEVERAL,
    Cause,
    ProgramFault,
    cause_of,
    each_decision,
    rules_words,
)
from reconcile.infer.investigation import Difference
from reconcile.infer.reported import named, printed
from reconcile.infer.run import OWN, Run, Subject, figures_in_part
from reconcile.infer.single_decisions import Place, place_of
from reconcile.infer.transformations import Transformation, undone
from reconcile.match.columns import Bools
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

MOST_AGAINST: Final = 20
"""Matches that speak against a diagnosis, shown."""
SENTENCES: Final = read_tree(Path(__file__).with_name("diagnosis.yaml"))
UNDONE: Final = "With that undone the program"
CounterWays = Literal["without", "twice", "with"]
WAYS: Final[tuple[tuple[CounterWays, int, bool], ...]] = (
    ("without", -1, True),
    ("twice", 1, True),
    ("with", 1, False),
)
"""How a single decision may count otherwise: how often more, and whether it counts already."""
Sure = Literal["certain", "likely", "open", "none"]


@dataclass(frozen=True, slots=True)
class RuleSetCount(Document):
    """How many figures of a program a known rule set gives."""

    name: Text
    """The rule set; `own` for the rules of each reference, where these differ."""
    explained: Count
    """Figures that it gives, within their printed digits."""
    number: Annotated[Count, Key("given")]
    """Figures of the program that depend on rules."""


@dataclass(frozen=True, slots=True)
class BestRules(Document):
    """The rules by which a program counts, or comes closest to."""

    rules: Text
    """A known rule set; `own` for the rules of each reference."""
    differences: tuple[Difference, ...]
    """The one or two questions that it answers otherwise; empty where no change proves itself."""
    explained: Count
    """Figures that these rules give, with the differences."""
    number: Annotated[Count, Key("given")]
    """Figures of the program that depend on rules."""
    also: tuple[Text, ...]
    """Other rules, in words, that give the same figures in these matches."""

    def under(self, own: RuleSet) -> RuleSet:
        """The rules by which the program counts a match that the reference counts by its `own`."""
        rules = own if self.rules == own.name else RULE_SETS.get(self.rules, own)
        for difference in self.differences:
            rules = rules.switched(difference.question, difference.answer_to)
        return rules


@dataclass(frozen=True, slots=True)
class DecidingDecision(Place):
    """A decision that would account for the figures of a player if it counted otherwise."""

    counted: Annotated[CounterWays, FIRST]
    """How: if it did not count, counted twice, or counted."""


@dataclass(frozen=True, slots=True)
class Against(Document):
    """A match that speaks against a diagnosis."""

    match: Text
    """Id of the match."""
    explained: Count
    """Figures that the rules give here."""
    number: Annotated[Count, Key("given")]
    """Figures of the program that depend on rules."""
    sentence: str
    """The figures that they do not give, and what they are by these rules."""
    decisions: tuple[DecidingDecision, ...]
    """Single decisions that would account for a player's figures."""


@dataclass(frozen=True, slots=True)
class Diagnosis(Document):
    """What a program under test does, by all its matches in the run."""

    candidate: Text
    """The program, the command or the files."""
    matches: tuple[Text, ...]
    """Ids of the matches."""
    sentence: Text
    """The answer in a sentence or two."""
    rule_sets: tuple[RuleSetCount, ...]
    """Every known rule set, the one that gives most figures first."""
    best: BestRules
    """The rules by which it counts."""
    sure: Sure
    """`certain`: several matches show it; `likely`: only one does; `open`: other rules give the
    same; `none`: no rules give the figures."""
    why: Text
    """How sure that is, in words."""
    faults: tuple[ProgramFault, ...]
    """Ordinary mistakes, the one that accounts for most figures first; where there is one, it comes
    before the rules."""
    against: tuple[Against, ...]
    """Matches whose figures these rules do not give; empty where a fault accounts for all."""


def diagnose(candidate: str, subjects: Sequence[Subject]) -> Diagnosis | None:
    """The diagnosis of a program; `None` if it gives no figure that depends on rules or is luck."""
    run = Run(subjects)
    if not run.subjects:
        return None
    diagnosis = diagnosis_of(candidate, run, cause_of(run))
    if diagnosis.faults or (diagnosis.sure in ("certain", "likely") and not diagnosis.against):
        return diagnosis
    transformed = undone(run)
    if transformed is None:
        return diagnosis
    transformation, after = transformed
    return _behind(candidate, transformation, diagnosis_of(UNDONE, after, cause_of(after)), run)


def _behind(
    candidate: str, transformation: Transformation, inner: Diagnosis, run: Run
) -> Diagnosis:
    """A diagnosis of figures with a transformation undone, which is its first cause."""
    first = ProgramFault(
        code=transformation.check,
        brief=transformation.words,
        sentence=f"{capital(transformation.words)}, in every match.",
        rules=inner.best.rules,
        matches=inner.matches,
        everywhere=not inner.against,
        explained=inner.faults[0].explained if inner.faults else inner.best.explained,
    )
    sentence = SENTENCES["undone"].format(
        name=candidate,
        brief=transformation.words,
        inner=inner.sentence,
        without=max(int(run.fits(name).sum()) for name in run.rule_sets),
        figures=plural(run.number, "figure"),
    )
    return replace(inner, candidate=candidate, sentence=sentence, faults=(first, *inner.faults))


def diagnosis_of(candidate: str, run: Run, cause: Cause) -> Diagnosis:
    """The document of what gives the figures of a run."""
    fits = {name: run.fits(name) for name in run.rule_sets}
    ours = run.fits(cause.rules, cause.change)
    if not cause.faults and not cause.is_open and not cause.change and ours.size and ours.all():
        same = [name for name in cause.ranked if name != cause.rules and fits[name].all()]
        cause = replace(cause, same=tuple(OWN_WORDS if name == OWN else name for name in same))
    own = run.subjects[0].rules(cause.rules).answers
    differences = tuple(
        Difference(code, own[code], answer, QUESTIONS[code].title) for code, answer in cause.answers
    )
    counts = tuple(RuleSetCount(name, int(fits[name].sum()), run.number) for name in cause.ranked)
    words = Words(candidate, run, cause, fits, ours)
    is_accounted = cause.faults and cause.faults[0].everywhere
    against = () if ours.all() or is_accounted else tuple(_against(run, cause))[:MOST_AGAINST]
    also = cause.alike or cause.same
    sure, why = words.sureness()
    return Diagnosis(
        candidate=candidate,
        matches=tuple(subject.id for subject in run.subjects),
        sentence=words.sentence(),
        rule_sets=counts,
        best=BestRules(cause.rules, differences, int(ours.sum()), run.number, also),
        sure=sure,
        why=why,
        faults=cause.faults,
        against=against,
    )


@dataclass(frozen=True)
class Words:
    """A diagnosis in words: a fixed text of `diagnosis.yaml`, whose slots are filled here."""

    name: str
    run: Run
    cause: Cause
    fits: Mapping[str, Bools]
    """By known rule set, which figures that depend on rules it gives."""
    ours: Bools
    """The same of the cause."""

    def sentence(self) -> str:
        """The sentence for which a maintainer came."""
        cause, explained, number = self.cause, int(self.ours.sum()), self.run.number
        key = "like"
        if cause.faults:
            is_accounted = cause.faults[0].code != NO_FIGURES
            key = "fault" if is_accounted else "fault-unexplained"
            key = key if number else "fault-alone"
        elif cause.change:
            key = "change" if explained == number else "nearly-change"
            key = "open-change" if cause.few else key
        elif cause.is_open:
            key = "open-fault" if len(cause.alike) == 1 else "open-faults"
        elif not explained:
            key = "none" if number else "no-figures"
        elif explained < number:
            key = "nearly" if explained >= LIKE * number else "closest"
        text: str = SENTENCES[key].format_map(self.slots())
        return text if cause.faults or cause.is_open else text + self.unlike()

    def slots(self) -> Mapping[str, object]:
        """What the sentences name."""
        run, cause, number = self.run, self.cause, self.run.number
        matches, every = len(run.subjects), run.explained
        over = f"over {matches} matches" if matches > 1 else "of one match"
        explained, is_own = int(self.ours.sum()), cause.rules == OWN
        rules, without = rules_words(cause.rules, cause.answers), int(run.fits(cause.rules).sum())
        if cause.faults and cause.faults[0].code != NO_FIGURES:
            wrong = (run.fits_of(at, cause.rules) for at in run.wrong(cause.rules))
            without = every - sum(int((~fits).sum()) for fits in wrong)
            explained = number = every
        elif cause.change and cause.alike:
            rules += f", or {either(cause.alike)}"
        rest = [
            int(fits.sum())
            for name, fits in self.fits.items()
            if name != cause.rules and (OWN_WORDS if name == OWN else name) not in cause.same
        ]
        same = f"{some(cause.same, MOST_NAMED)} {'gives' if len(cause.same) == 1 else 'give'}"
        only = f" --only {cause.deciding}" if cause.deciding else ""
        return self.of_fault() | {
            "name": self.name,
            "rules": rules,
            "over": over,
            "every": every,
            "without": without,
            "figures": plural(run.number, "figure"),
            "share": f"{explained} of {plural(number, 'figure')} {over}",
            "rest": f"; no other known rules give more than {max(rest)}" if rest else "",
            "same": f"; {same} the same here" if cause.same else "",
            "number": len(cause.alike),
            "alike": some(cause.alike, MOST_NAMED),
            "few": plural(cause.few, "decision"),
            "decides": f"`reconcile suite run{only}`",
            "give": "give" if is_own else "gives",
            "come": "come" if is_own else "comes",
        }

    def of_fault(self) -> dict[str, object]:
        """What a fault is, and where, if not everywhere."""
        if not self.cause.faults:
            return {}
        fault, number = self.cause.faults[0], len(self.run.subjects)
        where = ""
        if len(fault.matches) < number or not fault.everywhere:
            shown = plural(len(fault.matches), "match", "matches")
            where = f", in {shown} of {number} ({some(fault.matches, MOST_NAMED)})"
        return {"brief": fault.brief, "where": where}

    def unlike(self) -> str:
        """What is wrong with figures that no question is about; empty where nothing is."""
        wrong = [
            subject.figures[at][1].metric
            for index, subject in enumerate(self.run.subjects)
            for at in np.flatnonzero(~self.run.fits_of(index, self.cause.rules) & ~subject.is_ruled)
        ]
        if not wrong:
            return ""
        number = self.run.explained - self.run.number
        labels = some([METRICS[name].label for name in METRICS if name in wrong], MOST_NAMED)
        differ = f"{len(wrong)} of {number} differ{'s' * (len(wrong) == 1)}"
        text: str = SENTENCES["others"].format(differ=differ, labels=labels)
        return text

    def sureness(self) -> tuple[Sure, str]:
        """How sure a cause is, and why."""
        cause, ours, is_one = self.cause, self.ours, len(self.run.subjects) == 1
        slots = dict(self.slots())
        sure: Sure = "open"
        if cause.faults and cause.faults[0].code != NO_FIGURES:
            key, matches = "fault", len(cause.faults[0].matches)
            slots["matches"] = plural(matches, "match", "matches")
            if len(cause.faults) == 1:
                sure = "certain" if matches >= SEVERAL else "likely"
        elif cause.is_open:
            key = "open-fault" if len(cause.alike) == 1 else "open-faults"
        elif not ours.any():
            key, sure = "none", "none"
        elif cause.few:
            key = "open-change"
        elif cause.alike or cause.same:
            rules = rules_words(cause.rules, cause.answers)
            slots["same"] = some([rules, *(cause.alike or cause.same)], MOST_NAMED)
            slots["these"] = "one match does" if is_one else "these matches do"
            key, slots["more"] = "alike", ": give more" * is_one
        elif not ours.all() and ours.mean() < LIKE:
            key, sure = "closest", "none"
        else:
            nearest = next((name for name in cause.ranked if name != cause.rules), cause.rules)
            slots["against"] = "the next rules"
            if cause.change:
                nearest = cause.ranked[0]
                slots["against"] = rules_words(nearest) + " alone" * (nearest == cause.rules)
            telling = self.run.of_match[ours & ~self.fits[nearest]]
            matches = len(set(telling.tolist()))
            shown = plural(matches, "match", "matches")
            slots["telling"] = f"{plural(len(telling), 'figure')} in {shown}"
            key = "several" if matches >= SEVERAL else "few"
            key = "one-match" if is_one else key
            sure = "certain" if key == "several" and ours.all() else "likely"
        return sure, SENTENCES["why"][key].format_map(slots)


def _against(run: Run, cause: Cause) -> Iterator[Against]:
    """The matches whose figures the rules do not give, with the decisions that would account for
    them."""
    accounted = cause.faults[0].matches if cause.faults else ()
    for index, subject in enumerate(run.subjects):
        fits = run.fits_of(index, cause.rules, cause.change)[subject.is_ruled]
        if fits.all() or subject.id in accounted:
            continue
        statistics = counted(subject.match, subject.rules(cause.rules), cause.change)
        figures = [figures_in_part(statistics, seat) for seat in (0, 1)]
        sentences: list[str] = []
        decisions: list[DecidingDecision] = []
        for seat, name in enumerate(subject.match.names):
            wrong = [
                figure
                for (owner, figure), right in zip(subject.figures, fits, strict=False)
                if owner == seat and not right
            ]
            if wrong:
                ours = [
                    (subject.metric, printed(subject, figures[seat][subject.metric]))
                    for subject in wrong
                ]
                theirs = named([(figure.metric, figure.text) for figure in wrong])
                sentences.append(f"{name}: {theirs}, by these rules {named(ours)}")
                decisions += _deciding(statistics, subject, seat)
        sentence = "; ".join(sentences)
        yield Against(subject.id, int(fits.sum()), len(fits), sentence, tuple(decisions))


def _deciding(statistics: Statistics, subject: Subject, seat: int) -> Iterator[DecidingDecision]:
    """The few single decisions that would account for a player's figures if they counted
    otherwise."""
    own = subject.of_seat(seat) & subject.is_ruled
    for way, times, counts in WAYS:
        rows, values = each_decision(statistics, subject, seat, times, counts=counts)
        off = np.abs(values - subject.values[own])
        fitting = rows[(off <= subject.margins[own]).all(axis=-1)].tolist()
        if len(fitting) <= MOST_DECISIONS:
            for row in fitting:
                place = asdict(place_of(statistics, row, subject.id))
                yield DecidingDecision(**place, counted=way)
