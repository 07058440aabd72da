"""The decisions of several files of one match side by side: for each the rows of its table of
decisions, and what each side thinks best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from reconcile.document import Row, rows_of
from reconcile.errors import UnknownName
from reconcile.gap.pairing import Pairing, comes_first, content_key, seat_of
from reconcile.gap.rows import Place
from reconcile.match.board.play import Play, apply_play, play_text
from reconcile.match.board.position import Counts
from reconcile.match.columns import Bools, Floats, Ints, Kind, Validity
from reconcile.match.match import Level, Match
from reconcile.match.values import once
from reconcile.scoring import grades
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.findings import main_level
from reconcile.scoring.grades import at_least
from reconcile.scoring.score import CLASS_OF_KIND, Scored
from reconcile.scoring.sums import complete

ON_ROLL, ANSWER = ("no double", "double"), ("take", "pass")
CUBE_ACTIONS = dict.fromkeys((Kind.NO_DOUBLE, Kind.DOUBLE), ON_ROLL) | dict.fromkeys(
    (Kind.TAKE, Kind.PASS, Kind.BEAVER), ANSWER
)
"""By kind what a cube decision is between."""


def best_plays(side: Scored, row: int) -> dict[Counts, Play]:
    """The positions that the best plays of a row lead to, each with the play.

    These are the first candidate, those with exactly its equity and level, and the play made where
    it costs nothing.
    """
    match = side.match
    candidates, position = match.candidates(row), tuple(match.plays.position[row].tolist())
    best = [(candidate.equity, candidate.level) for candidate in candidates[:1]]
    plays = [each.play for each in candidates if (each.equity, each.level) in best]
    if side.error[row] == 0:
        plays.append(match.plays.play[row])
    results: dict[Counts, Play] = {}
    for play in plays:
        with suppress(ValueError):
            results.setdefault(tuple(apply_play(position, play)), play)
    return results


SIZE = grades.ERROR
"""EMG. Analyses that agree on the best action and charge amounts this far apart dispute the size:
XG calls a loss of that much an error."""
SEVERAL = 3
"""With fewer analyses each has a vote, also two of one program."""
MOST_ACTIONS = 62
"""Actions of one decision that are told apart; a bit of an integer each."""
DEEPEST = 1000.0
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


def reference_of(matches: Sequence[Match]) -> int:
    """The index of the file whose decisions and names are used: most decisions, then the longest
    names, since exporters cut them."""

    def rank(index: int) -> tuple[int, int, str, str]:
        match = matches[index]
        rows = len(match.plays) + len(match.cubes)
        return -rows, -sum(map(len, match.players)), match.source.sha256, match.source.path

    return min(range(len(matches)), key=rank)


@dataclass(frozen=True, eq=False)
class Aligned:
    """The decisions of several analyses of one match: by side the row in its table of decisions.

    Two files are two sides. Games, turns and players are those of the reference; of a decision that
    it does not have, the game and the turn are those of the first side that has it.
    """

    sides: tuple[Scored, ...]
    """Each under its own rules."""
    seats: tuple[tuple[int, int], ...]
    """By side where it has the reference's players."""
    reference: int
    """Index of the side whose decisions and names these are."""
    rows: Ints
    """Shape [side, decision]: the row there (plays, cubes, resignations), -1 where the side does
    not have the decision."""

    @property
    def match(self) -> Match:
        """The reference file's match."""
        return self.sides[self.reference].match

    def __len__(self) -> int:
        return len(self.rows[0])

    @once
    def column(self, name: str, absent: Any = np.nan) -> npt.NDArray[Any]:
        """Shape [side, decision]: a column of every side's table; `absent` where a side does not
        have the decision."""
        columns = (decisions_of(side)[name] for side in self.sides)
        return np.array(list(map(at_rows, columns, self.rows, repeat(absent))))

    @cached_property
    def stated_by(self) -> Ints:
        """By decision the side that says what it is: the reference, or the first that has it."""
        order = np.array(sorted(range(len(self.sides)), key=self.reference.__ne__))
        first: Ints = order[(self.rows[order] >= 0).argmax(axis=0)]
        return first

    @once
    def stated(self, name: str) -> npt.NDArray[Any]:
        """A column as that side has it."""
        return self.column(name, 0)[self.stated_by, np.arange(len(self))]

    @property
    def game(self) -> Ints:
        """Number of the game."""
        return self.stated("game")

    @property
    def turn(self) -> Ints:
        """Number of the turn."""
        return self.stated("turn")

    @property
    def kind(self) -> Ints:
        """`Kind` of each."""
        return self.stated("kind_number")

    @property
    def kind_labels(self) -> npt.NDArray[np.object_]:
        """The kind of each in words."""
        return self.stated("kind")

    @cached_property
    def player(self) -> Ints:
        """The reference's seat of the decider."""
        player: Ints = self.stated("seat") ^ np.array(self.seats)[self.stated_by, 0]
        return player

    @cached_property
    def decision_class(self) -> Ints:
        """`DecisionClass` of each."""
        return CLASS_OF_KIND[self.kind]

    def place(self, decision: int) -> Place:
        """Where a decision is."""
        columns = self.game, self.turn, self.kind_labels
        game, turn, kind = (column[decision] for column in columns)
        return Place(int(game), int(turn), str(kind))

    def places(self, rows: Any, decider: str = "player") -> dict[str, npt.NDArray[Any]]:
        """Columns of where these decisions are, and of who decided, under the name `decider`."""
        return {
            "game": self.game[rows],
            "turn": self.turn[rows],
            "kind": self.kind_labels[rows],
            decider: np.array(self.match.names, object)[self.player[rows]],
        }

    @cached_property
    def decided(self) -> Bools:
        """Shape [side, decision]: whether the side has it as a play or a cube decision; a
        resignation is neither."""
        decided: Bools = (self.rows >= 0) & (self.kind < Kind.RESIGN)
        return decided

    @cached_property
    def paired(self) -> Bools:
        """Whether every side has it."""
        return np.asarray((self.rows >= 0).all(axis=0))

    @cached_property
    def _agree(self) -> Bools:
        """Whether all evaluated it, or none."""
        agree: Bools = self.evaluated.sum(axis=0) % len(self.sides) == 0
        return agree

    @cached_property
    def dead(self) -> Bools:
        """Whether every side has it, the cube is dead, and not all evaluated it: the others count
        it, if at all, without looking (Q16)."""
        dead: Bools = self.column("dead", False).all(axis=0) & ~self._agree
        return dead

    @cached_property
    def common(self) -> Bools:
        """Whether every side has it, and either all or none evaluated it; or some did and the cube
        is dead."""
        common: Bools = self.paired & (self._agree | self.dead)
        return common

    def in_order(self) -> Aligned:
        """The same decisions of two files in the order of play, which is one order whichever file
        is on the left: of two at one place that one file has each, the first file's comes first."""
        rows = np.sort(self.rows, axis=0)
        side = np.where(self.rows[0] >= 0, 1, -1)
        if not comes_first(*(side.match for side in self.sides)):
            side = -side
        first_turn = self.column("turn", np.iinfo(np.int64).max).min(axis=0)
        keys = np.where(self.paired, 0, side), rows[0], rows[1], self.kind, first_turn, self.game
        return replace(self, rows=self.rows[:, np.lexsort(keys)])

    def in_one_position(self) -> Aligned:
        """The same without those decisions of a side that are in another position."""
        alike = (self.column("position", 0) == self.stated("position")).all(axis=2)
        return replace(self, rows=np.where(alike | (self.kind >= Kind.RESIGN), self.rows, -1))

    def seat_named(self, player: str) -> int:
        """The reference's seat of a player under any file's name. Raises `UnknownName`."""
        for side, seats in zip(self.sides, self.seats, strict=True):
            with suppress(UnknownName):
                return seats.index(seat_of(side.match, player))
        return seat_of(self.match, player)

    @property
    def in_all(self) -> int:
        """Decisions that every file has."""
        return int(self.paired.sum())

    @property
    def evaluated(self) -> Bools:
        """Shape [side, decision]: whether the side evaluated it."""
        return self.column("evaluated", False)

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
        return np.where(self.evaluated, self.column("error"), np.nan)

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

    @property
    def counted(self) -> Bools:
        """Shape [side, decision]: whether it counts under the side's own rules."""
        return self.column("counted", False)

    @property
    def level(self) -> npt.NDArray[np.object_]:
        """Shape [side, decision]: how deep the tool looked, in its own words; empty where
        unknown."""
        return self.column("level", "")

    @property
    def _matches(self) -> Iterator[Match]:
        return (side.match for side in self.sides)

    @cached_property
    def _best(self) -> tuple[list[tuple[str, ...]], Votes]:
        """By decision the actions that some side thinks best, and by side and decision a bit for
        each that it does."""
        votes, positions = self._cube_votes(), self.stated("position")
        labels: list[tuple[str, ...]] = [CUBE_ACTIONS.get(kind, ()) for kind in self.kind.tolist()]
        for decision in np.flatnonzero(self.kind == Kind.PLAY).tolist():
            sides = zip(
                self.sides, self.rows[:, decision], self.evaluated[:, decision], strict=True
            )
            wanted = [best_plays(side, int(row)) if there else {} for side, row, there in sides]
            by_result = {result: play for best in reversed(wanted) for result, play in best.items()}
            results = sorted(by_result)[:MOST_ACTIONS]
            votes[:, decision] = [
                sum(1 << bit for bit, result in enumerate(results) if result in best)
                for best in wanted
            ]
            position = tuple(positions[decision].tolist())
            labels[decision] = tuple(play_text(position, by_result[result]) for result in results)
        return labels, votes

    def _cube_votes(self) -> Votes:
        """The bits of the best cube actions (`CUBE_ACTIONS`); where only an error is known, by
        that."""
        no_double, take, passed = map(self.column, ("no_double", "double_take", "double_pass"))
        kind, double = self.kind, np.minimum(take, passed) - no_double
        response = kind >= Kind.TAKE.value
        gain = np.where(
            response, take - passed, np.where(self.column("access", False), double, -1.0)
        )
        acted = np.where(response, kind == Kind.PASS.value, kind == Kind.DOUBLE.value)
        right, unknown = acted ^ (self.error > 0), gain != gain
        second, first = np.where(unknown, right, gain >= 0), np.where(unknown, ~right, gain <= 0)
        there = self.evaluated & np.isin(kind, list(CUBE_ACTIONS))
        return np.where(there, first + 2 * second, 0).astype(np.int64)

    @property
    def votes(self) -> Votes:
        """Shape [side, decision]: a bit for every action that the side thinks best (equal ones
        share it); 0 where it does not say."""
        return self._best[1]

    def action(self, decision: int, bits: int) -> str:
        """Actions of a decision in words: that of the first bit; empty without one."""
        labels = enumerate(self._best[0][decision])
        return next((label for bit, label in labels if bits >> bit & 1), "")

    def best(self, side: int, decision: int) -> str:
        """What a side thinks best, in words; empty where it does not say."""
        return self.action(decision, int(self.votes[side, decision]))

    def played(self, decision: int) -> str:
        """What was done, in words: the play in notation, or the kind of cube action."""
        return self.stated("played")[decision] or ""

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
        own = np.isin(self.player, seats) & (self.kind < Kind.RESIGN)
        rows = np.flatnonzero(chosen & own)
        keys = self.kind, self.turn, self.game, -np.round(size, 9)
        order: list[int] = rows[np.lexsort([key[rows] for key in keys])].tolist()
        return order

    @cached_property
    def majority(self) -> Votes:
        """Shape [decision]: the bits of what most voters think best; none where no side says what
        is best, or where opinions with as many votes differ."""
        return majority(self.votes[self.voters])

    def verdicts(self, side: int, rows: Sequence[int]) -> dict[str, list[Any]]:
        """What a side says of these decisions, as columns: `error` and `level`, `None` where
        unknown, and `counted`."""
        errors = self.error[side, rows].tolist()
        return {
            "error": [None if error != error else error for error in errors],
            "level": [level or None for level in self.level[side, rows].tolist()],
            "counted": self.counted[side, rows].tolist(),
        }

    def with_verdicts(self, rows: Sequence[int]) -> tuple[Row, ...]:
        """These decisions as all sides see them, a row each; docs/json.md has its keys under
        `disputes`."""
        verdicts = []
        for side in range(len(self.sides)):
            best = [self.best(side, row) or None for row in rows]
            verdicts.append(rows_of({"best": best, **self.verdicts(side, rows)}))
        return rows_of(
            {
                **self.places(rows),
                "played": list(map(self.played, rows)),
                "at_stake": self.at_stake[rows],
                "majority": [self.action(row, int(self.majority[row])) or None for row in rows],
                "dispute": np.where(self.disputed[rows], "choice", "size"),
                "verdicts": list(zip(*verdicts, strict=True)),
                "xgid": [text or None for text in self.stated("xgid")[rows]],
                "gnubg_id": [text or None for text in self.stated("gnubg_id")[rows]],
            }
        )

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


