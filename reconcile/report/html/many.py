"""The pages of a match with one analysis, or with several, and of a folder of matches."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from reconcile.gap.folders import FolderResult
from reconcile.gap.review import Review, review_notes, review_rows
from reconcile.language import LANGUAGES
from reconcile.report.blocks import Block, Command, Folded
from reconcile.report.html.decision_list import review_decisions
from reconcile.report.html.first_screen import first_screen, review_facts
from reconcile.report.html.look import content, page
from reconcile.report.html.render import render
from reconcile.report.text.comparison import files_table
from reconcile.report.text.folders import folder_blocks, many_evidence, page_names
from reconcile.report.text.statistics import statistics_evidence
from reconcile.report.words import file_name
from reconcile.scoring.findings import SYNTHETIC

SCRIPTS: Final = (
    "words",
    "page",
    "notation",
    "board",
    "curve",
    "review",
    "send",
    "keep",
    "sheet",
    "practice",
)


def many_page(many: Review, tongue: str = LANGUAGES[0]) -> str:
    """The report as one HTML file, in a language."""
    screen = first_screen(
        review_decisions(many), review_rows(many), review_notes(many), review_facts(many)
    )
    is_alone = len(many.analyses) == 1
    event = many.match.event
    return render(
        "review.html.j2",
        tongue,
        **screen
        | {
            "expert": content(_one(many) if is_alone else many_evidence(many)),
            "scripts": SCRIPTS,
            "synthetic": event if is_alone and event.startswith(SYNTHETIC) else "",
        },
    )


def _one(many: Review) -> Iterator[Block]:
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
