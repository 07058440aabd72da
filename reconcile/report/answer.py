"""The answer of an investigation in sentences, as a supporter would write it; every output begins
with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from reconcile.gap.rows import Line, Rows
from reconcile.gap.rows import apart as apart_in_digits
from reconcile.infer.checks import CHECKS, HoldingCheck
from reconcile.infer.investigation import Investigation, KnownRules
from reconcile.infer.reported import (
    Reported,
    apart,
    as_reported,
    fits_figure,
    listed_apart,
    named,
    printed,
)
from reconcile.infer.turning import Reach, Turning
from reconcile.match.tools import GNUBG, TOOLS, short_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import lacking
from reconcile.wording import either, listed, plural

PROVEN: Final = 2
"""With more changes than this an explanation can be chance."""
MOST_ROWS: Final = 5
"""Rows below the headline."""
MOST_CHANGES: Final = 3
"""Of these, questions that are answered otherwise."""
MOST_QUESTIONS: Final = 2
"""Questions that a decision's row names."""
MOST_USERS: Final = 3
"""Rule sets with one answer that are named."""


def headline(result: Investigation) -> str:
    """The answer, to be copied as it is: which rules give the figures, or that none do, and what
    the file's own give."""
    telling = _telling(result)
    tried, tool = result.given_rules, short_name(result.match.source.tool)
    sentences = []
    if result.program not in (None, tool):
        sentences.append(f"The figures are {result.program}'s, the file has {tool}'s analysis.")
    if tried is not None and telling and not (tried.fits and tried.name == result.own.name):
        sentences.append(
            f"{_agree(telling, tried.figures)} what rule set {tried.name} gives."
            if tried.fits
            else f"Rule set {tried.name} gives {_given_by(tried, telling)}."
        )
    sentences.append(_search_result(result, telling))
    if result.explanations:
        sentences.append(_how_many(result, telling))
    return " ".join(sentences)


def _telling(result: Investigation) -> list[Reported]:
    """The reported figures that say something."""
    return [figure for figure in result.reported if figure.metric not in result.blank]


def _whose_rules(result: Investigation) -> str:
    """Whose rules a file is counted by where no others are asked for; a program that counts nothing
    has none of its own."""
    tool = TOOLS.get(result.match.source.tool)
    return f"{tool.short}'s own" if tool and tool.counts else f"{GNUBG.short}'s"


def _search_result(result: Investigation, telling: list[Reported]) -> str:
    """What the search among all rules found."""
    if not telling:
        return f"{_whose(result)}: {_blank(result)}"
    if not result.explanations:
        return _out_of_reach(result, telling)
    theirs, own = f"{_whose_rules(result)} rules", result.own
    fitting = [rules for rules in result.rule_sets if rules.fits]
    if own.fits:
        return f"{_whose(result)}: {_agree(telling, own.figures)} what {theirs} give."
    ours = f"{theirs} give {_given_by(own, telling)}."
    figures = as_reported(telling)
    if fitting:
        names = [rules.name for rules in fitting]
        which = _gives(names)
        title = f" ({RULE_SETS[names[0]].title})" if len(names) == 1 else ""
        agree = _agree(telling, *(rules.figures for rules in fitting))
        return f"{_whose(result)}: {agree} what {which}{title}. {ours}"
    first = result.explanations[0]
    chance = " With so many changes that can be chance." if len(first.differences) > PROVEN else ""
    return (
        f"{_whose(result)}: no known program's rules give {figures}; rule set {first.nearest} "
        f"does with {plural(len(first.differences), 'change')}.{chance} {_own(result, telling)}"
    )


def _gives(names: Sequence[str]) -> str:
    """`rule set gnubg gives`."""
    return f"rule set {names[0]} gives" if len(names) == 1 else f"rule sets {listed(names)} give"


def answer(result: Investigation) -> list[str]:
    """The headline and what belongs to it: what else gives the figures, what would decide, what
    helps."""
    first = headline(result)
    return [first, *_more(result, first)]


def shows_reach(result: Investigation) -> bool:
    """Whether it matters how far counting reaches: no rules give the figures, and nothing else
    surely does."""
    return not result.explanations and _proven(result) is None


def verdict_of(result: Investigation) -> tuple[str, str]:
    """How the headline is marked, and its label."""
    if proven := _proven(result):
        return "explained", CHECKS[proven.code].title
    if len(result.blank) == len(result.reported):
        return "incomplete", "Incomplete analysis"
    if not result.explanations:
        return "outside", "No rules give these figures"
    if not result.own.fits:
        return "explained", "Explained"
    if _others_off(result):
        return "explained", "What rules decide agrees"
    telling = _telling(result)
    exact = all(_is_given(figure, result.own.figures) for figure in telling)
    return "within", "No difference" if exact else "No difference in the digits given"


