"""`reconcile suite`: its exit codes, its documents and its folder."""

import json
import os
import re
import shlex
import sys
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
import yaml

from reconcile.formats import load_match
from reconcile.gate.pack_results import Summary
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.statistics import statistics
from reconcile.suite import cases as documents
from reconcile.suite.cases import every
from tests.gate.candidates.samples import plain, written
from tests.support.claims import some
from tests.support.command_line import (
    ERROR,
    OUTSIDE,
    WITHIN,
    json_in,
    json_of,
    refused,
    run,
    strict,
)
from tests.support.data import PROJECT
from tests.support.schemas import faults

HARNESS = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
WRONG = shlex.join(
    [sys.executable, "-m", "tests.gate.wrong_programs", "doubles are close below 0.05", "xg"]
)
"""A program for which a no-double is close below 0.05, not 0.2."""
REDOUBLES = [
    *(f"redouble-window-{cost}" for cost in ("0.05", "0.159", "0.161", "0.179", "0.19", "0.199")),
    "redouble-right",
]
"""The cases that it fails."""
KEYS = """pack verdict program version judged_by cases missing unjudged summary diagnosis groups
areas rules id area question about verdict expected answers found"""


def asked(folder, name, line):
    """What the suite says of the cases about redoubles of a program."""
    ends = {"--json": "json", "--html": "html", "-o": "yaml", "--junit": "xml"}.items()
    options = [word for option, end in ends for word in (option, f"{folder}/{name}.{end}")]
    return run("suite", "run", "--harness", line, "--only", "redouble", *options)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The results of one with a fault and of one that follows gnuBG's rules, and what is printed of
    the first."""
    folder = tmp_path_factory.mktemp("results")
    wrong = asked(folder, "wrong", WRONG)
    assert wrong.exit_code == OUTSIDE
    assert asked(folder, "gnubg", f"{HARNESS} gnubg").exit_code == WITHIN
    return folder, wrong.stdout


def test_right_program_passes_and_a_wrong_one_fails_the_cases_that_its_fault_changes(results):
    folder, printed = results
    sound, wrong = (json_in(folder / f"{name}.json") for name in ("gnubg", "wrong"))
    assert [*sound, *sound["cases"][0]] == KEYS.split()
    assert faults("suite_run", sound) == faults("suite_run", wrong) == []
    assert [document["verdict"] for document in (sound, wrong)] == ["within", "outside"]
    assert [*sound["summary"]] == [field.name for field in fields(Summary)]
    for document in (sound, wrong):
        summary = document["summary"]
        assert summary["judged"] == summary["within"] + summary["outside"]
        assert summary["incomparable"] == len(document["unjudged"])
    assert sound["areas"] == {"redouble": {"passed": 13, "failed": 0}}
    assert wrong["areas"] == {"redouble": {"passed": 6, "failed": 7}}
    failed = [case for case in wrong["cases"] if case["verdict"] == "failed"]
    assert [case["id"] for case in failed] == REDOUBLES
    ends = [failed[0][end]["Synthetic Ann"]["decisions.counted"] for end in ("found", "expected")]
    assert ends == ["3", 4]
    assert REDOUBLES[0] in (folder / "wrong.html").read_text("utf-8")
    assert yaml.safe_load((folder / "wrong.yaml").read_text("utf-8"))["extends"] == "xg"
    head, shared, listed = printed.split("\n\n")
    area, *cases = listed.splitlines()
    assert head == "prog 1, judged by rule set xg: 6 passed, 7 failed."
    first, *_, last = shared.splitlines()
    assert first == "Failing are 7 of 13 of redouble."
    assert last == "redouble-window: 0.05 to 0.199 fail, 0.201 to 0.25 pass."
    assert area == "redouble: 7 of 13 failed:"
    assert [line.split()[0] for line in cases] == [*REDOUBLES[:4], "and"]
    (suite,) = ET.parse(folder / "wrong.xml").getroot()
    names = [case.get("name") for case in suite if case.find("failure") is not None]
    assert (suite.get("name"), suite.get("failures"), names) == ("redouble", "7", REDOUBLES)


def test_list_is_the_index_and_every_case_can_be_shown():
    index = json_of("suite", "list", "--json", "-")
    assert (faults("suite_index", index), len(index["cases"]) >= 200) == ([], True)
    shown = run("suite", "show", "dance-not-counted")
    assert (shown.exit_code, "Synthetic Ann" in shown.stdout) == (WITHIN, True)


@pytest.fixture
def few_cases(monkeypatch):
    """A suite of every thirtieth case and of those of the page; writing all of them takes long."""
    of_page = ("cap-pr", "redouble-window-0.19")
    few = [case for at, case in enumerate(every()) if at % 30 == 0 or case.id.startswith(of_page)]
    monkeypatch.setattr(documents, "every", lambda: few)
    documents.index.cache_clear()
    yield
    documents.index.cache_clear()


@pytest.mark.usefixtures("few_cases")
def test_folder_and_archive_have_an_index_and_files_with_the_figures_that_are_expected(
    tmp_path,
):
    home, packed = tmp_path / "suite", tmp_path / "suite.zip"
    for path in (home, packed):
        assert run("suite", "write", path).exit_code == WITHIN
    index = json_in(home / "index.json")
    assert faults("suite_index", index) == []
    for case in some(index["cases"]):
        expected = json_in(home / case["expected"])
        assert (faults("suite_case", expected), {*expected["rules"]}) == ([], {*RULE_SETS})
        scored = statistics(load_match(home / case["files"][0]), "gnubg")
        for player, theirs in expected["rules"]["gnubg"].items():
            figures = scored.figures(scored.match.players.index(player))
            assert {name: figures[name] for name in theirs} == pytest.approx(theirs, rel=1e-10)
        assert all((home / name).is_file() for name in case["files"])
    with ZipFile(packed) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert contents == {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file()
    }
    (tmp_path / "folder.zip").mkdir()
    for path in (home, tmp_path / "folder.zip"):
        refused("suite", "write", path)


@pytest.mark.long
@pytest.mark.usefixtures("few_cases")
def test_examples_of_the_page_run_as_written(tmp_path, monkeypatch):
    page = (PROJECT / "docs" / "suite.md").read_text("utf-8")
    commands, python, shell = re.findall(r"```(?:sh|python)\n(.*?)```", page, re.DOTALL)[:3]
    program = f"""#!{sys.executable}
