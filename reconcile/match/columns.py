"""The decisions of a match as columns: the tables, and the meaning of every column.

`Plays` has one row per roll of the dice, `Cubes` one row per cube action (including the implicit
no-double of every turn with access to the cube) and per response. All columns of a table have the
same length; numbers are in the **decider's view** (adapters convert them, nothing else flips a
sign); an unknown number is NaN.

A column may be given as an array or as a function without arguments that creates it: expensive
columns (positions, candidates) are computed when they are first used. Names, lengths and types are
checked once, when a table is given its columns or a function creates one; a wrong one is a bug, a
`TypeError` or `ValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from reconcile.match.values import same

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.floating[Any]]
"""Equities keep the precision of the tool: float32 for gnuBG, float64 for XG."""


class Kind(IntEnum):
    """The kind of decision in a row. Compare a column with `.value`: NumPy compares plain integers
    ten times as fast."""

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

    @property
    def noun(self) -> str:
        """What it is called in a sentence: `no-double`, `accepted resignation`."""
        return {Kind.RESIGN: "resignation", Kind.ACCEPT_RESIGN: "accepted resignation"}.get(
            self, self.label
        )


if TYPE_CHECKING:
    KindName: TypeAlias = str
else:
    KindName = Literal[tuple(kind.label for kind in Kind)]


class Validity(IntEnum):
    """Whether a play of the transcript can be scored at all."""

    VALID = 0
    ILLEGAL = 1
    """The transcript shows a play that the dice do not allow."""
    UNPLAYED = 2
    """The dice were rolled, but the game ended (by resignation) before the play."""


NO_MARK = -128
"""A luck mark missing in the file."""
UNKNOWN_COUNT = -1
"""A number of legal plays missing in the file."""
KINDS = {"Bools": "b", "Ints": "iu", "Floats": "f"}
"""The kinds of array, as NumPy has them, that an annotation of a column allows."""
WIDTHS = {"dice": (2,), "score": (2,), "position": (26,), "chances": (2, 5)}
"""The shape of one row, where it is more than a number."""


class Columns:
    """A table of equally long read-only columns, each made when first used.

    A new table takes its arrays over, without a copy: they become read-only for whoever made them,
    too. Those given to `replaced` are copied and stay as they are.
    """

    _forms: ClassVar[dict[str, tuple[str, tuple[int, ...]]]] = {}
    """The kinds of array that a column may be, none if it may be any sequence, and the shape of its
    rows."""
    _hidden: ClassVar[tuple[str, ...]] = ()
    """Columns that are not compared, since they add nothing to what the file says of a decision."""

    def __init_subclass__(cls) -> None:
        cls._forms = {
            name: (KINDS.get(kind, ""), WIDTHS.get(name, ()))
            for name, kind in cls.__annotations__.items()
        }

    def __init__(
        self, rows: int, columns: Mapping[str, npt.NDArray[Any] | Callable[[], Any]]
    ) -> None:
        self.rows = rows
        self._given = columns
        for name, column in columns.items():
            if isinstance(column, np.ndarray) or name not in self._forms:
                self.__dict__[name] = self._checked(name, column)

    def _checked(self, name: str, column: Any) -> Any:
        """The column, read-only. Raises `TypeError` or `ValueError` if the table has no such
        column, or none of this type or length."""
        if name not in self._forms:
            raise TypeError(
                f"{type(self).__name__} has no column {name!r}; expected one of "
                f"{', '.join(self._forms)}"
            )
        kinds, width = self._forms[name]
        where = f"{type(self).__name__}.{name}"
        if not kinds:
            if len(column) != self.rows:
                raise ValueError(
                    f"{where}: expected {self.rows} values, one a row, found {len(column)}"
                )
            return column
        if not isinstance(column, np.ndarray) or column.dtype.kind not in kinds:
            kind = column.dtype if isinstance(column, np.ndarray) else type(column).__name__
            raise TypeError(
                f"{where}: expected an array of "
                f"{type(self).__annotations__.get(name, 'Floats').lower()}, found {kind}"
            )
        if column.shape != (self.rows, *width) and (
            self.rows or column.size
        ):  # without rows a width says nothing
            raise ValueError(
                f"{where}: expected an array of shape {(self.rows, *width)}, found {column.shape}"
            )
        column.setflags(write=False)
        return column

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.rows} rows>"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return len(self) == len(other) and all(
            same(getattr(self, name), getattr(other, name)) for name in self.names()
        )

    def __hash__(self) -> int:
        return hash((type(self), self.rows))

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has every column made but for those that were left out, and nothing of what they
        are made from."""
        stated = (name for name in self._forms if name in self._given or name not in LEFT_OUT)
        return type(self), (self.rows, {name: getattr(self, name) for name in stated})

    def __getattr__(self, name: str) -> Any:
        if name not in self._forms:
            raise AttributeError(f"{type(self).__name__} has no column {name!r}")
        if name in self._given:
            column = self._given[name]
            value = self._checked(name, column() if callable(column) else column)
        elif name in LEFT_OUT:
            value = self._checked(name, LEFT_OUT[name](self))
        else:
            raise TypeError(f"{type(self).__name__}.{name}: expected a column, found none given")
        self.__dict__[name] = value
        return value

    def replaced(self, **columns: npt.NDArray[Any] | Callable[[], Any]) -> Self:
        """The same table with some columns replaced, by copies of the arrays given or what the
        functions given return."""
        copies = {
            name: column.copy() if isinstance(column, np.ndarray) else column
            for name, column in columns.items()
        }
        return type(self)(self.rows, {**self._given, **copies})

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The columns of this table that are compared, in the order of its documentation."""
        return tuple(name for name in cls._forms if name not in cls._hidden)


LEFT_OUT: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "half": lambda table: np.zeros(table.rows),
        "flag": lambda table: np.full(table.rows, -1, np.int8),
        "stored_error": lambda table: np.full(table.rows, np.nan),
        "luck_mark": lambda table: np.full(table.rows, NO_MARK, np.int8),
        "chances": lambda table: np.full((table.rows, *WIDTHS["chances"]), np.nan),
    }
)
"""Columns that a reader may leave out, and what stands in their place in a table."""


class Plays(Columns):
    """The rolls and checker plays of a match in order, one row each."""

    game: Ints
    """Index into `Match.games`, from 0."""
    turn: Ints
    """Number of the turn in its game, from 1, counting both players."""
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
    """Whether the tool evaluated this play. A play without a choice counts as evaluated if its game
    was."""
    moved: Bools
    """False if no checker could be moved (a dance) or none was (an unplayed roll)."""
    legal: Ints
    """Number of different positions the roll can lead to, according to the file (1 for a dance); 0
    and 1 are exact, larger numbers may be cut, and `UNKNOWN_COUNT` means that the file does not
    say. Rules count no analysed play of which this is not known; so a list of two plays or more,
    cut or not, gives at least their number."""
    flag: Ints
    """The tool's own "does not count as a decision": 1 does not count, 0 counts, -1 no such flag in
    the format."""
    stored_error: Floats
    """Equity lost (EMG, >= 0) as stored by the tool; NaN if it stored none."""
    best: Floats
    """Equity (EMG) of the tool's first candidate."""
    played: Floats
    """Equity (EMG) of the play made, found by the resulting position; NaN if no candidate leads
    there."""
    highest: Floats
    """Highest equity (EMG) among the candidates of any analysis level."""
    spread: Floats
    """Highest minus lowest equity (EMG) of the stored candidates."""
    half: Floats
    """How far the true `best` less `played` may be from that of a file with printed, rounded
    equities (EMG); 0 in all other files."""
    luck: Floats
    """Equity (EMG) gained by the roll, positive is lucky; NaN if not computed."""
    luck_mark: Ints
    """The tool's class of the roll, -2 very unlucky ... 2 very lucky; `NO_MARK` if it gives
    none."""
    level: Ints
    """Index into `Match.levels`; -1 not analysed."""
    position: Ints
    """Shape (rows, 26): the position before the play, see `reconcile.match.board.position`."""
    play: Sequence[tuple[tuple[int, int], ...]]
    """The play as (from, to) pairs, own numbering, bar 25, off 0."""


