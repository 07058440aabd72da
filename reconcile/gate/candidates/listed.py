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

from reconcile.gap.bridge import DECISIONS
from reconcile.gate.candidates.claims import SEATS, Claim, Stated, Unit
from reconcile.infer.turning import filled
from reconcile.match.all_rows import evaluated, kinds, over_all
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Cubes, Kind, Plays
from reconcile.match.match import Match, Source, no_candidates
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.figures import CAPPED, capped, point_factor
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import CLASS_OF_KIND, Scored, chance_lost, score
from reconcile.scoring.statistics import table_of
from reconcile.scoring.sums import DecisionClass
from reconcile.wording import plural

if TYPE_CHECKING:
    import pandas as pd

SLACK: Final = 1e-6
"""EMG. Tools keep equities in single precision: two ways to the same number differ by less."""
ADDRESS: Final = ["game", "turn", "seat", "slot"]
"""Where a decision is. Two actions between which a player decides once in a turn are one slot of
it; every other kind is a slot of its own: also a beaver, which may be answered by a double."""
SLOTS: Final = {Kind.DOUBLE: Kind.NO_DOUBLE, Kind.PASS: Kind.TAKE}
SLOT_OF: Final = np.array([SLOTS.get(kind, kind).value for kind in Kind])
"""By kind."""
RATES: Final = ("pr", "checker_pr", "cube_pr")
COUNTS: Final = tuple(f"decisions.{key}" for key in ("counted", "checker", "double", "take"))
PARTS: Final = ("total", "checker", "double", "take")
MOSTLY: Final = 0.9
"""Share of the rows that another numbering has to pair before it is taken for the program's."""
RENUMBER: Final = "number games and turns as `reconcile stats --decisions` does"
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Listed:
    """A list of decisions beside those of the reference."""

    left: Scored
    """The reference under its rules, with every turn with a dead cube and every resignation."""
    rows: pd.DataFrame
    """As `Claim.rows`, with `seat`, `slot`, the number of the `decision` it is about (-1 without
    one), and whether an earlier row is about it too (`repeated`). A loss is positive."""
    decisions: pd.DataFrame
    """Of every decision of `left` (plays, cubes, resignations) its `game, turn, seat, slot`; of the
    first row about it the `line` (NaN without one), whether it is `counted`, and its `error` (NaN
    where the list does not say) with `half` of the last digit; whether it is one of a player of the
    list (`mine`), the reference's tool has `analysed` it, and it was `added`: a turn with a dead
    cube, which some programs count."""
    unit: Unit
    program: str

    @property
    def match(self) -> Match:
        """The reference's match."""
        return self.left.match

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the list is about, in order."""
        return tuple(sorted(self.rows.seat.unique().tolist()))

    @property
    def in_mwc(self) -> bool:
        """Whether the list gives its errors in match winning chance."""
        return self.unit == "mwc"

    @property
    def slack(self) -> float:
        """How far two ways to the same number may differ, in the unit of the list."""
        return SLACK * (10.0 if self.in_mwc else 1.0)

    @property
    def chance_of_equity(self) -> Vector:
        """The match winning chance (percentage points) of an equity of 1; points for money."""
        return (self.left.win - self.left.lose).astype(np.float64) * 50.0

    def cost(self, scored: Scored) -> Vector:
        """What each decision costs under a rule set, in the unit of the list."""
        return (100.0 * scored.loss if self.in_mwc else scored.error).astype(np.float64)

    def under(self, rules: RuleSet) -> Scored:
        """The reference under other rules."""
        if rules == self.left.rules:
            return self.left
        return with_resignations(score(self.match, rules, self.left.met))

    def place(self, row: int) -> str:
        """Where a row is, for a message."""
        return f"row {self.rows.line[row]}"

    @property
    def misnamed(self) -> Iterator[str]:
        """The rows that call a decision another kind than it is."""
        for row, (at, kind) in enumerate(zip(self.rows.decision, self.rows.kind, strict=True)):
            if at >= 0 and self.left.kind[at] not in (kind, Kind.BEAVER):
                yield f"{self.place(row)}: {Kind(kind).label}"

    @property
    def other_plays(self) -> Iterator[str]:
        """The rows whose `played` is, if it can be read, another play than the file's."""
        plays = self.match.plays
        for row, (text, at) in enumerate(zip(self.rows.played, self.rows.decision, strict=True)):
            if text and 0 <= at < len(plays):
                board = tuple(plays.position[at].tolist())
                first, second = plays.dice[at].tolist()
                try:
                    after = apply_play(board, parse_play(text, (first, second), board))
                    is_other = after != apply_play(board, plays.play[at])
                except ValueError:
                    continue
                if is_other:
                    yield f"{self.place(row)}: {text}"

    @property
    def right(self) -> Scored:
        """The program's side: the list's counting and errors of the decisions, no analysis."""
        match, left = self.match, self.left
        stored = self.decisions.error.to_numpy()
        lost = np.nan_to_num(stored)
        if self.in_mwc:
            slope = self.chance_of_equity
            error = np.divide(lost, slope, out=np.zeros(len(lost)), where=slope != 0)
            loss = lost / 100.0
        else:
            error = lost
            # Where the errors are equal, so are the losses, to the last bit.
            changed = chance_lost(lost, left.win, left.lose, left.met)
            loss = np.where(lost == self.cost(left), left.loss, changed)
        start, end = len(match.plays), len(match.plays) + len(match.cubes)
        equities = ("no_double", "double_take", "double_pass")
        luckless = ("best", "played", "highest", "spread", "luck")
        bare = replace(
            match,
            source=Source(match.source.path, DECISIONS, self.program, None),
            plays=_bare(match.plays, luckless, stored[:start]),
            cubes=_bare(match.cubes, equities, stored[start:end]),
            resignations=match.resignations.replaced(stored_error=stored[end:]),
            levels=(),
            known_chances=None,
            candidates=no_candidates,
        )
        blank: Any = dict.fromkeys(equities, np.full(len(match.cubes), np.nan))
        view = replace(left.view, **blank)
        counted = self.decisions.counted.to_numpy()
        return replace(left, match=bare, counted=counted, error=error, loss=loss, view=view)

    def figures(self) -> Iterator[Stated]:
        """The figures that follow from all rows; a sum of unknown errors is unknown."""
        rows, rules = self.rows, self.left.rules
        group = "mwc_loss_percent" if self.in_mwc else "equity_error"
        rates = () if self.in_mwc or not rules.rates_decisions else RATES
        is_paired, at = rows.decision >= 0, rows.decision.to_numpy()
        ours = np.where(is_paired, self.cost(self.left)[at], 0.0)
        kind = np.where(is_paired, self.left.kind[at], rows.slot)
        # Rounding moves no error that is nothing on both sides.
        is_sure = rows.error.isna() | ((rows.error == 0) & (ours == 0))
        rows = rows.assign(
            part=CLASS_OF_KIND[kind],
            half=rows.half.mask(is_sure, 0.0),
            unknown=rows.error.isna() & (rows.counted | (ours > 0)),
        )
        for seat in self.seats:
            theirs = rows[rows.seat == seat]
            for name in (*rates, *COUNTS, *(f"{group}.{part}" for part in PARTS)):
                metric = METRICS[name]
                mine = theirs[theirs.part.isin(metric.classes or list(DecisionClass))]
                number, scale, is_rate = int(mine.counted.sum()), 1.0, metric.form is Form.RATE
                if metric.form is Form.COUNT:
                    yield Stated(seat, name, str(number), number, 0.0)
                    continue
                if is_rate:
                    one_point = float(point_factor(rules, self.match.length == 1))
                    scale = metric.factor * one_point / max(number, 1)
                total = scale * float(mine.error.sum())
                value = capped(total, rules) if name == CAPPED else total
                is_unknown = mine.unknown.any() or (is_rate and not number)
                half = scale * float(mine.half.sum())
                yield Stated(seat, name, "", None if is_unknown else value, half)
            rolled = theirs[theirs.luck.notna()]
            if len(rolled):
                luck, half = float(rolled.luck.sum()), float(rolled.luck_half.sum())
                yield Stated(seat, "luck.equity", "", luck, half)


