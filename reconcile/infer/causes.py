"""What gives the figures of a program over all matches of a run: a known rule set, one or two other
answers, or a fault of the catalogue.

A cause has to give every figure, luck and moves among them; two matches, or three decisions of one,
have to tell it from the program's rules. What fits with less is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, Final

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Text
from reconcile.infer.catalogue import Fault, all_faults, answers, deciding_cases, program_statistics
from reconcile.infer.checks import MOST_IF_EXPLAINED, MOST_UNSAID, Sighting, find
from reconcile.infer.reported import COUNTS
from reconcile.infer.run import OWN, Change, Run, Subject
from reconcile.infer.single_decisions import TWO_WAYS, Place
from reconcile.infer.turning import differing
from reconcile.rules.rulesets import QUESTIONS
from reconcile.wording import capital, either, some

MOST_DECISIONS: Final = 3
"""Decisions named for a player; with more that it may be, none is."""
MOST_NAMED: Final = 3
"""Rules or faults that give the same figures, named."""
MOST_PAIRS: Final = 400
"""Pairs of other answers that are tried for a rule set."""
MOST_BASES: Final = 3
"""Known rule sets from which two other answers are tried beside the references' own."""
SEVERAL_MATCHES: Final = 2
"""Matches that tell a cause from the claimed rules; as many are more than an accident."""
SEVERAL_DECISIONS: Final = 3
"""The same of decisions, where only one match does."""
LIKE_SHARE: Final = 0.75
"""A rule set that gives at least this share of the figures is the one by which a program counts;
with less it only comes closest."""
LEAST_SHARE: Final = 0.25
"""Of the figures that rules do not give, how many an answer has to give that is named beside what
is not known."""
OWN_WORDS: Final = "the rules of each reference"
NO_FIGURES: Final = "level"
"""The check that says why no rules give the figures, and does not give them either."""
ANOTHER: Final = (
    "the decisions agree and what they lost does not, as in another analysis or with changed errors"
)
CHECKED: Final = {
    "money-as-match": "a money session is scored as a match",
    "decision-missing": "one decision of a player is missing",
    "decision-twice": "one decision of a player counts twice",
}
"""Checks that are no faults of the catalogue, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFault(Document):
    """A mistake that a program makes."""

    code: Text
    """Its code; `reconcile explain CODE` prints the page of one that is a check."""
    sentence: Text
    """What it does, and in which matches."""
    rules: Text
    """The rule set under which it accounts for most figures."""
    matches: tuple[Text, ...]
    """Ids of the matches in which it shows."""
    explained: Count
    """All figures that the rules give with it, luck, moves and grades among them."""
    decisions: tuple[Place, ...] = ()
    """The decisions that may be missing, or counted twice, as far as the figures distinguish
    them."""
    brief: Annotated[str, HIDDEN]
    """What it does, in a few words: `it gives each player the figures of the other`."""
    everywhere: Annotated[bool, HIDDEN] = True
    """Whether it holds in every match whose figures do not fit otherwise."""


@dataclass(frozen=True)
class Cause:
    """What gives the figures of a run, as far as anything known does."""

    rules: str
    """A known rule set."""
    ranked: tuple[str, ...]
    """All known rule sets, the one that gives most figures first."""
    change: Change = ()
    """Other answers."""
    faults: tuple[ProgramFault, ...] = ()
    alike: tuple[str, ...] = ()
    """Other causes, in words, that give the same figures."""
    deciding: str = ""
    """The case of the suite that decides about it."""
    few: int = 0
    """The decisions, or figures, on which it rests, where these are too few to name it."""

    @property
    def is_open(self) -> bool:
        """Whether known faults give the figures and none is named."""
        return bool(self.alike) and not self.change

    @property
    def gives_figures(self) -> bool:
        """Whether a fault is named that accounts for figures."""
        return bool(self.faults) and self.faults[0].code != NO_FIGURES

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The other answers, by question."""
        return [answers()[fault.code][:2] for fault in self.change]


