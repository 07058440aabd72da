"""What a file records turn by turn, so that the transcripts of two files can be held against each
other."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256

import numpy as np

from reconcile.match.board.play import apply_play, carried_out, play_text
from reconcile.match.board.position import position_id
from reconcile.match.columns import Bools, Cubes, Kind, Plays, Validity
from reconcile.match.match import Match

Turns = dict[tuple[int, int], str]
"""By number of the game and turn what the turn is recognised by; turn 0 says that there is the
game."""


def turns_of(match: Match, seats: tuple[int, int] = (0, 1)) -> Turns:
    """What every turn is recognised by, players by `seats`.

    A play is its dice and the position it leads to: one play can be written in several ways.
    """
    plays, cubes, numbers = match.plays, match.cubes, match.games.number
    turns: Turns = defaultdict(str, {(number, 0): "" for number in numbers.tolist()})
    acted = np.flatnonzero(cubes.kind != Kind.NO_DOUBLE)
    columns = numbers[cubes.game[acted]], cubes.turn[acted], cubes.kind[acted]
    for game, turn, kind in zip(*(column.tolist() for column in columns), strict=True):
        turns[game, turn] += f"{kind} "
    dice, positions = np.sort(plays.dice, axis=1).tolist(), plays.position.tolist()
    games, at = numbers[plays.game].tolist(), plays.turn.tolist()
    for row in np.flatnonzero(plays.validity != Validity.UNPLAYED.value).tolist():
        reached = carried_out(positions[row], plays.play[row])
        turns[games[row], at[row]] += f"{seats[plays.player[row]]} {dice[row]} {reached} "
    return turns


def turn_text(match: Match, number: int, turn: int, names: tuple[str, str]) -> str:
    """A turn in words, with these names of the players."""
    plays, cubes = match.plays, match.cubes

    def rows(table: Plays | Cubes, chosen: Bools) -> list[int]:
        here = (match.games.number[table.game] == number) & (table.turn == turn) & chosen
        return np.flatnonzero(here).tolist()

    events = [Kind(int(cubes.kind[row])).label for row in rows(cubes, cubes.kind != Kind.NO_DOUBLE)]
    for row in rows(plays, plays.validity != Validity.UNPLAYED):
        high, low = sorted(plays.dice[row].tolist(), reverse=True)
        position, play = plays.position[row].tolist(), plays.play[row]
        try:
            words = f"{play_text(position, play)} -> {position_id(apply_play(position, play))}"
        except ValueError:
            words = "a play that the position does not allow"
        events.append(f"{names[plays.player[row]]} {high}{low}: {words}")
    return ", ".join(events) or "nothing"


def fingerprint(match: Match) -> str:
    """A digest of the length and of every roll played: game, player, dice. Empty if nothing was
    rolled.

    The player of the first roll is player 0, so two files agree even if one has the players in
    reverse order. Rolls that were not played are left out, since not every format keeps them; so
    are plays and names, since tools spell them differently.
    """
    plays = match.plays
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return ""
    player, dice = plays.player[played], plays.dice[played].T
    columns = (
        match.games.number[plays.game[played]],
        player != player[0],
        np.minimum(*dice),
        np.maximum(*dice),
    )
    rolls = np.stack(columns, axis=1).astype("<i4")
    return sha256(np.int32(match.length or 0).tobytes() + rolls.tobytes()).hexdigest()
