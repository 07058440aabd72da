"""Files with names that mean something else: to a parser of options, to a format of text, to lines,
or that are no text at all."""

import os
import sys
from pathlib import Path

import pytest

from reconcile.cli import COMMANDS
from tests.support.claims import some
from tests.support.command_line import PACK, json_in, refused, run

SOURCE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
SMALL = SOURCE.read_bytes().partition(b"\n(;")[0]
"""Its first game."""
NAMES = [
    "-n.sgf",
    "--help.sgf",
    "a\nb.sgf",
    "50%s%d%.sgf",
    "{file}.sgf",
    "[x]*.sgf",
    "a b'\"$(x).sgf",
    "~.sgf",
    "žluťoučký-кубик-🎲.sgf",
]
if sys.platform == "linux":
    NAMES.append(os.fsdecode(b"\xff\xfe.sgf"))
LINES = """
benchmark --engine true > 2
benchmark-make -o out.bm --positions 1 --games 36 --time-limit 0.001 > 2
compare --html c.html --json c.json --junit c.xml --markdown c.md --github NAME SOURCE > 1
convert -o x.mat > 0
corpus -o tables --jobs 1 > 0
corpus-query > 2
corpus-report > 2
diff NAME SOURCE > 2
exercises --player Alice --text x.txt > 0
fetch > 2
init > 2
investigate --player Alice --reported pr=1.0 > 1
new-match -o new/match > 2 0
stats --format json -o s.json > 0
validate > 2
"""
"""The words of a command, with the name last where none is, and its exit codes; a pack may not have
every such name. `analyse` needs gnuBG, `explain`, `page` and `suite` take no file."""
RUNS = {line.split()[0]: line.split() for line in LINES.splitlines() if line}


def test_every_command_with_a_file_is_here():
    assert set(RUNS) == set(COMMANDS) - {"analyse", "explain", "page", "suite"}


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("stats", NAMES),
        *(
            pytest.param(command, NAMES[::3], marks=pytest.mark.long)
            for command in RUNS
            if command != "stats"
        ),
        *(
            pytest.param(command, NAMES, marks=pytest.mark.exhaustive)
            for command in RUNS
            if command != "stats"
        ),
    ],
)
def test_name_is_a_name(command, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line, _, codes = " ".join(RUNS[command]).partition(" > ")
    words = line.replace("SOURCE", str(SOURCE)).split()
    place = words.index("NAME") if "NAME" in words else len(words)
    for name in some(names):
        Path(name).write_bytes(SMALL)
        for named in (["--", name], [f".{os.sep}{name}"]):
            done = run(*words[:place], *named, *words[place + 1 :])
            assert str(done.exit_code) in codes.split(), (named, done.stderr)
            assert done.exit_code < 2 or done.stderr.count("\n") == 1, done.stderr
        if command == "stats" and "\udcff" not in name:
            assert json_in("s.json")["source"]["path"] == f".{os.sep}{name}"
            refused(command, f".{os.sep}{name}.absent")
        Path(name).unlink()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode here")
def test_folder_and_archive_with_names_that_are_no_text_are_rows_of_the_table(
    tmp_path,
):
    pq = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / os.fsdecode(b"f\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"m\xfe.sgf")).write_bytes(SMALL)
    (folder / os.fsdecode(b"bad\xfe.sgf")).write_bytes(b"(;")
    done = run("corpus", folder, "-o", tmp_path / "tables", "--jobs", "1")
    assert done.exit_code == 0, done.stderr
    rows = pq.read_table(tmp_path / "tables" / "files").to_pylist()
    assert [(Path(row["file"]).name, row["matches"]) for row in rows] == [
        ("bad\\udcfe.sgf", 0),
        ("m\\udcfe.sgf", 1),
    ]
    assert run("corpus-report", tmp_path / "tables").exit_code == 0
