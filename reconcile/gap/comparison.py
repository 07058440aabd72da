"""Two files of one match, each under its own rules, judged against tolerances: one frozen result
that every output renders.

How large the gap between two analyses usually is: gaps of PR measured on real matches, from the
program's table or a user's archive.

A table of them is a file: `corpus-report --usual` writes it, `compare --corpus` reads it. The
program's own has the same form.

The files of one match: each scored once under a rule set, any two paired and the way between
them walked when asked for, and once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from reconcile.document import LEFT_OUT, OR_NULL, Amount, Document, Sha256, Text
from reconcile.errors import (
    InvalidArgument,
    NothingToCompare,
    NotTheSameMatch,
    expect,
    expect_aliases,
    expect_list,
)
from reconcile.files.json_file import read_document
from reconcile.gap.aligned import Aligned, aligned_to, reference_of
from reconcile.gap.pairing import Pairing, called, pair, seat_of
from reconcile.gap.rows import analysis_name, hundredths, level_name, pair_labels, under_rules
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances, load_tolerances
from reconcile.gap.verdict import (
    DECIDED,
    FIGURE_COLUMNS,
    INCOMPARABLE,
    OUTSIDE,
    UNGATED,
    WITHIN,
    Figure,
    PairVerdict,
    PlainFigure,
    figure_row,
    figures_by_game,
    figures_of,
    gate_findings,
    shares_of,
)
from reconcile.gap.walk import Bridge, Walk, ledger_frame
from reconcile.language import Number, joined, say
from reconcile.match.match import Match
from reconcile.match.met import AnyMet, Met, load_met
from reconcile.match.tools import short_name
from reconcile.match.values import Value, once
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.rules.rulesets import Q16, RuleSet, own_rules, rule_set
from reconcile.scoring.figures import LEADING, METRICS
from reconcile.scoring.findings import Finding, between, findings_of, level_text, new_finding
from reconcile.scoring.score import with_dead_cubes
from reconcile.scoring.statistics import Statistics, statistics

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.gap.bounds import Gate, Table


TABLE = Path(__file__).with_name("usual_gaps.json")
"""Made by `python -m benchmarks.usual_gaps`, with its date."""
FEWEST = 4
"""Player-matches below which nothing is usual."""
SAME = 1e-9
"""Two computations of one gap differ by less."""


@dataclass(frozen=True, slots=True)
class UsualPair(Document):
    """Two tools at one level each, in the same order everywhere."""

    tools: tuple[str, str]
    lookahead: tuple[Amount | None, Amount | None]
    """Plies looked ahead in most evaluations; `None` for rollouts and the like."""
    matches: int
    gaps: tuple[Amount, ...]
    """Sizes of the gaps of PR, one for each player of a match, or evenly spaced ones of very
    many."""


@dataclass(frozen=True, slots=True)
class UsualTable(Document):
    """Every pair of tools and levels that was measured."""

    pairs: tuple[UsualPair, ...]
    measured: Annotated[str | None, LEFT_OUT] = None
    """The day; left out where the table depends on nothing but an archive."""

    def between(self, left: Match, right: Match) -> tuple[float, ...]:
        """The sizes for two such analyses, in either order, sorted, one for each player of a match;
        empty where none are known."""
        wanted = {(match.source.tool, match.lookahead) for match in (left, right)}
        pairs = (
            pair
            for pair in self.pairs
            if set(zip(pair.tools, pair.lookahead, strict=True)) == wanted
        )
        return tuple(sorted(size for pair in pairs for size in pair.gaps))


@cache
def shipped() -> UsualTable:
    """The program's own table, which needs no check."""
    pairs = json.loads(TABLE.read_text("utf-8"))["pairs"]
    return UsualTable(tuple(UsualPair(**pair) for pair in pairs))


def load_usual(path: str) -> UsualTable:
    """Read a table. Raises `UnreadableFile`."""
    expected = "usual gaps as `corpus-report --usual` writes them"
    table: UsualTable = read_document(path, lambda tree: UsualTable, expected)[1]
    return table


def usual_document(pairs: Sequence[Mapping[str, Any]]) -> str:
    """The table as the text of a file, a line for each pair; with all digits, so that a match of
    the archive is no larger than itself."""
    lines = ",\n".join(json.dumps(pair) for pair in pairs)
    return f'{{"pairs": [\n{lines}\n]}}\n'


