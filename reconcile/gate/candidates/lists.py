"""Lists of decisions joined with the reference's table of decisions, and what follows: the figures,
what the errors have in common, the decisions that differ, and all lists of a program as one.

The figures follow from every row of a list, also from those that repeat a decision or are about
none. What all errors have in common is said, and nothing is converted by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from reconcile.document import HIDDEN, Count, Document, Positive, Row, Text, with_keys, within
from reconcile.gap.rows import IDS, PLACE
from reconcile.gap.walk import States
from reconcile.gate.candidates.reading import SEATS, Claim, Stated, Unit, Unusable
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Bools, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.values import grouped
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import Q01, Q02, Q03, QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.figures import CAPPED, LEADING, METRICS, Form, cap_of, capped, point_factor
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.score import CLASS_OF_KIND, Scored, is_dead, score, with_dead_cubes
from reconcile.scoring.statistics import Statistics, table_of
from reconcile.scoring.sums import DecisionClass
from reconcile.wording import either, listed, plural, summary

if TYPE_CHECKING:
    import pandas as pd

SLACK = 1e-6
"""EMG. Tools keep equities in single precision: two ways to the same number differ by less."""
ADDRESS = ["game", "turn", "seat", "slot"]
"""Where a decision is. Two actions between which a player decides once in a turn are one slot of
it; every other kind is a slot of its own: also a beaver, which may be answered by a double."""
SLOTS = {Kind.DOUBLE: Kind.NO_DOUBLE, Kind.PASS: Kind.TAKE}
SLOT_OF = np.array([SLOTS.get(kind, kind).value for kind in Kind])
"""By kind."""
RATES = ("pr", "checker_pr", "cube_pr")
COUNTS = tuple(f"decisions.{key}" for key in ("counted", "checker", "double", "take"))
PARTS = ("total", "checker", "double", "take")
MOSTLY = 0.9
"""Share of the rows that another numbering has to pair before it is taken for the program's, and of
the errors that a fault has to explain."""
RENUMBER = "number games and turns as `reconcile stats --decisions` does"
FEWEST_ALIKE = 3
"""Errors, or decisions, that show what all have in common."""
CLEAR = 20
"""What errors have in common is looked for where they are this many times half of their last
digit."""
FACTORS = {
    1000.0: "in thousandths of a point (mEMG)",
    0.001: "divided by 1000",
    500.0: "times 500, as PR points",
    100.0: "in hundredths, as a percentage",
    0.01: "divided by 100",
    2.0: "twice the reference's",
    0.5: "half of the reference's",
}
"""Between what a list has and what it should have, in the order in which they are tried."""
ALIKE = (2.0, 0.5)
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
        """What the errors that differ have in common: in words after "the errors that differ",
        empty if nothing, the same with their number, and by decision whether its error is so."""
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
        cube = self.match.over_all("cube").astype(np.float64)
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
        analysed=match.evaluated,
        added=added,
    )
    return Listed(left, rows, decisions, claim.unit)


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
    kind = scored.match.kinds
    names = ("counted", "error", "loss", "win", "lose")
    padded: dict[str, Any] = {name: scored.facts.filled(getattr(scored, name), 0) for name in names}
    padded |= {name: scored.match.over_all(name) for name in ("game", "player")}
    return replace(scored, kind=kind, **padded)


# -- what a list shows -----------------------------------------------------------------------------

SHARED = {"kind": "{}", "game": "of game {}", "player": "of {}"}
"""What all decisions that differ may have in common, in words."""
FEWEST = 2
"""Decisions that have to be on the other side of a border before it is named."""
MOST_FACTS = 200
"""Decisions, and rows, of one list that a property names each."""
DIGITS = 4
"""Of an equity at a border, and of what doubling would have cost."""
DifferingWay = Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]
WAYS: dict[DifferingWay, str] = {
    "counted-by-list": "counted by the program only",
    "counted-by-reference": "counted by the reference only",
    "error": "with another error",
    "no-error": "without an error",
    "no-row": "without a row",
}
"""The ways in which a decision differs, in words."""


if TYPE_CHECKING:
    Differing: TypeAlias = Row
else:
    Differing = with_keys(
        "Differing",
        {
            "what": (
                DifferingWay,
                "Which side alone counts it; or the error differs, or the list has no error or no "
                "row.",
            ),
            "row": (Positive | None, "Line or number of its row; null without one."),
            **PLACE,
            "player": (Text, "Who decides."),
            "counted": (tuple[bool, bool], "Whether it counts in the reference, and in the list."),
            "error": (
                tuple[float | None, float | None],
                "In the reference and in the list, in the list's unit.",
            ),
            "pr": (
                float | None,
                "By how much it moves the player's PR; null where that is unknown.",
            ),
            "questions": (
                tuple[str, ...],
                "Questions of which another answer alone gives what the list has.",
            ),
            "agreeing": (
                tuple[str, ...],
                "Known rule sets that count and weigh it as the list does.",
            ),
            "sentence": (Text, "The same in words."),
            **IDS,
        },
        "A decision that the list and the reference count or weigh differently.",
    )


def address(row: Row) -> str:
    """Where a decision is, in words."""
    return "game {game}, turn {turn}, {kind}, {player}".format(**row)


@dataclass(frozen=True, slots=True)
class Border(Document):
    """A line that a program seems to draw between decisions that count and others that do not."""

    question: Text
    """The question that is about such a line."""
    measure: Text
    """What is measured, in words."""
    counts: float
    """The value of the decision that counts and is nearest to the line (EMG)."""
    not_counts: float
    """The same of one that does not count."""
    moved: Positive
    """How many decisions the reference has on the other side."""

    @property
    def is_below(self) -> bool:
        """Whether what counts is below the line."""
        return self.counts < self.not_counts

    def words(self, own: RuleSet) -> str:
        """Where the program draws the line, in a sentence, beside rules that have it elsewhere."""
        low, high = sorted((self.counts, self.not_counts))
        answer = QUESTIONS[self.question].answers[own.answers[self.question]]
        page = " ".join(answer.page.partition("\n\n")[0].split()).rstrip(".")
        side = "below" if self.is_below else "above"
        line = f"is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} in the program"
        return f"{self.measure} {line}; {own.name} ({self.question}): {page}"


@dataclass(frozen=True, slots=True)
class Unpaired(Document):
    """A row that is about no decision of the reference, or repeats one."""

    row: Positive
    """Its line or number."""
    why: Literal["no-decision", "twice"]
    """Whether the reference has no such decision, or an earlier row is about it."""
    text: Text
    """Its address and what it adds, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult(Document):
    """A list of decisions, compared row by row."""

    rows: Count
    """Rows of the list."""
    paired: Count
    """Decisions of the reference with a row."""
    unlisted: Count
    """Decisions without a row that the reference does not count and that cost nothing there."""
    unit: Unit
    """The unit of its errors."""
    fault: str
    """What the errors that differ have in common, in words; empty if nothing."""
    differing: tuple[Differing, ...]
    """Decisions that differ: those first that are not as the errors have in common, and among them
    those that move PR most."""
    unpaired: tuple[Unpaired, ...]
    """Rows that are about no decision, and repeated ones."""
    borders: tuple[Border, ...]
    """Lines that the program seems to draw, one at most for a question."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the list."""
    listed: Annotated[Listed, HIDDEN] = field(repr=False, compare=False)

    @property
    def lost(self) -> str:
        """What of the list is about no decision, in words; empty if everything is about one."""
        texts = [row.text for row in self.unpaired if row.why == "no-decision"]
        return counted_rows(texts, "about no decision of the match")


