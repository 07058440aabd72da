"""A pack whose file is on a server on this computer, that server, and an empty cache; programs
that are judged without a diagnosis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reconcile.files.bundled import CACHE_VARIABLE
from tests.gate.packs_elsewhere import CONTENT, pack_of
from tests.support.http_server import Server, body


@pytest.fixture
def server() -> Iterator[Server]:
    entry = Server(body(CONTENT))
    yield entry
    entry.close()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def pack(tmp_path: Path, server: Server, cache: Path) -> Path:
    return pack_of(tmp_path, f"{server.root}/match.sgf")


@pytest.fixture
def undiagnosed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong figures of a program are judged alone: to look for its rules and faults takes ten
    times as long, and is another claim."""
    monkeypatch.setattr(
        "reconcile.gate.candidates.programs.diagnose", lambda candidate, subjects: None
    )
