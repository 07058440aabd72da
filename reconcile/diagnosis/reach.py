"""What counting alone can make of a figure in one file, and which further figure tells rules apart that give the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from reconcile.diagnosis.answer_grid import Table
from reconcile.diagnosis.reported import EXPLORED, Reported
from reconcile.scoring.figures import Form
from reconcile.scoring.metrics import METRICS


class Reach(NamedTuple):
    """The values of one figure over all combinations of answers; `None` where no combination has such a figure."""

    metric: str
    low: float | None
    high: float | None
    nearest: float | None
    """The value that is closest to the reported figure."""


def reach(figures: Mapping[str, Table], wanted: Iterable[Reported]) -> tuple[Reach, ...]:
    """How far counting moves each reported figure; `figures` are those of all combinations by metric."""
    found = []
    for one in wanted:
        values = figures[one.metric][np.isfinite(figures[one.metric])]
        if len(values):
            nearest = values[np.argmin(np.abs(values - one.value))]
            found.append(Reach(one.metric, float(values.min()), float(values.max()), float(nearest)))
        else:
            found.append(Reach(one.metric, None, None, None))
    return tuple(found)


def deciding(
    rules: Sequence[tuple[str, Mapping[str, float | None]]], given: Sequence[str], not_printed: Sequence[str]
) -> tuple[str, dict[str, list[str]]] | None:
    """The figure that tells most of these rules apart, and the names of the rules for each of its values as printed.

    `rules` are names with figures by metric; `given` are the figures that are known already, `not_printed` those that the file's tool
    does not show. A count is preferred to a sum and a sum to a rate, since rounding and other figures blur them. `None` where all other
    figures agree.
    """
    for form in (Form.COUNT, Form.ERROR, Form.RATE):
        best: dict[str, dict[str, list[str]]] = {}
        for metric in (name for name in EXPLORED if METRICS[name].form is form and name not in (*given, *not_printed)):
            values: dict[str, list[str]] = {}
            for name, figures in rules:
                values.setdefault(METRICS[metric].shown(figures[metric]), []).append(name)
            best[metric] = values
        most = max(best, key=lambda name: len(best[name]), default=None)
        if most is not None and len(best[most]) > 1:
            return most, best[most]
    return None
