"""The rules that give figures somebody saw as blocks. Every output begins with the answer, as a
supporter would write it: a headline, the decisions that count or cost otherwise, what else fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reconcile.document import Row
from reconcile.gap.rows import Line, Rows, place_of
from reconcile.gap.rows import apart as apart_in_digits
from reconcile.infer.investigation import Explanation, Investigation, KnownRules
from reconcile.infer.reported import (
    SAME,
    Reported,
    apart,
    as_reported,
    decimals_of,
    fits_figure,
    listed_apart,
    printed,
)
from reconcile.language import Number, joined, listing, opening, say, word
from reconcile.match.tools import GNUBG, TOOLS, short_name
from reconcile.report.blocks import Blocks, Bullets, Command, Item, Sentences, Table, Verdict
from reconcile.report.text.comparison import bullets
from reconcile.report.text.statistics import shown
from reconcile.report.words import file_name, length_text
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import lacking
from reconcile.wording import plural

PROVEN = 2
"""With more changes than this an explanation can be chance."""
MOST_ROWS = 5
"""Rows below the headline."""
MOST_CHANGES = 3
"""Of these, questions that are answered otherwise."""
MOST_USERS = 3
"""Rule sets with one answer that are named."""


def headline(result: Investigation) -> str:
    """The answer, to be copied as it is: which rules give the figures, or that none do, and what
    the file's own give."""
    return joined(" ", *_sentences(result, _telling(result)))


def answer(result: Investigation) -> list[str]:
    """The headline, and what else fits."""
    return [headline(result), *_more(result, _telling(result))]


def _telling(result: Investigation) -> list[Reported]:
    """The reported figures that say something."""
    return [figure for figure in result.reported if figure.metric not in result.blank]


def _sentences(result: Investigation, telling: Sequence[Reported]) -> Iterator[str]:
    program, tried = short_name(result.match.source.tool), result.given_rules
    if result.program not in (None, program):
        yield say("search.program", theirs=result.program, program=program)
    if tried and telling and not (tried.fits and tried.name == result.own.name):
        yield opening(_gives(say("search.set", n=1, names=tried.name), telling, tried))
    outcome = {"player": result.player, "found": _search_result(result, telling)}
    if result.game is None:
        yield say("search.of", **outcome)
    else:
        yield say("search.of-game", game=result.game, **outcome)
    if result.explanations:
        same = say("search.same", n=result.fitting, tried=result.tried)
        yield say("search.little", same=same) if len(telling) == 1 else same


def _search_result(result: Investigation, telling: Sequence[Reported]) -> str:
    """What the search among all rules found."""
    if not telling:
        return _blank(result)
    figures = as_reported(telling)
    own = _gives(say("search.give", rules=_whose_rules(result)), telling, result.own)
    unknown = [figure for figure in telling if result.own.figures[figure.metric] is None]
    missing = _missing(result, unknown)
    if result.own.fits:
        return own
    if fitting := [rules for rules in result.rule_sets if rules.fits]:
        names = tuple(rules.name for rules in fitting)
        give = say("search.set", n=len(fitting), names=names)
        return joined(" ", _gives(give, telling, *fitting), opening(own))
    if missing and not result.explanations:
        return say("search.lacking", missing=missing, figures=as_reported(unknown))
    first, chance = say("search.none", figures=figures, n=len(telling)), ""
    if result.explanations:
        name, number = result.explanations[0].nearest, len(result.explanations[0].differences)
        first = say("search.changed", figures=figures, name=name, n=number)
        chance = say("search.chance") if number > PROVEN else ""
    near, nearest = result.nearest, ""
    if near.name != result.own.name:
        nearest = _gives(say("search.nearest", name=near.name), telling, near)
    return joined(" ", first, chance, opening(own), nearest)


def _gives(who: str, telling: Sequence[Reported], *rules: KnownRules) -> str:
    """What rules give: the figures, exactly or in the digits that were reported; or others, each
    with its distance."""
    if rules[0].fits:
        exact = all(_is_given(figure, each) for figure in telling for each in rules)
        words = {"who": who, "figures": as_reported(telling)}
        return say("search.exactly", **words) if exact else say("search.in-digits", **words)
    figures = [(figure, rules[0].figures[figure.metric]) for figure in telling]
    off = [(figure, value) for figure, value in figures if not fits_figure(value, figure)]
    same = as_reported(figure for figure, value in figures if fits_figure(value, figure))
    words = {"who": who, "figures": listed_apart(off)}
    return say("search.partly", same=same, **words) if same else say("search.others", **words)


def _is_given(figure: Reported, rules: KnownRules) -> bool:
    """Whether a figure is the reported one in the digits that programs print, and in its sign."""
    is_printed = decimals_of(figure.text) >= METRICS[figure.metric].decimals
    same = apart(figure, rules.figures[figure.metric]) == SAME
    return is_printed and same and not (figure.text.startswith("-") and figure.value)


