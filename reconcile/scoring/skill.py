"""Words for a rate: XG's skill bands by PR. gnuBG's own words are in `reconcile.scoring.gnubg_table`, beside its statistics.

Source: the bands in XG's manual, also used by BackgammonDB; strictly below each border. The colours are ours.
"""

from __future__ import annotations

from math import inf
from typing import Final

from reconcile.scoring.gnubg_table import BEYOND, RATINGS

XG_BANDS: Final = (
    (2.5, "World Champ"),
    (5.0, "World Class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual Player"),
    (30.0, "Beginner"),
    (inf, "Distracted"),
)
"""XG's bands: PR strictly below each border."""

WITHOUT_WORDS: Final = frozenset(("bgblitz",))
"""Rule sets of programs whose words for a rate are not known."""

COLOURS: Final = ("#2f6fde", "#2a9d8f", "#3f9b3f", "#9aa52b", "#d9a514", "#e07b1a", "#cf4a2a", "#8e3a59")
"""From the best band to the worst; each colour is readable on light and dark, and always shown with the word."""


def band(pr: float | None) -> str | None:
    """XG's band of a PR; `None` without one."""
    if pr is None:
        return None
    return next((word for border, word in XG_BANDS if pr < border), XG_BANDS[-1][1])


def colour(word: str) -> str:
    """The colour of a word of XG or gnuBG; empty for any other text. Never raises."""
    for words in ([name for _, name in XG_BANDS], [name for _, name in RATINGS] + [BEYOND]):
        if word in words:
            return COLOURS[words.index(word)]
    return ""
