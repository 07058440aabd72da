"""Figures of a player over many matches: sums over sums, never means of rates, with their
statistical uncertainty.

A pool of one match has that match's figures. What a rule set says of display holds for the pooled
figure too: its PR is capped (Q13), while the errors and decisions of a match whose own PR is capped
are added up whole. A rule that is open is one rule of the program, so a range is over its answers,
each the same for all matches.

The interval comes from the spread between games, from five games on.

Rates over matches and how uncertain they are, and what a rate depends on besides the play.

A rate is a sum over a sum. The decisions of one game are not independent of each other, so its
uncertainty comes from the spread between games: the variance of `lost - rate * number`, the
linearised ratio estimator (Cochran, Sampling Techniques, section 6.3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from reconcile.document import Count, Document, Text, within
from reconcile.errors import InvalidArgument, expect, expect_list
from reconcile.match.match import Match
from reconcile.match.names import Aliases, fold, load_aliases
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.figures import METRICS, Figures, by_player, capped, figures_of, totals_of
from reconcile.scoring.open_rules import Range, dead_cubes_of, range_of
from reconcile.scoring.statistics import Coverage, Statistics
from reconcile.scoring.sums import EXPECTED, Table

Moments = Mapping[str, float]
FEWEST_GAMES = 5
"""With fewer there is no interval."""
UNKNOWN_DEPTH = "at an unknown depth"
LONGEST_DEPTH = 30
NORMAL = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its 95 % interval."""

    value: float | None
    """`None` without anything to divide by, and for a PR of too few decisions."""
    low: float | None
    """`None` with fewer than five games; the gap of two tools has one for each match."""
    high: float | None
    matches: int
    number: int
    """What the rate is divided by: decisions, matches, player-matches."""


def estimate(moments: Moments, *, factor: float = 1.0, least: float | None = None) -> Estimate:
    """`factor` times `lost` over `number`, from the moments over games; the rate cannot be below
    `least`, so its interval is not."""
    matches, lost, number = int(moments["matches"]), moments["lost"], moments["number"]
    games = int(moments["games"])
    if not number:
        return Estimate(None, None, None, matches, 0)
    rate = lost / number
    if games < FEWEST_GAMES:
        return Estimate(factor * rate, None, None, matches, int(number))
    scatter = (
        moments["squares"]
        - 2 * rate * moments["products"]
        + rate * rate * moments["number_squares"]
    )
    half = student(games - 1) * math.sqrt(max(scatter, 0.0) * games / (games - 1)) / number
    low = rate - half if least is None else max(rate - half, least)
    return Estimate(factor * rate, factor * low, factor * (rate + half), matches, int(number))


def moments(lost: Table, number: Table, match: Table) -> dict[str, float]:
    """The moments of a rate over games, from what each adds to it; `match` is that of each."""
    return {
        "matches": len(set(match.tolist())),
        "games": len(lost),
        "lost": lost.sum(),
        "number": number.sum(),
        "squares": (lost * lost).sum(),
        "products": (lost * number).sum(),
        "number_squares": (number * number).sum(),
    }


def student(freedom: int) -> float:
    """Half the width of a 95 % interval of Student's t, in standard errors (Cornish-Fisher, within
    0.5 % from 4 degrees of freedom)."""
    z = NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


@dataclass(frozen=True, slots=True)
class Score:
    """Cube decisions at one score, seen by who decides."""

    away: int
    opponent_away: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a rate depends on besides the play."""

    tool: str
    depth: str
    """Of most evaluations: plies ahead, or the tool's own words for a level that has no place on
    that scale."""


def analysis_of(match: Match) -> Analysis:
    """The tool of a file and its depth, in the words that `depth_of` has for the tables."""
    level, ahead = match.usual_level, match.lookahead
    if ahead is None:
        return Analysis(
            match.source.tool, (level.label if level else UNKNOWN_DEPTH)[:LONGEST_DEPTH]
        )
    return Analysis(match.source.tool, f"{ahead:g} {'ply' if ahead == 1 else 'plies'} ahead")


def best_spelling(names: Iterable[str], used: Mapping[str, int]) -> str:
    """The spelling to show: the longest, with blanks in place of underscores, the most frequent,
    not in capitals."""
    return min(
        names,
        key=lambda name: (-len(fold(name)), name.count("_"), -used[name], name.isupper(), name),
    )


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


def pool(
    scored: Sequence[Statistics], aliases: Aliases | str | Path | None = None
) -> tuple[Pooled, ...]:
    """The figures of every player over several matches, by rule set and name; `aliases` is a file
    of name variants.

    A pooled rate is that of the sums: all that was lost by all decisions. Raises `InvalidArgument`,
    and `InvalidConfiguration` for a file of aliases with a mistake."""
    expected = "a list of Statistics, at least one"
    expect_list("scored", scored, Statistics, expected)
    if not scored:
        raise InvalidArgument("scored", expected, scored)
    if not isinstance(aliases, Aliases):
        path = "the path of a file of name variants, or None"
        expect("aliases", aliases, (str, Path, type(None)), path)
        aliases = load_aliases(aliases)
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
