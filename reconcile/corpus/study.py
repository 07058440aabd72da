"""What an archive says: players, the gap between tools, disputes, rules, phases, luck and time.

`study.sql` asks for all of it; here are the values that its answers become. Rates are sums over
sums, with a 95 % interval where matches are enough. A match counts once, whatever the number of
files. A gap between two tools comes from two analyses of one transcript, each under its own
rules; only complete analyses are compared, since what was left out has no error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.persons import SIDES
from reconcile.corpus.query import opened
from reconcile.corpus.tables import in_sql, under_rules
from reconcile.match.aliases import NO_ALIASES, Aliases
from reconcile.match.phases import PHASES
from reconcile.match.tools import ANALYSERS, TOOLS, Tool
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import capped, per
from reconcile.scoring.grades import AT_THE_BORDER, ERROR
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.rates import (
    FEWEST_DECISIONS,
    LONGEST_AWAY,
    NORMAL,
    Analysis,
    Estimate,
    Moments,
    Score,
    estimate,
    pr,
    share,
)

if TYPE_CHECKING:
    import duckdb

Row = TypeVar("Row")
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWEST_BEYOND: Final = 2
"""A quantile with fewer values beyond it than that says nothing: it is about the smallest or the
largest value."""
DISPUTES_SHOWN: Final = 40


class Rate(NamedTuple):
    """A pooled PR of one player under one rule set."""

    decisions: int
    pr: float | None
    """`None` of too few decisions, as all that follows."""
    low: float | None
    """95 % interval; `None` with fewer than five games."""
    high: float | None
    snowie_er: float | None


class Person(NamedTuple):
    """One player over the matches of the archive that one tool analysed at one depth."""

    name: str
    analysis: Analysis
    spellings: tuple[str, ...]
    """The other names in the files."""
    matches: int
    rates: tuple[Rate, ...]
    """One per rule set."""
    own: Rate
    """That by the rules of the tool."""


class Gaps(NamedTuple):
    """A distribution of PR gaps over player-matches."""

    values: npt.NDArray[np.float64]
    """Sorted."""
    matches: int
    """From so many matches: the gaps of the two players of one are not independent."""

    @property
    def known_quantiles(self) -> tuple[float | None, ...]:
        """5, 25, 50, 75 and 95 %; `None` where too few values are beyond one."""
        size = len(self.values)
        return tuple(
            float(np.quantile(self.values, share))
            if min(share, 1 - share) * size + 1e-9 >= FEWEST_BEYOND
            else None
            for share in QUANTILES
        )

    @property
    def quantile_intervals(self) -> tuple[tuple[float, float] | None, ...]:
        """95 % intervals of the quantiles from the ranks of the values, as if each match had
        one; `None` where matches are too few."""
        return tuple(map(self._around, QUANTILES))

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


class LargeGap(NamedTuple):
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


class Levels(NamedTuple):
    """Two tools at one level each."""

    depth: tuple[str, str]
    """Of most evaluations, left and right: plies ahead, or the tool's own words for a level that
    has no place on that scale."""
    gap: Gaps
    mean: Estimate
    """Of the gap."""
    size: Estimate
    """Of its size."""


class BetweenTools(NamedTuple):
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
    spread: float | None
    """Standard deviation of the gap between player-matches."""
    ordered: int
    """Pairs of players whose pooled PRs differ by both; of the hundred with most decisions."""
    agreed: int
    """How many of them both put in the same order."""
    levels: tuple[Levels, ...]
    """Every pair of levels, the most frequent first, a match in each that it has; none for two
    depths of one tool."""
    incomplete: int
    """Player-matches left out, since an analysis is incomplete."""
    short: int
    """Player-matches left out, since they have too few decisions."""
    outliers: tuple[LargeGap, ...]


class ToolVerdict(NamedTuple):
    """What one tool says of a decision."""

    tool: Tool
    """Named with its depth where both verdicts are one tool's."""
    file: str
    error: float
    """Equity lost, EMG, under the tool's own rules."""
    best: str | None
    """What it would have done; `None` if its file does not say."""


class ToolDispute(NamedTuple):
    """One decision that two tools judge differently."""

    player: str
    opponent: str
    game: int
    turn: int
    action: str
    """What was done."""
    xgid: str
    verdicts: tuple[ToolVerdict, ToolVerdict]
    differs: bool
    """Whether the verdicts differ, not only the values."""

    @property
    def at_stake(self) -> float:
        """Difference of the errors, EMG."""
        return abs(self.verdicts[0].error - self.verdicts[1].error)


class QuestionEffect(NamedTuple):
    """The effect of one question alone, in complete analyses of players with enough decisions."""

    question: str
    answers: str
    players: int
    """Number of player-matches considered."""
    changed: int
    """How many of them get another PR or number of decisions."""
    mean: float
    """Mean size of the change of PR."""
    interval: Estimate
    """The same with its interval over matches."""
    high: float
    """95 % quantile of the size; of few players it is no more than the largest."""
    most: float
    decisions: int
    """Decisions that count under only one of the answers, net per player."""
    file: str
    """The file and player where it changes most."""
    player: str


