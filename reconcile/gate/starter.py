"""What a repository needs for a gate: a pack of one match, tolerances, a stub, jobs for CI."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.files.output import Output
from reconcile.files.yaml_file import read_tree
from reconcile.gate.manifest import MANIFEST, load_manifest
from reconcile.version import __version__

TEMPLATES: Final = Path(__file__).with_name("starter_files")
PACK: Final = "reference_matches"
TABLE: Final = "my-program"
ARGUMENTS: Final = "candidate.py {file} {player1} {player2}"
PYTHON: Final = "python" if sys.platform == "win32" else "python3"
PACKAGE: Final = f"gammon-reconcile=={__version__}"
JOB: Final = "docs/ci/gitlab.yml"
"""The job for GitLab, which is also part of the documentation."""
JOB_VALUES: Final = {
    "SOURCE": PACKAGE,
    "PACK": PACK,
    "CANDIDATE_COMMAND": f'"python3 {ARGUMENTS}"',
    "STRICT": '"true"',
}
IGNORED: Final = ".gitignore"
"""The one file that many repositories have already; it is left as it is."""


@dataclass(frozen=True, slots=True)
class Started:
    """One file for a new repository."""

    name: str
    """Its path in the repository."""
    content: str | bytes
    page: str
    """What it is for, in a few words."""


def started(folder: Path, form: str = "sgf") -> list[Started]:
    """Every file for a folder and a program that reads this format, as a person meets them."""
    return list(_started(folder, form))


def _started(folder: Path, form: str) -> Iterator[Started]:
    data = read_tree(TEMPLATES / "files.yaml")
    start = data["starts"][form]
    match, home = bundled(PACK) / start["match"], f"{PACK}/{start['match']}"
    yield Started(f"{home}/{MANIFEST}", (match / MANIFEST).read_bytes(), start["page"])
    for file in load_manifest(match / MANIFEST, match.parent).files.values():
        yield Started(f"{home}/{file.name}", (match / file.name).read_bytes(), "the match itself")
    for name, page, template in data["files"]:
        if name != IGNORED or not (folder / name).exists():
            yield Started(name, _rendered(template, start), page)


def outputs(folder: Path, files: list[Started]) -> list[Output]:
    """What to write into the folder. Raises `InvalidConfiguration` and names what is there."""
    paths = {file.name: folder / file.name for file in files}
    there = [name for name, path in paths.items() if path.exists() or path.is_symlink()]
    if there:
        wrong = "nothing was written, because no file is ever overwritten and there is already"
        remedy = "choose an empty folder, and copy from there what you need"
        raise InvalidConfiguration(f"{wrong} {', '.join(there)}; {remedy}", folder)
    return [(str(paths[file.name]), file.content) for file in files]


def next_command() -> str:
    """The command that judges the stub."""
    return f'reconcile validate {PACK} --candidate-command "{PYTHON} {ARGUMENTS}"'


def _rendered(template: str, start: dict[str, Any]) -> str:
    from jinja2 import Environment

    environment = Environment(  # noqa: S701  # no HTML; braces are those of the files
        keep_trailing_newline=True, variable_start_string="[[", variable_end_string="]]"
    )
    return environment.from_string((TEMPLATES / template).read_text("utf-8")).render(
        **start,
        table=TABLE,
        command=f"{PYTHON} {ARGUMENTS}",
        command_posix=f"python3 {ARGUMENTS}",
        package=PACKAGE,
        job=_gitlab_job(),
    )


def _gitlab_job() -> str:
    """The documented job with the values of this repository, without instructions for others."""
    text = bundled(JOB).read_text("utf-8")
    for name, value in JOB_VALUES.items():
        line = rf"^( +RECONCILE_{name}: ).*$"
        text, count = re.subn(line, rf"\g<1>{value}", text, flags=re.MULTILINE)
        if count != 1:
            wrong = f"expected RECONCILE_{name} once, found it {count} times"
            raise InvalidConfiguration(f"{JOB}: {wrong}; install gammon-reconcile again")
    return text[text.index("\nreconcile:\n") + 1 :]
