"""Mistakes of counting and adding that no program is known to make on purpose, tried before combinations of answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.columns import Floats
from reconcile.diagnosis.case import Case
from reconcile.diagnosis.checks.check import Fit, check, instead
from reconcile.met.equity import chance_of
from reconcile.rules.rulesets import Q05, QUESTIONS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score

RESIGNING: Final = {
    "no": "without the errors in resigning",
    "yes-without-decision": "with the errors in resigning charged",
    "yes-with-decision": "with the errors in resigning charged, and resignations counted as decisions",
}
"""How figures come out, by the answers to Q07."""
DIGITS: Final = (3, 2, 1, 4)
"""Decimals to which errors may be rounded, the usual ones first."""


def _fit(case: Case, rules: str, scored: Scored, words: str, *, tried: int = 1, kind: str = "") -> Fit | None:
    """The figures with the decisions scored in another way, where they account for those given; `words` say which way."""
    values = case.figures_of(scored)
    used = instead(case, rules, values)
    if used is None:
        return None
    plain = case.figures(rules)
    sentence = f"{case.given(used)} {'come' if case.plural(used) else 'comes'} out {words}{case.under(rules)}. Otherwise {case.player} has "
    return Fit(f"{sentence}{case.ours(rules)}.", values, case.accident_near(plain, used), tried, (kind,))


def _answered(case: Case, rules: str, code: str, words: Callable[[str], str]) -> Fit | None:
    """The same with another answer to a question, the first that accounts for them; `words` are for the answer's name."""
    base = case.statistics[rules].scored
    answers = QUESTIONS[code].answers.items()
    others = [name for name, answer in answers if name != base.rules.answers[code] and answer.applies(case.match)]
    fits = (
        _fit(case, rules, score(case.match, base.rules.switched(code, name), base.met), words(name), tried=len(others)) for name in others
    )
    return next(filter(None, fits), None)


@check(
    "match-as-money",
    "Every error is multiplied by the cube, as points in money play are",
    "a match is scored as money: every error is multiplied by the cube",
)
def match_as_money(case: Case, rules: str) -> Fit | None:
    """The given figures come out if the equity that every decision lost is multiplied by the value of the cube. In a match XG and gnuBG
    weigh an error as if the cube were at 1, whatever it shows; the points of a money session are different: they are multiplied.
    """
    scored = case.statistics[rules].scored
    match = scored.match
    cubes = np.concatenate([table.cube for table in (match.plays, match.cubes, match.resignations)])[: len(scored.error)]
    return _fit(case, rules, replace(scored, error=scored.error * cubes), "with every error multiplied by the cube")


@check("money-as-match", "A money session is scored as a match", "a money session is scored as a match", own=True)
def money_as_match(case: Case, rules: str) -> Fit | None:
    """Match winning chance was given for a money session, which has no match to win: the program takes the session for a match."""
    chances = np.array([METRICS[one.metric].in_mwc for one in case.wanted])
    values = case.figures(rules)
    if not case.match.is_money or not chances.any() or not (chances | case.fits(values)).all():
        return None
    return Fit(f"{case.given(chances)} {case.be(chances)} of a match, and this is a money session, where none can be lost.", values, 0.0)


@check(
    "resignations",
    "Errors in resigning are charged where they should not be, or left out",
    "errors in resigning are charged, or left out, where the rules do otherwise",
)
def resignations(case: Case, rules: str) -> Fit | None:
    """The given figures come out if what a player lost by resigning, or by accepting a resignation, is added to the errors where the
    rules leave it out, or left out where they add it, or if each resignation and each acceptance counts as a decision where it does not
    (question Q07).
    """
    return _answered(case, rules, "Q07", RESIGNING.__getitem__) if len(case.match.resignations) else None


@check(
    "unanalysed-as-zero",
    "Decisions without an analysis are counted as if they were right",
    "decisions that were not analysed count as if they were right",
)
def unanalysed(case: Case, rules: str) -> Fit | None:
    """The given figures come out if decisions that were not analysed count as decisions without error, so that a half-analysed match
    looks well played (question Q05).
    """
    cubes = case.match.cubes
    if case.match.plays.analysed.all() and cubes.analysed[cubes.expected].all():
        return None
    ours = case.statistics[rules].rules
    if ours.value(Q05):
        return None
    return _answered(case, rules, "Q05", lambda _: "with decisions that were not analysed counted without error")


@check(
    "rounded-errors",
    "Errors are rounded or cut off before they are added",
    "errors are shortened before they are added: {kind}",
)
def rounded_errors(case: Case, rules: str) -> Fit | None:
    """The given figures come out if the equity that every decision lost is rounded, or cut off, before it is added: to the thousandth, the
    hundredth. The errors of a match are many and small, so that the sum moves by more than its last digit.
    """
    scored = case.statistics[rules].scored
    found = []
    for decimals in DIGITS:
        for words, shortened in (("rounded", np.round), ("cut off", _cut)):
            error = shortened(scored.error.astype(np.float64), decimals)
            loss = (scored.win + scored.lose) / 2 - chance_of(-error, scored.win, scored.lose)
            how = f"{words} to {decimals} decimal{'s' * (decimals > 1)}"
            changed = replace(scored, error=error, loss=loss)
            fit = _fit(case, rules, changed, f"with every error {how}", tried=2 * len(DIGITS), kind=how)
            found += [fit] if fit else []
    return replace(found[0], kinds=tuple(kind for fit in found for kind in fit.kinds)) if found else None


def _cut(values: Floats, decimals: int) -> Floats:
    cut: Floats = np.floor(values * 10**decimals + 1e-9) / 10**decimals
    return cut
