"""What else figures can be that the file's own rules do not give: ordinary mistakes.

A check looks at the figures that somebody gave for a player and at every figure of the match: of
both players, of every game, under every known rule set. It holds if it accounts for all the given
figures; how many of its alternatives would fit a number of these digits by chance is estimated, and
said where it is more than a hundredth. Their pages are in `checks.md`, in the order in which they
are tried, their sentences in `checks.yaml`; to add one, write both and its finder here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import floor, prod
from operator import ne
from pathlib import Path
from string import digits
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import numpy as np

from reconcile.document import Amount, Document, Key, Text
from reconcile.files.bundled import read_pages
from reconcile.infer.in_part import figures_in_part
from reconcile.infer.reported import (
    COUNTS,
    EXPLORED,
    ROUNDING,
    Reported,
    as_printed,
    as_reported,
    decimals_of,
    fit_all,
    listed_apart,
    margin,
    named,
    printed,
)
from reconcile.infer.sentences import SENTENCES, sentence
from reconcile.infer.single_decisions import TWO_WAYS, chance, place_of, with_each
from reconcile.infer.transformations import BOTH, versions
from reconcile.match.match import Match
from reconcile.match.tools import ANALYSERS, TOOLS, short_name
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import Figures
from reconcile.scoring.findings import levels_of
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS, short_metric, short_names
from reconcile.scoring.statistics import Statistics
from reconcile.wording import capital, either

CHECKS: Final = read_pages(Path(__file__).with_name("checks.md"))
"""Every check by code, in the order in which they are tried."""
LAST: Final = frozenset(SENTENCES["last"])
"""Those that are tried only if nothing else accounts for the figures."""
MOST_ACCIDENTS: Final = 0.5
"""Fits by chance to be expected among the alternatives of a check; with more it says nothing."""
MOST_UNSAID: Final = 0.01
"""With more of them the sentence says how many."""
MOST_IF_EXPLAINED: Final = 0.001
"""The most where the rules of another program give the figures, and for the rules of another
program: only several figures reach it."""
OWN_ALONE: Final = frozenset(SENTENCES["own-alone"])
"""Those that are tried under the file's own rules alone."""
BY_EVERY_RULES: Final = frozenset(SENTENCES["by-every-rules"])
"""Those for which the rules of another program are as good as the file's own."""
CUT_BY_CHANCE: Final = 0.05
"""How likely a figure is by chance just below another, as if it had been cut off."""
MOST_PLACES: Final = 5
"""With more decisions that it may be, none is named."""
FACTORS: Final[Mapping[float, str]] = SENTENCES["times"]
"""Factors by which figures are given in other units, and each in words."""
_SHORT: Final = tuple(map(short_metric, EXPLORED))
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

    def ours(self, rules: str = "", seat: int | None = None) -> str:
        """The figures of a rule set in words, with the digits of those given."""
        statistics = self.under[rules or self.rules]
        shown = statistics.figures_at(self.seat if seat is None else seat, self.game)
        return as_printed((figure, shown[figure.metric]) for figure in self.wanted)

    def accident(self, figures: Sequence[Reported]) -> float:
        """How likely any one number of this size fits the figures by chance; counts are closer
        together than other figures."""
        widths = ((figure, 2 * margin(figure) if figure.half else 2.0) for figure in figures)
        return prod(
            min(1.0, width / figure.value) if figure.value else 1.0 for figure, width in widths
        )

    def says(self, code: str, figures: Sequence[Reported], **slots: object) -> str:
        """The sentence of a check about some of the given figures, without those of its slots that
        every check has."""
        return sentence(
            f"checks.{code}",
            player=self.match.names[self.seat],
            other=self.match.names[1 - self.seat],
            own=self.ours(next(iter(self.under))),
            plain=self.ours(),
            theirs=self.ours(seat=1 - self.seat),
            by="" if self.is_own else f", counted by rule set {self.rules}",
            figures=as_reported(figures),
            plural=_is_plural(figures),
            wrong=as_reported(self.wrong),
            several=_is_plural(self.wrong),
            **slots,
        )


