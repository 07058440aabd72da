"""The ordinary mistakes behind a figure that does not fit, in the order in which they are tried before any combination of rules.

A check looks at the figures that somebody gave for a player and at every figure of the match: of both players, of every game, under
every known rule set. It holds if it accounts for all the given figures and hardly by chance: how many of its alternatives would fit a
number of these digits by accident is estimated first.

To add a check, write a function with `@check`; its place in this file is its place in the order, its docstring is its page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import floor
from typing import Final

import numpy as np

from reconcile.columns import Bools, Floats
from reconcile.diagnosis.case import Case
from reconcile.diagnosis.figure_table import BOTH, COUNTS, MATCH
from reconcile.diagnosis.reported import ROUNDING, Reported, named, printed
from reconcile.met import load_met, met_names
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.findings import levels_of
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import tally
from reconcile.tools import ANALYSERS, TOOLS, short_name

MOST_ACCIDENTS: Final = 0.5
"""Fits by chance to be expected among the alternatives of a check; with more it says nothing."""
SAFE: Final = 0.05
"""With more of them the sentence says that it can be chance."""
MOST_IF_EXPLAINED: Final = 0.001
"""The same where the rules of another program give the figures, and for the rules of another program: only several figures reach it."""
CUT_BY_CHANCE: Final = 0.05
"""How likely a figure is by chance just below another, as if it had been cut off."""
FACTORS: Final = (
    (2.0, "twice"),
    (0.5, "half"),
    (1000.0, "1000 times"),
    (0.001, "a thousandth of"),
    (100.0, "100 times"),
    (0.01, "a hundredth of"),
    (0.002, "a 500th of"),
)
_REASONS: Final = {
    ("pr", 2.0): "the error rate in mEMG is 1000 times the loss per decision, PR 500 times",
    ("pr", 0.002): "it is the loss per decision, without the 500 of PR",
    ("error_rate_memg", 0.5): "PR is 500 times the loss per decision, the error rate in mEMG 1000 times",
    ("error_rate_memg", 0.001): "it is in points, not in thousandths",
    ("equity_error", 1000.0): "it is in thousandths of a point",
    ("mwc_loss_percent", 0.01): "it is a fraction, not a percentage",
    ("mwc_loss_percent", 100.0): "the percentage was multiplied by 100 once more",
}


@dataclass(frozen=True, slots=True)
class Held:
    """A check that holds."""

    code: str
    sentence: str
    """What the figures are instead, with the evidence, for a player."""
    figures: Mapping[str, float | None]
    """The evidence by metric: what the figures are if the check is right, or what the file has instead."""


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative that accounts for the given figures."""

    sentence: str
    values: Floats
    accidents: float
    """How many of the check's alternatives can be expected to fit by chance."""


@dataclass(frozen=True, slots=True)
class Check:
    """One ordinary mistake."""

    code: str
    title: str
    page: str
    find: Callable[[Case, str], Fit | None]
    """Holds the case against a rule set."""
    last: bool
    """Whether it is tried only if nothing else accounts for the figures."""
    own: bool
    """Whether it is tried under the file's own rules alone."""


_CHECKS: Final[dict[str, Check]] = {}
CHECKS: Final[Mapping[str, Check]] = _CHECKS
"""Every check by code, in the order in which they are tried."""
Finder = Callable[[Case, str], "Fit | None"]


def check(code: str, title: str, *, last: bool = False, own: bool = False) -> Callable[[Finder], Finder]:
    """Add a check to the list; the function's docstring is its page."""

    def add(find: Finder) -> Finder:
        _CHECKS[code] = Check(code, title, find.__doc__ or "", find, last, own)
        return find

    return add


def checks_that_hold(case: Case) -> Iterator[Held]:
    """The checks that account for the given figures, in order; none but `sign` where the file's own rules give them."""
    known = [bool(case.fits(case.figures(name)).all()) for name in case.tables]
    held = False
    for one in CHECKS.values():
        if (known[0] and one.code != "sign") or (one.last and (held or any(known))):
            continue
        for rules in list(case.tables)[: 1 if one.own else None]:
            most = MOST_ACCIDENTS if rules == case.own and not any(known[1:]) else MOST_IF_EXPLAINED
            fit = one.find(case, rules)
            if fit is not None and fit.accidents <= most:
                values = {wanted.metric: float(value) for wanted, value in zip(case.wanted, fit.values, strict=True)}
                chance = " With so few digits this can be chance." if fit.accidents > SAFE else ""
                first = fit.sentence.split()[0]
                start = first.capitalize() if first.islower() else first  # but not gnuBG
                sentence = f"{start}{fit.sentence[len(first) :]}{chance}"
                yield Held(one.code, sentence, {name: value if value == value else None for name, value in values.items()})
                held = True
                break


def _under(case: Case, rules: str) -> str:
    return "" if rules == case.own else f", counted by rule set {rules}"


