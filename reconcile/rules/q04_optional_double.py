"""Does an optional double count, when doubling changes nothing?

After the Crawford game, and with a dead cube, double and no double are often worth the same. Some programs call such a
no-double obvious and leave it out. XG's own window counts them: one reference match has 16 double decisions only if both
records with a difference of 0 (and a stored error of 0.0001) are counted.
"""

from __future__ import annotations

import numpy as np

from reconcile.columns import Bools
from reconcile.rules.catalogue import XG_WINDOW, Evidence, Question, has_equities
from reconcile.rules.views import CubeView

QUESTION = Question("Q04", "Does an optional double count, when doubling changes nothing?", __doc__)


@QUESTION.answer("yes", source=f"{XG_WINDOW}; gnuBG has no such clause", evidence=Evidence.VERIFIED)
def counts(cube: CubeView) -> Bools:
    """Count it like any other close no-double."""
    return np.ones(cube.no_double.shape, bool)


@QUESTION.answer(
    "within-0.001-no",
    source="BackgammonDB's page; the width from third parties",
    evidence=Evidence.ATTESTED,
    applies=has_equities,
    fallback="yes",
)
def difference_below_0_001(cube: CubeView) -> Bools:
    """Leave a no-double out if no double and double differ by less than 0.001 (EMG)."""
    return ~(np.abs(cube.no_double - cube.least) < 0.001)


@QUESTION.answer(
    "no-unless-error",
    source="the only reading of 'optional doubles do not count' that is not contradicted by a reference match",
    evidence=Evidence.OPEN,
    applies=has_equities,
    fallback="yes",
)
def difference_below_0_001_without_error(cube: CubeView) -> Bools:
    """Leave a no-double out if it and the double differ by less than 0.001 (EMG), unless the file stores an error for it.

    XG stores an error of 0.0001 for a post-Crawford double that was missed although it changed nothing.
    """
    return ~(np.abs(cube.no_double - cube.least) < 0.001) | (cube.stored_error > 0)
