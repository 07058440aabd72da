"""The GitHub Action and the GitLab job: valid for their services, safe with any input, and run
here as far as that goes."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

from tests.support import packs
from tests.support.command_line import ERROR, OUTSIDE, WITHIN, environment
from tests.support.data import PROJECT

ACTION = PROJECT / ".github" / "actions" / "reconcile" / "action.yml"
COMMENTING = ACTION.parents[1] / "comment" / "action.yml"
COMMENT = COMMENTING.with_name("comment.py")
ACTIONS = pytest.mark.parametrize("path", [ACTION, COMMENTING], ids=["reconcile", "comment"])
GITLAB = PROJECT / "docs" / "ci" / "gitlab.yml"
CUBE_RICH = PROJECT / "reference_matches" / "gnubg-11pt-cube-rich"
BASH = shutil.which("bash") or ""
needs_bash = pytest.mark.skipif(not BASH, reason="the steps are of bash")

if not ACTION.is_file():
    pytest.skip("the action is not part of an unpacked archive", allow_module_level=True)


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


@ACTIONS
def test_every_input_is_described_and_used(path):
    action = read(path)
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", path.read_text("utf-8")))
    assert used == set(action["inputs"])
    for step in action["runs"]["steps"]:
        script = step.get("run", "")
        script += COMMENT.read_text("utf-8") if "comment.py" in script else ""
        named = re.findall(r'\$(\w+)|"(\w+)"', script)
        assert step.get("env", {}).keys() <= {"".join(pair) for pair in named}
    inputs = action["inputs"].values()
    assert all(entry["description"] and isinstance(entry["default"], str) for entry in inputs)


def program(path, command):
    """A program that runs a command with its arguments."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!{BASH}\nexec {command} "$@"\n', "utf-8")
    path.chmod(0o755)


NOTING = """\
import json, os, runpy, shutil, sys
words = sys.argv[1:]
open(os.environ["ASKED"], "a").write(json.dumps(words) + "\\n")
while words[0] in ("-I", "-X", "utf8"):
    del words[0]
if words[:2] == ["-m", "venv"]:
    os.makedirs(words[2] + "/bin", exist_ok=True)
    for name in ("python", "reconcile"):
        shutil.copy(os.environ["TOOLS"] + "/" + name, words[2] + "/bin/")
elif "NOTE_ONLY" in os.environ:
    sys.exit(2 * (words[:2] == ["-m", "reconcile"]))
elif words[0].endswith("comment.py") or words[:2] == ["-m", "reconcile"]:
    sys.path[0] = os.environ["CHECKOUT"]
    sys.argv = words[words[0] == "-m" :]
    if words[0] == "-m":
        runpy.run_module("reconcile", run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(words[0], run_name="__main__")
"""


class Runner:
    """A folder as a runner has it, where `python` makes no environment but one that runs this
    checkout and notes what was asked."""

    def __init__(self, folder):
        self.folder, self.work, self.tools = folder, folder / "work", folder / "tools"
        self.asked = folder / "asked.jsonl"
        self.more = {}
        """Further variables of the runner."""
        self.printed = ""
        """What the steps print."""
        self.work.mkdir(parents=True)
        (folder / "temp").mkdir()
        (folder / "noting.py").write_text(NOTING, "utf-8")
        program(self.tools / "python", f'"{sys.executable}" "{folder}/noting.py"')
        program(self.tools / "reconcile", f'"{self.tools}/python" -m reconcile')

    def run(self, script, **variables):
        base = environment()
        own = {name: base[name] for name in base.keys() - {"PYTHONUTF8", "PYTHONPATH"}} | {
            "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
            "CHECKOUT": str(PROJECT),
            "TOOLS": str(self.tools),
            "ASKED": str(self.asked),
        }
        return subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.work,
            env=own | variables,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    def arguments(self):
        return [json.loads(line) for line in self.asked.read_text("utf-8").splitlines()]

    def action(self, path=ACTION, **inputs):
        """The shell steps of an action, one after the other as long as they end well; the last
        that ran."""
        action = read(path)
        context = {f"inputs.{name}": entry["default"] for name, entry in action["inputs"].items()}
        context |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        context["steps.python.outputs.python-path"] = str(self.tools / "python")
        for step in (step for step in action["runs"]["steps"] if "run" in step):
            asked = {
                name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda m: context[m[1]], text)
                for name, text in step.get("env", {}).items()
            }
            here = self.variables() | {"GITHUB_ACTION_PATH": str(path.parent)}
            done = self.run(step["run"], **asked, **here)
            self.printed += done.stdout
            if done.returncode:
                break
        return done

    def variables(self):
        """What a runner sets."""
        return {
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_WORKSPACE": str(self.work),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            **self.more,
        }

    def job(self, **variables):
        """The scripts of the GitLab job."""
        job = read(GITLAB)["reconcile"]
        script = "\n".join([*job["before_script"], *job["script"]])
        return self.run(script, **(job["variables"] | variables))


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)


