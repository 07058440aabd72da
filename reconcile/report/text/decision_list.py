"""Lists of decisions as text: what a program's lists show over all matches, and the decisions that differ in each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.gate.candidates.list_result import address, sentence
from reconcile.gate.candidates.pooled_lists import pooled_lists
from reconcile.gate.pack_results import MatchResult, PackResult
from reconcile.report import numbers

MOST: Final = 5
"""Decisions of one list that are printed."""


def list_sentences(result: PackResult) -> Iterator[str]:
    """What the lists of every program show, one line each."""
    for pooled in pooled_lists(candidate for match in result.matches for candidate in match.candidates):
        yield from (f"decisions of {pooled.candidate}: {line}" for line in pooled.sentences)


def list_lines(match: MatchResult) -> Iterator[str]:
    """The decisions of every list that move PR most, and how many more there are."""
    for candidate in match.candidates:
        if candidate.decisions is None:
            continue
        for one in candidate.decisions.differing[:MOST]:
            moved = "" if one.pr is None else f", PR {numbers.ascii_minus(numbers.change('pr', one.pr))}"
            yield f"{candidate.suite}: {address(one)}: {sentence(one, candidate.decisions)}{moved}{one.xgid and f'  {one.xgid}'}"
        if len(candidate.decisions.differing) > MOST:
            yield f"{candidate.suite}: {len(candidate.decisions.differing) - MOST:,} more decisions differ; --html and --json have them all"
