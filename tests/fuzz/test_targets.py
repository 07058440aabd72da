"""A target of atheris runs: what it needs is where it looks for it, and inputs come through."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.data import PROJECT

pytestmark = pytest.mark.long


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
def test_target_runs_and_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.targets", "sgf", "-runs=50", "-seed=1"]
    environment = {"PYTHONPATH": str(PROJECT), "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Done 50 runs" in done.stderr
    assert list(tmp_path.iterdir()) == []
