"""Prints GammonView's own totals of an `.xg` file in the plain format.

    python gammonview.py match.xg

Runs in an environment that has GammonView (`benchmarks/peers.py` makes it), without reconcile.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

from gvformat import compute_aggregates, convert_xg  # type: ignore[import-not-found]

FIGURES = {
    "pr": ("pr", 1),
    "total_error": ("equity_error", 1),
    "total_decisions": ("decisions", 1),
    "total_error_mwc": ("mwc_loss_percent", 100),
}
"""Our names of its figures, and the factor between them."""


def main(path: str) -> None:
    """Print the totals of both players."""
    match = convert_xg(Path(path).read_bytes())
    totals = compute_aggregates(match)["match"]
    players = {
        match[f"player_{colour}"]: {
            name: round(totals[colour][own] * factor, 6)
            for own, (name, factor) in FIGURES.items()
            if totals[colour].get(own) is not None
        }
        for colour in ("white", "black")
    }
    print(
        json.dumps(
            {
                "schema_version": 1,
                "program": f"GammonView {version('gammonview')}",
                "matches": [{"players": players}],
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
