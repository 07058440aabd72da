"""The files of folders and archives: counted, read once, bounded, and never reached through
links."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.limits import LONGEST_HEADER
from reconcile.formats import tar_stream
from reconcile.formats.archives import count, units
from tests.support.archive import XG, make_archive
from tests.support.claims import some
from tests.support.long import long_but_first


def tar_of(path: Path, members: dict[str, bytes], kind: Any = "w") -> Path:
    """A tar file with these members."""
    with tarfile.open(path, kind, encoding="utf-8", errors="surrogateescape") as packed:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return path


def test_files_are_counted_beforehand_where_an_archive_has_an_index(tmp_path: Path) -> None:
    archive = make_archive(tmp_path / "matches")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for path in archive.rglob("*.sgf"):
            packed.write(path, path.name)
    paths = [str(archive), str(tmp_path / "all.zip")]
    assert count(paths) == len(list(units(paths)))
    with tarfile.open(tmp_path / "all.tar", "w") as tar:
        tar.add(archive / "b.xg")
    assert count([*paths, str(tmp_path / "all.tar")]) is None


def test_index_of_a_zip_file_is_not_read_again_for_every_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(50):
            packed.writestr(f"{number}.sgf", b"(;GM[6]MI[length:7])")
    cases = list(units([str(path)]))
    opened = []
    real = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *arguments: Any, **options: Any) -> None:
        opened.append(arguments)
        real(self, *arguments, **options)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    assert {unit.read() for unit in cases} == {b"(;GM[6]MI[length:7])"}
    assert len(opened) <= 1


def test_links_to_folders_are_not_followed_and_hidden_folders_not_entered(tmp_path: Path) -> None:
    (tmp_path / "in" / ".git").mkdir(parents=True)
    shutil.copy(XG, tmp_path / "in" / ".git" / "x.xg")
    shutil.copy(XG, tmp_path / "in" / "y.xg")
    (tmp_path / "in" / "round").symlink_to(tmp_path / "in", target_is_directory=True)
    assert [Path(unit.path).name for unit in units([str(tmp_path / "in")])] == ["y.xg"]


def test_a_file_too_large_for_a_match_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.formats.archives.LARGEST_FILE", 1 << 20)
    with (tmp_path / "huge.xg").open("wb") as file:
        file.truncate(10 << 30)
    (unit,) = units([str(tmp_path)])
    with pytest.raises(UnreadableFile, match="more than 1 MB"):
        unit.read()


def header(name: bytes, size: int, kind: bytes) -> bytes:
    """A header of a tar file."""
    block = bytearray(
        name.ljust(100, b"\0")
        + b"0000644\0"
        + 2 * b"0000000\0"
        + b"%011o\0" % size
        + b"%011o\0" % 0
        + b" " * 8
        + kind
    )
    block = bytearray(block.ljust(257, b"\0") + b"ustar\00000").ljust(512, b"\0")
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


MEGABYTES = 12
PACKERS: dict[str, Any] = {
    "tar.bz2": lambda: bz2.BZ2Compressor(1),
    "tar.xz": lambda: lzma.LZMACompressor(preset=0),
    "tar.gz": lambda: zlib.compressobj(1, wbits=31),
}
KINDS = {
    "attributes": b"x",
    "attributes of all": b"g",
    "long name": b"L",
    "long link": b"K",
    "sparse": b"S",
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes that were unpacked, call by call."""
    sizes: list[int] = []
    original = tar_stream._Stream._read

    def counted(self: Any, size: int) -> bytes:
        piece = original(self, size)
        sizes.append(len(piece))
        return piece

    monkeypatch.setattr(tar_stream._Stream, "_read", counted)
    return sizes


@pytest.mark.parametrize("kind", KINDS)
def test_header_that_unpacks_to_gigabytes_is_not_read(
    kind: str, tmp_path: Path, read: list[int]
) -> None:
    size = 200 * 2**20
    content = header(b"x", size, KINDS[kind]) + b"A" * 2**20
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(content))
    (unit,) = units([str(tmp_path / "a.tar.gz")])
    assert unit.trouble
    assert sum(read) <= LONGEST_HEADER + 2 * 512 or kind == "sparse"
    assert sum(read) <= len(content)


@pytest.mark.parametrize("ending", PACKERS)
def test_archive_that_unpacks_to_more_than_its_size_allows_is_left(
    ending: str, tmp_path: Path, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tar_stream, "UNPACKED_FREE", 2**21)
    path = tmp_path / f"a.{ending}"
    pack = PACKERS[ending]()
    head = header(b"a.png", MEGABYTES * 2**20, b"0")
    path.write_bytes(
        pack.compress(head)
        + b"".join(pack.compress(b"A" * 2**20) for _ in range(MEGABYTES))
        + pack.flush()
    )
    *_, unit = units([str(path)])
    assert "MB in an archive of" in unit.trouble
    assert sum(read) <= tar_stream.most_bytes(path.stat().st_size) + 2**16


