"""Where the tests of a corpus take their matches from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.archive import make_archive


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A folder of matches from two tools, one of them twice, and files that hold none."""
    return make_archive(tmp_path / "matches")
