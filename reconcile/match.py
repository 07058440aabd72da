"""A match as every adapter delivers it: facts about the match, and its decisions as columns.

`Plays` holds one row per roll of the dice, `Cubes` one row per cube action, the implicit no-double of every
turn with access to the cube included, and per response. All columns of a table have its length; numbers are
in the **decider's view** (an adapter turns them round, nobody else flips a sign); an unknown number is NaN.

A column may be given as an array or as a function without arguments that makes it: what costs (positions,
candidates) is computed when it is first looked at. No object per row stands on the way to a figure; a
`Decision` is a view of one row, for a report or an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.floating[Any]]
"""Equities keep the precision of the tool: float32 where gnuBG counts, float64 where XG does."""

LONGEST_MATCH: Final = 64
"""gnuBG's tables end here, and no program plays longer matches."""


class Kind(IntEnum):
    """What is decided in a row. Compare a column with `.value`: NumPy looks at a plain integer ten times as fast."""

    PLAY = 0
    NO_DOUBLE = 1
    DOUBLE = 2
    TAKE = 3
    PASS = 4
    BEAVER = 5
    RESIGN = 6
    ACCEPT_RESIGN = 7

    @property
    def label(self) -> str:
        """The word used in reports and JSON: `play`, `no-double`, `accept-resign`."""
        return self.name.lower().replace("_", "-")


class Validity(IntEnum):
    """Whether a play of the transcript can be judged at all."""

    VALID = 0
    ILLEGAL = 1
    """The transcript shows a play that the dice do not allow."""
    UNPLAYED = 2
    """The dice were rolled, but the game ended (by resignation) before the play."""


NO_MARK: Final = -128
"""A luck mark that the file does not give."""
UNKNOWN_COUNT: Final = -1
"""A number of legal plays that the file does not tell."""


class Columns:
    """A table of equally long read-only columns, each made when first used."""

    def __init__(self, rows: int, columns: Mapping[str, npt.NDArray[Any] | Callable[[], Any]]) -> None:
        self.rows = rows
        self._given = columns
        for name, column in columns.items():
            if isinstance(column, np.ndarray):
                column.setflags(write=False)
                self.__dict__[name] = column

    def __len__(self) -> int:
        return self.rows

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in type(self).__annotations__:
            raise AttributeError(f"{type(self).__name__} has no column {name!r}")
        made = self._given[name]
        value = made() if callable(made) else made
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        self.__dict__[name] = value
        return value

    def replaced(self, **columns: npt.NDArray[Any] | Callable[[], Any]) -> Self:
        """The same table with some columns in the place of its own."""
        return type(self)(self.rows, {**self._given, **columns})

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The columns of this table, in the order of its documentation."""
        return tuple(cls.__annotations__)


class Plays(Columns):
    """The rolls and checker plays of a match in order, one row each."""

    game: Ints
    """Index into `Match.games`, from 0."""
    turn: Ints
    """Number of the turn in its game, from 1, both players counted."""
    player: Ints
    """Seat (0 or 1) of the decider."""
    dice: Ints
    """Shape (rows, 2)."""
    cube: Ints
    """Value of the cube during the play: 1, 2, 4..."""
    owner: Ints
    """Who owns the cube: 1 the decider, 0 nobody, -1 the opponent."""
    validity: Ints
    """A `Validity` per row."""
    analysed: Bools
    """Whether the tool evaluated this play. A play without a choice counts as evaluated in a game that was."""
    moved: Bools
    """False where no checker could be moved (a dance) or none was (an unplayed roll)."""
    legal: Ints
    """Number of different positions the roll can lead to as far as the file tells (1 for a dance); it is exact
    where it is 0 or 1, may be cut above, and is `UNKNOWN_COUNT` where the file is silent."""
    flag: Ints
    """The tool's own "does not count as a decision": 1 does not count, 0 counts, -1 the format has no such flag."""
    stored_error: Floats
    """Equity lost (EMG, >= 0) as the tool itself stored it; NaN where it stored none."""
    best: Floats
    """Equity (EMG) of the tool's first candidate."""
    played: Floats
    """Equity (EMG) of the play made, found by the resulting position; NaN where no candidate leads there."""
    highest: Floats
    """Highest equity (EMG) among the candidates, whatever their analysis level."""
    spread: Floats
    """Highest minus lowest equity (EMG) of the stored candidates."""
    luck: Floats
    """Equity (EMG) gained by the roll, positive is lucky; NaN where not computed."""
    luck_mark: Ints
    """The tool's class of the roll, -2 very unlucky ... 2 very lucky; `NO_MARK` where it gives none."""
    level: Ints
    """Index into `Match.levels`; -1 not analysed."""
    position: Ints
    """Shape (rows, 26): the position before the play, see `reconcile.position`."""
    play: list[tuple[tuple[int, int], ...]]
    """The play as (from, to) pairs, own numbering, bar 25, off 0."""


