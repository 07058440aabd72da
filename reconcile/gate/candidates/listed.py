"""A list of decisions joined with the reference's table of decisions, and what follows from it.

The figures follow from every row of the list, also from those that repeat a decision or are about
none. The bridge goes from decision to decision; what such rows add is its last step, reporting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    import pandas as pd

SLACK: Final = 1e-6
"""EMG. Tools keep equities in single precision: two ways to the same number differ by less."""
ADDRESS: Final = ["game", "turn", "seat", "slot"]
RATES: Final = ("pr", "checker_pr", "cube_pr")
COUNTS: Final = tuple(f"decisions.{key}" for key in ("counted", "checker", "double", "take"))
PARTS: Final = ("total", "checker", "double", "take")
MOSTLY: Final = 0.9
"""Share of the rows that another numbering has to pair before it is taken for the program's."""
Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Listed:
    """A list of decisions beside those of the reference.

    Columns are by decision (plays, cubes, resignations), if not by row of the list.
    """

    rows: StatedRows
    left: Scored
    """The reference under its rules, with every turn with a dead cube and every resignation."""
    row_seat: Rows
    """By row, the seat of its player."""
    errors: Vector
    """By row, a loss positive; NaN where the list does not say."""
    at: Rows
    """By row, the decision that it is about; -1 if the match has none."""
    row_of: Rows
    """The first row about it; -1 without one."""
    game: Ints
    turn: Ints
    mine: Bools
    """Whether the list should have it: it is a decision of one of `seats`."""
    counted: Bools
    """Whether it counts in the list."""
    lost: Vector
    """What it costs in the list; NaN where that does not say."""
    half: Vector
    """Half of the last printed digit of that."""
    analysed: Bools
    """Whether the reference's tool evaluated it."""
    added: Bools
    """Whether the file does not have it: a turn with a dead cube, which some programs count."""

    @property
    def match(self) -> Match:
        """The reference's match."""
        return self.left.match

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the list is about, in order."""
        return tuple(np.unique(self.row_seat).tolist())

    @property
    def repeated(self) -> Bools:
        """By row of the list, whether an earlier row is about the same decision."""
        repeated: Bools = (self.at >= 0) & (self.row_of[self.at] != np.arange(len(self.at)))
        return repeated

    @property
    def misnamed(self) -> Rows:
        """The rows of the list that call a decision another kind than it is."""
        kind = self.left.kind[self.at]
        other = (self.at >= 0) & (self.rows.kind != kind) & (kind != Kind.BEAVER)
        return np.flatnonzero(other)

    @property
    def other_plays(self) -> Iterator[tuple[int, str]]:
        """The rows whose `played` is, if it can be read, another play than the file's."""
        plays = self.match.plays
        for row, (text, at) in enumerate(zip(self.rows.played, self.at.tolist(), strict=True)):
            if not text or not 0 <= at < len(plays):
                continue
            board = tuple(plays.position[at].tolist())
            first, second = plays.dice[at].tolist()
            try:
                after = apply_play(board, parse_play(text, (first, second), board))
                if after != apply_play(board, plays.play[at]):
                    yield row, text
            except ValueError:
                continue

    @property
    def in_mwc(self) -> bool:
        """Whether the list gives its errors in match winning chance."""
        return self.rows.unit == "mwc"

    @property
    def slack(self) -> float:
        """How far two ways to the same number may differ, in the unit of the list."""
        return SLACK * (10.0 if self.in_mwc else 1.0)

    @property
    def chance_of_equity(self) -> Vector:
        """The match winning chance (percentage points) of an equity of 1; points for money."""
        return (self.left.win - self.left.lose).astype(np.float64) * 50.0

    def cost(self, scored: Scored) -> Vector:
        """What it costs under a rule set, in the unit of the list."""
        return (100.0 * scored.loss if self.in_mwc else scored.error).astype(np.float64)

    def under(self, rules: RuleSet) -> Scored:
        """The reference under other rules."""
        if rules == self.left.rules:
            return self.left
        return with_resignations(score(self.match, rules, self.left.met))

    @property
    def right(self) -> Scored:
        """The program's side: the list's counting and errors of the decisions, no analysis."""
        match, left, is_stated = self.match, self.left, self.lost == self.lost
        lost = np.where(is_stated, self.lost, 0.0)
        if self.in_mwc:
            slope = self.chance_of_equity
            error = np.divide(lost, slope, out=np.zeros(len(lost)), where=slope != 0)
            loss = lost / 100.0
        else:
            error = lost
            # Where the errors are equal, so are the losses, to the last bit.
            changed = chance_lost(lost, left.win, left.lose, left.met)
            loss = np.where(lost == self.cost(left), left.loss, changed)
        stored, start = np.where(is_stated, lost, np.nan), len(match.plays)
        end = start + len(match.cubes)
        blank = np.full(len(match.cubes), np.nan)
        equities = ("no_double", "double_take", "double_pass")
        luckless = ("best", "played", "highest", "spread", "luck")
        bare = replace(
            match,
            source=Source(match.source.path, DECISIONS, self.rows.program, None),
            plays=_bare(match.plays, luckless, stored, is_stated),
            cubes=_bare(match.cubes, equities, stored[start:], is_stated[start:]),
            resignations=match.resignations.replaced(stored_error=stored[end:]),
            levels=(),
            known_chances=None,
            candidates=no_candidates,
        )
        view = replace(left.view, no_double=blank, double_take=blank, double_pass=blank)
        return replace(left, match=bare, counted=self.counted, error=error, loss=loss, view=view)

    def figures(self) -> Iterator[Stated]:
        """The figures that follow from all rows; a sum of unknown errors is unknown."""
        rows, at, rules = self.rows, self.at, self.left.rules
        group = "mwc_loss_percent" if self.in_mwc else "equity_error"
        rates = () if self.in_mwc or not rules.rates_decisions else RATES
        names = (*rates, *COUNTS, *(f"{group}.{part}" for part in PARTS))
        ours = np.where(at >= 0, self.cost(self.left)[at], 0.0)
        classes = CLASS_OF_KIND[np.where(at >= 0, self.left.kind[at], rows.slot)]
        is_stated = self.errors == self.errors
        lacking = ~is_stated & (rows.counted | (ours > 0))
        # Rounding moves no error that is nothing on both sides.
        doubt = np.where(is_stated & ((self.errors != 0) | (ours != 0)), rows.half, 0.0)
        lost = np.where(is_stated, self.errors, 0.0)
        for seat in self.seats:
            theirs = self.row_seat == seat
            for metric in map(METRICS.__getitem__, names):
                mine = theirs & np.isin(classes, metric.classes or list(DecisionClass))
                number = int(np.count_nonzero(rows.counted & mine))
                if metric.form is Form.COUNT:
                    yield Stated(seat, metric.name, str(number), number, 0.0)
                    continue
                scale, is_rate = 1.0, metric.form is Form.RATE
                if is_rate:
                    one_point = float(point_factor(rules, self.match.length == 1))
                    scale = metric.factor * one_point / max(number, 1)
                total = scale * float(lost[mine].sum())
                value = capped(total, rules) if metric.name == CAPPED else total
                is_unknown = lacking[mine].any() or (is_rate and not number)
                half = scale * float(doubt[mine].sum())
                yield Stated(seat, metric.name, "", None if is_unknown else value, half)
            rolled = theirs & (rows.luck == rows.luck)
            if rolled.any():
                luck, half = rows.luck[rolled].sum(), rows.luck_half[rolled].sum()
                yield Stated(seat, "luck.equity", "", float(luck), float(half))


