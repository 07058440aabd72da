"""`reconcile init`: everything it writes can be used at once, its last line is the next command, and nothing is ever overwritten."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from reconcile.cli import command as command_named
from reconcile.cli import main
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.starter import MATCH, PACK, TABLE, started

pytestmark = pytest.mark.usefixtures("elsewhere")
JUDGED = "reference_matches: 36 of 42 figures within tolerance"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="reconcile", catch_exceptions=False)


def next_words(result: Result) -> list[str]:
    """The last line, with a Python that is there."""
    words = shlex.split(result.stdout.splitlines()[-1])
    return [word.replace("python3 ", f"{shlex.quote(sys.executable)} ") for word in words]


def test_last_line_is_a_command_that_turns_the_gate_red_and_names_what_is_to_do() -> None:
    done = run("init")
    assert (done.exit_code, done.stderr) == (0, "")
    command, *words = next_words(done)
    assert command == "reconcile"
    judged = run(*words)
    assert judged.exit_code == 1
    lines = judged.stdout.splitlines()
    assert lines[0] == JUDGED
    assert "    outside: candidate TODO 0.1: Decisions  Alice m26  expected 60 within 0, found 0 (gap -60)" in lines


@pytest.mark.skipif(shutil.which("sh") is None or shutil.which("sed") is None, reason="needs a shell")
def test_shell_stub_gives_the_same_also_for_names_with_quotes() -> None:
    words = next_words(run("init"))[1:]
    assert words[-1].endswith(" candidate.py {file} {player1} {player2}")
    judged = run(*words[:-1], "sh candidate.sh {file} {player1} {player2}")
    assert (judged.exit_code, judged.stdout.splitlines()[0]) == (1, JUDGED)
    assert "candidate TODO: Decisions  Alice m26  expected 60 within 0, found 0" in judged.stdout
    printed = subprocess.run(["sh", "candidate.sh", "x", 'a "b", c', "d"], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[1] == 'TODO,"a ""b"", c",decisions.counted,0'


def test_folder_is_made_and_named_in_the_next_command() -> None:
    done = run("init", "my repository")
    assert done.stdout.splitlines()[-1].startswith("cd 'my repository' && reconcile validate ")
    assert Path("my repository", PACK, MATCH, "match.yaml").read_bytes() == (bundled(PACK) / MATCH / "match.yaml").read_bytes()
    assert sorted(path.relative_to("my repository").as_posix() for path in Path("my repository").rglob("*") if path.is_file()) == sorted(
        file.name for file in started()
    )


@pytest.mark.parametrize("name", [file.name for file in started()])
def test_file_that_is_there_is_never_overwritten_and_nothing_else_is_written(name: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("mine")
    done = run("init")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"there is already {name};" in done.stderr
    assert [path.as_posix() for path in Path().rglob("*") if path.is_file()] == [name]
    assert Path(name).read_text() == "mine"


def test_link_to_nothing_is_there_too() -> None:
    Path("candidate.py").symlink_to("absent.py")
    assert run("init").exit_code == 2
    assert not Path("absent.py").exists()


def test_table_is_there_bounds_every_figure_and_keeps_those_that_are_bundled() -> None:
    run("init")
    tables = load_tolerances("tolerances.yaml")
    assert tables.table(TABLE).of("luck.equity") is not None
    assert set(load_tolerances().tables) < set(tables.tables)


def test_jobs_run_the_command_that_was_printed() -> None:
    words = next_words(run("init"))
    command = words[-1].replace(f"{shlex.quote(sys.executable)} ", "python3 ")
    steps = yaml.safe_load(Path(".github/workflows/reconcile.yml").read_text("utf-8"))["jobs"]["statistics"]["steps"]
    (judge,) = (step["run"] for step in steps if "--candidate-command" in step.get("run", ""))
    github = shlex.split(judge)
    for option in words[2:-1]:
        assert option in github
    assert command in github
    options = {name for parameter in command_named("validate").params for name in parameter.opts}
    assert {word for word in github if word.startswith("--")} <= options
    job = yaml.safe_load(Path("ci/reconcile.gitlab-ci.yml").read_text("utf-8"))["reconcile"]
    assert (
        job["variables"]
        | {
            "RECONCILE_PACK": PACK,
            "RECONCILE_CANDIDATE_COMMAND": command,
            "RECONCILE_CANDIDATE_TABLE": TABLE,
            "RECONCILE_TOLERANCES": "tolerances.yaml",
            "RECONCILE_STRICT": "true",
        }
        == job["variables"]
    )
    documented = yaml.safe_load(bundled("docs/ci/gitlab.yml").read_text("utf-8"))["reconcile"]
    assert {**job, "variables": 0} == {**documented, "variables": 0}


@pytest.mark.parametrize(
    ("schema", "name"), [("github-workflows", ".github/workflows/reconcile.yml"), ("gitlab-ci", "ci/reconcile.gitlab-ci.yml")]
)
def test_jobs_fit_the_schemas_of_their_services(schema: str, name: str) -> None:
    pytest.importorskip("check_jsonschema")
    run("init")
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", name]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_git_leaves_the_pack_as_it_is() -> None:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    run("init")
    git = ("git", "-c", "core.autocrlf=true", "-c", "user.name=t", "-c", "user.email=t@t")
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    subprocess.run([*git, "clone", "--quiet", ".", "clone"], check=True, capture_output=True)
    for path in Path(PACK, MATCH).iterdir():
        assert Path("clone", path).read_bytes() == path.read_bytes()
