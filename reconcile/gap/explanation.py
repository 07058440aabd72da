"""Why a player's figure differs, as rows that add up to the gap: single decisions, a row for each
other cause, and what is left.

Nothing here depends on which file is the left one: exchanged sides have the same rows with the
other sign.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, Count, Document, Key, Positive
from reconcile.files.bundled import read_pages
from reconcile.gap.aligned import MOVES
from reconcile.gap.comparison import Comparison
from reconcile.gap.rows import Line, Place, Rows, hundredths, noted, signed
from reconcile.gap.verdict import Figure
from reconcile.gap.walk import Bridge, opinions
from reconcile.language import Number, joined, listing, say, word
from reconcile.match.columns import Bools, Floats, KindName
from reconcile.rules.rulesets import Q09, Q13, QUESTIONS
from reconcile.scoring.figures import CHECKER, LEADING, METRICS
from reconcile.scoring.statistics import lacking

ROW_PAGES = read_pages(Path(__file__).with_name("explanation.md"))
"""The page of every kind of row."""
MOST_NAMED = 5
"""Decisions that are named."""
LARGE = 0.10
"""Size of a change from which a decision is named, while fewer than `MOST_NAMED` are."""
EQUAL = 9
"""Digits to which two changes of equal size agree, whichever side they are seen from."""
SMALLEST = 0.005
"""A change smaller than this rounds to 0.00."""
NOISE = 1e-10
COSTS = frozenset(("Q06", "Q08", "Q09", "Q10", "Q11"))
"""Questions of what a decision costs; the others are of which decisions count."""
CAP = "Q13"
COUNTING = frozenset(QUESTIONS) - COSTS - {CAP}
COVERAGE = frozenset(("coverage-left", "coverage-right"))

RowKind = Literal["decision", "rules", "cap", "coverage", "rest"]


@dataclass(frozen=True, slots=True)
class GapRow(Document):
    """A part of a gap."""

    kind: RowKind
    """What it is; `reconcile explain KIND` prints the page."""
    change: float
    """In the unit of the metric."""
    printed: str
    """The same with a sign and two decimals. Those of all rows add up to the gap of the printed
    figures."""
    text: str
    """What makes it, in words."""
    game: Annotated[Positive | None, LEFT_OUT] = None
    """Of a decision, the number of its game."""
    turn: Annotated[Positive | None, LEFT_OUT] = None
    """Of a decision, the number of its turn, from 1, counting both players."""
    decision: Annotated[KindName | None, LEFT_OUT] = None
    """What was decided."""
    left: str = ""
    """What the left side says of it."""
    right: str = ""
    """What the right side says of it."""
    count: Count = 0
    """Decisions that make it; 0 where none does."""
    largest: Annotated[float | None, LEFT_OUT] = None
    """Of `rest`, the largest change that is left in it."""
    up: Annotated[Count | None, LEFT_OUT] = None
    """Of `rest`, how many of its decisions move the figure up."""
    down: Annotated[Count | None, LEFT_OUT] = None
    """Of `rest`, how many of its decisions move the figure down."""

    @property
    def place(self) -> Place | None:
        """Where the decision is, if it is one."""
        if self.game is None or self.turn is None:
            return None
        return Place(self.game, self.turn, self.decision or "")

    def line(self, labels: Sequence[str]) -> Line:
        """As every output lays it out; `labels` are what the sides are called."""
        sides = zip(labels, (self.left, self.right), strict=True)
        detail = joined(", ", *(joined(" ", label, words) for label, words in sides if words))
        if self.largest is not None and self.count > 1:
            largest = signed(hundredths(self.largest))
            detail = say("row.scatter", up=self.up, down=self.down, largest=largest)
        return Line(self.printed, self.text, detail, self.place)


@dataclass(frozen=True, slots=True)
class ExplainedGap(Document):
    """Why a figure of a player differs. The changes of the rows add up to `to` less `from`."""

    player: str
    """As the left file has the name."""
    metric: str
    """`pr`, or `checker_pr` where a PR is unknown and this figure is not."""
    start: Annotated[float | None, Key("from")]
    """The left figure."""
    end: Annotated[float | None, Key("to")]
    """The right figure."""
    headline: str
    """The figures in words, with the gap."""
    rows: tuple[GapRow, ...]
    """The largest first, `rest` last; none where a figure is unknown."""
    labels: Annotated[tuple[str, str], HIDDEN] = field(default=("", ""), repr=False)
    """What the two sides are called."""

    def shown(self) -> Rows:
        """As every output lays it out."""
        lines = tuple(row.line(self.labels) for row in self.rows)
        return Rows(self.headline, lines, self.player)


def explanations(comparison: Comparison) -> tuple[ExplainedGap, ...]:
    """Why the figures of every player that is compared differ, in the order of the left file's
    seats."""
    shown = {figure.player for figure in comparison.figures if figure.metric == LEADING}
    names = comparison.walk.left.match.names
    seats = (seat for seat in comparison.walk.seats if names[seat] in shown)
    return tuple(explained(comparison, seat) for seat in seats)


def explained(comparison: Comparison, seat: int) -> ExplainedGap:
    """Why the figure of a player differs that is compared, by the seat in the left file."""
    player = comparison.walk.left.match.names[seat]
    figures = {figure.metric: figure for figure in comparison.figures if figure.player == player}
    name = next((name for name in (LEADING, CHECKER) if _is_known(figures[name])), "")
    lacks = _lacks(comparison, seat)
    bridge = comparison.walk.bridge(name or LEADING, seat)
    start, end = bridge.start, bridge.end
    if not name:
        start, end = None if lacks[0] else start, None if lacks[1] else end
    parts, headings = [], comparison.headings
    if name != LEADING:
        parts.append(say("head.pr", rates=_by_side(headings, figures[LEADING], lacks)))
    if name:
        figure = figures[name]
        gap = signed(hundredths(figure.right or 0.0) - hundredths(figure.left or 0.0))
        rates = _by_side(headings, figure, ("", ""))
        is_pr = name == LEADING
        slots = {"rates": rates, "gap": gap}
        parts.append(say("head.pr-gap", **slots) if is_pr else say("head.checker-gap", **slots))
    rows = _rows(Gap(comparison, bridge)) if name and None not in (start, end) else ()
    headline = say("head.of", player=player, what=joined("; ", *parts))
    return ExplainedGap(player, bridge.metric, start, end, headline, rows, comparison.labels)


def _is_known(figure: Figure) -> bool:
    return not figure.coverage and None not in (figure.left, figure.right)


def _lacks(comparison: Comparison, seat: int) -> tuple[str, str]:
    """By side what is not analysed: `9 of 50 cube decisions`."""
    (here, there), other = comparison.statistics, comparison.pairing.seats[seat]
    return listing(lacking(here.completeness(seat))), listing(lacking(there.completeness(other)))


def _by_side(labels: tuple[str, str], figure: Figure, lacks: tuple[str, str]) -> str:
    """`7.79 by XG, none by gnuBG, 9 of 50 cube decisions analysed`."""
    shown, words = METRICS[figure.metric].shown, []
    for label, value, missing in zip(labels, (figure.left, figure.right), lacks, strict=True):
        number = say("head.none") if missing or value is None else shown(value)
        by = {"number": number, "label": label}
        words.append(
            say("head.by-lacking", **by, missing=missing) if missing else say("head.by", **by)
        )
    return joined(", ", *words)


class Gap:
    """A gap taken apart: what every decision adds to it, by the kind of row that it belongs to."""

    def __init__(self, comparison: Comparison, bridge: Bridge) -> None:
        self.bridge, self.walk = bridge, comparison.walk
        self.start, self.end = bridge.start or 0.0, bridge.end or 0.0
        self.statistics, self.sides = comparison.statistics, (self.walk.left, self.walk.right)
        seat = self.walk.left.match.names.index(bridge.player)
        self.seats = seat, self.walk.pairing.seats[seat]
        self.aligned = aligned = self.walk.aligned
        inside = aligned.player == seat
        if classes := METRICS[bridge.metric].classes:
            inside &= np.isin(aligned.decision_class, classes)
        self.counted = aligned.counted & inside
        """Shape [side, decision]: whether it counts in the figure, under the side's own rules."""

    def added(self, codes: Container[str]) -> Floats:
        """What every decision adds in these steps."""
        shares = self.bridge.contributions
        vectors = [shares[code] for code in shares if code in codes]
        return np.sum(vectors, axis=0) if vectors else np.zeros(len(self.aligned))

    def same_on_both_sides(self) -> Bools:
        """The decisions of which both analyses say the same under the same rules: only the cap of a
        figure changes their share."""
        # On every way, the left file under the right rules charges what the right file does.
        same = np.ones(len(self.aligned), bool)
        for way in (self.walk.ways[number] for number in self.bridge.ways):
            same &= (way.ruled[:MOVES] == way.landing[:MOVES]).all(axis=0)
        return same


