"""What a repository needs for a gate: a pack with one match, tolerances, a stub for the program under test, and jobs for CI services."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.files.output import Output
from reconcile.gate.manifest import MANIFEST
from reconcile.version import __version__

TEMPLATES: Final = Path(__file__).with_name("starter_files")
PACK: Final = "reference_matches"
MATCHES: Final = {"sgf": "gnubg-3pt-2ply", "xg": "demonstration"}
"""The bundled match to begin with, by the format that a program reads: small, under the licence of this program, and of an `.sgf` with the
figures that gnuBG shows; the `.xg` is synthetic."""
RATES: Final = {"sgf": ("error_rate_memg", "0.0"), "xg": ("pr", "0.00")}
"""The rate that a stub gives, and how it is printed."""
TABLE: Final = "my-program"
ARGUMENTS: Final = "candidate.py {file} {player1} {player2}"
PYTHON: Final = "python" if sys.platform == "win32" else "python3"
JOB: Final = "docs/ci/gitlab.yml"
"""The job for GitLab, which is also part of the documentation."""
ATTRIBUTES: Final = (
    "# A file of a pack is known by its SHA-256: git must not change its line ends.\n* -text\n"
)
IGNORED: Final = ".gitignore"
"""The one file that many repositories have already; it is left as it is, and the reader told what belongs into it."""
IGNORES: Final = "# What the gate writes in a run.\n/reconcile-report/\n"
HEAD: Final = """# Judges your program in every pipeline. In .gitlab-ci.yml write:
#
#     include:
#       - local: ci/reconcile.gitlab-ci.yml
"""
PACKAGE: Final = f"gammon-reconcile=={__version__}"


@dataclass(frozen=True, slots=True)
class Started:
    """One file for a new repository."""

    name: str
    """Its path in the repository."""
    content: str | bytes
    what: str
    """What it is for, in a few words."""


def started(folder: Path, form: str = "sgf") -> list[Started]:
    """Every file for a folder and a program that reads this format, in the order in which a person meets them."""
    name = MATCHES[form]
    match = bundled(PACK) / name
    manifest = Started(
        f"{PACK}/{name}/{MANIFEST}",
        (match / MANIFEST).read_bytes(),
        "a first match, with the figures that gnuBG shows"
        if form == "sgf"
        else "a first match; it is synthetic: replace it by matches of your own",
    )
    files = sorted(path for path in match.iterdir() if path.is_file() and path.name != MANIFEST)
    ignored = (
        []
        if (folder / IGNORED).exists()
        else [Started(IGNORED, IGNORES, "git leaves out what the gate writes")]
    )
    return [
        manifest,
        *(
            Started(f"{PACK}/{name}/{file.name}", file.read_bytes(), "the match itself")
            for file in files
        ),
        Started(
            f"{PACK}/pack.yaml",
            _rendered("pack.yaml.j2", form),
            "which figures your program gives: a missing one fails",
        ),
        Started(
            f"{PACK}/.gitattributes", ATTRIBUTES, "git leaves the files of the pack as they are"
        ),
        Started(
            "tolerances.yaml",
            _rendered("tolerances.yaml.j2"),
            f"how far your figures may differ: table {TABLE}",
        ),
        Started(
            "candidate.py",
            _rendered("candidate.py.j2", form),
            "prints the figures of your program: fill in what is marked TODO",
        ),
        Started(
            "candidate.sh",
            _rendered("candidate.sh.j2", form),
            "the same as a shell script; keep one of the two",
        ),
        Started(
            ".github/workflows/reconcile.yml",
            _rendered("github.yml.j2"),
            "the gate as a GitHub workflow",
        ),
        Started(
            "ci/reconcile.gitlab-ci.yml",
            _gitlab(),
            "the gate as a GitLab job, to be included in .gitlab-ci.yml",
        ),
        *ignored,
    ]


def outputs(folder: Path, files: list[Started]) -> list[Output]:
    """What to write into the folder. Raises `InvalidConfiguration`, and names every file that is there already."""
    there = [
        file.name
        for file in files
        if (folder / file.name).exists() or (folder / file.name).is_symlink()
    ]
    if there:
        raise InvalidConfiguration(
            f"nothing was written, because no file is ever overwritten and there is already {', '.join(there)}; "
            "choose an empty folder, and copy from there what you need",
            folder,
        )
    return [(str(folder / file.name), file.content) for file in files]


def next_command() -> str:
    """The command that judges the stub."""
    options = f"--tolerances tolerances.yaml --candidate-table {TABLE}"
    return f'reconcile validate {PACK} {options} --candidate-command "{PYTHON} {ARGUMENTS}"'


def _rendered(name: str, form: str = "sgf") -> str:
    from jinja2 import Environment

    environment = Environment(  # noqa: S701  # no HTML; braces are those of the files
        keep_trailing_newline=True, variable_start_string="[[", variable_end_string="]]"
    )
    return environment.from_string((TEMPLATES / name).read_text("utf-8")).render(
        table=TABLE,
        command=f"{PYTHON} {ARGUMENTS}",
        command_posix=f"python3 {ARGUMENTS}",
        package=PACKAGE,
        rate=RATES[form][0],
        zero=RATES[form][1],
    )


def _gitlab() -> str:
    """The documented job with the values of this repository, and without the instructions for setting them elsewhere."""
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
        text, count = re.subn(
            rf"^( +RECONCILE_{name}: ).*$",
            rf"\g<1>{value}",
            text,
            flags=re.MULTILINE,
        )
        if count != 1:
            raise InvalidConfiguration(
                f"{JOB}: expected RECONCILE_{name} once, found it {count} times; install gammon-reconcile again"
            )
    return HEAD + text[text.index("\nreconcile:\n") + 1 :]
