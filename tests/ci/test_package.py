"""What is packed with the program, and the checks before a commit."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from reconcile.files.bundled import bundled
from tests.support.data import PROJECT


def test_hooks_are_local_and_run_the_versions_of_the_dev_extra() -> None:
    config = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["ruff", "ruff-format", "mypy"]
    assert {hook["language"] for hook in hooks} == {"system"}
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert {hook["entry"].split()[0] for hook in hooks} <= {
        re.split(r"[=><]", name)[0] for name in extras["dev"]
    }


def test_typing_marker_and_data_are_part_of_the_package() -> None:
    assert (PROJECT / "reconcile" / "py.typed").exists()
    configured = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"][
        "build"
    ]["targets"]["wheel"]
    assert "reconcile" in configured["packages"]
    forced: dict[str, Any] = configured["force-include"]
    assert {Path(target).name for target in forced} == {
        "tolerances.yaml",
        "reference_matches",
        "gitlab.yml",
    }
    assert bundled("tolerances.yaml").is_file()
