"""How large must an error be to be doubtful, an error, a blunder?

The words are the programs' own, and so are the borders (EMG, strictly more than). They grade decisions in lists and in the
counts of gnuBG's table; no rate depends on them.
"""

from __future__ import annotations

from dataclasses import dataclass

from reconcile.rules.catalogue import GNUBG_RECOUNT, Effect, Evidence, Question

QUESTION = Question("Q12", "How large must an error be to be doubtful, an error, a blunder?", __doc__, Effect.NAMES)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Grades of errors by size (EMG); an error above the border has the grade."""

    doubtful: float | None
    error: float
    blunder: float
    howler: float | None = None


QUESTION.constant(
    "xg",
    Thresholds(None, 0.020, 0.080),
    page="An error from 0.020, a blunder from 0.080.",
    source="XG's documentation",
    evidence=Evidence.DOCUMENTED,
)
QUESTION.constant(
    "gnubg",
    Thresholds(0.03, 0.06, 0.12),
    page="Doubtful above 0.03, bad above 0.06, very bad above 0.12.",
    source=f"{GNUBG_RECOUNT}, default settings",
    evidence=Evidence.VERIFIED,
)
QUESTION.constant(
    "blunderdb",
    Thresholds(None, 0.050, 0.100),
    page="An error from 0.050, a blunder from 0.100.",
    source="blunderDB's documentation",
    evidence=Evidence.DOCUMENTED,
)
QUESTION.constant(
    "backgammondb",
    Thresholds(None, 0.020, 0.080, howler=0.250),
    page="An error from 0.020, a blunder from 0.080, a howler from 0.250.",
    source="BackgammonDB's page on match statistics",
    evidence=Evidence.DOCUMENTED,
)
