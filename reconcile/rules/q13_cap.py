"""Is PR capped on display?

XG's window is said to show a PR above 100 as 100.00 (BackgammonDB's manual); no such match has been seen here. The formula has no cap.
blunderDB, BackgammonDB and GammonView show the result of the formula; of BGBlitz it is not known.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Effect, Question

QUESTION: Question[float | None] = Question("Q13", "Is PR capped on display?", __doc__, Effect.RATE)

QUESTION.constant("100", 100.0, page="A PR above 100 is shown as 100.")
QUESTION.constant("none", None, page="No cap.")
