"""Which factor and denominator make the rate?

The same errors and decisions give a rate in gnuBG that is twice the rate in XG: XG multiplies the equity lost per decision
by 500, gnuBG by 1000 (milli-EMG). Snowie divides by the moves of both players, including forced ones, so its rate needs no rule
about which decisions count. The factor 500 does not convert equity to millipoints, as is sometimes written; it is XG's
convention.
"""

from __future__ import annotations

from reconcile.rules.catalogue import GNUBG_RECOUNT, XG_WINDOW, Effect, Evidence, Question

QUESTION = Question("Q08", "Which factor and denominator make the rate?", __doc__, Effect.NAMES)

QUESTION.constant(
    "500/counted",
    "pr",
    page="500 times the equity lost per counted decision: XG's Performance Rating (PR).",
    source=f"{XG_WINDOW}; for `bgblitz` our choice, since a .bgf has neither a rate nor a factor",
    evidence=Evidence.VERIFIED,
)
QUESTION.constant(
    "1000/counted",
    "error_rate_memg",
    page="1000 times the equity lost per counted decision: gnuBG's error rate in milli-EMG.",
    source=f"{GNUBG_RECOUNT}; formatgs.c:391",
    evidence=Evidence.VERIFIED,
)
QUESTION.constant(
    "snowie",
    "snowie_memg",
    page="1000 times the equity lost per move of both players, including forced moves and dances: Snowie's error rate as gnuBG prints it.",
    source=f"{GNUBG_RECOUNT}; formatgs.c:403",
    evidence=Evidence.VERIFIED,
)