def of_others(gaps: Sequence[float], own: Sequence[float]) -> tuple[float, ...]:
    """The sizes of the gaps without those of this match, `own`, if it is one of those measured: all
    of its sizes are among them then.

    Sizes are kept with all digits, which no other match has, unless all are 0.
    """
    rest = list(gaps)
    for size in own if any(own) else ():
        near = [number for number, gap in enumerate(rest) if abs(gap - size) <= SAME]
        if not near:
            return tuple(gaps)
        del rest[near[0]]
    return tuple(rest)


@dataclass(frozen=True, eq=False, repr=False)
class ReviewedFiles(Value):
    """The files of one match, and all that is made of one or two of them.

    Where a rule set counts turns with a dead cube (Q16), every file has a row for each such turn,
    so that decisions can be paired.
    """

    matches: tuple[Match, ...]
    """In the order given."""
    rules: tuple[RuleSet | None, ...]
    """What each was asked to count by; `None` for its tool's own rules."""
    mets: tuple[Met | None, ...]
    """The match equity table of each, if one was asked for."""
    aliases: Sequence[Sequence[str]] = ()
    named_by: int | None = None
    """The file as which all call the players; `None` for the one with most decisions."""
    player: str | None = None
    """The only player that is compared, by a name or a part of one; `None` for both."""

    def rules_beside(self, side: int, other: int | None) -> RuleSet:
        """What a side counts by beside another one: an engine without statistics of its own counts
        as the other does."""
        beside = None if other is None else self.matches[other]
        return self.rules[side] or own_rules(self.matches[side], beside)

    @cached_property
    def _own_rules(self) -> list[RuleSet]:
        """By side; of two files, either stands beside the other."""
        two = len(self.matches) == 2
        sides = range(len(self.matches))
        return [self.rules_beside(side, 1 - side if two else None) for side in sides]

    @cached_property
    def _files(self) -> tuple[Match, ...]:
        """The matches with the rows of dead cubes, if any of them needs these."""
        if any(rules.value(Q16) for rules in self._own_rules):
            return tuple(map(with_dead_cubes, self.matches))
        return self.matches

    @once
    def _named(self, side: int) -> Match:
        """A file with its players called as by all, so that what is said of two files can be
        joined. Raises `NotTheSameMatch`."""
        first = self._first
        if side == first:
            return self._files[side]
        names, seats = self._files[first].names, self.pairing(first, side).seats
        return called(self._files[side], names, seats)

    @once
    def scored(self, side: int, rules: RuleSet) -> Statistics:
        """A side under a rule set."""
        return statistics(self._named(side), rules, self.mets[side])

    @once
    def pairing(self, left: int, right: int) -> Pairing:
        """Which decision of a side is which of another. Raises `NotTheSameMatch`."""
        return pair(self._files[left], self._files[right], self.aliases)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Those of the players that are compared, in the file as which all call them: under its
        name for a player, or where that is the one with most decisions, under any file's.

        Raises `NotTheSameMatch`, `UnknownName`.
        """
        find = (
            self.aligned.seat_named
            if self.named_by is None
            else partial(seat_of, self.matches[self.named_by])
        )
        return (0, 1) if self.player is None else (find(self.player),)

    @once
    def walk(self, left: int, right: int) -> Walk:
        """The way from the figures of one side to those of another, for the players that are
        compared. Raises `NotTheSameMatch`, `UnknownName`."""
        seats: tuple[int, ...] = (0, 1)
        if self.player is not None:
            seats = (self.pairing(self._first, left).seats[self.seats[0]],)
        rules = self.rules_beside(left, right), self.rules_beside(right, left)
        scored = self.scored(left, rules[0]), self.scored(right, rules[1])
        names = self.matches[left].names, self.matches[right].names
        return Walk(scored, self.pairing(left, right), rules, names, seats)

    @cached_property
    def _reference(self) -> int:
        """The file with most decisions."""
        return reference_of(self._files)

    @property
    def _first(self) -> int:
        """The file as which all call the players."""
        return self._reference if self.named_by is None else self.named_by

    @cached_property
    def analyses(self) -> tuple[Statistics, ...]:
        """Every side under its own rules."""
        return tuple(map(self.scored, range(len(self.matches)), self._own_rules))

    @property
    def same_transcript(self) -> bool:
        """Whether all files have the same games, rolls, plays and cube actions."""
        pairings = (self.pairing(self._reference, side) for side in range(len(self.matches)))
        return not any(pairing.differences for pairing in pairings)

    @cached_property
    def aligned(self) -> Aligned:
        """The decisions of the file with most of them, as every side has them.

        Raises `NotTheSameMatch`, which names what does not fit.
        """
        sides = range(len(self.matches))
        try:
            pairings = tuple(self.pairing(self._reference, side) for side in sides)
        except NotTheSameMatch as error:
            raise (None if len(sides) == 2 else self._misfit()) or error from None
        return aligned_to(self._reference, [side.scored for side in self.analyses], pairings)

    def _misfit(self) -> NotTheSameMatch | None:
        """Which file is of another match than most are."""
        paths, sides = [match.source.path for match in self.matches], range(len(self.matches))
        errors = [[self._apart(side, other) for other in sides] for side in sides]
        most = min(errors, key=lambda row: sum(map(bool, row)))
        if most.count(None) < 2:
            why = f"no two of these files are of one match: {', '.join(paths)}"
            return NotTheSameMatch(why, remedy="compare files of one match")
        for path, error in zip(paths, most, strict=True):
            if error is not None:
                why = f"expected the match of the other files, found another: {error}"
                remedy = "or leave it out" if error.remedy else "leave it out"
                return NotTheSameMatch(why, remedy=remedy, at=path)
        return None

    def _apart(self, side: int, other: int) -> NotTheSameMatch | None:
        """Why two files are not of one match; `None` where they are."""
        try:
            self.pairing(side, other)
        except NotTheSameMatch as error:
            return error
        return None


def reviewed_files(
    matches: Sequence[Match],
    rules: Sequence[str | RuleSet | None],
    mets: Sequence[AnyMet | None],
    *,
    aliases: Sequence[Sequence[str]],
    player: str | None,
    named_by: int | None = None,
) -> ReviewedFiles:
    """The files with their rule sets and tables, a table of all once.

    Raises `InvalidArgument`, `UnknownName`, `InvalidConfiguration`.
    """
    for match in matches:
        expect("match", match, Match, "a match, as load_match returns it")
    expect_aliases(aliases)
    loaded = {id(met): load_met(met) for met in mets if met is not None}
    return ReviewedFiles(
        matches=tuple(matches),
        rules=tuple(None if each is None else rule_set(each) for each in rules),
        mets=tuple(loaded.get(id(met)) for met in mets),
        aliases=aliases,
        named_by=named_by,
        player=player,
    )


@dataclass(frozen=True, slots=True)
class FileFacts(Document):
    """One of the two files."""

    path: str
    """As given; `-` for standard input."""
    sha256: Annotated[Sha256, OR_NULL]
    """SHA-256 of its bytes; null in an anonymised comparison."""
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""
    rules: Text
    """The rule set of its figures."""
    met: Text
    """The match equity table."""
    level: str
    """Analysis levels in the tool's words, most frequent first."""
    players: tuple[str, str]
    """The names in this file, in the order of the left file's seats."""


