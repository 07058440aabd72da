"""The ordinary mistakes behind a figure that does not fit, tried before any combination of rules.

A check looks at the figures that somebody gave for a player and at every figure of the match: of
both players, of every game, under every known rule set. It holds if it accounts for all the given
figures and hardly by chance: how many of its alternatives would fit a number of these digits by
accident is estimated first. Their pages are in `checks.md`; to add one, write its page and its
finder here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import floor, prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import numpy as np

from reconcile.document import Document, Key, Text
from reconcile.files.bundled import read_pages
from reconcile.files.wording import capital, either
from reconcile.infer.catalogue import Fault, all_faults, answers, counted
from reconcile.infer.figure_changes import FIGURE_CHANGES
from reconcile.infer.reported import (
    EXPLORED,
    ROUNDING,
    UNKNOWN,
    Reported,
    apart,
    decimals_of,
    fits_figure,
    listed_apart,
    margin,
    named,
    printed,
)
from reconcile.infer.run import figures_in_part
from reconcile.infer.single_decisions import COUNTS, chance, place_of, with_each
from reconcile.match.match import Match
from reconcile.match.tools import ANALYSERS, TOOLS, short_name
from reconcile.match.values import once
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import Figures
from reconcile.scoring.findings import levels_of
from reconcile.scoring.metrics import METRICS, short_metric, short_names
from reconcile.scoring.statistics import Statistics

CHECKS: Final = read_pages(Path(__file__).with_name("checks.md"))
"""Every check by code, in the order in which they are tried."""
LAST: Final = frozenset(
    (
        "other-tool",
        "other-match-equity-table",
        "misprint",
        "decision-missing",
        "decision-twice",
        "level",
    )
)
"""Those that are tried only if nothing else accounts for the figures."""
OWN_ALONE: Final = frozenset(
    ("sign", "rounding", "money-as-match", "other-tool", "other-match-equity-table", "misprint")
)
"""Those that are tried under the file's own rules alone."""
MOST_ACCIDENTS: Final = 0.5
"""Fits by chance to be expected among the alternatives of a check; with more it says nothing."""
SAFE: Final = 0.05
"""With more of them the sentence says that it can be chance."""
MOST_IF_EXPLAINED: Final = 0.001
"""The same where the rules of another program give the figures, and for the rules of another
program: only several figures reach it."""
CUT_BY_CHANCE: Final = 0.05
"""How likely a figure is by chance just below another, as if it had been cut off."""
MOST_PLACES: Final = 5
"""With more decisions that it may be, none is named."""
FACTORS: Final = (
    (2.0, "twice"),
    (0.5, "half"),
    (1000.0, "1000 times"),
    (0.001, "a thousandth of"),
    (100.0, "100 times"),
    (0.01, "a hundredth of"),
    (10.0, "10 times"),
    (0.1, "a tenth of"),
    (0.002, "a 500th of"),
)
_PER_DECISION: Final = "times the loss per decision"
_REASONS: Final = {
    ("pr", 2.0): f": the error rate in mEMG is 1000 {_PER_DECISION}, PR 500 times",
    ("pr", 0.002): ": it is the loss per decision, without the 500 of PR",
    ("error_rate_memg", 0.5): f": PR is 500 {_PER_DECISION}, the error rate in mEMG 1000 times",
    ("error_rate_memg", 0.001): ": it is in points, not in thousandths",
    ("equity_error", 1000.0): ": it is in thousandths of a point",
    ("mwc_loss_percent", 0.01): ": it is a fraction, not a percentage",
    ("mwc_loss_percent", 100.0): ": the percentage was multiplied by 100 once more",
}
RESIGNING: Final = {
    "Q07=no": "without the errors in resigning",
    "Q07=yes-without-decision": "with the errors in resigning charged",
    "Q07=yes-with-decision": "with the errors in resigning charged, and resignations counted as "
    "decisions",
}
"""How figures come out, by the answers to Q07."""
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


