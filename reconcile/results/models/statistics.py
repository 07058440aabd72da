"""The figures of files, of players over many files, and gnuBG's own tables, as documents. A figure's keys are those of `METRICS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from reconcile.document import with_keys
from reconcile.results.models.shared import Amount, Count, Finding, Players, Positive, Source, Text, Version
from reconcile.scoring.figures import Metric
from reconcile.scoring.metrics import FIRST, METRICS

GROUPS: Final = {
    "decisions": "Decisions that count under the rule set; takes include passes.",
    "moves": "Rolls played.",
    "equity_error": "Equity lost (EMG).",
    "mwc_loss_percent": "Match winning chance lost, percentage points; null in money play.",
    "errors": "Decisions that are errors by the borders of the rule set (Q12), blunders included.",
    "blunders": "Decisions that are blunders by the borders of the rule set (Q12).",
    "doubtful": "Decisions that are at least doubtful; null where the rule set has no such grade.",
    "luck": "Equity gained by the rolls; positive is lucky.",
}
GNUBG: Final = {"moves": "Checker play.", "cube": "Cube decisions.", "dice": "Luck and results."}
GNUBG_TOTALS: Final = {
    "error-based-fibs-rating": "Ratings estimated from the error rates; for a match as a whole.",
    "ppg-advantage": "Points per game; for a money session of several games.",
}
Interval = Annotated[list[float], Field(min_length=2, max_length=2)]
GnubgFigure = TypeAliasType("GnubgFigure", "float | dict[str, GnubgFigure] | None")


class Coverage(TypedDict):
    """How many of the decisions of a full analysis are evaluated."""

    expected: Count
    """Decisions that a full analysis evaluates."""
    analysed: Count
    """Decisions evaluated in this file."""


class Completeness(TypedDict):
    """How complete the analysis is. A figure with missing evaluations is incomplete."""

    checker: Coverage
    """Checker plays."""
    cube: Coverage
    """Cube decisions."""
    luck: Coverage
    """Rolls."""


def _of(metric: Metric) -> tuple[object, str]:
    if metric.is_whole:
        kind: object = Count if metric.form or metric.name.startswith("moves.") else Count | None
    else:
        kind = float | None if metric.is_signed else Amount | None
    return kind, f"{metric.label}. {metric.page}"


def _later() -> set[str]:
    """Figures that documents of version 0.1 do not have: by name, and groups of which they have none."""
    groups = {name.partition(".")[0] for name in METRICS} - {name.partition(".")[0] for name in FIRST}
    return groups | METRICS.keys() - FIRST


LATER: Final = _later()


def _groups() -> dict[str, tuple[object, str]]:
    """The figures as documents nest them: those with a dot in their name in one object for each group."""
    fields: dict[str, tuple[object, str]] = {}
    for name, metric in METRICS.items():
        group, dot, _ = name.partition(".")
        if not dot:
            fields[name] = _of(metric)
        elif group not in fields:
            parts = {key.partition(".")[2]: _of(one) for key, one in METRICS.items() if key.startswith(f"{group}.")}
            later = {key for key in parts if f"{group}.{key}" in LATER and group not in LATER}
            fields[group] = with_keys(group, parts, GROUPS[group], later), GROUPS[group]
    return fields


if TYPE_CHECKING:

    class Figures(TypedDict):
        """The figures of a player."""

        completeness: Completeness
else:
    _PARTS = _groups() | {"completeness": (Completeness, Completeness.__doc__)}
    Figures = with_keys("Figures", _PARTS, "The figures of a player.", LATER).typed()


if TYPE_CHECKING:
    GnubgTable: TypeAlias = Mapping[str, object]
else:
    GnubgTable = with_keys(
        "Gnubg",
        {name: (dict[str, GnubgFigure], text) for name, text in (GNUBG | GNUBG_TOTALS).items()},
        "GNU Backgammon's whole table under its own names, as its Python interface nests it; only under rule set `gnubg`. "
        "Its zeros are kept.",
        GNUBG_TOTALS,
    )


class GnubgManual(TypedDict):
    """Results as GNU Backgammon's manual defines them, where 50 % is even; only under rule set `gnubg-manual`. Null in money play."""

    actual_result_percent: float | None
    """50 % plus the match winning chance gained in the games."""
    luck_adjusted_result_percent: float | None
    """The same less the player's own luck, plus the opponent's; null if luck is not known for every roll."""
    mwc_against_current_opponent_percent: Annotated[float, Field(ge=0, le=100)] | None
    """50 % less what the player's errors cost, plus what the opponent's cost, limited to 0 to 100 %."""