def _rows(gap: Gap) -> tuple[GapRow, ...]:
    """The rows of a gap: those that are printed, and what is left."""
    analysis, coverage, common = gap.added(("engine",)), gap.added(COVERAGE), gap.aligned.common
    capped = gap.same_on_both_sides() & (analysis != 0)
    cap = gap.added((CAP,)) + np.where(capped, analysis, 0.0) + np.where(common, coverage, 0.0)
    rest = [
        *_counting(gap, gap.added(COUNTING)),
        *_costs(gap, gap.added(COSTS)),
        *_cap(gap, cap),
        *_coverage(gap, np.where(common, 0.0, coverage)),
    ]
    analysis = np.where(capped, 0.0, analysis)
    named, left = _named(gap, analysis)
    rows = [*named, *(row for row in rest if hundredths(row.change))]
    rows.sort(key=lambda row: -round(abs(row.change), EQUAL))
    return (*rows, *_rest(gap, rows, analysis[left], bool(named)))


def _row(
    kind: RowKind,
    change: float,
    text: str,
    sides: Sequence[str] = ("", ""),
    count: int = 0,
    **more: Any,
) -> GapRow:
    """A row; `sides` are what either side says."""
    left, right = sides
    printed = signed(hundredths(change))
    return GapRow(kind, float(change), printed, text, left=left, right=right, count=count, **more)