def _proven(result: Investigation) -> HoldingCheck | None:
    """The first ordinary mistake that accounts for the figures and hardly by chance; those that
    only say why no rules do account for none."""
    return next(
        (check for check in result.checks if check.is_proven and check.code != "level"), None
    )


def _more(result: Investigation, first: str) -> Iterator[str]:
    """What else gives the figures, what would decide, what helps."""
    telling = _telling(result)
    yield from (check.sentence for check in result.checks)
    if 0 < len(result.blank) < len(result.reported):
        yield _blank(result)
    missing = _missing(result, ("checker", "cube"))
    if missing and not result.explanations and missing not in first:
        yield f"The file is not completely analysed: {missing} are."
    if telling and not result.explanations and not result.checks:
        digit = ["one digit mistyped"] * (len(telling) > 1)
        yield (
            "Nothing else that was tested fits beyond chance: "
            f"{either(['the other player', *digit, 'another part of the match', 'a factor'])}. "
            "Another analysis was not tried."
        )
    if off := _others_off(result):
        ours = [(figure, value) for figure, value in result.not_searched if figure in off]
        differ = f"{len(off)} differ{'s' * (len(off) == 1)}"
        searched = (
            f"Of {plural(len(result.not_searched), 'figure')} that were not searched for, {differ}"
        )
        yield f"{searched}: {as_reported(off)}; here {listed_apart(ours)}."


def _is_given(figure: Reported, figures: Mapping[str, float | None]) -> bool:
    """Whether a figure is the reported one in the digits that are printed of both, and that
    programs print."""
    digits = len(figure.text.partition(".")[2])
    return (
        digits >= METRICS[figure.metric].decimals
        and apart(figure, figures[figure.metric]) == "the same"
    )


def _agree(telling: Sequence[Reported], *rules: Mapping[str, float | None]) -> str:
    """`PR 7.23 is exactly`, or how a figure agrees that has another sign or is printed with digits
    other than ours, by rule sets."""
    figures = as_reported(telling)
    be = (
        "is"
        if len(telling) == 1 and (telling[0].text == "1" or not METRICS[telling[0].metric].is_whole)
        else "are"
    )
    exact = all(_is_given(figure, figures) for figure in telling for figures in rules)
    but = ["but for the sign"] * any(
        figure.text.startswith("-") and figure.value for figure in telling
    )
    but += [] if exact else ["in the digits given"]
    return f"{figures} {be}, {' and '.join(but)}," if but else f"{figures} {be} exactly"


def _given_by(rules: KnownRules, telling: Sequence[Reported]) -> str:
    """What rules give instead of the figures, each with its distance; of several, those that
    differ."""
    off = [(figure, rules.figures[figure.metric]) for figure in telling if not _fits(figure, rules)]
    same = len(telling) - len(off)
    if same == 1:
        text = as_reported(figure for figure in telling if _fits(figure, rules))
        return f"{listed_apart(off)}, with {text} as given"
    return f"{listed_apart(off)}{f', with the other {same} figures as given' if same else ''}"


def _fits(figure: Reported, rules: KnownRules) -> bool:
    return fits_figure(rules.figures[figure.metric], figure)


def _own(result: Investigation, telling: Sequence[Reported]) -> str:
    """What the file's own rules give, and the known rules that come closest."""
    ours = f"{_whose_rules(result)} rules give {_given_by(result.own, telling)}."
    if result.nearest.name == result.own.name:
        return ours
    theirs = f"those of {result.nearest.name}, give {_given_by(result.nearest, telling)}"
    return f"{ours} The nearest known rules, {theirs}."


def turning_rows(result: Investigation) -> Rows | None:
    """What the first explanation answers otherwise than a known rule set, and the decisions that
    count or cost otherwise than by the own rules."""
    if not result.explanations or result.own.fits:
        return None
    first, theirs = result.explanations[0], f"{_whose_rules(result)} rules"
    changes = []
    for difference in first.differences[:MOST_CHANGES]:
        answers = (difference.answer_to, difference.answer_from)
        now, before = (users(difference.question, reply) for reply in answers)
        says = f"{difference.question}, as {now}, not as {before}"
        changes.append(Line("", difference.title, says))
    decisions = [(turning, change) for turning in first.decisions if (change := change_of(turning))]
    if not decisions:
        return Rows(f"No decision is counted or charged differently from {theirs}", changes)
    answer_of = {change.question: change.answer_to for change in first.own_differences}
    room = MOST_ROWS - len(changes)
    lines = []
    for turning, change in decisions[: room if len(decisions) <= room else room - 1]:
        place = turning.place
        rules = [f"{code} as {users(code, answer_of[code], 1)}" for code in turning.questions]
        lines.append(Line(change, str(place), ", ".join(rules[:MOST_QUESTIONS]), place))
    if more := len(decisions) - len(lines):
        lines.append(Line("", plural(more, "more decision")))
    be = "counts or costs" if len(decisions) == 1 else "count or cost"
    number = plural(len(decisions), "decision")
    return Rows(f"{number} {be} differently from {theirs}", [*changes, *lines])


