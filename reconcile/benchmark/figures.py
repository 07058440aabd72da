"""The figures of a benchmark score, each with the page that `reconcile explain` prints: read from `figures.md` beside this module."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reconcile.files.pages import read_pages

BENCHMARK_FIGURES: Final = read_pages(Path(__file__).with_name("figures.md"))
