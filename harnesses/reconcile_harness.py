"""This program behind the protocol of the conformance suite.

reconcile suite run --harness 'python harnesses/reconcile_harness.py xg'
"""

from __future__ import annotations

import json
import sys

from reconcile import load_match, statistics
from reconcile.scoring.figures import METRICS
from reconcile.version import __version__


def main(rules: str) -> None:
    """Answer line by line."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        if asked["cmd"] == "start":
            about = {
                "program": "reconcile",
                "version": __version__,
                "formats": ["xg", "sgf"],
                "figures": list(METRICS),
                "rules": rules,
            }
            answered: dict[str, object] = {"protocol": 1, **about}
        else:
            counted = statistics(load_match(asked["path"]), rules)
            answered = {
                "id": asked["id"],
                "players": {
                    name: counted.figures(seat) for seat, name in enumerate(counted.match.players)
                },
            }
        print(json.dumps(answered), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "xg")
