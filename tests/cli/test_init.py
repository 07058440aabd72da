"""`reconcile init`: everything it writes can be used at once, its last line is the next command,
and nothing is ever overwritten."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from reconcile.cli import command as command_named
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.manifest import pack_manifest
from reconcile.gate.new_match import PACK, TABLE, started
from tests.support.command_line import json_in, refused, run
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.walkthrough import commands

pytestmark = pytest.mark.usefixtures("elsewhere")
MATCH = "gnubg-3pt-2ply"
JUDGED = "reference_matches: 36 of 42 figures within tolerance"


def judging_step():
    """The script of the workflow that judges, and its environment."""
    workflow = yaml.safe_load(Path(".github/workflows/reconcile.yml").read_text("utf-8"))
    job = workflow["jobs"]["statistics"]
    (step,) = (step["run"] for step in job["steps"] if "--candidate-command" in step.get("run", ""))
    return step, job["env"]


def commit_all(*settings):
    git = ("git", *settings, "-c", "user.name=t", "-c", "user.email=t@t")
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *words], check=True, capture_output=True)


def next_words(result):
    """The last line, with a Python that is there."""
    words = shlex.split(result.stdout.splitlines()[-1])
    return [word.replace("python3 ", f"{shlex.quote(sys.executable)} ") for word in words]


def test_last_line_is_a_command_that_turns_the_gate_red_and_names_what_is_to_do():
    done = run("init")
    assert (done.exit_code, done.stderr) == (0, "")
    command, *words = next_words(done)
    assert command == "reconcile"
    judged = run(*words)
    assert judged.exit_code == 1
    lines = judged.stdout.splitlines()
    assert lines[0] == JUDGED
    assert (
        "    outside: candidate TODO 0.1: Decisions  Alice m26  expected 60 within 0, found 0 "
        "(gap -60)" in lines
    )


RIGHT = """import json, sys
from reconcile.formats import load_match
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
names = ("decisions.counted", "equity_error.total", sys.argv[2])
made = statistics(load_match(sys.argv[1]))
players = {
    name: {key: METRICS[key].shown(made.figures(seat)[key]) for key in names}
    for seat, name in enumerate(made.match.players)
}
print(json.dumps({"schema_version": 1, "matches": [{"players": players}]}))
"""


@pytest.mark.parametrize(
    ("form", "rate"), long_but_first([("sgf", "error_rate_memg"), ("xg", "pr")])
)
def test_program_of_either_format_goes_from_nothing_to_green(form, rate):
    words = next_words(run("init", "--format", form))[1:]
    assert f".{form}" in " ".join(path.name for path in Path(PACK).rglob("*"))
    assert run(*words, "--strict").exit_code == 1
    Path("candidate.py").write_text(RIGHT)
    command = f"{shlex.quote(sys.executable)} candidate.py {{file}} {rate}"
    judged = run(*words[:-1], command, "--strict")
    assert judged.exit_code == 0, judged.output
    Path("candidate.py").write_text(RIGHT.replace('"equity_error.total", ', ""))
    judged = run(*words[:-1], command)
    assert judged.exit_code == 1, "what pack.yaml declares is never missing without a word"
    assert "gives no equity_error" in judged.output


@pytest.mark.skipif(
    shutil.which("sh") is None or shutil.which("sed") is None, reason="needs a shell"
)
@pytest.mark.long
def test_shell_stub_gives_the_same_also_for_names_with_quotes():
    words = next_words(run("init"))[1:]
    assert words[-1].endswith(" candidate.py {file} {player1} {player2}")
    judged = run(*words[:-1], "sh candidate.sh {file} {player1} {player2}")
    assert (judged.exit_code, judged.stdout.splitlines()[0]) == (1, JUDGED)
    assert "candidate TODO: Decisions  Alice m26  expected 60 within 0, found 0" in judged.stdout
    printed = subprocess.run(
        ["sh", "candidate.sh", "x", 'a "b", c', "d"], capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines()[1] == 'TODO,"a ""b"", c",decisions.counted,0'


def test_folder_is_made_and_named_in_the_next_command():
    done = run("init", "my repository")
    assert done.stdout.splitlines()[-1].startswith("cd 'my repository' && reconcile validate ")
    assert (
        Path("my repository", PACK, MATCH, "match.yaml").read_bytes()
        == (bundled(PACK) / MATCH / "match.yaml").read_bytes()
    )
    assert sorted(
        path.relative_to("my repository").as_posix()
        for path in Path("my repository").rglob("*")
        if path.is_file()
    ) == sorted(NAMES)


NAMES = [file.name for file in started(Path("nowhere"))]


@pytest.mark.parametrize("name", [name for name in NAMES if name != ".gitignore"])
def test_file_that_is_there_is_never_overwritten_and_nothing_else_is_written(name):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("mine")
    assert f"there is already {name};" in refused("init")
    assert [path.as_posix() for path in Path().rglob("*") if path.is_file()] == [name]
    assert Path(name).read_text() == "mine"


def test_list_of_what_git_ignores_is_left_as_it_is():
    Path(".gitignore").write_text("mine")
    done = run("init")
    assert (done.exit_code, Path(".gitignore").read_text()) == (0, "mine")
    assert ".gitignore" not in done.stdout


def test_link_to_nothing_is_there_too():
    Path("candidate.py").symlink_to("absent.py")
    refused("init")
    assert not Path("absent.py").exists()


def test_table_is_there_bounds_every_figure_and_keeps_those_that_are_bundled():
    run("init")
    of_pack = pack_manifest(Path(PACK))
    tables = load_tolerances(of_pack.tolerances)
    assert of_pack.candidates.table == TABLE
    assert tables.table(TABLE).of("luck.equity") is not None
    assert set(load_tolerances().tables) < set(tables.tables)


def test_jobs_run_the_command_that_was_printed():
    words = next_words(run("init"))
    command = words[-1].replace(f"{shlex.quote(sys.executable)} ", "python3 ")
    github = shlex.split(judging_step()[0])
    for option in words[2:-1]:
        assert option in github
    assert command in github
    options = {name for parameter in command_named("validate").params for name in parameter.opts}
    assert {word for word in github if word.startswith("--")} <= options
    job = yaml.safe_load(Path("ci/reconcile.gitlab-ci.yml").read_text("utf-8"))["reconcile"]
    set_up = {
        "RECONCILE_PACK": PACK,
        "RECONCILE_CANDIDATE_COMMAND": command,
        "RECONCILE_STRICT": "true",
    }
    assert set_up.items() <= job["variables"].items()
    documented = yaml.safe_load(bundled("docs/ci/gitlab.yml").read_text("utf-8"))["reconcile"]
    assert {**job, "variables": 0} == {**documented, "variables": 0}


def test_jobs_fit_the_schemas_of_their_services():
    check = pytest.importorskip("check_jsonschema").main
    run("init")
    for schema, name in (
        ("github-workflows", ".github/workflows/reconcile.yml"),
        ("gitlab-ci", "ci/reconcile.gitlab-ci.yml"),
    ):
        done = CliRunner().invoke(check, ["--builtin-schema", f"vendor.{schema}", name])
        assert done.exit_code == 0, done.output


def test_git_leaves_the_pack_as_it_is():
    if shutil.which("git") is None:
        pytest.skip("needs git")
    run("init")
    commit_all("-c", "core.autocrlf=true")
    clone = ("git", "-c", "core.autocrlf=true", "clone", "--quiet", ".", "clone")
    subprocess.run(clone, check=True, capture_output=True)
    for path in Path(PACK, MATCH).iterdir():
        assert Path("clone", path).read_bytes() == path.read_bytes()


@pytest.mark.skipif(
    sys.platform == "win32" or not (shutil.which("git") and shutil.which("bash")),
    reason="needs bash and git",
)
@pytest.mark.long
def test_judging_step_as_written_ends_green_for_the_program_of_the_walk_through(
    tmp_path_factory,
):
    """Which calls `reconcile`: that and Python are those of this run."""
    programs = tmp_path_factory.mktemp("programs")
    for name, words in (("python3", ""), ("reconcile", "-m reconcile ")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n', "utf-8")
        (programs / name).chmod(0o755)
    run("init")
    walkthrough = (PROJECT / "docs" / "walkthrough.md").read_text("utf-8")
    program = next(block for block in commands(walkthrough) if "<<'END'" in block)
    program = program.split("'END'\n")[1].split("\nEND\n")[0]
    Path("candidate.py").write_text(program.replace('"xg"', '"gnubg"'), "utf-8")
    commit_all()
    step, environment = judging_step()
    environment |= {"PYTHONPATH": str(PROJECT), "PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-e", "-c", step],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json_in("reconcile-report/result.json")["summary"]["within"] == 42
    status = subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True)
    assert status.stdout == b""