@check("other-player", "They are the other player's figures")
def other_player(case: Case, rules: str) -> Fit | None:
    """All the given figures are those of the opponent. Programs list the players in different orders: XG's text export, for example,
    exchanges them.
    """
    values = case.figures(rules, seat=1 - case.seat)
    fits = case.fits(values)
    if not fits.all():
        return None
    other = case.match.players[1 - case.seat]
    return Fit(f"{case.given()} {case.be()} {other}'s{_under(case, rules)}. {case.player} has {case.ours()}.", values, case.accident(fits))


@check("one-game", "They are the figures of another part of the match")
def one_game(case: Case, rules: str) -> Fit | None:
    """The given figures are those of one game where the match was meant, of the whole match where a game was meant, or of another game.
    Programs show a table for the match and one for each game, which look alike.
    """
    values = case.tables[rules][case.seat][:, case.columns]
    fitting: Bools = np.asarray(case.fits(values).all(axis=1))
    fitting[case.row] = False
    if not fitting.any():
        return None
    rows = np.flatnonzero(fitting).tolist()
    names = [case.match.games.number[row - 1] for row in rows if row != MATCH]
    part = "in the whole match" if rows[0] == MATCH else f"in game {' or '.join(map(str, names))}"
    meant = "the whole match" if case.game is None else f"game {case.match.games.number[case.game]}"
    sentence = f"{case.given()} {case.be()} {case.player}'s {part}{_under(case, rules)}. For {meant} it is {case.ours()}."
    return Fit(sentence, values[rows[0]], (len(fitting) - 1) * case.accident(np.ones(len(case.wanted), bool)))


@check("factor", "A factor is between them")
def factor(case: Case, rules: str) -> Fit | None:
    """The given figures are twice, half, 1000 times, 100 times, a hundredth, a thousandth or a 500th of what the rules give.

    The factor is the same for all that differ; counts are never scaled. The error rate in mEMG is twice the PR; a loss of match winning
    chance is written as a percentage or as a fraction, an equity in points or in thousandths.
    """
    values = case.figures(rules)
    plain = case.fits(values)
    scalable = ~np.isin([one.metric for one in case.wanted], COUNTS)
    if plain.all() or not (plain | scalable).all():
        return None
    for number, words in FACTORS:
        if (plain | case.fits(number * values)).all():
            scaled = ~plain
            first = next(one.metric for one, here in zip(case.wanted, scaled, strict=True) if here)
            reason = _REASONS.get((first, number)) or _REASONS.get((first.partition(".")[0], number), "")
            ours = named([(one.metric, METRICS[one.metric].shown(value)) for one, value in _chosen(case, values, scaled)])
            sentence = f"{case.given(scaled)} {case.be(scaled)} {words} what {case.player} has, {ours}{_under(case, rules)}"
            return Fit(f"{sentence}{': ' + reason if reason else ''}.", values, len(FACTORS) * case.accident(scaled))
    return None


@check("sign", "They are printed with a minus sign", own=True)
def sign(case: Case, rules: str) -> Fit | None:
    """The figures fit, and some have a minus sign. XG and gnuBG print what a player lost as a negative number; here a loss has no sign."""
    negative = np.array([one.text.startswith("-") and one.value > 0 for one in case.wanted])
    values = case.figures(rules)
    if not negative.any() or not case.fits(values).all():
        return None
    sentence = f"The minus sign of {case.given(negative)} only says that it is a loss: {case.player} has {case.ours()}."
    return Fit(sentence, values, 0.0)


@check("rounding", "They were cut off or rounded to fewer digits", own=True)
def rounding(case: Case, rules: str) -> Fit | None:
    """The given figures are ours with the last digits cut off instead of rounded, or rounded to fewer digits than are written: 6.50 or
    7.00 where the figure is 6.508.
    """
    values = case.figures(rules)
    plain = case.fits(values)
    words, chance = [], 1.0
    for one, value, fits in zip(case.wanted, values.tolist(), plain, strict=True):
        if not fits:
            kept = _kept(one, value)
            if kept is None:
                return None
            how, decimals = kept
            dropped = _decimals(one.text) - decimals
            # Of figures that are near, one in ten has a last digit 0; one that is cut off is a whole digit away from the rounded one.
            chance *= 0.1**dropped if dropped else CUT_BY_CHANCE
            words.append(f"{named([(one.metric, one.text)])} is {value:.{_decimals(one.text) + 2}f} {how} {_digits(decimals)}")
    if not words or chance > SAFE:
        return None
    return Fit(f"{'; '.join(words)}: the same figure{'s' if len(words) > 1 else ''} of {case.player}.", values, chance)


def _kept(one: Reported, value: float) -> tuple[str, int] | None:
    """How a value was shortened to the figure, and how many decimals are left; `None` where it was not."""
    given = _decimals(one.text)
    if not given or not np.isfinite(value):
        return None
    for decimals in range(given, -1, -1):
        if decimals < given and abs(round(value, decimals) - one.value) < ROUNDING:
            return "rounded to", decimals
        if abs(floor(value * 10**decimals + ROUNDING) / 10**decimals - one.value) < ROUNDING:
            return "cut off to", decimals
    return None


