"""Real programs: GammonView reads the `.xg` files, gnuBG the `.sgf` files, and both follow the
rules that are said to be theirs."""

from __future__ import annotations

import sys

import pytest

from benchmarks import peers
from benchmarks.conformance import harness
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.answers import read_back
from reconcile.suite.run import run
from tests.support.gnubg import needs_gnubg


@pytest.mark.long
def test_gammonview_follows_its_rule_set() -> None:
    try:
        program = harness(peers.python(), "gammonview_harness.py")
    except peers.NoPeer as missing:
        pytest.skip(str(missing))
    probed = read_back(run(harness=program))
    rules = RULE_SETS["gammonview"].switched("Q07", "no")  # as it counts an `.xg`
    assert probed.other == ()
    assert probed.failures == ()
    assert probed.equally_near == ("gammonview",)
    assert {finding.question for finding in probed.open} == {
        "Q12",
        "Q14",
    }  # it prints no grades, and no .xg shows a beaver
    assert {finding.question: finding.answer for finding in probed.answered} == {
        finding.question: rules.answers[finding.question] for finding in probed.answered
    }


@needs_gnubg
@pytest.mark.long
def test_gnubg_follows_its_rule_set() -> None:
    probed = read_back(run(harness=harness(sys.executable, "gnubg_harness.py")))
    rules = RULE_SETS["gnubg"]
    assert probed.other == ()
    assert probed.failures == ()
    assert probed.equally_near == ("gnubg",)
    assert probed.differing(rules) == ()
    assert {finding.question for finding in probed.open} == {
        "Q01",
        "Q06",
        "Q07",
        "Q12",
        "Q13",
    }  # no equal candidates, no stored errors, no resignations, no grades, no PR
    assert {finding.question: finding.answer for finding in probed.answered} == {
        finding.question: rules.answers[finding.question] for finding in probed.answered
    }
