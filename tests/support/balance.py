"""Whether the books of a comparison balance: every bridge against its gap, every step against the
ledger."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle

import numpy as np
import pandas as pd

from reconcile.gap.bridge import CAUSES, Bridge, Step
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.paired_decisions import COUNT, MOVES
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.walk import OF_DECISIONS, Walk, Way
from reconcile.match.match import Match
from reconcile.scoring.metrics import BRIDGED
from reconcile.scoring.sums import DecisionClass

CLOSES = 1e-9
Parts = dict[tuple[str, str, str], list[tuple[int, float]]]
"""What decisions add, by player, metric and step: each with its number."""
RATES = ("pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "snowie_memg")
RATES_OF_A_CLASS = {
    "checker_pr": (DecisionClass.CHECKER,),
    "cube_pr": (DecisionClass.DOUBLE, DecisionClass.TAKE),
}
ANY_GAP = Tolerances.from_mapping(
    {
        "schema_version": 1,
        "tables": {
            "documented": {
                "title": "Any gap will do",
                "entries": {
                    "moves.total": {
                        "abs": 1e9,
                        "level": "error",
                        "reason": "known of every transcript",
                        "source": "none",
                    }
                },
            }
        },
    }
)


def ledger_of(walk: Walk, bridges: Sequence[Bridge]) -> pd.DataFrame:
    """The columns of the ledger as a table, with `item`."""
    return pd.DataFrame(walk.ledger_columns(bridges))


def compared(
    left: Match,
    right: Match,
    left_rules: str | None = None,
    right_rules: str | None = None,
    met: str | tuple[str, str] | None = None,
) -> Comparison:
    """Two files compared whatever is analysed in them."""
    return compare(left, right, ANY_GAP, left_rules=left_rules, right_rules=right_rules, met=met)


def walks(comparison: Comparison) -> Iterator[tuple[Walk, tuple[Bridge, ...], pd.DataFrame]]:
    """The walk of a comparison for the match and every game, with its bridges and its ledger."""
    walk = comparison.walk
    for game in (None, *walk.left.match.games.number.tolist()):
        bridges = walk.bridges(game=game)
        yield walk, bridges, ledger_of(walk, bridges)


Walked = tuple[Walk, tuple[Bridge, ...], pd.DataFrame]
"""A walk over the match or a game, its bridges, its ledger."""


def as_shown(comparison: Comparison) -> list[Walked]:
    """The walk that a report shows: over the match, both ways."""
    bridges = comparison.walk.bridges()
    return [(comparison.walk, bridges, ledger_of(comparison.walk, bridges))]


def unbalanced(comparison: Comparison, walked: Iterable[Walked] | None = None) -> list[str]:
    """Everything that does not add up; nothing, when the books balance. Walks the comparison unless
    that is done already."""
    wrong = []
    games = cycle(
        (None, *comparison.statistics[0].match.games.number.tolist())
    )  # as `walks` goes through them
    for game, (walk, bridges, ledger) in zip(
        games, walks(comparison) if walked is None else walked, strict=False
    ):
        money = walk.left.match.is_money
        expected = len(BRIDGED) - 4 * money
        if len(bridges) != 2 * expected:
            wrong.append(f"{len(bridges)} bridges, expected {2 * expected}")
        if not set(ledger["cause"]) <= set(CAUSES):
            wrong.append(f"causes without a page: {sorted(set(ledger['cause']) - set(CAUSES))}")
        parts = _parts(ledger)
        for bridge in bridges:
            where = f"{bridge.player} {bridge.metric}" + (f" of game {game}" if game else "")
            wrong += [f"{where}: {fault}" for fault in _faults(bridge, parts, walk, game)]
        if len(parts) != len(
            {
                (b.player, b.metric, code)
                for b in bridges
                for code, vector in b.contributions.items()
                if vector.any()
            }
        ):
            wrong.append("the ledger has rows of other bridges")
    return wrong


def _parts(ledger: pd.DataFrame) -> Parts:
    parts: Parts = defaultdict(list)
    names = ("player", "metric", "step", "item", "change")
    for player, metric, step, item, change in zip(
        *(ledger[name].tolist() for name in names), strict=True
    ):
        parts[player, metric, step].append((item, change))
    return dict(parts)


def _ends(
    walk: Walk, owner: int, metric: str, game: int | None
) -> tuple[float | None, float | None]:
    """The figure on either side, as the statistics of the files have it."""
    figures = []
    for statistics, seat in zip(walk.statistics, (owner, walk.pairing.seats[owner]), strict=True):
        numbers = statistics.match.games.number.tolist()
        here = game is None or game in numbers
        figures.append(statistics.figures(seat, game)[metric] if here else None)
    return figures[0], figures[1]


def _obstacle(walk: Walk, bridge: Bridge, game: int | None) -> str:
    """Why there can be no bridge, from the statistics of the two files and the decisions that
    count; empty where there must be one."""
    owner = walk.left.match.players.index(bridge.player)
    if None in _ends(walk, owner, bridge.metric, game):
        return "an unknown end"
    ways = zip(walk.ways, (owner, walk.pairing.seats[owner]), strict=False)
    walkable = [all(_denominators(way, bridge.metric, seat, game)) for way, seat in ways]
    return "" if any(walkable) else "a rate that divides by nothing"


def _denominators(way: Way, metric: str, owner: int, game: int | None) -> list[float]:
    """What a rate divides by after every step on a way, in the documented order; nothing for a
    sum."""
    if metric not in RATES:
        return []
    items = way.items
    counted = np.ones(len(items), bool) if game is None else items.game == game
    column = MOVES if metric.startswith("snowie") else COUNT
    if column == COUNT:
        counted &= items.player == owner
    if metric in RATES_OF_A_CLASS:
        counted &= np.isin(items.decision_class, RATES_OF_A_CLASS[metric])
    number = len(way.questions) + 1
    rules = [way.charges(OF_DECISIONS & {*way.questions[:done]}) for done in range(number)]
    states = [
        *((judged, items.left >= 0) for judged in rules),
        (rules[-1], items.common),
        (way.landing, items.common),
    ]
    return [
        float(judged[column][counted & common].sum())
        for judged, common in (*states, (way.landing, items.right >= 0))
    ]


def _faults(bridge: Bridge, ledger: Parts, walk: Walk, game: int | None) -> Iterator[str]:
    obstacle = _obstacle(walk, bridge, game)
    if bool(bridge.reason) != bool(obstacle):
        yield (
            f"the reason told is {bridge.reason or 'none'}, and in the way of a bridge is "
            f"{obstacle or 'nothing'}"
        )
        return
    ends = _ends(walk, walk.left.match.players.index(bridge.player), bridge.metric, game)
    if (bridge.start, bridge.end) != ends:
        yield f"from {bridge.start} to {bridge.end}, but the figures are {ends[0]} and {ends[1]}"
    if bridge.reason:
        if bridge.steps or bridge.contributions:
            yield "steps in spite of a reason why there are none"
        return
    if bridge.start is None or bridge.end is None:
        return
    codes = [step.code for step in bridge.steps]
    if len(set(codes)) < len(codes):
        yield f"a code occurs twice: {codes}"
    total = math.fsum(step.change for step in bridge.steps)
    if not abs(bridge.start + total - bridge.end) < CLOSES:
        yield f"from {bridge.start} to {bridge.end}, but the steps add up to {total}"
    for step in bridge.steps:
        yield from _step_faults(step, ledger.get((bridge.player, bridge.metric, step.code), []))


def _step_faults(step: Step, parts: Sequence[tuple[int, float]]) -> Iterator[str]:
    total, decisions = math.fsum(change for _, change in parts), len({item for item, _ in parts})
    if not abs(total - step.change) < CLOSES:
        yield f"{step.code}: the ledger has {total} for {step.change}"
    if decisions != step.decisions:
        yield (
            f"{step.code}: the ledger has {decisions} decisions, and the step says {step.decisions}"
        )
    if (
        step.low is not None
        and step.high is not None
        and not step.low - CLOSES <= step.change <= step.high + CLOSES
    ):
        yield f"{step.code}: {step.change} is not between {step.low} and {step.high}"
