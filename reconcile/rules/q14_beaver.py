"""Who owns the cube after a beaver, and does answering a beaver count?

Only in money play. When gnuBG recounts a saved session, its replay takes the player who beavered to be on roll. So it
counts the doubler's acceptance of the beaver as an ordinary take, judged with the analysis of the double, and thinks
afterwards that the doubler owns the cube: missed doubles of the real owner then count as if he had no access. Its
`analyse match` has no such fault, so a fresh analysis and a reloaded file can differ.
"""

from __future__ import annotations

from reconcile.rules.catalogue import GNUBG_RECOUNT, Evidence, Question

QUESTION = Question("Q14", "Who owns the cube after a beaver, and does answering a beaver count?", __doc__)

QUESTION.constant(
    "as-played",
    False,
    page="The player who beavered owns the cube; the answer to a beaver is no take.",
    source="the rules of backgammon",
    evidence=Evidence.DOCUMENTED,
)
QUESTION.constant(
    "gnubg-recount",
    True,
    page="As gnuBG recounts a saved session: the answer to a beaver counts as a take, and the doubler is taken for the owner.",
    source=f"{GNUBG_RECOUNT}, two money sessions with beavers",
    evidence=Evidence.VERIFIED,
)
