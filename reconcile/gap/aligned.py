"""The decisions of several analyses of one match side by side: arrays of shape [side, decision],
and what each side thinks best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Annotated, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, OR_NULL, Amount, Count, Document, Text
from reconcile.errors import UnknownName
from reconcile.gap.paired_decisions import Items, Placed, at_rows, level_label, pair_items
from reconcile.gap.pairing import Pairing, seat_of
from reconcile.match.all_rows import evaluated
from reconcile.match.board.play import Play, apply_play, play_text
from reconcile.match.board.position import PLACES, Counts
from reconcile.match.columns import Bools, Floats, Ints, Kind
from reconcile.match.match import Level, Match
from reconcile.scoring.findings import main_level
from reconcile.scoring.grades import ERROR, at_least
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import DecisionClass, complete

CUBE_ACTIONS: Final = {False: ("no double", "double"), True: ("take", "pass")}
"""What a cube decision is between: of the player on roll, and of the player who answers."""


def best_plays(side: Statistics, row: int) -> dict[Counts, Play]:
    """The positions that the best plays of a row lead to, each with the play.

    These are the first candidate, those with exactly its equity and level, and the play made where
    it costs nothing.
    """
    match = side.match
    candidates, position = match.candidates(row), tuple(match.plays.position[row].tolist())
    best = [(candidate.equity, candidate.level) for candidate in candidates[:1]]
    plays = [each.play for each in candidates if (each.equity, each.level) in best]
    if side.scored.error[row] == 0:
        plays.append(match.plays.play[row])
    results: dict[Counts, Play] = {}
    for play in plays:
        with suppress(ValueError):
            results.setdefault(tuple(apply_play(position, play)), play)
    return results


SIZE: Final = ERROR
"""EMG. Analyses that agree on the best action and charge amounts this far apart dispute the size:
XG calls a loss of that much an error."""
SEVERAL: Final = 3
"""With fewer analyses each has a vote, also two of one program."""
MOST_ACTIONS: Final = 62
"""Actions of one decision that are told apart; a bit of an integer each."""
DEEPEST: Final = 1000.0
"""Lookahead of what has no number of plies: rollouts, books, and BGBlitz's own plies."""
Votes = npt.NDArray[np.int64]
NoVote = Literal["copy", "same-program"]
"""Why an analysis is not held against the others."""


def depth_of(level: Level | None) -> float:
    """How deep an analysis is: plies, more than any for a rollout or a book, less than any where
    nothing is known."""
    if level is None:
        return -1.0
    return DEEPEST if level.lookahead is None else level.lookahead


def content_key(match: Match) -> tuple[str, str]:
    """What a copy of a file has in common with it: its bytes, and which match of them it is."""
    return match.source.sha256, match.source.path.partition("#")[2]


def reference_of(matches: Sequence[Match]) -> int:
    """The index of the file whose decisions and names are used: most decisions, then the longest
    names, since exporters cut them."""

    def rank(index: int) -> tuple[int, int, str, str]:
        match = matches[index]
        rows = len(match.plays) + len(match.cubes)
        return -rows, -sum(map(len, match.players)), match.source.sha256, match.source.path

    return min(range(len(matches)), key=rank)


