"""What is known of an archive's files, in columns: a million of them must not need a gigabyte."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

DIGEST: Final = 32
"""Bytes of a SHA-256."""


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
    first: int
    """Number of its first match in the part."""


class Outcomes:
    """The results for all units, in their order."""

    def __init__(self) -> None:
        self._names, self._ends = bytearray(), array("q", [0])
        self._digests = bytearray()
        self._errors: dict[int, str | None] = {}
        """Of those without a digest."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[Outcome]:
        for number, (start, end) in enumerate(pairwise(self._ends)):
            name = self._names[start:end].decode()
            if number in self._errors:
                yield Outcome(name, None, self._errors[number])
            else:
                yield Outcome(name, self._digests[DIGEST * number : DIGEST * (number + 1)].hex())

    def append(self, one: Outcome) -> None:
        """Add the result for the next unit."""
        if one.sha256 is None:
            self._errors[len(self)] = one.error
        self._names += one.name.encode()
        self._ends.append(len(self._names))
        self._digests += bytes(DIGEST) if one.sha256 is None else bytes.fromhex(one.sha256)


class Contents:
    """The contents that parts hold: by SHA-256 the part's name and the entry."""

    def __init__(self, parts: Iterable[tuple[str, Iterable[Entry]]]) -> None:
        """Of several parts with one content, the first holds it."""
        self.parts: list[str] = []
        digests, places = bytearray(), array("i")
        errors = {}
        for name, entries in parts:
            for entry in entries:
                digests += (digest := bytes.fromhex(entry.sha256))
                places.extend((len(self.parts), entry.matches, entry.first))
                if entry.error is not None:
                    errors[digest] = entry.error
            self.parts.append(name)
        every = np.frombuffer(bytes(digests), f"S{DIGEST}")
        self._digests, first = np.unique(every, return_index=True)
        self._places = np.array(places, np.int32).reshape(-1, 3)[first]
        self._errors = errors

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, sha256: object) -> bool:
        return self._row(str(sha256)) is not None

    def __getitem__(self, sha256: str) -> tuple[str, Entry]:
        row = self._row(sha256)
        if row is None:
            raise KeyError(sha256)
        part, matches, first = self._places[row].tolist()
        return self.parts[part], Entry(sha256, matches, self._errors.get(bytes.fromhex(sha256)), first)

    def _row(self, sha256: str) -> int | None:
        digest = np.bytes_(bytes.fromhex(sha256))
        row = int(self._digests.searchsorted(digest))
        return row if row < len(self._digests) and self._digests[row] == digest else None
