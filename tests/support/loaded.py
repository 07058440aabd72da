"""Matches of files that many tests read, each read once."""

from dataclasses import replace
from functools import cache

import numpy as np

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from tests.support.data import FOLDER

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
"""The two bundled files of one match, without .xg or .sgf."""


@cache
def loaded(path):
    """The match in a file."""
    return load_match(path)


def picked(table, rows):
    """These rows of a table, in this order."""
    columns = {}
    for name in table.names():
        column = getattr(table, name)
        is_array = isinstance(column, np.ndarray)
        columns[name] = column[rows] if is_array else [column[row] for row in rows.tolist()]
    return type(table)(len(rows), columns)


def only_games(match, chosen):
    """The match of these games alone, by their rows; a game may come twice."""
    tables = {"games": picked(match.games, np.asarray(chosen))}
    for name in ("plays", "cubes", "resignations"):
        table = getattr(match, name)
        rows = [np.flatnonzero(table.game == game) for game in chosen]
        places = np.repeat(np.arange(len(rows)), [len(own) for own in rows])
        tables[name] = picked(table, np.concatenate(rows)).replaced(game=places)
    return replace(match, **tables)


@cache
def beginning(ending, games=2):
    """The first games of one of the two bundled files, for what takes long and is true of any
    match."""
    return only_games(loaded(DEMONSTRATION.with_suffix(ending)), range(games))


def real(pattern):
    """The match in the one file of the real ones that a pattern names."""
    (path,) = FOLDER.glob(pattern)
    return loaded(path)
