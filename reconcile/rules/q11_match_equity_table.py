"""Which match equity table converts equity to match winning chance?

Neither an `.xg` nor an SGF names its table. XG's figures match after rounding only with Kazaross-XG2; gnuBG uses the selected
table, Kazaross-XG2 by default. A match analysed with another table must be scored with that table (`--met NAME`),
or both its equities and its MWC are wrong.

A `.bgf` shows BGBlitz's own table: every evaluation has an equity and the chance of winning the match that it was made of,
so the table follows at every score that the game played could lead to. At any other score it is unknown: an error made there
has no known cost in MWC, and a sum with such an error is shown as unknown, never with the numbers of another table.
"""

from __future__ import annotations

from reconcile.match.match import Match
from reconcile.rules.catalogue import Effect, Question

QUESTION: Question[str | None] = Question("Q11", "Which match equity table converts equity to match winning chance?", __doc__, Effect.TABLE)


def _shows_its_table(match: Match) -> bool:
    return match.is_money or match.known_chances is not None


QUESTION.constant(
    "Kazaross-XG2",
    "Kazaross-XG2",
    page="The table of XG 2 and gnuBG's default. `--met` selects any other table of gnuBG, or a file in its format.",
)
QUESTION.constant(
    "file",
    None,
    page="The tool's own table, as far as the file shows it; unknown at every other score. A file that shows none is weighed with "
    "Kazaross-XG2.",
    applies=_shows_its_table,
    fallback="Kazaross-XG2",
)