def facts_of(
    statistics_: Statistics, names: tuple[str, str], seats: tuple[int, int]
) -> dict[str, Any]:
    """The fields of `FileFacts`; `names` are the file's own, `seats` those of the players in the
    order of the other file."""
    match = statistics_.match
    source = match.source
    return {
        "path": source.path,
        "sha256": source.sha256,
        "format": source.format,
        "tool": source.tool,
        "tool_version": source.tool_version,
        "rules": statistics_.rules.name,
        "met": statistics_.scored.met.name,
        "level": level_text(match),
        "players": (names[seats[0]], names[seats[1]]),
    }


THOUSANDTH = 0.001 + 1e-6
"""EMG. What is left of an error in a file that keeps thousandths."""
SAME_SHARE = 0.5
"""Share of the errors of two readings of one analysis that are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Value, NotebookTable):
    """Everything a comparison found."""

    left: FileFacts
    right: FileFacts
    figures: tuple[Figure, ...]
    """Every metric of every player that is compared, judged or not."""
    by_game: tuple[tuple[int, tuple[PlainFigure, ...]], ...]
    """Game number and its figures; never judged."""
    pairing: Pairing
    paired: tuple[int, int]
    """Decisions paired, and decisions of the longer side."""
    findings: tuple[Finding, ...]
    """What is unusual about either file, the pair or its tolerances."""
    table: str
    """Id of the table of tolerances."""
    bounds: Table = field(repr=False, compare=False)
    """That table, with the reasons for its bounds."""
    walk: Walk = field(repr=False, compare=False)
    """From every left figure to the right one, in steps; walked when first asked for, and once."""
    named: bool = False
    """Whether somebody chose what judges: the table, or the file that it is in."""
    shares: tuple[Figure, ...] = ()
    """Shares of gaps that have a tolerance of their own."""
    usual: tuple[float, ...] = field(default=(), repr=False)
    """Sizes of the gaps of PR in other matches that the same tools analysed at the same levels,
    sorted; empty where none are known."""

    def __repr__(self) -> str:
        names = short_name(self.left.tool), short_name(self.right.tool)
        if names[0] == names[1]:
            names = f"left {names[0]}", f"right {names[1]}"
        shown = METRICS[LEADING].shown
        rates = []
        for figure in self.figures:
            if figure.metric == LEADING:
                sides = zip(names, (figure.left, figure.right), strict=True)
                words = ", ".join(f"{name} {shown(value)}" for name, value in sides)
                rates.append(f"{words} for {short(figure.player)}")
        return one_line(self, f"{self.verdict}: PR {'; '.join(rates)}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every figure of every player, each followed by the shares of its gap that have
        a tolerance.

        - `player`: as the left file has the name
        - `metric`: its name, `pr@engine` for a share
        - `left`, `right`, `gap`: the figures and right minus left, in the unit of the metric;
          missing where unknown
        - `tolerance`, `level`: how far the gap may go, and how bad it is beyond; missing where
          nothing judges it
        - `verdict`: `within`, `outside`, `open` (a range that reaches across the bound),
          `incomplete` or `ungated`
        - `known_gap`, `note`: the part of the gap that is expected, and what holds here in
          particular
        """
        return frame_of(map(figure_row, self._with_shares()), FIGURE_COLUMNS)

    def ledger(self) -> pd.DataFrame:
        """A row for every contribution of every decision to the gap of every figure: the changes of
        a figure add up to its gap.

        - `player`, `metric`: whose figure is moved, and which
        - `step`, `cause`: the step of the bridge (`Q01`, `engine`, `coverage-left`...), and why the
          decision moves the figure in it
        - `game`, `turn`, `kind`, `decider`: the decision, numbers from 1
        - `change`: by how much it moves the figure, in the unit of the metric
        - `xgid`, `gnubg_id`: the decision as either tool takes it; empty where there is no such ID
        """
        return ledger_frame(self.walk)

    def _small_frame(self) -> pd.DataFrame:
        columns = {name: FIGURE_COLUMNS[name] for name in list(FIGURE_COLUMNS)[:8]}
        return frame_of(map(figure_row, self.judged), columns)

    @property
    def labels(self) -> tuple[str, str]:
        """What the two sides are called: their tools; of one tool also the level, or which side it
        is."""
        left, right = (level_name(statistics.match) for statistics in self.statistics)
        tools = short_name(self.left.tool), short_name(self.right.tool)
        return pair_labels(tools, (left, right))

    @property
    def headings(self) -> tuple[str, str]:
        """The same where their figures are shown: with the rules, where these are not the tool's
        own."""
        matches = [statistics.match for statistics in self.statistics]
        sides = zip(self.labels, self.statistics, matches, matches[::-1], strict=True)
        left, right = (under_rules(label, side.rules, *both) for label, side, *both in sides)
        return left, right

    @property
    def is_one_analysis(self) -> bool:
        """Whether both are readings of one analysis: where either has an error, most are the same
        number to the thousandth."""
        aligned = self.walk.aligned
        errors = np.nan_to_num(aligned.column("error")[:, aligned.common])
        apart = np.abs(errors[0] - errors[1])[errors.max(axis=0) > THOUSANDTH]
        if not len(apart):
            return self.left.tool == self.right.tool
        return bool(np.mean(apart <= THOUSANDTH) > SAME_SHARE)

    @property
    def is_alarm(self) -> bool:
        """Whether a gap beyond a tolerance is one.

        Two analyses do not agree to a tolerance meant for two readings of one; a table that
        somebody chose is meant for these.
        """
        return self.named or self.is_one_analysis

    @property
    def statistics(self) -> tuple[Statistics, Statistics]:
        """Left and right, for those who want to look deeper."""
        return self.walk.statistics

    @property
    def length(self) -> int | None:
        """Points to win; `None` for a money session."""
        return self.walk.left.match.length

    @property
    def games(self) -> int:
        """How many the left file has."""
        return len(self.walk.left.match.games)

    @property
    def bridges(self) -> tuple[Bridge, ...]:
        """The bridge of every bridged figure of the players that are compared, for the match."""
        return self.walk.bridges()

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures that have a tolerance, each followed by its shares."""
        return tuple(figure for figure in self._with_shares() if figure.verdict != UNGATED)

    def _with_shares(self) -> Iterator[Figure]:
        for figure in self.figures:
            yield figure
            own = figure.metric, figure.player
            yield from (share for share in self.shares if (share.metric, share.player) == own)

    @property
    def verdict(self) -> PairVerdict:
        """`within`, `outside` or `incomparable`."""
        if any(figure.failing() for figure in self.judged):
            return OUTSIDE
        return WITHIN if any(figure.verdict in DECIDED for figure in self.judged) else INCOMPARABLE

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not. `strict` makes incomplete and open figures count,
        `fail_on="warn"` those of level warn."""
        return int(any(figure.failing(strict=strict, fail_on=fail_on) for figure in self.judged))