def counted_rows(texts: Iterable[str], description: str, noun: str = "row") -> str:
    """How many rows are so, and which; empty if none is."""
    rows = list(texts)
    shown = "; ".join(summary(rows))
    return f"{plural(len(rows), noun)} {description}: {shown}" if rows else ""


# -- of one list ----------------------------------------------------------------------------------


def list_result(table: Listed) -> ListResult:
    """What a list shows."""
    mine, line = table.decisions.mine, table.decisions.line
    differs = table.differs(table.left)
    quiet = mine & line.isna() & ~table.decisions.added & ~differs
    return ListResult(
        rows=len(table.rows),
        paired=int(line.notna().sum()),
        unlisted=int(quiet.sum()),
        unit=table.unit,
        fault=table.fault[1],
        differing=tuple(_differing(table, np.flatnonzero(differs))),
        unpaired=tuple(_unpaired(table)),
        borders=tuple(_borders(table)),
        rule_sets={name: int(mask.sum()) for name, mask in table.by_rules.items()},
        listed=table,
    )


def _differing(table: Listed, rows: Any) -> Iterator[Row]:
    """The decisions that differ: those first that are not as the errors have in common, then those
    that move PR most, or differ most."""
    own, moved = table.decisions, table.moved
    explained = table.fault[2] & (own.counted == table.left.counted)
    off = np.nan_to_num(own.error) - table.cost(table.left)
    size = np.abs(np.where(np.isnan(moved), off, moved)).round(12)
    order = own.assign(explained=explained, size=-size).loc[rows]
    for at in order.sort_values(["explained", "size", "game", "turn"]).index:
        yield _differing_decision(table, at, moved[at])