@dataclass(frozen=True)
class Sighting:
    """Figures that somebody gave for a player, of a match or a game, and the match under known
    rules."""

    seat: int
    game: int | None
    """Index of the game, from 0; `None` for the match."""
    wanted: tuple[Reported, ...]
    under: Mapping[str, Statistics]
    """By rule set, the file's own first."""

    @property
    def own(self) -> str:
        """The rule set of the tool that wrote the file."""
        return next(iter(self.under))

    @property
    def match(self) -> Match:
        """The match."""
        return self.under[self.own].match

    @property
    def player(self) -> str:
        """The name as the file has it."""
        return self.match.names[self.seat]

    @once
    def figures(self, rules: str) -> Figures:
        """The player's figures under a rule set, however few decisions are analysed."""
        return figures_in_part(self.under[rules], self.seat, self.game)

    def fits(self, figures: Figures) -> list[bool]:
        """Which given figures these are."""
        return [fits_figure(figures[figure.metric], figure) for figure in self.wanted]

    def chosen(self, which: Sequence[bool]) -> list[Reported]:
        """The given figures that are marked."""
        return [figure for figure, here in zip(self.wanted, which, strict=True) if here]

    def off(self, rules: str, which: Sequence[bool]) -> list[tuple[Reported, float | None]]:
        """The given figures that are marked, each with its value under a rule set."""
        return [(figure, self.figures(rules)[figure.metric]) for figure in self.chosen(which)]

    def ours(self, rules: str | None = None, seat: int | None = None) -> str:
        """The figures of a rule set in words, with the digits of those given."""
        statistics = self.under[rules or self.own]
        shown = statistics.figures_at(self.seat if seat is None else seat, self.game)
        return named(
            [(figure.metric, printed(figure, shown[figure.metric])) for figure in self.wanted]
        )

    def stated(self, which: Sequence[bool] | None = None, verb: str = "") -> str:
        """The given figures, or those that are marked, in words: `121 decisions`; with a verb, `121
        decisions are`."""
        figures = self.wanted if which is None else self.chosen(which)
        words = named([(figure.metric, figure.text) for figure in figures])
        if not verb:
            return words
        first = figures[0]
        is_plural = len(figures) > 1 or (METRICS[first.metric].is_whole and first.value != 1)
        forms = {"be": ("is", "are"), "do": ("does", "do")}
        singular, plural = forms.get(verb, (f"{verb}s", verb))
        return f"{words} {plural if is_plural else singular}"

    def rules_words(self, rules: str) -> str:
        """By which rules, in words; empty for the file's own."""
        return "" if rules == self.own else f", counted by rule set {rules}"

    def accident(self, which: Sequence[bool]) -> float:
        """How likely any one number of this size fits the marked figures by chance; counts are
        closer together than other figures."""
        chances = []
        for figure in self.chosen(which):
            width = 2 * margin(figure) if figure.half else 2.0
            chances.append(min(1.0, width / figure.value) if figure.value else 1.0)
        return prod(chances)

    def accident_near(self, plain: Figures, which: Sequence[bool]) -> float:
        """How likely a number that is about as far from ours as the given one fits it by chance, by
        the figure that proves most: figures of one player depend on each other."""
        chances = [1.0]
        for figure in self.chosen(which):
            away = 2 * abs((plain[figure.metric] or 0) - figure.value)
            width = 2 * margin(figure) if figure.half else 1.0
            chances.append(width / away if away else 0.0)
        return min(chances)


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative that accounts for the given figures."""

    sentence: str
    figures: Figures
    accidents: float = 0.0
    """How many of the check's alternatives can be expected to fit by chance."""


Finder: TypeAlias = Callable[[Sighting, str], Fit | None]


def other_player(sighting: Sighting, rules: str) -> Fit | None:
    """All figures are the opponent's."""
    other = 1 - sighting.seat
    figures = figures_in_part(sighting.under[rules], other, sighting.game)
    if not all(sighting.fits(figures)):
        return None
    whose = (
        f"{sighting.stated(verb='be')} {sighting.match.names[other]}'s{sighting.rules_words(rules)}"
    )
    every = [True] * len(sighting.wanted)
    return Fit(
        f"{whose}. {sighting.player} has {sighting.ours()}.", figures, sighting.accident(every)
    )


