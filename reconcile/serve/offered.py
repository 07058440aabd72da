"""What the start page offers, wherever the work is done: examples, and how much may be given at
once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LARGEST_UPLOAD: Final = 32 * 2**20
"""Bytes of all files; a match has some 100 KB, a long one with rollouts 1 MB."""
MOST_FILES: Final = 32

FIGURES: Final = ("pr", "decisions", "snowie_memg", "snowie_er", "equity_error", "mwc_loss_percent")
"""Those that have a field of their own."""
TRIALS: Final = {36: "36 games, a look", 324: "324 games, minutes", 1296: "1296 games, longer"}
"""Of a rollout."""


@dataclass(frozen=True, slots=True)
class Example:
    """Files that come with the program."""

    title: str
    files: tuple[str, ...]
    """Below `reference_matches`."""


EXAMPLES: Final[Mapping[str, Example]] = {
    "two-programs": Example(
        "One match as XG and as gnuBG see it",
        (
            "demonstration/nora-lindqvist-tomas-beck.xg",
            "demonstration/nora-lindqvist-tomas-beck.sgf",
        ),
    ),
    "statistics": Example(
        "The statistics of one match", ("demonstration/nora-lindqvist-tomas-beck.xg",)
    ),
}
