"""Which match equity table turns equity into match winning chance?

Neither an `.xg` nor an SGF names its table. XG's figures round exactly only with Kazaross-XG2; gnuBG uses the one that is
set, Kazaross-XG2 unless somebody chose another. A match analysed under another table must be scored under that table
(`--met NAME`), or both its equities and its MWC are off.
"""

from __future__ import annotations

from reconcile.rules.catalogue import XG_WINDOW, Evidence, Question

QUESTION = Question("Q11", "Which match equity table turns equity into match winning chance?", __doc__)

QUESTION.constant(
    "Kazaross-XG2",
    "Kazaross-XG2",
    page="The table of XG 2 and gnuBG's default. Any table of gnuBG, or a file of its format, can be named instead with `--met`.",
    source=f"{XG_WINDOW}: all 16 MWC figures; Rockwell-Kazaross misses three, every other table more",
    evidence=Evidence.VERIFIED,
)
