"""The files of folders and archives: counted, read once, bounded, and never reached through
links."""

import bz2
import gzip
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.limits import LONGEST_HEADER
from reconcile.formats import archives
from reconcile.formats.archives import count, units
from tests.support.archive import XG, archive_of, make_archive
from tests.support.claims import some
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm, small

MEGABYTE = 2**20
MATCH = XG.with_suffix(".sgf").read_bytes()
MEMBERS = {
    "a.sgf": b"(;1)",
    f"{'long/' * 60}b.xg": b"two" * 300,
    "c.txt": b"three",
    "d.mat": b"four",
}


def header(name, size, kind):
    """A header of a tar file."""
    info = tarfile.TarInfo(name.decode())
    info.size, info.type = size, kind
    return info.tobuf(tarfile.USTAR_FORMAT)


def units_of(path, content):
    """The units of an archive with this content."""
    path.write_bytes(content)
    return list(units([str(path)]))


def test_files_are_counted_beforehand_where_an_archive_has_an_index(tmp_path):
    folder = make_archive(tmp_path / "matches")
    (tmp_path / "all.zip").write_bytes(archive_of("zip", {"a.sgf": MATCH, "b.sgf": MATCH}))
    (tmp_path / "all.tar").write_bytes(archive_of("tar", {"a.sgf": MATCH}))
    paths = [str(folder), str(tmp_path / "all.zip")]
    assert count(paths) == len(list(units(paths)))
    assert count([*paths, str(tmp_path / "all.tar")]) is None


def test_index_of_a_zip_file_is_not_read_again_for_every_member(tmp_path):
    members = {f"{number}.sgf": b"(;)" for number in range(50)}
    listed = units_of(tmp_path / "many.zip", archive_of("zip", members))
    before = archives._opened.cache_info().misses
    assert [unit.read() for unit in listed] == [b"(;)"] * 50
    assert archives._opened.cache_info().misses == before + 1


def test_links_to_folders_are_not_followed_and_hidden_folders_not_entered(tmp_path):
    (tmp_path / "in" / ".git").mkdir(parents=True)
    shutil.copy(XG, tmp_path / "in" / ".git" / "x.xg")
    shutil.copy(XG, tmp_path / "in" / "y.xg")
    (tmp_path / "in" / "round").symlink_to(tmp_path / "in", target_is_directory=True)
    assert [Path(unit.path).name for unit in units([str(tmp_path / "in")])] == ["y.xg"]


def test_a_file_too_large_for_a_match_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("reconcile.formats.archives.LARGEST_FILE", MEGABYTE)
    with (tmp_path / "huge.xg").open("wb") as file:
        file.truncate(10 << 30)
    (unit,) = units([str(tmp_path)])
    with pytest.raises(UnreadableFile, match="more than 1 MB"):
        unit.read()


SIZE = 12 * MEGABYTE
EMPTY = {f"{number}.sgf": b"" for number in range(3000)}
LONG = header(b"a.png", SIZE, b"0")
HEADER = "bytes of names and attributes of one file"
UNPACKED = "MB in an archive of"


def with_header(kind):
    return lambda: gzip.compress(header(b"x", SIZE, kind) + LONG)


COSTLY: dict[str, tuple[Callable[[], bytes], str]] = {
    "attributes.tar.gz": (with_header(b"x"), HEADER),
    "attributes of all.tar.gz": (with_header(b"g"), HEADER),
    "name.tar.gz": (with_header(b"L"), HEADER),
    "link.tar.gz": (with_header(b"K"), HEADER),
    "long.tar.gz": (lambda: gzip.compress(LONG + bytes(SIZE)), UNPACKED),
    "long.tar.bz2": (lambda: bz2.compress(LONG + bytes(SIZE), 1), UNPACKED),
    "long.tar.xz": (lambda: lzma.compress(LONG + bytes(SIZE), preset=0), UNPACKED),
    "long.zip": (lambda: archive_of("zip", dict.fromkeys(MEMBERS, bytes(SIZE))), "found 48 MB"),
    "empty.zip": (lambda: archive_of("zip", EMPTY), "files in an archive of"),
    "empty.tar.gz": (lambda: archive_of("tar.gz", EMPTY), "files in an archive of"),
    "cut.tar": (
        lambda: (
            archive_of("tar", {"a.sgf": b"(;1)"})[:1024] + header(b"b.sgf", 5000, b"0") + b"(;2)"
        ),
        "cannot be read to the end",
    ),
}


@pytest.mark.parametrize("name", COSTLY)
def test_archive_that_would_cost_more_than_its_size_allows_is_left(name, tmp_path, monkeypatch):
    reached = [0]
    real = archives._Bounded.tell

    def tell(self):
        reached.append(real(self))
        return reached[-1]

    monkeypatch.setattr(archives._Bounded, "tell", tell)
    monkeypatch.setattr(archives, "UNPACKED_FREE", 2 * MEGABYTE)
    make, words = COSTLY[name]
    content = make()
    *first, last = units_of(tmp_path / name, content)
    assert words in last.trouble
    assert not last.member
    most = LONGEST_HEADER if words is HEADER else archives.most_bytes(len(content))
    assert max(reached) <= most
    assert len(first) <= archives.most_members(len(content))
    assert [unit.read() for unit in first] == [b"(;1)" if name == "cut.tar" else b""] * len(first)


