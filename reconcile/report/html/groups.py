"""The figures in the order of the tables that players know from XG and gnuBG."""

from __future__ import annotations

from typing import Final

from reconcile.scoring.metrics import METRICS

GROUPS: Final = (
    ("Overall", ("pr", "error_rate_memg", "snowie_er", "snowie_memg", "equity_error.total")),
    ("Checker play", ("checker_pr", "decisions.checker", "equity_error.checker")),
    ("Cube", ("cube_pr", "decisions.double", "decisions.take", "equity_error.double", "equity_error.take")),
    (
        "Match winning chance",
        ("mwc_loss_percent.total", "mwc_loss_percent.checker", "mwc_loss_percent.double", "mwc_loss_percent.take"),
    ),
    ("Luck", ("luck.equity", "luck.mwc_percent")),
    ("Counts", ("decisions.counted", "moves.total", "moves.unforced", "moves.forced")),
)


def grouped(present: set[str]) -> list[tuple[str, list[str]]]:
    """Groups of the metrics that are present; one that no group names yet comes last, so that none is lost."""
    found = [(title, [name for name in names if name in present]) for title, names in GROUPS]
    known = {name for _, names in GROUPS for name in names}
    found.append(("Others", [name for name in METRICS if name in present and name not in known]))
    return [(title, names) for title, names in found if names]
