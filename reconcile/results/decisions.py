"""A list of decisions, as `stats --decisions` writes it and as a program under test gives it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from reconcile.document import (
    LEFT_OUT,
    SCHEMA_VERSION,
    Document,
    Positive,
    Row,
    Text,
    Version,
    rows_of,
    with_keys,
    within,
)
from reconcile.files.limits import LONGEST_NUMBER, PRINTED
from reconcile.match import match as matches
from reconcile.match.board.play import play_text
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.decisions import in_order
from reconcile.scoring.statistics import Statistics
from reconcile.version import __version__

Number = float | Annotated[str, within(pattern=PRINTED, max_length=LONGEST_NUMBER)]
Player = Annotated[str, within(min_length=1, max_length=200)] | Literal[1, 2]
if TYPE_CHECKING:
    Analyser: TypeAlias = str
else:
    Analyser = Literal[tuple(ANALYSERS)]


COLUMNS = ("game", "turn", "player", "kind", "counted", "error", "luck")
"""Of the table of decisions, those of a list that a program under test gives as well."""


@dataclass(frozen=True, slots=True)
class Chances(Document):
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


@dataclass(frozen=True, slots=True)
class Candidate(Document):
    """A play that the tool considered."""

    play: str
    """In standard notation."""
    equity: float | None
    """EMG, the player's view; null if the tool listed the play without a value."""
    level: str
    """Depth of the analysis in the tool's own words."""
    chances: Chances | None
    """The player's; null if the file has none."""
    made: bool
    """Whether it leads to the position of the play made."""


if TYPE_CHECKING:
    DecisionRow: TypeAlias = Row
else:
    DecisionRow = with_keys(
        "DecisionRow",
        {
            "match": (
                Text,
                "Id of the reference match, if the list has several; otherwise `match` of the "
                "list.",
            ),
            "game": (Positive, "Number of the game, from 1."),
            "turn": (
                Positive,
                "Number of the turn in its game, from 1, counting both players: the player who "
                "moves second has the turns 2, 4, 6...",
            ),
            "player": (
                Player,
                "Who decides: a name, or 1 or 2 for the first or second player of the file.",
            ),
            "kind": (
                Text,
                "`play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign` or "
                "`accept-resign`; docs/candidates.md lists other words.",
            ),
            "counted": (
                bool | Literal[0, 1],
                "Whether the program counts it as a decision.",
            ),
            "error": (
                Number | None,
                "Equity lost (EMG), or percentage points of match winning chance with `unit` "
                "`mwc`, as a number or as printed; null if unknown.",
            ),
            "best": (str, "The right action, as the program writes it."),
            "played": (
                str,
                "The action made, as the program writes it; a play that differs from the file's is "
                "reported.",
            ),
            "luck": (
                Number,
                "Equity (EMG) gained by the roll, positive is lucky; absent if unknown.",
            ),
            "candidates": (
                tuple[Candidate, ...],
                "Of a checker play, with `--candidates`: the plays that the tool considered, in "
                "its order; empty if it listed none. `validate` does not judge them.",
            ),
        },
        "One decision as a program counts and weighs it.",
        optional=("match", "best", "played", "luck", "candidates"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions(Document):
    """What `reconcile stats --decisions --format json` writes and `reconcile validate --candidate`
    reads: the decisions of a match.

    As CSV it has the keys of a row as columns, and `length`, `analysis` and `unit` as optional
    ones.
    """

    schema_version: Version = SCHEMA_VERSION
    program: Annotated[str | None, LEFT_OUT] = None
    """The program and its version, for people."""
    match: Annotated[Text | None, LEFT_OUT] = None
    """Id of the reference match; without it the match is identified by the players' names."""
    length: Annotated[Annotated[int, within(ge=1, le=LONGEST_MATCH)] | None, LEFT_OUT] = None
    """Points to win."""
    analysis: Annotated[Analyser | None, LEFT_OUT] = None
    """The tool whose analysis the errors are based on; without it the manifest determines the
    reference file."""
    unit: Annotated[Literal["equity", "mwc"] | None, LEFT_OUT] = None
    """The unit of the errors: `equity` (EMG), or `mwc` (percentage points of match winning chance);
    without it `equity`."""
    decisions: Annotated[tuple[DecisionRow, ...], within(min_length=1)]
    """A row for every decision."""


def decisions_document(statistics: Statistics, *, candidates: bool = False) -> Decisions:
    """The decisions in the order played, as `Statistics.decisions` has them, perhaps with the
    candidates of every play; an error that the file does not give is null."""
    match = statistics.match
    names: tuple[Player, Player] = (
        (1, 2) if len({name.strip() for name in match.players} - {""}) < 2 else match.players
    )
    table = in_order(statistics.scored)
    columns = {name: table.listed(name) for name in COLUMNS}
    columns["player"] = [names[seat] for seat in table["seat"].tolist()]
    if candidates:
        columns["candidates"] = [
            _candidates(position, plays) if kind == "play" else None
            for position, plays, kind in zip(
                table["position"].tolist(), table["candidates"], columns["kind"], strict=True
            )
        ]
    return Decisions(
        program=f"reconcile {__version__}, rule set {statistics.rules.name}",
        length=match.length,
        analysis=next(
            (key for key, tool in ANALYSERS.items() if tool.name == match.source.tool), None
        ),
        decisions=tuple(
            {key: value for key, value in row.items() if key == "error" or value is not None}
            for row in rows_of(columns)
        ),
    )


def _candidates(position: list[int], plays: Iterable[matches.Candidate]) -> tuple[Candidate, ...]:
    """The same as a document has them."""
    return tuple(
        Candidate(
            play=play_text(position, each.play),
            equity=_finite(each.equity),
            level=each.level,
            chances=Chances(*map(_finite, each.probabilities)) if each.probabilities else None,
            made=each.made,
        )
        for each in plays
    )


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None
