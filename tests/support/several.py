"""Several analyses of one match: the real ones that there are, and ones made by hand from a bundled
file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.engines.analysis import analyse
from reconcile.gap.review import Review, review
from reconcile.match.match import Candidate, Match
from tests.support import gnubg
from tests.support.data import label, matching, skipped_if_empty
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.long import long_but_first


def real_sets(count: int = 1, most: int = 2) -> list[Any]:
    """Parameters: a function that gives the analyses of one real match; XG and gnuBG at two levels,
    or XG, BGBlitz and gnuBG.

    One of each kind comes first; `count` and `most` are as in `long_but_first`.
    """
    listed: list[list[Any]] = [[], []]
    for path in matching("real/*.xg"):
        files = [
            path,
            *(
                path.with_name(f"{path.stem}{ending}")
                for ending in ("_0ply.sgf", "_2ply.sgf", ".sgf")
            ),
        ]
        listed[0].append(
            pytest.param(_read([file for file in files if file.exists()]), id=label(path))
        )
    for path in matching("bgblitz/xg/*.xg"):
        files = [path, path.parent.parent / "bgf" / f"{path.stem}.bgf"]
        listed[1].append(pytest.param(_with_gnubg(files), id=label(path), marks=gnubg.needs_gnubg))
    in_turn = [
        entry for part in (slice(1), slice(1, None)) for kind in listed for entry in kind[part]
    ]
    return skipped_if_empty(long_but_first(in_turn, count, most))


def _read(files: list[Path]) -> Callable[[], list[Match]]:
    return lambda: [loaded(file) for file in files]


def _with_gnubg(files: list[Path]) -> Callable[[], list[Match]]:
    return lambda: [*map(loaded, files), analyse(loaded(files[0]), gnubg.program(), plies=0).match]


def bundled_xg() -> Match:
    """The match of the demonstration."""
    return loaded(DEMONSTRATION.with_suffix(".xg"))


def bundled_sgf() -> Match:
    """Another analysis of it."""
    return loaded(DEMONSTRATION.with_suffix(".sgf"))


def named(match: Match, name: str) -> Match:
    """The same analysis as another file."""
    return replace(match, source=replace(match.source, path=name, content=name.encode(), digest=""))


def of_tool(match: Match, name: str, tool: str) -> Match:
    """The same analysis as that of another program."""
    other = named(match, name)
    return replace(other, source=replace(other.source, tool=tool))


def dearer(match: Match, name: str, rows: list[int], by: float) -> Match:
    """An analysis that charges more for these plays (rows), and prefers the candidate that the
    others have second."""
    error = match.plays.stored_error.copy()
    error[rows] += by

    def candidates(row: int) -> tuple[Candidate, ...]:
        listed = match.candidates(row)
        return (listed[1], listed[0], *listed[2:]) if row in rows else listed

    return replace(
        named(match, name), plays=match.plays.replaced(stored_error=error), candidates=candidates
    )


def chosen(match: Match, seat: int, number: int) -> list[int]:
    """Plays of a player that count, that were not the best ones, and in which the file has several
    candidates."""
    wrong = (
        (match.plays.player == seat) & (match.plays.stored_error > 0.001) & (match.plays.flag == 0)
    )
    rows = [
        row
        for row in np.flatnonzero(wrong).tolist()
        if len(match.candidates(row)) > 2 and not match.candidates(row)[1].made
    ]
    assert len(rows) >= number
    return rows[:number]


@cache
def beginnings(*endings: str) -> Review:
    """The comparison of the first games of bundled files, made once: for what takes long."""
    return review(*[beginning(ending, 3) for ending in endings])


@cache
def analyses_of(*paths: str) -> Review:
    """The comparison of some files, made once."""
    return review(*[loaded(Path(path)) for path in paths])