def _differing_decision(table: Listed, at: int, moved: float) -> Row:
    row: Any = table.decisions.loc[at]
    left, stated = table.left, row.error
    kind, counted = Kind(int(left.kind[at])), (bool(left.counted[at]), bool(row.counted))
    ours = float(table.cost(left)[at]) if row.analysed else None
    theirs = None if np.isnan(stated) else float(stated)
    way: DifferingWay = "no-error" if theirs is None else "error"
    if np.isnan(row.line):
        way = "no-row"
    elif counted[0] != counted[1]:
        way = "counted-by-list" if counted[1] else "counted-by-reference"
    questions = tuple(dict.fromkeys(code for code, mask in table.switched if not mask[at]))
    agreeing = tuple(name for name, mask in table.by_rules.items() if not mask[at])
    sizes = [_size(value, table.in_mwc) for value in (ours, theirs)]
    words = [f"{WAYS[way]}; error {sizes[0]} in the reference, {sizes[1]} in the list"]
    if kind is Kind.NO_DOUBLE:
        cube = at - len(table.match.plays)
        cost = float(left.view.no_double[cube] - left.view.least[cube])
        words += [f"doubling would have cost {cost:.{DIGITS}f}"] * (cost == cost)
    if way not in ("no-error", "no-row"):
        words += [f"{either(questions)} may decide"] * bool(questions)
        words.append(f"as under {listed(agreeing) or 'no known rule set'}")
    xgid, gnubg_id = left.facts.identifiers(at)
    return {
        "what": way,
        "row": None if way == "no-row" else int(row.line),
        "game": int(row.game),
        "turn": int(row.turn),
        "kind": kind.label,
        "player": table.match.names[int(row.seat)],
        "counted": counted,
        "error": (ours, theirs),
        "pr": None if np.isnan(moved) else float(moved),
        "questions": questions,
        "agreeing": agreeing,
        "sentence": "; ".join(words),
        "xgid": xgid or None,
        "gnubg_id": gnubg_id or None,
    }


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + " pp" * in_mwc


def _borders(table: Listed) -> Iterator[Border]:
    """The lines that the program seems to draw and the reference has elsewhere."""
    left, view, plays = table.left, table.left.view, table.match.plays
    no_double = view.access & (view.kind == Kind.NO_DOUBLE.value)
    with np.errstate(invalid="ignore"):
        close, losing = (no_double & left.rules.value(question)(view) for question in (Q02, Q03))
    choice = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
    usable = (table.decisions.mine & table.decisions.line.notna()).to_numpy()
    doubling = view.no_double - view.least
    for question, words, values, among, sign in (
        (Q02, "a no-double counts if what doubling would have cost", doubling, losing, 1.0),
        (Q01, "a play counts if the best candidate less the worst", plays.spread, choice, -1.0),
        (Q03, "a close no-double counts if its equity", view.no_double, close, -1.0),
    ):
        start = 0 if question is Q01 else len(plays)
        rows = start + np.flatnonzero(among & ~np.isnan(values))
        rows = rows[usable[rows]]
        counted, measure = table.decisions.counted.to_numpy()[rows], sign * values[rows - start]
        inside, outside = measure[counted], measure[~counted]
        moved = int((counted != left.counted[rows]).sum())
        if moved and len(inside) and len(outside) and inside.max() < outside.min():
            ends = sign * float(inside.max()), sign * float(outside.min())
            yield Border(question.code, words, *ends, moved)