def listed_beside(
    match: Match, rules: RuleSet, stated: StatedRows, seat_of: Callable[[str], int | None]
) -> Listed | str:
    """A list joined with the decisions of a match, or why it cannot be; `seat_of` finds a name."""
    if stated.unit == "mwc" and match.is_money:
        return (
            "it gives errors in match winning chance, which a money session has not; "
            "give them as equity (EMG)"
        )
    seats: list[int] = []
    for name in stated.names:
        seat = seat_of(name)
        if seat is None and name not in SEATS:
            players = " and ".join(map(repr, match.players))
            return f"no player {name!r} in this match, expected {players}, or 1 and 2 for them"
        seats.append(SEATS.index(name) if seat is None else seat)
    match = with_dead_cubes(match)
    left = with_resignations(score(match, rules, table_of(match, rules)))
    row_seat = np.array(seats, np.int64)[stated.player]
    game = match.games.number[left.game]
    decisions = _addresses(game, match.turns, left.player, SLOT_OF[left.kind])
    rows = _addresses(stated.game, stated.turn, row_seat, stated.slot)
    at = _joined(rows, decisions)
    otherwise = _numbered_otherwise(rows, decisions, int((at >= 0).sum()))
    if otherwise or not (at >= 0).any():
        otherwise = otherwise or "no row is about a decision of the match"
        return f"{otherwise}; number games and turns as `reconcile stats --decisions` does"
    return _listed(stated, left, row_seat, at)


