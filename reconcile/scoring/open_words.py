"""Why a figure is a range, in words: the rules of a program that nobody outside knows, and what a
file does not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.match.match import Match
from reconcile.match.tools import TOOLS
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import per
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.not_shown import dead_cubes_of, is_printed, undecided
from reconcile.scoring.open_rules import Range, known_values, open_range
from reconcile.scoring.pool import Pooled
from reconcile.scoring.statistics import Statistics
from reconcile.wording import either, listed, plural

MOST_NAMED: Final = 3
UNKNOWN: Final = {
    "Q03": "which no-doubles of the losing side {} counts",
    "Q07": "whether {} counts the errors of resignations",
    "Q09": "whether {} multiplies the PR of a one-point match",
}
"""What is not known, by question; `{}` stands for the tool."""
DECIDING: Final = (
    "decisions.double",
    "decisions.checker",
    "decisions.take",
    "equity_error.total",
    "pr",
)
"""The figures of a tool's window that could decide an open rule, the easiest to read first."""


def range_words(statistics: Statistics) -> Iterator[tuple[str, int, str]]:
    """Why figures of a match are ranges: the code of the finding, the seat, and the reason."""
    yield from (("open-rule", *finding) for finding in _open_rules(statistics))
    yield from (("dead-cubes", *finding) for finding in _dead_cubes(statistics))


def _open_rules(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, what is not known of the tool's rules, the PRs that it may give, and the figure of
    its window that decides."""
    undecided, program = open_range(statistics), _program(statistics.rules.name)
    for seat, name in enumerate(statistics.match.names):
        ranges = undecided.figures[seat]
        unknown = [code for code in undecided.by_player[seat] if code in UNKNOWN]
        if not ranges or not unknown:
            continue
        values = {metric: known_values(undecided.possible, seat, metric) for metric in DECIDING}
        shown = METRICS[max(DECIDING, key=lambda metric: len(values[metric]))]
        number = either([shown.shown(value) for value in values[shown.name]])
        amount = f"{shown.title.lower()}: {number}"
        own = own_rules(statistics.match).name == statistics.rules.name
        decides = (
            f"{program}'s window decides it by its {amount}"
            if own
            else f"{program} has no window of this analysis to decide it; {amount}"
        )
        yield seat, f"{_ranged(name, ranges)}: {_unknown(unknown, program)}. {decides}"


def decided_words(statistics: Statistics, answers: Mapping[str, str]) -> str:
    """With which answers figures that a program reported agree, where these are not those of the
    rule set; empty where they are."""
    rules = statistics.scored.rules
    decided = {code: answer for code, answer in answers.items() if rules.answers[code] != answer}
    if not decided:
        return ""
    return (
        f"{_unknown(decided, _program(rules.name))}; the reported figures agree with "
        f"{listed(list(decided.values()))}"
    )


def _unknown(codes: Iterable[str], program: str) -> str:
    """`which no-doubles of the losing side XG counts is not known`."""
    return f"{listed([UNKNOWN[code].format(program) for code in codes])} is not known"


def _program(rules: str) -> str:
    """The program that counts by the rules of this name, as reports print it; else the name."""
    return next(
        (tool.short for tool in TOOLS.values() if tool.rules == rules and tool.counts), rules
    )


def _ranged(name: str, ranges: Mapping[str, Range]) -> str:
    """`PR of Ann is 6.51 to 6.75`: the first figure that is a range."""
    moved = next(iter(ranges))
    low, high = (METRICS[moved].shown(value) for value in ranges[moved])
    return f"{METRICS[moved].title} of {name} is {low} to {high}"


def _dead_cubes(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, the dead cubes of which the file does not show whether they count, and the figures
    between none of them and all."""
    undecided = open_range(statistics)
    for seat, number in enumerate(dead_cubes_of(statistics.scored)):
        ranges, name = undecided.figures[seat], statistics.match.names[seat]
        if number and ranges:
            where = f"{plural(number, 'turn')} with an owned, dead cube after the Crawford game"
            yield (
                seat,
                f"{_ranged(name, ranges)}: which of {where} {_program(statistics.rules.name)} "
                "counts is not in this file",
            )


def words_of_pool(pooled: Pooled) -> Iterator[tuple[str, str]]:
    """Why figures of many matches are ranges: the code of the finding that one match has, and the
    reason."""
    if not pooled.ranges:
        return
    ranged, program = _ranged(pooled.name, pooled.ranges), _program(pooled.rules)
    unknown = [code for code in pooled.open_rules if code in UNKNOWN]
    if unknown:
        same = "" if pooled.matches == 1 else ", but it is the same in every match"
        yield "open-rule", f"{ranged}: {_unknown(unknown, program)}{same}"
    if len(unknown) < len(pooled.open_rules):
        yield (
            "dead-cubes",
            f"{ranged}: which turns with a dead cube {program} counts is not in these files",
        )
    if not pooled.open_rules:
        yield "printed-digits", f"{ranged}: equities are known as far as they are printed"


def digits_in_words(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, how far the figures of a file with printed equities are known; nothing for any other
    file."""
    scored = statistics.scored
    match = scored.match
    if not is_printed(match):
        return
    plays, cubes = match.plays, match.cubes
    rows = len(plays) + len(cubes)
    wrong = np.concatenate((plays.analysed & plays.moved, scored.error[len(plays) : rows] != 0))
    half = np.where(wrong, np.concatenate((plays.half, cubes.half)), 0.0)
    hangs = undecided(scored)
    for seat, name in enumerate(match.names):
        own = scored.player == seat
        bound, lost, rate = float(half[own[:rows]].sum()), "equity_error.total", "pr"
        number = statistics.figures(seat)["decisions.counted"]
        words = f"{name}: {METRICS[lost].title.lower()} within {bound:.3f} EMG"
        if number:
            words += (
                f", {METRICS[rate].title} within "
                f"{float(per(METRICS[rate].factor, bound, number)):.2f} at worst"
            )
        if (hangs & own).any():
            words += (
                f"; {_decisions(match, np.flatnonzero(hangs & own))} or not by a digit that is not "
                "printed"
            )
        yield seat, words


def _decisions(match: Match, rows: npt.NDArray[np.intp]) -> str:
    """`one decision counts (game 2 turn 13)`."""
    game, turn = (
        np.concatenate((getattr(match.plays, name), getattr(match.cubes, name)))
        for name in ("game", "turn")
    )
    named = ", ".join(
        f"game {match.games.number[game[row]]} turn {turn[row]}"
        for row in rows[:MOST_NAMED].tolist()
    )
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return (
        f"{'one decision counts' if len(rows) == 1 else f'{len(rows)} decisions count'} "
        f"({named}{more})"
    )
