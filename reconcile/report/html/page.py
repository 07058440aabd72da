"""The pages of a match with one analysis, two or several, and of a folder of matches."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.folders import FolderResult
from reconcile.gap.review import Review, review, review_notes, review_rows
from reconcile.gap.rows import Rows
from reconcile.gap.verdict import UNGATED
from reconcile.language import LANGUAGES
from reconcile.report.blocks import Block, Command, Folded, Verdict
from reconcile.report.html.decision_list import (
    MatchDecisions,
    comparison_decisions,
    review_decisions,
)
from reconcile.report.html.first_screen import first_screen
from reconcile.report.html.look import content, page
from reconcile.report.html.render import render
from reconcile.report.text.comparison import evidence_blocks, files_table
from reconcile.report.text.folders import folder_blocks, many_evidence, page_names
from reconcile.report.text.statistics import statistics_evidence
from reconcile.report.verdict import Verdict as Judgement
from reconcile.report.verdict import explained, verdict_of
from reconcile.report.words import file_name
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.statistics import Statistics

SCRIPTS: Final = (
    "words", "page", "notation", "board", "curve", "review", "send", "keep", "sheet", "practice",
)  # fmt: skip


def match_page(
    decisions: MatchDecisions,
    analyses: Sequence[Statistics],
    rows: Sequence[Rows],
    notes: Sequence[str],
    expert: Iterable[Block],
    tongue: str,
    **own: Any,
) -> str:
    """The first screen of a match, and below it what is behind its rows, in a language."""
    screen = first_screen(decisions, analyses, rows, notes)
    shared = {"expert": content(expert), "scripts": SCRIPTS, "synthetic": synthetic(decisions)}
    return render("review.html.j2", tongue, **screen | shared | own)


def synthetic(decisions: MatchDecisions) -> str:
    """What the files say of themselves where they were made up."""
    events = dict.fromkeys(scored.match.event for scored in decisions.scored)
    return " ".join(event for event in events if event.startswith(SYNTHETIC))


def comparison_page(
    comparison: Comparison,
    tongue: str = LANGUAGES[0],
    *,
    judged: bool = True,
) -> str:
    """The report of a comparison as one HTML file, in a language; without `judged` the gaps are
    explained and no tolerance applies."""
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
    return match_page(
        decisions,
        comparison.statistics,
        [gap.shown() for gap in gaps],
        notes(comparison),
        _expert(comparison, None if comparison.is_alarm else verdict),
        tongue,
        verdict=verdict,
        is_alarm=comparison.is_alarm,
    )


def _expert(comparison: Comparison, verdict: Judgement | None) -> Iterator[Block]:
    if verdict:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)


def many_page(many: Review, tongue: str = LANGUAGES[0]) -> str:
    """The report as one HTML file, in a language."""
    evidence = _alone(many) if len(many.analyses) == 1 else many_evidence(many)
    rows, notes = review_rows(many), review_notes(many)
    return match_page(review_decisions(many), many.analyses, rows, notes, evidence, tongue)


def statistics_page(scored: Statistics, tongue: str = LANGUAGES[0]) -> str:
    """The page of one analysis; it says what its file could not be asked."""
    rules = scored.rules
    for code, wanted, _ in scored.scored.replaced:
        rules = rules.switched(code, wanted)
    return many_page(review(scored.match, rules=rules, met=scored.scored.met), tongue)


def _alone(many: Review) -> Iterator[Block]:
    """What is behind the rows of one analysis."""
    scored = many.analyses[0]
    yield from statistics_evidence(scored, per_game=True)
    yield Folded("File", [files_table(many.labels, [scored])])
    path = file_name(many.match.source.path)
    yield Command(shlex.join(["reconcile", "stats", path, "--html", "report.html"]))


def folder_pages(result: FolderResult, tongue: str = LANGUAGES[0]) -> dict[str, str]:
    """By name a page for every match that was compared, and `index.html`."""
    names = page_names([match.files[0] for match in result.matches])
    pages = {
        name: many_page(match.review, tongue)
        for match, name in zip(result.matches, names, strict=True)
        if match.review is not None
    }
    return pages | {"index.html": page(folder_blocks(result))}
