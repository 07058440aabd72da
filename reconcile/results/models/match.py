"""A whole match with its decisions as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.columns import Kind, Validity
from reconcile.results.models.shared import Amount, Count, Players, Positive, Source, Version

if TYPE_CHECKING:
    CubeKind: TypeAlias = str
    ResignationKind: TypeAlias = str
    ValidityName: TypeAlias = str
else:
    CubeKind = Literal[tuple(kind.label for kind in Kind if Kind.PLAY < kind < Kind.RESIGN)]
    ResignationKind = Literal[tuple(kind.label for kind in Kind if kind >= Kind.RESIGN)]
    ValidityName = Literal[tuple(validity.name.lower() for validity in Validity)]
Nothing = Annotated[list[object], Field(max_length=0)]
Dice = Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=2, max_length=2)]
Checkers = Annotated[int, Field(ge=-15, le=15)]
Position = Annotated[list[Checkers], Field(min_length=26, max_length=26)]


class Rules(TypedDict):
    """Rules of play stated in the file."""

    variation: str
    """Standard, nackgammon or another starting position."""
    crawford: bool
    """Whether the Crawford rule is played."""
    jacoby: bool
    """Whether the Jacoby rule is played."""
    beavers: bool
    """Whether beavers are allowed."""
    cube: bool
    """Whether there is a cube."""


class MatchFacts(TypedDict):
    """The match as a whole."""

    length: Positive | None
    """Points to win; null for a money session."""
    players: Players
    """By seat."""
    rules: Rules
    """Rules of play stated in the file."""
    event: str | None
    """The event, as stated in the file."""
    complete: bool
    """Whether a player has won; a session is complete if its last game is."""


class Note(TypedDict):
    """A note."""

    code: str
    """`reconcile explain CODE` prints its page."""
    evidence: str
    """Where, and what."""


class Game(TypedDict):
    """One game."""

    game: int
    """Its number in the file, from 1."""
    score: Annotated[list[Count], Field(min_length=2, max_length=2)]
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


class PlayEquities(TypedDict):
    """Equity of the tool's first candidate and of the play made."""

    unit: Literal["emg"]
    """Equity."""
    best: float | None
    """The tool's first candidate."""
    played: float | None
    """The play made, found by the resulting position."""


class CubeEquities(TypedDict):
    """The values of the cube actions for the player on roll."""

    unit: Literal["emg", "mwc"]
    """Equity, or match winning chance from 0 to 1."""
    no_double: float | None
    """No double."""
    double_take: float | None
    """Double and take."""
    double_pass: float | None
    """Double and pass; null if the file leaves it to the match equity table."""


class Probabilities(TypedDict):
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


class Candidate(TypedDict):
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


class _Decision(TypedDict):
    """What every decision has."""

    game: int
    """Number of the game as in `games`."""
    player: str
    """Who decides."""
    seat: Literal[0, 1]
    """Index of the player in `match.players`."""
    xgid: Annotated[str, Field(pattern="^XGID=")] | None
    """Null if no identifier describes the situation."""
    gnubg_id: Annotated[str, Field(pattern="^[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}$")] | None
    """Null if no identifier describes the situation."""
    cube: Positive
    """Value of the cube, before a double."""
    owner: Literal[1, 0, -1] | None
    """Who owns the cube, before a double: 1 the player, 0 nobody, -1 the opponent."""
    access: bool | None
    """For a double or no double: whether the rules of the game allow it."""
    answers_beaver: bool
    """Whether it responds to a beaver."""
    away: Annotated[list[int], Field(min_length=2, max_length=2)] | None
    """Points that the player and the opponent need; null for money."""
    analysed: bool
    """Whether the tool analysed it."""
    level: str | None
    """Depth of the analysis in the tool's own words."""
    error: Amount | None
    """Equity lost (EMG) as stored by the tool; null if it stored none."""
    luck_mark: Annotated[int, Field(ge=-2, le=2)] | None
    """The tool's class of the roll, -2 very unlucky to 2 very lucky."""


class _Turn(_Decision):
    """What every decision of a turn has."""

    turn: Positive
    """From 1 in each game, counting both players."""
    position: Position
    """The player's view: own checkers positive, index 0 the opponent's bar, 1 to 24 the points in the player's numbering, 25 the player's
    bar."""


class _NoPlay(_Decision):
    """What every decision but a play has."""

    dice: None
    """Always null."""
    play: None
    """Always null."""
    validity: None
    """Always null."""
    luck: None
    """Always null."""
    candidates: Nothing
    """Always empty."""


class PlayDecision(_Turn):
    """A checker play."""

    kind: Literal["play"]
    """What was decided."""
    dice: Dice
    """The roll."""
    play: str | None
    """In standard notation; null for a roll that was not played."""
    validity: ValidityName
    """Whether the dice allow it and whether it was made."""
    equities: PlayEquities | None
    """Of the best play and of the play made."""
    luck: float | None
    """Equity (EMG) gained by the roll."""
    candidates: list[Candidate]
    """The plays that the tool considered, in its order."""


class CubeDecision(_Turn, _NoPlay):
    """A decision at the cube."""

    kind: CubeKind
    """What was decided."""
    equities: CubeEquities | None
    """Of the cube actions, for the player on roll."""


class ResignationDecision(_NoPlay):
    """A resignation, or its acceptance."""

    kind: ResignationKind
    """What was decided."""
    turn: None
    """Always null."""
    position: None
    """Always null."""
    equities: None
    """Always null."""


Decision = PlayDecision | CubeDecision | ResignationDecision


class MatchDocument(TypedDict):
    """What `reconcile convert FILE -o OUT.json` writes. Null is unknown or not applicable. Numbers have the precision of the file.

    Equities, errors and probabilities are in the view of the player named, those of a cube decision in the view of the player on roll.
    """

    schema_version: Version
    source: Source
    """The file read."""
    match: MatchFacts
    """The match as a whole."""
    notes: list[Note]
    """Notes from reading the file."""
    games: Annotated[list[Game], Field(min_length=1)]
    """Every game."""
    decisions: list[Decision]
    """In the order played: in a turn the double or no double, the responses, the play."""
