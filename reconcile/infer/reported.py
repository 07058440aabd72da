"""Figures that somebody saw, with the digits shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from reconcile.document import with_keys
from reconcile.errors import InvalidConfiguration, UnknownName, expect
from reconcile.files.limits import LONGEST_NUMBER
from reconcile.files.names import fold
from reconcile.files.wording import listed, plural
from reconcile.formats.printed import Pasted
from reconcile.gap.pairing import seat_of, seats_by_name
from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.scoring.metric import Metric
from reconcile.scoring.metrics import METRICS, metric

LARGEST: Final = 10**9
"""Larger than any figure of a match."""
ROUNDING: Final = 1e-9
MOST_DECIMALS: Final = 6
NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
Number = tuple[float, int]
"""A number, and how many decimals it is printed with; NaN for none."""
UNKNOWN: Final = "-"
SINGLE: Final = 1e-7
"""EMG; files keep equities of about 1 in single precision."""
ADDED: Final = 1e-5
"""Relative; what some hundred numbers are off that a program adds up in single precision."""
OF_CHANCES: Final = 2e-5
"""Percentage points; programs keep a match equity table, and interpolate in it, in precisions of their own."""
EXPLORED: Final = (
    "pr",
    "checker_pr",
    "cube_pr",
    "error_rate_memg",
    "snowie_er",
    "snowie_memg",
    *(f"decisions.{key}" for key in ("counted", "checker", "double", "take")),
    *(f"equity_error.{key}" for key in ("total", "checker", "double", "take")),
    *(f"mwc_loss_percent.{key}" for key in ("total", "checker", "double", "take")),
)
"""Figures that depend on the answers."""
if TYPE_CHECKING:
    Explored: TypeAlias = Mapping[str, float | None]
else:
    Explored = with_keys(
        "ExploredFigures",
        {name: (float | None, f"{METRICS[name].label}. {METRICS[name].page}") for name in EXPLORED},
        "Figures by name; null where unknown.",
    )


@dataclass(frozen=True, slots=True)
class Reported:
    """A figure somebody saw, and its precision."""

    metric: str
    text: str
    value: float
    half: float
    """Half of the last printed digit; 0 for a count."""


def printed_number(given: object) -> tuple[str, Number | None]:
    """A number, or one as printed: its text without what surrounds it, and its value and decimals; `None` for anything else."""
    if (
        type(given) is float
        and -LARGEST <= given <= LARGEST
        and "e" not in (text := repr(given))
        and len(text) <= LONGEST_NUMBER
    ):
        return text, (
            given,
            len(text) - text.index(".") - 1,
        )  # as the text says it, in a tenth of the time
    text = (
        ""
        if isinstance(given, bool)
        else str(given).strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").rstrip("%").strip()
    )
    return text, _number(text) if len(text) <= LONGEST_NUMBER else None


@lru_cache(maxsize=10_000)
def _number(text: str) -> Number | None:
    try:
        number = Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None
    if number is None or not number.is_finite() or abs(number) > LARGEST:
        return None
    exponent = number.as_tuple().exponent
    return float(number), -exponent if isinstance(exponent, int) and exponent < 0 else 0


def read_reported(figures: Mapping[str, str | float]) -> tuple[Reported, ...]:
    """Figures as printed (`"9.23"`, with a decimal comma if need be). Raises `InvalidConfiguration`, `UnknownName`."""
    found: dict[str, Reported] = {}
    for name, value in figures.items():
        expect("reported", name, str, "the name of a metric")
        known = metric(name.strip().lower())  # players write PR
        if known.name not in EXPLORED:
            raise UnknownName(
                f"{name}: does not depend on a rule; give one of {', '.join(EXPLORED)}"
            )
        if known.name in found:
            raise InvalidConfiguration(
                f"{name}: given twice, the second time as {known.name}; give each figure once"
            )
        text, number = printed_number(value)
        if number is None:
            raise InvalidConfiguration(
                f"{name}: expected a number as the tool prints it, found {str(value)[:60]!r}; write e.g. pr=9.23"
            )
        is_count = known.decimals == 0
        if is_count and (number[0] < 0 or not number[0].is_integer()):
            expected = "0 or more" if number[0].is_integer() else "a whole number of"
            raise InvalidConfiguration(
                f"{name}: expected {expected} decisions, found {str(value)[:60]!r}"
            )
        found[known.name] = Reported(
            known.name, text, abs(number[0]), 0.0 if is_count else 0.5 * 10.0 ** -number[1]
        )
    if not found:
        raise InvalidConfiguration(
            "expected at least one reported figure, found none; give e.g. --reported pr=9.23"
        )
    return tuple(found.values())


def reported_by(pasted: Pasted, match: Match, player: str) -> tuple[Reported, ...]:
    """A player's figures in a pasted text. Raises `UnknownName` if its columns are for other players."""
    seat = seat_of(match, player)
    column = min(seat, len(pasted.columns) - 1)
    if pasted.players:
        names = pasted.players
        both = seats_by_name(match.players, (names[0], names[1])) if len(names) == 2 else None
        same = [index for index, name in enumerate(names) if fold(name) == fold(match.names[seat])]
        found = [both[0][seat]] if both else same
        if len(found) != 1 or found[0] >= len(pasted.columns):
            raise UnknownName(
                f"the pasted text has no column that is certainly that of {match.names[seat]!r}, only {', '.join(map(repr, names))}; "
                "write the name there as in the match"
            )
        column = found[0]
    order = list(METRICS)
    figures = sorted(pasted.columns[column], key=lambda one: order.index(one.metric))
    return tuple(Reported(one.metric, one.text, one.value, one.half) for one in figures)


