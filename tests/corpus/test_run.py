"""An archive becomes the same tables however it is packed and whoever does the work, whatever
happens on the way: processes, kills, full disks."""

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from multiprocessing import get_context

import pytest

from reconcile.corpus.run import _local, build, prepare, work_seeing
from reconcile.corpus.tables import LOCK, Settings, program
from reconcile.corpus.work import DIED, process
from reconcile.errors import UnknownName, UnreadableFile
from reconcile.formats.archives import Unit
from tests.corpus.corpus_folder import batches, content, copies, every_row, make, table
from tests.support.archive import SGF, XG, archive_of, pack
from tests.support.command_line import refused


def test_archives_hold_the_same_matches_as_the_folder(archive, tmp_path):
    packed = pack(archive, tmp_path)
    paths = [*map(str, packed), f"{archive}/**/*.[xs]g*"]
    corpus = build([str(archive), *paths], tmp_path / "out", jobs=1)
    rows = table(tmp_path / "out", "matches")
    times = Counter(row["sha256"] for row in rows)
    assert (len(times), {*times.values()}, len(rows)) == (4, {4, 8}, 4 * 5)
    assert corpus.matches == 4
    assert f"{tmp_path / 'all.zip'}!deep/a.sgf" in [row["file"] for row in rows]


def test_hostile_archive_is_one_line_of_the_table_of_files(tmp_path):
    sound = archive_of("zip", {"a.sgf": SGF.read_bytes()})
    garbage, encrypted = bytearray(sound), bytearray(sound)
    garbage[60:400] = bytes(range(85)) * 4
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[sound.index(signature) + offset] |= 1
    for number, damaged in enumerate((sound[: len(sound) // 2], garbage, encrypted)):
        (tmp_path / f"{number}.zip").write_bytes(damaged)
    (tmp_path / "good.sgf").write_bytes(SGF.read_bytes())
    corpus = make(tmp_path, tmp_path / "out")
    errors = [row["error"] for row in table(tmp_path / "out", "files") if row["error"]]
    assert "\n" not in "".join(errors)
    assert (corpus.matches, corpus.errors, len(errors)) == (1, 3, 3)


def a_cluster():
    """Two workers of Dask."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    settings = {"dashboard_address": ":0", "silence_logs": 50}
    return distributed.LocalCluster(2, threads_per_worker=1, processes=True, **settings)


@pytest.mark.long
def test_the_same_tables_from_one_process_two_and_a_cluster(archive, tmp_path):
    with a_cluster() as cluster:
        for name, how in (
            ("one", {"jobs": 1}),
            ("two", {"jobs": 2}),
            ("many", {"scheduler": cluster.scheduler_address}),
        ):
            build([str(archive)], tmp_path / name, **how)
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "many")


def one_after_the_other(work, lists):
    return [*map(work, lists)]


def by_processes(work, lists):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as engine:
        return [*engine.map(work, lists)]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("engine", [one_after_the_other, by_processes])
def test_what_any_engine_prepared_needs_no_scoring(engine, archive, tmp_path, monkeypatch):
    """The processes share a folder and nothing else, as machines do; one file is prepared twice."""
    make(archive, tmp_path / "one")
    files = sorted(str(path) for path in archive.rglob("*") if path.is_file())
    lists = [files[:2], files[2:4], files[4:]]
    prepared = engine(partial(prepare, folder=tmp_path / "many"), lists)
    assert prepare(files[:1], tmp_path / "many") == 1
    assert prepared == [len(each) for each in lists]
    assert [path.name for path in (tmp_path / "many").iterdir()] == [".work"]
    monkeypatch.setattr("reconcile.corpus.work.rows_of", lambda *_: pytest.fail("scored again"))
    make(archive, tmp_path / "many")
    assert every_row(tmp_path / "many") == every_row(tmp_path / "one")


def test_a_worker_of_a_cluster_stores_by_itself_and_one_that_sees_no_folder_is_refused(
    tmp_path,
):
    """What passes through the driver is names and digests: 8 files of 100 kB are below 3 kB."""
    work = partial(process, settings=Settings(), folder=tmp_path, run="")
    units = tuple(Unit(str(path)) for path in copies(tmp_path / "in", 8))
    with pytest.raises(UnreadableFile, match="a worker does not see this folder"):
        work_seeing(tmp_path, work, units)
    (tmp_path / ".work").mkdir()
    (tmp_path / ".work" / LOCK).touch()
    assert len(pickle.dumps((units, work_seeing(tmp_path, work, units)))) < 3000
    assert len(batches(tmp_path)) == 1


def test_rules_that_no_corpus_has_are_refused_before_anything_is_prepared(tmp_path):
    with pytest.raises(UnknownName, match="no rule set 'none'"):
        prepare([str(XG)], tmp_path / "out", Settings(("xg", "none")))
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("reconcile.corpus.run.BATCH", 40)
    files = str(copies(tmp_path / "in", 100)[0].parent)
    build([files], tmp_path / "out", jobs=1)
    killed: list[int] = []
    with a_cluster() as cluster:
        workers = [worker.process.pid for worker in cluster.workers.values()]

        def kill_the_first(done, _batch):
            if not killed:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        scheduler = cluster.scheduler_address
        build([files], tmp_path / "many", scheduler=scheduler, progress=kill_the_first)
    assert killed
    assert content(tmp_path / "out") == content(tmp_path / "many")


class Deadly(Unit):
    """A unit that takes its process down."""

    __slots__ = ()

    def read(self):
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


@pytest.mark.long
def test_a_file_that_takes_its_process_down_is_listed_and_the_others_are_done(
    tmp_path,
):
    three: Iterator[tuple[Unit, ...]] = iter(
        [(Unit(str(SGF)),), (Deadly("deadly.sgf"), Unit(str(XG))), (Unit(str(SGF)),)]
    )
    work = partial(process, settings=Settings(), folder=tmp_path, run="")
    outcomes = [outcome for batch in _local(three, work, 2) for outcome in batch.outcomes]
    digests = [sha256(path.read_bytes()).hexdigest() for path in (SGF, XG, SGF)]
    assert outcomes == [(digests[0], None), (None, DIED), *((each, None) for each in digests[1:])]
    assert len(batches(tmp_path)) == 2


@pytest.mark.long
def test_killed_at_any_moment_and_resumed_it_gives_what_one_clean_run_gives(tmp_path):
    files = str(copies(tmp_path / "in", 60)[0].parent)
    build([files], tmp_path / "clean", jobs=1)
    out = tmp_path / "interrupted"
    draw = random.Random(int(os.environ.get("RECONCILE_SEED", "7")))
    words = ["-m", "reconcile", "corpus", files, "-o", str(out), "--jobs", "1", "--quiet"]
    for _ in range(int(os.environ.get("RECONCILE_KILLS", "1"))):
        started = subprocess.Popen([sys.executable, *words], start_new_session=True)
        time.sleep(draw.uniform(0.3, 1.6))
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    build([files], out, jobs=1)
    assert content(out) == content(tmp_path / "clean")


@pytest.mark.long
def test_a_full_disk_is_one_line_and_leaves_nothing_unfinished(archive, tmp_path):
    resource = pytest.importorskip("resource")
    out = tmp_path / "out"
    words = ["-m", "reconcile", "corpus", str(archive), "-o", str(out), "--jobs", "1"]
    # Without bytecode, or Python keeps the beginning of a module for later runs.
    ran = subprocess.run(
        [sys.executable, "-B", *words],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        check=False,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in ran.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
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
def test_what_cannot_be_done_is_one_line(tmp_path, monkeypatch, arguments, message):
    if "--scheduler" in arguments:
        pytest.importorskip("distributed", reason="Dask is not installed")
        monkeypatch.setattr("reconcile.corpus.run.PATIENCE", "1s")
    monkeypatch.chdir(tmp_path)
    assert message in refused("corpus", *arguments, "-o", tmp_path / "out")
    assert [*tmp_path.iterdir()] == []


def test_a_worker_of_another_version_is_refused_and_its_work_is_not_taken(
    archive, tmp_path, monkeypatch
):
    def other(*arguments, **named):
        with monkeypatch.context() as there:
            there.setattr("reconcile.corpus.tables.program", lambda: "0.0.9 (abc)")
            there.setattr("reconcile.scoring.figures.PR_FACTOR", 400)
            return process(*arguments, **named)._replace(maker="0.0.9 (abc)")

    with monkeypatch.context() as worker:
        worker.setattr("reconcile.corpus.run.process", other)
        with pytest.raises(
            UnreadableFile,
            match=r"^a worker has reconcile 0\.0\.9 \(abc\): expected 1\.0\.0 \([0-9a-f]{32}\), as",
        ):
            make(archive, tmp_path / "out")
    make(archive, tmp_path / "out")
    make(archive, tmp_path / "clean")
    assert content(tmp_path / "out") == content(tmp_path / "clean")
    assert batches(tmp_path / "out") == batches(tmp_path / "clean")


def test_what_changes_the_program_changes_its_name(tmp_path, monkeypatch):
    def name_of(text):
        (tmp_path / "figures.py").write_text(text)
        return program.__wrapped__()

    monkeypatch.setattr("reconcile.corpus.tables.ROOT", tmp_path)
    assert name_of("FACTOR = 500") == name_of("FACTOR = 500") != name_of("FACTOR = 400")
