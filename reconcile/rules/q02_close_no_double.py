"""Does this no-double count as close?

On most turns nobody would think of the cube. Programs count a no-double only when doubling was near enough. gnuBG asks
what doubling would have cost (against a double worth at most 1, since the opponent may pass); any position where
doubling is right is close, whatever the gap. XG asks the same with a wider window. gnuBG's manual describes a third rule
(0.25 or too good) that its code does not follow. The published description "within 0.16 of the doubling point, on either
side" is not what the code it cites does: the test is one-sided.
"""

from __future__ import annotations

import numpy as np

from reconcile.match import Bools
from reconcile.rules.catalogue import GNUBG_RECOUNT, XG_WINDOW, Evidence, Question
from reconcile.rules.views import CubeView

QUESTION = Question("Q02", "Does this no-double count as close?", __doc__)

XG_WINDOW_WIDTH = 0.200
"""EMG. On files with XG's own counts 0.1977 counted and 0.2113 did not."""
GNUBG_CLOSE = 0.16
"""EMG, `rThr` in gnuBG's `isCloseCubedecision`."""
DOUBLE_AT_MOST = 1.0
"""A double is worth at most the cube: the opponent may pass."""


@QUESTION.answer("xg", source=XG_WINDOW, evidence=Evidence.VERIFIED)
def within_0_200(cube: CubeView) -> Bools:
    """Count a no-double when doubling would have cost less than 0.200 (EMG), a missed double always.

    Whether exactly 0.200 counts is not decidable from the files we have.
    """
    return cube.no_double - cube.least < XG_WINDOW_WIDTH


@QUESTION.answer("gnubg", source=f"{GNUBG_RECOUNT}; eval.c:5088", evidence=Evidence.VERIFIED)
def doubling_costs_less_than_0_16(cube: CubeView) -> Bools:
    """Count a no-double when doubling would cost less than 0.160 (EMG) against the best action."""
    return cube.best - np.minimum(cube.double_take, DOUBLE_AT_MOST) < GNUBG_CLOSE
