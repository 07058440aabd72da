"""The answer of an investigation in sentences, as a supporter would write it; every output begins with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from reconcile.files.wording import either, listed, plural
from reconcile.gap.rows import Line, Place, Rows
from reconcile.gap.rows import apart as apart_in_digits
from reconcile.infer.checks import HoldingCheck
from reconcile.infer.investigation import Explanation, Investigation, KnownRules
from reconcile.infer.reported import Reported, apart, fits_figure, listed_apart, named, printed
from reconcile.infer.turning import Reach, Turning, deciding
from reconcile.match.tools import GNUBG, TOOLS, short_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.open_words import range_words
from reconcile.scoring.statistics import lacking, statistics

MOST_VALUES: Final = 4
"""Values of the deciding figure that are named."""
MOST_COMPARED: Final = 10
"""Explanations that the deciding figure tells apart."""
PROVEN: Final = 2
"""With more changes than this an explanation can be chance."""
MOST_PLACES: Final = 5
"""Decisions that are named."""
MOST_USERS: Final = 3
"""Rule sets with one answer that are named."""
LABELS: Final = {"misprint": "Probably a misprint"}
UNSIGNED: Final = ("pr", "checker_pr", "cube_pr", "snowie_er")
"""Rates that no program prints as a negative number; sums of losses, and rates in mEMG, have a minus sign in XG and gnuBG."""


def headline(result: Investigation) -> str:
    """The answer, to be copied as it is: whose figures they are, which rules give them and what stands against that, or how far off the
    nearest are."""
    telling = [one for one in result.reported if one.metric not in result.blank]
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
    sentences.append(_found(result, telling))
    if result.explanations and _mistake(result) is None:
        sentences += [*_open(result, telling), _how_many(result, telling)]
    return " ".join(sentences)


def _called(explanation: Explanation) -> str:
    """A known rule set, or which one is the nearest to it."""
    return f"a variant of {explanation.nearest}" if explanation.differences else explanation.nearest


def _whose_rules(result: Investigation) -> str:
    """Whose rules a file is counted by where no others are asked for; a program that counts nothing has none of its own."""
    tool = TOOLS.get(result.match.source.tool)
    return f"{tool.short}'s own" if tool and tool.counts else f"{GNUBG.short}'s"


def _found(result: Investigation, telling: list[Reported]) -> str:
    """What the search among all rules found."""
    mistake = _mistake(result)
    if mistake is not None:
        return mistake.sentence
    if not telling:
        return f"{_whose(result)}: {_blank(result)}"
    if not result.explanations:
        return _out_of_reach(result, telling)
    theirs, own = f"{_whose_rules(result)} rules", result.own
    fitting = [one for one in result.known if one.fits]
    if own.fits:
        return f"{_whose(result)}: {_agree(telling, own.figures)} what {theirs} give."
    ours = f"{theirs} give {_given_by(own, telling)}."
    given = named([(one.metric, one.text) for one in telling])
    if fitting:
        names = [one.name for one in fitting]
        which = _gives(names)
        title = f" ({RULE_SETS[names[0]].title})" if len(names) == 1 else ""
        return f"{_whose(result)}: {_agree(telling, *(one.figures for one in fitting))} what {which}{title}. {ours}"
    first = result.explanations[0]
    chance = " With so many changes that can be chance." if len(first.differences) > PROVEN else ""
    nearest = "" if result.nearest.name == own.name else f" {_nearest(result, telling)}"
    return (
        f"{_whose(result)}: no known program's rules give {given}; rule set {first.nearest} does with "
        f"{plural(len(first.differences), 'change')}.{chance} {ours}{nearest}"
    )


def _gives(names: Sequence[str]) -> str:
    """`rule set gnubg gives`."""
    return f"rule set {names[0]} gives" if len(names) == 1 else f"rule sets {listed(names)} give"


def answer(result: Investigation) -> list[str]:
    """The headline and what belongs to it: what else gives the figures, what would decide, what helps."""
    first = headline(result)
    return [first, *_more(result, first)]


def shows_reach(result: Investigation) -> bool:
    """Whether it matters how far counting reaches: no rules give the figures, and no mistake says what they are instead."""
    return not result.explanations and _mistake(result) is None


def verdict_of(result: Investigation) -> tuple[str, str]:
    """How the headline is marked, and its label."""
    mistake = _mistake(result)
    if mistake is not None:
        return "explained", LABELS.get(mistake.code, "Explained")
    if len(result.blank) == len(result.reported):
        return "incomplete", "Incomplete analysis"
    if not result.explanations:
        return "outside", "No rules give these figures"
    if not result.own.fits:
        return "explained", "Explained"
    if _others_off(result):
        return "explained", "What rules decide agrees"
    telling = [one for one in result.reported if one.metric not in result.blank]
    exact = all(_is_given(one, result.own.figures) for one in telling)
    return "within", "No difference" if exact else "No difference in the digits given"


def _mistake(result: Investigation) -> HoldingCheck | None:
    """The ordinary mistake that accounts for the figures, if there is one; one that only says why no rules do comes after them."""
    return next((one for one in result.checks if one.code not in ("other-tool", "level")), None)


def _more(result: Investigation, first: str) -> Iterator[str]:
    mistake = _mistake(result)
    telling = [one for one in result.reported if one.metric not in result.blank]
    yield from (one.sentence for one in result.checks if one is not mistake)
    yield from _signs(result)
    if 0 < len(result.blank) < len(result.reported):
        yield _blank(result)
    missing = _missing(result, ("checker", "cube"))
    if missing and not result.explanations and missing not in first:
        yield f"The file is not completely analysed: {missing} are."
    one_alone = len(telling) == 1
    if mistake and result.explanations:
        what = "it" if one_alone else "them"
        yield f"With other rules {result.player} would have {what} too ({_called(result.explanations[0])}); that is less likely."
    elif result.explanations:
        if one_alone and result.fitting > 1:
            yield _deciding(result)
    elif telling and not mistake and not result.checks:
        yield "What helps: the file that the figures come from, or the whole table of statistics as text."
    off = _others_off(result)
    if off:
        ours = [(one, value) for one, value in result.others if one in off]
        differ = f"{len(off)} differ{'s' * (len(off) == 1)}"
        texts = named([(one.metric, one.text) for one in off])
        yield f"Of {plural(len(result.others), 'figure')} that were not searched for, {differ}: {texts}; here {listed_apart(ours)}."


def _is_given(one: Reported, figures: Mapping[str, float | None]) -> bool:
    """Whether a figure is the reported one in the digits that are printed of both, and that programs print."""
    digits = len(one.text.partition(".")[2])
    return digits >= METRICS[one.metric].decimals and apart(one, figures[one.metric]) == "the same"


def _signs(result: Investigation) -> Iterator[str]:
    """What a minus sign is, where figures have one."""
    signed = [one for one in result.reported if one.text.startswith("-") and one.value]
    slips = [METRICS[one.metric].words for one in signed if one.metric in UNSIGNED]
    losses = [(one.metric, one.text) for one in signed if one.metric not in UNSIGNED]
    if slips:
        yield f"No program prints a negative {either(slips)}."
    if losses:
        yield f"The minus sign of {named(losses)} only says that it is a loss."


def _agree(telling: Sequence[Reported], *known: Mapping[str, float | None]) -> str:
    """`PR 7.23 is exactly`, or how a figure agrees that has another sign or is printed with digits other than ours, by rule sets."""
    given = named([(one.metric, one.text) for one in telling])
    be = (
        "is"
        if len(telling) == 1 and (telling[0].text == "1" or not METRICS[telling[0].metric].is_whole)
        else "are"
    )
    exact = all(_is_given(one, figures) for one in telling for figures in known)
    but = ["but for the sign"] * any(one.text.startswith("-") and one.value for one in telling)
    but += [] if exact else ["in the digits given"]
    return f"{given} {be}, {' and '.join(but)}," if but else f"{given} {be} exactly"


def _given_by(rules: KnownRules, telling: Sequence[Reported]) -> str:
    """What rules give instead of the figures, each with its distance; of several, those that differ."""
    off = [(one, rules.figures[one.metric]) for one in telling if not _fits(one, rules)]
    same = len(telling) - len(off)
    if same == 1:
        return f"{listed_apart(off)}, with {next(named([(one.metric, one.text)]) for one in telling if _fits(one, rules))} as given"
    return f"{listed_apart(off)}{f', with the other {same} figures as given' if same else ''}"


def _fits(one: Reported, rules: KnownRules) -> bool:
    return fits_figure(rules.figures[one.metric], one)


def _nearest(result: Investigation, telling: Sequence[Reported]) -> str:
    """The known rules that come closest, and how far off they are."""
    nearest = result.nearest
    is_own = nearest.name == result.own.name
    whose = _whose_rules(result) if is_own else f"those of {nearest.name}"
    return f"The nearest known rules, {whose}, give {_given_by(nearest, telling)}."


def turning_rows(result: Investigation) -> Rows | None:
    """What the first explanation answers otherwise than a known rule set, and the decisions that count or cost otherwise than by the own rules."""
    if _mistake(result) is not None or not result.explanations or result.own.fits:
        return None
    first, theirs = result.explanations[0], f"{_whose_rules(result)} rules"
    changes = [
        Line(
            "",
            one.title,
            f"as {users(one.question, one.answer_to)}, not as {users(one.question, one.answer_from)}",
        )
        for one in first.differences
    ]
    decisions = [(one, change) for one in first.decisions if (change := change_of(one))]
    if not decisions:
        return Rows(f"No decision counts or costs otherwise than by {theirs}", changes)
    places = [Place(one.game, one.turn, one.kind) for one, _ in decisions[:MOST_PLACES]]
    lines = [
        Line(change, str(place), "", place)
        for (_, change), place in zip(decisions, places, strict=False)
    ]
    if len(decisions) > MOST_PLACES:
        lines.append(Line("", plural(len(decisions) - MOST_PLACES, "more decision")))
    be = "counts or costs" if len(decisions) == 1 else "count or cost"
    number = plural(len(decisions), "decision")
    return Rows(f"{number} {be} otherwise than by {theirs}", [*changes, *lines])


def users(question: str, answer: str) -> str:
    """The rule sets that give an answer; its name where none does."""
    names = [rules.name for rules in RULE_SETS.values() if rules.answers[question] == answer]
    return listed(names[:MOST_USERS]) if names else answer


def change_of(decision: Turning) -> str:
    """What an explanation does to a decision against the rules of the file's own tool: whether it counts, how much it loses."""
    words = []
    if decision.counted_from != decision.counted_to:
        words.append("counts now" if decision.counted_to else "counts no more")
    before, after = apart_in_digits(decision.error_from, decision.error_to)
    if before != after:
        words.append(f"error {before} -> {after}")
    if not words and decision.mwc_from is not None and decision.mwc_to is not None:
        lost, loses = f"{decision.mwc_from:.3f}", f"{decision.mwc_to:.3f}"
        words += [f"MWC lost {lost} -> {loses} %"] if lost != loses else []
    return ", ".join(words)


