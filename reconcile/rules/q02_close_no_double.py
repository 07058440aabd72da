"""Does this no-double count as close?

On most turns nobody would consider the cube. Programs count a no-double only if doubling was a
close choice. gnuBG looks at what doubling would have cost. A double is worth at most 1, because the
opponent may pass. A position where doubling is right is close at any difference. XG does the same
with a wider window. gnuBG's manual describes a third rule: 0.25 or too good. Its code followed that
rule until March 2006, and its text had it until 2013. BGBlitz has a window as wide as XG's, but a
right no-double counts only if the play of its roll counts. One published description says "within
0.16 of the doubling point, on either side". It matches neither the code it cites nor the code of
the program it describes: both tests are one-sided.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reconcile.match.columns import Bools
from reconcile.rules.catalogue import Question, Status, has_equities, has_marks
from reconcile.rules.views import CubeView

QUESTION: Question[Callable[[CubeView], Bools]] = Question("Q02", __doc__)

XG_WINDOW_WIDTH = 0.200
"""EMG. In files with XG's own counts 0.1977 counted and 0.2113 did not."""
BGBLITZ_WIDTH = 0.200
"""EMG."""
GNUBG_CLOSE = 0.16
"""EMG, `rThr` in gnuBG's `isCloseCubedecision`."""
MANUAL_CLOSE = 0.25
"""EMG."""
DOUBLE_AT_MOST = 1.0
"""A double is worth at most the cube, since the opponent may pass."""


@QUESTION.answer("xg", applies=has_equities, fallback="marked")
def within_0_200(cube: CubeView) -> Bools:
    """Count a no-double if doubling would have cost less than 0.200 (EMG). A missed double always
    counts.

    The available files do not show whether exactly 0.200 counts.
    """
    return cube.no_double - cube.least < XG_WINDOW_WIDTH


@QUESTION.answer("xg-rounded", applies=has_equities, fallback="marked")
def within_0_2000(cube: CubeView) -> Bools:
    """Count a no-double if doubling would have cost at most 0.2000 (EMG), all equities rounded to
    the ten-thousandth first.

    GammonView keeps four decimals of an equity and compares those. A difference of 0.20004 counts
    here and not in XG.
    """
    no_double, double_take, double_pass = cube.rounded
    close: Bools = (no_double - double_take <= XG_WINDOW_WIDTH) & (
        no_double - double_pass <= XG_WINDOW_WIDTH
    )
    return close


@QUESTION.answer("gnubg", applies=has_equities, fallback="marked")
def doubling_costs_less_than_0_16(cube: CubeView) -> Bools:
    """Count a no-double if doubling would cost less than 0.160 (EMG) against the best action."""
    return cube.best - np.minimum(cube.double_take, DOUBLE_AT_MOST) < GNUBG_CLOSE


@QUESTION.answer("bgblitz", applies=has_equities, fallback="marked")
def within_0_200_and_wrong_or_with_a_play_that_counts(cube: CubeView) -> Bools:
    """Count a no-double if doubling would have cost less than 0.200 (EMG), and it was right or the
    play of the same roll counts.

    A right no-double does not count before a dance, a forced play or a play whose candidates are
    nearly equal. The largest gap that counted is 0.19835, and the smallest that did not is 0.20176.
    It is not known whether exactly 0.200 counts.
    """
    gap = cube.no_double - cube.least
    return (gap < BGBLITZ_WIDTH) & ((gap < 0) | cube.play_counts)


@QUESTION.answer("gnubg-manual", applies=has_equities, fallback="marked")
def manual_says_0_25_or_too_good(cube: CubeView) -> Bools:
    """Count a no-double if no double and double/take, or double/take and double/pass, are within
    0.25, or it is too good.

    The manual says only "within 0.25 from each other or too good". It does not say which equities
    are compared, or whether exactly 0.25 counts; in this reading it does. The code of those years
    compared no double with double/take and with double/pass, and counted less than 0.25.
    """
    near = (np.abs(cube.no_double - cube.double_take) <= MANUAL_CLOSE) | (
        np.abs(cube.double_take - DOUBLE_AT_MOST) <= MANUAL_CLOSE
    )
    close: Bools = near | (cube.no_double > DOUBLE_AT_MOST)
    return close


@QUESTION.answer(
    "window-0.16",
    status=Status.DOCUMENTED,
    source="blunderDB's first statistics page, 12.2.2 (doc/source/stats_parity.rst at 8083920); "
    "its "
    "code never counted so",
    applies=has_equities,
    fallback="marked",
)
def within_0_16_either_side(cube: CubeView) -> Bools:
    """Count a no-double if it and the double differ by at most 0.16 (EMG), in either direction.

    A page of blunderDB said so. The code it cites (gnuBG's) and blunderDB's own code are one-sided:
    a missed double always counts. This rule would drop the largest mistakes.
    """
    return np.abs(cube.no_double - cube.least) <= GNUBG_CLOSE


@QUESTION.answer(
    "marked",
    status=Status.SOURCE_CODE,
    source="blunderDB's schema: `is_close_cube` of the move (2.39 and later) or of the position's "
    "analysis",
    applies=has_marks,
)
def file_marks_it(cube: CubeView) -> Bools:
    """Count a no-double that the file marks as a decision.

    A database may store the error of a cube decision and not its equities. Then only its mark can
    be used. The mark is the program's complete answer, including the clauses of Q03 and Q04. It
    replaces the other answers if a file has no equities.
    """
    counted: Bools = cube.cubes.flag == 0
    return counted
