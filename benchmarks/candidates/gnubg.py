"""Prints gnuBG's own statistics of an `.sgf` file, as gnuBG shows them.

python -m benchmarks.candidates.gnubg match.sgf
"""

from __future__ import annotations

import sys
from pathlib import Path

from reconcile.engines.gnubg import find

SECONDS = 50.0


def main(path: str) -> None:
    """Print the statistics of the match."""
    file = Path(path).absolute()
    commands = ("set threads 1", f'load match "{file.name}"', "show statistics match")
    script = "".join(f"gnubg.command({command!r})\n" for command in commands)
    print(find().run(script, folder=file.parent, timeout=SECONDS))


if __name__ == "__main__":
    main(sys.argv[1])
