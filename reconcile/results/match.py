"""A whole match with its columns as one JSON document, for people who want the decisions rather
than the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np

from reconcile.document import (
    SCHEMA_VERSION,
    Amount,
    Count,
    Document,
    Key,
    Positive,
    Version,
    dumps,
    within,
)
from reconcile.files.output import write
from reconcile.match import match as read
from reconcile.match.board.play import play_text
from reconcile.match.board.position import Counts
from reconcile.match.columns import NO_MARK, Columns, Kind, Validity
from reconcile.match.match import Match, Note, Rules, Source
from reconcile.results.statistics import occasion
from reconcile.scoring.decision_table import identifiers_of

_ACTION, _RESPONSE, _PLAY, _RESIGNATION = range(4)
"""The order within a turn."""

TableRow = dict[str, Any]
"""A row of a table by column: NumPy gives lists of no particular type."""
if TYPE_CHECKING:
    CubeKind: TypeAlias = str
    ResignationKind: TypeAlias = str
    ValidityName: TypeAlias = str
else:
    CubeKind = Literal[tuple(kind.label for kind in Kind if Kind.PLAY < kind < Kind.RESIGN)]
    ResignationKind = Literal[tuple(kind.label for kind in Kind if kind >= Kind.RESIGN)]
    ValidityName = Literal[tuple(validity.name.lower() for validity in Validity)]
Die = Annotated[int, within(ge=1, le=6)]
Position = Annotated[
    tuple[Annotated[int, within(ge=-15, le=15)], ...], within(min_length=26, max_length=26)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFacts(Document):
    """The match as a whole."""

    length: Positive | None
    """Points to win; null for a money session."""
    players: tuple[str, str]
    """By seat."""
    rules: Rules
    """Rules of play stated in the file."""
    event: str | None
    """The event, as stated in the file."""
    date: str | None
    """The day that the file states, as `2024-05-31`."""
    round: str | None
    """Of the event."""
    place: str | None
    """Where it was played."""
    comment: str | None
    """What somebody wrote about the match."""
    complete: bool
    """Whether a player has won; a session is complete if its last game is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Document):
    """One game."""

    number: Annotated[int, Key("game")]
    """Its number in the file, from 1."""
    score: tuple[Count, Count]
    """Points won before it, by seat."""
    crawford: bool
    """Whether it is the Crawford game."""
    winner: str | None
    """Null if the game has none (yet)."""
    points: int | None
    """Points won, including the cube."""
    resigned: bool
    """Whether it ended by a resignation."""
    automatic_doubles: Count
    """How often the cube was doubled before the first roll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEquities(Document):
    """Equity of the tool's first candidate and of the play made."""

    unit: Literal["emg"] = "emg"
    """Equity."""
    best: float | None
    """The tool's first candidate."""
    played: float | None
    """The play made, found by the resulting position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeEquities(Document):
    """The values of the cube actions for the player on roll."""

    unit: Literal["emg", "mwc"]
    """Equity, or match winning chance from 0 to 1."""
    no_double: float | None
    """No double."""
    double_take: float | None
    """Double and take."""
    double_pass: float | None
    """Double and pass; null if the file leaves it to the match equity table."""


@dataclass(frozen=True, slots=True)
class Probabilities(Document):
    """Chances of the player, from 0 to 1; a gammon includes a backgammon."""

    win: float | None
    """To win."""
    win_gammon: float | None
    """To win a gammon."""
    win_backgammon: float | None
    """To win a backgammon."""
    lose_gammon: float | None
    """To lose a gammon."""
    lose_backgammon: float | None
    """To lose a backgammon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeProbabilities(Document):
    """Chances before the roll."""

    no_double: Probabilities | None
    """Without a double."""
    double_take: Probabilities | None
    """With a double that is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Document):
    """A play that the tool considered."""

    play: str
    """In standard notation."""
    equity: float | None
    """EMG."""
    level: str
    """Depth of the analysis in the tool's own words."""
    probabilities: Probabilities | None
    """Chances of the player; null if the file has none."""
    made: bool
    """Whether it leads to the position of the play made."""


