"""Two matches without the names in them, for showing a comparison to others.

Done before anything is computed from them, so that no output has to think of it. Rolls, plays and scores stay: who has the match at
hand will recognise it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from reconcile.gap.pairing import pair
from reconcile.match import Match
from reconcile.scoring.findings import SYNTHETIC

PLAYERS: Final = ("Player 1", "Player 2")
"""The names of the left file's seats."""


def anonymised(left: Match, right: Match, aliases: Sequence[Sequence[str]] = ()) -> tuple[Match, Match]:
    """Two files of a match with their players renamed by the left file's seats, without event, file names and SHA-256.

    Players are matched first, while they have names. Raises `NotTheSameMatch`.
    """
    seats = pair(left, right, aliases).seats
    other = PLAYERS[seats.index(0)], PLAYERS[seats.index(1)]
    return _nameless(left, PLAYERS, "left"), _nameless(right, other, "right")


def _nameless(match: Match, players: tuple[str, str], side: str) -> Match:
    """The match under other names; a synthetic one still says so."""
    hidden = sorted(zip((*match.players, match.source.path), (*players, side), strict=True), key=lambda pair: -len(pair[0]))
    return replace(
        match,
        source=replace(match.source, path=f"{side}.{match.source.format}", content=b"", digest=""),
        players=players,
        event=SYNTHETIC if match.event.startswith(SYNTHETIC) else "",
        notes=tuple(replace(note, evidence=_without(note.evidence, hidden)) for note in match.notes),
    )


def _without(text: str, hidden: Iterable[tuple[str, str]]) -> str:
    for name, stand_in in hidden:
        text = text.replace(name, stand_in) if name else text
    return text
