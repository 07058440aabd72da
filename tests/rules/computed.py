"""Statistics of real and hand-made matches under a rule set; those of a file are computed once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from reconcile.formats import load_match
from reconcile.match.match import Match
from reconcile.scoring.statistics import Statistics, statistics
from tests.support.data import FOLDER


@cache
def statistics_of(path: Path, rules: str | None = None) -> Statistics:
    """The statistics of a file, under its own tool's rules where none are named."""
    return statistics(load_match(str(path)), rules)


def real_statistics(pattern: str, rules: str | None = None) -> Statistics:
    """The same of the one file of the real ones that a pattern names."""
    (path,) = FOLDER.glob(pattern)
    return statistics_of(path, rules)


def figures(match: Match, rules: str, seat: int = 0) -> dict[str, Any]:
    """The figures of one seat under a rule set."""
    return dict(statistics(match, rules).figures(seat))