def test_zip_file_that_unpacks_to_more_than_its_size_allows_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tar_stream, "UNPACKED_FREE", 2**20)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(20):
            packed.writestr(f"{number}.sgf", b"\0" * 2**19)
    (unit,) = units([str(tmp_path / "a.zip")])
    assert "expected at most" in unit.trouble
    assert "found 10 MB" in unit.trouble


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_archive_of_very_many_empty_files_is_left(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    if ending == "zip":
        with zipfile.ZipFile(path, "w") as packed:
            for number in range(3000):
                packed.writestr(f"{number}.sgf", b"")
    else:
        content = b"".join(header(b"%d.sgf" % number, 0, b"0") for number in range(3000))
        path.write_bytes(gzip.compress(content + bytes(1024)))
    result = list(units([str(path)]))
    assert "files in an archive of" in result[-1].trouble
    assert len(result) <= tar_stream.most_members(path.stat().st_size) + 1


@pytest.mark.parametrize("ending", long_but_first(["tar.gz", "tar.bz2", "tar.xz"], 1, 1))
def test_matches_pack_far_less_than_what_is_refused(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many times the same match packs better than different ones: here each takes a twentieth of
    its size."""
    monkeypatch.setattr(tar_stream, "UNPACKED_FREE", 0)
    content = XG.with_suffix(".sgf").read_bytes()
    packed = tar_of(
        tmp_path / f"a.{ending}",
        {f"{'deep/' * 40}{number}.sgf": content for number in range(6)},
        f"w:{ending[4:]}",
    )
    members = list(units([str(packed)]))
    assert [(unit.trouble, unit.read() == content) for unit in members] == 6 * [("", True)]


MEMBERS = {
    "a.sgf": b"(;1)",
    f"{'long/' * 60}b.xg": b"two" * 300,
    "c.txt": b"three",
    "d.mat": b"four",
}


def test_members_of_a_plain_tar_file_are_read_where_they_are_needed_and_are_the_same(
    tmp_path: Path,
) -> None:
    plain = list(units([str(tar_of(tmp_path / "a.tar", MEMBERS))]))
    packed = list(units([str(tar_of(tmp_path / "b.tar.gz", MEMBERS, "w:gz"))]))
    for members in (plain, packed):
        assert {unit.member: unit.read() for unit in members} == MEMBERS
    assert [unit.member for unit in plain if unit.content is not None] == ["c.txt"]
    assert all(unit.content is not None for unit in packed)


@pytest.mark.parametrize("change", ["other bytes", "another file", "longer", "shorter", "gone"])
def test_a_tar_file_changed_before_its_members_are_read_is_an_error_not_other_bytes(
    tmp_path: Path, change: str
) -> None:
    path = tar_of(tmp_path / "a.tar", MEMBERS)
    os.utime(path, (1, 1))
    result = [unit for unit in units([str(path)]) if unit.content is None]
    content = path.read_bytes()
    if change == "other bytes":
        path.write_bytes(content.replace(b"two", b"2nd"))
    elif change == "another file":
        (tmp_path / "new").write_bytes(content)
        os.utime(tmp_path / "new", (1, 1))
        (tmp_path / "new").replace(path)
    elif change == "longer":
        path.write_bytes(content + bytes(512))
    elif change == "shorter":
        os.truncate(path, 600)
    else:
        path.unlink()
    for unit in some(result):
        with pytest.raises(
            UnreadableFile,
            match=r"a\.tar!.*: cannot be read: (the archive changed while|no such file)",
        ):
            unit.read()


def test_a_member_beyond_the_end_of_a_tar_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(
        header(b"a.sgf", 4, b"0")
        + b"(;1)".ljust(512, b"\0")
        + header(b"b.sgf", 5000, b"0")
        + b"(;2)"
    )
    first, last = units([str(path)])
    assert first.read() == b"(;1)"
    assert "cannot be read to the end as a tar file" in last.trouble
    assert not last.member


@pytest.mark.skipif(os.name == "nt", reason="GNU tar is not there")
def test_a_member_with_holes_is_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "a.sgf").open("wb") as file:
        file.seek(1 << 20)
        file.write(b"end")
    (tmp_path / "b.sgf").write_bytes(b"b" * (2 << 20))
    subprocess.run(["tar", "-cSf", "a.tar", "a.sgf", "b.sgf"], cwd=tmp_path, check=True, timeout=30)
    first, second = units([str(tmp_path / "a.tar")])
    assert first.read() == bytes(1 << 20) + b"end"
    assert second.read() == b"b" * (2 << 20)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names are Unicode here")
def test_name_that_is_no_text_is_shown_escaped_and_read(tmp_path: Path) -> None:
    content = XG.with_suffix(".sgf").read_bytes()
    (tmp_path / os.fsdecode(b"a\xff\xfe.sgf")).write_bytes(content)
    tar_of(tmp_path / "b.tar", {os.fsdecode(b"m\xff.sgf"): content})
    result = list(units([str(tmp_path)]))
    assert [unit.name.removeprefix(str(tmp_path)) for unit in result] == [
        "/a\\udcff\\udcfe.sgf",
        "/b.tar!m\\udcff.sgf",
    ]
    assert [unit.read() for unit in result] == [content, content]
