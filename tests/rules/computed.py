"""Statistics of real and hand-made matches under a rule set; those of a file are computed once."""

from functools import cache

from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER


@cache
def statistics_of(path, rules=None):
    """The statistics of a file, under its own tool's rules where none are named."""
    return statistics(load_match(str(path)), rules)


def real_statistics(pattern, rules=None):
    """The same of the one file of the real ones that a pattern names."""
    (path,) = FOLDER.glob(pattern)
    return statistics_of(path, rules)


def figures(match, rules, seat=0):
    """The figures of one seat under a rule set."""
    return dict(statistics(match, rules).figures(seat))
