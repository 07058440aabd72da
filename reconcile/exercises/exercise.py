"""The exercises in matches: the decisions on which a player erred, with what every program says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reconcile.errors import UnknownName
from reconcile.gap.folders import (
    File,
    FileLeftOver,
    Progress,
    files_of,
    grouped,
    name_with_folder,
    reviews_of,
    without_matches,
)
from reconcile.gap.naming import tool_name
from reconcile.gap.review import Review
from reconcile.match.aliases import NO_ALIASES, Aliases
from reconcile.match.board.identifiers import Situation, situations, xgids
from reconcile.match.board.position import swap
from reconcile.match.columns import Kind
from reconcile.match.match import Candidate, Decision, Match
from reconcile.match.names import fold, names_with
from reconcile.match.phases import PHASES
from reconcile.scoring.decisions import DecisionTable, decisions_of
from reconcile.scoring.grades import ERROR
from reconcile.wording import did_you_mean

KINDS: Final = ("play", "double", "take")
"""What an exercise may ask for: a checker play, whether to double, the answer to a double."""


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
    best: str
    """The action it prefers, in words."""
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
        kind = self.decision.kind
        if kind is Kind.PLAY:
            return "play"
        return "double" if kind in (Kind.NO_DOUBLE, Kind.DOUBLE) else "take"

    @property
    def cost(self) -> float:
        """Equity lost (EMG) by the analysis that charges most."""
        return max(answer.error for answer in self.answers)

    @property
    def agreed(self) -> float:
        """Equity lost (EMG) by the analysis that charges least."""
        return min(answer.error for answer in self.answers)

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
        away = exercise.decision.away or (0, 0)
        return (
            exercise.kind in self.kinds
            and exercise.phase in self.phases
            and self.score in (None, away)
            and round(exercise.agreed if self.everywhere else exercise.cost, 5) >= self.least
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
    read: list[File] = []
    leftovers: list[FileLeftOver] = []
    tasks = ["reading"] * len(paths)
    for files, rest in files_of(paths, tasks, name_with_folder, progress):
        read += files
        leftovers += rest
    if not read:
        raise without_matches(", ".join(paths), leftovers)
    groups = grouped(read, aliases.groups)
    reviews = [each for group in groups for each, _ in reviews_of(group, leftovers, aliases.groups)]
    seats = [(each, seat, _person(each, seat, aliases)) for each in reviews for seat in (0, 1)]
    name = _chosen(player, aliases, {fold(person): person for _, _, person in seats})
    mine = [(each, seat) for each, seat, person in seats if fold(person) == fold(name)]
    chosen = [each for played in mine for each in _of_match(*played, wanted) if each in wanted]
    chosen.sort(key=lambda each: (-round(each.cost, 5), each.file, each.place))
    return Exercises(name, len(mine), wanted, tuple(chosen), tuple(leftovers))


def _person(review: Review, seat: int, aliases: Aliases) -> str:
    match = review.match
    return aliases.person(review.names[seat], match.event, match.source.path, match.date)


def _chosen(player: str, aliases: Aliases, persons: Mapping[str, str]) -> str:
    """The one player that is meant. Raises `UnknownName`."""
    names = names_with(aliases.chosen(player), persons.values())
    if len(names) != 1:
        near = f": {', '.join(names)}" if names else did_you_mean(player, persons.values())
        several = "more than one" if names else "no"
        raise UnknownName(f"{several} player {player!r} in any match{near}")
    return names[0]


def _of_match(review: Review, seat: int, wanted: Wanted) -> Iterator[Exercise]:
    """Every decision of a player on which a chosen analysis charges anything."""
    match, aligned = review.match, review.aligned
    sides = [
        side
        for side, each in enumerate(review.matches)
        if wanted.program.lower() in f"{each.source.tool} {tool_name(each)}".lower()
    ]
    table = decisions_of(aligned.sides[aligned.reference])
    own = aligned.player[: len(match.plays) + len(match.cubes)] == seat
    for row in np.flatnonzero(own).tolist():
        answers = [_answer(review, side, row) for side in sides if aligned.error[side, row] >= 0]
        if any(answer.error > 0 for answer in answers):
            played = aligned.played(row).replace("-", " ")
            yield _exercise(match, table, row, played, answers)


def _exercise(
    match: Match, table: DecisionTable, row: int, played: str, answers: Sequence[Answer]
) -> Exercise:
    decision, seat = match.decision(row), int(table["seat"][row])
    score = match.games.score[match.game_row(decision.game)].tolist()
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
        aligned.best(side, row),
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
    is_known = no_double == no_double and take == take and drop == drop
    return replace(
        answer,
        cube=(no_double, take, drop) if is_known else None,
        chances=() if np.isnan(chances).any() else chances,
    )
