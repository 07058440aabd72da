"""The decisions of a match as its page lists them: addresses, worst first, filters with their
counts, and chances.

An error is a loss of `SIZE` or more, one border for all analyses. Unknown is never zero: where an
analysis says nothing of a decision its error is a dash, and it does not call it an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.gap.aligned import SIZE, Aligned
from reconcile.gap.comparison import Comparison
from reconcile.gap.review import Review
from reconcile.gap.rows import Place, action_words, by_all
from reconcile.language import joined, say, word
from reconcile.match.columns import Bools, Floats, Kind
from reconcile.match.match import Match
from reconcile.match.tools import XG
from reconcile.report import numbers
from reconcile.report.html.browser import (
    Rows,
    columns,
    in_order,
    shown_together,
    side_columns,
    thousandths,
    without_positions,
    words,
)
from reconcile.scoring.grades import BLUNDER, at_least, worst_first
from reconcile.scoring.score import Scored

LETTERS: Final = {
    Kind.NO_DOUBLE: "c",
    Kind.DOUBLE: "c",
    Kind.TAKE: "r",
    Kind.PASS: "r",
    Kind.BEAVER: "r",
    Kind.PLAY: "",
}
"""What follows the turn in an address: nothing for a play, `c` for a double or none, `r` for the
response; `e` for a resignation."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Decisions that have something in common."""

    name: str
    title: str
    says: str
    """The same of one of them, in a sentence; empty where nothing need be said."""
    group: Bools
    """Which decisions of the page these are."""

    @property
    def count(self) -> int:
        """How many they are."""
        return int(self.group.sum())


@dataclass(frozen=True, slots=True)
class Lead:
    """Decisions that the list begins with."""

    name: str
    title: str
    says: str
    """As that of a filter."""
    places: Sequence[Place]


class Row(NamedTuple):
    """A decision as the page lists it where scripts are off."""

    key: str
    place: str
    player: str
    done: str
    errors: list[str]
    """By analysis."""
    xgid: str


