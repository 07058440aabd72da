"""gnuBG's nets by the package `gnubg-nn`, and Open Sage, as programs of the line protocol.

    python -m engine_benchmark.nets PACKAGE PLIES

Compiled code ends no more than this process. Plies count like gnuBG's: 0 looks no roll ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from engine_benchmark.keys import from_position_key, result_key
from reconcile.engines.bgsage import board_of


def gnubg_nn(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by gnuBG's nets."""
    import gnubg_nn as nets

    def best(key: str, first: int, second: int) -> str:
        board = nets.board_from_position_key(key)
        return str(nets.best_move(board, first, second, n=plies, b=1)[1])

    return best


def bgsage(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by Open Sage, by cubeless money equity."""
    from bgsage import BgBotAnalyzer

    engine = BgBotAnalyzer(eval_level=f"{plies + 1}ply", parallel_threads=1)
    money = {"cube_value": 1, "away1": 0, "away2": 0, "is_crawford": False, "jacoby": False}

    def best(key: str, first: int, second: int) -> str:
        result = engine.checker_play(
            board_of(from_position_key(key)), first, second, **money, beaver=False
        )
        chosen = max(result.moves, key=lambda move: move.cubeless_equity)
        return result_key(tuple(board_of(chosen.board)))

    return best


def main() -> None:
    """Answer questions until the input ends."""
    best = {"gnubg-nn": gnubg_nn, "bgsage": bgsage}[sys.argv[1]](int(sys.argv[2]))
    for line in sys.stdin:
        _, key, first, second = line.split()
        print("b", key, first, second, best(key, int(first), int(second)), flush=True)


if __name__ == "__main__":
    main()
