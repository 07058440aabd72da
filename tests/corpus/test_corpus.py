"""An archive becomes the same tables whatever happens on the way, and the tables say what `stats` says of each file."""

from __future__ import annotations

import io
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from reconcile import load_match, statistics
from reconcile.adapters.archives import Unit, count, units
from reconcile.cli import main
from reconcile.corpus.assembly import load_corpus
from reconcile.corpus.run import _local, build
from reconcile.corpus.tables import FILES, column_of, schemas
from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.scoring.metrics import METRICS
from tests.support.variants import variant

PACK = Path(__file__).parents[2] / "reference_matches"
XG = PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg"
SGF = PACK / "demonstration" / "nora-lindqvist-tomas-beck.sgf"
RULES = ("xg", "gnubg")
TABLES = ("files", *schemas(RULES))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A folder of matches from two tools, one of them twice, and two files that hold none."""
    folder = tmp_path / "matches"
    (folder / "deep" / "er").mkdir(parents=True)
    shutil.copy(XG, folder / "b.xg")
    shutil.copy(SGF, folder / "deep" / "a.sgf")
    shutil.copy(SGF, folder / "deep" / "er" / "again.sgf")
    for seed in range(4):
        (folder / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
    (folder / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    (folder / "notes.txt").write_text("nothing but notes")
    (folder / "picture.png").write_bytes(b"not looked at")
    return folder


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_tables_have_the_columns_that_are_published(archive: Path, tmp_path: Path) -> None:
    build([str(archive)], tmp_path / "out", jobs=1)
    for name, schema in {"files": FILES, **schemas(RULES)}.items():
        assert pq.read_schema(tmp_path / "out" / f"{name}.parquet").equals(schema)
        assert all(field.metadata[b"description"] for field in schema), name


def test_players_have_the_figures_of_stats(archive: Path, tmp_path: Path) -> None:
    build([str(archive)], tmp_path / "out", jobs=1)
    matches = {row["match"]: row for row in table(tmp_path / "out", "matches")}
    players = table(tmp_path / "out", "players")
    assert len(players) == 2 * 2 * sum(row["duplicate_of"] is None for row in matches.values())
    for row in players:
        expected = statistics(load_match(matches[row["match"]]["file"]), row["rules"]).figures(row["seat"])
        assert {name: row[column_of(name)] for name in METRICS} == expected


def test_games_and_decisions_add_up_to_the_players(archive: Path, tmp_path: Path) -> None:
    build([str(archive)], tmp_path / "out", jobs=1)
    games, decisions = table(tmp_path / "out", "games"), table(tmp_path / "out", "decisions")
    for row in table(tmp_path / "out", "players"):
        key = (row["match"], row["seat"])
        mine = [game for game in games if (game["match"], game["seat"], game["rules"]) == (*key, row["rules"])]
        assert sum(game["equity_error_total"] for game in mine) == pytest.approx(row["equity_error_total"], abs=1e-9)
        assert sum(game["moves_total"] for game in mine) == row["moves_total"]
        own = [one for one in decisions if (one["match"], one["seat"]) == key]
        assert sum(one[f"counted_{row['rules']}"] for one in own) == row["decisions_counted"]
        assert sum(one[f"error_{row['rules']}"] or 0 for one in own) == pytest.approx(row["equity_error_total"], abs=1e-6)


def test_a_decision_without_analysis_has_no_error_instead_of_zero(tmp_path: Path) -> None:
    (tmp_path / "bare.mat").write_text(
        " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    )
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    decisions = table(tmp_path / "out", "decisions")
    assert decisions
    assert not any(row["analysed"] for row in decisions)
    assert {row[f"error_{name}"] for row in decisions for name in RULES} == {None}
    assert {row["pr"] for row in table(tmp_path / "out", "players")} == {None}


def test_one_match_of_one_tool_counts_once_and_two_tools_are_two_analyses(archive: Path, tmp_path: Path) -> None:
    corpus = build([str(archive)], tmp_path / "out", jobs=1)
    rows = table(tmp_path / "out", "matches")
    by_name = {Path(row["file"]).name: row for row in rows}
    assert by_name["b.xg"]["transcript"] == by_name["a.sgf"]["transcript"] == by_name["again.sgf"]["transcript"]
    assert by_name["again.sgf"]["duplicate_of"] == by_name["a.sgf"]["match"]
    assert by_name["a.sgf"]["duplicate_of"] is by_name["b.xg"]["duplicate_of"] is None
    assert (corpus.matches, corpus.duplicates) == (6, 1)
    assert by_name["again.sgf"]["match"] not in {row["match"] for row in table(tmp_path / "out", "decisions")}


def test_of_two_analyses_by_one_tool_the_fuller_one_stands(tmp_path: Path) -> None:
    whole = SGF.read_bytes()
    (tmp_path / "a-bare.sgf").write_bytes(_without_analysis(whole))
    (tmp_path / "b-whole.sgf").write_bytes(whole)
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    first, second = table(tmp_path / "out", "matches")
    assert first["analysed"] < second["analysed"]
    assert (first["duplicate_of"], second["duplicate_of"]) == (second["match"], None)


def _without_analysis(content: bytes) -> bytes:
    import re

    return re.sub(rb"(?<=\])(?:DA|A)(?:\[[^\]]*\])+", b"", content)


def test_files_that_cannot_be_read_are_told_and_stop_nothing(archive: Path, tmp_path: Path) -> None:
    corpus = build([str(archive)], tmp_path / "out", jobs=1)
    errors = {Path(row["file"]).name: row["error"] for row in table(tmp_path / "out", "files") if row["error"]}
    assert set(errors) == {"broken.xg"}
    assert "truncated" in errors["broken.xg"]
    assert corpus.errors == 1


def test_a_text_that_is_no_transcript_is_no_error(archive: Path, tmp_path: Path) -> None:
    (archive / "cut.txt").write_text(" 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n  1) 97: 8/5 6/5\n")
    corpus = build([str(archive)], tmp_path / "out", jobs=1)
    rows = {Path(row["file"]).name: row for row in table(tmp_path / "out", "files")}
    assert (rows["notes.txt"]["matches"], rows["notes.txt"]["error"]) == (0, None)
    assert rows["cut.txt"]["error"].startswith("line 5: ")
    assert (corpus.without_match, corpus.errors) == (1, 2)


def test_archives_hold_the_same_matches_as_the_folder(archive: Path, tmp_path: Path) -> None:
    files = sorted(path for path in archive.rglob("*") if path.is_file())
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            packed.write(path, path.relative_to(archive))
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as packed_tar:
        for path in files:
            packed_tar.add(path, path.relative_to(archive))
    digests: list[list[tuple[str, bool]]] = []
    for source in (archive, tmp_path / "all.zip", tmp_path / "all.tar.gz", f"{archive}/**/*.[xs]g*"):
        out = tmp_path / f"out{len(digests)}"
        build([str(source)], out, jobs=1)
        rows = table(out, "matches")
        digests.append(sorted((row["sha256"], row["duplicate_of"] is None) for row in rows))
    assert digests[0] == digests[1] == digests[2] == digests[3]
    inside = [row["file"] for row in table(tmp_path / "out1", "matches")]
    assert f"{tmp_path / 'all.zip'}!deep/a.sgf" in inside


@pytest.mark.parametrize("damage", ["cut", "garbage", "bomb", "encrypted"])
def test_hostile_archives_are_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.sgf", b"\0" * (200 << 20) if damage == "bomb" else SGF.read_bytes())
    blob = bytearray(path.read_bytes())
    if damage == "cut":
        blob = blob[: len(blob) // 2]
    elif damage == "garbage":
        blob[60:400] = bytes(range(85)) * 4
    elif damage == "encrypted":
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            blob[blob.index(signature) + offset] |= 1
    path.write_bytes(bytes(blob))
    (tmp_path / "good.sgf").write_bytes(SGF.read_bytes())
    corpus = build([str(tmp_path)], tmp_path / "out", jobs=1)
    (error,) = [row["error"] for row in table(tmp_path / "out", "files") if row["error"]]
    assert error
    assert "\n" not in error
    assert (corpus.matches, corpus.errors) == (1, 1)


def test_a_tar_file_that_ends_early_keeps_what_came_before(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as files:
        for name in ("a.sgf", "b.xg"):
            source = SGF if name == "a.sgf" else XG
            files.add(source, name)
    (tmp_path / "x.tar").write_bytes(packed.getvalue()[: SGF.stat().st_size + 4000])
    corpus = build([str(tmp_path / "x.tar")], tmp_path / "out", jobs=1)
    assert (corpus.matches, corpus.errors) == (1, 1)


def test_the_same_tables_from_one_process_two_and_a_cluster(archive: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    build([str(archive)], tmp_path / "one", jobs=1)
    build([str(archive)], tmp_path / "two", jobs=2)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        build([str(archive)], tmp_path / "many", scheduler=cluster.scheduler_address)
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "many")


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    for seed in range(100):
        (tmp_path / f"v{seed:03}.xg").write_bytes(variant(XG.read_bytes(), seed))
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    killed: list[int] = []

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        workers = [worker.process.pid for worker in cluster.workers.values()]

        def kill_one(done: int, _batch: int) -> None:
            if not killed:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        build([str(tmp_path)], tmp_path / "many", scheduler=cluster.scheduler_address, progress=kill_one)
    assert killed
    assert content(tmp_path / "out") == content(tmp_path / "many")


class Deadly(Unit):
    """A unit that takes its process down."""

    __slots__ = ()

    def read(self) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


def test_a_file_that_takes_its_process_down_is_told_and_the_others_are_done() -> None:
    batches: Iterator[tuple[Unit, ...]] = iter([(Unit(str(SGF)),), (Deadly("deadly.sgf"), Unit(str(XG))), (Unit(str(SGF)),)])
    outcomes = [outcome for batch in _local(batches, RULES, frozenset(), 2) for outcome in batch.outcomes]
    assert [outcome.name for outcome in outcomes] == [str(SGF), "deadly.sgf", str(XG), str(SGF)]
    assert [outcome.error is None for outcome in outcomes] == [True, False, True, True]


def test_files_are_counted_beforehand_where_an_archive_has_an_index(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for path in archive.rglob("*.sgf"):
            packed.write(path, path.name)
    paths = [str(archive), str(tmp_path / "all.zip")]
    assert count(paths) == len(list(units(paths)))
    with tarfile.open(tmp_path / "all.tar", "w") as tar:
        tar.add(archive / "b.xg")
    assert count([*paths, str(tmp_path / "all.tar")]) is None


def test_index_of_a_zip_file_is_not_read_again_for_every_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(50):
            packed.writestr(f"{number}.sgf", b"(;GM[6]MI[length:7])")
    found = list(units([str(path)]))
    opened = []
    real = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *arguments: Any, **options: Any) -> None:
        opened.append(arguments)
        real(self, *arguments, **options)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    assert {unit.read() for unit in found} == {b"(;GM[6]MI[length:7])"}
    assert len(opened) <= 1


def test_killed_at_any_moment_and_resumed_it_gives_what_one_clean_run_gives(tmp_path: Path) -> None:
    files = tmp_path / "in"
    files.mkdir()
    for seed in range(60):
        (files / f"v{seed:03}.xg").write_bytes(variant(XG.read_bytes(), seed))
    build([str(files)], tmp_path / "clean", jobs=1)
    interrupted = tmp_path / "interrupted"
    draw = random.Random(int(os.environ.get("RECONCILE_SEED", "7")))
    for _ in range(int(os.environ.get("RECONCILE_KILLS", "3"))):
        command = [sys.executable, "-m", "reconcile", "corpus", str(files), "-o", str(interrupted), "--jobs", "1", "--quiet"]
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(draw.uniform(0.3, 1.6))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    build([str(files)], interrupted, jobs=1)
    assert content(interrupted) == content(tmp_path / "clean")


def test_what_is_known_is_not_read_again_and_what_is_gone_is_forgotten(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build([str(archive)], out, jobs=1)
    (part,) = (out / ".parts").iterdir()
    stamp = part.stat().st_mtime_ns
    (archive / "b.xg").rename(archive / "renamed.xg")
    build([str(archive)], out, jobs=1)
    assert [path.stat().st_mtime_ns for path in (out / ".parts").iterdir()] == [stamp]
    assert str(archive / "renamed.xg") in [row["file"] for row in table(out, "matches")]
    build([str(archive / "deep")], out, jobs=1, rules=("gnubg",))
    (left,) = (out / ".parts").iterdir()
    assert left.name != part.name
    assert {row["rules"] for row in table(out, "players")} == {"gnubg"}


def test_a_full_disk_is_one_line_and_leaves_nothing_unfinished(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = subprocess.run(
        [sys.executable, "-m", "reconcile", "corpus", str(archive), "-o", str(out), "--jobs", "1"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        check=False,
        timeout=120,
    )
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "cannot be written" in ran.stderr
    assert not [path for path in out.rglob("*") if path.is_file()]
    with pytest.raises(InvalidConfiguration, match="expected a finished corpus"):
        load_corpus(str(out))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "expected a file, a folder or a pattern, found nothing"),
        (["*.nothing"], "no file fits this pattern"),
        (["."], "expected matches or archives of matches, found none"),
        ([".", "--rules", "xg,none"], "no rule set 'none'"),
        ([".", "--rules", "xg,xg"], "expected different rule sets"),
        ([".", "--scheduler", "tcp://127.0.0.1:9"], "expected a Dask scheduler"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str) -> None:
    if "--scheduler" in arguments:
        pytest.importorskip("distributed", reason="Dask is not installed")
        monkeypatch.setattr("reconcile.corpus.cluster.PATIENCE", "1s")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, ["corpus", *arguments, "-o", str(tmp_path / "out")])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_links_to_folders_are_not_followed_and_hidden_folders_not_entered(tmp_path: Path) -> None:
    (tmp_path / "in" / ".git").mkdir(parents=True)
    shutil.copy(XG, tmp_path / "in" / ".git" / "x.xg")
    shutil.copy(XG, tmp_path / "in" / "y.xg")
    (tmp_path / "in" / "round").symlink_to(tmp_path / "in", target_is_directory=True)
    assert [Path(unit.path).name for unit in units([str(tmp_path / "in")])] == ["y.xg"]


def test_a_file_too_large_for_a_match_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.xg").open("wb") as file:
        file.truncate(10 << 30)
    (unit,) = units([str(tmp_path)])
    with pytest.raises(UnreadableFile, match="more than 128 MB"):
        unit.read()


def test_row_groups_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reconcile.corpus.assembly.ROW_GROUP", 500)
    for seed in range(6):
        (tmp_path / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    file = pq.ParquetFile(tmp_path / "out" / "decisions.parquet")
    rows = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert len(rows) > 1
    assert max(rows) < 1000
    assert isinstance(file.read(), pa.Table)
