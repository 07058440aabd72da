"""What about a decision that the tool did not analyse?

A match saved before its analysis was complete, or by a bot that evaluated the cube only when it considered doubling,
has decisions without a value. All known programs leave them out of the rate; blunderDB's published text can be read as
counting them without error, which would make a half-analysed match look well played.
"""

from __future__ import annotations

from reconcile.rules.catalogue import GNUBG_RECOUNT, Evidence, Question

QUESTION = Question("Q05", "What about a decision that the tool did not analyse?", __doc__)

QUESTION.constant(
    "left-out",
    False,
    page="Leave it out of errors and decisions; it is still a move in the denominator of Snowie's rate.",
    source=f"XG's own window on matches with unscored plays; {GNUBG_RECOUNT}",
    evidence=Evidence.VERIFIED,
)
QUESTION.constant(
    "counts-with-zero-error",
    True,
    page="Count it as a decision without error.",
    source="a reading of blunderDB's published statistics page, which its release does not follow",
    evidence=Evidence.ATTESTED,
)