def one_game(sighting: Sighting, rules: str) -> Fit | None:
    """All figures are those of a game instead of the match, or the other way round."""
    statistics, numbers = sighting.under[rules], sighting.match.games.number
    rows = [row for row in (None, *range(len(numbers))) if row != sighting.game]
    parts = {row: figures_in_part(statistics, sighting.seat, row) for row in rows}
    fitting = [row for row in rows if all(sighting.fits(parts[row]))]
    if not fitting:
        return None
    names = " or ".join(str(numbers[row]) for row in fitting if row is not None)
    part = "in the whole match" if fitting[0] is None else f"in game {names}"
    part_meant = "the whole match" if sighting.game is None else f"game {numbers[sighting.game]}"
    whose = f"{sighting.stated(verb='be')} {sighting.player}'s {part}{sighting.rules_words(rules)}"
    accidents = len(rows) * sighting.accident([True] * len(sighting.wanted))
    return Fit(f"{whose}. For {part_meant} it is {sighting.ours()}.", parts[fitting[0]], accidents)


def both_players(sighting: Sighting, rules: str) -> Fit | None:
    """All figures are sums over both players, or rates of such sums."""
    statistics = sighting.under[rules]
    if sighting.game is not None:
        return None
    both = [figures_in_part(statistics, seat) for seat in (0, 1)]
    figures = FIGURE_CHANGES["both-players"](both, statistics)[0]
    if not all(sighting.fits(figures)):
        return None
    other = 1 - sighting.seat
    alone = f"{sighting.player} alone has {sighting.ours(rules)}"
    theirs = f"{sighting.match.names[other]} {sighting.ours(rules, other)}"
    whose = f"{sighting.stated(verb='be')} both players' together{sighting.rules_words(rules)}"
    accidents = sighting.accident([True] * len(sighting.wanted))
    return Fit(f"{whose}. {alone}, {theirs}.", figures, accidents)


def factor(sighting: Sighting, rules: str) -> Fit | None:
    """All figures that differ are scaled by one factor; counts are never scaled."""
    figures = sighting.figures(rules)
    scaled = [not fits for fits in sighting.fits(figures)]
    if any(figure.metric in COUNTS for figure in sighting.chosen(scaled)):
        return None
    for number, words in FACTORS:
        times = {name: None if value is None else number * value for name, value in figures.items()}
        if not all(
            fits or not here for fits, here in zip(sighting.fits(times), scaled, strict=True)
        ):
            continue
        first, *_ = sighting.chosen(scaled)
        group = first.metric.partition(".")[0]
        reason = _REASONS.get((first.metric, number)) or _REASONS.get((group, number), "")
        off = sighting.off(rules, scaled)
        ours = named(
            [(figure.metric, METRICS[figure.metric].shown(value)) for figure, value in off]
        )
        whose = f"{sighting.stated(scaled, 'be')} {words} what {sighting.player} has, {ours}"
        sentence = f"{whose}{sighting.rules_words(rules)}{reason}."
        return Fit(sentence, figures, len(FACTORS) * sighting.accident(scaled))
    return None


def rounding(sighting: Sighting, rules: str) -> Fit | None:
    """The figures that differ were cut off, or rounded to fewer digits than are written."""
    words, by_chance = [], 1.0
    for figure, value in sighting.off(
        rules, [not fits for fits in sighting.fits(sighting.figures(rules))]
    ):
        shortened = _shortened(figure, value)
        if shortened is None or value is None:
            return None
        how, decimals = shortened
        digits = decimals_of(figure.text)
        # Of figures that are near, one in ten has a last digit 0; one that is cut off is a whole
        # digit away from the rounded one.
        by_chance *= 0.1 ** (digits - decimals) if digits > decimals else CUT_BY_CHANCE
        words_of_digits = (
            "a whole number" if not decimals else f"{decimals} decimal{'s' * (decimals > 1)}"
        )
        shown = named([(figure.metric, figure.text)])
        words.append(f"{shown} is {value:.{digits + 2}f} {how} {words_of_digits}")
    if not words or by_chance > SAFE:
        return None
    same = f"the same figure{'s' * (len(words) > 1)} of {sighting.player}"
    return Fit(f"{'; '.join(words)}: {same}.", sighting.figures(rules), by_chance)


