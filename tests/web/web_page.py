"""The page without installation, built once for the tests that open it in a browser."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support import data as real
from tests.support.command_line import run
from tests.support.data import PROJECT
from web.build import SAFELY

WHEELS = real.matching("pyodide/numpy-*.whl")
DEMONSTRATION = sorted((PROJECT / "reference_matches" / "demonstration").glob("*.xg")) + sorted(
    (PROJECT / "reference_matches" / "demonstration").glob("*.sgf")
)
"""One match, analysed by two programs."""
OTHER = PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"


def build(*arguments):
    """Run the build as a shell does."""
    command = [sys.executable, "-m", "web.build", *arguments]
    return subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, encoding="utf-8", timeout=300
    )


@cache
def runtime(folder):
    """The files of Pyodide, by npm, below a folder; skips where npm cannot bring them."""
    if shutil.which("npm") is None:
        pytest.skip("npm, which brings Pyodide, is not installed")
    done = subprocess.run(
        ["npm", "pack", "--silent", "pyodide@0.27.7"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        pytest.skip(f"npm could not download Pyodide: {done.stderr.strip()[-200:]}")
    shutil.unpack_archive(next(folder.glob("*.tgz")), folder, **SAFELY)
    return folder / "package"


@cache
def built(folder):
    """A folder with `reconcile.html` and, in `split`, the same for a server; skips where something
    that goes in is not at hand."""
    if not WHEELS:
        pytest.skip(
            f"NumPy's wheel for Pyodide is not at hand; name a folder that has "
            f"pyodide/numpy-*.whl with {real.VARIABLE}"
        )
    done = build(
        "-o",
        str(folder / "reconcile.html"),
        "--split",
        str(folder / "split"),
        "--numpy",
        str(WHEELS[0]),
        "--pyodide",
        str(runtime(folder)),
    )
    assert done.returncode == 0, done.stderr
    return folder


def from_command(files, folder, *options):
    """The page that the command writes for copies of these files in one folder, by their names
    alone."""
    folder.mkdir()
    for path in files:
        shutil.copyfile(path, folder / path.name)
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = run(
            "compare" if len(files) > 1 else "stats",
            *(path.name for path in files),
            *options,
            "--html",
            "page.html",
        )
    finally:
        os.chdir(before)
    assert done.exit_code in (0, 1), done.stderr
    return (folder / "page.html").read_bytes()
