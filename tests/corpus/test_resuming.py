"""What is read is not read again, what is gone goes, and what is damaged is made again, whatever
happens on the way; the rows are those of a single run."""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from reconcile.corpus import run
from reconcile.corpus.run import build
from reconcile.corpus.tables import IDS, LOCK, SHARDED, Settings
from reconcile.files.output import CannotWrite
from reconcile.formats.archives import Unit
from tests.corpus.corpus_folder import batches, content, copies, every_row, make, table
from tests.support.archive import SGF, XG
from tests.support.long import long_but_first
from tests.support.processes import wait_until
from tests.support.variants import variant

TICK = 0.02
"""Seconds after which a file system gives another time."""


@pytest.fixture
def reads(monkeypatch):
    """The files that are opened, of any age."""
    names: list[str] = []

    def note(unit):
        names.append(Path(unit.name).name)
        return original(unit)

    original = Unit.read
    monkeypatch.setattr(Unit, "read", note)
    monkeypatch.setattr("reconcile.corpus.work.SETTLED", -1)
    return names


@pytest.fixture
def matches(tmp_path):
    """A match in a folder, one in a zip file, and two in a tar file."""
    folder = tmp_path / "matches"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(SGF.read_bytes())
    for name in ("b.xg", "c.xg", "d.xg"):
        (tmp_path / name).write_bytes(variant(XG.read_bytes(), ord(name[0])))
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.write(tmp_path / "b.xg", "b.xg")
    packed(folder / "x.tar", tmp_path / "c.xg", tmp_path / "d.xg")
    time.sleep(TICK)
    return folder


def packed(path, *members):
    with tarfile.open(path, "w") as archive:
        for member in members:
            archive.add(member, member.name)


def is_as_from_a_clean_run(out, *paths):
    build([str(path) for path in paths], out.parent / "fresh", jobs=1)
    return every_row(out) == every_row(out.parent / "fresh")


# -- increments ------------------------------------------------------------------------------------


def test_no_archive_is_opened_twice_but_one_that_has_just_changed(
    matches, tmp_path, reads, monkeypatch
):
    """Nor one with a member whose name no encoding has."""
    with tarfile.open(matches / "odd.tar", "w") as archive:
        member = tarfile.TarInfo("caf\udce9.sgf")
        member.size = SGF.stat().st_size
        with SGF.open("rb") as file:
            archive.addfile(member, file)
    time.sleep(TICK)
    out = tmp_path / "out"
    make(matches, out)
    assert reads == ["a.sgf", "b.zip!b.xg", r"odd.tar!caf\udce9.sgf", "x.tar!c.xg", "x.tar!d.xg"]
    before = content(out)
    for settled, again in ((-1, 0), (3600, 5)):
        monkeypatch.setattr("reconcile.corpus.work.SETTLED", settled)
        reads.clear()
        make(matches, out)
        assert len(reads) == again
        assert content(out) == before


def same_size_and_time(path):
    before = path.stat()
    packed(path, path.parent.parent / "d.xg", path.parent.parent / "c.xg")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(path):
    before = path.stat()
    other = path.with_name("other")
    packed(other, path.parent.parent / "d.xg", path.parent.parent / "c.xg")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


def another_match(path):
    before = path.stat()
    path.with_name("a.sgf").write_bytes(variant(SGF.read_bytes(), 5))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a match beside it": another_match,
    "other bytes of the same size and time": same_size_and_time,
    "another file of the same size and time": replaced,
    "touched": lambda path: os.utime(path),
}


@pytest.mark.parametrize("how", long_but_first(CHANGES))
def test_what_has_changed_is_read_again(how, matches, tmp_path, reads):
    make(matches, tmp_path / "out")
    reads.clear()
    CHANGES[how](matches / "x.tar")
    time.sleep(TICK)
    make(matches, tmp_path / "out")
    again = {"a.sgf", "x.tar"} if how == "a match beside it" else {"x.tar"}
    assert {name.partition("!")[0] for name in reads} == again
    assert is_as_from_a_clean_run(tmp_path / "out", matches)


@pytest.mark.long
def test_other_rules_and_lost_work_read_again(matches, tmp_path, reads):
    out = tmp_path / "out"
    make(matches, out)
    make(matches, out, Settings(("xg",)))
    assert len(reads) == 8
    assert {row["rules"] for row in table(out, "players")} == {"xg"}
    shutil.rmtree(out / ".work")
    make(matches, out, Settings(("xg",)))
    assert len(reads) == 12


