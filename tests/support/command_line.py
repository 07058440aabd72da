"""The program run as scripts run it, in this process or as one of its own, and bundled files to give it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.files.bundled import bundled
from tests.support.data import PROJECT
from tests.support.processes import LONGEST

WITHIN, OUTSIDE, ERROR = 0, 1, 2
"""Exit codes of a gate."""
PACK = bundled("reference_matches")
XG, SGF = (str(PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf"))
"""One match, analysed by two tools whose figures differ."""
CUBE_RICH = PACK / "gnubg-11pt-cube-rich"
"""A match with figures that gnuBG reported, all of which agree."""


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> Result:
    """Run the command in this process; anything but an exit is raised."""
    result = CliRunner(env=environment).invoke(main, arguments, input=stdin, prog_name="reconcile", catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def process(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a shell does."""
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "reconcile", *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **environment},
        timeout=LONGEST,
    )


def strict(text: str) -> Any:
    """JSON without NaN and the like."""

    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} in JSON")

    return json.loads(text, parse_constant=refuse)