def _others_off(result: Investigation) -> list[Reported]:
    """The figures that were not searched for and are not those of the file."""
    return [one for one, ours in result.others if ours is not None and not fits_figure(ours, one)]


def _open(result: Investigation, telling: Sequence[Reported]) -> Iterator[str]:
    """Why a reported figure of the file's own rules is a range, and that its program may count so itself, where nobody outside knows how."""
    itself = next(
        (one for one in result.explanations if one.nearest == result.own.name and one.only_open),
        None,
    )
    may = f"{short_name(result.match.source.tool)} may count so itself"
    ranges = dict(_ranges(result, telling))
    if itself and result.explanations[0].differences:
        if "open-rule" in ranges:
            ranges["open-rule"] = f"{may}: {ranges['open-rule']}"
        else:
            asked = " ".join(one.title for one in itself.differences)
            yield f"{may}, since nobody outside knows its answer to: {asked}"
    yield from (f"{words}." for words in ranges.values())


def _ranges(result: Investigation, telling: Sequence[Reported]) -> Iterator[tuple[str, str]]:
    """Why a figure of the file's own rules is a range, if the reported one is that figure: the code of the finding, and the reason."""
    if result.game is not None:
        return
    scored = statistics(result.match, met=result.met)
    seat = result.match.names.index(result.player)
    moved = open_range(scored).figures[seat]
    if any(one.metric in moved for one in telling):
        yield from ((code, words) for code, owner, words in range_words(scored) if owner == seat)


