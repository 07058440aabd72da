"""Every reference match is an item: it passes, fails with its figures, is skipped with its reason
or warns."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.pytest_plugin.runs import (
    PACK,
    PAIR,
    QUIET,
    REPORTED,
    add_pair,
    falsify,
    ids,
    plain,
    respell,
    run,
    tolerances,
)
from tests.support.long import long_but_first

ITEM = f"pack/{REPORTED}/match.yaml::{REPORTED}"


def test_match_is_an_item_and_nothing_is_judged_at_collection(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    before = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q"))
    assert sorted(before) == [f"pack/{PAIR}/match.yaml::{PAIR}", ITEM]
    falsify(pack)
    for file in pack.glob("*/*.sgf"):
        file.unlink()
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before


def test_match_fails_with_every_figure_that_is_off(pytester: pytest.Pytester, pack: Path) -> None:
    run(pytester, "--reconcile", "pack").assert_outcomes(passed=1)
    falsify(pack)
    falsify(pack, "Bob m26", "decisions.counted", "9")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(failed=1)
    text = plain(result)
    assert re.search(
        r"Luck.*Alice m26.*expected 9.9 within 0.0001, found 1.743.* \(gap -8.157\)", text
    )
    assert re.search(r"Decisions +Bob m26 +expected 9 within", text)
    assert re.search(rf"FAILED {ITEM}", text)


def test_gap_of_a_pair_is_told_in_steps(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    text = plain(run(pytester, "--reconcile", "pack", "-k", PAIR))
    assert re.search(r"PR  Nora Lindqvist  gap -2\.31, allowed 0\.10 ", text)
    is_told = text.partition("short test summary")[0].partition("PR  Nora")[2]
    steps = re.findall(r"^ *(XG|Q\d\d|analysis|gnuBG) +(-?\+?\d+\.\d+)", is_told, re.MULTILINE)
    values = [float(value) for _, value in steps[: 1 + [name for name, _ in steps].index("gnuBG")]]
    assert values[0] + sum(values[1:-1]) == pytest.approx(values[-1], abs=0.02)


BROKEN = {
    "schema_version: 1\nid: x\nsurprise: 1\n": "match.yaml",
    "a: *b": "aliases are not allowed",
    "!!python/object:os.system x": "tags are not allowed",
}


def test_what_is_broken_fails_in_a_line_and_hides_no_other(
    pytester: pytest.Pytester, pack: Path
) -> None:
    for number, content in enumerate(BROKEN):
        (pack / f"broken-{number}").mkdir()
        (pack / f"broken-{number}" / "match.yaml").write_text(content)
    add_pair(pack)
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    (file,) = (pack / REPORTED).glob("*.sgf")
    file.write_bytes(file.read_bytes() + b" ")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=1, failed=len(BROKEN) + 2)
    text = plain(result)
    assert all(words in text for words in (*BROKEN.values(), "expected SHA-256"))
    (pytester.path / "t.yaml").write_text("tables: [")
    assert "t.yaml" in plain(
        run(pytester, "--reconcile", "pack", "--reconcile-tolerances", "t.yaml")
    )


def test_absent_file_is_skipped_with_its_reason_and_fails_when_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    shutil.copytree(PACK / "charlot", pack / "charlot")
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    assert result.ret == pytest.ExitCode.OK
    assert "no reported figure could be compared" in plain(result)
    run(pytester, "--reconcile", "pack", "--reconcile-strict").assert_outcomes(passed=1, failed=1)


@pytest.mark.long
def test_level_warn_is_a_warning_and_an_error_only_where_asked(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    shutil.rmtree(pack / REPORTED)
    path = tolerances(pytester.path / "t.yaml", pr={"abs": 0.0, "level": "warn"})
    asked = ["--reconcile", "pack", "--reconcile-tolerances", path]
    pytester.makeini("[pytest]\nfilterwarnings = error")
    result = pytester.runpytest_subprocess(*QUIET, *asked)
    result.assert_outcomes(passed=1, warnings=1)
    assert re.search(r"PR  Nora Lindqvist  gap [+-]\d\.\d+, allowed 0\.00", result.stdout.str())
    strict = ("-W", "error::reconcile.pytest_plugin.ToleranceWarning")
    pytester.runpytest_subprocess(*QUIET, *asked, *strict).assert_outcomes(failed=1)


def test_open_figure_is_a_warning_and_an_error_only_when_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    """By XG's rules Ben's PR is 74.57 or 75.77, and nobody outside XG knows which; 75.00 may be
    either."""
    shutil.rmtree(pack / REPORTED)
    shutil.copytree(PACK / "gnubg-11pt-cube-rich", pack / "gnubg-11pt-cube-rich")
    shown = {"rules": "xg", "table": "one", "players": {"Ben": {"pr": "75.00"}}}
    respell(pack / "gnubg-11pt-cube-rich", lambda manifest: manifest["reported"][0].update(shown))
    path = tolerances(pytester.path / "t.yaml", "one", pr={"abs": 0.01, "level": "error"})
    arguments = ("--reconcile", "pack", "--reconcile-tolerances", path)
    result = run(pytester, *arguments)
    result.assert_outcomes(passed=1, warnings=1)
    assert "found 74.57 (74.57 to 75.77)" in plain(result)
    run(pytester, *arguments, "--reconcile-strict").assert_outcomes(failed=1)


# -- programs -------------------------------------------------------------------------------------

PROGRAM = """import sys
if sys.argv[1] == "demonstration": sys.exit("no such match")
print('player,metric,figure')
print('Alice m26,decisions,%s' % sys.argv[2])
print('Bob m26,decisions,78')
"""


def command(pytester: pytest.Pytester, counted: int) -> str:
    (pytester.path / "program.py").write_text(PROGRAM)
    return f'"{sys.executable}" "{pytester.path / "program.py"}" {{match}} {counted}'


@pytest.mark.long
def test_program_is_run_for_each_match(pytester: pytest.Pytester, pack: Path) -> None:
    asked = ["--reconcile", "pack", "--reconcile-candidate-command"]
    result = run(pytester, *asked, command(pytester, 57))
    result.assert_outcomes(failed=1)
    assert re.search("candidate program.py: Decisions +Alice m26 +expected 60", plain(result))
    add_pair(pack, "figures")
    result = run(pytester, *asked, command(pytester, 60))
    result.assert_outcomes(passed=1, failed=1)
    assert "ended with exit code 1: no such match" in plain(result)


def test_program_and_table_can_be_in_the_configuration(
    pytester: pytest.Pytester, pack: Path
) -> None:
    entry = {"abs": 2, "level": "error", "reason": "r", "source": "s"}
    tables = {"mine": {"title": "t", "entries": {"decisions.counted": entry}}}
    tolerances(pytester.path / "t.yaml", tables=tables)
    settings = {"tolerances": "t.yaml", "candidate_table": "mine", "packs": "pack"}
    settings["candidate_command"] = command(pytester, 57)
    lines = (f"reconcile_{name} = {value}" for name, value in settings.items())
    pytester.makeini("\n".join(("[pytest]", *lines)))
    run(pytester).assert_outcomes(failed=1)
    other = ["--reconcile-candidate-command", command(pytester, 58)]
    run(pytester, *other).assert_outcomes(passed=1)


@pytest.mark.parametrize("workers", long_but_first(["", "2"]))
def test_what_a_program_gives_of_one_match_and_not_of_another_is_listed(
    pytester: pytest.Pytester, pack: Path, workers: str
) -> None:
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    of = {
        REPORTED: {"Alice m26": {"decisions": 60}, "Bob m26": {"decisions": 78}},
        "gnubg-7pt-0ply": {"Alice m04": {"decisions": 110}, "Bob m04": {"moves.total": 140}},
    }
    matches = [{"match": match, "players": players} for match, players in of.items()]
    document = {"schema_version": 1, "program": "p", "matches": matches}
    (pytester.path / "figures.json").write_text(json.dumps(document))
    asked = ["--reconcile", "pack", "--reconcile-candidate", "figures.json"]
    asked += ["--reconcile-candidate-table", "figures"]
    lines = (
        f"{REPORTED}: p gives no moves.total of Alice m26, no moves.total of Bob m26",
        "gnubg-7pt-0ply: p gives no moves.total of Alice m04, no decisions of Bob m04",
    )
    start = pytester.runpytest_subprocess if workers else pytester.runpytest_inprocess
    result = start(*QUIET, *asked, *(("-n", workers) if workers else ()))
    assert result.ret == pytest.ExitCode.OK
    section = plain(result).partition("reconcile: missing figures")[2]
    assert all(line in section for line in lines), section
    assert run(pytester, *asked, "--reconcile-strict").ret == pytest.ExitCode.TESTS_FAILED


def test_match_without_the_candidate_warns_and_fails_when_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    matches = [{"match": "other", "players": {"A": {"pr": 1.0}}}]
    (pytester.path / "f.json").write_text(json.dumps({"schema_version": 1, "matches": matches}))
    asked = ["--reconcile", "pack", "--reconcile-candidate", "f.json"]
    result = run(pytester, *asked)
    result.assert_outcomes(passed=1, warnings=1)
    assert f"{REPORTED}: f.json gives no figure" in plain(result)
    run(pytester, *asked, "--reconcile-strict").assert_outcomes(failed=1)
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.json")
    result.assert_outcomes(failed=1)
    assert "absent.json" in plain(result)
