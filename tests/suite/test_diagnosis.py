"""What the suite says of programs with a planted fault: the fault, or that it is not known; never another one."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest

from reconcile.errors import At
from reconcile.gate.candidates.claims import stated
from reconcile.infer.reported import Reported
from reconcile.infer.scorer import Fault, figures
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite import diagnosis
from reconcile.suite.answers import read_back
from reconcile.suite.cases import every
from reconcile.suite.content import CaseFiles
from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.harness import Answer
from reconcile.suite.run import Asking, Ran
from tests.support.long import long_but_first
from tests.support.planted import NAMED, PLANTED, printed

FEW: Final = ("p-q10", "p-far-games")
"""An answer, and a step of what counts."""


@cache
def files() -> tuple[CaseFiles, ...]:
    """Every case."""
    return tuple(CaseFiles(case) for case in every())


def ran(fault: Fault, rules: str = "xg", claimed: str | None = "xg", every: int = 1) -> Ran:
    """A run of the suite, or of a part of it, on a program with a fault."""
    asked = []
    for one in files()[::every]:
        form = one.case.formats[0]
        found: dict[str, dict[str, Reported]] = {}
        both = printed(figures(one.matches[form], RULE_SETS[rules], (fault,)))
        for player, given in zip(one.case.match.players, both, strict=True):
            read = [stated(At(one.case.id), player, name, text) for name, text in given.items()]
            found[player] = {
                figure.metric: Reported(
                    figure.metric, figure.text, figure.value or 0.0, figure.half
                )
                for figure in read
            }
        asked.append(Asking(one, form, Answer(found)))
    return Ran("planted", "1", claimed, tuple(asked))


def codes(fault: Fault) -> tuple[str, ...]:
    """The faults that are named."""
    return tuple(one.code for one in diagnosed(ran(fault)).faults)


@pytest.mark.parametrize("name", long_but_first(dict.fromkeys((*FEW, *PLANTED)), len(FEW), 8))
def test_planted_fault_is_named_or_not_known(name: str) -> None:
    assert sorted(codes(PLANTED[name])) == sorted(NAMED.get(name, ()))


@pytest.mark.long
def test_program_without_a_fault_passes_and_its_rules_are_read_back() -> None:
    program = ran(Fault("none", "it is right"), "gnubg", None, 5)
    assert program.rules.name in ("gnubg", "snowie4")
    assert program.failed == ()
    named = diagnosed(program)
    assert (named.faults, named.unexplained) == ((), ())
    known = {one.question: one.answer for one in read_back(program).answered}
    assert known
    assert all(RULE_SETS["gnubg"].answers[code] == answer for code, answer in known.items())


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
    name: str, unexplained: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "MOST_TRIED", most)
    program = ran(PLANTED[name])
    found = diagnosed(program)
    assert (found.faults, found.unexplained) == ((), tuple(one.case.id for one in program.failed))
    assert len(found.unexplained) == unexplained