@dataclass(frozen=True)
class Aligned:
    """The reference file's decisions (plays, cubes, resignations) as every side has them."""

    sides: tuple[Statistics, ...]
    """Each under its own rules."""
    pairings: tuple[Pairing, ...]
    """From the reference to each side."""
    reference: int
    """Index of the side whose decisions and names these are."""

    @property
    def match(self) -> Match:
        """The reference file's match."""
        return self.sides[self.reference].match

    @cached_property
    def _items(self) -> tuple[Items, ...]:
        reference, sides = self.sides[self.reference].scored, (side.scored for side in self.sides)
        return tuple(map(pair_items, repeat(reference), sides, self.pairings))

    @property
    def items(self) -> Items:
        """Who decides what, and where: columns over the decisions."""
        return self._items[self.reference]

    @cached_property
    def rows(self) -> Ints:
        """Shape [side, decision]: the row there (plays, cubes, resignations), -1 where the file has
        none, or one in another position."""
        rows = np.array([items.right[: len(self.items)] for items in self._items])
        rows[self.reference] = np.arange(len(self.items))
        here = _positions(self.match)
        for side, match in zip(rows, self._matches, strict=True):
            there, shown = _positions(match), side[: len(here)]
            both = np.flatnonzero((shown >= 0) & (shown < len(there)))
            side[both[(there[side[both]] != here[both]).any(axis=1)]] = -1
        return rows

    def column(self, values: Iterable[npt.NDArray[Any]], absent: float) -> npt.NDArray[Any]:
        """Shape [side, decision]: a column of every side's rows; `absent` where a file does not
        have the decision."""
        return np.array(list(map(at_rows, values, self.rows, repeat(absent))))

    def seat_named(self, player: str) -> int:
        """The reference's seat of a player under any file's name. Raises `UnknownName`."""
        for side, pairing in zip(self.sides, self.pairings, strict=True):
            with suppress(UnknownName):
                return pairing.seats.index(seat_of(side.match, player))
        return seat_of(self.match, player)

    @property
    def same_transcript(self) -> bool:
        """Whether all files have the same games, rolls, plays and cube actions."""
        return not any(pairing.differences for pairing in self.pairings)

    @property
    def in_all(self) -> int:
        """Decisions that every file has."""
        return int((self.rows >= 0).all(axis=0).sum())

    @cached_property
    def evaluated(self) -> Bools:
        """Shape [side, decision]: whether the side evaluated it."""
        return self.column(map(evaluated, self._matches), False).astype(bool)

    @cached_property
    def without_vote(self) -> dict[int, tuple[NoVote, int]]:
        """By side why it is not held against the others, and which side is in its place.

        A copy of a file has no vote. Of several analyses by one program the most complete, then the
        deepest has its vote. Where all are of one program, or there are but two, all that are no
        copies have one.
        """
        if len(self.sides) < SEVERAL:
            return {}
        sources = [match.source for match in self._matches]
        files = list(map(content_key, self._matches))
        lost: dict[int, tuple[NoVote, int]] = {
            side: ("copy", files.index(file))
            for side, file in enumerate(files)
            if file[0] and files.index(file) != side
        }
        votes: dict[str, int] = {}
        for side in sorted(set(range(len(files))) - lost.keys(), key=self._rank):
            votes.setdefault(sources[side].tool, side)
        for side, source in enumerate(sources if len(votes) > 1 else ()):
            if side not in lost and votes[source.tool] != side:
                lost[side] = "same-program", votes[source.tool]
        return dict(sorted(lost.items()))

    def _rank(self, side: int) -> tuple[object, ...]:
        """The lower, the sooner an analysis speaks for its program."""
        match, there = self.sides[side].match, self.evaluated[side]
        counted = there[self.counted.any(axis=0)]
        is_complete = complete(counted.sum(), len(counted))
        depth, source = depth_of(main_level(match)), match.source
        return not is_complete, -depth, -int(there.sum()), source.sha256, source.path

    @cached_property
    def voters(self) -> list[int]:
        """The sides that are held against each other."""
        return [side for side in range(len(self.sides)) if side not in self.without_vote]

    @cached_property
    def error(self) -> Floats:
        """Shape [side, decision]: equity lost (EMG) by what was done, under the side's own rules;
        NaN where not evaluated."""
        error = self.column((side.scored.error for side in self.sides), np.nan)
        return np.where(self.evaluated, error.astype(np.float64), np.nan)

    @cached_property
    def least(self) -> Floats:
        """Shape [decision]: the smallest error that a voter charges; 0 where none evaluated it."""
        heard, error = self.evaluated[self.voters], self.error[self.voters]
        return np.where(heard.any(axis=0), np.where(heard, error, np.inf).min(axis=0), 0.0)

    @cached_property
    def at_stake(self) -> Floats:
        """Shape [decision]: the largest error that a voter charges less the smallest; 0 where fewer
        than two evaluated it."""
        heard, error = self.evaluated[self.voters], self.error[self.voters]
        largest = np.where(heard, error, -np.inf).max(axis=0)
        return np.where(heard.sum(axis=0) > 1, largest - self.least, 0.0)

    @cached_property
    def counted(self) -> Bools:
        """Shape [side, decision]: whether it counts under the side's own rules."""
        return self.column((side.scored.counted for side in self.sides), False).astype(bool)

    @cached_property
    def level(self) -> tuple[tuple[str, ...], ...]:
        """By side and decision how deep the tool looked, in its own words; empty where unknown."""
        sides = zip(self._matches, self.rows.tolist(), strict=True)
        return tuple(tuple(map(level_label, repeat(match), rows)) for match, rows in sides)

    @property
    def _matches(self) -> Iterator[Match]:
        return (side.match for side in self.sides)

    def _best_plays(self, item: int) -> list[dict[Counts, Play]]:
        """By side the positions that its best plays of a roll lead to, each with the play; none
        where it did not evaluate the roll."""
        rows = zip(self.sides, self.rows[:, item], self.evaluated[:, item], strict=True)
        return [best_plays(side, int(row)) if looked_at else {} for side, row, looked_at in rows]

    @cached_property
    def _best(self) -> tuple[tuple[tuple[str, ...], ...], Votes]:
        """By decision the actions that some side thinks best, and by side and decision a bit for
        each that it does."""
        plays, cubes, labels = len(self.match.plays), self.match.cubes, []
        votes = np.zeros(self.rows.shape, np.int64)
        for row in range(plays):
            wanted = self._best_plays(row)
            by_result = {result: play for best in reversed(wanted) for result, play in best.items()}
            results = sorted(by_result)[:MOST_ACTIONS]
            for side, best in enumerate(wanted):
                votes[side, row] = sum(
                    1 << bit for bit, result in enumerate(results) if result in best
                )
            position = tuple(self.match.plays.position[row].tolist())
            labels.append(tuple(play_text(position, by_result[result]) for result in results))
        for side in range(len(self.sides)):
            votes[side, plays : plays + len(cubes)] = _best_actions(self, side)
        labels += [CUBE_ACTIONS[kind >= Kind.TAKE.value] for kind in cubes.kind.tolist()]
        labels += [()] * (len(self.items) - len(labels))
        return tuple(labels), votes

    @property
    def votes(self) -> Votes:
        """Shape [side, decision]: a bit for every action that the side thinks best (equal ones
        share it); 0 where it does not say."""
        return self._best[1]

    def action(self, item: int, bits: int) -> str:
        """Actions of a decision in words: that of the first bit; empty without one."""
        labels = enumerate(self._best[0][item])
        return next((label for bit, label in labels if bits >> bit & 1), "")

    def best(self, side: int, item: int) -> str:
        """What a side thinks best, in words; empty where it does not say."""
        return self.action(item, int(self.votes[side, item]))

    def played(self, item: int) -> str:
        """What was done, in words: the play in notation, or the kind of cube action."""
        plays = self.match.plays
        if item >= len(plays):
            return str(self.items.kind_labels[item])
        return play_text(tuple(plays.position[item].tolist()), plays.play[item])

    @cached_property
    def disputed(self) -> Bools:
        """Shape [decision]: whether no action is the best one for all voters that say what is."""
        votes = self.votes[self.voters]
        asked = votes != 0
        common = np.bitwise_and.reduce(np.where(asked, votes, -1), axis=0)
        disputed: Bools = (common == 0) & (asked.sum(axis=0) > 1)
        return disputed

    def ranked(self, chosen: Bools, size: Floats, seats: Sequence[int]) -> list[int]:
        """The chosen decisions of these players but resignations, those of the largest `size`
        first."""
        items = self.items
        resigned = items.decision_class == int(DecisionClass.RESIGNATION)
        rows = np.flatnonzero(chosen & np.isin(items.player, seats) & ~resigned)
        keys = items.kind, items.turn, items.game, -np.round(size, 9)
        order: list[int] = rows[np.lexsort([key[rows] for key in keys])].tolist()
        return order

    def in_dispute(self, seats: Sequence[int]) -> list[int]:
        """The decisions of these players in dispute, most at stake first: `disputed`, or errors
        charged for what was done that are `SIZE` or more apart."""
        at_odds = self.disputed | at_least(self.at_stake, SIZE)
        return self.ranked(at_odds, self.at_stake, seats)

    def alone(self, side: int) -> Bools:
        """Shape [decision]: whether nothing that this side thinks best is best for any other voter
        that says what is."""
        beside = self.votes[[voter for voter in self.voters if voter != side]]
        shared = np.bitwise_or.reduce(beside, axis=0) & self.votes[side]
        alone: Bools = (self.votes[side] != 0) & (beside != 0).any(axis=0) & (shared == 0)
        return alone


