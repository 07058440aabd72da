"""Does this checker play count as a decision?

Every program leaves out plays without a choice: counted, they would water the rate down. They differ in what a choice
is. gnuBG counts every play with more than one legal result. XG also leaves out plays whose choice does not matter and
says so with a byte in its file; that byte comes from evaluations the file does not keep, so no rule over the stored
equities reproduces it exactly (the closest misses 5 of 2236 plays). Where the byte is at hand it is the only exact answer.
"""

from __future__ import annotations

import numpy as np

from reconcile.board.play import legal_plays
from reconcile.columns import Bools, Plays, Validity
from reconcile.match import Match
from reconcile.rules.catalogue import GNUBG_RECOUNT, XG_WINDOW, Evidence, Question, has_candidates
from reconcile.tools import BLUNDERDB

QUESTION = Question("Q01", "Does this checker play count as a decision?", __doc__)


def _has_flag(match: Match) -> bool:
    # The databases of blunderDB have a mark of their own, which is not XG's.
    return not len(match.plays) or (bool(np.count_nonzero(match.plays.flag >= 0)) and match.source.tool != BLUNDERDB.name)


@QUESTION.answer("xg-flag", source=XG_WINDOW, evidence=Evidence.VERIFIED, applies=_has_flag, fallback="xg-spread")
def not_flagged(plays: Plays) -> Bools:
    """Count a scored play that XG's file does not mark as irrelevant (byte 2304 of the move record).

    An illegal play of the transcript does not count, nor does a roll that was never played.

    Only `.xg` files carry the mark; for any other file `xg-spread` stands in, and the result says so.
    """
    counted: Bools = (plays.flag == 0) & (plays.validity == Validity.VALID.value)
    return counted


@QUESTION.answer(
    "xg-spread",
    source="closest rule over the equities an .xg keeps (5 of 2236 plays differ from XG's mark); GammonView counts so",
    evidence=Evidence.VERIFIED,
    applies=has_candidates,
    fallback="blunderdb",
)
def equities_spread(plays: Plays) -> Bools:
    """Count a play with more than one candidate whose stored equities spread over at least 0.0001.

    The candidates a file keeps may be cut (XG keeps about ten), so a spread among the others is not seen. A file that keeps none, as
    blunderDB's database, is counted by its own mark instead.
    """
    counted: Bools = (plays.legal > 1) & (plays.spread >= 0.0001) & (plays.validity == Validity.VALID.value)
    return counted


@QUESTION.answer("gnubg", source=f"{GNUBG_RECOUNT}; analysis.c:465", evidence=Evidence.VERIFIED)
def more_than_one_legal_play(plays: Plays) -> Bools:
    """Count a play when the roll can lead to more than one position, however little the choice matters."""
    return plays.legal > 1


@QUESTION.answer("blunderdb", source="blunderDB's later statistics page; its exact comparison is not published", evidence=Evidence.OPEN)
def not_all_equal_to_the_thousandth(plays: Plays) -> Bools:
    """Count a play with more than one legal result, unless every legal play is analysed and all are equal to the thousandth (EMG).

    A candidate list that is cut (XG keeps about ten) does not cover every legal play, so such a play counts. How blunderDB
    compares equities exactly is open: rounding each to the thousandth, as here, leaves one decision of a reference match unexplained.

    blunderDB's database keeps the result of this rule as a mark (`analysis.is_forced`) and shows no candidates; there the mark decides.
    """
    equal = np.round(plays.highest, 3) == np.round(plays.highest - plays.spread, 3)
    counted: Bools = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
    for row in np.flatnonzero(counted & equal).tolist():
        first, second = plays.dice[row].tolist()
        counted[row] = plays.legal[row] < len(legal_plays(plays.position[row].tolist(), first, second))
    marked: Bools = (plays.flag >= 0) & np.isnan(plays.spread) & (plays.validity != Validity.UNPLAYED.value)
    return np.where(marked, plays.flag == 0, counted)


@QUESTION.answer(
    "all-plies", source="Snowie's definition as gnuBG documents it; its rate divides by all moves", evidence=Evidence.DOCUMENTED
)
def every_play(plays: Plays) -> Bools:
    """Count every play made, forced ones and dances included.

    Snowie's rate itself divides by the moves of both players (Q08) and needs no choice of decisions.
    """
    counted: Bools = plays.validity != Validity.UNPLAYED.value
    return counted
