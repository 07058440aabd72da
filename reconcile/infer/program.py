"""One diagnosis of a program over all matches of a run: its mistake if it makes an ordinary one, and the rules by which it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import FIRST, Count, Document, Text
from reconcile.files.wording import capital, either, plural, some
from reconcile.infer.checks import CHECKS
from reconcile.infer.checks.check import Place, chosen
from reconcile.infer.checks.one_decision import changed_by_one, place_of
from reconcile.infer.figure_table import figure_table
from reconcile.infer.investigation import Difference
from reconcile.infer.mistakes import (
    NO_FIGURES,
    Changed,
    Fault,
    another_analysis,
    best_changes,
    faults_of,
    known_faults,
    partial_change,
    switched,
)
from reconcile.infer.reported import named, printed
from reconcile.infer.run import OWN, Case, Run, Subject
from reconcile.infer.transformations import Transformation, undone
from reconcile.match.columns import Bools
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, table_of

MOST_AGAINST: Final = 20
"""Matches that speak against a diagnosis, shown."""
MOST_DECISIONS: Final = 3
"""Decisions named for a player; with more that it may be, none is."""
MOST_NAMED: Final = 3
"""Rules that give the same figures, named."""
SEVERAL: Final = 2
"""So many matches are more than an accident."""
LIKE: Final = 0.75
"""A rule set that gives at least this share of the figures is the one by which a program counts; with less it only comes closest."""

OWN_WORDS: Final = "the rules of each reference"

UNDONE: Final = "With that undone the program"

Counted = Literal["without", "twice", "with"]
Sure = Literal["certain", "likely", "open", "none"]


@dataclass(frozen=True, slots=True)
class RuleSetCount(Document):
    """How many figures of a program a known rule set gives."""

    name: Text
    """The rule set; `own` for the rules of each reference, where these differ."""
    explained: Count
    """Figures that it gives, within their printed digits."""
    given: Count
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
    given: Count
    """Figures of the program that depend on rules."""
    also: tuple[Text, ...]
    """Other rules, in words, that give the same figures in these matches."""

    def of(self, own: RuleSet) -> RuleSet:
        """The rules by which the program counts a match that the reference counts by its `own`."""
        rules = own if self.rules == own.name else RULE_SETS.get(self.rules, own)
        for one in self.differences:
            rules = rules.switched(one.question, one.answer_to)
        return rules


@dataclass(frozen=True, slots=True)
class DecidingDecision(Place):
    """A decision that would account for the figures of a player if it counted otherwise."""

    counted: Annotated[Counted, FIRST]
    """How: if it did not count, counted twice, or counted."""


@dataclass(frozen=True, slots=True)
class Against(Document):
    """A match that speaks against a diagnosis."""

    match: Text
    """Id of the match."""
    explained: Count
    """Figures that the rules give here."""
    given: Count
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
    """`certain`: several matches show it; `likely`: only one does; `open`: other rules give the same; `none`: no rules give the figures."""
    why: Text
    """How sure that is, in words."""
    faults: tuple[Fault, ...]
    """Ordinary mistakes, the one that accounts for most figures first; where there is one, it comes before the rules."""
    against: tuple[Against, ...]
    """Matches whose figures these rules do not give; empty where a fault accounts for all."""


def diagnose(candidate: str, subjects: Sequence[Subject]) -> Diagnosis | None:
    """The diagnosis of a program; `None` if it gives no figure that depends on rules or is luck."""
    run = Run(
        [subject for subject in subjects if any(case.wanted or case.luck for case in subject.cases)]
    )
    if not run.subjects:
        return None
    found = _diagnosed(candidate, run)
    if found.faults or (found.sure in ("certain", "likely") and not found.against):
        return found
    transformed = undone(run)
    if transformed is None:
        return found
    transformation, subjects = transformed
    return _behind(candidate, transformation, _diagnosed(UNDONE, Run(subjects)), run)


def _behind(
    candidate: str, transformation: Transformation, inner: Diagnosis, run: Run
) -> Diagnosis:
    """A diagnosis of figures with a transformation undone, which is its first cause."""
    brief = CHECKS[transformation.code].brief.format(kind=transformation.kind)
    first = Fault(
        code=transformation.code,
        brief=brief,
        sentence=f"{capital(brief)}, in every match.",
        rules=inner.best.rules,
        matches=inner.matches,
        everywhere=not inner.against,
        explained=inner.faults[0].explained if inner.faults else inner.best.explained,
        decisions=(),
    )
    without = max(int(run.fits(name).sum()) for name in run.known)
    return replace(
        inner,
        candidate=candidate,
        sentence=f"{candidate}: {brief}. {inner.sentence} Otherwise no known rules give more than {without} of "
        f"{plural(run.given, 'figure')}.",
        faults=(first, *inner.faults),
    )


def _diagnosed(candidate: str, run: Run) -> Diagnosis:
    """The diagnosis of figures as they are."""
    fits = {name: run.fits(name) for name in run.known}
    far = {name: run.off(name) for name in run.known}
    ranked = sorted(
        run.known, key=lambda name: (-int(fits[name].sum()), far[name], run.known.index(name))
    )
    best = ranked[0]
    faults = faults_of(run, best)
    alike: tuple[Fault, ...] = ()
    changed: Changed | None = None
    if not faults and any(case.wrong(run.key(case, best)) for case in run.cases):
        alike = known_faults(run, dict.fromkeys((run.own, best)))
        if not fits[best].all() and not _one_match_left(run, fits[best]):
            changed = best_changes(run, ranked, most=1 if alike else 2)
        if changed is None:
            named = len({one.code for one in alike}) == 1 and all(one.is_sure for one in alike)
            faults = alike if named else ()
        if not alike and changed is None:
            faults = faults_of(run, best, last=True)
            if not faults:
                changed = partial_change(run, ranked)
            if not faults and changed is None and 2 * fits[best].sum() < run.given:
                faults = another_analysis(run)
    if faults and faults[0].code not in NO_FIGURES:
        best = faults[0].rules
    elif changed is not None:
        best = changed.rules
    return _diagnosis(candidate, run, best, changed, faults, () if faults else alike, fits, ranked)


def _one_match_left(run: Run, fits: Bools) -> bool:
    """Whether a rule set gives most figures, and all of every match but one, which may be an accident.

    A change of answers proves nothing by that one match; it has to give everything, and to be needed in others as well.
    """
    return (
        len(run.subjects) > SEVERAL
        and fits.sum() >= LIKE * len(fits)
        and len(set(run.of_match[~fits].tolist())) == 1
    )


def _diagnosis(
    candidate: str,
    run: Run,
    best: str,
    changed: Changed | None,
    faults: tuple[Fault, ...],
    alike: tuple[Fault, ...],
    fits: dict[str, Bools],
    ranked: Sequence[str],
) -> Diagnosis:
    ours = changed.fits if changed else fits[best]
    explained = int(ours.sum())
    first = run.rules(run.subjects[0], best)
    changes = changed.changes if changed else ()
    differences = tuple(
        Difference(code, first.answers[code], answer, QUESTIONS[code].title)
        for code, answer in changes
    )
    also = tuple(one.brief for one in alike)
    if changed is not None:
        also = (*(_named(best, other) for other in changed.also), *also)
    elif explained and not alike and not faults:
        also = tuple(
            _plain(name)
            for name in ranked
            if name != best and np.array_equal(fits[name], ours) and ours.all()
        )
    counts = tuple(RuleSetCount(name, int(fits[name].sum()), run.given) for name in ranked)
    sure, why = _sureness(run, best, changed, fits, ranked, ours, also)
    if alike and changed is None:
        apart = f"these figures do not tell apart that {some(also, MOST_NAMED)}"
        few = "fewer than three decisions of one match show it"
        sure, why = "open", apart if len(also) > 1 else few
    elif faults and faults[0].code not in NO_FIGURES:
        sure = (
            "open"
            if len(faults) > 1
            else "certain"
            if len(faults[0].matches) >= SEVERAL
            else "likely"
        )
        why = f"it accounts for every figure, and {plural(len(faults[0].matches), 'match', 'matches')} cannot be had without it"
    against = (
        ()
        if ours.all() or (faults and faults[0].everywhere)
        else tuple(_against(run, best, changed, faults))[:MOST_AGAINST]
    )
    return Diagnosis(
        candidate=candidate,
        matches=tuple(subject.id for subject in run.subjects),
        sentence=_sentence(candidate, run, best, changed, faults, alike, counts, explained, also),
        rule_sets=counts,
        best=BestRules(best, differences, explained, run.given, also),
        sure=sure,
        why=why,
        faults=faults,
        against=against,
    )


def _named(rules: str, changes: Sequence[tuple[str, str]] = ()) -> str:
    words = OWN_WORDS if rules == OWN else f"rule set {rules}"
    return words + (
        f" with {' and '.join(f'{code} {answer}' for code, answer in changes)}" if changes else ""
    )


def _plain(rules: str) -> str:
    return OWN_WORDS if rules == OWN else rules


def _over(run: Run) -> str:
    return f"over {len(run.subjects)} matches" if len(run.subjects) > 1 else "of one match"


def _sentence(
    candidate: str,
    run: Run,
    best: str,
    changed: Changed | None,
    faults: tuple[Fault, ...],
    alike: tuple[Fault, ...],
    counts: Sequence[RuleSetCount],
    explained: int,
    also: Sequence[str],
) -> str:
    """The sentence for which a maintainer came."""
    if alike and changed is None:
        every = alike[0].explained
        listed = some([one.brief for one in alike], MOST_NAMED)
        if len(alike) == 1:
            return (
                f"{candidate}: a known fault gives all {every} figures {_over(run)}, and too few decisions show it to name it: "
                f"{listed}. `reconcile suite run` decides."
            )
        return f"{candidate}: each of {len(alike)} known faults gives all {every} figures {_over(run)}, and these do not tell which: {listed}."
    return f"{_of_rules(candidate, run, best, changed, faults, counts, explained, also)}{_of_others(run, best, faults)}"


def _of_others(run: Run, best: str, faults: tuple[Fault, ...]) -> str:
    """What is wrong with figures that no question is about; empty where nothing is, or a mistake may account for it."""
    if faults:
        return ""
    wrong = [one for case in run.cases for one in case.unlike(run.key(case, best))]
    if not wrong:
        return ""
    names = some(
        [METRICS[name].label for name in METRICS if any(one.metric == name for one in wrong)],
        MOST_NAMED,
    )
    return f" Of the other figures {len(wrong)} of {sum(len(case.others) for case in run.cases)} differ{'s' * (len(wrong) == 1)}: {names}."


def _of_rules(
    candidate: str,
    run: Run,
    best: str,
    changed: Changed | None,
    faults: tuple[Fault, ...],
    counts: Sequence[RuleSetCount],
    explained: int,
    also: Sequence[str],
) -> str:
    rules = _named(best, changed.changes if changed else ())
    others = [one.explained for one in counts if one.name != best and _plain(one.name) not in also]
    share = _share(explained, run.given, run)
    if faults:
        fault = faults[0]
        start = f"{candidate}: {fault.brief}"
        if not fault.everywhere or len(fault.matches) < len(run.subjects) > 1:
            start += f", in {plural(len(fault.matches), 'match', 'matches')} of {len(run.subjects)} ({some(fault.matches, MOST_NAMED)})"
        if not run.given:
            return f"{start}."
        if fault.code in NO_FIGURES:
            return f"{start}; {_named(best)} {'give' if best == OWN else 'gives'} {share}."
        before = fault.explained - sum(len(case.wrong(run.key(case, best))) for case in run.cases)
        share = _share(fault.explained, fault.explained, run)
        return f"{start}. That accounts for {share}, counted by {_named(best)}; without it the rules give {before}."
    if not run.given:
        return f"{candidate} gives no figure that depends on rules."
    if changed is not None:
        other = f", or {either(also)}" if also else ""
        if changed.few:
            return (
                f"{candidate} may count like {rules}{other}: {share}, which rests on {plural(changed.few, 'decision')} of one match; "
                "`reconcile suite run` decides."
            )
        if explained < run.given:
            return (
                f"{candidate} counts nearly like {rules}{other}: {share}; without the change it is {changed.before}. "
                "No known mistake gives the others."
            )
        return f"{candidate} counts like {rules}{other}: {share}; without the change it is {changed.before}."
    if explained == 0:
        return f"{candidate} counts like no known rules: none gives any of {plural(run.given, 'figure')} {_over(run)}."
    most = max(others, default=0)
    rest = f"; no other known rules give more than {most}" if others else ""
    if explained < LIKE * run.given:
        return f"{candidate} counts like no known rules: {_named(best)} {'come' if best == OWN else 'comes'} closest, with {share}{rest}."
    if explained < run.given:
        return f"{candidate} counts nearly like {_named(best)}: {share}{rest}. No known mistake gives the others."
    if also:
        same = f"{some(also, MOST_NAMED)} {'gives' if len(also) == 1 else 'give'} the same here"
        return f"{candidate} counts like {_named(best)}: {share}; {same}{rest}."
    return f"{candidate} counts like {_named(best)}: {share}{rest}."


def _share(explained: int, given: int, run: Run) -> str:
    return f"{explained} of {plural(given, 'figure')} {_over(run)}"


def _sureness(
    run: Run,
    best: str,
    changed: Changed | None,
    fits: dict[str, Bools],
    ranked: Sequence[str],
    ours: Bools,
    also: Sequence[str],
) -> tuple[Sure, str]:
    if not ours.any():
        return "none", "no known rules give any of the figures"
    if changed is not None and changed.few:
        return "open", f"it rests on {plural(changed.few, 'decision')} of one match"
    if also:
        same = [_named(best, changed.changes if changed else ()), *also]
        one = len(run.subjects) == 1
        which = some(same, MOST_NAMED)
        return (
            "open",
            f"one match does not tell {which} apart: give more"
            if one
            else f"these matches do not tell {which} apart",
        )
    if not ours.all() and ours.sum() < LIKE * len(ours):
        return "none", "the rules that come closest leave too many figures unexplained"
    nearest = ranked[0] if changed else next((name for name in ranked if name != best), None)
    telling = run.of_match[ours & ~fits[nearest]] if nearest else run.of_match[ours]
    matches = len(set(telling.tolist()))
    name = (
        (f"{_named(nearest)} alone" if nearest == best else _named(nearest))
        if changed and nearest
        else "the next rules"
    )
    what = f"{plural(len(telling), 'figure')} in {plural(matches, 'match', 'matches')}"
    if len(run.subjects) == 1:
        return (
            "likely",
            f"it is one match, and one match proves little: {what} speak for it against {name}; give more matches",
        )
    if matches >= SEVERAL:
        return "certain" if ours.all() else "likely", f"{what} speak for it against {name}"
    return "likely", f"only {what} speak for it against {name}: give more matches"


def _against(
    run: Run, best: str, changed: Changed | None, faults: tuple[Fault, ...]
) -> Iterator[Against]:
    """The matches whose figures the rules do not give, with the decisions that would account for them."""
    accounted = faults[0].matches if faults else ()
    for index, subject in enumerate(run.subjects):
        rules = run.rules(subject, best)
        if changed:
            rules = switched(rules, changed.changes)
        fits = run.fits_of(index, rules)
        if fits.all() or subject.id in accounted:
            continue
        sentences: list[str] = []
        decisions: list[DecidingDecision] = []
        for case in (_under(case, rules) for case in subject.cases):
            values = case.figures(rules.name)
            wrong = ~case.fits(values)
            if wrong.any():
                ours = named(
                    [
                        (one.metric, printed(one, value))
                        for one, value in chosen(case, values, wrong)
                    ]
                )
                sentences.append(f"{case.player}: {case.given(wrong)}, by these rules {ours}")
                decisions += list(_one_decision(case, rules.name, subject.id))
        yield Against(
            subject.id, int(fits.sum()), len(fits), "; ".join(sentences), tuple(decisions)
        )


def _under(case: Case, rules: RuleSet) -> Case:
    """The case with these rules alone."""
    base = case.statistics[case.own]
    met = (
        base.scored.met
        if rules.answers["Q11"] == base.rules.answers["Q11"]
        else table_of(case.match, rules)
    )
    ours = Statistics(score(case.match, rules, met))
    return replace(
        case,
        statistics={rules.name: ours},
        tables={rules.name: figure_table(ours, base)},
        figures_under=None,
    )


def _one_decision(case: Case, rules: str, match: str) -> Iterator[DecidingDecision]:
    """The few single decisions that would account for a player's figures if they counted otherwise."""
    ways: tuple[tuple[Counted, int, bool], ...] = (
        ("without", -1, True),
        ("twice", 1, True),
        ("with", 1, False),
    )
    for word, times, counted in ways:
        rows, values = changed_by_one(case, rules, times, counted=counted)
        fitting = rows[case.fits(values).all(axis=-1)]
        if 0 < len(fitting) <= MOST_DECISIONS:
            yield from (
                DecidingDecision(**asdict(place_of(case, rules, row, match)), counted=word)
                for row in fitting.tolist()
            )
