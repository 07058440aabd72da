"""Figures that XG and gnuBG reported for the real matches: their names in XG's window, the file and
the match equity table behind them."""

import csv
from functools import cache

from reconcile.formats import load_match
from reconcile.match.met import DEFAULT_MET
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER
from tests.support.tables import beside

WINDOW = beside(__file__)
"""A figure of the window: our metric, and how many decimals XG prints."""


def window(figures):
    """What XG's window shows, as it prints it, by our metrics."""
    named = [(*WINDOW[key], value) for key, value in figures.items() if key in WINDOW]
    return {metric: f"{value:.{decimals}f}" for metric, decimals, value in named}


@cache
def scored(path):
    """Our statistics of a file under XG's rules."""
    return statistics(load_match(path), "xg")


def match_file(companion):
    """The .xg file that a file of figures beside it is about."""
    return companion.with_name(companion.name.partition(".xg-")[0] + ".xg")


def met_of(path):
    """The table a match was analysed with, by the manifest; gnuBG's default for matches that are
    not in it."""
    return _manifest().get(path.name.partition(".")[0], DEFAULT_MET)


@cache
def _manifest():
    with (FOLDER / "gnubg" / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["met"].removesuffix(".xml") for row in csv.DictReader(file)}
