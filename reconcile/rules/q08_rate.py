"""Which factor and denominator make the rate?

The same errors and decisions give a rate in gnuBG that is twice the rate in XG: XG multiplies the equity lost per decision by 500, gnuBG
by 1000 (milli-EMG). Snowie divides by the moves of both players, including forced ones, so its rate needs no rule about which decisions
count. The factor 500 does not convert equity to millipoints, as is sometimes written; it is XG's convention, chosen so that PR comes near
the rate that players knew from Snowie: Snowie divides by the moves of both players, about twice as many, and 1000 / 2 is 500 (Ian Shaw on
bgonline.org, post 53424, 23 November 2009, when PR was introduced: "an effective conversion to Snowie mppm error rate"). Halving a Snowie
rate once more gives a number on no program's scale but blunderDB's. gnuBG's manual says that its rate is 1.4 times Snowie's; one of
gnuBG's authors found "closer to a factor of 2" (bug-gnubg, 10 November 2007).
"""

from __future__ import annotations

from reconcile.rules.catalogue import Effect, Question

QUESTION: Question[str] = Question("Q08", "Which factor and denominator make the rate?", __doc__, Effect.NAMES)

QUESTION.constant("500/counted", "pr", page="500 times the equity lost per counted decision: XG's Performance Rating (PR).")
QUESTION.constant(
    "1000/counted", "error_rate_memg", page="1000 times the equity lost per counted decision: gnuBG's error rate in milli-EMG."
)
QUESTION.constant(
    "snowie",
    "snowie_memg",
    page="1000 times the equity lost per move of both players, including forced moves and dances: Snowie's error rate as gnuBG prints it.",
)