def aligned_to(reference: int, sides: Sequence[Scored], pairings: Sequence[Pairing]) -> Aligned:
    """The decisions of one of the files, as those in the same position of every other; `pairings`
    are from that file to each."""
    rows = np.array(list(map(partners, repeat(sides[reference]), sides, pairings)))
    rows[reference] = np.arange(rows.shape[1])
    seats = tuple(pairing.seats for pairing in pairings)
    return Aligned(tuple(sides), seats, reference, rows).in_one_position()


def aligned_pair(left: Scored, right: Scored, pairing: Pairing) -> Aligned:
    """The decisions that one of two files has or both have, in the order of play."""
    partner = partners(left, right, pairing)
    is_alone = np.ones(len(right.facts), bool)
    is_alone[partner[partner >= 0]] = False
    alone = np.flatnonzero(is_alone)
    absent = np.full(len(alone), -1)
    rows = np.append(np.arange(len(partner)), absent), np.append(partner, alone)
    return Aligned((left, right), ((0, 1), pairing.seats), 0, np.array(rows)).in_order()


def partners(left: Scored, right: Scored, pairing: Pairing) -> Ints:
    """By row of the left file that of the same decision in the right one; -1 where it has none."""
    rows = np.full(len(left.facts), -1)
    rows[pairing.plays[0]] = pairing.plays[1]
    rows[len(left.match.plays) + pairing.cubes[0]] = len(right.match.plays) + pairing.cubes[1]
    here, there = _resignations(left.match, (0, 1)), _resignations(right.match, pairing.seats)
    for key in here.keys() & there.keys():
        rows[here[key]] = there[key]
    return rows


