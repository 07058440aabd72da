"""What gives the figures of a program over all matches of a run: a known rule set, one or two other
answers, or a fault of the catalogue.

A cause has to give every figure, luck and moves among them; two matches, or three decisions of one,
have to tell it from the program's rules. What fits with less is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Final

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Text
from reconcile.files.wording import capital, either, some
from reconcile.infer.catalogue import Fault, all_faults, answers, counted, deciding_cases
from reconcile.infer.checks import MOST_IF_EXPLAINED, SAFE
from reconcile.infer.run import OWN, Run, Subject
from reconcile.infer.single_decisions import COUNTS, Place, chance, place_of, with_each
from reconcile.match.columns import Floats, Ints
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

MOST_DECISIONS: Final = 3
"""Decisions named for a player; with more that it may be, none is."""
MOST_NAMED: Final = 3
"""Rules or faults that give the same figures, named."""
MOST_PAIRS: Final = 400
"""Pairs of other answers that are tried for a rule set."""
MOST_BASES: Final = 3
"""Known rule sets from which two other answers are tried beside the references' own."""
SEVERAL: Final = 2
"""Matches that tell a cause from the claimed rules; as many are more than an accident."""
SEVERAL_DECISIONS: Final = 3
"""The same of decisions, where only one match does."""
LIKE: Final = 0.75
"""A rule set that gives at least this share of the figures is the one by which a program counts;
with less it only comes closest."""
LEAST_SHARE: Final = 0.25
"""Of the figures that rules do not give, how many an answer has to give that is named beside what
is not known."""
TINY: Final = 1e-9
OWN_WORDS: Final = "the rules of each reference"
ANOTHER: Final = (
    "the decisions agree and what they lost does not, as in another analysis or with changed errors"
)
NO_FIGURES: Final = "level"
"""The check that says why no rules give the figures, and does not give them either."""
ONE_DECISION: Final = {
    "decision-missing": (-1, "one decision of a player is missing"),
    "decision-twice": (1, "one decision of a player counts twice"),
}
Change = tuple[Fault, ...]
"""What a program does otherwise than rules say."""


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
    same: tuple[str, ...] = ()
    """Other known rule sets that give the same figures."""
    deciding: str = ""
    """The case of the conformance suite that tells them apart."""
    few: int = 0
    """The decisions, or figures, on which it rests, where these are too few to name it."""

    @property
    def is_open(self) -> bool:
        """Whether known faults give the figures and none is named."""
        return bool(self.alike) and not self.change

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """The other answers, by question."""
        return tuple(answers()[fault.code][:2] for fault in self.change)


def cause_of(run: Run) -> Cause:
    """What gives every figure, the plainest first; otherwise the known rule set that gives most."""
    fits = {name: int(run.fits(name).sum()) for name in run.rule_sets}
    far = {name: run.off(name) for name in run.rule_sets}
    ranked = sorted(
        run.rule_sets,
        key=lambda name: (
            bool(run.wrong(name)),
            -fits[name],
            far[name],
            run.rule_sets.index(name),
        ),
    )
    plain = Cause(ranked[0], tuple(ranked))
    if run.wrong(plain.rules):
        for search in SEARCHES:
            cause = search(run, plain)
            if cause is not None:
                return cause
    return plain


def ordinary_mistake(run: Run, plain: Cause) -> Cause | None:
    """Faults that are checks: in every match whose figures do not fit, or without those that do in
    several."""
    for name in dict.fromkeys((run.own, *plain.ranked)):
        holding: dict[str, list[Fault]] = {}
        for fault in all_faults():
            if (
                fault.check
                and _accounts(run, name, fault)
                and _evidence(run, name, (fault,)) is None
            ):
                holding.setdefault(fault.check, []).append(fault)
        if holding:
            faults = [_document(run, name, code, alike) for code, alike in holding.items()]
            return replace(plain, rules=name, faults=tuple(faults[:MOST_NAMED]))
    return None