def _is_plural(figures: Sequence[Reported]) -> bool:
    """Whether a verb about figures is in the plural: `121 decisions are`."""
    return len(figures) > 1 or (METRICS[figures[0].metric].is_whole and figures[0].value != 1)


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative that accounts for the given figures."""

    figures: Figures
    accidents: float = 0.0
    """How many of the check's alternatives under one rule set can be expected to fit by chance."""
    about: Sequence[Reported] = ()
    """The given figures that its sentence is about; those that are wrong, if none."""
    slots: Mapping[str, object] = field(default_factory=dict)
    """Of the sentence."""
    key: str = ""
    """Of the sentence, where it is not the check's code."""


Finder: TypeAlias = Callable[[Sighting], Fit | None]


def other_player(sighting: Sighting) -> Fit | None:
    """All figures are the opponent's."""
    figures = figures_in_part(sighting.statistics, 1 - sighting.seat, sighting.game)
    return _of_others(sighting, figures)


def both_players(sighting: Sighting) -> Fit | None:
    """All figures are sums over both players, or rates of such sums."""
    values = versions(sighting.statistics)[BOTH, 0].tolist()
    figures: Figures = dict(zip(METRICS, values, strict=True))
    return _of_others(sighting, figures) if sighting.game is None else None


def _of_others(
    sighting: Sighting, figures: Figures, number: int = 1, **slots: object
) -> Fit | None:
    """All figures are others, one of a number of alternatives."""
    wanted = sighting.wanted
    fits = fit_all(wanted, figures)
    return Fit(figures, number * sighting.accident(wanted), wanted, slots) if fits else None


def one_game(sighting: Sighting) -> Fit | None:
    """All figures are those of a game instead of the match, or the other way round."""
    parts = {None: "the whole match"} | {
        row: f"game {number}" for row, number in enumerate(sighting.match.games.number.tolist())
    }
    asked = parts.pop(sighting.game)
    each = {row: figures_in_part(sighting.statistics, sighting.seat, row) for row in parts}
    fitting = [row for row in parts if fit_all(sighting.wanted, each[row])]
    if not fitting:
        return None
    part = either([parts[row] for row in fitting])
    return _of_others(sighting, each[fitting[0]], len(parts), part=part, asked=asked)


def factor(sighting: Sighting) -> Fit | None:
    """All figures that differ are scaled by one factor; counts are never scaled."""
    wrong, figures = sighting.wrong, sighting.plain
    if any(figure.metric in COUNTS for figure in wrong):
        return None
    for number, words in FACTORS.items():
        times = {name: None if value is None else number * value for name, value in figures.items()}
        if fit_all(wrong, times):
            group = wrong[0].metric.partition(".")[0]
            reason = SENTENCES["factors"].get(group, {}).get(number)
            values = [(each.metric, figures[each.metric]) for each in wrong]
            ours = named([(metric, METRICS[metric].shown(value)) for metric, value in values])
            slots = {"times": words, "ours": ours, "reason": reason}
            return Fit(figures, len(FACTORS) * sighting.accident(wrong), slots=slots)
    return None


def rounding(sighting: Sighting) -> Fit | None:
    """The figures that differ were cut off, or rounded to fewer digits than are written."""
    shortened, by_chance = [], 1.0
    for figure, value in sighting.off(sighting.wrong):
        how, left = _shortened(figure, value)
        if value is None or not how:
            return None
        places = decimals_of(figure.text)
        # Of figures that are near, one in ten has a last digit 0; one that is cut off is a whole
        # digit away from the rounded one.
        by_chance *= 0.1 ** (places - left) if places > left else CUT_BY_CHANCE
        shortened.append((as_reported([figure]), f"{value:.{places + 2}f}", how, left))
    if by_chance > CUT_BY_CHANCE:
        return None
    return Fit(sighting.plain, by_chance, slots={"shortened": shortened})


def _shortened(figure: Reported, value: float | None) -> tuple[str, int]:
    """How a value was shortened to the figure, and how many decimals are left; empty where it was
    not."""
    places = decimals_of(figure.text)
    if value is None or not places:
        return "", 0
    for decimals in range(places, -1, -1):
        if decimals < places and abs(round(value, decimals) - figure.value) < ROUNDING:
            return "rounded to", decimals
        cut = floor(value * 10**decimals + ROUNDING) / 10**decimals
        if abs(cut - figure.value) < ROUNDING:
            return "cut off to", decimals
    return "", 0


