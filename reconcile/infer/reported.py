"""Figures that somebody saw, with the digits shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from reconcile.document import with_keys
from reconcile.errors import InvalidConfiguration, UnknownName, expect
from reconcile.files.limits import LONGEST_NUMBER
from reconcile.formats.printed import Pasted
from reconcile.gap.pairing import seat_of, seats_by_name
from reconcile.language import Number, listing, say
from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.scoring.figures import METRICS, Form, metric

LARGEST = 10**9
"""Larger than any figure of a match."""
ROUNDING = 1e-9
MOST_DECIMALS = 6
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
Parsed = tuple[float, int]
"""A number, and how many decimals it is printed with; NaN for none."""
UNKNOWN = "-"
SAME = say("figure.same")
MOST_NAMED = 4
"""Figures in a sentence."""
SINGLE_PRECISION = 1e-7
"""EMG; files keep equities of about 1 in single precision."""
SUMMED_PRECISION = 1e-5
"""Relative; what some hundred numbers are off that a program adds up in single precision."""
OF_CHANCES = 2e-5
"""Percentage points; programs keep a match equity table, and interpolate in it, in precisions of
their own."""
DOUBLE_PRECISION = 1e-9
"""Relative; the same in double precision."""
SINGLE_DIGITS = 9
"""Digits that every number of single precision needs at most."""
EXPLORED = tuple(name for name, figure in METRICS.items() if figure.form)
"""Figures that depend on the answers."""
COUNTS = tuple(name for name in EXPLORED if METRICS[name].form is Form.COUNT)
"""Of these the numbers of decisions."""
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


def printed_number(number: object) -> tuple[str, Parsed | None]:
    """A number, or one as printed: its text without what surrounds it, and its value and decimals;
    `None` for anything else."""
    if type(number) is float and -LARGEST <= number <= LARGEST:
        text = repr(number)
        if "e" not in text and len(text) <= LONGEST_NUMBER:  # in a tenth of the time
            return text, (number, len(text) - text.index(".") - 1)
    text = "" if isinstance(number, bool) else str(number)
    text = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").rstrip("%").strip()
    return text, _number(text) if len(text) <= LONGEST_NUMBER else None


@lru_cache(maxsize=10_000)
def _number(text: str) -> Parsed | None:
    try:
        number = Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None
    if number is None or not number.is_finite() or abs(number) > LARGEST:
        return None
    exponent = number.as_tuple().exponent
    return float(number), -exponent if isinstance(exponent, int) and exponent < 0 else 0


def printed_figure(name: str, value: object, remedy: str) -> Reported:
    """A figure as a program prints it, as a number or as text.

    Raises `UnknownName` for an unknown metric, `InvalidConfiguration` for no finite number or a
    broken count.
    """
    figure, (text, number) = metric(name), printed_number(value)
    wrong = ""
    if number is None:
        wrong = "a number as the program prints it"
    elif figure.is_whole and not number[0].is_integer():
        wrong = "a whole number"
    elif figure.is_whole and number[0] < 0:
        wrong = "0 or more"
    if number is None or wrong:
        shown = repr(value[:60] if isinstance(value, str) else value)[:100]
        raise InvalidConfiguration(f"{name}: expected {wrong}, found {shown}; {remedy}")
    # Programs print losses as negative numbers; ours are positive, and only luck has a sign.
    size = number[0] if figure.is_signed else abs(number[0])
    half = 0.0 if figure.is_whole else 0.5 * 10.0 ** -number[1]
    return Reported(figure.name, text, size, half)


def read_reported(figures: Mapping[str, str | float]) -> tuple[Reported, ...]:
    """Figures as printed (`"9.23"`, with a decimal comma if need be). Raises
    `InvalidConfiguration`, `UnknownName`."""
    reported = []
    for name, printed in figures.items():
        expect("reported", name, str, "the name of a metric")
        key = name.strip().lower()  # players write PR
        if metric(key).name not in EXPLORED:
            listing = ", ".join(EXPLORED)
            raise UnknownName(f"{name}: does not depend on a rule; give one of {listing}")
        reported.append(printed_figure(key, printed, "write e.g. pr=9.23"))
    return tuple(reported)


def reported_by(pasted: Pasted, match: Match, player: str) -> tuple[Reported, ...]:
    """A player's figures in a pasted text. Raises `UnknownName` if its columns are for other
    players."""
    seat = seat_of(match, player)
    column = min(seat, len(pasted.columns) - 1)
    if pasted.players:
        column = _column_of(pasted, match, seat)
    order = list(METRICS)
    figures = sorted(pasted.columns[column], key=lambda figure: order.index(figure.metric))
    return tuple(
        Reported(figure.metric, figure.text, figure.value, figure.half) for figure in figures
    )


def _column_of(pasted: Pasted, match: Match, seat: int) -> int:
    """The column of a text that names its players."""
    names = pasted.players
    both = seats_by_name(match.players, (names[0], names[1])) if len(names) == 2 else None
    own = fold(match.names[seat])
    columns = (
        [both[0][seat]]
        if both
        else [place for place, name in enumerate(names) if fold(name) == own]
    )
    if len(columns) != 1 or columns[0] >= len(pasted.columns):
        raise UnknownName(
            f"the pasted text has no column that is certainly that of {match.names[seat]!r}, "
            f"only {', '.join(map(repr, names))}; write the name there as in the match"
        )
    return columns[0]


def fits_figure(value: float | None, figure: Reported) -> bool:
    """Whether a computed figure is the reported one, within its printed digits and what programs
    compute with. A loss has no sign."""
    if value is None:
        return False
    number = value if METRICS[figure.metric].is_signed else abs(value)
    return abs(number - figure.value) <= margin(figure)


def fit_all(wanted: Sequence[Reported], figures: Mapping[str, float | None]) -> bool:
    """Whether all reported figures are these."""
    return all(fits_figure(figures[figure.metric], figure) for figure in wanted)


def halves_off(values: Floats, figure: Reported) -> Floats:
    """How far figures are off the reported one, in halves of its last digit; at most 1 fits.
    Infinite where a figure is unknown.

    A count fits only if it is equal, and half a decision off counts like half a digit.
    """
    gap = np.abs(values - figure.value)
    digits = np.maximum(gap - slack(figure), 0) / (figure.half or 0.5)
    halves: Floats = np.where(np.isnan(gap), np.inf, digits)
    return halves if figure.half else np.where(gap < ROUNDING, 0.0, 1 + halves)


def margin(figure: Reported, *, is_double: bool = False) -> float:
    """How far a figure may be off the reported one, and is still it: half of its last digit, and
    what the precision explains in which its program computes."""
    return figure.half + (DOUBLE_PRECISION * abs(figure.value) if is_double else slack(figure))


def shows_double(figure: Reported, of_program: Iterable[Reported]) -> bool:
    """Whether a figure has more than nine digits, and others of its program with as many show that
    it computes in double precision: none of them is a number of single precision."""
    rest = [other for other in of_program if other is not figure and _is_long(other)]
    return _is_long(figure) and bool(rest) and not any(map(_is_single, rest))


def _is_long(figure: Reported) -> bool:
    digits = "".join(filter(str.isdigit, figure.text.lower().partition("e")[0])).lstrip("0")
    return 0 < figure.half < 0.5 and len(digits) > SINGLE_DIGITS


def _is_single(figure: Reported) -> bool:
    return abs(float(np.float32(figure.value)) - figure.value) <= figure.half


def slack(figure: Reported) -> float:
    """How far beyond half its last digit a figure may be off, to allow for the precision in which
    the program that printed it computes.

    It is as small as it can be: in the matches of a few turns of the conformance suite programs
    that are right use nearly all of it.
    """
    if not figure.half:
        return ROUNDING
    in_chances = OF_CHANCES if METRICS[figure.metric].in_mwc else 0.0
    return SINGLE_PRECISION + SUMMED_PRECISION * abs(figure.value) + in_chances


def decimals_of(text: str) -> int:
    """The decimals of a printed number."""
    return len(text.partition(".")[2])


def printed(figure: Reported, value: float | None) -> str:
    """A figure of ours with the digits of the reported one, and more of them where it would look
    equal and is not."""
    if value is None or value != value:
        return UNKNOWN
    decimals, fits = decimals_of(figure.text), fits_figure(value, figure)
    while True:
        text = f"{value:.{decimals}f}"
        looks_equal = figure.half and float(text) == figure.value
        if fits or not looks_equal or decimals >= MOST_DECIMALS:
            return text
        decimals += 1


def shown_off(value: float | None, figure: Reported) -> float:
    """How far a figure, as it is printed, is from the reported one, in halves of its last digit;
    infinite where it is unknown."""
    text = printed(figure, value)
    if text == UNKNOWN:
        return float("inf")
    return abs(float(text) - figure.value) / (figure.half or 0.5)


def apart(figure: Reported, value: float | None) -> str:
    """How far a figure of ours is from the reported one, by the digits that are printed of both:
    `0.07 less`; empty where unknown."""
    text = printed(figure, value)
    if text == UNKNOWN:
        return ""
    gap = Decimal(text) - Decimal(repr(figure.value))
    if not gap:
        return SAME
    decimals = max(decimals_of(text), decimals_of(figure.text))
    distance = Number(f"{abs(gap):.{decimals}f}")
    return say("figure.less", by=distance) if gap < 0 else say("figure.more", by=distance)


def listed_apart(figures: Sequence[tuple[Reported, float | None]]) -> str:
    """Figures of ours in words, each with how far it is from the reported one: `PR 7.16 (0.07 less)
    and 104 decisions (1 more)`."""
    words = []
    for figure, value in figures:
        distance = apart(figure, value)
        shown = as_printed([(figure, value)])
        words.append(say("figure.part", noun=shown, part=distance) if distance else shown)
    return _first(words)


def named(figures: Sequence[tuple[str, str]]) -> str:
    """Figures by metric and text in words: `PR 9.23 and 121 decisions`."""
    return _first(
        say("figure.unknown", name=METRICS[name].words)
        if text == UNKNOWN
        else METRICS[name].in_words(text)
        for name, text in figures
    )


def as_reported(figures: Iterable[Reported]) -> str:
    """Figures in words as they were reported: `PR 7.23 and 121 decisions`."""
    return named([(figure.metric, figure.text) for figure in figures])


def as_printed(figures: Iterable[tuple[Reported, float | None]]) -> str:
    """Figures of ours in words, with the digits of the reported ones beside which they are."""
    return named([(figure.metric, printed(figure, value)) for figure, value in figures])


def _first(words: Iterable[str]) -> str:
    """The first of some figures, and how many there are beside them."""
    every = list(words)
    more = [say("figure.others", n=len(every) - MOST_NAMED)] * (len(every) > MOST_NAMED)
    return listing([*every[:MOST_NAMED], *more])


def paste_notes(pasted: Pasted, players: tuple[str, str]) -> tuple[str, ...]:
    """Notes on figures that were read from pasted text."""
    figures = sum(map(len, pasted.columns))
    unused = say("paste.unused", n=pasted.ignored)
    notes = [say("paste.read", n=figures, program=pasted.program, unused=unused)]
    if not pasted.players and len(pasted.columns) > 1:
        notes.append(say("paste.unnamed", first=players[0], second=players[1]))
    return (*notes, *(f"{note}." for note in pasted.notes))
