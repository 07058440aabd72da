"""The page of a match with one analysis, or with several."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final, NamedTuple

from reconcile.gap.aligned import SIZE
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import side_of_decision
from reconcile.gap.disputed import NOISE, DisputedDecision
from reconcile.gap.explanation import explanations
from reconcile.gap.review import Review
from reconcile.gap.review_rows import review_notes, review_rows
from reconcile.gap.rows import Rows
from reconcile.gap.settle import lines
from reconcile.report import numbers
from reconcile.report.html.decision_list import seen_in_review
from reconcile.report.html.decisions import Card, card_of
from reconcile.report.html.figures import GROUPS, MET_QUESTION, RATE, answered
from reconcile.report.html.first_screen import LUCK, first_screen, linked, review_facts
from reconcile.report.html.one import one_values
from reconcile.report.words import file_name, step_link, step_name
from reconcile.scoring.findings import level_text
from reconcile.scoring.metrics import METRICS

SECTIONS: Final = {
    "figures": "figures",
    "gaps": "gaps",
    "disputes": "in dispute",
    "agreed": "wrong to all",
    "pairs": "bridges of every pair",
    "files": "files",
    "rules": "rules",
    "method": "method",
}
"""Of the expert part: anchor and name."""
LINKS: Final = (
    linked("Why two PRs or cube errors differ, step by step: ", "bridges of every pair", "pairs"),
    linked("How many decisions should count: the ", "rules that differ", "rules"),
    LUCK,
)
"""Where the expert part answers what is asked most."""
CARDS: Final = 5
"""Decisions in dispute with a board."""
LISTED: Final = 100
"""Decisions of a list; the browser of the page and JSON have all."""
BRIDGED: Final = (
    RATE,
    "checker_pr",
    "cube_pr",
    "error_rate_memg",
    "snowie_er",
    "equity_error.total",
    "mwc_loss_percent.total",
)
"""Figures whose bridges are shown for every pair."""


class BridgeLine(NamedTuple):
    """The bridge of one figure of a pair, in a line."""

    player: str
    metric: str
    start: str
    steps: list[tuple[str, str, str]]
    """Name, link and change of every step that moves the figure."""
    end: str
    reason: str


class Pair(NamedTuple):
    """Two of the sides."""

    key: str
    labels: tuple[str, str]
    gaps: list[str]
    """Of PR, by player."""
    rows: list[Rows]
    lines: list[BridgeLine]
    command: str


def many_page(many: Review) -> str:
    """The report as one HTML file."""
    from reconcile.report.html.render import render

    if len(many.analyses) == 1:
        return render("review.html.j2", **one_values(many))
    seen = seen_in_review(many)
    pairs = [_pair(many, left, right) for left, right in many.indices]
    return render(
        "review.html.j2",
        **first_screen(
            seen,
            review_rows(many),
            review_notes(many),
            [*review_facts(many), *LINKS],
            "expert_many.html.j2",
            SECTIONS,
        ),
        many=many,
        settled=[] if many.settlement is None else list(lines(many.settlement)),
        rates=[(many.names[seat], list(_rates(many, seat))) for seat in many.seats],
        groups=[(title, [name for name in names if name in METRICS]) for title, names in GROUPS],
        figures={
            seat: [many.figures_of(side, seat) for side in range(len(many.analyses))]
            for seat in many.seats
        },
        gaps={seat: {one: _gap(many, *one, seat) for one in many.indices} for seat in many.seats},
        cards=[_card(many, rank, one) for rank, one in enumerate(many.disputes[:CARDS], start=1)],
        lists=[("disputes", many.disputes), ("agreed", many.agreed_errors)],
        listed=LISTED,
        noise=NOISE,
        size=SIZE,
        place=lambda one: seen.key_at(one.game, one.turn, one.kind),
        pairs=pairs,
        sides=[_side(many, side) for side in range(len(many.analyses))],
        rules=list(
            answered(
                many.labels,
                [{**one.rules.answers, MET_QUESTION: one.scored.met.name} for one in many.analyses],
                _linked(pairs),
            )
        ),
        scripts=("page", "notation", "board", "review", "practice"),
        made_by=shlex.join(
            [
                "reconcile",
                "compare",
                *(file_name(one.source.path) for one in many.matches),
                "--html",
                "report.html",
            ]
        ),
    )


def _rates(many: Review, seat: int) -> Iterator[tuple[int, str, str, float, str]]:
    """The PR of every side: its index, what it is called, the figure, its share of the largest, and what is special about it."""
    values = [many.figures_of(side, seat)[RATE] for side in range(len(many.analyses))]
    largest, outlier = (
        max((value for value in values if value is not None), default=0) or 1,
        many.outliers[seat],
    )
    for side, value in enumerate(values):
        note = (
            "outlier"
            if outlier and outlier.side == side
            else "incomplete"
            if many.missing(side, seat)
            else ""
        )
        yield (
            side,
            many.labels[side],
            numbers.ranged(RATE, value, many.ranges[side][seat].get(RATE)),
            (value or 0) / largest,
            note,
        )


def _gap(many: Review, left: int, right: int, seat: int) -> str:
    one, other = (many.figures_of(side, seat)[RATE] for side in (left, right))
    return numbers.change(RATE, None if one is None or other is None else other - one)


def _card(many: Review, rank: int, one: DisputedDecision) -> tuple[Card, DisputedDecision]:
    rows = many.aligned.rows[:, one.item].tolist()
    sides = [
        (label, side_of_decision(side.scored, row) if row >= 0 else None)
        for label, side, row in zip(many.labels, many.analyses, rows, strict=True)
    ]
    return card_of(
        rank,
        (one.game, one.turn, one.player),
        one.kind,
        sides,
        many.aligned.match,
        (one.xgid, one.gnubg_id),
    ), one


def _pair(many: Review, left: int, right: int) -> Pair:
    pair = many.pair(left, right)
    labels = many.labels[left], many.labels[right]
    files = [file_name(many.matches[side].source.path) for side in (left, right)]
    return Pair(
        key=f"pair-{left + 1}-{right + 1}",
        labels=labels,
        gaps=[f"{_gap(many, left, right, seat)} {many.names[seat]}" for seat in many.seats],
        rows=[one.shown() for one in explanations(pair)],
        lines=list(_lines(pair)),
        command=shlex.join(["reconcile", "compare", *files, "--html", "pair.html"]),
    )


def _lines(pair: Comparison) -> Iterator[BridgeLine]:
    for bridge in pair.walk.bridges(BRIDGED):
        name = bridge.metric
        steps = [
            (step_name(step.code), step_link(step.code), numbers.change(name, step.change))
            for step in bridge.steps
            if numbers.change(name, step.change).strip("0.")
        ]
        yield BridgeLine(
            bridge.player,
            name,
            numbers.figure(name, bridge.start),
            steps,
            numbers.figure(name, bridge.end),
            bridge.reason,
        )


def _linked(pairs: list[Pair]) -> set[str]:
    return {name for pair in pairs for line in pair.lines for name, _, _ in line.steps}


def _side(many: Review, side: int) -> dict[str, object]:
    statistics, match = many.analyses[side], many.matches[side]
    source = match.source
    return {
        "file": file_name(source.path),
        "sha256": source.sha256,
        "tool": source.tool,
        "version": source.tool_version,
        "rules": statistics.rules.name,
        "met": statistics.scored.met.name,
        "level": level_text(statistics.match),
        "players": [match.names[many.seat(side, seat)] for seat in (0, 1)],
        "findings": [one for one in many.findings(side) if one.severity != "info"],
    }
