"""A kept analysis of two rolls, as bgsage's are."""

from __future__ import annotations

from typing import Any

RECORD = (
    "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Ben]RU[Crawford]"
    ";W[31hefe];B[31qtst])"
)
CHANCES = {
    "win": 0.5,
    "win_gammon": 0.2,
    "win_backgammon": 0.01,
    "lose_gammon": 0.1,
    "lose_backgammon": 0.0,
}


def play(text: str, equity: float, *, was_made: bool = False) -> dict[str, Any]:
    return {"play": text, "equity": equity, "level": "1-ply", "made": was_made, **CHANCES}


DOCUMENT: dict[str, Any] = {
    "analysis_version": 1,
    "tool": "Open Sage",
    "tool_version": "bgsage 1",
    "platform": "Linux",
    "level": "1-ply (gnuBG counts 0)",
    "lookahead": 0,
    "match_equity_table": "Kazaross-XG2",
    "transcript": RECORD,
    "changes": [],
    "plays": [
        {
            "game": 1,
            "turn": 1,
            "luck": 0.1,
            "candidates": [play("8/5 6/5", 0.1000000001, was_made=True), play("24/20", 0.05)],
        },
        {
            "game": 1,
            "turn": 2,
            "luck": None,
            "candidates": [play("8/5 6/5", 0.25), play("8/4", 0.125, was_made=True)],
        },
    ],
    "cubes": [
        {"game": 1, "turn": 2, "no_double": 0.3, "double_take": -0.1, "double_pass": 1.0, **CHANCES}
    ],
}
