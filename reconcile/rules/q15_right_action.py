"""Does a double, take or pass that was right count?

Every program counts a cube action that was wrong. Most count one that was right as well: somebody thought about it. BGBlitz does
not, so its denominator has no right doubles, takes or passes, and its rate is higher for a player who handles the cube well.
"""

from __future__ import annotations

from reconcile.match.columns import Kind
from reconcile.rules.catalogue import Question

QUESTION: Question[bool] = Question(
    "Q15",
    "Does a double, take or pass that was right count?",
    __doc__,
    matters=lambda match: bool((match.cubes.kind > Kind.NO_DOUBLE).any()),
)

QUESTION.constant("yes", False, page="Every double, take and pass counts.")
QUESTION.constant("only-errors", True, page="A double, take or pass counts only if another action was better, by however little.")
