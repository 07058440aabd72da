"""The lists of one program over all matches of a run as one: what differs in all, and where it draws its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from reconcile.files.wording import plural
from reconcile.gate.candidates.differing import Border
from reconcile.gate.candidates.judgement import CandidateResult
from reconcile.gate.candidates.list_result import FEWEST, ListResult, border_words, classes_of


@dataclass(frozen=True, slots=True)
class PooledList:
    """The lists of one program held against one rule set."""

    candidate: str
    rules: str
    lists: tuple[ListResult, ...]

    @property
    def rows(self) -> int:
        """Rows of all lists."""
        return sum(one.rows for one in self.lists)

    @property
    def paired(self) -> int:
        """Decisions that have a row."""
        return sum(one.paired for one in self.lists)

    @property
    def differing(self) -> int:
        """Decisions that differ."""
        return sum(len(one.differing) for one in self.lists)

    @property
    def counts(self) -> dict[str, int]:
        """By known rule set, how many decisions differ from the lists, the fewest first."""
        sums = Counter[str]()
        for one in self.lists:
            sums.update(one.counts)
        return dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != self.rules)))

    @property
    def borders(self) -> Iterator[Border]:
        """The lines that all lists that show one agree on, as narrow as they make it."""
        found: dict[str, list[Border]] = {}
        for one in self.lists:
            for border in one.borders:
                found.setdefault(border.question, []).append(border)
        for borders in found.values():
            below = borders[0].counts < borders[0].not_counts
            inner, outer = (max, min) if below else (min, max)
            pooled = replace(
                borders[0],
                counts=inner(one.counts for one in borders),
                not_counts=outer(one.not_counts for one in borders),
                moved=sum(one.moved for one in borders),
            )
            if pooled.moved >= FEWEST and (pooled.counts < pooled.not_counts) == below:
                yield pooled

    @property
    def sentences(self) -> Iterator[str]:
        """What the lists show, the fault of all errors first."""
        over = f" in {plural(len(self.lists), 'match', 'matches')}" if len(self.lists) > 1 else ""
        faults = Counter(one.fault_kind for one in self.lists if one.fault_kind)
        for fault, count in faults.most_common():
            lists = "" if len(self.lists) == 1 else f" of {'all' if count == len(self.lists) else count} {len(self.lists)} lists"
            yield f"the errors{lists} {fault}"
        if not self.differing:
            yield f"all {plural(self.paired, 'listed decision')}{over} are as under rule set {self.rules}"
            return
        words = classes_of(one for result in self.lists for one in result.differing)
        yield f"{self.differing:,} of {plural(self.paired, 'listed decision')}{over} differ from rule set {self.rules}: {words}"
        for border in self.borders:
            yield border_words(border, self.lists[0].listed.left.rules)
        nearest = next(iter(self.counts))
        if self.counts[nearest] < self.differing:
            left = f"only {self.counts[nearest]:,} differ" if self.counts[nearest] else "nothing differs"
            yield f"from rule set {nearest} {left}: `reconcile rules` has its answers"


def pooled_lists(results: Iterable[CandidateResult]) -> tuple[PooledList, ...]:
    """The lists among some results, by program and rule set."""
    found: dict[tuple[str, str], list[ListResult]] = {}
    for one in results:
        if one.decisions is not None:
            found.setdefault((one.candidate, one.rules), []).append(one.decisions)
    return tuple(PooledList(*key, tuple(lists)) for key, lists in found.items())
