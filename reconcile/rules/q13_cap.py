"""Is PR capped on display?

XG's window shows a PR above 100 as 100.00; the formula has no cap. Other programs show the result of the formula.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Effect, Evidence, Question

QUESTION = Question("Q13", "Is PR capped on display?", __doc__, Effect.RATE)

QUESTION.constant(
    "100", 100.0, page="A PR above 100 is shown as 100.", source="BackgammonDB's page on XG's window", evidence=Evidence.DOCUMENTED
)
QUESTION.constant("none", None, page="No cap.", source="no program other than XG is known to cap it", evidence=Evidence.DOCUMENTED)
