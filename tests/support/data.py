"""Where the real matches lie, for tests that need them: a folder outside the project, which may be
absent.

    RECONCILE_DATA=/some/where pytest

Without the variable these tests are skipped. Used while tests are collected, so that every file
becomes a test of its own.
"""

import os
from pathlib import Path

import pytest

from tests.support.long import long_but_first

VARIABLE = "RECONCILE_DATA"
PROJECT = Path(__file__).parents[2]
FOLDER = PROJECT / (os.environ.get(VARIABLE) or os.devnull)
"""Nothing to be found in where the variable names none; a relative name begins at the project."""
ONE_OF_EACH = (
    "real/*.xg",
    "real/test.[mst]??",
    "gnubg/m01*.sgf",
    "gnubg/m1[345]*.sgf",
    "gnubg/m22*.sgf",
    "gnubg/m49*.sgf",
    "gnubg/m5[39]*.sgf",
)
"""One match of each kind, for what takes seconds a match: by tool, money, one point, unfinished,
not or partly analysed, set up."""
ABSENT = f"no folder of real matches; name one with {VARIABLE}"


def matching(*patterns):
    """The files that match, in order; none where the folder is absent."""
    return sorted(path for pattern in patterns for path in FOLDER.glob(pattern))


def cases(*patterns, short=None, most=None):
    """The same as parameters of a test, marked as `long_but_first` marks them; one that is skipped
    where there is none."""
    parameters = [pytest.param(path, id=label(path)) for path in matching(*patterns)]
    return skipped_if_empty(
        long_but_first(parameters, len(parameters) if short is None else short, most)
    )


def skipped_if_empty(parameters, width=1):
    """The parameters, or one set of `width` that is skipped, so that a claim nobody could check
    stays visible."""
    if parameters:
        return parameters
    return [pytest.param(*[None] * width, marks=pytest.mark.skip(reason=ABSENT), id="absent")]


def label(path):
    """A short name of a file for the identifier of a test."""
    return (
        path.name.replace("-charlot2_7p_2025-11-08-2305", "")
        .replace("-UngerHarmand-FriebeJacobi-7pt", "")
        .partition(".")[0]
    )