def _digits(decimals: int) -> str:
    return "a whole number" if not decimals else f"{decimals} decimal{'s' if decimals > 1 else ''}"


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _chosen(case: Case, values: Floats, which: Bools) -> list[tuple[Reported, float]]:
    return [(one, value) for one, value, here in zip(case.wanted, values.tolist(), which, strict=True) if here]


@check("both-players", "They are the figures of both players together")
def both_players(case: Case, rules: str) -> Fit | None:
    """The given figures are sums over both players, or rates of such sums. Some tables have a column for the match as a whole."""
    values = case.figures(rules, seat=BOTH)
    fits = case.fits(values)
    if not fits.all():
        return None
    other = case.figures(rules, seat=1 - case.seat)
    theirs = named([(one.metric, printed(one, value)) for one, value in zip(case.wanted, other, strict=True)])
    sentence = f"{case.given()} {case.be()} both players' together{_under(case, rules)}. {case.player} alone has {case.ours(rules)}, "
    return Fit(f"{sentence}{case.match.players[1 - case.seat]} {theirs}.", values, case.accident(fits))


@check("other-tool", "The tool that wrote the file does not print such figures", last=True, own=True)
def other_tool(case: Case, rules: str) -> Fit | None:
    """No known rules give the figures, and the program that wrote the file prints no such figure.

    gnuBG has no PR and no number of decisions of a PR, XG has no error rate in mEMG. The figures come from another program, which analysed
    the match itself; its numbers are not in this file.
    """
    tool = TOOLS.get(case.match.source.tool)
    missing = np.array([tool is not None and one.metric in tool.not_printed for one in case.wanted])
    others = [other for other in ANALYSERS.values() if other is not tool]
    only_here = any(all(one.metric in other.not_printed for other in others) for one in case.wanted)
    programs = " or ".join(other.short for other in others if not set(other.not_printed) & {one.metric for one in case.wanted})
    if tool is None or not missing.any() or only_here or not programs:
        return None
    metrics = [METRICS[one.metric] for one, here in zip(case.wanted, missing, strict=True) if here]
    names = " and no ".join(f"{'number of ' * metric.is_whole}{metric.words}" for metric in metrics)
    sentence = f"{tool.short} prints no {names}: {case.given(missing)} {case.be(missing)} of another program"
    sentence += f", such as {programs}, which analysed the match itself. This file has {tool.short}'s analysis: by its numbers it is "
    return Fit(f"{sentence}{case.ours()}. Load the other program's own file.", case.figures(rules), 0.0)


@check("other-match-equity-table", "Another match equity table gives them", last=True, own=True)
def other_match_equity_table(case: Case, rules: str) -> Fit | None:
    """The given figures come out with another match equity table. The table turns equity into match winning chance, so the figures in MWC
    depend on it; those of a gnuBG file also in equity, because the file keeps chances for the cube.
    """
    if case.match.is_money:
        return None
    found: dict[str, Floats] = {}
    for name in met_names():
        if name != case.met.name:
            figures = tally(score(case.match, RULE_SETS[rules], load_met(name))).figures(case.seat, case.game)
            values = np.array([np.nan if (value := figures[one.metric]) is None else value for one in case.wanted], np.float64)
            if case.fits(values).all():
                found[name] = values
    if not found:
        return None
    sentence = f"{case.given()} {'come' if case.plural() else 'comes'} out with the match equity table {' or '.join(found)}; "
    sentence += f"with {case.met.name} {case.player} has {case.ours()}."
    accidents = len(met_names()) * case.accident(~case.fits(case.figures(rules)))
    return Fit(sentence, next(iter(found.values())), accidents)


@check("level", "The decisions agree, what they lost does not: another analysis", last=True)
def level(case: Case, rules: str) -> Fit | None:
    """The numbers of decisions are those of the file and what was lost is not. The match and the way of counting are the same, so the
    figures come from another analysis: another level, such as 3-ply instead of XG Roller++, or another version of the program.
    """
    values = case.figures(rules)
    fits = case.fits(values)
    counts = np.isin([one.metric for one in case.wanted], COUNTS)
    if not counts.any() or counts.all() or not fits[counts].all():
        return None
    shares = [one.label for one, _ in levels_of(case.match)]
    own = f" This file was analysed by {short_name(case.match.source.tool)}" + (f" at {shares[0]}" if shares else "")
    mixed = f" (and {', '.join(shares[1:])})" if len(shares) > 1 else ""
    theirs = named([(one.metric, printed(one, value)) for one, value in _chosen(case, values, ~fits)])
    sentence = f"{case.given(counts)} {'agree' if case.plural(counts) else 'agrees'}{_under(case, rules)}, {case.given(~fits)} "
    sentence += (
        f"{'does' if (~fits).sum() == 1 else 'do'} not: here {case.player} has {theirs}. The decisions are the same and the analysis is "
    )
    return Fit(f"{sentence}another: of another level or version.{own}{mixed}.", values, case.accident(counts))
