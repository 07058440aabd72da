"""The workflows, the action and the jobs to be copied: valid for their services, and of inputs and
options that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from tests.support.claims import some
from tests.support.command_line import run
from tests.support.data import PROJECT

ACTION = PROJECT / ".github" / "actions" / "reconcile" / "action.yml"
COMMENTING = ACTION.parents[1] / "comment" / "action.yml"
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
GITLAB = PROJECT / "docs" / "ci" / "gitlab.yml"

if not ACTION.is_file():
    pytest.skip("the action is not part of an unpacked archive", allow_module_level=True)


def complaints(schema: str, *paths: Path) -> str:
    """What the schema that a service publishes has against files."""
    words = ["--builtin-schema", f"vendor.{schema}", "--force-filetype", "yaml", *map(str, paths)]
    done = CliRunner().invoke(pytest.importorskip("check_jsonschema").main, words)
    return done.output if done.exit_code else ""


def examples() -> list[str]:
    """Every job of the documentation."""
    pages = (PROJECT / "docs" / f"{name}.md" for name in ("ci", "ci-elsewhere", "ci-results"))
    return [
        entry
        for page in pages
        for entry in re.findall(
            r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
    ]


def test_every_file_and_every_job_of_the_documentation_fits_the_schema_of_its_service(
    tmp_path: Path,
) -> None:
    files = {
        "github-actions": [ACTION, COMMENTING],
        "gitlab-ci": [GITLAB],
        "github-workflows": [*WORKFLOWS],
        "citation-file-format": [PROJECT / "CITATION.cff"],
    }
    for number, text in enumerate(examples()):
        path = tmp_path / f"job-{number}.yml"
        path.write_text(f"on: push\n{text}" if text.startswith("jobs:") else text, "utf-8")
        files["github-workflows" if text.startswith(("name:", "jobs:")) else "gitlab-ci"].append(
            path
        )
    assert {schema: complaints(schema, *paths) for schema, paths in files.items()} == dict.fromkeys(
        files, ""
    )
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {one: {runs-on: ubuntu-latest, stepz: []}}\n", "utf-8")
    assert "stepz" in complaints("github-workflows", wrong)


def inputs_of(action: Path) -> set[str]:
    return set(yaml.safe_load(action.read_text("utf-8"))["inputs"])


def asked(begin: str, job: str, action: str) -> list[dict[str, str]]:
    """What the steps of a documented workflow ask of one of our actions."""
    jobs = [yaml.safe_load(text)["jobs"] for text in examples() if text.startswith(begin)]
    steps = [step for jobs_of in jobs for step in jobs_of[job]["steps"]]
    return [step["with"] for step in steps if f"/actions/{action}@" in step.get("uses", "")]


def test_jobs_of_the_documentation_ask_for_what_there_is() -> None:
    inputs = inputs_of(ACTION)
    judging = asked("jobs:", "statistics", "reconcile")
    assert judging
    assert set().union(*judging) <= inputs
    (commenting,) = asked("name:", "comment", "comment")
    assert set(commenting) <= inputs_of(COMMENTING)
    lines = [line for text in examples() for line in text.splitlines()]
    commands = [line.split() for line in lines if "docker run" in line or "--junit" in line]
    names = ("--junit", "--html", "--strict", "--github", "--candidate")
    options = {word for words in commands for word in words if word.startswith(names)}
    assert options <= set(run("validate", "--help").stdout.split())
    page = (PROJECT / "docs" / "ci.md").read_text("utf-8")
    rows = page.partition("| input |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = "".join(row.split("|")[1] for row in rows)
    assert set(re.findall(r"`([\w-]+)`", cells)) == inputs


def test_every_action_is_pinned_to_a_commit_whose_version_is_said() -> None:
    """But for our own in the documentation, whose commit the reader puts in."""
    starter = PROJECT / "reconcile" / "gate" / "starter_files" / "github.yml.j2"
    for texts in (
        [path.read_text("utf-8") for path in (*WORKFLOWS, ACTION, COMMENTING)],
        [*examples(), starter.read_text("utf-8")],
    ):
        named = re.findall(r"^[ -]*uses: (\S+@.*)", "\n".join(texts), re.MULTILINE)
        assert len(named) >= 5
        assert [
            name
            for name in named
            if not re.fullmatch(r"OWNER/\S+@REF|[\w./-]+@[0-9a-f]{40} # v[\d.]+", name)
        ] == []


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, ACTION, COMMENTING], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_nothing_of_an_event_and_no_input_is_written_into_a_script(path: Path) -> None:
    document = yaml.safe_load(path.read_text("utf-8"))
    jobs = document["jobs"].values() if "jobs" in document else [document["runs"]]
    assert [
        step["run"] for job in some(jobs) for step in job["steps"] if "${{" in step.get("run", "")
    ] == []