def _named(gap: Gap, analysis: Floats) -> tuple[list[GapRow], list[int]]:
    """The decisions that are named, and those that are not.

    Named are the largest, if they are large or make half of the gap; and the only one that would be
    left.
    """
    aligned, size = gap.aligned, np.abs(analysis).round(EQUAL)
    keys = aligned.kind, aligned.turn, aligned.game, -size
    order = [decision for decision in np.lexsort(keys).tolist() if size[decision]]
    border = min(LARGE, max(abs(gap.end - gap.start) / 2, SMALLEST))
    number = sum(size[decision] >= round(border, EQUAL) for decision in order[:MOST_NAMED])
    if number + 1 == len(order) <= MOST_NAMED and hundredths(size[order[-1]]):
        number += 1
    rows = []
    for decision in order[:number]:
        place = aligned.place(decision)
        sides = opinions(aligned, decision)
        where = {"game": place.game, "turn": place.turn, "decision": place.kind}
        rows.append(_row("decision", analysis[decision], str(place), sides, 1, **where))
    return rows, order[number:]


def _counting(gap: Gap, added: Floats) -> Iterator[GapRow]:
    """Rules that change which decisions count; the numbers of the sides are as far apart as the
    decisions that they count."""
    left, right = gap.counted
    if added.any():
        alone = [int(side.sum()) for side in (left & ~right, right & ~left)]
        sides = [say("row.alone-counts", number=number) if number else "" for number in alone]
        yield _row("rules", added.sum(), say("row.counting"), sides, int(np.count_nonzero(added)))


