"""Match equity: the tables, gnuBG's two faults in computing them, the conversion by example."""

from __future__ import annotations

from math import isfinite
from typing import Final

import numpy as np

from docs.making.markdown import code, number, table
from reconcile.match.columns import Floats
from reconcile.match.met import DEFAULT_MET, load_met, met_names
from reconcile.match.met.equity import chance_of, equity_of
from reconcile.scoring.grades import RATINGS, XG_BANDS

EXAMPLE_AWAY: Final = (7, 6)
"""The trailer is 7 away, the leader 6; the leader doubles."""
EXAMPLE_NO_DOUBLE: Final = 0.615284
EXAMPLE_DOUBLE_TAKE: Final = 0.631003
"""Match winning chances of the worked example published in 2012 on the list bug-gnubg."""
EXAMPLE_TABLES: Final = ("Rockwell-Kazaross", "Kazaross-XG2", "g11")
SHOWN: Final = 9


def names() -> str:
    """Every table with a known name."""
    rows = []
    for name in met_names():
        met = load_met(name)
        listed = (
            "parameters only" if met.explicit_length is None else f"{met.explicit_length} points"
        )
        alike = np.allclose(met.pre + met.pre.T, 1, rtol=0, atol=1e-6) and np.array_equal(
            met.post[0], met.post[1]
        )
        rows.append(
            (
                code(name),
                met.title,
                listed,
                "yes" if alike else "no",
                "default" if name == DEFAULT_MET else "",
            )
        )
    return table(["name", "title", "lists", "same for both players", ""], rows)


def default_table() -> str:
    """The first scores of the default table."""
    met = load_met(DEFAULT_MET)
    scores = range(1, SHOWN + 1)
    rows = [
        (
            f"**{away}**",
            *(number(100 * float(met.chance(away, other, False)), 2) for other in scores),
        )
        for away in scores
    ]
    after = [("**trailer**", *(number(100 * float(met.post[0, away - 1]), 2) for away in scores))]
    head, alignment = ["away", *map(str, scores)], "l" + "r" * SHOWN
    before = table(head, rows, alignment)
    return f"{before}\n\nAfter the Crawford game, against an opponent who is 1-away:\n\n{table(head, after, alignment)}"


def _stakes(name: str) -> tuple[Floats, Floats]:
    """The leader's chances after winning and after losing the game, in double precision."""
    trailer, leader = EXAMPLE_AWAY
    win, lose = (
        load_met(name).chance(*score, False)
        for score in ((leader - 1, trailer), (leader, trailer - 1))
    )
    return win.reshape(1).astype(float), lose.reshape(1).astype(float)


def example() -> str:
    """The worked example under three tables."""
    rows = []
    for name in EXAMPLE_TABLES:
        win, lose = _stakes(name)
        values = equity_of(
            np.array([EXAMPLE_NO_DOUBLE, EXAMPLE_DOUBLE_TAKE, win[0]]), win, lose
        ).tolist()
        rows.append(
            (
                code(name),
                number(100 * float(win[0]), 4),
                number(100 * float(lose[0]), 4),
                *(number(value, 6) for value in values),
            )
        )
    head = ["table", "W, %", "L, %", "no double", "double, take", "double, pass"]
    return table(head, rows, "lrrrrr")


def error_example() -> str:
    """An error of 0.100 at that score, converted rightly and wrongly."""
    win, lose = _stakes(EXAMPLE_TABLES[0])
    image, nothing = (100 * chance_of(np.array([0.1, 0.0]), win, lose)).tolist()
    rows = [
        (
            "eq2mwc(0.100)",
            number(image, 4),
            "the chance of a player whose equity is 0.100: not a loss at all",
        ),
        ("eq2mwc(0)", number(nothing, 4), "the chance at equity 0"),
        ("eq2mwc(0.100) − eq2mwc(0)", number(image - nothing, 4), "what the error costs"),
        (
            "0.100 (W − L) / 2",
            number(100 * 0.1 * float(win[0] - lose[0]) / 2, 4),
            "the same, shorter",
        ),
    ]
    return table(["", "%", "what it is"], rows, "lrl")


def faults() -> str:
    """gnuBG's two faults, shown on the tables it computes."""
    one, other = load_met("zadeh"), load_met("mec")
    same = bool(np.array_equal(one.pre, other.pre))
    largest = float(np.abs(one.pre - other.pre).max())
    first = table(
        ["", "`zadeh`", "`mec`"],
        [
            *(
                (
                    f"{away}-away against {against}-away, %",
                    *(
                        number(100 * float(met.chance(away, against, False)), 4)
                        for met in (one, other)
                    ),
                )
                for away, against in ((2, 1), (3, 5), (7, 6), (25, 20))
            ),
            (
                "all 64 × 64 scores",
                "equal" if same else f"differ by up to {largest:.6f}",
                "equal" if same else f"differ by up to {largest:.6f}",
            ),
        ],
        "lrr",
    )
    second = table(
        ["trailer away", "player 0, %", "player 1, %"],
        (
            (away, *(number(100 * float(other.post[player, away - 1]), 4) for player in (0, 1)))
            for away in range(2, 8)
        ),
        "rrr",
    )
    return f"{first}\n\nThe post-Crawford chances of `mec`:\n\n{second}"


def ratings() -> str:
    """gnuBG's words for a rate."""
    rows, low = [], 0.0
    for border, word in RATINGS:
        rows.append(
            (f"{low:.3f} to below {border:.3f}", f"{1000 * low:g} to below {1000 * border:g}", word)
        )
        low = border
    rows.append((f"from {low:.3f}", f"from {1000 * low:g}", "Awful!"))
    return table(["EMG per decision", "printed (mEMG)", "gnuBG's word"], rows)


def bands() -> str:
    """XG's skill bands."""
    rows, low = [], 0.0
    for border, word in XG_BANDS:
        rows.append(
            (f"{low:.1f} to below {border:.1f}" if isfinite(border) else f"from {low:.1f}", word)
        )
        low = border
    return table(["PR", "band"], rows)
