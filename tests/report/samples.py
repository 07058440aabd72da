"""The demonstration pair compared, with bridges and contributions made by hand: what a report is
given, small enough to see through.
"""

import io
import re
from dataclasses import replace
from functools import cache

from reconcile.gap.comparison import compare
from reconcile.gap.verdict import Figure
from reconcile.gap.walk import Bridge, Step, Walk
from reconcile.infer.investigation import investigate
from reconcile.scoring.figures import BRIDGED
from tests.support.loaded import DEMONSTRATION
from tests.support.several import bundled_sgf, bundled_xg

FOLDER = DEMONSTRATION.parent
HOSTILE = ("<script>alert('x')</script>", '"><img src=x onerror=alert(1)> & | `code` [a](b)')
METRICS = ("pr", "snowie_er", "mwc_loss_percent.total")


def matches():
    return bundled_xg(), bundled_sgf()


@cache
def demonstration():
    return compare(*matches())


@cache
def nora(**figures):
    """What is found for figures of its first player."""
    return investigate(matches()[0], "nora", figures)


@cache
def hostile():
    """The same match between players whose names are markup, as is what the file says of itself."""
    left, right = matches()
    left = replace(left, players=HOSTILE, event="Synthetic: <b>made</b> up")
    return compare(left, replace(right, players=HOSTILE))


def unsaid():
    """The same match from files that say nothing of themselves."""
    return compare(*(replace(match, event="") for match in matches()))


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
    places = metric, "Black", left, right, gap, tolerance
    return Figure(*places, "error" if tolerance is not None else None, verdict)


class WalkByHand(Walk):
    """A walk whose bridges for the match are made by hand."""

    def __init__(self, walk, bridges):
        super().__init__(walk.statistics, walk.pairing, walk.rules, walk.names, walk.seats)
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


class Terminal(io.StringIO):
    """A stream that is taken for a terminal."""

    def isatty(self):
        return True

    @property
    def plain(self):
        """What is printed, without the colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.getvalue())
