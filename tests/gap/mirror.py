"""Whether a comparison with its sides exchanged is the mirror image: every step, every row of the
ledger, every range and sentence."""

import math
import re
from collections import Counter
from itertools import product

from reconcile.scoring.figures import BRIDGED

MIRRORED = {"left": "right", "right": "left"}
NOISE = 1e-12


def exchanged(code):
    """The step that an exchange of the sides makes of one."""
    name, dash, side = code.partition("-")
    return name + dash + MIRRORED.get(side, side)


def unmirrored(there, back, *, games=True):
    """Everything that is not the mirror image; nothing when all of it is."""
    walks = there.walk, back.walk
    numbers = [{*walk.left.match.games.number.tolist()} for walk in walks]
    common = sorted(numbers[0] & numbers[1]) if games else []
    wrong = []
    for game, seat, name in product((None, *common), there.walk.seats, BRIDGED):
        here = there.walk.bridge(name, seat, game)
        other = back.walk.bridge(name, there.pairing.seats[seat], game)
        where = f"{here.player} {name} of game {game}"
        wrong += [f"{where}: {fault}" for fault in _faults(here, other, *walks)]
    return wrong


def _faults(here, other, there_walk, back_walk):
    if _words(here.reason) != _words(other.reason):
        yield f"{here.reason or 'a bridge'}, exchanged {other.reason or 'a bridge'}"
    titles = [
        {step.code: _words(step.title) for step in bridge.steps if step.code.startswith("Q")}
        for bridge in (here, other)
    ]
    if titles[0] != titles[1]:
        yield f"{titles[0]}, exchanged {titles[1]}"
    numbers, mirrored = _numbers(there_walk, here, 1), _numbers(back_walk, other, -1)
    for key in numbers.keys() | mirrored.keys():
        pair = numbers.get(key, math.inf), mirrored.get(key, -math.inf)
        both_unknown = math.isnan(pair[0]) and math.isnan(pair[1])
        if not both_unknown and not math.isclose(*pair, rel_tol=NOISE, abs_tol=NOISE):
            yield f"{key}: {pair[0]}, exchanged {pair[1]}"


def _numbers(walk, bridge, sign):
    """Every number of a bridge, from its left side (1) or as that is from its right side (-1)."""
    numbers = {}
    for step in bridge.steps:
        code = step.code if sign == 1 else exchanged(step.code)
        numbers[code, "decisions"] = step.decisions
        values = step.change, *(step.low, step.high)[::sign]
        for name, value in zip(("change", "low", "high"), values, strict=True):
            numbers[code, name] = math.nan if value is None else sign * value
    columns = walk.ledger_columns([bridge])
    names = ("step", "cause", "decision", "change")
    for step_code, cause, decision, change in zip(
        *(columns[name].tolist() for name in names), strict=True
    ):
        rows = walk.aligned.rows[::sign, decision].tolist()
        row = step_code if sign == 1 else exchanged(step_code), cause, *rows
        assert row not in numbers, f"{row} is in the ledger twice"
        numbers[row] = sign * change
    return numbers


def _words(sentence):
    """The words of a sentence in any order, of either side."""
    words = re.findall(r"[^\s,;.:]+", sentence.lower())
    return Counter("side" if word in MIRRORED else word for word in words)
