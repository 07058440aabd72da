"""Groups that players know from XG and gnuBG for the figures of a comparison, and the questions
whose pages a report has."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from reconcile.gap.bridge import SHARES, shares
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import Figure
from reconcile.report import numbers
from reconcile.report.words import bridge_of, players, skill
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.figures import CUBE_PARTS, GRADES
from reconcile.scoring.metrics import METRICS

if TYPE_CHECKING:
    from reconcile.infer.investigation import Explanation


RATE: Final = "pr"
GROUPS: Final = (
    ("Overall", ("pr", "error_rate_memg", "snowie_memg", "snowie_er", "equity_error.total")),
    ("Checker play", ("checker_pr", "decisions.checker", "equity_error.checker")),
    (
        "Cube",
        (
            "cube_pr",
            "decisions.double",
            "decisions.take",
            "equity_error.double",
            "equity_error.take",
        ),
    ),
    (
        "Match winning chance",
        (
            "mwc_loss_percent.total",
            "mwc_loss_percent.checker",
            "mwc_loss_percent.double",
            "mwc_loss_percent.take",
        ),
    ),
    ("Wrong and missed", tuple(name for name in METRICS if name.partition(".")[2] in CUBE_PARTS)),
    ("Errors and blunders", tuple(name for name in METRICS if name.partition(".")[0] in GRADES)),
    ("Luck", tuple(name for name in METRICS if name.startswith("luck."))),
    ("Counts", ("decisions.counted", "moves.total", "moves.unforced", "moves.forced")),
)


def figure_groups(comparison: Comparison) -> Iterator[tuple[str, list[list[Figure]]]]:
    """Headings with their rows, a figure of every player in each; figures that no group names come
    last, so that none is lost."""
    rows: dict[str, list[Figure]] = {}
    for figure in (*comparison.figures, *comparison.shares):
        rows.setdefault(figure.name, []).append(figure)
    named = {name for _, names in GROUPS for name in names}
    rest = ("Others", tuple(name for name in METRICS if name not in named))
    parts = ("Shares of a gap", tuple(name for name in rows if name not in METRICS))
    for title, names in (*GROUPS, rest, parts):
        if present := [rows[name] for name in names if name in rows]:
            yield title, present


def skills(comparison: Comparison) -> dict[str, list[str]]:
    """By player the words of both tools for the rate; empty where there is none."""
    sides = (comparison.left, comparison.right)
    words = {}
    for player in players(comparison):
        own = [figure for figure in comparison.figures if figure.player == player]
        ends = ({each.metric: getattr(each, side) for each in own} for side in ("left", "right"))
        words[player] = list(map(skill, sides, ends))
    return words


def rates(comparison: Comparison) -> Iterator[tuple[Figure, list[tuple[str, float]]]]:
    """The rate of each player that has one, with the shares of its gap that can be seen."""
    for figure in comparison.figures:
        if figure.metric == RATE and (figure.left is not None or figure.right is not None):
            bridge = bridge_of(comparison, figure)
            parts = shares(bridge).items() if bridge else ()
            yield (
                figure,
                [
                    (SHARES[key], change)
                    for key, change in parts
                    if numbers.signed(change, 2).strip("0.+")
                ],
            )


MET_QUESTION = "Q11"

Rule = tuple[str, dict[str, list[str]]]
"""Code of a question, and for every answer the names of those who give it."""


def rules_of(
    comparison: Comparison, labels: tuple[str, str], linked: Iterable[str]
) -> Iterator[Rule]:
    """The questions that the sides answer differently, and any other that a step or a row links
    to."""
    sides = [
        {**statistics.rules.answers, MET_QUESTION: side.met}
        for statistics, side in zip(
            comparison.statistics, (comparison.left, comparison.right), strict=True
        )
    ]
    return answered(
        labels,
        sides,
        {step.code for bridge in comparison.bridges for step in bridge.steps} | set(linked),
    )


def answered(
    labels: Sequence[str], sides: Sequence[Mapping[str, str]], linked: Container[str] = ()
) -> Iterator[Rule]:
    """The questions that these answers, by side, differ in, and any other that is linked to."""
    for code in QUESTIONS:
        givers: dict[str, list[str]] = {}
        for label, answers in zip(labels, sides, strict=True):
            givers.setdefault(answers[code], []).append(label)
        if len(givers) > 1 or code in linked:
            yield code, givers


def rules_changed(explanations: Iterable[Explanation]) -> Iterator[Rule]:
    """The questions that explanations answer differently than the rule sets they start from, or
    than the file's own."""
    differences = [
        difference
        for explanation in explanations
        for difference in (*explanation.differences, *explanation.own_differences)
    ]
    for code in QUESTIONS:
        names = dict.fromkeys(
            name
            for difference in differences
            if difference.question == code
            for name in (difference.answer_from, difference.answer_to)
        )
        if names:
            yield (
                code,
                {
                    name: [
                        rules.name for rules in RULE_SETS.values() if rules.answers[code] == name
                    ]
                    for name in names
                },
            )


def paragraphs(page: str) -> list[str]:
    """The paragraphs of a docstring, a line each."""
    blocks = (" ".join(block.split()) for block in re.split(r"\n\s*\n", page.strip()))
    return [block for block in blocks if block]
