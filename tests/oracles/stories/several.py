"""The facts of a comparison of several analyses of one match, from its document alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Any

from tests.oracles.stories.compared import is_shallow, level, lookahead
from tests.oracles.stories.forms import Names
from tests.oracles.stories.grades import is_error

NOISE = 0.10
"""PRs this close are the same."""
FEWEST = 3
"""Complete analyses of a player of which one can be the outlier."""
SIZE = 0.020
"""Analyses that agree on the best action and charge amounts this far apart dispute the size."""
DEEPEST = 1000.0


def depth(side: Mapping[str, Any]) -> float:
    """How deep a side's usual analysis is: plies, more than any for what is no number of plies, -1 where nothing is known."""
    plies = lookahead(side)
    return -1.0 if not level(side) else DEEPEST if plies is None else plies


@dataclass(frozen=True)
class Apart:
    """How far a side is from the median of the others, at least and at most."""

    side: int
    low: float
    high: float
    median: tuple[float, float]

    @property
    def surely(self) -> float:
        """At least, without its sign."""
        return 0.0 if self.low <= 0 <= self.high else min(abs(self.low), abs(self.high))


@dataclass
class Several:
    """A comparison of several files; `player` is the one whom the sentences read last are about."""

    document: Mapping[str, Any]
    player: str = ""
    told: list[str] = field(default_factory=list)
    outliers_named: list[str] = field(default_factory=list)
    voteless: set[tuple[int, str]] = field(default_factory=set)
    """Sides and players about whom a sentence says that they have no vote."""
    said: set[str] = field(default_factory=set)
    """The names of the claims made."""

    @cached_property
    def sides(self) -> list[Mapping[str, Any]]:
        """The sides."""
        return list(self.document["sides"])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the sides are called."""
        return tuple(side["label"] for side in self.sides)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players that are shown."""
        return tuple(self.document["consensus"])

    @cached_property
    def names(self) -> Names:
        """What sides and players are called."""
        return Names(self.labels, self.players)

    def side(self, label: str) -> int:
        """The number of a side."""
        return self.labels.index(label)

    def pr(self, side: int, player: str) -> float | None:
        """The PR of a player by a side."""
        value: float | None = self.sides[side]["figures"][player]["pr"]
        return value

    def missing(self, side: int, player: str) -> str:
        """What the side has not analysed of the player, as the document says it."""
        return str(self.sides[side].get("missing", {}).get(player, ""))

    def rates(self, player: str) -> dict[int, float]:
        """The PRs that compare."""
        found = {
            side: self.pr(side, player)
            for side in range(len(self.sides))
            if not self.missing(side, player)
        }
        return {side: pr for side, pr in found.items() if pr is not None}

    def ends(self, side: int, player: str) -> tuple[float, float]:
        """The range of a PR; twice one number where nothing is open."""
        pr = self.pr(side, player)
        low, high = self.sides[side].get("range", {}).get(player, {}).get("pr", (pr, pr))
        return low, high

    def apart(self, player: str) -> list[Apart]:
        """How far every side is from the others, the furthest first."""
        rates, found = self.rates(player), []
        for side in rates:
            others = [self.ends(one, player) for one in rates if one != side]
            low, high = median(one for one, _ in others), median(two for _, two in others)
            ends = self.ends(side, player)
            found.append(Apart(side, ends[0] - high, ends[1] - low, (low, high)))
        return sorted(found, key=lambda one: -one.surely)

    def outlier(self, player: str) -> Apart | None:
        """The outlier, if there is one."""
        if len(self.rates(player)) < FEWEST:
            return None
        first, *rest = self.apart(player)
        others = max(max(abs(one.low), abs(one.high)) for one in rest)
        return first if first.surely > NOISE and first.surely - others > NOISE else None

    def shallow(self, side: int) -> bool:
        """Whether a side's analysis does not look beyond the play."""
        return is_shallow(self.sides[side])

    def voters(self, player: str) -> list[list[int]]:
        """The sides that may have the vote of each program: its deepest complete ones without the outlier and without shallow ones."""
        outlier = self.outlier(player)
        able = [side for side in range(len(self.sides)) if outlier is None or side != outlier.side]
        deep = [side for side in able if not self.shallow(side)] or able
        found = []
        for tool in dict.fromkeys(self.sides[side]["tool"] for side in deep):
            own = [side for side in deep if self.sides[side]["tool"] == tool]
            best = min((bool(self.missing(side, player)), -depth(self.sides[side])) for side in own)
            found.append(
                [
                    side
                    for side in own
                    if (bool(self.missing(side, player)), -depth(self.sides[side])) == best
                ]
            )
        return found

    @cached_property
    def disputes(self) -> list[Mapping[str, Any]]:
        """The decisions in dispute."""
        return list(self.document["disputes"])

    def wrong_everywhere(self) -> int:
        """Decisions that every side calls an error by its own border."""
        table = self.document["decisions"]
        errors = list(zip(*table["error"], strict=True))
        return sum(
            all(
                one is not None and is_error(side["rules"], one)
                for one, side in zip(row, self.sides, strict=True)
            )
            for row, kind, player in zip(errors, table["kind"], table["player"], strict=True)
            if kind not in ("resign", "accept-resign") and player in self.players
        )

    def alone(self, side: int, player: str) -> int:
        """Decisions of the player of which a side's best action is no other side's."""
        table = self.document["decisions"]
        return sum(
            best[side] is not None
            and any(one is not None for one in others)
            and best[side] not in others
            for who, best in zip(table["player"], zip(*table["best"], strict=True), strict=True)
            if who == player
            and (others := [one for number, one in enumerate(best) if number != side])
        )

    def begin(self, player: str) -> Iterator[str]:
        """The sentences now are about another player."""
        self.player = player
        if player in self.told:
            yield f"a second story of {player}"
        self.told.append(player)

    def finish(self) -> Iterable[str]:
        """What is not said, and what the table of disputes has that the decisions have not."""
        for player in self.players:
            if player not in self.told:
                yield f"no sentence about {player}"
            if (self.outlier(player) is not None) != (player in self.outliers_named):
                yield f"the outlier of {player} is {self.outlier(player)}"
            voting = set(self.document["voters"][player]["sides"])
            for one in self.voters(player):
                if len(voting & set(one)) != 1:
                    yield f"{[self.labels[side] for side in one]} have {len(voting & set(one))} votes on {player}"
            if voting - {side for one in self.voters(player) for side in one}:
                yield f"on {player} vote {[self.labels[side] for side in voting]}"
            silent = [
                side
                for side in range(len(self.sides))
                if side not in voting and (side, player) not in self.voteless
            ]
            if silent:
                yield f"nobody says that {[self.labels[side] for side in silent]} do not vote on {player}"
        if self.wrong_everywhere() and "wrong_in_all" not in self.said:
            yield f"{self.wrong_everywhere()} decisions are errors everywhere, and no sentence says so"
        if not self.document["transcript"]["same"] and "not_in_all" not in self.said:
            yield "the transcripts differ, and no sentence says so"
        yield from self._tables()

    def _tables(self) -> Iterator[str]:
        table = self.document["decisions"]
        rows = list(zip(table["game"], table["turn"], table["kind"], table["player"], strict=True))
        errors = dict(zip(rows, zip(*table["error"], strict=True), strict=True))
        doubled = {row for row, number in Counter(rows).items() if number > 1}
        for one in self.disputes:
            row = one["game"], one["turn"], one["kind"], one["player"]
            known = [error for error in errors[row] if error is not None]
            if row not in doubled and abs(max(known) - min(known) - one["at_stake"]) > 1e-9:
                yield f"at stake in {row} is {max(known) - min(known)}, not {one['at_stake']}"
        stakes = [one["at_stake"] for one in self.disputes]
        if any(one < other - 1e-8 for one, other in pairwise(stakes)):
            yield "the disputes are not in the order of what is at stake"
        for player in self.players:
            rates = [
                self.sides[side]["figures"][player]["pr"]
                for side in self.document["voters"][player]["sides"]
            ]
            if self.document["consensus"][player]["pr"] is None and any(
                rate is not None for rate in rates
            ):
                yield f"the consensus has no PR of {player}"