def _missing(result: Investigation, parts: Collection[str]) -> str:
    """How much of some parts is analysed, in words; empty where nothing is missing."""
    return " and ".join(lacking(result.completeness, parts))


def _whose(result: Investigation) -> str:
    return result.player if result.game is None else f"{result.player} in game {result.game}"


def _out_of_reach(result: Investigation, telling: list[Reported]) -> str:
    """That no rules give the figures, and how far counting reaches."""
    where = {one.metric: one for one in result.reached}
    unknown = [one for one in telling if result.own.figures[one.metric] is None]
    missing = _missing(result, [part for one in unknown for part in METRICS[one.metric].parts])
    if missing:
        return f"{_whose(result)}: this file has {missing} analysed, so it has no {named([(one.metric, one.text) for one in unknown])}."
    given = named([(one.metric, one.text) for one in telling])
    off = [one for one in telling if not _fits(one, result.own)]
    others = [rules for rules in result.known if all(_fits(one, rules) for one in off)]
    if others and len(off) < len(telling):
        which = _gives([one.name for one in others])
        rest = named([(one.metric, one.text) for one in telling if one not in off])
        return (
            f"{_whose(result)}: no rules give {given} together. {_agree(off, *(one.figures for one in others))} what {which}; "
            f"{_whose_rules(result)} rules give {rest} and {listed_apart([(one, result.own.figures[one.metric]) for one in off])}."
        )
    outside = [one for one in telling if not _within(one, where[one.metric])]
    if outside:
        reaches = _reaches(result, outside)
        if len(outside) == 1 and len(telling) > 1:
            reaches = f"{METRICS[outside[0].metric].words} {reaches}"
        said = f"no rules give {given}. Counting alone reaches {reaches}, so the analysis or the match differs."
    elif len(telling) == 1:
        nearest = listed_apart([(telling[0], where[telling[0].metric].nearest)])
        said = f"no rules give {given}. Counting alone reaches {_reaches(result, telling)}, the nearest is {nearest}."
    else:
        said = f"no rules give {given} together, although counting alone reaches {_reaches(result, telling)}."
    return f"{_whose(result)}: {said} {_nearest(result, telling)}"


