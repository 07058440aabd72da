"""Mistakes of printing: the right figures, of somebody else, of another part of the match, in another unit, with other digits."""

from __future__ import annotations

from math import floor
from typing import Final

import numpy as np

from reconcile.infer.checks.check import SAFE, Fit, check, chosen
from reconcile.infer.figure_table import BOTH, COUNTS, MATCH
from reconcile.infer.reported import ROUNDING, UNKNOWN, Reported, apart, fits_figure, named, printed
from reconcile.infer.run import Case
from reconcile.match.columns import Bools
from reconcile.scoring.metrics import METRICS

CUT_BY_CHANCE: Final = 0.05
"""How likely a figure is by chance just below another, as if it had been cut off."""
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
_REASONS: Final = {
    ("pr", 2.0): "the error rate in mEMG is 1000 times the loss per decision, PR 500 times",
    ("pr", 0.002): "it is the loss per decision, without the 500 of PR",
    (
        "error_rate_memg",
        0.5,
    ): "PR is 500 times the loss per decision, the error rate in mEMG 1000 times",
    ("error_rate_memg", 0.001): "it is in points, not in thousandths",
    ("equity_error", 1000.0): "it is in thousandths of a point",
    ("mwc_loss_percent", 0.01): "it is a fraction, not a percentage",
    ("mwc_loss_percent", 100.0): "the percentage was multiplied by 100 once more",
}


@check("other-player", "They are the other player's figures", "the players are swapped")
def other_player(case: Case, rules: str) -> Fit | None:
    """All the given figures are the opponent's. Programs list the players in different orders. XG's text export, for example, exchanges
    them.
    """
    values = case.figures(rules, seat=1 - case.seat)
    fits = case.fits(values)
    if not fits.all():
        return None
    other = case.match.names[1 - case.seat]
    sentence = (
        f"{case.given()} {case.be()} {other}'s{case.under(rules)}. {case.player} has {case.ours()}."
    )
    return Fit(
        sentence,
        values,
        case.accident(fits),
        figures=case.statistics[rules].figures_at(1 - case.seat, case.game),
    )


@check(
    "one-game",
    "They are the figures of another part of the match",
    "the figures of one game are given for the match",
)
def one_game(case: Case, rules: str) -> Fit | None:
    """The given figures are from the wrong part of the match: from one game instead of the match, from the match instead of a game, or from
    another game. Programs show one table for the match and one for each game, and these tables look alike.
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
    sentence = f"{case.given()} {case.be()} {case.player}'s {part}{case.under(rules)}. For {meant} it is {case.ours()}."
    figures = (
        case.statistics[rules].figures_at(case.seat, None if rows[0] == MATCH else rows[0] - 1)
        if case.others
        else None
    )
    return Fit(
        sentence,
        values[rows[0]],
        case.accident(np.ones(len(case.wanted), bool)),
        len(fitting) - 1,
        figures=figures,
    )


@check(
    "factor",
    "A factor is between them",
    "a factor is wrong: figures are {kind} what they should be",
)
def factor(case: Case, rules: str) -> Fit | None:
    """The given figures are twice, half, 10, 100 or 1000 times, a tenth, a hundredth, a thousandth or a 500th of what the rules give.

    The factor is the same for all figures that differ. Counts are never scaled. Such factors have simple reasons: the error rate in mEMG is
    twice the PR. A loss of match winning chance is written as a percentage or as a fraction. An equity is written in points or in
    thousandths.
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
            reason = _REASONS.get((first, number)) or _REASONS.get(
                (first.partition(".")[0], number), ""
            )
            ours = named(
                [
                    (one.metric, METRICS[one.metric].shown(value))
                    for one, value in chosen(case, values, scaled)
                ]
            )
            sentence = f"{case.given(scaled)} {case.be(scaled)} {words} what {case.player} has, {ours}{case.under(rules)}"
            same = {one.metric for one in case.others} - {one.metric for one in case.unlike(rules)}
            plainly = case.all_figures(rules)
            figures = {
                name: value if name in same or value is None else number * value
                for name, value in plainly.items()
            }
            said = f"{sentence}{': ' + reason if reason else ''}."
            return Fit(
                said, values, case.accident(scaled), len(FACTORS), (words,), figures=figures or None
            )
    return None


@check("sign", "Luck has the opponent's sign", "the sign is wrong", own=True, fitting=True)
def sign(case: Case, rules: str) -> Fit | None:
    """The luck given for a player has the opponent's sign. A loss has none: XG and gnuBG print what a player lost as a negative number, and
    `reconcile` without its sign.
    """
    ours = case.all_figures(rules)
    lucky = [(one, value) for one in case.luck if (value := ours.get(one.metric)) and one.value]
    if not lucky or any(
        fits_figure(value, one) or not fits_figure(-value, one) for one, value in lucky
    ):
        return None
    theirs = named([(one.metric, one.text) for one, _ in lucky])
    right = named([(one.metric, printed(one, value)) for one, value in lucky])
    turned = {**ours, **{one.metric: -value for one, value in lucky}}
    return Fit(
        f"{theirs} has the wrong sign: {case.player} has {right}.",
        case.figures(rules),
        0.0,
        others=len(lucky),
        figures=turned,
    )


