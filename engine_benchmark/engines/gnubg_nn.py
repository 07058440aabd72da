"""gnuBG's nets without gnuBG: the package `gnubg-nn`, as a program that speaks the line protocol, and an example of one.

    python -m engine_benchmark.engines.gnubg_nn PLIES

It is a separate process, since the package is compiled code that ends the interpreter when it fails.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Final

from engine_benchmark.engines.command import CommandPlayer
from reconcile.errors import MissingPackage

PACKAGE: Final = "gnubg-nn"
MODULE: Final = "gnubg_nn"


def gnubg_nn(plies: int, *, silence: float, jobs: int | None) -> CommandPlayer:
    """The player. Raises `MissingPackage`."""
    if find_spec(MODULE) is None:
        raise MissingPackage(
            f"engine {PACKAGE}: the package is not installed; pip install {PACKAGE}, or use --engine gnubg"
        )
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError:
        installed = "of unknown version"
    arguments = (sys.executable, "-m", __name__, str(plies))
    return CommandPlayer(
        arguments, silence, jobs or os.cpu_count() or 1, f"{PACKAGE} {installed}, {plies}-ply"
    )


def main() -> None:
    """Answer questions until the input ends."""
    import gnubg_nn as nets

    plies = int(sys.argv[1])
    for line in sys.stdin:
        _, key, one, two = line.split()
        board = nets.board_from_position_key(key)
        _, result = nets.best_move(board, int(one), int(two), n=plies, b=1)
        print("b", key, one, two, result, flush=True)


if __name__ == "__main__":
    main()
