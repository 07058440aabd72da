"""The figures of a benchmark score; each has a page (`reconcile explain benchmark.average_loss`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class BenchmarkFigure:
    """A figure of a score, with the page that explains it."""

    name: str
    title: str
    page: str


_FIGURES: Final = (
    BenchmarkFigure(
        "benchmark.average_loss",
        "Average loss, all lines",
        "Equity that the engine's plays lose against the best rolled-out play, averaged over all scored m lines of a benchmark file, "
        "times 1000. The best play costs 0, a listed play its loss, a play outside the list the last listed loss. Cubeless money equity. "
        "This is the figure that bgsage and the Computational Backgammon blog publish.",
    ),
    BenchmarkFigure(
        "benchmark.average_loss_interesting",
        "Average loss, interesting lines",
        "The same over the interesting m lines only: those whose listed plays were not all rolled out to the same five probabilities. "
        "gnuBG's own script perr.py uses these lines by default. Flat lines cost nothing, so this figure is never the lower of the two.",
    ),
    BenchmarkFigure(
        "benchmark.n_out",
        "Choices outside the list",
        "How many of the engine's plays are legal but were not rolled out (n-out in perr.py). Each is charged the last "
        "listed loss, which is too little: the more there are, the more the average flatters the engine.",
    ),
    BenchmarkFigure(
        "benchmark.errors",
        "Choices that lose",
        "How many of the engine's plays lose equity.",
    ),
    BenchmarkFigure(
        "benchmark.standard_error",
        "Standard error of the average",
        "How far the average would scatter over other files of the same length: the standard deviation of the losses over the root "
        "of their number, times 1000. The noise of the rollouts themselves is not included.",
    ),
)
BENCHMARK_FIGURES: Final[Mapping[str, BenchmarkFigure]] = MappingProxyType({one.name: one for one in _FIGURES})