def money_as_match(run: Run, plain: Cause) -> Cause | None:
    """Match winning chance in money sessions, where nothing else is wrong."""
    wrong = run.wrong(run.own)
    for index in wrong:
        subject = run.subjects[index]
        in_chances = np.array(
            [METRICS[figure.metric].in_mwc for _, figure in subject.figures], bool
        )
        if not subject.match.is_money or not run.fits_of(index, run.own)[~in_chances].all():
            return None
    brief = "a money session is scored as a match"
    matches = tuple(run.subjects[index].id for index in wrong)
    return replace(plain, faults=(_fault(run, run.own, "money-as-match", brief, matches),))


def _accounts(run: Run, name: str, fault: Fault) -> bool:
    """Whether a fault gives every figure of the matches that rules do not give, and it shows in all
    matches or in several.

    Where it is about decisions, a figure may also be as it is without: not every figure of a
    program goes through the same mistake.
    """
    wrong = run.wrong(name)
    for index in wrong:
        fits = run.fits_of(index, name, (fault,))
        if not fault.is_of_figures and not fault.of_match:
            fits = fits | run.fits_of(index, name)
        if not fits.all():
            return False
    right = set(range(len(run.subjects))) - set(wrong)
    return len(wrong) >= SEVERAL or all(run.fits_of(at, name, (fault,)).all() for at in right)


def one_change(run: Run, plain: Cause) -> Cause | None:
    """One other answer, or a known fault, that gives every figure."""
    alike: dict[str, list[Fault]] = {}
    base = plain.rules
    for base in dict.fromkeys((run.own, plain.rules)):
        for fault in all_faults():
            if _gives_all(run, base, (fault,)):
                alike.setdefault(fault.code, []).append(fault)
        if alike:
            break
    briefs = {code: _brief(faults) for code, faults in alike.items()}
    for name in plain.ranked:
        cause = _proved(
            run, replace(plain, rules=name), [(subject,) for subject in _answers(run, name)]
        )
        if cause is not None:
            deciding = deciding_cases().get(cause.change[0].code[:3], "")
            alike_too = (*cause.alike, *briefs.values())
            return replace(cause, alike=alike_too, deciding=deciding)
    if not alike:
        return None
    few = [_evidence(run, base, (faults[0],)) for faults in alike.values()]
    if len(alike) == 1 and few == [None]:
        ((code, faults),) = alike.items()
        return replace(plain, rules=base, faults=(_document(run, base, code, faults),))
    deciding = next((deciding_cases()[code] for code in alike if code in deciding_cases()), "")
    return replace(plain, rules=base, alike=tuple(briefs.values()), deciding=deciding)


def two_changes(run: Run, plain: Cause) -> Cause | None:
    """Two other answers that give every figure."""
    own = (subject.own.name for subject in run.subjects)
    for name in dict.fromkeys((*plain.ranked[:MOST_BASES], run.own, *own)):
        moving = _moving(run, name)
        pairs = [pair for pair in combinations(moving, 2) if pair[0].code[:3] != pair[1].code[:3]]
        cause = _proved(run, replace(plain, rules=name), pairs[:MOST_PAIRS])
        if cause is not None:
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
        shifts = []
        for subject in run.subjects:
            rules = subject.rules(name)
            shift = subject.values_under(rules, (fault,)) - subject.values_under(rules)
            shifts.append(np.nan_to_num(shift, nan=-1.0).round(9))
        if np.concatenate(shifts).any():
            moving.setdefault(np.concatenate(shifts).tobytes(), fault)
    return list(moving.values())


def _gives_all(run: Run, name: str, change: Change) -> bool:
    """Whether rules with a change give every figure; what they give least of without is tried
    first."""
    order = dict.fromkeys((*run.wrong(name), *range(len(run.subjects))))
    return all(run.fits_of(index, name, change).all() for index in order)


