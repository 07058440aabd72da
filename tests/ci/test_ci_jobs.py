"""The workflows, the action and the jobs to be copied: valid for their services, and of inputs and
options that there are."""

import re
import shutil
import subprocess

import pytest
import yaml
from click.testing import CliRunner

from reconcile import __version__
from tests.support.claims import some
from tests.support.command_line import run
from tests.support.data import PROJECT

ACTION = PROJECT / ".github" / "actions" / "reconcile" / "action.yml"
COMMENTING = ACTION.parents[1] / "comment" / "action.yml"
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
GITLAB = PROJECT / "docs" / "ci" / "gitlab.yml"

if not ACTION.is_file():
    pytest.skip("the action is not part of an unpacked archive", allow_module_level=True)


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def complaints(schema, *paths):
    """What the schema that a service publishes has against files."""
    words = ["--builtin-schema", f"vendor.{schema}", "--force-filetype", "yaml", *map(str, paths)]
    done = CliRunner().invoke(pytest.importorskip("check_jsonschema").main, words)
    return done.output if done.exit_code else ""


def examples():
    """Every job of the documentation."""
    pages = (PROJECT / "docs" / f"{name}.md" for name in ("ci", "ci-elsewhere", "ci-results"))
    comment = PROJECT / "docs" / "ci" / "reconcile-comment.yml"
    return [comment.read_text("utf-8")] + [
        entry
        for page in pages
        for entry in re.findall(
            r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
    ]


def test_every_file_and_every_job_of_the_documentation_fits_the_schema_of_its_service(
    tmp_path,
):
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


def inputs_of(action):
    return set(read(action)["inputs"])


def asked(begin, job, action):
    """What the steps of a documented workflow ask of one of our actions."""
    jobs = [yaml.safe_load(text)["jobs"] for text in examples() if text.startswith(begin)]
    steps = [step for jobs_of in jobs for step in jobs_of[job]["steps"]]
    return [step["with"] for step in steps if f"/actions/{action}@" in step.get("uses", "")]


def test_jobs_of_the_documentation_ask_for_what_there_is():
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


def test_every_action_of_an_example_is_pinned_to_a_commit_whose_version_is_said():
    """But for our own, whose commit the reader puts in."""
    starter = PROJECT / "reconcile" / "gate" / "starter_files" / "github.yml.j2"
    texts = "\n".join([*examples(), starter.read_text("utf-8")])
    pinned = re.compile(r"OWNER/\S+@REF|[\w./-]+@[0-9a-f]{40} # v[\d.]+")
    named = some(re.findall(r"^[ -]*uses: (\S+@.*)", texts, re.MULTILINE))
    assert [name for name in named if not pinned.fullmatch(name)] == []


# The workflows of the repository: with no more rights than they use; what a release names


of_each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def steps(path):
    """Each step with its job."""
    return [(job, step) for job in read(path)["jobs"].values() for step in job["steps"]]


def test_citation_is_of_this_version():
    assert read(PROJECT / "CITATION.cff")["version"] == __version__


@of_each_workflow
def test_code_of_the_repository_runs_in_no_job_that_can_write(path):
    """What is built and tested comes to the jobs that publish as files, and those run actions and
    GitHub's own program."""
    checked = 0
    for job, step in some(steps(path)):
        can_write = "write" in (job.get("permissions") or {}).values()
        if "checkout@" in step.get("uses", ""):
            assert not can_write
            checked += 1
        if can_write and "run" in step:
            assert re.match(r"gh release create|mkdir packages && cp ", step["run"])
    assert checked


def built(root, repository):
    """The metadata of the package, as whoever builds it reads them, in a copy in which the
    repository has this address."""
    names = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "reconcile/version.py")
    for name in names:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT / name, root / name)
    version = root / "reconcile" / "version.py"
    text, line = version.read_text("utf-8"), f'REPOSITORY = "{repository}"'
    version.write_text(re.sub(r'(?m)^REPOSITORY = ".*"$', line, text), "utf-8")
    plugins = pytest.importorskip("hatchling.plugin.manager").PluginManager()
    return pytest.importorskip("hatchling.metadata.core").ProjectMetadata(root, plugins).core


def test_an_index_of_packages_leads_to_the_repository_that_one_constant_names(
    tmp_path,
):
    at, ref = "https://example.org/somebody/reconcile", f"v{__version__}"
    core = built(tmp_path, at)
    assert core.urls["Changelog"] == f"{at}/blob/{ref}/CHANGELOG.md"
    assert core.urls["Homepage"] == at
    links = some(re.findall(r'\]\(([^)]*)\)|(?:src|srcset)="([^"]*)"', core.readme))
    assert [link for link in map("".join, links) if not link.startswith(("https://", "#"))] == []
    assert f"{at}/raw/{ref}/docs/pictures/report-light.webp" in core.readme
    for path in re.findall(rf"{at}/(?:blob|raw)/{ref}/([^)#\"\s]+)", core.readme):
        assert (PROJECT / path).exists(), path


def test_without_an_address_the_description_is_the_readme_and_leads_nowhere(tmp_path):
    core = built(tmp_path, "")
    assert core.urls == {}
    assert core.readme == (PROJECT / "README.md").read_text("utf-8")


def test_tag_of_another_version_makes_no_release():
    done = subprocess.run(
        [PROJECT / ".ci" / "release", "v0.0.1"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert f"expected the version of the tag v0.0.1, found {__version__}" in done.stderr
