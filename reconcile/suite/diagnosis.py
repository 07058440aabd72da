"""What the failed cases of a program have in common: the fewest known faults, or other answers to
questions, that give all its figures.

Causes are named only if with them every figure is right that the program gave in every case, passed
ones among them. So one printed figure is enough to refute a cause, and "no known fault" is an
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from reconcile.document import Document, Text
from reconcile.infer.catalogue import Fault, all_faults, answers
from reconcile.infer.reported import Reported
from reconcile.infer.run import MatchFigures, Memory, Run, Subject
from reconcile.suite.run import Asking, Ran
from reconcile.wording import capital

MOST_FAULTS: Final = 3
"""Faults that are named together, beside other answers to questions."""
MOST_ANSWERS: Final = 5
"""Answers that are named together."""
MOST_STARTS: Final = 4
"""Failed cases from which an explanation by several faults is looked for."""
MOST_TRIED: Final = 20_000
"""Cases scored with faults in one search, some 5 s of processor time, after which nothing further
is looked for. A time would find more on one computer than on another."""
MOST_ALIKE: Final = 3
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


class _Search:
    """The figures of a program, and what faults would give."""

    def __init__(self, ran: Ran) -> None:
        self.ran, self.most = ran, MOST_TRIED
        memory, rules = Memory(len(ran.asked)), ran.rules
        subjects = [
            Subject(
                asking.case.id,
                rules,
                MatchFigures(asking.case.read(asking.form)),
                memory,
                self._figures_of(asking),
                in_part=False,
            )
            for asking in ran.answered
        ]
        self._run = Run([subject for subject in subjects if subject.figures])
        self._places = {subject.id: place for place, subject in enumerate(self._run.subjects)}
        self._tried: dict[tuple[str, Change], bool] = {}

    def _figures_of(self, asking: Asking) -> tuple[tuple[int, Reported], ...]:
        """The figures of a case that its rules have, by seat."""
        judged, seat = asking.judged(self.ran.rules_name), asking.case.players.index
        return tuple((seat(player), figure) for player, figure, own in judged if own is not None)

    def fits(self, asking: Asking, change: Change) -> bool:
        """Whether a program with these faults gives every figure of a case that this one gave."""
        key = asking.case.id, change
        if key not in self._tried:
            place = self._places.get(asking.case.id)
            fits = place is None or self._run.fits_of(place, self._run.own, change).all()
            self._tried[key] = bool(fits)
        return self._tried[key]

    def leaves(self, asking: Asking, fault: Fault) -> bool:
        """Whether a fault changes none of the given figures of a case."""
        subject, rules = self._run.subjects[self._places[asking.case.id]], self.ran.rules
        plain = subject.values_under(rules)
        return np.array_equal(subject.values_under(rules, (fault,)), plain, equal_nan=True)

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
        return len(self._tried) > self.most

    def go_on(self) -> None:
        """Allow as much again."""
        self.most = len(self._tried) + MOST_TRIED


@lru_cache(maxsize=8)
def diagnosed(ran: Ran) -> tuple[SuiteFault, ...]:
    """The fewest faults that explain every failed case of a run; none where no known ones do."""
    failed = list(ran.failed)
    search = _Search(ran)
    best, alike = _explanation(search, failed) if failed else ((), ())
    named = []
    for place, fault in enumerate(best):
        rest = (*best[:place], *best[place + 1 :])
        needing = [asking for asking in failed if not search.fits(asking, rest)] or failed
        sentence = capital(fault.sentence)
        if alike:
            words = "; ".join(dict.fromkeys(other.sentence for other in alike))
            sentence += f"; these figures do not tell it from this: {words}"
        ids = tuple(asking.case.id for asking in needing)
        named.append(SuiteFault(fault.code, f"{sentence}.", ids))
    return tuple(named)


def _explanation(search: _Search, failed: Sequence[Asking]) -> tuple[Change, Sequence[Fault]]:
    """The fewest faults that explain everything, none where nothing does; and of one fault the
    others that the figures do not tell from it."""
    own = search.ran.rules.answers
    every = (
        *(fault for code, name, fault in answers().values() if own[code] != name),
        *all_faults(),
    )
    short = sorted(failed, key=lambda asking: len(asking.case.read(asking.form).plays))
    order = dict.fromkeys((*short, *search.ran.answered))
    alone = [fault for fault in every if all(search.fits(asking, (fault,)) for asking in order)]
    if alone:
        alike = [fault for fault in alone if fault.code != alone[0].code]
        return (alone[0],), alike[:MOST_ALIKE]
    parts = _side_by_side(search, failed, every)
    if parts and all(search.fits(asking, parts) for asking in failed):
        return parts, ()
    search.go_on()
    for start in _starts(failed):
        together = next(_together(search, (), start, every), None)
        if together or search.is_late:
            return together or (), ()
    return (), ()


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
    return number < MOST_ANSWERS and len(change) - number < MOST_FAULTS


def _starts(failed: Sequence[Asking]) -> Iterator[Asking]:
    """A failed case of each of some areas, those of the areas with fewest first."""
    areas: dict[str, list[Asking]] = {}
    for asking in failed:
        areas.setdefault(asking.case.area, []).append(asking)
    for cases in sorted(areas.values(), key=len)[:MOST_STARTS]:
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
