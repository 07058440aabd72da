"""How far PR is apart: the same file under two rule sets, and two tools on one transcript, each
under its own rules.

A gap between two tools comes from two analyses of one transcript, split into the parts caused by
counting and by analysis. Only complete analyses are compared: what was left out has no error.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.query import opened
from reconcile.corpus.study.prepared import COMPARED, SQL, prepare, rows
from reconcile.files.aliases import NO_ALIASES
from reconcile.gap.usual import Analysis
from reconcile.match.tools import TOOLS, Tool
from reconcile.scoring.rates import FEWEST_DECISIONS, NORMAL, Estimate, estimate

if TYPE_CHECKING:
    import duckdb

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
OUTLIERS_SHOWN: Final = 25
LEVELS_SHOWN: Final = 12
FEWEST_BEYOND: Final = 2
"""A quantile with fewer values beyond it than that says nothing: it is about the smallest or the
largest value."""
LEAST_SHOWN: Final = 0.005
"""Gaps of PR that are shown as 0.00 are no outliers."""
MOST_SIZES: Final = 200_000
"""Sizes of a pair in a table of usual gaps."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """A distribution of PR gaps over player-matches."""

    values: npt.NDArray[np.float64]
    """Sorted."""
    matches: int
    """From so many matches: the gaps of the two players of one are not independent."""

    @property
    def quantiles(self) -> tuple[float, ...]:
        """5, 25, 50, 75 and 95 %."""
        return (
            tuple(float(value) for value in np.quantile(self.values, QUANTILES))
            if len(self.values)
            else ()
        )

    @property
    def known_quantiles(self) -> tuple[float | None, ...]:
        """The same; `None` where too few values are beyond one."""
        enough = (
            min(share, 1 - share) * len(self.values) >= FEWEST_BEYOND - 1e-9 for share in QUANTILES
        )
        return tuple(
            value if is_known else None
            for value, is_known in zip(self.quantiles, enough, strict=False)
        )

    @property
    def quantile_intervals(self) -> tuple[tuple[float, float] | None, ...]:
        """95 % intervals of the quantiles from the ranks of the values, as if each match had
        one; `None` where matches are too few."""
        return tuple(self._around(share) for share in QUANTILES)

    def _around(self, share: float) -> tuple[float, float] | None:
        half = NORMAL * math.sqrt(share * (1 - share) / self.matches) if self.matches else 1.0
        if share - half < 0 or share + half > 1:
            return None
        low, high = np.quantile(self.values, (share - half, share + half))
        return float(low), float(high)

    @property
    def mean_size(self) -> float | None:
        """Mean of the sizes."""
        return float(np.abs(self.values).mean()) if len(self.values) else None


@dataclass(frozen=True, slots=True)
class Outlier:
    """A player of a match whose gap is large."""

    player: str
    files: tuple[str, ...]
    left: float
    right: float
    decisions: int
    counting: float | None = None
    """The part of the gap caused by rules, for a gap between two tools."""

    @property
    def gap(self) -> float:
        """Right minus left."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Levels:
    """Two tools at one level each."""

    depth: tuple[str, str]
    """Of most evaluations, left and right: plies ahead, or the tool's own words for a level that
    has no place on that scale."""
    gap: Gaps
    mean: Estimate
    """Of the gap."""
    size: Estimate
    """Of its size."""


@dataclass(frozen=True, slots=True)
class BetweenTools:
    """Two tools, or one at two depths, on the transcripts that both analysed."""

    left: Tool
    right: Tool
    gap: Gaps
    counting: Gaps
    """The part of `gap` caused by rules."""
    mean: Estimate
    """Of the gap."""
    size: Estimate
    """Of its size."""
    levels: tuple[Levels, ...]
    """Every pair of levels, the most frequent first, a match in each that it has; none for two
    depths of one tool."""
    incomplete: int
    """Player-matches left out, since an analysis is incomplete."""
    short: int
    """Player-matches left out, since they have too few decisions."""
    outliers: tuple[Outlier, ...]


def between_tools(
    database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]
) -> tuple[BetweenTools, ...]:
    """Every two tools, and every two depths of one, whose rules were applied and that have a
    transcript in common."""
    compare_tools(database, rules)
    pairs = rows(
        database,
        'select distinct pair, "left", "right", left_depth, right_depth from compared '
        "semi join usable_gaps using (pair) order by pair",
    )
    return tuple(
        _between(
            database,
            number,
            *(
                at_depth(TOOLS[tool], depth)
                for tool, depth in ((left, left_depth), (right, right_depth))
            ),
        )
        for number, left, right, left_depth, right_depth in pairs
    )


def at_depth(tool: Tool, depth: str | None) -> Tool:
    """The tool as it is named where it is compared with itself at another depth."""
    return (
        tool
        if depth is None
        else replace(
            tool,
            short=f"{tool.short} {depth}",
            key=f"{tool.key}-{re.sub(r'[^A-Za-z0-9]+', '-', depth)}",
        )
    )


