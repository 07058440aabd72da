"""Does a no-double count where the cube is dead?

The cube is dead for a player who wins the match with its present value: doubling can win nothing
more. XG and gnuBG have no decision there. BGBlitz evaluates some dead cubes: after the Crawford
game, those of a leader who owns the cube. It counts such a turn as a no-double without error if the
play of the same roll counts. A long game at a dead cube then enlarges its denominator and lowers
its rate.
"""

from __future__ import annotations

from reconcile.match.match import Match
from reconcile.match.tools import BGBLITZ
from reconcile.rules.catalogue import Question

QUESTION: Question[bool] = Question("Q16", __doc__)

QUESTION.constant("no", False, page="A dead cube is no decision.")
QUESTION.constant(
    "with-the-play",
    True,
    page="""A turn with a dead cube, owned or in the middle, is a right no-double if the play of its
    roll counts; not on the first roll and not in the Crawford game. A cube that the file evaluates
    although it is dead (BGBlitz does so after the Crawford game for a leader who owns it) is
    counted by its values instead. In a file of another program these cubes have no values: they
    count with the play, and figures are shown as a range, from none of them to all.""",
)


def shows_what_counts(match: Match) -> bool:
    """Whether the file has the values by which BGBlitz counts some dead cubes; only its own files
    do."""
    return match.source.tool == BGBLITZ.name
