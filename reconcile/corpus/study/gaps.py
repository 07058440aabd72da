"""How far PR is apart: the same file under two rule sets, and two tools on one transcript, each under its own rules.

A gap between two tools comes from two analyses of one transcript, split into the parts caused by counting and by analysis. Only complete
analyses are compared: what was left out has no error.
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
from reconcile.corpus.study.prepared import COMPARED, FEWEST_DECISIONS, NORMAL, Estimate, estimate, prepare, rows
from reconcile.files.aliases import NO_ALIASES
from reconcile.gap.usual import Analysis
from reconcile.match.tools import TOOLS, Tool

if TYPE_CHECKING:
    import duckdb

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
OUTLIERS_SHOWN: Final = 25
LEVELS_SHOWN: Final = 12
FEWEST_BEYOND: Final = 2
"""A quantile with fewer values beyond it than that says nothing: it is about the smallest or the largest value."""
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
        return tuple(float(value) for value in np.quantile(self.values, QUANTILES)) if len(self.values) else ()

    @property
    def known_quantiles(self) -> tuple[float | None, ...]:
        """The same; `None` where too few values are beyond one."""
        enough = (min(share, 1 - share) * len(self.values) >= FEWEST_BEYOND - 1e-9 for share in QUANTILES)
        return tuple(value if known else None for value, known in zip(self.quantiles, enough, strict=False))

    @property
    def quantile_intervals(self) -> tuple[tuple[float, float] | None, ...]:
        """95 % intervals of the quantiles from the ranks of the values, as if each match had one; `None` where matches are too few."""
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
    """Of most evaluations, left and right: plies ahead, or the tool's own words for a level that has no place on that scale."""
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
    """Every pair of levels, the most frequent first; none for two depths of one tool."""
    incomplete: int
    """Player-matches left out, since an analysis is incomplete."""
    short: int
    """Player-matches left out, since they have too few decisions."""
    outliers: tuple[Outlier, ...]


def between_tools(database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]) -> tuple[BetweenTools, ...]:
    """Every two tools, and every two depths of one, whose rules were applied and that have a transcript in common."""
    compare_tools(database, rules)
    found = rows(
        database,
        """select distinct pair, "left", "right", left_depth, right_depth from compared semi join usable_gaps using (pair) order by pair""",
    )
    return tuple(
        _between(database, number, *(at_depth(TOOLS[tool], depth) for tool, depth in ((left, one), (right, other))))
        for number, left, right, one, other in found
    )


def at_depth(tool: Tool, depth: str | None) -> Tool:
    """The tool as it is named where it is compared with itself at another depth."""
    return tool if depth is None else replace(tool, short=f"{tool.short} {depth}", key=f"{tool.key}-{re.sub(r'[^A-Za-z0-9]+', '-', depth)}")


def compare_tools(database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]) -> None:
    """Create `pairs`, two analyses of one transcript by two tools or at two depths of one, `gaps`, their players, and `compared`.

    Two depths of a tool are a pair of their own; what `compared` has of a pair of two tools has no depth.
    """
    tools = [
        (number, left.name, right.name, left.rules, right.rules)
        for number, (left, right) in enumerate(combinations_with_replacement(COMPARED, 2))
        if {left.rules, right.rules} <= set(rules)
    ]
    database.execute('create temp table tools (number int, "left" varchar, "right" varchar, left_rules varchar, right_rules varchar)')
    if tools:
        database.executemany("insert into tools values (?, ?, ?, ?, ?)", tools)
    database.execute(
        """create temp table pairs as
        select t.*, l.same_as, l.match as left_match, r.match as right_match, l.lookahead as left_lookahead, r.lookahead as right_lookahead,
            depth_of(l.lookahead, l.level_name) as left_depth, depth_of(r.lookahead, r.level_name) as right_depth,
            dense_rank() over (order by t.number,
                if(l.tool = r.tool, (l.lookahead, left_depth), null), if(l.tool = r.tool, (r.lookahead, right_depth), null)) as pair
        from matches l join matches r on l.same_as = r.same_as and l.rolls = r.rolls
        join tools t on t."left" = l.tool and t."right" = r.tool
        where l.rolls <> '' and l.duplicate_of is null and r.duplicate_of is null and l.analysed > 0 and r.analysed > 0
            and (l.tool <> r.tool or (coalesce(l.lookahead, 99), left_depth) < (coalesce(r.lookahead, 99), right_depth))"""
    )
    database.execute(
        """create temp view compared as select distinct pair, "left", "right",
        if("left" = "right", left_depth, null) as left_depth, if("left" = "right", right_depth, null) as right_depth from pairs"""
    )
    database.execute(
        """create temp table gaps as
        select p.pair, p.same_as, p.left_match, p.right_match, p.left_lookahead, p.right_lookahead,
            p.left_depth, p.right_depth, l.seat, l.person, l.pr as "left",
            r.pr as "right", r.pr - l.pr as gap, c.pr - l.pr as counting, least(l.decisions_counted, r.decisions_counted) as decisions,
            l.checker_analysed = l.checker_expected and l.cube_analysed = l.cube_expected
                and r.checker_analysed = r.checker_expected and r.cube_analysed = r.cube_expected as complete
        from pairs p
        join sides s on s.match = p.left_match
        join sides t on t.match = p.right_match and t.side = s.side
        join analysed l on l.match = p.left_match and l.seat = s.seat and l.rules = p.left_rules
        join analysed c on c.match = p.left_match and c.seat = s.seat and c.rules = p.right_rules
        join analysed r on r.match = p.right_match and r.seat = t.seat and r.rules = p.right_rules
        where l.pr is not null and r.pr is not null and c.pr is not null
        order by p.pair, p.left_match, p.right_match, l.seat"""
    )
    database.execute(f"create temp view usable_gaps as select * from gaps where complete and decisions >= {FEWEST_DECISIONS}")  # noqa: S608


