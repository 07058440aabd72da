"""The exercises in matches: the decisions on which a player erred, with what every program says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reconcile.gap.folders import (
    FileLeftOver,
    Progress,
    person_named,
    persons_of,
    reviewed_matches,
)
from reconcile.gap.naming import tool_name
from reconcile.gap.review import Review
from reconcile.match.aliases import NO_ALIASES, Aliases
from reconcile.match.board.identifiers import Situation, situations, xgids
from reconcile.match.board.position import swap
from reconcile.match.columns import Kind
from reconcile.match.match import Candidate, Decision, Match, chances_of_other
from reconcile.match.names import fold
from reconcile.match.phases import PHASES
from reconcile.scoring.decisions import DecisionTable, decisions_of
from reconcile.scoring.grades import ERROR, at_least
from reconcile.scoring.score import CLASS_OF_KIND

KINDS: Final = ("play", "double", "take")
"""By `DecisionClass` what an exercise asks for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one analysis says of a decision."""

    tool: str
    """The program, by its full name."""
    program: str
    """What reports call the analysis: the program's short name, with its depth where several are by
    it."""
    level: str
    """How deep it looked, in its own words."""
    error: float
    """Equity lost (EMG) by what was done."""
    candidates: tuple[Candidate, ...] = ()
    """Of a checker play, best first."""
    cube: tuple[float, float, float] | None = None
    """Of a cube decision the equity (EMG) of the player on roll: no double, double and take, double
    and pass."""
    chances: tuple[float, ...] = ()
    """Of a cube decision those of the player on roll, as in `Candidate`; empty if not given."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A decision to be tried again."""

    file: str
    """Where it is from: the file with most decisions."""
    decision: Decision
    """Position, dice and score in the decider's view."""
    situation: Situation
    """The same as the player on roll sees it, who sits at the bottom; of an answer to a double that
    is the opponent."""
    opponent: str
    phase: str
    played: str
    """What was done, in words."""
    answers: tuple[Answer, ...]
    """Of every analysis that looked at it, in the order given."""
    comment: str
    """What the file says of it; empty where nothing."""

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return KINDS[CLASS_OF_KIND[self.decision.kind]]

    @property
    def cost(self) -> float:
        """Equity lost (EMG) by the analysis that charges most."""
        return max(answer.error for answer in self.answers)

    @property
    def xgid(self) -> str:
        """As XG takes it: the player on roll at the bottom, before any double."""
        return xgids(situations([self.situation]))[0]

    @property
    def place(self) -> str:
        """Match, game and turn in words."""
        decision = self.decision
        return (
            f"{decision.player} against {self.opponent}, game {decision.game}, turn {decision.turn}"
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which decisions become exercises; the default is every error."""

    kinds: frozenset[str] = frozenset(KINDS)
    phases: frozenset[str] = frozenset(PHASES)
    least: float = ERROR
    """The smallest cost (EMG)."""
    score: tuple[int, int] | None = None
    """Points that the decider and the opponent need; (0, 0) is money, `None` any."""
    program: str = ""
    """Only by analyses of the tools whose name has this; empty for all."""
    everywhere: bool = False
    """Only what costs `least` or more by every analysis."""

    def __contains__(self, exercise: Exercise) -> bool:
        """Whether it is of a wanted kind, phase and score; what it costs is looked at before."""
        away = exercise.decision.away or (0, 0)
        return (
            exercise.kind in self.kinds
            and exercise.phase in self.phases
            and self.score in (None, away)
        )


@dataclass(frozen=True, slots=True)
class Exercises:
    """The exercises of one player."""

    player: str
    matches: int
    """Of the player, whether or not there is an exercise in them."""
    wanted: Wanted
    exercises: tuple[Exercise, ...]
    """The most costly first."""
    leftovers: tuple[FileLeftOver, ...] = ()
    """Files that are no match, could not be read, or repeat another."""


def exercises(
    paths: Sequence[str],
    player: str,
    wanted: Wanted,
    *,
    aliases: Aliases = NO_ALIASES,
    progress: Progress = lambda task, done, total: None,
) -> Exercises:
    """The exercises of a player in the matches of files, folders and archives.

    `player` is any part of the name that no other player there has. Raises `NothingToCompare` where
    there is no match, `UnknownName` where the player is in none.
    """
    reviews, leftovers = reviewed_matches(paths, aliases, progress)
    several = exercises_in([each for each, _ in reviews], player, wanted, paths, aliases)
    return replace(several, leftovers=tuple(leftovers))


def exercises_in(
    reviews: Sequence[Review],
    player: str,
    wanted: Wanted,
    paths: Sequence[str],
    aliases: Aliases = NO_ALIASES,
) -> Exercises:
    """The same in matches that were read from these paths. Raises `UnknownName`."""
    seats = [
        (review, seat, person)
        for review in reviews
        for seat, person in enumerate(persons_of(review, aliases))
    ]
    persons = {fold(person): person for _, _, person in seats}
    name = person_named(player, persons.values(), aliases, paths)
    mine = [(review, seat) for review, seat, person in seats if fold(person) == fold(name)]
    chosen = [each for played in mine for each in _of_match(*played, wanted) if each in wanted]
    chosen.sort(key=lambda each: (-round(each.cost, 5), each.file, each.place))
    return Exercises(name, len(mine), wanted, tuple(chosen))


def _of_match(review: Review, seat: int, wanted: Wanted) -> Iterator[Exercise]:
    """The decisions of a player that cost as much as is wanted, by the analyses of the program."""
    match, aligned = review.match, review.aligned
    sides = [
        side
        for side, each in enumerate(review.matches)
        if wanted.program.lower() in f"{each.source.tool} {tool_name(each)}".lower()
    ]
    if not sides:
        return
    table = decisions_of(aligned.sides[aligned.reference])
    evaluated, error = aligned.evaluated[sides], aligned.error[sides]
    least = np.where(evaluated, error, np.inf).min(axis=0)
    most = np.where(evaluated, error, -np.inf).max(axis=0)
    own = (aligned.player == seat) & (aligned.kind < Kind.RESIGN) & evaluated.any(axis=0)
    costs = at_least(least if wanted.everywhere else most, wanted.least)
    for row in np.flatnonzero(own & costs).tolist():
        answers = [_answer(review, side, row) for side in sides if aligned.evaluated[side, row]]
        yield _exercise(match, table, row, aligned.played(row).replace("-", " "), answers)


def _exercise(
    match: Match, table: DecisionTable, row: int, played: str, answers: Sequence[Answer]
) -> Exercise:
    decision, seat = match.decision(row), int(table["seat"][row])
    # As in every identifier: the score of a money session is no part of a position.
    score = [0, 0] if match.is_money else match.games.score[match.game_row(decision.game)].tolist()
    situation = Situation(
        position=decision.position,
        dice=decision.dice or (0, 0),
        cube=decision.cube,
        owner=int(table["owner"][row]),
        length=match.length,
        score=(score[seat], score[1 - seat]),
        crawford=bool(table["crawford"][row]),
        jacoby=match.rules.jacoby,
        beavers=match.rules.beavers,
    )
    if decision.kind >= Kind.TAKE:
        # The owner is already as the player on roll sees it.
        turned, score = swap(situation.position), situation.score[::-1]
        situation = replace(situation, position=turned, score=score)
    return Exercise(
        match.source.path,
        decision,
        situation,
        match.names[1 - seat],
        table["phase"][row],
        played,
        tuple(answers),
        table["comment"][row],
    )


def _answer(review: Review, side: int, row: int) -> Answer:
    aligned, statistics = review.aligned, review.analyses[side]
    there = int(aligned.rows[side, row])
    answer = Answer(
        statistics.match.source.tool,
        review.labels[side],
        aligned.level[side, row],
        float(aligned.error[side, row]),
    )
    plays = len(statistics.match.plays)
    if there < plays:
        return replace(answer, candidates=statistics.match.candidates(there))
    view, cubes = statistics.scored.view, statistics.match.cubes
    no_double, take, drop = (
        float(column[there - plays])
        for column in (view.no_double, view.double_take, view.double_pass)
    )
    chances = tuple(cubes.chances[there - plays, 0].tolist())
    if cubes.kind[there - plays] >= Kind.TAKE:
        chances = chances_of_other(chances)
    is_known = no_double == no_double and take == take and drop == drop
    return replace(
        answer,
        cube=(no_double, take, drop) if is_known else None,
        chances=() if np.isnan(chances).any() else chances,
    )