@dataclass(frozen=True, kw_only=True)
class Decision(Document):
    """What every decision has."""

    game: int
    """Number of the game as in `games`."""
    turn: Positive | None
    """From 1 in each game, counting both players."""
    player: str
    """Who decides."""
    seat: Literal[0, 1]
    """Index of the player in `match.players`."""
    kind: str
    """What was decided."""
    dice: tuple[Die, Die] | None
    """The roll."""
    position: Position | None
    """The player's view: own checkers positive, index 0 the opponent's bar, 1 to 24 the points in
    the player's numbering, 25 the player's bar."""
    xgid: Annotated[str, within(pattern="^XGID=")] | None
    """Null if no identifier describes the situation."""
    gnubg_id: Annotated[str, within(pattern="^[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}$")] | None
    """Null if no identifier describes the situation."""
    play: str | None
    """In standard notation; null for a roll that was not played."""
    validity: ValidityName | None
    """Whether the dice allow it and whether it was made."""
    cube: Positive
    """Value of the cube, before a double."""
    owner: Literal[1, 0, -1] | None
    """Who owns the cube, before a double: 1 the player, 0 nobody, -1 the opponent."""
    access: bool | None = None
    """For a double or no double: whether the rules of the game allow it."""
    answers_beaver: bool = False
    """Whether it responds to a beaver."""
    away: tuple[int, int] | None
    """Points that the player and the opponent need; null for money."""
    comment: str | None = None
    """What somebody wrote about it."""
    analysed: bool
    """Whether the tool analysed it."""
    level: str | None
    """Depth of the analysis in the tool's own words."""
    error: Amount | None
    """Equity lost (EMG) as stored by the tool; null if it stored none."""
    equities: PlayEquities | CubeEquities | None
    """What the tool says of the actions."""
    luck: float | None
    """Equity (EMG) gained by the roll."""
    luck_mark: Annotated[int, within(ge=-2, le=2)] | None = None
    """The tool's class of the roll, -2 very unlucky to 2 very lucky."""
    candidates: tuple[Candidate, ...]
    """The plays that the tool considered, in its order."""


@dataclass(frozen=True, kw_only=True)
class PlayDecision(Decision):
    """A checker play."""

    turn: Positive
    kind: Literal["play"] = "play"
    dice: tuple[Die, Die]
    position: Position
    validity: ValidityName
    equities: PlayEquities | None
    """Of the best play and of the play made."""


@dataclass(frozen=True, kw_only=True)
class NoPlay(Decision):
    """What every decision but a play has."""

    dice: None = None
    """Always null."""
    play: None = None
    """Always null."""
    validity: None = None
    """Always null."""
    luck: None = None
    """Always null."""
    candidates: tuple[()] = ()
    """Always empty."""


@dataclass(frozen=True, kw_only=True)
class CubeDecision(NoPlay):
    """A decision at the cube."""

    turn: Positive
    kind: CubeKind
    position: Position
    equities: CubeEquities | None
    """Of the cube actions, for the player on roll."""
    probabilities: CubeProbabilities | None = None
    """Chances of the player named; null if the file has none."""


@dataclass(frozen=True, kw_only=True)
class ResignationDecision(NoPlay):
    """A resignation, or its acceptance."""

    turn: None = None
    """Always null."""
    kind: ResignationKind
    position: None = None
    """Always null."""
    equities: None = None
    """Always null."""


AnyDecision = PlayDecision | CubeDecision | ResignationDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDocument(Document):
    """What `reconcile convert FILE -o OUT.json` writes. Null is unknown or not applicable. Numbers
    have the precision of the file.

    Equities, errors and probabilities are in the view of the player named, only the equities of a
    cube decision in that of the player on roll.
    """

    schema_version: Version = SCHEMA_VERSION
    source: Source
    """The file read."""
    match: MatchFacts
    """The match as a whole."""
    notes: tuple[Note, ...]
    """Notes from reading the file."""
    games: Annotated[tuple[Game, ...], within(min_length=1)]
    """Every game."""
    decisions: tuple[AnyDecision, ...]
    """In the order played: in a turn the double or no double, the responses, the play."""


def match_document(match: Match) -> MatchDocument:
    """A match as the document of `reconcile convert`: its source, its rules, its games and its
    decisions in the order played."""
    return MatchDocument(
        source=match.source,
        match=MatchFacts(
            length=match.length,
            players=match.players,
            rules=match.rules,
            **occasion(match),
            comment=match.comment or None,
            complete=match.complete,
        ),
        notes=tuple(match.notes),
        games=tuple(_games(match)),
        decisions=tuple(
            decision for _, decision in sorted(_decisions(match), key=lambda row: row[0])
        ),
    )


def write_match(match: Match, path: str) -> tuple[str, ...]:
    """Write a match to a file: its transcript where the name ends in `.mat`, else its document.

    Returned is what the transcript cannot express. Raises `CannotWrite`.
    """
    if not path.lower().endswith(".mat"):
        write(path, dumps(match_document(match)))
        return ()
    from reconcile.formats.mat.writer import transcript

    written = transcript(match)
    write(path, written.text)
    return written.changes


def _games(match: Match) -> Iterator[Game]:
    for row in _rows(match.games):
        won = row["winner"] >= 0
        ended = {
            "winner": match.players[row["winner"]] if won else None,
            "points": row["points"] if won else None,
        }
        yield Game(**row | {"score": tuple(row["score"])} | ended)


