"""Values as XG writes them: levels, positions, plays, text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.formats.xg import records
from reconcile.match.board.play import Play
from reconcile.match.match import Level
from reconcile.match.names import unbroken

LEVEL_CODES: Final = np.array(sorted(records.LEVELS), np.int32)
LEVELS: Final = (
    *(Level(*records.LEVELS[code]) for code in LEVEL_CODES.tolist()),
    Level("unknown level", None),
)

MOST_PLAYS: Final = 1 << 14
"""That are remembered: most plays of an archive are few."""

Array = npt.NDArray[Any]


def level_index(code: Array, scored: Array) -> Array:
    """Index into `LEVELS` of every code; -1 for codes that mean no known analysis."""
    index = np.minimum(LEVEL_CODES.searchsorted(code), len(LEVEL_CODES) - 1)
    index = np.where(LEVEL_CODES[index] == code, index, len(LEVEL_CODES))
    return np.where(scored, index, -1)


def viewed(position: Array, sign: Array) -> Array:
    """Converts positions in player 1's view to the view of the player with sign +1 or -1."""
    other = np.flatnonzero(sign < 0)  # an eighth of the time of `where` for whole positions
    views = position.copy()
    views[other] = -position[other, ::-1]
    return views


@lru_cache(MOST_PLAYS)
def pairs_of(numbers: tuple[int, ...]) -> Play:
    """XG's (from, to) numbers from 0 as points from 1: bar 25, off 0. All zeros means nothing was
    played."""
    pairs = []
    for origin, target in zip(numbers[::2], numbers[1::2], strict=True):
        if origin < 0 or origin == target:
            break
        pairs.append((origin + 1, max(target + 1, 0)))
    return tuple(pairs)


def plays_of(numbers: Array) -> list[Play]:
    """The plays of rows of eight (from, to) numbers."""
    return [*map(pairs_of, map(tuple, numbers.tolist()))]


def utf16(raw: bytes) -> str:
    """Text of a field in UTF-16, up to its end mark."""
    return (
        raw.decode("utf-16-le", "replace")
        .partition("\0")[0]
        .replace("\n", " ")
        .replace("\t", " ")
        .strip()
    )


def ansi(raw: bytes) -> str:
    """Text of a Delphi short string in code page 1252."""
    raw = raw or b"\0"
    return unbroken(raw[1 : 1 + raw[0]]).decode("cp1252", "replace").partition("\0")[0].strip()