@check(
    "rounding",
    "They were cut off or rounded to fewer digits",
    "figures are cut off, or rounded to fewer digits than are written",
    own=True,
)
def rounding(case: Case, rules: str) -> Fit | None:
    """The given figures are right but shortened. Their last digits are cut off instead of rounded, or they are rounded to fewer digits than
    are written: 6.50 or 7.00 where the figure is 6.508.
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
            words.append(
                f"{named([(one.metric, one.text)])} is {value:.{_decimals(one.text) + 2}f} {how} {_digits(decimals)}"
            )
    if not words or chance > SAFE:
        return None
    return Fit(
        f"{'; '.join(words)}: the same figure{'s' if len(words) > 1 else ''} of {case.player}.",
        values,
        chance,
    )


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


@check(
    "misprint", "One digit of one figure is wrong", "a figure is misprinted", last=True, own=True
)
def misprint(case: Case, rules: str) -> Fit | None:
    """One given figure has a wrong digit, and all others are those of the file. It may be a misprint, a slip in copying, or another
    rounding. Another analysis would have moved the other figures too.

    If the last digit is off by one, any other figure beside it is enough. If another digit is wrong, or two digits are exchanged, several
    other figures must fit, and at least one of them must not be a count. A figure that the rules of another program give is no misprint.
    """
    values = case.figures(rules)
    fits = case.fits(values)
    if (~fits).sum() != 1 or len(fits) == 1:
        return None
    if any(case.fits(case.figures(name))[~fits].all() for name in case.tables):
        return None
    ((one, value),) = chosen(case, values, ~fits)
    ours = printed(one, value)
    near = _is_neighbour(one, ours)
    weighed = fits & ~np.isin([other.metric for other in case.wanted], COUNTS)
    if not near and not (
        _is_one_slip(one.text.lstrip("+-"), ours) and fits.sum() > 1 and weighed.any()
    ):
        return None
    others = case.given(fits)
    sentence = f"{others} {'fit' if case.plural(fits) else 'fits'}, {case.given(~fits)} {case.be(~fits)} off by a digit: {case.player} has "
    sentence += f"{named([(one.metric, ours)])} ({apart(one, value)}). That is a misprint or a slip in copying"
    return Fit(f"{sentence}{', or another rounding' if near else ''}.", values, 0.0)


def _is_neighbour(one: Reported, ours: str) -> bool:
    """Whether a printed figure is one off in its last place."""
    digits = _decimals(one.text)
    return (
        ours != UNKNOWN
        and _decimals(ours) == digits
        and round(abs(float(ours) - one.value) * 10**digits) == 1
    )


def _is_one_slip(given: str, ours: str) -> bool:
    """Whether two texts differ in one digit, in two neighbours that are exchanged, or in one that is missing or written twice."""
    if len(given) == len(ours):
        differ = [at for at, pair in enumerate(zip(given, ours, strict=True)) if pair[0] != pair[1]]
        if len(differ) == 1:
            return given[differ[0]].isdigit() and ours[differ[0]].isdigit()
        return len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(given) == sorted(ours)
    longer, shorter = sorted((given, ours), key=len, reverse=True)
    at = range(len(longer))
    return len(longer) == len(shorter) + 1 and any(
        longer[here].isdigit() and longer[:here] + longer[here + 1 :] == shorter for here in at
    )


def _digits(decimals: int) -> str:
    return "a whole number" if not decimals else f"{decimals} decimal{'s' if decimals > 1 else ''}"


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


@check(
    "both-players",
    "They are the figures of both players together",
    "the figures of both players are added",
)
def both_players(case: Case, rules: str) -> Fit | None:
    """The given figures are sums over both players, or rates of such sums. Some tables have a column for the match as a whole."""
    values = case.figures(rules, seat=BOTH)
    fits = case.fits(values)
    if not fits.all():
        return None
    other = case.figures(rules, seat=1 - case.seat)
    theirs = named(
        [(one.metric, printed(one, value)) for one, value in zip(case.wanted, other, strict=True)]
    )
    sentence = f"{case.given()} {case.be()} both players' together{case.under(rules)}. {case.player} alone has {case.ours(rules)}, "
    both = [case.statistics[rules].figures_at(seat, case.game) for seat in (0, 1)]
    sums = {
        name: value + more
        for name, value in both[0].items()
        if value is not None and (more := both[1][name]) is not None
    }
    return Fit(
        f"{sentence}{case.match.names[1 - case.seat]} {theirs}.",
        values,
        case.accident(fits),
        figures=sums,
    )
