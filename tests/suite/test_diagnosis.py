"""What the suite says of programs with a planted fault: the fault, or that it is not known; never another one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from reconcile.errors import At
from reconcile.gate.candidates.claims import stated
from reconcile.infer.reported import Reported
from reconcile.infer.scorer import Fault, figures
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.answers import read_back
from reconcile.suite.cases import every
from reconcile.suite.content import CaseFiles
from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.harness import Answer
from reconcile.suite.run import Asking, Ran
from tests.support.long import long_but_first
from tests.support.planted import PLANTED, printed

NAMED: Final[Mapping[str, tuple[str, ...]]] = {
    "p-q01": ("forced-counted",),
    "p-q03": ("losing-side-moved",),
    "p-q04": ("optional-left-out",),
    "p-q05": ("Q05=counts-with-zero-error",),
    "p-q06": ("Q06=max-candidate",),
    "p-q07": ("resignations-swapped",),
    "p-q08": ("rate-doubled",),
    "p-q09": ("one-point-scaled",),
    "p-q10": ("Q10=after-double",),
    "p-q11": ("table-of-woolsey",),
    "p-q12": ("total-grades-moved",),
    "p-q13": ("pr-capped",),
    "p-q14": ("Q14=gnubg-recount",),
    "p-q15": ("Q15=only-errors",),
    "p-q16": ("Q16=with-the-play",),
    "p-dances": ("dances-counted",),
    "p-first": ("first-play-left-out",),
    "p-illegal": ("illegal-exchanged",),
    "p-too-good": ("too-good-left-out",),
    "p-takes-doubler": ("answers-charged-to-doubler",),
    "p-passes": ("passes-left-out",),
    "p-crawford": ("crawford-game-left-out",),
    "p-post-crawford": ("post-crawford-no-doubles-left-out",),
    "p-last-game": ("last-game-left-out",),
    "p-unfinished": ("unfinished-left-out",),
    "p-luck-swapped": ("luck-swapped",),
    "p-luck-sign": ("luck-negative",),
    "p-players": ("players-swapped",),
    "p-round-2": ("errors-rounded-to-2",),
    "p-cube": ("errors-times-cube",),
    "p-fraction": ("mwc-fraction",),
    "p-snowie-own": ("snowie-own-moves",),
    "p-joker": ("jokers-moved",),
    "p-doublets-twice": ("doublets-left-out",),
    "p-squares": ("errors-squared",),
    "p-even-games": ("second-games-left-out",),
    "p-second-more": ("errors-of-seat-scaled",),
    "p-half-large": ("large-errors-halved",),
    "p-worst-game": ("worst-pr-of-games",),
    "p-early": ("late-left-out",),
    "p-one-more": ("pr-one-more",),
    "p-half-double": ("doubles-halved",),
    "p-take-class": ("takes-are-doubles",),
    "p-lucky-only": ("luck-good-only",),
    "p-luck-doublets": ("luck-without-doublets",),
    "p-moves": ("move-more-a-game",),
    "p-snowie-unforced": ("snowie-without-forced",),
    "p-score-first": ("score-ignored",),
    "p-score-last": ("mwc-at-last-score",),
    "p-longer": ("mwc-longer", "Q09=x1"),
    "p-without-takes": ("sum-without-part",),
    "p-small": ("small-errors-forgiven",),
    "p-wrong-pass": ("passes-doubled",),
    "p-right-doubles": ("right-doubles-left-out",),
    "p-mean-table": ("table-of-jacobs",),
    "p-money": ("mwc-none",),
    "p-error-count": ("blunders-are-no-errors",),
    "p-cube-rate": ("cube-rate-of-all",),
    "p-truncated": ("errors-truncated-to-3",),
    "p-missed-not": ("missed-doubles-left-out",),
    "p-far-games": ("later-games-left-out",),
    "p-two-plays": ("two-candidates-left-out",),
    "p-later-luck": ("luck-of-first-game",),
    "p-right-takes": ("right-takes-left-out",),
}
"""What is named of each planted fault; the others are not known."""
FEW: Final = ("p-q10", "p-players", "p-joker", "p-unfinished", "p-far-games", "p-right-takes")


@cache
def files() -> tuple[CaseFiles, ...]:
    """Every case."""
    return tuple(CaseFiles(case) for case in every())


def ran(fault: Fault, rules: str = "xg", claimed: str | None = "xg") -> Ran:
    """A run of the suite on a program with a fault."""
    asked = []
    for one in files():
        form = one.case.formats[0]
        found: dict[str, dict[str, Reported]] = {}
        both = printed(figures(one.matches[form], RULE_SETS[rules], (fault,)))
        for player, given in zip(one.case.match.players, both, strict=True):
            read = [stated(At(one.case.id), player, name, text) for name, text in given.items()]
            found[player] = {figure.metric: Reported(figure.metric, figure.text, figure.value or 0.0, figure.half) for figure in read}
        asked.append(Asking(one, form, Answer(found)))
    return Ran("planted", "1", claimed, tuple(asked))


def codes(fault: Fault) -> tuple[str, ...]:
    """The faults that are named."""
    return tuple(one.code for one in diagnosed(ran(fault)).faults)


@pytest.mark.parametrize("name", FEW)
def test_planted_fault_is_named(name: str) -> None:
    assert codes(PLANTED[name]) == NAMED[name]


@pytest.mark.parametrize("name", long_but_first((name for name in PLANTED if name not in FEW), 0, 16))
def test_planted_fault_is_named_or_not_known(name: str) -> None:
    assert sorted(codes(PLANTED[name])) == sorted(NAMED.get(name, ()))


def test_program_without_a_fault_passes_and_its_rules_are_read_back() -> None:
    program = ran(Fault("none", "it is right"), "gnubg", None)
    assert program.rules.name in ("gnubg", "snowie4")
    assert program.failed == ()
    named = diagnosed(program)
    assert (named.faults, named.unexplained) == ((), ())
    known = {one.question: one.answer for one in read_back(program).answered}
    assert known["Q02"] == "gnubg"
    assert all(RULE_SETS["gnubg"].answers[code] == answer for code, answer in known.items())


def test_fault_that_nothing_known_explains_is_not_named() -> None:
    found = diagnosed(ran(PLANTED["p-odd-turns"]))
    assert found.faults == ()
    assert found.unexplained == ("close-theirs", "beaver-owner", "colour-cube")


@pytest.mark.long
def test_no_cause_is_named_that_leaves_failed_cases_unexplained() -> None:
    program = ran(PLANTED["p-behind"])
    assert len(program.failed) == 14
    assert diagnosed(program).faults == ()
