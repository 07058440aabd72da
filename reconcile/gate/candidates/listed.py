"""A list of decisions joined with the reference's table of decisions, and what follows from it.

The figures follow from every row of the list, also from those that repeat a decision or are about
none. What all errors have in common is said, and nothing is converted by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.gap.walk import States
from reconcile.gate.candidates.claims import SEATS, Claim, Stated, Unit, Unusable
from reconcile.match.all_rows import evaluated, kinds, over_all
from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Match
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.figures import CAPPED, LEADING, METRICS, Form, cap_of, capped, point_factor
from reconcile.scoring.score import CLASS_OF_KIND, Scored, is_dead, score, with_dead_cubes
from reconcile.scoring.statistics import Statistics, table_of
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
"""Share of the rows that another numbering has to pair before it is taken for the program's, and of
the errors that a fault has to explain."""
RENUMBER: Final = "number games and turns as `reconcile stats --decisions` does"
FEWEST_ALIKE: Final = 3
"""Errors, or decisions, that show what all have in common."""
CLEAR: Final = 20
"""What errors have in common is looked for where they are this many times half of their last
digit."""
FACTORS: Final = {
    1000.0: "in thousandths of a point (mEMG)",
    0.001: "divided by 1000",
    500.0: "times 500, as PR points",
    100.0: "in hundredths, as a percentage",
    0.01: "divided by 100",
    2.0: "twice the reference's",
    0.5: "half of the reference's",
}
"""Between what a list has and what it should have, in the order in which they are tried."""
ALIKE: Final = (2.0, 0.5)
"""Those of no unit."""
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

    @property
    def equity(self) -> Vector:
        """By decision what the list says that it costs, in equity (EMG); NaN where it does not."""
        stated: Vector = self.decisions.error.to_numpy()
        slope = self.chance_of_equity if self.in_mwc else np.ones(len(stated))
        return np.divide(stated, slope, out=0.0 * stated, where=slope != 0)

    @property
    def moved(self) -> Vector:
        """By how much each decision moves its player's PR from the reference to the list; NaN where
        PR is unknown on a side."""
        left, own, rules = self.left, self.decisions, self.left.rules
        error = np.array([left.error, np.nan_to_num(self.equity)], float)
        count = np.array([left.counted, own.counted], float)
        factor = METRICS[LEADING].factor * point_factor(rules, self.match.length == 1)
        ends = np.full((2, 1), factor), np.full((2, 1), cap_of(rules))
        moved = np.full(len(own), np.nan)
        for seat in self.seats:
            rows = np.flatnonzero(own.seat == seat)
            states = States(Form.RATE, error[:, rows], count[:, rows], *ends)
            is_known = Statistics(left).figures(seat)[LEADING] is not None
            if is_known and not np.isnan(states.figure()).any():
                moved[rows] = states.shares()[0]
        return moved

    def figures(self) -> Iterator[Stated]:
        """The figures that follow from all rows; a sum of unknown errors is unknown."""
        rows, rules = self.rows, self.left.rules
        group = "mwc_loss_percent" if self.in_mwc else "equity_error"
        rates = () if self.in_mwc or not rules.rates_decisions else RATES
        is_paired, at = rows.decision >= 0, rows.decision.to_numpy()
        ours = np.where(is_paired, self.cost(self.left)[at], 0.0)
        # Rounding moves no error that is nothing on both sides.
        is_sure = rows.error.isna() | ((rows.error == 0) & (ours == 0))
        rows = rows.assign(
            part=CLASS_OF_KIND[np.where(is_paired, self.left.kind[at], rows.slot)],
            half=rows.half.mask(is_sure, 0.0),
            unknown=rows.error.isna() & (rows.counted | (ours > 0)),
        )
        for seat in self.seats:
            theirs = rows[rows.seat == seat]
            for name in (*rates, *COUNTS, *(f"{group}.{part}" for part in PARTS)):
                metric, scale = METRICS[name], 1.0
                mine = theirs[theirs.part.isin(metric.classes or list(DecisionClass))]
                number, is_unknown = int(mine.counted.sum()), bool(mine.unknown.any())
                if metric.form is Form.COUNT:
                    yield Stated(seat, name, "", number, 0.0)
                    continue
                if metric.form is Form.RATE:
                    is_unknown |= not number
                    one_point = float(point_factor(rules, self.match.length == 1))
                    scale = metric.factor * one_point / max(number, 1)
                value = scale * float(mine.error.sum())
                value = capped(value, rules) if name == CAPPED else value
                half = scale * float(mine.half.sum())
                yield Stated(seat, name, "", None if is_unknown else value, half)
            rolled = theirs[theirs.luck.notna()]
            if len(rolled):
                luck, half = float(rolled.luck.sum()), float(rolled.luck_half.sum())
                yield Stated(seat, "luck.equity", "", luck, half)

    # -- what the list has otherwise --------------------------------------------------------------

    @cached_property
    def fault(self) -> tuple[str, str, Bools]:
        """What the errors that differ have in common: in words after "the errors that differ", the
        same with their number, and by decision whether its error is so.

        Without words if nothing known explains most of them.
        """
        own, right = self.decisions, self.cost(self.left)
        stated, half = own.error.to_numpy(), own.half.to_numpy()
        listed = (own.mine & own.analysed & own.error.notna()).to_numpy()
        off = listed & (np.abs(stated - right) > half + self.slack)
        shows = listed & ((np.abs(stated) > half) | (right > half))
        clear = np.flatnonzero(off & (right > CLEAR * half) & (stated != 0))
        for words, factor, more in self._factors(clear) if len(clear) >= FEWEST_ALIKE else ():
            # How many errors are the reference's times the factor, within half of the last digit.
            slack = half + self.slack * np.maximum(np.abs(factor), 1.0)
            # What is not the same for all decisions is so for those too that do not differ.
            among = shows if np.ptp(factor) else off
            fits = among & (np.abs(stated - factor * right - more) <= slack)
            if fits.sum() >= MOSTLY * among.sum():
                errors = plural(int(among.sum()), "error") + " that differ" * (among is off)
                return words, f"{fits.sum():,} of {errors} {words}", fits
        return "", "", np.zeros(len(own), bool)

    def _factors(self, clear: Any) -> Iterator[tuple[str, Vector, float]]:
        """What may be wrong, in words, with the factor of every decision and what is added to all;
        `clear` are errors with enough digits to show another."""
        stated, right = self.decisions.error.to_numpy(), self.cost(self.left)
        slope, every = self.chance_of_equity, np.ones(len(right))
        emg = "" if self.in_mwc else ", where equity (EMG) is expected"
        yield "have the right size and the wrong sign in places", np.where(stated < 0, -1.0, 1.0), 0
        cube = over_all(self.match, "cube").astype(np.float64)
        normal = "where equity normalised to the cube (EMG) is expected"
        yield f"are in points, times the value of the cube, {normal}", cube, 0
        yield "are divided by the value of the cube", 1.0 / cube, 0
        chance = "are match winning chance"
        if self.in_mwc:
            yield f"{chance} from 0 to 1, where percentage points are expected", 0.01 * every, 0
            inverse = np.divide(1.0, slope, out=every.copy(), where=slope != 0)
            yield "are equity (EMG), where match winning chance is expected", inverse, 0
        elif not self.match.is_money:
            yield f"{chance} in percentage points{emg}; say unit mwc", slope, 0
            yield f"{chance} from 0 to 1{emg}", slope / 100.0, 0
        for factor, words in FACTORS.items():
            yield f"are {words}{emg * (factor not in ALIKE)}", factor * every, 0
        factor = float(np.median(stated[clear] / right[clear]))
        yield f"are {factor:.4g} times the reference's", factor * every, 0
        more = float(np.median(stated[clear] - right[clear]))
        size = f"{abs(more):.4g} {'more' if more > 0 else 'less'}"
        yield f"are {size} than the reference's", every, more

    def differs(self, scored: Scored) -> Bools:
        """By decision, whether the list has it in another way than a rule set."""
        own, cost = self.decisions, self.cost(scored)
        error = own.error.to_numpy()
        off = np.abs(error - np.where(own.analysed, cost, 0.0)) > own.half + self.slack
        # Without a row or an error nothing is said of what counts for nobody and costs nothing.
        costs = own.analysed & (cost > self.slack)
        of_row = own.analysed & (own.counted | costs)
        unsaid = np.isnan(error) & np.where(own.line.notna(), of_row, scored.counted | costs)
        mask: Bools = (own.mine & ((own.counted != scored.counted) | off | unsaid)).to_numpy()
        return mask

    @cached_property
    def by_rules(self) -> dict[str, Bools]:
        """By known rule set, which decisions differ from the list."""
        return {name: self.differs(self.under(rules)) for name, rules in RULE_SETS.items()}

    @cached_property
    def switched(self) -> list[tuple[str, Bools]]:
        """Every other answer to a question about decisions: what then differs from the list."""
        own = self.left.rules
        return [
            (code, self.differs(self.under(own.switched(code, answer))))
            for code, question in QUESTIONS.items()
            if question.effect is Effect.DECISIONS
            for answer in question.answers
            if answer != own.answers[code]
        ]


def listed_beside(
    match: Match, rules: RuleSet, claim: Claim, seat_of: Callable[[str], int | None]
) -> Listed:
    """A list joined with the decisions of a match; `seat_of` finds a name. Raises `Unusable`."""
    import pandas as pd

    assert claim.rows is not None
    if claim.unit == "mwc" and match.is_money:
        why = "it gives errors in match winning chance, which a money session has not"
        raise Unusable(f"{why}; give them as equity (EMG)")
    seats = {
        name: SEATS.index(name) if name in SEATS else seat_of(name)
        for name in claim.rows.player.unique()
    }
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
        raise Unusable(f"{otherwise}; {RENUMBER}")
    return _listed(left, rows, decisions, claim)


def _listed(left: Scored, rows: pd.DataFrame, decisions: pd.DataFrame, claim: Claim) -> Listed:
    """The table of a list and that of its reference, each with what it has of the other."""
    match = left.match
    if (rows.error < 0).any() and not (rows.error > 0).any():  # some write a loss as negative
        rows["error"] = -rows.error
    rows["error"] += 0.0  # no -0
    rows["repeated"] = rows.duplicated("decision") & (rows.decision >= 0)
    first = rows[(rows.decision >= 0) & ~rows.repeated].set_index("decision")
    decisions = decisions.join(first[["line", "counted", "error", "half"]])
    dead = is_dead(match) & ~match.cubes.analysed & ~match.cubes.expected
    added = np.zeros(len(decisions), bool)
    added[len(match.plays) :][: len(dead)] = dead & (match.cubes.kind == Kind.NO_DOUBLE.value)
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
    if games := _games_otherwise(rows, decisions):
        return games
    ways = {
        "turns that count one player's turns only, where the turns of both players are counted "
        "together": (rows, decisions.assign(turn=own)),
        "the players exchanged": (rows.assign(seat=1 - rows.seat), decisions),
        "a turn number too low by one": (rows.assign(turn=rows.turn + 1), decisions),
    }
    pairs, words = max(
        ((int((_joined(*tables) >= 0).sum()), words) for words, tables in ways.items()),
        key=lambda way: way[0],
    )
    now = int((rows.decision >= 0).sum())
    if pairs <= now or pairs < MOSTLY * len(rows):
        return ""
    total = plural(len(rows), "row")
    return f"{now:,} of {total} pair with a decision, {pairs:,} would with {words}"


def _games_otherwise(rows: pd.DataFrame, decisions: pd.DataFrame) -> str:
    """Which games of the list seem to be others of the match: whole games that pair better so."""
    shares = {
        by: (_joined(rows.assign(game=rows.game + by), decisions) >= 0).groupby(rows.game).mean()
        for by in (0, 1, -1)
    }
    for by in (1, -1):
        games = shares[by].index[(shares[by] >= MOSTLY) & (shares[0] < shares[by])]
        if len(games) and len(games) == sum(shares[0] < MOSTLY):
            number = f"game n {'+' if by > 0 else '-'} 1"
            which = "" if len(games) == len(shares[0]) else f", for n from {games.min()} on"
            return f"rows of game n are our {number}{which}"
    return ""


def with_resignations(scored: Scored) -> Scored:
    """The same with a row for every resignation, also where the rules leave these out."""
    kind = kinds(scored.match)
    names = ("counted", "error", "loss", "win", "lose")
    padded: dict[str, Any] = {name: scored.facts.filled(getattr(scored, name), 0) for name in names}
    padded |= {name: over_all(scored.match, name) for name in ("game", "player")}
    return replace(scored, kind=kind, **padded)
