"""Is the rate of a one-point match scaled?

In a one-point match errors are smaller, since there is no cube and no gammon. According to BackgammonDB, XG multiplies the
PR of such a match by 1.5 to keep ratings comparable. No one-point match with XG's own figures is available.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Effect, Question

QUESTION: Question[float] = Question(
    "Q09", "Is the rate of a one-point match scaled?", __doc__, Effect.RATE, matters=lambda match: match.length == 1
)

QUESTION.constant("x1.5", 1.5, page="The rate of a one-point match is multiplied by 1.5.")
QUESTION.constant("x1", 1.0, page="One-point matches are rated like any other.")
