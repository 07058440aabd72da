"""Does an optional double count, when doubling changes nothing?

After the Crawford game, and with a dead cube, double and no double are often worth the same. Some
programs call such a no-double obvious and leave it out. XG's own window counts it. In one reference
match XG shows 16 double decisions, and that needs both records with a difference of 0 (and a stored
error of 0.0001). Most programs apply this only to a turn without a double. GammonView also applies
it to doubles, takes and passes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reconcile.match.columns import Bools, Kind
from reconcile.rules.catalogue import Question, Status, has_equities
from reconcile.rules.views import DIGITS, NO_ERROR, CubeView

QUESTION: Question[Callable[[CubeView], Bools]] = Question("Q04", __doc__)


@QUESTION.answer("yes")
def counts(cube: CubeView) -> Bools:
    """Count it like any other close no-double."""
    return np.ones(cube.no_double.shape, bool)


@QUESTION.answer("within-0.001-no", applies=has_equities, fallback="yes")
def difference_below_0_001(cube: CubeView) -> Bools:
    """Leave a no-double out if no double and double differ by less than 0.001 (EMG)."""
    return cube.acted | ~(np.abs(cube.no_double - cube.least) < 0.001)


@QUESTION.answer(
    "no-unless-error",
    status=Status.ASSUMED,
    source="the only reading of 'optional doubles do not count' that is not contradicted by a "
    "reference match",
    applies=has_equities,
    fallback="yes",
)
def difference_below_0_001_without_error(cube: CubeView) -> Bools:
    """Leave a no-double out if it and the double differ by less than 0.001 (EMG), unless the file
    stores an error for it.

    XG stores an error of 0.0001 for a post-Crawford double that was missed although it changed
    nothing.
    """
    return (
        cube.acted | ~(np.abs(cube.no_double - cube.least) < 0.001) | (cube.cubes.stored_error > 0)
    )


@QUESTION.answer("trivial-no", applies=has_equities, fallback="yes")
def trivial_or_trivially_right(cube: CubeView) -> Bools:
    """Leave out any cube decision that changes less than 0.001 (EMG), and the losing side's double
    if it was right.

    * A turn without a double: if no double and double, rounded to the ten-thousandth, differ by
      less than 0.001.
    * A double that was made: if the two differ by less than 0.001, or no double and double/take are
      both worth less than -0.9, and if it cost less than 0.001 (rounded).
    * A take or pass: if double/take and double/pass differ by less than 0.001.
    """
    no_double, double_take, double_pass = cube.rounded
    optional = np.abs(no_double - np.minimum(double_take, double_pass)) < NO_ERROR
    lost = (cube.no_double < -0.9) & (cube.double_take < -0.9)
    cost = np.round((cube.no_double - cube.least).astype(float), DIGITS)
    settled = ((np.abs(cube.no_double - cube.least) < NO_ERROR) | lost) & (cost < NO_ERROR)
    indifferent = np.abs(cube.double_take - cube.double_pass) < NO_ERROR
    return ~np.select(
        [cube.kind == Kind.NO_DOUBLE.value, cube.kind == Kind.DOUBLE.value],
        [optional, settled],
        indifferent,
    )