def _positions(match: Match) -> Ints:
    """Shape (plays and cubes, 26): the positions before every decision."""
    return np.concatenate((match.plays.position, match.cubes.position)).reshape(-1, PLACES)


def _best_actions(aligned: Aligned, side: int) -> Votes:
    """For every cube decision of the reference the bits of the best actions (`CUBE_ACTIONS`); where
    only an error is known, by that."""
    cubes = slice(len(aligned.match.plays), len(aligned.match.plays) + len(aligned.match.cubes))
    scored, rows = aligned.sides[side].scored, aligned.rows[side, cubes]
    view, there = scored.view, (rows >= 0) & aligned.evaluated[side, cubes]
    if not len(view.kind):
        return np.zeros(len(rows), np.int64)
    place = np.where(there, rows - len(scored.match.plays), 0)
    kind, no_double, least = view.kind[place], view.no_double[place], view.least[place]
    take, passed = view.double_take[place], view.double_pass[place]
    response = kind >= Kind.TAKE.value
    gain = np.where(response, take - passed, np.where(view.access[place], least - no_double, -1.0))
    acted = np.where(response, kind == Kind.PASS.value, kind == Kind.DOUBLE.value)
    right = acted ^ (aligned.error[side, cubes] > 0)
    unknown = gain != gain
    second, first = np.where(unknown, right, gain >= 0), np.where(unknown, ~right, gain <= 0)
    return np.where(there, first + 2 * second, 0).astype(np.int64)


