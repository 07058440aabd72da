"""The cache is the folder that the environment names, otherwise the system's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.files.bundled import CACHE_VARIABLE, cache_folder


def test_cache_is_that_of_the_system_unless_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv(CACHE_VARIABLE)
    assert "reconcile" in cache_folder().parts
    assert cache_folder().is_absolute()
