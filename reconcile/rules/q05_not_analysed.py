"""What of a decision the tool did not analyse?

A match saved before its analysis was complete, or by a bot that only looked at the cube when it thought of it, has
decisions without a value. All programs we know leave them out of the rate; the published text of blunderDB can be read as
counting them with no error, which would make a half-analysed match look well played.
"""

from __future__ import annotations

from reconcile.rules.catalogue import GNUBG_RECOUNT, Evidence, Question

QUESTION = Question("Q05", "What of a decision the tool did not analyse?", __doc__)

QUESTION.constant(
    "left-out",
    False,
    page="Leave it out of errors and decisions; it still is a move in the denominator of Snowie's rate.",
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
