"""Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as
a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reconcile.gap.bridge import Bridge, SideOfDecision
from reconcile.gap.rows import apart
from reconcile.gap.walk import Walk
from reconcile.match.columns import Kind
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.metrics import CHECKER, LEADING
from reconcile.scoring.score import Scored

if TYPE_CHECKING:
    import pandas as pd


def sides_of(walk: Walk, decision: int) -> tuple[SideOfDecision | None, SideOfDecision | None]:
    """What the left and the right file say of a decision of a walk."""
    left, right = walk.aligned.rows[:, decision].tolist()
    return side_of_decision(walk.left, left), side_of_decision(walk.right, right)


def opinions(*sides: SideOfDecision | None) -> tuple[str, str]:
    """What either side says of a decision: the error, with the digits that show how they differ,
    and whether it does not count."""
    errors = [None if side is None else side.error for side in sides]
    numbers = apart(*(error or 0.0 for error in errors))
    words = []
    for side, error, number in zip(sides, errors, numbers, strict=True):
        if side is None:
            words.append("does not have it")
        elif error is None:
            words.append("not analysed")
        elif side.counted:
            words.append(number)
        else:
            words.append(f"{number}, not counted" if float(number) else "not counted")
    return words[0], words[1]


def side_of_decision(scored: Scored, row: int) -> SideOfDecision | None:
    """What a file says of a checker play or a cube decision; `None` for a resignation, or where the
    file does not have it (-1)."""
    match, table = scored.match, decisions_of(scored)
    if row < 0 or table["kind_number"][row] >= Kind.RESIGN:
        return None
    error = float(table["error"][row]) if table["evaluated"][row] else None
    equities = {}
    if row >= len(match.plays) and error is not None:
        names = "no_double", "double_take", "double_pass"
        equities = {name: float(table[name][row]) for name in names}
    return SideOfDecision(
        decision=match.decision(row),
        counted=bool(table["counted"][row]),
        error=error,
        level=table["level"][row],
        **equities,
    )


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """Every contribution of every decision to the bridges of the match, with XGID and gnuBG ID, as
    a table."""
    import pandas as pd

    return pd.DataFrame(walk.ledger_columns(walk.bridges())).drop(columns="decision")


def rate_bridges(walk: Walk) -> tuple[Bridge, ...]:
    """By player the bridge of PR, or of checker PR where PR has none."""
    rates = {seat: walk.bridge(LEADING, seat) for seat in walk.seats}
    return tuple(
        walk.bridge(CHECKER, seat) if rate.reason else rate for seat, rate in rates.items()
    )


def disagreements(walk: Walk, most: int) -> list[tuple[float, str, int, str]]:
    """The decisions that move the rates of the players most, largest first: by how much over all
    steps, whose rate, the decision, and why in the step that it moves most. One that no ID can
    describe is left out."""
    xgid, moving = walk.aligned.stated("xgid"), []
    for bridge in rate_bridges(walk):
        columns, changes = walk.ledger_columns([bridge]), bridge.by_decision.tolist()
        sizes = (-np.abs(columns["change"])).tolist()
        shares = zip(sizes, columns["decision"].tolist(), columns["cause"], strict=True)
        causes = {row: cause for _, row, cause in sorted(shares, reverse=True)}
        moving += [
            (changes[row], bridge.player, row, cause)
            for row, cause in causes.items()
            if changes[row] and xgid[row]
        ]
    moving.sort(key=lambda entry: (-abs(entry[0]), entry[2], entry[1]))
    return moving[:most]
