"""GammonView behind the protocol of the conformance suite; needs only an environment with
GammonView (`pip install gammonview`).

reconcile suite run --harness 'ENVIRONMENT/bin/python harnesses/gammonview_harness.py'
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

from gvformat import compute_aggregates, convert_xg  # type: ignore[import-not-found]

FIGURES = {
    "pr": ("pr", 1),
    "total_error": ("equity_error.total", 1),
    "total_decisions": ("decisions.counted", 1),
    "total_error_mwc": ("mwc_loss_percent.total", 100),
    "total_luck": ("luck.equity", 1),
}
"""Our names of its figures, and the factor between them."""


def figures(path: str) -> dict[str, dict[str, str]]:
    """Its totals of both players, with the digits that it keeps."""
    match = convert_xg(Path(path).read_bytes())
    totals = compute_aggregates(match)["match"]
    players = {}
    for colour in ("white", "black"):
        numbers = {
            name: (totals[colour].get(own), factor) for own, (name, factor) in FIGURES.items()
        }
        players[match[f"player_{colour}"]] = {
            name: str(value)
            if name == "decisions.counted"
            else f"{value * factor:.{4 if factor == 1 and name != 'pr' else 3}f}"
            for name, (value, factor) in numbers.items()
            if value is not None
        }
    return players


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        if asked["cmd"] == "start":
            names = [name for name, _ in FIGURES.values()]
            about = {
                "program": "GammonView",
                "version": version("gammonview"),
                "formats": ["xg"],
                "figures": names,
            }
            answered: dict[str, object] = {"protocol": 1, **about, "rules": "gammonview"}
        else:
            answered = {"id": asked["id"], "players": figures(asked["path"])}
        print(json.dumps(answered), flush=True)


if __name__ == "__main__":
    main()
