"""Do resignation errors add to the total?

It is an error to resign a game that could still be saved, or a single game when the gammon was
lost. It is also an error to accept too little. XG evaluates both sides. According to BackgammonDB's
manual, XG's "include resign errors" mode adds these errors to the equity lost and adds no decision.
So it may be a setting of XG. This is not verified, because every value in the available files is 0.
XG's statistics summary has no row for them: its total is that of plays, doubles and takes.

GammonView charges the error. It counts one decision for the player who resigned and one for the
player who accepted. It does so only in matches that it analysed itself, with the engine Open Sage,
and that are saved as an OGXM document (`.gva`, `.gvab`). It does not count a resignation that
another program judged, in an `.xg` or in a document.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from reconcile.match.match import Match
from reconcile.match.tools import BGSAGE, GAMMONVIEW
from reconcile.rules.catalogue import Question


class Resigning(Enum):
    """What becomes of a resignation, or of its acceptance, whose error is known."""

    LEFT_OUT = "left out"
    CHARGED = "its error adds to the total"
    COUNTED = "its error adds to the total, and it is a decision"


def _judged_by_gammonview(match: Match) -> bool:
    """Whether the errors of resignations, if there are any, are GammonView's own, that is those of
    its engine."""
    tool, engine = match.source.tool, match.source.tool_version or ""
    return tool == BGSAGE.name or (tool == GAMMONVIEW.name and BGSAGE.key in engine)


def _matters(match: Match) -> bool:
    stored = match.resignations.stored_error
    return bool((stored > 0).any()) or (
        _judged_by_gammonview(match) and bool(np.count_nonzero(stored == stored))
    )


QUESTION: Question[Resigning] = Question("Q07", __doc__, matters=_matters)

QUESTION.constant(
    "yes-without-decision",
    Resigning.CHARGED,
    page="The errors of resigning and accepting add to the total, not to the number of decisions.",
)
QUESTION.constant("no", Resigning.LEFT_OUT, page="Resignations are not counted in any statistic.")
QUESTION.constant(
    "yes-with-decision",
    Resigning.COUNTED,
    page="""The errors of resigning and accepting add to the total, and each is a decision of its
    own, of no other class, whether it was an error or not. Only those that GammonView judged with
    its own engine; the errors that other programs store are left out.""",
    applies=_judged_by_gammonview,
    fallback="no",
)