def _shortened(figure: Reported, value: float | None) -> tuple[str, int] | None:
    """How a value was shortened to the figure, and how many decimals are left; `None` where it was
    not."""
    digits = decimals_of(figure.text)
    if value is None:
        return None
    for decimals in range(digits, -1, -1) if digits else ():
        if decimals < digits and abs(round(value, decimals) - figure.value) < ROUNDING:
            return "rounded to", decimals
        cut = floor(value * 10**decimals + ROUNDING) / 10**decimals
        if abs(cut - figure.value) < ROUNDING:
            return "cut off to", decimals
    return None


def by_faults(
    faults: Sequence[tuple[Fault, str]], sighting: Sighting, rules: str, *, near: bool = True
) -> Fit | None:
    """The figures that differ come out with a fault of the catalogue; each comes with words for it.

    A figure that fits as it is need not be changed: not every figure goes through the same mistake.
    """
    statistics, plain = sighting.under[rules], sighting.figures(rules)
    differing = [not fits for fits in sighting.fits(plain)]
    fitting: dict[str, Figures] = {}
    for fault, words in faults:
        changed = counted(sighting.match, statistics.rules, (fault,), statistics)
        figures = figures_in_part(changed, sighting.seat, sighting.game)
        pairs = zip(sighting.fits(figures), differing, strict=True)
        if all(fits or not here for fits, here in pairs):
            fitting.setdefault(words, figures)
    if not fitting:
        return None
    by_chance = sighting.accident_near(plain, differing) if near else sighting.accident(differing)
    come = f"{sighting.stated(differing, 'come')} out {either(list(fitting))}"
    how = f"{come}{sighting.rules_words(rules)}"
    sentence = f"{how}. Otherwise {sighting.player} has {sighting.ours(rules)}."
    return Fit(sentence, next(iter(fitting.values())), len(faults) * by_chance)


def _worded(code: str) -> list[tuple[Fault, str]]:
    return [
        (fault, f"of a program with this mistake: {fault.sentence}")
        for fault in all_faults()
        if fault.check == code
    ]


def of_catalogue(code: str, sighting: Sighting, rules: str) -> Fit | None:
    """The faults of the catalogue that have this page."""
    return by_faults(_worded(code), sighting, rules, near=code != "other-match-equity-table")


def resignations(sighting: Sighting, rules: str) -> Fit | None:
    """Errors in resigning are treated otherwise."""
    faults = [(answers()[code][2], words) for code, words in RESIGNING.items()]
    return by_faults(faults, sighting, rules) if len(sighting.match.resignations) else None


def money_as_match(sighting: Sighting, rules: str) -> Fit | None:
    """Figures of match winning chance in a money session."""
    figures = sighting.figures(rules)
    in_chances = [METRICS[figure.metric].in_mwc for figure in sighting.wanted]
    pairs = zip(sighting.fits(figures), in_chances, strict=True)
    if not sighting.match.is_money or not any(in_chances) or not all(map(any, pairs)):
        return None
    which = sighting.stated(in_chances, "be")
    sentence = f"{which} of a match, and this is a money session, where none can be lost."
    return Fit(sentence, figures)


def other_tool(sighting: Sighting, rules: str) -> Fit | None:
    """The program that wrote the file prints no such figure, and another one does."""
    tool, metrics = (
        TOOLS.get(sighting.match.source.tool),
        [figure.metric for figure in sighting.wanted],
    )
    programs_beside = [other for other in ANALYSERS.values() if other is not tool]
    only_here = any(all(name in other.not_printed for other in programs_beside) for name in metrics)
    programs = [
        other.short for other in programs_beside if not set(other.not_printed) & set(metrics)
    ]
    missing = [tool is not None and name in tool.not_printed for name in metrics]
    if tool is None or not any(missing) or only_here or not programs:
        return None
    nouns = [METRICS[figure.metric] for figure in sighting.chosen(missing)]
    names = " and no ".join(f"{'number of ' * noun.is_whole}{noun.words}" for noun in nouns)
    whose = f"{sighting.stated(missing, 'be')} of another program, such as {' or '.join(programs)}"
    advice = "If that analysed the match itself, load its own file: by the numbers of this one"
    sentence = f"{tool.short} prints no {names}: {whose}. {advice}, {tool.short}'s, it is"
    return Fit(f"{sentence} {sighting.ours()}.", sighting.figures(rules))


