"""What a program may do otherwise than its rules say, by code (`catalogue.yaml`), and the figures
of one that does: changes to raw events, rules, scored decisions or figures, around our own
scoring."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from reconcile.files.yaml_file import read_tree
from reconcile.infer.decision_changes import DECISION_CHANGES, DECISION_OPERATIONS, ScoredChange
from reconcile.infer.event_changes import EVENT_CHANGES, EVENT_OPERATIONS, MatchChange
from reconcile.infer.figure_changes import (
    EARLIER_CHANGES,
    FIGURE_CHANGES,
    FIGURE_OPERATIONS,
    Both,
    EarlierChange,
    FiguresChange,
)
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, load_met, met_names
from reconcile.rules.rulesets import QUESTIONS, RuleSet
from reconcile.scoring.figures import Figures
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics, again, table_of


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """One thing that a program does otherwise; each of its steps is optional."""

    code: str
    """Its name, for programs."""
    sentence: str
    """What the program does, in words."""
    of_match: MatchChange | None = None
    of_rules: Callable[[RuleSet], RuleSet] | None = None
    table: str = ""
    """The match equity table that it uses."""
    of_scored: ScoredChange | None = None
    of_figures: FiguresChange | None = None
    of_earlier: EarlierChange | None = None
    """What it makes of the figures of the matches before."""
    check: str = ""
    """The check whose page it has; empty for none."""

    @property
    def is_of_figures(self) -> bool:
        """Whether it changes what is shown, and no decision."""
        return self.of_figures is not None or self.of_earlier is not None


def program_statistics(
    match: Match, rules: RuleSet, faults: Sequence[Fault] = (), plain: Statistics | None = None
) -> Statistics:
    """How a program that follows the rules but for these faults counts a match; `plain` is that
    without faults, if known. What faults do to figures comes after it. Raises as `score` does."""
    for fault in faults:
        match = fault.of_match(match) if fault.of_match else match
        rules = fault.of_rules(rules) if fault.of_rules else rules
    table = next((fault.table for fault in faults if fault.table), "")
    is_scored_anew = table or any(fault.of_match or fault.of_rules for fault in faults)
    if plain is None or is_scored_anew:
        plain = Statistics(
            score(match, rules, load_met(table) if table else table_of(match, rules))
        )
    changes = [fault.of_scored for fault in faults if fault.of_scored]
    scored = plain.scored
    for change in changes:
        scored = change(scored)
    return again(plain, scored) if changes else plain


def program_figures(
    match: Match,
    rules: RuleSet,
    faults: Sequence[Fault] = (),
    plain: Statistics | None = None,
    earlier: Sequence[Both] = (),
    of_player: Callable[[Statistics, int], Figures] = Statistics.figures,
) -> Both:
    """What such a program gives for the match, after `earlier` ones."""
    statistics = program_statistics(match, rules, faults, plain)
    both: Both = [of_player(statistics, seat) for seat in (0, 1)]
    for fault in faults:
        both = fault.of_figures(both, statistics) if fault.of_figures else both
        both = fault.of_earlier(both, earlier) if fault.of_earlier else both
    return both


OPERATIONS: Final[Mapping[str, Mapping[str, Callable[..., Any]]]] = {
    "of_match": EVENT_OPERATIONS,
    "of_scored": DECISION_OPERATIONS,
    "of_figures": FIGURE_OPERATIONS,
}
CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    "of_match": EVENT_CHANGES,
    "of_scored": DECISION_CHANGES,
    "of_figures": FIGURE_CHANGES,
    "of_earlier": EARLIER_CHANGES,
}
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
    return tuple(
        fault
        for name, entry in entries
        for fault in _faults(name, **(entry if isinstance(entry, dict) else {"says": entry}))
    )


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
    numbers: Sequence[float | str] = (),
    **change: Any,
) -> Iterator[Fault]:
    """The faults of an entry: one, or one for each number or table."""
    if "table" in change:
        for met in met_names():
            if met != DEFAULT_MET:
                named = f"{name}-{SHORT.get(met, met)}"
                yield Fault(named, says.format(met), table=met, check=check)
        return
    for number in numbers or ("",):
        steps = dict([_step(name, _filled(change, number))])
        yield Fault(code or name, says.format(number), check=check, **steps)


def _filled(value: Any, number: float | str) -> Any:
    """A condition with the number in its place."""
    if isinstance(value, Mapping):
        return {name: _filled(part, number) for name, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, number) for part in value]
    return value.format(number) if isinstance(value, str) else value


def _step(name: str, change: Mapping[str, Any]) -> tuple[str, Any]:
    """Which step of the scoring an entry changes, and how."""
    if not change:
        step = next(step for step, changes in CHANGES.items() if name in changes)
        return step, CHANGES[step][name]
    (operation, argument), *more = change.items()
    if operation == "answers":
        return "of_rules", _answering(argument)
    step = next(step for step, made_by in OPERATIONS.items() if operation in made_by)
    return step, OPERATIONS[step][operation](argument, **dict(more))


def _answering(answers: Mapping[str, Mapping[str, str]]) -> Callable[[RuleSet], RuleSet]:
    """Rules with another answer to a question, by the answer that they have."""
    ((code, by_answer),) = answers.items()
    return lambda rules: rules.switched(code, by_answer.get(rules.answers[code], by_answer[ELSE]))


@cache
def answers() -> Mapping[str, tuple[str, str, Fault]]:
    """Every answer to every question, as a fault of a program that follows other rules; with its
    question and name."""
    return {
        f"{code}={name}": (
            code,
            name,
            Fault(
                f"{code}={name}",
                f"it answers {code} with {name}: {question.title}",
                of_rules=_answering({code: {ELSE: name}}),
            ),
        )
        for code, question in QUESTIONS.items()
        for name in question.answers
    }
