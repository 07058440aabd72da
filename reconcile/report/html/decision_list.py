"""The decisions of a match as its page lists them: addresses, worst first, filters with their counts, and chances.

An error is a loss of `SIZE` or more, one border for all analyses. Unknown is never zero: where an analysis says nothing of a decision
its error is a dash, and it does not call it an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.gap.aligned import SIZE
from reconcile.gap.analysis_rows import BLUNDER, at_least
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import side_of_decision
from reconcile.gap.paired_decisions import Items
from reconcile.gap.review import Review
from reconcile.match.board.identifiers import gnubg_id
from reconcile.match.board.play import play_text
from reconcile.match.columns import Bools, Floats, Kind, Validity
from reconcile.match.match import Match
from reconcile.report import numbers
from reconcile.report.html.browser import Rows, columns, in_order
from reconcile.report.html.decisions import CHANCES, GIVEN_UP, Card, card_of
from reconcile.report.words import KINDS, NOT_PLAYED
from reconcile.scoring.decision_table import Decisions, identifiers_of, situation_of
from reconcile.scoring.score import Scored

PLAYERS: Final = ("p1", "p2")
"""How the players are marked: a light disc, a dark square."""
LETTERS: Final = {
    Kind.NO_DOUBLE: "c",
    Kind.DOUBLE: "c",
    Kind.TAKE: "r",
    Kind.PASS: "r",
    Kind.BEAVER: "r",
    Kind.PLAY: "",
}
"""What follows the turn in an address: nothing for a play, `c` for a double or none, `r` for the response; `e` for a resignation."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Decisions that have something in common."""

    name: str
    title: str
    says: str
    """The same of one of them, in a sentence; empty where nothing need be said."""
    count: int


@dataclass(frozen=True, slots=True)
class Lead:
    """Decisions that the list begins with."""

    name: str
    title: str
    says: str
    """As that of a filter."""
    places: Sequence[tuple[int, int, str]]
    """Game, turn and kind."""


@dataclass(frozen=True, slots=True)
class Row:
    """A decision in the list."""

    index: int
    key: str
    place: str
    seat: str
    """One of `PLAYERS`."""
    player: str
    done: str
    errors: list[tuple[str, str]]
    """By analysis the error and how it looks: `bad`, `mid` or nothing."""
    only: int | None
    """The one analysis that calls it an error."""