@pytest.mark.parametrize("ending", long_but_first(["gz", "bz2", "xz"], 1, 1))
def test_matches_pack_far_less_than_what_is_refused(ending, tmp_path, monkeypatch):
    """Many times the same match packs better than different ones: here each takes a twentieth of
    its size."""
    monkeypatch.setattr(archives, "UNPACKED_FREE", 0)
    matches = {f"{'deep/' * 40}{number}.sgf": MATCH for number in range(6)}
    members = units_of(tmp_path / f"a.tar.{ending}", archive_of(f"tar.{ending}", matches))
    assert [(unit.trouble, unit.read()) for unit in members] == 6 * [("", MATCH)]


def test_members_of_a_plain_tar_file_are_read_where_they_are_needed_and_are_the_same(
    tmp_path,
):
    plain = units_of(tmp_path / "a.tar", archive_of("tar", MEMBERS))
    packed = units_of(tmp_path / "b.tar.gz", archive_of("tar.gz", MEMBERS))
    for members in (plain, packed):
        assert {unit.member: unit.read() for unit in members} == MEMBERS
    assert [unit.member for unit in plain if unit.content is not None] == ["c.txt"]
    assert all(unit.content is not None for unit in packed)


CHANGES: dict[str, Any] = {
    "other bytes": lambda path, content: path.write_bytes(content.replace(b"two", b"2nd")),
    "longer": lambda path, content: path.write_bytes(content + bytes(512)),
    "shorter": lambda path, content: os.truncate(path, 600),
    "another file": lambda path, content: (path.unlink(), path.write_bytes(content)),
    "gone": lambda path, content: path.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_tar_file_changed_before_its_members_are_read_is_an_error_not_other_bytes(
    tmp_path, change
):
    path, content = tmp_path / "a.tar", archive_of("tar", MEMBERS)
    path.write_bytes(content)
    os.utime(path, (1, 1))
    members = [unit for unit in units([str(path)]) if unit.content is None]
    CHANGES[change](path, content)
    for unit in some(members):
        with pytest.raises(
            UnreadableFile,
            match=r"a\.tar!.*: cannot be read: (the archive changed while|no such file)",
        ):
            unit.read()


@pytest.mark.skipif(os.name == "nt", reason="GNU tar is not there")
def test_a_member_with_holes_is_read_whole(tmp_path):
    with (tmp_path / "a.sgf").open("wb") as file:
        file.seek(MEGABYTE)
        file.write(b"end")
    (tmp_path / "b.sgf").write_bytes(b"b" * (2 * MEGABYTE))
    subprocess.run(["tar", "-cSf", "a.tar", "a.sgf", "b.sgf"], cwd=tmp_path, check=True, timeout=30)
    first, second = units([str(tmp_path / "a.tar")])
    assert first.read() == bytes(MEGABYTE) + b"end"
    assert second.read() == b"b" * (2 * MEGABYTE)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names are Unicode here")
def test_name_that_is_no_text_is_shown_escaped_and_read(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff\xfe.sgf")).write_bytes(MATCH)
    (tmp_path / "b.tar").write_bytes(archive_of("tar", {os.fsdecode(b"m\xff.sgf"): MATCH}))
    listed = list(units([str(tmp_path)]))
    assert [unit.name.removeprefix(str(tmp_path)) for unit in listed] == [
        "/a\\udcff\\udcfe.sgf",
        "/b.tar!m\\udcff.sgf",
    ]
    assert [unit.read() for unit in listed] == [MATCH, MATCH]


def test_packed_match_is_found_in_a_folder_and_a_zip_file_and_no_other_packed_file(tmp_path):
    folder = tmp_path / "matches"
    folder.mkdir()
    (folder / "match.xg.gz").write_bytes(gzip.compress(XG.read_bytes()))
    (folder / "notes.gz").write_bytes(gzip.compress(b"notes"))
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", folder)
    for path in (folder, packed):
        (match,) = (match for unit in units([str(path)]) for match in unit.matches())
        assert match.source.tool == "eXtreme Gammon"


@needs_ogxm
def test_every_analysis_of_a_document_in_a_folder_is_read_by_its_number(tmp_path):
    (tmp_path / "two.ogxm").write_bytes(encode(analyses(2)))
    matches = [match for unit in units([str(tmp_path)]) for match in unit.matches()]
    assert [Path(match.source.path).name for match in matches] == ["two.ogxm#1", "two.ogxm#2"]


@needs_ogxm
def test_table_that_is_asked_for_reaches_a_document_in_an_archive(tmp_path):
    document = small()
    del document["analysis_info"]["met_id"]
    path = tmp_path / "packed.zip"
    path.write_bytes(archive_of("zip", {"match.ogxm": encode(document)}))
    (unit,) = units([str(path)])
    with pytest.raises(UnreadableFile, match="name it with --met"):
        unit.matches()
    (match,) = unit.matches(met="Zadeh")
    assert match.plays.analysed.any()
