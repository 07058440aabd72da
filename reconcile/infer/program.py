"""One diagnosis of a program over all matches of a run: its mistake if it makes an ordinary one,
the rules by which it counts, how sure that is, and what speaks against it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import FIRST, Count, Document, Key, Text
from reconcile.infer.catalogue import program_statistics
from reconcile.infer.causes import (
    LIKE_SHARE,
    MOST_DECISIONS,
    MOST_NAMED,
    OWN_WORDS,
    SEVERAL_MATCHES,
    Cause,
    ProgramFault,
    cause_of,
    rules_words,
    where,
)
from reconcile.infer.checks import SENTENCES
from reconcile.infer.investigation import Difference
from reconcile.infer.reported import named, printed
from reconcile.infer.run import OWN, Run, Subject, figures_in_part
from reconcile.infer.single_decisions import Place, place_of, with_each
from reconcile.infer.transformations import Transformation, transformation_undone
from reconcile.match.columns import Bools
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.wording import capital, either, plural, some

MOST_AGAINST: Final = 20
"""Matches that speak against a diagnosis, shown."""
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
    diagnosis = diagnosis_of(candidate, run)
    if diagnosis.faults or (diagnosis.sure in ("certain", "likely") and not diagnosis.against):
        return diagnosis
    transformed = transformation_undone(run)
    if transformed is None:
        return diagnosis
    return _behind(candidate, run, *transformed)


def _behind(candidate: str, run: Run, transformation: Transformation, after: Run) -> Diagnosis:
    """A diagnosis of figures with a transformation undone, which is its first cause."""
    inner = diagnosis_of("With that undone the program", after)
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
        without=max(map(run.number_of, run.rule_sets)),
        figures=plural(run.number, "figure"),
    )
    return replace(inner, candidate=candidate, sentence=sentence, faults=(first, *inner.faults))


def diagnosis_of(candidate: str, run: Run) -> Diagnosis:
    """The document of what gives the figures of a run."""
    words = Words(candidate, run, cause_of(run))
    cause, ours = words.cause, words.ours
    own = run.subjects[0].rules(cause.rules).answers
    differences = tuple(
        Difference(code, own[code], answer, QUESTIONS[code].title) for code, answer in cause.answers
    )
    is_accounted = cause.faults and cause.faults[0].everywhere
    against = () if ours.all() or is_accounted else tuple(_against(run, cause))
    sure, why = words.sureness()
    return Diagnosis(
        candidate=candidate,
        matches=tuple(subject.id for subject in run.subjects),
        sentence=words.sentence(),
        rule_sets=tuple(
            RuleSetCount(name, run.number_of(name), run.number) for name in cause.ranked
        ),
        best=BestRules(cause.rules, differences, words.explained, run.number, words.also),
        sure=sure,
        why=why,
        faults=cause.faults,
        against=against[:MOST_AGAINST],
    )


class Words:
    """A diagnosis in words: a fixed text of `diagnosis.yaml`, whose slots are filled here."""

    def __init__(self, name: str, run: Run, cause: Cause) -> None:
        self.name, self.run, self.cause = name, run, cause
        self.ours: Bools = run.fits(cause.rules, cause.change)[run.is_ruled]
        """Which figures that depend on rules it gives."""
        self.explained = int(self.ours.sum())
        is_plain = not cause.faults and not cause.alike and not cause.change
        is_given = is_plain and 0 < run.number == self.explained
        besides = [name for name in cause.ranked if name != cause.rules and is_given]
        same = [name for name in besides if run.number_of(name) == run.number]
        self.same = [OWN_WORDS if name == OWN else name for name in same]
        """Other known rule sets that give the same figures."""
        self.also = cause.alike or tuple(self.same)
        """Other causes that do."""
        self.slots = self._slots()

    def sentence(self) -> str:
        """The sentence for which a maintainer came."""
        cause, explained, number = self.cause, self.explained, self.run.number
        key = "like"
        if cause.faults:
            key = "fault" if cause.gives_figures else "fault-unexplained"
            key = key if number else "fault-alone"
        elif cause.change:
            key = "change" if explained == number else "nearly-change"
            key = "open-change" if cause.few else key
        elif cause.is_open:
            key = "open-fault" if len(cause.alike) == 1 else "open-faults"
        elif not explained:
            key = "none" if number else "no-figures"
        elif explained < number:
            key = "nearly" if explained >= LIKE_SHARE * number else "closest"
        text: str = SENTENCES[key].format_map(self.slots)
        return text if cause.faults or cause.is_open else text + self._unlike()

    def _slots(self) -> dict[str, object]:
        """What the sentences name."""
        run, cause, number, explained = self.run, self.cause, self.run.number, self.explained
        matches, is_own = len(run.subjects), cause.rules == OWN
        over = f"over {matches} matches" if matches > 1 else "of one match"
        rules, without = rules_words(cause.rules, cause.answers), run.number_of(cause.rules)
        if cause.gives_figures:
            explained = number = len(run.names)
            without = int(run.fits(cause.rules).sum())
        elif cause.change and cause.alike:
            rules += f", or {either(cause.alike)}"
        rest = [
            run.number_of(name)
            for name in cause.ranked
            if name != cause.rules and (OWN_WORDS if name == OWN else name) not in self.same
        ]
        same = f"{some(self.same, MOST_NAMED)} {'gives' if len(self.same) == 1 else 'give'}"
        only = f" --only {cause.deciding}" if cause.deciding else ""
        return self._of_fault() | {
            "name": self.name,
            "rules": rules,
            "over": over,
            "every": len(run.names),
            "without": without,
            "figures": plural(run.number, "figure"),
            "share": f"{explained} of {plural(number, 'figure')} {over}",
            "rest": f"; no other known rules give more than {max(rest)}" if rest else "",
            "same": f"; {same} the same here" if self.same else "",
            "number": len(cause.alike),
            "alike": some(cause.alike, MOST_NAMED),
            "few": plural(cause.few, "decision"),
            "decides": f"`reconcile suite run{only}`",
            "give": "give" if is_own else "gives",
            "come": "come" if is_own else "comes",
        }

    def _of_fault(self) -> dict[str, object]:
        """What a fault is, and where, if not everywhere."""
        if not self.cause.faults:
            return {}
        fault, number = self.cause.faults[0], len(self.run.subjects)
        is_everywhere = fault.everywhere and len(fault.matches) == number
        place = "" if is_everywhere else f", {where(fault.matches, number)}"
        return {"brief": fault.brief, "where": place}

    def _unlike(self) -> str:
        """What is wrong with figures that no question is about; empty where nothing is."""
        run = self.run
        rows = np.flatnonzero(~run.fits(self.cause.rules) & ~run.is_ruled)
        if not len(rows):
            return ""
        wrong = {run.names[row] for row in rows.tolist()}
        labels = some([METRICS[name].label for name in METRICS if name in wrong], MOST_NAMED)
        number = len(run.names) - run.number
        differ = f"{len(rows)} of {number} differ{'s' * (len(rows) == 1)}"
        text: str = SENTENCES["others"].format(differ=differ, labels=labels)
        return text

    def sureness(self) -> tuple[Sure, str]:
        """How sure a cause is, and why."""
        cause, ours, is_one = self.cause, self.ours, len(self.run.subjects) == 1
        slots = dict(self.slots)
        sure: Sure = "open"
        if cause.gives_figures:
            key, matches = "fault", len(cause.faults[0].matches)
            slots["matches"] = plural(matches, "match", "matches")
            if len(cause.faults) == 1:
                sure = "certain" if matches >= SEVERAL_MATCHES else "likely"
        elif cause.is_open:
            key = "open-fault" if len(cause.alike) == 1 else "open-faults"
        elif not ours.any():
            key, sure = "none", "none"
        elif cause.few:
            key = "open-change"
        elif self.also:
            rules = rules_words(cause.rules, cause.answers)
            slots["same"] = some([rules, *self.also], MOST_NAMED)
            slots["these"] = "one match does" if is_one else "these matches do"
            key, slots["more"] = "alike", ": give more" * is_one
        elif ours.mean() < LIKE_SHARE:
            key, sure = "closest", "none"
        else:
            matches = self._against_nearest(slots)
            key = "several" if matches >= SEVERAL_MATCHES else "few"
            sure = "certain" if key == "several" and ours.all() else "likely"
            key = "one-match" if is_one else key
        return sure, SENTENCES["why"][key].format_map(slots)

    def _against_nearest(self, slots: dict[str, object]) -> int:
        """How many matches tell the rules from the next ones; what does, in words, among the
        slots."""
        run, cause = self.run, self.cause
        nearest = next((name for name in cause.ranked if name != cause.rules), cause.rules)
        slots["against"] = "the next rules"
        if cause.change:
            nearest = cause.ranked[0]
            slots["against"] = rules_words(nearest) + " alone" * (nearest == cause.rules)
        telling = run.of_match[run.is_ruled][self.ours & ~run.fits(nearest)[run.is_ruled]]
        matches = len(np.unique(telling))
        shown = plural(matches, "match", "matches")
        slots["telling"] = f"{plural(len(telling), 'figure')} in {shown}"
        return matches


def _against(run: Run, cause: Cause) -> Iterator[Against]:
    """The matches whose figures the rules do not give, with the decisions that would account for
    them."""
    accounted = cause.faults[0].matches if cause.faults else ()
    for index, subject in enumerate(run.subjects):
        fits, ruled = run.fits_of(index, cause.rules, cause.change), subject.is_ruled
        if fits[ruled].all() or subject.id in accounted:
            continue
        statistics = program_statistics(subject.match, subject.rules(cause.rules), cause.change)
        sentences: list[str] = []
        decisions: list[DecidingDecision] = []
        for seat, name in enumerate(subject.match.names):
            own = (subject.seats == seat) & ruled
            wrong = subject.chosen(own & ~fits)
            if not wrong:
                continue
            figures = figures_in_part(statistics, seat)
            theirs = named([(figure.metric, figure.text) for figure in wrong])
            ours = named(
                [(figure.metric, printed(figure, figures[figure.metric])) for figure in wrong]
            )
            sentences.append(f"{name}: {theirs}, by these rules {ours}")
            for way, times, counts in WAYS:
                each = with_each(statistics, seat, None, subject.chosen(own), times, counted=counts)
                rows = each.rows[each.fits].tolist()
                for row in rows if len(rows) <= MOST_DECISIONS else ():
                    place = asdict(place_of(statistics, row, subject.id))
                    decisions.append(DecidingDecision(**place, counted=way))
        right, number = int(fits[ruled].sum()), int(ruled.sum())
        yield Against(subject.id, right, number, "; ".join(sentences), tuple(decisions))
