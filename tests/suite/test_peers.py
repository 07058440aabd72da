"""Real programs: GammonView reads the `.xg` files, gnuBG the `.sgf` files, and both follow the rules that are said to be theirs."""

from __future__ import annotations

import shlex
import sys

import pytest

from benchmarks import peers
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.probe import Probed, probe
from tests.support.data import PROJECT
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

with_borders = pytest.mark.parametrize(
    "looked_for", long_but_first([False, True], 0, 1), ids=["rules", "borders as well"]
)


def borders(probed: Probed) -> dict[str, tuple[float | None, float | None]]:
    return {one.key: (one.low, one.high) for one in probed.borders}


@with_borders
def test_gammonview_follows_its_rule_set_with_both_of_its_borders(looked_for: bool) -> None:
    try:
        command = shlex.join(
            [
                str(peers.python()),
                str(PROJECT / "benchmarks" / "candidates" / "gammonview.py"),
                "{file}",
            ]
        )
    except peers.NoPeer as missing:
        pytest.skip(str(missing))
    probed = probe(command=command, borders=looked_for)
    rules = RULE_SETS["gammonview"].switched("Q07", "no")  # as it counts an `.xg`
    assert probed.other == ()
    assert probed.failures == ()
    assert probed.equally_near == ("gammonview",)
    assert {one.question for one in probed.open} == {
        "Q12",
        "Q14",
    }  # it prints no grades, and no .xg shows a beaver
    assert {one.question: one.answer for one in probed.answered} == {
        one.question: rules.answers[one.question] for one in probed.answered
    }
    found = {
        "close-no-double": (0.200045, 0.200055),  # equities are rounded to the ten-thousandth
        "losing-side": (-0.90015, -0.90005),
        "made-double": (0.000995, 0.001005),  # a double that changes less is no decision
        "optional-double": (0.000945, 0.000955),
        "spread": (0.000095, 0.000105),
    }
    assert borders(probed) == (found if looked_for else {})


@needs_gnubg
@pytest.mark.exhaustive
@with_borders
def test_gnubg_follows_its_rule_set(looked_for: bool) -> None:
    command = shlex.join(
        [sys.executable, str(PROJECT / "benchmarks" / "candidates" / "gnubg.py"), "{file}"]
    )
    probed = probe(command=command, form="sgf", borders=looked_for)
    rules = RULE_SETS["gnubg"]
    assert probed.other == ()
    assert probed.failures == ()
    assert probed.equally_near == ("gnubg",)
    assert probed.differing(rules) == ()
    assert {one.question for one in probed.open} == {
        "Q06",
        "Q07",
        "Q12",
        "Q13",
    }  # no stored errors, no resignations, no grades, no PR
    assert {one.question: one.answer for one in probed.answered} == {
        one.question: rules.answers[one.question] for one in probed.answered
    }
    found: dict[str, tuple[float | None, float | None]] = {
        "close-no-double": (0.159995, 0.160005),
        **dict.fromkeys(("losing-side", "made-double", "optional-double", "spread"), (None, None)),
    }
    assert borders(probed) == (found if looked_for else {})
