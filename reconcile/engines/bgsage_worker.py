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
    """Answer every question, `cubes` first, then `plays`, each a list, at `plies`."""
    from bgsage import BgBotAnalyzer

    asked = json.load(sys.stdin)
    engine = BgBotAnalyzer(eval_level=f"{asked['plies']}ply", parallel_threads=asked["threads"])
    for situation in asked["cubes"]:
        values = engine.cube_action(**situation, beaver=False)
        equities = [values.equity_nd, values.equity_dt, values.equity_dp]
        _print({"cube": [*equities, *values.probs.to_list()]})
    for start in range(0, len(asked["plays"]), BATCH):
        batch = asked["plays"][start : start + BATCH]
        extras = [
            {name: situation.pop(name) for name in ("dice", "after", "opening")}
            for situation in batch
        ]
        lucks = _lucks(batch, extras, asked["threads"])
        for situation, extra, luck in zip(batch, extras, lucks, strict=True):
            first, second = extra["dice"]
            result = engine.checker_play(
                die1=first, die2=second, **situation, beaver=False, force_boards=[extra["after"]]
            )
            moves = [
                [move.board, move.equity, move.probs.to_list(), move.eval_level]
                for move in result.moves
            ]
            _print({"moves": moves, "luck": luck})
    _print({"done": True})


def _lucks(batch: list[dict[str, Any]], extras: list[dict[str, Any]], threads: int) -> list[float]:
    """The equity of the best play of each roll, less that of an average roll, both at 1 ply; a
    game never begins with a double."""
    from bgsage import batch_checker_play

    possible = [
        [(first, second) for first, second in ROLLS if first != second or not extra["opening"]]
        for extra in extras
    ]
    questions = [
        {**situation, "die1": first, "die2": second}
        for situation, rolls in zip(batch, possible, strict=True)
        for first, second in rolls
    ]
    results = iter(batch_checker_play(questions, jacoby=batch[0]["jacoby"], n_threads=threads))
    lucks = []
    for extra, rolls in zip(extras, possible, strict=True):
        best = {roll: max(move.equity for move in next(results).moves) for roll in rolls}
        weights = {(first, second): 1 if first == second else 2 for first, second in rolls}
        mean = sum(best[roll] * weights[roll] for roll in rolls) / sum(weights.values())
        lucks.append(best[max(extra["dice"]), min(extra["dice"])] - mean)
    return lucks


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