@pytest.fixture
def falsified(runner):
    """A pack in the checkout with one figure that is not gnuBG's."""
    return packs.falsified(runner.work / "reference matches", error_rate_memg="92.8927").name


@pytest.mark.long
@needs_bash
def test_action_installs_this_checkout_and_judges_the_pack_of_the_program(runner):
    done = runner.action()
    assert done.returncode == WITHIN, done.stderr
    environment, locked, pip, judged = runner.arguments()
    assert environment == ["-I", "-m", "venv", str(runner.folder / "temp" / "reconcile")]
    assert Path(locked[-1]).resolve() == PROJECT / ".ci" / "action.txt"
    assert "--require-hashes" in locked
    assert (Path(pip[-1]).resolve(), pip[:4]) == (PROJECT.resolve(), ["-I", "-m", "pip", "install"])
    # Whatever else it needs is in the lock.
    assert {"--no-deps", "--no-build-isolation"} <= set(pip)
    assert judged[:7] == ["-I", "-X", "utf8", "-m", "reconcile", "validate", "--github"]
    assert (runner.folder / "output").read_text("utf-8") == "exit-code=0\n"
    assert (runner.folder / "summary.md").read_text("utf-8").startswith("### ")
    report = {path.name for path in (runner.work / "reconcile-report").iterdir()}
    assert report == {"html", "junit.xml", "result.json", "result.md", "errors.txt"}


@needs_bash
def test_action_fails_with_an_annotation_at_the_line_of_the_manifest(runner, falsified):
    done = runner.action(pack=falsified, html="", json="", badge="badge.json")
    assert done.returncode == OUTSIDE
    assert (runner.folder / "output").read_text("utf-8") == "exit-code=1\n"
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("::error "))
    assert f"file=reference matches/{CUBE_RICH.name}/match.yaml,line=" in line
    assert json.loads((runner.work / "badge.json").read_text("utf-8"))["color"] == "red"


ASKING = """\
import json, os, sys
try:
    import reconcile
    found = reconcile.__file__
except ImportError:
    found = None
import of_the_job
seen = {"python": sys.prefix, "reconcile": found, "package": of_the_job.NAME}
seen |= {"variables": dict(os.environ), "utf8": sys.flags.utf8_mode}
open(os.environ["SEEN"], "w").write(json.dumps(seen))
match = {"match": sys.argv[1], "players": {"Ann": {"error_rate_memg": 92.7927}}}
print(json.dumps({"schema_version": 1, "matches": [match]}))
"""


def own_environment(folder, *paths):
    """A Python environment that also finds the packages in some folders; returns its folder of
    programs."""
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "more.pth").write_text("".join(f"{path}\n" for path in paths), "utf-8")
    return folder / "bin"


@pytest.fixture
def job(runner):
    """The variables of a job with an environment and packages of its own."""
    package = runner.folder / "packages"
    package.mkdir()
    for path, code in (
        (package / "of_the_job.py", "NAME = 'from the job'"),
        (package / "click.py", "raise SystemExit('the click of the job')"),
        (runner.work / "yaml.py", "raise SystemExit('a module of the checkout')"),
        (runner.work / "my_stats.py", ASKING),
    ):
        path.write_text(code, "utf-8")
    packages = [path for path in map(Path, sys.path) if path.name.endswith("-packages")]
    own_environment(runner.folder / "temp" / "reconcile", PROJECT, *packages)
    programs = own_environment(runner.folder / "job", package)
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(package),
        "HTML": "of the job",
        "VIRTUAL_ENV": str(runner.folder / "job"),
    }


@pytest.mark.long
@needs_bash
@pytest.mark.skipif(os.name == "nt", reason="links and names of programs as on POSIX")
def test_candidate_runs_in_the_python_of_the_job_and_the_program_in_its_own(runner, job):
    (judging,) = (step for step in read(ACTION)["runs"]["steps"] if step.get("id") == "judge")
    inputs = dict.fromkeys(judging["env"], "") | {
        "RECONCILE_INPUT_PACK": str(CUBE_RICH.parent / CUBE_RICH.name),
        "RECONCILE_INPUT_CANDIDATE_COMMAND": "python3 my_stats.py {match}",
        "RECONCILE_INPUT_FAIL_ON": "error",
        "RECONCILE_INPUT_HTML": "pages",
    }
    path = runner.folder / "seen.json"
    variables = {**inputs, **runner.variables(), **job, "SEEN": str(path)}
    done = runner.run(judging["run"], **variables)
    assert done.returncode == WITHIN, done.stderr
    assert "37 of 37 figures within tolerance" in done.stderr
    reached = json.loads(path.read_text("utf-8"))
    own = reached["python"], reached["reconcile"], reached["package"]
    assert own == (str(runner.folder / "job"), None, "from the job")
    assert {name: reached["variables"].get(name) for name in job} == job
    names = [name for name in reached["variables"] if name.startswith("RECONCILE_INPUT_")]
    assert not [*names, *(reached["variables"].keys() & {"PYTHONUTF8", "TOKEN"})]


