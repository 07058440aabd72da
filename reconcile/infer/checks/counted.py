"""Mistakes of counting and adding that no program is known to make on purpose; and figures of another analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.infer.checks.check import Fit, check, chosen, instead
from reconcile.infer.figure_table import COUNTS
from reconcile.infer.reported import listed_apart
from reconcile.infer.run import Case
from reconcile.match.columns import Floats
from reconcile.match.met import load_met, met_names
from reconcile.match.met.equity import chance_of
from reconcile.match.tools import ANALYSERS, TOOLS, short_name
from reconcile.rules.rulesets import Q05, QUESTIONS
from reconcile.scoring.findings import levels_of
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics

RESIGNING: Final = {
    "no": "without the errors in resigning",
    "yes-without-decision": "with the errors in resigning charged",
    "yes-with-decision": "with the errors in resigning charged, and resignations counted as decisions",
}
"""How figures come out, by the answers to Q07."""
DIGITS: Final = (3, 2, 1, 4)
"""Decimals to which errors may be rounded, the usual ones first."""


def _fit(
    case: Case, rules: str, scored: Scored, words: str, *, tried: int = 1, kind: str = ""
) -> Fit | None:
    """The figures with the decisions scored in another way, where they account for those given; `words` say which way."""
    values = case.figures_of(scored)
    used = instead(case, rules, values)
    if used is None:
        return None
    plain = case.figures(rules)
    sentence = f"{case.given(used)} {'come' if case.plural(used) else 'comes'} out {words}{case.under(rules)}. Otherwise {case.player} has "
    figures = Statistics(scored).figures_at(case.seat, case.game) if case.others else None
    return Fit(
        f"{sentence}{case.ours(rules)}.",
        values,
        case.accident_near(plain, used),
        tried,
        (kind,),
        figures=figures,
    )


def _answered(case: Case, rules: str, code: str, words: Callable[[str], str]) -> Fit | None:
    """The same with another answer to a question, the first that accounts for them; `words` are for the answer's name."""
    base = case.statistics[rules].scored
    answers = QUESTIONS[code].answers.items()
    others = [
        name
        for name, answer in answers
        if name != base.rules.answers[code] and answer.applies(case.match)
    ]
    fits = (
        _fit(
            case,
            rules,
            score(case.match, base.rules.switched(code, name), base.met),
            words(name),
            tried=len(others),
        )
        for name in others
    )
    return next(filter(None, fits), None)


@check(
    "match-as-money",
    "Every error is multiplied by the cube, as points in money play are",
    "a match is scored as money: every error is multiplied by the cube",
)
def match_as_money(case: Case, rules: str) -> Fit | None:
    """The given figures fit if the equity lost by each decision is multiplied by the value of the cube. In a match XG and gnuBG weigh an
    error as if the cube were at 1, whatever its value is. In a money session points are multiplied by the cube.
    """
    scored = case.statistics[rules].scored
    match = scored.match
    cubes = np.concatenate(
        [table.cube for table in (match.plays, match.cubes, match.resignations)]
    )[: len(scored.error)]
    return _fit(
        case,
        rules,
        replace(scored, error=scored.error * cubes),
        "with every error multiplied by the cube",
    )


@check(
    "money-as-match",
    "A money session is scored as a match",
    "a money session is scored as a match",
    own=True,
)
def money_as_match(case: Case, rules: str) -> Fit | None:
    """The given figures include match winning chance, but the file is a money session, which has no match to win. The program takes the
    session for a match.
    """
    chances = np.array([METRICS[one.metric].in_mwc for one in case.wanted])
    values = case.figures(rules)
    if not case.match.is_money or not chances.any() or not (chances | case.fits(values)).all():
        return None
    return Fit(
        f"{case.given(chances)} {case.be(chances)} of a match, and this is a money session, where none can be lost.",
        values,
        0.0,
    )


@check(
    "resignations",
    "Errors in resigning are charged where they should not be, or left out",
    "errors in resigning are charged, or left out, where the rules do otherwise",
)
def resignations(case: Case, rules: str) -> Fit | None:
    """The given figures fit if resignations are treated differently (question Q07). A player loses equity by a wrong resignation or by
    wrongly accepting one. Some programs add this loss to the errors, others leave it out, and some count each resignation and each
    acceptance as a decision. The check tries the treatments that the rules do not use.
    """
    return (
        _answered(case, rules, "Q07", RESIGNING.__getitem__)
        if len(case.match.resignations)
        else None
    )


@check(
    "unanalysed-as-zero",
    "Decisions without an analysis are counted as if they were right",
    "decisions that were not analysed count as if they were right",
)
def unanalysed(case: Case, rules: str) -> Fit | None:
    """The given figures fit if decisions that were not analysed count as decisions without error (question Q05). A half-analysed match then
    looks well played.
    """
    cubes = case.match.cubes
    if case.match.plays.analysed.all() and cubes.analysed[cubes.expected].all():
        return None
    ours = case.statistics[rules].rules
    if ours.value(Q05):
        return None
    return _answered(
        case, rules, "Q05", lambda _: "with decisions that were not analysed counted without error"
    )


