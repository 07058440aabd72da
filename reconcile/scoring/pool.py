"""Figures of a player over many matches: sums over sums, never means of rates, with their
statistical uncertainty.

A pool of one match has that match's figures. What a rule set says of display holds for the pooled
figure too: its PR is capped (Q13), while the errors and decisions of a match whose own PR is capped
are added up whole. A rule that is open is one rule of the program, so a range is over its answers,
each the same for all matches.

The interval comes from the spread between games (`rates.py`), from five games on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt

from reconcile.document import Count, Document, Text, within
from reconcile.match.names import fold
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.figures import Figures, capped, totals_of
from reconcile.scoring.metrics import METRICS, by_player, figures_of
from reconcile.scoring.not_shown import dead_cubes_of
from reconcile.scoring.open_rules import Range, range_of
from reconcile.scoring.rates import Analysis, analysis_of, estimate, moments
from reconcile.scoring.statistics import Coverage, Statistics
from reconcile.scoring.sums import EXPECTED

if TYPE_CHECKING:
    from reconcile.match.aliases import Aliases

Part = tuple[int, Statistics, int]
"""Number of a match, its statistics, and the player's seat."""


@dataclass(frozen=True, kw_only=True)
class Named(Document):
    """Somebody."""

    name: str
    """The player."""


@dataclass(frozen=True, kw_only=True)
class Pooling(Named):
    """Whose figures are pooled, and over what."""

    names: Annotated[tuple[str, ...], within(min_length=1)]
    """The names in the files."""
    rules: Text
    """The rule set of the figures."""
    matches: Count
    """Files with this player that are pooled."""
    unanalysed: Count
    """Files left out because fewer than nine in ten of the player's checker plays, or of the cube
    decisions, are analysed."""
    games: Count
    """Their games."""


@dataclass(frozen=True, kw_only=True)
class Pooled(Pooling):
    """One player's figures over all matches under one rule set."""

    figures: Figures
    intervals: dict[str, tuple[float, float]]
    """95 % intervals of the rates; a rate is left out if there are fewer than five games."""
    ranges: Mapping[str, Range]
    """Lowest and highest figure where rules that are open, or what a file does not show, move it:
    `open_range` of many matches."""
    open_rules: tuple[str, ...]
    """The questions that move one."""
    completeness: dict[str, Coverage]
    analyses: Mapping[int, Analysis]
    """Tool and depth of every match that is pooled, by its number."""


def pool(scored: Sequence[Statistics], aliases: Aliases) -> tuple[Pooled, ...]:
    """Pool the figures of every player, by rule set and by folded or aliased name, in order of the
    names."""
    parts_of: dict[tuple[str, str], list[Part]] = {}
    for number, statistics in enumerate(scored):
        for seat, name in enumerate(statistics.match.names):
            key = (fold(_person(aliases, statistics, name)), statistics.rules.name)
            parts_of.setdefault(key, []).append((number, statistics, seat))
    return tuple(
        pooled(parts, aliases) for _, parts in sorted(parts_of.items(), key=lambda entry: entry[0])
    )


def _person(aliases: Aliases, statistics: Statistics, name: str) -> str:
    match = statistics.match
    return aliases.person(name, match.event, match.source.path, match.date)


def match_intervals(statistics: Statistics, seat: int) -> dict[str, tuple[float, float]]:
    """95 % intervals of a player's rates in one match, as those of a pool; a rate that is unknown
    is left out."""
    games = _games([(0, statistics, seat)])
    return _intervals(games, statistics.figures(seat), statistics.rules)


