"""Figures of a file, or of players over many files, as JSON documents. A figure's keys are those of
`METRICS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from dataclasses import fields as dataclass_fields
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from reconcile.document import (
    LEFT_OUT,
    SCHEMA_VERSION,
    Amount,
    Count,
    Document,
    Ends,
    Positive,
    Row,
    Text,
    Version,
    with_keys,
    within,
)
from reconcile.gap.rows import analysis_notes, analysis_rows, errors_and_blunders, story
from reconcile.match.match import Match, Source
from reconcile.match.tools import short_name
from reconcile.scoring import statistics as scoring
from reconcile.scoring.figures import FIRST, METRICS
from reconcile.scoring.findings import Finding, findings_of
from reconcile.scoring.gnubg_table import GnubgManual, gnubg_table, manual_results
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.pool import Named, Pooled, Pooling, match_intervals
from reconcile.scoring.statistics import (
    BgblitzLuck,
    Coverage,
    Skill,
    nested,
    result_minus_skill,
    skill_measures,
)

GROUPS = {
    "decisions": "Decisions that count under the rule set; takes include passes. Null where the "
    "analysis is incomplete.",
    "moves": "Rolls played.",
    "equity_error": "Equity lost (EMG).",
    "mwc_loss_percent": "Match winning chance lost, percentage points; null in money play.",
    "errors": "Decisions that are errors by the borders of the rule set (Q12), blunders included.",
    "blunders": "Decisions that are blunders by the borders of the rule set (Q12).",
    "doubtful": "Decisions that are at least doubtful; null where the rule set has no such grade.",
    "luck": "Equity gained by the rolls; positive is lucky.",
}
Nested = Mapping[str, float | Mapping[str, float] | None]
"""Numbers under gnuBG's own names, as it nests them."""


@dataclass(frozen=True, kw_only=True)
class Completeness(Document):
    """How complete the analysis is. A figure is null where fewer than nine in ten of the decisions
    that it rests on are analysed; one over all decisions rests on checker plays and on the cube."""

    checker: Coverage
    """Checker plays."""
    cube: Coverage
    """Cube decisions."""
    luck: Coverage
    """Rolls."""


DOCUMENTED = sorted(METRICS, key=lambda name: name not in FIRST)
"""The figures in the order of documents."""


def _field(key: str, kind: Any, page: str | None) -> tuple[str, Any, Any]:
    return key, kind, field(metadata={"page": page})


def _figure(name: str) -> tuple[str, Any, Any]:
    metric = METRICS[name]
    if metric.is_whole:
        kind: Any = Count | None if metric.parts else Count
    else:
        kind = float | None if metric.is_signed else Amount | None
    return _field(name.rpartition(".")[2], kind, f"{metric.label}. {metric.page}")


def _document_type(name: str, fields: list[Any], page: str) -> Any:
    return make_dataclass(
        name, fields, bases=(Document,), namespace={"__doc__": page}, frozen=True, kw_only=True
    )


def _figures() -> Any:
    """The type of the figures as documents nest them: those with a dot in their name in one object
    for each group."""
    fields = []
    for group in dict.fromkeys(name.partition(".")[0] for name in DOCUMENTED):
        if group in METRICS:
            fields.append(_figure(group))
            continue
        inner = [_figure(name) for name in DOCUMENTED if name.startswith(f"{group}.")]
        _GROUPS[group] = _document_type(group, inner, GROUPS[group])
        fields.append(_field(group, _GROUPS[group], GROUPS[group]))
    return _document_type(
        "Figures",
        [*fields, _field("completeness", Completeness, Completeness.__doc__)],
        "The figures of a player.",
    )


_GROUPS: dict[str, Any] = {}
if TYPE_CHECKING:

    @dataclass(frozen=True, kw_only=True)
    class Figures(Document):
        """The figures of a player."""

        completeness: Completeness
else:
    Figures = _figures()


if TYPE_CHECKING:
    Gnubg: TypeAlias = Row
else:
    Gnubg = with_keys(
        "Gnubg",
        {
            "moves": (Nested, "Checker play."),
            "cube": (Nested, "Cube decisions."),
            "dice": (Nested, "Luck and results."),
            "error-based-fibs-rating": (
                Nested,
                "Ratings estimated from the error rates; for a match as a whole.",
            ),
            "ppg-advantage": (Nested, "Points per game; for a money session of several games."),
        },
        "GNU Backgammon's whole table under its own names, as its Python interface nests it; only "
        "under rule set `gnubg`. Its zeros are kept.",
        optional=("error-based-fibs-rating", "ppg-advantage"),
    )


