"""A player's matches, read from files: rates by program and depth, phases, scores, luck, and every
match with all its analyses.

A rate of another program, or of another depth, is another rate: neither the sums nor the course
over time ever mix two of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from reconcile.gap.folders import (
    FileLeftOver,
    Progress,
    person_named,
    persons_of,
    reviewed_matches,
)
from reconcile.gap.review import Review
from reconcile.match.aliases import NO_ALIASES, Aliases
from reconcile.match.names import fold
from reconcile.match.phases import PHASES, phases
from reconcile.scoring.pool import Part, Pooled, is_rated, pooled
from reconcile.scoring.rates import (
    LONGEST_AWAY,
    Analysis,
    Estimate,
    Score,
    analysis_of,
    best_spelling,
    moments,
    pr,
)
from reconcile.scoring.statistics import Statistics, result_of

if TYPE_CHECKING:
    import pandas as pd

PARTS: Final = ("checker", "cube")
NO_RATE: Final = Estimate(None, None, None, 0, 0)


@dataclass(frozen=True, eq=False)
class Played:
    """A match of a player with its analyses."""

    review: Review
    seat: int
    """The player's, in the match of the review."""
    files: tuple[str, ...]
    """Their names, one for each analysis."""

    @property
    def opponent(self) -> str:
        """The other player, as the match spells the name."""
        return self.review.names[1 - self.seat]

    @cached_property
    def date(self) -> str:
        """The earliest day that a file states, as a program may write that of its analysis; empty
        where none does."""
        days = (match.date for match in self.review.matches)
        return min((day.isoformat() for day in days if day is not None), default="")

    @cached_property
    def won(self) -> bool | None:
        """Whether the player won; `None` where the match is not finished, and for a money session
        that ended even."""
        first, second = result_of(self.review.match)["result"]
        if not (first < second or second < first):
            return None
        return bool(first < second) == bool(self.seat)

    @cached_property
    def analyses(self) -> dict[Analysis, int]:
        """The index of one analysis by each program at each depth: the one that analysed most of
        the player's decisions."""
        sides: dict[Analysis, tuple[int, int]] = {}
        for side, statistics in enumerate(self.review.analyses):
            covered = statistics.completeness(self.review.seat(side, self.seat))
            analysed = sum(covered[part].analysed for part in PARTS)
            key = analysis_of(statistics.match)
            if analysed > sides.get(key, (0, 0))[0]:
                sides[key] = analysed, side
        return {analysis: side for analysis, (_, side) in sides.items()}

    def rate(self, side: int) -> float | None:
        """The PR by an analysis; `None` where it is incomplete."""
        return self.review.rates(self.seat).get(side)


class Rated(NamedTuple):
    """What one program at one depth says of a player."""

    analysis: Analysis
    ahead: float | None
    """Plies that it looks ahead; `None` where that is not known."""
    pooled: Pooled
    """The figures, sums over sums."""
    mean: float | None
    """The mean of the PRs of the matches that have one, each match of the same weight; `None`
    without any."""
    rated_matches: int
    """How many these are."""
    phases: Mapping[str, Mapping[str, Estimate]]
    """PR of checker plays and cube decisions by phase."""
    scores: tuple[Score, ...]
    """PR of cube decisions by score."""


class Career(NamedTuple):
    """A player over some matches."""

    name: str
    spellings: tuple[str, ...]
    """Other names in the files."""
    played: tuple[Played, ...]
    """By day; those without one last, by the names of their files."""
    rated: tuple[Rated, ...]
    """By program and depth: those that look ahead first, of these those with most matches, then
    the deeper."""


class Careers(NamedTuple):
    """Every player of some files, or one."""

    players: tuple[Career, ...]
    """Those with most matches first."""
    matches: int
    leftovers: tuple[FileLeftOver, ...]
    """Files that are no match, could not be read, or repeat another."""


