"""BGBlitz against XG and gnuBG on one transcript: the books balance, and what BGBlitz alone does has steps of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reconcile.engines.analysis import analyse
from reconcile.formats import read_match
from reconcile.match.match import Match
from reconcile.match.met.own import own_table
from reconcile.scoring.dead_cubes import is_dead, with_dead_cubes
from reconcile.scoring.statistics import statistics
from tests.support import gnubg
from tests.support.balance import compared, unbalanced
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.small_bgf import match, written

XG_FILES = cases("bgblitz/xg/*.xg", short=1, most=2)


def bgblitz(path: Path) -> Match:
    return loaded(path.parent.parent / "bgf" / f"{path.stem}.bgf")


@pytest.mark.parametrize("path", XG_FILES)
@pytest.mark.parametrize("turned", long_but_first([False, True], 0), ids=["xg-bgblitz", "bgblitz-xg"])
def test_books_balance_between_xg_and_bgblitz(path: Path, turned: bool) -> None:
    sides = (loaded(path), bgblitz(path))
    comparison = compared(*(reversed(sides) if turned else sides))
    assert unbalanced(comparison) == []
    assert comparison.paired[0] == comparison.paired[1]


@pytest.mark.parametrize("path", XG_FILES)
def test_what_bgblitz_alone_does_has_steps_of_its_own(path: Path) -> None:
    """Every turn with a dead cube is in both files, so that no decision is left to coverage."""
    bridges = compared(loaded(path), bgblitz(path)).bridges
    right_ones = [step.change for bridge in bridges for step in bridge.steps if (bridge.metric, step.code) == ("decisions.counted", "Q15")]
    assert sum(right_ones) < 0
    dead = 0.0
    for bridge in bridges:
        changes = {step.code: step.change for step in bridge.steps}
        assert "Q15" in changes
        if bridge.metric == "decisions.double":
            # Where no cube was dead there is no such step, or an empty one for a player.
            assert changes.get("Q16", 0.0) >= 0
            dead += changes.get("Q16", 0.0)
        if bridge.metric in ("decisions.counted", "decisions.take"):
            assert changes["Q15"] <= 0
        assert changes["coverage-left"] == changes["coverage-right"] == 0
    assert dead > 0 or not is_dead(with_dead_cubes(loaded(path))).any()


@pytest.mark.long
@gnubg.needs_gnubg
@pytest.mark.parametrize("path", cases("bgblitz/xg/*.xg", short=1, most=1))
def test_books_balance_between_gnubg_and_bgblitz(path: Path) -> None:
    blitz = bgblitz(path)
    other = analyse(blitz, gnubg.program(), plies=0).match
    for left, right in ((other, blitz), (blitz, other)):
        comparison = compared(left, right)
        assert unbalanced(comparison) == []
        assert "Q15" in {step.code for bridge in comparison.bridges for step in bridge.steps}


def test_error_at_a_score_that_the_table_does_not_have_has_no_cost_and_no_bridge() -> None:
    """Another file of the same match with an error where BGBlitz's file shows nothing: its loss is unknown, and no other table is used."""
    full = read_match("full.bgf", written(match()))
    short = match()
    del short["games"][0]["moves"][4:]
    part = read_match("part.bgf", written(short))
    table = own_table(part)
    assert table is not None
    weighed = statistics(full, met=table)
    assert np.isnan(weighed.scored.loss).sum() == 1  # the pass at a cube of 2
    assert weighed.figures(0)["mwc_loss_percent.take"] is None
    assert weighed.figures(0)["mwc_loss_percent.total"] is None
    assert weighed.figures(0)["equity_error.take"] is not None
    assert weighed.figures(1)["mwc_loss_percent.total"] is not None
    walk = replace(compared(full, part).walk, order="documented")
    reasons = {(one.player, one.metric): one.reason for one in walk.bridges()}
    assert "does not have a score" in reasons["Ann", "mwc_loss_percent.total"]
    assert reasons["Ann", "equity_error.total"] == ""
