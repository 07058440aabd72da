"""What a command reads is never replaced by what it writes, whatever name is used for it; then nothing is written at all."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile import load_match
from reconcile.corpus.run import build
from reconcile.rules.rulesets import RULE_SETS
from tests.match.met.table_files import GOOD
from tests.support import blunderdb_writer
from tests.support.archive import SGF, XG
from tests.support.command_line import run
from tests.support.long import long_but_first
from tests.support.pasted import SUMMARY
from tests.support.probed_programs import write_answers

RULES = "schema_version: 1\ntitle: Own\nextends: xg\n"
ALIASES = 'schema_version: 1\nplayers: {"Nora": ["Nora_Lindqvist"]}\n'
PACKED = "gnubg-11pt-cube-rich"
ROOT = Path(__file__).parents[2]


@cache
def club() -> bytes:
    """A database of one match."""
    with TemporaryDirectory() as made:
        blunderdb_writer.write(Path(made, "club.db"), [load_match(XG)])
        return Path(made, "club.db").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of inputs, in which the commands run."""
    shutil.copy(XG, tmp_path / "in.xg")
    shutil.copy(SGF, tmp_path / "in.sgf")
    shutil.copy(ROOT / "tolerances.yaml", tmp_path / "t.yaml")
    (tmp_path / "names.yaml").write_text(ALIASES)
    (tmp_path / "prog.py").write_text("print('{}')\n")
    (tmp_path / "show.py").write_text("import sys; print(open(sys.argv[1]).read())\n")
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
    shutil.copy(XG, tmp_path / "left" / "a.xg")
    shutil.copy(SGF, tmp_path / "right" / "a.sgf")
    for name in ("ours", PACKED):
        shutil.copy(ROOT / "reference_matches" / PACKED / "ann-ben-11pt-cube-rich.sgf", tmp_path / f"{name}.sgf")
    shutil.copytree(ROOT / "reference_matches" / PACKED, tmp_path / "pack" / PACKED)
    shutil.copy(ROOT / "reference_matches" / "demonstration" / Path(SGF).name, tmp_path / "in_2ply.sgf")
    shutil.copy(ROOT / "reconcile" / "gap" / "usual_gaps.json", tmp_path / "usual.json")
    (tmp_path / "woolsey.xml").write_text(GOOD)
    (tmp_path / "paste.txt").write_text(SUMMARY.replace("Ann", "Nora Lindqvist").replace("Ben", "Tomas Beck"))
    (tmp_path / "club.db").write_bytes(club())
    (tmp_path / "club.db-wal").write_bytes(b"")
    (tmp_path / "own.yaml").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and link below a folder, with the number that the system gives it."""
    return {str(path.relative_to(folder)): (path.lstat().st_ino, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def refused(folder: Path, *words: str, told: str = "is read by this command") -> None:
    before = everything(folder)
    done = run(*words)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert told in done.stderr
    assert everything(folder) == before


COMMANDS = [
    "compare in.xg in.sgf --html in.sgf",
    "compare in.xg in.sgf --json new.json --html in.sgf",
    "compare in.xg in.sgf --html in.sgf --json -",
    "compare in.xg in.sgf --ledger table.csv --markdown in.xg",
    "compare in.xg in.sgf --positions in.sgf",
    "compare in.xg in.sgf --left-rules own.yaml --positions own.yaml",
    "compare in.xg in.sgf --tolerances t.yaml --json t.yaml",
    "compare in.xg in.sgf --aliases names.yaml --json names.yaml",
    "compare in.xg in.sgf --corpus usual.json --json usual.json",
    "compare in.xg in.sgf in.sgf --json in.sgf",
    "compare left right --json left/a.xg",
    "compare left left right --json right/a.sgf",
    "stats in.xg --format json -o in.xg",
    "stats in.xg in.sgf -o in.sgf",
    "stats in.xg in.sgf --jobs 2 -o in.sgf",
    "stats in.xg --decisions --format csv -o in.xg",
    "stats in.xg --pool --aliases names.yaml -o names.yaml",
    "stats in.xg --rules own.yaml -o own.yaml",
    "stats in.xg --met woolsey.xml -o woolsey.xml",
    "stats club.db#1 -o club.db",
    "stats club.db#1 -o club.db-wal",
    "stats in.xg --format json -o ./left/../in.xg",
    "convert in.mat -o in.mat",
    "analyse in.sgf -o in.sgf",
    "analyse in.xg in_2ply.sgf -o .",
    "benchmark-make in.xg -o in.xg",
    "investigate in.xg --player 'Nora Lindqvist' --reported pr=1 --json in.xg",
    "investigate in.xg --player 'Nora Lindqvist' --paste paste.txt --json paste.txt",
    "investigate in.xg --player 'Nora Lindqvist' --reported pr=1 --met woolsey.xml --html woolsey.xml",
    "selfcheck in_2ply.sgf --json in_2ply.sgf",
    "validate pack --json pack/gnubg-11pt-cube-rich/match.yaml",
    "validate pack --markdown pack/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",
    "validate pack --tolerances t.yaml --json t.yaml",
    "validate pack --candidate ours.sgf --json ours.sgf",
    "validate pack --candidate-command 'python3 prog.py {file}' --json prog.py",
    "validate pack --candidate-command 'python3 -I -S show.py {match}.sgf' --json gnubg-11pt-cube-rich.sgf",
    "validate pack --history judged.json --json judged.json",
    "validate pack --history judged.json --badge new.json --markdown judged.json",
    "measure pack --json pack/gnubg-11pt-cube-rich/match.yaml",
    "measure pack --yaml pack/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",
    "measure pack --tolerances t.yaml --yaml t.yaml",
    "measure pack --candidate ours.sgf --markdown ours.sgf",
    "measure pack --candidate ours.sgf --aliases names.yaml --json names.yaml",
    "measure pack --candidate-command 'python3 -I -S show.py ours.sgf {file}' --yaml show.py",
    pytest.param(
        "probe --no-borders --candidate-command 'python3 -I -S show.py printed/{match}.json' --json new.json -o printed/plain.json",
        marks=pytest.mark.long,
    ),
    "diff old.json new.json --json new.json",
    "diff old.json new.json --markdown old.json",
    "corpus in.xg tables/matches.parquet -o tables",
    "corpus-query tables 'select 1' -o tables/matches.parquet",
    "corpus-query tables 'select 1' -o tables/corpus.json",
    "corpus-query tables 'select 1' --aliases names.yaml -o names.yaml",
    "corpus-report tables --html tables/decisions.parquet",
    "corpus-report tables --html page.html --usual tables/corpus.json",
    "corpus-report tables --aliases names.yaml --html names.yaml",
    "compare in.xg in.sgf --corpus tables --json tables/corpus.json",
]


@pytest.mark.parametrize("line", long_but_first([*COMMANDS[::2], *COMMANDS[1::2]], len(COMMANDS) // 2))
def test_no_output_replaces_what_the_command_reads(line: str, folder: Path) -> None:
    if "in.mat" in line:
        assert run("convert", "in.xg", "-o", "in.mat").exit_code == 0
    if line.startswith("diff"):
        for name in ("old.json", "new.json"):
            assert run("stats", "in.xg", "--format", "json", "-o", name).exit_code == 0
    if "judged.json" in line:
        assert run("validate", "pack", "--json", "judged.json").exit_code == 0
    if "printed" in line:
        write_answers(folder / "printed", RULE_SETS["gammonview"])
    if "tables" in line:
        pytest.importorskip("duckdb")
        build(["in.sgf"], "tables", jobs=1)
    refused(folder, *shlex.split(line))


@pytest.mark.parametrize("kind", ["symbolic", "hard", "folder"])
def test_an_input_is_known_under_every_name(kind: str, folder: Path) -> None:
    other = folder / "other.html"
    if kind == "hard":
        os.link(folder / "in.sgf", other)
    else:
        try:
            other.symlink_to(folder if kind == "folder" else folder / "in.sgf", target_is_directory=kind == "folder")
        except OSError:
            pytest.skip("no links here")
    written = "other.html/in.sgf" if kind == "folder" else "other.html"
    refused(folder, "compare", "in.xg", "in.sgf", "--html", written, told="read by this command, as in.sgf")
    if kind != "folder":
        refused(folder, "compare", "in.xg", "other.html", "--html", "in.sgf", told="read by this command, as other.html")


def test_what_is_read_from_standard_input_stays(folder: Path) -> None:
    with (folder / "in.xg").open("rb") as given:
        words = [sys.executable, "-m", "reconcile", "stats", "-", "-o", "in.xg"]
        done = subprocess.run(words, stdin=given, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, b"in.xg: is read by this command, as -" in done.stderr) == (2, True)
    assert (folder / "in.xg").read_bytes() == Path(XG).read_bytes()


def test_a_page_of_an_archive_s_folder_may_be_written_again(folder: Path) -> None:
    """It lies beside matches and is none: only files that are read must stay."""
    (folder / "left" / "report.json").write_text("old")
    assert run("compare", "left", "right", "--json", "left/report.json").exit_code in (0, 1)
    assert (folder / "left" / "report.json").read_text("utf-8").startswith("{")


def test_an_output_may_be_read_by_the_next_run_and_written_again(folder: Path) -> None:
    for _ in range(2):
        assert run("stats", "in.xg", "--format", "json", "-o", "a.json").exit_code == 0
        assert run("diff", "a.json", "a.json", "--json", "d.json").exit_code == 0


def test_a_zip_file_stays_whichever_member_is_read(folder: Path) -> None:
    for name, member in (("left.zip", "left/a.xg"), ("right.zip", "right/a.sgf")):
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.write(folder / member, "a" + Path(member).suffix)
    refused(folder, "compare", "left.zip", "right.zip", "--json", "right.zip")


def test_a_summary_of_github_is_not_added_to_an_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "in.sgf"))
    before = everything(folder)
    done = run("compare", "in.xg", "in.sgf", "--github", "--json", "new.json")
    assert (done.exit_code, "in.sgf: is read by this command" in done.stderr) == (2, True)
    assert everything(folder) == before
