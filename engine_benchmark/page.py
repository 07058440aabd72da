"""A benchmark score as an HTML page, with the dearest positions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine_benchmark.keys import from_position_key
from engine_benchmark.published import NOT_JUDGED
from engine_benchmark.results import Costly, Score
from engine_benchmark.text import (
    HEAD,
    HOW,
    LOSS_DECIMALS,
    bins,
    blocks,
    headline,
    published_rows,
)
from reconcile.report.explain import BENCHMARK_FIGURES
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.render import environment
from reconcile.report.words import file_name

TEMPLATE: Final = Path(__file__).with_name("page.html.j2")
"""Extends the base of every page of the program."""


def benchmark_page(score: Score, command: str = "") -> str:
    """The score as one HTML file."""
    most = max(score.total.bins) or 1
    return (
        environment()
        .from_string(TEMPLATE.read_text("utf-8"))
        .render(
            score=score,
            verdict=score.verdict if score.verdict != NOT_JUDGED else "info",
            label=score.verdict if score.verdict != NOT_JUDGED else "score",
            headline=headline(score),
            how=HOW,
            head=HEAD,
            blocks=blocks(score),
            bins=[(name, count, round(100 * count / most, 1)) for name, count in bins(score.total)],
            published=zip(published_rows(score.published), score.published, strict=True),
            cards=[(one, _board(rank, one)) for rank, one in enumerate(score.worst, start=1)],
            decimals=LOSS_DECIMALS,
            figures=BENCHMARK_FIGURES.values(),
            command=command,
        )
    )


def _board(rank: int, one: Costly) -> str:
    arrows = [
        Arrows(style, play.moves)
        for style, play in (("left", one.listed[0]), ("played", one.choice))
        if play.moves
    ]
    return board_svg(
        from_position_key(one.key),
        dice=one.dice,
        arrows=arrows,
        key=f"board-{rank}",
        name=f"Position of line {one.line}",
    )


def command_of(files: Sequence[str], engine: str, limit: int | None, table: str | None) -> str:
    """The command that makes a report again, without the folders of the files."""
    words = ["reconcile", "benchmark", *map(file_name, files), "--engine", engine]
    words += ["--limit", str(limit)] if limit else []
    words += ["--table", table] if table else []
    return shlex.join(words)
