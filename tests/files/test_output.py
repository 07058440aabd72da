"""A file is the old one or the whole new one, several are written together or not at all, and devices and pipes stay what they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reconcile.files.output import CannotWrite, write, write_all

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.parametrize("content", ["text\n", b"\x00bytes\r\n"])
def test_file_is_the_old_one_or_the_whole_new_one(content: str | bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    write(str(target), content)
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match="no space left on device"):
        write(str(target), b"half")
    assert target.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_existing_outputs_stay_when_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old", "utf-8")
    with pytest.raises(CannotWrite):
        write_all([("old", "new"), ("old/under", "x")])
    assert Path("old").read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_device_is_written_to_and_never_replaced() -> None:
    device = Path(os.devnull)
    before = device.stat()
    write_all([(os.devnull, "gone")])
    assert (device.stat().st_ino, device.stat().st_rdev) == (before.st_ino, before.st_rdev)


def test_pipe_is_an_output() -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo("pipe")
    with subprocess.Popen([sys.executable, "-c", "print(open('pipe').read(), end='')"], stdout=subprocess.PIPE) as reader:
        write_all([("pipe", "through")])
        assert reader.communicate(timeout=60)[0] == b"through"
    assert Path("pipe").is_fifo()