def _unpaired(table: Listed) -> Iterator[Unpaired]:
    """The rows about no decision, and those that repeat one, in the order of the list."""
    row: Any
    for row in table.rows[(table.rows.decision < 0) | table.rows.repeated].itertuples():
        adds = ["1 decision"] * bool(row.counted)
        adds += [f"error {row.error:g}"] * bool(np.nan_to_num(row.error))
        player = table.match.players[row.seat]
        text = f"game {row.game}, turn {row.turn}, {Kind(row.kind).label}, {player}: row {row.line}"
        if row.repeated:
            text += f" repeats row {int(table.decisions.line[row.decision])}"
        why: Literal["twice", "no-decision"] = "twice" if row.repeated else "no-decision"
        yield Unpaired(row.line, why, f"{text}, adds {' and '.join(adds) or 'nothing'}")


def _misnamed(table: Listed) -> Iterator[tuple[str, str]]:
    """The rows that call a decision another kind, or say another play, than the file has: what is
    other, and the row."""
    plays = table.match.plays
    row: Any
    for row in table.rows[table.rows.decision >= 0].itertuples():
        at = row.decision
        if table.left.kind[at] not in (row.kind, Kind.BEAVER):
            yield "kind", f"row {row.line}: {Kind(row.kind).label}"
        if row.played and at < len(plays):
            board, dice = tuple(plays.position[at].tolist()), tuple(plays.dice[at].tolist())
            try:
                after = apply_play(board, parse_play(row.played, dice, board))
            except ValueError:  # it cannot be read
                continue
            if after != apply_play(board, plays.play[at]):
                yield "play", f"row {row.line}: {row.played}"


def conclusion(
    own: RuleSet, paired: str, lists: Sequence[ListResult], counts: Mapping[str, int]
) -> tuple[str, str]:
    """By which rules lists count, and what the decisions that differ have in common: the code of a
    finding, and its words."""
    differing = [decision for result in lists for decision in result.differing]
    extra = sum(len(result.unpaired) for result in lists)
    more = f"; rows that repeat a decision or are about none: {extra:,}" if extra else ""
    if not differing:
        code = "candidate-decisions" if extra else "candidate-own-rules"
        return code, f"{'the' if extra else 'all'} {paired} are as under rule set {own.name}{more}"
    ways = Counter(row["what"] for row in differing)
    words = ", ".join(f"{ways[way]:,} {text}" for way, text in WAYS.items() if ways[way])
    text = f"{len(differing):,} of {paired} differ from rule set {own.name}: {words}"
    common = [
        form.format(f"{value}{'es' if value == 'pass' else 's'}" if name == "kind" else value)
        for name, form in SHARED.items()
        for value in [differing[0][name]]
        if all(row[name] == value for row in differing)
    ]
    if common and len(differing) >= FEWEST_ALIKE:
        text += f"; all {len(differing):,} are {' '.join(common)}"
    text += more
    nearest = min(counts, key=lambda name: (counts[name], name != own.name))
    if counts[nearest] < len(differing):
        touched = {code for row in differing for code in row["questions"]}
        codes = [code for code in own.differing(RULE_SETS[nearest]) if code in touched]
        by = f" ({listed(codes)})" if codes else ""
        number = f"{counts[nearest]:,} differ" if counts[nearest] else "none differs"
        text += f"; from rule set {nearest}{by} {number}"
    return "candidate-decisions" if counts[nearest] else "candidate-rules", text


