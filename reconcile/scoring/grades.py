"""The programs' words for an error and for a rate: grades by the size of an error, XG's bands and
gnuBG's ratings.

Source of the bands: XG's manual, also used by BackgammonDB; strictly below each border. The colours
are ours."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Floats, Ints
from reconcile.rules.rulesets import Q12
from reconcile.rules.values import Thresholds
from reconcile.scoring.figures import GRADES, emg
from reconcile.scoring.score import Scored
from reconcile.scoring.sums import (
    MISSED,
    PLAY,
    RESIGNED,
    WRONG_DOUBLE,
    WRONG_PASS,
    WRONG_TAKE,
    Group,
)

AT_THE_BORDER = 1e-6
"""EMG. An error is at a border if it is no further away; programs show thousandths."""
ERROR = 0.02
"""EMG. From this loss on a decision is an error to every program that counts one."""
BLUNDER = 0.08
"""EMG. A loss from which an error is called a blunder where all analyses are counted alike."""
PART_OF_KIND = np.array(
    [PLAY, MISSED, WRONG_DOUBLE, WRONG_TAKE, WRONG_PASS, WRONG_TAKE, RESIGNED, RESIGNED]
)
"""By `Kind`, the part that its error belongs to."""


def reaches(error: Any, border: float, limits: Thresholds) -> Any:
    """Whether an error, or each of many, is large enough for the grade that begins at a border.

    At the border it is, except in gnuBG, which compares in single precision and wants more. Two
    equities in single precision make a difference that is off by less than `AT_THE_BORDER`, and 0.5
    - 0.42 is a blunder of 0.08 whatever its binary fraction says.
    """
    if limits.exclusive:
        return np.asarray(error, np.float32) > np.float32(border)
    return np.asarray(error) >= border - AT_THE_BORDER


def at_least(error: Floats, border: float) -> Bools:
    """Whether errors reach a border, with the digits that documents have; one that is unknown does
    not."""
    reached: Bools = np.round(error, 5) >= border
    return reached


def worst_first(error: Floats, rows: Ints) -> list[int]:
    """These rows, the largest error first; of equal errors the row that comes first."""
    order: list[int] = rows[np.lexsort((rows, -np.round(error[rows], 9)))].tolist()
    return order


def graded(scored: Scored) -> Group:
    """Whether a row has each grade of the rules, its error and its loss, to be added up by the kind
    of decision."""
    limits: Thresholds = scored.rules.value(Q12)
    borders = zip(GRADES, (limits.error, limits.blunder, limits.doubtful), strict=True)
    columns = {
        name: reaches(scored.error, border, limits)
        for name, border in borders
        if border is not None
    }
    columns |= {"error of kind": scored.error, "loss of kind": scored.loss}
    return Group(scored.game, scored.player, columns, PART_OF_KIND[scored.kind], RESIGNED + 1)


XG_BANDS = (
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

RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
"""gnuBG's rating words by equity lost (EMG) per decision, strictly below."""
BEYOND = "Awful!"
"""gnuBG's word beyond the last border."""

FEWEST_COUNTED = 20
"""Counted decisions below which a rate says next to nothing, and gets no word."""
WITHOUT_WORDS = frozenset(("bgblitz",))
"""Rule sets of programs whose words for a rate are not known."""

COLOURS = (
    "#2f6fde",
    "#2a9d8f",
    "#3f9b3f",
    "#9aa52b",
    "#d9a514",
    "#e07b1a",
    "#cf4a2a",
    "#8e3a59",
)
"""From the best band to the worst; each colour is readable on light and dark, and always shown with
the word."""


def band(pr: float | None, counted: float | None) -> str | None:
    """XG's band of a PR over so many decisions; `None` without one, and of too few."""
    if pr is None or (counted or 0) < FEWEST_COUNTED:
        return None
    return next((word for border, word in XG_BANDS if pr < border), XG_BANDS[-1][1])


def rating(per_decision: float | None, counted: float | None) -> str | None:
    """gnuBG's word for an error rate (EMG per decision) over so many decisions; `None` without a
    rate, and of too few."""
    if per_decision is None or (counted or 0) < FEWEST_COUNTED:
        return None
    return next((word for border, word in RATINGS if per_decision < border), BEYOND)


def rated(rules: str, figures: Mapping[str, float | int | None]) -> tuple[str | None, str]:
    """The word of a rule set's program for a player's rate, and whose scale that is: gnuBG's under
    its rules, none where not known, else XG's."""
    counted, memg = figures["decisions.counted"], figures["error_rate_memg"]
    if rules in WITHOUT_WORDS:
        return None, ""
    if rules.startswith("gnubg"):
        return rating(None if memg is None else emg(memg), counted), "gnuBG's scale"
    return band(figures["pr"], counted), "XG's scale"


def colour(word: str) -> str:
    """The colour of a word of XG or gnuBG; empty for any other text. Never raises."""
    for words in ([name for _, name in XG_BANDS], [name for _, name in RATINGS] + [BEYOND]):
        if word in words:
            return COLOURS[words.index(word)]
    return ""
