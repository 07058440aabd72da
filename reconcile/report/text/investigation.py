"""The rules that give figures somebody saw as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reconcile.infer.investigation import Explanation, Investigation, KnownRules
from reconcile.infer.reported import Reported, fits_figure, printed
from reconcile.match.tools import short_name
from reconcile.report.answer import answer, change_of, turning_rows, verdict_of
from reconcile.report.blocks import Block, Bullets, Command, Item, Sentences, Table, Verdict
from reconcile.report.text.comparison import bullets
from reconcile.report.text.statistics import shown
from reconcile.report.words import file_name, length_text
from reconcile.scoring.figures import METRICS
from reconcile.wording import plural

SHOWN_EXPLANATIONS = 5
SHOWN_DECISIONS = 8
NAMED_FIGURES = 4
"""Most reported figures named in a line."""


def investigation_blocks(
    result: Investigation, *, notes: Sequence[str] = (), command: str = ""
) -> Iterator[Block]:
    """The answer, the figures side by side, what the known rules give, and the explanations with
    the decisions behind the first.

    `notes` are remarks on where the figures come from, `command` is what makes the report again.
    """
    match, (word, label), (sentence, *more) = result.match, verdict_of(result), answer(result)
    who = f"{match.players[0]} \N{EN DASH} {match.players[1]}, {length_text(match.length)}"
    yield Verdict(label, sentence, "noted" if word == "explained" else word, who)
    if (rows := turning_rows(result)) is not None:
        yield rows
    yield from bullets("Notes", [*more, *notes], wrapped=True)
    yield from investigation_evidence(result, command)


def investigation_evidence(result: Investigation, command: str) -> Iterator[Block]:
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
        others = [
            (METRICS[figure.metric].label, figure.text, shown(figure.metric, ours))
            for figure, ours in result.not_searched
        ]
        yield Table(("Figure", "Reported", "Here"), others, (1, 2), title)
    yield from _explanations(result)
    tried = f"{result.tried} combinations of answers tried."
    yield Sentences([f"{tried} `reconcile explain CODE` has the page of a question."])
    yield Command(command or file_name(match.source.path))


def _is_out_of_reach(result: Investigation) -> bool:
    """Whether no rules give the figures, nor surely a mistake: then it matters how far counting
    reaches."""
    return verdict_of(result)[0] == "outside"


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
            Item(f"{near.rules}: {_gives(result.reported, near.figures)}", lead=str(number))
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
    return _gives(order, rules.figures) + (", ..." if len(order) > NAMED_FIGURES else "")


def _gives(reported: Sequence[Reported], figures: Mapping[str, float | None]) -> str:
    """What rules give of the first reported figures."""
    return ", ".join(
        f"{METRICS[figure.metric].title} {printed(figure, figures[figure.metric])}"
        for figure in reported[:NAMED_FIGURES]
    )
