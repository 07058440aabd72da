"""A file that several tests of the gap write."""

import pytest


@pytest.fixture
def written(tmp_path):
    """Where a test writes its tolerance file."""
    return tmp_path / "tolerances.yaml"
