"""What the failing cases of a program share, and where passing begins: by these a reader finds the
area, the kind of decision and the figure of its fault."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Final, TypeAlias

from reconcile.infer.groups import roots_of
from reconcile.infer.reported import fits_figure, printed_figure
from reconcile.scoring.figures import METRICS
from reconcile.suite.cases import Case, every
from reconcile.suite.documents import SuiteRun
from reconcile.suite.run import FAILED, PASSED
from reconcile.wording import either, plural, some

SERIES: Final = re.compile(r"(.+)-(\d+(?:\.\d+)?)")
"""The id of a case that is one of several with another number each."""
MOST_GROUPS: Final = 4
MOST_FACTS: Final = 2
MOST_ALONE: Final = 5
"""Facts that failing cases alone have; more say nothing."""
MOST_FIGURES: Final = 8
MOST_AREAS: Final = 6
Wrong: TypeAlias = Mapping[str, Set[str]]
"""By the id of a failing case, its wrong figures."""


def shared(run: SuiteRun) -> Iterator[str]:
    """What the cases with a wrong figure have in common, a sentence each."""
    wrong = {result.id: {name for _, name, *_ in result.wrong()} for result in run.failed}
    printed = {
        name for result in run.cases for figures in result.figures.values() for name in figures
    }
    asked = {result.id for result in run.cases if result.verdict in (PASSED, FAILED)}
    judged = [case for case in every() if case.id in asked]
    failing = [case for case in judged if case.id in wrong]
    if 0 < len(failing) < len(judged):
        yield from _of_areas(judged, failing)
    if failing:
        yield from _of_figures(run, list(wrong.values()), printed)
        yield from _of_changes(run)
        yield from _of_others(run)
        yield from _of_facts(judged, failing)
        yield from _borders(judged, wrong)


def _of_areas(judged: Sequence[Case], failing: Sequence[Case]) -> Iterator[str]:
    numbers, every = Counter(case.area for case in failing), Counter(case.area for case in judged)
    parts = [f"{number} of {every[area]} of {area}" for area, number in numbers.most_common()]
    right = f"; {len(every) - len(numbers)} of {len(every)} areas pass" if len(every) > 1 else ""
    yield f"Failing are {some(parts, MOST_AREAS)}{right}."


def _of_figures(run: SuiteRun, wrong: Sequence[Set[str]], printed: Set[str]) -> Iterator[str]:
    counts = Counter(name for names in wrong for name in names)
    number = plural(len(wrong), "case")
    roots, moved = (
        sorted(names, key=lambda name: -counts[name])
        for names in roots_of(each for result in run.failed for each in result.off())
    )
    if roots and all(counts[name] == len(wrong) for name in roots):
        yield f"Wrong in each of {number}: {some(_words(roots), MOST_FIGURES)}."
    elif roots:
        parts = [f"{METRICS[name].words} in {counts[name]}" for name in roots]
        yield f"Wrong of {number}: {some(parts, MOST_FIGURES)}."
    if moved:
        yield f"Wrong because of that: {some(_words(moved), MOST_FIGURES)}."
    if right := [name for name in METRICS if name in printed - counts.keys()]:
        yield f"Right in every case: {some(_words(right), MOST_FIGURES)}."


def _of_changes(run: SuiteRun) -> Iterator[str]:
    """By how much figures are off, where that is always the same."""
    alike = [group.sentence for group in run.groups if (group.change, group.ratio) != (None, None)]
    if alike:
        yield f"Off alike: {'; '.join(alike[:MOST_GROUPS])}."


def _of_others(run: SuiteRun) -> Iterator[str]:
    """In how many cases all that is wrong is the other player's."""
    exchanged = 0
    for result in run.failed:
        both = dict(zip(result.expected, [*result.expected.values()][::-1], strict=True))
        wrong = list(result.wrong())
        exchanged += bool(wrong) and all(
            name in both[player] and fits_figure(both[player][name], printed_figure(name, text, ""))
            for player, name, text, _ in wrong
        )
    if 2 * exchanged > len(run.failed):
        cases = plural(len(run.failed), "case")
        yield f"In {exchanged} of {cases} all that is wrong is the other player's."


def _words(names: Sequence[str]) -> list[str]:
    return [METRICS[name].words for name in names]


def _of_facts(judged: Sequence[Case], failing: Sequence[Case]) -> Iterator[str]:
    """What all cases have that fail, where few others have it; and what only failing, or only
    passing ones have."""
    passing = [case for case in judged if case not in failing]
    fail, passes = (
        Counter(fact for case in cases for fact in case.facts) for cases in (failing, passing)
    )
    common = [
        fact
        for fact, number in fail.items()
        if number == len(failing) and 2 * passes[fact] < len(passing)
    ]
    for fact in sorted(common, key=passes.__getitem__)[:MOST_FACTS]:
        also = f"and so have {plural(passes[fact], 'case')} that pass"
        yield f"All of them have {fact}, {also if passes[fact] else 'and no other case has it'}."
    sides = [("fail", failing, passes)] * all(passes[fact] for fact in common)
    sides += [("pass", passing, fail)] * (len(passing) < len(failing))
    for verb, own, other in sides:
        facts, is_all = _alone(own, other)
        if facts and is_all:
            yield f"The cases that {verb} are those that have {either(facts)}."
        elif 0 < len(facts) <= MOST_ALONE:
            yield f"All cases {verb} that have {either(facts)}."


def _alone(cases: Sequence[Case], opposite: Counter[str]) -> tuple[list[str], bool]:
    """Facts of cases that none of the others has, as few as say it, and whether every case has one
    of them."""
    numbers = Counter(fact for case in cases for fact in case.facts if not opposite[fact])
    left, facts = list(cases), list[str]()
    for fact, number in numbers.most_common():
        rest = [case for case in left if fact not in case.facts]
        if number > 1 and len(rest) < len(left):
            left, facts = rest, [*facts, fact]
    return facts, not left


def _borders(judged: Sequence[Case], wrong: Wrong) -> Iterator[str]:
    """Where in a series of cases passing begins or ends."""
    numbered = [(match, case) for case in judged if (match := SERIES.fullmatch(case.id))]
    for name, each in groupby(numbered, key=lambda entry: entry[0][1]):
        series = sorted((float(match[2]), match[2], case.id in wrong) for match, case in each)
        parts = [
            ([number for _, number, _ in part], fails)
            for fails, part in groupby(series, key=lambda entry: entry[2])
        ]
        is_scale = any("." in number for _, number, _ in series)
        if is_scale and len(parts) in (2, 3) and len(series) > 3:
            words = (
                f"{' to '.join(dict.fromkeys((numbers[0], numbers[-1])))} "
                f"{'fail' if fails else 'pass'}"
                for numbers, fails in parts
            )
            yield f"{name}: {', '.join(words)}."
