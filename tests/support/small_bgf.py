"""A small match as BGBlitz would store it, made here: two games of a 3-point match under a table of
our own.

The table: 0.5 at 3-away each, 0.6 at 2-away against 3-away, 0.8 at 1-away against 3-away.
"""

import gzip
import json
from copy import deepcopy
from typing import Any

from tests.support.smile_writer import encode
from tests.support.tables import beside

PARTS = beside(__file__)
HEADER = {"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}
GREEN, RED = -1, 1
FRAME = {1: (0.5, 0.1), 2: (0.5, 0.3)}
"""By cube, middle and half width of green's chances in the first game: 0.6 and 0.4 after one point,
0.8 and 0.2 after two."""
DEAD = "-999.90000000"
MONEY = "-999.00000000"
CUBE = ("eqNoDouble", "eqDoubleTake", "eqDoublePass", "eqCubeFul")

Table = dict[str, Any]


def number(value):
    """A number as BGBlitz writes it."""
    return f"{value:.8f}"


def part(name, **more):
    """A part of the file with these values."""
    return {**deepcopy(PARTS[name]), **more}


def steps(play):
    """`8/5 6/5` as two lists of four."""
    pairs = [[*map(int, step.split("/"))] for step in play.split()]
    start, end = zip(*pairs, *[(-1, -1)] * (4 - len(pairs)), strict=True)
    return {"from": [*start], "to": [*end]}


def chance(emg, frame):
    """The chance of winning the match of an equity; the mark of money play without a frame."""
    return MONEY if frame is None else number(frame[0] + frame[1] * emg)


def evaluation(emg, frame, cube=None):
    """An equity object; `cube` has the equities of no double and double/take."""
    shown = {} if frame is None else {"emg": number(emg), "hasEMG": True}
    if cube is not None:
        values = zip(CUBE, (*cube, 1.0, emg), strict=True)
        stored = {name: chance(v, frame) if frame else number(v) for name, v in values}
        shown["cubeDecision"] = stored
    usual = {"equity": number(emg), "matchEquity": chance(emg, frame), "emg": MONEY}
    return part("evaluation", **usual | {"hasEMG": False} | shown)


def record(player, dice, **more):
    """Any record."""
    return part("record", player=player, red=dice[0], green=dice[1], **more)


def roll(
    player,
    dice,
    plays,
    made_play,
    frame,
    cube=None,
    *,
    luck=0.1,
):
    """A roll with its candidates (play -> equity), the play made and the equities of the cube
    before it."""
    listed = [
        {
            "move": {"type": "move", **steps(play)},
            "eq": evaluation(emg, frame, (emg, emg - 0.5)),
            "ply": 3,
            "played": play == made_play,
        }
        for play, emg in plays.items()
    ]
    plain = luck if frame is None else luck * frame[1]
    return record(
        player,
        dice,
        **steps(made_play),
        equity=evaluation(0.05, frame, cube),
        moveAnalysis=listed,
        luck={"luckPlain": number(plain), "luckWeighted": number(luck), "mode": "Match"},
        ply4Luck=3,
    )


def action(player, code, equity=None, **more):
    """A double (1), take (2), pass (3), end (4), dance (5) or resignation (9)."""
    return record(player, (code, 7), equity=equity, **more)


def game(records, score=(0, 0), **more):
    """A game object."""
    return part("game", scoreGreen=score[0], scoreRed=score[1], moves=records, **more)


def first_game(*, money=False):
    """A play with an error of 0.02 and a close no-double, a double wrong by 0.2, a right take, a
    right redouble and a wrong pass."""
    own, doubled = (None, None) if money else (FRAME[1], FRAME[2])
    double, redouble = (0.5, own, (0.6, 0.4)), (0.4, doubled, (0.4, 0.9))
    return [
        roll(GREEN, (3, 1), {"8/5 6/5": 0.2, "24/23 13/10": 0.1}, "8/5 6/5", own),
        roll(RED, (4, 2), {"8/4 6/4": 0.15, "13/11 13/9": 0.13}, "13/11 13/9", own, (0.1, 0.0)),
        action(GREEN, 1, evaluation(*double)),
        action(RED, 2, answered(*double)),
        roll(GREEN, (6, 5), {"24/18 18/13": 0.3, "24/13": 0.3}, "24/13", doubled),
        action(RED, 1, evaluation(*redouble)),
        action(GREEN, 3, answered(*redouble)),
        action(RED, 4),
    ]


def answered(emg, frame, cube):
    """The evaluation of a double in the view of the player who responds."""
    if frame is None:
        table = evaluation(emg, frame, cube)
        turned = {name: number(-float(text)) for name, text in table["cubeDecision"].items()}
        return {**table, "cubeDecision": turned}
    middle, width = 1 - frame[0], -frame[1]
    table = evaluation(emg, (middle, width), cube)
    return {**table, "emg": number(-emg)}


def match(*games, length=3, **more):
    """The root object; without games, one with the first game only."""
    listed = list(deepcopy(games)) or [game(first_game(), wonPoints=2)]
    return part("match", matchlen=length, games=listed, count=len(listed), **more)


def written(root, *, smile=True, packed=True):
    """The file."""
    payload = encode(root) if smile else json.dumps(root).encode()
    content = gzip.compress(payload, mtime=0) if packed else payload
    return json.dumps(HEADER).encode() + b"\n" + content