def cause_of(run: Run) -> Cause:
    """What gives every figure, the plainest first; otherwise the known rule set that gives most."""

    def rank(name: str) -> tuple[object, ...]:
        is_wrong = bool(run.wrong(name))
        # Of rules that give every figure, the reference's own come first.
        is_other = not is_wrong and name != run.own
        farthest = max(each.farthest(each.rules(name)) for each in run.subjects)
        return is_wrong, -run.number_of(name), is_other, farthest

    ranked = sorted(run.rule_sets, key=rank)
    plain = Cause(ranked[0], tuple(ranked))
    searches = SEARCHES if run.wrong(plain.rules) else ()
    return next(filter(None, (search(run, plain) for search in searches)), plain)


def ordinary_mistake(run: Run, plain: Cause) -> Cause | None:
    """Faults that are checks: in every match whose figures do not fit, or without those that do in
    several."""
    for name in dict.fromkeys((run.own, *plain.ranked)):
        holding: dict[str, list[Fault]] = {}
        for fault in all_faults():
            accounts = fault.check and _accounts(run, name, fault)
            if accounts and _thin_evidence(run, name, (fault,)) is None:
                holding.setdefault(fault.check, []).append(fault)
        if holding:
            faults = [_fault(run, name, code, _brief(alike)) for code, alike in holding.items()]
            return replace(plain, rules=name, faults=tuple(faults[:MOST_NAMED]))
    return None


def _accounts(run: Run, name: str, fault: Fault) -> bool:
    """Whether a fault gives every figure of the matches that rules do not give, and it shows in all
    matches or in several.

    Where it is about decisions, a figure may also be as it is without: not every figure of a
    program goes through the same mistake.
    """
    wrong = run.wrong(name)
    may_be_plain = fault.step not in ("figures", "match")
    for index in wrong:
        fits = run.fits_of(index, name, (fault,))
        if not (fits | run.fits_of(index, name) if may_be_plain else fits).all():
            return False
    return len(wrong) >= SEVERAL_MATCHES or all(
        run.fits_of(index, name, (fault,)).all()
        for index in range(len(run.subjects))
        if index not in wrong
    )


def one_change(run: Run, plain: Cause) -> Cause | None:
    """One other answer, or a known fault, that gives every figure."""
    alike: dict[str, list[Fault]] = {}
    base = plain.rules
    for base in dict.fromkeys((run.own, plain.rules)):
        for fault in all_faults():
            if run.gives(base, (fault,)):
                alike.setdefault(fault.code, []).append(fault)
        if alike:
            break
    briefs = tuple(map(_brief, alike.values()))
    cases = deciding_cases()
    for name in plain.ranked:
        options = [(answer,) for answer in _answers(run, name)]
        if cause := _proved(run, replace(plain, rules=name), options):
            deciding = cases.get(cause.answers[0][0], "")
            return replace(cause, alike=(*cause.alike, *briefs), deciding=deciding)
    if not alike:
        return None
    code, faults = next(iter(alike.items()))
    if len(alike) == 1 and _thin_evidence(run, base, (faults[0],)) is None:
        return replace(plain, rules=base, faults=(_fault(run, base, code, briefs[0]),))
    deciding = next((cases[code] for code in alike if code in cases), "")
    return replace(plain, rules=base, alike=briefs, deciding=deciding)


def two_changes(run: Run, plain: Cause) -> Cause | None:
    """Two other answers that give every figure."""
    own = (subject.own.name for subject in run.subjects)
    for name in dict.fromkeys((*plain.ranked[:MOST_BASES], run.own, *own)):
        each = combinations(_moving(run, name), 2)
        pairs = [pair for pair in each if pair[0].code[:3] != pair[1].code[:3]]
        if cause := _proved(run, replace(plain, rules=name), pairs[:MOST_PAIRS]):
            return cause
    return None


def _answers(run: Run, name: str) -> list[Fault]:
    """Every other answer to every question that can change a figure of any of the matches."""
    varied = {
        code
        for code, question in QUESTIONS.items()
        if question.is_varied and any(question.matters(subject.match) for subject in run.subjects)
    }
    own = [subject.rules(name).answers for subject in run.subjects]
    return [
        fault
        for code, answer, fault in answers().values()
        if code in varied and any(rules[code] != answer for rules in own)
    ]


