"""Does a no-double of the side that is losing count?

XG leaves out some close no-doubles of the losing side, but nobody outside XG knows which ones.
gnuBG has no such clause.

XG does not count all of them. blunderDB reports a PR of 13.20 for one of its matches, and that PR
needs 81 decisions. With the 16 close no-doubles of the losing side there would be 97. `nd-positive`
is based only on blunderDB's statistics page. In three 17-point matches with XG's own counts,
`nd-positive` is one or two decisions short on two of six sides, where `minus-0.9` agrees. That is a
likelihood ratio of about 6 against `nd-positive`. `minus-0.9` comes from the author of GammonView,
who fitted XG's displayed PR. The author calls these borders "mutually inconsistent, hence still
approximations". BackgammonDB's manual leaves out a double "that's very negative either way" and
gives no number. XG's manual, as quoted, has no such clause. A post on Reddit (csaba-, thread
1ishizw, which we could not open again) says that the window of 0.200 alone decides. `minus-0.9`
fits everything seen so far, and no file seen so far distinguishes `minus-0.5` from it. So rule set
`xg` answers `minus-0.9` and marks it open. One number would decide: XG's double decisions for the
first player of `match_with_comment.xg`. They are 10 under `nd-positive`, 12 under `minus-0.5`, 13
under `minus-0.9`, and 26 if all counted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reconcile.match.columns import Bools
from reconcile.rules.catalogue import Question, Status, has_equities
from reconcile.rules.views import NO_ERROR, CubeView

QUESTION: Question[Callable[[CubeView], Bools]] = Question("Q03", __doc__)


@QUESTION.answer("nd-positive", applies=has_equities, fallback="all")
def winning_side_only(cube: CubeView) -> Bools:
    """Count a no-double only if not doubling is worth more than 0 to the player on roll.

    If doubling was right, its error still adds to the total (a losing side can miss a redouble).
    """
    return cube.no_double > 0


@QUESTION.answer("minus-0.9", applies=has_equities, fallback="all")
def not_both_below_minus_0_9(cube: CubeView) -> Bools:
    """Leave a no-double out only if both no double and double/take are worth less than -0.9."""
    return ~((cube.no_double < -0.9) & (cube.double_take < -0.9))


@QUESTION.answer("minus-0.9-right", applies=has_equities, fallback="all")
def both_below_minus_0_9_and_right(cube: CubeView) -> Bools:
    """Leave a no-double out if no double and double/take are worth less than -0.9 and not doubling
    was right.

    Equities are rounded to the ten-thousandth first. A missed double that cost less than 0.001 is
    taken as right. A missed double of the losing side counts here, unlike under `minus-0.9`.
    """
    no_double, double_take, double_pass = cube.rounded
    missed = np.minimum(double_take, double_pass) - no_double >= NO_ERROR
    return ~((no_double < -0.9) & (double_take < -0.9)) | missed


@QUESTION.answer("all")
def whoever_leads(cube: CubeView) -> Bools:
    """Count it whichever side is ahead."""
    return np.ones(cube.no_double.shape, bool)


@QUESTION.answer(
    "minus-0.5",
    status=Status.ATTESTED,
    source="OpenGammon, according to its author; which equities it compares is not stated",
    applies=has_equities,
    fallback="all",
)
def not_both_below_minus_0_5(cube: CubeView) -> Bools:
    """Leave a no-double out if no double and double/take are both worth less than -0.5."""
    return ~((cube.no_double < -0.5) & (cube.double_take < -0.5))