def _within(one: Reported, reach: Reach) -> bool:
    return (
        reach.low is not None
        and reach.high is not None
        and reach.low - one.half <= one.value <= reach.high + one.half
    )


def _reaches(result: Investigation, which: list[Reported] | tuple[Reported, ...]) -> str:
    found = {one.metric: one for one in result.reached}
    if len(which) == 1:
        return reached(which[0], found[which[0].metric])
    words = [
        f"{METRICS[one.metric].words} {reached(one, found[one.metric])}"
        for one in which[:MOST_VALUES]
    ]
    return listed(
        [
            *words,
            *(
                [plural(len(which) - MOST_VALUES, "more figure")]
                if len(which) > MOST_VALUES
                else []
            ),
        ]
    )


def reached(one: Reported, reach: Reach) -> str:
    """What counting alone makes of a figure: `2.67 to 3.27`, with the reported digits."""
    low, high = printed(one, reach.low), printed(one, reach.high)
    return low if low == high else f"{low} to {high}"


def _blank(result: Investigation) -> str:
    """Why a reported figure says nothing."""
    figures = [(one.metric, one.text) for one in result.reported if one.metric in result.blank]
    missing = _missing(result, [part for name, _ in figures for part in METRICS[name].parts])
    says = f"{named(figures)} say{'s' if len(figures) == 1 else ''} nothing"
    if missing:
        return f"this file has {missing} analysed. A program prints 0 for the others or counts only these: {says}."
    return f"A program prints 0 where nothing counts: {says}."


def _how_many(result: Investigation, telling: Sequence[Reported]) -> str:
    """How many rules give the figures."""
    alone, them = ("One figure alone proves little: ", "it") if len(telling) == 1 else ("", "them")
    if result.fitting == 1:
        return f"No other combination of answers gives {them}."
    known = sum(one.fits for one in result.known)
    of_known = f"{known} of {len(result.known)} known rule sets and " if known else ""
    number = f"{result.fitting:,} of the {result.tried:,} combinations of answers"
    return f"{alone}{of_known}{number} give {them}."


def _deciding(result: Investigation) -> str:
    """Which further figure tells the rules apart that give the one figure."""
    rules = [(one.name, one.figures) for one in result.known if one.fits]
    rules += [
        (_called(one), one.figures)
        for one in result.explanations[:MOST_COMPARED]
        if one.differences
    ]
    tool = TOOLS.get(result.match.source.tool)
    further = deciding(
        rules, [one.metric for one in result.reported], tool.not_printed if tool else ()
    )
    if further is None:
        return "No other figure of this file tells the likely ones apart."
    metric, values = further
    shown = [
        f"{value} for {names[0]}{f' (and {len(names) - 1} more)' * (len(names) > 1)}"
        for value, names in values.items()
    ]
    words = METRICS[metric].words
    decides = "decide" if all(len(names) == 1 for names in values.values()) else "narrow it down"
    return f"The {'number of ' * METRICS[metric].is_whole}{words} would {decides}: {', '.join(shown[:MOST_VALUES])}."


def side_by_side(result: Investigation) -> list[tuple[str, str, str, str, str]]:
    """For every reported figure its title, as reported, by the tool's own rules, nearest of any rules, and how far counting reaches."""
    own = result.own.figures
    return [
        (
            METRICS[one.metric].title,
            one.text,
            printed(one, own[one.metric]),
            printed(one, found.nearest),
            reached(one, found),
        )
        for one, found in zip(result.reported, result.reached, strict=True)
    ]