def test_files_named_twice_and_empty_archives_stay_apart(matches, tmp_path, reads):
    """What is named several times is opened each time."""
    with tarfile.open(matches / "0.tar", "w"), tarfile.open(matches / "z.tar", "w"):
        time.sleep(TICK)
    paths = [str(matches / "x.tar"), str(matches / "x.tar"), str(matches)]
    build(paths, tmp_path / "out", jobs=1)
    before, files = content(tmp_path / "out"), table(tmp_path / "out", "files")
    reads.clear()
    build(paths, tmp_path / "out", jobs=1)
    assert {name.partition("!")[0] for name in reads} == {"x.tar"}
    assert content(tmp_path / "out") == before
    twice = ("x.tar!c.xg", "x.tar!d.xg") * 2
    once = ("a.sgf", "b.zip!b.xg", "x.tar!c.xg", "x.tar!d.xg")
    assert [Path(row["file"]).name for row in files] == [*twice, *once]


def test_an_archive_that_ends_early_keeps_what_came_before_and_is_opened_again(
    matches, tmp_path, reads
):
    complete = (matches / "x.tar").read_bytes()
    (matches / "x.tar").write_bytes(complete[: len(complete) * 3 // 4])
    time.sleep(TICK)
    for names in (["a.sgf", "b.zip!b.xg"], []):
        reads.clear()
        corpus = make(matches, tmp_path / "out")
        assert reads == [*names, "x.tar!c.xg", "x.tar"]
        assert (corpus.matches, corpus.errors) == (3, 1)


def test_matches_more_rewrite_nothing_and_renumber_nothing(tmp_path):
    """Before the others, between them and after them."""
    files, out = copies(tmp_path / "in", 6)[0].parent, tmp_path / "out"
    make(files, out)
    shards = {
        path: path.stat().st_mtime_ns
        for table in SHARDED
        for path in (out / table).glob("*.parquet")
    }
    numbers = {row["file"]: row["match"] for row in table(out, "matches")}
    for seed, name in enumerate(("a", "m003", "z"), 90):
        (files / f"{name}.xg").write_bytes(variant(XG.read_bytes(), seed))
    make(files, out)
    assert {path: path.stat().st_mtime_ns for path in shards} == shards
    assert {row["file"]: row["match"] for row in table(out, "matches")}.items() > numbers.items()
    assert is_as_from_a_clean_run(out, files)


def test_what_is_gone_is_taken_out_and_what_was_moved_is_not_scored_again(tmp_path, monkeypatch):
    files, out = copies(tmp_path / "in", 4), tmp_path / "out"
    make(tmp_path / "in", out)
    files[0].rename(tmp_path / "in" / "moved.xg")
    files[2].unlink()
    with monkeypatch.context() as scoring:
        scoring.setattr("reconcile.corpus.work.rows_of", lambda *_: pytest.fail("scored again"))
        make(tmp_path / "in", out)
    assert is_as_from_a_clean_run(out, tmp_path / "in")
    assert len(batches(out)) == 1


@pytest.mark.long
def test_copies_of_a_file_are_one_analysis_whenever_they_come_and_go(tmp_path):
    content_of = {name: variant(XG.read_bytes(), seed) for seed, name in enumerate("bdf")}
    for files in ("bdf", "bbbddf", "ddf"):
        shutil.rmtree(tmp_path / "in", ignore_errors=True)
        (tmp_path / "in").mkdir()
        for place, name in enumerate(files):
            (tmp_path / "in" / f"{name}{place}.xg").write_bytes(content_of[name])
        corpus = make(tmp_path / "in", tmp_path / "grown")
        assert (corpus.files, corpus.matches) == (len(files), len(set(files)))
        assert is_as_from_a_clean_run(tmp_path / "grown", tmp_path / "in")
        rows = every_row(tmp_path / "grown")
        assert len({row["match"] for row in rows["matches"]}) == len(files)
        analyses = {tuple(row[key] for key in IDS) for row in rows["analyses"]}
        assert len(analyses) == len(rows["analyses"]) == len(set(files))
        for name in SHARDED:
            assert {tuple(row[key] for key in IDS) for row in rows[name]} == analyses


# -- damage ----------------------------------------------------------------------------------------


def folder_instead(path):
    path.unlink()
    path.mkdir()
    (path / "x").touch()


def link_instead(path):
    path.unlink()
    path.symlink_to("nowhere")


def pipe_instead(path):
    path.unlink()
    os.mkfifo(path)


def flipped(path):
    """Another bit near the beginning, where SQLite has its schema and Parquet its rows."""
    blob = bytearray(path.read_bytes())
    blob[105] ^= 1
    path.write_bytes(blob)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"garbage" * 1000),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "a bit": flipped,
    "gone": Path.unlink,
    "folder": folder_instead,
    "pipe": pipe_instead,
    "dangling link": link_instead,
}
NAMES = ("archive.json", ".work/files.sqlite", ".work/*/*/*.parquet", "decisions/*.parquet")


