"""The page of one reference match: what was judged, figure by figure, what was not, and where everything comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reconcile import __version__
from reconcile.gate.judged_figures import Case, Part
from reconcile.report import numbers
from reconcile.report.words import verdict_words
from reconcile.scoring.metrics import METRICS

if TYPE_CHECKING:
    from reconcile.gate.manifest import ReferenceFile
    from reconcile.gate.pack_results import MatchResult


@dataclass(frozen=True, slots=True)
class Row:
    """One judged figure."""

    title: str
    unit: str
    page: str
    """What the figure is."""
    player: str
    expected: str
    found: str
    gap: str
    allowed: str
    verdict: str
    word: str
    coverage: str


@dataclass(frozen=True, slots=True)
class Section:
    """What was judged together."""

    key: str
    title: str
    facts: tuple[tuple[str, str], ...]
    heads: tuple[str, str]
    """What the two columns of figures are."""
    rows: tuple[Row, ...]
    missing: str
    page: str
    """The report of the pair, where it is one."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """The whole page."""

    id: str
    title: str
    synthetic: bool
    verdict: str
    sentence: str
    sections: tuple[Section, ...]
    explained: tuple[tuple[str, str, str], ...]
    """Pairs that no tolerance judges: title, note and page."""
    files: tuple[tuple[str, ReferenceFile], ...]
    provenance: str
    licence: str
    version: str


def match_page(
    match: MatchResult, parts: Sequence[Part], verdict: str, sentence: str, pages: Sequence[str], candidates: Mapping[int, str] = {}
) -> MatchPage:
    """The page of a match; `pages` are the file names of the reports of its pairs, in order.

    `candidates` are those of its candidates, by the identity of the comparison.
    """
    named = {id(pair.comparison): page for pair, page in zip(match.pairs, pages, strict=True)} | dict(candidates)
    return MatchPage(
        id=match.manifest.id,
        title=match.manifest.title,
        synthetic=match.manifest.synthetic,
        verdict=verdict,
        sentence=sentence,
        sections=tuple(_section(part, number, named) for number, part in enumerate(parts, start=1)),
        explained=tuple(
            (f"{pair.pair.left} against {pair.pair.right}", pair.pair.note, page)
            for pair, page in zip(match.pairs, pages, strict=True)
            if not pair.gates
        ),
        files=tuple(match.manifest.files.items()),
        provenance=match.manifest.provenance,
        licence=match.manifest.licence,
        version=__version__,
    )


def _section(part: Part, number: int, pages: dict[int, str]) -> Section:
    pair = next((case.comparison for case in part.cases if case.comparison is not None), None)
    return Section(
        key=f"part-{number}",
        title=part.suite,
        facts=part.facts,
        heads=part.heads if any(part.heads) else ("Left", "Right") if pair is not None else ("Reported", "Ours"),
        rows=tuple(map(_row, part.cases)),
        missing=part.missing,
        page=pages.get(id(pair), "") if pair is not None else "",
    )


def _row(case: Case) -> Row:
    figure = case.figure
    metric = METRICS[figure.metric]
    gap, allowed = numbers.gap_and_bound(figure.metric, figure.gap, figure.tolerance)
    return Row(
        title=figure.title,
        unit=metric.unit,
        page=metric.page,
        player=figure.player,
        expected=_value(case, figure.left),
        found=_value(case, figure.right),
        gap=gap,
        allowed=allowed,
        verdict="warned" if figure.verdict == "outside" and figure.level == "warn" else figure.verdict,
        word=verdict_words(
            figure, f"{figure.verdict} (warning)" if figure.verdict == "outside" and figure.level == "warn" else figure.verdict
        ),
        coverage="; ".join(filter(None, (figure.coverage, figure.note))),
    )


def _value(case: Case, value: float | None) -> str:
    """A figure; beside one that a tool reported, with as many decimals as the tool printed."""
    reported = case.figure.left
    if case.comparison is not None or reported is None:
        return numbers.figure(case.figure.metric, value)
    printed = f"{reported:.10f}".rstrip("0").partition(".")[2]
    return numbers.number(value, max(len(printed), METRICS[case.figure.metric].decimals))
