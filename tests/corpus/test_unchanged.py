"""A file that has not changed is not opened again, be it an archive or a match; one that has changed in any way is."""

from __future__ import annotations

import os
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile.corpus import unchanged
from reconcile.corpus.run import build
from reconcile.files.output import CannotWrite
from reconcile.formats.archives import Unit
from tests.corpus.corpus_folder import content, every_row, table
from tests.support.archive import SGF, XG
from tests.support.long import long_but_first
from tests.support.variants import variant

TICK = 0.02
"""Seconds after which a file system gives another time."""


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are opened, of any age."""
    found: list[str] = []

    def note(unit: Unit) -> bytes:
        found.append(Path(unit.name).name)
        return original(unit)

    original = Unit.read
    monkeypatch.setattr(Unit, "read", note)
    monkeypatch.setattr(unchanged, "SETTLED", -1)
    return found


@pytest.fixture
def matches(tmp_path: Path) -> Path:
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


def packed(path: Path, *members: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for member in members:
            archive.add(member, member.name)


def test_no_archive_is_opened_twice(matches: Path, tmp_path: Path, reads: list[str]) -> None:
    out = tmp_path / "out"
    build([str(matches)], out, jobs=1)
    assert reads == ["a.sgf", "b.zip!b.xg", "x.tar!c.xg", "x.tar!d.xg"]
    whole = content(out)
    reads.clear()
    build([str(matches)], out, jobs=1)
    assert reads == []
    assert content(out) == whole


def same_size_and_time(path: Path) -> None:
    before = path.stat()
    packed(path, path.parent.parent / "d.xg", path.parent.parent / "c.xg")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(path: Path) -> None:
    before = path.stat()
    other = path.with_name("other")
    packed(other, path.parent.parent / "d.xg", path.parent.parent / "c.xg")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


def another_match(path: Path) -> None:
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
def test_what_has_changed_is_read_again(
    how: str, matches: Path, tmp_path: Path, reads: list[str]
) -> None:
    build([str(matches)], tmp_path / "out", jobs=1)
    reads.clear()
    CHANGES[how](matches / "x.tar")
    time.sleep(TICK)
    build([str(matches)], tmp_path / "out", jobs=1)
    again = {"a.sgf", "x.tar"} if how == "a match beside it" else {"x.tar"}
    assert {name.partition("!")[0] for name in reads} == again
    build([str(matches)], tmp_path / "clean", jobs=1)
    assert every_row(tmp_path / "out") == every_row(tmp_path / "clean")


def test_an_archive_that_has_just_changed_is_opened_again(
    matches: Path, tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "SETTLED", 3600)
    build([str(matches)], tmp_path / "out", jobs=1)
    build([str(matches)], tmp_path / "out", jobs=1)
    assert len(reads) == 8


@pytest.mark.long
def test_other_rules_and_lost_parts_read_again(
    matches: Path, tmp_path: Path, reads: list[str]
) -> None:
    out = tmp_path / "out"
    build([str(matches)], out, jobs=1)
    build([str(matches)], out, jobs=1, rules=("xg",))
    assert len(reads) == 8
    (part,) = (out / ".parts").glob("*.part")
    part.unlink()
    build([str(matches)], out, jobs=1, rules=("xg",))
    assert len(reads) == 12


def test_files_named_twice_and_empty_archives_stay_apart(
    matches: Path, tmp_path: Path, reads: list[str]
) -> None:
    with tarfile.open(matches / "0.tar", "w"), tarfile.open(matches / "z.tar", "w"):
        time.sleep(TICK)
    paths = [str(matches / "x.tar"), str(matches / "x.tar"), str(matches)]
    build(paths, tmp_path / "out", jobs=1)
    whole, files = content(tmp_path / "out"), table(tmp_path / "out", "files")
    reads.clear()
    build(paths, tmp_path / "out", jobs=1)
    assert {name.partition("!")[0] for name in reads} == {
        "x.tar"
    }  # what is named several times is opened each time
    assert content(tmp_path / "out") == whole
    twice = ("x.tar!c.xg", "x.tar!d.xg") * 2
    assert [Path(row["file"]).name for row in files] == [
        *twice,
        "a.sgf",
        "b.zip!b.xg",
        "x.tar!c.xg",
        "x.tar!d.xg",
    ]


def test_an_archive_that_ends_early_is_opened_again(
    matches: Path, tmp_path: Path, reads: list[str]
) -> None:
    whole = (matches / "x.tar").read_bytes()
    (matches / "x.tar").write_bytes(whole[: len(whole) * 3 // 4])
    time.sleep(TICK)
    for others in (["a.sgf", "b.zip!b.xg"], []):
        reads.clear()
        build([str(matches)], tmp_path / "out", jobs=1)
        assert reads == [*others, "x.tar!c.xg", "x.tar"]


@pytest.mark.long
def test_what_an_interrupted_run_read_to_the_end_is_known(
    matches: Path, tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.corpus.run.BATCH", 8)

    class Stop(Exception):
        pass

    for number in range(3):
        for member in range(4):
            (tmp_path / f"{member}.xg").write_bytes(variant(XG.read_bytes(), 10 * number + member))
        packed(matches / f"n{number}.tar", *(tmp_path / f"{member}.xg" for member in range(4)))
    time.sleep(TICK)

    def stop(done: int, batch: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        build([str(matches)], tmp_path / "out", jobs=1, progress=stop)
    reads.clear()
    build([str(matches)], tmp_path / "out", jobs=1)
    # The first batch of 8 has a file, the zip file and one and a half tar files.
    assert len(reads) == 2 * 4 + 2


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def other_name(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"c.xg", b"e.xg"))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"garbage" * 1000),
    "cut": cut,
    "another name": other_name,
}


@pytest.mark.parametrize("how", long_but_first(DAMAGES))
def test_damage_costs_only_time(how: str, matches: Path, tmp_path: Path, reads: list[str]) -> None:
    out = tmp_path / "out"
    build([str(matches)], out, jobs=1)
    whole, kept = content(out), out / ".parts" / unchanged.NAME
    DAMAGES[how](kept)
    for _ in range(3):
        reads.clear()
        build([str(matches)], out, jobs=1)
        assert content(out) == whole
    assert reads == []
    kept.unlink()
    kept.mkdir()
    build([str(matches)], out, jobs=1)
    assert content(out) == whole


def test_a_folder_that_cannot_be_written_is_one_line(matches: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be written"):
        build([str(matches)], tmp_path / "file", jobs=1)
