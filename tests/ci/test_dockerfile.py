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
from tests.support.data import PROJECT

DOCKERFILE = PROJECT / "Dockerfile"
OWN = "/usr/local/lib/reconcile/bin"

if not DOCKERFILE.is_file():
    pytest.skip("the image is not part of an unpacked archive", allow_module_level=True)

TEXT = re.sub(r"(?m)^#.*\n|\\\n\s*", "", DOCKERFILE.read_text("utf-8"))
LINES = [tuple(line.split(" ", 1)) for line in TEXT.splitlines() if line.strip()]
"""Every instruction and its words."""


def words_of(name: str, having: str = "", last_stage: bool = False) -> list[str]:
    """The words of the instructions of a name, those that have a text."""
    stages = [index for index, (word, _) in enumerate(LINES) if word == "FROM"]
    lines = LINES[stages[-1] :] if last_stage else LINES
    return [rest for word, rest in lines if word == name and having in rest]


def test_linter_has_no_complaint() -> None:
    own = str(Path(sys.executable).parent)
    hadolint = shutil.which("hadolint") or shutil.which("hadolint", path=own)
    if hadolint is None:
        pytest.skip("hadolint is not installed")
    command = [hadolint, "--failure-threshold", "info", str(DOCKERFILE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_stage_is_of_one_debian_of_a_fixed_version_or_of_another_stage() -> None:
    stages = [rest.partition(" AS ")[::2] for rest in words_of("FROM")]
    debian = r"debian:\d+\.\d+-slim(@sha256:[0-9a-f]{64})?"
    for index, (name, _) in enumerate(stages):
        aliases = [alias for _, alias in stages[:index]]
        assert name in aliases or re.fullmatch(debian, name), name
    assert stages


def test_it_runs_without_rights_and_begins_with_the_command() -> None:
    (user,) = words_of("USER", last_stage=True)
    assert min(map(int, user.split(":"))) >= 1000
    (start,) = words_of("ENTRYPOINT", last_stage=True)
    assert json.loads(start) == ["reconcile"]
    assert words_of("WORKDIR", last_stage=True) == ["/work"]
    names = [name for name, _ in LINES]
    assert not {"RUN", "COPY"} & {*names[names.index("USER") :]}
    assert [rest for rest in words_of("RUN") if re.search(r"chmod|sudo|setuid", rest)] == []


def test_programs_come_from_debian_in_the_version_that_is_asked_for() -> None:
    installed: dict[str, str] = {}
    for rest in words_of("RUN", "apt-get install"):
        assert "--no-install-recommends" in rest
        assert "rm -rf /var/lib/apt/lists/*" in rest
        words = shlex.split(rest.partition("apt-get install")[2].partition("&&")[0])
        installed |= dict(word.split("=") for word in words if not word.startswith("-"))
    assert set(installed) == {"gnubg", "python3", "python3-venv"}
    assert installed["gnubg"] == "1.07.001-*", "the version that the rules of gnuBG are of"


def test_python_packages_come_from_the_lock_and_reconcile_from_the_checkout() -> None:
    locked, own = (
        [word for word in shlex.split(rest) if not word.startswith("/")]
        for rest in words_of("RUN", "pip install")
    )
    assert "--require-hashes" in locked
    assert {"--no-deps", "--no-build-isolation"} <= set(own)
    assert (locked[-1], own[-1]) == (".ci/image.txt", ".")


def test_environment_serves_a_user_without_a_home_and_leaves_the_candidate_its_own() -> None:
    (text,) = words_of("ENV", last_stage=True)
    variables = dict(word.split("=", 1) for word in shlex.split(text))
    assert variables["HOME"] == "/tmp"
    assert variables[CACHE_VARIABLE].startswith("/tmp/")
    path = variables["PATH"].split(":")
    assert (FOLDERS[0] in path, OWN in path) == (True, False)
    assert not [name for name in variables if name.startswith("PYTHON")]


def test_everything_that_is_copied_is_there_and_the_build_is_given_nothing_else() -> None:
    copies = [rest.split() for rest in words_of("COPY") if "--from" not in rest]
    copied = {name for *sources, _ in copies for name in sources}
    assert [name for name in copied if not (PROJECT / name).exists()] == []
    hatch = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    wheel, hook = hatch["build"]["targets"]["wheel"], hatch["metadata"]["hooks"]["custom"]["path"]
    assert {hook, *wheel["packages"], *wheel["force-include"]} <= copied
    lines = re.findall(r"(?m)^[^#\n].*", (PROJECT / ".dockerignore").read_text("utf-8"))
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == copied
    kept_out = [line for line in lines[1:] if not line.startswith("!")]
    assert not any(fnmatch(name, line) for line in kept_out for name in copied)
