"""The faults that the suite knows by name: what a program may do otherwise than its rules say, as changes to our own scoring.

`faults.yaml` has their codes, sentences and numbers, in order; the modules beside this one have the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from reconcile.files.yaml_file import read_tree
from reconcile.infer.faults.counting import COUNTING
from reconcile.infer.faults.earlier import EARLIER
from reconcile.infer.faults.errors import ERRORS
from reconcile.infer.faults.events import EVENTS
from reconcile.infer.faults.luck import LUCK_AND_GRADES, MATCHES
from reconcile.infer.faults.shown import SHOWN
from reconcile.infer.scorer import Fault
from reconcile.match.met import DEFAULT_MET, met_names
from reconcile.rules.rulesets import QUESTIONS, RuleSet


def _other(code: str, one: str, two: str) -> Any:
    """The other of two answers."""
    return lambda rules: rules.switched(code, two if rules.answers[code] == one else one)


def _stored(rules: Any) -> Any:
    return rules.switched(
        "Q06", "candidate-0" if rules.answers["Q06"] in ("stored", "millipoint") else "stored"
    )


RULES: Final[Mapping[str, Any]] = {
    "not-analysed-counted": lambda rules: rules.switched("Q05", "counts-with-zero-error"),
    "flag-ignored": lambda rules: rules.switched(
        "Q01", {"xg-flag": "xg-spread"}.get(rules.answers["Q01"], "xg-flag")
    ),
    "dead-cubes-counted": lambda rules: rules.switched("Q16", "with-the-play"),
    "beavers-recounted": lambda rules: rules.switched(
        "Q14", "as-played" if rules.answers["Q14"] != "as-played" else "gnubg-recount"
    ),
    "stored-exchanged": _stored,
    "answers-at-doubled-cube": lambda rules: rules.switched("Q10", "after-double"),
    "resignations-exchanged": lambda rules: rules.switched(
        "Q07", "no" if rules.answers["Q07"] != "no" else "yes-without-decision"
    ),
    "one-point-exchanged": _other("Q09", "x1.5", "x1"),
    "cap-exchanged": _other("Q13", "100", "none"),
}
"""By name what is done to the rules."""
STEPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "of_match": {**EVENTS, **MATCHES},
    "of_rules": RULES,
    "of_scored": {**COUNTING, **ERRORS},
    "of_figures": {**SHOWN, **LUCK_AND_GRADES},
    "of_earlier": EARLIER,
}
TABLE: Final = "table-of"
SHORT: Final = {"jacobs": "jacobs", "Rockwell-Kazaross": "rockwell"}
"""Tables whose faults have another name than they."""


@cache
def known() -> tuple[Fault, ...]:
    """All faults; those with the same code differ in a number."""
    named = read_tree(Path(__file__).with_name("faults.yaml")).items()
    return tuple(
        fault
        for name, one in named
        for fault in _faults(name, **(one if isinstance(one, dict) else {"says": one}))
    )


def _faults(
    name: str, says: str | Sequence[str], code: str = "", of: Sequence[float | str] = ()
) -> Iterator[Fault]:
    """The faults of an entry: one, or one for each number and sentence."""
    if name == TABLE:
        yield from (
            Fault(f"{TABLE}-{SHORT.get(met, met)}", f"{says}".format(met), table=met)
            for met in met_names()
            if met != DEFAULT_MET
        )
        return
    step, made = next((field, steps[name]) for field, steps in STEPS.items() if name in steps)
    for number in of or (None,):
        every = made if number is None else made(number)
        changes = every if isinstance(every, tuple) else (every,)
        sentences = (says,) * len(changes) if isinstance(says, str) else says
        for sentence, one in zip(sentences, changes, strict=True):
            yield Fault(code or name, sentence.format(number), **{step: one})


@cache
def answers() -> Mapping[str, tuple[str, str, Fault]]:
    """Every answer to every question, as a fault of a program that follows other rules; with its question and name."""
    return {
        f"{code}={name}": (
            code,
            name,
            Fault(
                f"{code}={name}",
                f"it answers {code} with {name}: {question.title}",
                of_rules=_answering(code, name),
            ),
        )
        for code, question in QUESTIONS.items()
        for name in question.answers
    }


def _answering(code: str, name: str) -> Callable[[RuleSet], RuleSet]:
    return lambda rules: rules.switched(code, name)
