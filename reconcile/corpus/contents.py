"""What is known of an archive's files and matches while their tables lie in parts, and which matches are one match."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.match.columns import Ints


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


DIGEST: Final = 32
"""Bytes of a SHA-256."""
UNREAD: Final = -1
"""In place of the content of a file that could not be read."""
UNDATED: Final = 2**31 - 1
"""In place of a day, later than any that a file can state."""
Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one unit."""

    name: str
    sha256: str | None
    """`None` if the bytes could not be read."""
    error: str | None = None
    """Set only if there is no content to store the error with."""


class Stored(NamedTuple):
    """What is known of a match without opening its part."""

    transcript: str
    """Digest of its rolls; empty without a roll."""
    tool: str
    analysed: int
    """Number of evaluations."""
    lookahead: float | None
    """Plies looked ahead in most of them."""
    date: int | None
    """The day that its file states, in days from 1970-01-01."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One content in a part."""

    sha256: str
    matches: tuple[Stored, ...]
    error: str | None


class Outcomes:
    """The results for all units, in their order."""

    def __init__(self) -> None:
        self._names, self._ends, self._digests = bytearray(), array("q", [0]), bytearray()
        self.unread: dict[int, str | None] = {}
        """Why a unit could not be read, by its number."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, one: Outcome) -> None:
        """Add the result for the next unit."""
        if one.sha256 is None:
            self.unread[len(self)] = one.error
        self._names += one.name.encode()
        self._ends.append(len(self._names))
        self._digests += bytes(DIGEST) if one.sha256 is None else bytes.fromhex(one.sha256)

    def names(self, start: int, end: int) -> list[str]:
        """The names of some units."""
        return [self._names[first:last].decode() for first, last in pairwise(self._ends[start : end + 1])]

    def digests(self, start: int, end: int) -> list[str | None]:
        """The SHA-256 of some units, `None` for those that could not be read."""
        return [None if unit in self.unread else self._digests[DIGEST * unit :][:DIGEST].hex() for unit in range(start, end)]

    def contents(self, known: Known) -> Ints:
        """The row in `known` of every unit; `UNREAD` for those that could not be read."""
        rows = known.rows(_column(self._digests))
        rows[list(self.unread)] = UNREAD
        return rows


def _column(digests: bytes | bytearray) -> Column:
    """Digests as a column that can be sorted and searched."""
    return np.frombuffer(bytes(digests), f"S{DIGEST}") if digests else np.empty(0, f"S{DIGEST}")


class Known:
    """A set of SHA-256."""

    def __init__(self, digests: Column) -> None:
        self.digests = digests
        """Sorted, each once."""

    def __len__(self) -> int:
        return len(self.digests)

    def __contains__(self, sha256: object) -> bool:
        return self.holds_all([str(sha256)])

    def holds_all(self, digests: Sequence[str]) -> bool:
        """Whether all of some SHA-256 are in the set."""
        return bool((self.rows(_column(bytes.fromhex("".join(digests)))) != UNREAD).all())

    def rows(self, digests: Column) -> Ints:
        """The place of each in the order of their bytes; `UNREAD` for one that is not in the set."""
        if not len(self.digests):
            return np.full(len(digests), UNREAD)
        rows = self.digests.searchsorted(digests).clip(max=len(self.digests) - 1)
        return np.where(self.digests[rows] == digests, rows, UNREAD)


class Places(NamedTuple):
    """Where the rows of every match of an archive are, in the order of the archive."""

    unit: Ints
    """Number of its file."""
    part: Ints
    number: Ints
    """In the part."""
    match: Ints
    """Row of `Contents.analyses`."""


class Analyses(NamedTuple):
    """What is known of every match in the parts."""

    transcript: Column
    """SHA-256; empty without a roll."""
    tool: Ints
    analysed: Ints
    lookahead: Column
    """-1 for none."""
    date: Ints
    """Days from 1970-01-01; `UNDATED` for none."""


class Contents:
    """The contents that parts hold."""

    def __init__(self, parts: Iterable[tuple[str, Iterable[Entry]]]) -> None:
        """Of several parts with one content, the first holds it."""
        self.parts: list[str] = []
        digests, transcripts, tools = bytearray(), bytearray(), dict[str, int]()
        places, tool, analysed, lookahead, date = array("i"), array("i"), array("i"), array("d"), array("i")
        errors = {}
        for name, entries in parts:
            first = len(tool)
            for entry in entries:
                if entry.error is not None:
                    errors[len(digests) // DIGEST] = entry.error
                digests += bytes.fromhex(entry.sha256)
                places.extend((len(self.parts), len(tool) - first, len(tool), len(entry.matches)))
                for match in entry.matches:
                    transcripts += bytes.fromhex(match.transcript) or bytes(DIGEST)
                    tool.append(tools.setdefault(match.tool, len(tools)))
                    analysed.append(match.analysed)
                    lookahead.append(-1.0 if match.lookahead is None else match.lookahead)
                    date.append(UNDATED if match.date is None else match.date)
            self.parts.append(name)
        kept, chosen = np.unique(_column(digests), return_index=True)
        self.known = Known(kept)
        self._part, self._number, self._match, self.matches = np.array(places, np.int64).reshape(-1, 4)[chosen].T
        self.errors = {row: errors[one] for row, one in enumerate(chosen.tolist()) if one in errors}
        """Why a content was rejected, by its row in `known`."""
        self.analyses = Analyses(_column(transcripts), np.array(tool), np.array(analysed), np.array(lookahead), np.array(date))

    def places(self, contents: Ints) -> Places:
        """The matches of units with these `contents`, rows in `known`, or `UNREAD`."""
        read = np.flatnonzero(contents != UNREAD)
        content = contents[read]
        count = self.matches[content]
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        content = content.repeat(count)
        return Places(read.repeat(count), self._part[content], self._number[content] + within, self._match[content] + within)

    def parts_of(self, contents: Ints) -> Iterator[str]:
        """The names of the parts that hold these contents."""
        yield from (self.parts[part] for part in np.unique(self._part[contents[contents != UNREAD]]).tolist())