class OpenPr(NamedTuple):
    """What the open answers of a rule set leave of the PRs that are pooled."""

    rules: str
    players: int
    """Number of player-matches."""
    changed: int
    """How many of them have a range instead of a number."""
    widest: float
    """The largest of the ranges, highest minus lowest PR."""
    one_point: bool
    """Whether these are one-point matches, of which a program may scale the rate."""
    player: str
    """Who has the largest range."""
    ends: tuple[float, float]
    """Its lowest and highest PR."""


class Phase(NamedTuple):
    """One phase of the games, all players together."""

    name: str
    rates: Mapping[str, Estimate]
    """PR of `checker` plays, `cube` decisions and `both`; `number` counts decisions."""
    lost: float
    """Equity lost in it, EMG."""
    share: float | None
    """Of all equity lost; `None` if none was."""


class Bin(NamedTuple):
    """Matches in which the luckier player had about so much more luck."""

    low: float
    """Percentage points of match winning chance."""
    high: float | None
    """`None` for the last, which holds all that is larger."""
    won: Estimate
    """Share that the luckier player won."""


class Fortune(NamedTuple):
    """One player's luck."""

    name: str
    luck: Estimate
    """Net luck a match, percentage points of match winning chance."""
    won: Estimate


class Luck(NamedTuple):
    """Luck and skill in finished matches, of those with a complete analysis."""

    luckier: Estimate
    """Share of matches that the luckier player won."""
    better: Estimate
    """Share that the player with the lower PR won."""
    luck_over_skill: Estimate
    """Share that the luckier player won where the other had the lower PR."""
    money: int
    """Money sessions left out: nobody wins them."""
    unfinished: int
    """Matches left out, since no player has won them."""
    without_luck: int
    """Finished matches of which not every roll is evaluated: they say nothing of luck."""
    without_pr: int
    """Finished matches in which a player has too few decisions for a PR."""
    bins: tuple[Bin, ...]
    persons: tuple[Fortune, ...]
    """The players with most matches."""


class Course(NamedTuple):
    """A player, or all together, over time, in analyses by one tool at one depth: another would
    show progress that is none."""

    name: str | None
    """`None` for all players together."""
    analysis: Analysis
    rates: tuple[Estimate | None, ...]
    """PR by period, of the periods of `Periods`; `None` without a match."""


class Periods(NamedTuple):
    """The course of PR over time."""

    names: tuple[str, ...]
    """`2024` or `2024-05`, without gaps."""
    courses: tuple[Course, ...]
    """All players together, for every tool and depth, then those with most decisions who played
    in at least two periods."""
    undated: int
    """Matches with a complete analysis and without a date."""


class Study(NamedTuple):
    """Everything the report shows."""

    corpus: Corpus
    played: int
    """Matches, each once whatever the number of files."""
    files: int
    """Files that hold a match."""
    decisions: int
    """In these matches, each once."""
    sources: tuple[tuple[str, int, int, int], ...]
    """Tool, number of matches, how many of them have no analysis, and how many an incomplete
    one."""
    pooled: tuple[tuple[Analysis, int], ...]
    """What the rates of all players together are made of: tools and depths, with the number of
    matches, most first."""
    rules: tuple[tuple[str, str], ...]
    """Tool and the rule set of its rates: its own, or the first one of the corpus if its own is
    not there."""
    years: tuple[int, int] | None
    """Of these matches, the first and the last; `None` where none is dated."""
    twins: int
    """Near twins of other matches: they are in no rate."""
    people: tuple[Person, ...]
    """Those with most decisions."""
    persons: int
    """How many players all matches have."""
    rated: int
    """Players with a complete analysis of some match."""
    unanalysed: int
    """Matches without any analysis."""
    incomplete: int
    """Matches that have only incomplete analyses: they are in no rate."""
    rules_gap: Gaps
    rules_outliers: tuple[LargeGap, ...]
    tools: tuple[BetweenTools, ...]
    """Only pairs of tools with a transcript in common."""
    disputes: tuple[ToolDispute, ...]
    """Other verdicts first, then by what is at stake."""
    effects: tuple[QuestionEffect, ...]
    """The question that changes PR most first."""
    open_prs: tuple[OpenPr, ...]
    phases: tuple[Phase, ...]
    by_person: tuple[tuple[str, Analysis, Mapping[str, Estimate]], ...]
    """PR by phase of the players with most decisions, of one tool and depth each."""
    cube_by_score: tuple[Score, ...]
    luck: Luck
    periods: Periods
    errors: tuple[tuple[str, int, str], ...]
    """What was wrong, how often, and the first file."""


def _rate(rules: str, moments: Moments, error: float, moves: float) -> Rate:
    """A pooled rate from what games lost and counted."""
    decisions, limit = int(moments["number"]), RULE_SETS[rules]
    rate = pr(moments)
    if rate.value is None:
        return Rate(decisions, None, None, None, None)
    low, high = (None if end is None else capped(end, limit) for end in (rate.low, rate.high))
    snowie = float(per(METRICS["snowie_er"].factor, error, moves)) if moves else None
    return Rate(decisions, capped(rate.value, limit), low, high, snowie)


