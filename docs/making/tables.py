"""Match equity tables, and the words for a rate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

import numpy as np

from docs.making.markdown import code, table
from reconcile.match.met import DEFAULT_MET, equity_tables, load_met
from reconcile.scoring.grades import RATINGS, XG_BANDS


def names() -> str:
    """Every table with a known name."""
    rows = []
    for name in equity_tables():
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


def ratings() -> str:
    """XG's words for a PR and gnuBG's for its rate."""
    borders = [(1000 * border, word) for border, word in RATINGS]
    of_gnubg = _bands([*borders, (inf, "Awful!")])
    parts = (
        table(["PR", "XG's word"], _bands(XG_BANDS)),
        table(["error rate, mEMG per decision", "gnuBG's word"], of_gnubg),
    )
    return "\n\n".join(parts)


def _bands(borders: Iterable[tuple[float, str]]) -> Iterator[tuple[str, str]]:
    """From where to where each word goes."""
    low = 0.0
    for border, word in borders:
        yield (f"from {low:g}" if border == inf else f"{low:g} to below {border:g}"), word
        low = border
