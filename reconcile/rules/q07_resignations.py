"""Do resignation errors add to the total?

Resigning a game that could still be saved, or a single game when the gammon was lost, is an error, and so is accepting
too little. XG evaluates both. According to BackgammonDB, XG's window adds them to the equity lost without adding a
decision; every value in the available files is 0, so this is not verified. GammonView's documentation says that counting them is a
setting of XG. XG's statistics summary has no row for them: its total is that of plays, doubles and takes.
"""

from __future__ import annotations

from reconcile.rules.catalogue import GNUBG_RECOUNT, Evidence, Question

QUESTION = Question(
    "Q07",
    "Do resignation errors add to the total?",
    __doc__,
    matters=lambda match: bool((match.resignations.stored_error > 0).any()),
)

QUESTION.constant(
    "yes-without-decision",
    True,
    page="The errors of resigning and accepting add to the total, not to the number of decisions.",
    source="BackgammonDB's page on XG's 'include resign errors'",
    evidence=Evidence.ATTESTED,
)
QUESTION.constant(
    "no",
    False,
    page="Resignations are not counted in any statistic.",
    source=GNUBG_RECOUNT,
    evidence=Evidence.VERIFIED,
)
