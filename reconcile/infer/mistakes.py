"""What a program does otherwise, by all its matches: one or two other answers to questions, an ordinary mistake, or a known fault.

Each has to give every figure that is given, luck and moves among them. A change of answers is needed in several matches, or one that fits
by chance is unlikely. A mistake holds in every match where the figures do not fit, or in several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Annotated, Final

import numpy as np

from reconcile.document import HIDDEN, Count, Document, Text
from reconcile.files.wording import capital, either, some
from reconcile.infer.checks import CHECKS
from reconcile.infer.checks.check import MOST_IF_EXPLAINED, SAFE, Check, Fit, Place
from reconcile.infer.faults import known
from reconcile.infer.run import Case, Run
from reconcile.infer.scorer import Both, counted, figures
from reconcile.infer.scorer import Fault as ProgramFault
from reconcile.infer.search import Observed
from reconcile.match.columns import Bools, Floats
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS, RuleSet

MOST_PAIRS: Final = 400
"""Pairs of changes tried for a rule set."""
SEVERAL: Final = 2
"""Matches that tell a cause from the claimed rules."""
SEVERAL_DECISIONS: Final = 3
"""The same of decisions, where only one match does."""
TINY: Final = 1e-9
LEAST_SHARE: Final = 0.25
"""Of the figures that rules do not give, how many a change has to give that is named beside what is not known."""
MOST_BASES: Final = 3
"""Known rule sets from which two changes are tried beside the references' own, those that give most figures first."""

Change = tuple[str, str]
"""A question and the answer to it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A known rule set with one or two other answers."""

    rules: str
    changes: tuple[Change, ...]
    fits: Bools
    """Which figures of the run it gives."""
    before: int
    """How many the rule set gives without them."""
    improved: tuple[str, ...]
    """The matches of which it gives more figures."""
    also: tuple[tuple[Change, ...], ...] = ()
    """Other changes to the same rule set that give the same figures."""
    few: int = 0
    """The decisions on which it rests, where these are too few to name it."""


def best_changes(run: Run, bases: Sequence[str], most: int = 2) -> Changed | None:
    """The fewest other answers, at most `most`, with which a rule set gives every figure of a run; `None` where none proves itself.

    One change is preferred to two, and the rule sets in their order. Two are tried for the first rule sets only.
    """
    first = tuple(
        dict.fromkeys(
            (*bases[:MOST_BASES], run.own, *(subject.own.name for subject in run.subjects))
        )
    )
    for number, names in ((1, bases), (2, first))[:most]:
        for name in names:
            singles = _singles(run, name)
            options: Sequence[tuple[Change, ...]] = [(one,) for one in singles]
            if number > 1:
                moving = _moving(run, name, singles)
                options = [(one, two) for one, two in combinations(moving, 2) if one[0] != two[0]][
                    :MOST_PAIRS
                ]
            found = _proved(
                run,
                name,
                [option for option in options if _gives_all(run, name, option)],
                len(options),
            )
            if found is not None:
                return found
    return None


def _singles(run: Run, name: str) -> list[Change]:
    """Every other answer to every question that can change a figure of any of the matches."""
    found = []
    for code, question in QUESTIONS.items():
        own = {run.rules(subject, name).answers[code] for subject in run.subjects}
        if question.is_varied and any(question.matters(subject.match) for subject in run.subjects):
            found += [(code, answer) for answer in question.answers if own != {answer}]
    return found


def _moving(run: Run, name: str, singles: Sequence[Change]) -> list[Change]:
    """The changes that move any of the figures, one of those that do the same."""
    moved: dict[Change, list[Floats]] = {change: [] for change in singles}
    for index, subject in enumerate(run.subjects):
        rules = run.rules(subject, name)
        plain = run.values_of(index, rules)
        for change in singles:
            moved[change].append(
                np.nan_to_num(run.values_of(index, rules.switched(*change)) - plain, nan=-1.0)
            )
    found: dict[bytes, Change] = {}
    for change in singles:
        shift = np.concatenate(moved[change]).round(9)
        if shift.any():
            found.setdefault(
                shift.tobytes(), change
            )  # of those that do the same in these matches one will do
    return list(found.values())


def _gives_all(run: Run, name: str, changes: tuple[Change, ...]) -> bool:
    """Whether a changed rule set gives every figure; the matches of which it gives least without are tried first."""
    before = run.fits(name)
    order = sorted(
        range(len(run.subjects)), key=lambda index: -int((~before[run.of_match == index]).sum())
    )
    return all(
        run.fits_of(index, switched(run.rules(run.subjects[index], name), changes)).all()
        for index in order
    )