def compare(
    left: Match,
    right: Match,
    tolerances: Tolerances | None = None,
    *,
    table: str = DEFAULT_TABLE,
    left_rules: str | RuleSet | None = None,
    right_rules: str | RuleSet | None = None,
    met: AnyMet | tuple[AnyMet, AnyMet] | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    match: str | None = None,
    today: date | None = None,
    usual: Sequence[float] | UsualTable | None = None,
    need_verdict: bool = True,
) -> Comparison:
    """Compare two files of the same match.

    `left_rules` and `right_rules` are rule sets, their names or paths of YAML files of rules, by
    default those of the tools that wrote the files, and for an engine without statistics those of
    the other file. `met` names a match equity table for both sides, or one for the left and one for
    the right. `match` is the id under which tolerances may hold something in particular for this
    match; `today`, by default this day, decides whether that has run out. `usual` are gaps of PR to
    compare with, by default those of the program's own table. With `need_verdict=False` a
    comparison in which nothing can be judged is returned instead of raising `NothingToCompare`.

    Raises `NotTheSameMatch`, `NothingToCompare` when not one figure could be judged, `UnknownName`,
    `InvalidConfiguration`, `UnreadableFile` for the file of a match equity table."""
    mets = met if isinstance(met, tuple) else (met, met)
    if len(mets) != 2:
        expected = "a match equity table for both sides, or one for the left and one for the right"
        raise InvalidArgument("met", expected, met)
    files = reviewed_files(
        (left, right), (left_rules, right_rules), mets, aliases=aliases, player=player, named_by=0
    )
    walk = files.walk(0, 1)
    return held_against(walk, tolerances, table, match, today, usual, need_verdict=need_verdict)


