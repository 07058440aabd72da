"""Who owns the cube after a beaver, and does answering a beaver count?

This matters only in money play. When gnuBG recounts a saved session, its replay assumes that the player who beavered is
on roll. So it counts the doubler's acceptance of the beaver as an ordinary take, scored with the analysis of the
double, and afterwards treats the doubler as the owner of the cube: missed doubles of the real owner then count as if
that player had no access. Its `analyse match` does not have this fault, so a fresh analysis and a reloaded file can differ.
"""

from __future__ import annotations

from reconcile.match.match import Match
from reconcile.rules.catalogue import Question


def _has_beavers(match: Match) -> bool:
    cubes = match.cubes
    return bool((cubes.answers_beaver | (cubes.access != cubes.recount_access)).any())


QUESTION: Question[bool] = Question(
    "Q14", "Who owns the cube after a beaver, and does answering a beaver count?", __doc__, matters=_has_beavers
)

QUESTION.constant("as-played", False, page="The player who beavered owns the cube; the response to a beaver is not a take.")
QUESTION.constant(
    "gnubg-recount",
    True,
    page="As gnuBG recounts a saved session: the response to a beaver counts as a take, and the doubler is treated as the owner.",
)
