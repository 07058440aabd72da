"""What is not known of a tool's rules, or not in a file, as a range: a figure that depends on it is
never a single number stated as fact.

What a file does not show of the decisions that count: digits that a text export does not print,
and whether a dead cube counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from reconcile.match.columns import Bools, Ints, Kind
from reconcile.match.match import Match
from reconcile.match.values import once
from reconcile.rules.rulesets import Q07, Q16
from reconcile.rules.values import Resigning, shows_what_counts
from reconcile.scoring.figures import METRICS, Figures, figures_of, scale_of
from reconcile.scoring.score import Scored, can_matter, is_dead, rescored, score
from reconcile.scoring.statistics import Statistics, of_decisions
from reconcile.scoring.sums import DecisionClass, Numbers, Sums, Totals, by_class

LEADER = 1
"""Points away."""
OWNED = 1
"""Owner of a cube in the decider's view."""


def is_printed(match: Match) -> bool:
    """Whether the equities of a file are printed ones."""
    return bool(match.plays.half.any() or match.cubes.half.any())


def undecided(scored: Scored) -> Bools:
    """Whether a row counts or not, as far as the printed digits show it."""
    if not is_printed(scored.match):
        return np.zeros(len(scored.counted), bool)
    ends = [score(_moved(scored.match, sign), scored.rules, scored.met).counted for sign in (-1, 1)]
    differs: Bools = (ends[0] != scored.counted) | (ends[1] != scored.counted)
    return differs


def _moved(match: Match, sign: int) -> Match:
    """The match with every distance that decides what counts at one end of what the digits
    allow."""
    plays, cubes = match.plays, match.cubes
    answers = cubes.kind >= Kind.TAKE.value
    step = sign * cubes.half
    spread = np.maximum(plays.spread + sign * plays.half.max(initial=0.0), 0)
    moved: dict[str, Any] = {
        "no_double": np.where(answers, cubes.no_double, cubes.no_double + step),
        "double_take": np.where(answers, cubes.double_take + step, cubes.double_take),
    }
    return replace(
        match,
        plays=plays.replaced(spread=spread, highest=plays.highest),
        cubes=cubes.replaced(**moved),
    )


def dead_cubes(scored: Scored) -> Bools:
    """Which rows count as dead cubes (Q16) of which only BGBlitz's own file shows whether they do.

    BGBlitz evaluates the dead cube of a leader who owns it after the Crawford game, and counts it
    by its values.
    """
    match, cubes = scored.match, scored.match.cubes
    rows = np.zeros(len(scored.counted), bool)
    if not scored.rules.value(Q16) or match.is_money or shows_what_counts(match):
        return rows
    leads = match.away[cubes.game, cubes.player] == LEADER
    owned = is_dead(match) & leads & (cubes.owner == OWNED)
    rows[len(match.plays) : len(match.plays) + len(cubes)] = (
        owned & (cubes.kind == Kind.NO_DOUBLE) & ~cubes.analysed
    )
    return rows & scored.counted


def dead_cubes_of(scored: Scored) -> tuple[int, int]:
    """By seat, the number of dead cubes of which the file does not show whether they count."""
    decider = scored.player[dead_cubes(scored)]
    return int((decider == 0).sum()), int((decider == 1).sum())


def unseen(scored: Scored) -> set[tuple[int, int]]:
    """Game and turn of the dead cubes of which the file does not show whether they count."""
    match = scored.match
    rows = dead_cubes(scored).nonzero()[0] - len(match.plays)
    numbers = match.games.number[match.cubes.game[rows]]
    return set(zip(numbers.tolist(), match.cubes.turn[rows].tolist(), strict=True))


def extremes(scored: Scored) -> tuple[Scored, ...]:
    """The match with the fewest and with the most decisions that its file allows; nothing where
    that is one number only."""
    open_ = undecided(scored) | dead_cubes(scored)
    ends = (scored.counted & ~open_, scored.counted | open_) if open_.any() else ()
    return tuple(replace(scored, counted=counted) for counted in ends)


def ends(every: Sequence[Statistics]) -> Iterator[list[Statistics]]:
    """The matches with the fewest and with the most decisions that their files allow; nothing
    where that is one number only."""
    extreme = [extremes(each.scored) for each in every]
    for side in (0, 1) if any(extreme) else ():
        yield [
            Statistics(end[side]) if end else each for each, end in zip(every, extreme, strict=True)
        ]


Range = tuple[float, float]
"""The lowest and the highest figure that the possible answers give."""
Answers = Mapping[str, str]
"""By question."""
Possible = tuple[Answers, tuple[Sequence[Figures], ...]]
"""Answers, and the figures by seat that they give: as a file is counted, and where it does not show
what counts, with the fewest and with the most decisions."""


@dataclass(frozen=True, slots=True)
class OpenRange:
    """What the open answers of a rule set, and what a file does not show, leave undecided for one
    match, or for a player's matches."""

    possible: tuple[Possible, ...]
    """Every combination of answers to the questions that move a figure shown."""
    by_player: tuple[tuple[str, ...], ...]
    """By seat, these questions, and Q16 where a file does not show which dead cubes count."""
    figures: tuple[Mapping[str, Range], ...]
    """By seat, the range of every figure that moves by half a printed digit or more."""


