"""A list of decisions as one side of a comparison: the reference's decisions with the program's own counting and errors.

The figures follow from every row of the list, also from those that repeat a decision or are about none. The bridge goes from decision to
decision; what such rows add is its last step, reporting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.files.wording import plural
from reconcile.gap.bridge import DECISIONS
from reconcile.gate.candidates.claims import SEATS, SLOT_OF, Stated, StatedRows
from reconcile.infer.turning import filled
from reconcile.match.all_rows import evaluated, kinds, over_all
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Bools, Cubes, Ints, Kind, Plays
from reconcile.match.match import Match, Source, no_candidates
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.figures import CAPPED, capped, point_factor
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import CLASS_OF_KIND, Scored, chance_lost, score
from reconcile.scoring.statistics import table_of
from reconcile.scoring.sums import DecisionClass

SLACK: Final = 1e-6
"""EMG. Tools keep equities in single precision, so that two ways to the same number differ by less."""
COUNTS: Final = (
    "pr",
    "checker_pr",
    "cube_pr",
    "decisions.counted",
    "decisions.checker",
    "decisions.double",
    "decisions.take",
)
"""What a list gives whatever its unit; the rates only with equities."""
PARTS: Final = ("total", "checker", "double", "take")
MOSTLY: Final = 0.9
"""Share of the rows that another way of numbering has to pair before it is taken for the program's."""
Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Listed:
    """A list of decisions beside those of the reference's file; columns are by decision (plays, cubes, resignations) if not by row."""

    rows: StatedRows
    left: Scored
    """The reference under its rules, with a row for every turn with a dead cube and for every resignation."""
    row_seat: Rows
    """By row of the list, the seat of its player."""

    @property
    def match(self) -> Match:
        """The reference's match."""
        return self.left.match

    # -- which decision a row is about ---------------------------------------------------------------------------------

    @cached_property
    def game(self) -> Ints:
        """The number of the game."""
        return self.match.games.number[self.left.game]

    @cached_property
    def turn(self) -> Ints:
        """The number of the turn."""
        return self.match.turns

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The seats that the list is about, in order."""
        return tuple(np.unique(self.row_seat).tolist())

    @cached_property
    def mine(self) -> Bools:
        """Whether the list should have it: it is a decision of one of `seats`."""
        return np.isin(self.left.player, self.seats)

    @cached_property
    def at(self) -> Rows:
        """By row of the list, the decision that it is about; -1 if the match has none."""
        return self._found(self.rows.game, self.row_seat, self.turn)

    def _found(self, game: Ints, seat: Ints, turn: Ints) -> Rows:
        """The same if the rows had these games and seats, and the decisions these turns."""
        rows, left = self.rows, self.left
        first: dict[tuple[int, ...], int] = {}
        for key, place in zip(
            _addresses(self.game, turn, left.player, SLOT_OF[left.kind]), count()
        ):
            first.setdefault(key, place)
        # A program without a word for a beaver calls it a take.
        also = {Kind.TAKE.value: Kind.BEAVER.value}
        wanted = _addresses(game, rows.turn, seat, rows.slot)
        return np.array(
            [first.get(key, first.get((*key[:3], also.get(key[3], -1)), -1)) for key in wanted],
            np.int64,
        )

    @cached_property
    def row_of(self) -> Rows:
        """The first row of the list about it, -1 without one."""
        row_of = np.full(len(self.left.kind), -1)
        paired = np.flatnonzero(self.at >= 0)[::-1]
        row_of[self.at[paired]] = paired
        return row_of

    @property
    def repeated(self) -> Bools:
        """By row of the list, whether an earlier row is about the same decision."""
        repeated: Bools = (self.at >= 0) & (self.row_of[self.at] != np.arange(len(self.at)))
        return repeated

    @property
    def misnamed(self) -> Rows:
        """The rows of the list that call a decision another kind than it is."""
        stated, kind = self.rows.kind, self.left.kind[self.at]
        return np.flatnonzero((self.at >= 0) & (stated != kind) & (kind != Kind.BEAVER))

    @property
    def other_plays(self) -> Iterator[tuple[int, str]]:
        """The rows whose `played` is not the play of the file, each with what it says; a play that cannot be read is left out."""
        plays = self.match.plays
        for row, (text, at) in enumerate(zip(self.rows.played, self.at.tolist(), strict=True)):
            if text and 0 <= at < len(plays):
                board = tuple(plays.position[at].tolist())
                first, second = plays.dice[at].tolist()
                try:
                    if apply_play(board, parse_play(text, (first, second), board)) != apply_play(
                        board, plays.play[at]
                    ):
                        yield row, text
                except ValueError:
                    continue

    def numbered_otherwise(self) -> str:
        """How the program seems to number its rows, if that pairs more of them than `game` and `turn` as they should be; else empty."""
        game, seat, turn = self.rows.game, self.row_seat, self.turn
        own = self._own_turns()
        ways = {
            "turns that count one player's turns only, where the turns of both players are counted together": (
                game,
                seat,
                own,
            ),
            "the players exchanged": (game, 1 - seat, turn),
            "a game number too low by one": (game + 1, seat, turn),
            "a turn number too low by one": (game, seat, turn - 1),
        }
        now, *others = (
            int(np.count_nonzero(self._found(*way) >= 0))
            for way in ((game, seat, turn), *ways.values())
        )
        best = max(others)
        if best <= now or best < MOSTLY * len(self.rows):
            return ""
        what = list(ways)[others.index(best)]
        return f"{now:,} of {plural(len(self.rows), 'row')} pair with a decision, {best:,} would with {what}"

    def _own_turns(self) -> Ints:
        """The number of its turn among the turns of its player in the game."""
        turns = list(
            zip(self.game.tolist(), self.left.player.tolist(), self.turn.tolist(), strict=True)
        )
        before: Counter[tuple[int, int]] = Counter()
        own: dict[tuple[int, int, int], int] = {}
        for game, player, turn in sorted(set(turns)):
            before[game, player] += 1
            own[game, player, turn] = before[game, player]
        return np.array([own[one] for one in turns], np.int64)

    # -- what either side says of it -----------------------------------------------------------------------------------

    @property
    def in_mwc(self) -> bool:
        """Whether the list gives its errors in match winning chance."""
        return self.rows.unit == "mwc"

    @property
    def slack(self) -> float:
        """How far two ways to the same number may differ, in the unit of the list."""
        return SLACK * (10.0 if self.in_mwc else 1.0)

    def cost(self, scored: Scored) -> Vector:
        """What it costs under a rule set, in the unit of the list."""
        return (100.0 * scored.loss if self.in_mwc else scored.error).astype(np.float64)

    def under(self, rules: RuleSet) -> Scored:
        """The reference under other rules."""
        return (
            self.left
            if rules == self.left.rules
            else whole(score(self.match, rules, self.left.met))
        )

    def _column(self, column: npt.NDArray[Any], without: float) -> npt.NDArray[Any]:
        """A column of the list by decision; `without` for one without a row."""
        values: npt.NDArray[Any] = np.where(self.row_of >= 0, column[self.row_of], without)
        return values

    @cached_property
    def errors(self) -> Vector:
        """The errors of the rows, a loss positive, also of a list that writes all losses as negative numbers, as some programs do."""
        error = self.rows.error.astype(np.float64)
        return (-error if (error < 0).any() and not (error > 0).any() else error) + 0.0  # no -0

    @cached_property
    def counted(self) -> Bools:
        """Whether it counts in the list; one without a row does not."""
        return self._column(self.rows.counted, False).astype(bool)

    @cached_property
    def lost(self) -> Vector:
        """What it costs in the list; NaN where that does not say."""
        return self._column(self.errors, np.nan)

    @cached_property
    def half(self) -> Vector:
        """Half of the last printed digit of that."""
        return self._column(self.rows.half, 0.0)

    @cached_property
    def analysed(self) -> Bools:
        """Whether the reference's tool evaluated it."""
        return evaluated(self.match)

    @cached_property
    def added(self) -> Bools:
        """Whether the file does not have it: a turn with a dead cube, which only some programs count."""
        cubes, added = self.match.cubes, np.zeros(len(self.left.kind), bool)
        rows = slice(len(self.match.plays), len(self.match.plays) + len(cubes))
        added[rows] = (
            is_dead(self.match)
            & ~cubes.analysed
            & ~cubes.expected
            & (cubes.kind == Kind.NO_DOUBLE.value)
        )
        return added

    @cached_property
    def chance_of_equity(self) -> Vector:
        """The match winning chance (percentage points) that an equity of 1 is worth; points for money."""
        return (self.left.win - self.left.lose).astype(np.float64) * 50.0

    @cached_property
    def right(self) -> Scored:
        """The program's side: the reference's decisions with the list's counting and errors, and without the reference's analysis."""
        match, left, known = self.match, self.left, self.lost == self.lost
        lost = np.where(known, self.lost, 0.0)
        if self.in_mwc:
            slope = self.chance_of_equity
            error, loss = (
                np.divide(lost, slope, out=np.zeros(len(lost)), where=slope != 0),
                lost / 100.0,
            )
        else:
            # Where the errors are equal, so are the losses, to the last bit.
            error, loss = (
                lost,
                np.where(
                    lost == self.cost(left),
                    left.loss,
                    chance_lost(lost, left.win, left.lose, left.met),
                ),
            )
        stored, start = np.where(known, lost, np.nan), len(match.plays)
        blank = np.full(len(match.cubes), np.nan)
        return replace(
            left,
            match=replace(
                match,
                source=Source(match.source.path, DECISIONS, self.rows.program, None),
                plays=_bare(
                    match.plays, ("best", "played", "highest", "spread", "luck"), stored, known
                ),
                cubes=_bare(
                    match.cubes,
                    ("no_double", "double_take", "double_pass"),
                    stored[start:],
                    known[start:],
                ),
                resignations=match.resignations.replaced(
                    stored_error=stored[start + len(match.cubes) :]
                ),
                levels=(),
                known_chances=None,
                candidates=no_candidates,
            ),
            counted=self.counted,
            error=error,
            loss=loss,
            view=replace(left.view, no_double=blank, double_take=blank, double_pass=blank),
        )

    def figures(self) -> Iterator[Stated]:
        """The figures that follow from all rows, as the program would add them up; a sum of unknown errors is unknown."""
        rows, at, rules = self.rows, self.at, self.left.rules
        no_rate = self.in_mwc or not rules.rates_decisions
        metrics = [
            METRICS[name] for name in COUNTS if not (no_rate and METRICS[name].form is Form.RATE)
        ]
        metrics += [
            METRICS[f"{'mwc_loss_percent' if self.in_mwc else 'equity_error'}.{part}"]
            for part in PARTS
        ]
        ours = np.where(at >= 0, self.cost(self.left)[at], 0.0)
        classes = CLASS_OF_KIND[np.where(at >= 0, self.left.kind[at], rows.slot)]
        known = self.errors == self.errors
        lacking = ~known & (rows.counted | (ours > 0))
        # Rounding moves no error that is nothing on both sides.
        doubt = np.where(known & ((self.errors != 0) | (ours != 0)), rows.half, 0.0)
        lost = np.where(known, self.errors, 0.0)
        for seat in self.seats:
            theirs = self.row_seat == seat
            for metric in metrics:
                mine = theirs & np.isin(classes, metric.classes or list(DecisionClass))
                number = int(np.count_nonzero(rows.counted & mine))
                if metric.form is Form.COUNT:
                    yield Stated(seat, metric.name, str(number), number, 0.0)
                    continue
                is_rate = metric.form is Form.RATE
                scale = (
                    metric.factor
                    * float(point_factor(rules, self.match.length == 1))
                    / max(number, 1)
                    if is_rate
                    else 1.0
                )
                value = scale * float(lost[mine].sum())
                value = capped(value, rules) if metric.name == CAPPED else value
                unknown = lacking[mine].any() or (is_rate and not number)
                yield Stated(
                    seat,
                    metric.name,
                    "",
                    None if unknown else value,
                    scale * float(doubt[mine].sum()),
                )
            rolled = theirs & (rows.luck == rows.luck)
            if rolled.any():
                yield Stated(
                    seat,
                    "luck.equity",
                    "",
                    float(rows.luck[rolled].sum()),
                    float(rows.luck_half[rolled].sum()),
                )


