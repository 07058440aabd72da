"""The files of folders and archives: counted, read once, bounded, and never reached through links."""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reconcile.adapters.archives import count, units
from reconcile.errors import UnreadableFile
from tests.support.archive import XG, make_archive


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
