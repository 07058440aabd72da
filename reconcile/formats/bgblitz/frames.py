"""BGBlitz's numbers as it writes them, and its own match equity table as far as a file shows it.

No file names the table, but every evaluation of a match has both a chance of winning the match and
the equity (EMG) made of it, and the two are tied by one line for every game and cube: `chance = mid
+ half * equity`. Half the sum and half the difference of the chances after winning and after losing
the cube are its two parameters, so the fitted lines give the table at every score that could
follow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.formats.follow import HIGHEST_CUBE
from reconcile.formats.values import LARGEST, Damaged, shown
from reconcile.match.columns import Ints

GREEN, RED = 0, 1
"""Seats of the two players."""
SEATS: Final = {-1: GREEN, 1: RED}
"""Seat by BGBlitz's number of a player."""
ABSENT: Final = -900.0
"""Numbers below are marks: -999 for no such value, -999.9 for no cube."""
NUMBERS: Final = re.compile(r"(?:-?[0-9]{1,9}\.[0-9]{1,20},)*")
"""Numbers with a decimal point, each followed by a comma."""

Floats = npt.NDArray[np.float64]
POWERS: Final = HIGHEST_CUBE.bit_length()
"""Powers of two of the cube."""
NARROWEST: Final = 1e-9
"""Least variance of the equities that determine a line."""
WORST_FIT: Final = 1e-5
"""Largest distance (chance) of an evaluation from its line; those of BGBlitz are within
0.00000002."""

Scores = Mapping[tuple[int, int, bool], float]
"""Chance of a player to win the match, by points away, points the opponent is away, and whether the
Crawford game has been played."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The fitted lines, by `key_of`, in the view of the first seat; NaN where the file does not
    determine one."""

    mid: Floats
    half: Floats

    def equity(self, game: Ints, seat: Ints, cube: Ints, chance: Floats) -> Floats:
        """The equity (EMG) of a chance to win the match, both in the view of `seat`."""
        key = key_of(game, cube)
        mid = np.where(seat == RED, 1 - self.mid[key], self.mid[key])
        equities: Floats = (chance - mid) / self.half[key]
        return equities


def key_of(game: Ints, cube: Ints) -> Any:
    """A number for every game and cube."""
    return game * POWERS + np.log2(np.maximum(cube, 1)).astype(np.int64)


def fitted(
    game: Ints, seat: Ints, cube: Ints, equity: Floats, chance: Floats, games: int
) -> Frames:
    """The least-squares line of every game and cube, by pairs of equity and chance in the view of
    `seat`; those with an unknown number are left out. Raises `Damaged` where they do not agree with
    each other."""
    both = (equity == equity) & (chance == chance)
    sign = np.where(seat == RED, -1.0, 1.0)
    # Counted by places in memory, which have 32 bits in a browser.
    keys = key_of(game, cube)[both].astype(np.intp, copy=False)
    equities = (equity * sign)[both]
    chances = (0.5 + (chance - 0.5) * sign)[both]
    size = games * POWERS

    def mean(values: Floats) -> Floats:
        sums = np.bincount(keys, values, size)
        means: Floats = np.divide(sums, count, out=np.full(size, np.nan), where=count > 0)
        return means

    count = np.bincount(keys, minlength=size)
    equity, chance = mean(equities), mean(chances)
    from_equity, from_chance = equities - equity[keys], chances - chance[keys]
    variance = mean(from_equity * from_equity)
    half = np.divide(
        mean(from_equity * from_chance),
        variance,
        out=np.full(size, np.nan),
        where=variance > NARROWEST,
    )
    off = np.abs(from_chance - half[keys] * from_equity)
    if np.count_nonzero(half <= 0) or np.count_nonzero(off > WORST_FIT):
        raise Damaged(
            "expected chances of winning the match that follow from the equities, found others"
        )
    return Frames(chance - half * equity, half)


def scores_of(frames: Frames, away: Ints, crawford: list[bool]) -> Scores:
    """The table at every score that the frames reach; `away` has shape (games, 2)."""
    scores: dict[tuple[int, int, bool], float] = {}
    for key in np.flatnonzero(frames.half == frames.half).tolist():
        game, points = key // POWERS, 1 << key % POWERS
        first, second = away[game].tolist()
        post = crawford[game] or 1 in (first, second)
        for score, chance in (
            ((first - points, second, post), frames.mid[key] + frames.half[key]),
            ((first, second - points, post), frames.mid[key] - frames.half[key]),
        ):
            if score[0] > 0 and score[1] > 0 and score not in scores:
                scores[score] = float(chance)
                scores[score[1], score[0], post] = float(1 - chance)
    return scores


def numbers(raw: Sequence[Any]) -> Floats:
    """Numbers as BGBlitz writes them, texts with a decimal point, as an array; NaN where it marks a
    value as absent.

    A missing value (`None`) is NaN as well. Raises `Damaged` for anything else.
    """
    try:
        joined = ",".join(raw)
        if raw and not NUMBERS.fullmatch(joined + ","):
            raise ValueError
        converted: Floats = np.fromiter(map(float, raw), np.float64, len(raw))
    except (TypeError, ValueError):
        converted = np.array([_number(text) for text in raw], np.float64)
    converted[converted < ABSENT] = np.nan
    if np.count_nonzero(np.abs(converted) > LARGEST):
        raise Damaged(
            f"expected numbers up to {LARGEST:.0f}, found {np.nanmax(np.abs(converted)):.0f}"
        )
    return converted


def _number(value: Any) -> float:
    """One number; NaN for a missing one."""
    if value is None:
        return float("nan")
    if type(value) in (int, float) and abs(value) <= LARGEST:
        return float(value)
    if type(value) is not str or not NUMBERS.fullmatch(value + ",") or "," in value:
        raise Damaged(f"expected a number with a decimal point, found {shown(value)}")
    return float(value)