def held_against(
    walk: Walk,
    tolerances: Tolerances | None = None,
    table: str = DEFAULT_TABLE,
    match: str | None = None,
    today: date | None = None,
    usual: Sequence[float] | UsualTable | None = None,
    *,
    need_verdict: bool = True,
) -> Comparison:
    """Two analyses with the way from one to the other, judged; `names` are those of the players as
    each file has them, the options those of `compare`. Raises as `compare` does."""
    expect("need_verdict", need_verdict, bool, "True or False")
    scored, pairing, seats = walk.statistics, walk.pairing, walk.seats
    gate, gaps = _gate(tolerances, table, match, today), _usual_sizes(walk, usual)
    figures = tuple(figures_of(scored, pairing, gate, seats))
    shares = tuple(shares_of(walk, figures, gate))
    findings = (*_findings(walk, (*figures, *shares), gate), *_usual(walk, figures, gaps))
    result = Comparison(
        left=FileFacts(**facts_of(scored[0], walk.names[0], (0, 1))),
        right=FileFacts(**facts_of(scored[1], walk.names[1], pairing.seats)),
        figures=figures,
        by_game=tuple(figures_by_game(scored, pairing, seats)),
        pairing=pairing,
        paired=(
            len(pairing.plays[0]) + len(pairing.cubes[0]),
            max(len(side.match.plays) + len(side.match.cubes) for side in scored),
        ),
        findings=findings,
        table=table,
        bounds=gate.table,
        walk=walk,
        named=tolerances is not None or table != DEFAULT_TABLE,
        shares=shares,
        usual=gaps,
    )
    if need_verdict:
        _expect_something_judged(result)
    return result