def _moving(run: Run, name: str) -> list[Fault]:
    """The answers that move any of the figures, one of those that do the same."""
    moving: dict[bytes, Fault] = {}
    for fault in _answers(run, name):
        each = []
        for subject in run.subjects:
            rules = subject.rules(name)
            shift = subject.values_under(rules, (fault,)) - subject.values_under(rules)
            each.append(np.nan_to_num(shift, nan=-1.0).round(9))
        shifts = np.concatenate(each)
        if shifts.any():
            moving.setdefault(shifts.tobytes(), fault)
    return list(moving.values())


def _proved(run: Run, plain: Cause, options: Sequence[Change]) -> Cause | None:
    """The first of other answers that give every figure, if that is no accident of one match."""
    name, wrong = plain.rules, run.wrong(plain.rules)
    is_like = run.number_of(name) >= LIKE_SHARE * run.number
    # Where only one of several matches is wrong, something is odd about that match, not the rules.
    is_one_odd = len(run.subjects) > SEVERAL_MATCHES and len(wrong) == 1 and is_like
    if is_one_odd or run.number_of(name) == run.number:
        return None
    giving = [change for change in options if run.gives(name, change)]
    if not giving:
        return None
    # With no more wrong matches than changes, one of so many options may fit by chance.
    if len(wrong) <= len(giving[0]) and len(options) * _by_chance(run, name) > MOST_UNSAID:
        return None
    alike = tuple(rules_words(name, replace(plain, change=other).answers) for other in giving[1:])
    few = _thin_evidence(run, name, giving[0]) or 0
    return replace(plain, change=giving[0], alike=alike, few=few)


def _by_chance(run: Run, name: str) -> float:
    """How likely the figures that a rule set does not give fit another by chance, of each player by
    the figure that proves most: figures of one player depend on each other."""
    sightings = [
        both for index in run.wrong(name) for both in _sightings(run.subjects[index], name)
    ]
    return float(np.prod([each.accident_near(each.wrong) for each in sightings]))


def _sightings(subject: Subject, name: str) -> list[Sighting]:
    """The figures of both players that depend on rules, beside these."""
    under = {name: subject.statistics(subject.rules(name))}
    ruled = [subject.chosen((subject.seats == seat) & subject.is_ruled) for seat in (0, 1)]
    return [Sighting(seat, None, tuple(ruled[seat]), under, name) for seat in (0, 1)]


def _thin_evidence(run: Run, name: str, change: Change) -> int | None:
    """How many decisions, or figures where it is about these, tell a change from rules, if these
    are too few to rest on; `None` if there are enough, or two matches."""
    wrong = run.wrong(name)
    if len(wrong) >= SEVERAL_MATCHES:
        return None
    number = 0
    if wrong and any(fault.step == "figures" for fault in change):
        number = int((~run.fits_of(wrong[0], name)).sum())
    elif wrong:
        number = _differing(run.subjects[wrong[0]], name, change) or SEVERAL_DECISIONS
    return number if number < SEVERAL_DECISIONS else None


def _differing(subject: Subject, name: str, change: Change) -> int:
    """How many decisions count or cost otherwise with a change; events that are absent are all
    different."""
    rules = subject.rules(name)
    plain = subject.statistics(rules).scored
    other = program_statistics(subject.match, rules, change).scored
    absent = abs(len(plain.error) - len(other.error))
    if absent:
        return absent
    return int(np.count_nonzero(differing(plain, other) | (plain.player != other.player)))


def checked_mistake(run: Run, plain: Cause) -> Cause | None:
    """A check that is no fault of the catalogue: one decision of each player that is missing, or
    counts twice; a money session scored as a match."""
    for name in dict.fromkeys((run.own, *plain.ranked)):
        for code in CHECKED:
            most = MOST_UNSAID if name == run.own else MOST_IF_EXPLAINED
            fault, accidents = _checked(run, name, code) or (None, 1.0)
            # Each time another decision: these have something in common, and it is not known what.
            is_partial = fault and SEVERAL_MATCHES <= len(fault.matches) < len(run.subjects)
            if fault and accidents <= most and not (is_partial and accidents):
                return replace(plain, rules=name, faults=(fault,))
    return None


