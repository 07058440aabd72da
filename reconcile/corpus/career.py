"""A player's matches, read from files: rates by program and depth, phases, scores, luck, and every
match with all its analyses.

A rate of another program, or of another depth, is another rate: neither the sums nor the course
over time ever mix two of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName
from reconcile.files.aliases import NO_ALIASES, Aliases
from reconcile.files.names import fold, names_with
from reconcile.files.wording import meant
from reconcile.gap.folder_pairs import (
    File,
    FileLeftOver,
    Progress,
    files_of,
    grouped,
    name_with_folder,
    without_matches,
)
from reconcile.gap.review import MOST_SIDES, Review, review
from reconcile.match.phases import PHASES, phases
from reconcile.scoring.pool import Part, Pooled, is_rated, pooled
from reconcile.scoring.rates import (
    LONGEST_AWAY,
    Analysis,
    Estimate,
    Moments,
    Score,
    analysis_of,
    best_spelling,
    pr,
)
from reconcile.scoring.statistics import Statistics, result_of

PARTS: Final = ("checker", "cube")


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
        """The earliest day that a file states, as a program may write that of its analysis;
        empty where none does."""
        return min(
            (one.date.isoformat() for one in self.review.matches if one.date is not None),
            default="",
        )

    @cached_property
    def won(self) -> bool | None:
        """Whether the player won; `None` where the match is not finished, and for a money
        session that ended even."""
        result = result_of(self.review.match)["result"]
        return (
            None
            if result[0] != result[0] or result[0] == result[1]
            else bool(result[self.seat] > result[1 - self.seat])
        )

    @cached_property
    def analyses(self) -> dict[Analysis, int]:
        """The index of one analysis by each program at each depth: the one that analysed most."""
        found: dict[Analysis, int] = {}
        for side, one in enumerate(self.review.analyses):
            if self.analysed(side) > self.analysed(
                found.get(analysis := analysis_of(one.match), -1)
            ):
                found[analysis] = side
        return found

    def analysed(self, side: int) -> int:
        """How many of the player's decisions an analysis has; none for an index below 0."""
        if side < 0:
            return 0
        covered = self.review.analyses[side].completeness(self.review.seat(side, self.seat))
        return sum(covered[part].analysed for part in PARTS)

    def rate(self, side: int) -> float | None:
        """The PR by an analysis; `None` where it is incomplete."""
        return self.review.rates(self.seat).get(side)


@dataclass(frozen=True, slots=True)
class Rated:
    """What one program at one depth says of a player."""

    analysis: Analysis
    ahead: float | None
    """Plies that it looks ahead; `None` where that is not known."""
    pooled: Pooled
    """The figures, sums over sums."""
    mean: float | None
    """The mean of the PRs of the matches that have one, each match of the same weight; `None`
    without any."""
    whole: int
    """How many these are."""
    phases: Mapping[str, Mapping[str, Estimate]]
    """PR of checker plays and cube decisions by phase."""
    scores: tuple[Score, ...]
    """PR of cube decisions by score."""


@dataclass(frozen=True, slots=True, eq=False)
class Career:
    """A player over some matches."""

    name: str
    spellings: tuple[str, ...]
    """Other names in the files."""
    played: tuple[Played, ...]
    """By day; those without one last, by the names of their files."""
    rated: tuple[Rated, ...]
    """By program and depth: those that look ahead first, of these those with most matches, then
    the deeper."""


@dataclass(frozen=True, slots=True, eq=False)
class Careers:
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
    progress: Progress = lambda what, done, total: None,
    **options: Any,
) -> Careers:
    """The players in the matches of files, folders and archives; `options` are those of `review`.

    Raises `NothingToCompare` where there is no match, and `UnknownName` where `player` is in none.
    """
    read: list[File] = []
    leftovers: list[FileLeftOver] = []
    for files, rest in files_of(paths, ["reading"] * len(paths), name_with_folder, progress):
        read += files
        leftovers += rest
    if not read:
        raise without_matches(", ".join(paths), leftovers)
    matches = [
        one
        for same in grouped(read, aliases.groups)
        for one in _reviews(same, leftovers, aliases, options)
    ]
    found: dict[str, list[Played]] = defaultdict(list)
    names: dict[str, str] = {}
    for made, labels in matches:
        for seat, name in enumerate(made.names):
            where = made.match
            person = aliases.person(name, where.event, where.source.path, where.date)
            names.setdefault(fold(person), person)
            found[fold(person)].append(Played(made, seat, labels))
    if player is not None:
        persons = names_with(aliases.chosen(player), names.values())
        if len(persons) != 1:
            near = f": {', '.join(persons)}" if persons else meant(player, names.values())
            several = "more than one" if persons else "no"
            raise UnknownName(f"{', '.join(paths)}: {several} player {player!r} in any match{near}")
        found = defaultdict(list, {fold(persons[0]): found[fold(persons[0])]})
    made_of = [_career(names[key], played, aliases) for key, played in found.items()]
    ordered = sorted(made_of, key=lambda one: (-len(one.played), fold(one.name)))
    return Careers(tuple(ordered), len(matches), tuple(sorted(leftovers, key=lambda one: one.name)))


