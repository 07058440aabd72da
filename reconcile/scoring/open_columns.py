"""The range of PR that the open answers of a rule set leave, of many matches at once: what `open_range` gives for one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reconcile.columns import Bools, Ints
from reconcile.rules.q07_resignations import Resigning
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figure_columns import Numbers, Totals, decisions_of, error_of, pr_of
from reconcile.scoring.metrics import DecisionClass
from reconcile.scoring.open_rules import least_shown
from reconcile.scoring.score import Scored, rescored
from reconcile.scoring.statistics import by_class
from reconcile.scoring.sums import Sums
from reconcile.scoring.undecided import dead_cubes


def pr_ranges(scored: Scored, totals: Totals, first: Ints, one_point: Bools) -> tuple[Numbers, Numbers]:
    """The lowest and the highest PR of joined matches, each of shape (matches, 2 seats); NaN where a match has one PR only.

    `totals` are the sums of the matches under the rules of `scored`, which add the errors of resignations; `first` has the first game of
    each, `one_point` says which have that length. Of the questions that are open Q03 changes which no-doubles count, Q07 the errors of
    resignations, Q09 the rate of a one-point match. Under Q16 some dead cubes may count or not (`scoring/undecided.py`).
    """
    rules = scored.rules
    open_ = {code: rules.alternatives.get(code, (rules.answers[code],)) for code in ("Q03", "Q07", "Q09")}
    resigned = totals["error"][..., DecisionClass.RESIGNATION.value]
    error, counted = error_of(totals), decisions_of(totals["counted"])
    charged = [QUESTIONS["Q07"].answers[name].value is not Resigning.LEFT_OUT for name in open_["Q07"]]
    errors = [error - (0 if one else resigned) for one in charged]
    found = []
    for answer in open_["Q03"]:
        other = rescored(scored, rules.switched("Q03", answer))
        unsure = dead_cubes(other)
        for one in (other, replace(other, counted=other.counted & ~unsure)) if unsure.any() else (other,):
            decisions = counted
            if one is not scored:
                group = by_class(one)._replace(columns={"counted": one.counted})
                decisions = decisions_of(Sums(len(scored.match.games), group).tables(first)["counted"])
            found += [pr_of(rules.switched("Q09", name), one_point, lost, decisions) for name in open_["Q09"] for lost in errors]
    low, high = np.fmin.reduce(found), np.fmax.reduce(found)
    moves = high - low >= least_shown("pr")
    return np.where(moves, low, np.nan), np.where(moves, high, np.nan)