def list_findings(result: ListResult) -> Iterator[Finding]:
    """What is to be said of a list: its fault, the rules by which it counts, its rows."""
    table, own = result.listed, result.listed.left.rules
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    paired = plural(result.paired, "listed decision")
    yield new_finding(*conclusion(own, paired, [result], result.rule_sets))
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border.words(own))
    twice = (row.text for row in result.unpaired if row.why == "twice")
    without = (address(row) for row in result.differing if row["what"] == "no-row")
    rows = [result.lost, counted_rows(twice, "given twice")]
    rows.append(counted_rows(without, "without a row", "decision"))
    for name, texts in grouped(_misnamed(table), itemgetter(0)).items():
        misnamed = (text for _, text in texts)
        rows.append(counted_rows(misnamed, f"with another {name} than the file has"))
    for evidence in filter(None, rows):
        yield new_finding("candidate-rows", evidence)
    unlisted = f"{plural(result.unlisted, 'decision')} without a row that neither side counts"
    quiet = [unlisted] * bool(result.unlisted)
    quiet += [f"no row of {table.match.players[seat]}" for seat in {0, 1}.difference(table.seats)]
    half = float(table.rows.half.where(table.rows.error != 0, 0.0).max())
    if half >= 0.5 * 10.0**-DIGITS:
        quiet.append(f"errors are rounded, each by up to {half:g}, and so are the sums")
    if quiet:
        yield new_finding("candidate-list", "; ".join(quiet))


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words."""
    for row in result.differing[:MOST_FACTS]:
        moved = "" if row["pr"] is None else f"; PR {row['pr']:+.4f}"
        ids = "".join(f"; {text}" for text in (row["xgid"], row["gnubg_id"]) if text)
        line = "" if row["row"] is None else f" (row {row['row']})"
        yield address(row) + line, row["sentence"] + moved + ids
    yield from ((f"row {each.row}", each.text) for each in result.unpaired[:MOST_FACTS])
    more = sum(max(len(rows) - MOST_FACTS, 0) for rows in (result.differing, result.unpaired))
    if more:
        yield "more decisions and rows", f"{more:,}"


# -- all lists of a program -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PooledLists(Document):
    """The lists of one program over all matches of a run, compared under one rule set."""

    candidate: Text
    """Name of the file or program."""
    rules: str
    """The rule set."""
    matches: Positive
    """How many lists."""
    rows: Count
    """Rows of all lists."""
    paired: Count
    """Decisions of the references with a row."""
    differing: Count
    """Decisions that differ."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the lists, the fewest first."""
    sentences: Annotated[tuple[Text, ...], within(min_length=1)]
    """What the lists show, in words."""


def pooled_lists(candidate: str, rules: str, lists: Sequence[ListResult]) -> PooledLists:
    """The lists of one program, compared under one rule set; first what errors have in common."""
    sums = {name: sum(result.rule_sets[name] for result in lists) for name in RULE_SETS}
    counts = dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != rules)))
    rows, paired = (sum(getattr(result, name) for result in lists) for name in ("rows", "paired"))
    differing = [decision for result in lists for decision in result.differing]
    own, sentences = lists[0].listed.left.rules, []
    over = f" in {plural(len(lists), 'match', 'matches')}" if len(lists) > 1 else ""
    faults = Counter(result.listed.fault[0] for result in lists if result.fault)
    for fault, count in faults.most_common():
        number = "all" if count == len(lists) else count
        sentences.append(
            f"the errors that differ{f' in {number} {len(lists)} lists' if over else ''} {fault}"
        )
    total = f"{plural(paired, 'listed decision')}{over}"
    sentences.append(conclusion(own, total, lists, counts)[1])
    if differing:
        sentences += [border.words(own) for border in shared_borders(lists)]
    number = len(differing)
    return PooledLists(candidate, rules, len(lists), rows, paired, number, counts, tuple(sentences))


def shared_borders(lists: Iterable[ListResult]) -> Iterator[Border]:
    """The lines that all lists that show one agree on, as narrow as they make it."""
    every = [border for result in lists for border in result.borders]
    for question in dict.fromkeys(border.question for border in every):
        first, *more = (border for border in every if border.question == question)
        is_below, counts, not_counts = first.is_below, first.counts, first.not_counts
        inner, outer = (max, min) if is_below else (min, max)
        for border in more:
            counts = inner(counts, border.counts)
            not_counts = outer(not_counts, border.not_counts)
        moved = first.moved + sum(border.moved for border in more)
        pooled = replace(first, counts=counts, not_counts=not_counts, moved=moved)
        if moved >= FEWEST and pooled.is_below == is_below:
            yield pooled