def misprint(sighting: Sighting, rules: str) -> Fit | None:
    """One figure has a wrong digit, and all others fit."""
    figures = sighting.figures(rules)
    fits = sighting.fits(figures)
    wrong = [not here for here in fits]
    if sum(wrong) != 1 or len(fits) == 1:
        return None
    ((figure, value),) = sighting.off(rules, wrong)
    if any(fits_figure(sighting.figures(name)[figure.metric], figure) for name in sighting.under):
        return None
    ours = printed(figure, value)
    is_near = _is_neighbour(figure, ours)
    is_weighed = any(other.metric not in COUNTS for other in sighting.chosen(fits))
    is_slip = _is_one_slip(figure.text.lstrip("+-"), ours) and sum(fits) > 1 and is_weighed
    if not is_near and not is_slip:
        return None
    right = f"{sighting.player} has {named([(figure.metric, ours)])} ({apart(figure, value)})"
    off = f"{sighting.stated(fits, 'fit')}, {sighting.stated(wrong, 'be')} off by a digit: {right}"
    other = ", or another rounding" if is_near else ""
    return Fit(f"{off}. That is a misprint or a slip in copying{other}.", figures)


def _is_neighbour(figure: Reported, ours: str) -> bool:
    """Whether a printed figure is one off in its last place."""
    digits = decimals_of(figure.text)
    if ours == UNKNOWN or decimals_of(ours) != digits:
        return False
    off = abs(float(ours) - figure.value)
    return bool(round(off * 10.0**digits) == 1)


def _is_one_slip(text: str, ours: str) -> bool:
    """Whether two texts differ in one digit, in two neighbours that are exchanged, or in one that
    is missing or written twice."""
    if len(text) == len(ours):
        differ = [at for at, pair in enumerate(zip(text, ours, strict=True)) if pair[0] != pair[1]]
        if len(differ) == 1:
            return text[differ[0]].isdigit() and ours[differ[0]].isdigit()
        return len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(text) == sorted(ours)
    longer, shorter = sorted((text, ours), key=len, reverse=True)
    return len(longer) == len(shorter) + 1 and any(
        digit.isdigit() and longer[:at] + longer[at + 1 :] == shorter
        for at, digit in enumerate(longer)
    )


def one_decision(words: str, times: int, sighting: Sighting, rules: str) -> Fit | None:
    """The figures without a decision (`times` is -1) or with it twice (1)."""
    statistics, plain = sighting.under[rules], sighting.figures(rules)
    names = [figure.metric for figure in sighting.wanted]
    differing = [not fits for fits in sighting.fits(plain)]
    if set(names) <= set(COUNTS):
        return None
    rows, values = with_each(statistics, sighting.seat, sighting.game, names, times)
    off = np.abs(values - [figure.value for figure in sighting.wanted])
    fitting = (off <= [margin(figure) for figure in sighting.wanted]).all(axis=1)
    chosen = rows[fitting].tolist()
    if not chosen:
        return None
    which = f"one of {len(chosen)} decisions that cost the same"
    if len(chosen) <= MOST_PLACES:
        which = either([str(place_of(statistics, row)) for row in chosen])
    ours = np.array([np.nan if plain[name] is None else plain[name] for name in names], float)
    how = f"{sighting.stated(differing, 'come')} out {words}{sighting.rules_words(rules)}: {which}"
    sentence = f"{how}. With every decision once, {sighting.player} has {sighting.ours(rules)}."
    numbers = dict(zip(names, values[np.argmax(fitting)].tolist(), strict=True))
    return Fit(sentence, numbers, 2 * chance(sighting.wanted, ours, values))