def _resignations(match: Match, seats: tuple[int, int]) -> dict[tuple[int, ...], int]:
    """Rows of resignations and answers to them by game, player, kind, and which of these."""
    table = match.resignations
    columns = match.games.number[table.game], np.array(seats)[table.player], table.kind
    times, rows = Counter[tuple[int, ...]](), {}
    for row, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        rows[*key, times[key]] = len(match.plays) + len(match.cubes) + row
        times[key] += 1
    return rows


def at_rows(values: npt.NDArray[Any], rows: Ints, absent: Any) -> npt.NDArray[Any]:
    """A column of a file at some of its rows; `absent` where it has no such row."""
    there = (rows >= 0) & (rows < len(values))
    last = np.full((1, *values.shape[1:]), absent)
    return np.concatenate((values, last))[np.where(there, rows, len(values))]


ERROR, LOSS, COUNT, MOVES = range(4)
"""Of a decision as a file has it: equity lost (EMG), percentage points of match winning chance
lost, whether it counts, and whether it is a roll that was played."""


def charges(scored: Scored, rows: Ints) -> Floats:
    """What a file charges for the decisions in these rows, shape [`ERROR` to `MOVES`, decision]; 0
    where it does not have one."""
    played = scored.match.plays.validity != Validity.UNPLAYED
    columns = scored.error, scored.loss, scored.counted, played
    # Some files keep single precision: the product is taken in double.
    result = np.array([at_rows(column, rows, 0).astype(np.float64) for column in columns])
    result[LOSS] *= 100
    return result


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
