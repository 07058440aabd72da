"""Gates run in an empty folder."""

import pytest

from tests.support.packs import falsified


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere):
    """In every test below this folder."""


@pytest.fixture
def pack(tmp_path):
    """A pack of which two figures are out of tolerance, and one match is not here."""
    return falsified(tmp_path / "pack", "charlot", error_rate_memg="92.8927", snowie_memg="99")
