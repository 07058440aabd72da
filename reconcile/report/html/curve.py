"""The curve of a match: the chances before every decision, a line for each analysis, and the
errors, marked by player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from reconcile.match.columns import Floats
from reconcile.report.html.charts import coordinate, scale
from reconcile.report.html.decision_list import PLAYERS, MatchDecisions, look

HIGH: Final = 100.0
NEAR: Final = 4
"""Decisions between two known chances of a game that a line joins; what lies between is mostly a
play without a choice."""
APART: Final = 3.5
"""Per cent of the width between two numbers of games: on a phone two digits take as much."""
ROLLS: Final = 5
"""How many of the luckiest rolls are marked, and of the unluckiest."""


def chart(decisions: MatchDecisions, styles: Sequence[str]) -> dict[str, Any]:
    """The curve with its title and its legend; without anything analysed the title says so."""
    drawn = 1 if decisions.leads else len(styles)
    name = decisions.match.names[0]
    title = (
        f"Equity of {name} (EMG)"
        if decisions.match.is_money
        else f"{name}'s chance to win the match"
    )
    inside = (
        "".join(_parts(decisions, styles[:drawn]))
        if (decisions.chances == decisions.chances).any()
        else ""
    )
    return {
        "title": title if inside else f"{title} is not known: nothing is analysed.",
        "labels": decisions.labels[:drawn] if inside and not decisions.leads else (),
        "inside": inside,
        "luck": bool((decisions.luck == decisions.luck).any()),
        "now": f"{100 * (decisions.start + 0.5) / len(decisions.shown):.2f}%",
    }


def _parts(decisions: MatchDecisions, styles: Sequence[str]) -> Iterator[str]:
    values, count = decisions.chances, len(decisions.shown)
    ticks: Sequence[tuple[float, str]] = ((0.0, "0"), (0.5, "50"), (1.0, "100 %"))
    low, high = -0.03, 1.03
    if decisions.match.is_money:
        most = float(np.nanmax(np.abs(values))) or 1.0
        low, high = -1.05 * most, 1.05 * most
        axis = scale(-most, most, 0, 1, 2)
        ticks = [(tick, f"{tick:.{axis.decimals}f}".replace("-", "−")) for tick in axis.ticks]
    heights = HIGH * (high - values) / (high - low)

    def across(index: float) -> str:
        return f"{100 * (index + 0.5) / count:.2f}%"

    game = decisions.items.game[decisions.shown]
    starts = [0, *(np.flatnonzero(np.diff(game)) + 1).tolist()]
    for at in starts[1:]:
        x = across(at - 0.5)
        yield f'<line x1="{x}" x2="{x}" y1="0" y2="100%" class="game"/>'
    for value, name in ticks:
        y = HIGH * (high - value) / (high - low)
        if 0 <= y <= HIGH:
            yield f'<line x1="0" x2="100%" y1="{y:.1f}%" y2="{y:.1f}%" class="middle"/>'
            above = min(max(y - 2, 10), 97)
            yield f'<text class="axis" x="100%" y="{above:.1f}%">{name}</text>'
    for side, style in zip(heights, styles, strict=False):
        yield _line(side, game, style)
    yield from _errors(decisions, heights, across)
    yield from _rolls(decisions, heights, across)
    last = -APART
    for at in starts:
        if 100 * at / count - last >= APART:
            last = 100 * at / count
            yield f'<text x="{across(at)}" y="11">{game[at]}</text>'


def _line(side: Floats, game: Any, style: str) -> str:
    """The line of one analysis, stretched to the width of the page."""
    path, before = [], -1
    for index in np.flatnonzero(side == side).tolist():
        near = before >= 0 and index - before <= NEAR and game[index] == game[before]
        path.append(f"{'L' if near else 'M'}{index} {side[index]:.1f}")
        before = index
    if not path:
        return ""
    return (
        f'<svg viewBox="-.5 0 {len(side)} {HIGH:g}" preserveAspectRatio="none" width="100%" '
        f'height="100%" aria-hidden="true"><path d="{"".join(path)}" class="line {style}"/></svg>'
    )


def _errors(decisions: MatchDecisions, heights: Floats, across: Any) -> Iterator[str]:
    """A light disc for the first player, a dark square for the second, the larger the error the
    larger."""
    player = decisions.items.player[decisions.shown]
    for index in np.flatnonzero(decisions.wrong.any(axis=0)).tolist():
        here = heights[:, index]
        if not (here == here).any():
            continue
        error = float(decisions.worst[index])
        radius = round(2 + 3 * min(error, 0.2) / 0.2, 1)
        y, style = f"{np.nanmean(here):.1f}%", f"{look(error)} {PLAYERS[player[index]]}"
        if player[index]:
            size = coordinate(2 * radius)
            yield (
                f'<rect x="{across(index)}" y="{y}" width="{size}" height="{size}" '
                f'transform="translate({-radius:g} {-radius:g})" class="{style}"/>'
            )
        else:
            r = coordinate(radius)
            yield f'<circle cx="{across(index)}" cy="{y}" r="{r}" class="{style}"/>'


def _rolls(decisions: MatchDecisions, heights: Floats, across: Any) -> Iterator[str]:
    """Triangles up for the luckiest rolls of the match, down for the unluckiest, shown on
    demand."""
    rolls = np.flatnonzero(decisions.luck == decisions.luck)
    order = rolls[np.argsort(decisions.luck[rolls], kind="stable")]
    for indices, sign in ((order[:ROLLS], "▼"), (order[::-1][:ROLLS], "▲")):
        for index in indices.tolist():
            here = heights[:, index]
            if (here == here).any() and decisions.luck[index] * (1 if sign == "▲" else -1) > 0:
                y = f"{np.nanmean(here):.1f}%"
                yield f'<text class="roll" x="{across(index)}" y="{y}">{sign}</text>'
