"""A small match as BGBlitz would store it, made here: two games of a 3-point match under a table of
our own.

The numbers are round, so that a test can say what must come out. The table: 0.5 at 3-away each, 0.6
at 2-away against 3-away, 0.8 at 1-away against 3-away.
"""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from typing import Any

from tests.support.smile_writer import encode

HEADER = {"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}
POINTS = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]
GREEN, RED = -1, 1
FRAME = {1: (0.5, 0.1), 2: (0.5, 0.3)}
"""By cube, middle and half width of green's chances in the first game: 0.6 and 0.4 after one point,
0.8 and 0.2 after two."""
DEAD = "-999.90000000"
MONEY = "-999.00000000"

Table = dict[str, Any]


def number(value: float) -> str:
    """A number as BGBlitz writes it."""
    return f"{value:.8f}"


def steps(play: str) -> dict[str, list[int]]:
    """`8/5 6/5` as two lists of four."""
    pairs = [tuple(map(int, step.split("/"))) for step in play.split()]
    filled = [*pairs, *[(-1, -1)] * (4 - len(pairs))]
    return {"from": [start for start, _ in filled], "to": [end for _, end in filled]}


def chance(emg: float, frame: tuple[float, float] | None) -> str:
    """The chance of winning the match of an equity; the mark of money play without a frame."""
    return MONEY if frame is None else number(frame[0] + frame[1] * emg)


def evaluation(
    emg: float, frame: tuple[float, float] | None, cube: tuple[float, float] | None = None
) -> Table:
    """An equity object; `cube` has the equities of no double and double/take."""
    decision = None
    if cube is not None:
        values = dict(
            zip(
                ("eqNoDouble", "eqDoubleTake", "eqDoublePass", "eqCubeFul"),
                (*cube, 1.0, emg),
                strict=True,
            )
        )
        decision = {
            name: number(value) if frame is None else chance(value, frame)
            for name, value in values.items()
        }
    return {
        "equity": number(emg),
        "myWins": number(0.5),
        "myGammon": number(0.1),
        "myBackGammon": number(0.01),
        "oppWins": number(0.5),
        "oppGammon": number(0.1),
        "oppBackGammon": number(0.01),
        "matchEquity": chance(emg, frame),
        "emg": MONEY if frame is None else number(emg),
        "hasEMG": frame is not None,
        "cubeDecision": decision,
        "cube": 1,
    }


def candidate(
    play: str, emg: float, frame: tuple[float, float] | None, *, played: bool = False
) -> Table:
    """One play of a list."""
    return {
        "move": {"type": "move", **steps(play)},
        "eq": evaluation(emg, frame, (emg, emg - 0.5)),
        "ply": 3,
        "played": played,
    }


def record(player: int, dice: tuple[int, int], **more: Any) -> Table:
    """Any record."""
    usual: Table = dict.fromkeys(("equity", "dancingEquity", "luck", "pr")) | {
        "type": "amove",
        "moveAnalysis": [],
        "ply4Luck": 0,
        "ply": 3,
    }
    return {**usual, "player": player, "red": dice[0], "green": dice[1], **steps(""), **more}


def roll(
    player: int,
    dice: tuple[int, int],
    plays: dict[str, float],
    made_play: str,
    frame: tuple[float, float] | None,
    cube: tuple[float, float] | None = None,
    *,
    luck: float = 0.1,
) -> Table:
    """A roll with its candidates (play -> equity), the play made and the equities of the cube
    before it."""
    listed = [candidate(play, emg, frame, played=play == made_play) for play, emg in plays.items()]
    plain, weighted = (luck, luck) if frame is None else (luck * frame[1], luck)
    return record(
        player,
        dice,
        **steps(made_play),
        equity=evaluation(0.05, frame, cube),
        moveAnalysis=listed,
        luck={"luckPlain": number(plain), "luckWeighted": number(weighted), "mode": "Match"},
        ply4Luck=3,
    )


def action(player: int, code: int, equity: Table | None = None, **more: Any) -> Table:
    """A double (1), take (2), pass (3), end (4), dance (5) or resignation (9)."""
    return record(player, (code, 7), equity=equity, **more)


def game(records: list[Table], score: tuple[int, int] = (0, 0), **more: Any) -> Table:
    """A game object."""
    initial = {"cube": 1, "cubeOwner": 0, "points": list(POINTS)}
    return {
        "scoreGreen": score[0],
        "scoreRed": score[1],
        "isCrawford": False,
        "wonPoints": 1,
        "initial": initial,
        "moves": records,
        **more,
    }


def first_game(*, money: bool = False) -> list[Table]:
    """A play with an error of 0.02 and a close no-double, a double wrong by 0.2, a right take, a
    right redouble and a wrong pass."""
    own, doubled = (None, None) if money else (FRAME[1], FRAME[2])
    return [
        roll(GREEN, (3, 1), {"8/5 6/5": 0.2, "24/23 13/10": 0.1}, "8/5 6/5", own),
        roll(RED, (4, 2), {"8/4 6/4": 0.15, "13/11 13/9": 0.13}, "13/11 13/9", own, (0.1, 0.0)),
        action(GREEN, 1, evaluation(0.5, own, (0.6, 0.4))),
        action(RED, 2, answered(0.5, own, (0.6, 0.4))),
        roll(GREEN, (6, 5), {"24/18 18/13": 0.3, "24/13": 0.3}, "24/13", doubled),
        action(RED, 1, evaluation(0.4, doubled, (0.4, 0.9))),
        action(GREEN, 3, answered(0.4, doubled, (0.4, 0.9))),
        action(RED, 4),
    ]


def answered(emg: float, frame: tuple[float, float] | None, cube: tuple[float, float]) -> Table:
    """The evaluation of a double in the view of the player who responds."""
    made_play = evaluation(emg, frame, cube)
    decision = made_play["cubeDecision"]
    for table, key in [(decision, name) for name in decision] + (
        [] if frame is None else [(made_play, "matchEquity")]
    ):
        table[key] = number((0 if frame is None else 1) - float(table[key]))
    if frame is not None:
        made_play["emg"] = number(-emg)
    return made_play


def match(*games: Table, length: int = 3, **more: Any) -> Table:
    """The root object; without games, one with the first game only."""
    listed = deepcopy(games) or (game(first_game(), wonPoints=2),)
    root = {
        "matchlen": length,
        "nameGreen": "Ann",
        "nameRed": "Ben",
        "finalGreen": 0,
        "finalRed": 2,
        "useCrawford": True,
        "useJacoby": False,
    }
    return {
        **root,
        "useBeaver": False,
        "useCube": True,
        "event": "",
        "games": list(listed),
        "count": len(listed),
        **more,
    }


def written(root: Table, *, smile: bool = True, packed: bool = True) -> bytes:
    """The file."""
    payload = encode(root) if smile else json.dumps(root).encode()
    return (
        json.dumps(HEADER).encode()
        + b"\n"
        + (gzip.compress(payload, mtime=0) if packed else payload)
    )
