"""The plugin keeps out of others' way: off unless asked for, quick to load, beside other plugins
and their reports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.pytest_plugin.runs import (
    PACK,
    PAIR,
    REPORTED,
    plain,
    run,
)


def test_nothing_is_collected_unless_asked_for(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makepyfile("def test_mine(): pass")
    result = run(pytester)
    result.assert_outcomes(passed=1)
    assert "reconcile" not in result.stdout.str().replace("gammon-reconcile", "")


def test_plugin_costs_nothing_at_the_start() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import reconcile.pytest_plugin; "
        "loaded = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(loaded - {'reconcile'}), "
        "sorted(name for name in sys.modules if name.startswith('reconcile')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[] ['reconcile', 'reconcile.pytest_plugin']"


def test_plugin_can_be_left_out(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makepyfile("def test_mine(): pass")
    run(pytester, "-p", "no:reconcile").assert_outcomes(passed=1)
    assert (
        run(pytester, "-p", "no:reconcile", "--reconcile", "pack").ret
        == pytest.ExitCode.USAGE_ERROR
    )


@pytest.mark.parametrize(
    ("arguments", "is_told"),
    [
        (["--reconcile", "absent"], "found nothing there"),
        (["--reconcile", "empty"], "found none"),
        (["--reconcile-strict"], "--reconcile-strict needs a pack"),
        *(
            ([f"--reconcile-{option}"], "needs a pack")
            for option in (
                "candidate=c.yaml",
                "candidate-command=x {file}",
                "candidate-table=figures",
                "candidate-timeout=5",
            )
        ),
    ],
)
def test_mistake_in_the_command_is_told(
    pytester: pytest.Pytester, arguments: list[str], is_told: str
) -> None:
    (pytester.path / "empty").mkdir()
    result = run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert is_told in plain(result)


def test_numbers_go_into_junit_xml_of_pytest(pytester: pytest.Pytester, pack: Path) -> None:
    run(pytester, "--reconcile", "pack", "--junitxml", "r.xml")
    (case,) = ET.parse(pytester.path / "r.xml").iter("testcase")
    facts = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert case.get("name") == REPORTED
    assert facts == {"within": "36", "outside": "0", "open": "0", "incomplete": "0", "missing": "0"}


def test_fixture_compares_two_files(pytester: pytest.Pytester) -> None:
    left, right = (PACK / PAIR / f"nora-lindqvist-tomas-beck.{ending}" for ending in ("xg", "sgf"))
    pytester.makepyfile(
        f"""
        def test_same(reconcile_compare):
            assert reconcile_compare({str(right)!r}, {str(right)!r}).verdict == "within"

        def test_other(reconcile_compare):
            reconcile_compare({str(left)!r}, {str(right)!r})

        def test_absent(reconcile_compare):
            reconcile_compare({str(left)!r}, "absent.sgf")
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "Two engines: PR of * differs by *; the documented 0.10 is for one analysis that "
            "is read twice*",
            "Where the gaps come from:",
            "absent.sgf: cannot be read*",
        ]
    )
    plain(result)
