"""What is not known of a tool's rules, or not printed in a file, as a range: a figure that depends on it is never a single number stated
as fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final

from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.printed_digits import is_printed, printed_figures
from reconcile.scoring.relevance import can_matter
from reconcile.scoring.score import rescored
from reconcile.scoring.statistics import Statistics

Range = tuple[float, float]
"""The lowest and the highest figure that the possible answers give."""
Figures = list[dict[str, float | int | None]]
"""By seat."""
UNKNOWN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Q03": "which no-doubles of the losing side {} counts",
        "Q07": "whether {} counts the errors of resignations",
        "Q09": "whether {} multiplies the PR of a one-point match",
    }
)
"""What is not known, by question; `{}` stands for the tool."""
DECIDING: Final = ("decisions.double", "decisions.checker", "decisions.take", "equity_error.total", "pr")
"""The figures of a tool's window that could decide an open rule, the easiest to read first."""


@dataclass(frozen=True, slots=True)
class OpenRange:
    """What the open answers of a rule set and the printed digits of a file leave undecided for one match."""

    codes: tuple[str, ...]
    """The questions that move a figure shown."""
    figures: tuple[Mapping[str, Range], Mapping[str, Range]]
    """By seat, the range of every figure that moves by half a printed digit or more."""
    possible: tuple[tuple[Mapping[str, str], tuple[Mapping[str, Range], Mapping[str, Range]]], ...]
    """For every combination of answers to those questions the figures by seat: each a range, which printed digits may leave."""
    deciding: tuple[tuple[str, tuple[float, ...]], ...]
    """By seat, the figure that decides which answer is right and the values that it may have; `("", ())` where none differs."""


NOTHING: Final = OpenRange((), (MappingProxyType({}), MappingProxyType({})), (), (("", ()), ("", ())))


def open_range(statistics: Statistics) -> OpenRange:
    """The figures of a match under every combination of the answers that the tool may use, as far as anybody outside knows.

    Made when first asked for, and once: tables, findings and documents all show it.
    """
    made = vars(statistics)
    if "open_range" not in made:
        made["open_range"] = _open_range(statistics)
    found: OpenRange = made["open_range"]
    return found


def _open_range(statistics: Statistics) -> OpenRange:
    scored, rules = statistics.scored, statistics.scored.rules
    base = [statistics.figures(seat) for seat in (0, 1)]
    known = {tuple(rules.answers.values()): base}

    def figures_under(other: RuleSet) -> Figures:
        answers = tuple(other.answers.values())
        if answers not in known:
            counted = rescored(scored, other)
            known[answers] = base if counted is scored else [Statistics(counted).figures(seat) for seat in (0, 1)]
        return known[answers]

    in_question = [code for code in rules.alternatives if can_matter(code, statistics.match)]
    codes = [code for code in in_question if any(_moves(base, figures_under(one)) for one in _switched(rules, code))]
    if not codes and not is_printed(statistics.match):
        return NOTHING
    combinations = [rules]
    for code in codes:
        combinations = [one.switched(code, answer) for one, answer in product(combinations, rules.alternatives[code])]
    each = [[figures_under(one), *printed_figures(statistics, one)] for one in combinations]
    every = [figures for several in each for figures in several]
    possible = tuple(
        ({code: one.answers[code] for code in codes}, (_spans(several, 0), _spans(several, 1)))
        for one, several in zip(combinations, each, strict=True)
    )
    figures, deciding = [], []
    for seat in (0, 1):
        values = {name: sorted({value for one in every if (value := one[seat][name]) is not None}) for name in METRICS}
        moving = {name: (found[0], found[-1]) for name, found in values.items() if found and _shown(name, found[-1] - found[0])}
        figures.append(MappingProxyType(moving))
        first = max(DECIDING, key=lambda name: (len(values[name]), -DECIDING.index(name)))
        deciding.append((first, tuple(values[first])) if moving else ("", ()))
    return OpenRange(tuple(codes), (figures[0], figures[1]), possible, tuple(deciding))


def _asked(statistics: Statistics) -> tuple[str, str, Mapping[str, tuple[str, ...]]]:
    """Whose rules count a file, whatever answers it can support."""
    rules = statistics.scored.rules
    return rules.name, rules.file, rules.alternatives


def _spans(several: Sequence[Figures], seat: int) -> dict[str, Range]:
    """The lowest and the highest of every figure of a seat that is known."""
    values = {name: [value for one in several if (value := one[seat][name]) is not None] for name in METRICS}
    return {name: (min(known), max(known)) for name, known in values.items() if known}


def gap_range(left: Statistics, right: Statistics, seats: tuple[int, int], name: str) -> Range | None:
    """The lowest and the highest gap of a figure whose answers are not known on a side; `None` where none is open, or a side unknown.

    Two files under the same rules are counted by one tool: whatever its answers are, they are the same for both.
    """
    sides = open_range(left), open_range(right)
    if not any(side.figures[seat].get(name) for side, seat in zip(sides, seats, strict=True)):
        return None
    known = [one.figures(seat)[name] for one, seat in zip((left, right), seats, strict=True)]
    if known[0] is None or known[1] is None:
        return None
    first, second = (
        [(answers, spans[seat][name]) for answers, spans in side.possible if name in spans[seat]]
        if side.figures[seat].get(name)
        else [({}, (value, value))]
        for side, seat, value in zip(sides, seats, known, strict=True)
    )
    one_tool = _asked(left) == _asked(right)
    gaps = [
        (there[0] - here[1], there[1] - here[0])
        for one, here in first
        for two, there in second
        if not one_tool or all(two.get(code, answer) == answer for code, answer in one.items())
    ]
    return min(low for low, _ in gaps), max(high for _, high in gaps)


def _switched(rules: RuleSet, code: str) -> list[RuleSet]:
    return [rules.switched(code, answer) for answer in rules.alternatives[code] if answer != rules.answers[code]]


def _moves(base: Figures, other: Figures) -> bool:
    return other is not base and any(
        _shown(name, abs(there - here))
        for one, two in zip(base, other, strict=True)
        for name in METRICS
        if (here := one[name]) is not None and (there := two[name]) is not None
    )


def _shown(name: str, change: float) -> bool:
    return change >= least_shown(name)


def least_shown(name: str) -> float:
    """The smallest change of a figure that is told: half a printed digit."""
    return float(0.5 * 10.0 ** -METRICS[name].decimals)
