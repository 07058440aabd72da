"""A comparison as text, and the walk from one figure to the other."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, wrap
from typing import IO, TYPE_CHECKING, Final

from reconcile.files.wording import harmless, printable
from reconcile.gap.comparison import Comparison
from reconcile.gap.naming import names_of
from reconcile.gap.settle import lines as settled_lines
from reconcile.gap.story import led_by_cause, stories
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, Figure
from reconcile.report import numbers
from reconcile.report.numbers import GAP, WIDTH, aligned, styled
from reconcile.report.verdict import failures, incomplete, severity, undecided, verdict_of
from reconcile.report.words import WHY_OPEN, bridge_of, side_labels, step_name, verdict_words

if TYPE_CHECKING:
    from rich.table import Table

    from reconcile.gap.settle import Settlement


def walk(comparison: Comparison, figure: Figure) -> list[str]:
    """The bridge of a figure in parts of one line: `7.16`, `Q01 +0.03`, `analysis -2.3`, `= 4.85`; empty where there is none."""
    bridge = bridge_of(comparison, figure)
    if bridge is None or figure.share:
        return []
    if not bridge.steps:
        return [f"no bridge: {bridge.reason}" if bridge.reason else "no bridge"]
    parts = [f"{step_name(step.code)} {numbers.change(figure.metric, step.change)}" for step in bridge.steps if step.change]
    return [numbers.figure(figure.metric, bridge.start), *parts, f"= {numbers.figure(figure.metric, bridge.end)}"]


def walk_line(comparison: Comparison | None, figure: Figure) -> str:
    """The bridge of a figure out of tolerance in one line; empty where there is none."""
    if comparison is None or figure.verdict not in (OUTSIDE, OPEN):
        return ""
    return numbers.ascii_minus(GAP.join(walk(comparison, figure)))


FIXED: Final = "\N{NO-BREAK SPACE}"
"""A blank at which no line ends."""
STYLES: Final = {
    "within": "green",
    "warned": "yellow",
    "outside": "bold red",
    "noted": "",
    "open": "yellow",
    "incomparable": "bold yellow",
    "incomplete": "yellow",
}


def comparison_text(comparison: Comparison) -> str:
    """The comparison as plain text without colours, for people who read logs."""
    verdict = verdict_of(comparison)
    opening = [story_lines(comparison), [verdict.sentence]]
    if led_by_cause(comparison):
        opening[1] = [f"{verdict.label}: {verdict.sentence}"]
    else:
        opening.reverse()
    parts = [
        *opening,
        [*_failures(comparison), *_open(comparison), *_incomplete(comparison)],
        list(_figure_lines(comparison)),
        list(_note_lines(comparison)),
        list(rolled_out_lines(comparison.settlement, names_of(comparison))),
    ]
    parts += [list(bridge_lines(comparison)), list(_finding_lines(comparison))]
    return harmless(numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"))


def print_comparison(comparison: Comparison, file: IO[str] | None = None) -> None:
    """The comparison on a terminal in colour, elsewhere as plain text; by default to standard output."""
    file = sys.stdout if file is None else file
    if not file.isatty():
        file.write(printable(comparison_text(comparison)))
        return
    from rich.console import Console

    console = Console(file=file, highlight=False)
    verdict = verdict_of(comparison)
    story = [styled(line) for line in story_lines(comparison)]
    judged = styled(verdict.label.upper(), STYLES[verdict.tone]).append_text(styled(f"  {verdict.sentence}"))
    for part in [*story, judged] if led_by_cause(comparison) else [judged, *story]:
        console.print(part)
    outside = OUTSIDE if verdict.tone == verdict.word else verdict.tone
    for style, lines in ((outside, _failures(comparison)), (OPEN, _open(comparison)), (INCOMPLETE, _incomplete(comparison))):
        for line in lines:
            console.print(styled("  " + line, style=STYLES[style]))
    if comparison.judged:
        console.print(_rich_figures(comparison, outside))
    for line in _note_lines(comparison):
        console.print(styled(line))
    for line in (*rolled_out_lines(comparison.settlement, names_of(comparison)), *bridge_lines(comparison)):
        console.print(styled(line))
    for line in _finding_lines(comparison):
        console.print(styled(line))


def story_lines(comparison: Comparison) -> list[str]:
    """The sentences of `reconcile.gap.story`, a paragraph for each player."""
    paragraphs = [numbers.ascii_minus(" ".join(story.sentences)) for story in stories(comparison)]
    return [harmless(line) for paragraph in paragraphs for line in wrap(paragraph, WIDTH, break_on_hyphens=False)]


def rolled_out_lines(settlement: Settlement | None, names: Sequence[str]) -> Iterator[str]:
    """The decisions that were rolled out, each in a paragraph."""
    if settlement is None or not settlement.decisions:
        return
    yield "Rolled out:"
    for where, what in settled_lines(settlement, names):
        yield from wrap(f"{where}: {what}", WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _failures(comparison: Comparison) -> Iterable[str]:
    rows = []
    for figure in failures(comparison):
        gap, bound = numbers.gap_and_bound(figure.metric, abs(figure.unexplained or 0.0), figure.tolerance)
        found = gap.lstrip("+") + (" warning" if figure.level == "warn" else "")
        if figure.known_gap is not None:
            found += f" beyond the known gap {numbers.change(figure.metric, figure.known_gap)}"
        found += " of the gap" if figure.share else ""
        rows.append((figure.title, figure.player, f"expected <= {bound}", f"found {found}"))
    return aligned(rows)


def _open(comparison: Comparison) -> Iterable[str]:
    for figure in undecided(comparison):
        _, bound = numbers.gap_and_bound(figure.metric, None, figure.tolerance)
        gaps = numbers.gap_between(figure.metric, figure.unexplained_range)
        yield f"OPEN  {figure.title}{GAP}{figure.player}{GAP}expected <= {bound}{GAP}found {gaps}, {WHY_OPEN}"


def _incomplete(comparison: Comparison) -> Iterable[str]:
    for figure in incomplete(comparison):
        yield f"INCOMPLETE  {figure.title}{GAP}{figure.player}{GAP}{figure.coverage or 'unknown on one side'}"


def _cells(figure: Figure) -> tuple[str, ...]:
    gap, bound = numbers.gap_and_bound(figure.metric, figure.gap, figure.tolerance)
    word = f"{figure.verdict} (warning)" if figure.verdict == OUTSIDE and figure.level == "warn" else figure.verdict
    return (figure.title, figure.player, *numbers.both_sides(figure), gap, bound, verdict_words(figure, word))


def _head(comparison: Comparison) -> tuple[str, ...]:
    return ("Figure", "Player", *side_labels(comparison), "gap", "allowed", "verdict")


def _judged(comparison: Comparison) -> list[Figure]:
    order = {OUTSIDE: 0, OPEN: 1, INCOMPLETE: 2}
    return sorted(comparison.judged, key=lambda figure: (order.get(figure.verdict, 3), *[-key for key in severity(figure)]))


def _figure_lines(comparison: Comparison) -> Iterable[str]:
    rows = [_cells(figure) for figure in _judged(comparison)]
    if rows:
        yield from aligned([_head(comparison), *rows], right=(2, 3, 4, 5))


def _rich_figures(comparison: Comparison, outside: str) -> Table:
    from rich.table import Table

    table = Table(title="Judged figures", title_justify="left", title_style="bold", header_style="bold")
    for index, name in enumerate(_head(comparison)):
        table.add_column(styled(name), justify="right" if 2 <= index <= 5 else "left")
    for figure in _judged(comparison):
        cells = _cells(figure)
        look = outside if figure.verdict == OUTSIDE else figure.verdict
        table.add_row(*[styled(cell) for cell in cells[:-1]], styled(cells[-1], style=STYLES.get(look, "")))
    return table


def bridge_lines(comparison: Comparison) -> Iterable[str]:
    """The walk from the left to the right figure, a line for each judged figure: `PR Nora: 7.16 Q01 +0.03 analysis -2.3 = 4.85`."""
    rows = []
    for figure in comparison.judged:
        parts = walk(comparison, figure)
        if parts:
            rows.append((figure.title, figure.player, GAP.join(part.replace(" ", FIXED) for part in parts) if len(parts) > 1 else parts[0]))
    if rows:
        yield "Where the gaps come from:"
        heads = list(aligned([row[:2] for row in rows]))
        width = max(map(len, heads)) + len(GAP)
        for head, row in zip(heads, rows, strict=True):
            first = "  " + head.ljust(width)
            wrapped = fill(row[2], WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)
            yield from wrapped.replace(FIXED, " ").splitlines()


def _note_lines(comparison: Comparison) -> Iterable[str]:
    """Notes on single figures: overrides and known gaps."""
    noted = [figure for figure in comparison.judged if figure.note]
    if noted:
        yield "Judged with other bounds:"
    for figure in noted:
        yield f"  {figure.title} of {figure.player}: {figure.note}"


def _finding_lines(comparison: Comparison) -> Iterable[str]:
    if comparison.findings:
        yield "Findings:"
    for finding in comparison.findings:
        where = f" ({finding.side})" if finding.side else ""
        yield f"  {finding.severity}{where}: {finding.text}"
        if finding.severity != "info":
            yield f"    {finding.advice}"
