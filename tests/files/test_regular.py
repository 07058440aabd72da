"""Files of our own keeping are files, and a lock is held by one process, which is named."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reconcile.files.output import write
from reconcile.files.regular import LockHeld, locked, open_regular

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
HOLDER = """
import sys, time
from pathlib import Path
from reconcile.files.regular import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(1e6)
"""


@pipes
def test_pipe_device_and_folder_are_no_files_and_nobody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "pipe", tmp_path / "folder", Path("/dev/zero")):
        with pytest.raises(OSError, match=r"not a regular file|directory"):
            open_regular(path)
        with pytest.raises(OSError, match=r"not a regular file|directory"), locked(path):
            pass


@pytest.mark.skipif(os.name == "nt", reason="kill")
def test_lock_names_who_holds_it_and_is_taken_over_from_the_dead(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(LockHeld, match=f"^process {other.pid} on {socket.gethostname()}$"),
            locked(path),
        ):
            pass
        other.kill()
        other.wait(60)
    assert path.exists()
    with locked(path):
        assert path.read_text() == f"process {os.getpid()} on {socket.gethostname()}"
    assert not path.exists()


def test_lock_of_another_computer_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("process 1 on elsewhere")
    with (
        pytest.raises(LockHeld, match=r"^process 1 on elsewhere; if it has ended, delete .*lock$"),
        locked(tmp_path / "lock"),
    ):
        pass


@pytest.mark.skipif(os.name == "nt", reason="kill")
def test_what_a_killed_run_left_beside_a_file_is_removed_by_the_next(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom reconcile.files import output\n"
        "os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)\noutput.write(sys.argv[1], 'new')"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.json")], check=False, timeout=60)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".a.json.")
    foreign = left.with_name(left.name.replace(left.name.split(".")[3], f"000000-{os.getpid()}"))
    foreign.touch()
    write(str(tmp_path / "other.json"), "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([foreign.name, "other.json"])


def test_name_that_no_file_can_have_is_not_found(tmp_path: Path) -> None:
    for name in (tmp_path / "a\0b", tmp_path / "lone \ud800 surrogate"):
        with pytest.raises(OSError, match="no file can have this name"):
            open_regular(name)
