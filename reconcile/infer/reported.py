"""Figures that somebody saw, with the digits shown; and what else they can be that the file's own
rules do not give: ordinary mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache, partial
from math import prod
from operator import ne
from pathlib import Path
from string import digits
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np

from reconcile.document import Amount, Document, Key, Text, with_keys
from reconcile.errors import InvalidConfiguration, UnknownName, expect
from reconcile.files.bundled import read_pages
from reconcile.files.limits import LONGEST_NUMBER
from reconcile.formats.printed import Pasted
from reconcile.gap.pairing import seat_of, seats_by_name
from reconcile.language import Number, joined, listing, opening, say
from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.match.tools import short_name
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import (
    METRICS,
    Figures,
    Form,
    figures_of,
    metric,
    short_metric,
    short_names,
    totals_of,
)
from reconcile.scoring.findings import levels_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import EXPECTED, Totals

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


# -- ordinary mistakes -----------------------------------------------------------------------------
#
# A check looks at the figures that somebody gave for a player and at every figure of the match: of
# both players, of every game, under every known rule set. It holds if it accounts for all the given
# figures; how many of its alternatives would fit a number of these digits by chance is estimated,
# and said where it is more than a hundredth. Their pages are in `checks.md`, in the order in which
# they are tried; to add one, write its page and its finder here.
#
# Figures of an analysis that is not complete: those that depend on rules, however few of their
# decisions are analysed.

PARTS = ("checker", "cube")


def figures_in_part(ours: Statistics, seat: int, row: int | None = None) -> Figures:
    """The figures of a player, for the match or a row of `Match.games`; those that depend on rules
    however few of their decisions are analysed, and `None` where none is."""
    figures, covered = ours.figures_at(seat, row), ours.completeness_at(seat, row)
    if all(covered[part].complete for part in PARTS):
        return figures
    in_part = figures_of(totals_in_part(ours, row), EXPLORED)
    numbers = {name: float(values[seat]) for name, values in in_part.items()}
    return figures | {
        name: None if np.isnan(number) else number for name, number in numbers.items()
    }


def totals_in_part(ours: Statistics, row: int | None) -> Totals:
    """What such figures of both players are made of: a part of an analysis is shown where any of it
    was analysed, or there is nothing to be."""
    sums, match = ours.sums.of(row), ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    analysed = {part: sums[f"{part} analysed"] > 0 for part in PARTS}
    shown = {part: analysed[part] | (sums[EXPECTED[part]] == 0) for part in PARTS}
    shown["decisions"] = analysed["checker"] | analysed["cube"]
    return replace(totals, shown={**totals.shown, **shown})


CHECKS = read_pages(Path(__file__).with_name("checks.md"))
"""Every check by code, in the order in which they are tried."""
LAST = frozenset(("mistyped-digit", "level"))
"""Those that are tried only if nothing else accounts for the figures."""
MOST_ACCIDENTS = 0.5
"""Fits by chance to be expected among the alternatives of a check; with more it says nothing."""
MOST_UNSAID = 0.01
"""With more of them the sentence says how many."""
MOST_IF_EXPLAINED = 0.001
"""The most where the rules of another program give the figures, and for the rules of another
program: only several figures reach it."""
BY_EVERY_RULES = frozenset(("other-player", "mistyped-digit", "one-game"))
"""Those for which the rules of another program are as good as the file's own."""
FACTORS: Mapping[float, str] = {
    2.0: say("factor.twice"),
    0.5: say("factor.half"),
    1000.0: say("factor.times", number=1000),
    0.001: say("factor.part", number=1000),
    100.0: say("factor.times", number=100),
    0.01: say("factor.part", number=100),
    10.0: say("factor.times", number=10),
    0.1: say("factor.part", number=10),
    0.002: say("factor.part", number=500),
}
"""Factors by which figures are given in other units, each in words."""
_SHORT = tuple(map(short_metric, EXPLORED))
if TYPE_CHECKING:
    CheckCode: TypeAlias = str
else:
    CheckCode = Literal[tuple(CHECKS)]


@dataclass(frozen=True, slots=True)
class HoldingCheck(Document):
    """An ordinary mistake that accounts for the reported figures."""

    code: CheckCode
    """Its code; `reconcile explain CODE` prints its page."""
    sentence: Text
    """What was found."""
    figures: Annotated[
        Mapping[str, float | None], Key(by=short_names, kind=dict[Literal[_SHORT], float | None])
    ]
    """The figures that it accounts for, as this file has them."""
    by_chance: Amount
    """How many of the alternatives that were tested can be expected to fit by chance."""

    @property
    def is_proven(self) -> bool:
        """Whether chance hardly gives as much."""
        return self.by_chance <= MOST_UNSAID