def money_as_match(sighting: Sighting) -> Fit | None:
    """Figures of match winning chance in a money session."""
    in_chances = [figure for figure in sighting.wanted if METRICS[figure.metric].in_mwc]
    is_unlike = {*sighting.wrong}.difference(in_chances)
    if not sighting.match.is_money or not in_chances or is_unlike:
        return None
    return Fit(sighting.plain, about=in_chances)


def other_tool(sighting: Sighting) -> Fit | None:
    """The program that wrote the file prints no such figure, and another one does."""
    tool = TOOLS.get(sighting.match.source.tool)
    metrics = [figure.metric for figure in sighting.wanted]
    besides = [other for other in ANALYSERS.values() if other is not tool]
    programs = [other.short for other in besides if not set(other.not_printed) & set(metrics)]
    if tool is None or not programs:
        return None
    missing = [figure for figure in sighting.wanted if figure.metric in tool.not_printed]
    if not missing:
        return None
    nouns = [METRICS[figure.metric] for figure in missing]
    slots = {"tool": tool.short, "nouns": nouns, "programs": programs}
    return Fit(sighting.plain, about=missing, slots=slots)


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
    accidents = share * len(tested) * proof
    return Fit(
        sighting.plain, min(accidents, 1.0), right, {"ours": listed_apart([(figure, value)])}
    )


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


def one_decision(words: str, times: int, sighting: Sighting) -> Fit | None:
    """The figures without a decision (`times` is -1) or with it twice (1)."""
    wanted, statistics = sighting.wanted, sighting.statistics
    if all(figure.metric in COUNTS for figure in wanted):
        return None
    rows, values, fits = with_each(statistics, sighting.seat, sighting.game, wanted, times)
    chosen = rows[fits].tolist()
    if not chosen:
        return None
    places = [place_of(statistics, row) for row in chosen if len(chosen) <= MOST_PLACES]
    slots = {"how": words, "places": places, "number": len(chosen)}
    ours = np.array([value for _, value in sighting.off(wanted)], float)
    numbers = values[np.argmax(fits)].tolist()
    figures = dict(zip((figure.metric for figure in wanted), numbers, strict=True))
    accidents = TWO_WAYS * chance(wanted, ours, values)
    return Fit(figures, accidents, slots=slots, key="decision")


def level(sighting: Sighting) -> Fit | None:
    """As many decisions count, and what they lost is another: another analysis."""
    counts = [figure for figure in sighting.wanted if figure.metric in COUNTS]
    if not counts or {*sighting.wrong}.intersection(counts):
        return None
    slots = {
        "ours": listed_apart(sighting.off(sighting.wrong)),
        "tool": short_name(sighting.match.source.tool),
        "shares": [share.label for share, _ in levels_of(sighting.match)],
    }
    accidents = sighting.accident(counts)
    return Fit(sighting.plain, accidents, counts, slots)


FINDERS: Final[Mapping[str, Finder]] = {
    "other-player": other_player,
    "mistyped-digit": mistyped_digit,
    "one-game": one_game,
    "factor": factor,
    "rounding": rounding,
    "both-players": both_players,
    "money-as-match": money_as_match,
    "other-tool": other_tool,
    "decision-missing": partial(one_decision, "without one decision", -1),
    "decision-twice": partial(one_decision, "with one decision counted twice", 1),
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
    is_own = beside.is_own
    fit = FINDERS[code](beside) if beside.wrong and (is_own or code not in OWN_ALONE) else None
    if fit is None:
        return None
    by_chance = fit.accidents * (1 if is_own else len(beside.under) - 1)
    is_open = code == "other-player" or not is_given
    most = MOST_ACCIDENTS if is_open and (is_own or code in BY_EVERY_RULES) else MOST_IF_EXPLAINED
    if by_chance > most and not (is_own and code == "mistyped-digit"):
        return None
    words = capital(beside.says(fit.key or code, fit.about or beside.wrong, **fit.slots))
    if by_chance > MOST_UNSAID:
        words += f" Chance alone makes about {100 * by_chance:.0f} of 100 such numbers fit."
    figures = {figure.metric: fit.figures[figure.metric] for figure in beside.wanted}
    return HoldingCheck(code, words, figures, by_chance)