def usual_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """The sizes of the gaps by pair of tools and levels, in the form of the program's own table (`gap/usual_gaps.json`).

    Of more than `MOST_SIZES` in a pair, evenly spaced ones. Raises as `study` does.
    """
    with opened(corpus) as database:
        prepare(database, NO_ALIASES, corpus.rules[0])
        compare_tools(database, corpus.rules)
        found = rows(
            database,
            """select t."left", t."right", left_lookahead, right_lookahead, count(distinct same_as),
                list(abs(gap) order by abs(gap))
            from gaps g join compared t on t.pair = g.pair where complete
            group by t.pair, 1, 2, 3, 4 order by t.pair, 3 nulls first, 4 nulls first""",
        )
    return [
        {"tools": [left, right], "lookahead": [one, two], "matches": matches, "gaps": _spaced(gaps)}
        for left, right, one, two, matches, gaps in found
    ]


def _spaced(sizes: list[float]) -> list[float]:
    if len(sizes) <= MOST_SIZES:
        return sizes
    return [sizes[place] for place in np.linspace(0, len(sizes) - 1, MOST_SIZES).round().astype(int).tolist()]


def measured_gaps(corpus: Corpus, left: Analysis, right: Analysis) -> tuple[float, ...]:
    """Sizes of the gaps of PR between two tools at these levels, one for each player of a match. Raises as `study` does."""
    wanted = {left, right}
    pairs = [pair for pair in usual_pairs(corpus) if set(zip(pair["tools"], pair["lookahead"], strict=True)) == wanted]
    return tuple(size for pair in pairs for size in pair["gaps"])


def between_rules(database: duckdb.DuckDBPyConnection, left: str, right: str) -> tuple[Gaps, tuple[Outlier, ...]]:
    """The gaps of PR between two rule sets on the same file, for complete analyses and players with enough decisions."""
    database.execute(
        f"""create temp view ruled as
        select p.match, p.seat, p.name, m.file, p.rules as left_rules, q.rules as right_rules, p.pr as "left", q.pr as "right",
            least(p.decisions_counted, q.decisions_counted) as decisions
        from players p semi join whole on whole.match = p.match join players q on p.match = q.match and p.seat = q.seat
        join matches m on m.match = p.match
        where p.pr is not null and q.pr is not null and least(p.decisions_counted, q.decisions_counted) >= {FEWEST_DECISIONS}"""  # noqa: S608
    )
    gaps = database.execute(
        'select "right" - "left" as gap from ruled where left_rules = ? and right_rules = ?', [left, right]
    ).fetchnumpy()["gap"]
    ((matches,),) = rows(database, "select count(distinct match) from ruled where left_rules = ? and right_rules = ?", left, right)
    largest = rows(
        database,
        """select name, file, "left", "right", decisions from ruled
        where left_rules = ? and right_rules = ? and abs("right" - "left") >= ?
        order by abs("right" - "left") desc, file, name limit ?""",
        *(left, right, LEAST_SHOWN, OUTLIERS_SHOWN),
    )
    return Gaps(np.sort(gaps), matches), tuple(
        Outlier(name, (file,), one, other, decisions) for name, file, one, other, decisions in largest
    )


def _between(database: duckdb.DuckDBPyConnection, number: int, left: Tool, right: Tool) -> BetweenTools:
    columns = database.execute(
        "select gap, counting, left_depth as one, right_depth as other from usable_gaps where pair = ?", [number]
    ).fetchnumpy()
    gap, levels = columns["gap"], np.column_stack((columns["one"], columns["other"]))
    by_levels = {
        (one, other): (estimate(mean), estimate(size, least=0.0))
        for one, other, mean, size in rows(
            database,
            """select one, other, moments(gap, number), moments(size, number) from (
                select left_depth as one, right_depth as other, sum(gap) as gap, sum(abs(gap)) as size,
                    count(*) as number
                from usable_gaps where pair = ? group by one, other, same_as)
            group by one, other order by sum(number) desc, one, other limit ?""",
            *(number, LEVELS_SHOWN),
        )
    }
    ((moments, sizes),) = rows(
        database,
        """select moments(gap, number), moments(size, number) from
        (select sum(gap) as gap, sum(abs(gap)) as size, count(*) as number from usable_gaps where pair = ? group by same_as)""",
        number,
    )
    ((incomplete, short),) = rows(
        database,
        "select count(*) filter (where not complete), count(*) filter (where complete and decisions < ?) from gaps where pair = ?",
        *(FEWEST_DECISIONS, number),
    )
    largest = rows(
        database,
        """select person, l.file, r.file, "left", "right", decisions, counting from usable_gaps g
        join matches l on l.match = g.left_match join matches r on r.match = g.right_match
        where pair = ? and abs(gap) >= ?
        order by abs(gap) desc, l.file, r.file, person limit ?""",
        *(number, LEAST_SHOWN, OUTLIERS_SHOWN),
    )
    return BetweenTools(
        left,
        right,
        gap=Gaps(np.sort(gap), int(moments["matches"])),
        counting=Gaps(np.sort(columns["counting"]), int(moments["matches"])),
        mean=estimate(moments),
        size=estimate(sizes, least=0.0),
        levels=tuple(
            Levels((one, other), Gaps(np.sort(gap[(levels == (one, other)).all(axis=1)]), mean.matches), mean, size)
            for (one, other), (mean, size) in by_levels.items()
            if left.name != right.name
        ),
        incomplete=incomplete,
        short=short,
        outliers=tuple(Outlier(name, (one, two), here, there, number, ruled) for name, one, two, here, there, number, ruled in largest),
    )
