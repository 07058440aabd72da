"""Figures of a candidate are items, and what no item used, of a candidate or of the tolerances, is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

from tests.pytest_plugin.runs import (
    FIGURES,
    PAIR,
    REPORTED,
    add_pair,
    plain,
    respell,
    run,
    tolerances,
)
from tests.support.long import long_but_first


@pytest.mark.long
def test_figures_of_a_candidate_are_items(pytester: pytest.Pytester, pack: Path) -> None:
    players = {
        "Alice m26": {"checker_pr": 31.7, "luck.equity": 1.0},
        "Bob m26": {"checker_pr": 99.0},
    }
    matches = [
        {"match": REPORTED, "players": players},
        {"match": "other", "players": {"A": {"pr": 1.0}}},
    ]
    document = {"schema_version": 1, "program": "p", "matches": matches}
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump(document))
    entry = {"abs": 0.2, "level": "error", "reason": "r", "source": "s"}
    plays = tolerances(
        pytester.path / "t.yaml", tables={"plays": {"title": "t", "entries": {"checker_pr": entry}}}
    )
    judging = ["--reconcile-tolerances", plays, "--reconcile-candidate-table", "plays"]
    result = run(
        pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml", *judging, "-v"
    )
    result.assert_outcomes(passed=FIGURES + 2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [f"pack/{REPORTED}/match.yaml::candidate *::Bob m26::checker_pr FAILED*"]
    )
    unused = plain(result).partition("unused figures and exceptions")[2]
    assert "luck.equity" in unused
    assert "no reference match 'other'" in unused


def test_candidate_that_cannot_be_read_is_a_collection_error(
    pytester: pytest.Pytester, pack: Path
) -> None:
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.yaml")
    result.assert_outcomes(errors=1)
    assert "absent.yaml" in plain(result)


def test_exception_that_concerns_nothing_or_is_never_judged_is_told(
    pytester: pytest.Pytester, pack: Path
) -> None:
    entry = {
        "table": "gnubg-reported",
        "metric": "luck.equity",
        "until": "2999-01-01",
        "abs": 1.0,
        "level": "error",
        "reason": "r",
    }
    overrides = [
        entry | {"player": "Alice m26"},
        entry | {"player": "Zoe"},
        entry | {"player": "Bob m26", "level": "off"},
    ]
    asked = [
        "--reconcile",
        "pack",
        "--reconcile-tolerances",
        tolerances(pytester.path / "t.yaml", overrides=overrides),
    ]
    result = run(pytester, *asked)
    result.assert_outcomes(passed=FIGURES - 1)
    text = plain(result).partition("unused figures and exceptions")[2]
    assert "luck.equity of Zoe" in text
    assert "Alice" not in text
    assert "luck.equity of Bob m26 is reported but never judged" in text
    # A selection says nothing about what is used, and neither does a part of a pack.
    add_pair(pack)
    assert "unused figures" not in plain(run(pytester, *asked, f"pack/{PAIR}/match.yaml"))


@pytest.mark.parametrize("strict", long_but_first([False, True]))
def test_mistake_that_the_figures_show_warns_and_fails_where_strict(
    pytester: pytest.Pytester, pack: Path, strict: bool
) -> None:
    manifest = yaml.safe_load((pack / REPORTED / "match.yaml").read_text("utf-8"))
    names = ("decisions.counted", "equity_error.total", "error_rate_memg", "snowie_memg")
    (alice, hers), (bob, his) = manifest["reported"][0]["players"].items()
    swapped = {
        bob: {name: hers[name] for name in names},
        alice: {name: his[name] for name in names},
    }
    document = {
        "schema_version": 1,
        "program": "p",
        "matches": [{"match": REPORTED, "players": swapped}],
    }
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump(document))
    entry = {"abs": 1000, "level": "error", "reason": "r", "source": "s"}
    wide = tolerances(
        pytester.path / "t.yaml", tables={"wide": {"title": "t", "entries": {"*": entry}}}
    )
    judging = [
        "--reconcile-tolerances",
        wide,
        "--reconcile-candidate-table",
        "wide",
        *["--reconcile-strict"] * strict,
    ]
    result = run(
        pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml", *judging, "-v"
    )
    good = FIGURES + 2 * len(names)
    result.assert_outcomes(passed=good, failed=1) if strict else result.assert_outcomes(
        passed=good + 1, warnings=1
    )
    assert "::diagnosis" in plain(result)
    assert "[other-player]" in plain(result)


PROGRAM = """import sys
if sys.argv[1] == "demonstration": sys.exit("no such match")
print('player,metric,figure')
print('Alice m26,decisions,%s' % sys.argv[2])
"""


def command(pytester: pytest.Pytester, counted: int) -> str:
    (pytester.path / "program.py").write_text(PROGRAM)
    return f'"{sys.executable}" "{pytester.path / "program.py"}" {{match}} {counted}'


def test_figures_of_a_command_are_items(pytester: pytest.Pytester, pack: Path) -> None:
    given = [
        "--reconcile",
        "pack",
        "-k",
        "candidate",
        "--reconcile-candidate-command",
        command(pytester, 57),
    ]
    run(pytester, *given).assert_outcomes(passed=1, failed=1, deselected=FIGURES)
    run(pytester, *given, "--reconcile-candidate-table", "figures").assert_outcomes(
        passed=2, deselected=FIGURES
    )  # allows some more or fewer


@pytest.mark.long
def test_command_and_table_can_be_in_the_configuration(
    pytester: pytest.Pytester, pack: Path
) -> None:
    (pytester.path / "sub").mkdir()
    entry = {"abs": 2, "level": "error", "reason": "r", "source": "s"}
    tolerances(
        pytester.path / "t.yaml",
        tables={"mine": {"title": "t", "entries": {"decisions.counted": entry}}},
    )
    settings = [
        "reconcile_packs = pack",
        "reconcile_tolerances = t.yaml",
        "reconcile_candidate_table = mine",
    ]
    pytester.makeini(
        "\n".join(["[pytest]", *settings, f"reconcile_candidate_command = {command(pytester, 57)}"])
    )
    run(pytester, "-k", "candidate").assert_outcomes(passed=1, failed=1, deselected=FIGURES)
    other = ["--reconcile-candidate-command", command(pytester, 58)]
    run(pytester, "-k", "candidate", *other).assert_outcomes(passed=2, deselected=FIGURES)


@pytest.mark.long
def test_match_that_fails_or_is_damaged_is_told_there_and_the_others_are_judged(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    asked = [
        "--reconcile",
        "pack",
        "--reconcile-candidate-command",
        command(pytester, 60),
        "-k",
        "candidate",
        "-v",
    ]
    text = plain(run(pytester, *asked))
    assert "ended with exit code 1: no such match" in text
    (line,) = (
        line
        for line in text.splitlines()
        if line.startswith(f"pack/{PAIR}/match.yaml::candidate program.py")
    )
    assert "FAILED" in line
    assert f"pack/{REPORTED}/match.yaml::candidate" in text
    (pack / PAIR / "nora-lindqvist-tomas-beck.sgf").write_bytes(b"(;")
    result = run(pytester, *asked, "--continue-on-collection-errors")
    result.assert_outcomes(passed=2, errors=1, deselected=FIGURES)
    assert "expected SHA-256" in plain(result)


def test_match_with_nothing_to_judge_is_skipped_with_a_word_and_fails_if_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    respell(pack / REPORTED, lambda manifest: manifest.update(reported=[]))
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(skipped=1)
    assert "no figure is reported, no pair is judged and no candidate gives a figure" in plain(
        result
    )
    run(pytester, "--reconcile", "pack", "--reconcile-strict").assert_outcomes(failed=1)
    run(
        pytester, "--reconcile", "pack", "--reconcile-candidate-command", command(pytester, 60)
    ).assert_outcomes(passed=2)
