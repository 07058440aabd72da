"""The answer of an investigation in sentences, as a supporter would write it; every output begins with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from reconcile.diagnosis.investigation import Investigation
from reconcile.diagnosis.reach import Reach, deciding
from reconcile.diagnosis.reported import Reported, named, printed
from reconcile.files.wording import plural
from reconcile.rules.rulesets import RULE_SETS, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.tools import TOOLS, short_name

MOST_VALUES: Final = 4
"""Values of the deciding figure that are named."""
MOST_COMPARED: Final = 10
"""Explanations that the deciding figure tells apart."""
PROVEN: Final = 2
"""With more changes than this an explanation can be chance."""
PARTS: Final = {"checker": "checker plays", "cube": "cube decisions"}


def headline(result: Investigation) -> str:
    """The answer in one or two sentences: what the figures are, or that no rules give them."""
    mistakes = [one for one in result.checks if one.code != "sign"]
    telling = [one for one in result.reported if one.metric not in result.blank]
    given = named([(one.metric, one.text) for one in telling or result.reported])
    be = "is" if len(telling) == 1 and not METRICS[telling[0].metric].is_whole else "are"
    tool, own = short_name(result.match.source.tool), own_rules(result.match).name
    fitting = [one.name for one in result.known if one.fits]
    if mistakes:
        return mistakes[0].sentence
    if not telling:
        return f"{_whose(result)}: {_blank(result)}"
    if not result.explanations:
        return _out_of_reach(result, telling)
    if own in fitting:
        return f"{_whose(result)}: {given} {be} exactly what {tool}'s own rules give."
    ours = f"{tool}'s own rules give {_ours(result, telling)}."
    if fitting:
        which = (
            f"rule set {fitting[0]} gives"
            if len(fitting) == 1
            else f"rule sets {' and '.join((', '.join(fitting[:-1]), fitting[-1]))} give"
        )
        title = f" ({RULE_SETS[fitting[0]].title})" if len(fitting) == 1 else ""
        return f"{_whose(result)}: {given} {be} exactly what {which}{title}. {ours}"
    first = result.explanations[0]
    changes = "; ".join(f"{one.title} {one.answer_to} instead of {one.answer_from} ({one.question})" for one in first.differences)
    chance = " With so many changes that can be chance." if len(first.differences) > PROVEN else ""
    return (
        f"{_whose(result)}: no known program's rules give {given}; rule set {first.nearest} does with "
        f"{plural(len(first.differences), 'change')}: {changes}.{chance} {ours}"
    )


def answer(result: Investigation) -> list[str]:
    """The headline and what belongs to it: what else gives the figures, what would decide, what helps."""
    first = headline(result)
    return [first, *_more(result, first)]


def shows_reach(result: Investigation) -> bool:
    """Whether it matters how far counting reaches: no rules give the figures, and no mistake says what they are instead."""
    return not result.explanations and all(one.code in ("other-tool", "level") for one in result.checks)


def _more(result: Investigation, first: str) -> Iterator[str]:
    mistakes = [one for one in result.checks if one.code != "sign"]
    yield from (one.sentence for one in result.checks if one not in mistakes[:1])
    if 0 < len(result.blank) < len(result.reported):
        yield _blank(result)
    missing = _missing(result, PARTS)
    if missing and not result.explanations and missing not in first:
        yield f"The file is not completely analysed: {missing} are."
    one_alone = len(result.reported) - len(result.blank) == 1
    if mistakes and result.explanations:
        what = "it" if one_alone else "them"
        yield f"With other rules {result.player} would have {what} too ({result.explanations[0].rules}); that is less likely."
    elif mistakes and mistakes[0].code == "other-tool":
        yield f"Counting alone reaches {_reaches(result, result.reported)} in this file."
    elif result.explanations:
        yield from _itself(result)
        if one_alone:
            yield _alone(result)
    elif not mistakes:
        yield "What helps: the file that the figures come from, or the whole table of statistics as text."


def _itself(result: Investigation) -> Iterator[str]:
    """That the file's own program may count so, where nobody outside knows how it counts."""
    own = own_rules(result.match).name
    found = next((one for one in result.explanations if one.nearest == own and one.only_open), None)
    if found and result.explanations[0].differences:
        tool = short_name(result.match.source.tool)
        asked = " ".join(f"{one.title} ({one.question} {one.answer_to})" for one in found.differences)
        yield f"{tool} may count so itself, since nobody outside knows its answer to: {asked}"


def _missing(result: Investigation, parts: Iterable[str]) -> str:
    """How much of some parts is analysed, in words; empty where nothing is missing."""
    seen = {part: result.completeness[part] for part in PARTS if part in parts}
    return " and ".join(f"{one.analysed} of {one.expected} {PARTS[part]}" for part, one in seen.items() if not one.complete)


