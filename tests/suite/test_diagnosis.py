"""What the suite says of programs with a planted fault: the fault, or that it is not known; never
another one."""

from __future__ import annotations

from typing import Final

import pytest

from reconcile.infer.catalogue import all_faults, deciding_cases
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.suite import diagnosis
from reconcile.suite.answers import read_back
from reconcile.suite.cases import every
from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.documents import document_of
from tests.support.claims import some
from tests.support.long import long_but_first
from tests.support.planted import NAMED, PLANTED, Program, suite_run
from tests.support.separates import changed

FEW: Final = ("p-q10", "p-far-games")
"""An answer, and a step of what counts."""


@pytest.mark.parametrize("name", long_but_first(dict.fromkeys((*FEW, *PLANTED)), len(FEW), 8))
def test_planted_fault_is_named_or_not_known(name):
    named = [fault.code for fault in diagnosed(suite_run(PLANTED[name]))]
    assert sorted(named) == sorted(NAMED.get(name, ()))


@pytest.mark.long
def test_fault_is_named_beside_several_other_answers():
    program = Program(
        "exchanges the players, and answers three questions otherwise",
        rules=lambda rules: (
            rules.switched("Q07", "no").switched("Q09", "x1").switched("Q13", "none")
        ),
        shows=lambda both, scored: both[::-1],
    )
    named = {fault.code for fault in diagnosed(suite_run(program, step=2))}
    assert named == {"players-swapped", "Q07=no", "Q09=x1", "Q13=none"}


@pytest.mark.long
def test_program_without_a_fault_passes_and_its_rules_are_read_back():
    ran = suite_run(Program("is right"), "gnubg", None, 5)
    assert ran.rules.name in ("gnubg", "snowie4")
    assert (ran.failed, diagnosed(ran)) == ((), ())
    answers = {code: finding.answer for code, finding in read_back(ran).findings.items()}
    assert {
        answer == RULE_SETS["gnubg"].answers[code] for code, answer in answers.items() if answer
    } == {True}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "unexplained", "most"),
    long_but_first(
        [
            ("p-odd-turns", 3, 100),
            ("p-behind", 14, 1000),
            ("p-odd-turns", 3, diagnosis.MOST_TRIED),
            ("p-behind", 14, diagnosis.MOST_TRIED),
        ],
        1,
        1,
    ),
)
def test_no_cause_is_named_that_leaves_failed_cases_unexplained(
    name, unexplained, most, monkeypatch
):
    monkeypatch.setattr(diagnosis, "MOST_TRIED", most)
    ran = suite_run(PLANTED[name])
    result = document_of(ran).diagnosis
    assert (result.faults, result.unexplained) == ((), tuple(entry.case.id for entry in ran.failed))
    assert len(result.unexplained) == unexplained


def test_case_that_decides_about_a_fault_fails_with_it():
    cases = {case.id: case for case in every()}
    codes = dict.fromkeys(fault.code for fault in all_faults())
    assert set(deciding_cases()) <= {*codes, *QUESTIONS}
    assert len(deciding_cases()) >= 250
    for code in some(list(codes)[::9]):
        if code in deciding_cases():
            case = cases[deciding_cases()[code]]
            assert any(changed(case, fault) for fault in all_faults() if fault.code == code), code


def test_cube_of_the_doubler_after_a_beaver_is_a_fault_that_a_case_shows():
    faults = [fault for fault in all_faults() if fault.code == "cube-of-doubler-after-beaver"]
    beavers = [case for case in every() if case.area == "beaver"]
    failing = [case.id for case in beavers if any(changed(case, fault) for fault in faults)]
    assert failing == ["beaver-owner"]
