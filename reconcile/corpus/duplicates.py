"""Which matches of an archive are one match: by their transcripts, and which analysis counts of several by one tool."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reconcile.columns import Ints
from reconcile.corpus.contents import Analyses


class Duplicates(NamedTuple):
    """By number of the match in the archive."""

    counts: Ints
    """The match that counts in place of this one, or the match itself."""
    first: Ints
    """The first match with the same transcript, whatever the tool."""
    date: Ints
    """Day of the match, from 1970-01-01: the earliest that a file of it states; `UNDATED` where none does."""


def duplicates(analyses: Analyses, match: Ints) -> Duplicates:
    """Which of the matches in these rows of `analyses` are the same.

    Of several analyses of one transcript by one tool, the one with the most evaluations counts, then the deepest, then the first.
    A tool may state the day of its analysis, which is never before that of the match.
    """
    transcripts = analyses.transcript[match]
    different, transcript = np.unique(transcripts, return_inverse=True)
    # A match without a roll is like no other.
    unrolled = np.flatnonzero(transcripts == b"")
    transcript[unrolled] = len(different) + unrolled
    tool, analysed, lookahead, date = (column[match] for column in analyses[1:])
    group = transcript * (tool.max(initial=0) + 1) + tool
    number = np.arange(len(match))
    return Duplicates(
        _first_of(np.lexsort((number, -lookahead, -analysed, group)), group),
        _first_of(np.lexsort((number, transcript)), transcript),
        date[_first_of(np.lexsort((date, transcript)), transcript)],
    )


def _first_of(order: Ints, group: Ints) -> Ints:
    """For every match the first of its group in an `order` in which every group is in one piece."""
    in_order = group[order]
    begins = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(order)])
    found = np.empty(len(order), np.int64)
    found[order] = order[begins].repeat(np.diff(np.append(begins, len(order))))
    return found
