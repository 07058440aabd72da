"""Faults of a program that keeps something from one match to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from reconcile.infer.scorer import Both
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS

SUMS: Final = tuple(
    name for name, one in METRICS.items() if one.form is not None and one.form is not Form.RATE
)
OfEarlier = Callable[[Both, Sequence[Both]], Both]


def kept(*names: str) -> OfEarlier:
    """Figures to which those of the matches before are added."""

    def change(both: Both, earlier: Sequence[Both]) -> Both:
        return [
            {
                **own,
                **{
                    name: value + sum(before[seat].get(name) or 0 for before in earlier)
                    for name in names
                    if (value := own.get(name)) is not None
                },
            }
            for seat, own in enumerate(both)
        ]

    return change


EARLIER: Final[Mapping[str, OfEarlier]] = {
    "luck-goes-on": kept("luck.equity", "luck.mwc_percent"),
    "luck-equity-goes-on": kept("luck.equity"),
    "counts-go-on": kept(*(name for name in SUMS if name.startswith("decisions"))),
    "sums-go-on": kept(*SUMS),
    "moves-go-on": kept(*(name for name in METRICS if name.startswith("moves."))),
}
"""By name what is done to the figures of both players, with those of the matches before."""
