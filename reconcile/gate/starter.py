"""What a repository needs for a gate: a pack of one match, tolerances, a stub, jobs for CI."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.files.output import Output
from reconcile.gate.manifest import MANIFEST, load_manifest
from reconcile.version import __version__

TEMPLATES: Final = Path(__file__).with_name("starter_files")
PACK: Final = "reference_matches"


@dataclass(frozen=True, slots=True)
class Start:
    """What a program that reads a format begins with."""

    match: str
    """A bundled match: small, and under the licence of this program."""
    page: str
    """The match in words."""
    rate: str
    """The rate that the stub gives."""
    zero: str
    """The same as it is printed."""
    equity: str
    """An equity of 0 as it is printed: with the digits that the tool itself shows."""


STARTS: Final = {
    "sgf": Start(
        "gnubg-3pt-2ply",
        "a first match, with the figures that gnuBG shows",
        "error_rate_memg",
        "0.0000",
        "0.000000",
    ),
    "xg": Start(
        "demonstration",
        "a first match; it is synthetic: replace it by matches of your own",
        "pr",
        "0.00",
        "0.000",
    ),
}
TABLE: Final = "my-program"
ARGUMENTS: Final = "candidate.py {file} {player1} {player2}"
PYTHON: Final = "python" if sys.platform == "win32" else "python3"
JOB: Final = "docs/ci/gitlab.yml"
"""The job for GitLab, which is also part of the documentation."""
ATTRIBUTES: Final = (
    "# A file of a pack is known by its SHA-256: git must not change its line ends.\n* -text\n"
)
IGNORED: Final = ".gitignore"
"""The one file that many repositories have already; it is left as it is."""
IGNORES: Final = "# What the gate writes in a run.\n/reconcile-report/\n"
HEAD: Final = """# Judges your program in every pipeline. In .gitlab-ci.yml write:
#
#     include:
#       - local: ci/reconcile.gitlab-ci.yml
"""
PACKAGE: Final = f"gammon-reconcile=={__version__}"
RENDERED: Final = (
    (f"{PACK}/pack.yaml", "pack.yaml", "which figures your program gives: a missing one fails"),
    ("tolerances.yaml", "tolerances.yaml", f"how far your figures may differ: table {TABLE}"),
    (
        "candidate.py",
        "candidate.py",
        "prints the figures of your program: fill in what is marked TODO",
    ),
    ("candidate.sh", "candidate.sh", "the same as a shell script; keep one of the two"),
    (".github/workflows/reconcile.yml", "github.yml", "the gate as a GitHub workflow"),
)
"""Path in the repository, template, and what it is for."""


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
    return list(_started(folder, STARTS[form]))


def _started(folder: Path, start: Start) -> Iterator[Started]:
    match, home = bundled(PACK) / start.match, f"{PACK}/{start.match}"
    yield Started(f"{home}/{MANIFEST}", (match / MANIFEST).read_bytes(), start.page)
    for file in load_manifest(match / MANIFEST, match.parent).files.values():
        yield Started(f"{home}/{file.name}", (match / file.name).read_bytes(), "the match itself")
    for index, (name, template, page) in enumerate(RENDERED):
        yield Started(name, _rendered(f"{template}.j2", start), page)
        if index == 0:
            page = "git leaves the files of the pack as they are"
            yield Started(f"{PACK}/.gitattributes", ATTRIBUTES, page)
    page = "the gate as a GitLab job, to be included in .gitlab-ci.yml"
    yield Started("ci/reconcile.gitlab-ci.yml", _gitlab(), page)
    if not (folder / IGNORED).exists():
        yield Started(IGNORED, IGNORES, "git leaves out what the gate writes")


def outputs(folder: Path, files: list[Started]) -> list[Output]:
    """What to write into the folder. Raises `InvalidConfiguration` and names what is there."""
    paths = {file.name: folder / file.name for file in files}
    there = [name for name, path in paths.items() if path.exists() or path.is_symlink()]
    if there:
        raise InvalidConfiguration(
            "nothing was written, because no file is ever overwritten and there is already "
            f"{', '.join(there)}; choose an empty folder, and copy from there what you need",
            folder,
        )
    return [(str(paths[file.name]), file.content) for file in files]


def next_command() -> str:
    """The command that judges the stub."""
    options = f"--tolerances tolerances.yaml --candidate-table {TABLE}"
    return f'reconcile validate {PACK} {options} --candidate-command "{PYTHON} {ARGUMENTS}"'


def _rendered(name: str, start: Start) -> str:
    from jinja2 import Environment

    environment = Environment(  # noqa: S701  # no HTML; braces are those of the files
        keep_trailing_newline=True, variable_start_string="[[", variable_end_string="]]"
    )
    return environment.from_string((TEMPLATES / name).read_text("utf-8")).render(
        table=TABLE,
        command=f"{PYTHON} {ARGUMENTS}",
        command_posix=f"python3 {ARGUMENTS}",
        package=PACKAGE,
        rate=start.rate,
        zero=start.zero,
        equity=start.equity,
    )


def _gitlab() -> str:
    """The documented job with the values of this repository, without instructions for others."""
    values = {
        "SOURCE": PACKAGE,
        "PACK": PACK,
        "CANDIDATE_COMMAND": f'"python3 {ARGUMENTS}"',
        "CANDIDATE_TABLE": TABLE,
        "TOLERANCES": "tolerances.yaml",
        "STRICT": '"true"',
    }
    text = bundled(JOB).read_text("utf-8")
    for name, value in values.items():
        line = rf"^( +RECONCILE_{name}: ).*$"
        text, count = re.subn(line, rf"\g<1>{value}", text, flags=re.MULTILINE)
        if count != 1:
            wrong = f"expected RECONCILE_{name} once, found it {count} times"
            raise InvalidConfiguration(f"{JOB}: {wrong}; install gammon-reconcile again")
    return HEAD + text[text.index("\nreconcile:\n") + 1 :]
