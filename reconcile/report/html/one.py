"""The expert part of the page of one analysis: all figures, the same by other programs' rules, the costliest decisions, the file."""

from __future__ import annotations

import shlex
from typing import Any, Final

from reconcile.gap.review import Review
from reconcile.gap.review_rows import review_notes, review_rows
from reconcile.match.tools import short_name
from reconcile.report.html.decision_list import seen_in_review
from reconcile.report.html.figures import RATE
from reconcile.report.html.first_screen import LUCK, first_screen, linked, review_facts
from reconcile.report.text.statistics import GAME_COLUMNS, game_figures, sections, shown
from reconcile.report.words import file_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.findings import NOTES, SYNTHETIC, findings_of, level_text
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics

CARDS: Final = 10
LINKS: Final = (
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
SECTIONS: Final = {
    "figures": "figures",
    "others": "other programs' rules",
    "games": "games",
    "cards": "the costliest decisions",
    "findings": "findings",
    "files": "file",
    "method": "method",
}
"""Of the expert part: anchor and name."""


def one_values(one: Review) -> dict[str, Any]:
    """What the template is given."""
    scored, match = one.analyses[0], one.match
    source, seen = match.source, seen_in_review(one)
    costliest = [index for index in seen.order if seen.wrong[0, index]][:CARDS]
    games = [
        (
            number,
            "-".join(map(str, match.games.score[index].tolist())),
            [game_figures(scored, seat, index) for seat in (0, 1)],
        )
        for index, number in enumerate(match.games.number.tolist())
    ]
    others = [
        (
            name,
            rules.title,
            [METRICS[RATE].shown(counted.figures(seat)[RATE]) for seat in one.seats],
        )
        for name, rules in RULE_SETS.items()
        for counted in (statistics(match, rules, one.sides.mets[0]),)
    ]
    return first_screen(
        seen,
        review_rows(one),
        review_notes(one),
        [*review_facts(one), *LINKS],
        "expert_one.html.j2",
        SECTIONS,
    ) | {
        "scripts": ("page", "notation", "board", "review", "practice"),
        "statistics": scored,
        "players": one.players,
        "tool": short_name(source.tool),
        "tables": list(sections(scored)),
        "game_columns": GAME_COLUMNS,
        "games": games,
        "others": others,
        "own": scored.rules.name,
        "cards": [
            (seen.card(index, rank), shown("equity_error.total", float(seen.worst[index])))
            for rank, index in enumerate(costliest, 1)
        ],
        "findings": [found for found in findings_of(scored) if found.code not in NOTES],
        "file": {
            "name": file_name(source.path),
            "sha256": source.sha256,
            "version": source.tool_version,
            "level": level_text(match),
        },
        "made_by": shlex.join(
            ["reconcile", "stats", file_name(source.path), "--html", "report.html"]
        ),
        "synthetic": match.event if match.event.startswith(SYNTHETIC) else "",
    }
