"""Does this checker play count as a decision?

Every program leaves out plays without a choice, because counting them would dilute the rate. They
differ in what a choice is. gnuBG counts every play with more than one legal result. BGBlitz leaves
out plays whose stored candidates are nearly equal. XG also leaves out plays whose choice does not
matter, and marks them with a byte in its file. It sets that byte by evaluations that the file does
not keep. So no rule over the stored equities reproduces it exactly: the closest misses 5 of 2236
plays. If a file has the byte, it is the only exact answer.

XG's manual calls a play obvious if the best and the worst candidate differ by less than 0.001. (A
French report quotes it so for version 2.0; we have not read the original.) With the equities that a
file keeps, that border misses 21 of 2236 plays, and 0.0001 misses 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from reconcile.match.board.play import legal_plays
from reconcile.match.columns import Bools, Plays, Validity
from reconcile.match.match import Match
from reconcile.match.tools import BLUNDERDB
from reconcile.rules.catalogue import Question, has_candidates

QUESTION: Question[Callable[[Plays], Bools]] = Question("Q01", __doc__)
BGBLITZ_SPREAD = 0.001
"""EMG."""

LEAST_SPREAD = 0.0001
"""EMG, between the highest and the lowest candidate of a play that counts."""


def _has_flag(match: Match) -> bool:
    # The databases of blunderDB have a mark of their own, which is not XG's.
    return not len(match.plays) or (
        bool(np.count_nonzero(match.plays.flag >= 0)) and match.source.tool != BLUNDERDB.name
    )


@QUESTION.answer("xg-flag", applies=_has_flag, fallback="xg-spread")
def not_flagged(plays: Plays) -> Bools:
    """Count a scored play that XG's file does not mark as irrelevant (byte 2304 of the move
    record).

    An illegal play of the transcript does not count. A roll that was never played does not count
    either.

    Only `.xg` files have the mark. For any other file `xg-spread` is used instead, and the result
    says so.
    """
    counted: Bools = (plays.flag == 0) & (plays.validity == Validity.VALID.value)
    return counted


@QUESTION.answer("xg-spread", applies=has_candidates, fallback="blunderdb")
def equities_spread(plays: Plays) -> Bools:
    """Count a play with more than one candidate whose stored equities spread over at least 0.0001.

    A file may list only some candidates (XG keeps about ten). A spread among the others is not
    seen. A file without candidates, for example a blunderDB database, is counted by its own mark.
    """
    counted: Bools = (
        (plays.legal > 1)
        & (plays.spread >= LEAST_SPREAD)
        & (plays.validity == Validity.VALID.value)
    )
    return counted


@QUESTION.answer("gnubg")
def more_than_one_legal_play(plays: Plays) -> Bools:
    """Count a play when the roll can lead to more than one position, however little the choice
    matters."""
    return plays.legal > 1


@QUESTION.answer("blunderdb")
def not_all_equal_to_the_thousandth(plays: Plays) -> Bools:
    """Count a play with more than one legal result, unless every legal play is analysed and all are
    equal to the thousandth (EMG).

    A cut candidate list (XG keeps about ten) does not cover every legal play, so such a play
    counts. Equities are compared as blunderDB stores them, rounded to the thousandth. Its own test
    says that 0.124 and 0.123 are a choice. It also says that candidates which tie are not forced if
    the number of legal plays is unknown. XG counts one play of a reference match that this rule
    leaves out. blunderDB's page lists it as a known exception: a bear-off that XG judged by
    evaluations that the file does not keep.

    blunderDB's database stores no candidates, only the result of this rule as a mark
    (`analysis.is_forced`). There the mark decides.
    """
    equal = np.round(plays.highest, 3) == np.round(plays.highest - plays.spread, 3)
    counted: Bools = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
    for row in np.flatnonzero(counted & equal).tolist():
        counted[row] = plays.legal[row] < _number_of_plays(
            tuple(plays.position[row].tolist()), *plays.dice[row].tolist()
        )
    marked: Bools = (
        (plays.flag >= 0) & np.isnan(plays.spread) & (plays.validity != Validity.UNPLAYED.value)
    )
    return np.where(marked, plays.flag == 0, counted)


@lru_cache(1024)  # every combination of answers asks for the same few
def _number_of_plays(position: tuple[int, ...], die1: int, die2: int) -> int:
    return len(legal_plays(position, die1, die2))


@QUESTION.answer("bgblitz", applies=has_candidates, fallback="blunderdb")
def stored_candidates_spread_over_0_001(plays: Plays) -> Bools:
    """Count a play, legal or not, with more than one stored candidate whose equities spread over
    more than 0.001.

    BGBlitz stores the best eight candidates and the play made, and only these decide. Another
    program may list more (XG keeps about ten, gnuBG all). Then the spread of its whole list
    decides. The largest spread that did not count is 0.000968, and the smallest that did is
    0.001032. It is not known whether exactly 0.001 counts.
    """
    counted: Bools = (
        (plays.legal > 1)
        & (plays.spread > BGBLITZ_SPREAD)
        & (plays.validity != Validity.UNPLAYED.value)
    )
    return counted


@QUESTION.answer("all-plies")
def every_play(plays: Plays) -> Bools:
    """Count every play made, including forced plays and dances.

    Snowie's rate itself divides by the moves of both players (Q08), so it does not depend on which
    decisions count.
    """
    counted: Bools = plays.validity != Validity.UNPLAYED.value
    return counted
