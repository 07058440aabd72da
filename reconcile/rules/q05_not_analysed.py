"""What about a decision that the tool did not analyse?

A match saved before its analysis was complete, or by a bot that evaluated the cube only when it considered doubling,
has decisions without a value. All known programs leave them out of the rate; blunderDB's published text can be read as
counting them without error, which would make a half-analysed match look well played.
"""

from __future__ import annotations

from reconcile.rules.catalogue import Question
from reconcile.rules.evidence import Status

QUESTION: Question[bool] = Question("Q05", "What about a decision that the tool did not analyse?", __doc__)

QUESTION.constant("left-out", False, page="Leave it out of errors and decisions; it is still a move in the denominator of Snowie's rate.")
QUESTION.constant(
    "counts-with-zero-error",
    True,
    page="Count it as a decision without error.",
    status=Status.INFERRED,
    source='a reading of blunderDB\'s first statistics page ("counted as zero error"), which its releases do not follow',
)
