"""Pooled figures as tables and as CSV, with the number of decisions beside every rate."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from reconcile.report.text.columns import aligned
from reconcile.report.text.statistics import NO_FIGURE, cell, shown
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_words import words_of_pool
from reconcile.scoring.pool import Pooled

RATES = ("pr", "snowie_er")
INTERVAL = "low", "high"
RANGE = "least", "most"
"""Columns of the ends of an interval, and of the range of a figure that is not decided."""


def _interval(one: Pooled, name: str) -> str:
    if name not in one.intervals:
        return NO_FIGURE
    low, high = one.intervals[name]
    return f"{shown(name, low)} to {shown(name, high)}"


def pool_text(pooled: Sequence[Pooled]) -> str:
    """Two tables with one line per player and rule set: the rates, and what they are based on."""
    rates = [("player", "rules", "decisions", "PR", "PR, 95 %", "Snowie / 2", "its 95 %")]
    based = [("player", "rules", "matches", "games", "analysed")]
    for one in pooled:
        covered = [one.completeness["checker"], one.completeness["cube"]]
        analysed = f"{sum(part.analysed for part in covered)} of {sum(part.expected for part in covered)}"
        decisions, pr, snowie = (shown(name, one.figures[name], one.ranges.get(name)) for name in ("decisions.counted", *RATES))
        rates.append((one.name, one.rules, decisions, pr, _interval(one, "pr"), snowie, _interval(one, "snowie_er")))
        based.append((one.name, one.rules, str(one.matches), str(one.games), analysed))
    lines = [*aligned(rates, range(2, len(rates[0]))), "", *aligned(based, range(2, len(based[0])))]
    lines += _undecided(pooled)
    resampled = sorted({one.resampled for one in pooled})
    left_out = sum(one.unanalysed for one in pooled)
    if left_out:
        lines += ["", f"Left out because nothing in them is analysed: {left_out} player's match(es)."]
    lines += ["", f"Sums over sums. The 95 % intervals come from drawing {' or '.join(resampled)} with replacement."]
    return "\n".join(lines) + "\n"


def _undecided(pooled: Sequence[Pooled]) -> list[str]:
    """Why figures are ranges, a line for each player with one."""
    words = [f"{reason} [{code}]" for one in pooled for code, reason in words_of_pool(one)]
    return ["", *words] if words else []


def pool_csv(pooled: Sequence[Pooled]) -> str:
    """One row per player and rule set; an unknown figure is an empty field, as are the ends of the range of one that has none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    intervals, ranges = ([f"{name}.{end}" for name in names for end in ends] for names, ends in ((RATES, INTERVAL), (METRICS, RANGE)))
    writer.writerow(["player", "rules", "matches", "games", *METRICS, *intervals, "open_rules", *ranges])
    for one in pooled:
        ends = [repr(end) if end is not None else "" for name in RATES for end in one.intervals.get(name, (None, None))]
        figures = ["" if one.figures[name] is None else repr(one.figures[name]) for name in METRICS]
        most = [repr(end) if end is not None else "" for name in METRICS for end in one.ranges.get(name, (None, None))]
        writer.writerow([cell(one.name), one.rules, one.matches, one.games, *figures, *ends, " ".join(one.open_rules), *most])
    return text.getvalue()
