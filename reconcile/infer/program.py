"""One diagnosis of a program over all matches of a run: its mistake if it makes an ordinary one,
the rules by which it counts, how sure that is, and what speaks against it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Final, Literal

import numpy as np

from reconcile.document import FIRST, Count, Document, Key, Text
from reconcile.infer.catalogue import answers, program_statistics
from reconcile.infer.causes import (
    LIKE_SHARE,
    MOST_DECISIONS,
    OWN_WORDS,
    SEVERAL_MATCHES,
    Cause,
    ProgramFault,
    cause_of,
    rules_words,
    where,
)
from reconcile.infer.investigation import Difference
from reconcile.infer.reported import as_printed, as_reported
from reconcile.infer.run import OWN, Run, Subject, figures_in_part
from reconcile.infer.sentences import sentence
from reconcile.infer.single_decisions import Place, place_of, with_each
from reconcile.infer.transformations import Transformation, transformation_undone
from reconcile.match.columns import Bools
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.wording import capital

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
    change = tuple(
        answers()[f"{other.question}={other.answer_to}"][2] for other in inner.best.differences
    )
    fits = after.fits(inner.best.rules, change)
    first = ProgramFault(
        code=transformation.check,
        brief=transformation.words,
        sentence=f"{capital(transformation.words)}, in every match.",
        rules=inner.best.rules,
        matches=inner.matches,
        everywhere=not inner.against,
        explained=inner.faults[0].explained if inner.faults else int(fits.sum()),
    )
    most = max(map(run.number_of, run.rule_sets))
    facts = {"name": candidate, "brief": transformation.words, "inner": inner.sentence}
    words = sentence("undone", most=most, number=run.number, **facts)
    return replace(inner, candidate=candidate, sentence=words, faults=(first, *inner.faults))


def diagnosis_of(candidate: str, run: Run) -> Diagnosis:
    """The document of what gives the figures of a run."""
    cause = cause_of(run)
    ours = run.fits(cause.rules, cause.change)[run.is_ruled]
    own = run.subjects[0].rules(cause.rules).answers
    differences = tuple(
        Difference(code, own[code], answer, QUESTIONS[code].title) for code, answer in cause.answers
    )
    facts = _facts(run, cause, ours) | {"name": candidate}
    is_accounted = cause.faults and cause.faults[0].everywhere
    against = () if ours.all() or is_accounted else tuple(_against(run, cause))
    sure = _sureness(run, cause, facts)
    return Diagnosis(
        candidate=candidate,
        matches=tuple(subject.id for subject in run.subjects),
        sentence=sentence("diagnosis", **facts),
        rule_sets=tuple(
            RuleSetCount(name, run.number_of(name), run.number) for name in cause.ranked
        ),
        best=BestRules(
            cause.rules, differences, facts["explained"], run.number, cause.alike or facts["same"]
        ),
        sure=sure,
        why=sentence("why", **facts),
        faults=cause.faults,
        against=against[:MOST_AGAINST],
    )


def _facts(run: Run, cause: Cause, ours: Bools) -> dict[str, Any]:
    """What the sentences of a diagnosis are about; `ours` are the figures that the cause gives."""
    number, explained = run.number, int(ours.sum())
    is_plain = number == explained > 0 and not (cause.faults or cause.alike or cause.change)
    besides = {name: run.number_of(name) for name in cause.ranked if name != cause.rules}
    same = [name for name, count in besides.items() if is_plain and count == number]
    # What tells a change is the rules without it; otherwise the next rules.
    nearest = cause.ranked[0] if cause.change else next(iter(besides), cause.rules)
    plain = run.fits(cause.rules)
    telling = run.of_match[run.is_ruled][ours & ~run.fits(nearest)[run.is_ruled]]
    unlike = [run.names[row] for row in np.flatnonzero(~plain & ~run.is_ruled).tolist()]
    fault = cause.faults[0] if cause.faults else None
    is_everywhere = fault and fault.everywhere and len(fault.matches) == len(run.subjects)
    return {
        "run": run,
        "cause": cause,
        "fault": fault,
        "where": where(fault.matches, len(run.subjects)) if fault and not is_everywhere else "",
        "rules": rules_words(cause.rules, cause.answers),
        "explained": explained,
        "is_like": explained >= LIKE_SHARE * number,
        "without_fault": int(plain.sum()),
        "same": tuple(OWN_WORDS if name == OWN else name for name in same),
        "rest": max((count for name, count in besides.items() if name not in same), default=None),
        "unlike": unlike,
        "labels": [METRICS[name].label for name in METRICS if name in unlike],
        "telling": telling.tolist(),
        "nearest": rules_words(nearest) + " alone" * (nearest == cause.rules),
    }


def _sureness(run: Run, cause: Cause, facts: Mapping[str, Any]) -> Sure:
    """How sure a cause is."""
    if cause.gives_figures:
        several = len(cause.faults[0].matches)
        sure: Sure = "certain" if several >= SEVERAL_MATCHES else "likely"
        return sure if len(cause.faults) == 1 else "open"
    explained: int = facts["explained"]
    if cause.is_open or (explained and (cause.few or cause.alike or facts["same"])):
        return "open"
    if not explained or not facts["is_like"]:
        return "none"
    is_proved = len(set(facts["telling"])) >= SEVERAL_MATCHES
    return "certain" if is_proved and explained == run.number else "likely"


def _against(run: Run, cause: Cause) -> Iterator[Against]:
    """The matches whose figures the rules do not give, with the decisions that would account for
    them."""
    accounted = cause.faults[0].matches if cause.faults else ()
    for index, subject in enumerate(run.subjects):
        fits, ruled = run.fits_of(index, cause.rules, cause.change), subject.is_ruled
        if fits[ruled].all() or subject.id in accounted:
            continue
        rules = subject.rules(cause.rules)
        statistics = program_statistics(subject.match, rules, cause.change)
        sentences: list[str] = []
        decisions: list[DecidingDecision] = []
        for seat, name in enumerate(subject.match.names):
            own = (subject.seats == seat) & ruled
            wrong = subject.chosen(own & ~fits)
            if not wrong:
                continue
            figures = figures_in_part(statistics, seat)
            ours = as_printed((figure, figures[figure.metric]) for figure in wrong)
            sentences.append(f"{name}: {as_reported(wrong)}, by these rules {ours}")
            for way, times, counted in WAYS:
                chosen = subject.chosen(own)
                rows, _, each = with_each(statistics, seat, None, chosen, times, counted=counted)
                for row in rows[each].tolist() if each.sum() <= MOST_DECISIONS else ():
                    place = asdict(place_of(statistics, row, subject.id))
                    decisions.append(DecidingDecision(**place, counted=way))
        right, number = int(fits[ruled].sum()), int(ruled.sum())
        yield Against(subject.id, right, number, "; ".join(sentences), tuple(decisions))