def _tool(name: str, depth: str | None) -> Tool:
    """The tool; with a depth as it is named where it is compared with itself at another one."""
    tool = TOOLS[name]
    if depth is None:
        return tool
    key = re.sub(r"[^A-Za-z0-9]+", "-", depth)
    return replace(tool, short=f"{tool.short} {depth}", key=f"{tool.key}-{key}")


def _gaps(values: Sequence[float], matches: int) -> Gaps:
    return Gaps(np.array(values, np.float64), matches)


MAKERS: Final[Mapping[str, Callable[..., object]]] = {
    "pr": pr,
    "mean": estimate,
    "size": partial(estimate, least=0.0),
    "share": share,
    "gaps": _gaps,
    "analysis": Analysis,
    "tool": _tool,
    "rate": _rate,
    "levels": Levels,
    "outlier": LargeGap,
    "verdict": ToolVerdict,
}
"""What the structs of `study.sql` become."""


PARTS: Final[Mapping[str, type[Any]]] = {
    "people": Person,
    "rules_outliers": LargeGap,
    "tools": BetweenTools,
    "disputes": ToolDispute,
    "effects": QuestionEffect,
    "open_prs": OpenPr,
    "phases": Phase,
    "cube_by_score": Score,
}
"""What the rows of an answer are, and part of a `Study`."""


class StudyQueries:
    """The questions of `study.sql` to the tables of an archive."""

    def __init__(self, database: duckdb.DuckDBPyConnection, rules: Sequence[str]) -> None:
        self.database = database
        text = Path(__file__).with_name("study.sql").read_text("utf-8")
        slots = {
            "rules": in_sql(rules),
            "first": in_sql(rules[0]),
            "second": in_sql(rules[min(1, len(rules) - 1)]),
            "phases": in_sql(PHASES),
            "fewest": str(FEWEST_DECISIONS),
            "longest": str(LONGEST_AWAY),
            "border": str(ERROR - AT_THE_BORDER),
            "shown": str(DISPUTES_SHOWN),
            "tools": ", ".join(
                f"({place}, {in_sql(tool.name)}, {in_sql(tool.rules)})"
                for place, tool in enumerate(ANALYSERS.values())
            ),
        }
        text = re.sub(r"{(\w+)}", lambda slot: slots[slot[1]], text)
        under = r"{(error|counted) (\w+)\.rules}"
        text = re.sub(
            under, lambda slot: under_rules(f"d.{slot[1]}", f"{slot[2]}.rules", rules), text
        )
        database.execute(SIDES)
        setup, *parts = re.split(r"^-- question: (\w+)\n", text, flags=re.MULTILINE)
        self.statements = dict(zip(parts[::2], parts[1::2], strict=True))
        database.execute(setup)

    def rows(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        rows = self.database.execute(self.statements[name]).fetchall()
        return [tuple(map(_value_of, row)) for row in rows]

    def mappings(self, name: str) -> list[dict[str, Any]]:
        """The same by the names of the columns."""
        rows = self.rows(name)
        columns = [column[0] for column in self.database.description or ()]
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def values(self, kind: type[Row], name: str) -> tuple[Row, ...]:
        """The same as values of a class whose fields are the columns."""
        return tuple(kind(**row) for row in self.mappings(name))


def _value_of(cell: Any) -> Any:
    """The value of a cell, with everything in it."""
    if isinstance(cell, list):
        return tuple(map(_value_of, cell))
    if isinstance(cell, dict):
        values = {name: _value_of(value) for name, value in cell.items()}
        return MAKERS[values.pop("is")](**values) if "is" in values else values
    return cell


def study(corpus: Corpus, aliases: Aliases) -> Study:
    """Query the tables. Raises `MissingPackage`, and `InvalidConfiguration` for tables that are
    not a corpus's."""
    with opened(corpus, aliases) as database:
        asked = StudyQueries(database, corpus.rules)
        counts, luck, periods = (asked.mappings(name)[0] for name in ("counts", "luck", "periods"))
        for name in ("sources", "pooled", "rules", "errors", "by_person"):
            counts[name] = tuple(asked.rows(name))
        counts |= {name: asked.values(kind, name) for name, kind in PARTS.items()}
        return Study(
            corpus,
            **counts,
            luck=Luck(
                **luck,
                bins=asked.values(Bin, "bins"),
                persons=asked.values(Fortune, "fortunes"),
            ),
            periods=Periods(**periods, courses=asked.values(Course, "courses")),
        )


def usual_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """The sizes of the gaps by pair of tools and levels, in the form of the program's own table
    (`gap/usual_gaps.json`). Raises as `study` does."""
    with opened(corpus, NO_ALIASES) as database:
        return StudyQueries(database, corpus.rules).mappings("usual")
