"""The files of one match: each scored once under a rule set, any two paired and the way between
them walked when asked for, and once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any

from reconcile.document import OR_NULL, Document, Sha256, Text
from reconcile.errors import NotTheSameMatch, expect, expect_aliases
from reconcile.gap.aligned import Aligned, aligned_to, reference_of
from reconcile.gap.pairing import Pairing, called, pair, seat_of
from reconcile.gap.walk import Walk
from reconcile.match.match import Match
from reconcile.match.met import AnyMet, Met, load_met
from reconcile.match.values import Value, once
from reconcile.rules.rulesets import Q16, RuleSet, own_rules, rule_set
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.findings import level_text
from reconcile.scoring.statistics import Statistics, statistics


@dataclass(frozen=True, eq=False, repr=False)
class ReviewedFiles(Value):
    """The files of one match, and all that is made of one or two of them.

    Where a rule set counts turns with a dead cube (Q16), every file has a row for each such turn,
    so that decisions can be paired.
    """

    matches: tuple[Match, ...]
    """In the order given."""
    rules: tuple[RuleSet | None, ...]
    """What each was asked to count by; `None` for its tool's own rules."""
    mets: tuple[Met | None, ...]
    """The match equity table of each, if one was asked for."""
    aliases: Sequence[Sequence[str]] = ()
    named_by: int | None = None
    """The file as which all call the players; `None` for the one with most decisions."""
    player: str | None = None
    """The only player that is compared, by a name or a part of one; `None` for both."""

    def rules_beside(self, side: int, other: int | None) -> RuleSet:
        """What a side counts by beside another one: an engine without statistics of its own counts
        as the other does."""
        beside = None if other is None else self.matches[other]
        return self.rules[side] or own_rules(self.matches[side], beside)

    @cached_property
    def _own_rules(self) -> list[RuleSet]:
        """By side; of two files, either stands beside the other."""
        two = len(self.matches) == 2
        sides = range(len(self.matches))
        return [self.rules_beside(side, 1 - side if two else None) for side in sides]

    @cached_property
    def _files(self) -> tuple[Match, ...]:
        """The matches with the rows of dead cubes, if any of them needs these."""
        if any(rules.value(Q16) for rules in self._own_rules):
            return tuple(map(with_dead_cubes, self.matches))
        return self.matches

    @once
    def _named(self, side: int) -> Match:
        """A file with its players called as by all, so that what is said of two files can be
        joined. Raises `NotTheSameMatch`."""
        first = self._first
        if side == first:
            return self._files[side]
        names, seats = self._files[first].names, self.pairing(first, side).seats
        return called(self._files[side], names, seats)

    @once
    def scored(self, side: int, rules: RuleSet) -> Statistics:
        """A side under a rule set."""
        return statistics(self._named(side), rules, self.mets[side])

    @once
    def pairing(self, left: int, right: int) -> Pairing:
        """Which decision of a side is which of another. Raises `NotTheSameMatch`."""
        return pair(self._files[left], self._files[right], self.aliases)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Those of the players that are compared, in the file as which all call them: under its
        name for a player, or where that is the one with most decisions, under any file's.

        Raises `NotTheSameMatch`, `UnknownName`.
        """
        find = (
            self.aligned.seat_named
            if self.named_by is None
            else partial(seat_of, self.matches[self.named_by])
        )
        return (0, 1) if self.player is None else (find(self.player),)

    @once
    def walk(self, left: int, right: int) -> Walk:
        """The way from the figures of one side to those of another, for the players that are
        compared. Raises `NotTheSameMatch`, `UnknownName`."""
        seats: tuple[int, ...] = (0, 1)
        if self.player is not None:
            seats = (self.pairing(self._first, left).seats[self.seats[0]],)
        rules = self.rules_beside(left, right), self.rules_beside(right, left)
        scored = self.scored(left, rules[0]), self.scored(right, rules[1])
        names = self.matches[left].names, self.matches[right].names
        return Walk(scored, self.pairing(left, right), rules, names, seats)

    @cached_property
    def _reference(self) -> int:
        """The file with most decisions."""
        return reference_of(self._files)

    @property
    def _first(self) -> int:
        """The file as which all call the players."""
        return self._reference if self.named_by is None else self.named_by

    @cached_property
    def analyses(self) -> tuple[Statistics, ...]:
        """Every side under its own rules."""
        return tuple(map(self.scored, range(len(self.matches)), self._own_rules))

    @property
    def same_transcript(self) -> bool:
        """Whether all files have the same games, rolls, plays and cube actions."""
        pairings = (self.pairing(self._reference, side) for side in range(len(self.matches)))
        return not any(pairing.differences for pairing in pairings)

    @cached_property
    def aligned(self) -> Aligned:
        """The decisions of the file with most of them, as every side has them.

        Raises `NotTheSameMatch`, which names what does not fit.
        """
        sides = range(len(self.matches))
        try:
            pairings = tuple(self.pairing(self._reference, side) for side in sides)
        except NotTheSameMatch as error:
            raise (None if len(sides) == 2 else self._misfit()) or error from None
        return aligned_to(self._reference, [side.scored for side in self.analyses], pairings)

    def _misfit(self) -> NotTheSameMatch | None:
        """Which file is of another match than most are."""
        paths, sides = [match.source.path for match in self.matches], range(len(self.matches))
        errors = [[self._apart(side, other) for other in sides] for side in sides]
        most = min(errors, key=lambda row: sum(map(bool, row)))
        if most.count(None) < 2:
            why = f"no two of these files are of one match: {', '.join(paths)}"
            return NotTheSameMatch(why, remedy="compare files of one match")
        for path, error in zip(paths, most, strict=True):
            if error is not None:
                why = f"expected the match of the other files, found another: {error}"
                remedy = "or leave it out" if error.remedy else "leave it out"
                return NotTheSameMatch(why, remedy=remedy, at=path)
        return None

    def _apart(self, side: int, other: int) -> NotTheSameMatch | None:
        """Why two files are not of one match; `None` where they are."""
        try:
            self.pairing(side, other)
        except NotTheSameMatch as error:
            return error
        return None


def reviewed_files(
    matches: Sequence[Match],
    rules: Sequence[str | RuleSet | None],
    mets: Sequence[AnyMet | None],
    *,
    aliases: Sequence[Sequence[str]],
    player: str | None,
    named_by: int | None = None,
) -> ReviewedFiles:
    """The files with their rule sets and tables, a table of all once.

    Raises `InvalidArgument`, `UnknownName`, `InvalidConfiguration`.
    """
    for match in matches:
        expect("match", match, Match, "a match, as load_match returns it")
    expect_aliases(aliases)
    loaded = {id(met): load_met(met) for met in mets if met is not None}
    return ReviewedFiles(
        matches=tuple(matches),
        rules=tuple(None if each is None else rule_set(each) for each in rules),
        mets=tuple(loaded.get(id(met)) for met in mets),
        aliases=aliases,
        named_by=named_by,
        player=player,
    )


@dataclass(frozen=True, slots=True)
class FileFacts(Document):
    """One of the two files."""

    path: str
    """As given; `-` for standard input."""
    sha256: Annotated[Sha256, OR_NULL]
    """SHA-256 of its bytes; null in an anonymised comparison."""
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""
    rules: Text
    """The rule set of its figures."""
    met: Text
    """The match equity table."""
    level: str
    """Analysis levels in the tool's words, most frequent first."""
    players: tuple[str, str]
    """The names in this file, in the order of the left file's seats."""


def facts_of(
    statistics_: Statistics, names: tuple[str, str], seats: tuple[int, int]
) -> dict[str, Any]:
    """The fields of `FileFacts`; `names` are the file's own, `seats` those of the players in the
    order of the other file."""
    match = statistics_.match
    source = match.source
    return {
        "path": source.path,
        "sha256": source.sha256,
        "format": source.format,
        "tool": source.tool,
        "tool_version": source.tool_version,
        "rules": statistics_.rules.name,
        "met": statistics_.scored.met.name,
        "level": level_text(match),
        "players": (names[seats[0]], names[seats[1]]),
    }
