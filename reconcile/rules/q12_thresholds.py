"""How large must an error be to be doubtful, an error, a blunder?

Each program has its own words and its own borders (EMG). They grade decisions in lists and make the
figures `errors`, `blunders` and `doubtful`. Every grade includes the worse ones. No rate depends on
them.
"""

from __future__ import annotations

from dataclasses import dataclass

from reconcile.rules.catalogue import Effect, Question

QUESTION: Question[Thresholds] = Question("Q12", __doc__, Effect.NAMES)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Grades of errors by size (EMG); an error at the border or above has the grade."""

    doubtful: float | None
    error: float
    blunder: float
    howler: float | None = None
    exclusive: bool = False
    """Whether an error at the border does not have the grade."""
    words: tuple[str, str, str] = ("errors", "blunders", "doubtful")
    """The program's words for what reaches the border of an error, of a blunder, and of a doubtful
    decision."""


GNUBG_WORDS = ("bad or very bad", "very bad", "doubtful or worse")
BGBLITZ_WORDS = ("errors", "blunders", "questionable or worse")

QUESTION.constant(
    "xg",
    Thresholds(None, 0.020, 0.080),
    page="""An error from 0.020, a blunder from 0.080. XG's own counts of a match put the first
    border above 0.0178 and at most at 0.0217, the second above 0.0730 and at most at 0.0813;
    whether an error exactly at a border has the grade is not known.""",
)
QUESTION.constant(
    "gnubg",
    Thresholds(0.03, 0.06, 0.12, exclusive=True, words=GNUBG_WORDS),
    page="Doubtful above 0.03, bad above 0.06, very bad above 0.12.",
)
QUESTION.constant(
    "gnubg-manual",
    Thresholds(0.04, 0.08, 0.16, exclusive=True, words=GNUBG_WORDS),
    page="""Doubtful above 0.04, bad above 0.08, very bad above 0.16: gnuBG's defaults until 24
    February 2019, which its manual still states.""",
)
QUESTION.constant(
    "bgblitz",
    Thresholds(0.005, 0.020, 0.050, 0.120, words=BGBLITZ_WORDS),
    page="""Questionable from 0.005, an error from 0.020, a blunder from 0.050, a large blunder from
    0.120.""",
)
QUESTION.constant(
    "blunderdb", Thresholds(None, 0.050, 0.100), page="An error from 0.050, a blunder from 0.100."
)
QUESTION.constant(
    "backgammondb",
    Thresholds(None, 0.020, 0.080, howler=0.250),
    page="An error from 0.020, a blunder from 0.080, a howler from 0.250.",
)
QUESTION.constant(
    "bgdb",
    Thresholds(0.04, 0.08, 0.16, words=("errors", "blunders", "inaccuracies or worse")),
    page="An inaccuracy from 0.04, an error from 0.08, a blunder from 0.16.",
)
