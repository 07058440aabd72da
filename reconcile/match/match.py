"""A match as returned by every adapter: facts about the match, and its decisions as columns
(`reconcile.match.columns`).

Figures are computed without an object per row; a `Decision` is a view of one row, for a report or
an explanation. `Facts` are what a match says of every decision, whatever the rules, as columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import date as Day  # noqa: N812 - the field is called `date`
from functools import cached_property
from hashlib import sha256
from itertools import chain, repeat
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, Document, Key, Sha256, Text
from reconcile.errors import InvalidArgument, UnknownName
from reconcile.match.board.play import Play, carried_out, notation
from reconcile.match.board.position import (
    NO_DICE,
    START,
    Counts,
    Situation,
    Situations,
    checkers_of,
    gnubg_ids,
    phases,
    position_keys,
    swap,
    xgids,
)
from reconcile.match.columns import (
    Bools,
    Cubes,
    Floats,
    Games,
    Ints,
    Kind,
    Plays,
    Resignations,
    Validity,
)
from reconcile.match.names import told_apart
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.match.values import Texts
from reconcile.notebook import NotebookTable, one_line, short, short_file
from reconcile.wording import plural

if TYPE_CHECKING:
    import pandas as pd

LONGEST_MATCH = 64
"""gnuBG's tables end here, and no program supports longer matches."""


@dataclass(frozen=True, slots=True)
class Source(Document):
    """A file, so that anyone can check a figure against the same bytes."""

    path: str
    """As given; `-` for standard input."""
    digest: Annotated[Sha256, Key("sha256", shown="sha256")] = field(
        repr=False, compare=False, default="", kw_only=True
    )
    """SHA-256 of its bytes."""  # given where they are not kept
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""
    content: Annotated[bytes, HIDDEN] = field(repr=False, compare=False, default=b"")
    analysed_by: Annotated[str, HIDDEN] = ""
    """The engine that analysed the transcript for this run and its plies, as `gnubg:2`; empty where
    the file was read as it is."""
    transcript: Annotated[str, HIDDEN] = ""
    """The file whose transcript that is."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes read, in hexadecimal; empty where they are withheld."""
        return sha256(self.content).hexdigest() if self.content else self.digest


@dataclass(frozen=True, slots=True)
class Level:
    """How deep the tool looked."""

    label: str
    """The tool's own words: `3-ply`, `XG Roller++`, `2-ply cubeful`. The digits of two tools do not
    compare."""
    lookahead: float | None
    """Plies looked ahead on one scale: gnuBG's 2-ply and XG's 3-ply are both 2. `None` for
    rollouts, books and BGBlitz's plies."""


@dataclass(frozen=True, slots=True)
class Note(Document):
    """Something that reading a file found and a user should know."""

    code: str
    """`reconcile explain CODE` prints its page."""
    evidence: str
    """Where, and what."""


@dataclass(frozen=True, slots=True)
class Rules(Document):
    """Rules of play stated in the file."""

    variation: str = "backgammon"
    """`backgammon`, `nackgammon`, `hypergammon1`...`hypergammon3`, `longgammon`."""
    crawford: bool = True
    """Whether the Crawford rule is played."""
    jacoby: bool = False
    """Whether the Jacoby rule is played."""
    beavers: bool = False
    """Whether beavers are allowed."""
    cube: bool = True
    """Whether there is a cube."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One play the tool considered."""

    play: tuple[tuple[int, int], ...]
    """(from, to) pairs, own numbering, bar 25, off 0."""
    equity: float | None
    """EMG, mover's view; `None` if the tool listed the play without a value."""
    level: str
    """How deep the tool looked, in its own words."""
    probabilities: tuple[float, ...] = ()
    """Win, win gammon, win backgammon, lose gammon, lose backgammon, mover's view; empty if not
    given."""
    made: bool = False
    """Whether it is the play that was made."""