class BgblitzLuck(TypedDict):
    """Of this player, positive is lucky."""

    plain: float | None
    """In chances of winning the match, 0 to 1, or points in a money session; null at a score that the file does not show."""
    weighted: float | None
    """As an equity at cube 1; the same as plain in a money session."""


class Bgblitz(TypedDict):
    """BGBlitz's own luck, under rule set bgblitz: the result minus the difference in skill; the sum of the rolls is `luck`."""

    luck: BgblitzLuck
    """Of this player."""


class FileFigures(Figures):
    """The figures of a player in a file or a game."""

    gnubg: NotRequired[GnubgTable]
    """gnuBG's own table, under rule set `gnubg`."""
    bgblitz: NotRequired[Bgblitz]
    """BGBlitz's own luck, under rule set `bgblitz`."""
    gnubg_manual: NotRequired[GnubgManual]
    """The results of gnuBG's manual, under rule set `gnubg-manual`."""


class Game(FileFigures):
    """The figures of a player in one game."""

    game: Positive
    """Number of the game, from 1."""


class Ranges(TypedDict):
    """Where a figure is a range; absent where none is."""

    range: NotRequired[dict[str, Interval]]
    """Lowest and highest figure, by metric, where a rule of the tool that is not known, or something that the file does not show (a digit
    that a text does not print, the values of dead cubes), moves it; absent where nothing does. Of several matches an open rule has the same
    answer in each."""
    open_rules: NotRequired[list[str]]
    """The codes of these rules; none where only printed digits move a figure."""


class Skill(TypedDict):
    """Two measures of who played a match better, percentage points of match winning chance; under perfect judgement both have the same
    expectation."""

    error_difference_mwc_percent: float | None
    """What the opponent's errors cost less what the player's own did; null where one is unknown."""
    luck_adjusted_mwc_percent: float | None
    """The result without luck, less 50; null of an unfinished match, and where the luck of a roll is unknown."""


class Player(FileFigures, Ranges):
    """The figures of a player. Unknown is null, never 0."""

    name: str
    """The player."""
    interval95: NotRequired[Intervals]
    """How uncertain the rates of one match are: its games are drawn with replacement. Absent for a single game."""
    skill: NotRequired[Skill]
    """Who played the match better; absent in money play."""
    games: NotRequired[list[Game]]
    """The same for every game, on request."""


class StatisticsMatch(TypedDict):
    """The match."""

    length: Positive | None
    """Points to win; null for a money session."""
    games: Count
    """Games in the file."""
    complete: bool
    """Whether a player has won the match."""
    players: Players
    """The names in the file, by seat."""


class Statistics(TypedDict):
    """The figures of one file under one rule set."""

    schema_version: Version
    source: Source
    """The file, so that anyone can check a figure against the same bytes."""
    match: StatisticsMatch
    """The match."""
    rules: Text
    """The rule set of the figures."""
    met: Text
    """The match equity table."""
    players: Annotated[list[Player], Field(min_length=2, max_length=2)]
    """Figures of both players, by seat."""
    findings: list[Finding]
    """Findings about the file."""


class Intervals(TypedDict):
    """95 % intervals of the rates, lower and upper end; a rate is left out if there is too little to resample."""

    pr: NotRequired[Interval]
    """Of PR."""
    error_rate_memg: NotRequired[Interval]
    """Of the error rate."""
    snowie_er: NotRequired[Interval]
    """Of the halved Snowie error rate."""


class PooledPlayer(Figures, Ranges):
    """A player's figures over all matches."""

    name: str
    """The player."""
    names: Annotated[list[str], Field(min_length=1)]
    """The names in the files."""
    rules: Text
    """The rule set of the figures."""
    matches: Count
    """Analysed files with this player."""
    unanalysed: Count
    """Files left out because nothing in them is analysed."""
    games: Count
    """Their games."""
    interval95: Intervals
    """How uncertain the rates are."""
    resampled: Literal["matches", "games"]
    """What was drawn with replacement."""


class Pool(TypedDict):
    """Figures of players over several files: sums over sums."""

    schema_version: Version
    players: Annotated[list[PooledPlayer], Field(min_length=2)]
    """One entry per player and rule set."""


Document = Statistics | Annotated[list[Statistics], Field(min_length=2)] | Pool
"""What `reconcile stats --format json` writes: one object for one file, a list of them for several, a pool with `--pool`."""
