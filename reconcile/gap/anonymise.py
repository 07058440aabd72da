"""Matches without the names in them, for showing a comparison to others.

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


def anonymised(*matches: Match, aliases: Sequence[Sequence[str]] = ()) -> list[Match]:
    """Files of a match with their players renamed by the first file's seats, without event, date, file names and SHA-256.

    Players are matched first, while they have names. Raises `NotTheSameMatch`.
    """
    seats = [pair(matches[0], match, aliases).seats for match in matches]
    sides = ["left", "right"] if len(matches) == 2 else [f"analysis {number}" for number in range(1, len(matches) + 1)]
    renamed = [(PLAYERS[one.index(0)], PLAYERS[one.index(1)]) for one in seats]
    return [_nameless(*one) for one in zip(matches, renamed, sides, strict=True)]


def _nameless(match: Match, players: tuple[str, str], side: str) -> Match:
    """The match under other names; a synthetic one still says so."""
    hidden = sorted(zip((*match.players, match.source.path), (*players, side), strict=True), key=lambda pair: -len(pair[0]))
    return replace(
        match,
        source=replace(match.source, path=f"{side}.{match.source.format}", content=b"", digest=""),
        players=players,
        event=SYNTHETIC if match.event.startswith(SYNTHETIC) else "",
        date=None,
        notes=tuple(replace(note, evidence=_without(note.evidence, hidden)) for note in match.notes),
    )


def _without(text: str, hidden: Iterable[tuple[str, str]]) -> str:
    for name, stand_in in hidden:
        text = text.replace(name, stand_in) if name else text
    return text
