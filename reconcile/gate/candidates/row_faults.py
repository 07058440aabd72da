"""Faults that all errors of a list have in common: another unit, a factor, a sign. They are named before any single decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.files.wording import plural
from reconcile.gate.candidates.listed import Listed

MOSTLY: Final = 0.9
"""Share of the errors that a fault has to explain."""
FEWEST: Final = 3
"""Errors that it has to explain."""
CLEAR: Final = 20
"""An error is used to find an unknown factor if it is this many times half of its last digit."""
FACTORS: Final = {
    1000.0: "in thousandths of a point (mEMG)",
    0.001: "divided by 1000",
    500.0: "times 500, as PR points",
    100.0: "in hundredths, as a percentage",
    0.01: "divided by 100",
    2.0: "times 2",
    0.5: "divided by 2",
}
"""Factors between what a list has and what it should have, in the order in which they are tried."""
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fault:
    """What is wrong with all errors of a list alike."""

    kind: str
    """In words, after "the errors"; empty if nothing is."""
    text: str
    """The same with the number of errors that show it."""
    factor: Vector
    """By decision, the error of the list for each unit of the right one."""


def fault_of(listed: Listed) -> Fault:
    """The fault that explains most errors; without words and with factors of 1 if they are right as they are."""
    given, half, right = listed.given.lost, listed.halves, listed.reference.lost
    plain = np.ones(len(right))
    rows = np.flatnonzero(listed.paired.mine & listed.analysed & (given == given) & ((np.abs(given) > half) | (right > half)))
    if np.count_nonzero(given[rows]) < FEWEST or _fitting(listed, plain, rows) >= MOSTLY * len(rows):
        return Fault("", "", plain)
    for words, factor in _factors(listed, rows):
        fitting = _fitting(listed, factor, rows)
        if fitting >= MOSTLY * len(rows):
            return Fault(words, f"{fitting:,} of {plural(len(rows), 'error')} {words}", np.where(factor == 0, 1.0, factor))
    return Fault("", "", plain)


def _fitting(listed: Listed, factor: Vector, rows: npt.NDArray[np.int64]) -> int:
    """How many errors are the reference's times a factor, within half of their last digit."""
    off = np.abs(listed.given.lost - factor * listed.reference.lost)[rows]
    return int(np.count_nonzero(off <= (listed.halves + listed.slack * np.maximum(np.abs(factor), 1.0))[rows]))


def _factors(listed: Listed, rows: npt.NDArray[np.int64]) -> Iterator[tuple[str, Vector]]:
    """What may be wrong, in words, with the factor of every decision."""
    given, right = listed.given.lost, listed.reference.lost
    every = np.ones(len(right))
    yield "have the right size and the wrong sign in places", np.where(given < 0, -1.0, 1.0)
    for factor, words in FACTORS.items():
        yield f"are {words}, where equity (EMG) is expected" if not listed.in_mwc else f"are {words}", factor * every
    slope = listed.chance_of_equity
    if listed.in_mwc:
        yield "are match winning chance from 0 to 1, where percentage points are expected", 0.01 * every
        yield "are equity (EMG), where match winning chance is expected", np.divide(1.0, slope, out=every.copy(), where=slope != 0)
    elif not listed.match.is_money:
        yield "are match winning chance in percentage points, where equity (EMG) is expected; say unit mwc", slope
        yield "are match winning chance from 0 to 1, where equity (EMG) is expected", slope / 100.0
    cube = listed.cubes
    if (cube[rows] != cube[rows[0]]).any():
        yield "are in points, times the value of the cube, where equity normalised to the cube (EMG) is expected", cube
        yield "are divided by the value of the cube", 1.0 / cube
    clear = rows[(right[rows] > CLEAR * listed.halves[rows]) & (given[rows] != 0)]
    if len(clear) >= FEWEST:
        factor = float(np.median(given[clear] / right[clear]))
        if factor:
            yield f"are {factor:.4g} times the reference's", factor * every