def listed_beside(
    match: Match, rules: RuleSet, claim: Claim, seat_of: Callable[[str], int | None]
) -> Listed | str:
    """A list joined with the decisions of a match, or why it cannot be; `seat_of` finds a name."""
    import pandas as pd

    assert claim.rows is not None
    if claim.unit == "mwc" and match.is_money:
        why = "it gives errors in match winning chance, which a money session has not"
        return f"{why}; give them as equity (EMG)"
    seats: dict[str, int] = {}
    for name in claim.rows.player.unique():
        seat = seat_of(name)
        if seat is None and name not in SEATS:
            players = " and ".join(map(repr, match.players))
            return f"no player {name!r} in this match, expected {players}, or 1 and 2 for them"
        seats[name] = SEATS.index(name) if seat is None else seat
    match = with_dead_cubes(match)
    left = with_resignations(score(match, rules, table_of(match, rules)))
    rows = claim.rows.assign(slot=SLOT_OF[claim.rows.kind], seat=claim.rows.player.map(seats))
    address = match.games.number[left.game], match.turns, left.player, SLOT_OF[left.kind]
    decisions = pd.DataFrame(dict(zip(ADDRESS, address, strict=True)))
    rows["decision"] = _joined(rows, decisions)
    otherwise = _numbered_otherwise(rows, decisions)
    if not otherwise and (rows.decision < 0).all():
        otherwise = "no row is about a decision of the match"
    if otherwise:
        return f"{otherwise}; {RENUMBER}"
    return _listed(left, rows, decisions, claim)