def _whose(result: Investigation) -> str:
    return result.player if result.game is None else f"{result.player} in game {result.game}"


def _ours(result: Investigation, which: list[Reported]) -> str:
    own = own_figures(result)
    return named([(one.metric, printed(one, own[one.metric])) for one in which])


def own_figures(result: Investigation) -> dict[str, float | None]:
    """What the rules of the file's own tool give, by metric."""
    own = own_rules(result.match).name
    return dict(next(one.figures for one in result.known if one.name == own))


def _out_of_reach(result: Investigation, telling: list[Reported]) -> str:
    """That no rules give the figures, and how far counting reaches."""
    where = {one.metric: one for one in result.reached}
    unknown = [one for one in telling if own_figures(result)[one.metric] is None]
    missing = _missing(result, [part for one in unknown for part in METRICS[one.metric].parts])
    if missing:
        return f"{_whose(result)}: this file has {missing} analysed, so it has no {named([(one.metric, one.text) for one in unknown])}."
    outside = [one for one in telling if not _within(one, where[one.metric])]
    given = named([(one.metric, one.text) for one in telling])
    if outside:
        reaches = _reaches(result, outside)
        if len(outside) == 1 and len(telling) > 1:
            reaches = f"{METRICS[outside[0].metric].words} {reaches}"
        return f"{_whose(result)}: no rules give {given}. Counting alone reaches {reaches}, so the analysis or the match differs."
    if len(telling) == 1:
        nearest = printed(telling[0], where[telling[0].metric].nearest)
        return f"{_whose(result)}: no rules give {given}. Counting alone reaches {_reaches(result, telling)}, the nearest is {nearest}."
    return f"{_whose(result)}: no rules give {given} together, although counting alone reaches {_reaches(result, telling)}."


def _within(one: Reported, reach: Reach) -> bool:
    return reach.low is not None and reach.high is not None and reach.low - one.half <= one.value <= reach.high + one.half


def _reaches(result: Investigation, which: list[Reported] | tuple[Reported, ...]) -> str:
    found = {one.metric: one for one in result.reached}
    if len(which) == 1:
        return reached(which[0], found[which[0].metric])
    words = [f"{METRICS[one.metric].words} {reached(one, found[one.metric])}" for one in which]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def reached(one: Reported, reach: Reach) -> str:
    """What counting alone makes of a figure: `2.67 to 3.27`, with the reported digits."""
    low, high = printed(one, reach.low), printed(one, reach.high)
    return low if low == high else f"{low} to {high}"


def _blank(result: Investigation) -> str:
    """Why a reported zero says nothing."""
    zeros = [(one.metric, one.text) for one in result.reported if one.metric in result.blank]
    missing = _missing(result, [part for name, _ in zeros for part in METRICS[name].parts])
    says = f"{named(zeros)} say{'s' if len(zeros) == 1 else ''} nothing"
    if missing:
        tool = short_name(result.match.source.tool)
        return f"{tool} prints 0 for what is not analysed, and this file has {missing} analysed: {says}."
    return f"A program prints 0 where nothing counts: {says}."


def _alone(result: Investigation) -> str:
    """How many other rules give the one figure, and which further figure decides."""
    if result.fitting == 1:
        return "No other combination of answers gives it."
    known = sum(one.fits for one in result.known)
    of_known = f"{known} of {len(result.known)} known rule sets and " if known else ""
    said = f"One figure alone proves little: {of_known}{result.fitting:,} of the {result.tried:,} combinations of answers give it."
    rules = [(one.name, one.figures) for one in result.known if one.fits]
    rules += [(one.rules, one.figures) for one in result.explanations[:MOST_COMPARED] if one.differences]
    tool = TOOLS.get(result.match.source.tool)
    further = deciding(rules, [one.metric for one in result.reported], tool.not_printed if tool else ())
    if further is None:
        return f"{said} No other figure of this file tells the likely ones apart."
    metric, values = further
    shown = [f"{value} for {names[0]}" for value, names in values.items()][:MOST_VALUES]
    words = METRICS[metric].words
    return f"{said} The {'number of ' * METRICS[metric].is_whole}{words} would decide: {', '.join(shown)}."


def side_by_side(result: Investigation) -> list[tuple[str, str, str, str, str]]:
    """For every reported figure its title, as reported, by the tool's own rules, nearest of any rules, and how far counting reaches."""
    own = own_figures(result)
    return [
        (METRICS[one.metric].title, one.text, printed(one, own[one.metric]), printed(one, found.nearest), reached(one, found))
        for one, found in zip(result.reported, result.reached, strict=True)
    ]
