"""What else figures can be that the file's own rules do not give: ordinary mistakes.

A check looks at the figures that somebody gave for a player and at every figure of the match: of
both players, of every game, under every known rule set. It holds if it accounts for all the given
figures; how many of its alternatives would fit a number of these digits by chance is estimated, and
said where it is more than a hundredth. Their pages are in `checks.md`, in the order in which they
are tried; to add one, write its page and its finder here.

Figures of an analysis that is not complete: those that depend on rules, however few of their
decisions are analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod
from operator import ne
from pathlib import Path
from string import digits
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np

from reconcile.document import Amount, Document, Key, Text
from reconcile.files.bundled import read_pages
from reconcile.infer.reported import (
    COUNTS,
    EXPLORED,
    Reported,
    as_printed,
    as_reported,
    fit_all,
    listed_apart,
    margin,
    named,
    printed,
)
from reconcile.language import joined, opening, say
from reconcile.match.match import Match
from reconcile.match.tools import short_name
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import (
    METRICS,
    Figures,
    Form,
    figures_of,
    short_metric,
    short_names,
    totals_of,
)
from reconcile.scoring.findings import levels_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import EXPECTED, Totals

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