import json, sys
from reconcile import load_match, statistics
made = statistics(load_match(sys.argv[2]), "xg")
players = dict(zip(made.match.players, (made.figures(seat) for seat in (0, 1))))
plain = {{"schema_version": 1, "matches": [{{"players": players}}]}}
print(json.dumps(players if "--json" in sys.argv else plain))
"""
    for name, content in (("prog", program), ("harness.py", python), ("harness.sh", shell)):
        (tmp_path / name).write_text(content, "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    places = (str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"])
    monkeypatch.setenv("PATH", os.pathsep.join(places))
    words = [shlex.split(line, comments=True)[1:] for line in commands.splitlines()]
    few, shell_harness = (
        ("--only", "cap-pr", "--json"),
        ["suite", "run", "--harness", "sh harness.sh"],
    )
    assert len(words) >= 5
    for name in ("prog-1.json", "prog-2.json"):
        assert run(*shell_harness, *few, name).exit_code == WITHIN
    for line in [*words, shell_harness]:
        done = run(*line, *((*few, "-") if line[1] == "run" else ()))
        assert (line, done.exit_code) == (line, WITHIN)
        if line[1] == "run":
            assert [case["verdict"] for case in strict(done.stdout)["cases"]] == ["passed"] * 3


def test_program_that_takes_too_long_is_allowed_more_by_an_option_that_there_is(
    tmp_path,
):
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(60)")
    words = "--candidate-command", f"{sys.executable} {slow} {{file}}", "--timeout", "0.2"
    done = run("suite", "run", *words, "--only", "take-r")
    assert set(re.findall(r"allow more with (--[a-z-]+)", done.output)) == {"--timeout"}


@pytest.mark.long
def test_versions_and_programs_stand_side_by_side(results, tmp_path):
    """A version with a fault, the next without it, and a program that follows other rules."""
    folder, _ = results
    asked(folder, "xg", f"{HARNESS} xg")
    paths = []
    about = {
        "wrong": {"program": "reconcile", "version": "0"},
        "xg": {},
        "gnubg": {"program": "o"},
    }
    for name, changed in about.items():
        document = json_in(folder / f"{name}.json") | changed
        paths.append(str(tmp_path / f"{name}.json"))
        Path(paths[-1]).write_text(json.dumps(document), "utf-8")
    html, badge = tmp_path / "m.html", tmp_path / "badge.json"
    result = run("suite", "matrix", *paths, "--html", html, "--badge", badge)
    listed = f"{', '.join(REDOUBLES[:-1])} and {REDOUBLES[-1]}"
    text = " ".join(result.stdout.split())
    assert (result.exit_code, f"7 cases now pass: {listed}." in text) == (WITHIN, True)
    page = html.read_text("utf-8")
    assert f"<li>reconcile 0: {listed}</li>" in page
    assert page.count('class="badge outside"') == 7
    assert "The shortest case that reconcile 0 fails" in page
    assert page.count("XGID=") > 1
    shield = json_in(badge)
    assert faults("badge", shield) == []
    shown = [shield[key] for key in ("label", "message", "color")]
    assert shown == ["conformance", "13 of 13", "brightgreen"]
    back = " ".join(run("suite", "matrix", *paths[1::-1]).stdout.split())
    assert "7 cases no longer pass: " in back
    assert run("suite", "matrix", html).exit_code == ERROR


def given(folder, *cases, name="figures.json"):
    """A file with the figures of cases under XG's rules."""
    by_id = {case.id: case for case in every()}
    matches = ({"match": case, "players": by_id[case].under("xg", "xg")} for case in cases)
    return written(folder / name, plain(*matches, program="prog", version="3"))


