"""Whether the books of a comparison balance: every bridge against its gap, every step against the
ledger."""

import math
from typing import NamedTuple

import pandas as pd

from reconcile.gap.comparison import compare
from reconcile.gap.walk import CAUSES, opinions
from reconcile.match.columns import Kind
from reconcile.match.match import Decision
from reconcile.scoring.figures import BRIDGED
from tests.support.tolerance_files import bounds

CLOSES = 1e-9
CUBE_VALUES = ("no_double", "double_take", "double_pass")
RATES = ("pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "snowie_memg")
ANY_GAP = bounds("error", {"moves.total": 1e9})
"""Of a figure that is known of every transcript."""


class SideOfDecision(NamedTuple):
    """What a file says of a decision."""

    decision: Decision
    error: float
    equities: list[float]
    """Of a cube decision: no double, double and take, double and pass."""


def ledger_of(walk, bridges):
    """The columns of the ledger as a table, with `decision`."""
    return pd.DataFrame(walk.ledger_columns(bridges))


def sides_of(walk, decision):
    """What the left and the right file say of a decision; `None` of a resignation, and where a file
    does not have it."""
    aligned = walk.aligned
    sides: list[SideOfDecision | None] = []
    for side, row in enumerate(aligned.rows[:, decision].tolist()):
        if row < 0 or aligned.kind[decision] >= Kind.RESIGN:
            sides.append(None)
            continue
        equities = [aligned.column(name)[side, decision] for name in CUBE_VALUES]
        own = aligned.sides[side].match.decision(row)
        sides.append(SideOfDecision(own, aligned.error[side, decision], equities))
    return tuple(sides)


def shares_of(walk, bridges):
    """The rows of the ledger, the largest first; in `sides` and `said` what either file says, as it
    is and in words."""
    ledger = ledger_of(walk, bridges)
    ledger["sides"] = [sides_of(walk, decision) for decision in ledger["decision"]]
    ledger["said"] = [tuple(opinions(walk.aligned, row)) for row in ledger["decision"]]
    ledger["size"] = -ledger["change"].abs()
    return list(ledger.sort_values(["size", "decision", "player", "cause"]).itertuples())


def compared(
    left,
    right,
    left_rules=None,
    right_rules=None,
    met=None,
):
    """Two files compared whatever is analysed in them."""
    return compare(left, right, ANY_GAP, left_rules=left_rules, right_rules=right_rules, met=met)


def walks(comparison):
    """The bridges of a comparison and their ledger, for the match and every game."""
    walk = comparison.walk
    for game in (None, *walk.left.match.games.number.tolist()):
        bridges = walk.bridges(game=game)
        yield game, bridges, ledger_of(walk, bridges)


def unbalanced(comparison, *, games=True):
    """Everything that does not add up; nothing when the books balance, of the games too."""
    wrong = []
    walk = comparison.walk
    expected = 2 * (len(BRIDGED) - 4 * walk.left.match.is_money)
    for game, bridges, ledger in walks(comparison):
        if len(bridges) != expected or not {*ledger["cause"]} <= {*CAUSES}:
            wrong.append(f"{len(bridges)} bridges, causes {sorted({*ledger['cause']})}")
        by_step = ledger.groupby(["player", "metric", "step"])
        totals = by_step.agg({"change": "sum", "decision": "nunique"}).to_dict("index")
        for bridge in bridges:
            where = f"{bridge.player} {bridge.metric} of game {game}"
            wrong += [f"{where}: {fault}" for fault in _faults(walk, bridge, totals, game)]
        steps = {
            (bridge.player, bridge.metric, code) for bridge in bridges for code in _codes(bridge)
        }
        if totals.keys() - steps:
            wrong.append("the ledger has rows of other bridges")
        if not games:
            break
    return wrong


def _codes(bridge):
    return [step.code for step in bridge.steps]


def _ends(walk, bridge, game):
    """The figure on either side, as the statistics of the files have it."""
    owner = walk.left.match.players.index(bridge.player)
    sides = zip(walk.statistics, (owner, walk.pairing.seats[owner]), strict=True)
    return tuple(
        statistics.figures(seat, game)[bridge.metric]
        if game is None or game in statistics.match.games.number
        else None
        for statistics, seat in sides
    )


def _faults(walk, bridge, ledger, game):
    ends = _ends(walk, bridge, game)
    if (bridge.start, bridge.end) != ends:
        yield f"from {bridge.start} to {bridge.end}, but the figures are {ends}"
    if bridge.reason or bridge.start is None or bridge.end is None:
        if not bridge.reason or bridge.steps or bridge.contributions:
            yield f"{len(bridge.steps)} steps in spite of the reason {bridge.reason!r}"
        if None not in ends and bridge.metric not in RATES:
            yield f"no bridge of a sum that both know: {bridge.reason}"
        return
    if len({*_codes(bridge)}) < len(bridge.steps):
        yield f"a code occurs twice: {_codes(bridge)}"
    total = math.fsum(step.change for step in bridge.steps)
    if not abs(bridge.start + total - bridge.end) < CLOSES:
        yield f"from {bridge.start} to {bridge.end}, but the steps add up to {total}"
    for step in bridge.steps:
        row = ledger.get((bridge.player, bridge.metric, step.code), {"change": 0.0, "decision": 0})
        if not abs(row["change"] - step.change) < CLOSES or row["decision"] != step.decisions:
            yield f"{step}: the ledger has {row}"
        low, high = (step.change if end is None else end for end in (step.low, step.high))
        if not low - CLOSES <= step.change <= high + CLOSES:
            yield f"{step}: not within its range"
