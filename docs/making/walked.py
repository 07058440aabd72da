"""The bridge of the demonstration pair, as in `compare --json`."""

from __future__ import annotations

from functools import cache
from typing import Final

from docs.making.markdown import code, number, prose, table
from docs.making.pack import bundled
from reconcile.document import Row
from reconcile.gap.comparison import compare
from reconcile.gap.walk import Bridge
from reconcile.results.comparison import ComparisonDocument, comparison_document

DEMONSTRATION: Final = "demonstration"
LARGEST: Final = 8


@cache
def document() -> ComparisonDocument:
    """The comparison of the demonstration pair."""
    by_handle = {
        bundle.handle: bundle.match for bundle in bundled() if bundle.manifest.id == DEMONSTRATION
    }
    comparison = compare(by_handle["xg"], by_handle["gnubg"])
    return comparison_document(comparison)


def _bridge() -> Bridge:
    """The PR of the left file's first player."""
    player = document().left.players[0]
    return next(
        bridge
        for bridge in document().bridge or ()
        if bridge.player == player and bridge.metric == "pr"
    )


def _rows() -> list[Row]:
    bridge = _bridge()
    return [
        row
        for row in document().ledger or ()
        if (row["player"], row["metric"]) == (bridge.player, bridge.metric)
    ]


def steps() -> str:
    """The steps of one figure."""
    bridge = _bridge()
    rows: list[tuple[object, ...]] = [
        ("", f"PR of {bridge.player} in the left file", number(bridge.start, 4), "")
    ]
    rows += [
        (code(step.code), prose(step.title), signed(step.change), step.decisions)
        for step in bridge.steps
    ]
    rows.append(("", "in the right file", number(bridge.end, 4), ""))
    return table(["step", "what happens", "PR", "decisions"], rows, "llrr")


def largest() -> str:
    """The decisions that move the figure most."""
    rows = sorted(_rows(), key=lambda row: -abs(row["change"]))[:LARGEST]
    return table(
        ["game, turn", "kind", "step", "cause", "PR"],
        (
            (
                f"{row['game']}, {row['turn']}",
                row["kind"],
                code(row["step"]),
                f"[{code(row['cause'])}](causes.md#{row['cause']})",
                signed(row["change"]),
            )
            for row in rows
        ),
        "llllr",
    )


def balance() -> str:
    """The check of the sum."""
    bridge, rows = _bridge(), _rows()
    left, right = bridge.start, bridge.end
    if left is None or right is None:
        raise ValueError("expected a PR of both files of the demonstration")
    gap = right - left
    by_steps = sum(step.change for step in bridge.steps)
    by_rows = sum(row["change"] for row in rows)
    within = max(abs(gap - by_steps), abs(gap - by_rows)) < BALANCED
    checked = [
        ("right minus left", signed(gap, 9)),
        ("sum of the steps", signed(by_steps, 9)),
        (f"sum of the ledger's {len(rows)} rows for this figure", signed(by_rows, 9)),
        ("equal to 1e-9", "yes" if within else "no"),
    ]
    return table(["", "PR"], checked, "lr")


BALANCED: Final = 1e-9


def signed(value: float, decimals: int = 4) -> str:
    """A change with its sign."""
    text = number(value, decimals)
    return text if value <= 0 or not float(f"{value:.{decimals}f}") else f"+{text}"
