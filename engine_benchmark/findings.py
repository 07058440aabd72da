"""Findings about a benchmark score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from reconcile.scoring.findings import Finding, new_finding

if TYPE_CHECKING:
    from engine_benchmark.results import FileScore, Score

MANY_FLAT: Final = 0.5
"""Share of the lines."""


def benchmark_findings(score: Score) -> tuple[Finding, ...]:
    """Findings of a score and its files."""
    return tuple(_about(score))


def _about(score: Score) -> Iterator[Finding]:
    total = score.total
    if total.missing:
        yield new_finding("answers-missing", f"{total.missing} of {total.lines} lines")
    if total.illegal:
        yield new_finding("answers-illegal", f"{total.illegal} of {total.lines} lines")
    if total.n_out:
        yield new_finding(
            "choices-not-listed",
            f"{total.n_out} of {total.scored} lines, {100 * total.n_out / total.scored:.2f} %",
        )
    for one in score.files:
        yield from _about_file(one)


def _about_file(one: FileScore) -> Iterator[Finding]:
    total, name = one.total, PurePath(one.path).name
    for code, count in (
        (
            "flat-lines",
            total.scored - total.interesting
            if total.scored - total.interesting > MANY_FLAT * total.scored
            else 0,
        ),
        ("rollouts-missing", one.without_rollouts),
        ("lists-unordered", one.unordered),
        ("lines-without-plays", one.without_plays),
    ):
        if count:
            yield new_finding(code, f"{name}: {count} of {one.kinds['m']} m lines")
    if total.lines and one.database is None:
        whole = "" if one.complete else ", not read to the end"
        yield new_finding("other-positions", f"{name}: {total.lines} m lines with plays{whole}")
