"""Names of files and players that a system or a console cannot show spoil neither the pages nor the rest of the output."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.files.output import legal_stem
from reconcile.formats import read_match
from reconcile.report.text.folders import page_names
from tests.support.data import PROJECT
from tests.support.folder_pairs import ANN, NORA, NORA_XG, OUTSIDE, put
from tests.support.long import long_but_first

DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(10)), *(f"LPT{n}" for n in range(10))}


@given(st.text(max_size=30))
def test_file_names_we_write_are_legal_everywhere(text: str) -> None:
    stem = legal_stem(text)
    assert re.fullmatch(r"[a-z0-9_-]+", stem)
    assert stem.upper() not in DEVICES
    assert legal_stem(stem) == stem


NAMES = ["con", "CON", "nul.v2", "aux", "index", "lpt1", "a:b", "x. ", "..", "C:\\Users\\x", "A b", "a-b", "A_B", "a/b"]


def test_pages_of_files_with_odd_or_like_names_have_legal_names_of_their_own() -> None:
    names = [*page_names([f"{name}.sgf" for name in NAMES]), "index.html"]
    assert len({page.casefold() for page in names}) == len(NAMES) + 1
    for page in names:
        assert PureWindowsPath(page).name == PurePosixPath(page).name == page
        assert page.partition(".")[0].upper() not in DEVICES
        assert not set(page) & set('<>:"/\\|?*')


def renamed(path: Path, change: Callable[[str], str]) -> bytes:
    """An SGF file with other players."""
    return re.sub(r"(P[WB])\[([^\]]*)\]", lambda found: f"{found[1]}[{change(found[2])}]", path.read_text("utf-8")).encode()


@pytest.mark.long
@pytest.mark.parametrize("encoding", long_but_first(["ascii", "cp1252"], 1, 1))
def test_console_that_cannot_show_a_name_still_shows_the_rest(two: tuple[Path, Path], encoding: str) -> None:
    odd = renamed(NORA, lambda name: f"{name[:4]} 黒田 Łukasz \N{MINUS SIGN}")
    assert "黒田" in read_match("x.sgf", odd).players[0]
    (two[0] / "黒田.sgf").write_bytes(odd)
    put(two[1], a=NORA_XG, b=ANN)
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": encoding}
    environment.pop("PYTHONUTF8", None)
    commands = {
        "text": ["compare", "one", "two"],
        "files": ["compare", str(Path("one", "黒田.sgf")), str(Path("two", "a.xg"))],
        "json": ["compare", "one", "two", "--json", "-"],
    }
    for name, command in commands.items():
        done = subprocess.run([sys.executable, "-m", "reconcile", *command], capture_output=True, env=environment, timeout=120)
        assert b"Traceback" not in done.stderr, (name, done.stderr.decode("utf-8", "replace")[-400:])
        assert done.returncode == OUTSIDE, name
        if name == "json":
            assert "黒田.sgf" in json.loads(io.BytesIO(done.stdout).read().decode("utf-8"))["pairs"][0]["left"]
        else:
            assert "differs by" in done.stdout.decode(encoding, "replace")