@dataclass(frozen=True)
class Sighting:
    """Figures that somebody gave for a player, beside the match under a rule set."""

    seat: int
    game: int | None
    """Index of the game, from 0; `None` for the match."""
    wanted: tuple[Reported, ...]
    under: Mapping[str, Statistics]
    """By rule set, the file's own first."""
    rules: str
    """The rule set."""

    @property
    def is_own(self) -> bool:
        """Whether the rule set is that of the tool that wrote the file."""
        return self.rules == next(iter(self.under))

    @property
    def statistics(self) -> Statistics:
        """The match under the rule set."""
        return self.under[self.rules]

    @property
    def by(self) -> str:
        """By which rules, where they are not the file's own."""
        return "" if self.is_own else say("check.by", rules=self.rules)

    @property
    def names(self) -> tuple[str, str]:
        """The player's and the opponent's."""
        names = self.match.names
        return names[self.seat], names[1 - self.seat]

    @property
    def match(self) -> Match:
        """The match."""
        return self.statistics.match

    @cached_property
    def plain(self) -> Figures:
        """The player's figures, however few decisions are analysed."""
        return figures_in_part(self.statistics, self.seat, self.game)

    @cached_property
    def wrong(self) -> list[Reported]:
        """The given figures that are others by the rules. A mistake gives these: not every figure
        goes through it."""
        return [figure for figure in self.wanted if not fit_all([figure], self.plain)]

    def off(self, figures: Sequence[Reported]) -> list[tuple[Reported, float | None]]:
        """Given figures, each with its value by the rules."""
        return [(figure, self.plain[figure.metric]) for figure in figures]

    def ours(self) -> str:
        """What the file's own rules give, in words, with the digits of the figures."""
        shown = next(iter(self.under.values())).figures_at(self.seat, self.game)
        return as_printed((figure, shown[figure.metric]) for figure in self.wanted)

    def accident(self, figures: Sequence[Reported]) -> float:
        """How likely any one number of this size fits the figures by chance; counts are closer
        together than other figures."""
        widths = ((figure, 2 * margin(figure) if figure.half else 2.0) for figure in figures)
        return prod(
            min(1.0, width / figure.value) if figure.value else 1.0 for figure, width in widths
        )


def _shared(figures: Sequence[Reported], beside: Sighting) -> dict[str, Any]:
    """What sentences about figures share: the figures, their number, by which rules they fit."""
    first = METRICS[figures[0].metric]
    n = 2 if len(figures) > 1 or (first.is_whole and figures[0].value != 1) else 1
    return {"figures": as_reported(figures), "n": n, "by": beside.by}


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative that accounts for the given figures."""

    figures: Figures
    sentence: str
    accidents: float
    """How many of the check's alternatives under one rule set can be expected to fit by chance."""


Finder: TypeAlias = Callable[[Sighting], Fit | None]


def other_player(sighting: Sighting) -> Fit | None:
    """All figures are the opponent's."""
    figures = figures_in_part(sighting.statistics, 1 - sighting.seat, sighting.game)
    if not fit_all(sighting.wanted, figures):
        return None
    player, other = sighting.names
    shared = _shared(sighting.wanted, sighting)
    words = say("check.other", **shared, other=other, player=player, ours=sighting.ours())
    return Fit(figures, words, sighting.accident(sighting.wanted))


def one_game(sighting: Sighting) -> Fit | None:
    """All figures are those of a game instead of the match, or the other way round."""
    parts = {None: say("check.match")} | {
        row: say("evidence.game", game=number)
        for row, number in enumerate(sighting.match.games.number.tolist())
    }
    asked = parts.pop(sighting.game)
    each = {row: figures_in_part(sighting.statistics, sighting.seat, row) for row in parts}
    fitting = [row for row in parts if fit_all(sighting.wanted, each[row])]
    if not fitting:
        return None
    where = {"part": joined(" / ", *(parts[row] for row in fitting)), "asked": asked}
    shared = _shared(sighting.wanted, sighting) | where
    words = say("check.game", **shared, player=sighting.names[0], ours=sighting.ours())
    return Fit(each[fitting[0]], words, len(parts) * sighting.accident(sighting.wanted))


def factor(sighting: Sighting) -> Fit | None:
    """All figures that differ are scaled by one factor; counts are never scaled."""
    wrong, figures = sighting.wrong, sighting.plain
    if any(figure.metric in COUNTS for figure in wrong):
        return None
    for number, words in FACTORS.items():
        times = {name: None if value is None else number * value for name, value in figures.items()}
        if fit_all(wrong, times):
            values = [(each.metric, figures[each.metric]) for each in wrong]
            ours = named([(metric, METRICS[metric].shown(value)) for metric, value in values])
            shared = _shared(wrong, sighting)
            facts = {**shared, "times": words, "player": sighting.names[0], "ours": ours}
            accidents = len(FACTORS) * sighting.accident(wrong)
            return Fit(figures, say("check.factor", **facts), accidents)
    return None


