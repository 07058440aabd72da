"""A match under a rule set: which decisions count, and how much each lost. Arithmetic over columns
only.

Rows of a result are the rows of `Match.plays`, then `Match.cubes`, then `Match.resignations`.

Several matches as one table of decisions, so that a rule set scores all of them in one pass.

What a decision costs depends on its row, on the points both players need and on the table, never on
another match. So matches may be scored together if whatever the rules ask of a file as a whole has
the same answer for each.

Turns with a dead cube as decisions: the cube could be turned, but its present value already wins
the match.

Programs keep no record of such a turn, because there is nothing to evaluate. A rule set that counts
them (Q16) needs a row for each, in every file of a match alike, so that files can be paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from reconcile.match.columns import (
    Bools,
    Cubes,
    Floats,
    Games,
    Ints,
    Kind,
    Plays,
    Resignations,
    Validity,
)
from reconcile.match.match import LONGEST_MATCH, Candidate, Facts, Match, no_candidates
from reconcile.match.met import Met
from reconcile.match.met.equity import chance_of, equity_of, stakes
from reconcile.match.values import Value, grouped
from reconcile.notebook import one_line
from reconcile.rules.q01_play_counts import LEAST_SPREAD
from reconcile.rules.rulesets import (
    Q01,
    Q02,
    Q03,
    Q04,
    Q05,
    Q06,
    Q07,
    Q10,
    Q14,
    Q15,
    Q16,
    QUESTIONS,
    RuleSet,
)
from reconcile.rules.values import ROUNDED, ErrorSize, Resigning
from reconcile.rules.views import DIGITS, NO_ERROR, CubeView
from reconcile.scoring.sums import DecisionClass

FLOATS = (
    ("best", "stored_error", "luck"),
    ("no_double", "double_take", "double_pass", "stored_error"),
)
"""Columns of plays and of cubes in the tool's own precision, which a column of another would
change."""

INFLATED = frozenset({"xg"})
"""Formats whose files are inflated to records of a fixed size, ten times what scoring uses of
them."""

Table = TypeVar("Table", Plays, Cubes, Resignations, Games)


def groups(matches: Sequence[Match], rules: Iterable[RuleSet]) -> list[list[int]]:
    """Which matches may be joined, by their place in the list, in the order of the first of each
    group."""
    asked = tuple(dict.fromkeys(applies for each in rules for applies in _asked_of_a_file(each)))
    alike = grouped(range(len(matches)), lambda number: _alike(matches[number], number, asked))
    return list(alike.values())


def _asked_of_a_file(rules: RuleSet) -> Iterator[Callable[[Match], bool]]:
    """Whether a file has what the answers of a rule set need, and those that are used in their
    place."""
    for code, name in rules.answers.items():
        answer = QUESTIONS[code].answers[name]
        while answer.fallback:
            yield answer.applies
            answer = QUESTIONS[code].answers[answer.fallback]


def _alike(match: Match, number: int, asked: Sequence[Callable[[Match], bool]]) -> object:
    """What joined matches have in common: all that scoring asks of a file and not of a row."""
    if match.known_chances is not None:  # a match equity table of its own
        return number
    plays, cubes = match.plays, match.cubes
    return (
        match.is_money,
        match.cube_unit,
        match.source.tool,
        match.rules.cube,
        *(applies(match) for applies in asked),
        *(
            bool(np.count_nonzero(table.stored_error == table.stored_error))
            for table in (plays, cubes)
        ),
        *(
            getattr(table, name).dtype.char
            for table, names in zip((plays, cubes), FLOATS, strict=True)
            for name in names
        ),
    )


def settled(match: Match) -> Match:
    """The match with every column made and without its file, candidates and the chances of cube
    decisions, if its file needs far more memory than its columns.

    Else a match that waits to be joined would keep the memory of its file from the next one.
    """
    if match.source.format not in INFLATED:
        return match
    source = replace(match.source, content=b"")
    columns = {name: getattr(match.cubes, name) for name in Cubes.names()}
    cubes = Cubes(len(match.cubes), columns)
    return copy(replace(match, source=source, candidates=no_candidates, cubes=cubes))


def joined(matches: Sequence[Match]) -> Match:
    """Alike matches as one: rows in the order of the matches, games numbered on, every score
    shifted to one length.

    Its players, notes and levels are those of the first match; a row's `level` means nothing.
    """
    if len(matches) == 1:
        return matches[0]
    first = matches[0]
    starts = [0, *accumulate(len(match.games) for match in matches)]
    games = _stacked(Games, [match.games for match in matches])
    if not first.is_money:
        shifts = np.repeat(
            [LONGEST_MATCH - (match.length or 0) for match in matches], np.diff(starts)
        )
        games = games.replaced(score=games.score + shifts[:, np.newaxis])
    rows = [0, *accumulate(len(match.plays) for match in matches)]

    def candidates(row: int) -> tuple[Candidate, ...]:
        number = int(np.searchsorted(rows, row, "right")) - 1
        return matches[number].candidates(row - rows[number])

    return replace(
        first,
        length=None if first.is_money else LONGEST_MATCH,
        games=games,
        plays=_stacked(Plays, [match.plays for match in matches], starts),
        cubes=_stacked(Cubes, [match.cubes for match in matches], starts),
        resignations=_stacked(Resignations, [match.resignations for match in matches], starts),
        candidates=candidates,
        read_first=None,
        read_evaluations=None,
    )


def _stacked(
    kind: type[Table], tables: Sequence[Table], starts: Sequence[int] | None = None
) -> Table:
    """Tables below each other; `starts` has the first game of each."""

    def column(name: str) -> Any:
        values = [getattr(table, name) for table in tables]
        if name == "game" and starts is not None:
            values = [value + start for value, start in zip(values, starts, strict=False)]
        return np.concatenate(values)

    columns: dict[str, Callable[[], Any]] = {
        name: partial(column, name) for name in kind.names() if name != "play"
    }
    if kind is Plays:
        of_plays: Sequence[Any] = tables
        columns["play"] = lambda: [play for table in of_plays for play in table.play]
    return kind(sum(map(len, tables)), columns)


FIRST_TURN_WITH_A_CUBE = 2
WIDEST_GAME = 1_000_000
"""More turns than any game has."""


def is_dead(match: Match) -> Bools:
    """Whether the cube is dead for the decider of every row of `Match.cubes`; false in money
    play."""
    cubes = match.cubes
    if match.is_money:
        return np.zeros(len(cubes), bool)
    dead: Bools = cubes.cube >= match.away[cubes.game, cubes.player]
    return dead


def can_matter(code: str, match: Match) -> bool:
    """Whether the match has anything that a question is about; true for a question that is about
    every match."""
    if code == "Q16":  # rules do not know what a dead cube is
        return bool((is_dead(match) & (match.cubes.kind == Kind.NO_DOUBLE)).any())
    return QUESTIONS[code].matters(match)


def play_rows(match: Match) -> Ints:
    """For every row of `Match.cubes` the row of `Match.plays` with the roll of the same turn, -1
    where nothing was rolled."""
    plays, cubes = match.plays, match.cubes
    if not len(plays):
        return np.full(len(cubes), -1)
    rolled, wanted = (table.game * WIDEST_GAME + table.turn for table in (plays, cubes))
    nearest = rolled.searchsorted(wanted).clip(0, len(plays) - 1)
    return np.where(rolled[nearest] == wanted, nearest, -1)


def with_dead_cubes(match: Match) -> Match:
    """The match with a no-double, not analysed and not expected to be, for every turn with a dead
    cube that has no cube action."""
    plays, cubes = match.plays, match.cubes
    if match.is_money or not match.rules.cube:
        return match
    dead = (
        (plays.cube >= match.away[plays.game, plays.player])
        & (plays.owner >= 0)
        & (plays.turn >= FIRST_TURN_WITH_A_CUBE)
    )
    dead &= ~match.games.crawford[plays.game] & (plays.validity != Validity.UNPLAYED.value)
    acted = play_rows(match)[cubes.kind <= Kind.DOUBLE.value]
    dead[acted[acted >= 0]] = False
    rows = np.flatnonzero(dead)
    if not len(rows):
        return match
    fixed = {"kind": Kind.NO_DOUBLE.value, "flag": -1, "level": -1, "half": 0.0}

    def column(name: str) -> Any:
        present = getattr(cubes, name)
        if name in ("game", "turn", "player", "cube", "owner", "position"):
            added = getattr(plays, name)[rows]
        else:
            value = fixed.get(name, np.nan if present.dtype.kind == "f" else 0)
            added = np.full((len(rows), *present.shape[1:]), value, present.dtype)
        return np.concatenate((present, added)) if len(present) else added

    order = np.lexsort((column("turn"), column("game"), column("kind") >= Kind.TAKE.value))
    columns = {
        name: (lambda name=name: column(name)[order]) for name in (*Cubes.names(), "chances")
    }
    return replace(match, cubes=Cubes(len(order), columns))


FROM_CANDIDATES = (
    ErrorSize.FIRST_CANDIDATE,
    ErrorSize.FIRST_IF_COUNTED,
    ErrorSize.TEN_THOUSANDTH,
)
"""Sizes of an error in a play that are the best candidate less the play made."""
_CHECKER, _DOUBLE, _TAKE, _RESIGNATION = DecisionClass
CLASS_OF_KIND = np.array(
    [_CHECKER, _DOUBLE, _DOUBLE, _TAKE, _TAKE, _TAKE, _RESIGNATION, _RESIGNATION]
)
"""The class of decisions of each `Kind`."""
COUNTING_CUBES = frozenset({"Q02", "Q03", "Q04", "Q15"})
"""Questions that change which cube decisions count, and nothing else."""


@dataclass(frozen=True, eq=False)
class Scored(Value):
    """Every decision of a match, scored under one rule set."""

    match: Match
    rules: RuleSet
    """The rules as far as the file supports them, see `RuleSet.for_match`."""
    replaced: tuple[tuple[str, str, str], ...]
    """Answers that the file does not support: (question, wanted, used)."""
    met: Met
    game: Ints
    player: Ints
    """Seat of the decider."""
    kind: Ints
    """`Kind` of each row."""
    counted: Bools
    error: Floats
    """Equity lost (EMG); 0 if unknown (see `Plays.analysed`)."""
    loss: Floats
    """The same in match winning chance (0 to 1), in points for money."""
    win: Floats
    lose: Floats
    """Match winning chance (0 to 1) after winning or losing the cube, in the view that the decision
    is weighed in; points for money."""
    view: CubeView

    @cached_property
    def facts(self) -> Facts:
        """What the match says of every decision, whatever the rules."""
        return Facts(self.match)

    @property
    def decision_class(self) -> Ints:
        """`DecisionClass` of each row."""
        return CLASS_OF_KIND[self.kind]

    def __repr__(self) -> str:
        return one_line(
            self,
            f"under {self.rules.name}: {int(self.counted.sum())} of {len(self.counted)} decisions "
            "count",
        )


def score(match: Match, rules: RuleSet, met: Met) -> Scored:
    """Score every decision of a match.

    What every row needs (its game, seat and stakes, its loss) is computed once over all rows, since
    a call of NumPy costs more than the few hundred numbers it works on.
    """
    rules, replaced = rules.for_match(match)
    if rules.value(Q16):
        match = with_dead_cubes(match)
    plays, cubes, resignations = match.plays, match.cubes, match.resignations
    tables: list[Plays | Cubes | Resignations] = [plays, cubes]
    if rules.value(Q07) is not Resigning.LEFT_OUT and len(resignations):
        tables.append(resignations)
    game, player, cube = (
        np.concatenate([getattr(table, column) for table in tables])
        for column in ("game", "player", "cube")
    )
    kind = np.concatenate(
        [np.full(len(plays), Kind.PLAY.value), *(table.kind for table in tables[1:])]
    )
    cube_rows = slice(len(plays), len(plays) + len(cubes))
    response = cubes.kind >= Kind.TAKE.value
    # A response is weighed at the cube of the double, in the doubler's view.
    seat = player.copy()
    seat[cube_rows] ^= response & ~cubes.answers_beaver
    doubled: int = rules.value(Q10)
    at_stake = stakes(match, met, int(cube.max(initial=1)) << doubled)
    win, lose = at_stake.of(game, seat, cube)
    plays_count: Bools = rules.value(Q01)(plays) & plays.analysed
    view = _view(match, rules, win[cube_rows], lose[cube_rows], plays_count)
    if doubled:
        cube[cube_rows] <<= response
        win, lose = at_stake.of(game, seat, cube)
    counted, error = _charged(match, rules, view, plays_count, resigned=len(tables) > 2)
    loss = chance_lost(error, win, lose, met)
    return Scored(
        match, rules, replaced, met, game, player, kind, counted, error, loss, win, lose, view
    )


def _charged(
    match: Match, rules: RuleSet, view: CubeView, plays_count: Bools, *, resigned: bool
) -> tuple[Bools, Floats]:
    """Which rows count, and what each costs (EMG), resignations among them where these are
    `resigned`."""
    plays, cubes = match.plays, match.cubes
    cubes_count, judged = counted_cubes(match, rules, view)
    if rules.value(Q05):
        plays_count = plays_count | (~plays.analysed & (plays.legal > 1))
    size: ErrorSize = rules.value(Q06)
    counted = [plays_count, cubes_count]
    errors = [_play_errors(plays, size, plays_count), _cube_errors(cubes, view, size, judged)]
    if resigned:
        # Columns without a value must not change the precision of the others, or the same file
        # would be scored in two ways.
        stored = match.resignations.stored_error.astype(np.result_type(*errors))
        errors.append(np.where(stored == stored, stored, 0))
        counted.append((stored == stored) & (rules.value(Q07) is Resigning.COUNTED))
    return np.concatenate(counted), np.concatenate(errors)


def rescored(scored: Scored, rules: RuleSet) -> Scored:
    """The match under rules with some other answers, as far as these reach; `scored` itself where
    none changes what counts."""
    if not COUNTING_CUBES.issuperset(scored.rules.differing(rules)):
        return score(scored.match, rules, scored.met)
    rules, replaced = rules.for_match(scored.match)
    counted, plays = scored.counted.copy(), len(scored.match.plays)
    counted[plays : plays + len(scored.match.cubes)] = counted_cubes(
        scored.match, rules, scored.view
    )[0]
    if np.array_equal(counted, scored.counted):
        return scored
    return replace(scored, rules=rules, replaced=(*scored.replaced, *replaced), counted=counted)


def counted_cubes(match: Match, rules: RuleSet, view: CubeView) -> tuple[Bools, Bools]:
    """Which rows of `Match.cubes` count, and of which the error is known, under rules that their
    file supports.

    `view` may be that of other rules, if these give the same answers to Q01, Q10, Q14 and Q16.
    """
    cubes = match.cubes
    judged = cubes.analysed if rules.value(Q14) else cubes.analysed & ~cubes.answers_beaver
    acted = view.acted
    close = rules.value(Q02)(view) & rules.value(Q03)(view) & ~acted
    dead = is_dead(match) & ~acted
    if rules.value(Q16):
        close |= dead & ~cubes.analysed & view.play_counts
        judged = judged | (dead & ~cubes.analysed)
    else:
        close &= ~dead | cubes.access
    if rules.value(Q15):
        acted = acted & _wrong(cubes, view)
    counted: Bools = judged & (close | acted) & rules.value(Q04)(view)
    if rules.value(Q05):
        counted |= ~cubes.analysed & cubes.expected
    return counted, judged


def chance_lost(error: Floats, win: Floats, lose: Floats, met: Met) -> Floats:
    """Errors (EMG) in match winning chance (0 to 1), points in money play, where winning and losing
    the cube leave these chances.

    As in gnuBG: the image of minus the error, less the image of 0.
    """
    loss: Floats = (win + lose) / 2 - chance_of(-error, win, lose)
    if met.is_partial:
        loss[error == 0] = 0  # also at a score that the table does not have
    return loss


def _view(match: Match, rules: RuleSet, win: Floats, lose: Floats, plays_count: Bools) -> CubeView:
    def play_counts() -> Bools:
        rows = play_rows(match)
        counts = rows >= 0
        counts[counts] = plays_count[rows[counts]]
        return counts

    cubes = match.cubes
    no_double, double_take, double_pass = cubes.no_double, cubes.double_take, cubes.double_pass
    if match.cube_unit == "mwc":
        # Passing loses the cube at its current value: the equity is 1 up to float32, as in gnuBG.
        double_pass = np.where(cubes.analysed, equity_of(win, win, lose), np.float32(np.nan))
        no_double, double_take = equity_of(no_double, win, lose), equity_of(double_take, win, lose)
    return CubeView(
        no_double=no_double,
        double_take=double_take,
        double_pass=double_pass,
        access=cubes.recount_access if rules.value(Q14) else cubes.access,
        cubes=cubes,
        find_play_counts=play_counts,
    )


def _wrong(cubes: Cubes, view: CubeView) -> Bools:
    """Whether another action was better than the double, take or pass of a row, by its equities or,
    without them, its stored error."""
    evaluated = view.no_double == view.no_double
    return np.where(evaluated, _cube_losses(cubes, view) > 0, cubes.stored_error > 0)


def _cube_losses(cubes: Cubes, view: CubeView) -> Floats:
    """Equity lost by every cube action according to its equities; NaN without them."""
    kind = cubes.kind
    gap = view.double_take - view.double_pass
    error = np.select(
        [kind == Kind.NO_DOUBLE.value, kind == Kind.DOUBLE.value, kind == Kind.PASS.value],
        [view.best - view.no_double, view.best - view.least, -gap],
        gap,
    )
    lost: Floats = np.maximum(error, 0)
    return lost


def _play_errors(plays: Plays, size: ErrorSize, counted: Bools) -> Floats:
    error, stored = plays.stored_error, plays.stored_error == plays.stored_error
    if size is ErrorSize.HIGHEST_CANDIDATE:
        error = plays.highest - plays.played
    elif size in FROM_CANDIDATES or not np.count_nonzero(stored):
        error = plays.best - plays.played
    if size is ErrorSize.TEN_THOUSANDTH:
        error = np.where(
            (plays.spread >= LEAST_SPREAD) & (plays.validity == Validity.VALID.value),
            np.maximum(error, 0),
            0,
        )
    return _sized(
        error,
        size,
        plays.analysed & counted if size is ErrorSize.FIRST_IF_COUNTED else plays.analysed,
    )


def _cube_errors(cubes: Cubes, view: CubeView, size: ErrorSize, judged: Bools) -> Floats:
    error, stored = cubes.stored_error, cubes.stored_error == cubes.stored_error
    if size not in (ErrorSize.STORED, ErrorSize.MILLIPOINT) or not np.count_nonzero(stored):
        error = _cube_losses(cubes, view)
    if size is ErrorSize.TEN_THOUSANDTH:
        no_double, double_take, double_pass = view.rounded
        missed = np.minimum(double_take, double_pass) - no_double
        error = np.where(view.acted, error, np.where(view.access, missed, 0))
        compared = np.where(cubes.kind == Kind.DOUBLE.value, np.round(error, DIGITS), error)
        error = np.where(compared < NO_ERROR, 0, error)
    return _sized(error, size, judged)


def _sized(error: Floats, size: ErrorSize, judged: Bools) -> Floats:
    """Errors as a rule set measures them; 0 if unknown, in the precision of the others."""
    if size in ROUNDED:
        error = np.round(error, ROUNDED[size])
    return np.where((error == error) & judged, error, error.dtype.type(0))