def _decisions(match: Match) -> Iterator[tuple[tuple[int, int, int], AnyDecision]]:
    """Every decision with its place: game, turn, order within the turn."""
    writer, first = _Writer(match), len(match.plays)
    for number, row in enumerate(_rows(match.plays)):
        yield (row["game"], row["turn"], _PLAY), writer.play(number, row)
    cubes = zip(_rows(match.cubes), match.cubes.chances.tolist(), strict=True)
    for number, (row, chances) in enumerate(cubes, first):
        order = _ACTION if row["kind"] <= Kind.DOUBLE else _RESPONSE
        yield (row["game"], row["turn"], order), writer.cube(number, row, chances)
    after_all = max(match.plays.turn.max(initial=0), match.cubes.turn.max(initial=0)) + 1
    for row in _rows(match.resignations):
        analysed = _finite(row["stored_error"]) is not None
        common = writer.common(row | {"owner": None, "analysed": analysed})
        yield (row["game"], int(after_all), _RESIGNATION), ResignationDecision(**common)


class _Writer:
    """Rows of one match as documents."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.numbers = match.games.number.tolist()
        self.away = match.away.tolist()
        self.labels = [*(level.label for level in match.levels), None]

    def play(self, number: int, row: TableRow) -> PlayDecision:
        position, validity = tuple(row["position"]), Validity(row["validity"])
        candidates = self.match.candidates(number)
        return PlayDecision(
            **self.common(row, number),
            dice=tuple(row["dice"]),
            position=position,
            play=None if validity is Validity.UNPLAYED else play_text(position, row["play"]),
            validity=validity.name.lower(),
            equities=PlayEquities(best=_finite(row["best"]), played=_finite(row["played"])),
            luck=_finite(row["luck"]),
            luck_mark=None if row["luck_mark"] == NO_MARK else row["luck_mark"],
            candidates=tuple(_candidate(position, candidate) for candidate in candidates),
        )

    def cube(self, number: int, row: TableRow, chances: list[list[float]]) -> CubeDecision:
        acts = row["kind"] <= Kind.DOUBLE
        if not (acts or row["answers_beaver"]):
            row["owner"] *= -1  # the columns have it in the view of the player on roll
        names = ("no_double", "double_take", "double_pass")
        values: TableRow = {name: _finite(row[name]) for name in names}
        return CubeDecision(
            **self.common(row, number),
            position=tuple(row["position"]),
            equities=CubeEquities(**values | {"unit": self.match.cube_unit}),
            probabilities=_cube_probabilities(chances),
            access=row["access"] if acts else None,
            answers_beaver=row["answers_beaver"],
        )

    def common(self, row: TableRow, number: int | None = None) -> TableRow:
        """What is found in the same way for every decision; `number` is its row, of plays and then
        cubes."""
        game, seat = row["game"], row["player"]
        xgid, gnubg_id = ("", "") if number is None else identifiers_of(self.match, number)
        away = None if self.match.is_money else (self.away[game][seat], self.away[game][1 - seat])
        kind = Kind(row.get("kind", Kind.PLAY))
        return {
            "game": self.numbers[game],
            "turn": row.get("turn"),
            "kind": kind.label,
            "player": self.match.players[seat],
            "seat": seat,
            "xgid": xgid or None,
            "gnubg_id": gnubg_id or None,
            "cube": row["cube"],
            "owner": row["owner"],
            "away": away,
            "comment": self.match.comments.get((game, row.get("turn", 0), kind.value)),
            "analysed": row["analysed"],
            "level": self.labels[row.get("level", -1)],
            "error": _finite(row["stored_error"]),
        }


def _rows(table: Columns) -> Iterator[TableRow]:
    columns = (getattr(table, name) for name in table.names())
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns]
    for values in zip(*plain, strict=True):
        yield dict(zip(table.names(), values, strict=True))


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None


def _candidate(position: Counts, candidate: read.Candidate) -> Candidate:
    return Candidate(
        play=play_text(position, candidate.play),
        equity=_finite(candidate.equity),
        level=candidate.level,
        probabilities=_probabilities(candidate.probabilities),
        made=candidate.made,
    )


def _probabilities(chances: Sequence[float]) -> Probabilities | None:
    return Probabilities(*map(_finite, chances)) if len(chances) else None


def _cube_probabilities(chances: Sequence[Sequence[float]]) -> CubeProbabilities | None:
    """`None` where neither action has any."""
    both = [None if any(map(isnan, five)) else _probabilities(five) for five in chances]
    return CubeProbabilities(no_double=both[0], double_take=both[1]) if any(both) else None