def _checked(run: Run, name: str, code: str) -> tuple[ProgramFault, float] | None:
    """A fault that is a check, if it holds for every player whose figures rules do not give and all
    other figures are right; and how many such checks can be expected to hold by chance."""
    places: list[Place] = []
    accidents = float(TWO_WAYS)
    for index in run.wrong(name):
        subject = run.subjects[index]
        if not run.fits_of(index, name)[~subject.is_ruled].all():
            return None
        for sighting in _sightings(subject, name):
            fit = find(code, sighting)
            if fit is None and sighting.wrong:
                return None
            if fit:
                accidents *= fit.accidents / TWO_WAYS
                near = fit.places if len(fit.places) <= MOST_DECISIONS else ()
                places += [replace(place, match=subject.id) for place in near]
    return _fault(run, name, code, CHECKED[code], decisions=tuple(places)), accidents


def partial_change(run: Run, plain: Cause) -> Cause | None:
    """Another answer that gives more figures of several matches and fewer of none, where nothing
    gives all: a known answer beside what is not known."""
    name = plain.rules
    before, most = run.fits(name), 0
    least = max(SEVERAL_DECISIONS, LEAST_SHARE * (run.number - run.number_of(name)))
    best: Cause | None = None
    for fault in _moving(run, name):
        fits = run.fits(name, (fault,))
        gained = fits & ~before & run.is_ruled
        matches, number = len(np.unique(run.of_match[gained])), int(gained.sum())
        loses = (before & ~fits & run.is_ruled).any()
        if not loses and matches >= SEVERAL_MATCHES and number >= max(least, most + 1):
            best, most = replace(plain, change=(fault,)), number
    return best


def another_analysis(run: Run, plain: Cause) -> Cause | None:
    """Another analysis: in most matches the numbers of decisions are right, and what these lost is
    not."""
    name, matches, by_chance = run.own, [], 1.0
    if 2 * run.number_of(plain.rules) >= run.number:
        return None
    for index, subject in enumerate(run.subjects):
        fits, counts = run.fits_of(index, name), np.isin(subject.names, COUNTS)
        if counts.any() and fits[counts].all() and not fits[subject.is_ruled].all():
            matches.append(index)
            by_chance *= float(np.prod(np.minimum(1, 2 / np.maximum(subject.values[counts], 1))))
    if 2 * len(matches) <= len(run.subjects) or by_chance > MOST_UNSAID:
        return None
    number = int(run.fits(name)[np.isin(run.of_match, matches)].sum())
    fault = _fault(run, name, NO_FIGURES, ANOTHER, matches, explained=number, everywhere=False)
    return replace(plain, faults=(fault,))


SEARCHES: Final[Sequence[Callable[[Run, Cause], Cause | None]]] = (
    ordinary_mistake,
    one_change,
    two_changes,
    checked_mistake,
    partial_change,
    another_analysis,
)
"""In the order in which they are tried."""


def _brief(faults: Sequence[Fault]) -> str:
    """What faults with one code do, in words."""
    words = list(dict.fromkeys(fault.sentence for fault in faults))
    if len(words) < MOST_NAMED:
        return either(words)
    return f"{words[0]}, or one of {len(words) - 1} borders like it"


def _fault(
    run: Run, name: str, code: str, brief: str, indices: Sequence[int] = (), **more: Any
) -> ProgramFault:
    """A fault by which a program departs from rules, in all matches whose figures these do not give
    unless some are named."""
    matches = tuple(run.subjects[index].id for index in sorted(indices or run.wrong(name)))
    sentence = f"{capital(brief)}, {where(matches, len(run.subjects))}."
    fields: dict[str, Any] = {"explained": len(run.names), **more}
    return ProgramFault(
        code=code, brief=brief, sentence=sentence, rules=name, matches=matches, **fields
    )


def where(matches: Sequence[str], number: int) -> str:
    """In which of a number of matches, in words."""
    if number == 1:
        return "in the one match"
    if len(matches) == number:
        return f"in all {number} matches"
    return f"in {len(matches)} of {number} matches ({some(matches, MOST_NAMED)})"


def rules_words(rules: str, changes: Sequence[tuple[str, str]] = ()) -> str:
    """Rules in words: `rule set xg with Q01 blunderdb`."""
    words = OWN_WORDS if rules == OWN else f"rule set {rules}"
    changed = " and ".join(f"{code} {answer}" for code, answer in changes)
    return f"{words} with {changed}" if changed else words