def pooled(every: Sequence[Part], aliases: Aliases) -> Pooled:
    """The figures of one player over matches, at least one, under one rule set."""
    names = tuple(dict.fromkeys(statistics.match.players[seat] for _, statistics, seat in every))
    _, first, seat = every[0]
    parts = [part for part in every if is_rated(part[1], part[2])]
    unanalysed = len(every) - len(parts)
    parts = parts or list(every)
    games, figures = _games(parts), _figures(parts)
    numbers, own, seats = zip(*parts, strict=True)
    dead = sum(dead_cubes_of(statistics.scored)[seat] for _, statistics, seat in parts)
    # An open rule is one rule of the tool, so every match is under the same answer.
    undecided = range_of(
        own, lambda each: [_figures(list(zip(numbers, each, seats, strict=True)))], [dead]
    )
    covered = [statistics.completeness(seat) for _, statistics, seat in parts]
    return Pooled(
        name=_person(aliases, first, first.match.names[seat]),
        names=names,
        rules=first.rules.name,
        matches=len(every) - unanalysed,
        unanalysed=unanalysed,
        games=len(games["match"]),
        figures=figures,
        intervals=_intervals(games, figures, parts[0][1].rules),
        ranges=undecided.figures[0],
        open_rules=undecided.by_player[0],
        completeness={
            part: Coverage(
                sum(coverage[part].expected for coverage in covered),
                sum(coverage[part].analysed for coverage in covered),
            )
            for part in covered[0]
        },
        analyses={
            number: analysis_of(statistics.match)
            for number, statistics, seat in parts[: len(every) - unanalysed]
        },
    )


def is_rated(statistics: Statistics, seat: int) -> bool:
    """Whether a player's match is analysed so far that figures over all decisions are shown."""
    return statistics.figures(seat)["decisions.counted"] is not None


def _games(parts: list[Part]) -> dict[str, npt.NDArray[Any]]:
    """What every game of the player adds to a rate, as columns."""
    columns: dict[str, list[npt.NDArray[Any]]] = {}
    for number, statistics, seat in parts:
        games = statistics.sums.games
        lost = games["error"][:, seat].sum(axis=1)
        part = {
            "match": np.full(len(lost), number),
            "counted": games["counted"][:, seat].sum(axis=1),
            "lost": lost,
            # The factor of a one-point match applies to the rate of that match, so it multiplies
            # its errors here.
            "rated": lost * statistics.scale,
            "both": games["moves"].sum(axis=1),
        }
        for name, column in part.items():
            columns.setdefault(name, []).append(column)
    return {name: np.concatenate(column) for name, column in columns.items()}


def _figures(parts: list[Part]) -> Figures:
    """The figures by the formulas of a match, from the sums of all matches: those of one match are
    that match's."""
    if len(parts) == 1:
        _, statistics, seat = parts[0]
        return statistics.figures(seat)
    own = [statistics for _, statistics, _ in parts]

    def total(name: str, factors: Sequence[float] | None = None) -> npt.NDArray[Any]:
        """A sum of all matches by seat, the player first."""
        tables = [
            statistics.sums.match[name][:: -1 if seat else 1] for _, statistics, seat in parts
        ]
        if factors is not None:
            tables = [factor * table for factor, table in zip(factors, tables, strict=True)]
        summed: npt.NDArray[Any] = np.add.reduce(tables)
        return summed

    sums = {name: total(name) for name in own[0].sums.match}
    one_point, scales = own[0].match.length == 1, [statistics.scale for statistics in own]
    if len(set(scales)) > 1:
        one_point, sums["rated"] = False, total("error", scales)
    is_money = any(statistics.match.is_money for statistics in own)
    figures = by_player(
        figures_of(totals_of(sums, own[0].rules, is_money=is_money, one_point=one_point))
    )[0]
    covered = [statistics.completeness(seat) for _, statistics, seat in parts]
    missing = {
        part for part in EXPECTED if not all(coverage[part].complete for coverage in covered)
    }
    # A sum in which a match is missing would be that of the others.
    return {
        name: value if missing.isdisjoint(METRICS[name].parts) else None
        for name, value in figures.items()
    }


def _intervals(
    games: dict[str, npt.NDArray[Any]], figures: Figures, rules: RuleSet
) -> dict[str, tuple[float, float]]:
    intervals = {}
    for name in ("pr", "error_rate_memg", "snowie_er"):
        names = ("lost", "both") if METRICS[name].per_move else ("rated", "counted")
        lost, number = (games[column].astype(np.float64) for column in names)
        rate = estimate(
            moments(lost, number, games["match"]), factor=METRICS[name].factor, least=0.0
        )
        if rate.low is not None and rate.high is not None and figures[name] is not None:
            intervals[name] = rate.low, rate.high
    if "pr" in intervals:
        low, high = intervals["pr"]
        intervals["pr"] = capped(low, rules), capped(high, rules)
    return intervals
