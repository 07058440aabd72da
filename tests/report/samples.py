"""The demonstration pair compared, with bridges and contributions made by hand: what a report is
given, small enough to see through.
"""

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

from reconcile.formats import load_match
from reconcile.gap.bridge import Bridge, Contribution, SideOfDecision, Step
from reconcile.gap.comparison import compare
from reconcile.gap.verdict import Figure
from reconcile.gap.walk import Walk
from reconcile.infer.investigation import investigate
from reconcile.match.board.identifiers import Situation, gnubg_ids, situations, xgids
from reconcile.match.columns import Kind
from reconcile.scoring.metrics import BRIDGED

FOLDER = Path(__file__).parents[2] / "reference_matches" / "demonstration"
HOSTILE = ("<script>alert('x')</script>", '"><img src=x onerror=alert(1)> & | `code` [a](b)')
METRICS = ("pr", "snowie_er", "mwc_loss_percent.total")


@cache
def matches():
    left, right = (load_match(FOLDER / f"nora-lindqvist-tomas-beck.{end}") for end in ("xg", "sgf"))
    return left, right


@cache
def demonstration():
    return compare(*matches())


@cache
def nora(**figures):
    """What is found for figures of its first player."""
    return investigate(matches()[0], "nora", figures)


@cache
def hostile():
    """The same match between players whose names are markup."""
    left, right = matches()
    return compare(replace(left, players=HOSTILE), replace(right, players=HOSTILE))


def with_figures(comparison, figures):
    return replace(comparison, figures=tuple(figures))


def figure(
    metric="pr",
    left=4.12,
    right=4.43,
    *,
    tolerance=0.1,
    verdict="outside",
):
    gap = right - left if left is not None and right is not None else None
    return Figure(
        metric,
        "Black",
        left,
        right,
        gap,
        tolerance,
        "error" if tolerance is not None else None,
        verdict,
    )


class WalkByHand(Walk):
    """A walk whose bridges for the match are made by hand."""

    def __init__(self, walk, bridges):
        super().__init__(walk.statistics, walk.pairing, walk.rules, seats=walk.seats)
        self.given = tuple(bridges)

    def bridges(self, metrics=BRIDGED, game=None):
        return self.given


def walked(comparison, by_hand=None):
    """The comparison with bridges made by hand."""
    return replace(
        comparison,
        walk=WalkByHand(comparison.walk, bridges(comparison) if by_hand is None else by_hand),
    )


def bridges(comparison):
    """Three metrics of both players: a rule and a rest that the engine accounts for."""
    made_bridges = []
    for figure in comparison.figures:
        if figure.metric in METRICS and figure.gap is not None:
            steps = (
                Step("reported-left", "No figure is reported", 0.0, 0),
                Step("Q01", "Does this checker play count as a decision?", 0.05, 3, 0.04, 0.06),
                Step("Q02", "Does this no-double count as close?", -0.02, 2),
                Step("engine", "The right analysis instead of the left one", figure.gap - 0.03, 40),
                Step("reported-right", "No figure is reported", 0.0, 0),
            )
            made_bridges.append(
                Bridge(figure.player, figure.metric, figure.left, figure.right, steps)
            )
    return tuple(made_bridges)


def situation(match, decision, owner):
    assert match.length is not None
    assert decision.away is not None
    return Situation(
        position=decision.position,
        dice=decision.dice or (0, 0),
        cube=decision.cube,
        owner=owner,
        length=match.length,
        score=(match.length - decision.away[0], match.length - decision.away[1]),
        double_offered=decision.kind in (Kind.TAKE, Kind.PASS),
    )


def contributions(comparison, most=40):
    """The first paired plays and all paired responses, with changes that grow smaller."""
    left = comparison.statistics[0].match
    every_metric = []
    for index, (decision, right_decision, owner) in enumerate(_pairs(comparison, most)):
        where = situation(left, decision, owner)
        cube = (
            {}
            if decision.kind is Kind.PLAY
            else {"no_double": 0.7, "double_take": 0.8, "double_pass": 1.0}
        )
        sides = (
            SideOfDecision(0.1, True, "3-ply", decision, **cube),
            SideOfDecision(0.05, index % 2 == 0, "0-ply cubeful", right_decision, **cube),
        )
        first = Contribution(
            player=decision.player,
            metric=METRICS[0],
            step="engine" if index % 3 else "Q01",
            cause="engine.error-size" if index % 3 else "rule.Q01",
            cause_title="Same best action, another size of error"
            if index % 3
            else "Does this checker play count?",
            change=(-1) ** index / (index + 1),
            sentence=f"{decision.player} lost more on the left.",
            left=sides[0],
            right=sides[1],
            xgid=xgids(situations([where]))[0],
            gnubg_id=gnubg_ids(situations([where]))[0],
        )
        every_metric += [replace(first, metric=metric) for metric in METRICS]
    return tuple(every_metric)


def _pairs(comparison, most):
    """The decisions of both sides, and who owns the cube."""
    left, right = (statistics.match for statistics in comparison.statistics)
    pairs = [
        (left.play_decision(i), right.play_decision(j), int(left.plays.owner[i]))
        for i, j in _rows(comparison.pairing.plays)[:most]
    ]
    for i, j in _rows(comparison.pairing.cubes):
        if left.cubes.kind[i] != Kind.NO_DOUBLE:
            owner = int(left.cubes.owner[i])
            pairs.append(
                (
                    left.cube_decision(i),
                    right.cube_decision(j),
                    owner if left.cubes.kind[i] == Kind.DOUBLE else -owner,
                )
            )
    return pairs


def _rows(pair):
    left, right = pair
    return list(zip(left.tolist(), right.tolist(), strict=True))


class Terminal(io.StringIO):
    """A stream that is taken for a terminal."""

    def isatty(self):
        return True
