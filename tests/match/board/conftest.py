"""The installed gnuBG, asked what it makes of positions and identifiers."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

GNUBG = next(
    (path for path in (shutil.which("gnubg"), "/usr/games/gnubg") if path and Path(path).exists()),
    None,
)
Ask = Callable[[str, Sequence[object]], list[object]]


@pytest.fixture
def ask_gnubg(tmp_path):
    """Run a line of Python inside gnuBG for every value given, and return what it printed."""
    if GNUBG is None:
        pytest.skip("gnuBG is not installed")

    def ask(line, values):
        script = tmp_path / "ask.py"
        script.write_text(
            f"import gnubg\nfor value in {values!r}:\n    {line}\n    print('ANSWER', "
            "repr(answer))\n",
            encoding="utf-8",
        )
        run = subprocess.run(
            [str(GNUBG), "-t", "-q", "-r", "-p", str(script)],
            capture_output=True,
            check=True,
            timeout=120,
            cwd=tmp_path,
        )
        answers = re.findall(r"^ANSWER (.*)$", run.stdout.decode("utf-8", "replace"), re.MULTILINE)
        return [ast.literal_eval(answer) for answer in answers]

    return ask
