"""gnuBG's nets by the package `gnubg-nn`, and Open Sage, as programs of the line protocol.

    python nets.py PACKAGE PLIES

Compiled code ends no more than this process. Plies count like gnuBG's: 0 looks no roll ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

_A = ord("A")


def gnubg_nn(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by gnuBG's nets."""
    import gnubg_nn as nets

    def best(key: str, one: int, two: int) -> str:
        board = nets.board_from_position_key(key)
        return str(nets.best_move(board, one, two, n=plies, b=1)[1])

    return best


def bgsage(plies: int) -> Callable[[str, int, int], str]:
    """The key of the best result by Open Sage, by cubeless money equity."""
    from bgsage import BgBotAnalyzer

    engine = BgBotAnalyzer(eval_level=f"{plies + 1}ply", parallel_threads=1)
    money = {"cube_value": 1, "away1": 0, "away2": 0, "is_crawford": False, "jacoby": False}

    def best(key: str, one: int, two: int) -> str:
        result = engine.checker_play(board_of(key), one, two, **money, beaver=False)
        return key_of(max(result.moves, key=lambda move: move.cubeless_equity).board)

    return best


def board_of(key: str) -> list[int]:
    """A position as bgsage has it: the mover's points, checkers of either player on the bar positive."""
    digits = [ord(letter) - _A for letter in key]
    code = [high << 4 | low for high, low in zip(digits[::2], digits[1::2], strict=True)]
    bits = [byte >> place & 1 for byte in code for place in range(8)]
    sides, place = [0] * 81, 0
    for bit in bits:
        sides[place] += bit
        place += not bit
    own, other = sides[25:50], sides[:25]
    board = [other[24], *own]
    for point in range(24):
        board[24 - point] -= other[point]
    return board


def key_of(board: list[int]) -> str:
    """The key of a position after a play: the mover is the other player there."""
    own = [max(count, 0) for count in board[1:]]
    other = [*(max(-board[24 - point], 0) for point in range(24)), board[0]]
    bits = [bit for side in (own, other) for count in side for bit in (*[1] * count, 0)]
    bits += [0] * (80 - len(bits))
    code = [sum(bits[at + place] << place for place in range(8)) for at in range(0, 80, 8)]
    return "".join(chr(_A + (byte >> 4)) + chr(_A + (byte & 15)) for byte in code)


def main() -> None:
    """Answer questions until the input ends."""
    best = {"gnubg-nn": gnubg_nn, "bgsage": bgsage}[sys.argv[1]](int(sys.argv[2]))
    for line in sys.stdin:
        _, key, one, two = line.split()
        print("b", key, one, two, best(key, int(one), int(two)), flush=True)


if __name__ == "__main__":
    main()
