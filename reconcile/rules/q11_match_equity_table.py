"""Which match equity table converts equity to match winning chance?

Neither an `.xg` nor an SGF names its table. XG's figures match after rounding only with Kazaross-XG2; gnuBG uses the selected
table, Kazaross-XG2 by default. A match analysed with another table must be scored with that table (`--met NAME`),
or both its equities and its MWC are wrong.
"""

from __future__ import annotations

from reconcile.rules.catalogue import XG_WINDOW, Effect, Evidence, Question

QUESTION = Question("Q11", "Which match equity table converts equity to match winning chance?", __doc__, Effect.TABLE)

QUESTION.constant(
    "Kazaross-XG2",
    "Kazaross-XG2",
    page="The table of XG 2 and gnuBG's default. `--met` selects any other table of gnuBG, or a file in its format.",
    source=f"{XG_WINDOW}: all 16 MWC figures; Rockwell-Kazaross misses three, every other table more",
    evidence=Evidence.VERIFIED,
)
