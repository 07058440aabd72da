"""The cases of the suite: tiny files that our readers accept, with the same figures in every
format, about one edge each."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks.separates import changed, differ, precision
from reconcile.infer.catalogue import all_faults, program_figures
from reconcile.infer.reported import SUMMED_PRECISION
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.suite.cases import AREAS, every, separates
from tests.support.claims import some
from tests.support.long import long_but_first

LONGEST = 20
"""Turns of a case."""
LONGER = {"notanalysed": 40}
"""By area: nine in ten decisions must be analysed, or no figure is shown."""
UNDER = ("xg", "gnubg")


def test_every_area_has_cases_with_ids_of_their_own() -> None:
    ids = Counter(case.id for case in every())
    assert [name for name, times in ids.items() if times > 1] == []
    assert len(ids) >= 200
    assert len(AREAS) == 38
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9.]+)+", name) for name in ids)
    assert {case.question for case in every()} - {""} == set(QUESTIONS)


@pytest.mark.parametrize("area", long_but_first(AREAS, 8))
def test_files_are_small_and_read_without_a_note_and_agree(area: str) -> None:
    for case in some([case for case in every() if case.area == area]):
        for match in some([case.read(form) for form in case.formats]):
            assert (case.id, match.notes) == (case.id, ())
            assert len(match.plays) <= LONGER.get(area, LONGEST)
        for name in some(UNDER):
            scored = [
                program_figures(match, RULE_SETS[name]) for match in map(case.read, case.formats)
            ]
            unlike = [
                (case.id, name, metric, value, theirs)
                for seat in (0, 1)
                for metric, value in scored[0][seat].items()
                for theirs in (other[seat][metric] for other in scored[1:])
                if value is not None
                and theirs is not None
                and value != pytest.approx(theirs, abs=precision(metric), rel=SUMMED_PRECISION)
            ]
            assert unlike == []


@pytest.mark.parametrize("area", long_but_first(AREAS, 4))
def test_breaking_its_edge_changes_the_figures_of_a_case(area: str) -> None:
    for case in some([case for case in every() if case.area == area]):
        faults = [fault for fault in all_faults() if fault.code == case.edge]
        changes = (
            differ(
                program_figures(match, RULE_SETS[name]),
                program_figures(match, RULE_SETS[name], (fault,)),
            )
            for match in map(case.read, case.formats)
            for name in RULE_SETS
            for fault in faults
        )
        assert any(changes), (case.id, case.edge)


def test_cases_that_fail_together_are_those_that_the_edge_changes() -> None:
    for case in some(every()[::40]):
        faults = [fault for fault in all_faults() if fault.code == case.edge]
        failing = {
            other.id
            for other in every()[::20]
            if other != case and any(changed(other, fault) for fault in faults)
        }
        assert {*separates()[case.id]} & {other.id for other in every()[::20]} == failing
