"""Do resignation errors add to the total?

Resigning a game that could still be saved, or a single game when the gammon was lost, is an error, and so is accepting too little. XG
evaluates both. According to BackgammonDB's manual, XG's "include resign errors" mode adds them to the equity lost without adding a
decision, so with XG it may be a setting; every value in the available files is 0, so this is not verified. XG's statistics summary has no
row for them: its total is that of plays, doubles and takes.

GammonView has a way of its own in matches that it analysed itself (`.gva`, `.gvab`, and OGXM documents with its judgement): it charges the
error and counts a decision for the player who resigned and one for the player who accepted (`gvformat/stats.py` of 3.1.0). An `.xg` that it
imports carries no judgement of a resignation, so it counts nothing there. No file that is read here shows the difference, so this is not
one of the answers.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Question

QUESTION: Question[bool] = Question(
    "Q07",
    "Do resignation errors add to the total?",
    __doc__,
    matters=lambda match: bool((match.resignations.stored_error > 0).any()),
)

QUESTION.constant(
    "yes-without-decision",
    True,
    page="The errors of resigning and accepting add to the total, not to the number of decisions.",
)
QUESTION.constant(
    "no",
    False,
    page="Resignations are not counted in any statistic.",
)
