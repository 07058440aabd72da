"""The image for programs that are not in Python: by its linter, and by what its users rely on. It
is not built here."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from reconcile.engines.gnubg import FOLDERS
from reconcile.files.bundled import CACHE_VARIABLE
from tests.support.claims import some
from tests.support.data import PROJECT

DOCKERFILE = PROJECT / "Dockerfile"
IGNORED = PROJECT / ".dockerignore"

if not DOCKERFILE.is_file():
    pytest.skip("the image is not part of an unpacked archive", allow_module_level=True)


def instructions() -> list[tuple[str, str]]:
    """Every instruction with its words, on one line."""
    lines = [
        line for line in DOCKERFILE.read_text("utf-8").splitlines() if not line.startswith("#")
    ]
    text = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (word, rest)
        for word, _, rest in (line.partition(" ") for line in text.splitlines() if line.strip())
    ]


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage, from its FROM."""
    outcome: list[list[tuple[str, str]]] = []
    for entry in instructions():
        if entry[0] == "FROM":
            outcome.append([])
        outcome[-1].append(entry)
    return outcome


def of_last_stage(word: str) -> list[str]:
    return [rest for name, rest in stages()[-1] if name == word]


def test_linter_has_no_complaint() -> None:
    hadolint = shutil.which("hadolint") or shutil.which(
        "hadolint", path=str(Path(sys.executable).parent)
    )
    if hadolint is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run(
        [hadolint, "--failure-threshold", "info", str(DOCKERFILE)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_every_stage_is_of_one_debian_of_a_fixed_version_or_of_another_stage() -> None:
    aliases: set[str] = set()
    for stage in some(stages()):
        name, _, alias = stage[0][1].partition(" AS ")
        assert name in aliases or re.fullmatch(
            r"debian:\d+\.\d+-slim(@sha256:[0-9a-f]{64})?", name
        ), name
        aliases.add(alias)


def test_it_runs_without_rights_and_begins_with_the_command() -> None:
    (user,) = of_last_stage("USER")
    number, group = map(int, user.split(":"))
    assert min(number, group) >= 1000
    (start,) = of_last_stage("ENTRYPOINT")
    assert json.loads(start) == ["reconcile"]
    assert of_last_stage("WORKDIR") == ["/work"]
    after = [name for name, _ in stages()[-1]]
    assert after.index("USER") > max(
        index for index, name in enumerate(after) if name in ("RUN", "COPY")
    )
    assert not [
        rest
        for name, rest in instructions()
        if name == "RUN" and re.search(r"chmod|sudo|setuid", rest)
    ]


def test_programs_come_from_debian_in_the_version_that_is_asked_for() -> None:
    installed: dict[str, str] = {}
    for rest in (
        rest for name, rest in instructions() if name == "RUN" and "apt-get install" in rest
    ):
        assert "--no-install-recommends" in rest
        assert "rm -rf /var/lib/apt/lists/*" in rest
        words = shlex.split(rest.partition("apt-get install")[2].partition("&&")[0])
        installed |= dict(word.split("=") for word in words if not word.startswith("-"))
    assert set(installed) == {"gnubg", "python3", "python3-venv"}
    assert installed["gnubg"] == "1.07.001-*", "the version that the rules of gnuBG are of"


def test_python_packages_come_from_the_lock_and_reconcile_from_the_checkout() -> None:
    runs = [rest for name, rest in instructions() if name == "RUN" and "pip install" in rest]
    locked, own = (
        [word for word in shlex.split(rest) if not word.startswith("/")] for rest in runs
    )
    assert "--require-hashes" in locked
    assert locked[-1] == ".ci/image.txt"
    assert {"--no-deps", "--no-build-isolation"} <= set(own)
    assert own[-1] == "."


def test_environment_serves_a_user_without_a_home() -> None:
    (text,) = of_last_stage("ENV")
    variables = dict(word.split("=", 1) for word in shlex.split(text))
    assert variables["HOME"] == "/tmp"
    assert variables[CACHE_VARIABLE].startswith("/tmp/")
    assert FOLDERS[0] in variables["PATH"].split(":")
    assert not [name for name in variables if name.startswith("PYTHON")], (
        "a candidate in Python would have them too"
    )
    assert "/usr/local/lib/reconcile/bin" not in variables["PATH"].split(":"), (
        "nor would it be found instead of the candidate's own"
    )


def test_everything_that_is_copied_is_there_and_the_build_is_given_nothing_else() -> None:
    copied = []
    for rest in (rest for name, rest in instructions() if name == "COPY" and "--from" not in rest):
        *sources, _ = rest.split()
        copied += sources
    assert [name for name in copied if not (PROJECT / name).exists()] == []
    hatch = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    wheel = hatch["build"]["targets"]["wheel"]
    assert {
        hatch["metadata"]["hooks"]["custom"]["path"],
        *wheel["packages"],
        *wheel["force-include"],
    } <= set(copied)
    first, *remaining = [
        line
        for line in IGNORED.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert first == "*"
    assert sorted(line[1:] for line in remaining if line.startswith("!")) == sorted(copied)
    assert not any(
        fnmatch(name, line) for line in remaining if not line.startswith("!") for name in copied
    )