def _addresses(*columns: Ints) -> pd.DataFrame:
    """Where decisions are: game, turn, seat and slot."""
    import pandas as pd

    return pd.DataFrame(dict(zip(ADDRESS, columns, strict=True)))


def _listed(stated: StatedRows, left: Scored, row_seat: Rows, at: Rows) -> Listed:
    """The columns of a list by decision."""
    match = left.match
    error = stated.error.astype(np.float64)
    if (error < 0).any() and not (error > 0).any():  # some programs write a loss as negative
        error = -error
    error = error + 0.0  # no -0
    row_of = np.full(len(left.kind), -1)
    paired = np.flatnonzero(at >= 0)[::-1]
    row_of[at[paired]] = paired
    has_row = row_of >= 0
    cubes, added = match.cubes, np.zeros(len(left.kind), bool)
    added[len(match.plays) : len(match.plays) + len(cubes)] = (
        is_dead(match) & ~cubes.analysed & ~cubes.expected & (cubes.kind == Kind.NO_DOUBLE.value)
    )
    return Listed(
        rows=stated,
        left=left,
        row_seat=row_seat,
        errors=error,
        at=at,
        row_of=row_of,
        game=match.games.number[left.game],
        turn=match.turns,
        mine=np.isin(left.player, row_seat),
        counted=has_row & stated.counted[row_of],
        lost=np.where(has_row, error[row_of], np.nan),
        half=np.where(has_row, stated.half[row_of], 0.0),
        analysed=evaluated(match),
        added=added,
    )


def _joined(rows: pd.DataFrame, decisions: pd.DataFrame) -> Rows:
    """By row of a list, the decision at its address; -1 without one."""
    # A resignation is at whatever turn.
    places = [
        table.assign(turn=table.turn.where(table.slot < Kind.RESIGN.value, 0))
        for table in (rows, decisions)
    ]
    first = places[1].assign(at=range(len(decisions))).drop_duplicates(ADDRESS)
    # A program without a word for a beaver calls it a take.
    beavers = places[0].replace({"slot": {Kind.TAKE.value: Kind.BEAVER.value}})
    at, also = (table.merge(first, "left", ADDRESS)["at"] for table in (places[0], beavers))
    joined: Rows = at.fillna(also).fillna(-1).to_numpy(np.int64)
    return joined


def _numbered_otherwise(rows: pd.DataFrame, decisions: pd.DataFrame, now: int) -> str:
    """How the program seems to number its rows, if that pairs more than the `now` paired ones."""
    own = decisions.groupby(["game", "seat"])["turn"].rank("dense").astype(int)
    ways = {
        "turns that count one player's turns only, where the turns of both players are counted "
        "together": (rows, decisions.assign(turn=own)),
        "the players exchanged": (rows.assign(seat=1 - rows.seat), decisions),
        "a game number too low by one": (rows.assign(game=rows.game + 1), decisions),
        "a turn number too low by one": (rows.assign(turn=rows.turn + 1), decisions),
    }
    pairs = {words: int((_joined(*tables) >= 0).sum()) for words, tables in ways.items()}
    words = max(pairs, key=lambda way: pairs[way])
    if pairs[words] <= now or pairs[words] < MOSTLY * len(rows):
        return ""
    total = plural(len(rows), "row")
    return f"{now:,} of {total} pair with a decision, {pairs[words]:,} would with {words}"


def with_resignations(scored: Scored) -> Scored:
    """The same with a row for every resignation, also where the rules leave these out."""
    match = scored.match
    kind = kinds(match)
    names = ("counted", "error", "loss", "win", "lose")
    padded: dict[str, Any] = {name: filled(getattr(scored, name), len(kind)) for name in names}
    game, player = over_all(match, "game"), over_all(match, "player")
    return replace(scored, game=game, player=player, kind=kind, **padded)


def _bare(table: Plays | Cubes, equities: tuple[str, ...], stored: Vector, is_stated: Bools) -> Any:
    """Plays or cubes with the errors of a list, and nothing else of what the reference says."""
    count = len(table)
    return table.replaced(
        **dict.fromkeys(equities, np.full(count, np.nan)),
        stored_error=stored[:count],
        analysed=is_stated[:count],
        level=np.full(count, -1),
    )
