"""What the failed cases of a program have in common: the fewest known faults, or other answers to questions, that give all its figures.

Causes are named only if with them every figure is right that the program gave in every case, passed ones among them. So one printed figure
is enough to refute a cause, and "no known fault" is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from reconcile.infer.faults import answers, known
from reconcile.infer.scorer import Both, Fault, figures
from reconcile.infer.search import Observed, single
from reconcile.suite.run import Asking, Ran

MOST: Final = 3
"""Faults that are named together."""
STARTS: Final = 4
"""Failed cases from which an explanation by several faults is looked for."""
MOST_TRIED: Final = 20_000
"""Cases scored with faults in one search, some 5 s of processor time, after which nothing further is looked for. A time would find more on
one computer than on another."""
ALIKE: Final = 3
"""Explanations that cannot be told apart of which a sentence names so many."""


@dataclass(frozen=True, slots=True)
class NamedFault:
    """A fault that explains cases."""

    code: str
    sentence: str
    cases: tuple[str, ...]


@dataclass
class _Search:
    """The figures of a program, and what faults would give."""

    ran: Ran
    most: int = MOST_TRIED
    """Cases that may be scored."""

    def __post_init__(self) -> None:
        self.observed = {
            one.case.id: self._observed(one, place) for place, one in enumerate(self.ran.answered)
        }

    @cached_property
    def plain(self) -> list[Both]:
        """The figures of every case by the rules, in order."""
        return [figures(one.files.matches[one.form], self.ran.rules) for one in self.ran.answered]

    def _observed(self, one: Asking, place: int) -> Observed:
        """A case with the given figures that its rules have."""
        expected = self.ran.expected[one.case.id]
        given = [
            (seat, found)
            for seat, player in enumerate(one.case.players)
            for name, found in one.answer.found.get(player, {}).items()
            if name in expected[player]
        ]
        match = one.files.matches[one.form]
        return Observed(match, self.ran.rules, given, lambda: self.plain[:place])

    def fits(self, one: Asking, faults: Sequence[Fault]) -> bool:
        """Whether a program with these faults gives every figure of a case that this one gave."""
        return self.observed[one.case.id].fits(faults)

    def gives(self, cases: Sequence[Asking], faults: Sequence[Fault]) -> bool:
        """Whether it does for all of these cases; those about the last of the faults, which are likely to refute it, are tried first."""
        about = faults[-1].code.partition("=")[0]
        return all(
            self.fits(one, faults)
            for one in sorted(
                cases, key=lambda one: about not in (one.case.edge, one.case.question)
            )
        )

    def failing(self, faults: Sequence[Fault]) -> list[Asking]:
        """The cases whose figures these faults do not give."""
        return [one for one in self.ran.answered if not self.fits(one, faults)]

    @property
    def tried(self) -> int:
        """Cases that were scored."""
        return sum(len(one.tried) for one in self.observed.values())

    @property
    def is_late(self) -> bool:
        """Whether enough was tried."""
        return self.tried > self.most


@dataclass(frozen=True, slots=True)
class Named:
    """A diagnosis."""

    faults: tuple[NamedFault, ...]
    unexplained: tuple[str, ...]


def candidates(ran: Ran) -> tuple[Fault, ...]:
    """What may explain failures: other answers, then faults."""
    own = ran.rules.answers
    return (*(fault for code, name, fault in answers().values() if own[code] != name), *known())


@lru_cache(maxsize=8)
def diagnosed(ran: Ran) -> Named:
    """The diagnosis of a run."""
    failed = list(ran.failed)
    if not failed:
        return Named((), ())
    search = _Search(ran)
    found = _explained(search, failed)
    if not found:
        return Named((), tuple(one.case.id for one in failed))
    best = found[0]
    others = [
        one for one in found[1:] if [fault.code for fault in one] != [fault.code for fault in best]
    ][:ALIKE]
    return Named(
        tuple(_named(search, best, place, others, failed) for place in range(len(best))), ()
    )


def _named(
    search: _Search,
    best: Sequence[Fault],
    place: int,
    others: Sequence[Sequence[Fault]],
    failed: Sequence[Asking],
) -> NamedFault:
    fault = best[place]
    rest = [*best[:place], *best[place + 1 :]]
    cases = tuple(one.case.id for one in failed if not search.fits(one, rest)) or tuple(
        one.case.id for one in failed
    )
    sentence = f"{fault.sentence[0].upper()}{fault.sentence[1:]}"
    alike = [
        one[place].sentence
        for one in others
        if len(one) == len(best) and one[place].code != fault.code
    ]
    if alike:
        sentence += f"; these figures do not tell it from this: {'; '.join(dict.fromkeys(alike))}"
    return NamedFault(fault.code, f"{sentence}.", cases)


def _explained(search: _Search, failed: Sequence[Asking]) -> Sequence[tuple[Fault, ...]]:
    """The fewest faults that explain everything; several where the figures do not tell them apart, none where nothing does."""
    every = candidates(search.ran)
    short = sorted(failed, key=lambda one: len(one.files.matches[one.form].plays))
    if alone := list(
        single(
            [search.observed[one.case.id] for one in dict.fromkeys((*short, *search.ran.answered))],
            every,
        )
    ):
        return [(fault,) for fault in alone]
    parts = _side_by_side(search, failed, every)
    if parts and all(search.fits(one, parts) for one in failed):
        return [parts]
    search.most = search.tried + MOST_TRIED
    for starts in _starts(failed):
        for found in _together(search, (), starts, every, 1):
            return [found]
        if search.is_late:
            break
    return []


def _side_by_side(
    search: _Search, failed: Sequence[Asking], every: Sequence[Fault]
) -> tuple[Fault, ...]:
    """Faults of different cases, those that explain most: each gives every figure of every case that it changes."""
    passed = [one for one in search.ran.answered if one not in set(failed)]
    right: dict[Fault, frozenset[Asking]] = {}
    for fault in every:
        # What explains none of a few failed cases is found out sooner than what makes none of many others wrong.
        if len(failed) < len(passed) and not any(search.fits(one, (fault,)) for one in failed):
            continue
        if not search.gives(passed, (fault,)):
            continue
        cured = frozenset(one for one in failed if search.fits(one, (fault,)))
        if cured and all(
            search.observed[one.case.id].leaves(fault) for one in failed if one not in cured
        ):
            right[fault] = cured
    chosen: tuple[Fault, ...] = ()
    done: frozenset[Asking] = frozenset()
    while len(chosen) < MOST:
        more = max(right, key=lambda fault: len(right[fault] - done), default=None)
        if more is None or not right[more] - done:
            break
        together = (*chosen, more)
        if all(search.fits(one, together) for one in (*passed, *(done | right[more]))):
            chosen, done = together, done | right[more]
        right.pop(more)
    return chosen


def _starts(failed: Sequence[Asking]) -> Iterator[Asking]:
    """A failed case of each of some areas, those of the areas with fewest first."""
    areas: dict[str, list[Asking]] = {}
    for one in failed:
        areas.setdefault(one.case.area, []).append(one)
    for mine in sorted(areas.values(), key=len)[:STARTS]:
        yield mine[0]


def _together(
    search: _Search, faults: tuple[Fault, ...], start: Asking, every: Sequence[Fault], depth: int
) -> Iterator[tuple[Fault, ...]]:
    """Several faults that explain everything, one after the other: each makes more cases right and none wrong."""
    before = search.failing(faults)
    right = [one for one in search.ran.answered if one not in set(before)]
    for fault in every:
        if search.is_late:
            return
        if not search.fits(start, (*faults, fault)) or not search.gives(right, (*faults, fault)):
            continue
        left = [one for one in before if not search.fits(one, (*faults, fault))]
        if not left:
            yield (*faults, fault)
        elif depth < MOST:
            yield from _together(search, (*faults, fault), next(_starts(left)), every, depth + 1)
