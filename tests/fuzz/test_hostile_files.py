"""Files that once broke the program: refused in one line or handled, within bounds that are counted
elsewhere (`tests/files`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reconcile.formats import load_match
from tests.support.command_line import run
from tests.support.data import ABSENT, FOLDER, PROJECT

HOSTILE = FOLDER / "hostile"
pytestmark = pytest.mark.skipif(not HOSTILE.is_dir(), reason=ABSENT)
COSTLY = (
    "candidate_1990_names.csv",
    "setsid_holds_stdout.sh",
    "badname.tar",
    "yaml_flow_slow.yaml",
)
XG = str(PROJECT / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck.xg")
CANDIDATE = ("validate", "--candidate")
RUNS: dict[str, tuple[tuple[str, ...], tuple[str, ...], int, str]] = {
    "setsid_holds_stdout.sh": (
        ("validate", "--candidate-timeout", "100", "--candidate-command"),
        (),
        2,
        "schema_version: expected this key, found none",
    ),
    "badname.tar": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 match in 1 file"),
    "bomb128.zip": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 could not be read"),
    "pax_bomb.tar.bz2": (("corpus",), ("-o", "tables", "--jobs", "1"), 0, "1 could not be read"),
    "longname_bomb.tar.xz": (
        ("corpus",),
        ("-o", "tables", "--jobs", "1"),
        0,
        "1 could not be read",
    ),
    "big_26000.xg": (("convert",), ("-o", "x.json"), 2, "expected at most 24,000 decisions"),
    "tiny_9999_games.sgf": (
        ("stats",),
        ("--per-game", "--format", "json"),
        2,
        "expected at most 2,000 games",
    ),
    "candidate_1990_names.csv": (CANDIDATE, (), 1, ""),
    "html_td_grow_1MB.html": (CANDIDATE, (), 2, "expected"),
    "xg_position_slow_1MB.txt": (CANDIDATE, (), 2, "expected a match (.xg, .sgf, .bgf"),
    "yaml_flow_slow.yaml": (("compare", XG, XG, "--tolerances"), (), 2, "correct the file"),
    "esc_key.json": (CANDIDATE, (), 2, r"\u001b[31mred"),
    "cr_name.sgf": (("stats",), (), 0, ""),
    "paste_newlines_20000.txt": (
        ("investigate", XG, "--player", "Nora", "--paste"),
        (),
        2,
        "found no figure in it",
    ),
    "engine_setsid.sh": (
        ("benchmark", str(FOLDER / "benchmark" / "format-fixture.bm"), "--engine"),
        (),
        1,
        "",
    ),
    "setup_ae_midgame.sgf": (("stats",), (), 0, ""),
    "stray_parens_root2.sgf": (("stats",), (), 0, ""),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in COSTLY)) for name in RUNS]
)
def test_file_is_refused_in_one_line_or_handled(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before, after, code, said = RUNS[name]
    path = {
        "setsid_holds_stdout.sh": f"{HOSTILE / name} {{file}}",
        "engine_setsid.sh": f"sh {HOSTILE / name}",
    }.get(name, str(HOSTILE / name))
    done = run(*before, path, *after)
    assert done.exit_code == code, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == (1 if code == 2 or said else 0)
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
