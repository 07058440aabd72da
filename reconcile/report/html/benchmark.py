"""The pages about a program: a benchmark score with the dearest positions, and what a probe found."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.benchmark.findings import BENCHMARK_FIGURES
from reconcile.benchmark.published import NOT_JUDGED
from reconcile.benchmark.results import Costly, Score
from reconcile.match.board.position import from_position_key
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.figures import Rule
from reconcile.report.html.render import render
from reconcile.report.text.benchmark import HEAD, HOW, LOSS_DECIMALS, bins, blocks, cube_lines, headline, published_rows
from reconcile.report.words import file_name
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.answer_documents import evidence, outcome, sentence
from reconcile.suite.probe import Probed


def benchmark_page(score: Score, command: str = "") -> str:
    """The score as one HTML file."""
    most = max(score.total.bins) or 1
    return render(
        "benchmark.html.j2",
        score=score,
        verdict=score.verdict if score.verdict != NOT_JUDGED else "info",
        label=score.verdict if score.verdict != NOT_JUDGED else "score",
        headline=headline(score),
        how=HOW,
        head=HEAD,
        blocks=blocks(score),
        bins=[(name, count, round(100 * count / most, 1)) for name, count in bins(score.total)],
        published=zip(published_rows(score.published), score.published, strict=True),
        cubes=cube_lines(score),
        cards=[(one, _board(rank, one)) for rank, one in enumerate(score.worst, start=1)],
        decimals=LOSS_DECIMALS,
        figures=BENCHMARK_FIGURES.values(),
        command=command,
    )


def _board(rank: int, one: Costly) -> str:
    arrows = [Arrows(style, play.moves) for style, play in (("left", one.listed[0]), ("played", one.choice)) if play.moves]
    return board_svg(from_position_key(one.key), dice=one.dice, arrows=arrows, key=f"board-{rank}", name=f"Position of line {one.line}")


def command_of(files: Sequence[str], engine: str, limit: int | None, table: str | None) -> str:
    """The command that makes a report again, without the folders of the files."""
    words = ["reconcile", "benchmark", *map(file_name, files), "--engine", engine]
    words += ["--limit", str(limit)] if limit else []
    words += ["--table", table] if table else []
    return shlex.join(words)


MOST_FIGURES: Final = 3
"""Figures of a match in its row."""


def probe_page(probed: Probed) -> str:
    """The result as one HTML file."""
    rows = [(code, one, evidence(one)) for code, one in probed.findings.items()]
    differs = bool(probed.differing(probed.nearest)) or any(one.unexplained for one in probed.findings.values())
    words = ["reconcile", "probe", "--candidate-command", "PROGRAM {file}", "--format", probed.form, "--html", "probe.html"]
    matches = [
        (one.file.case, outcome(one) if one.given or one.failure else "", [*one.given.values()][:MOST_FIGURES]) for one in probed.seen
    ]
    return render(
        "probe.html.j2",
        probed=probed,
        sentence=sentence(probed),
        verdict=("explained", "Other answers") if differs else ("within", f"Like {probed.nearest.name}"),
        rows=rows,
        matches=matches,
        rules=list(_rules(probed)),
        command=shlex.join(words),
    )


def _rules(probed: Probed) -> Iterator[Rule]:
    """Every question with its possible answers, and the known rule sets that give them."""
    for code, one in probed.findings.items():
        yield code, {name: [rules.name for rules in RULE_SETS.values() if rules.answers[code] == name] for name in one.possible}
