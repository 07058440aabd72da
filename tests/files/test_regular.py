"""Files of our own are files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reconcile.files.regular import open_regular

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pipes
def test_pipe_device_and_folder_are_no_files_and_nobody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "pipe", tmp_path / "folder", Path("/dev/zero")):
        with pytest.raises(OSError, match=r"not a regular file|directory"):
            open_regular(path)


def test_name_that_no_file_can_have_is_not_found(tmp_path: Path) -> None:
    for name in (tmp_path / "a\0b", tmp_path / "lone \ud800 surrogate"):
        with pytest.raises(OSError, match="no file can have this name"):
            open_regular(name)
