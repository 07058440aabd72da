"""Small parts become one, whatever happens on the way; what a table says does not change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile.corpus import merge, run
from reconcile.corpus.parts import FOLDER
from reconcile.corpus.run import build
from reconcile.corpus.shards import SHARDED
from tests.corpus.corpus_folder import every_row
from tests.support.archive import SGF, XG
from tests.support.variants import variant


@pytest.fixture
def matches(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(6):
        path = XG if number % 2 else SGF
        (folder / f"{number}{path.suffix}").write_bytes(variant(path.read_bytes(), number))
    return folder


@pytest.fixture
def clean(matches: Path, tmp_path: Path) -> object:
    build([str(matches)], tmp_path / "clean", jobs=1)
    return every_row(tmp_path / "clean")


def shards(out: Path) -> set[int]:
    """How many files the tables have that grow."""
    return {len(list((out / name).glob("*.parquet"))) for name in SHARDED}


def test_many_small_parts_become_one(
    matches: Path, clean: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "BATCH", 1)
    monkeypatch.setattr(run, "LARGEST_BATCH", 1)
    build([str(matches)], tmp_path / "parts", jobs=1)
    assert shards(tmp_path / "parts") == {6}
    monkeypatch.setattr(merge, "MOST_SMALL", 5)
    build([str(matches)], tmp_path / "out", jobs=1)
    assert shards(tmp_path / "out") == {1}
    assert every_row(tmp_path / "out") == every_row(tmp_path / "parts") == clean


def test_large_parts_stay_as_they_are(
    matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "BATCH", 1)
    monkeypatch.setattr(run, "LARGEST_BATCH", 1)
    monkeypatch.setattr(merge, "MOST_SMALL", 1)
    monkeypatch.setattr(merge, "SMALL", 1000)
    build([str(matches)], tmp_path / "out", jobs=1)
    assert shards(tmp_path / "out") == {6}


def test_merge_that_was_killed_is_made_up_for(
    matches: Path, clean: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old parts are there beside the new one, and with them their shards."""
    out = tmp_path / "out"
    monkeypatch.setattr(run, "BATCH", 1)
    monkeypatch.setattr(run, "LARGEST_BATCH", 1)
    build([str(matches)], out, jobs=1)
    shutil.copytree(out, tmp_path / "before")
    monkeypatch.setattr(merge, "MOST_SMALL", 1)
    build([str(matches)], out, jobs=1)
    shutil.copytree(tmp_path / "before", out, dirs_exist_ok=True)
    build([str(matches)], out, jobs=1)
    assert every_row(out) == clean
    assert shards(out) == {1}


def test_what_is_gone_is_taken_out_and_nothing_else_is_read(
    matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    build([str(matches)], out, jobs=1)
    (matches / "3.xg").unlink()
    handled: list[int] = []
    monkeypatch.setattr("reconcile.corpus.parts._Work.add", lambda *_: handled.append(1))
    build([str(matches)], out, jobs=1)
    assert handled == []
    monkeypatch.undo()
    build([str(matches)], tmp_path / "fresh", jobs=1)
    assert every_row(out) == every_row(tmp_path / "fresh")
    assert len(list((out / FOLDER).glob("*.part"))) == 1
