"""The workflows of the repository and what a release names: valid for their services, pinned, and
with no more rights than they use."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile import __version__
from tests.support.claims import some
from tests.support.data import PROJECT

WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
CITATION = PROJECT / "CITATION.cff"

if not WORKFLOWS:
    pytest.skip("the workflows are not part of an unpacked archive", allow_module_level=True)

of_each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def steps(path: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each step with its job."""
    return [(job, step) for job in read(path)["jobs"].values() for step in job["steps"]]


def test_citation_is_of_this_version() -> None:
    assert read(CITATION)["version"] == __version__


@of_each_workflow
def test_no_job_has_rights_that_it_was_not_given_by_name(path: Path) -> None:
    document = read(path)
    assert document["permissions"] in ({}, {"contents": "read"})
    assert all("timeout-minutes" in job for job in some(document["jobs"].values()))


@of_each_workflow
def test_code_of_the_repository_runs_in_no_job_that_can_write(path: Path) -> None:
    """What is built and tested comes to the jobs that publish as files, and those run actions and
    GitHub's own program."""
    checked = 0
    for job, step in some(steps(path)):
        can_write = "write" in (job.get("permissions") or {}).values()
        if "checkout@" in step.get("uses", ""):
            assert not can_write
            assert step["with"]["persist-credentials"] is False
            checked += 1
        if can_write and "run" in step:
            assert re.match(r"gh release create|mkdir packages && cp ", step["run"])
    assert checked


def built(root: Path, repository: str) -> Any:
    """The metadata of the package, as whoever builds it reads them, in a copy in which the
    repository has this address."""
    for name in (
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        "reconcile/version.py",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT / name, root / name)
    version = root / "reconcile" / "version.py"
    version.write_text(
        re.sub(
            r'(?m)^REPOSITORY = ".*"$', f'REPOSITORY = "{repository}"', version.read_text("utf-8")
        ),
        "utf-8",
    )
    return pytest.importorskip("hatchling.metadata.core").ProjectMetadata(
        root, pytest.importorskip("hatchling.plugin.manager").PluginManager()
    )


def test_an_index_of_packages_leads_to_the_repository_that_one_constant_names(
    tmp_path: Path,
) -> None:
    at, ref = "https://example.org/somebody/reconcile", f"v{__version__}"
    core = built(tmp_path, at).core
    assert core.urls["Changelog"] == f"{at}/blob/{ref}/CHANGELOG.md"
    assert core.urls["Homepage"] == at
    links = some(re.findall(r'\]\(([^)]*)\)|(?:src|srcset)="([^"]*)"', core.readme))
    assert [link for link in map("".join, links) if not link.startswith(("https://", "#"))] == []
    assert f"{at}/raw/{ref}/docs/pictures/report-light.png" in core.readme
    for path in re.findall(rf"{at}/(?:blob|raw)/{ref}/([^)#\"\s]+)", core.readme):
        assert (PROJECT / path).exists(), path


def test_without_an_address_the_description_is_the_readme_and_leads_nowhere(tmp_path: Path) -> None:
    core = built(tmp_path, "").core
    assert core.urls == {}
    assert core.readme == (PROJECT / "README.md").read_text("utf-8")


def test_tag_of_another_version_makes_no_release() -> None:
    done = subprocess.run(
        [PROJECT / ".ci" / "release", "v0.0.1"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert f"expected the version of the tag v0.0.1, found {__version__}" in done.stderr
