"""Gates run in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.ci.outputs import falsified


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere: None) -> None:
    """In every test below this folder."""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of which two figures are out of tolerance, and one match is not here."""
    return falsified(tmp_path / "pack", error_rate_memg="92.8927", snowie_memg="99")
