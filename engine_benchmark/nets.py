"""gnuBG's nets by the package `gnubg-nn`, and Open Sage, as programs of the line protocol.

    python -m engine_benchmark.nets PACKAGE PLIES

Compiled code ends no more than this process. Plies count like gnuBG's: 0 looks no roll ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from engine_benchmark.keys import from_position_key, result_key
from reconcile.engines.sage import Sage
from reconcile.match.board.position import Situation


def gnubg_nn(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by gnuBG's nets."""
    import gnubg_nn as nets

    def best(key: str, first: int, second: int) -> str:
        board = nets.board_from_position_key(key)
        return str(nets.best_move(board, first, second, n=plies, b=1)[1])

    return best


def sage(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by Open Sage, by cubeless money equity."""
    engine = Sage()

    def best(key: str, first: int, second: int) -> str:
        position = from_position_key(key)
        looked = engine.plays(Situation(position), (first, second), plies + 1, position)
        cubeless = 2 * looked.chances[:, 0] - 1 + looked.chances[:, 1:] @ (1, 1, -1, -1)
        deep = looked.plies == looked.plies.max()
        chosen = np.flatnonzero(deep)[np.argmax(cubeless[deep])]
        return result_key(tuple(looked.results[chosen].tolist()))

    return best


def main() -> None:
    """Answer questions until the input ends."""
    best = {"gnubg-nn": gnubg_nn, "sage": sage}[sys.argv[1]](int(sys.argv[2]))
    for line in sys.stdin:
        _, key, first, second = line.split()
        print("b", key, first, second, best(key, int(first), int(second)), flush=True)


if __name__ == "__main__":
    main()
