"""The dead cube of a leader who owns it after the Crawford game: BGBlitz evaluates it, no other
program does."""

from dataclasses import replace
from typing import Any

import pytest

from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.rows import story
from reconcile.match.columns import Kind
from reconcile.match.tools import XG
from reconcile.scoring.score import is_dead
from tests.support.balance import ledger_of
from tests.support.small_bgf import (
    GREEN,
    RED,
    action,
    answered,
    evaluation,
    game,
    match,
    roll,
    written,
)

ANN, BEN, DOUBLED = (0.75, 0.25), (0.25, 0.25), (0.5, 0.5)
"""Middle and half width of the chances of the match: Ann wins it with this game, or stands at 0.5;
with the cube at 2 all is at stake."""
CLOSE, FAR = (0.5, 0.4), (0.9, 0.1)
"""No double and double/take: close to a double, and not."""
TURNS = (
    (CLOSE, "13/10 13/12", "13/9 13/11"),
    (FAR, "24/21 24/23", "24/20 24/22"),
    (FAR, "12/9 10/9", "11/7 9/7"),
    (CLOSE, "23/20 21/20", "22/18 20/18"),
    (FAR, "13/10 13/12", "13/9 13/11"),
    (FAR, "12/9 10/9", "11/7 9/7"),
)
"""Of Ann, after she took Ben's double: her cube, her play, and Ben's next."""


def of_bgblitz():
    """Ann leads 2-1 to 3, takes a double and rolls six times with the cube at 2; BGBlitz counts her
    illegal plays too."""
    offer = 0.5, BEN, (0.6, 0.7)
    records: list[Any] = [
        roll(GREEN, (3, 1), {"8/5 6/5": 0.2, "24/23 13/10": 0.1}, "8/5 6/5", ANN),
        action(RED, 1, evaluation(*offer)),
        action(GREEN, 2, answered(*offer)),
        roll(RED, (4, 2), {"8/4 6/4": 0.15, "13/11 13/9": 0.13}, "8/4 6/4", DOUBLED),
    ]
    for cube, play, answer in TURNS:
        records += [
            roll(GREEN, (3, 1), {"6/3 6/5": 0.2, play: 0.1}, play, DOUBLED, cube),
            roll(RED, (4, 2), {answer: 0.2, "6/2 6/4": 0.1}, answer, DOUBLED),
        ]
    crawford = game([action(RED, 4)], (2, 0), isCrawford=True)
    last = game([*records, action(GREEN, 4)], (2, 1), wonPoints=2)
    return read_match("ann.bgf", written(match(crawford, last, finalGreen=4, finalRed=1)))


def of_xg(bgf):
    """The same analysis as XG would have it: without a value of a dead cube."""
    rows = ~is_dead(bgf) | (bgf.cubes.kind != Kind.NO_DOUBLE)
    columns = {name: getattr(bgf.cubes, name)[rows] for name in bgf.cubes.names()}
    cubes = type(bgf.cubes)(int(rows.sum()), columns)
    return replace(
        bgf, source=replace(bgf.source, tool=XG.name, format="xg", digest="x"), cubes=cubes
    )


def steps(compared, metric):
    """The steps of Ann's bridge that change the figure."""
    return {step.code: step.change for step in compared.walk.bridge(metric, 0).steps if step.change}


def compared(rules, sign=1):
    """Both files, XG's under the first of these rules; -1 exchanges the sides."""
    bgf = of_bgblitz()
    (first, left), (second, right) = [*zip((of_xg(bgf), bgf), rules, strict=True)][::sign]
    return compare(first, second, left_rules=left, right_rules=right, need_verdict=False)


@pytest.mark.parametrize("sign", [1, -1])
def test_dead_cubes_take_one_step_from_one_program_s_rules_to_the_other_s(sign):
    """gnuBG's rules count no dead cube, BGBlitz's 2 of the 6: never 6 first, of which the coverage
    takes back 4."""
    both = compared(("gnubg", "bgblitz"), sign)
    # Ann's take was right.
    assert steps(both, "decisions.counted") == pytest.approx({"Q15": -sign, "Q16": 2 * sign})
    moved = steps(both, "pr")
    assert moved.keys() == {"Q15", "Q16"}
    assert sum(moved.values()) == pytest.approx(sign * (500 * 0.6 / 9 - 500 * 0.6 / 8))
    rows = ledger_of(both.walk, both.walk.bridges(["pr"]))
    assert len(rows[rows["step"] == "Q16"]) == 2
    assert not any("coverage" in cause for cause in rows["cause"])
    same = compared(("bgblitz", "bgblitz"), sign)
    assert steps(same, "decisions.counted") == {"engine": -4 * sign}


def test_story_tells_of_no_decisions_of_one_side_where_all_are_paired():
    comparison = compared(("bgblitz", "bgblitz"))
    gaps = [gap.shown() for gap in explanations(comparison)]
    words = " ".join(story(gaps, notes(comparison)))
    assert "only one file has" not in words
    assert (
        "which of 6 turns with an owned, dead cube after the Crawford game BGBlitz counts is not "
        "in this file" in words
    )