def _whose_rules(result: Investigation) -> str:
    """Whose rules a file is counted by where no others are asked for; a program that counts nothing
    has none of its own."""
    tool = TOOLS.get(result.match.source.tool)
    if tool and tool.counts:
        return say("search.own", program=tool.short)
    return say("search.other", program=GNUBG.short)


def mark_of(result: Investigation) -> tuple[str, str]:
    """How the headline is marked, and its label."""
    proven = [check for check in result.checks if check.is_proven and check.code != "level"]
    if proven:  # an ordinary mistake accounts for the figures, and hardly by chance
        return "explained", word("fits", proven[0].code)
    if len(result.blank) == len(result.reported):
        return "incomplete", say("search.incomplete")
    if not result.explanations:
        return "outside", say("search.outside")
    if not result.own.fits:
        return "explained", say("search.explained")
    if _others_off(result):
        return "explained", say("search.decided")
    exact = all(_is_given(figure, result.own) for figure in _telling(result))
    return "within", say("search.within") if exact else say("search.within-digits")


def _more(result: Investigation, telling: Sequence[Reported]) -> Iterator[str]:
    """What else fits, and what says nothing."""
    yield from (check.sentence for check in result.checks)
    if telling and result.blank:
        yield opening(_blank(result))
    if telling and not result.explanations and not result.checks:
        yield say("search.nothing-else")
    if off := _others_off(result):
        figures, theirs = len(result.not_searched), as_reported(figure for figure, _ in off)
        number = say("search.figures", n=figures)
        ours = listed_apart(off)
        yield say("search.beside", figures=number, n=len(off), theirs=theirs, ours=ours)


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
    return listing(lacking(result.completeness, parts))


def _blank(result: Investigation) -> str:
    """Which reported figures say nothing, and why."""
    figures = [figure for figure in result.reported if figure.metric in result.blank]
    missing = _missing(result, figures)
    why = say("search.missing", missing=missing) if missing else say("search.nothing-counts")
    return say("search.blank", why=why, figures=as_reported(figures), n=len(figures))


def turning_rows(result: Investigation) -> Rows | None:
    """What the first explanation answers otherwise than the own rules, and the decisions that count
    or cost otherwise for it."""
    if not result.explanations or result.own.fits:
        return None
    first = result.explanations[0]
    lines = [
        Line(
            "",
            word("question", each.question),
            say("search.as", question=each.question, names=users(each.question, each.answer_to)),
        )
        for each in first.own_differences[:MOST_CHANGES]
    ]
    turned = [(change, each) for each in first.decisions if (change := change_of(each))]
    shown = turned[: MOST_ROWS - len(lines)]
    lines += [
        Line(change, str(place_of(each)), ", ".join(each["questions"]), place_of(each))
        for change, each in shown
    ]
    if len(turned) > len(shown):
        lines.append(Line("", say("search.more", n=len(turned) - len(shown))))
    whose = _whose_rules(result)
    if not turned:
        return Rows(say("search.unturned", rules=whose), lines)
    return Rows(say("search.turned", n=len(turned), rules=whose), lines)


def users(question: str, answer: str) -> str:
    """The first rule sets that give an answer; its name where none does."""
    names = [rules.name for rules in RULE_SETS.values() if rules.answers[question] == answer]
    return listing(names[:MOST_USERS]) if names else answer


def change_of(decision: Row) -> str:
    """What an explanation does to a decision against the rules of the file's own tool: whether it
    counts, how much it loses."""
    words = []
    if decision["counted_from"] != decision["counted_to"]:
        counts = decision["counted_to"]
        words.append(say("search.counts") if counts else say("search.no-longer"))
    before, after = map(Number, apart_in_digits(decision["error_from"], decision["error_to"]))
    if before != after:
        words.append(say("search.error", before=before, after=after))
    if not words and decision["mwc_from"] is not None:
        lost, loses = (Number(f"{decision[name]:.3f}") for name in ("mwc_from", "mwc_to"))
        if lost != loses:
            words.append(say("search.mwc", before=lost, after=loses))
    return joined(", ", *words)


SHOWN_EXPLANATIONS = 5
SHOWN_DECISIONS = 8
NAMED_FIGURES = 4
"""Most reported figures named in a line."""


def investigation_blocks(
    result: Investigation, *, notes: Sequence[str] = (), command: str = ""
) -> Blocks:
    """The answer, the figures side by side, what the known rules give, and the explanations with
    the decisions behind the first.

    `notes` are remarks on where the figures come from, `command` is what makes the report again.
    """
    match, (word, label), (sentence, *more) = result.match, mark_of(result), answer(result)
    who = f"{match.players[0]} \N{EN DASH} {match.players[1]}, {length_text(match.length)}"
    yield Verdict(label, sentence, "noted" if word == "explained" else word, who)
    if (rows := turning_rows(result)) is not None:
        yield rows
    yield from bullets("Notes", [*more, *notes], wrapped=True)
    yield from investigation_evidence(result, command)


