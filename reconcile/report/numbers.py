"""How numbers are shown: fixed decimals, a true minus sign, and a dash, never zero, for unknown
values; and columns of text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from reconcile.language import Number
from reconcile.scoring.figures import metric
from reconcile.wording import MINUS

if TYPE_CHECKING:
    from reconcile.gap.verdict import Figure


UNKNOWN = "\N{EN DASH}"
MOST_DECIMALS = 6
"""Most decimals used to show that a gap is beyond its bound."""
EQUITY_DECIMALS = 3


def number(value: float | None, decimals: int) -> str:
    """The value with fixed decimals; a value that rounds to zero has no sign."""
    if value is None or value != value:
        return UNKNOWN
    text = f"{abs(value):.{decimals}f}"
    return Number(MINUS + text if value < 0 and text.strip("0.") else text)


def signed(value: float | None, decimals: int) -> str:
    """The same with its sign, unless it rounds to zero."""
    text = number(value, decimals)
    is_more = value is not None and value > 0 and text.strip("0.")
    return Number("+" + text) if is_more else text


def figure(name: str, value: float | None) -> str:
    """A figure with its metric's decimals."""
    return number(value, metric(name).decimals)


def between(name: str, range_: tuple[float, float] | None) -> str:
    """The range of a figure that depends on an open rule; empty where it has none."""
    return "" if range_ is None else f"{figure(name, range_[0])} to {figure(name, range_[1])}"


def both_sides(figure: Figure) -> tuple[str, str]:
    """A figure as either side has it."""
    return ranged(figure.metric, figure.left, figure.left_range), ranged(
        figure.metric, figure.right, figure.right_range
    )


def ranged(name: str, value: float | None, range_: tuple[float, float] | None) -> str:
    """A figure, and its range where it depends on an open rule: `6.51 (6.51 to 6.75)`."""
    return figure(name, value) + (f" ({between(name, range_)})" if range_ else "")


def _finer(name: str) -> int:
    decimals = metric(name).decimals
    return decimals + 1 if decimals else 2


def change(name: str, value: float | None) -> str:
    """A share of a gap: one digit more than the figure unless it is a count, since shares are
    small."""
    return signed(value, _finer(name))


def gap_between(name: str, gaps: tuple[float, float]) -> str:
    """A range of gaps: `-0.05 to +0.19`."""
    return " to ".join(signed(value, metric(name).decimals) for value in gaps)


def significant(value: float, digits: int, sign: str = "") -> str:
    """A number with so many significant digits, for one whose printed digits are not known."""
    text = f"{value:{sign}.{digits}g}"
    return MINUS + text[1:] if text.startswith("-") else text


def gap_and_bound(name: str, gap: float | None, bound: float | None) -> tuple[str, str]:
    """A gap and its bound, with enough digits to see on which side of the bound the gap is."""
    shown = decimals = metric(name).decimals
    if bound is None:
        return signed(gap, decimals), UNKNOWN
    while bound != round(bound, shown) and shown < MOST_DECIMALS:
        shown += 1
    limit = number(bound, shown)
    if gap is not None:
        while abs(gap) > bound and round(abs(gap), decimals) <= bound and decimals < MOST_DECIMALS:
            decimals += 1
    return signed(gap, decimals), limit


def bound_of_list(bound: float) -> str:
    """The bound of a figure of a list, with the digits that it needs: `0.0001`, `0.000054`."""
    return f"{bound:.{MOST_DECIMALS}f}".rstrip("0").rstrip(".")


def gap_shown(figure: Figure) -> tuple[str, str]:
    """The gap of a figure and its bound: the difference of the figures as they are printed, unless
    the verdict hangs on more digits."""
    gap, bound = gap_and_bound(figure.metric, figure.gap, figure.tolerance)
    decimals = metric(figure.metric).decimals
    if figure.gap is None or figure.left is None or figure.right is None:
        return gap, bound
    left, right = (float(f"{value:.{decimals}f}") for value in (figure.left, figure.right))
    printed, limit = round(right - left, decimals), figure.tolerance
    if limit is not None and (abs(printed) > limit) is not (abs(figure.gap) > limit):
        return gap, bound
    return gap if len(gap.partition(".")[2]) > decimals else signed(printed, decimals), bound


def beyond_known(figure: Figure) -> str:
    """What follows the bound of a figure with a known gap; empty without one."""
    gap = figure.known_gap
    return "" if gap is None else f" beyond the known gap {change(figure.metric, gap)}"


def ascii_minus(text: str) -> str:
    """The number with a plain hyphen, for terminals and logs, where people search with it."""
    return text.replace(MINUS, "-").replace(UNKNOWN, "-")


GAP = "  "
NARROW = " "
WIDTH = 80


def aligned(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), width: int = WIDTH
) -> Iterator[str]:
    """Rows as columns of equal width, those in `right` aligned to the right; no blanks at the end.

    Columns that would not fit the width stand closer together.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = GAP if sum(widths) + len(GAP) * (len(widths) - 1) <= width else NARROW
    for row in rows:
        cells = (
            f"{cell:{'>' if index in right else '<'}{widths[index]}}"
            for index, cell in enumerate(row)
        )
        yield gap.join(cells).rstrip()
