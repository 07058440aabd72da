"""The report as one HTML file that makes no request: style, script and pictures are inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.files.wording import plural
from reconcile.gap.bridge import SHARES, Contribution, share_of
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.report import numbers, words
from reconcile.report.explain import answer_evidence
from reconcile.report.verdict import explained, verdict_of
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.grades import colour
from reconcile.scoring.metrics import METRICS
from reconcile.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"


def comparison_page(
    comparison: Comparison, contributions: Sequence[Contribution] | None = None, *, synthetic: str | None = None, judged: bool = True
) -> str:
    """The report of a comparison with its bridges and single decisions.

    `contributions` are by default the decisions behind PR and behind every figure that has a tolerance. `synthetic` says, in a banner,
    that the files were made up; by default what they say themselves. Without `judged` the gaps are explained and no tolerance applies.
    """
    from reconcile.report.html.page import comparison_values

    if contributions is None:
        from reconcile.gap.contributions import contributions_of
        from reconcile.gap.walk import LEADING

        shown = {LEADING, *(figure.metric for figure in comparison.judged)}
        contributions = contributions_of(comparison.walk, [bridge for bridge in comparison.bridges if bridge.metric in shown])
    if synthetic is None:
        events = dict.fromkeys(statistics.match.event for statistics in comparison.statistics)
        synthetic = " ".join(event for event in events if event.startswith(SYNTHETIC))
    if not judged:
        figures = tuple(replace(one, tolerance=None, level=None, verdict=UNGATED) for one in comparison.figures)
        comparison = replace(comparison, figures=figures, shares=())
    verdict = verdict_of(comparison) if judged else explained(comparison)
    values = comparison_values(comparison, contributions)
    return render("comparison.html.j2", verdict=verdict, synthetic=synthetic, **values)


def render(template: str, **values: object) -> str:
    """A page from its template; values are escaped."""
    return environment().get_template(template).render(**values)


@cache
def environment() -> Environment:
    """The templates and what they may use."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from reconcile.report.html.compiled import Compiled
    from reconcile.report.html.decisions import BY_FILE, BY_LEVEL
    from reconcile.report.html.figures import incomplete_sides, paragraphs
    from reconcile.report.html.waterfall import PRINTED

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.bytecode_cache = Compiled(environment)
    environment.globals |= {
        "version": __version__,
        "numbers": numbers,
        "words": words,
        "METRICS": METRICS,
        "QUESTIONS": QUESTIONS,
        "answer_evidence": answer_evidence,
        "RULE_SETS": RULE_SETS,
        "SHARES": SHARES,
        "share_of": share_of,
        "incomplete_sides": incomplete_sides,
        "plural": plural,
        "colour": colour,
        "paragraphs": paragraphs,
        "style": (TEMPLATES / "style.css").read_text(encoding="utf-8"),
        "SCRIPTS": {path.stem: path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.js")},
        "PRINTED": PRINTED,
        "BY_LEVEL": BY_LEVEL,
        "BY_FILE": BY_FILE,
    }
    return environment