def listed_beside(
    match: Match, rules: RuleSet, given: StatedRows, seat_of: Callable[[str], int | None]
) -> Listed | str:
    """A list beside the decisions of a match, or why it cannot be compared; `seat_of` finds the seat of a name."""
    if given.unit == "mwc" and match.is_money:
        return "it gives errors in match winning chance, which a money session has not; give them as equity (EMG)"
    seats = [
        SEATS.index(name) if seat is None and name in SEATS else seat
        for name in given.names
        for seat in (seat_of(name),)
    ]
    if None in seats:
        known = " and ".join(map(repr, match.players))
        return f"no player {given.names[seats.index(None)]!r} in this match, expected {known}, or 1 and 2 for them"
    match = with_dead_cubes(match)
    listed = Listed(
        given,
        whole(score(match, rules, table_of(match, rules))),
        np.array(seats, np.int64)[given.player],
    )
    otherwise = listed.numbered_otherwise() or (
        "" if (listed.at >= 0).any() else "no row is about a decision of the match"
    )
    return (
        f"{otherwise}; number games and turns as `reconcile stats --decisions` does"
        if otherwise
        else listed
    )


def whole(scored: Scored) -> Scored:
    """The same with a row for every resignation, also where the rules leave these out."""
    match = scored.match
    kind = kinds(match)
    padded: dict[str, Any] = {
        name: filled(getattr(scored, name), len(kind))
        for name in ("counted", "error", "loss", "win", "lose")
    }
    return replace(
        scored, game=over_all(match, "game"), player=over_all(match, "player"), kind=kind, **padded
    )


def _addresses(game: Ints, turn: Ints, seat: Ints, slot: Ints) -> Iterator[tuple[int, ...]]:
    """Where decisions are; a resignation is at whatever turn."""
    return zip(
        game.tolist(),
        np.where(slot >= Kind.RESIGN.value, 0, turn).tolist(),
        seat.tolist(),
        slot.tolist(),
        strict=True,
    )


def _bare(table: Plays | Cubes, equities: tuple[str, ...], stored: Vector, known: Bools) -> Any:
    """Plays or cubes with the errors of a list, and nothing else of what the reference's tool says."""
    rows, unknown = len(table), np.full(len(table), np.nan)
    return table.replaced(
        **dict.fromkeys(equities, unknown),
        stored_error=stored[:rows],
        analysed=known[:rows],
        level=np.full(rows, -1),
    )