@check(
    "rounded-errors",
    "Errors are rounded or cut off before they are added",
    "errors are shortened before they are added: {kind}",
)
def rounded_errors(case: Case, rules: str) -> Fit | None:
    """The given figures fit if the equity lost by each decision is rounded, or cut off, before it is added. One to four decimals are
    tried. A match has many small errors, so the sum moves by more than its last digit.
    """
    scored = case.statistics[rules].scored
    found = []
    for decimals in DIGITS:
        for words, shortened in (("rounded", np.round), ("cut off", _cut)):
            error = shortened(scored.error.astype(np.float64), decimals)
            loss = (scored.win + scored.lose) / 2 - chance_of(-error, scored.win, scored.lose)
            how = f"{words} to {decimals} decimal{'s' * (decimals > 1)}"
            changed = replace(scored, error=error, loss=loss)
            fit = _fit(
                case, rules, changed, f"with every error {how}", tried=2 * len(DIGITS), kind=how
            )
            found += [fit] if fit else []
    return (
        replace(found[0], kinds=tuple(kind for fit in found for kind in fit.kinds))
        if found
        else None
    )


def _cut(values: Floats, decimals: int) -> Floats:
    cut: Floats = np.floor(values * 10**decimals + 1e-9) / 10**decimals
    return cut


@check(
    "other-tool",
    "The tool that wrote the file does not print such figures",
    "the figures are of another program's analysis",
    last=True,
    own=True,
)
def other_tool(case: Case, rules: str) -> Fit | None:
    """No known rules give the figures, and the program that wrote the file prints no such figure.

    gnuBG has no PR and no number of decisions of a PR. XG has no error rate in mEMG. The figures come from another program, which analysed
    the match itself. Its numbers are not in this file.
    """
    tool = TOOLS.get(case.match.source.tool)
    missing = np.array([tool is not None and one.metric in tool.not_printed for one in case.wanted])
    others = [other for other in ANALYSERS.values() if other is not tool]
    only_here = any(all(one.metric in other.not_printed for other in others) for one in case.wanted)
    programs = " or ".join(
        other.short
        for other in others
        if not set(other.not_printed) & {one.metric for one in case.wanted}
    )
    if tool is None or not missing.any() or only_here or not programs:
        return None
    metrics = [METRICS[one.metric] for one, here in zip(case.wanted, missing, strict=True) if here]
    names = " and no ".join(f"{'number of ' * metric.is_whole}{metric.words}" for metric in metrics)
    sentence = f"{tool.short} prints no {names}: {case.given(missing)} {case.be(missing)} of another program"
    sentence += f", such as {programs}. If that analysed the match itself, load its own file: by the numbers of this one, {tool.short}'s, "
    return Fit(f"{sentence}it is {case.ours()}.", case.figures(rules), 0.0)


@check(
    "other-match-equity-table",
    "Another match equity table gives them",
    "another match equity table is used: {kind}",
    last=True,
    own=True,
)
def other_match_equity_table(case: Case, rules: str) -> Fit | None:
    """The given figures fit with another match equity table. The table turns equity into match winning chance, so all figures in MWC depend
    on it. In a gnuBG file the equity figures depend on it too, because the file keeps chances for the cube.
    """
    if case.match.is_money:
        return None
    found: dict[str, Scored] = {}
    for name in met_names():
        if name != case.met.name:
            scored = score(case.match, case.statistics[rules].rules, load_met(name))
            if case.fits(case.figures_of(scored)).all():
                found[name] = scored
    if not found:
        return None
    sentence = f"{case.given()} {'come' if case.plural() else 'comes'} out with the match equity table {' or '.join(found)}; "
    sentence += f"with {case.met.name} {case.player} has {case.ours()}."
    chance = case.accident(~case.fits(case.figures(rules)))
    first = next(iter(found.values()))
    figures = Statistics(first).figures_at(case.seat, case.game) if case.others else None
    return Fit(
        sentence, case.figures_of(first), chance, len(met_names()), tuple(found), figures=figures
    )


@check(
    "level",
    "The decisions agree, what they lost does not: another analysis",
    "the decisions agree and what they lost does not, as in another analysis or with changed errors",
    last=True,
)
def level(case: Case, rules: str) -> Fit | None:
    """The numbers of decisions are those of the file, but the equity lost is not. So the match and the way of counting are the same, and
    the figures come from another analysis. It may have another level, such as 3-ply instead of XG Roller++, or be made by another version
    of the program.
    """
    values = case.figures(rules)
    fits = case.fits(values)
    counts = np.isin([one.metric for one in case.wanted], COUNTS)
    if not counts.any() or counts.all() or not fits[counts].all():
        return None
    shares = [one.label for one, _ in levels_of(case.match)]
    own = f" This file was analysed by {short_name(case.match.source.tool)}" + (
        f" at {shares[0]}" if shares else ""
    )
    mixed = f" (and {', '.join(shares[1:])})" if len(shares) > 1 else ""
    theirs = listed_apart(chosen(case, values, ~fits))
    sentence = f"{case.given(counts)} {'agree' if case.plural(counts) else 'agrees'}{case.under(rules)}, {case.given(~fits)} "
    sentence += f"{'does' if (~fits).sum() == 1 else 'do'} not: here {case.player} has {theirs}. As many decisions count, so the analysis is "
    return Fit(
        f"{sentence}probably another: of another level or version.{own}{mixed}.",
        values,
        case.accident(counts),
    )
