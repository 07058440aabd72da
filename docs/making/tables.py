"""Match equity tables, and the words for a rate."""

from __future__ import annotations

from math import isfinite
from typing import Final

import numpy as np

from docs.making.markdown import code, table
from reconcile.match.met import DEFAULT_MET, load_met, met_names
from reconcile.scoring.grades import RATINGS, XG_BANDS

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
            *(f"{100 * float(met.chance(away, other, False)):.2f}" for other in scores),
        )
        for away in scores
    ]
    after = [("**trailer**", *(f"{100 * float(met.post[0, away - 1]):.2f}" for away in scores))]
    head, alignment = ["away", *map(str, scores)], "l" + "r" * SHOWN
    before = table(head, rows, alignment)
    return (
        f"{before}\n\nAfter the Crawford game, against an opponent who is "
        f"1-away:\n\n{table(head, after, alignment)}"
    )


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