def switched(rules: RuleSet, changes: Sequence[Change]) -> RuleSet:
    """A rule set with other answers."""
    for code, answer in changes:
        rules = rules.switched(code, answer)
    return rules


def _proved(run: Run, name: str, found: Sequence[tuple[Change, ...]], tried: int) -> Changed | None:
    """The first of those that give every figure, if that is no accident of one match."""
    before = run.fits(name)
    if not found or before.all():
        return None
    improved = tuple(
        subject.id
        for index, subject in enumerate(run.subjects)
        if not before[run.of_match == index].all()
    )
    if len(improved) <= len(found[0]) and tried * _chance_of_change(run, name, before) > SAFE:
        return None
    few = _decisions(run, name, found[0]) if len(improved) < SEVERAL else SEVERAL_DECISIONS
    return Changed(
        name,
        found[0],
        np.ones(run.given, bool),
        int(before.sum()),
        improved,
        tuple(found[1:]),
        few if few < SEVERAL_DECISIONS else 0,
    )


def _decisions(run: Run, name: str, changes: Sequence[Change]) -> int:
    """How many decisions of all matches count or cost otherwise with some answers changed."""
    number = 0
    for subject in run.subjects:
        rules = run.rules(subject, name)
        number += differing_decisions(subject.match, rules, switched(rules, changes))
    return number or SEVERAL_DECISIONS  # a question about what is shown


def differing_decisions(
    match: Match, rules: RuleSet, others: RuleSet, faults: Sequence[ProgramFault] = ()
) -> int:
    """How many decisions count or cost otherwise under other rules, or with faults; events that are absent are all different."""
    plain, changed = counted(match, rules).scored, counted(match, others, faults).scored
    if len(plain.error) != len(changed.error):
        return abs(len(plain.error) - len(changed.error))
    return int(
        np.count_nonzero(
            (plain.counted != changed.counted)
            | (np.abs(plain.error - changed.error) > TINY)
            | (plain.player != changed.player)
            | (np.abs(plain.loss - changed.loss) > TINY)
        )
    )


def partial_change(run: Run, ranked: Sequence[str]) -> Changed | None:
    """Another answer that gives more figures of several matches and fewer of none, where nothing gives all: a known answer beside what is
    not known."""
    name = ranked[0]
    before = run.fits(name)
    best: Changed | None = None
    for change in _moving(run, name, _singles(run, name)):
        fits = np.concatenate(
            [
                run.fits_of(index, run.rules(subject, name).switched(*change))
                for index, subject in enumerate(run.subjects)
            ]
        )
        improved = tuple(
            dict.fromkeys(run.subjects[index].id for index in run.of_match[fits & ~before].tolist())
        )
        if (before & ~fits).any() or len(improved) < SEVERAL:
            continue
        if int((fits & ~before).sum()) >= max(SEVERAL_DECISIONS, LEAST_SHARE * (~before).sum()):
            more = Changed(name, (change,), fits, int(before.sum()), improved)
            if best is None or fits.sum() > best.fits.sum():
                best = more
    return best


def _chance_of_change(run: Run, name: str, before: Bools) -> float:
    """How likely the figures that a rule set does not give fit another by chance, each player's by the figure that proves most."""
    chance, start = 1.0, 0
    for case in run.cases:
        gained = slice(start, start + len(case.wanted))
        new = ~before[gained]
        chance *= case.accident_near(case.figures(run.key(case, name)), new) if new.any() else 1.0
        start = gained.stop
    return chance


NO_FIGURES: Final = ("other-tool", "misprint", "level")
"""Checks that say why no rules give the figures, and do not give them either. A program under test may print what a tool does not."""
ONE_DECISION: Final = ("decision-missing", "decision-twice")
"""Checks that are about another decision in every match: a program makes such a mistake in one match, or in all."""
MOST_MISSES: Final = 4
"""With so many players for whom it does not hold, and none for whom it does, a check is not tried on the others."""
FEW: Final = 8
"""A check with at most so many alternatives that accounts for every figure of several matches is no accident."""
MOST: Final = 3
"""Faults that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault(Document):
    """An ordinary mistake that a program makes."""

    code: Text
    """Its code; `reconcile explain CODE` prints the page of one that is a check."""
    sentence: Text
    """In which matches, and an example."""
    rules: Text
    """The rule set under which it accounts for most figures."""
    matches: tuple[Text, ...]
    """Ids of the matches in which it shows."""
    explained: Count
    """All figures that the rules give with it, luck, moves and grades among them."""
    decisions: tuple[Place, ...]
    """The decisions that may be missing, or counted twice, as far as the figures distinguish them."""
    brief: Annotated[str, HIDDEN]
    """What it does, in a few words: `the players are swapped`."""
    everywhere: Annotated[bool, HIDDEN]
    """Whether it holds in every match whose figures do not fit otherwise."""
    is_sure: Annotated[bool, HIDDEN] = True
    """Whether two matches, or three decisions of one, tell it from the program's rules."""


