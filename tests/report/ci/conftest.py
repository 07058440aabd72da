"""Gates run in an empty folder, outside any CI, and without the folder of real matches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.report.ci.outputs import falsified


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "RECONCILE_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of which two figures are out of tolerance, and one match is not here."""
    return falsified(tmp_path / "pack", error_rate_memg="92.8927", snowie_memg="99")
