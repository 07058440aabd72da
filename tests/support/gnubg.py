"""The installed gnuBG, for tests that ask it; without it they are skipped."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from reconcile.engines.gnubg import Gnubg, find
from reconcile.errors import EngineError


@cache
def _found() -> Gnubg | None:
    try:
        return find()
    except EngineError:
        return None


needs_gnubg = pytest.mark.skipif(_found() is None, reason="gnuBG is not installed")


def program() -> Gnubg:
    """The installed gnuBG."""
    found = _found()
    assert found is not None
    return found


def processes_in(folder: Path) -> list[int]:
    """The processes whose HOME is in a folder: those of the gnuBGs that put their temporary files there."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if f"HOME={folder}/".encode() in environment and state != "Z":
            found.append(int(entry.name))
    return found
