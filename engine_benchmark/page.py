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
from reconcile.match.board.play import parse_play
from reconcile.report.explain import BENCHMARK_FIGURES
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.render import environment
from reconcile.report.words import file_name

TEMPLATE: Final = Path(__file__).with_name("page.html.j2")
"""Extends the base of every page of the program."""


def benchmark_page(score: Score, command: str = "") -> str:
    """The score as costly HTML file."""
    counts = bins(score.total)
    most = max(count for _, count in counts) or 1
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
            bins=[(name, count, round(100 * count / most, 1)) for name, count in counts],
            published=zip(published_rows(score.published), score.published, strict=True),
            cards=[
                (costly, _board(rank, costly)) for rank, costly in enumerate(score.worst, start=1)
            ],
            decimals=LOSS_DECIMALS,
            figures=BENCHMARK_FIGURES.values(),
            command=command,
        )
    )


def _board(rank: int, costly: Costly) -> str:
    position = from_position_key(costly.key)
    arrows = [
        Arrows(style, parse_play(choice.play, costly.dice, position))
        for style, choice in (("left", costly.listed[0]), ("played", costly.choice))
        if choice.play
    ]
    return board_svg(
        position,
        dice=costly.dice,
        arrows=arrows,
        key=f"board-{rank}",
        name=f"Position of line {costly.line}",
    )


def command_of(files: Sequence[str], engine: str, limit: int | None, table: str | None) -> str:
    """The command that makes a report again, without the folders of the files."""
    words = ["reconcile", "benchmark", *map(file_name, files), "--engine", engine]
    words += ["--limit", str(limit)] if limit else []
    words += ["--table", table] if table else []
    return shlex.join(words)