class Cubes(Columns):
    """Cube actions and responses of a match, one row each: all actions in order, then all responses
    in order."""

    _hidden = ("chances",)

    game: Ints
    turn: Ints
    """Number of the turn that the action precedes, as in `Plays`."""
    player: Ints
    """Seat (0 or 1) of the decider: the player on roll for an action, the opponent for a
    response."""
    kind: Ints
    """`Kind.NO_DOUBLE` ... `Kind.BEAVER`."""
    cube: Ints
    """Value of the cube before the double."""
    owner: Ints
    """Who owned the cube before the double: 1 the player on roll, 0 nobody, -1 the opponent."""
    access: Bools
    """Whether the player on roll may double by the rules of the game."""
    recount_access: Bools
    """The same as gnuBG's recount of a saved match sees it; differs only after a beaver (see
    Q14)."""
    answers_beaver: Bools
    """True for the doubler's response to a beaver."""
    flag: Ints
    """The tool's own mark of a no-double: 1 does not count as a decision, 0 counts, -1 no such mark
    in the format."""
    expected: Bools
    """Whether a full analysis evaluates this row."""
    analysed: Bools
    no_double: Floats
    """Value of not doubling, double and take, double and pass for the **player on roll**, in
    `Match.cube_unit`."""
    double_take: Floats
    double_pass: Floats
    """NaN if the file leaves it to the match equity table."""
    half: Floats
    """How far the true distance between two of these may be from that of a file with printed,
    rounded equities; 0 in all other files."""
    stored_error: Floats
    """Equity lost (EMG at the cube before the double, >= 0) as stored by the tool; NaN if it stored
    none."""
    level: Ints
    position: Ints
    """Shape (rows, 26), the decider's view."""
    chances: Floats
    """Shape (rows, 2, 5): the chances before the roll without a double, and with a double that is
    taken, as those of a `Candidate`: the decider's view, gammons including backgammons; NaN where
    the file has none."""


