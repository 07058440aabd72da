"""What a program may do otherwise than its rules say, by code (`catalogue.yaml`), and the figures
of one that does: changes to raw events, rules, scored decisions or figures, around our own
scoring."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from reconcile.files.yaml_file import read_tree
from reconcile.infer import changes
from reconcile.infer.changes import Both, Earlier
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, load_met, met_names
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, again, table_of

Step: TypeAlias = Literal["match", "rules", "table", "decisions", "figures"]


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """One thing that a program does otherwise."""

    code: str
    """Its name, for programs."""
    sentence: str
    """What the program does, in words."""
    step: Step
    """The step of the scoring whose value it changes."""
    change: Callable[..., Any]
    """Makes the other value."""
    check: str = ""
    """The check whose page it has; empty for none."""


def _changed(step: Step, faults: Sequence[Fault], value: Any, *beside: Any) -> Any:
    """The value of a step after the faults that change it."""
    for fault in faults:
        if fault.step == step:
            value = fault.change(value, *beside)
    return value


def program_statistics(
    match: Match, rules: RuleSet, faults: Sequence[Fault] = (), plain: Statistics | None = None
) -> Statistics:
    """How a program that follows the rules but for these faults counts a match; `plain` is that
    without faults, if known. What faults do to figures comes after it. Raises as `score` does."""
    steps = {fault.step for fault in faults}
    if plain is None or steps & {"match", "rules", "table"}:
        match, rules = _changed("match", faults, match), _changed("rules", faults, rules)
        table = _changed("table", faults, "")
        met = load_met(table) if table else table_of(match, rules)
        plain = Statistics(score(match, rules, met))
    if "decisions" not in steps:
        return plain
    return again(plain, _changed("decisions", faults, plain.scored))


def program_figures(
    match: Match,
    rules: RuleSet,
    faults: Sequence[Fault] = (),
    plain: Statistics | None = None,
    earlier: Earlier = list,
    of_player: Callable[[Statistics, int], Figures] = Statistics.figures,
) -> Both:
    """What such a program gives for the match, after `earlier` ones."""
    statistics = program_statistics(match, rules, faults, plain)
    plain_figures = [of_player(statistics, seat) for seat in (0, 1)]
    both: Both = _changed("figures", faults, plain_figures, statistics, earlier)
    return both


def _answering(answers: Mapping[str, Mapping[str, str]]) -> Callable[[RuleSet], RuleSet]:
    """Rules with another answer to a question, by the answer that they have."""
    ((code, by_answer),) = answers.items()
    return lambda rules: rules.switched(code, by_answer.get(rules.answers[code], by_answer[ELSE]))


CHANGES: Final[Mapping[str, tuple[Step, Callable[[Any], Callable[..., Any]]]]] = {
    "games": ("match", changes.games_times),
    "turns_not_read": ("match", changes.turns_not_read),
    "rolls_not_read": ("match", changes.not_read("plays")),
    "cubes_not_read": ("match", changes.not_read("cubes")),
    "events": ("match", changes.with_columns),
    "points": ("match", changes.with_points),
    "answers": ("rules", _answering),
    "table": ("table", lambda name: lambda _: name),
    "decisions": ("decisions", changes.decisions_changed),
    "weighed": ("decisions", changes.weighed),
    "charged_to_both": ("decisions", changes.charged_to_both),
    "figures": ("figures", changes.by_formulas),
    "together": ("figures", lambda _: changes.together),
}
"""By the last key of an entry of the catalogue, the step that it changes, and what makes the change
of its value."""
DECIDING: Final = Path(__file__).with_name("deciding_cases.json")
"""The case of the conformance suite that decides about a fault or question, by code; generated."""
ELSE: Final = "else"
"""The answer that is given instead of any that is not listed."""
SHORT: Final = {"Rockwell-Kazaross": "rockwell"}
"""Tables whose faults have another name than they."""


@cache
def all_faults() -> tuple[Fault, ...]:
    """All faults; those with the same code differ in a number or a detail."""
    entries = read_tree(Path(__file__).with_name("catalogue.yaml")).items()
    return tuple(fault for name, entry in entries for fault in _faults(name, **entry))


@cache
def deciding_cases() -> Mapping[str, str]:
    """The id of the case of the suite that decides, by the code of a fault or question."""
    cases: dict[str, str] = json.loads(DECIDING.read_text("utf-8"))
    return cases


def _faults(
    name: str,
    says: str,
    code: str = "",
    check: str = "",
    numbers: Sequence[float | str] = ("",),
    **change: Any,
) -> Iterator[Fault]:
    """The faults of an entry: one, or one for each number or table."""
    ((key, value),) = change.items()
    step, changing = CHANGES[key]
    if step == "table":
        numbers = [table for table in met_names() if table != DEFAULT_MET]
    for number in numbers:
        named = f"{name}-{SHORT.get(str(number), number)}" if step == "table" else code or name
        filled = _filled(value, number)
        yield Fault(named, says.format(number), step, changing(filled), check)


def _filled(value: Any, number: float | str) -> Any:
    """A change with the number in its place."""
    if isinstance(value, Mapping):
        return {name: _filled(part, number) for name, part in value.items()}
    return value.replace("{}", str(number)) if isinstance(value, str) else value


@cache
def answers() -> Mapping[str, tuple[str, str, Fault]]:
    """Every answer to every question, as a fault of a program that follows other rules; with its
    question and name."""
    named = {
        f"{code}={name}": (code, name, f"it answers {code} with {name}: {question.title}")
        for code, question in QUESTIONS.items()
        for name in question.answers
    }
    return {
        key: (code, name, Fault(key, words, "rules", _answering({code: {ELSE: name}})))
        for key, (code, name, words) in named.items()
    }
