"""What the expert part of the page of two analyses shows: choices, sums and pictures; the template does the rest."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from reconcile.gap.bridge import CAUSES, Contribution
from reconcile.gap.comparison import TOTALS, Comparison
from reconcile.gap.explanation import explanations
from reconcile.gap.notes import notes
from reconcile.gap.settle import lines
from reconcile.report import numbers
from reconcile.report.html.decision_list import seen_in_comparison
from reconcile.report.html.decisions import cards_of
from reconcile.report.html.figures import figure_groups, rates, rules_of, skills
from reconcile.report.html.first_screen import LUCK, first_screen, linked, pair_facts
from reconcile.report.html.waterfall import ledger, walks
from reconcile.report.words import file_name, players
from reconcile.scoring.findings import NOTES
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import PARTS, Statistics

SECTIONS: Final = {
    "pair": "files",
    "figures": "figures and verdicts",
    "bridge": "bridge",
    "findings": "findings",
    "cards": "the decisions that matter most",
    "ledger": "ledger",
    "rules": "rules",
    "method": "method",
}
"""Of the expert part: anchor and name."""
SEVERITIES: Final = ("error", "warning", "info")


def comparison_values(
    comparison: Comparison, contributions: Sequence[Contribution]
) -> dict[str, object]:
    """What the template is given."""
    labels = comparison.labels
    names = players(comparison)
    shown, others = walks(comparison, labels)
    cards = cards_of(comparison, contributions, labels)
    files = (comparison.left, comparison.right)
    sides = zip(("left", "right"), labels, files, comparison.statistics, strict=True)
    anchors = {(walk.bridge.player, walk.bridge.metric): walk.key for walk in (*shown, *others)}
    seen = seen_in_comparison(
        comparison, [(place.game, place.turn, place.kind.label) for place in cards.ranks]
    )
    return {
        **first_screen(
            seen,
            [one.shown() for one in explanations(comparison)],
            notes(comparison),
            [*pair_facts(comparison), *_leading(anchors)],
            "expert_pair.html.j2",
            SECTIONS,
        ),
        "scripts": ("page", "notation", "board", "review", "practice", "ledger"),
        "key_of": lambda place: (
            seen.key_at(place.game, place.turn, place.kind.label) if place else ""
        ),
        "comparison": comparison,
        "labels": labels,
        "players": names,
        "settled": [] if comparison.settlement is None else list(lines(comparison.settlement)),
        "is_alarm": comparison.is_alarm,
        "rates": list(rates(comparison)),
        "skills": skills(comparison),
        "sides": [
            (name, label, side, _analysed(side.format, statistics))
            for name, label, side, statistics in sides
        ],
        "alone": "" if comparison.totals_alone else _alone(comparison),
        "groups": figure_groups(comparison),
        "columns": 1 + 4 * len(names),
        "walks": shown,
        "other_walks": others,
        "anchors": anchors,
        "findings": sorted(
            (finding for finding in comparison.findings if finding.code not in NOTES),
            key=lambda finding: SEVERITIES.index(finding.severity),
        ),
        "cards": cards,
        "ledger": ledger(comparison, contributions),
        "rules": list(
            rules_of(comparison, labels, {contribution.step for contribution in contributions})
        ),
        "tolerances": _tolerances(comparison),
        "made_by": _command(comparison),
    }


def _leading(anchors: Mapping[tuple[str, str], str]) -> Iterator[list[tuple[str, str]]]:
    """Where the expert part answers what is asked most."""
    cube = [(player, key) for (player, metric), key in anchors.items() if metric == "cube_pr"]
    if cube:
        links = [
            piece
            for number, one in enumerate(cube)
            for piece in ([(" and ", "")] * (number > 0) + [one])
        ]
        yield [("Why the cube error differs, step by step: ", ""), *links, (".", "")]
    either = ", with what either program does."
    yield linked("How many decisions should count: the ", "rules that differ", "rules", either)
    yield LUCK


def _alone(comparison: Comparison) -> str:
    """How many decisions only one file has, for each reason."""
    walk = comparison.walk
    rows = np.flatnonzero(~walk.items.paired)
    way = walk.forward
    causes = walk.attribution.causes("coverage-left", rows, way.ruled, way.landing).tolist()
    return "; ".join(f"{CAUSES[cause].title}: {count}" for cause, count in Counter(causes).items())


def _analysed(form: str, statistics: Statistics) -> Iterator[str]:
    """How much of a file is analysed; nothing is known of a file that is a list of figures."""
    covered = [statistics.completeness(seat) for seat in (0, 1)]
    for part, noun in PARTS.items() if form != TOTALS else ():
        seen, expected = (
            sum(getattr(one[part], field) for one in covered) for field in ("analysed", "expected")
        )
        yield f"{seen} of {expected} {noun}"


def _tolerances(comparison: Comparison) -> dict[str, tuple[str, str | None, str, str]]:
    """By figure the bound that judged it, its level, and why; the reason is the table's where that bound was the one used."""
    rows: dict[str, tuple[str, str | None, str, str]] = {}
    for figure in comparison.judged:
        entry = comparison.bounds.of(figure.name)
        same = (
            entry is not None
            and entry.level == figure.level
            and (entry.abs is None or entry.abs == figure.tolerance)
        )
        bound = numbers.gap_and_bound(figure.metric, None, figure.tolerance)[1]
        if entry is not None and entry.rel is not None:
            bound = f"{numbers.number(100 * entry.rel, 1)} % of the left figure"
        reason, source = (
            (entry.reason, entry.source)
            if entry is not None and same
            else ("as the table of tolerances says", "")
        )
        title = f"{figure.title} of {figure.player}" if figure.note else figure.title
        rows.setdefault(
            title,
            (
                f"{bound} {METRICS[figure.metric].unit}".strip(),
                figure.level,
                figure.note or reason,
                source,
            ),
        )
    return rows


def _command(comparison: Comparison) -> str:
    left, right = comparison.left, comparison.right
    engine = comparison.statistics[1].match.source.analysed_by
    other = ["--analyse", engine] if engine else [file_name(right.path)]
    names = [one.rules.file or one.rules.name for one in comparison.statistics]
    words = [
        "reconcile",
        "compare",
        file_name(left.path),
        *other,
        "--left-rules",
        names[0],
        "--right-rules",
        names[1],
    ]
    return shlex.join([*words, "--table", comparison.table, "--html", "report.html"])
