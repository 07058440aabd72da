"""Our own scoring with a step done otherwise: the figures of a program that has a fault, or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from reconcile.match.columns import Floats
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.score import Scored, chance_lost, score
from reconcile.scoring.statistics import Statistics, again, table_of

Both: TypeAlias = list[Figures]
"""The figures of both players, by seat."""


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """One thing that a program does otherwise; each of its steps is optional."""

    code: str
    """Its name, for programs."""
    sentence: str
    """What the program does, in words."""
    of_match: Callable[[Match], Match] | None = None
    of_rules: Callable[[RuleSet], RuleSet] | None = None
    table: str = ""
    """The match equity table that it uses."""
    of_scored: Callable[[Scored], Scored] | None = None
    of_figures: Callable[[Both, Statistics], Both] | None = None
    of_earlier: Callable[[Both, Sequence[Both]], Both] | None = None
    """What it makes of the figures of the matches before."""


def counted(
    match: Match, rules: RuleSet, faults: Sequence[Fault] = (), plain: Statistics | None = None
) -> Statistics:
    """How a program that follows the rules but for these faults counts a match; `plain` is that without faults, if known.

    What faults do to figures comes after it.
    """
    for fault in faults:
        match = fault.of_match(match) if fault.of_match else match
        rules = fault.of_rules(rules) if fault.of_rules else rules
    table = next((fault.table for fault in faults if fault.table), "")
    if (
        plain is not None
        and not table
        and not any(fault.of_match or fault.of_rules for fault in faults)
    ):
        made = plain
    else:
        made = Statistics(score(match, rules, load_met(table) if table else table_of(match, rules)))
    if any(fault.of_scored for fault in faults):
        scored = made.scored
        for fault in faults:
            scored = fault.of_scored(scored) if fault.of_scored else scored
        made = again(made, scored)
    return made


def figures(
    match: Match,
    rules: RuleSet,
    faults: Sequence[Fault] = (),
    plain: Statistics | None = None,
    earlier: Sequence[Both] = (),
) -> Both:
    """What such a program gives for the match, after `earlier` ones."""
    made = counted(match, rules, faults, plain)
    found: Both = [made.figures(seat) for seat in (0, 1)]
    for fault in faults:
        found = fault.of_figures(found, made) if fault.of_figures else found
        found = fault.of_earlier(found, earlier) if fault.of_earlier else found
    return found


def with_errors(scored: Scored, error: Floats, loss: Floats | None = None) -> Scored:
    """The same decisions with other errors, and what these cost in match winning chance, unless that is given."""
    error = np.asarray(error, scored.error.dtype if loss is None else np.float64)
    if loss is None:
        loss = chance_lost(error, scored.win, scored.lose, scored.met)
    return replace(scored, error=error, loss=loss)