@dataclass(frozen=True)
class Seen:
    """Every decision of a match as all its analyses see it."""

    match: Match
    """Whose players and turns these are."""
    items: Items
    seats: tuple[int, ...]
    """Of the players that are shown."""
    labels: tuple[str, ...]
    scored: tuple[Scored, ...]
    rows: npt.NDArray[np.int64]
    """Shape [analysis, decision]: the row there, -1 where it does not have the decision."""
    facts: tuple[tuple[Scored, Rows], ...]
    """The files that say what was to decide, the first that has it."""
    games: tuple[tuple[Match, tuple[int, int]], ...]
    """The files that say at which score, the last of them first."""
    apart: Bools
    """Whether no action is the best one for all analyses."""
    first: Sequence[tuple[int, int, str]] = ()
    """The decisions that the page may open on, the best first."""
    leads: Sequence[Lead] = ()
    """What the list begins with, the first one in its order; one analysis is counted in two ways then."""

    @cached_property
    def kept(self) -> Rows:
        """The decisions of the page, in the order of play."""
        return in_order(self.items)

    def _column(self, of: Sequence[npt.NDArray[Any]], absent: float) -> npt.NDArray[Any]:
        """Shape [analysis, decision of the page]."""
        found = []
        for rows, column in zip(self.rows[:, self.kept], of, strict=True):
            there = (rows >= 0) & (rows < len(column))
            found.append(
                np.where(there, column[np.where(there, rows, 0)] if len(column) else absent, absent)
            )
        return np.array(found).reshape(len(self.scored), len(self.kept))

    @cached_property
    def error(self) -> Floats:
        """EMG lost by what was done; NaN where an analysis has none of it."""
        return self._column(
            [Decisions(one).columns(("error",))["error"] for one in self.scored], np.nan
        )

    @cached_property
    def counted(self) -> Bools:
        """Whether it counts."""
        return self._column([one.counted for one in self.scored], 0).astype(bool)

    @cached_property
    def wrong(self) -> Bools:
        """Whether an analysis calls it an error."""
        return at_least(self.error, SIZE)

    @cached_property
    def worst(self) -> Floats:
        """By decision the largest error in any analysis; 0 where there is none."""
        worst: Floats = np.nan_to_num(self.error, nan=0.0).max(axis=0, initial=0.0)
        return worst

    @cached_property
    def keys(self) -> list[str]:
        """The address of every decision."""
        found: list[str] = []
        seen: dict[str, int] = {}
        items = self.items
        for game, turn, kind in zip(
            *(one[self.kept].tolist() for one in (items.game, items.turn, items.kind)), strict=True
        ):
            key = address(game, turn, kind)
            seen[key] = seen.get(key, 0) + 1
            found.append(
                key
                if seen[key] == 1
                else f"{key}{seen[key] if key[-1].isalpha() else f'-{seen[key]}'}"
            )
        return found

    @cached_property
    def groups(self) -> dict[str, Bools]:
        """By filter which decisions it shows."""
        player = self.items.player[self.kept]
        shown = np.isin(player, self.seats)
        calls, counts = self.wrong.sum(axis=0), self.counted.sum(axis=0)
        found = {
            one.name: np.isin(np.arange(len(self.kept)), list(map(self.index_of, one.places)))
            for one in self.leads
        }
        found |= {"all": (calls > 0) | (counts > 0), "wrong-in-all": calls == len(self.scored)}
        if len(self.scored) > 1 and not self.leads:
            found |= {
                f"only-{side}": self.wrong[side] & (calls == 1) for side in range(len(self.scored))
            }
            known = (self.error == self.error).sum(axis=0)
            low = np.where(self.error == self.error, self.error, np.inf).min(axis=0, initial=np.inf)
            size = (known > 1) & at_least(np.where(known > 1, self.worst - low, 0.0), SIZE)
            apart = self.apart[self.kept]
            found |= {
                "other-choice": apart,
                "other-size": size & ~apart,
                "counted-once": counts == 1,
            }
        return {name: group & shown for name, group in found.items()}

    @cached_property
    def filters(self) -> list[Filter]:
        """Those of the agreement of analyses, with their counts."""
        several = len(self.scored) > 1 and not self.leads
        words = {
            "all": ("all", ""),
            "wrong-in-all": ("wrong in all", "An error in every analysis.")
            if several
            else ("errors", ""),
            "other-choice": ("another choice", "No action is the best one in all analyses."),
            "other-size": (
                "another size",
                "Both agree on the best action, not on what the mistake cost."
                if len(self.scored) == 2
                else "All agree on the best action, not on what the mistake cost.",
            ),
            "counted-once": ("counted by one program", "Only one analysis counts it."),
        }
        words |= {one.name: (one.title, one.says) for one in self.leads}
        for side, label in enumerate(self.labels):
            words[f"only-{side}"] = (f"only in {label}", f"Only {label} calls it an error.")
        return [Filter(name, *words[name], int(group.sum())) for name, group in self.groups.items()]

    @cached_property
    def order(self) -> list[int]:
        """The listed decisions, the worst first by the largest error in any analysis, after those that lead."""
        listed = np.flatnonzero(np.logical_or.reduce(list(self.groups.values())))
        order: list[int] = listed[np.lexsort((listed, -np.round(self.worst[listed], 9)))].tolist()
        return list(dict.fromkeys([*self._leading, *order]))

    @property
    def _leading(self) -> list[int]:
        return [
            index
            for one in self.leads[:1]
            for index in map(self.index_of, one.places)
            if index >= 0
        ]

    @cached_property
    def errors(self) -> int:
        """How many of the listed decisions lead or are errors in any analysis: the first ones."""
        return int(
            (at_least(self.worst[self.order], SIZE) | np.isin(self.order, self._leading)).sum()
        )

    @cached_property
    def called(self) -> tuple[str, str]:
        """What the list calls the players: the last word of the name, where that tells them apart."""
        one, two = (name.split()[-1] if name.split() else name for name in self.match.names)
        return (one, two) if one != two else self.match.names

    def index_of(self, place: tuple[int, int, str]) -> int:
        """The decision of a game, a turn and a kind; -1 where the page has none."""
        items = self.items
        there = (
            (items.game[self.kept] == place[0])
            & (items.turn[self.kept] == place[1])
            & (items.kind_labels[self.kept] == place[2])
        )
        return int(np.flatnonzero(there)[0]) if there.any() else -1

    def key_at(self, game: int, turn: int, kind: str) -> str:
        """The address of a decision; empty where the page has none."""
        index = self.index_of((game, turn, kind))
        return self.keys[index] if index >= 0 else ""

    @cached_property
    def start(self) -> int:
        """The decision that the page opens on: the first that every analysis judges, by default the worst."""
        unjudged = set(np.flatnonzero(np.isnan(self.error).any(axis=0)).tolist())
        chosen = (
            index
            for index in map(self.index_of, self.first)
            if index >= 0 and index not in unjudged
        )
        return next(chosen, self.order[0] if self.order else 0)

    def fact(self, index: int) -> tuple[Scored, int]:
        """The file that says what was to decide, and its row."""
        item = self.kept[index]
        return next((one, int(rows[item])) for one, rows in self.facts if rows[item] >= 0)

    def done(self, index: int) -> str:
        """What was done: `31: 8/5 6/5`, or the cube action."""
        scored, row = self.fact(index)
        kind, plays = Kind(int(self.items.kind[self.kept[index]])), scored.match.plays
        if kind is not Kind.PLAY:
            return KINDS[kind]
        roll = "".join(map(str, sorted(plays.dice[row].tolist(), reverse=True)))
        unplayed = plays.validity[row] == Validity.UNPLAYED.value
        return f"{roll}: {NOT_PLAYED if unplayed else play_text(tuple(plays.position[row].tolist()), plays.play[row])}"

    def row(self, index: int) -> Row:
        """A decision as the list shows it."""
        items, item = self.items, self.kept[index]
        errors = [
            (numbers.number(None if value != value else value, 3), look(value))
            for value in self.error[:, index].tolist()
        ]
        calls = np.flatnonzero(self.wrong[:, index])
        only = int(calls[0]) if len(calls) == 1 and len(self.scored) > 1 else None
        place = f"{items.game[item]}.{items.turn[item]}"
        return Row(
            index,
            self.keys[index],
            place,
            PLAYERS[int(items.player[item])],
            self.called[int(items.player[item])],
            self.done(index),
            errors,
            only,
        )

    def card(self, index: int, key: int = 0) -> Card:
        """A decision with its board and what every analysis says of it."""
        items, item = self.items, self.kept[index]
        sides = [
            (label, side_of_decision(scored, int(row)))
            for label, scored, row in zip(self.labels, self.scored, self.rows[:, item], strict=True)
        ]
        scored, row = self.fact(index)
        place = (
            int(items.game[item]),
            int(items.turn[item]),
            self.match.names[int(items.player[item])],
        )
        return card_of(
            key,
            place,
            str(items.kind_labels[item]),
            sides,
            self.match,
            identifiers_of(scored.match, row),
        )

    @cached_property
    def chances(self) -> Floats:
        """Before every decision the chance of the first player to win the match, by analysis; for money the equity (EMG)."""
        money = self.match.is_money
        name = "equity_best" if money else "chance_before"
        values = self._column(
            [Decisions(one).columns((name,))[name] for one in self.scored], np.nan
        )
        second = self.items.player[self.kept] == 1
        return np.where(second, -values if money else 1.0 - values, values)

    @cached_property
    def luck(self) -> Floats:
        """EMG gained by the roll of every decision, from the first analysis that has any; NaN where unknown."""
        luck = self._column(
            [np.asarray(one.match.plays.luck, np.float64) for one in self.scored], np.nan
        )
        known = (luck == luck).any(axis=1)
        return luck[int(known.argmax())] if known.any() else np.full(len(self.kept), np.nan)

    def data(self) -> dict[str, Any]:
        """What the page's script is given."""
        sides = zip(self.labels, self.scored, self.rows, strict=True)
        shown = columns(self.items, self.kept, list(sides), self.facts, self.games)
        groups = [
            [one.name, one.says, np.flatnonzero(self.groups[one.name]).tolist()]
            for one in self.filters
        ]
        ids = [
            _gnubg_id(scored.match, row) for scored, row in map(self.fact, range(len(self.kept)))
        ]
        return shown | {
            "keys": self.keys,
            "start": self.start,
            "groups": groups,
            "worst": np.round(1000 * self.worst).astype(int).tolist(),
            "luck": [None if one != one else round(1000 * one) for one in self.luck.tolist()],
            "chances": CHANCES,
            "changes": GIVEN_UP,
            "called": self.called,
            "ids": ids,
            "rest": self.order[self.errors :],
        }