def compare_tools(database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]) -> None:
    """Create `pairs`, two analyses of one transcript by two tools or at two depths of one, `gaps`,
    their players, and `compared`.

    Two depths of a tool are a pair of their own; what `compared` has of a pair of two tools has
    no depth.
    """
    tools = [
        (number, left.name, right.name, left.rules, right.rules)
        for number, (left, right) in enumerate(combinations_with_replacement(COMPARED, 2))
        if {left.rules, right.rules} <= set(rules)
    ]
    database.execute(
        'create temp table tools (number int, "left" varchar, "right" varchar, left_rules '
        "varchar, right_rules varchar)"
    )
    if tools:
        database.executemany("insert into tools values (?, ?, ?, ?, ?)", tools)
    database.execute(SQL["pairs"])
    database.execute(SQL["compared"])
    database.execute(SQL["gaps"])
    database.execute(SQL["usable_gaps"].format(fewest_decisions=FEWEST_DECISIONS))


def usual_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """The sizes of the gaps by pair of tools and levels, in the form of the program's own table
    (`gap/usual_gaps.json`).

    Of more than `MOST_SIZES` in a pair, evenly spaced ones. Raises as `study` does.
    """
    with opened(corpus) as database:
        prepare(database, NO_ALIASES, corpus.rules)
        compare_tools(database, corpus.rules)
        pairs = rows(database, SQL["usual_sizes"])
    return [
        {
            "tools": [left, right],
            "lookahead": [left_ahead, right_ahead],
            "matches": matches,
            "gaps": _spaced(gaps),
        }
        for left, right, left_ahead, right_ahead, matches, gaps in pairs
    ]


def _spaced(sizes: list[float]) -> list[float]:
    if len(sizes) <= MOST_SIZES:
        return sizes
    return [
        sizes[place]
        for place in np.linspace(0, len(sizes) - 1, MOST_SIZES).round().astype(int).tolist()
    ]


def measured_gaps(corpus: Corpus, left: Analysis, right: Analysis) -> tuple[float, ...]:
    """Sizes of the gaps of PR between two tools at these levels, one for each player of a match.
    Raises as `study` does."""
    wanted = {left, right}
    pairs = [
        pair
        for pair in usual_pairs(corpus)
        if set(zip(pair["tools"], pair["lookahead"], strict=True)) == wanted
    ]
    return tuple(size for pair in pairs for size in pair["gaps"])


def between_rules(
    database: duckdb.DuckDBPyConnection, left: str, right: str
) -> tuple[Gaps, tuple[Outlier, ...]]:
    """The gaps of PR between two rule sets on the same file, for complete analyses and players
    with enough decisions."""
    database.execute(SQL["ruled"].format(fewest_decisions=FEWEST_DECISIONS))
    gaps = database.execute(
        'select "right" - "left" as gap from ruled where left_rules = ? and right_rules = ?',
        [left, right],
    ).fetchnumpy()["gap"]
    ((matches,),) = rows(
        database,
        "select count(distinct match) from ruled where left_rules = ? and right_rules = ?",
        left,
        right,
    )
    largest = rows(database, SQL["largest_by_rules"], *(left, right, LEAST_SHOWN, OUTLIERS_SHOWN))
    return Gaps(np.sort(gaps), matches), tuple(
        Outlier(name, (file,), left_pr, right_pr, decisions)
        for name, file, left_pr, right_pr, decisions in largest
    )


def _between(
    database: duckdb.DuckDBPyConnection, number: int, left: Tool, right: Tool
) -> BetweenTools:
    columns = database.execute(
        "select gap, counting, speaks, left_depth, right_depth from enough_gaps where pair = ?",
        [number],
    ).fetchnumpy()
    leading = np.asarray(columns["speaks"], bool)
    ((moments, sizes),) = rows(database, SQL["sizes_of_pair"], number)
    ((incomplete, short),) = rows(
        database,
        "select count(*) filter (where not complete), count(*) filter (where complete and "
        "decisions < ?) from gaps where speaks and pair = ?",
        *(FEWEST_DECISIONS, number),
    )
    largest = rows(database, SQL["largest_of_pair"], *(number, LEAST_SHOWN, OUTLIERS_SHOWN))
    matches = int(moments["matches"])
    return BetweenTools(
        left,
        right,
        gap=Gaps(np.sort(columns["gap"][leading]), matches),
        counting=Gaps(np.sort(columns["counting"][leading]), matches),
        mean=estimate(moments),
        size=estimate(sizes, least=0.0),
        levels=_by_levels(database, number, columns) if left.name != right.name else (),
        incomplete=incomplete,
        short=short,
        outliers=tuple(
            Outlier(name, (left_file, right_file), here, there, decisions, ruled)
            for name, left_file, right_file, here, there, decisions, ruled in largest
        ),
    )


def _by_levels(
    database: duckdb.DuckDBPyConnection, number: int, columns: dict[str, Any]
) -> tuple[Levels, ...]:
    """The gaps of a pair of tools by the levels of both."""
    levels = np.column_stack((columns["left_depth"], columns["right_depth"]))
    every = []
    for left, right, moments, sizes in rows(
        database, SQL["sizes_by_levels"], *(number, LEVELS_SHOWN)
    ):
        mean, size = estimate(moments), estimate(sizes, least=0.0)
        own = np.sort(columns["gap"][(levels == (left, right)).all(axis=1)])
        every.append(Levels((left, right), Gaps(own, mean.matches), mean, size))
    return tuple(every)
