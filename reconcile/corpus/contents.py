"""What is known of an archive's files and matches while their tables lie in parts, and which matches are one match."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.corpus.identity import Stored, groups
from reconcile.match.columns import Ints


class Duplicates(NamedTuple):
    """By number of the match in the archive."""

    counts: Ints
    """The match that counts in place of this one, or the match itself."""
    first: Ints
    """The first match that is the same or a near twin, whatever the tool."""
    twin: Ints
    """The whole match that this one is a near twin of, or the match itself."""


def duplicates(matches: Sequence[Stored]) -> Duplicates:
    """Which of the matches are the same.

    Of a match and its near twins the one with most rolls is the whole one; of as many, the one that most files have; of these the first.
    Of several analyses of a match by one tool at one depth, one of the whole match counts, then the one with the most evaluations, then
    the first; what the tool has not analysed counts only where it has analysed nothing of the match.
    """
    first = groups(matches)
    alike: dict[int, list[int]] = {}
    for number, leader in enumerate(first):
        alike.setdefault(leader, []).append(number)
    counts, twin = [*range(len(matches))], [*range(len(matches))]
    for numbers in alike.values():
        files = Counter(matches[number].transcript for number in numbers)
        whole = min(numbers, key=lambda number: (-len(matches[number].rolls), -files[matches[number].transcript], number))
        best: dict[tuple[str, float | str | None] | str, tuple[bool, int, int]] = {}
        for number in numbers:
            one = matches[number]
            other = one.transcript != matches[whole].transcript
            twin[number] = whole if other else number
            worth = (other, -one.analysed, number)
            for key in (one.analysis, one.tool):
                best[key] = min(best.get(key, worth), worth)
        for number in numbers:
            one = matches[number]
            counts[number] = best[one.analysis if one.analysed else one.tool][2]
    return Duplicates(*(np.array(column, np.int64) for column in (counts, first, twin)))


DIGEST: Final = 32
"""Bytes of a SHA-256."""
UNREAD: Final = -1
"""In place of the content of a file that could not be read."""
Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one unit."""

    name: str
    sha256: str | None
    """`None` if the bytes could not be read."""
    error: str | None = None
    """Set only if there is no content to store the error with."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One content in a part."""

    sha256: str
    matches: int
    error: str | None
    times: int = 1
    """The number of files whose rows the part has, all with these bytes."""


class Part(NamedTuple):
    """What the head of a part says."""

    name: str
    entries: Sequence[Entry]
    shards: Mapping[str, str] = {}
    """SHA-256 of the files with its rows, by their path in the archive's folder."""
    keys: tuple[str, ...] = ()
    """What their folders are named after."""


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

    def digest(self, settings: Sequence[str]) -> str:
        """Of these results and of what else tables follow from, settings and parts: from the same follow the same tables."""
        listed = json.dumps([settings, self._ends.tolist(), sorted(self.unread.items())])
        return sha256(b"\0".join((listed.encode(), self._names, self._digests))).hexdigest()

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
    """Where the matches of an archive are, in the order of the archive."""

    unit: Ints
    """Number of its file."""
    copy: Ints
    """How many files of the same bytes come before it."""
    part: Ints
    number: Ints
    """In the part."""


class Contents:
    """The contents that parts hold."""

    def __init__(self, parts: Iterable[Part]) -> None:
        """Of several parts with one content, the first holds it."""
        self.parts: list[Part] = []
        digests, places, errors = bytearray(), array("i"), {}
        for number, part in enumerate(parts):
            first = 0
            for entry in part.entries:
                if entry.error is not None:
                    errors[len(digests) // DIGEST] = entry.error
                digests += bytes.fromhex(entry.sha256)
                places.extend((number, first, entry.matches, entry.times))
                first += entry.matches
            self.parts.append(part._replace(entries=()))  # columns need less memory
        kept, self._chosen = np.unique(_column(digests), return_index=True)
        self.known = Known(kept)
        self._entries = np.array(places, np.int64).reshape(-1, 4).T
        self._part, self._number, self.matches, _ = self._entries[:, self._chosen]
        self.errors = {row: errors[one] for row, one in enumerate(self._chosen.tolist()) if one in errors}
        """Why a content was rejected, by its row in `known`."""

    def places(self, contents: Ints) -> Places:
        """The matches of units with these `contents`, rows in `known`, or `UNREAD`."""
        read = np.flatnonzero(contents != UNREAD)
        content = contents[read]
        copy = np.zeros(len(content), np.int64)
        order = np.argsort(content, kind="stable")
        starts = np.flatnonzero(np.diff(content[order], prepend=UNREAD))
        copy[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
        count = self.matches[content]
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        content = content.repeat(count)
        return Places(read.repeat(count), copy.repeat(count), self._part[content], self._number[content] + within)

    def wanted(self, contents: Ints, keys: tuple[str, ...]) -> list[tuple[list[int], bool]]:
        """By part, how often an archive of `contents` wants the rows of each of its own, and whether it has just that, in these folders."""
        part, _, matches, held = self._entries
        times = np.zeros(len(held), np.int64)
        times[self._chosen] = np.bincount(contents[contents != UNREAD], minlength=len(self._chosen))
        other = {*part[(times != held) & (matches > 0)].tolist()}
        ends = np.searchsorted(part, np.arange(len(self.parts)), "right").tolist()
        return [
            (times[start:end].tolist(), number not in other and self.parts[number].keys == keys)
            for number, (start, end) in enumerate(pairwise((0, *ends)))
        ]
