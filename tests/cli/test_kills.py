"""Killed at any moment, a command leaves the old output or the new one, nothing that runs, and
nothing else after the next run.

`corpus` is killed where archives are built.
"""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.command_line import CUBE_RICH, SGF, XG, environment, run
from tests.support.long import long_but_first
from tests.support.packs import falsified, pack_of
from tests.support.processes import wait_until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="needs /proc to look for processes"
)
KILLS = int(os.environ.get("RECONCILE_KILLS", "1"))
"""How often each command is killed."""
LATEST = 1.1
"""Of the time that a whole run takes."""


@dataclass
class Command:
    """A command whose output is replaced, all of it below one folder."""

    folder: Path
    words: list[str]
    before: Callable[[Path], object]
    """Puts the old output in its place, or none."""

    def start(self):
        """Start it, with everything that it may write below the folder."""
        (self.folder / "temporary").mkdir(exist_ok=True)
        places = {
            "TMPDIR": str(self.folder / "temporary"),
            "RECONCILE_CACHE": str(self.folder / "cache"),
            "HOME": str(self.folder),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "reconcile", *self.words],
            env=environment(**places, PYTHONDONTWRITEBYTECODE="1"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def complete(self):
        """Run it to its end; the seconds that it took."""
        start = time.monotonic()
        running = self.start()
        _, message = running.communicate(timeout=120)
        assert running.returncode in (0, 1), message
        return time.monotonic() - start

    def contents(self):
        """Every file below the folder, by its path.

        Nobody clears what a killed program left in the system's temporary folder.
        """
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.relative_to(self.folder).parts[0] != "temporary"
        }

    def running(self):
        """Processes that were started for it."""
        mark, result = f"TMPDIR={self.folder / 'temporary'}".encode(), []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    result.append(int(entry.name))
            except OSError:
                continue
        return result


@pytest.fixture
def validate(tmp_path):
    """Pages of a pack take the place of those of one with a figure that is not the tool's."""
    old, folder = falsified(tmp_path / "old" / "pack", error_rate_memg="92.8927"), tmp_path / "run"
    folder.mkdir()
    sound = pack_of(tmp_path / "sound" / "pack", CUBE_RICH.name)
    made = tmp_path / "made"
    assert run("validate", old, "--html", made).exit_code == 1
    return Command(
        folder,
        ["validate", str(sound), "--html", str(folder / "out")],
        lambda out: shutil.copytree(made, out, dirs_exist_ok=True),
    )


@pytest.fixture
def compare(tmp_path):
    folder, names = tmp_path / "run", ("gap.html", "gap.json")
    folder.mkdir()

    def before(out):
        out.mkdir()
        for name in names:
            (out / name).write_text("old", "utf-8")

    options = [f"--{name.split('.')[1]}={folder / 'out' / name}" for name in names]
    return Command(folder, ["compare", XG, SGF, *options], before)


def outputs(contents):
    """What a reader may open: nothing hidden."""
    return {
        name: content
        for name, content in contents.items()
        if not any(part.startswith(".") for part in Path(name).parts)
    }


@pytest.mark.parametrize("name", long_but_first(["validate", "compare"], 0, 1))
def test_killed_at_any_moment_it_leaves_the_old_or_the_new(name, request):
    command = request.getfixturevalue(name)
    draw = random.Random(int(os.environ.get("RECONCILE_SEED", "7")))
    command.before(command.folder / "out")
    old = outputs(command.contents())
    full = command.complete()
    new = command.contents()
    for _ in range(KILLS):
        for path in command.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        command.before(command.folder / "out")
        killed = command.start()
        time.sleep(draw.uniform(0, LATEST * full))
        killed.kill()
        killed.communicate()
        wait_until(lambda: not command.running())
        for file, content in outputs(command.contents()).items():
            assert content in (old.get(file), new.get(file)), file
        command.complete()
        assert command.contents() == new
    assert command.running() == []
