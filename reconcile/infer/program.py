"""One diagnosis of a program over all matches of a run: its mistake if it makes an ordinary one,
and the rules by which it counts.

A cause has to give every figure that is given, luck and moves among them; two matches, or three
decisions of one, have to tell it from the program's rules. What fits with less is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np

from reconcile.document import FIRST, HIDDEN, Count, Document, Key, Text
from reconcile.files.wording import capital, either, plural, some
from reconcile.files.yaml_file import read_tree
from reconcile.infer.catalogue import Fault, all_faults, answers, counted, deciding_cases
from reconcile.infer.checks import MOST_IF_EXPLAINED, SAFE
from reconcile.infer.investigation import Difference
from reconcile.infer.reported import named, printed
from reconcile.infer.run import OWN, Run, Subject, figures_in_part
from reconcile.infer.single_decisions import COUNTS, Place, chance, place_of, with_each
from reconcile.infer.transformations import Transformation, undone
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

MOST_AGAINST: Final = 20
"""Matches that speak against a diagnosis, shown."""
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
SENTENCES: Final = read_tree(Path(__file__).with_name("diagnosis.yaml"))
OWN_WORDS: Final = "the rules of each reference"
UNDONE: Final = "With that undone the program"
ANOTHER: Final = (
    "the decisions agree and what they lost does not, as in another analysis or with changed errors"
)
NO_FIGURES: Final = "level"
"""The check that says why no rules give the figures, and does not give them either."""
ONE_DECISION: Final = {
    "decision-missing": (-1, "one decision of a player is missing"),
    "decision-twice": (1, "one decision of a player counts twice"),
}
CounterWays = Literal["without", "twice", "with"]
WAYS: Final[tuple[tuple[CounterWays, int, bool], ...]] = (
    ("without", -1, True),
    ("twice", 1, True),
    ("with", 1, False),
)
"""How a single decision may count otherwise: how often more, and whether it counts already."""
Sure = Literal["certain", "likely", "open", "none"]
Change = tuple[Fault, ...]
"""What a program does otherwise than rules say."""


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


def cause_of(run: Run) -> Cause:
    """What gives every figure, the plainest first; otherwise the known rule set that gives most."""
    fits = {name: int(run.fits(name).sum()) for name in run.rule_sets}
    far = {name: run.off(name) for name in run.rule_sets}
    ranked = sorted(
        run.rule_sets, key=lambda name: (-fits[name], far[name], run.rule_sets.index(name))
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
    alike = [_rules_words(name, replace(plain, change=other).answers) for other in giving[1:]]
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
        rows, values = _each_decision(statistics, subject, seat, times)
        fitting = rows[(np.abs(values - subject.values[own]) <= subject.margins[own]).all(axis=-1)]
        wanted = [figure for (_, figure), here in zip(subject.figures, own, strict=True) if here]
        if not len(fitting) or all(figure.metric in COUNTS for figure in wanted):
            return None
        if len(fitting) <= MOST_DECISIONS:
            places += [place_of(statistics, row, subject.id) for row in fitting.tolist()]
        by_chance *= chance(wanted, subject.values_under(subject.rules(name))[own], values)
    return places, by_chance


def _each_decision(
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


def _rules_words(rules: str, changes: Sequence[tuple[str, str]] = ()) -> str:
    words = OWN_WORDS if rules == OWN else f"rule set {rules}"
    changed = " and ".join(f"{code} {answer}" for code, answer in changes)
    return f"{words} with {changed}" if changed else words


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
        rules, without = _rules_words(cause.rules, cause.answers), int(run.fits(cause.rules).sum())
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
            rules = _rules_words(cause.rules, cause.answers)
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
                slots["against"] = _rules_words(nearest) + " alone" * (nearest == cause.rules)
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
        rows, values = _each_decision(statistics, subject, seat, times, counts=counts)
        off = np.abs(values - subject.values[own])
        fitting = rows[(off <= subject.margins[own]).all(axis=-1)].tolist()
        if len(fitting) <= MOST_DECISIONS:
            for row in fitting:
                place = asdict(place_of(statistics, row, subject.id))
                yield DecidingDecision(**place, counted=way)
