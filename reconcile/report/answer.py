"""The answer of an investigation, as a supporter would write it; every output begins with it: a
headline, the decisions that count or cost otherwise, what else fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.document import Row
from reconcile.gap.rows import Line, Rows, place_of
from reconcile.gap.rows import apart as apart_in_digits
from reconcile.infer.checks import CHECKS
from reconcile.infer.investigation import Investigation, KnownRules
from reconcile.infer.reported import (
    Reported,
    apart,
    as_reported,
    decimals_of,
    fits_figure,
    listed_apart,
)
from reconcile.match.tools import GNUBG, TOOLS, short_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import lacking
from reconcile.wording import capital, listed, plural

PROVEN: Final = 2
"""With more changes than this an explanation can be chance."""
MOST_ROWS: Final = 5
"""Rows below the headline."""
MOST_CHANGES: Final = 3
"""Of these, questions that are answered otherwise."""
MOST_USERS: Final = 3
"""Rule sets with one answer that are named."""


def headline(result: Investigation) -> str:
    """The answer, to be copied as it is: which rules give the figures, or that none do, and what
    the file's own give."""
    return " ".join(_sentences(result, _telling(result)))


def answer(result: Investigation) -> list[str]:
    """The headline, and what else fits."""
    return [headline(result), *_more(result, _telling(result))]


def _telling(result: Investigation) -> list[Reported]:
    """The reported figures that say something."""
    return [figure for figure in result.reported if figure.metric not in result.blank]


def _sentences(result: Investigation, telling: Sequence[Reported]) -> Iterator[str]:
    program, tried = short_name(result.match.source.tool), result.given_rules
    if result.program not in (None, program):
        yield f"The figures are {result.program}'s, the file has {program}'s analysis."
    if tried and telling and not (tried.fits and tried.name == result.own.name):
        yield capital(_gives(f"rule set {tried.name} gives", telling, tried))
    where = "" if result.game is None else f" in game {result.game}"
    yield f"{result.player}{where}: {_search_result(result, telling)}"
    if result.explanations:
        alone = "One figure alone proves little: " * (len(telling) == 1)
        number = f"{result.fitting:,} of the {result.tried:,} combinations of answers"
        yield f"{alone}{number} {'gives' if result.fitting == 1 else 'give'} the same."


def _search_result(result: Investigation, telling: Sequence[Reported]) -> str:
    """What the search among all rules found."""
    if not telling:
        return _blank(result)
    figures = as_reported(telling)
    own = _gives(f"{_whose_rules(result)} rules give", telling, result.own)
    unknown = [figure for figure in telling if result.own.figures[figure.metric] is None]
    missing = _missing(result, unknown)
    if result.own.fits:
        return own
    if fitting := [rules for rules in result.rule_sets if rules.fits]:
        names = listed([rules.name for rules in fitting])
        give = f"rule set {names} gives" if len(fitting) == 1 else f"rule sets {names} give"
        return f"{_gives(give, telling, *fitting)} {own}"
    if missing and not result.explanations:
        return f"this file has {missing} analysed, so it has no {as_reported(unknown)}."
    first = f"no rules give {figures}{' together' * (len(telling) > 1)}."
    if result.explanations:
        number = len(result.explanations[0].differences)
        rules = f"rule set {result.explanations[0].nearest} does with {plural(number, 'change')}"
        chance = " With so many changes that can be chance." * (number > PROVEN)
        first = f"no known program's rules give {figures}; {rules}.{chance}"
    near = result.nearest
    nearest = _gives(f"The nearest known rules, those of {near.name}, give", telling, near)
    return " ".join([first, own, *([nearest] if near.name != result.own.name else [])])


def _gives(who: str, telling: Sequence[Reported], *rules: KnownRules) -> str:
    """What rules give: the figures, exactly or in the digits that were reported; or others, each
    with its distance."""
    if rules[0].fits:
        exact = all(_is_given(figure, each) for figure in telling for each in rules)
        return f"{who} {as_reported(telling)}{' exactly' if exact else ', in the digits given'}."
    figures = [(figure, rules[0].figures[figure.metric]) for figure in telling]
    off = [(figure, value) for figure, value in figures if not fits_figure(value, figure)]
    same = as_reported(figure for figure, value in figures if fits_figure(value, figure))
    return f"{who} {listed_apart(off)}{f', with {same} as given' if same else ''}."


def _is_given(figure: Reported, rules: KnownRules) -> bool:
    """Whether a figure is the reported one in the digits that programs print, and in its sign."""
    is_printed = decimals_of(figure.text) >= METRICS[figure.metric].decimals
    same = apart(figure, rules.figures[figure.metric]) == "the same"
    return is_printed and same and not (figure.text.startswith("-") and figure.value)


