"""Reference matches as candidates are compared with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from reconcile.errors import UnreadableFile
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.gate.files import Again
from reconcile.gate.manifest import Candidates, Manifest
from reconcile.infer.program import MatchFigures
from reconcile.match.match import Match, fingerprint
from reconcile.match.names import fold
from reconcile.match.tools import ANALYSERS
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.figures import METRICS

MISREAD: Final = {"latin-1": "UTF-8 read as Latin-1", "cp1252": "UTF-8 read as Windows-1252"}
"""By encoding in which a name may have been read, that it was."""
TABLES: Final = {tool.name: f"{tool.key}-blunderdb" for tool in ANALYSERS.values()}
"""The default tolerance table for a match file, by the tool of the reference file."""


@dataclass(frozen=True, slots=True)
class Available:
    """A file of a match that could be read: what shows whether something is about it."""

    path: str
    tool: str
    players: tuple[str, str]
    length: int | None
    fingerprint: str
    match: Again[Match]
    """Not held in memory."""
    under_rules: MatchFigures
    """Its figures under rule sets, as far as anybody has asked for them."""
    is_table: bool = False
    """Whether these are looked up, and nothing is scored."""

    @classmethod
    def read_by(cls, again: Again[Match]) -> Available:
        """A match, and how to read it `again`."""
        match = again()
        facts = match.source.path, match.source.tool, match.players, match.length
        return cls(*facts, fingerprint(match), again, MatchFigures(again))

    def looked_up(self, rules: RuleSet) -> list[Mapping[str, float | None]]:
        """By seat, its figures under a rule set."""
        return [
            {
                name: None if value != value else value
                for (name, metric), number in zip(METRICS.items(), figures, strict=True)
                for value in [int(number) if metric.is_whole and number == number else number]
            }
            for figures in self.under_rules.under(rules).tolist()
        ]


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference match with the files of it that are available."""

    manifest: Manifest
    available: Mapping[str, Available]
    absent: Mapping[str, str]
    """Why a file is not available."""
    unreadable: Mapping[str, UnreadableFile] = field(default_factory=dict)
    """Of these, the files that are there and cannot be read: what is wrong with each."""
    expected: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By player, the figures that it has, where nothing needs to be read or scored to know them."""
    always: frozenset[str] = frozenset()
    """Figures that a program owes which declares none, also where it gives none of them."""

    @property
    def id(self) -> str:
        """Its id in the pack."""
        return self.manifest.id

    @property
    def candidates(self) -> Candidates:
        """What the manifest and the pack say of candidates."""
        return self.manifest.candidates or Candidates()

    @property
    def demanded(self) -> frozenset[str]:
        """The figures that fail where they are missing."""
        return frozenset(self.candidates.figures) or self.always

    def tool_of(self, key: str) -> str:
        """The tool whose file it is."""
        return (self.available.get(key) or self.manifest.files[key]).tool

    def handles(self, tool: str | None = None) -> list[str]:
        """The keys of the files that a candidate is held against: the one that the manifest names,
        otherwise those that a tool analysed, or without one of it all that are analysed, in the
        order of the programs that analyse."""
        if self.candidates.file:
            return [self.candidates.file]
        keys = {
            name: [key for key in self.manifest.files if self.tool_of(key) == name]
            for name in TABLES
        }
        return keys.get(tool or "") or [key for own in keys.values() for key in own]

    def handle_for(self, tool: str | None) -> str | None:
        """The file that figures are compared with: a readable one before one with figures only."""
        handles, reported = self.handles(tool), {entry.file for entry in self.manifest.reported}
        places = (self.available, reported)
        return next((handle for place in places for handle in handles if handle in place), None)

    @property
    def lacking(self) -> str:
        """Why there is no file to compare with."""
        return "; ".join(self.absent.values()) or "the match has no analysed file"

    @property
    def players(self) -> tuple[str, ...]:
        """As an available file names them, otherwise as reported figures do; may be empty."""
        for key in self.handles():
            if key in self.available:
                return self.available[key].players
        entries = (entry for entry in self.manifest.reported if not entry.by_seat)
        return next((tuple(entry.players) for entry in entries if len(entry.players) == 2), ())

    @property
    def length(self) -> int | None:
        """Points to win; `None` for money, and if no file is available."""
        return next((file.length for file in self.available.values()), None)


@dataclass(frozen=True)
class Names:
    """The names of persons that have several."""

    aliases: Sequence[Sequence[str]] = ()

    def seat(self, players: Sequence[str], name: str) -> int | None:
        """The seat of a name among the players of a match; `None` if it fits neither or both."""
        persons = {
            fold(variant): number for number, group in enumerate(self.aliases) for variant in group
        }
        wanted, folded = fold(name), [fold(player) for player in players]
        keys, key = [persons.get(player, player) for player in folded], persons.get(wanted, wanted)
        if key in keys:
            return keys.index(key)
        shortened = [
            seat
            for seat, player in enumerate(folded)
            if min(len(player), len(wanted)) >= SHORTEST_PREFIX
            and (player.startswith(wanted) or wanted.startswith(player))
        ]
        return shortened[0] if len(shortened) == 1 else None

    def unknown(self, players: Sequence[str], name: str) -> str:
        """That a name is of neither player, beside the nearest."""
        expected, folded = ", ".join(map(repr, players)), list(map(fold, players))
        if near := get_close_matches(fold(name), folded, 1):
            expected = repr(players[folded.index(near[0])])
        words = f"no player {name!r} in this match, expected {expected}; correct the name"
        return self.misread(players, name) or words

    def misread(self, players: Sequence[str], name: str) -> str:
        """How a name was read in a wrong encoding; empty if it was not."""
        for wrong, words in MISREAD.items():
            with suppress(UnicodeError):
                right = name.encode(wrong).decode()
                if right != name and (seat := self.seat(players, right)) is not None:
                    return f"expected {players[seat]!r}, found {name!r}: {words}"
        return ""

    def fit(self, reference: Reference, names: Sequence[str]) -> bool:
        """Whether each name is that of another player of a match."""
        seats = {self.seat(reference.players, name) for name in names} - {None}
        return len(seats) == len(names)


def same_match(match: Match, references: Sequence[Reference], names: Names) -> list[Reference]:
    """The matches with the same rolls; without one, those with the same length and players."""
    rolls = fingerprint(match)
    same = [
        reference
        for reference in references
        if rolls and any(file.fingerprint == rolls for file in reference.available.values())
    ]
    return same or [
        reference
        for reference in references
        if reference.available
        and reference.length == match.length
        and names.fit(reference, match.players)
    ]
