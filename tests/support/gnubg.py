"""The installed gnuBG, for tests that ask it; without it they are skipped."""

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from reconcile.engines.gnubg import find
from reconcile.errors import EngineError


@cache
def _program():
    try:
        return find()
    except EngineError:
        return None


SHIPPED = Path("/usr/share/gnubg/met")
"""gnuBG's match equity tables; ours have the same names."""
needs_gnubg = pytest.mark.skipif(_program() is None, reason="gnuBG is not installed")
needs_tables = pytest.mark.skipif(
    not SHIPPED.is_dir(), reason=f"gnuBG's match equity tables are not in {SHIPPED}"
)


def program():
    """The installed gnuBG."""
    programs = _program()
    assert programs is not None
    return programs


def terminal(commands, folder):
    """What gnuBG prints when it is given these commands, written to a folder."""
    script = folder / "commands"
    script.write_text(commands, "utf-8")
    asked = [str(program().path), "-t", "-q", "-r", "-c", str(script)]
    home = os.environ | {"HOME": str(folder)}
    return subprocess.run(
        asked, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300, env=home
    ).stdout