def _listed(left: Scored, rows: pd.DataFrame, decisions: pd.DataFrame, claim: Claim) -> Listed:
    """The table of a list and that of its reference, each with what it has of the other."""
    if (rows.error < 0).any() and not (rows.error > 0).any():  # some write a loss as negative
        rows["error"] = -rows.error
    rows["error"] += 0.0  # no -0
    rows["repeated"] = rows.duplicated("decision") & (rows.decision >= 0)
    first = rows[(rows.decision >= 0) & ~rows.repeated].set_index("decision")
    decisions = decisions.join(first[["line", "counted", "error", "half"]])
    match, added = left.match, np.zeros(len(decisions), bool)
    cubes = match.cubes
    added[len(match.plays) : len(match.plays) + len(cubes)] = (
        is_dead(match) & ~cubes.analysed & ~cubes.expected & (cubes.kind == Kind.NO_DOUBLE.value)
    )
    decisions = decisions.assign(
        counted=decisions.counted.eq(True),
        half=decisions.half.fillna(0.0),
        mine=decisions.seat.isin(rows.seat),
        analysed=evaluated(match),
        added=added,
    )
    return Listed(left, rows, decisions, claim.unit, claim.program)


def _joined(rows: pd.DataFrame, decisions: pd.DataFrame) -> pd.Series[int]:
    """By row of a list, the decision at its address; -1 without one."""
    # A resignation is at whatever turn.
    rows, places = (
        table[ADDRESS].assign(turn=table.turn.where(table.slot < Kind.RESIGN.value, 0))
        for table in (rows, decisions)
    )
    first = places.assign(at=range(len(places))).drop_duplicates(ADDRESS)
    # A program without a word for a beaver calls it a take.
    beavers = rows.replace({"slot": {Kind.TAKE.value: Kind.BEAVER.value}})
    at, also = (table.merge(first, "left", ADDRESS)["at"] for table in (rows, beavers))
    return at.fillna(also).fillna(-1).astype(int)


def _numbered_otherwise(rows: pd.DataFrame, decisions: pd.DataFrame) -> str:
    """How the program seems to number its rows, if that pairs more of them."""
    own = decisions.groupby(["game", "seat"])["turn"].rank("dense").astype(int)
    ways = {
        "turns that count one player's turns only, where the turns of both players are counted "
        "together": (rows, decisions.assign(turn=own)),
        "the players exchanged": (rows.assign(seat=1 - rows.seat), decisions),
        "a game number too low by one": (rows.assign(game=rows.game + 1), decisions),
        "a turn number too low by one": (rows.assign(turn=rows.turn + 1), decisions),
    }
    pairs = {words: int((_joined(*tables) >= 0).sum()) for words, tables in ways.items()}
    words, now = max(pairs, key=lambda way: pairs[way]), int((rows.decision >= 0).sum())
    if pairs[words] <= now or pairs[words] < MOSTLY * len(rows):
        return ""
    total = plural(len(rows), "row")
    return f"{now:,} of {total} pair with a decision, {pairs[words]:,} would with {words}"


def with_resignations(scored: Scored) -> Scored:
    """The same with a row for every resignation, also where the rules leave these out."""
    kind = kinds(scored.match)
    names = ("counted", "error", "loss", "win", "lose")
    padded: dict[str, Any] = {name: filled(getattr(scored, name), len(kind)) for name in names}
    padded |= {name: over_all(scored.match, name) for name in ("game", "player")}
    return replace(scored, kind=kind, **padded)


def _bare(table: Plays | Cubes, equities: tuple[str, ...], stored: Vector) -> Any:
    """Plays or cubes with the errors of a list, and nothing else of what the reference says."""
    return table.replaced(
        **dict.fromkeys(equities, np.full(len(table), np.nan)),
        stored_error=stored,
        analysed=stored == stored,
        level=np.full(len(table), -1),
    )