def _proved(run: Run, plain: Cause, options: Sequence[Change]) -> Cause | None:
    """The first of other answers that give every figure, if that is no accident of one match."""
    name, wrong = plain.rules, run.wrong(plain.rules)
    fits = run.fits(name)
    one_left = len(run.subjects) > SEVERAL and len(wrong) == 1 and fits.mean() >= LIKE
    if not wrong or one_left or fits.all():
        return None
    giving = [change for change in options if _gives_all(run, name, change)]
    if not giving:
        return None
    if len(wrong) <= len(giving[0]) and len(options) * _by_chance(run, name) > SAFE:
        return None
    alike = [rules_words(name, replace(plain, change=other).answers) for other in giving[1:]]
    few = _evidence(run, name, giving[0]) or 0
    return replace(plain, change=giving[0], alike=tuple(alike), few=few)


def _by_chance(run: Run, name: str) -> float:
    """How likely the figures that a rule set does not give fit another by chance, of each player by
    the figure that proves most: figures of one player depend on each other."""
    product = 1.0
    for index, subject in enumerate(run.subjects):
        off = 2 * subject.off(np.nan_to_num(subject.values_under(subject.rules(name))))
        width = np.where(
            [figure.half > 0 for _, figure in subject.figures], 2 * subject.margins, 1.0
        )
        chances = width / np.where(off > 0, off, np.inf)
        for seat in (0, 1):
            wrong = subject.of_seat(seat) & subject.is_ruled & ~run.fits_of(index, name)
            product *= min(float(chances[wrong].min(initial=1.0)), 1.0)
    return product


def _evidence(run: Run, name: str, change: Change) -> int | None:
    """How many decisions, or figures where it is about these, tell a change from rules, where these
    are too few; `None` where two matches do, or enough of them."""
    wrong = run.wrong(name)
    if len(wrong) >= SEVERAL:
        return None
    if not wrong:
        return 0
    subject = run.subjects[wrong[0]]
    if any(fault.is_of_figures for fault in change):
        number = int((~run.fits_of(wrong[0], name)).sum())
    else:
        number = _differing(subject, name, change) or SEVERAL_DECISIONS
    return number if number < SEVERAL_DECISIONS else None


def _differing(subject: Subject, name: str, change: Change) -> int:
    """How many decisions count or cost otherwise with a change; events that are absent are all
    different."""
    match, rules = subject.match, subject.rules(name)
    plain, other = counted(match, rules).scored, counted(match, rules, change).scored
    if len(plain.error) != len(other.error):
        return abs(len(plain.error) - len(other.error))
    differs = (plain.counted != other.counted) | (plain.player != other.player)
    differs |= np.abs(plain.error - other.error) > TINY
    return int(np.count_nonzero(differs | (np.abs(plain.loss - other.loss) > TINY)))


def single_decision(run: Run, plain: Cause) -> Cause | None:
    """One decision of each player that is missing, or counts twice."""
    for name in dict.fromkeys((run.own, *plain.ranked)):
        for code, (times, brief) in ONE_DECISION.items():
            places: list[Place] = []
            accidents, matches = 2.0, []
            for index in run.wrong(name):
                fit = _with_one_decision(run, index, name, times)
                if fit is None:
                    break
                matches.append(run.subjects[index].id)
                places += fit[0]
                accidents *= fit[1]
            else:
                # Each time another decision: these have something in common, and it is not known
                # what.
                is_partial = SEVERAL <= len(matches) < len(run.subjects)
                most = SAFE if name == run.own else MOST_IF_EXPLAINED
                if accidents <= most and not is_partial:
                    fault = _fault(run, name, code, brief, tuple(matches), tuple(places))
                    return replace(plain, rules=name, faults=(fault,))
    return None


def _with_one_decision(
    run: Run, index: int, name: str, times: int
) -> tuple[list[Place], float] | None:
    """The decisions of each player that account for what does not fit, and how likely any does by
    chance."""
    subject, fits = run.subjects[index], run.fits_of(index, name)
    places: list[Place] = []
    by_chance = 1.0
    if not fits[~subject.is_ruled].all():
        return None
    for seat in (0, 1):
        own = subject.of_seat(seat) & subject.is_ruled
        if fits[own].all():
            continue
        statistics = subject.memory.statistics(subject.record, subject.rules(name))
        rows, values = each_decision(statistics, subject, seat, times)
        fitting = rows[(np.abs(values - subject.values[own]) <= subject.margins[own]).all(axis=-1)]
        wanted = [figure for (_, figure), here in zip(subject.figures, own, strict=True) if here]
        if not len(fitting) or all(figure.metric in COUNTS for figure in wanted):
            return None
        if len(fitting) <= MOST_DECISIONS:
            places += [place_of(statistics, row, subject.id) for row in fitting.tolist()]
        by_chance *= chance(wanted, subject.values_under(subject.rules(name))[own], values)
    return places, by_chance


