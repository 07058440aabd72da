"""Make the matches of the sample page of a player: two depths of analysis, several days and opponents. Needs gnubg.

    python -m tests.support.make_player docs/samples/nora-lindqvist.zip

The matches are played and analysed by GNU Backgammon, as `tests.support.make_demonstration` does. The players do not exist.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

from tests.support.make_demonstration import SETTINGS, analysis, players, run_gnubg

MATCHES = (
    ("Ida_Kallio", 5, "2026-01-17", 0), ("Tomas_Beck", 5, "2026-02-07", 0), ("Ruben_Achterberg", 7, "2026-02-28", 0),
    ("Ida_Kallio", 3, "2026-03-21", 2), ("Marit_Solheim", 5, "2026-04-11", 2), ("Tomas_Beck", 7, "2026-05-02", 2),
    ("Ruben_Achterberg", 5, "2026-05-23", 2), ("Marit_Solheim", 5, "2026-06-13", 2),
)  # fmt: skip
"""Opponent, length, day, plies of the analysis."""
FIRST_SEED = 311


def main(target: Path) -> None:
    """Play and analyse the matches, and pack them; the same matches give the same bytes."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(target, "w") as packed:
        for number, (opponent, length, day, plies) in enumerate(MATCHES):
            made = Path(folder) / f"{number + 1}.sgf"
            names = ["set player 0 name Nora_Lindqvist", f"set player 1 name {opponent}"]
            about = [
                f"set matchinfo date {day}",
                "set matchinfo event Synthetic: played by GNU Backgammon",
            ]
            commands = [
                *SETTINGS,
                f"set seed {FIRST_SEED + number}",
                *players(),
                f"new match {length}",
                *names,
                *about,
            ]
            run_gnubg([*commands, *analysis(plies, made)])
            name = zipfile.ZipInfo(f"{day}-{opponent.lower().replace('_', '-')}.sgf")
            packed.writestr(name, made.read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
