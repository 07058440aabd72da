"""How large is an error?

XG stores the error of every decision, and differences below 0.0001 as 0. A program that has only
the candidates subtracts the play made from the best one. It must know which candidate is the best.
In both XG and gnuBG it is the first in the list, which was searched deepest. A candidate searched
less deeply may show a higher equity. Taking the maximum instead turns 0.070 into 0.190 for one
player of a reference match.
"""

from __future__ import annotations

from enum import Enum

from reconcile.rules.catalogue import Question, Status, has_candidates

QUESTION: Question[ErrorSize] = Question("Q06", __doc__)


class ErrorSize(Enum):
    """Where the size of an error is taken from."""

    STORED = "stored"
    FIRST_CANDIDATE = "candidate-0"
    FIRST_IF_COUNTED = "counted-plays"
    HIGHEST_CANDIDATE = "max-candidate"
    MILLIPOINT = "millipoint"
    TEN_THOUSANDTH = "ten-thousandth"


ROUNDED = {ErrorSize.MILLIPOINT: 3, ErrorSize.TEN_THOUSANDTH: 4}
"""Decimals of an error that is rounded before it is added up."""

QUESTION.constant(
    "stored",
    ErrorSize.STORED,
    page="""The error that the tool stored in the file; if a file stores none (any SGF), the first
    candidate minus the play made.""",
)
QUESTION.constant(
    "candidate-0",
    ErrorSize.FIRST_CANDIDATE,
    page="""Equity of the first candidate minus equity of the play made, which is found by its
    resulting position. A play that no candidate leads to has no error. A lower candidate with a
    higher equity makes an error negative.""",
    applies=has_candidates,
    fallback="stored",
)
QUESTION.constant(
    "counted-plays",
    ErrorSize.FIRST_IF_COUNTED,
    page="""As `candidate-0`, but a play that does not count as a decision (Q01) has no error,
    however small it is.""",
    applies=has_candidates,
    fallback="stored",
)
QUESTION.constant(
    "max-candidate",
    ErrorSize.HIGHEST_CANDIDATE,
    page="Highest equity among the candidates of any analysis level, minus that of the play made.",
    status=Status.INFERRED,
    source="a frequent mistake of readers; blunderDB's 2.150 for the 2.147 of XG in one reference "
    "match",
    applies=has_candidates,
    fallback="stored",
)
QUESTION.constant(
    "millipoint",
    ErrorSize.MILLIPOINT,
    page="""The stored error (or the first candidate's), rounded to the thousandth, as a database of
    whole millipoints keeps it.""",
)
QUESTION.constant(
    "ten-thousandth",
    ErrorSize.TEN_THOUSANDTH,
    page="""The first candidate's error, rounded to the ten-thousandth before it is added up; that
    of a turn without a double comes from equities that are rounded themselves. A cube error below
    0.001 and the error of a play that is illegal, or whose candidates spread over less than 0.0001,
    are none, since GammonView adds up only decisions that it counts.""",
    applies=has_candidates,
    fallback="stored",
)