@ACTIONS
def test_nothing_that_the_action_installs_reaches_the_job(path):
    python, *rest = read(path)["runs"]["steps"]
    assert python["with"]["update-environment"] is False
    assert [step["run"] for step in rest if re.search("GITHUB_(?:PATH|ENV)", step["run"])] == []


def test_no_action_that_runs_a_candidate_has_a_token_and_the_one_that_has_it_runs_none():
    judging, commenting = ACTION.read_text("utf-8"), COMMENTING.read_text("utf-8")
    caches = yaml.safe_dump([step.get("with", {}) for step in read(COMMENTING)["runs"]["steps"]])
    assert "cache" not in caches
    for text in ("reconcile validate", "candidate-command", "checkout@"):
        assert text not in commenting
    for text in ("github.token", "TOKEN", "comment.py"):
        assert text not in judging
        assert text in commenting


@needs_bash
def test_action_refuses_what_is_neither_true_nor_false(runner):
    assert runner.action(strict="true; id").returncode == ERROR
    assert [words[2] for words in runner.arguments()] == ["venv", "pip", "pip"]


@pytest.mark.long
@needs_bash
def test_comment_has_the_result_or_the_reason_why_there_is_none(runner, falsified):
    """The artifact of the run that judges is the folder of the action that comments."""
    event = runner.folder / "event.json"
    event.write_text('{"workflow_run": {"event": "push"}}', "utf-8")
    runner.more = {"GITHUB_EVENT_PATH": str(event), "GITHUB_REPOSITORY": "us/prog"}
    report = runner.work / "reconcile-report"
    for pack, code, result in ((falsified, OUTSIDE, True), ("absent", ERROR, False)):
        runner.printed = ""
        done = runner.action(pack=pack)
        assert done.returncode == code
        assert (runner.folder / "output").read_text("utf-8").endswith(f"exit-code={code}\n")
        assert (report / "result.md").exists() == result
        assert ("reconcile: absent: " in (report / "errors.txt").read_text("utf-8")) != result
        assert runner.action(COMMENTING, github_token="a-token").returncode == 0
        assert (
            "::notice title=reconcile::No comment was written on the pull request: "
            "the run before is not of" in runner.printed
        )
        assert runner.arguments()[-1][-1] == "reconcile-report"


HOSTILE = ["$(touch owned)", "`touch owned`", "; touch owned", "x && touch owned", "a b"]
HOSTILE += ["'\"", "--exit-zero", "-", "*", "${{ github.token }}", "\\"]


@pytest.mark.long
@needs_bash
def test_input_stays_one_argument_of_the_program(runner):
    runner.more = {"NOTE_ONLY": "yes"}
    for at in range(0, len(HOSTILE), 3):  # each of them is some input or other
        pack, candidate, *rest = HOSTILE[at:] + HOSTILE[:at]
        names = ("candidate_command", "tolerances", "html")
        asked = dict(zip(names, rest, strict=False))
        more = {"pack": pack, "candidate": f"{candidate}\nsecond", "fail_on": "error"}
        assert runner.action(ACTION, **more, **asked).returncode == ERROR
        words = runner.arguments()[-1]
        options = {f"--{name.replace('_', '-')}={value}" for name, value in asked.items()}
        assert words[-2:] == ["--", pack]
        assert options | {f"--candidate={candidate}", "--candidate=second"} <= set(words)
    assert not list(runner.folder.rglob("owned"))


@needs_bash
def test_variable_of_the_job_stays_one_argument_of_the_program(runner):
    for hostile in HOSTILE[::3]:
        names = ("PACK", "CANDIDATE", "CANDIDATE_COMMAND", "SOURCE")
        done = runner.job(NOTE_ONLY="yes", **{f"RECONCILE_{name}": hostile for name in names})
        assert done.returncode == ERROR
        *_, pip, words = runner.arguments()
        assert (pip[-1], words[-2:]) == (hostile, ["--", hostile])
        assert {f"--candidate={hostile}", f"--candidate-command={hostile}"} <= set(words)
    assert not list(runner.folder.rglob("owned"))


@pytest.mark.long
@needs_bash
def test_job_leaves_the_artifacts_it_names(runner, falsified):
    assert runner.job(RECONCILE_PACK=falsified, RECONCILE_STRICT="true").returncode == OUTSIDE
    artifacts = read(GITLAB)["reconcile"]["artifacts"]
    paths = (*artifacts["paths"], artifacts["reports"]["junit"])
    assert all((runner.work / path).exists() for path in paths)
    assert "--strict" in runner.arguments()[-1]
