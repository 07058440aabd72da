"""A benchmark score as a page with the dearest positions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reconcile import __version__
from reconcile.benchmark.figures import BENCHMARK_FIGURES
from reconcile.benchmark.published import NOT_JUDGED, OUTSIDE, WITHIN, Reference
from reconcile.benchmark.score import Costly, Score
from reconcile.board.identifiers import Situation, gnubg_id, xgid
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.render import render
from reconcile.report.numbers import UNKNOWN, number
from reconcile.report.text.benchmark import HEAD, HOW, LOSS_DECIMALS, bins, blocks, cube_lines, headline, play_names, published_rows
from reconcile.report.words import file_name
from reconcile.scoring.findings import Finding


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
    plays, names = one.plays(), play_names(one)
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
        blocks=list(blocks(score)),
        bins=[(name, count, round(100 * count / most, 1)) for name, count in bins(score.total)],
        published=list(zip(published_rows(references), references, strict=True)),
        cubes=list(cube_lines(score)),
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
