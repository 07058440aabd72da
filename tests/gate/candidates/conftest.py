"""Tests of candidates run in an empty folder and without the folder of real matches."""

import pytest

from tests.gate.candidates.samples import RICH, ZERO_PLY
from tests.support.packs import pack_of


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """A pack of two of the bundled matches."""
    return pack_of(tmp_path_factory.mktemp("two"), ZERO_PLY.name, RICH.name)


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere):
    pass