def majority(votes: Votes) -> Votes:
    """The bits of what most sides think best, shape [decision], from those of every side, shape
    [side, decision].

    No bit where no side says what is best, or where opinions with as many votes differ.
    """
    bits = np.arange(MOST_ACTIONS)[: int(votes.max(initial=0)).bit_length()]
    wanting = votes >> bits[:, None, None] & 1
    number = wanting.sum(axis=1)
    most = number.max(axis=0, initial=0)
    agreeing = (wanting & (number == most)[:, None]).any(axis=0)
    shared = np.bitwise_and.reduce(np.where(agreeing, votes, -1), axis=0)
    return np.where(most > 0, shared, 0)


@dataclass(frozen=True, slots=True)
class SideVerdict(Document):
    """What one side says of a decision."""

    side: Count
    """Its index, from 0."""
    best: Annotated[Text, OR_NULL]
    """The action it thinks best; null where it does not say."""
    error: Amount | None
    """Equity lost (EMG) by what was done, under the side's own rules; null where not evaluated."""
    level: Annotated[Text, OR_NULL]
    """How deep it looked, in the tool's words; null where unknown."""
    counted: bool
    """Whether the decision counts under the side's own rules."""


@dataclass(frozen=True, slots=True)
class DisputedDecision(Placed):
    """A decision with the verdicts of all sides."""

    player: str
    """Who decided."""
    played: str
    """What was done."""
    at_stake: Amount
    """The largest error that a side charges less the smallest (EMG)."""
    majority: Annotated[Text, OR_NULL]
    """The action that most sides think best; null where none says, or where two have as many
    votes."""
    dispute: Literal["choice", "size"]
    """`choice` where no action is the best one for all sides; `size` where they agree on it."""
    verdicts: tuple[SideVerdict, ...]
    """Of every side, in order."""
    xgid: Annotated[str, OR_NULL]
    """The position for eXtreme Gammon; null if there is no ID."""
    gnubg_id: Annotated[str, OR_NULL]
    """The position for GNU Backgammon; null if there is no ID."""
    item: Annotated[int, HIDDEN] = -1
    """Its row among the decisions of the reference file."""
    least: Annotated[float, HIDDEN] = 0.0
    """The smallest error charged (EMG)."""


def decisions_of(aligned: Aligned, rows: Sequence[int]) -> Iterator[DisputedDecision]:
    """Decisions of the reference file as all sides see them."""
    items, bits = aligned.items, majority(aligned.votes[aligned.voters]).tolist()
    for item in rows:
        xgid, gnubg_id = aligned.sides[aligned.reference].scored.facts.identifiers(item)
        yield DisputedDecision(
            *items.place(item),
            player=aligned.match.names[int(items.player[item])],
            played=aligned.played(item),
            at_stake=float(aligned.at_stake[item]),
            majority=aligned.action(item, bits[item]),
            dispute="choice" if aligned.disputed[item] else "size",
            verdicts=tuple(
                SideVerdict(
                    side=side,
                    best=aligned.best(side, item),
                    error=None if error != error else error,
                    level=aligned.level[side][item],
                    counted=bool(aligned.counted[side, item]),
                )
                for side, error in enumerate(aligned.error[:, item].tolist())
            ),
            xgid=xgid,
            gnubg_id=gnubg_id,
            item=item,
            least=float(aligned.least[item]),
        )