Evaluation: TypeAlias = tuple[float | None, str, tuple[float, ...]]
"""Equity, level and probabilities of a candidate."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A view of one row, for people."""

    kind: Kind
    game: int
    """Number of the game in the file, from 1."""
    turn: int
    """Number of the turn in its game, from 1, both players counted."""
    player: str
    """Name of the decider."""
    opponent: str
    seat: int
    """Of the decider: 0 or 1."""
    checkers: int
    """Of each player at the start."""
    situation: Situation
    """All that the decision depends on, with the decider at the bottom; the score of a money
    session is no part of it."""
    play: tuple[tuple[int, int], ...] | None
    """(from, to) pairs, own numbering, bar 25, off 0; `None` for a cube decision, and for a roll
    that was not played."""
    candidates: tuple[Candidate, ...]
    """The plays that the tool considered, best first; empty for a cube decision."""
    chances: tuple[tuple[float, ...], ...] = ()
    """Of a cube decision before the roll, without a double and with one that is taken, as those of
    a candidate; NaN if not given."""

    @property
    def cube(self) -> int:
        """Value of the cube before the decision."""
        return self.situation.cube

    @property
    def away(self) -> tuple[int, int] | None:
        """Points the decider and the opponent still need; `None` in a money game."""
        return self.situation.away

    @property
    def dice(self) -> tuple[int, int] | None:
        """As rolled; `None` for a cube decision."""
        return self.situation.dice if self.kind is Kind.PLAY else None

    @property
    def position(self) -> Counts:
        """26 signed counts, decider's view."""
        return self.situation.position

    def _repr_svg_(self) -> str:
        from reconcile.match.board.drawing import board_svg

        return board_svg(
            self.situation,
            (self.player, self.opponent),
            checkers=self.checkers,
            light=self.seat == 0,
            key=f"g{self.game}t{self.turn}-{self.kind}",
            name=f"Game {self.game}, turn {self.turn}, {self.player}: {self.kind.label}",
        )


def chances_of_other(chances: Sequence[float]) -> tuple[float, ...]:
    """The chances of the one player, as those of a `Candidate`, in the other's view."""
    win, gammon, backgammon, *lost = chances
    return (1.0 - win, *lost, gammon, backgammon)


def no_candidates(_row: int) -> tuple[Candidate, ...]:
    """The candidates of a row in a file that keeps none."""
    return ()


