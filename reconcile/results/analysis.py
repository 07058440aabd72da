"""An analysis by an engine that has no match file of its own, as a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from reconcile.document import Count, Document, Positive, Text, Version, within

Chance = Annotated[float, within(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Change(Document):
    """Something that the engine could not judge as it was played."""

    change: str
    """Where, and what."""


@dataclass(frozen=True, slots=True)
class ListedPlay(Document):
    """A legal play, in the view of the player who rolled."""

    play: str
    """In standard notation."""
    equity: float
    """Cubeful equity (EMG)."""
    level: str
    """How deep the engine looked at it, as the engine counts plies."""
    made: bool
    """Whether it leads to the position of the play made."""
    win: Chance
    """Chance to win."""
    win_gammon: Chance
    """Chance to win a gammon or a backgammon."""
    win_backgammon: Chance
    """Chance to win a backgammon."""
    lose_gammon: Chance
    """Chance to lose a gammon or a backgammon."""
    lose_backgammon: Chance
    """Chance to lose a backgammon."""


@dataclass(frozen=True, slots=True)
class Rolled(Document):
    """A roll and its play."""

    game: Positive
    """Number of the game in the transcript."""
    turn: Positive
    """From 1 in each game, counting both players."""
    luck: float | None
    """Equity (EMG) gained by the roll; null if it was not computed."""
    candidates: tuple[ListedPlay, ...]
    """Every legal play, best first; empty for a dance."""


@dataclass(frozen=True, slots=True)
class CubeValues(Document):
    """The values (EMG) of the cube actions of a turn for the player on roll; a response to the
    double is judged by the same values."""

    game: Positive
    """Number of the game in the transcript."""
    turn: Positive
    """From 1 in each game, counting both players."""
    no_double: float
    """No double."""
    double_take: float
    """Double and take; beavers are not considered."""
    double_pass: float
    """Double and pass."""
    win: Chance | None = None
    """Chance to win, before the roll and without a cube, as those that follow."""
    win_gammon: Chance | None = None
    """Chance to win a gammon or a backgammon."""
    win_backgammon: Chance | None = None
    """Chance to win a backgammon."""
    lose_gammon: Chance | None = None
    """Chance to lose a gammon or a backgammon."""
    lose_backgammon: Chance | None = None
    """Chance to lose a backgammon."""


@dataclass(frozen=True, slots=True)
class Analysis(Document):
    """What `reconcile analyse --engine sage` writes, and every command reads as a match. The
    first key comes first in the file."""

    analysis_version: Version
    """Raised by one for every incompatible change."""
    tool: Text
    """The engine."""
    tool_version: str
    """The package and its version."""
    platform: str
    """What the engine ran on: `WebAssembly`, with the same figures everywhere."""
    level: str
    """Depth of the analysis as the engine counts it, and as gnuBG does."""
    lookahead: Count
    """Plies looked ahead, as gnuBG counts them."""
    match_equity_table: str
    """The table that the engine computed with."""
    transcript: Text
    """The match as it was played: a game record (SGF) without an analysis, as gnuBG reads it."""
    changes: tuple[Change, ...]
    """What the engine could not judge as it was played."""
    plays: tuple[Rolled, ...]
    """Every roll that was played, in order; one that is missing is not analysed."""
    cubes: tuple[CubeValues, ...]
    """Every turn with a double, or in which there could have been one."""
