"""The figures of two files side by side, judged, with the shares of their gaps; and those of every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reconcile.gap.bridge import SHARES, shares
from reconcile.gap.pairing import Pairing
from reconcile.gap.verdict import UNGATED, Figure, judged, judged_share
from reconcile.gap.walk import Walk
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import gap_range, open_range
from reconcile.scoring.statistics import Coverage, Statistics

if TYPE_CHECKING:
    from reconcile.gap.bounds import Gate


def figures_of(scored: tuple[Statistics, Statistics], pairing: Pairing, gate: Gate, seats: tuple[int, ...]) -> Iterator[Figure]:
    """Every figure of the players at these seats of the left file, judged."""
    left, right = scored
    undecided = open_range(left).figures, open_range(right).figures
    for seat in seats:
        sides = (left.figures(seat), right.figures(pairing.seats[seat]))
        covered = (left.completeness(seat), right.completeness(pairing.seats[seat]))
        for name in METRICS:
            figure = Figure(
                metric=name,
                player=left.match.names[seat],
                left=sides[0][name],
                right=sides[1][name],
                gap=None,
                tolerance=None,
                level=None,
                verdict=UNGATED,
                left_range=undecided[0][seat].get(name),
                right_range=undecided[1][pairing.seats[seat]].get(name),
                gap_range=gap_range(left, right, (seat, pairing.seats[seat]), name),
            )
            yield judged(figure, gate, _missing(name, covered))


def shares_of(walk: Walk, figures: Sequence[Figure], gate: Gate) -> Iterator[Figure]:
    """The shares of gaps that the table bounds, from the bridges of their figures."""
    wanted = {name for name in gate.table.entries if "@" in name}
    for figure in figures if wanted else ():
        parts = [share for share in SHARES if f"{figure.metric}@{share}" in wanted]
        if not parts:
            continue
        bridge = walk.bridge(figure.metric, walk.left.match.names.index(figure.player))
        changes = shares(bridge)
        for share in parts:
            yield judged_share(figure, share, None if bridge.reason else changes.get(share, 0.0), gate, bridge.reason)


def _missing(name: str, covered: tuple[dict[str, Coverage], dict[str, Coverage]]) -> str:
    words = {"checker": "checker plays", "cube": "cube decisions", "luck": "rolls"}
    return "; ".join(
        f"{side}: {coverage[part].analysed} of {coverage[part].expected} {words[part]}"
        for part in METRICS[name].parts
        for side, coverage in zip(("left", "right"), covered, strict=True)
        if not coverage[part].complete
    )


def figures_by_game(
    scored: tuple[Statistics, Statistics], pairing: Pairing, seats: tuple[int, ...]
) -> Iterator[tuple[int, tuple[Figure, ...]]]:
    """The figures of every game by its number; never judged."""
    left, right = scored
    others = {number: index for index, number in enumerate(right.match.games.number.tolist())}
    for index, number in enumerate(left.match.games.number.tolist()):
        other = others.get(number)
        figures = []
        for seat in seats:
            one = left.figures(seat, index)
            two = right.figures(pairing.seats[seat], other) if other is not None else dict.fromkeys(METRICS)
            for name in METRICS:
                here, there = one[name], two[name]
                gap = there - here if here is not None and there is not None else None
                figures.append(Figure(name, left.match.names[seat], here, there, gap, None, None, UNGATED))
        yield number, tuple(figures)
