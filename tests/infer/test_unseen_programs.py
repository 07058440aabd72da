"""Forty programs with a fault each, written before the catalogue of faults: what the diagnosis of
eight matches and the suite name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.diagnosis import diagnosed
from tests.support.data import matching, present
from tests.support.faulty import said_of
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.planted import UNSEEN, suite_run

GIVEN: Final = (
    "pr", "snowie_er", "decisions.counted", "decisions.checker", "decisions.double",
    "decisions.take", "moves.total", "equity_error.total", "equity_error.checker",
    "equity_error.take", "mwc_loss_percent.total", "luck.equity",
)  # fmt: skip
MATCHES: Final = ("m02", "m03", "m05", "m26", "m30", "m42", "m44", "m49")
NAMED: Final[Mapping[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_name("unseen_programs.yaml").read_text("utf-8")
)
FIRST: Final = ("last game", "exchanged and xg", "PR doubled", "first for both")


@cache
def matches():
    return tuple(loaded(path) for name in MATCHES for path in matching(f"gnubg/{name}_*.sgf"))


@pytest.mark.skipif(not present(), reason="no folder of real matches")
@pytest.mark.parametrize("name", long_but_first(dict.fromkeys((*FIRST, *UNSEEN)), 2, 6))
def test_twelve_figures_of_eight_matches_name_the_fault_or_nothing(name):
    result = said_of(UNSEEN[name], matches(), RULE_SETS["gnubg"], GIVEN)
    assert [fault.code for fault in result.faults[:1]] == [*filter(None, [NAMED[name][0]])]
    assert not (NAMED[name][0] and result.sure in ("open", "none"))


@pytest.mark.long
@pytest.mark.parametrize("name", UNSEEN)
def test_suite_names_the_fault_or_nothing(name):
    result = diagnosed(suite_run(UNSEEN[name]))
    assert [fault.code for fault in result[:1]] == [*filter(None, [NAMED[name][1]])]