def _costs(gap: Gap, added: Floats) -> Iterator[GapRow]:
    """Rules that change what a decision costs."""
    shares = gap.bridge.contributions
    codes = [code for code in shares if code in COSTS and shares[code].any()]
    if codes:
        text = word("cost", codes[0]) if len(codes) == 1 else say("row.costs")
        by_side = zip(*(_answers(gap, code) for code in codes), strict=True)
        words = [joined("; ", *side) for side in by_side]
        yield _row("rules", added.sum(), text, words, int(np.count_nonzero(added)))


def _answers(gap: Gap, code: str) -> list[str]:
    """What either side does by its answer to a question of what decisions cost."""
    if code == "Q11":
        return [side.met.name for side in gap.sides]
    if code == "Q09":
        factors = [Number(f"{side.rules.value(Q09):g}") for side in gap.sides]
        return [say("cost.factor", factor=factor) for factor in factors]
    return [word("answer", answer) for answer in gap.walk.answers(code)]


def _cap(gap: Gap, added: Floats) -> Iterator[GapRow]:
    """The cap of PR, and what it hides."""
    words, text = [], say("row.cap")
    for statistics, seat in zip(gap.statistics, gap.seats, strict=True):
        cap, rate = statistics.rules.value(Q13), statistics.uncapped_pr(seat)
        is_capped = cap is not None and rate is not None and rate > cap
        shown = METRICS[LEADING].shown(rate)
        words.append(say("row.uncapped", rate=shown) if is_capped else "")
        if cap is not None and text == say("row.cap"):
            text = say("row.cap-at", cap=Number(f"{cap:g}"))
    if added.any():
        yield _row("cap", added.sum(), text, words)


def _coverage(gap: Gap, added: Floats) -> Iterator[GapRow]:
    """Decisions that one side alone has or analysed."""
    moved, aligned, words = added != 0, gap.aligned, []
    has = aligned.rows >= 0
    for here, there in ((0, 1), (1, 0)):
        alone = moved & has[here] & ~has[there]
        lists = set(gap.sides[there].match.games.number.tolist())
        games = sorted(set(aligned.game[alone].tolist()) - lists)
        single = int((alone & ~np.isin(aligned.game, games)).sum())
        analysed = int((moved & aligned.paired & aligned.evaluated[here]).sum())
        parts = [say("row.games", n=len(games), games=tuple(map(str, games)))] if games else []
        parts += [say("row.decisions", n=single)] if single else []
        sides = [say("row.alone-has", parts=tuple(parts))] if parts else []
        sides += [say("row.alone-analysed", n=analysed)] if analysed else []
        words.append(listing(sides))
    paired, text = aligned.paired[moved], say("row.only-analysed")
    if not paired.all():
        text = say("row.only-has-or-analysed") if paired.any() else say("row.only-has")
    if moved.any():
        yield _row("coverage", added.sum(), text, words, int(moved.sum()))


def _rest(gap: Gap, rows: Sequence[GapRow], left: Floats, named: bool) -> Iterator[GapRow]:
    """What is left of the gap, as it is and as it is printed."""
    change = (gap.end - gap.start) - sum(row.change for row in rows)
    printed = hundredths(gap.end) - hundredths(gap.start)
    printed -= sum(hundredths(row.change) for row in rows)
    if not len(left) and not printed and abs(change) <= NOISE:
        return
    text = say("row.rounding")
    if len(left):
        many = {"n": len(left)}
        text = say("row.other-decisions", **many) if named else say("row.decisions", **many)
    if not gap.bridge.steps:
        text = say("row.unsplit", why=gap.bridge.reason)
    facts: dict[str, Any] = {}
    if len(left):
        facts["largest"] = float(left[np.argmax(np.abs(left))])
        facts |= {"up": int((left > 0).sum()), "down": int((left < 0).sum())}
    row = _row("rest", change, text, count=len(left), **facts)
    yield replace(row, printed=signed(printed))


def notes(comparison: Comparison) -> list[str]:
    """The notes of a comparison."""
    left, right = comparison.labels
    labels: Mapping[str | None, str] = {None: "", "left": left, "right": right}
    players = [figure.player for figure in comparison.figures]
    findings = ((labels[finding.side], finding) for finding in comparison.findings)
    return noted(findings, players)