def fits_figure(value: float | None, one: Reported) -> bool:
    """Whether a computed figure is the reported one, within its printed digits and what programs compute with. A loss has no sign."""
    if value is None:
        return False
    off = abs((value if METRICS[one.metric].is_signed else abs(value)) - one.value)
    return off <= one.half + slack(one)


def halves_off(values: Floats, one: Reported) -> Floats:
    """How far figures are off the reported one, in halves of its last digit; at most 1 fits. Infinite where a figure is unknown.

    A count fits only if it is equal, and half a decision off counts like half a digit.
    """
    gap = np.abs(values - one.value)
    halves: Floats = np.where(
        np.isnan(gap), np.inf, np.maximum(gap - slack(one), 0) / (one.half or 0.5)
    )
    return halves if one.half else np.where(gap < ROUNDING, 0.0, 1 + halves)


def slack(one: Reported) -> float:
    """How far beyond half its last digit a figure may be off, to allow for the precision in which the program that printed it computes.

    It is as small as it can be: in the matches of a few turns of the conformance suite programs that are right use nearly all of it.
    """
    return (
        ROUNDING
        if not one.half
        else SINGLE + ADDED * abs(one.value) + (OF_CHANCES if METRICS[one.metric].in_mwc else 0.0)
    )


def printed(one: Reported, value: float | None) -> str:
    """A figure of ours with the digits of the reported one, and more of them where it would look equal and is not."""
    if value is None or value != value:
        return UNKNOWN
    decimals = len(one.text.partition(".")[2])
    text = f"{value:.{decimals}f}"
    while (
        not fits_figure(value, one)
        and one.half
        and float(text) == one.value
        and decimals < MOST_DECIMALS
    ):
        decimals += 1
        text = f"{value:.{decimals}f}"
    return text


def shown_off(value: float | None, one: Reported) -> float:
    """How far a figure, as it is printed, is from the reported one, in halves of its last digit; infinite where it is unknown."""
    text = printed(one, value)
    return float("inf") if text == UNKNOWN else abs(float(text) - one.value) / (one.half or 0.5)


def apart(one: Reported, value: float | None) -> str:
    """How far a figure of ours is from the reported one, by the digits that are printed of both: `0.07 less`; empty where unknown."""
    text = printed(one, value)
    if text == UNKNOWN:
        return ""
    gap = Decimal(text) - Decimal(repr(one.value))
    if not gap:
        return "the same"
    decimals = max(len(text.partition(".")[2]), len(one.text.partition(".")[2]))
    return f"{abs(gap):.{decimals}f} {'less' if gap < 0 else 'more'}"


def listed_apart(figures: Sequence[tuple[Reported, float | None]], most: int = 4) -> str:
    """Figures of ours in words, each with how far it is from the reported one: `PR 7.16 (0.07 less) and 104 decisions (1 more)`."""
    words = []
    for one, value in figures[:most]:
        distance = apart(one, value)
        words.append(
            f"{_named(METRICS[one.metric], printed(one, value))}{f' ({distance})' if distance else ''}"
        )
    return listed(
        [*words, *([plural(len(figures) - most, "more figure")] if len(figures) > most else [])]
    )


def named(figures: Sequence[tuple[str, str]], most: int = 4) -> str:
    """Figures by metric and text in words: `PR 9.23 and 121 decisions`."""
    words = [_named(METRICS[name], text) for name, text in figures[:most]]
    if len(figures) > most:
        words.append(plural(len(figures) - most, "more figure"))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _named(known: Metric, text: str) -> str:
    if text == UNKNOWN:
        return f"no {known.words}"
    return known.counted(text) if known.is_whole else f"{known.words} {text}"
