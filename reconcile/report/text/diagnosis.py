"""The diagnosis of a program under test in words: what it does first, then how sure that is, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from reconcile.diagnosis.checks.check import Place
from reconcile.diagnosis.program import Counted, Diagnosis, Sure
from reconcile.diagnosis.run import OWN

COUNTED: Final[Mapping[Counted, str]] = {"without": "if it did not count", "twice": "if it counted twice", "with": "if it counted"}

SURE: Final[Mapping[Sure, str]] = {
    "certain": "certain",
    "likely": "likely, not certain",
    "open": "open",
    "none": "no rules give the figures",
}
"""How sure a diagnosis is, in words."""


def diagnosis_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """Everything there is to say, the sentence first, a line each."""
    yield diagnosis.sentence
    yield from details(diagnosis)


def details(diagnosis: Diagnosis) -> Iterator[str]:
    """What comes after the sentence."""
    for fault in diagnosis.faults:
        yield f"{fault.sentence} [{fault.code}]"
        yield from (f"{match}, {place.player}: it may be {place}" for match, place in fault.decisions[1:])
    if not diagnosis.faults and diagnosis.given:
        yield f"How sure: {SURE[diagnosis.sure]}; {diagnosis.why}."
    if diagnosis.given:
        yield known_line(diagnosis)
    for one in diagnosis.against:
        yield f"Against it: {one.match} ({one.explained} of {one.given}): {one.sentence}"
        yield from (f"  {decision_line(*decision)}" for decision in one.decisions)


def known_line(diagnosis: Diagnosis) -> str:
    """How many figures each known rule set gives: `Known rules: gammonview 28 of 36, backgammondb 20, xg 10`."""
    first, *others = [(("each reference's own" if one.name == OWN else one.name), one.explained, one.given) for one in diagnosis.rule_sets]
    shown = [f"{first[0]} {first[1]} of {first[2]}", *(f"{name} {explained}" for name, explained, _ in others)]
    return f"Figures that known rules give: {', '.join(shown)}"


def decision_line(how: Counted, place: Place) -> str:
    """A decision that would account for the figures."""
    return f"game {place.game}, turn {place.turn} ({place.kind}, error {place.error:.3f}) {COUNTED[how]}: {place.xgid or place.gnubg_id}"
