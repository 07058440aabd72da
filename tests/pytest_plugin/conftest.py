"""A pack to judge."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pytest_plugin.runs import PACK, REPORTED


@pytest.fixture
def pack(pytester: pytest.Pytester) -> Path:
    """A pack of one match with reported figures, below the current folder."""
    shutil.copytree(PACK / REPORTED, pytester.path / "pack" / REPORTED)
    return pytester.path / "pack"
