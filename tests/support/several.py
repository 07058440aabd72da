"""Several analyses of one match: the real ones that there are, and ones made by hand from a bundled
file."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from reconcile.engines.analysis import analyse
from reconcile.gap.review import review
from tests.support import gnubg
from tests.support.data import label, matching, skipped_if_empty
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.long import long_but_first

GNUBG = ("_0ply.sgf", "_2ply.sgf", ".sgf")
"""Analyses of gnuBG's beside a real file of XG."""


def real_sets(count=1, most=2):
    """Parameters: a function that gives the analyses of one real match; XG and gnuBG at two levels,
    or XG, BGBlitz and gnuBG.

    One of each kind comes first; `count` and `most` are as in `long_but_first`.
    """
    by_levels = [
        pytest.param(
            _read([path, *(path.with_name(f"{path.stem}{ending}") for ending in GNUBG)]),
            id=label(path),
        )
        for path in matching("real/*.xg")
    ]
    by_tools = [
        pytest.param(
            _with_gnubg([path, path.parents[1] / "bgf" / f"{path.stem}.bgf"]),
            id=label(path),
            marks=gnubg.needs_gnubg,
        )
        for path in matching("bgblitz/xg/*.xg")
    ]
    first = [*by_levels[:1], *by_tools[:1]]
    in_turn = [*first, *by_levels[1:], *by_tools[1:]]
    return skipped_if_empty(long_but_first(in_turn, count, most))


def _read(files):
    return lambda: [loaded(file) for file in files if file.exists()]


def _with_gnubg(files):
    return lambda: [*map(loaded, files), analyse(loaded(files[0]), gnubg.program(), plies=0).match]


def bundled_xg():
    """The match of the demonstration."""
    return loaded(DEMONSTRATION.with_suffix(".xg"))


def bundled_sgf():
    """Another analysis of it."""
    return loaded(DEMONSTRATION.with_suffix(".sgf"))


def named(match, name):
    """The same analysis as another file."""
    return replace(match, source=replace(match.source, path=name, content=name.encode(), digest=""))


@cache
def beginnings(*endings):
    """The comparison of the first games of bundled files, made once: for what takes long."""
    return review(*[beginning(ending, 3) for ending in endings])


@cache
def analyses_of(*paths):
    """The comparison of some files, made once."""
    return review(*[loaded(Path(path)) for path in paths])
