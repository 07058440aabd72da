"""The pages of a match with one analysis, or with several, and of a folder of matches."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from reconcile.files.output import Output
from reconcile.gap.aligned import SIZE, DisputedDecision
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations
from reconcile.gap.folders import FolderResult
from reconcile.gap.outlier import NOISE
from reconcile.gap.review import Review, by_all, review_notes, review_rows
from reconcile.match.tools import short_name
from reconcile.report import numbers
from reconcile.report.html.decision_list import MatchDecisions, review_decisions
from reconcile.report.html.figures import GROUPS, MET_QUESTION, RATE, answered
from reconcile.report.html.first_screen import LUCK, first_screen, linked, review_facts
from reconcile.report.html.render import render
from reconcile.report.text.folders import (
    LEFT_OVER,
    figure_of,
    folder_sentence,
    page_names,
    rate_gap,
    sentences_of,
    special,
)
from reconcile.report.text.statistics import GAME_COLUMNS, game_figures, sections, shown
from reconcile.report.words import file_name, step_link, step_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.findings import NOTES, SYNTHETIC, findings_of, level_text
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics

SCRIPTS: Final = ("page", "notation", "board", "review", "practice")
MOST_CARDS: Final = 10
"""Of the costliest decisions of one analysis."""
OWN_LINKS: Final = (
    linked(
        "Another program or site shows another PR? ",
        "The same analysis by other programs' rules",
        "others",
    ),
    [
        ("How many decisions should count: ", ""),
        ("each program's own rules", "others"),
        (", and the ", ""),
        ("figures", "figures"),
        (".", ""),
    ],
    LUCK,
)
"""Where the expert part answers what is asked most."""
OWN_SECTIONS: Final = {
    "figures": "figures",
    "others": "other programs' rules",
    "games": "games",
    "cards": "the costliest decisions",
    "findings": "findings",
    "files": "file",
    "method": "method",
}
"""Of the expert part: anchor and name."""
SECTIONS: Final = {
    "figures": "figures",
    "gaps": "gaps",
    "disputes": "in dispute",
    "agreed": "errors by all",
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


def many_page(many: Review) -> str:
    """The report as one HTML file."""
    is_alone = len(many.analyses) == 1
    decisions = review_decisions(many)
    screen = first_screen(
        decisions,
        review_rows(many),
        review_notes(many),
        [*review_facts(many), *(OWN_LINKS if is_alone else LINKS)],
        f"expert_{'one' if is_alone else 'many'}.html.j2",
        OWN_SECTIONS if is_alone else SECTIONS,
    )
    sides = [_side(many, side) for side in range(len(many.labels))]
    values = {"many": many, "sides": sides, "scripts": SCRIPTS}
    expert = _own_values(many, decisions) if is_alone else _values(many, decisions)
    return render("review.html.j2", **screen | values | expert)


def _values(many: Review, decisions: MatchDecisions) -> dict[str, Any]:
    """What the expert part of several analyses is given."""
    sides, pairs = range(len(many.labels)), [_pair(many, *pair) for pair in many.indices]
    answers = [
        {**scored.rules.answers, MET_QUESTION: scored.scored.met.name} for scored in many.analyses
    ]
    steps = {name for pair in pairs for line in pair["lines"] for name, _, _ in line["steps"]}

    def index(dispute: DisputedDecision) -> int:
        return decisions.index_of((dispute.game, dispute.turn, dispute.kind))

    return {
        "rates": [(many.names[seat], list(_rates(many, seat))) for seat in many.seats],
        "groups": [(title, [name for name in names if name in METRICS]) for title, names in GROUPS],
        "figures": {seat: [many.figures_of(side, seat) for side in sides] for seat in many.seats},
        "gaps": {
            seat: {pair: rate_gap(many, *pair, seat) for pair in many.indices}
            for seat in many.seats
        },
        "cards": [
            (decisions.card(index(dispute), rank), dispute)
            for rank, dispute in enumerate(many.disputes[:CARDS], start=1)
        ],
        "lists": [("disputes", many.disputes), ("agreed", many.agreed_errors)],
        "by_all": by_all(many),
        "listed": LISTED,
        "noise": NOISE,
        "size": SIZE,
        "place": lambda dispute: decisions.key_at(dispute.game, dispute.turn, dispute.kind),
        "pairs": pairs,
        "rules": list(answered(many.labels, answers, steps)),
        "made_by": _command("compare", *(match.source.path for match in many.matches)),
    }


def _command(command: str, *files: str, page: str = "report.html") -> str:
    return shlex.join(["reconcile", command, *map(file_name, files), "--html", page])


def _rates(many: Review, seat: int) -> Iterator[tuple[int, str, str, float, str]]:
    """The PR of every side: its index, what it is called, the figure, its share of the largest, and
    what is special about it."""
    values = [many.figures_of(side, seat)[RATE] or 0.0 for side in range(len(many.labels))]
    largest = max(values) or 1.0
    for side, label in enumerate(many.labels):
        rate = figure_of(many, side, seat, RATE)
        yield side, label, rate, values[side] / largest, special(many, side, seat)


def _pair(many: Review, left: int, right: int) -> dict[str, Any]:
    """Two of the sides."""
    pair, files = many.pair(left, right), (many.matches[side].source.path for side in (left, right))
    return {
        "key": f"pair-{left + 1}-{right + 1}",
        "labels": (many.labels[left], many.labels[right]),
        "gaps": [f"{rate_gap(many, left, right, seat)} {many.names[seat]}" for seat in many.seats],
        "rows": [explanation.shown() for explanation in explanations(pair)],
        "lines": list(_lines(pair)),
        "command": _command("compare", *files, page="pair.html"),
    }


def _lines(pair: Comparison) -> Iterator[dict[str, Any]]:
    """The bridges of a pair, each in a line, with name, link and change of every step that moves
    the figure."""
    for bridge in pair.walk.bridges(BRIDGED):
        name = bridge.metric
        changes = [(step.code, numbers.change(name, step.change)) for step in bridge.steps]
        yield {
            "player": bridge.player,
            "metric": name,
            "start": numbers.figure(name, bridge.start),
            "steps": [
                (step_name(code), step_link(code), change)
                for code, change in changes
                if change.strip("0.")
            ],
            "end": numbers.figure(name, bridge.end),
            "reason": bridge.reason,
        }


def _side(many: Review, side: int) -> dict[str, Any]:
    """A file, and what is counted of it."""
    scored, match = many.analyses[side], many.matches[side]
    source = match.source
    return {
        "file": file_name(source.path),
        "sha256": source.sha256,
        "tool": source.tool,
        "version": source.tool_version,
        "rules": scored.rules.name,
        "met": scored.scored.met.name,
        "level": level_text(scored.match),
        "players": [match.names[many.seat(side, seat)] for seat in (0, 1)],
        "findings": [finding for finding in many.findings(side) if finding.severity != "info"],
    }


def _own_values(many: Review, decisions: MatchDecisions) -> dict[str, Any]:
    """What the expert part of one analysis is given: all figures, the same by other programs'
    rules, and the costliest decisions."""
    scored, match, games = many.analyses[0], many.match, many.match.games
    costliest = [index for index in decisions.order if decisions.wrong[0, index]][:MOST_CARDS]
    counted = {
        name: statistics(match, rules, many.files.mets[0]) for name, rules in RULE_SETS.items()
    }
    return {
        "players": many.players,
        "tool": short_name(match.source.tool),
        "tables": list(sections(scored)),
        "game_columns": GAME_COLUMNS,
        "games": [
            (
                number,
                "-".join(map(str, games.score[index].tolist())),
                [game_figures(scored, seat, index) for seat in (0, 1)],
            )
            for index, number in enumerate(games.number.tolist())
        ],
        "others": [
            (
                name,
                RULE_SETS[name].title,
                [shown(RATE, by.figures(seat)[RATE]) for seat in many.seats],
            )
            for name, by in counted.items()
        ],
        "cards": [
            (decisions.card(index, rank), shown("equity_error.total", decisions.worst[index]))
            for rank, index in enumerate(costliest, 1)
        ],
        "findings": [finding for finding in findings_of(scored) if finding.code not in NOTES],
        "made_by": _command("stats", match.source.path),
        "synthetic": match.event if match.event.startswith(SYNTHETIC) else "",
    }


BADGES: Final = {
    "unreadable": "error",
    "alone": "warning",
    "duplicate": "warning",
    "ignored": "info",
}


def folder_pages(result: FolderResult, folder: str) -> list[Output]:
    """Paths and contents: a page for every match that was compared, and `index.html`."""
    pages = page_names([match.files[0] for match in result.matches])
    rows = list(zip(result.matches, pages, strict=True))
    index = render(
        "folders.html.j2",
        title=folder_sentence(result),
        result=result,
        rows=rows,
        sentences=sentences_of,
        why=LEFT_OVER,
        badges=BADGES,
    )
    return [
        *(
            (str(Path(folder) / page), many_page(match.review))
            for match, page in rows
            if match.review is not None
        ),
        (str(Path(folder) / "index.html"), index),
    ]