def level(sighting: Sighting, rules: str) -> Fit | None:
    """As many decisions count, and what they lost is another: another analysis."""
    figures = sighting.figures(rules)
    fits = sighting.fits(figures)
    counts = [figure.metric in COUNTS for figure in sighting.wanted]
    pairs = list(zip(fits, counts, strict=True))
    if not any(counts) or all(counts) or not all(here for here, count in pairs if count):
        return None
    shares = [share.label for share, _ in levels_of(sighting.match)]
    at_level = f" at {shares[0]}" if shares else ""
    mixed = f" (and {', '.join(shares[1:])})" if len(shares) > 1 else ""
    wrong = [not here for here in fits]
    theirs = f"here {sighting.player} has {listed_apart(sighting.off(rules, wrong))}"
    agree = (
        f"{sighting.stated(counts, 'agree')}{sighting.rules_words(rules)}, {sighting.stated(wrong)}"
    )
    differ = f"{agree} {'does' if sum(wrong) == 1 else 'do'} not: {theirs}"
    why = (
        "As many decisions count, so the analysis is probably another: of another level or version"
    )
    file = f"This file was analysed by {short_name(sighting.match.source.tool)}{at_level}{mixed}"
    return Fit(f"{differ}. {why}. {file}.", figures, sighting.accident(counts))


FINDERS: Final[Mapping[str, Finder]] = {
    "other-player": other_player,
    "one-game": one_game,
    "factor": factor,
    "rounding": rounding,
    "both-players": both_players,
    "match-as-money": partial(of_catalogue, "match-as-money"),
    "money-as-match": money_as_match,
    "resignations": resignations,
    "unanalysed-as-zero": partial(of_catalogue, "unanalysed-as-zero"),
    "rounded-errors": partial(of_catalogue, "rounded-errors"),
    "other-tool": other_tool,
    "other-match-equity-table": partial(of_catalogue, "other-match-equity-table"),
    "misprint": misprint,
    "decision-missing": partial(one_decision, "without one decision", -1),
    "decision-twice": partial(one_decision, "with one decision counted twice", 1),
    "level": level,
}
"""What holds figures against a rule set; luck, which `sign` is about, is not searched for."""


def find(code: str, sighting: Sighting, rules: str) -> Fit | None:
    """A check held against a rule set; none holds where the rules give all figures."""
    return None if all(sighting.fits(sighting.figures(rules))) else FINDERS[code](sighting, rules)


def sighting_of(
    under: Mapping[str, Statistics], seat: int, game: int | None, wanted: tuple[Reported, ...]
) -> Sighting:
    """Figures of a player (by seat) and game (index from 0, `None` for the match); `under` is the
    match under every rule set by name."""
    own = own_rules(next(iter(under.values())).match).name
    return Sighting(
        seat, game, wanted, dict(sorted(under.items(), key=lambda pair: pair[0] != own))
    )


def checks_that_hold(sighting: Sighting) -> Iterator[HoldingCheck]:
    """The checks that account for the given figures, in order; none where the file's own rules give
    them.

    The other player's figure is likelier than another program's; any other mistake is not.
    """
    is_given = [all(sighting.fits(sighting.figures(name))) for name in sighting.under]
    holds_any = False
    for code in FINDERS:
        if is_given[0] or (code in LAST and (holds_any or any(is_given))):
            continue
        for rules in list(sighting.under)[: 1 if code in OWN_ALONE else None]:
            is_open = code == "other-player" or not any(is_given)
            most = MOST_ACCIDENTS if rules == sighting.own and is_open else MOST_IF_EXPLAINED
            fit = find(code, sighting, rules)
            if fit is not None and fit.accidents <= most:
                doubt = " With so few digits this can be chance." * (fit.accidents > SAFE)
                figures = {figure.metric: fit.figures[figure.metric] for figure in sighting.wanted}
                yield HoldingCheck(code, f"{capital(fit.sentence)}{doubt}", figures)
                holds_any = True
                break
