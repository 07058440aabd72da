"""Fixtures of all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import data as real

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real matches; without it the test is skipped."""
    if not real.present():
        pytest.skip(real.ABSENT)
    return real.FOLDER


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder and without the folder of real matches."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(real.VARIABLE, raising=False)
