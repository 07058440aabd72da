"""An archive becomes the same tables however it is packed and whatever happens on the way: processes, kills, full disks."""

from __future__ import annotations

import io
import os
import pickle
import random
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile.corpus import assembly
from reconcile.corpus.assembly import load_corpus
from reconcile.corpus.cluster import _work
from reconcile.corpus.parts import Batch, process, program
from reconcile.corpus.run import _local, build, prepare
from reconcile.corpus.shards import SHARDED
from reconcile.corpus.tables import IDS
from reconcile.errors import UnknownName, UnreadableFile
from reconcile.formats.archives import Unit
from tests.corpus.corpus_folder import RULES, content, copies, every_row, table
from tests.support.archive import SGF, XG, pack
from tests.support.command_line import run
from tests.support.variants import variant


def test_archives_hold_the_same_matches_as_the_folder(archive: Path, tmp_path: Path) -> None:
    packed = pack(archive, tmp_path)
    digests: list[list[tuple[str, bool]]] = []
    for source in (archive, *packed, f"{archive}/**/*.[xs]g*"):
        out = tmp_path / f"out{len(digests)}"
        build([str(source)], out, jobs=1)
        rows = table(out, "matches")
        digests.append(sorted((row["sha256"], row["duplicate_of"] is None) for row in rows))
    assert digests[0] == digests[1] == digests[2] == digests[3]
    inside = [row["file"] for row in table(tmp_path / "out1", "matches")]
    assert f"{tmp_path / 'all.zip'}!deep/a.sgf" in inside


@pytest.mark.parametrize("damage", ["cut", "garbage", "encrypted"])
def test_hostile_archives_are_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "y.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.sgf", SGF.read_bytes())
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
    assert "\n" not in error
    assert (corpus.matches, corpus.errors) == (1, 1)


