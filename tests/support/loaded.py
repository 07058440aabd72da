"""Matches of files that many tests read, each read once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.match.match import Match
from tests.support.data import FOLDER

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
"""The two bundled files of one match, without .xg or .sgf."""


@cache
def loaded(path: Path) -> Match:
    """The match in a file."""
    return load_match(path)


@cache
def beginning(ending: str, games: int = 2) -> Match:
    """The first games of one of the two bundled files, for what takes long and is true of any
    match."""
    match = loaded(DEMONSTRATION.with_suffix(ending))

    def begun(table: Any) -> Any:
        rows = range(games) if table is match.games else np.flatnonzero(table.game < games).tolist()
        every = {name: getattr(table, name) for name in table.names()}
        return type(table)(
            len(rows),
            {
                name: [column[row] for row in rows] if name == "play" else column[rows]
                for name, column in every.items()
            },
        )

    tables: dict[str, Any] = {
        name: begun(getattr(match, name)) for name in ("games", "plays", "cubes", "resignations")
    }
    return replace(match, **tables)


def real(pattern: str) -> Match:
    """The match in the one file of the real ones that a pattern names."""
    (path,) = FOLDER.glob(pattern)
    return loaded(path)
