"""The page of two analyses of a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.verdict import UNGATED
from reconcile.language import LANGUAGES
from reconcile.report.blocks import Block, Verdict
from reconcile.report.html.decision_list import comparison_decisions
from reconcile.report.html.first_screen import first_screen, pair_facts
from reconcile.report.html.look import content
from reconcile.report.html.many import SCRIPTS
from reconcile.report.html.render import render
from reconcile.report.text.comparison import evidence_blocks
from reconcile.report.verdict import Verdict as Judgement
from reconcile.report.verdict import explained, verdict_of
from reconcile.scoring.findings import SYNTHETIC


def comparison_page(
    comparison: Comparison,
    tongue: str = LANGUAGES[0],
    *,
    synthetic: str | None = None,
    judged: bool = True,
) -> str:
    """The report of a comparison as one HTML file, in a language.

    `synthetic` says, in a banner, that the files were made up; by default what they say themselves.
    Without `judged` the gaps are explained and no tolerance applies."""
    if synthetic is None:
        events = dict.fromkeys(statistics.match.event for statistics in comparison.statistics)
        synthetic = " ".join(event for event in events if event.startswith(SYNTHETIC))
    if not judged:
        figures = tuple(
            replace(figure, tolerance=None, level=None, verdict=UNGATED)
            for figure in comparison.figures
        )
        comparison = replace(comparison, figures=figures, shares=())
    verdict = verdict_of(comparison) if judged else explained(comparison)
    gaps = explanations(comparison)
    moving = sorted((row for gap in gaps for row in gap.rows), key=lambda row: -abs(row.change))
    places = [row.place for row in moving if row.place]
    decisions = comparison_decisions(comparison, places)
    screen = first_screen(
        decisions, [gap.shown() for gap in gaps], notes(comparison), pair_facts(comparison)
    )
    own = {
        "expert": content(_expert(comparison, None if comparison.is_alarm else verdict)),
        "scripts": SCRIPTS,
        "verdict": verdict,
        "is_alarm": comparison.is_alarm,
        "synthetic": synthetic,
    }
    return render("review.html.j2", tongue, **screen | own)


def _expert(comparison: Comparison, verdict: Judgement | None) -> Iterator[Block]:
    if verdict:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)