def test_a_tar_file_that_ends_early_keeps_what_came_before(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as files:
        for source in (SGF, XG):
            files.add(source, source.name)
    (tmp_path / "x.tar").write_bytes(packed.getvalue()[: SGF.stat().st_size + 4000])
    corpus = build([str(tmp_path / "x.tar")], tmp_path / "out", jobs=1)
    assert (corpus.matches, corpus.errors) == (1, 1)


@pytest.mark.long
def test_the_same_tables_from_one_process_two_and_a_cluster(archive: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    build([str(archive)], tmp_path / "one", jobs=1)
    build([str(archive)], tmp_path / "two", jobs=2)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        build([str(archive)], tmp_path / "many", scheduler=cluster.scheduler_address)
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "many")


def one_after_the_other(work: Callable[[list[str]], int], lists: list[list[str]]) -> list[int]:
    return [*map(work, lists)]


def by_processes(work: Callable[[list[str]], int], lists: list[list[str]]) -> list[int]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as engine:
        return [*engine.map(work, lists)]


def by_ray(work: Callable[[list[str]], int], lists: list[list[str]]) -> list[int]:
    ray: Any = pytest.importorskip("ray", reason="Ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        done: list[int] = ray.get(
            [ray.remote(work.func).remote(one, **work.keywords) for one in lists]  # type: ignore[attr-defined]
        )
    finally:
        ray.shutdown()
    return done


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", [one_after_the_other, by_processes, by_ray])
def test_what_any_engine_prepared_needs_no_scoring(
    engine: Any, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes share a folder and nothing else, as machines do; one file is prepared twice."""
    build([str(archive)], tmp_path / "one", jobs=1)
    files = sorted(str(path) for path in archive.rglob("*") if path.is_file())
    lists = [files[:2], files[2:4], files[4:]]
    prepared = engine(partial(prepare, folder=tmp_path / "many"), lists)
    assert prepare(files[:1], tmp_path / "many") == 1
    assert prepared == [len(one) for one in lists]
    assert not [path for path in (tmp_path / "many").iterdir() if path.name != ".parts"]
    monkeypatch.setattr("reconcile.corpus.parts.rows_of", lambda *_: pytest.fail("scored again"))
    build([str(archive)], tmp_path / "many", jobs=1)
    assert every_row(tmp_path / "many") == every_row(tmp_path / "one")


def test_a_worker_of_a_cluster_reads_and_stores_by_itself_and_one_that_sees_no_folder_is_refused(
    tmp_path: Path,
) -> None:
    """What passes through the driver is names and digests: 8 files of some 100 kB each are less than 3 kB."""
    work = partial(process, rules=RULES, folder=tmp_path)
    units = tuple(Unit(str(path)) for path in copies(tmp_path / "in", 8))
    (tmp_path / "mark").touch()
    made = _work(units, frozenset(), work, tmp_path / "mark")
    assert len(pickle.dumps((units, made))) < 3000
    assert (tmp_path / ".parts" / made.part).is_file()
    with pytest.raises(UnreadableFile, match="a worker does not see this folder"):
        _work(units, frozenset(), work, tmp_path / "elsewhere" / ".parts" / "mark")


def test_matches_more_rewrite_nothing_and_renumber_nothing(tmp_path: Path) -> None:
    """Before the others, between them and after them."""
    copies(tmp_path / "in", 6)
    out = tmp_path / "out"
    build([str(tmp_path / "in")], out, jobs=1)
    shards = {
        path: path.stat().st_mtime_ns
        for table in SHARDED
        for path in (out / table).rglob("*.parquet")
    }
    numbers = {row["file"]: row["match"] for row in table(out, "matches")}
    for seed, name in enumerate(("a", "m003", "z"), 90):
        (tmp_path / "in" / f"{name}.xg").write_bytes(variant(XG.read_bytes(), seed))
    build([str(tmp_path / "in")], out, jobs=1)
    assert {path: path.stat().st_mtime_ns for path in shards} == shards
    assert {row["file"]: row["match"] for row in table(out, "matches")}.items() > numbers.items()
    build([str(tmp_path / "in")], tmp_path / "clean", jobs=1)
    assert every_row(out) == every_row(tmp_path / "clean")


@pytest.mark.long
def test_copies_of_a_file_are_one_analysis_whenever_they_come_and_go(tmp_path: Path) -> None:
    content_of = {name: variant(XG.read_bytes(), seed) for seed, name in enumerate("bdf")}
    for number, files in enumerate(("bdf", "bbbddf", "ddf")):
        shutil.rmtree(tmp_path / "in", ignore_errors=True)
        (tmp_path / "in").mkdir()
        for place, name in enumerate(files):
            (tmp_path / "in" / f"{name}{place}.xg").write_bytes(content_of[name])
        for out in ("grown", f"clean{number}"):
            made = build([str(tmp_path / "in")], tmp_path / out, jobs=1)
            assert (made.files, made.matches) == (len(files), len(set(files)))
        rows = every_row(tmp_path / "grown")
        assert rows == every_row(tmp_path / f"clean{number}")
        assert len({row["match"] for row in rows["matches"]}) == len(files)
        assert (
            len({row["analysis_id"] for row in rows["analyses"]})
            == len(rows["analyses"])
            == len(set(files))
        )
        for name in ("decisions", "players", "games", "questions"):
            assert {tuple(row[key] for key in IDS) for row in rows[name]} == {
                tuple(row[key] for key in IDS) for row in rows["analyses"]
            }


def test_rules_that_no_corpus_has_are_refused_before_anything_is_prepared(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no rule set 'none'"):
        prepare([str(XG)], tmp_path / "out", rules=("xg", "none"))
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.corpus.run.BATCH", 40)
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    copies(tmp_path / "in", 100)
    build([str(tmp_path / "in")], tmp_path / "out", jobs=1)
    killed: list[int] = []

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        workers = [worker.process.pid for worker in cluster.workers.values()]

        def kill_one(done: int, _batch: int) -> None:
            if not killed:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        build(
            [str(tmp_path / "in")],
            tmp_path / "many",
            scheduler=cluster.scheduler_address,
            progress=kill_one,
        )
    assert killed
    assert content(tmp_path / "out") == content(tmp_path / "many")


class Deadly(Unit):
    """A unit that takes its process down."""

    __slots__ = ()

    def read(self) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


@pytest.mark.long
def test_a_file_that_takes_its_process_down_is_told_and_the_others_are_done(tmp_path: Path) -> None:
    batches: Iterator[tuple[Unit, ...]] = iter(
        [(Unit(str(SGF)),), (Deadly("deadly.sgf"), Unit(str(XG))), (Unit(str(SGF)),)]
    )
    done = [*_local(batches, partial(process, rules=RULES, folder=tmp_path), frozenset(), 2)]
    assert {batch.part for batch in done} - {""} == {
        path.name for path in (tmp_path / ".parts").glob("*.part")
    }
    outcomes = [outcome for batch in done for outcome in batch.outcomes]
    assert [outcome.name for outcome in outcomes] == [str(SGF), "deadly.sgf", str(XG), str(SGF)]
    assert [outcome.error is None for outcome in outcomes] == [True, False, True, True]


@pytest.mark.long
def test_killed_at_any_moment_and_resumed_it_gives_what_one_clean_run_gives(tmp_path: Path) -> None:
    files = tmp_path / "in"
    copies(files, 60)
    build([str(files)], tmp_path / "clean", jobs=1)
    interrupted = tmp_path / "interrupted"
    draw = random.Random(int(os.environ.get("RECONCILE_SEED", "7")))
    for _ in range(int(os.environ.get("RECONCILE_KILLS", "3"))):
        command = [
            sys.executable,
            "-m",
            "reconcile",
            "corpus",
            str(files),
            "-o",
            str(interrupted),
            "--jobs",
            "1",
            "--quiet",
        ]
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(draw.uniform(0.3, 1.6))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    build([str(files)], interrupted, jobs=1)
    assert content(interrupted) == content(tmp_path / "clean")


def test_what_is_known_is_not_read_again_and_what_is_gone_is_forgotten(
    archive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build([str(archive)], out, jobs=1)
    (part,) = (out / ".parts").glob("*.part")
    stamp = part.stat().st_mtime_ns
    (archive / "b.xg").rename(archive / "renamed.xg")
    build([str(archive)], out, jobs=1)
    assert [path.stat().st_mtime_ns for path in (out / ".parts").glob("*.part")] == [stamp]
    assert str(archive / "renamed.xg") in [row["file"] for row in table(out, "matches")]
    build([str(archive / "deep")], out, jobs=1, rules=("gnubg",))
    (left,) = (out / ".parts").glob("*.part")
    assert left.name != part.name
    assert {row["rules"] for row in table(out, "players")} == {"gnubg"}


@pytest.mark.long
def test_tables_are_made_again_only_if_something_is_new_or_damaged(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Mock(side_effect=assembly._duplicates)
    monkeypatch.setattr(assembly, "_duplicates", made)

    def again(**changed: Any) -> int:
        """The number of times that the tables were made."""
        made.reset_mock()
        assert build([str(archive)], out, jobs=1, **changed) == load_corpus(str(out))
        return made.call_count

    for seed in range(2):
        (archive / f"v{seed}.xg").unlink()
    out = tmp_path / "out"
    assert [again(), again()] == [1, 0]
    whole = content(out)
    shutil.rmtree(out / ".parts")
    assert again() == 0
    assert content(out) == whole
    for name in ("decisions", "matches"):
        path = next((out / name).rglob("*.parquet"))
        damaged = bytearray(path.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        path.write_bytes(damaged)
        assert again() == (name == "matches")
        assert content(out) == whole
    next((out / "games").rglob("*.parquet")).unlink()
    assert again() == 0
    assert content(out) == whole
    assert [again(rules=("xg",)), again()] == [1, 1]
    assert content(out) == whole
    (archive / "b.xg").rename(archive / "renamed.xg")
    assert [again(), again()] == [1, 0]
    (archive / "torn.xg").write_bytes(XG.read_bytes()[:5000])
    assert [again(), again()] == [1, 0]
    (archive / "torn.xg").unlink()
    assert [again(), again()] == [1, 0]


@pytest.mark.long
def test_a_file_that_is_scored_now_and_was_not_before_is_news(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as short:
        short.setattr("reconcile.corpus.parts.rows_of", Mock(side_effect=MemoryError))
        assert build([str(archive)], out, jobs=1).played == 0
    shutil.rmtree(out / ".parts")
    assert build([str(archive)], out, jobs=1).played > 0
    build([str(archive)], tmp_path / "clean", jobs=1)
    assert content(out) == content(tmp_path / "clean")


@pytest.mark.long
def test_a_full_disk_is_one_line_and_leaves_nothing_unfinished(
    archive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = subprocess.run(
        [sys.executable, "-m", "reconcile", "corpus", str(archive), "-o", str(out), "--jobs", "1"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        env=os.environ
        | {
            "PYTHONDONTWRITEBYTECODE": "1"
        },  # or Python keeps the beginning of a module for later runs
        check=False,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in ran.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "expected a file, a folder or a pattern, found nothing"),
        (["*.nothing"], "no file matches this pattern"),
        (["."], "expected matches or archives of matches, found none"),
        ([".", "--rules", "xg,none"], "no rule set 'none'"),
        ([".", "--rules", "xg,xg"], "expected different rule sets"),
        pytest.param(
            [".", "--scheduler", "tcp://127.0.0.1:9"],
            "expected a Dask scheduler",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    if "--scheduler" in arguments:
        pytest.importorskip("distributed", reason="Dask is not installed")
        monkeypatch.setattr("reconcile.corpus.cluster.PATIENCE", "1s")
    monkeypatch.chdir(tmp_path)
    ran = run("corpus", *arguments, "-o", str(tmp_path / "out"))
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n"), [*tmp_path.iterdir()]) == (
        2,
        "",
        1,
        [],
    )
    assert told in ran.stderr


def test_a_worker_of_another_version_is_refused_and_leaves_nothing(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(*given: Any, **named: Any) -> Batch:
        with monkeypatch.context() as there:
            there.setattr("reconcile.corpus.parts.program", lambda: "0.0.9 (abc)")
            there.setattr("reconcile.scoring.figures.PR_FACTOR", 400)
            return replace(process(*given, **named), maker="0.0.9 (abc)")

    with monkeypatch.context() as worker:
        worker.setattr("reconcile.corpus.run.process", other)
        with pytest.raises(
            UnreadableFile,
            match=r"^a worker has reconcile 0\.0\.9 \(abc\): expected 1\.0\.0 \([0-9a-f]{32}\), as here",
        ):
            build([str(archive)], tmp_path / "out", jobs=1)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".parts"]
    build([str(archive)], tmp_path / "out", jobs=1)
    build([str(archive)], tmp_path / "clean", jobs=1)
    assert content(tmp_path / "out") == content(tmp_path / "clean")
    assert len([*(tmp_path / "out" / ".parts").glob("*.part")]) == 1


def test_what_changes_the_program_changes_what_it_says_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(text: str) -> str:
        (tmp_path / "figures.py").write_text(text)
        return program.__wrapped__()

    monkeypatch.setattr("reconcile.corpus.parts.ROOT", tmp_path)
    assert said("PR_FACTOR = 500") == said("PR_FACTOR = 500") != said("PR_FACTOR = 400")
