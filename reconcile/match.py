"""A match as returned by every adapter: facts about the match, and its decisions as columns (`reconcile.columns`).

Figures are computed without an object per row; a `Decision` is a view of one row, for a report or an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import numpy as np

from reconcile.board.identifiers import NO_DICE, Dice, Situation
from reconcile.board.position import Counts
from reconcile.columns import Cubes, Games, Ints, Kind, Plays, Resignations, Validity
from reconcile.tools import SECOND_PLAYER_ON_TOP

LONGEST_MATCH: Final = 64
"""gnuBG's tables end here, and no program supports longer matches."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a match came from, so that anyone can check a figure against the same bytes."""

    path: str
    format: str
    """`xg`, `sgf`, `mat` or `blunderdb`."""
    tool: str
    tool_version: str | None
    """The version stated in the file; `None` if it states none."""
    content: bytes = field(repr=False, compare=False, default=b"")
    digest: str = field(repr=False, compare=False, default="")
    """SHA-256 in hexadecimal of a file whose bytes are not in memory."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes read, in hexadecimal; empty where they are withheld."""
        return sha256(self.content).hexdigest() if self.content else self.digest


@dataclass(frozen=True, slots=True)
class Level:
    """How deep the tool looked."""

    label: str
    """The tool's own words: `3-ply`, `XG Roller++`, `2-ply cubeful`. The digits of two tools do not compare."""
    lookahead: float | None
    """Plies looked ahead on one scale: gnuBG's 2-ply and XG's 3-ply are both 2. `None` for rollouts and books."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something an adapter found that a user should know; its code has a page (`reconcile explain CODE`)."""

    code: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of play that a file states."""

    variation: str = "backgammon"
    """`backgammon`, `nackgammon`, `hypergammon1`...`hypergammon3`, `longgammon`."""
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    cube: bool = True


@dataclass(frozen=True, slots=True)
class Candidate:
    """One play the tool considered."""

    play: tuple[tuple[int, int], ...]
    equity: float | None
    """EMG, mover's view; `None` if the tool listed the play without a value."""
    level: str
    probabilities: tuple[float, ...] = ()
    """Win, win gammon, win backgammon, lose gammon, lose backgammon, mover's view; empty if not given."""
    made: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A view of one row, for people."""

    kind: Kind
    game: int
    """Number of the game in the file, from 1."""
    turn: int
    player: str
    cube: int
    away: tuple[int, int] | None
    """Points that the decider and the opponent still need; `None` in a money game."""
    dice: tuple[int, int] | None
    position: tuple[int, ...]
    """26 signed counts, decider's view."""
    play: tuple[tuple[int, int], ...] | None
    candidates: tuple[Candidate, ...]


def _no_candidates(_row: int) -> tuple[Candidate, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Match:
    """One match from one file of one tool."""

    source: Source
    length: int | None
    """Points to win; `None` for a money session."""
    players: tuple[str, str]
    """The names in the file, by seat."""
    rules: Rules
    games: Games
    plays: Plays
    cubes: Cubes
    resignations: Resignations
    cube_unit: str
    """`emg` or `mwc`: the unit of the values in `cubes`."""
    levels: tuple[Level, ...]
    complete: bool
    """Whether a player has won the match; a money session is complete if its last game is."""
    notes: tuple[Note, ...] = ()
    event: str = ""
    candidates: Callable[[int], tuple[Candidate, ...]] = field(default=_no_candidates, repr=False, compare=False)
    """Candidates of a row of `plays`, read from the file on demand."""

    @property
    def is_money(self) -> bool:
        """True for a session without a match score."""
        return self.length is None

    @property
    def away(self) -> Ints:
        """Points still needed before each game, shape (games, 2), by seat; zeros in a money session."""
        if self.length is None:
            return np.zeros((len(self.games), 2), np.int32)
        away: Ints = self.length - self.games.score
        return away

    def decisions(self) -> Iterator[Decision]:
        """Every decision as an object, plays first: for people, never for computing figures."""
        yield from (self.play_decision(row) for row in range(len(self.plays)))
        yield from (self.cube_decision(row) for row in range(len(self.cubes)))

    def play_decision(self, row: int) -> Decision:
        """Row `row` of `plays`."""
        plays = self.plays
        first, second = plays.dice[row].tolist()
        return self._decision(plays, row, Kind.PLAY, (first, second), plays.play[row], self.candidates(row))

    def cube_decision(self, row: int) -> Decision:
        """Row `row` of `cubes`."""
        return self._decision(self.cubes, row, Kind(int(self.cubes.kind[row])), None, None, ())

    def _decision(
        self,
        table: Plays | Cubes,
        row: int,
        kind: Kind,
        dice: tuple[int, int] | None,
        play: tuple[tuple[int, int], ...] | None,
        candidates: tuple[Candidate, ...],
    ) -> Decision:
        game, seat = int(table.game[row]), int(table.player[row])
        away = None if self.is_money else (int(self.away[game, seat]), int(self.away[game, 1 - seat]))
        return Decision(
            kind=kind,
            game=int(self.games.number[game]),
            turn=int(table.turn[row]),
            player=self.players[seat],
            cube=int(table.cube[row]),
            away=away,
            dice=dice,
            position=tuple(table.position[row].tolist()),
            play=play,
            candidates=candidates,
        )


def fingerprint(match: Match) -> str:
    """A digest of the length and of every roll played: game, player, dice. Empty if nothing was rolled.

    The player of the first roll is player 0, so two files agree even if one has the players in reverse order. Rolls that were
    not played are left out, since not every format keeps them; so are plays and names, since tools spell them differently.
    """
    plays = match.plays
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return ""
    player = plays.player[played]
    dice = np.sort(plays.dice[played], axis=1)
    rolls = np.column_stack((match.games.number[plays.game[played]], player != player[0], dice)).astype("<i4")
    return sha256(np.int32(match.length or 0).tobytes() + rolls.tobytes()).hexdigest()


def situation(
    match: Match, game: int, seat: int, position: Counts, *, cube: int, owner: int, dice: Dice = NO_DICE, double_offered: bool = False
) -> Situation:
    """The situation that a player (`seat`, in game index `game`) decides on.

    `position` and `owner` (1 this player, 0 nobody, -1 the opponent) are in the player's view. Raises `ValueError` for an impossible
    situation, as in a damaged game.
    """
    score = match.games.score[game].tolist()
    return Situation(
        position=position,
        dice=dice,
        cube=cube,
        owner=owner,
        length=match.length,
        score=(0, 0) if match.is_money else (score[seat], score[1 - seat]),
        crawford=not match.is_money and bool(match.games.crawford[game]),
        jacoby=match.is_money and match.rules.jacoby,
        beavers=match.is_money and match.rules.beavers,
        double_offered=double_offered,
        decider_is_top=seat == int(match.source.format in SECOND_PLAYER_ON_TOP),
    )
