"""The facts of a comparison of two files, from its document alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from tests.oracles.stories.explained import explained
from tests.oracles.stories.forms import Names, value

Document = Mapping[str, Any]
Key = tuple[int, int, str, str]
"""Game, turn, kind and decider of a decision."""

SHORT = {"eXtreme Gammon": "XG", "GNU Backgammon": "gnuBG", "Open Sage": "bgsage"}
NOUNS = {"no-double": "no-double", "resign": "resignation", "accept-resign": "accepted resignation"}
SHARES = {"eng": "engine", "lis": "engine", "cov": "coverage", "rep": "reporting"}
HALF = Decimal("0.005")
"""Half of the last digit printed."""
VISIBLE = 0.005
"""A change smaller than this is printed as 0.00."""
CLOSE = 1e-9
CAP = 100.0
"""What a PR is shown as at most."""


def short(tool: str) -> str:
    """What a program is called in sentences."""
    return SHORT.get(tool, tool)


def share(step: str) -> str:
    """Which share of a gap a step belongs to."""
    return SHARES.get(step[:3], "rules")


def level(side: Document) -> str:
    """The usual level of a side's analysis; empty where nothing is analysed."""
    found: str = side["level"].removesuffix("not analysed").split(", ")[0]
    return found


def lookahead(side: Document) -> float | None:
    """How many plies a side's usual analysis looks beyond the play; `None` where its level is no number of plies.

    gnuBG counts from 0, XG from 1; BGBlitz's plies are its own.
    """
    found = re.match(r"(\d+)-ply", level(side))
    first = {"xg": 1.0, "sgf": 0.0}.get(side["format"])
    return None if found is None or first is None else float(found[1]) - first


def is_shallow(side: Document) -> bool:
    """Whether a side's analysis looks less than a ply ahead of the play: gnuBG's 0-ply, XG's 1-ply."""
    plies = lookahead(side)
    return plies is not None and plies < 1


def sides_of(document: Document) -> tuple[str, str]:
    """What sentences must call the two files."""
    sides = document["left"], document["right"]
    left, right = (short(one["tool"]) for one in sides)
    if left != right:
        return left, right
    levels = [level(one).removesuffix(" cubeful") for one in sides]
    if all(levels) and levels[0] != levels[1]:
        return f"{left} {levels[0]}", f"{right} {levels[1]}"
    return f"the left {left}", f"the right {right}"


@dataclass(frozen=True)
class Part:
    """A part of a gap that a sentence names."""

    cause: str
    text: str
    """As printed."""
    exact: float
    rounded: Decimal | None = None
    """What it must be printed as, if that is not its exact value rounded."""
    of_it: bool = False
    opens: bool = False
    """Whether it has a sentence of its own."""

    @property
    def size(self) -> Decimal:
        """As printed."""
        return value(self.text)


