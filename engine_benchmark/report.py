"""A benchmark score as blocks, which text and Markdown are made of, and as an HTML page with the
dearest positions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from engine_benchmark.keys import from_position_key
from engine_benchmark.results import BORDERS, NOT_JUDGED, Costly, FileScore, Reference, Score, Tally
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.position import Situation
from reconcile.report.blocks import (
    Blocks,
    Bullets,
    Command,
    Heading,
    Item,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
)
from reconcile.report.explain import BENCHMARK_FIGURES
from reconcile.report.html.look import page
from reconcile.report.numbers import number
from reconcile.report.words import file_name

DECIMALS = 3
"""Decimals of averages in thousandths of a point."""
LOSS_DECIMALS = 4
"""Decimals of a single loss in points."""
HEAD = "class|lines|scored|interesting|average loss|± s.e.|of interesting|lose|outside list"
PUBLISHED_HEAD = "published|database|score|measured|gap|verdict"
HOW = (
    "Average loss times 1000, in thousandths of a point of cubeless money equity: first over "
    "all scored m lines, as published, then over "
    "interesting lines, whose listed plays were not all rolled out to the same result. "
    "A play outside the list is charged the last listed loss."
)
PUBLISHED = (
    "Average loss times 1000 over all lines of the whole database. A measured score is shown "
    "beside them only where a file is that database; other positions give other averages."
)
SETTINGS = 5
"""Settings of a file that a page shows."""
Rows = list[tuple[str, ...]]


def tables(score: Score) -> Iterator[tuple[str, Rows]]:
    """The table of every file, and of all files if there are several, each with its title."""
    for file in score.files:
        yield file_name(file.path) + ("" if file.complete else " (first lines only)"), _rows(file)
    if len(score.files) > 1:
        yield "All files", _rows(score)


def _rows(part: Score | FileScore) -> Rows:
    return [_row(*each) for each in (*part.by_class.items(), ("total", part.total))]


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    averages = tally.average_loss, tally.standard_error, tally.average_loss_interesting
    shares = [
        f"{count} ({100 * count / tally.scored:.2f} %)" if tally.scored else str(count)
        for count in (tally.errors, tally.n_out)
    ]
    counts = map(str, (tally.lines, tally.scored, tally.interesting))
    return (name, *counts, *(number(each, DECIMALS) for each in averages), *shares)


def headline(score: Score) -> str:
    """The score in a sentence."""
    total = score.total
    if not total.is_answered:
        return (
            f"{score.engine}: no score, since only {total.scored} of {total.lines} lines have a "
            f"legal answer ({total.illegal} illegal, {total.missing} missing)"
        )
    losses = [
        number(each, DECIMALS) for each in (total.average_loss, total.average_loss_interesting)
    ]
    return (
        f"{score.engine}: average loss {losses[0]} over {total.scored} lines, {losses[1]} over "
        f"{total.interesting} interesting ones; {total.n_out} choices outside the list"
    )


def published_rows(score: Score, *, all_of_them: bool) -> Rows:
    """Published scores beside the measured ones; `all_of_them`, or those for the files scored."""
    return [
        (
            each.title,
            each.database,
            f"{each.published:g}",
            number(each.measured, DECIMALS),
            number(None if each.measured is None else each.measured - each.published, DECIMALS),
            each.verdict + ("" if each.allowed is None else f" (allowed {each.allowed:g})"),
        )
        for each in score.published
        if all_of_them or each.measured is not None or each.verdict != NOT_JUDGED
    ]


def bins(tally: Tally) -> list[tuple[str, int]]:
    """The distribution of losses over the choices."""
    between = (f"{low:g} to {high:g}" for low, high in pairwise(BORDERS))
    names = ("none", *between, f"above {BORDERS[-1]:g}")
    return [(name, part.lines) for name, part in zip(names, tally.distribution, strict=True)]


def benchmark_blocks(score: Score) -> Blocks:
    """The score, a table for every file, published scores beside what was measured, the costliest
    choices and the findings."""
    head = HEAD.split("|")
    yield Heading(headline(score))
    yield Sentences([HOW])
    for title, rows in tables(score):
        yield Table(head, rows, range(1, len(head)), title)
    counts = ", ".join(f"{name} {count}" for name, count in bins(score.total))
    yield Sentences([f"Loss of a choice (points): {counts}"], wrapped=False)
    if published := published_rows(score, all_of_them=False):
        yield Table(PUBLISHED_HEAD.split("|"), published, (2, 3, 4))
    costliest = [
        f"costliest: line {costly.line} of {file_name(costly.path)}, {costly.key} "
        f"{costly.dice[0]} {costly.dice[1]}: {costly.choice.name} loses "
        f"{costly.choice.loss:.{LOSS_DECIMALS}f}{'' if costly.choice.listed else ' or more'} "
        f"against {costly.listed[0].name}"
        for costly in score.worst[:3]
    ]
    findings = (
        Item(each.text, lead=Marked(each.severity, each.severity)) for each in score.findings
    )
    yield Bullets([*costliest, *findings])


def benchmark_page(score: Score, command: str = "") -> str:
    """The score as an HTML file: what the text says, published scores with their sources, the
    dearest choices with their boards, and the files."""
    return page(_page_blocks(score, command))


def _page_blocks(score: Score, command: str) -> Blocks:
    yield Title(f"{score.engine}: benchmark score")
    yield from benchmark_blocks(score)
    yield Heading("Published scores", "published")
    yield Sentences([PUBLISHED])
    sources = [(*row, each.source) for row, each in _with_sources(score)]
    yield Table([*PUBLISHED_HEAD.split("|"), "source"], sources, (2, 3, 4))
    yield Heading("Dearest choices", "decisions")
    for rank, costly in enumerate(score.worst, 1):
        yield from _choice(rank, costly)
    yield Heading("Files", "files")
    for file in score.files:
        yield Table(("", file_name(file.path)), [*_file(file)])
    yield Heading("Method", "method")
    yield Bullets([f"{each.title}: {each.page}" for each in BENCHMARK_FIGURES.values()])
    if command:
        yield Command(command)


def _with_sources(score: Score) -> Iterator[tuple[tuple[str, ...], Reference]]:
    return zip(published_rows(score, all_of_them=True), score.published, strict=True)


def _choice(rank: int, costly: Costly) -> Blocks:
    """A costly choice: its board, the plays that were rolled out, its identifiers."""
    dice = "".join(map(str, costly.dice))
    place = f"{file_name(costly.path)}, line {costly.line}: {dice}, {costly.group}"
    best, choice = costly.listed[0].name, costly.choice
    said = f"{choice.name} instead of {best}: {choice.loss:.{LOSS_DECIMALS}f} points lost"
    yield Picture(f"Position of line {costly.line}", partial(_board, rank, costly), place)
    rows = [(play.name, number(play.loss, LOSS_DECIMALS)) for play in costly.listed]
    if not choice.listed:
        charged = number(choice.loss, LOSS_DECIMALS)
        rows.append((choice.name, f"not listed, charged {charged}"))
    yield Table(("Play", "Loss"), rows, (1,), said)
    yield Sentences([costly.xgid, f"GNU ID `{costly.gnubg_id}`, key `{costly.key}`"])


def _file(file: FileScore) -> Iterator[tuple[str, str]]:
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(file.kinds.items()))
    yield "lines", f"{file.lines}: {kinds}"
    yield "SHA-256", file.sha256 or "unknown"
    yield from (("made with", line) for line in file.settings[:SETTINGS])
    if file.settings[SETTINGS:]:
        yield "made with", f"{len(file.settings[SETTINGS:])} more settings in the JSON result"


def _board(rank: int, costly: Costly) -> str:
    situation = Situation(from_position_key(costly.key), costly.dice)
    name = f"Position of line {costly.line}"
    return board_svg(situation, key=f"board-{rank}", name=name)


def command_of(files: Sequence[str], engine: str, limit: int | None, table: str | None) -> str:
    """The command that makes a report again, without the folders of the files."""
    words = ["reconcile", "benchmark", *map(file_name, files), "--engine", engine]
    words += ["--limit", str(limit)] if limit else []
    return shlex.join(words + (["--table", table] if table else []))
