"""`reconcile suite`: its exit codes, its documents and its folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

from reconcile.formats import load_match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.statistics import statistics
from reconcile.suite import documents
from reconcile.suite.cases import every
from tests.gate.candidates.samples import loaded
from tests.support.claims import some
from tests.support.command_line import ERROR, OUTSIDE, WITHIN, run, strict
from tests.support.data import PROJECT
from tests.support.planted import PLANTED as PLANTED_PROGRAMS
from tests.support.planted import shown_by
from tests.support.schemas import faults

HARNESS = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
THREE_POINTS = PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
PLANTED = shlex.join([sys.executable, "-m", "tests.support.planted", "p-redouble", "xg"])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the suite says of the cases about redoubles of three programs: one with a fault, one
    that follows XG's rules, one gnuBG's."""
    folder = tmp_path_factory.mktemp("results")
    for name, line, code in (
        ("planted", PLANTED, OUTSIDE),
        ("xg", f"{HARNESS} xg", WITHIN),
        ("gnubg", f"{HARNESS} gnubg", WITHIN),
    ):
        options = (
            "--json",
            f"{folder}/{name}.json",
            "--html",
            f"{folder}/{name}.html",
            "-o",
            f"{folder}/{name}.yaml",
        )
        assert (
            run("suite", "run", "--harness", line, "--only", "redouble", *options).exit_code == code
        )
    return folder


def test_program_that_follows_its_rules_passes(results: Path) -> None:
    document = strict((results / "gnubg.json").read_text("utf-8"))
    assert list(document) == ["program", "version", "cases", "diagnosis"]
    assert faults("suite_run", document) == []
    assert [case["status"] for case in document["cases"]] == ["passed"] * 13
    assert (document["diagnosis"]["faults"], document["diagnosis"]["unexplained"]) == ([], [])


def test_fault_is_named_with_the_cases_that_it_fails(results: Path) -> None:
    document = strict((results / "planted.json").read_text("utf-8"))
    assert faults("suite_run", document) == []
    failed = [case["id"] for case in document["cases"] if case["status"] == "failed"]
    assert failed == [
        f"redouble-window-{border}" for border in ("0.159", "0.161", "0.179", "0.19", "0.199")
    ]
    (fault,) = document["diagnosis"]["faults"]
    assert (fault["code"], fault["cases"]) == ("window-moved", failed)
    assert (
        "do not tell it from this: it counts no-redoubles that would have cost less than 0.1"
        in fault["sentence"]
    )
    case = next(case for case in document["cases"] if case["id"] == failed[0])
    assert (
        case["found"]["Synthetic Ann"]["decisions.counted"],
        case["expected"]["Synthetic Ann"]["decisions.counted"],
    ) == ("3", 4)
    assert failed[0] in (results / "planted.html").read_text("utf-8")
    assert yaml.safe_load((results / "planted.yaml").read_text("utf-8"))["extends"] == "xg"


def test_list_is_the_index_and_every_case_can_be_shown() -> None:
    listed = strict(run("suite", "list", "--json", "-").stdout)
    assert faults("suite_index", listed) == []
    assert len(listed["cases"]) >= 200
    shown = run("suite", "show", "dance-not-counted")
    assert shown.exit_code == WITHIN
    assert "dance-twice" in shown.stdout
    missing = run("suite", "show", "dance-not")
    assert (missing.exit_code, "dance-not-counted" in missing.stderr) == (ERROR, True)


