"""Words for a rate: XG's skill bands by PR. gnuBG's own words are in `reconcile.scoring.gnubg_table`, beside its statistics.

Source: the bands in XG's manual, also used by BackgammonDB; strictly below each border. The colours are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reconcile.scoring.gnubg_table import BEYOND, RATINGS


@dataclass(frozen=True, slots=True)
class Band:
    """One band of skill."""

    name: str
    below: float | None
    """PR strictly below this; `None` for the last band."""


XG_BANDS: Final = (
    Band("World Champ", 2.5),
    Band("World Class", 5.0),
    Band("Expert", 7.5),
    Band("Advanced", 12.5),
    Band("Intermediate", 17.5),
    Band("Casual Player", 22.5),
    Band("Beginner", 30.0),
    Band("Distracted", None),
)

WITHOUT_WORDS: Final = frozenset(("bgblitz",))
"""Rule sets of programs whose words for a rate are not known."""

COLOURS: Final = ("#2f6fde", "#2a9d8f", "#3f9b3f", "#9aa52b", "#d9a514", "#e07b1a", "#cf4a2a", "#8e3a59")
"""From the best band to the worst; each colour is readable on light and dark, and always shown with the word."""


def band(pr: float | None) -> str | None:
    """XG's band of a PR; `None` without one."""
    if pr is None:
        return None
    return next(one.name for one in XG_BANDS if one.below is None or pr < one.below)


def colour(word: str) -> str:
    """The colour of a word of XG or gnuBG; empty for any other text. Never raises."""
    for words in ([one.name for one in XG_BANDS], [name for _, name in RATINGS] + [BEYOND]):
        if word in words:
            return COLOURS[words.index(word)]
    return ""
