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

# gammonview prints no grades, and no .xg shows a beaver; gnuBG has no equal candidates, stored
# errors, resignations, grades, PR.
UNSEEN = {"gammonview": {"Q12", "Q14"}, "gnubg": {"Q01", "Q06", "Q07", "Q12", "Q13"}}


@pytest.mark.long
@pytest.mark.parametrize("name", ["gammonview", pytest.param("gnubg", marks=needs_gnubg)])
def test_program_follows_its_rule_set(name: str) -> None:
    try:
        interpreter = peers.python() if name == "gammonview" else sys.executable
    except peers.NoPeer as missing:
        pytest.skip(str(missing))
    ran = run(harness=harness(interpreter, f"{name}_harness.py"))
    probed, answers = read_back(ran), dict(RULE_SETS[name].answers)
    if name == "gammonview":
        answers["Q07"] = "no"  # as it counts an `.xg`
    assert [near.name for near in probed.nearest] == [name]
    for code, finding in probed.findings.items():
        assert finding.answer == (None if code in UNSEEN[name] else answers[code]), code
        assert not finding.evidence.startswith("it fails")
