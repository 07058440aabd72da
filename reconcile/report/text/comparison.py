"""A comparison of two files as blocks, and the walk from one figure to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.reviewed_files import FileFacts
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, Figure
from reconcile.report import numbers, words
from reconcile.report.blocks import (
    Block,
    Bullets,
    Folded,
    Item,
    Marked,
    Parts,
    Table,
    Title,
    Verdict,
)
from reconcile.report.verdict import in_order, verdict_of, with_verdict
from reconcile.scoring.findings import NOTES, Finding

SHORT_HASH = 12


def comparison_blocks(comparison: Comparison) -> Iterator[Block]:
    """Rows and verdict, the judged figures, where the gaps come from, findings; in a document also
    all figures and the files."""
    verdict, match = verdict_of(comparison), words.match_title(comparison)
    if comparison.is_alarm:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone, match)
        yield from rows_and_notes(comparison)
    else:
        yield Title(f"{' against '.join(comparison.labels)}: {match}")
        yield from rows_and_notes(comparison)
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from _figures(comparison, in_order(comparison.judged))
    yield from incomplete_blocks(with_verdict(comparison, INCOMPLETE))
    noted = [
        f"{figure.title} of {figure.player}: {figure.note}"
        for figure in comparison.judged
        if figure.note
    ]
    yield from bullets("Judged with other bounds", noted)
    yield from _walks(comparison)
    findings = [finding for finding in comparison.findings if finding.code not in NOTES]
    paths = {"left": comparison.left.path, "right": comparison.right.path}
    items = [finding_item(finding, paths.get(finding.side or "", "")) for finding in findings]
    yield from bullets("Findings", items)
    yield from (
        Folded("All figures", [table]) for table in _figures(comparison, comparison.figures)
    )
    sides = zip(comparison.labels, (comparison.left, comparison.right), strict=True)
    files = [f"{label}: {_side(side)}" for label, side in sides]
    facts = [f"{words.length_text(comparison.length)}, tolerances {comparison.table}.", *files]
    yield Folded("Files", [Bullets(facts)])


def bullets(
    title: str, items: Sequence[str | Marked | Item], *, wrapped: bool = False
) -> Iterator[Block]:
    """A list, if there is anything in it."""
    if items:
        yield Bullets(items, title, wrapped)


def rows_and_notes(comparison: Comparison) -> Iterator[Block]:
    """Why the figure of each player differs, and what a reader has to know beside it."""
    yield from (explanation.shown() for explanation in explanations(comparison))
    yield from bullets("Notes", notes(comparison), wrapped=True)


def incomplete_blocks(figures: Sequence[Figure]) -> Iterator[Block]:
    """What is missing for the figures that are not judged since their analysis is incomplete."""
    missing = dict.fromkeys(
        f"{figure.title} of {figure.player}: {figure.coverage or 'unknown on one side'}"
        for figure in figures
    )
    yield from bullets("Incomplete analysis, not judged", list(missing))


def finding_item(finding: Finding, path: str) -> Item:
    """A finding, with what to do about it if it matters."""
    where = f" ({words.file_name(path)})" if path else ""
    return Item(
        finding.text,
        () if finding.severity == "info" else (finding.advice,),
        Marked(f"{finding.severity}{where}", finding.severity),
    )


def _figures(comparison: Comparison, figures: Sequence[Figure]) -> Iterator[Table]:
    noted = verdict_of(comparison).tone == "noted"
    rows = []
    for figure in figures:
        tone, word = words.judgement(figure)
        if noted and figure.verdict == OUTSIDE:
            tone = "noted"
        gap, bound = numbers.gap_shown(figure)
        if figure.verdict == OPEN and figure.gap_range:
            gap += f" ({numbers.gap_between(figure.metric, figure.gap_range)})"
        rows.append(
            (
                figure.title,
                figure.player,
                *numbers.both_sides(figure),
                gap,
                bound,
                Marked(word, "" if tone == "noted" else tone),
            )
        )
    if rows:
        yield Table(
            ("Figure", "Player", *comparison.labels, "gap", "allowed", "verdict"),
            rows,
            right=(2, 3, 4, 5),
        )


def _walks(comparison: Comparison) -> Iterator[Block]:
    """The walk from the left to the right figure, a line for each judged figure: `PR Nora: 7.16 Q01
    +0.03 analysis -2.3 = 4.85`."""
    rows = [
        (figure.title, figure.player, Parts(parts))
        for figure in comparison.judged
        if (parts := walk(comparison, figure))
    ]
    if rows:
        yield Table(
            ("Figure", "Player", "From one to the other"), rows, title="Where the gaps come from"
        )


def walk(comparison: Comparison | None, figure: Figure) -> list[str]:
    """The bridge of a figure in parts of one line: `7.16`, `Q01 +0.03`, `analysis -2.3`, `= 4.85`;
    empty where there is none."""
    bridge = None if comparison is None else words.bridge_of(comparison, figure)
    if bridge is None or figure.share:
        return []
    if not bridge.steps:
        return [f"no bridge: {bridge.reason}" if bridge.reason else "no bridge"]
    parts = [
        f"{words.step_name(step.code)} {numbers.change(figure.metric, step.change)}"
        for step in bridge.steps
        if step.change
    ]
    return [
        numbers.figure(figure.metric, bridge.start),
        *parts,
        f"= {numbers.figure(figure.metric, bridge.end)}",
    ]


def walk_line(comparison: Comparison | None, figure: Figure) -> str:
    """The bridge of a figure out of tolerance in one line; empty where there is none."""
    return str(Parts(walk(comparison, figure))) if figure.verdict in (OUTSIDE, OPEN) else ""


def _side(side: FileFacts) -> str:
    version = f" {side.tool_version}" if side.tool_version else ""
    digest = f", SHA-256 {side.sha256[:SHORT_HASH]}" if side.sha256 else ""
    return f"{words.file_name(side.path)} ({side.tool}{version}, rules {side.rules}{digest})"
