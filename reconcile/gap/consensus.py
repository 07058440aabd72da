"""A consensus of several analyses of one match, as figures: ours, and no tool's.

Only analyses with a vote are asked (`reconcile.gap.voting`). Every decision is judged by the action that most of them think best: its
error is the median of what the analyses of that opinion charge for what was done. Where several actions have as many votes, the analyses
of all these opinions are asked, so that none is preferred. A decision counts where at least half of the voters that evaluated it count
it; luck is their median. The order of the files plays no part, and the consensus of equal files is the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.columns import Bools, Floats
from reconcile.gap.aligned import MOST_ACTIONS, Aligned, Votes
from reconcile.met import Met
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.score import chance_lost, score
from reconcile.scoring.statistics import Statistics, table_of


def by_one_rule(aligned: Aligned, rules: RuleSet, met: Met | None = None) -> tuple[Statistics, ...]:
    """Every side under one rule set."""
    return tuple(Statistics(score(side.match, rules, table_of(side.match, rules, met))) for side in aligned.sides)


def consensus(aligned: Aligned, sides: Sequence[Statistics], voters: tuple[Sequence[int], Sequence[int]]) -> Statistics:
    """The figures of the consensus, by the seats of the reference file.

    `sides` are scored under the rules of the consensus; `voters` are those that are asked about each seat.
    """
    asked_about = np.array([[side in of_seat for of_seat in voters] for side in range(len(sides))])
    voting: Bools = asked_about[:, aligned.items.player]
    scored = [side.scored for side in sides]
    of_reference, match = scored[aligned.reference], aligned.match
    rows = len(of_reference.error)
    evaluated: Bools = np.logical_or.reduce(aligned.known & voting, axis=0)
    known, voting = (aligned.known & voting)[:, :rows], voting[:, :rows]
    error = aligned.column([one.error for one in scored], 0.0)[:, :rows].astype(np.float64)
    agreeing, _ = majority(np.where(voting, aligned.votes[:, :rows], 0), known)
    lost = median(error, agreeing).astype(np.result_type(*[one.error for one in scored]))
    lost[~evaluated[:rows]] = 0
    counted = aligned.column([one.counted for one in scored], False)[:, :rows].astype(bool)
    asked = known | (voting & (aligned.rows[:, :rows] >= 0) & ~evaluated[:rows])
    luck = [side.match.plays.luck for side in aligned.sides]
    plays, cubes = len(match.plays), len(match.cubes)
    rolls = aligned.column(luck, np.nan)[:, :plays].astype(np.float64)
    rolled = median(rolls, (rolls == rolls) & voting[:, :plays]).astype(np.result_type(*luck))
    made: dict[str, Any] = {
        "plays": match.plays.replaced(analysed=evaluated[:plays], luck=rolled),
        "cubes": match.cubes.replaced(analysed=evaluated[plays : plays + cubes]),
    }
    return Statistics(
        replace(
            of_reference,
            match=replace(match, **made),
            counted=asked.any(axis=0) & (2 * (counted & asked).sum(axis=0) >= asked.sum(axis=0)),
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
