"""Files that once broke the program: refused in one line or handled, within bounds that are counted elsewhere (`tests/files`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command_line import process
from tests.support.data import ABSENT, FOLDER

HOSTILE = FOLDER / "hostile"
pytestmark = pytest.mark.skipif(not HOSTILE.is_dir(), reason=ABSENT)
CANDIDATE = ("validate", "--candidate")
RUNS: dict[str, tuple[tuple[str, ...], tuple[str, ...], int, str]] = {
    "setsid_holds_stdout.sh": (("validate", "--candidate-timeout", "100", "--candidate-command"), (), 2, "no candidate figure"),
    "badname.tar": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 match from 1 file"),
    "bomb128.zip": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 could not be read"),
    "pax_bomb.tar.bz2": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 could not be read"),
    "longname_bomb.tar.xz": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 could not be read"),
    "big_26000.xg": (("convert",), ("-o", "x.json"), 2, "expected at most 24,000 decisions"),
    "tiny_9999_games.sgf": (("stats",), ("--per-game", "--format", "json"), 2, "expected at most 2,000 games"),
    "candidate_1990_names.csv": (CANDIDATE, (), 2, "no candidate figure"),
    "html_td_grow_1MB.html": (CANDIDATE, (), 2, "expected"),
    "xg_position_slow_1MB.txt": (CANDIDATE, (), 2, "expected plays with their equities"),
    "yaml_flow_slow.yaml": (CANDIDATE, (), 2, "correct the file"),
    "esc_key.json": (CANDIDATE, (), 2, r"\u001b[31mred"),
    "cr_name.sgf": (("stats",), (), 0, ""),
}


@pytest.mark.parametrize("name", RUNS)
def test_file_is_refused_in_one_line_or_handled(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before, after, code, said = RUNS[name]
    path = f"{HOSTILE / name} {{file}}" if name.endswith(".sh") else str(HOSTILE / name)
    done = process(*before, path, *after)
    assert done.returncode == code, done.stderr
    assert said in done.stderr.decode("utf-8")
    assert done.stderr.count(b"\n") == (1 if code == 2 or said else 0)
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr)