@dataclass(frozen=True, kw_only=True)
class Bgblitz(Document):
    """BGBlitz's own luck, under rule set bgblitz: the result minus the difference in skill; the sum
    of the rolls is `luck`."""

    luck: BgblitzLuck
    """Of this player."""


@dataclass(frozen=True, kw_only=True)
class FileFigures(Figures):
    """The figures of a player in a file or a game."""

    gnubg: Annotated[Gnubg | None, LEFT_OUT] = None
    """gnuBG's own table, under rule set `gnubg`."""
    bgblitz: Annotated[Bgblitz | None, LEFT_OUT] = None
    """BGBlitz's own luck, under rule set `bgblitz`."""
    gnubg_manual: Annotated[GnubgManual | None, LEFT_OUT] = None
    """The results of gnuBG's manual, under rule set `gnubg-manual`."""


@dataclass(frozen=True, kw_only=True)
class Numbered(Document):
    """One of several games."""

    game: Positive
    """Number of the game, from 1."""


@dataclass(frozen=True, kw_only=True)
class Game(FileFigures, Numbered):
    """The figures of a player in one game."""


@dataclass(frozen=True, kw_only=True)
class Intervals(Document):
    """95 % intervals of the rates, lower and upper end; a rate is left out if there are fewer
    than five games."""

    pr: Annotated[Ends | None, LEFT_OUT] = None
    """Of PR."""
    error_rate_memg: Annotated[Ends | None, LEFT_OUT] = None
    """Of the error rate."""
    snowie_er: Annotated[Ends | None, LEFT_OUT] = None
    """Of the halved Snowie error rate."""


@dataclass(frozen=True, kw_only=True)
class Ranges(Document):
    """Where a figure is a range; absent where none is."""

    range: Annotated[Mapping[str, Ends] | None, LEFT_OUT] = None
    """Lowest and highest figure, by metric, where a rule of the tool that is not known, or
    something that the file does not show (a digit that a text does not print, the values of dead
    cubes), moves it; absent where nothing does. Of several matches an open rule has the same answer
    in each."""
    open_rules: Annotated[tuple[str, ...] | None, LEFT_OUT] = None
    """The codes of these rules; none where only printed digits move a figure."""


@dataclass(frozen=True, kw_only=True)
class Player(Ranges, FileFigures, Named):
    """The figures of a player. Unknown is null, never 0."""

    page_errors: Count | None
    """Decisions that cost 0.020 EMG or more, as headlines and filters count them under every rule
    set; null where the analysis is incomplete."""
    page_blunders: Count | None
    """Those of them that cost 0.080 EMG or more."""
    interval95: Annotated[Intervals | None, LEFT_OUT] = None
    """How uncertain the rates of one match are: its games are drawn with replacement. Absent for a
    single game."""
    skill: Annotated[Skill | None, LEFT_OUT] = None
    """Who played the match better; absent in money play."""
    games: Annotated[tuple[Game, ...] | None, LEFT_OUT] = None
    """The same for every game, on request."""


@dataclass(frozen=True, kw_only=True)
class StatisticsMatch(Document):
    """The match."""

    length: Positive | None
    """Points to win; null for a money session."""
    games: Count
    """Games in the file."""
    complete: bool
    """Whether a player has won the match."""
    players: tuple[str, str]
    """The names in the file, by seat."""
    event: str | None
    """The event, as stated in the file."""
    date: str | None
    """The day that the file states, as `2024-05-31`."""
    round: str | None
    """Of the event."""
    place: str | None
    """Where it was played."""


def occasion(match: Match) -> dict[str, str | None]:
    """When and where a match was played, as far as its file says."""
    return {
        "event": match.event or None,
        "date": match.date.isoformat() if match.date else None,
        "round": match.round or None,
        "place": match.place or None,
    }


@dataclass(frozen=True, kw_only=True)
class Statistics(Document):
    """The figures of one file under one rule set."""

    schema_version: Version = SCHEMA_VERSION
    source: Source
    """The file, so that anyone can check a figure against the same bytes."""
    match: StatisticsMatch
    """The match."""
    rules: Text
    """The rule set of the figures."""
    met: Text
    """The match equity table."""
    players: tuple[Player, Player]
    """Figures of both players, by seat."""
    findings: tuple[Finding, ...]
    """Findings about the file."""
    story: tuple[str, ...]
    """What the figures are made of, as strings: headline, rows, notes."""


