"""Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as
a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reconcile.gap.aligned import Aligned
from reconcile.gap.bridge import Bridge
from reconcile.gap.rows import apart
from reconcile.gap.walk import Walk
from reconcile.language import say
from reconcile.scoring.metrics import CHECKER, LEADING

if TYPE_CHECKING:
    import pandas as pd


def opinions(aligned: Aligned, decision: int) -> list[str]:
    """What either side says of a decision: the error, with the digits that show how they differ,
    and whether it does not count."""
    errors = aligned.error[:, decision]
    words: list[str] = []
    columns = (
        aligned.decided[:, decision],
        errors,
        aligned.counted[:, decision],
        apart(*np.nan_to_num(errors)),
    )
    for there, error, counted, number in zip(*columns, strict=True):
        if not there:
            words.append(say("row.not-there"))
        elif error != error:
            words.append(say("row.not-analysed"))
        elif counted:
            words.append(number)
        else:
            words.append(
                say("row.costs-uncounted", error=number)
                if float(number)
                else say("row.not-counted")
            )
    return words


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
