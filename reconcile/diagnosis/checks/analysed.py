"""Figures of another analysis: of another program, another level, or with another match equity table."""

from __future__ import annotations

import numpy as np

from reconcile.columns import Floats
from reconcile.diagnosis.case import Case
from reconcile.diagnosis.checks.check import Fit, check, chosen
from reconcile.diagnosis.figure_table import COUNTS
from reconcile.diagnosis.reported import listed_apart
from reconcile.met import load_met, met_names
from reconcile.scoring.findings import levels_of
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import score
from reconcile.tools import ANALYSERS, TOOLS, short_name


@check(
    "other-tool",
    "The tool that wrote the file does not print such figures",
    "the figures are of another program's analysis",
    last=True,
    own=True,
)
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


@check(
    "other-match-equity-table", "Another match equity table gives them", "another match equity table is used: {kind}", last=True, own=True
)
def other_match_equity_table(case: Case, rules: str) -> Fit | None:
    """The given figures come out with another match equity table. The table turns equity into match winning chance, so the figures in MWC
    depend on it; those of a gnuBG file also in equity, because the file keeps chances for the cube.
    """
    if case.match.is_money:
        return None
    found: dict[str, Floats] = {}
    for name in met_names():
        if name != case.met.name:
            values = case.figures_of(score(case.match, case.statistics[rules].rules, load_met(name)))
            if case.fits(values).all():
                found[name] = values
    if not found:
        return None
    sentence = f"{case.given()} {'come' if case.plural() else 'comes'} out with the match equity table {' or '.join(found)}; "
    sentence += f"with {case.met.name} {case.player} has {case.ours()}."
    chance = case.accident(~case.fits(case.figures(rules)))
    return Fit(sentence, next(iter(found.values())), chance, len(met_names()), tuple(found))


@check(
    "level",
    "The decisions agree, what they lost does not: another analysis",
    "the decisions agree and what they lost does not: another analysis",
    last=True,
)
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
    theirs = listed_apart(chosen(case, values, ~fits))
    sentence = f"{case.given(counts)} {'agree' if case.plural(counts) else 'agrees'}{case.under(rules)}, {case.given(~fits)} "
    sentence += (
        f"{'does' if (~fits).sum() == 1 else 'do'} not: here {case.player} has {theirs}. As many decisions count, so the analysis is "
    )
    return Fit(f"{sentence}probably another: of another level or version.{own}{mixed}.", values, case.accident(counts))
