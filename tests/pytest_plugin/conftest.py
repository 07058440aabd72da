"""A pack to judge, without the folder of real matches and with a cache of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pytest_plugin.runs import PACK, REPORTED


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RECONCILE_DATA", raising=False)
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pack(pytester: pytest.Pytester) -> Path:
    """A pack of one match with reported figures, below the current folder."""
    shutil.copytree(PACK / REPORTED, pytester.path / "pack" / REPORTED)
    return pytester.path / "pack"