def test_figures_in_files_are_judged_as_those_of_a_program(tmp_path):
    path = given(tmp_path, "cap-pr-1", "cap-pr-2")
    document = json_of("suite", "run", "--candidate", path, "--only", "cap-pr", "--json", "-")
    assert document["program"] == "prog"
    verdicts = {case["id"]: case["verdict"] for case in document["cases"]}
    assert verdicts == {"cap-pr-1": "passed", "cap-pr-2": "passed", "cap-pr-3": "unsupported"}
    assert [(entry["match"], entry["figure"]) for entry in document["missing"]] == [
        ("cap-pr-3", None)
    ]


@pytest.mark.parametrize("cases", [("cap-pr-1", "cap-pr-1"), ("no-such-case",)])
def test_a_file_of_no_case_or_of_one_twice_is_refused(tmp_path, cases):
    path = Path(given(tmp_path, *("cap-pr-1" for _ in cases)))
    for case in cases:
        path.write_text(path.read_text("utf-8").replace("cap-pr-1", case, 1), "utf-8")
    refused("suite", "run", "--candidate", path)


def test_a_program_that_lists_its_decisions_is_judged_by_them(tmp_path):
    line = f"{shlex.quote(sys.executable)} -m reconcile stats {{file}} --decisions --format csv"
    words = ("--candidate-command", line, "--only", "take-wrong-0", "--json", "-")
    cases = json_of("suite", "run", *words)["cases"]
    assert {case["verdict"] for case in cases} == {"passed"}
    assert all(case["found"]["Synthetic Ann"]["decisions.counted"] for case in cases)
