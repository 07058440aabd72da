"""The curve of a match: the chances before every decision, a line for each analysis, and the errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from reconcile.report.html.decision_list import Seen, look
from reconcile.report.html.svg import tag, text

HIGH: Final = 100.0
NEAR: Final = 4
"""Decisions between two known chances of a game that a line joins; what lies between is mostly a play without a choice."""


def curve(seen: Seen, styles: Sequence[str]) -> str:
    """The chances along the match: a line for every analysis, games apart, errors marked by size; empty where nothing is known."""
    values, count = seen.chances, len(seen.kept)
    if not (values == values).any():
        return ""
    most = float(np.nanmax(np.abs(values))) or 1.0
    low, high = (-1.05 * most, 1.05 * most) if seen.match.is_money else (-0.03, 1.03)
    heights = HIGH * (high - values) / (high - low)

    def across(index: float) -> str:
        return f"{100 * (index + 0.5) / count:.2f}%"

    game = seen.items.game[seen.kept]
    starts = [0, *(np.flatnonzero(np.diff(game)) + 1).tolist()]
    parts = [
        tag("line", x1=across(at - 0.5), x2=across(at - 0.5), y1="0", y2="100%", class_="game")
        for at in starts[1:]
    ]
    parts.append(tag("line", x1="0", x2="100%", y1="50%", y2="50%", class_="middle"))
    for side, style in zip(heights, styles, strict=False):
        path, before = [], -1
        for index in np.flatnonzero(side == side).tolist():
            near = before >= 0 and index - before <= NEAR and game[index] == game[before]
            path.append(f"{'L' if near else 'M'}{index} {side[index]:.1f}")
            before = index
        if path:
            inner = tag("path", d="".join(path), class_=f"line {style}")
            stretched = {
                "preserveAspectRatio": "none",
                "width": "100%",
                "height": "100%",
                "aria_hidden": "true",
            }
            parts.append(tag("svg", inner, viewBox=f"-.5 0 {count} {HIGH:g}", **stretched))
    for index in np.flatnonzero(seen.wrong.any(axis=0)).tolist():
        here = heights[:, index]
        if (here == here).any():
            size = float(seen.worst[index])
            radius = round(2.5 + 4.5 * min(size, 0.2) / 0.2, 1)
            parts.append(
                tag(
                    "circle",
                    cx=across(index),
                    cy=f"{np.nanmean(here):.1f}%",
                    r=radius,
                    class_=look(size),
                )
            )
    parts += [
        text(str(int(game[at])), 0, 11).replace('x="0"', f'x="{across(at)}"') for at in starts
    ]
    return "".join(parts)
