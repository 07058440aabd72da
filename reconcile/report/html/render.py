"""The report as one HTML file that asks nobody for anything: style, script and pictures are inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reconcile import __version__
from reconcile.gap.bridge import Contribution
from reconcile.gap.comparison import Comparison
from reconcile.gap.tolerances import Tolerances
from reconcile.scoring.findings import SYNTHETIC

if TYPE_CHECKING:
    from jinja2 import Environment


MOST_FAILURES: Final = 20
TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class PackRow:
    """One match in the index of a pack."""

    id: str
    title: str
    verdict: str
    """`within`, `outside`, `explained` or `not compared`."""
    figures: int
    """How many figures were looked at."""
    worst: str
    """The worst figure in words; empty where there is none."""
    page: str = ""
    """File name of the match's own page."""
    notes: tuple[str, ...] = ()
    """Why something was not compared."""
    pages: tuple[str, ...] = ()
    """File names of the pages of its pairs."""
    synthetic: bool = False
    outside: tuple[int | None, ...] = ()
    """Figures out of tolerance in earlier runs, oldest first, and now; `None` where a run did not have the match."""


def comparison_page(
    comparison: Comparison,
    contributions: Sequence[Contribution] | None = None,
    *,
    synthetic: str | None = None,
    command: str = "",
    tolerances: Tolerances | None = None,
    judged: bool = True,
) -> str:
    """The report of a comparison with its bridges and single decisions.

    `contributions` are by default the decisions behind PR and behind every figure that has a tolerance. `synthetic` says, in a banner,
    that the files were made up; by default what they say themselves. `command` is what reproduces the report; `tolerances` are those
    that judged, by default the program's own: their reasons are shown. Without `judged` the gaps are explained and no tolerance applies.
    """
    from reconcile.report.html.page import comparison_view

    if contributions is None:
        from reconcile.gap.contributions import contributions_of
        from reconcile.gap.walk import LEADING

        shown = {LEADING, *(figure.metric for figure in comparison.judged)}
        contributions = contributions_of(comparison.walk, [bridge for bridge in comparison.bridges if bridge.metric in shown])
    if synthetic is None:
        events = dict.fromkeys(statistics.match.event for statistics in comparison.statistics)
        synthetic = " ".join(event for event in events if event.startswith(SYNTHETIC))
    page = comparison_view(comparison, contributions, synthetic=synthetic, command=command, tolerances=tolerances, judged=judged)
    return render("comparison.html.j2", page=page)


@dataclass(frozen=True, slots=True)
class Failure:
    """A figure out of tolerance, in the index of a pack."""

    match: str
    suite: str
    line: str
    page: str
    warning: bool


def pack_index(
    title: str,
    rows: Sequence[PackRow],
    failures: Sequence[Failure] = (),
    notes: Sequence[str] = (),
    findings: Sequence[tuple[str, str]] = (),
) -> str:
    """The first page of a pack: what is out of tolerance, and a row for each match with its verdict, its worst figure and its pages.

    `notes` tell what is about no match of the pack, `findings` what it shows of its tolerances: severity and words.
    """
    counts = {word: sum(row.verdict == word for row in rows) for word in dict.fromkeys(row.verdict for row in rows)}
    trend = any(len(row.outside) > 1 for row in rows)
    shown, more = failures[:MOST_FAILURES], max(0, len(failures) - MOST_FAILURES)
    return render(
        "pack.html.j2",
        title=title,
        rows=rows,
        counts=counts,
        trend=trend,
        failures=shown,
        more=more,
        notes=notes,
        findings=findings,
        version=__version__,
    )


def render(template: str, **values: Any) -> str:
    """A page from its template; values are escaped."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["style"] = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    environment.globals["script"] = (TEMPLATES / "script.js").read_text(encoding="utf-8")
    return environment
