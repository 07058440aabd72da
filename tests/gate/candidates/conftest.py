"""Tests of candidates run in an empty folder and without the folder of real matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.gate.files import DATA_VARIABLE


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