@dataclass
class Compared:
    """A comparison of two files; `player` is the one whom the sentences read last are about, `parts` what they make of the gap."""

    document: Document
    player: str = ""
    parts: list[Part] = field(default_factory=list)
    named: dict[Key, float] = field(default_factory=dict)
    """The decisions that are named one by one, with what each makes of the gap."""
    later: list[Callable[[], Iterator[str]]] = field(default_factory=list)
    """Claims about all decisions that were not named, to be judged when no more can be named."""
    told: list[str] = field(default_factory=list)
    """The players who have been the subject."""

    @cached_property
    def sides(self) -> tuple[str, str]:
        """What the two files are called."""
        return sides_of(self.document)

    @cached_property
    def names(self) -> Names:
        """What sides and players are called."""
        return Names(
            self.sides, tuple(dict.fromkeys(one["player"] for one in self.document["figures"]))
        )

    def figure(self, metric: str, player: str = "") -> Document:
        """A figure of the player, by default of the one the sentence is about."""
        wanted = metric, player or self.player
        return next(
            (one for one in self.document["figures"] if (one["metric"], one["player"]) == wanted),
            {},
        )

    def bridge(self, player: str = "") -> Document:
        """The bridge of PR."""
        wanted = "pr", player or self.player
        return next(
            (one for one in self.document["bridge"] if (one["metric"], one["player"]) == wanted),
            {"from": None, "to": None, "steps": []},
        )

    def missing(self) -> list[tuple[str, str]]:
        """What is not analysed, by side, as the table of figures says it."""
        found: dict[str, list[str]] = {"left": [], "right": []}
        for one in filter(None, self.figure("pr")["coverage"].split("; ")):
            side, _, words = one.partition(": ")
            found[side].append(words)
        return [(side, " and ".join(words)) for side, words in found.items() if words]

    @property
    def gap(self) -> float:
        """Of PR, right minus left; 0 where one is unknown."""
        bridge = self.bridge()
        return (
            0.0 if None in (bridge["from"], bridge["to"]) else float(bridge["to"] - bridge["from"])
        )

    def made_by(self, of: str) -> float:
        """What a share adds to the gap."""
        return float(
            sum(step["change"] for step in self.bridge()["steps"] if share(step["code"]) == of)
        )

    def capped(self) -> dict[Key, float]:
        """The decisions that are the same in both analyses, with what each adds because a PR is capped; none where none is."""
        if CAP not in (self.bridge()["from"], self.bridge()["to"]):
            return {}
        causes: dict[Key, set[str]] = defaultdict(set)
        for row in self._rows("engine"):
            causes[row["game"], row["turn"], row["kind"], row["decider"]].add(row["cause"])
        same = {key for key, found in causes.items() if found == {"conversion.cap"}}
        return {key: change for key, change in self._added("engine").items() if key in same}

    def _rows(self, *shares: str) -> Iterator[Document]:
        for row in self.document["ledger"]:
            if (
                row["metric"] == "pr"
                and row["player"] == self.player
                and share(row["step"]) in shares
            ):
                yield row

    def moved(self) -> dict[Key, float]:
        """What every decision adds to the gap because the analyses differ."""
        capped = self.capped()
        return {key: change for key, change in self._added("engine").items() if key not in capped}

    def _added(self, *shares: str) -> dict[Key, float]:
        changes: dict[Key, float] = defaultdict(float)
        for row in self._rows(*shares):
            changes[row["game"], row["turn"], row["kind"], row["decider"]] += row["change"]
        return {key: change for key, change in changes.items() if abs(change) > CLOSE**1.3}

    def causes(self, of: str) -> dict[str, int]:
        """How many decisions move the gap in a share, by their cause."""
        rows = {
            (row["game"], row["turn"], row["kind"], row["decider"], row["cause"])
            for row in self._rows(of)
        }
        found: dict[str, int] = defaultdict(int)
        for row in rows:
            found[row[-1]] += 1
        return dict(found)

    def at(self, place: tuple[int, ...], noun: str = "") -> dict[Key, float]:
        """The decisions of the analysis at a game and turn, of a kind if it is named."""
        return {
            key: change
            for key, change in self.moved().items()
            if key[:2] == place and noun in ("", NOUNS.get(key[2], key[2]))
        }

    def view(self, key: Key, side: str) -> Document | None:
        """What a side says of a decision; `None` where the document does not have it."""
        for one in self.document["decisions"]:
            if (one["game"], one["turn"], one["kind"], one["player"]) == key:
                return one[side] or {"error": None, "counted": False}
        return None

    @property
    def others(self) -> dict[Key, float]:
        """The decisions of the analysis that no sentence has named."""
        return {key: change for key, change in self.moved().items() if key not in self.named}

    def begin(self, player: str) -> Iterator[str]:
        """The sentences now are about another player."""
        yield from self._ended()
        self.player, self.parts, self.named, self.later = player, [], {}, []
        if player in self.told:
            yield f"a second story of {player}"
        self.told.append(player)

    @property
    def printed_gap(self) -> Decimal:
        """The gap as it is printed."""
        return Decimal(f"{self.gap:.2f}") + 0

    def _ended(self) -> Iterator[str]:
        """The parts of a player's gap as they are printed add up to it, none is missing, and they are in order."""
        for claim in self.later:
            yield from claim()
        if not self.parts:
            return
        whole = self.printed_gap
        if sum(part.size for part in self.parts) != whole:
            yield f"the parts for {self.player} make {sum(part.size for part in self.parts)} and the gap is {whole}"
        small = next((part for part in self.parts if part.cause == "small-differences"), None)
        for part in self.parts:
            off = abs(part.size - (Decimal(part.exact) if part.rounded is None else part.rounded))
            room = (
                Decimal("0.005") * (len(self.parts) + len(self.named) + 3)
                if part is small
                else Decimal("0.01")
                if small is None
                else HALF
            )
            if off > room + Decimal("1e-9"):
                yield f"{part.cause} makes {part.exact:+.4f} for {self.player}, not {part.text}"
            if not part.size:
                yield f"{part.cause} makes nothing that is printed"
            fits = 0 < part.size <= whole or whole <= part.size < 0
            if part.opens and part.of_it != fits:
                yield f"{part.text} is {'' if fits else 'not '}a part of {whole}"
        ranks = [(part.size * whole < 0, -abs(part.size)) for part in self.parts]
        if ranks != sorted(ranks):
            yield f"the parts for {self.player} are not in order: {[part.text for part in self.parts]}"
        yield from self._unmentioned(small is not None)

    def _unmentioned(self, exact: bool) -> Iterator[str]:
        causes = [part.cause for part in self.parts]
        sums = {of: self.made_by(of) for of in ("rules", "coverage", "reporting")} | {
            "cap": sum(self.capped().values())
        }
        for of, change in sums.items():
            if abs(change) >= (VISIBLE if exact else 2 * VISIBLE) + CLOSE and of not in causes:
                yield f"{of} makes {change:+.3f} for {self.player} and is not mentioned"

    def finish(self) -> Iterable[str]:
        """What is wrong with all sentences together."""
        yield from self._ended()
        yield from explained(self.document)
        missing = [player for player in self.names.players if player not in self.told]
        if missing:
            yield f"no sentence about {missing}"
