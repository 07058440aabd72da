"""What is damaged on the disk is made again, whatever it is, and two runs do not write into one folder."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from reconcile.corpus.assembly import MANIFEST
from reconcile.corpus.run import LOCK, build
from reconcile.files.output import CannotWrite
from tests.corpus.corpus_folder import content
from tests.support.long import long_but_first


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "x").touch()


def link_instead(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def pipe_instead(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "one bit": lambda path: path.write_bytes(
        path.read_bytes()[:-50] + bytes([path.read_bytes()[-50] ^ 1]) + path.read_bytes()[-49:]
    ),
    "another name": lambda path: path.rename(
        path.with_name(path.name.replace(path.stem[-4:], "0000"))
    ),
    "folder": folder_instead,
    "pipe": pipe_instead,
    "dangling link": link_instead,
}


@pytest.mark.parametrize("how", long_but_first(DAMAGES))
def test_damaged_part_is_made_again(how: str, archive: Path, tmp_path: Path) -> None:
    if how == "pipe" and sys.platform == "win32":
        pytest.skip("no named pipes here")
    out = tmp_path / "out"
    build([str(archive)], out, jobs=1)
    whole = content(out)
    (part,) = (out / ".parts").glob("*.part")
    sound = part.read_bytes()
    DAMAGES[how](part)
    (out / MANIFEST).unlink()  # or the tables would not be made again, and the parts not read
    build([str(archive)], out, jobs=1)
    assert content(out) == whole
    assert [path.read_bytes() for path in (out / ".parts").glob("*.part")] == [sound]


def test_second_run_into_a_folder_says_who_holds_it(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build([str(archive)], out, jobs=1)
    whole = content(out)
    with (
        FileLock(out / ".parts" / LOCK, is_singleton=False),
        pytest.raises(CannotWrite, match="another run is writing it"),
    ):
        build([str(archive)], out, jobs=1)
    assert content(out) == whole
    shutil.rmtree(out / ".parts")
    (out / ".parts" / LOCK).mkdir(parents=True)
    with pytest.raises(CannotWrite, match="cannot be written"):
        build([str(archive)], out, jobs=1)