class Cubes(Columns):
    """Cube actions and responses of a match, one row each: all actions in order, then all responses in order."""

    game: Ints
    turn: Ints
    """Number of the turn that the action precedes, as in `Plays`."""
    player: Ints
    """Seat (0 or 1) of the decider: the player on roll for an action, his opponent for a response."""
    kind: Ints
    """`Kind.NO_DOUBLE` ... `Kind.BEAVER`."""
    cube: Ints
    """Value of the cube before the double."""
    owner: Ints
    """Who owned the cube before the double: 1 the player on roll, 0 nobody, -1 his opponent."""
    access: Bools
    """Whether the player on roll may double by the rules of the game."""
    recount_access: Bools
    """The same as gnuBG's recount of a saved match sees it; differs only after a beaver (see Q14)."""
    answers_beaver: Bools
    """True for the doubler's answer to a beaver."""
    flag: Ints
    """The tool's own mark of a no-double: 1 it does not count as a decision, 0 it does, -1 the format has no such mark."""
    expected: Bools
    """Whether a full analysis evaluates this row."""
    analysed: Bools
    no_double: Floats
    """Value of not doubling, double and take, double and pass for the **player on roll**, in `Match.cube_unit`."""
    double_take: Floats
    double_pass: Floats
    """NaN where the file leaves it to the match equity table."""
    stored_error: Floats
    """Equity lost (EMG at the cube before the double, >= 0) as the tool stored it; NaN where it stored none."""
    level: Ints
    position: Ints
    """Shape (rows, 26), the decider's view."""


class Resignations(Columns):
    """Games ended by resignation: who resigned or accepted, and what the tool says it cost."""

    game: Ints
    player: Ints
    kind: Ints
    """`Kind.RESIGN` or `Kind.ACCEPT_RESIGN`."""
    cube: Ints
    stored_error: Floats


class Games(Columns):
    """The games of a match, one row each."""

    number: Ints
    """As the file numbers it, from 1."""
    score: Ints
    """Shape (rows, 2): points won before the game, by seat."""
    crawford: Bools
    """Whether this is the Crawford game."""
    winner: Ints
    """Seat of the winner, -1 where the game has none (yet)."""
    points: Ints
    """Points won, the cube included; 0 without a winner."""
    resigned: Bools
    automatic_doubles: Ints


@dataclass(frozen=True, slots=True)
class Source:
    """Where a match came from, so that anyone can check a figure against the same bytes."""

    path: str
    format: str
    """`xg`, `sgf`, `mat` or `blunderdb`."""
    tool: str
    tool_version: str | None
    """As the file states it; `None` when it does not say."""
    content: bytes = field(repr=False, compare=False, default=b"")
    digest: str = field(repr=False, compare=False, default="")
    """SHA-256 in hexadecimal of a file whose bytes are not kept."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes read, in hexadecimal; empty where they are withheld."""
        from hashlib import sha256

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
    """Something an adapter met that a user should know; its code has a page (`reconcile explain CODE`)."""

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
    """EMG, mover's view; `None` where the tool listed the play without a value."""
    level: str
    probabilities: tuple[float, ...] = ()
    """Win, win gammon, win backgammon, lose gammon, lose backgammon, mover's view; empty where not given."""
    made: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A view of one row, for people."""

    kind: Kind
    game: int
    """Number of the game as the file has it, from 1."""
    turn: int
    player: str
    cube: int
    away: tuple[int, int] | None
    """Points the decider and his opponent still need; `None` in a money game."""
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
    """As the file shows them, by seat."""
    rules: Rules
    games: Games
    plays: Plays
    cubes: Cubes
    resignations: Resignations
    cube_unit: str
    """`emg` or `mwc`: the unit of the values in `cubes`."""
    levels: tuple[Level, ...]
    complete: bool
    """Whether somebody has won the match; a money session is complete when its last game is."""
    notes: tuple[Note, ...] = ()
    event: str = ""
    candidates: Callable[[int], tuple[Candidate, ...]] = field(default=_no_candidates, repr=False, compare=False)
    """Candidates of a row of `plays`, read from the file when asked for."""

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
        """Every decision as an object, plays first: for people, never on the way to a figure."""
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