def _gnubg_id(match: Match, row: int) -> str:
    """The gnuBG ID of a row; empty where there is none."""
    try:
        decided = situation_of(match, row)
    except ValueError:
        return ""
    return gnubg_id(decided) if decided else ""


def address(game: int, turn: int, kind: int) -> str:
    """Where a page has a decision: `g3t47`."""
    return f"g{game}t{turn}{LETTERS.get(Kind(kind), 'e')}"


def look(error: float) -> str:
    """How an error looks in the list."""
    return "bad" if round(error, 5) >= BLUNDER else "mid" if round(error, 5) >= SIZE else ""


def seen_in_review(many: Review) -> Seen:
    """The decisions of a review, named as its file with most decisions has them."""
    aligned = many.aligned
    several = len(many.analyses) > 1
    return Seen(
        match=aligned.match,
        items=aligned.items,
        seats=many.seats,
        labels=many.labels,
        scored=tuple(one.scored for one in many.analyses),
        rows=aligned.rows.astype(np.int64),
        facts=((aligned.sides[aligned.reference].scored, aligned.rows[aligned.reference]),),
        games=((aligned.match, (0, 1)),),
        apart=aligned.disputed if several else np.zeros(len(aligned.items), bool),
        first=[(one.game, one.turn, one.kind) for one in many.disputes] if several else (),
    )


def seen_in_comparison(comparison: Comparison, places: Sequence[tuple[int, int, str]]) -> Seen:
    """The decisions of two analyses, named as the left file has them; `places` are those that move the gap, the largest first."""
    walk, items = comparison.walk, comparison.walk.items
    facts = ((walk.left, items.left), (walk.right, items.right))
    sides = facts[: 1 if comparison.totals_alone else 2]
    apart = np.zeros(len(items), bool)
    if len(sides) == 2:
        disputed = comparison.aligned.disputed
        there = items.left >= 0
        apart[there] = disputed[items.left[there]]
    return Seen(
        match=comparison.statistics[0].match,
        items=items,
        seats=tuple(walk.seats),
        labels=comparison.labels[: len(sides)],
        scored=tuple(scored for scored, _ in sides),
        rows=np.array([rows for _, rows in sides], np.int64),
        facts=facts,
        games=(
            (comparison.statistics[1].match, comparison.pairing.seats),
            (comparison.statistics[0].match, (0, 1)),
        ),
        apart=apart,
        first=places,
    )
