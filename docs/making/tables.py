"""Match equity tables, and the words for a rate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
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
    borders = [(1000 * border, word) for border, word in RATINGS]
    head = ["error rate, mEMG per decision", "gnuBG's word"]
    return table(head, _bands([*borders, (inf, "Awful!")]))


def bands() -> str:
    """XG's skill bands."""
    return table(["PR", "band"], _bands(XG_BANDS))


def _bands(borders: Iterable[tuple[float, str]]) -> Iterator[tuple[str, str]]:
    """From where to where each word goes."""
    low = 0.0
    for border, word in borders:
        yield (f"from {low:g}" if border == inf else f"{low:g} to below {border:g}"), word
        low = border
