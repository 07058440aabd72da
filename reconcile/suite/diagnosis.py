"""What the failed cases of a program have in common: the fewest known faults, or other answers to
questions, that give all its figures.

Causes are named only if with them every figure is right that the program gave in every case, passed
ones among them. So one printed figure is enough to refute a cause, and "no known fault" is an
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from reconcile.document import Document, Text
from reconcile.errors import ReconcileError
from reconcile.files.wording import capital
from reconcile.infer.catalogue import Fault, all_faults, answers, counted, figures
from reconcile.infer.figure_changes import Both
from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.match import Match
from reconcile.match.values import once
from reconcile.scoring.statistics import Statistics, one_figure
from reconcile.suite.run import Asking, Ran

MOST: Final = 3
"""Faults that are named together, beside other answers to questions."""
MOST_ANSWERS: Final = 5
"""Answers that are named together."""
STARTS: Final = 4
"""Failed cases from which an explanation by several faults is looked for."""
MOST_TRIED: Final = 20_000
"""Cases scored with faults in one search, some 5 s of processor time, after which nothing further
is looked for. A time would find more on one computer than on another."""
ALIKE: Final = 3
"""Explanations that cannot be told apart of which a sentence names so many."""
Change: TypeAlias = tuple[Fault, ...]
"""Several faults of one program."""


@dataclass(frozen=True, slots=True)
class SuiteFault(Document):
    """A fault that explains failed cases."""

    code: Text
    """Its name."""
    sentence: Text
    """What the program does."""
    cases: tuple[Text, ...]
    """Ids of the failed cases that it explains."""


@dataclass(eq=False)
class _Search:
    """The figures of a program, and what faults would give."""

    ran: Ran
    most: int = MOST_TRIED
    """Cases that may be scored."""
    tried: dict[tuple[str, Change], bool] = field(default_factory=dict)
    """By id of a case and faults, whether they give every figure."""

    @once
    def plain(self, asking: Asking) -> Statistics:
        """A case by the rules."""
        return counted(self.match(asking), self.ran.rules)

    @once
    def stated(self, asking: Asking) -> Sequence[tuple[int, Reported]]:
        """The figures of a case that its rules have, by seat."""
        expected = asking.expected(self.ran.rules.name)
        return [
            (asking.case.players.index(player), figure)
            for player, name, figure in asking.stated()
            if name in expected[player]
        ]

    def match(self, asking: Asking) -> Match:
        """The match of a case, as the program was given it."""
        return asking.case.read(asking.form)

    def earlier(self, asking: Asking) -> list[Both]:
        """The figures of the cases before one by the rules."""
        cases = self.ran.answered
        plain = (self.plain(before) for before in cases[: cases.index(asking)])
        return [[statistics.figures(seat) for seat in (0, 1)] for statistics in plain]

    def fits(self, asking: Asking, change: Change) -> bool:
        """Whether a program with these faults gives every figure of a case that this one gave."""
        key = asking.case.id, change
        if key not in self.tried:
            try:
                self.tried[key] = self._fits(asking, change)
            except (ReconcileError, ValueError):  # such as a score that no match has
                self.tried[key] = False
        return self.tried[key]

    def _fits(self, asking: Asking, change: Change) -> bool:
        match, rules, plain = self.match(asking), self.ran.rules, self.plain(asking)
        if any(fault.is_of_figures for fault in change):
            earlier = self.earlier(asking) if any(fault.of_earlier for fault in change) else ()
            both = figures(match, rules, change, plain, earlier)
            return all(
                fits_figure(both[seat].get(figure.metric), figure)
                for seat, figure in self.stated(asking)
            )
        statistics = counted(match, rules, change, plain)
        with np.errstate(invalid="ignore", over="ignore"):  # mostly the first few refute it
            return all(
                fits_figure(one_figure(statistics, seat, figure.metric), figure)
                for seat, figure in self.stated(asking)
            )

    def leaves(self, asking: Asking, fault: Fault) -> bool:
        """Whether a fault changes none of the given figures of a case."""
        match, rules, plain = self.match(asking), self.ran.rules, self.plain(asking)
        right, wrong = (figures(match, rules, change, plain) for change in ((), (fault,)))
        return all(
            right[seat].get(figure.metric) == wrong[seat].get(figure.metric)
            for seat, figure in self.stated(asking)
        )

    def gives(self, cases: Iterable[Asking], change: Change) -> bool:
        """Whether faults give all of these cases; those about the last one, which are likely to
        refute it, are tried first."""
        about = change[-1].code.partition("=")[0]
        order = sorted(
            cases, key=lambda asking: about not in (asking.case.edge, asking.case.question)
        )
        return all(self.fits(asking, change) for asking in order)

    @property
    def is_late(self) -> bool:
        """Whether enough was tried."""
        return len(self.tried) > self.most


@lru_cache(maxsize=8)
def diagnosed(ran: Ran) -> tuple[SuiteFault, ...]:
    """The fewest faults that explain every failed case of a run; none where no known ones do."""
    failed = list(ran.failed)
    search = _Search(ran)
    explanations = _explanations(search, failed) if failed else []
    if not explanations:
        return ()
    best, *rest = explanations
    alternatives = [
        other
        for other in rest
        if [asking.code for asking in other] != [asking.code for asking in best]
    ][:ALIKE]
    return tuple(_named(search, best, place, alternatives, failed) for place in range(len(best)))


def _named(
    search: _Search,
    best: Change,
    place: int,
    alternatives: Sequence[Change],
    failed: Sequence[Asking],
) -> SuiteFault:
    """A fault of an explanation, with the cases that need it and what cannot be told from it."""
    fault, rest = best[place], (*best[:place], *best[place + 1 :])
    needing = [asking for asking in failed if not search.fits(asking, rest)] or failed
    alike = [
        other[place].sentence
        for other in alternatives
        if len(other) == len(best) and other[place].code != fault.code
    ]
    sentence = capital(fault.sentence)
    if alike:
        listed = "; ".join(dict.fromkeys(alike))
        sentence += f"; these figures do not tell it from this: {listed}"
    return SuiteFault(fault.code, f"{sentence}.", tuple(asking.case.id for asking in needing))


def _explanations(search: _Search, failed: Sequence[Asking]) -> Sequence[Change]:
    """The fewest faults that explain everything; several where the figures do not tell them apart,
    none where nothing does."""
    own = search.ran.rules.answers
    every = (
        *(fault for code, name, fault in answers().values() if own[code] != name),
        *all_faults(),
    )
    short = sorted(failed, key=lambda asking: len(search.match(asking).plays))
    order = dict.fromkeys((*short, *search.ran.answered))
    alone = [(fault,) for fault in every if all(search.fits(asking, (fault,)) for asking in order)]
    if alone:
        return alone
    parts = _side_by_side(search, failed, every)
    if parts and all(search.fits(asking, parts) for asking in failed):
        return [parts]
    search.most = len(search.tried) + MOST_TRIED
    for start in _starts(failed):
        together = next(_together(search, (), start, every), None)
        if together or search.is_late:
            return [together] if together else []
    return []


def _side_by_side(search: _Search, failed: Sequence[Asking], every: Sequence[Fault]) -> Change:
    """Faults of different cases, those that explain most: each gives every figure of every case
    that it changes."""
    passed = [asking for asking in search.ran.answered if asking not in set(failed)]
    right: dict[Fault, frozenset[Asking]] = {}
    for fault in every:
        # What explains none of a few failed cases is found out sooner than what makes none of many
        # others wrong.
        if len(failed) < len(passed) and not any(
            search.fits(asking, (fault,)) for asking in failed
        ):
            continue
        if not search.gives(passed, (fault,)):
            continue
        cured = frozenset(asking for asking in failed if search.fits(asking, (fault,)))
        if cured and all(search.leaves(asking, fault) for asking in failed if asking not in cured):
            right[fault] = cured
    chosen: Change = ()
    explained: frozenset[Asking] = frozenset()
    while _may_grow(chosen):
        more = max(right, key=lambda fault: len(right[fault] - explained), default=None)
        if more is None or not right[more] - explained:
            break
        together, cured = (*chosen, more), explained | right.pop(more)
        if all(search.fits(asking, together) for asking in (*passed, *cured)):
            chosen, explained = together, cured
    return chosen


def _may_grow(change: Change) -> bool:
    """Whether an explanation may have one more part."""
    number = sum(fault.code in answers() for fault in change)
    return number < MOST_ANSWERS and len(change) - number < MOST


def _starts(failed: Sequence[Asking]) -> Iterator[Asking]:
    """A failed case of each of some areas, those of the areas with fewest first."""
    areas: dict[str, list[Asking]] = {}
    for asking in failed:
        areas.setdefault(asking.case.area, []).append(asking)
    for cases in sorted(areas.values(), key=len)[:STARTS]:
        yield cases[0]


def _together(
    search: _Search, change: Change, start: Asking, every: Sequence[Fault]
) -> Iterator[Change]:
    """Several faults that explain everything, one after the other: each makes more cases right and
    none wrong."""
    wrong = [asking for asking in search.ran.answered if not search.fits(asking, change)]
    right = [asking for asking in search.ran.answered if asking not in set(wrong)]
    for fault in every:
        if search.is_late:
            return
        more = (*change, fault)
        if search.fits(start, more) and search.gives(right, more):
            left = [asking for asking in wrong if not search.fits(asking, more)]
            if not left:
                yield more
            elif _may_grow(more):
                yield from _together(search, more, next(_starts(left)), every)