@pytest.fixture
def few_cases(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A suite of every thirtieth case; writing all of them takes long."""
    few = every()[::30]
    monkeypatch.setattr(documents, "every", lambda: few)
    documents.index.cache_clear()
    yield
    documents.index.cache_clear()


@pytest.mark.usefixtures("few_cases")
def test_folder_has_an_index_and_files_with_the_figures_that_are_expected(tmp_path: Path) -> None:
    home = tmp_path / "suite"
    assert run("suite", "write", str(home)).exit_code == WITHIN
    index = json.loads((home / "index.json").read_text("utf-8"))
    assert faults("suite_index", index) == []
    ids = {case.id for case in every()}
    for case in some(index["cases"]):
        expected = json.loads((home / case["expected"]).read_text("utf-8"))
        assert faults("suite_case", expected) == []
        assert set(expected["rules"]) == set(RULE_SETS)
        assert set(expected["with"]) <= ids - {case["id"]}
        match = load_match(home / case["files"][0])
        scored = statistics(match, "gnubg")
        for seat, player in enumerate(match.players):
            figures = scored.figures(seat)
            assert {name: figures[name] for name in expected["rules"]["gnubg"][player]} == expected[
                "rules"
            ]["gnubg"][player]
    assert all((home / name).is_file() for case in index["cases"] for name in case["files"])
    assert run("suite", "write", str(home)).exit_code == ERROR
    packed = tmp_path / "suite.zip"
    assert run("suite", "write", str(packed)).exit_code == WITHIN
    with ZipFile(packed) as archive:
        files = {
            path.relative_to(tmp_path).as_posix(): path.read_bytes()
            for path in home.rglob("*")
            if path.is_file()
        }
        assert {name: archive.read(name) for name in archive.namelist()} == files
    (tmp_path / "folder.zip").mkdir()
    refused = run("suite", "write", str(tmp_path / "folder.zip"))
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (ERROR, 1)


@pytest.mark.long
@pytest.mark.usefixtures("few_cases")
def test_examples_of_the_page_run_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    monkeypatch.setenv(
        "PATH",
        os.pathsep.join((str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"])),
    )
    words = [shlex.split(line, comments=True)[1:] for line in commands.splitlines()]
    words.append(["suite", "run", "--harness", "sh harness.sh"])
    assert len(words) >= 6
    for name in ("prog-1.json", "prog-2.json"):
        assert (
            run(
                "suite", "run", "--harness", "sh harness.sh", "--only", "cap-pr", "--json", name
            ).exit_code
            == WITHIN
        )
    for line in words:
        few = ("--only", "cap-pr", "--json", "-") if line[1] == "run" else ()
        done = run(*line, *few)
        assert (line, done.exit_code) == (line, WITHIN)
        if few:
            assert [case["status"] for case in strict(done.stdout)["cases"]] == ["passed"] * 3


def test_what_is_no_program_is_refused_in_one_line() -> None:
    for words in some(
        [
            (),
            ("--harness", "a", "--candidate-command", "b {file}"),
            ("--harness", "/no/such"),
            ("--harness", HARNESS, "--only", "x"),
        ]
    ):
        refused = run("suite", "run", *words)
        assert (refused.exit_code, refused.stdout, len(refused.stderr.splitlines())) == (
            ERROR,
            "",
            1,
        )


def test_program_that_takes_too_long_is_allowed_more_by_an_option_that_there_is(
    tmp_path: Path,
) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(60)")
    line = f"{sys.executable} {slow} {{file}}"
    words = ("suite", "run", "--candidate-command", line, "--timeout", "0.2", "--only", "take-r")
    done = run(*words)
    advice = re.findall(r"allow more with (--[a-z-]+)", done.stdout + done.stderr)
    assert set(advice) == {"--timeout"}


@pytest.fixture
def wrong_figures(tmp_path: Path) -> str:
    """Figures of a program that leaves out the Crawford game."""
    match = loaded(THREE_POINTS)
    both = shown_by(PLANTED_PROGRAMS["p-crawford"], match, "gnubg")
    file = tmp_path / "figures.json"
    players = dict(zip(match.players, both, strict=True))
    file.write_text(
        json.dumps({"schema_version": 1, "program": "planted", "matches": [{"players": players}]}),
        "utf-8",
    )
    return str(file)


@pytest.mark.long
def test_gate_begins_with_the_cases_that_a_program_fails(
    wrong_figures: str, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.json"
    harness = shlex.join([sys.executable, "-m", "tests.support.planted", "p-crawford", "gnubg"])
    assert (
        run("suite", "run", "--harness", harness, "--only", "c", "--json", str(suite)).exit_code
        == OUTSIDE
    )
    words = "validate", str(THREE_POINTS.parent), "--candidate", wrong_figures
    gate = run(*words, "--suite-result", str(suite), "--json", "-")
    assert gate.exit_code == OUTSIDE
    (diagnosis,) = strict(gate.stdout)["diagnosis"]
    failed = [
        case["id"]
        for case in json.loads(suite.read_text("utf-8"))["cases"]
        if case["status"] == "failed"
    ]
    assert diagnosis["sentence"].startswith(f"p-crawford 1 fails {len(failed)} of ")
    assert (
        " cases of the conformance suite. It has no decisions of the Crawford game. "
        in diagnosis["sentence"]
    )
    assert "reconcile suite run" in run(*words).stdout
    assert "conformance suite" not in run(*words, "--no-suite").stdout
    suite.write_text("{}", "utf-8")
    refused = run(*words, "--suite-result", str(suite))
    assert (refused.exit_code, "expected what `suite run --json` wrote" in refused.stderr) == (
        ERROR,
        True,
    )


@pytest.mark.long
def test_command_that_gives_wrong_figures_is_run_on_the_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "reconcile.suite.run.every",
        lambda: tuple(case for case in every() if case.id.startswith(("take", "forced")))[:20],
    )
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        "from reconcile import load_match, statistics\n"
        "made = statistics(load_match(sys.argv[1]), 'gnubg')\n"
        "figures = [{**made.figures(seat), 'pr': None} for seat in (0, 1)]\n"
        "keep = lambda of: {name: 0 if name == 'decisions.take' else value for name, value in "
        "of.items() if value is not None}\n"
        "players = dict(zip(made.match.players, map(keep, figures)))\n"
        "print(json.dumps({'schema_version': 1, 'program': 'takeless', 'matches': [{'players': "
        "players}]}))\n",
        "utf-8",
    )
    pack = PROJECT / "reference_matches" / "gnubg-11pt-cube-rich"
    done = run(
        "validate",
        str(pack),
        "--candidate-command",
        f"{shlex.quote(sys.executable)} {shlex.quote(str(program))} {{file}}",
    )
    assert done.exit_code == OUTSIDE
    assert re.search(r"takeless fails \d+ of \d+ cases of the conformance suite", done.stdout)


@pytest.mark.long
def test_program_that_fails_every_one_of_the_first_cases_is_asked_for_no_more(
    tmp_path: Path,
) -> None:
    program, runs = tmp_path / "zeros.py", tmp_path / "runs"
    program.write_text(
        "import json, sys\n"
        f"open({str(runs)!r}, 'a').write('.')\n"
        "figures = {'decisions.counted': 999}\n"
        "players = dict.fromkeys(sys.argv[1:], figures)\n"
        "print(json.dumps({'schema_version': 1, 'program': 'zeros', 'matches': [{'players': "
        "players}]}))\n",
        "utf-8",
    )
    words = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(program))} {{player1}} {{player2}}"
    done = run("validate", str(THREE_POINTS.parent), "--candidate-command", words)
    assert (
        done.exit_code,
        "zeros fails each of the first 20 cases of the conformance suite." in done.stdout,
    ) == (OUTSIDE, True)
    assert len(runs.read_text()) == 1 + 20


@pytest.mark.long
def test_versions_and_programs_stand_side_by_side(results: Path, tmp_path: Path) -> None:
    """A version with a fault, the next without it, and a program that follows other rules."""
    old, new, other = (
        json.loads((results / f"{name}.json").read_text("utf-8"))
        for name in ("planted", "xg", "gnubg")
    )
    paths = [tmp_path / f"{number}.json" for number in range(3)]
    for path, document in zip(
        paths,
        (old | {"program": "reconcile", "version": "0"}, new, other | {"program": "other"}),
        strict=True,
    ):
        path.write_text(json.dumps(document), "utf-8")
    html, badge = tmp_path / "m.html", tmp_path / "badge.json"
    result = run("suite", "matrix", *map(str, paths), "--html", str(html), "--badge", str(badge))
    assert result.exit_code == WITHIN
    failed = [case["id"] for case in old["cases"] if case["status"] == "failed"]
    assert len(failed) == 5
    assert f"5 cases now pass: {', '.join(failed[:-1])} and {failed[-1]}." in result.stdout
    page = html.read_text("utf-8")
    (alone,) = re.findall(r'id="alone".*?</section>', page, re.DOTALL)
    assert re.findall(r"<code>(.*?)</code>", alone) == failed
    assert page.count('class="badge outside"') == 5
    assert "The shortest case that reconcile 0 fails" in page
    assert page.count("XGID=") > 1
    shield = strict(badge.read_text("utf-8"))
    assert faults("badge", shield) == []
    assert (shield["label"], shield["message"], shield["color"]) == (
        "conformance",
        "13 of 13",
        "brightgreen",
    )
    backwards = run("suite", "matrix", *map(str, paths[1::-1]))
    assert "5 cases no longer pass: " in backwards.stdout
    assert run("suite", "matrix", str(html)).exit_code == ERROR