@dataclass(frozen=True)
class MatchDecisions:
    """Every decision of a match as all its analyses see it."""

    aligned: Aligned
    seats: tuple[int, ...]
    """Of the players that are shown."""
    labels: tuple[str, ...]
    apart: Bools
    """Whether no action is the best one for all analyses."""
    first: Sequence[Place] = ()
    """The decisions that the page may open on, the best first."""
    leads: Sequence[Lead] = ()
    """What the list begins with, the first one in its order; one analysis is counted in two ways
    then."""

    @cached_property
    def shown(self) -> Rows:
        """The decisions of the page, in the order of play."""
        return in_order(self.aligned)

    @property
    def match(self) -> Match:
        """Whose players and turns these are."""
        return self.aligned.match

    @property
    def scored(self) -> tuple[Scored, ...]:
        """The analyses."""
        return self.aligned.sides

    def _column(self, name: str) -> npt.NDArray[Any]:
        """A column of the table of decisions, shape [analysis, decision of the page]."""
        return self.aligned.column(name)[:, self.shown]

    @cached_property
    def error(self) -> Floats:
        """EMG lost by what was done; NaN where an analysis has none of it."""
        return self._column("error")

    @cached_property
    def counted(self) -> Bools:
        """Whether it counts."""
        return self.aligned.counted[:, self.shown]

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
        keys, times, aligned = [], Counter[str](), self.aligned
        columns = (aligned.game, aligned.turn, aligned.kind)
        for place in zip(*(column[self.shown].tolist() for column in columns), strict=True):
            key = address(*place)
            times[key] += 1
            again = f"{'' if key[-1].isalpha() else '-'}{times[key]}"
            keys.append(key + again * (times[key] > 1))
        return keys

    @cached_property
    def _indices(self) -> dict[Place, int]:
        """By place the first decision of the page."""
        places = (self.aligned.place(decision) for decision in self.shown.tolist())
        return {place: index for index, place in reversed(list(enumerate(places)))}

    @cached_property
    def filters(self) -> list[Filter]:
        """Of the agreement of analyses, after those that lead."""
        shown = np.isin(self.aligned.player[self.shown], self.seats)
        voters, called = self.aligned.voters, (say("filter.errors"), "")
        calls, counts = (of[voters].sum(axis=0) for of in (self.wrong, self.counted))
        several = len(self.scored) > 1 and not self.leads
        if several:
            title = say("filter.wrong", by=by_all(self.labels, voters, say("by.all")))
            called = title, say("says.wrong", by=by_all(self.labels, voters))
        filters = [
            Filter(lead.name, lead.title, lead.says, self._among(lead.places))
            for lead in self.leads
        ]
        every = np.logical_or(self.wrong, self.counted).any(axis=0)
        filters.append(Filter("all", say("filter.all"), "", np.asarray(every)))
        filters.append(Filter("wrong-in-all", *called, calls == len(voters)))
        if several:
            filters += [
                Filter(
                    f"only-{side}",
                    say("filter.only", label=label),
                    say("says.only", label=label),
                    self.wrong[side] & (calls == 1),
                )
                for side, label in enumerate(self.labels)
                if side in voters
            ]
            filters += self._disagreements(counts == 1)
        return [replace(entry, group=entry.group & shown) for entry in filters]

    def _among(self, places: Sequence[Place]) -> Bools:
        """Whether a decision is at one of these places."""
        return np.isin(np.arange(len(self.shown)), list(map(self.index_of, places)))

    def _disagreements(self, counted_once: Bools) -> Iterator[Filter]:
        """What several analyses say otherwise of a decision."""
        apart = self.apart[self.shown]
        size = at_least(self.aligned.at_stake[self.shown], SIZE) & ~apart
        is_pair = len(self.aligned.voters) == 2
        cost = say("says.both-cost") if is_pair else say("says.all-cost")
        yield Filter("other-choice", say("filter.choice"), say("says.choice"), apart)
        yield Filter("other-size", say("filter.cost"), cost, size)
        once = say("says.counted-once")
        yield Filter("counted-once", say("filter.counted-once"), once, counted_once)

    @cached_property
    def order(self) -> list[int]:
        """The listed decisions, the worst first by the largest error in any analysis, after those
        that lead."""
        listed = np.flatnonzero(np.logical_or.reduce([entry.group for entry in self.filters]))
        return list(dict.fromkeys([*self._leading, *worst_first(self.worst, listed)]))

    @property
    def _leading(self) -> list[int]:
        places = self.leads[0].places if self.leads else ()
        return [index for index in map(self.index_of, places) if index >= 0]

    @cached_property
    def errors(self) -> int:
        """How many of the listed decisions lead or are errors in any analysis: the first ones."""
        wrong = at_least(self.worst[self.order], SIZE)
        return int((wrong | np.isin(self.order, self._leading)).sum())

    @cached_property
    def called(self) -> tuple[str, str]:
        """What the list calls the players: the last word of the name, where that tells them
        apart."""
        first, two = (name.split()[-1] if name.split() else name for name in self.match.names)
        return (first, two) if first != two else self.match.names

    def index_of(self, place: Place) -> int:
        """The decision at a place; -1 where the page has none."""
        return self._indices.get(place, -1)

    def key_at(self, place: Place | None) -> str:
        """The address of the decision there; empty where the page has none."""
        index = -1 if place is None else self.index_of(place)
        return self.keys[index] if index >= 0 else ""

    @cached_property
    def start(self) -> int:
        """The decision that the page opens on: the first that every analysis judges, by default the
        worst."""
        judged = (
            index
            for index in map(self.index_of, self.first)
            if index >= 0 and not np.isnan(self.error[:, index]).any()
        )
        return next(judged, self.order[0] if self.order else 0)

    def done(self, index: int) -> str:
        """What was done: `31: 8/5 6/5`, or the cube action."""
        decision = self.shown[index]
        kind = Kind(int(self.aligned.kind[decision]))
        if kind is not Kind.PLAY:
            return word("kind", kind.label)
        roll = "".join(sorted(self.aligned.stated("dice")[decision], reverse=True))
        played = self.aligned.played(decision)
        return joined(": ", roll, action_words(played) if played else say("play.unplayed"))

    def row(self, index: int) -> Row:
        """A decision as a line of a table."""
        at = self.aligned.place(self.shown[index])
        seat = int(self.aligned.player[self.shown[index]])
        errors = [numbers.number(error, 3) for error in self.error[:, index].tolist()]
        xgid = self.aligned.stated("xgid")[self.shown[index]]
        place, player = f"{at.game}.{at.turn}", self.called[seat]
        return Row(self.keys[index], place, player, self.done(index), errors, xgid)

    @cached_property
    def chances(self) -> Floats:
        """Before every decision the chance of the first player to win the match, by analysis; for
        money the equity (EMG)."""
        money = self.match.is_money
        values = self._column("equity_best" if money else "chance_before")
        is_second = self.aligned.player[self.shown] == 1
        return np.where(is_second, -values if money else 1.0 - values, values)

    @cached_property
    def luck(self) -> Floats:
        """EMG gained by the roll of every decision, from the first analysis that has any; NaN where
        unknown."""
        columns = (column for column in self._column("luck") if (column == column).any())
        return next(columns, np.full(len(self.shown), np.nan))

    def data(self) -> dict[str, Any]:
        """What the page's script is given."""
        decided = columns(self.aligned, self.shown)
        return (
            words()
            | decided
            | {
                "sides": list(self._sides()),
                "keys": self.keys,
                "start": self.start,
                "groups": [
                    [entry.name, entry.says, np.flatnonzero(entry.group).tolist()]
                    for entry in self.filters
                ],
                "worst": np.round(100_000 * self.worst).astype(int).tolist(),
                "luck": thousandths(self.luck),
                "called": self.called,
                "ids": without_positions(self.aligned.stated("gnubg_id")[self.shown].tolist()),
                "order": self.order,
                "errors": self.errors,
            }
        )

    def _sides(self) -> Iterator[dict[str, Any]]:
        """What every analysis says of the decisions."""
        aligned = self.aligned
        stated = np.where(aligned.decided, aligned.rows, -1)[:, self.shown]
        sides = [
            [scored.match.decision(row) if row >= 0 else None for row in rows]
            for scored, rows in zip(self.scored, stated.tolist(), strict=True)
        ]
        lists = zip(*map(shown_together, zip(*sides, strict=True)), strict=True)
        grades = at_least(self.error, SIZE) + 1 * at_least(self.error, BLUNDER)
        for side, own in enumerate(lists):
            yield {
                "label": self.labels[side],
                "xg": self.scored[side].match.source.tool == XG.name,
                "chance": thousandths(self.chances[side]),
                "grade": "".join(map(str, grades[side].tolist())),
                **side_columns(aligned, side, self.shown, sides[side], own),
            }


def address(game: int, turn: int, kind: int) -> str:
    """Where a page has a decision: `g3t47`."""
    return f"g{game}t{turn}{LETTERS.get(Kind(kind), 'e')}"


def review_decisions(many: Review) -> MatchDecisions:
    """The decisions of a review, named as its file with most decisions has them."""
    aligned = many.aligned
    several = len(many.analyses) > 1
    return MatchDecisions(
        aligned=aligned,
        seats=many.seats,
        labels=many.labels,
        apart=aligned.disputed if several else np.zeros(len(aligned), bool),
        first=list(map(aligned.place, many.disputed)) if several else (),
    )


def comparison_decisions(comparison: Comparison, places: Sequence[Place]) -> MatchDecisions:
    """The decisions of two analyses, named as the left file has them; `places` are those that move
    the gap, the largest first."""
    aligned = comparison.walk.aligned
    return MatchDecisions(
        aligned=aligned,
        seats=tuple(comparison.walk.seats),
        labels=comparison.labels,
        apart=aligned.in_one_position().disputed,
        first=places,
    )
