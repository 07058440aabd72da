"""At which cube is a take or pass converted to match winning chance?

An error in answering a double can be weighed at the cube before the double or at the cube it would become. At the cube
before the double, the equities of no double, double/take and double/pass are comparable; both XG and gnuBG use it.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Question
from reconcile.rules.evidence import Status

QUESTION: Question[int] = Question("Q10", "At which cube is a take or pass converted to match winning chance?", __doc__)

QUESTION.constant("before-double", 0, page="At the cube before the double.")
QUESTION.constant(
    "after-double",
    1,
    page="At the doubled cube.",
    status=Status.ASSUMED,
    source="a frequent reading of the formula; no known program does this",
)