def careers(
    paths: Sequence[str],
    *,
    player: str | None = None,
    aliases: Aliases = NO_ALIASES,
    progress: Progress = lambda task, done, total: None,
    **options: Any,
) -> Careers:
    """The players in the matches of files, folders and archives; `options` are those of `review`.

    Raises `NothingToCompare` where there is no match, and `UnknownName` where `player` is in none.
    """
    reviews, leftovers = reviewed_matches(paths, aliases, progress, **options)
    played: dict[str, list[Played]] = defaultdict(list)
    names: dict[str, str] = {}
    for several, labels in reviews:
        for seat, person in enumerate(persons_of(several, aliases)):
            names.setdefault(fold(person), person)
            played[fold(person)].append(Played(several, seat, labels))
    chosen = (
        played if player is None else [fold(person_named(player, names.values(), aliases, paths))]
    )
    every = [_career(names[key], played[key], aliases) for key in chosen]
    every.sort(key=lambda career: (-len(career.played), fold(career.name)))
    return Careers(tuple(every), len(reviews), tuple(leftovers))


def _career(person: str, played: Sequence[Played], aliases: Aliases) -> Career:
    ordered = sorted(played, key=lambda match: (not match.date, match.date, match.files))
    spellings = Counter(
        match.names[each.review.seat(side, each.seat)]
        for each in ordered
        for side, match in enumerate(each.review.matches)
    )
    is_listed = any(person == group[0] for group in aliases.groups) or person not in spellings
    name = person if is_listed else best_spelling(spellings, spellings)
    parts: dict[tuple[Analysis, str], list[Part]] = defaultdict(list)
    rates: dict[tuple[Analysis, str], list[float | None]] = defaultdict(list)
    for number, each in enumerate(ordered):
        for analysis, side in each.analyses.items():
            statistics = each.review.analyses[side]
            key = analysis, statistics.rules.name
            parts[key].append((number, statistics, each.review.seat(side, each.seat)))
            rates[key].append(each.rate(side))
    rated = [_rated(key[0], mine, rates[key], aliases) for key, mine in parts.items()]
    rated.sort(
        key=lambda rate: (
            rate.ahead == 0,
            -rate.pooled.matches,
            -(rate.ahead or 0),
            rate.analysis.tool,
            rate.analysis.depth,
        ),
    )
    return Career(name, tuple(sorted(spellings.keys() - {name})), tuple(ordered), tuple(rated))


def _rated(
    analysis: Analysis, parts: Sequence[Part], rates: Sequence[float | None], aliases: Aliases
) -> Rated:
    """What one analysis says of a player."""
    import pandas as pd

    known_rates = [rate for rate in rates if rate is not None]
    decided = pd.concat([_decided(*part) for part in parts])
    by_phase = _prs(decided, ["phase", "part"])
    cubes = decided[decided.part == "cube"]
    within = cubes[["away", "opponent_away"]].isin(range(1, LONGEST_AWAY + 1)).all(axis=1)
    scores = _prs(cubes[within], ["away", "opponent_away"])
    return Rated(
        analysis,
        parts[0][1].match.lookahead,
        pooled(parts, aliases),
        sum(known_rates) / len(known_rates) if known_rates else None,
        len(known_rates),
        {
            name: {part: by_phase.get((number, part), NO_RATE) for part in PARTS}
            for number, name in enumerate(PHASES)
        },
        tuple(Score(away, opponent_away, rate) for (away, opponent_away), rate in scores.items()),
    )


def _decided(number: int, statistics: Statistics, seat: int) -> pd.DataFrame:
    """A player's decisions of a match that count and are analysed; none of an incomplete analysis,
    which has no rates."""
    import pandas as pd

    scored, match = statistics.scored, statistics.scored.match
    size = len(match.plays) + len(match.cubes)
    game = np.concatenate((match.plays.game, match.cubes.game))
    decisions = pd.DataFrame(
        {
            "match": number,
            "game": game,
            "player": np.concatenate((match.plays.player, match.cubes.player)),
            "lost": scored.error[:size] * statistics.scale,
            "phase": phases(match),
            "part": np.where(np.arange(size) < len(match.plays), *PARTS),
            "away": match.away[game, seat],
            "opponent_away": match.away[game, 1 - seat],
        }
    )
    mine = scored.counted[:size] & (decisions.player == seat) & decisions.lost.notna()
    return decisions[mine & is_rated(statistics, seat)]


def _prs(decisions: pd.DataFrame, keys: list[str]) -> dict[tuple[Any, ...], Estimate]:
    """The PR of each group of decisions; its uncertainty rests on the games that have any."""
    games = decisions.groupby([*keys, "match", "game"], as_index=False).lost.agg(["sum", "count"])
    return {
        key: pr(moments(*(each[name].to_numpy() for name in ("sum", "count", "match"))))
        for key, each in games.groupby(keys)
    }
