"""Files that once broke the program: refused in one line or handled, within bounds that are counted
elsewhere (`tests/files`)."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from reconcile.formats import load_match
from tests.support.command_line import XG, run
from tests.support.data import ABSENT, FOLDER

HOSTILE = FOLDER / "hostile"
pytestmark = pytest.mark.skipif(not HOSTILE.is_dir(), reason=ABSENT)
RUNS = yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (len(RUNS[name]) > 3)) for name in RUNS]
)
def test_file_is_refused_in_one_line_or_handled(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, code, words, *_ = RUNS[name]
    paths = {"FILE": HOSTILE / name, "XG": XG, "FIXTURE": FOLDER / "benchmark/format-fixture.bm"}
    arguments = [
        re.sub("|".join(paths), lambda word: str(paths[word[0]]), word)
        for word in shlex.split(command)
    ]
    done = run(*arguments)
    assert done.exit_code == code, done.stderr
    assert words in done.stderr
    assert done.stderr.count("\n") == (1 if code == 2 or words else 0)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr)


def test_slow_table_is_refused_as_a_pasted_text_too() -> None:
    done = run(
        "investigate", XG, "--player", "Nora", "--paste", str(HOSTILE / "html_td_grow_1MB.html")
    )
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "found no figure in it" in done.stderr


@pytest.mark.parametrize(
    ("name", "code", "evidence"),
    [
        (
            "setup_ae_midgame.sgf",
            "illegal-play",
            "game 1: W[32yvfd] cannot be made on the board before it",
        ),
        (
            "stray_parens_root2.sgf",
            "damaged-value",
            "game 2: parentheses, semicolons or words in a place where the format has none",
        ),
    ],
)
def test_file_that_gnubg_counts_in_another_way_is_noted(
    name: str, code: str, evidence: str
) -> None:
    (note,) = (note for note in load_match(HOSTILE / name).notes if note.code == code)
    assert note.evidence.startswith(evidence)


def test_every_hostile_file_is_tried() -> None:
    assert {path.name for path in HOSTILE.iterdir()} - {"README.md"} <= set(RUNS)
