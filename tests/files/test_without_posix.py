"""Where there is no `killpg` and no `resource`, as on Windows, everything but their limits
works."""

import os
import subprocess
import sys

import pytest

from tests.support.command_line import SGF
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

WITHOUT = """\
import os, sys
del os.killpg, os.waitid
sys.modules["resource"] = None
"""
PROGRAM = (
    "import json; "
    "print(json.dumps({'schema_version': 1, 'program': 'p', 'matches': [{'players': []}]}))"
)
COMMANDS = {
    "stats": ["stats", SGF],
    "workers": ["stats", "--jobs", "2", "--format", "csv", SGF, SGF],
    "candidate": ["validate", "--candidate-command", "python program.py {file}"],
}


@pytest.fixture
def environment(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    (tmp_path / "program.py").write_text(PROGRAM)
    return os.environ | {"PYTHONPATH": str(tmp_path)}


def run(environment, *words):
    command = [sys.executable, "-m", "reconcile", *words]
    return subprocess.run(
        command, cwd=environment["PYTHONPATH"], env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", long_but_first(COMMANDS))
def test_command_works(name, environment):
    done = run(environment, *COMMANDS[name])
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1) or name == "candidate", done.stderr


@needs_gnubg
@pytest.mark.long
def test_engine_works(environment):
    done = run(environment, "compare", SGF, "--analyse", "gnubg:0", "--quiet")
    assert done.returncode in (0, 1), done.stderr
