"""What the matches of an archive are recognised by: what was played by whom.

Two files are of one match if length, rolls, plays and cube actions are the same, and the players
are, whatever case and accents their names have. Many abandoned matches have the same few rolls
and plays; from `LONG` rolls on no two are so alike, so there names may differ, as tools cut and
spell them. *Near twins* are long transcripts of the same players of which one is the beginning
of the other, a partial save, or that differ by a single roll or in plays alone, as after a slip
in writing them down. `assembly.sql` finds them.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.names import fold

LONG: Final = 12
"""Rolls: fewer than one in a thousand billion pairs of games begin with the same ones."""
FIRST_LETTER: Final = ord("0")
GAMES: Final = "|"


class Identity(NamedTuple):
    """What a match is recognised by."""

    match_id: str
    """Digest of the transcript and of the players' folded names; empty without a roll."""
    transcript: str
    """Digest of length, rolls, plays and cube actions; the same whichever player is on seat 0."""
    rolls: str
    """A character a roll, a stroke between games."""
    alike: list[int]
    """Five numbers, 0 for none: the match and, of a long one, its transcript, of which the same
    match has one; and three pieces of its rolls with length and players. Whatever is wrong in one
    place, a near twin has one of the three."""


def identity(match: Match) -> Identity:
    """What this match is recognised by. Rolls that were not played are left out, since not every
    format keeps them."""
    plays, cubes, games = match.plays, match.cubes, match.games
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return Identity("", "", "", [0] * 5)
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
    codes = FIRST_LETTER + (low - 1) * 12 + (high - 1) * 2 + side
    letters = codes.astype(np.uint8).tobytes().decode("latin-1")
    ends = np.flatnonzero(np.diff(plays.game[played])) + 1
    starts = pairwise((0, *ends.tolist(), len(letters)))
    rolls = GAMES.join(letters[start:end] for start, end in starts)
    names = [fold(match.names[seat]) for seat in (first, 1 - first)]
    match_id = sha256("\n".join((transcript, *names)).encode()).hexdigest()
    alike = [number_of(match_id), 0, 0, 0, 0]
    if len(letters) >= LONG:
        pieces = rolls[:LONG], rolls[LONG : 2 * LONG], rolls[-LONG:]
        who = f"{match.length} {sorted(names)}"
        near = (f"{place} {piece} {who}" for place, piece in enumerate(pieces))
        alike = [alike[0], *map(number_of, (transcript, *near))]
    return Identity(match_id, transcript, rolls, alike)


def number_of(text: str) -> int:
    """A whole number from 0 to 2**63 that no other text is expected to have."""
    return int.from_bytes(sha256(text.encode()).digest()[:8]) >> 1
