"""What the expert part of the page of two analyses shows: choices, sums and pictures; the template
does the rest."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from reconcile.gap.bridge import CAUSES, Contribution
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.report import numbers
from reconcile.report.html.decision_list import comparison_decisions
from reconcile.report.html.decisions import cards_of
from reconcile.report.html.figures import figure_groups, rates, rules_of, skills
from reconcile.report.html.first_screen import LUCK, first_screen, linked, pair_facts
from reconcile.report.html.waterfall import ledger, walks
from reconcile.report.verdict import title
from reconcile.report.words import file_name, players
from reconcile.scoring.findings import NOTES, Finding
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
CUBE_LINK: Final = "Why the cube error differs, step by step: "
SEVERITIES: Final = ("error", "warning", "info")


def comparison_values(
    comparison: Comparison, contributions: Sequence[Contribution]
) -> dict[str, object]:
    """What the template is given."""
    labels, names = comparison.labels, players(comparison)
    shown, folded = walks(comparison, labels)
    cards = cards_of(comparison, contributions, labels)
    anchors = {(walk.bridge.player, walk.bridge.metric): walk.key for walk in (*shown, *folded)}
    places = [(place.game, place.turn, place.kind.label) for place in cards.places]
    decisions = comparison_decisions(comparison, places)
    return {
        **first_screen(
            decisions,
            [explanation.shown() for explanation in explanations(comparison)],
            notes(comparison),
            [*pair_facts(comparison), *_leading(anchors)],
            "expert_pair.html.j2",
            SECTIONS,
        ),
        **_sources(comparison),
        "scripts": ("page", "notation", "board", "review", "practice", "ledger"),
        "key_of": lambda at: decisions.key_at(at.game, at.turn, at.kind.label) if at else "",
        "comparison": comparison,
        "players": names,
        "is_alarm": comparison.is_alarm,
        "rates": list(rates(comparison)),
        "skills": skills(comparison),
        "groups": figure_groups(comparison),
        "columns": 1 + 4 * len(names),
        "walks": shown,
        "other_walks": folded,
        "anchors": anchors,
        "findings": _findings(comparison),
        "cards": cards,
        "ledger": ledger(comparison, contributions),
        "rules": list(rules_of(comparison, labels, {share.step for share in contributions})),
        "tolerances": _tolerances(comparison),
    }


def _findings(comparison: Comparison) -> list[Finding]:
    """Those that are no notes, the most severe first."""
    findings = [finding for finding in comparison.findings if finding.code not in NOTES]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _sources(comparison: Comparison) -> dict[str, object]:
    """The files with what of them is analysed, and what makes the page again."""
    files = (comparison.left, comparison.right)
    sides = zip(("left", "right"), comparison.labels, files, comparison.statistics, strict=True)
    return {
        "labels": comparison.labels,
        "sides": [
            (name, label, side, _analysed(statistics)) for name, label, side, statistics in sides
        ],
        "alone": _alone(comparison),
        "made_by": _command(comparison),
    }


def _leading(anchors: Mapping[tuple[str, str], str]) -> Iterator[list[tuple[str, str]]]:
    """Where the expert part answers what is asked most."""
    links: list[tuple[str, str]] = []
    for (player, metric), key in anchors.items():
        if metric == "cube_pr":
            links += [(" and " if links else CUBE_LINK, ""), (player, key)]
    if links:
        yield [*links, (".", "")]
    either = ", with what either program does."
    yield linked("How many decisions should count: the ", "rules that differ", "rules", either)
    yield LUCK


def _alone(comparison: Comparison) -> str:
    """How many decisions only one file has, for each reason."""
    walk = comparison.walk
    rows = np.flatnonzero(~walk.aligned.paired)
    causes = walk.causes("coverage-left", rows).tolist()
    return "; ".join(f"{CAUSES[cause].title}: {count}" for cause, count in Counter(causes).items())


def _analysed(statistics: Statistics) -> Iterator[str]:
    """How much of a file is analysed."""
    covered = [statistics.completeness(seat) for seat in (0, 1)]
    for part, noun in PARTS.items():
        analysed = sum(coverage[part].analysed for coverage in covered)
        yield f"{analysed} of {sum(coverage[part].expected for coverage in covered)} {noun}"


def _tolerances(comparison: Comparison) -> dict[str, tuple[str, str | None, str, str]]:
    """By figure the bound that judged it, its level, and why; the reason is the table's where that
    bound was the one used."""
    rows: dict[str, tuple[str, str | None, str, str]] = {}
    for figure in comparison.judged:
        entry = comparison.bounds.of(figure.name)
        bound = numbers.gap_and_bound(figure.metric, None, figure.tolerance)[1]
        reason, source = "as the table of tolerances says", ""
        if entry is not None:
            if entry.rel is not None:
                bound = f"{numbers.number(100 * entry.rel, 1)} % of the left figure"
            if entry.level == figure.level and entry.abs in (None, figure.tolerance):
                reason, source = entry.reason, entry.source
        name = title(figure) if figure.note else figure.title
        allowed = f"{bound} {METRICS[figure.metric].unit}".strip()
        rows.setdefault(name, (allowed, figure.level, figure.note or reason, source))
    return rows


def _command(comparison: Comparison) -> str:
    left, right = comparison.left, comparison.right
    engine = comparison.statistics[1].match.source.analysed_by
    other = ["--analyse", engine] if engine else [file_name(right.path)]
    names = [side.rules.file or side.rules.name for side in comparison.statistics]
    rules = ["--left-rules", names[0], "--right-rules", names[1]]
    words = ["reconcile", "compare", file_name(left.path), *other, *rules]
    return shlex.join([*words, "--table", comparison.table, "--html", "report.html"])