def users(question: str, answer: str, most: int = MOST_USERS) -> str:
    """The first rule sets that give an answer; its name where none does."""
    names = [rules.name for rules in RULE_SETS.values() if rules.answers[question] == answer]
    return listed(names[:most]) if names else answer


def change_of(decision: Turning) -> str:
    """What an explanation does to a decision against the rules of the file's own tool: whether it
    counts, how much it loses."""
    words = []
    if decision.counted_from != decision.counted_to:
        words.append("counts now" if decision.counted_to else "no longer counts")
    before, after = apart_in_digits(decision.error_from, decision.error_to)
    if before != after:
        words.append(f"error {before} -> {after}")
    if not words and decision.mwc_from is not None and decision.mwc_to is not None:
        lost, loses = f"{decision.mwc_from:.3f}", f"{decision.mwc_to:.3f}"
        words += [f"MWC lost {lost} -> {loses} %"] if lost != loses else []
    return ", ".join(words)


def _others_off(result: Investigation) -> list[Reported]:
    """The figures that were not searched for and are not those of the file."""
    return [
        figure
        for figure, ours in result.not_searched
        if ours is not None and not fits_figure(ours, figure)
    ]


def _missing(result: Investigation, parts: Collection[str]) -> str:
    """How much of some parts is analysed, in words; empty where nothing is missing."""
    return " and ".join(lacking(result.completeness, parts))


def _whose(result: Investigation) -> str:
    return result.player if result.game is None else f"{result.player} in game {result.game}"


def _out_of_reach(result: Investigation, telling: list[Reported]) -> str:
    """That no rules give the figures, and what the file's own give."""
    unknown = [figure for figure in telling if result.own.figures[figure.metric] is None]
    missing = _missing(
        result, [part for figure in unknown for part in METRICS[figure.metric].parts]
    )
    if missing:
        lacks = f"so it has no {as_reported(unknown)}"
        return f"{_whose(result)}: this file has {missing} analysed, {lacks}."
    figures, together = as_reported(telling), " together" * (len(telling) > 1)
    return f"{_whose(result)}: no rules give {figures}{together}. {_own(result, telling)}"


def reached(figure: Reported, reach: Reach) -> str:
    """What counting alone makes of a figure: `2.67 to 3.27`, with the reported digits."""
    low, high = printed(figure, reach.low), printed(figure, reach.high)
    return low if low == high else f"{low} to {high}"


def _blank(result: Investigation) -> str:
    """Why a reported figure says nothing."""
    figures = [
        (figure.metric, figure.text) for figure in result.reported if figure.metric in result.blank
    ]
    missing = _missing(result, [part for name, _ in figures for part in METRICS[name].parts])
    says = f"{named(figures)} say{'s' if len(figures) == 1 else ''} nothing"
    if missing:
        counts = "A program prints 0 for the others or counts only these"
        return f"this file has {missing} analysed. {counts}: {says}."
    return f"A program prints 0 where nothing counts: {says}."


def _how_many(result: Investigation, telling: Sequence[Reported]) -> str:
    """How many rules give the figures."""
    alone, pronoun = (
        ("One figure alone proves little: ", "it") if len(telling) == 1 else ("", "them")
    )
    if result.fitting == 1:
        return f"No other combination of answers gives {pronoun}."
    fitting = sum(rules.fits for rules in result.rule_sets)
    of_known = f"{fitting} of {len(result.rule_sets)} known rule sets and " if fitting else ""
    number = f"{result.fitting:,} of the {result.tried:,} combinations of answers"
    return f"{alone}{of_known}{number} give {pronoun}."


def side_by_side(result: Investigation) -> list[tuple[str, str, str, str, str]]:
    """For every reported figure its title, as reported, by the tool's own rules, nearest of any
    rules, and how far counting reaches."""
    own = result.own.figures
    return [
        (
            METRICS[figure.metric].title,
            figure.text,
            printed(figure, own[figure.metric]),
            printed(figure, reach.nearest),
            reached(figure, reach),
        )
        for figure, reach in zip(result.reported, result.reached, strict=True)
    ]
