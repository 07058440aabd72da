"""A match with its analyses, one or more: figures side by side, the bridge of any two, the outlier,
what is in dispute.

Everything is found from the decisions of the reference file (`reconcile.gap.aligned`), so that the
order of the files changes nothing but the order. Nothing is judged: tolerances are for two
analyses, and every pair opens as their comparison.

The analysis that is far from all others of a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from reconcile.document import LEFT_OUT, Count, Document, Ends, Key, Row
from reconcile.errors import InvalidArgument, NothingToCompare, expect, expect_list
from reconcile.gap.aligned import SIZE, Aligned
from reconcile.gap.comparison import (
    Comparison,
    ReviewedFiles,
    compare,
    held_against,
    reviewed_files,
)
from reconcile.gap.explanation import ExplainedGap, GapRow, explained, explanations
from reconcile.gap.pairing import PLAYERS, anonymised, given_twice, seat_of
from reconcile.gap.rows import (
    Line,
    Rows,
    action_words,
    analysis_rows,
    by_all,
    hundredths,
    labels_of,
    noted,
    span,
    under_rules,
)
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.walk import Bridge, Walk
from reconcile.language import Number, joined, listing, say
from reconcile.match.match import Match
from reconcile.match.met import AnyMet
from reconcile.match.values import Value, once
from reconcile.notebook import NotebookTable, frame_of, one_line, short, short_file
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.decisions import DecisionTable, decisions_of, stacked
from reconcile.scoring.figures import LEADING, METRICS, Figures
from reconcile.scoring.findings import Finding, findings_of, new_finding
from reconcile.scoring.grades import at_least
from reconcile.scoring.open_rules import Range, open_range
from reconcile.scoring.statistics import Statistics, lacking
from reconcile.scoring.sums import complete

if TYPE_CHECKING:
    import pandas as pd


NOISE = 0.10
"""PRs this close are the same: the tolerance of PR in the table `documented`."""
FEWEST = 3
"""Programs with a complete analysis of a player, of which one can be the outlier."""


@dataclass(frozen=True, slots=True)
class Outlier(Document):
    """The analysis whose PR is furthest from the median of the other programs': by more than 0.10,
    and by more than 0.10 further than any."""

    side: Count
    """Its index, from 0."""
    from_median: Annotated[float, Key("pr_from_median")]
    """Its PR less the median of the others'."""
    median: Ends
    """The median of the others' PRs; twice one number where no open rule moves it."""
    decisions: Count = 0
    """Decisions of the player on which no other analysis thinks best what this one does."""
    nearest: Count = 0
    """The index of the analysis nearest to it."""
    distance: float = 0.0
    """Its PR less that of the nearest one."""
    rows: tuple[GapRow, ...] = ()
    """What makes the distance; the changes add up to it."""
    range: Annotated[Ends | None, LEFT_OUT] = None
    """The same with every PR anywhere in its range; absent where no open rule moves one."""

    @property
    def away(self) -> Range:
        """How far its PR is from the median of the others, wherever in its range each is."""
        return self.range or (self.from_median, self.from_median)

    @property
    def surely(self) -> float:
        """The least of that."""
        low, high = self.away
        return max(low, -high, 0.0)


def far_from_others(rates: Mapping[int, float], ranges: Mapping[int, Range]) -> Outlier | None:
    """The side furthest from the median of the others: by more than `NOISE`, and by more than that
    further than any other side.

    Both must hold wherever in its range each PR is; sides without a range are left out of `ranges`.
    `None` where it holds for no side.
    """
    if len(rates) < FEWEST:
        return None
    ends = {side: ranges.get(side, (pr, pr)) for side, pr in rates.items()}
    sides = []
    for side, pr in rates.items():
        beside = [other for other in rates if other != side]
        low, high = (float(np.median([ends[other][end] for other in beside])) for end in (0, 1))
        off = pr - float(np.median([rates[other] for other in beside]))
        away = ends[side][0] - high, ends[side][1] - low
        sides.append(Outlier(side, off, (low, high), range=None if away[0] == away[1] else away))
    first = max(sides, key=lambda outlier: outlier.surely)
    rest = max(max(map(abs, each.away)) for each in sides if each is not first)
    return first if first.surely > NOISE and first.surely - rest > NOISE else None