def _whose_rules(result: Investigation) -> str:
    """Whose rules a file is counted by where no others are asked for; a program that counts nothing
    has none of its own."""
    tool = TOOLS.get(result.match.source.tool)
    return f"{tool.short}'s own" if tool and tool.counts else f"{GNUBG.short}'s"


def verdict_of(result: Investigation) -> tuple[str, str]:
    """How the headline is marked, and its label."""
    proven = [check for check in result.checks if check.is_proven and check.code != "level"]
    if proven:  # an ordinary mistake accounts for the figures, and hardly by chance
        return "explained", CHECKS[proven[0].code].title
    if len(result.blank) == len(result.reported):
        return "incomplete", "Incomplete analysis"
    if not result.explanations:
        return "outside", "No rules give these figures"
    if not result.own.fits:
        return "explained", "Explained"
    if _others_off(result):
        return "explained", "What rules decide agrees"
    exact = all(_is_given(figure, result.own) for figure in _telling(result))
    return "within", "No difference" if exact else "No difference in the digits given"


def _more(result: Investigation, telling: Sequence[Reported]) -> Iterator[str]:
    """What else fits, and what says nothing."""
    yield from (check.sentence for check in result.checks)
    if telling and result.blank:
        yield capital(_blank(result))
    if telling and not result.explanations and not result.checks:
        yield "Nothing else that was tested fits beyond chance. Another analysis was not tried."
    if off := _others_off(result):
        number, ours = plural(len(result.not_searched), "figure"), listed_apart(off)
        differ = f"{len(off)} differ{'s' * (len(off) == 1)}"
        theirs = as_reported(figure for figure, _ in off)
        yield f"Of {number} that were not searched for, {differ}: {theirs}; here {ours}."


def _others_off(result: Investigation) -> list[tuple[Reported, float]]:
    """The figures that were not searched for and are not those of the file, which it has."""
    return [
        (figure, ours)
        for figure, ours in result.not_searched
        if ours is not None and not fits_figure(ours, figure)
    ]


def _missing(result: Investigation, figures: Sequence[Reported]) -> str:
    """How much is analysed of what these rest on, in words; empty where nothing is missing."""
    parts = {part for figure in figures for part in METRICS[figure.metric].parts}
    return " and ".join(lacking(result.completeness, parts))


def _blank(result: Investigation) -> str:
    """Which reported figures say nothing, and why."""
    figures = [figure for figure in result.reported if figure.metric in result.blank]
    missing = _missing(result, figures)
    why = f"this file has {missing} analysed" if missing else "nothing counts here"
    return f"{why}: {as_reported(figures)} say{'s' * (len(figures) == 1)} nothing."


def turning_rows(result: Investigation) -> Rows | None:
    """What the first explanation answers otherwise than the own rules, and the decisions that count
    or cost otherwise for it."""
    if not result.explanations or result.own.fits:
        return None
    first = result.explanations[0]
    lines = [
        Line("", each.title, f"{each.question}, as {users(each.question, each.answer_to)}")
        for each in first.own_differences[:MOST_CHANGES]
    ]
    turned = [(change, each) for each in first.decisions if (change := change_of(each))]
    shown = turned[: MOST_ROWS - len(lines)]
    lines += [
        Line(change, str(place_of(each)), ", ".join(each["questions"]), place_of(each))
        for change, each in shown
    ]
    if len(turned) > len(shown):
        lines.append(Line("", plural(len(turned) - len(shown), "more decision")))
    many = plural(len(turned), "decision counts or costs", "decisions count or cost")
    number = many if turned else "No decision is counted or charged"
    return Rows(f"{number} differently from {_whose_rules(result)} rules", lines)


def users(question: str, answer: str) -> str:
    """The first rule sets that give an answer; its name where none does."""
    names = [rules.name for rules in RULE_SETS.values() if rules.answers[question] == answer]
    return listed(names[:MOST_USERS]) if names else answer


def change_of(decision: Row) -> str:
    """What an explanation does to a decision against the rules of the file's own tool: whether it
    counts, how much it loses."""
    words = []
    if decision["counted_from"] != decision["counted_to"]:
        words.append("counts now" if decision["counted_to"] else "no longer counts")
    before, after = apart_in_digits(decision["error_from"], decision["error_to"])
    if before != after:
        words.append(f"error {before} -> {after}")
    if not words and decision["mwc_from"] is not None:
        lost, loses = f"{decision['mwc_from']:.3f}", f"{decision['mwc_to']:.3f}"
        words += [f"MWC lost {lost} -> {loses} %"] * (lost != loses)
    return ", ".join(words)