@once
def open_range(statistics: Statistics) -> OpenRange:
    """The figures of a match under every combination of the answers that the tool may use, as far
    as anybody outside knows.

    Kept with them: tables, findings and documents all show it.
    """
    return range_of(
        [statistics],
        lambda each: [each[0].figures(seat) for seat in (0, 1)],
        dead_cubes_of(statistics.scored),
    )


def range_of(
    every: Sequence[Statistics],
    figures_of_all: Callable[[Sequence[Statistics]], Sequence[Figures]],
    dead: Sequence[int],
) -> OpenRange:
    """The range of figures that are made of matches under one rule set. A rule of a tool is one:
    its answer is the same in every match.

    `dead` are, for every row of figures, the dead cubes of which the files do not show whether they
    count.
    """
    alternatives, seats = every[0].rules.alternatives, range(len(dead))

    @cache
    def counted(*answers: tuple[str, str]) -> list[Statistics]:
        return [_answered(each, answers) for each in every]

    def moves(code: str, seat: int) -> bool:
        figures = (figures_of_all(counted((code, answer))) for answer in alternatives[code])
        return any(other != base and _ranges([({}, (base, other))], seat) for other in figures)

    base = figures_of_all(every)
    moving = [[code for code in alternatives if moves(code, seat)] for seat in seats]
    codes = [code for code in alternatives if any(code in each for each in moving)]
    possible = tuple(
        (dict(answers), tuple(map(figures_of_all, (own, *ends(own)))))
        for answers in product(*(product([code], alternatives[code]) for code in codes))
        for own in [counted(*answers)]
    )
    ranges = tuple(_ranges(possible, seat) for seat in seats)
    by_player = ((*moving[seat], *["Q16"] * bool(dead[seat] and ranges[seat])) for seat in seats)
    return OpenRange(possible, tuple(by_player), ranges)


def _ranges(possible: Iterable[Possible], seat: int) -> dict[str, Range]:
    """The range of every figure of a player that moves by half a printed digit or more."""
    return {
        name: (ordered[0], ordered[-1])
        for name in METRICS
        for ordered in [known_values(possible, seat, name) or [0.0]]
        if ordered[-1] - ordered[0] >= METRICS[name].least_shown
    }


def known_values(possible: Iterable[Possible], seat: int, name: str) -> list[float]:
    """Every value that a player's figure has under these answers once, in order."""
    every = (figures[seat][name] for _, ends in possible for figures in ends)
    return sorted({value for value in every if value is not None})


def _answered(statistics: Statistics, answers: Iterable[tuple[str, str]]) -> Statistics:
    """A match under these answers; the very same where they change nothing in it."""
    scored = statistics.scored
    rules = scored.rules
    for code, answer in answers:
        if can_matter(code, scored.match):
            rules = rules.switched(code, answer)
    counted = scored if rules is scored.rules else rescored(scored, rules)
    return statistics if counted is scored else Statistics(counted, statistics.legal)


def pr_ranges(scored: Scored, of: Totals, first: Ints, one_point: Bools) -> tuple[Numbers, Numbers]:
    """The lowest and the highest PR of joined matches, each of shape (matches, 2 seats); NaN where
    a match has one PR only.

    `of` are the totals of the matches under the rules of `scored`, which add the errors of
    resignations; `first` has the first game of each, `one_point` says in a column which have that
    length. Of the questions that are open Q03 changes which no-doubles count, Q07 the errors of
    resignations, Q09 the rate of a one-point match. Under Q16 some dead cubes may count or not.
    """
    rules = scored.rules
    losing_side, resignations, one_point_match = (
        rules.alternatives.get(code, (rules.answers[code],)) for code in ("Q03", "Q07", "Q09")
    )
    error = of.sums["error"]
    errors = [
        error[: DecisionClass.RESIGNATION]
        if Q07.answers[name].value is Resigning.LEFT_OUT
        else error
        for name in resignations
    ]
    scales = [scale_of(rules.switched("Q09", name), one_point) for name in one_point_match]
    counts = []
    for answer in losing_side:
        other = rescored(scored, rules.switched("Q03", answer))
        group, unsure = of_decisions(other), dead_cubes(other)
        for excluded in {False, bool(unsure.any())}:
            columns = {"counted": other.counted & ~(unsure & excluded)}
            sums = Sums(len(scored.match.games), group._replace(columns=columns))
            counts.append(by_class(sums.matches(first)["counted"]))
    totals = [
        replace(of, sums={**of.sums, "counted": counted, "error": error}, scale=scale)
        for counted, error, scale in product(counts, errors, scales)
    ]
    rates = [figures_of(each, ["pr"])["pr"] for each in totals]
    low, high = np.fmin.reduce(rates), np.fmax.reduce(rates)
    fixed = high - low < METRICS["pr"].least_shown
    low[fixed] = high[fixed] = np.nan
    return low, high
