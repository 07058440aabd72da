"""Which matches of an archive are the same: what was played by whom, and what is nearly that.

Two files are of one match if length, rolls, plays and cube actions are the same, and the players
are, whatever case and accents their names have. Many abandoned matches have the same few rolls
and plays; from `LONG` rolls on no two are so alike, so there names may differ, as tools cut and
spell them. *Near twins* are long transcripts of the same players of which one is the beginning
of the other, a partial save, or that differ by a single roll or in plays alone, as after a slip
in writing them down.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from reconcile.files.names import fold
from reconcile.match.columns import Ints, Kind, Validity
from reconcile.match.match import Match

LONG: Final = 12
"""Rolls: fewer than one in a thousand billion pairs of games begin with the same ones."""
FIRST_LETTER: Final = ord("0")
GAMES: Final = "|"
KEYS_OF_EACH: Final = 5


class Identity(NamedTuple):
    """What a match is recognised by."""

    match_id: str
    """Digest of the transcript and of the players' folded names; empty without a roll."""
    transcript: str
    """Digest of length, rolls, plays and cube actions; the same whichever player is on seat 0."""
    rolls: str
    """A character a roll, a stroke between games."""


def identity(match: Match) -> Identity:
    """What this match is recognised by. Rolls that were not played are left out, since not every
    format keeps them."""
    plays, cubes, games = match.plays, match.cubes, match.games
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return Identity("", "", "")
    first = int(plays.player[played][0])
    low, high = np.sort(plays.dice[played], axis=1).T.astype(np.int64)
    side = plays.player[played] != first
    turned = cubes.kind >= Kind.DOUBLE.value
    actions = (
        games.number[cubes.game[turned]],
        cubes.turn[turned],
        cubes.player[turned] != first,
        cubes.kind[turned],
    )
    parts = (
        np.array([match.length or 0]),
        np.stack((games.number[plays.game[played]], side, low, high), axis=1),
        plays.position[played],
        np.stack(actions, axis=1),
    )
    transcript = sha256(
        b"".join(np.int32(len(part)).tobytes() + part.astype("<i4").tobytes() for part in parts)
    ).hexdigest()
    letters = (
        (FIRST_LETTER + (low - 1) * 12 + (high - 1) * 2 + side)
        .astype(np.uint8)
        .tobytes()
        .decode("latin-1")
    )
    ends = np.flatnonzero(np.diff(plays.game[played])) + 1
    rolls = GAMES.join(
        letters[start:end] for start, end in pairwise((0, *ends.tolist(), len(letters)))
    )
    names = "\n".join(fold(match.names[seat]) for seat in (first, 1 - first))
    return Identity(sha256(f"{transcript}\n{names}".encode()).hexdigest(), transcript, rolls)


def number_of(text: str) -> int:
    """A whole number from 0 to 2**63 that no other text is expected to have."""
    return int.from_bytes(sha256(text.encode()).digest()[:8]) >> 1


def copied(number: int, copy: int) -> int:
    """The number of a match in another file of the same bytes, by how many such files come
    before it."""
    return number_of(f"{number} {copy}") if copy else number


class Stored(NamedTuple):
    """What tells which matches are the same, of one of them."""

    match_id: str
    transcript: str
    rolls: str
    player0: str
    player1: str
    length: int | None
    tool: str
    analysed: int
    """Number of evaluations."""
    lookahead: float | None
    """Plies looked ahead in most of them."""
    level_name: str | None

    @property
    def near(self) -> list[tuple[object, ...]]:
        """What near twins have in common, of a long match: whatever is wrong in one place, one
        of the three is as it was."""
        if _size(self.rolls) < LONG:
            return []
        who = (self.length, *sorted((fold(self.player0), fold(self.player1))))
        pieces = self.rolls[:LONG], self.rolls[LONG : 2 * LONG], self.rolls[-LONG:]
        return [(place, piece, *who) for place, piece in enumerate(pieces)]

    @property
    def keys(self) -> list[int]:
        """Numbers of which the same or a near twin has one; 0 stands for none."""
        near = [*map(str, self.near)] or [""] * 3
        every = self.match_id, near[0] and self.transcript, *near
        return [number_of(text) if text else 0 for text in every]

    @property
    def analysis(self) -> tuple[str, float | str | None]:
        """Tool and depth."""
        return self.tool, self.level_name if self.lookahead is None else self.lookahead


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

    Of a match and its near twins the one with most rolls is the whole one; of as many, the one
    that most files have; of these the first. Of several analyses of a match by one tool at one
    depth, one of the whole match counts, then the one with the most evaluations, then the first;
    what the tool has not analysed counts only where it has analysed nothing of the match.
    """
    first = groups(matches)
    alike: dict[int, list[int]] = {}
    for number, leader in enumerate(first):
        alike.setdefault(leader, []).append(number)
    counts, twin = [*range(len(matches))], [*range(len(matches))]
    for numbers in alike.values():
        files = Counter(matches[number].transcript for number in numbers)
        complete = min(
            numbers,
            key=lambda number: (
                -len(matches[number].rolls),
                -files[matches[number].transcript],
                number,
            ),
        )
        best: dict[tuple[str, float | str | None] | str, tuple[bool, int, int]] = {}
        for number in numbers:
            match = matches[number]
            other = match.transcript != matches[complete].transcript
            twin[number] = complete if other else number
            worth = (other, -match.analysed, number)
            for key in (match.analysis, match.tool):
                best[key] = min(best.get(key, worth), worth)
        for number in numbers:
            match = matches[number]
            counts[number] = best[match.analysis if match.analysed else match.tool][2]
    return Duplicates(*(np.array(column, np.int64) for column in (counts, first, twin)))


def groups(matches: Sequence[Stored]) -> list[int]:
    """For every match the first one that is the same or a near twin of it."""
    first = list(range(len(matches)))

    def root(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    def join(number: int, other: int) -> None:
        low, high = sorted((root(number), root(other)))
        first[high] = low

    first_with: dict[str, int] = {}
    for number, match in enumerate(matches):
        for key in (match.match_id, match.transcript if _size(match.rolls) >= LONG else ""):
            if key:
                join(first_with.setdefault(key, number), number)
    for one_number, other in _near(matches):
        join(one_number, other)
    return [root(number) for number in range(len(matches))]


def _size(rolls: str) -> int:
    return len(rolls) - rolls.count(GAMES)


def _near(matches: Sequence[Stored]) -> Iterator[tuple[int, int]]:
    """Pairs of near twins."""
    buckets: dict[tuple[object, ...], list[int]] = defaultdict(list)
    distinct: set[tuple[str, str]] = set()
    for number, match in enumerate(matches):
        if (match.match_id, match.rolls) not in distinct:
            distinct.add((match.match_id, match.rolls))
            for key in match.near:
                buckets[key].append(number)
    for bucket in buckets.values():
        for place, one_number in enumerate(bucket):
            for other in bucket[place + 1 :]:
                if are_near(matches[one_number].rolls, matches[other].rolls):
                    yield one_number, other


def are_near(left_rolls: str, other: str) -> bool:
    """Whether one text is the beginning of the other, or becomes it by changing, adding or
    removing one character."""
    short, long = sorted((left_rolls, other), key=len)
    if long.startswith(short):
        return True
    half, further = len(short) // 2, len(long) - len(short)
    if further > 1 or (short[:half] != long[:half] and not long.endswith(short[-half:])):
        return False
    same = next(
        place for place, (left, right) in enumerate(zip(short, long, strict=False)) if left != right
    )
    return short[same + 1 - further :] == long[same + 1 :]
