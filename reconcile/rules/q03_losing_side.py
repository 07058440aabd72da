"""Does a no-double of the side that is losing count?

XG seems to leave some close no-doubles of the losing side out. Four programs that copy XG describe four clauses; in
the two matches with XG's own class counts no decision tells them apart, so none is proved. gnuBG has no such clause.
"""

from __future__ import annotations

import numpy as np

from reconcile.match import Bools
from reconcile.rules.catalogue import GNUBG_RECOUNT, Evidence, Question, has_equities
from reconcile.rules.views import CubeView

QUESTION = Question("Q03", "Does a no-double of the side that is losing count?", __doc__)


@QUESTION.answer(
    "nd-positive",
    source="blunderDB's statistics page, class counts of five matches",
    evidence=Evidence.OPEN,
    applies=has_equities,
    fallback="all",
)
def winning_side_only(cube: CubeView) -> Bools:
    """Count a no-double only when not doubling is worth more than 0 to the player on roll.

    Its error, where doubling was right, still adds to the total (missed redoubles of a losing side exist).
    """
    return cube.no_double > 0


@QUESTION.answer(
    "minus-0.9",
    source="BackgammonDB, bgsage and GammonView, by their authors",
    evidence=Evidence.ATTESTED,
    applies=has_equities,
    fallback="all",
)
def not_both_below_minus_0_9(cube: CubeView) -> Bools:
    """Leave a no-double out only when both no double and double/take are worth less than -0.9."""
    return ~((cube.no_double < -0.9) & (cube.double_take < -0.9))


@QUESTION.answer("all", source=GNUBG_RECOUNT, evidence=Evidence.VERIFIED)
def whoever_leads(cube: CubeView) -> Bools:
    """Count it whoever leads."""
    return np.ones(cube.no_double.shape, bool)


@QUESTION.answer(
    "minus-0.5",
    source="OpenGammon, by its author's account; which equities it compares is not told",
    evidence=Evidence.ATTESTED,
    applies=has_equities,
    fallback="all",
)
def not_both_below_minus_0_5(cube: CubeView) -> Bools:
    """Leave a no-double out when no double and double/take are both worth less than -0.5."""
    return ~((cube.no_double < -0.5) & (cube.double_take < -0.5))