def mistyped_digit(sighting: Sighting) -> Fit | None:
    """One figure differs in one digit as it is printed, and all others are right; one that the
    rules of another program give is not mistyped.

    Another analysis leaves the numbers of decisions as they are, another way of counting the sums
    of errors; so neither proves anything by itself.
    """
    right = [figure for figure in sighting.wanted if figure not in sighting.wrong]
    if len(sighting.wrong) != 1 or not right:
        return None
    ((figure, value),) = sighting.off(sighting.wrong)
    share = share_as_like(figure.text.lstrip("+-"), printed(figure, value))
    each = [replace(sighting, rules=rules).plain for rules in sighting.under]
    if share is None or any(fit_all([figure], figures) for figures in each):
        return None
    tested = {printed(figure, plain[figure.metric]) for plain in each if fit_all(right, plain)}
    proof = max(
        sighting.accident([figure for figure in right if METRICS[figure.metric].form is not form])
        for form in (Form.COUNT, Form.ERROR)
    )
    fit = say("check.fit", **_shared(right, sighting))
    off = {"figure": as_reported([figure]), "ours": listed_apart([(figure, value)])}
    words = say("check.digit", fit=fit, n=_shared([figure], sighting)["n"], **off)
    return Fit(sighting.plain, words, min(share * len(tested) * proof, 1.0))


def share_as_like(text: str, ours: str) -> float | None:
    """How many of the numbers that are at most as far from ours as a text is differ from it in one
    digit, as a share; `None` where the text differs in more, or in none."""
    if len(text) != len(ours) or sum(map(ne, text, ours)) != 1:
        return None
    own, written = ours.replace(".", ""), text.replace(".", "")
    away = abs(int(written) - int(own))
    like = sum(
        0 < abs(int(f"{own[:at]}{digit}{own[at + 1 :]}") - int(own)) <= away
        for at in range(len(own))
        for digit in digits
    )
    return like / (away + min(away, int(own)))


def level(sighting: Sighting) -> Fit | None:
    """As many decisions count, and what they lost is another: another analysis."""
    counts = [figure for figure in sighting.wanted if figure.metric in COUNTS]
    if not counts or {*sighting.wrong}.intersection(counts):
        return None
    wrong, shares = sighting.wrong, [share.label for share, _ in levels_of(sighting.match)]
    fit = say("check.fit", **_shared(counts, sighting))
    off = {"figures": as_reported(wrong), "ours": listed_apart(sighting.off(wrong))}
    words = say(
        "check.level",
        fit=fit,
        n=_shared(wrong, sighting)["n"],
        **off,
        player=sighting.names[0],
        analysis=joined(", ", short_name(sighting.match.source.tool), *shares),
    )
    return Fit(sighting.plain, words, sighting.accident(counts))


FINDERS: Mapping[str, Finder] = {
    "other-player": other_player,
    "mistyped-digit": mistyped_digit,
    "one-game": one_game,
    "factor": factor,
    "level": level,
}
"""What holds figures against a rule set."""


def sighting_of(
    under: Mapping[str, Statistics], seat: int, game: int | None, wanted: tuple[Reported, ...]
) -> Sighting:
    """Figures of a player (by seat) and game (index from 0, `None` for the match) beside the file's
    own rules; `under` is the match under every rule set by name."""
    own = own_rules(next(iter(under.values())).match).name
    return Sighting(seat, game, wanted, {own: under[own], **under}, own)


def checks_that_hold(sighting: Sighting) -> Iterator[HoldingCheck]:
    """The checks that account for the given figures, in order; none where the file's own rules give
    them.

    The other player's figure is likelier than another program's; any other mistake is not.
    """
    each = [replace(sighting, rules=name) for name in sighting.under]
    is_given, is_proven = any(not beside.wrong for beside in each), False
    for code in CHECKS if each[0].wrong else ():
        if code in LAST and (is_given or is_proven):
            continue
        for check in filter(None, map(partial(_check_of, code, is_given), each)):
            yield check
            is_proven |= check.is_proven
            break


def _check_of(code: str, is_given: bool, beside: Sighting) -> HoldingCheck | None:
    """A check held against a rule set; `is_given` is whether any known rules give the figures."""
    is_own, fit = beside.is_own, FINDERS[code](beside) if beside.wrong else None
    if fit is None:
        return None
    by_chance = fit.accidents * (1 if is_own else len(beside.under) - 1)
    is_open = code == "other-player" or not is_given
    most = MOST_ACCIDENTS if is_open and (is_own or code in BY_EVERY_RULES) else MOST_IF_EXPLAINED
    if by_chance > most and not (is_own and code == "mistyped-digit"):
        return None
    chance = say("check.chance", number=f"{100 * by_chance:.0f}") if by_chance > MOST_UNSAID else ""
    words = joined(" ", opening(fit.sentence), chance)
    figures = {figure.metric: fit.figures[figure.metric] for figure in beside.wanted}
    return HoldingCheck(code, words, figures, by_chance)
