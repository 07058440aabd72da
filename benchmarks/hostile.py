"""What the files made to cost do cost, each in a process of its own: seconds of processor time, and memory at its highest.

    python -m benchmarks.hostile
    python -m benchmarks.hostile rolls nodes

Every case of `tests/fuzz/costly_files.py`, and files that stop just short of a limit and are read whole. All are smaller than 10 MB
and must take less than 2 s and 512 MB. Exits with 1 when one does not. The limits themselves are tested by `tests/fuzz/test_hostile.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from random import Random
from typing import Final

from reconcile.formats.gnubg import collection, game
from reconcile.formats.mat import lines
from reconcile.match.board.play import format_play, legal_plays
from reconcile.match.board.position import START, borne_off, swap
from tests.fuzz.costly_files import ELSEWHERE, LARGE, PLAY, REFUSED, ROOT
from tests.fuzz.mutate import MEGABYTES, SECONDS

NODES: Final = collection.MOST_NODES - 1
CELLS: Final = lines.MOST_CELLS
TRANSCRIPT: Final = " 0 point match\n"
ANALYSED: Final = "A[0][hefe E ver 3 0.5 0.1 0.0 0.1 0.0 0.01 2C 0 1 0.0 1]DA[E ver 3 2C 1 0.0 1 .5 .1 .0 .1 .0 .01 .5 .5 .1 .0 .1 .0 .01 .6]"
CHILD: Final = """
import sys, time
from reconcile.formats import load_match
from reconcile.errors import ReconcileError
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
try:
    computed = statistics(load_match(sys.argv[1]))
    computed.figures(0), computed.figures(1)
    told = f"read, {len(computed.match.plays)} rolls, {len(findings_of(computed))} findings"
except ReconcileError as error:
    told = f"refused: {str(error).partition(': ')[2][:90]}"
(memory,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(time.process_time(), memory, told)
"""
LONG_SESSION: Final = 9_000
"""Rolls of a session played by the rules, each of which is tried some ten ways."""


def one_game(number: int, cells: str) -> str:
    """A game of a transcript."""
    return f" Game {number}\n Ann : 0   Ben : 0\n{cells}"


def rolls(*texts: str) -> str:
    """As many rolls as a transcript may have, over and over the same."""
    return TRANSCRIPT + one_game(
        1,
        "".join(
            f"{turn}) {texts[turn % len(texts)]}   {texts[-1 - turn % len(texts)]}\n"
            for turn in range(CELLS // 2)
        ),
    )


def played() -> str:
    """A long session played at random by the rules."""
    chance, games, cells = Random(7), [], 0
    while cells < LONG_SESSION:
        board, turns = START, []
        while borne_off(board)[1] < 15:
            dice = chance.randint(1, 6), chance.randint(1, 6)
            found = legal_plays(board, *dice)
            chosen = chance.choice(found) if found else None
            turns.append(
                f"{dice[0]}{dice[1]}: {format_play(board, chosen.play) if chosen else ''}".replace(
                    "cannot move", ""
                )
            )
            board = swap(chosen.result if chosen else board)
        cells += len(turns)
        games.append(
            "".join(
                f"{at // 2 + 1}) {'   '.join(turns[at : at + 2])}\n"
                for at in range(0, len(turns), 2)
            )
        )
    return TRANSCRIPT + "".join(one_game(number, cells) for number, cells in enumerate(games, 1))


READ: Final[dict[str, Callable[[], str]]] = {
    "nodes, plain": lambda: ROOT + PLAY * NODES + ")",
    "nodes, analysed": lambda: ROOT + (PLAY + ANALYSED + "LU[.1]GB[1]") * NODES + ")",
    "nodes, impossible plays": lambda: ROOT + ";B[11abcd]" * NODES + ")",
    "nodes, set up": lambda: (
        ROOT
        + ";AE[a:y]AW[a][c][e][g][i][k][m][o][q][s][u][w][b][d][f]B[11]" * (game.MOST_SET_UP // 2)
        + ")"
    ),
    "nodes, alternatives elsewhere": lambda: ROOT + (PLAY + "A[0]" + ELSEWHERE * 2) * NODES + ")",
    "nodes, doubles": lambda: ROOT + (";B[double];W[take]" + PLAY) * (NODES // 3) + ")",
    "nodes of many games": lambda: "".join(
        f"(;GM[6]MI[length:7][game:{number}]{PLAY})" for number in range(NODES // 2)
    ),
    "alternatives": lambda: (
        ROOT + (PLAY + "A[0]" + "[hefe E ver 3 0.5 0.1 0.0 0.1 0.0 0.01 2C 0 1]" * 44) * 4500 + ")"
    ),
    "rolls by the rules": played,
    "rolls never played": lambda: rolls("11: ????", "22: ????"),
    "rolls against the dice": lambda: rolls(
        "11: 24/23", "22: 13/11", "33: 6/5 8/7", "11: 24/22 13/11"
    ),
}


def measured(content: bytes) -> tuple[float, float, str]:
    """Seconds and MB of a process that reads a file, and what became of it."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        printed = subprocess.run(
            [sys.executable, "-c", CHILD, file.name], capture_output=True, text=True, check=True
        ).stdout
    seconds, kilobytes, told = printed.strip().split(" ", 2)
    return float(seconds), int(kilobytes) / 1024, told


def main() -> int:
    """Measure and print; 1 when a case takes too much."""
    cases = {name: text for name, (text, _) in REFUSED.items()} | LARGE | READ
    chosen = [
        name for name in cases if not sys.argv[1:] or any(word in name for word in sys.argv[1:])
    ]
    own, held, _ = measured((ROOT + PLAY + ")").encode())
    worst = 0
    print(
        f"{'case':<40} {'MB':>5} {'seconds':>8} {'memory':>7}  beyond {own:.2f} s and {held:.0f} MB of a small file"
    )
    for name in chosen:
        content = cases[name]().encode()
        seconds, memory, told = measured(content)
        bad = seconds - own > SECONDS or memory - held > MEGABYTES
        worst += bad
        print(
            f"{name:<40} {len(content) / 1e6:>5.1f} {seconds - own:>8.2f} {memory - held:>7.0f}  {'TOO MUCH ' * bad}{told}",
            flush=True,
        )
    return bool(worst)


if __name__ == "__main__":
    sys.exit(main())