def investigation_evidence(result: Investigation, command: str) -> Blocks:
    """What is behind the answer: the figures side by side, the known rules, the explanations."""
    match = result.match
    yield _side_by_side(result)
    listed_rules = [
        (rules.name, "yes" if rules.fits else "no", _gives_first(result, rules))
        for rules in result.rule_sets
    ]
    yield Table(("Rule set", "Fits", "Gives"), listed_rules, title="Known rule sets")
    if result.not_searched:
        title = f"Not searched for, as reported and in this file under {result.others_rules}"
        beside = [
            (METRICS[figure.metric].label, figure.text, shown(figure.metric, ours))
            for figure, ours in result.not_searched
        ]
        yield Table(("Figure", "Reported", "Here"), beside, (1, 2), title)
    yield from _explanations(result)
    tried = f"{result.tried} combinations of answers tried."
    yield Sentences([f"{tried} `reconcile explain CODE` has the page of a question."])
    yield Command(command or file_name(match.source.path))


def _is_out_of_reach(result: Investigation) -> bool:
    """Whether no rules give the figures, nor surely a mistake: then it matters how far counting
    reaches."""
    return mark_of(result)[0] == "outside"


def _side_by_side(result: Investigation) -> Table:
    """Every figure as reported and by the tool's own rules; where it matters nearest of any rules,
    and from where to where counting alone takes it."""
    head = ["Figure", "Reported", f"{short_name(result.match.source.tool)}'s rules"]
    head += ["Nearest", "Counting reaches"] * _is_out_of_reach(result)
    rows = []
    for figure, reach in zip(result.reported, result.reached, strict=True):
        values = (result.own.figures[figure.metric], reach.nearest, reach.low, reach.high)
        own, nearest, *ends = (printed(figure, value) for value in values)
        reached = " to ".join(dict.fromkeys(ends))
        row = (METRICS[figure.metric].title, figure.text, own, nearest, reached)
        rows.append(row[: len(head)])
    return Table(head, rows, range(1, len(head)))


def _explanations(result: Investigation) -> Iterator[Bullets]:
    """The explanations, or what comes closest."""
    if result.explanations:
        items = [
            _explained(number, explanation, SHOWN_DECISIONS if number == 1 else 0)
            for number, explanation in enumerate(result.explanations[:SHOWN_EXPLANATIONS], 1)
        ]
        more = len(result.explanations) - len(items)
        yield Bullets(items, "Explanations, the most plausible first", more=more)
    elif result.closest and _is_out_of_reach(result):
        closest = [
            Item(f"{near.rules}: {_figures_given(result.reported, near.figures)}", lead=str(number))
            for number, near in enumerate(result.closest, 1)
        ]
        yield Bullets(closest, "Closest")


def _explained(number: int, explanation: Explanation, most: int) -> Item:
    """One explanation: what differs, the figures it gives, and the first `most` decisions behind
    it."""
    changes = [
        f"{change.question} {change.title} {change.answer_from} -> {change.answer_to}"
        for change in explanation.differences
    ]
    names = ("pr", "decisions.counted", "equity_error.total")
    figures = ", ".join(
        f"{METRICS[name].title} {shown(name, explanation.figures[name])}" for name in names
    )
    also = f"; so do the rules of {', '.join(explanation.also)}" if explanation.also else ""
    decisions = [
        "game {game}, turn {turn}, {kind}: {change}  {xgid}".format(change=change_of(row), **row)
        for row in explanation.decisions[:most]
    ]
    if left := len(explanation.decisions) - len(decisions):
        decisions.append(
            f"and {plural(left, 'more decision')}" if most else plural(left, "decision")
        )
    words = f"rule set {explanation.nearest}{' with' if changes else ', nothing changed'}"
    return Item(words, [*changes, f"gives {figures}{also}", *decisions], str(number))


def _gives_first(result: Investigation, rules: KnownRules) -> str:
    """What known rules give of the figures; of many, those that do not fit are the most
    interesting."""
    order = sorted(
        result.reported,
        key=lambda figure: not rules.fits and fits_figure(rules.figures[figure.metric], figure),
    )
    return _figures_given(order, rules.figures) + (", ..." if len(order) > NAMED_FIGURES else "")


def _figures_given(reported: Sequence[Reported], figures: Mapping[str, float | None]) -> str:
    """What rules give of the first reported figures."""
    return ", ".join(
        f"{METRICS[figure.metric].title} {printed(figure, figures[figure.metric])}"
        for figure in reported[:NAMED_FIGURES]
    )
