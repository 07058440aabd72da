"""A consensus of several analyses of one match, as figures: ours, and no tool's.

Every decision is judged by the action that most analyses think best: its error is the median of what the analyses of that opinion
charge for what was done. Where several actions have as many votes, the analyses of all these opinions are asked, so that none is
preferred. A decision counts where at least half of the analyses that evaluated it count it; luck is the median of all. The order of
the files plays no part, and the consensus of equal files is the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.columns import Bools, Floats
from reconcile.gap.aligned import MOST_ACTIONS, Aligned, Votes
from reconcile.met import Met
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.score import chance_lost, score
from reconcile.scoring.statistics import Statistics, table_of


def consensus(aligned: Aligned, rules: RuleSet, met: Met | None = None) -> Statistics:
    """The figures of the consensus under a rule set, by the seats of the reference file."""
    scored = [score(side.match, rules, table_of(side.match, rules, met)) for side in aligned.sides]
    of_reference, match = scored[aligned.reference], aligned.match
    rows = len(of_reference.error)
    evaluated: Bools = np.logical_or.reduce(aligned.known, axis=0)
    known = aligned.known[:, :rows]
    error = aligned.column([one.error for one in scored], 0.0)[:, :rows].astype(np.float64)
    agreeing, _ = majority(aligned.votes[:, :rows], known)
    lost = median(error, agreeing).astype(np.result_type(*[one.error for one in scored]))
    lost[~evaluated[:rows]] = 0
    counted = aligned.column([one.counted for one in scored], False)[:, :rows].astype(bool)
    asked = known | ((aligned.rows[:, :rows] >= 0) & ~evaluated[:rows])
    luck = [side.match.plays.luck for side in aligned.sides]
    plays, cubes = len(match.plays), len(match.cubes)
    rolls = aligned.column(luck, np.nan)[:, :plays].astype(np.float64)
    made: dict[str, Any] = {
        "plays": match.plays.replaced(analysed=evaluated[:plays], luck=median(rolls, rolls == rolls).astype(np.result_type(*luck))),
        "cubes": match.cubes.replaced(analysed=evaluated[plays : plays + cubes]),
    }
    return Statistics(
        replace(
            of_reference,
            match=replace(match, **made),
            counted=2 * (counted & asked).sum(axis=0) >= asked.sum(axis=0),
            error=lost,
            loss=chance_lost(lost, of_reference.win, of_reference.lose, of_reference.met),
        )
    )


def majority(votes: Votes, known: Bools) -> tuple[Bools, Votes]:
    """The sides of the most frequent opinions, shape [side, decision], and the bits of what all of these think best, shape [decision].

    Where no side says what is best, every side that evaluated the decision is asked. No bit where opinions with as many votes differ.
    """
    bits = np.arange(MOST_ACTIONS)[: int(votes.max(initial=0)).bit_length()]
    wanting = votes >> bits[:, None, None] & 1
    number = wanting.sum(axis=1)
    most = number.max(axis=0, initial=0)
    agreeing = np.where(most > 0, (wanting & (number == most)[:, None]).any(axis=0), known)
    return agreeing, np.where(most > 0, np.bitwise_and.reduce(np.where(agreeing, votes, -1), axis=0), 0)


def median(values: Floats, known: Bools) -> Floats:
    """The median of what is known of every decision, from shape [side, decision]; NaN where nothing is."""
    ordered = np.sort(np.where(known, values, np.inf), axis=0)
    number = known.sum(axis=0)
    columns = np.arange(values.shape[1])
    middle = (ordered[np.maximum(number - 1, 0) // 2, columns] + ordered[np.minimum(number // 2, len(ordered) - 1), columns]) / 2
    return np.where(number > 0, middle, np.nan)