@dataclass(frozen=True, slots=True)
class Match(NotebookTable):
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
    notes: Sequence[Note] = ()
    event: str = ""
    """What was played, as the file has it; empty where it does not say."""
    date: Day | None = None
    """The day that the file states; `None` if it states none."""
    round: str = ""
    """Of the event; empty where the file does not say, as are the next two."""
    place: str = ""
    """Where it was played."""
    comment: str = ""
    """What somebody wrote about the match."""
    comments: Mapping[tuple[int, int, int], str] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What somebody wrote about a decision, by the index of its game, its turn and its `Kind`."""
    ratings: tuple[float | None, float | None] = (None, None)
    """Elo of each player before the match, by seat, on the scale of whoever rated; `None` where the
    file states none."""
    known_chances: Mapping[tuple[int, int, bool], float] | None = field(
        default=None, repr=False, compare=False
    )
    """The tool's own match equity table as far as the file shows it: chance of a player to win the
    match, by points away, points the opponent is away, and whether the Crawford game has been
    played. `None` if the file shows nothing of it."""
    candidates: Callable[[int], tuple[Candidate, ...]] = field(
        default=no_candidates, repr=False, compare=False
    )
    """Candidates of a row of `plays`, read from the file on demand, and once."""
    read_first: Callable[[int], Play | None] | None = field(default=None, repr=False, compare=False)
    """Reads the play of a row's first candidate alone, where that takes less time."""
    read_evaluations: Callable[[int], list[Evaluation]] | None = field(
        default=None, repr=False, compare=False
    )
    """Reads what is said of a row's candidates without their plays, where that takes less time."""

    def __repr__(self) -> str:
        length = "money session" if self.length is None else plural(self.length, "point")
        players = " - ".join(map(short, self.players))
        return one_line(
            self,
            f"{short_file(self.source.path)}: {players}, {length}, "
            f"{plural(len(self.games), 'game')}, {self.source.tool}",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has every column, note and candidate made, and nothing of the file that they are
        made from, which only this process may have."""
        values: dict[str, object] = {"notes": tuple(self.notes), "read_evaluations": None}
        for name in ("games", "plays", "cubes", "resignations"):
            values[name] = copy(getattr(self, name))
        for name in ("candidates", "read_first"):
            read = getattr(self, name)
            values[name] = read and tuple(map(read, range(len(self.plays)))).__getitem__
        return type(self), tuple(
            values.get(each.name, getattr(self, each.name)) for each in fields(self)
        )

    @property
    def is_money(self) -> bool:
        """True for a session without a match score."""
        return self.length is None

    @property
    def has_analysis(self) -> bool:
        """Whether a tool evaluated any decision."""
        return bool(self.plays.analysed.any() or self.cubes.analysed.any())

    @property
    def final_score(self) -> tuple[int, int]:
        """Points of each player at the end of what the file has, by seat; of a money session the
        points won."""
        games = self.games
        last = slice(None) if self.is_money else slice(-1, None)
        points = [0, 0] if self.is_money or not len(games) else games.score[-1].tolist()
        for winner, won in zip(
            games.winner[last].tolist(), games.points[last].tolist(), strict=True
        ):
            if winner >= 0:
                points[winner] += won
        return points[0], points[1]

    @property
    def winner(self) -> str | None:
        """Who won the match; `None` if nobody has, and for a money session."""
        if self.is_money or not self.complete:
            return None
        return self.names[int(self.games.winner[-1])]

    @property
    def usual_level(self) -> Level | None:
        """The level of most evaluations, of plays and cube decisions together; `None` without
        any."""
        used = np.concatenate((self.plays.level, self.cubes.level))
        used = used[used >= 0]
        return (
            self.levels[int(np.bincount(used.astype(np.intp, copy=False)).argmax())]
            if len(used)
            else None
        )

    @property
    def lookahead(self) -> float | None:
        """Plies looked ahead in most evaluations, on one scale for all tools; `None` where the
        level has no place on it."""
        return level.lookahead if (level := self.usual_level) else None

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, distinguished by their seats if they are the same: `Same#1` and
        `Same#2`."""
        return told_apart(self.players)

    @property
    def away(self) -> Ints:
        """Points still needed before each game, shape (games, 2), by seat; zeros in a money
        session."""
        if self.length is None:
            return np.zeros((len(self.games), 2), np.int32)
        return self.length - self.games.score

    def game_row(self, number: int) -> int:
        """The row of `games` with a game's number. Raises `UnknownName`."""
        numbers: list[int] = self.games.number.tolist()
        if type(number) is not int or number not in numbers:
            raise UnknownName(
                f"no game {number!r}, expected one of {', '.join(map(str, numbers))}",
                self.source.path,
            )
        return numbers.index(number)

    @property
    def turns(self) -> Ints:
        """Number of the turn of plays, then cubes, then resignations, which follow the last roll of
        their game."""
        last = np.zeros(len(self.games), np.int64)
        np.maximum.at(last, self.plays.game, self.plays.turn)
        return np.concatenate((self.plays.turn, self.cubes.turn, last[self.resignations.game] + 1))

    def over_all(self, name: str) -> npt.NDArray[Any]:
        """A column that plays, cubes and resignations have, in this order: `game`, `player` or
        `cube`."""
        return np.concatenate(
            [getattr(table, name) for table in (self.plays, self.cubes, self.resignations)]
        )

    @property
    def kinds(self) -> Ints:
        """`Kind` of plays, then cubes, then resignations."""
        plays = np.full(len(self.plays), Kind.PLAY.value)
        return np.concatenate((plays, self.cubes.kind, self.resignations.kind))

    @property
    def evaluated(self) -> Bools:
        """Whether the tool evaluated each of them."""
        stored = self.resignations.stored_error
        return np.concatenate((self.plays.analysed, self.cubes.analysed, stored == stored))

    def decisions(self) -> Iterator[Decision]:
        """Every decision as an object, plays first: for people, never for computing figures."""
        return map(self.decision, range(len(self.plays) + len(self.cubes)))

    def decision(self, row: int) -> Decision:
        """A row of `plays` and then of `cubes` as an object. Raises `InvalidArgument`."""
        plays, cubes = self.plays, self.cubes
        last = len(plays) + len(cubes) - 1
        if type(row) is not int or not 0 <= row <= last:
            expected = f"a row of Match.plays and then of Match.cubes, 0 to {last}"
            raise InvalidArgument("row", expected, row)
        is_play = row < len(plays)
        table, row = (plays, row) if is_play else (cubes, row - len(plays))
        game, seat = int(table.game[row]), int(table.player[row])
        kind = Kind.PLAY if is_play else Kind(int(cubes.kind[row]))
        is_played = is_play and plays.validity[row] != Validity.UNPLAYED.value
        score = [0, 0] if self.is_money else self.games.score[game].tolist()
        # No identifier describes the answer to a beaver.
        owner = 0 if not is_play and cubes.answers_beaver[row] else int(table.owner[row])
        situation = Situation(
            position=tuple(table.position[row].tolist()),
            dice=tuple(plays.dice[row].tolist()) if is_play else NO_DICE,
            cube=int(table.cube[row]),
            owner=-owner if kind >= Kind.TAKE else owner,
            length=self.length,
            score=(score[seat], score[1 - seat]),
            crawford=bool(self.games.crawford[game]),
            jacoby=self.rules.jacoby,
            beavers=self.rules.beavers,
            double_offered=kind >= Kind.TAKE,
        )
        return Decision(
            kind=kind,
            game=int(self.games.number[game]),
            turn=int(table.turn[row]),
            player=self.names[seat],
            opponent=self.names[1 - seat],
            seat=seat,
            checkers=checkers_of(self.rules.variation),
            situation=situation,
            play=plays.play[row] if is_played else None,
            candidates=self.candidates(row) if is_play else (),
            chances=() if is_play else tuple(map(tuple, cubes.chances[row].tolist())),
        )

    def first_candidate(self, row: int) -> Play | None:
        """The play of the tool's first candidate for a row of `plays`; `None` where it lists
        none."""
        return (
            self.read_first(row)
            if self.read_first is not None
            else next((candidate.play for candidate in self.candidates(row)), None)
        )

    def evaluations(self, row: int) -> list[Evaluation]:
        """What the tool says of the candidates of a row of `plays`."""
        return (
            [(each.equity, each.level, each.probabilities) for each in self.candidates(row)]
            if self.read_evaluations is None
            else self.read_evaluations(row)
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for every checker play and cube decision, in the order played; what the file does
        not say is missing.

        - `game`, `turn`: numbers as in the file, from 1
        - `player`: who decides
        - `kind`: `play`, `no-double`, `double`, `take`, `pass`, `beaver`
        - `dice`, `play`: of a checker play, as `31` and `8/5 6/5`
        - `cube`: its value before the decision
        - `away`, `opponent_away`: points the decider and the opponent still need; missing in a
          money session
        - `analysed`, `level`: whether the tool evaluated it, and how deep in its own words
        - `best`, `played`: equity (EMG) of the tool's first play and of the one made
        - `no_double`, `double_take`, `double_pass`: of a cube decision, for the player on roll, in
          `Match.cube_unit`
        - `stored_error`: equity lost (EMG) where the tool stored it; what a rule set makes of it is
          in `Statistics`
        - `luck`: equity (EMG) gained by the roll
        - `row`: of `Match.plays` and then of `Match.cubes`, for `decision`
        """
        facts, rows = Facts(self), len(self.plays) + len(self.cubes)
        order = np.lexsort((STAGE[facts.kind], self.turns, facts.in_game))
        order = order[order < rows]
        return framed(
            {name: column[:rows][order] for name, column in self._frame_columns(facts).items()}
        )

    def _frame_columns(self, facts: Facts) -> dict[str, npt.NDArray[Any]]:
        """The columns of `to_frame`, of plays and then of cubes."""
        played, level = facts.played.spelled(), facts.level.spelled()
        played[facts.kind != Kind.PLAY.value] = None
        level[level == ""] = None
        equities = "best", "played", "no_double", "double_take", "double_pass"
        return {
            "game": self.games.number[facts.in_game],
            "turn": self.turns,
            "player": facts.player.spelled(),
            "kind": facts.label.spelled(),
            "dice": facts.roll.spelled(),
            "play": played,
            "cube": facts.cube,
            "away": facts.needed[:, 0],
            "opponent_away": facts.needed[:, 1],
            "analysed": self.evaluated,
            "level": level,
            **{name: facts.both(name) for name in (*equities, "stored_error", "luck")},
            "row": np.arange(len(facts)),
        }

    def _small_frame(self) -> pd.DataFrame:
        names = "game turn player kind dice play cube level stored_error luck"
        return self.to_frame()[names.split()]


LABELS = tuple(kind.label for kind in Kind)
CHOICES = np.array([0, 1, 1, 2, 2, 2, 3, 4])
"""By kind of decision what is chosen between: doubling or not, for example."""
STAGE = np.array([2, 0, 0, 1, 1, 1, 3, 4])
"""By kind: within a turn the cube action, the response, the play, a resignation and its answer."""
DICE = tuple(f"{roll:02}" for roll in range(100))
WIDEST = {"i": np.int64, "u": np.int64, "f": np.float64}
"""The type of a number in a table, whatever the width of the file's."""


def widest(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A column of numbers in that type; any other as it is."""
    kind = column.dtype.kind
    return column.astype(WIDEST[kind]) if kind in WIDEST and column.ndim == 1 else column


def framed(columns: Mapping[str, npt.NDArray[Any]]) -> pd.DataFrame:
    """Columns of decisions as the table of pandas."""
    import pandas as pd

    wide = {name: widest(column) for name, column in columns.items()}
    series = {name: pd.Series(column, dtype=column.dtype) for name, column in wide.items()}
    return pd.DataFrame(series).astype(dict.fromkeys(("away", "opponent_away"), "Int64"))


class Facts:
    """Columns over the rows of `Match.plays`, then `Match.cubes`, then `Match.resignations`, each
    made when first used.

    Of many matches joined as one (`reconcile.scoring.score`), `matches` are these: what a file
    states once is theirs.
    """

    def __init__(self, match: Match, matches: Sequence[Match] = ()) -> None:
        self.match, self.matches = match, tuple(matches) or (match,)
        self.kind = match.kinds
        """`Kind` of each."""

    def __len__(self) -> int:
        return len(self.kind)

    def filled(self, column: npt.NDArray[Any], absent: float = np.nan) -> npt.NDArray[Any]:
        """A column that only the first rows have, with `absent` in the others."""
        size = (len(self) - len(column), *column.shape[1:])
        kind = np.float64 if absent != absent else column.dtype
        return np.concatenate((column, np.full(size, absent, kind)))

    def both(self, name: str) -> npt.NDArray[Any]:
        """A column of plays, then of cube decisions; NaN of a table without it."""
        return np.concatenate(
            [
                getattr(table, name) if name in table.names() else np.full(len(table), np.nan)
                for table in (self.match.plays, self.match.cubes)
            ]
        )

    # -- place

    @cached_property
    def in_game(self) -> Ints:
        """The row of its game in `Match.games`."""
        return self.match.over_all("game")

    @cached_property
    def in_match(self) -> Ints:
        """Which of the matches it is of."""
        sizes = [len(match.games) for match in self.matches]
        return np.repeat(np.arange(len(sizes)), sizes)[self.in_game]

    @cached_property
    def seat(self) -> Ints:
        """Of who decides."""
        return self.match.over_all("player")

    @property
    def player(self) -> Texts:
        """The name of who decides."""
        return Texts(self.seat, self.match.names)

    @property
    def label(self) -> Texts:
        """What is decided, in a word."""
        return Texts(self.kind, LABELS)

    # -- situation

    @cached_property
    def dice(self) -> Ints:
        """Shape (rows, 2); 0 where nothing is rolled."""
        return self.filled(self.match.plays.dice, 0)

    @property
    def roll(self) -> Texts:
        """The dice as rolled, `31`; missing where nothing is."""
        return Texts(self.dice @ (10, 1) - (self.dice[:, 0] == 0), DICE)

    @cached_property
    def cube(self) -> Ints:
        """Its value before the decision."""
        return self.match.over_all("cube")

    @cached_property
    def owner(self) -> Ints:
        """Who owns it, before a double: 1 the player on roll, -1 the other; 0 for resignations."""
        return self.filled(self.both("owner"), 0)

    @cached_property
    def away(self) -> Ints:
        """Shape (rows, 2): points that the decider and the opponent need; 0 for money."""
        away = self.match.away[self.in_game]
        return np.where(self.seat[:, np.newaxis] == 0, away, away[:, ::-1])

    @property
    def needed(self) -> Floats:
        """The same; unknown for money."""
        return self.away + (np.nan if self.match.is_money else 0.0)

    @cached_property
    def jacoby(self) -> Bools:
        """Whether the Jacoby rule is played; never in a match."""
        # Money sessions with and without it are scored together.
        played = np.array([each.is_money and each.rules.jacoby for each in self.matches])
        return played[self.in_match]

    @cached_property
    def phase(self) -> Ints:
        """An index of `reconcile.match.board.position.PHASES`; -1 for resignations."""
        return self.filled(phases(self.both("turn"), self.both("position")), -1)

    @cached_property
    def position(self) -> Ints:
        """Shape (rows, 26), in the decider's view: before the decision; of a resignation that after
        the last play of the game."""
        decided = self.both("position")
        resigned = np.array([*self._resigned()], decided.dtype).reshape(-1, decided.shape[1])
        return np.concatenate((decided, resigned))

    def _resigned(self) -> Iterator[Sequence[int]]:
        plays, resigned = self.match.plays, self.match.resignations
        rows = np.searchsorted(plays.game, resigned.game, "right") - 1
        for row, game, player in zip(rows, resigned.game, resigned.player, strict=True):
            if row < 0 or plays.game[row] != game:
                yield START
                continue
            position = tuple(plays.position[row].tolist())
            if plays.validity[row] != Validity.UNPLAYED.value:
                position = carried_out(position, plays.play[row])
            yield position if plays.player[row] == player else swap(position)

    # -- what was done, and what the tool said

    @cached_property
    def played(self) -> Texts:
        """The play in notation, the label of a cube action; missing for a roll that was not
        played."""
        plays = self.match.plays
        columns = (play for match in self.matches for play in match.plays.play)
        played = self.with_kinds(notation(columns, plays.position))
        unplayed = np.flatnonzero(plays.validity == Validity.UNPLAYED.value)
        number = played.number.copy()
        number[unplayed] = -1
        return Texts(number, played.texts)

    @cached_property
    def first(self) -> Texts:
        """The tool's first candidate of every play that it evaluated."""
        return notation(self._first(), self.match.plays.position)

    @cached_property
    def candidates(self) -> npt.NDArray[np.object_]:
        """The plays that the tool considered, as `Match.candidates` has them; none of any other
        decision."""
        plays = (match.candidates(row) for match in self.matches for row in range(len(match.plays)))
        no_plays = repeat((), len(self) - len(self.match.plays))
        return np.fromiter(chain(plays, no_plays), object)

    def _first(self) -> Iterator[Play | None]:
        for match in self.matches:
            for row, analysed in enumerate(match.plays.analysed.tolist()):
                yield match.first_candidate(row) if analysed else None

    def with_kinds(self, plays: Texts) -> Texts:
        """Texts of plays, and the label of its kind for every other decision."""
        number = self.kind + len(plays.texts)
        number[: len(plays.number)] = plays.number
        return Texts(number, [*plays.texts, *LABELS])

    @cached_property
    def level(self) -> Texts:
        """How deep the tool looked, in its own words; of joined matches it means nothing."""
        return Texts(
            self.filled(self.both("level"), -1), [level.label for level in self.match.levels], ""
        )

    # -- identifiers

    @cached_property
    def xgid(self) -> npt.NDArray[Any]:
        """As XG takes it; empty where there is no ID, as of a resignation or of the answer to a
        beaver."""
        return self.identified(xgids)

    @cached_property
    def gnubg_id(self) -> npt.NDArray[Any]:
        """gnuBG's `Position ID:Match ID`; empty where there is no XGID."""
        return self.identified(gnubg_ids)

    def identifiers(self, row: int) -> tuple[str, str]:
        """Both of one row."""
        return self.xgid[row], self.gnubg_id[row]

    def identified(
        self,
        ids: Callable[[Situations], list[str]],
        rows: Ints | slice = slice(None),
    ) -> npt.NDArray[Any]:
        """The identifiers of some rows."""
        nowhere: Bools = self.kind >= Kind.RESIGN.value
        first = len(self.match.plays)
        nowhere[first : first + len(self.match.cubes)] = self.match.cubes.answers_beaver
        return np.where(nowhere[rows], "", np.array(ids(self.situations(rows)), object))

    def situations(self, rows: Ints | slice) -> Situations:
        """What each depends on."""
        kind, game, match = self.kind[rows], self.in_game[rows], self.in_match[rows]
        offered = (kind >= Kind.TAKE.value) & (kind < Kind.RESIGN.value)
        length = np.array([each.length or 0 for each in self.matches])[match]
        rules = np.array([each.rules.jacoby + 2 * each.rules.beavers for each in self.matches])
        top = np.array([each.source.format in SECOND_PLAYER_ON_TOP for each in self.matches])
        is_money = (length == 0)[:, np.newaxis]
        return Situations(
            position=self.position[rows],
            dice=self.dice[rows],
            cube=self.cube[rows],
            owner=np.where(offered, -self.owner[rows], self.owner[rows]),
            length=length,
            score=np.where(is_money, 0, length[:, np.newaxis] - self.away[rows]),
            rules=np.where(length > 0, self.match.games.crawford[game], rules[match]),
            double_offered=offered,
            decider_is_top=self.seat[rows] == top[match],
        )

    @cached_property
    def position_key(self) -> npt.NDArray[np.uint8]:
        """Shape (rows, 10): the bytes of its Position ID; every position has to be possible."""
        return position_keys(self.position)

    @cached_property
    def key(self) -> Ints:
        """A number that the same decision has in every match: position, dice, cube, score and rules
        are the same; the response to a double is another decision."""
        return _mixed(
            *self.position_key.view("<u2").T,
            self.dice.max(axis=1),
            self.dice.min(axis=1),
            self.cube,
            self.owner,
            *self.away.T,
            self.match.games.crawford[self.in_game],
            self.jacoby,
            CHOICES[self.kind],
        )


def _mixed(*columns: Any) -> Ints:
    """A number from whole numbers of each row, the same on every machine: splitmix64 over them."""
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(1)).astype(np.int64)