@dataclass(slots=True)
class _Tried:
    """A check under a rule set, case by case."""

    check: Check
    rules: str
    kind: str
    found: list[tuple[str, Case, Fit]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    """Matches whose figures it does not account for."""
    explained: int = 0

    @property
    def matches(self) -> tuple[str, ...]:
        """The matches in which it shows."""
        return tuple(dict.fromkeys(name for name, _, _ in self.found))

    @property
    def accidents(self) -> float:
        """How many such alternatives can be expected to fit by chance."""
        return max(fit.tried for _, _, fit in self.found) * float(
            np.prod([min(fit.chance, 1.0) for _, _, fit in self.found])
        )


def faults_of(run: Run, best: str, *, last: bool = False) -> tuple[Fault, ...]:
    """The mistakes that account for all figures where the best known rule set alone does not, in the order of the checks.

    With `last` those that are thought of only when nothing else accounts for the figures. Where the rules give every figure that depends
    on rules, only luck can be wrong.
    """
    fits = run.fits(best)
    every = sum(len(case.known(run.key(case, best))) for case in run.cases)
    known = every - sum(len(case.wrong(run.key(case, best))) for case in run.cases)
    checks = [one for one in CHECKS.values() if one.last == last and one.code not in NO_FIGURES]
    holding: list[_Tried] = []
    for rules in dict.fromkeys((run.own, best, *run.known)):
        for check in [CHECKS["sign"]] if fits.all() else checks:
            if not check.own or rules in (run.own, best):
                holding += [
                    one
                    for one in _tried(run, check, rules)
                    if known < every <= one.explained and _holds(run, one)
                ]
        if holding:
            break
    named: dict[str, _Tried] = {}
    for one in holding:
        named.setdefault(one.check.code, one)
    return tuple(_fault(run, one) for one in list(named.values())[:MOST])


def another_analysis(run: Run) -> tuple[Fault, ...]:
    """What shows that the figures come from another analysis of the matches, where no rules and no mistake give them."""
    tried = _tried(run, CHECKS["level"], run.own)
    return tuple(
        _fault(run, one)
        for one in tried
        if 2 * len(one.matches) > len(run.subjects) and one.accidents <= SAFE
    )[:1]


def _tried(run: Run, check: Check, rules: str) -> Iterator[_Tried]:
    """The alternatives of a check that fit anywhere, each over all cases; none that a figure of luck, moves or grades contradicts."""
    by_kind: dict[str, _Tried] = {}
    missed: list[tuple[str, Case]] = []
    plain: list[tuple[str, Case]] = []
    fits: list[tuple[str, Case, Fit]] = []
    for subject in run.subjects:
        for case in subject.cases:
            key = run.key(case, rules)
            fit = (
                check.find(case, key)
                if case.wanted or (case.luck and check.code == "sign")
                else None
            )
            fitting = bool(case.fits(case.figures(key)).all())
            if fit is not None and (
                fit.others or not fitting
            ):  # else such as equal figures of both players
                fits.append((subject.id, case, fit))
            else:
                (plain if fitting else missed).append((subject.id, case))
        if len(missed) >= MOST_MISSES and not fits:
            return
    for _, _, fit in fits:
        for kind in fit.kinds:
            by_kind.setdefault(kind, _Tried(check, rules, kind))
    if any(case.unlike(run.key(case, rules)) for _, case in (*plain, *missed)):
        return
    others = sum(len(case.known(run.key(case, rules))) - len(case.wanted) for case in run.cases)
    for one in by_kind.values():
        one.explained = others
        if any(
            case.unlike(run.key(case, rules), fit.figures if one.kind in fit.kinds else None)
            for _, case, fit in fits
        ):
            continue
        for name, case, fit in fits:
            if one.kind in fit.kinds:
                one.found.append((name, case, fit))
                one.explained += len(case.wanted)
            else:
                one.missed.append(name)
                one.explained += int(case.fits(case.figures(run.key(case, rules))).sum())
        one.missed += [name for name, _ in missed]
        one.explained += sum(
            int(case.fits(case.figures(run.key(case, rules))).sum())
            for _, case in (*plain, *missed)
        )
        yield one


def _holds(run: Run, one: _Tried) -> bool:
    """Whether it is no accident: by chance, and, where it does not hold everywhere, by more than one match."""
    several = len(one.matches) > 1
    if one.check.code == "other-player" and not _of_both(run, one):
        return False
    if one.check.code in ONE_DECISION and several and len(one.matches) < len(run.subjects):
        return False  # each time another decision: these have something in common, and it is not known what
    if (
        several
        and not one.missed
        and not one.check.last
        and one.rules == run.own
        and all(fit.tried <= FEW for _, _, fit in one.found)
    ):
        return True
    return one.accidents <= (
        SAFE if one.rules == run.own and (several or not one.missed) else MOST_IF_EXPLAINED
    )


def _of_both(run: Run, one: _Tried) -> bool:
    """Whether figures of both players show it, where those of both are given: else both players have the figures of one."""
    given = {case.seat for case in run.cases}
    return len(given) < 2 or {case.seat for _, case, _ in one.found} == given


def _where(run: Run, matches: Sequence[str]) -> str:
    of = len(run.subjects)
    some_of = (
        f"in {len(matches)} of {of} matches ({some(matches, MOST)})"
        if len(matches) < of
        else f"in all {of} matches"
    )
    return "in the one match" if of == 1 else some_of


def _fault(run: Run, one: _Tried) -> Fault:
    brief = one.check.brief.format(kind=one.kind)
    name, _, fit = one.found[0]
    return Fault(
        code=one.check.code,
        brief=brief,
        sentence=f"{capital(brief)}, {_where(run, one.matches)}. {name}: {capital(fit.sentence)}",
        rules=one.rules,
        matches=one.matches,
        everywhere=not one.missed,
        explained=one.explained,
        decisions=tuple(
            replace(place, match=match) for match, _, each in one.found for place in each.places
        ),
    )


def known_faults(run: Run, bases: Iterable[str]) -> tuple[Fault, ...]:
    """The known faults of programs that alone give every figure of a run, by the first of these rule sets with which any does.

    Those with the same code differ in a number, and are one. Another answer to a question and another table are looked for elsewhere.
    """
    for name in bases:
        wrong = [
            sum(len(case.wrong(run.key(case, name))) for case in subject.cases)
            for subject in run.subjects
        ]
        left = [fault for fault in known() if fault.of_rules is None and not fault.table]
        for index in sorted(range(len(wrong)), key=lambda index: -wrong[index]):
            subject = run.subjects[index]
            given = [
                (case.seat, one)
                for case in subject.cases
                for one in case.known(run.key(case, name))
            ]
            rules = run.rules(subject, name)
            observed = Observed(subject.match, rules, given, partial(_before, run, index, name))
            left = [fault for fault in left if observed.fits((fault,))]
            if not left:
                break
        by_code: dict[str, list[str]] = {}
        for fault in left:
            by_code.setdefault(fault.code, []).append(fault.sentence)
        if left:
            matches = tuple(
                subject.id for subject, number in zip(run.subjects, wrong, strict=True) if number
            )
            sure = {fault.code: _is_sure(run, name, wrong, fault) for fault in left}
            return tuple(
                replace(_known(run, name, matches, code, briefs), is_sure=sure[code])
                for code, briefs in by_code.items()
            )
    return ()


def _is_sure(run: Run, name: str, wrong: Sequence[int], fault: ProgramFault) -> bool:
    """Whether two matches, or three decisions of the one, or three of its figures where it is about these, show a fault."""
    showing = [index for index, number in enumerate(wrong) if number]
    if len(showing) >= SEVERAL:
        return True
    if fault.of_figures or fault.of_earlier:
        return sum(wrong) >= SEVERAL_DECISIONS
    subject = run.subjects[showing[0]]
    rules = run.rules(subject, name)
    return differing_decisions(subject.match, rules, rules, (fault,)) >= SEVERAL_DECISIONS


def _before(run: Run, index: int, name: str) -> list[Both]:
    """The figures of the matches before one under a rule set."""
    return [figures(subject.match, run.rules(subject, name)) for subject in run.subjects[:index]]


def _known(
    run: Run, rules: str, matches: tuple[str, ...], code: str, briefs: Sequence[str]
) -> Fault:
    brief = (
        either(list(dict.fromkeys(briefs)))
        if len(set(briefs)) < MOST
        else f"{briefs[0]}, or one of {len(briefs) - 1} borders like it"
    )
    return Fault(
        code=code,
        brief=brief,
        sentence=f"{capital(brief)}, {_where(run, matches)}.",
        rules=rules,
        matches=matches,
        everywhere=True,
        explained=sum(len(case.known(run.key(case, rules))) for case in run.cases),
        decisions=(),
    )
