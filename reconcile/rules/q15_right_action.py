"""Does a double, take or pass that was right count?

Every program counts a cube action that was wrong. Most count one that was right as well: somebody thought about it. BGBlitz does
not, so its denominator has no right doubles, takes or passes, and its rate is higher for a player who handles the cube well.
"""

from __future__ import annotations

from reconcile.columns import Kind
from reconcile.rules.catalogue import BGBLITZ_TOTALS, GNUBG_RECOUNT, XG_WINDOW, Evidence, Question

QUESTION = Question(
    "Q15",
    "Does a double, take or pass that was right count?",
    __doc__,
    matters=lambda match: bool((match.cubes.kind > Kind.NO_DOUBLE).any()),
)

QUESTION.constant(
    "yes",
    False,
    page="Every double, take and pass counts.",
    source=f"{XG_WINDOW}; {GNUBG_RECOUNT}",
    evidence=Evidence.VERIFIED,
)
QUESTION.constant(
    "only-errors",
    True,
    page="A double, take or pass counts only if another action was better, by however little.",
    source=f"{BGBLITZ_TOTALS}: 110 cube actions, of which 26 were wrong and counted",
    evidence=Evidence.VERIFIED,
)
