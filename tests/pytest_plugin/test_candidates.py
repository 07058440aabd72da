"""Figures of a candidate are items, and what no item used, of a candidate or of the tolerances, is told."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.pytest_plugin.runs import FIGURES, PAIR, REPORTED, add_pair, plain, run, tolerances


def test_figures_of_a_candidate_are_items(pytester: pytest.Pytester, pack: Path) -> None:
    players = {"Alice m26": {"checker_pr": 31.7, "luck.equity": 1.0}, "Bob m26": {"checker_pr": 99.0}}
    document = {"schema_version": 1, "program": "p", "matches": [{"match": REPORTED, "players": players}]}
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump(document))
    entry = {"abs": 0.2, "level": "error", "reason": "r", "source": "s"}
    plays = tolerances(pytester.path / "t.yaml", tables={"figures": {"title": "t", "entries": {"checker_pr": entry}}})
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml", "--reconcile-tolerances", plays, "-v")
    result.assert_outcomes(passed=FIGURES + 1, failed=1, skipped=1)
    result.stdout.fnmatch_lines([f"pack/{REPORTED}/match.yaml::candidate *::Bob m26::checker_pr FAILED*"])
    text = plain(result)
    assert "unused figures and exceptions" in text
    assert "luck.equity" in text.partition("unused figures and exceptions")[2]


def test_candidate_about_another_match_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    matches = [{"match": REPORTED, "players": {"Alice m26": {"checker_pr": 31.7}}}, {"match": "other", "players": {"A": {"pr": 1.0}}}]
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump({"schema_version": 1, "matches": matches}))
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml")
    assert "no reference match 'other'" in plain(result).partition("unused figures and exceptions")[2]


def test_candidate_that_cannot_be_read_is_a_collection_error(pytester: pytest.Pytester, pack: Path) -> None:
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.yaml")
    result.assert_outcomes(errors=1)
    assert "absent.yaml" in plain(result)


def test_exception_that_concerns_nothing_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    entry = {"table": "gnubg-reported", "metric": "luck.equity", "until": "2999-01-01", "abs": 1.0, "level": "error", "reason": "r"}
    overrides = [entry | {"player": "Alice m26"}, entry | {"player": "Zoe"}]
    asked = ["--reconcile", "pack", "--reconcile-tolerances", tolerances(pytester.path / "t.yaml", overrides=overrides)]
    text = plain(run(pytester, *asked)).partition("unused figures and exceptions")[2]
    assert "luck.equity of Zoe" in text
    assert "Alice" not in text
    # A selection says nothing about what is used, and neither does a part of a pack.
    add_pair(pack)
    assert "unused figures" not in plain(run(pytester, *asked, f"pack/{PAIR}/match.yaml"))


def test_reported_figure_of_level_off_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    entry = {"table": "gnubg-reported", "metric": "luck.equity", "until": "2999-01-01", "abs": 1.0, "level": "off", "reason": "r"}
    path = tolerances(pytester.path / "t.yaml", overrides=[entry | {"player": "Alice m26"}])
    result = run(pytester, "--reconcile", "pack", "--reconcile-tolerances", path)
    result.assert_outcomes(passed=FIGURES - 1)
    assert "luck.equity of Alice m26 is reported but never judged" in plain(result)
