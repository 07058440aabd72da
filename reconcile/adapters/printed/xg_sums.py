"""The arithmetic between the rows of XG's summary: sums of classes, rates, and luck that is the same for both with the other sign.

Every relation held on six sides of three summaries within half a last digit of what is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.adapters.printed.figures import PastedFigure

NOISE: Final = 1e-9
CLASSES: Final = ("checker", "double", "take")
_LOSSES: Final = ("equity_error", "mwc_loss_percent")
SUMS: Final[Mapping[str, tuple[str, ...]]] = {
    "decisions.counted": tuple(f"decisions.{name}" for name in CLASSES),
    **{f"{group}.total": tuple(f"{group}.{name}" for name in CLASSES) for group in ("errors", "blunders", *_LOSSES)},
    **{f"{group}.double": (f"{group}.wrong_double", f"{group}.missed_double") for group in _LOSSES},
    **{f"{group}.take": (f"{group}.wrong_take", f"{group}.wrong_pass") for group in _LOSSES},
}
"""A figure, and those of which it is the sum."""
RATES: Final[Mapping[str, tuple[float, tuple[str, ...], tuple[str, ...]]]] = {
    "pr": (500.0, ("equity_error.total",), ("decisions.counted",)),
    "level": (1.0, ("equity_error.total",), ("decisions.counted",)),
    "checker_pr": (500.0, ("equity_error.checker",), ("decisions.checker",)),
    "cube_pr": (500.0, ("equity_error.double", "equity_error.take"), ("decisions.double", "decisions.take")),
}
"""A rate: its factor, the losses, and the decisions by which they are divided."""
MIRRORED: Final = ("luck.net_equity", "luck.net_mwc_percent", "luck.rate")
"""Figures of luck that are net: the second player's is minus the first's."""

Column = Mapping[str, PastedFigure]


def contradictions(players: Sequence[str], columns: tuple[Column, Column]) -> Iterator[str]:
    """A sentence for every relation that does not hold; relations with an unknown figure are passed over."""
    for name, column in zip(players, columns, strict=True):
        for sentence in _of_one(column):
            yield f"{name}: {sentence}"
    one, two = columns
    for metric in MIRRORED:
        if metric in one and metric in two and abs(one[metric].value + two[metric].value) > one[metric].half + two[metric].half + NOISE:
            texts = f"{one[metric].text} of {players[0]} and {two[metric].text} of {players[1]}"
            yield f"{metric} is {texts}, expected the same with the other sign"
    if "luck.rating_percent" in one and "luck.rating_percent" in two:
        shares = [one["luck.rating_percent"], two["luck.rating_percent"]]
        if abs(sum(share.value for share in shares) - 100) > sum(share.half for share in shares) + NOISE:
            yield f"luck.rating_percent is {shares[0].text} and {shares[1].text}, expected 100 together"
    yield from _luck_rate(columns)


def _of_one(column: Column) -> Iterator[str]:
    for metric, parts in SUMS.items():
        if metric in column and all(part in column for part in parts):
            total, found = column[metric], [column[part] for part in parts]
            added = sum(part.value for part in found)
            if abs(total.value - added) > total.half + sum(part.half for part in found) + NOISE:
                yield f"{metric} is {total.text}, but {' + '.join(parts)} is {added:.{3 if total.half else 0}f}"
    for group in (*CLASSES, "total"):
        errors, blunders = column.get(f"errors.{group}"), column.get(f"blunders.{group}")
        if errors and blunders and blunders.value > errors.value:
            yield f"blunders.{group} is {blunders.text}, more than the errors, {errors.text}"
    for metric, (factor, losses, decisions) in RATES.items():
        if metric not in column or not all(part in column for part in (*losses, *decisions)):
            continue
        rate, lost = column[metric], [column[part] for part in losses]
        number = sum(column[part].value for part in decisions)
        if number:
            given = factor * sum(part.value for part in lost) / number
            if abs(rate.value - given) > rate.half + factor * sum(part.half for part in lost) / number + NOISE:
                name = "the level of play" if metric == "level" else metric
                yield f"{name} is {rate.text}, but {' + '.join(losses)} by {' + '.join(decisions)} gives {given:.4f}"


def _luck_rate(columns: tuple[Column, Column]) -> Iterator[str]:
    wanted = ("luck.net_equity", "luck.rate", "luck.rolls")
    if all(name in columns[0] for name in wanted) and "luck.rolls" in columns[1]:
        net, rate = columns[0]["luck.net_equity"], columns[0]["luck.rate"]
        rolls = columns[0]["luck.rolls"].value + columns[1]["luck.rolls"].value
        if rolls and abs(rate.value - net.value / rolls) > rate.half + net.half / rolls + NOISE:
            yield f"luck.rate is {rate.text}, but luck.net_equity by the rolls of both players gives {net.value / rolls:.4f}"
