"""The report as one HTML file that makes no request: style, script and pictures are inside."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.files.bundled import cache_folder
from reconcile.gap.bridge import Contribution
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.match.tools import short_name
from reconcile.report import numbers, words
from reconcile.report.verdict import explained, verdict_of
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, answer_evidence
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.grades import colour
from reconcile.scoring.metrics import METRICS
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemBytecodeCache

TEMPLATES: Final = Path(__file__).parent / "templates"


def comparison_page(
    comparison: Comparison,
    contributions: Sequence[Contribution] | None = None,
    *,
    synthetic: str | None = None,
    judged: bool = True,
) -> str:
    """The report of a comparison with its bridges and single decisions.

    `contributions` are by default the decisions behind PR and behind every figure that has a
    tolerance. `synthetic` says, in a banner, that the files were made up; by default what they say
    themselves. Without `judged` the gaps are explained and no tolerance applies."""
    from reconcile.report.html.page import comparison_values

    if contributions is None:
        from reconcile.gap.contributions import contributions_of
        from reconcile.scoring.metrics import LEADING

        shown = {LEADING, *(figure.metric for figure in comparison.judged)}
        contributions = contributions_of(
            comparison.walk, [bridge for bridge in comparison.bridges if bridge.metric in shown]
        )
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
    values = comparison_values(comparison, contributions)
    return render("review.html.j2", **{**values, "verdict": verdict, "synthetic": synthetic})


def render(template: str, **values: object) -> str:
    """A page from its template; values are escaped."""
    return environment().get_template(template).render(**values)


def digest(source: str) -> str:
    """How a content security policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@cache
def scripts() -> dict[str, str]:
    """The scripts of pages, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.js"))}


@cache
def style() -> str:
    """The style of every page."""
    return (TEMPLATES / "style.css").read_text("utf-8")


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates, in a folder of the user's own, since they are code; none elsewhere."""
    from jinja2 import FileSystemBytecodeCache
    from jinja2 import __version__ as jinja

    folder = cache_folder() / f"templates-{__version__}-{jinja}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o077):
        return None
    return FileSystemBytecodeCache(str(folder))


@cache
def environment() -> Environment:
    """The templates and what they may use."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.bytecode_cache = _compiled()
    environment.globals |= _names()
    return environment


def _names() -> dict[str, object]:
    """What every template may use."""
    from reconcile.report.html.board import POINT_NUMBERS, SURFACE
    from reconcile.report.html.browser import CUBE_VIEW
    from reconcile.report.html.decisions import CHANCES, percent, short_level
    from reconcile.report.html.figures import paragraphs
    from reconcile.report.html.waterfall import PRINTED

    return {
        "version": __version__,
        "numbers": numbers,
        "words": words,
        "METRICS": METRICS,
        "QUESTIONS": QUESTIONS,
        "answer_evidence": answer_evidence,
        "RULE_SETS": RULE_SETS,
        "plural": plural,
        "short_name": short_name,
        "colour": colour,
        "paragraphs": paragraphs,
        "style": style(),
        "SCRIPTS": scripts(),
        "digest": digest,
        "SURFACE": SURFACE,
        "NUMBERS": POINT_NUMBERS,
        "PRINTED": PRINTED,
        "CUBE_VIEW": CUBE_VIEW,
        "CHANCES": CHANCES,
        "percent": percent,
        "short_level": short_level,
    }
