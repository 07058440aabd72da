"""Where the time of loading and scoring goes, stage by stage, with pytest-benchmark.

    pytest benchmarks

Each stage starts from what the one before made. Takes the real matches in the folder that RECONCILE_DATA names, and those that come
with the program. `python -m benchmarks.bench_load` compares the whole with other programs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.files.bundled import bundled
from reconcile.formats import read_match
from reconcile.formats.xg.container import open_archive
from reconcile.match.met import load_met
from reconcile.results.match import match_document
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics
from tests.support.data import label, matching

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
FILES = [
    Path(f"{DEMONSTRATION}.xg"),
    Path(f"{DEMONSTRATION}.sgf"),
    *matching("real/*.xg", "real/*.sgf"),
]
RECORDS = "temp.xg"


def some(suffix: str = "") -> list[Any]:
    return [
        pytest.param(path, id=f"{label(path)}{path.suffix}")
        for path in FILES
        if path.suffix.endswith(suffix)
    ]


@pytest.mark.parametrize("path", some(".xg"))
def test_inflate(benchmark: Any, path: Path) -> None:
    content = path.read_bytes()
    assert benchmark(lambda: open_archive(path.name, content).read(RECORDS))


@pytest.mark.parametrize("path", some())
def test_read(benchmark: Any, path: Path) -> None:
    content = path.read_bytes()
    assert len(benchmark(read_match, path.name, content).plays)


@pytest.mark.parametrize("path", some())
def test_document(benchmark: Any, path: Path) -> None:
    match = read_match(path.name, path.read_bytes())
    assert benchmark(match_document, match).decisions


@pytest.mark.parametrize("path", some())
def test_score(benchmark: Any, path: Path) -> None:
    content, met = path.read_bytes(), load_met("Kazaross-XG2")

    def fresh() -> tuple[Any, dict[str, Any]]:
        match = read_match(path.name, content)
        return (match, own_rules(match), met), {}

    assert benchmark.pedantic(score, setup=fresh, rounds=50).counted.any()


@pytest.mark.parametrize("path", some())
def test_figures(benchmark: Any, path: Path) -> None:
    content, met = path.read_bytes(), load_met("Kazaross-XG2")

    def fresh() -> tuple[Any, dict[str, Any]]:
        match = read_match(path.name, content)
        return (score(match, own_rules(match), met),), {}

    def figures(scored: Any) -> list[dict[str, Any]]:
        added = Statistics(scored)
        return [added.figures(seat) for seat in (0, 1)]

    assert benchmark.pedantic(figures, setup=fresh, rounds=50)[0]["moves.total"]
