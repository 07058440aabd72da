"""What the library has beside the functions of one match: results as text, pooled figures, samples
and lists of names."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import reconcile as lib
from tests.support.claims import some
from tests.support.command_line import ERROR, WITHIN, run


def twice(folder: Path) -> tuple[str, str]:
    """Two files of a small match."""
    each, two = (
        str(shutil.copy(lib.samples()["alice-bob-3pt-2ply.sgf"], folder / f"{name}.sgf"))
        for name in ("one", "two")
    )
    return each, two


@pytest.mark.long
def test_results_are_written_as_the_command_line_writes_them(tmp_path: Path) -> None:
    each, two = twice(tmp_path)
    left, right = lib.load_match(each), lib.load_match(two)
    built: tuple[tuple[Any, tuple[str, ...]], ...] = (
        (lib.compare(left, right, right_rules="xg"), ("compare", each, two, "--right-rules", "xg")),
        (lib.review(left, right, right), ("compare", each, two, two)),
        (
            lib.investigate(left, "Alice", {"pr": "31.7"}),
            ("investigate", each, "--player", "Alice", "--reported", "pr=31.7"),
        ),
    )
    for number, (result, words) in enumerate(some(built)):
        html, written = tmp_path / f"{number}.html", tmp_path / f"{number}.json"
        assert run(*words, "--html", str(html), "--json", str(written)).exit_code != ERROR
        assert lib.to_html(result) == html.read_text("utf-8")
        assert lib.to_json(result) == written.read_text("utf-8")


def test_statistics_are_written_as_the_command_line_writes_them(tmp_path: Path) -> None:
    each, _ = twice(tmp_path)
    actual, words = (
        lib.statistics(lib.load_match(each), "xg", "g11"),
        ("stats", each, "--rules", "xg", "--met", "g11"),
    )
    assert run(*words, "--html", str(tmp_path / "one.html")).exit_code == WITHIN
    assert lib.to_html(actual) == (tmp_path / "one.html").read_text("utf-8")
    assert lib.to_json(actual) == run(*words, "--format", "json").stdout


def test_pooled_figures_are_of_the_sums() -> None:
    every = [
        lib.statistics(lib.load_match(path), "gnubg")
        for path in lib.samples().values()
        if path.suffix == ".sgf"
    ]
    pooled = {each.name: each.figures["pr"] for each in lib.pool([*every, every[0]])}
    lost, counted = (
        sum(each.figures(0)[name] or 0 for each in (every[0], every[0]))
        for name in ("equity_error.total", "decisions.counted")
    )
    assert pooled[every[0].match.names[0]] == pytest.approx(500 * lost / counted)
    with pytest.raises(lib.ReconcileError, match="expected a list of Statistics, at least one"):
        lib.pool([])


def test_names_that_are_listed_are_those_that_are_taken() -> None:
    match = lib.load_match(next(iter(lib.samples().values())))
    assert all(lib.statistics(match, name).rules.name == name for name in lib.rule_sets())
    assert all(
        lib.statistics(match, met=name).scored.met.name == name for name in lib.equity_tables()
    )
    assert set(lib.metrics()) == set(lib.statistics(match).figures(0))