FOR_TWO = "is for two files: with more nothing is judged; compare two of them, or leave it out"
MOST_SIDES = 20
"""Files that are compared at once; every pair of them is a comparison."""


@dataclass(frozen=True, slots=True)
class ReviewedFigure:
    """A figure of a player by one analysis."""

    player: str
    """As the file with most decisions has the name."""
    metric: str
    analysis: int
    """Index of the analysis, in the order given."""
    value: float | int | None
    """`None` where unknown."""
    low: float | None
    high: float | None
    """The range that a question leaves open of which the tool's answer is not known; `None` where
    none moves the figure."""
    missing: str
    """What the analysis lacks of the player, in words; empty where nothing."""


FIGURE_COLUMNS = {
    column.name: {"str": "object", "int": "int64"}.get(str(column.type), "float64")
    for column in fields(ReviewedFigure)
}
"""Its fields as columns, with the type of each."""


@dataclass(frozen=True, eq=False, repr=False)
class Review(Value, NotebookTable):
    """A match and n analyses of it, n at least 1. What is costly is made when first asked for, and
    once.

    Players, games and turns are named as the file with most decisions has them. Analyses count from
    0 in the order given.
    """

    files: ReviewedFiles = field(repr=False)
    """The files, each scored, and any two paired."""
    seats: tuple[int, ...]
    """Those of `match`, of the players that are shown."""

    def __repr__(self) -> str:
        shown, sides = METRICS[LEADING].shown, range(len(self.analyses))
        rates = []
        for seat in self.seats:
            numbers = (shown(self.figures_of(side, seat)[LEADING]) for side in sides)
            rates.append(f"{short(self.names[seat])} PR {', '.join(numbers)}")
        file = short_file(self.match.source.path)
        return one_line(self, f"{file}, {len(sides)} analyses: {'; '.join(rates)}")

    @property
    def aligned(self) -> Aligned:
        """Every decision of the file with most decisions, and which decision of every analysis it
        is."""
        return self.files.aligned

    @property
    def matches(self) -> tuple[Match, ...]:
        """The files, in the order given."""
        return self.files.matches

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the analyses are called, each differently."""
        return labels_of(self.matches)

    @property
    def match(self) -> Match:
        """The match, from the file with most decisions."""
        return self.aligned.match

    @property
    def players(self) -> tuple[str, ...]:
        """The players who are shown."""
        return tuple(self.names[seat] for seat in self.seats)

    @property
    def analyses(self) -> tuple[Statistics, ...]:
        """Each analysis under its rules, in the order given."""
        return self.files.analyses

    @cached_property
    def figures(self) -> tuple[ReviewedFigure, ...]:
        """Every figure of every player by every analysis, with its range and what the analysis
        lacks."""
        figures = []
        for seat, name in zip(self.seats, self.players, strict=True):
            sides = range(len(self.analyses))
            missing = [self.missing(side, seat) for side in sides]
            for metric in METRICS:
                for side in sides:
                    value = self.figures_of(side, seat)[metric]
                    low, high = self.ranges[side][seat].get(metric, (None, None))
                    row = ReviewedFigure(name, metric, side, value, low, high, missing[side])
                    figures.append(row)
        return tuple(figures)

    def to_frame(self) -> pd.DataFrame:
        """A row for every figure of every player by every analysis.

        - `player`, `metric`: whose figure it is, and which
        - `analysis`: its index, in the order given
        - `value`: the figure; missing where unknown
        - `low`, `high`: the range that an open rule leaves; missing where there is none
        - `missing`: what the analysis lacks of the player; empty where nothing
        """
        return frame_of(map(asdict, self.figures), FIGURE_COLUMNS)

    def decisions(self) -> DecisionTable:
        """A row for every decision and analysis that has it, in the order played.

        The column `analysis` is followed by those of `Statistics.decisions()`.
        """
        table = stacked([self._decisions(side) for side in range(len(self.analyses))])
        keys = ("analysis", "decision", "stage", "turn", "game")
        order = np.lexsort([table[name] for name in keys])
        return table.take(order[np.isin(table["seat"], self.seats)[order]])

    def _decisions(self, side: int) -> DecisionTable:
        """A side's decisions with the seats, games and turns of the reference file, and their order
        there."""
        aligned, scored = self.aligned, self.analyses[side].scored
        number, rows = len(scored.error), aligned.rows[side]
        table, order = decisions_of(scored).take(np.arange(number)), np.full(number, -1)
        there = np.flatnonzero((rows >= 0) & (rows < number))
        order[rows[there]] = there
        places = {name: table[name].copy() for name in ("game", "turn")}
        for name, column in places.items():
            column[rows[there]] = aligned.stated(name)[there]
        seats = table["seat"] ^ aligned.seats[side][0]
        columns = {
            "analysis": np.full(number, side),
            **places,
            "seat": seats,
            "player": np.array(self.names, object)[seats],
            "decision": np.where(order >= 0, order, len(rows) + np.arange(number)),
        }
        return table.with_columns(columns, ["analysis"])

    @property
    def names(self) -> tuple[str, str]:
        """The players by the reference file's seats, as it has their names."""
        return self.aligned.match.names

    @property
    def indices(self) -> tuple[tuple[int, int], ...]:
        """Every pair of sides."""
        return tuple(combinations(range(len(self.analyses)), 2))

    def walk(self, left: int, right: int) -> Walk:
        """The way from every figure by one analysis to that by another, for the players that are
        shown."""
        return self.files.walk(self._index(left), self._index(right))

    def pair(self, left: int, right: int) -> Comparison:
        """Two of the analyses as a comparison, judged by the documented tolerances."""
        return self._pair(self._index(left), self._index(right))

    @once
    def _pair(self, left: int, right: int) -> Comparison:
        return self.judged(load_tolerances(), left=left, right=right, need_verdict=False)

    def _index(self, index: int) -> int:
        """The index of an analysis, from the end where it is negative. Raises `InvalidArgument`."""
        size = len(self.matches)
        expected = f"the index of an analysis, 0 to {size - 1}"
        expect("analysis", index, int, expected)
        if isinstance(index, bool) or not -size <= index < size:
            raise InvalidArgument("analysis", expected, index)
        return index % size

    def seat(self, side: int, seat: int) -> int:
        """Where a side has a player."""
        return self.aligned.seats[side][seat]

    def figures_of(self, side: int, seat: int) -> Figures:
        """The figures of a player by a side."""
        return self.analyses[side].figures(self.seat(side, seat))

    @cached_property
    def ranges(self) -> tuple[Mapping[int, Mapping[str, Range]], ...]:
        """By side, by the reference's seat: the figures that depend on an open rule."""
        sides = [open_range(side).figures for side in self.analyses]
        return tuple(
            {seat: ranges[self.seat(side, seat)] for seat in (0, 1)}
            for side, ranges in enumerate(sides)
        )

    def findings(self, side: int) -> tuple[Finding, ...]:
        """What is found in a side beside the others."""
        beside = [match for other, match in enumerate(self.matches) if other != side]
        return findings_of(self.analyses[side], beside=beside)

    def missing(self, side: int, seat: int) -> str:
        """What a side has not analysed of a player: `9 of 50 cube decisions`; empty where nothing
        is missing, or but few decisions."""
        missing = lacking(self.analyses[side].completeness(self.seat(side, seat)))
        aligned = self.aligned
        counted = aligned.counted[aligned.reference] & (aligned.player == seat)
        here, every = int((counted & (aligned.rows[side] >= 0)).sum()), int(counted.sum())
        if not complete(here, every):
            missing.append(say("lacks.match", here=here, every=every))
        return listing(missing)

    def rates(self, seat: int) -> dict[int, float]:
        """By side the PR of a player, of the voters that analysed the player completely."""
        sides = (side for side in self.aligned.voters if not self.missing(side, seat))
        rates = {side: self.figures_of(side, seat)[LEADING] for side in sides}
        return {side: pr for side, pr in rates.items() if pr is not None}

    @once
    def outlier_of(self, seat: int) -> Outlier | None:
        """The analysis that is far from all others of a player, by the seat in `match`."""
        rates, sources = self.rates(seat), [match.source for match in self.matches]
        ranges = {side: self.ranges[side][seat].get(LEADING) for side in rates}
        outlier = far_from_others(rates, {side: ends for side, ends in ranges.items() if ends})
        if outlier is None or len({sources[side].tool for side in rates}) < FEWEST:
            return None
        side = outlier.side

        def away(other: int) -> tuple[float, str, str]:
            return abs(rates[other] - rates[side]), sources[other].sha256, sources[other].path

        nearest = min((other for other in rates if other != side), key=away)
        alone = self.aligned.alone(side) & (self.aligned.player == seat)
        gap = explained(self.pair(nearest, side), self.seat(nearest, seat))
        return replace(
            outlier,
            decisions=int(alone.sum()),
            nearest=nearest,
            distance=(gap.end or 0.0) - (gap.start or 0.0),
            rows=gap.rows,
        )

    @cached_property
    def disputed(self) -> list[int]:
        """The decisions in dispute, as rows of `aligned`; most at stake first.

        Either no action is best for all sides, or they agree on it and their errors for what was
        done are `SIZE` or more apart.
        """
        return self.aligned.in_dispute(self.seats)

    @cached_property
    def agreed(self) -> list[int]:
        """The decisions that cost `SIZE` or more by every voter, as rows of `aligned`; the largest
        first by the side that charges least."""
        aligned = self.aligned
        chosen = np.logical_and.reduce(at_least(aligned.error[aligned.voters], SIZE), axis=0)
        return aligned.ranked(chosen, aligned.least, self.seats)

    @property
    def disputes(self) -> tuple[Row, ...]:
        """The decisions in dispute as all sides see them; docs/json.md has the keys of a row."""
        return self.aligned.with_verdicts(self.disputed)

    @property
    def agreed_errors(self) -> tuple[Row, ...]:
        """The same of the errors on which all agree."""
        return self.aligned.with_verdicts(self.agreed)

    def bridge(
        self, left: int, right: int, metric: str = "pr", player: str | None = None
    ) -> Bridge:
        """From a player's figure by one analysis to that by another, in steps that add up; by
        default of the first player.

        Raises `UnknownName` for a player or a metric that there is not, `IndexError` for an
        analysis.
        """
        seat = self.seats[0] if player is None else seat_of(self.match, player)
        return self.walk(left, right).bridge(metric, self.seat(left, seat))

    def judged(
        self, tolerances: Tolerances | None = None, *, left: int = 0, right: int = 1, **options: Any
    ) -> Comparison:
        """Two of the analyses judged by tolerances; `options` are `table`, `match`, `today`,
        `usual` and `need_verdict` of `compare`.

        Raises as `compare` does.
        """
        if len(self.matches) < 2:
            raise NothingToCompare(
                "expected two analyses to compare, found one; add another file",
                self.match.source.path,
            )
        return held_against(self.walk(left, right), tolerances, **options)

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0: nothing is judged."""
        return 0

    @cached_property
    def explanation(self) -> tuple[ExplainedGap, ...]:
        """Why the figures of the first analysis and the last differ, as facts for each player;
        empty for one analysis."""
        return explanations(self.pair(0, -1)) if len(self.analyses) > 1 else ()

    @property
    def outlier(self) -> Mapping[str, Outlier | None]:
        """By player the analysis that is far from all others; `None` where there is none."""
        return {self.names[seat]: self.outlier_of(seat) for seat in self.seats}


def review(
    *matches: Match,
    rules: str | RuleSet | Sequence[str | RuleSet | None] | None = None,
    met: AnyMet | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
) -> Review:
    """One match and its analyses, each under its tool's own rules.

    `rules` is one rule set for all, or one for each (`None` for its tool's own); `met` names a
    match equity table for all. Raises `NotTheSameMatch`, which names the file that does not fit,
    `NothingToCompare` for too many files or one without an analysis, `UnknownName`,
    `InvalidConfiguration`.
    """
    number = len(matches)
    if rules is None or isinstance(rules, str | RuleSet):
        rules = [rules] * number
    wanted = "a rule set or its name, or a list of them, one for each analysis"
    expect_list("rules", rules, (str, RuleSet, type(None)), wanted)
    if len(rules) != number:
        expected = f"expected a rule set for each of {number} analyses, found {len(rules)}"
        raise NothingToCompare(f"{expected}; give one, or one for each")
    files = reviewed_files(matches, rules, [met] * number, aliases=aliases, player=player)
    if not 1 <= number <= MOST_SIDES:
        expected = f"expected 1 to {MOST_SIDES} analyses of a match, found {number}"
        raise NothingToCompare(f"{expected}; give that many files of it")
    for match in matches:
        if number > 1 and not match.has_analysis:
            remedy = "leave it out, or analyse it with `reconcile analyse`"
            why = f"expected an analysis, found a transcript without one; {remedy}"
            raise NothingToCompare(why, match.source.path)
    return Review(files, files.seats)


def compared(
    matches: Sequence[Match],
    for_two: str,
    say_line: Callable[[str], None],
    *,
    left_rules: str | None,
    right_rules: str | None,
    met: str | None,
    aliases: Sequence[Sequence[str]],
    player: str | None,
    anonymise: bool,
    **options: Any,
) -> Comparison | Review:
    """Two analyses of a match judged, or more of them side by side; the options are those of
    `compare`, and `for_two` is what was asked for that only two analyses have, in words.

    Raises what `compare` and `review` raise, and `NothingToCompare` for a single analysis.
    """
    number, files = len(matches), matches
    if for_two and number != 2:
        raise NothingToCompare(f"{for_two} {FOR_TWO}")
    if number == 1:
        second = "expected a second file, or --analyse ENGINE:PLIES to make one"
        raise NothingToCompare(f"{second}, found only {matches[0].source.path}")
    if anonymise:
        player = player and PLAYERS[seat_of(files[0], player)]
        matches = anonymised(*files, aliases=aliases)
    twice = given_twice(files, [match.source.path for match in matches])
    if twice and not (left_rules or right_rules):
        say_line(twice)
    asked: dict[str, Any] = {"met": met, "aliases": aliases, "player": player}
    if number > 2:
        return review(*matches, **asked)
    left, right = matches
    asked |= {"left_rules": left_rules, "right_rules": right_rules}
    return compare(left, right, **asked, **options)


MOST_DISPUTES = 5
"""Decisions in dispute that are named."""


def review_rows(review: Review) -> list[Rows]:
    """Rows for every player that is shown; of several analyses also for the match."""
    if len(review.analyses) == 1:
        statistics, label = review.analyses[0], review.labels[0]
        return [analysis_rows(statistics, review.seat(0, seat), label) for seat in review.seats]
    return [*(_player(review, seat) for seat in review.seats), _disputes(review)]


def review_notes(review: Review) -> list[str]:
    """What a reader has to know beside the rows."""
    labels, aligned = review.labels, review.aligned
    findings = [
        (label * (len(labels) > 1), finding)
        for side, label in enumerate(labels)
        for finding in review.findings(side)
    ]
    findings += [
        ("", _without_vote(why, labels[side], labels[other]))
        for side, (why, other) in aligned.without_vote.items()
    ]
    if not review.files.same_transcript:
        evidence = say("evidence.in-all", number=aligned.in_all, n=len(aligned))
        findings.append(("", new_finding("transcript-differs", evidence)))
    return noted(findings, review.players)


def _without_vote(why: str, file: str, other: str) -> Finding:
    """Why an analysis is not held against the others."""
    names = {"file": file, "other": other}
    if why == "copy":
        return new_finding("file-copied", say("evidence.copied", **names))
    return new_finding("program-twice", say("evidence.twice", **names))


def _player(review: Review, seat: int) -> Rows:
    """The PR of a player by every analysis, and on which decision the outlier parts from the
    others."""
    name, outlier, rates = review.names[seat], review.outlier_of(seat), review.rates(seat)
    lines = [_analysis(review, side, seat, outlier) for side in range(len(review.analyses))]
    if outlier is not None:
        lines += _distance(review, outlier)
    if not rates:
        return Rows(say("head.none-complete", player=name), lines, name)
    ends = _span((min(rates.values()), max(rates.values())))
    by = by_all(review.labels, list(rates), say("by.analyses", n=len(rates)))
    parts = [say("head.rates", player=name, rates=ends, by=by)]
    if outlier is not None:
        parts.append(say("head.outlier", label=review.labels[outlier.side]))
    elif len({review.matches[side].source.tool for side in rates}) >= FEWEST:
        parts.append(say("head.no-outlier"))
    return Rows(joined(", ", *parts), lines, name)


def _distance(review: Review, outlier: Outlier) -> Iterator[Line]:
    """What makes the distance of an outlier from the analysis nearest to it."""
    labels = review.labels[outlier.nearest], review.labels[outlier.side]
    return (row.line(labels) for row in outlier.rows)


def _analysis(review: Review, side: int, seat: int, outlier: Outlier | None) -> Line:
    pr, missing = review.figures_of(side, seat)[LEADING], review.missing(side, seat)
    details: list[str] = [say("row.only", missing=missing)] if missing else []
    if outlier is not None and outlier.side == side:
        rates = review.rates(seat)
        printed = abs(hundredths(rates[side]) - hundredths(rates[outlier.nearest]))
        far = {"distance": Number(f"{printed / 100:.2f}"), "label": review.labels[outlier.nearest]}
        details.append(say("row.above", **far) if outlier.distance > 0 else say("row.below", **far))
        count = outlier.decisions
        details.append(say("row.alone-on", n=count) if count else say("row.nowhere-alone"))
    if ends := review.ranges[side][seat].get(LEADING):
        details.append(say("row.open-rule", span=_span(ends)))
    number = "-" if missing or pr is None else METRICS[LEADING].shown(pr)
    statistics = review.analyses[side]
    label = under_rules(review.labels[side], statistics.rules, statistics.match)
    return Line(number, label, joined("; ", *details))


def _span(ends: Sequence[float]) -> str:
    return span(tuple(map(METRICS[LEADING].shown, ends)))


def _disputes(review: Review) -> Rows:
    """How many decisions are in dispute, and those with most at stake."""
    disputed, agreed = review.disputed, len(review.agreed)
    choices = int(review.aligned.disputed[disputed].sum())
    costs, heads = len(disputed) - choices, [say("head.no-dispute")]
    if disputed:
        parts = [say("dispute.choice", number=choices)] * bool(choices)
        parts += [say("dispute.cost", number=costs)] * bool(costs)
        heads = [say("head.disputes", n=len(disputed), parts=joined(", ", *parts))]
    if agreed:
        by = by_all(review.labels, review.aligned.voters)
        heads.append(say("head.agreed", n=agreed, by=by))
    return Rows(joined("; ", *heads), [_dispute(review, row) for row in disputed[:MOST_DISPUTES]])


def _dispute(review: Review, row: int) -> Line:
    """A decision, with what every analysis prefers, or what each charges."""
    opinions: dict[str, list[str]] = {}
    aligned = review.aligned
    for side in aligned.voters:
        words, error = action_words(aligned.best(side, row)), aligned.error[side, row]
        if not aligned.disputed[row]:
            words = "" if error != error else Number(f"{error:.3f}")
        if words:
            opinions.setdefault(words, []).append(review.labels[side])
    details = [
        say("dispute.by", what=words, labels=tuple(labels)) for words, labels in opinions.items()
    ]
    place, player = aligned.place(row), review.names[aligned.player[row]]
    detail = joined("; ", player, joined(", ", *details))
    return Line(Number(f"{aligned.at_stake[row]:.3f}"), str(place), detail, place)