def _reviews(
    group: Sequence[File],
    leftovers: list[FileLeftOver],
    aliases: Aliases,
    options: Mapping[str, Any],
) -> Iterator[tuple[Review, tuple[str, ...]]]:
    """The match of some files with all its analyses; each file alone where they contradict each
    other."""
    kept: dict[tuple[str, str], File] = {}
    for file in [file for file in group if file.analysed] or group[:1]:
        source = file.match.source
        first = kept.setdefault((source.sha256, source.path.partition("#")[2]), file)
        if first is not file:
            leftovers.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    files = list(kept.values())
    leftovers += [
        FileLeftOver(file.name, "ignored", f"the same match as {files[0].name}")
        for file in files[MOST_SIDES:]
    ]
    del files[MOST_SIDES:]
    try:
        made = review(*(file.match for file in files), aliases=aliases.groups, **options)
    except (NothingToCompare, NotTheSameMatch):
        for file in files:
            yield review(file.match, **options), (file.name,)
    else:
        yield made, tuple(file.name for file in files)


def _career(person: str, played: Sequence[Played], aliases: Aliases) -> Career:
    ordered = sorted(played, key=lambda one: (not one.date, one.date, one.files))
    spellings = Counter(
        match.names[one.review.seat(side, one.seat)]
        for one in ordered
        for side, match in enumerate(one.review.matches)
    )
    listed = any(person == group[0] for group in aliases.groups) or person not in spellings
    name = person if listed else best_spelling(spellings, spellings)
    parts: dict[tuple[Analysis, str], list[Part]] = defaultdict(list)
    rates: dict[tuple[Analysis, str], list[float]] = defaultdict(list)
    for number, one in enumerate(ordered):
        for analysis, side in one.analyses.items():
            made = one.review.analyses[side]
            parts[analysis, made.rules.name].append((number, made, one.review.seat(side, one.seat)))
            if (rate := one.rate(side)) is not None:
                rates[analysis, made.rules.name].append(rate)
    rated = [_rated(key, mine, rates[key], aliases) for key, mine in parts.items()]
    first = sorted(
        rated,
        key=lambda one: (
            one.ahead == 0,
            -one.pooled.matches,
            -(one.ahead or 0),
            one.analysis.tool,
            one.analysis.depth,
        ),
    )
    return Career(name, tuple(sorted(spellings.keys() - {name})), tuple(ordered), tuple(first))


def _rated(
    key: tuple[Analysis, str], parts: Sequence[Part], rates: Sequence[float], aliases: Aliases
) -> Rated:
    mean = sum(rates) / len(rates) if rates else None
    every = [_Decided(made, seat) for _, made, seat in parts if is_rated(made, seat)]
    by_phase = {
        name: {
            part: pr(
                _moments(
                    [
                        one.sums((one.phase == number) & (one.is_cube == (part == "cube")))
                        for one in every
                    ]
                )
            )
            for part in PARTS
        }
        for number, name in enumerate(PHASES)
    }
    seen = {tuple(pair) for one in every for pair in one.away[one.is_cube].tolist()}
    scores = tuple(
        Score(
            own,
            other,
            pr(
                _moments(
                    [
                        one.sums(one.is_cube & (one.away == (own, other)).all(axis=1))
                        for one in every
                    ]
                )
            ),
        )
        for own, other in sorted(seen)
        if 0 < own <= LONGEST_AWAY and 0 < other <= LONGEST_AWAY
    )
    return Rated(
        key[0],
        parts[0][1].match.lookahead,
        pooled(parts, aliases),
        mean,
        len(rates),
        by_phase,
        scores,
    )


class _Decided:
    """A player's decisions of a match that count and are analysed, as columns: plays, then cube
    decisions."""

    def __init__(self, made: Statistics, seat: int) -> None:
        match, size = made.scored.match, len(made.scored.match.plays) + len(made.scored.match.cubes)
        game, player = (
            np.concatenate((getattr(match.plays, name), getattr(match.cubes, name)))
            for name in ("game", "player")
        )
        error = made.scored.error[:size] * made.scale
        mine = made.scored.counted[:size] & (player == seat) & (error == error)
        self.error = error[mine]
        self.phase = phases(match)[mine]
        self.is_cube = (np.arange(size) >= len(match.plays))[mine]
        away = match.away[game]
        self.away = np.stack((away[:, seat], away[:, 1 - seat]), axis=1)[mine]

    def sums(self, chosen: npt.NDArray[np.bool_]) -> tuple[float, int]:
        """Equity lost and number of decisions among those chosen."""
        return float(self.error[chosen].sum()), int(chosen.sum())


def _moments(sums: Sequence[tuple[float, int]]) -> Moments:
    """What the uncertainty of a rate rests on, from the sums of every match that has any."""
    lost, number = np.array([one for one in sums if one[1]], np.float64).reshape(-1, 2).T
    return {
        "matches": len(lost),
        "lost": float(lost.sum()),
        "number": float(number.sum()),
        "squares": float((lost * lost).sum()),
        "products": float((lost * number).sum()),
        "number_squares": float((number * number).sum()),
    }
