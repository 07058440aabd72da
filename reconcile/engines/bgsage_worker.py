"""The process in which bgsage runs: questions as JSON on standard input, an answer a line on
standard output.

It imports nothing of this program, so that a fault of the engine's native code ends no more than
this process. Positions are 26 counts in the view of the player on roll; bgsage counts the
opponent's checkers on the bar as positive.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

ROLLS: Final = [(first, second) for first in range(1, 7) for second in range(1, first + 1)]
BATCH: Final = 32
"""Plays whose luck is computed at once; every batch loads the networks again."""


def main() -> None:
    """Answer every question: `plays` and `cubes`, each a list, at `plies`."""
    from bgsage import BgBotAnalyzer

    asked = json.load(sys.stdin)
    engine = BgBotAnalyzer(eval_level=f"{asked['plies']}ply", parallel_threads=asked["threads"])
    for index, situation in enumerate(asked["cubes"]):
        values = engine.cube_action(situation["board"], **_cube(situation), beaver=False)
        equities = [values.equity_nd, values.equity_dt, values.equity_dp]
        _print({"cube": index, "values": equities, "chances": values.probs.to_list()})
    for start in range(0, len(asked["plays"]), BATCH):
        batch = asked["plays"][start : start + BATCH]
        for index, (situation, luck) in enumerate(
            zip(batch, _luck(batch, asked["threads"]), strict=True), start
        ):
            first, second = situation["dice"]
            result = engine.checker_play(
                situation["board"],
                first,
                second,
                **_cube(situation),
                beaver=False,
                force_boards=[situation["after"]],
            )
            moves = [
                [move.board, move.equity, move.probs.to_list(), move.eval_level]
                for move in result.moves
            ]
            _print({"play": index, "moves": moves, "luck": luck})
    _print({"done": True})


def _cube(situation: dict[str, Any]) -> dict[str, Any]:
    return {
        key: situation[key]
        for key in ("cube_value", "cube_owner", "away1", "away2", "is_crawford", "jacoby")
    }


def _luck(asked: list[dict[str, Any]], threads: int) -> list[float]:
    """The equity of the best play of each roll, less that of an average roll, both at 1 ply; a
    game never begins with a double."""
    from bgsage import batch_checker_play

    possible = [
        [roll for roll in ROLLS if not (situation["opening"] and roll[0] == roll[1])]
        for situation in asked
    ]
    questions = [
        {"board": situation["board"], "die1": first, "die2": second, **_cube(situation)}
        for situation, rolls in zip(asked, possible, strict=True)
        for first, second in rolls
    ]
    results = iter(batch_checker_play(questions, jacoby=asked[0]["jacoby"], n_threads=threads))
    lucks = []
    for situation, rolls in zip(asked, possible, strict=True):
        best = {roll: max(move.equity for move in next(results).moves) for roll in rolls}
        weights = {(first, second): 1 if first == second else 2 for first, second in rolls}
        mean = sum(best[roll] * weights[roll] for roll in rolls) / sum(weights.values())
        lucks.append(best[max(situation["dice"]), min(situation["dice"])] - mean)
    return lucks


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
