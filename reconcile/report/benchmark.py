"""A benchmark score for people: as text, as Markdown and as a page with the dearest positions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reconcile import __version__
from reconcile.benchmark.figures import BENCHMARK_FIGURES
from reconcile.benchmark.published import NOT_JUDGED, OUTSIDE, WITHIN, Reference
from reconcile.benchmark.score import BORDERS, TOTAL, Costly, Score, Tally
from reconcile.board.identifiers import Situation, gnubg_id, xgid
from reconcile.board.play import format_play
from reconcile.report.ci.markdown import escape
from reconcile.report.ci.markdown import table as markdown_table
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.render import render
from reconcile.report.numbers import UNKNOWN, ascii_minus, number
from reconcile.report.words import file_name
from reconcile.scoring.findings import Finding

DECIMALS = 3
"""Of averages in thousandths of a point."""
LOSS_DECIMALS = 4
"""Of a single loss in points."""
HEAD = ("", "lines", "scored", "interesting", "average loss", "± s.e.", "of interesting", "lose", "outside list")
PUBLISHED_HEAD = ("published", "database", "score", "measured", "gap", "verdict")
HOW = (
    "Average loss times 1000, in thousandths of a point of cubeless money equity: first over all scored m lines, as published, then over "
    "interesting lines, whose listed plays were not all rolled out to the same result. "
    "A play outside the list is charged the last listed loss."
)


@dataclass(frozen=True, slots=True)
class _Block:
    """The table of a file, or of all."""

    title: str
    rows: tuple[tuple[str, ...], ...]


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    return (
        name,
        str(tally.lines),
        str(tally.scored),
        str(tally.interesting),
        number(tally.average_loss, DECIMALS),
        number(tally.standard_error, DECIMALS),
        number(tally.average_loss_interesting, DECIMALS),
        _share(tally.errors, tally.scored),
        _share(tally.n_out, tally.scored),
    )


def _share(count: int, of: int) -> str:
    return f"{count} ({100 * count / of:.2f} %)" if of else str(count)


def _rows(by_class: Mapping[str, Tally], total: Tally) -> tuple[tuple[str, ...], ...]:
    return (*(_row(name, tally) for name, tally in by_class.items()), _row(TOTAL, total))


def _blocks(score: Score) -> Iterator[_Block]:
    for one in score.files:
        limit = "" if one.complete else " (first lines only)"
        yield _Block(f"{file_name(one.contents.path)}{limit}", _rows(one.by_class, one.total))
    if len(score.files) > 1:
        yield _Block("All files", _rows(score.by_class, score.total))


def headline(score: Score) -> str:
    """The score in a sentence."""
    total = score.total
    return (
        f"{score.engine}: average loss {number(total.average_loss, DECIMALS)} over {total.scored} lines, "
        f"{number(total.average_loss_interesting, DECIMALS)} over {total.interesting} interesting ones; "
        f"{total.n_out} choices outside the list"
    )


def _published(references: Sequence[Reference]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in references:
        gap = None if one.measured is None else one.measured - one.published
        allowed = "" if one.allowed is None else f" (allowed {one.allowed:g})"
        rows.append(
            (one.title, one.database, f"{one.published:g}", number(one.measured, DECIMALS), number(gap, DECIMALS), one.verdict + allowed)
        )
    return rows


def _shown(references: Sequence[Reference]) -> list[Reference]:
    """On a terminal only what the files are measured by."""
    return [one for one in references if one.measured is not None or one.verdict != NOT_JUDGED]


def _cubes(score: Score) -> Iterator[str]:
    for one in score.files:
        kinds, actions = one.contents.kinds, one.contents.actions
        if kinds["c"]:
            told = ", ".join(f"{action} {count}" for action, count in sorted(actions.items()))
            yield f"{file_name(one.contents.path)}: {kinds['c']} c lines ({told}); counted, not scored"
        if kinds["o"]:
            yield f"{file_name(one.contents.path)}: {kinds['o']} o lines, {one.contents.interesting_cubes} interesting; counted, not scored"


def _bins(tally: Tally) -> list[tuple[str, int]]:
    names = ["none", *(f"{low:g} to {high:g}" for low, high in pairwise(BORDERS)), f"above {BORDERS[-1]:g}"]
    return list(zip(names, tally.bins, strict=True))


def benchmark_text(score: Score, references: Sequence[Reference], findings: Sequence[Finding]) -> str:
    """The score as plain text."""
    lines = [headline(score), ""]
    for block in _blocks(score):
        lines += [block.title, *_aligned([HEAD, *block.rows]), ""]
    lines += ["Loss of a choice (points): " + ", ".join(f"{name} {count}" for name, count in _bins(score.total)), ""]
    if shown := _shown(references):
        lines += [*_aligned([PUBLISHED_HEAD, *_published(shown)], left=2), ""]
    if cubes := list(_cubes(score)):
        lines += [*cubes, ""]
    for one in score.worst[:3]:
        names = _names(one)
        lines.append(
            f"dearest: line {one.line} of {file_name(one.path)}, {one.key} {one.dice[0]} {one.dice[1]}: {names[one.choice]} loses "
            f"{one.loss:.{LOSS_DECIMALS}f}{'' if one.is_listed else ' or more'} against {names[one.listed[0].key]}"
        )
    lines += [f"{finding.severity}: {finding.told}" for finding in findings]
    return ascii_minus("\n".join(lines).rstrip() + "\n")


def _aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def benchmark_markdown(score: Score, references: Sequence[Reference], findings: Sequence[Finding]) -> str:
    """The same for a pull request."""
    parts = [f"### {escape(headline(score))}", HOW]
    for block in _blocks(score):
        rows = [tuple(map(escape, row)) for row in block.rows]
        parts += [f"**{escape(block.title)}**", markdown_table(("class", *HEAD[1:]), rows, tuple(range(1, len(HEAD))))]
    if shown := _shown(references):
        parts.append(markdown_table(PUBLISHED_HEAD, [tuple(map(escape, row)) for row in _published(shown)], (2, 3, 4)))
    lines = [*map(escape, _cubes(score)), *(escape(f"{one.severity}: {one.title}: {one.evidence}") for one in findings)]
    if lines:
        parts.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts) + "\n"


def _names(one: Costly) -> dict[str, str]:
    position = one.position
    return {key: key if play is None else format_play(position, play) for key, play in one.plays().items()}


@dataclass(frozen=True, slots=True)
class _Card:
    """A dear choice with its board."""

    rank: int
    title: str
    what: str
    loss: str
    board: str
    best: str
    chosen: str
    rows: tuple[tuple[str, str, bool], ...]
    """Play, loss, whether the engine chose it."""
    ids: tuple[tuple[str, str], ...]


def _card(rank: int, one: Costly) -> _Card:
    plays, names = one.plays(), _names(one)
    best = one.listed[0].key
    arrows = [Arrows(style, play) for style, key in (("left", best), ("played", one.choice)) if (play := plays[key])]
    situation = Situation(one.position, one.dice)
    rows = [(names[listed.key], number(listed.loss, LOSS_DECIMALS), listed.key == one.choice) for listed in one.listed]
    if not one.is_listed:
        rows.append((names[one.choice], f"not listed, charged {number(one.loss, LOSS_DECIMALS)}", True))
    return _Card(
        rank=rank,
        title=f"{file_name(one.path)}, line {one.line}: {one.dice[0]}{one.dice[1]}, {one.group}",
        what=f"{names[one.choice]} instead of {names[best]}",
        loss=number(one.loss, LOSS_DECIMALS),
        board=board_svg(one.position, dice=one.dice, arrows=arrows, key=f"board-{rank}", name=f"Position of line {one.line}"),
        best=names[best],
        chosen=names[one.choice],
        rows=tuple(rows),
        ids=(("XGID", xgid(situation)), ("GNU ID", gnubg_id(situation)), ("Key", one.key)),
    )


def benchmark_page(score: Score, references: Sequence[Reference], findings: Sequence[Finding], *, verdict: str, command: str = "") -> str:
    """The score as one HTML file."""
    most = max(score.total.bins) or 1
    return render(
        "benchmark.html.j2",
        engine=score.engine,
        verdict={WITHIN: "within", OUTSIDE: "outside"}.get(verdict, "info"),
        label=verdict if verdict != NOT_JUDGED else "score",
        headline=headline(score),
        how=HOW,
        head=HEAD,
        blocks=list(_blocks(score)),
        bins=[(name, count, round(100 * count / most, 1)) for name, count in _bins(score.total)],
        published=list(zip(_published(references), references, strict=True)),
        cubes=list(_cubes(score)),
        findings=findings,
        cards=[_card(rank, one) for rank, one in enumerate(score.worst, start=1)],
        files=[_file(one) for one in score.files],
        figures=list(BENCHMARK_FIGURES.values()),
        command=command,
        version=__version__,
        unknown=UNKNOWN,
    )


def _file(one: Any) -> dict[str, Any]:
    contents = one.contents
    return {
        "path": file_name(contents.path),
        "sha256": one.sha256 or "",
        "lines": contents.lines,
        "kinds": ", ".join(f"{kind} {count}" for kind, count in sorted(contents.kinds.items())),
        "settings": list(contents.settings)[:5],
        "more": max(0, len(contents.settings) - 5),
    }


def command_of(files: Sequence[str], engine: str, limit: int | None, table: str | None) -> str:
    """What makes a report again, without telling where the files lie."""
    words = ["reconcile", "benchmark", *map(file_name, files), "--engine", engine]
    words += ["--limit", str(limit)] if limit else []
    words += ["--table", table] if table else []
    return shlex.join(words)