def _gate(tolerances: Tolerances | None, table: str, match: str | None, today: date | None) -> Gate:
    """What judges. Raises `InvalidArgument`, `UnknownName`, `InvalidConfiguration`."""
    loaded = "tolerances, as load_tolerances returns them"
    expect("tolerances", tolerances, (Tolerances, type(None)), loaded)
    expect("match", match, (str, type(None)), "the id of a match")
    expect("today", today, (date, type(None)), "a day, as datetime.date has it")
    return (tolerances or load_tolerances()).gate(table, match, today)


def _usual_sizes(walk: Walk, usual: Sequence[float] | UsualTable | None) -> tuple[float, ...]:
    """Gaps of PR to compare with, sorted. Raises `InvalidArgument`."""
    if usual is None:
        usual = shipped()
    if isinstance(usual, UsualTable):
        return usual.between(*(side.match for side in walk.statistics))
    expect_list("usual", usual, (int, float), "a list of gaps of PR, as [0.1, 0.35]")
    return tuple(sorted(usual))


def _expect_something_judged(comparison: Comparison) -> None:
    """Raises `NothingToCompare` where not one figure could be judged."""
    findings = comparison.findings
    lacking = [f"{each.side}: {each.evidence}" for each in findings if each.code == "not-analysed"]
    if any(
        figure.gap is not None or (figure.coverage and not lacking) for figure in comparison.judged
    ):
        return
    why = "; ".join(lacking) or "no figure on both sides"
    raise NothingToCompare(
        f"not one figure of table {comparison.table!r} could be judged ({why}); analyse both files "
        "completely, for example with `reconcile analyse`, or choose another table with --table",
        ", ".join(statistics.match.source.path for statistics in comparison.statistics),
    )


def _usual(walk: Walk, figures: Sequence[Figure], usual: tuple[float, ...]) -> Iterator[Finding]:
    """How large such a gap is in other matches."""
    here = [
        figure
        for figure in figures
        if figure.metric == LEADING and figure.gap is not None and not figure.coverage
    ]
    sizes = {figure.player: abs(figure.gap or 0.0) for figure in here}
    gaps = of_others(usual, list(sizes.values()))
    if len(gaps) < FEWEST or not here:
        return
    places = []
    for figure in here:
        printed = abs(hundredths(figure.right or 0.0) - hundredths(figure.left or 0.0)) / 100
        smaller = sum(gap < sizes[figure.player] for gap in gaps)
        own = {"gap": Number(f"{printed:.2f}"), "player": figure.player, "smaller": smaller}
        places.append(say("evidence.usual-player", **own))
    left, right = (analysis_name(side.match) for side in walk.statistics)
    usual_gap = say(
        "evidence.usual",
        average=METRICS[LEADING].shown(sum(gaps) / len(gaps)),
        number=len(gaps),
        left=left,
        right=right,
        places=joined(", ", *places),
    )
    yield new_finding("usual-gap", usual_gap)


def _findings(
    walk: Walk,
    figures: Sequence[Figure],
    gate: Gate,
) -> Iterator[Finding]:
    """All findings but how usual the gap is; `names` are those of the players as each file has
    them."""
    left, right = walk.statistics
    pairing, names = walk.pairing, walk.names
    yield from findings_of(left, "left", [right.match])
    yield from findings_of(right, "right", [left.match])
    yield from between(left, right)
    if pairing.matched_by == "transcript":
        yield new_finding("players-by-transcript", " against ".join(map(" and ".join, names)))
    if pairing.seats == (1, 0):
        here, there = map(" - ".join, names)
        yield new_finding("players-swapped", say("evidence.swapped", here=here, there=there))
    for first in pairing.differences[:1]:
        where = say("evidence.game", game=first["game"])
        if first["turn"]:
            where = say("evidence.turn", game=first["game"], turn=first["turn"])
        words = f"{first['what']}: {first['left']} / {first['right']}"
        n = len(pairing.differences)
        differs = say("evidence.differences", n=n, where=where, words=words)
        yield new_finding("transcript-differs", differs)
    yield from gate_findings(figures, gate)
    if all(figure.verdict == UNGATED for figure in figures):
        yield new_finding("nothing-gated", "no figure of the table is known on both sides")