@pytest.mark.parametrize(
    ("name", "ways"), long_but_first([(NAMES[0], ["empty"]), *((name, DAMAGES) for name in NAMES)])
)
def test_what_is_damaged_is_made_again(name, ways, archive, tmp_path, monkeypatch):
    """Manifest and list of files without scoring."""
    out = tmp_path / "out"
    make(archive, out)
    before, work = content(out), batches(out)
    if name in ("archive.json", ".work/files.sqlite"):
        monkeypatch.setattr("reconcile.corpus.work.rows_of", lambda *_: pytest.fail("scored again"))
    for how in ways:
        if how == "pipe" and sys.platform == "win32":
            continue
        DAMAGES[how](next(out.glob(name)))
        make(archive, out)
        assert (content(out), batches(out)) == (before, work), how


def test_second_run_into_a_folder_says_so(archive, tmp_path):
    out = tmp_path / "out"
    make(archive, out)
    before = content(out)
    with (
        FileLock(out / ".work" / LOCK, is_singleton=False),
        pytest.raises(CannotWrite, match="another run is writing it"),
    ):
        make(archive, out)
    assert content(out) == before
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be written"):
        make(archive, tmp_path / "file")


def test_only_what_is_ours_is_removed_from_a_folder_of_tables(archive, tmp_path):
    out = tmp_path / "out"
    make(archive, out)
    (out / "decisions" / f"{'0' * 32}.parquet").write_text("of a killed run")
    (out / "decisions" / "notes.txt").write_text("mine")
    before = {name for name in content(out) if "0" * 32 not in name}
    make(archive, out)
    assert content(out).keys() == before


def test_anonymised_archive_has_the_same_figures_and_no_name(matches_of_corpus, corpus, tmp_path):
    """Neither of players nor of files; a run that adds to it uses the same other names."""
    out, first = tmp_path / "out", next(matches_of_corpus.glob("*.xg"))
    make(first, out, Settings(anonymise=True))
    names = {row["name"] for row in table(out, "players")}
    make(matches_of_corpus, out, Settings(anonymise=True))
    for path in out.rglob("*"):
        if path.is_file():
            blob = path.read_bytes().lower()
            assert not [word for word in (b"nora", b"beck", b"again.sgf", b"deep/") if word in blob]
    assert names <= {row["name"] for row in table(out, "players")}
    rates = [
        sorted((row["rules"], row["pr"] or 0.0) for row in table(folder, "players"))
        for folder in (out, corpus.folder)
    ]
    assert rates[0] == rates[1]
    assert len({row["name"] for row in table(out, "players")}) == 2
    assert not (out / ".work" / "secret").stat().st_mode & 0o077


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is another one there")
def test_an_interrupt_says_what_is_kept_and_how_to_go_on(tmp_path):
    """The batches that were done are not scored again."""
    files, out = copies(tmp_path / "in", 270)[0].parent, tmp_path / "out"
    words = [sys.executable, "-m", "reconcile", "corpus", str(files), "-o", str(out), "--jobs", "1"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as started:
        wait_until(lambda: batches(out))
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=60)
    assert (started.returncode, said.count("\n")) == (130, 1)
    assert "run the same command again to go on" in said
    done = batches(out)
    make(files, out)
    assert done < batches(out)
    assert is_as_from_a_clean_run(out, files)


@pytest.mark.parametrize("jobs", long_but_first([1, 2]))
def test_a_content_in_two_batches_has_its_rows_once(jobs, tmp_path, monkeypatch):
    """Neither process knows of the other's when both read it."""
    monkeypatch.setattr(run, "BATCH", 2)
    folder = tmp_path / "in"
    folder.mkdir()
    for place, seed in enumerate((1, 2, 3, 1, 1, 2)):
        (folder / f"{place}.xg").write_bytes(variant(XG.read_bytes(), seed))
    build([str(folder)], tmp_path / "out", jobs=jobs)
    rows = every_row(tmp_path / "out")
    assert len(rows["matches"]) == 6
    assert len(rows["analyses"]) == len({row["match"] for row in rows["players"]}) == 3
    assert len(rows["players"]) == 3 * 2 * 3
