"""A list of decisions, as a program under test gives it and as `stats --decisions` writes it, and what a gate finds in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypeAlias

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from reconcile.files.limits import LONGEST_NUMBER
from reconcile.match import LONGEST_MATCH
from reconcile.results.models.shared import PRINTED, Positive, Text, Version
from reconcile.tools import ANALYSERS

if TYPE_CHECKING:
    Number: TypeAlias = float | str
    Player: TypeAlias = str | int
    Analysis: TypeAlias = str
else:
    Number = Annotated[
        object, WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string", "pattern": PRINTED, "maxLength": LONGEST_NUMBER}]})
    ]
    Player = Annotated[object, WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1, "maxLength": 200}, {"enum": [1, 2]}]})]
    Analysis = Literal[tuple(ANALYSERS)]
Flag = Annotated[bool, WithJsonSchema({"anyOf": [{"type": "boolean"}, {"enum": [0, 1]}]})]


class DecisionRow(TypedDict):
    """One decision as a program counts and weighs it."""

    match: NotRequired[Text]
    """Id of the reference match, if the list has several; otherwise `match` of the list."""
    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in its game, from 1, counting both players: the player who moves second has the turns 2, 4, 6..."""
    player: Player
    """Who decides: a name, or 1 or 2 for the first or second player of the file."""
    kind: Text
    """`play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign` or `accept-resign`; docs/candidates.md lists other words."""
    counted: Flag
    """Whether the program counts it as a decision."""
    error: Number | None
    """Equity lost (EMG), or percentage points of match winning chance with `unit` `mwc`, as a number or as printed; null if unknown."""
    best: NotRequired[str]
    """The right action, as the program writes it."""
    played: NotRequired[str]
    """The action made, as the program writes it; a play that differs from the file's is reported."""
    luck: NotRequired[Number | None]
    """Equity (EMG) gained by the roll, positive is lucky; null if unknown."""


class Decisions(TypedDict):
    """What `reconcile stats --decisions --format json` writes and `reconcile validate --candidate` reads: the decisions of a match.

    As CSV it has the keys of a row as columns, and `length`, `analysis` and `unit` as optional ones.
    """

    schema_version: Version
    program: NotRequired[str]
    """The program and its version, for people."""
    match: NotRequired[Text]
    """Id of the reference match; without it the match is identified by the players' names."""
    length: NotRequired[Annotated[int, Field(ge=1, le=LONGEST_MATCH)]]
    """Points to win."""
    analysis: NotRequired[Analysis]
    """The tool whose analysis the errors are based on; without it the manifest determines the reference file."""
    unit: NotRequired[Literal["equity", "mwc"]]
    """The unit of the errors: `equity` (EMG), or `mwc` (percentage points of match winning chance); without it `equity`."""
    decisions: Annotated[list[DecisionRow], Field(min_length=1)]
    """A row for every decision."""