@dataclass(frozen=True, kw_only=True)
class PooledPlayer(Ranges, Figures, Pooling):
    """A player's figures over all matches."""

    interval95: Intervals
    """How uncertain the rates are, from the spread between games."""


@dataclass(frozen=True, kw_only=True)
class Pool(Document):
    """Figures of players over several files: sums over sums."""

    schema_version: Version = SCHEMA_VERSION
    players: Annotated[tuple[PooledPlayer, ...], within(min_length=2)]
    """One entry per player and rule set."""


Written = Statistics | Annotated[tuple[Statistics, ...], within(min_length=2)] | Pool
"""What `reconcile stats --format json` writes: one object for one file, a list of them for several,
a pool with `--pool`."""


def statistics_document(statistics: scoring.Statistics, *, per_game: bool = False) -> Statistics:
    """One file's figures under one rule set."""
    match = statistics.match
    first, second = _players(statistics, per_game=per_game)
    return Statistics(
        source=match.source,
        match=StatisticsMatch(
            length=match.length,
            games=len(match.games),
            complete=match.complete,
            players=match.players,
            **occasion(match),
        ),
        rules=statistics.rules.name,
        met=statistics.scored.met.name,
        players=(first, second),
        findings=findings_of(statistics),
        story=story(
            [analysis_rows(statistics, seat, short_name(match.source.tool)) for seat in (0, 1)],
            analysis_notes(statistics),
        ),
    )


def _players(statistics: scoring.Statistics, *, per_game: bool) -> Iterator[Player]:
    match = statistics.match
    sides = [statistics.figures(seat) for seat in (0, 1)]
    undecided = open_range(statistics)
    numbers = match.games.number.tolist() if per_game else []

    def figures(seat: int, game: int | None = None) -> dict[str, Any]:
        covered = statistics.completeness_at(seat, game)
        own = _of_its_program(statistics, seat, game)
        return _nested(statistics.figures_at(seat, game), covered) | own

    for seat, name in enumerate(match.players):
        intervals = match_intervals(statistics, seat)
        games = [Game(game=number, **figures(seat, row)) for row, number in enumerate(numbers)]
        yield Player(
            name=name,
            **figures(seat),
            **errors_and_blunders(statistics, seat)._asdict(),
            **_ranges(undecided.figures[seat], undecided.by_player[seat]),
            interval95=Intervals(**intervals) if intervals else None,
            skill=None if match.is_money else skill_measures(match, sides, seat),
            games=tuple(games) if per_game else None,
        )


def _of_its_program(statistics: scoring.Statistics, seat: int, game: int | None) -> dict[str, Any]:
    """What the program of the rule set has beside the figures, of a player in the match or a
    game."""
    match statistics.rules.known_as:
        case "gnubg":
            return {"gnubg": gnubg_table(statistics).table(seat, game)}
        case "gnubg-manual":
            return {"gnubg_manual": manual_results(statistics, seat, game)}
        case "bgblitz":
            return {"bgblitz": Bgblitz(luck=result_minus_skill(statistics, seat, game))}
    return {}


def _nested(
    figures: Mapping[str, float | int | None], covered: Mapping[str, Coverage]
) -> dict[str, Any]:
    groups = {
        name: _GROUPS[name](**part) if name in _GROUPS else part
        for name, part in nested(dict(figures)).items()
    }
    return groups | {"completeness": Completeness(**covered)}


def _ranges(ranges: Mapping[str, Range], codes: Sequence[str]) -> dict[str, Any]:
    """Absent where nothing is open."""
    return {"range": ranges, "open_rules": tuple(codes)} if ranges else {}


def pool_document(pooled: Sequence[Pooled]) -> Pool:
    """Figures of players over many matches."""
    return Pool(
        players=tuple(
            PooledPlayer(
                **{part.name: getattr(player, part.name) for part in dataclass_fields(Pooling)},
                **_nested(player.figures, player.completeness),
                **_ranges(player.ranges, player.open_rules),
                interval95=Intervals(**player.intervals),
            )
            for player in pooled
        )
    )