class Resignations(Columns):
    """Games ended by resignation: who resigned or accepted, and the error according to the tool."""

    game: Ints
    player: Ints
    kind: Ints
    """`Kind.RESIGN` or `Kind.ACCEPT_RESIGN`."""
    cube: Ints
    stored_error: Floats


class Games(Columns):
    """The games of a match, one row each."""

    number: Ints
    """Its number in the file, from 1."""
    score: Ints
    """Shape (rows, 2): points won before the game, by seat."""
    crawford: Bools
    """Whether this is the Crawford game."""
    winner: Ints
    """Seat of the winner, -1 if the game has none (yet)."""
    points: Ints
    """Points won, including the cube; 0 without a winner."""
    resigned: Bools
    automatic_doubles: Ints


def unscored_resignations(games: Games, cube: Callable[[int], int]) -> Resignations:
    """Who resigned in each game that ended so, then who accepted, of a file without errors for it;
    `cube` gives a game's last cube."""
    resigned = np.flatnonzero(games.resigned & (games.winner >= 0))
    winner = games.winner[resigned]
    return Resignations(
        2 * len(resigned),
        {
            "game": np.concatenate((resigned, resigned)),
            "player": np.concatenate((1 - winner, winner)),
            "kind": np.repeat(np.array([Kind.RESIGN, Kind.ACCEPT_RESIGN], np.int8), len(resigned)),
            "cube": np.array([cube(game) for game in resigned.tolist()] * 2, np.int64),
            "stored_error": np.full(2 * len(resigned), np.nan),
        },
    )
