"""A reference pack as text, Markdown, and a folder of HTML pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reconcile.adapters import read_bytes
from reconcile.comparison import OUTSIDE, WITHIN, Figure
from reconcile.errors import InvalidConfiguration
from reconcile.metrics import METRICS
from reconcile.output import write
from reconcile.reference import MatchResult, PackResult
from reconcile.report.table import shown


def _verdict(match: MatchResult) -> str:
    figures = list(match.figures)
    if any(figure.verdict == OUTSIDE for figure in figures):
        return OUTSIDE
    if any(figure.verdict == WITHIN for figure in figures):
        return WITHIN
    return "not compared" if match.not_compared else "explained"


def _sentence(result: PackResult) -> str:
    summary = result.summary
    judged = summary["within"] + summary["outside"]
    parts = [f"{summary['within']} of {judged} figures within tolerance"]
    if summary["incomplete"]:
        parts.append(f"{summary['incomplete']} incomplete")
    if summary["not_compared"]:
        parts.append(f"{summary['not_compared']} not compared")
    return f"{result.name}: {', '.join(parts)}"


def _worst(match: MatchResult) -> str:
    figures = [figure for figure in match.figures if figure.gap is not None and figure.tolerance is not None]
    if not figures:
        return ""
    worst = max(figures, key=lambda figure: abs(figure.gap or 0) / (figure.tolerance or 1e-9))
    return f"{METRICS[worst.metric].title} of {worst.player} off by {shown(worst.metric, worst.gap)}"


def _failures(match: MatchResult) -> Iterator[Figure]:
    return (figure for figure in match.figures if figure.verdict == OUTSIDE)


def failure_line(figure: Figure) -> str:
    """What was expected and found, for a figure out of tolerance."""
    return (
        f"{METRICS[figure.metric].title}  {figure.player}  expected {figure.left:g} within {figure.tolerance:g}, "
        f"found {figure.right:.6g} (gap {figure.gap:+.4g})"
    )


def pack_text(result: PackResult) -> str:
    """The verdict of a pack, failures first."""
    lines = [_sentence(result)]
    for match in result.matches:
        lines.append(
            f"  {_verdict(match):<13}{match.manifest.id}{' (synthetic)' if match.manifest.synthetic else ''}: {match.manifest.title}"
        )
        lines += [f"    outside: {failure_line(figure)}" for figure in _failures(match)]
        lines += [
            f"    incomplete: {METRICS[f.metric].title}  {f.player}: {f.coverage}" for f in match.figures if f.verdict == "incomplete"
        ]
        lines += [f"    not compared: {reason}" for reason in match.not_compared]
    return "\n".join(lines) + "\n"


def pack_markdown(result: PackResult) -> str:
    """The same for a pull request."""
    from reconcile.report.markdown import escape

    lines = [f"## {escape(_sentence(result))}", "", "| match | verdict | figures | worst |", "| --- | --- | ---: | --- |"]
    for match in result.matches:
        count = sum(1 for _ in match.figures)
        title = escape(match.manifest.title) + (" (synthetic)" if match.manifest.synthetic else "")
        lines.append(f"| {title} | {_verdict(match)} | {count} | {escape(_worst(match))} |")
    failures = [(match, figure) for match in result.matches for figure in _failures(match)]
    lines += ["", *(f"- **{match.manifest.id}**: {escape(failure_line(figure))}" for match, figure in failures)]
    lines += [f"- {match.manifest.id}: not compared: {escape(reason)}" for match in result.matches for reason in match.not_compared]
    return "\n".join(lines).rstrip() + "\n"


Run = dict[str, int]
"""Id of a match -> figures out of tolerance, in one run."""


def read_run(path: str) -> Run:
    """An earlier result of `validate --json`. Raises `InvalidConfiguration`, `UnreadableFile`."""
    import json

    try:
        document = json.loads(read_bytes(path))
        if document["schema_version"] != 1:
            raise ValueError
        return {
            match["id"]: [
                figure["verdict"]
                for part in match["reported"] + [pair for pair in match["pairs"] if pair["judged_by"]]
                for figure in part["figures"]
            ].count(OUTSIDE)
            for match in document["matches"]
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidConfiguration(
            f"{path}: expected what `reconcile validate --json` wrote, found something else; name such a file"
        ) from None


def write_pack_pages(result: PackResult, folder: str, earlier: Sequence[Run] = ()) -> None:
    """`index.html`, with the trend since earlier runs (oldest first), and a page per compared pair. Raises `CannotWrite`."""
    from reconcile.report.html import PackRow, pack_index, walked_page
    from reconcile.walk import Walk

    rows = []
    for match in result.matches:
        pages = []
        for index, pair in enumerate(match.pairs):
            name = f"{match.manifest.id}.html" if not index else f"{match.manifest.id}-{index + 1}.html"
            write(str(Path(folder) / name), walked_page(Walk(pair.comparison), judged=pair.gates))
            pages.append(name)
        rows.append(
            PackRow(
                id=match.manifest.id,
                title=match.manifest.title,
                verdict=_verdict(match),
                figures=sum(1 for _ in match.figures),
                worst=_worst(match),
                notes=match.not_compared,
                pages=tuple(pages),
                synthetic=match.manifest.synthetic,
                outside=(*(run.get(match.manifest.id) for run in earlier), sum(1 for _ in _failures(match))),
            )
        )
    write(str(Path(folder) / "index.html"), pack_index(_sentence(result), rows))