def each_decision(
    statistics: Statistics, subject: Subject, seat: int, times: int, *, counts: bool = True
) -> tuple[Ints, Floats]:
    """The given figures of a player that depend on rules with each decision `times` more often."""
    names = [
        figure.metric
        for (owner, figure), ruled in zip(subject.figures, subject.is_ruled, strict=True)
        if owner == seat and ruled
    ]
    return with_each(statistics, seat, None, names, times, counted=counts)


def partial_change(run: Run, plain: Cause) -> Cause | None:
    """Another answer that gives more figures of several matches and fewer of none, where nothing
    gives all: a known answer beside what is not known."""
    name = plain.rules
    before, most = run.fits(name), 0
    best: Cause | None = None
    for fault in _moving(run, name):
        fits = run.fits(name, (fault,))
        gained = fits & ~before
        matches = set(run.of_match[gained].tolist())
        least = max(SEVERAL_DECISIONS, LEAST_SHARE * (~before).sum(), most + 1)
        if not (before & ~fits).any() and len(matches) >= SEVERAL and gained.sum() >= least:
            best, most = replace(plain, change=(fault,)), int(gained.sum())
    return best


def another_analysis(run: Run, plain: Cause) -> Cause | None:
    """Numbers of decisions that are those of most matches, where what they lost is not."""
    name, matches, by_chance = run.own, [], 1.0
    if 2 * run.fits(plain.rules).sum() >= run.number:
        return None
    for index, subject in enumerate(run.subjects):
        fits = run.fits_of(index, name)
        is_count = np.array([figure.metric in COUNTS for _, figure in subject.figures], bool)
        rest = subject.is_ruled & ~is_count
        if is_count.any() and fits[is_count].all() and not fits[rest].all():
            matches.append(subject.id)
            by_chance *= float(np.prod(np.minimum(1, 2 / np.maximum(subject.values[is_count], 1))))
    if 2 * len(matches) <= len(run.subjects) or by_chance > SAFE:
        return None
    fault = _fault(run, name, "level", ANOTHER, tuple(matches))
    return replace(plain, faults=(replace(fault, everywhere=False),))


SEARCHES: Final[Sequence[Callable[[Run, Cause], Cause | None]]] = (
    money_as_match,
    ordinary_mistake,
    one_change,
    two_changes,
    single_decision,
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


def _document(run: Run, name: str, code: str, faults: Sequence[Fault]) -> ProgramFault:
    matches = tuple(run.subjects[index].id for index in sorted(run.wrong(name)))
    return _fault(run, name, code, _brief(faults), matches)


def _fault(
    run: Run,
    name: str,
    code: str,
    brief: str,
    matches: tuple[str, ...],
    places: tuple[Place, ...] = (),
) -> ProgramFault:
    number = len(run.subjects)
    where = f"in all {number} matches"
    if number == 1:
        where = "in the one match"
    elif len(matches) < number:
        where = f"in {len(matches)} of {number} matches ({some(matches, MOST_NAMED)})"
    return ProgramFault(
        code=code,
        brief=brief,
        sentence=f"{capital(brief)}, {where}.",
        rules=name,
        matches=matches,
        explained=run.explained,
        decisions=places,
    )


def rules_words(rules: str, changes: Sequence[tuple[str, str]] = ()) -> str:
    """Rules in words: `rule set xg with Q01 blunderdb`."""
    words = OWN_WORDS if rules == OWN else f"rule set {rules}"
    changed = " and ".join(f"{code} {answer}" for code, answer in changes)
    return f"{words} with {changed}" if changed else words
