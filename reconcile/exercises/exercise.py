"""The exercises in matches: the decisions on which a player erred, with what every program says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reconcile.gap.folders import (
    FileLeftOver,
    Progress,
    person_named,
    persons_of,
    reviewed_matches,
)
from reconcile.gap.review import Review
from reconcile.gap.rows import tool_name
from reconcile.language import joined, say
from reconcile.match.board.position import PHASES, Situation, from_xgid, xgids
from reconcile.match.columns import Kind
from reconcile.match.match import Candidate, Decision, chances_of_other
from reconcile.match.names import NO_ALIASES, Aliases, fold
from reconcile.report.html.decision_list import CUBE_VALUES
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.grades import ERROR, at_least
from reconcile.scoring.score import CLASS_OF_KIND, Scored

KINDS = ("play", "double", "take")
"""By `DecisionClass` what an exercise asks for."""
SHOWN = 3
"""Decimals of an error (EMG)."""


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
    decision: Decision
    """The decision as its file has it."""
    equities: tuple[float, ...]
    """Of a cube decision those (EMG) of the player on roll: no double, double and take, double and
    pass; NaN if not given."""

    @property
    def candidates(self) -> list[Candidate]:
        """The plays with an equity, best first."""
        return [each for each in self.decision.candidates if each.equity is not None]

    @property
    def cube(self) -> tuple[float, ...]:
        """The three equities; empty where one is unknown."""
        return () if np.isnan(self.equities).any() else self.equities

    @property
    def chances(self) -> tuple[float, ...]:
        """Of a cube decision those of the player on roll, as in `Candidate`; empty if not given."""
        chances = self.decision.chances[0]
        if self.decision.kind >= Kind.TAKE:
            chances = chances_of_other(chances)
        return () if np.isnan(chances).any() else chances


@dataclass(frozen=True, slots=True)
class Exercise:
    """A decision to be tried again."""

    file: str
    """Where it is from: the file with most decisions."""
    decision: Decision
    """Position, dice and score in the decider's view."""
    xgid: str
    """As XG takes it: the player on roll at the bottom, before any double."""
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
    def charged_by(self) -> Answer:
        """The answer that charges most, of those that charge as much the first."""
        return max(self.answers, key=lambda answer: round(answer.error, SHOWN))

    @property
    def cost(self) -> float:
        """Equity lost (EMG) by the analysis that charges most."""
        return max(answer.error for answer in self.answers)

    @property
    def situation(self) -> Situation:
        """The same as the player on roll sees it; of an answer to a double that is the opponent."""
        return from_xgid(self.xgid)

    @property
    def place(self) -> str:
        """Match, game and turn in words."""
        decision = self.decision
        against = say("mast.against", player=decision.opponent)
        where = say("evidence.turn", game=decision.game, turn=decision.turn)
        return joined(", ", joined(" ", decision.player, against), where)


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
    there is no match, `UnknownName` where the player is in none. What no XGID can say, as in a
    damaged game, is no exercise.
    """
    reviews, leftovers = reviewed_matches(paths, aliases, progress)
    several = exercises_in(reviews, player, wanted, paths, aliases)
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
    every = (each for played in mine for each in _of_match(*played, wanted))
    chosen = [each for each in every if each.xgid and each in wanted]
    chosen.sort(key=lambda each: (-round(each.cost, 5), each.file, each.place))
    return Exercises(name, len(mine), wanted, tuple(chosen))


def _of_match(review: Review, seat: int, wanted: Wanted) -> Iterator[Exercise]:
    """The decisions of a player that cost as much as is wanted, by the analyses of the program."""
    aligned = review.aligned
    sides = [
        side
        for side, each in enumerate(review.matches)
        if wanted.program.lower() in f"{each.source.tool} {tool_name(each)}".lower()
    ]
    if not sides:
        return
    evaluated, error = aligned.evaluated[sides], aligned.error[sides]
    least = np.where(evaluated, error, np.inf).min(axis=0)
    most = np.where(evaluated, error, -np.inf).max(axis=0)
    own = (aligned.player == seat) & (aligned.kind < Kind.RESIGN) & evaluated.any(axis=0)
    costs = at_least(least if wanted.everywhere else most, wanted.least)
    cubes = np.array([aligned.column(name) for name in CUBE_VALUES])
    for row in np.flatnonzero(own & costs).tolist():
        answers = tuple(
            Answer(
                review.matches[side].source.tool,
                review.labels[side],
                aligned.level[side, row],
                float(aligned.error[side, row]),
                aligned.sides[side].match.decision(int(aligned.rows[side, row])),
                tuple(cubes[:, side, row].tolist()),
            )
            for side in sides
            if aligned.evaluated[side, row]
        )
        by = int(aligned.stated_by[row])
        yield _exercise(aligned.sides[by], int(aligned.rows[by, row]), answers)


def _exercise(scored: Scored, row: int, answers: tuple[Answer, ...]) -> Exercise:
    """A row of a match. Its ID has the player on roll at the bottom, and no double yet."""
    match, table = scored.match, decisions_of(scored)
    asked = scored.facts.situations(slice(row, row + 1))
    (xgid,) = xgids(replace(asked, decider_is_top=asked.double_offered))
    return Exercise(
        match.source.path,
        match.decision(row),
        xgid.replace(":D:", ":00:"),
        table["phase"][row],
        (table["played"][row] or "").replace("-", " "),
        answers,
        table["comment"][row],
    )
