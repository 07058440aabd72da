"""Gates run in an empty folder."""

import pytest

from tests.support.command_line import CUBE_RICH
from tests.support.packs import falsified, pack_of


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere):
    """In every test below this folder."""


@pytest.fixture
def pack(tmp_path):
    """A pack of which two figures are out of tolerance, and one match is not here."""
    return falsified(tmp_path / "pack", "charlot", error_rate_memg="92.8927", snowie_memg="99")


@pytest.fixture
def damaged(pack):
    """The same, with a file that cannot be read in place of the figures out of tolerance: its name,
    and that of a sound match beside it.
    """
    (file,) = (pack / CUBE_RICH.name).glob("*.sgf")
    file.write_bytes(b"(;")
    pack_of(pack, "gnubg-3pt-2ply")
    return file.name, "gnubg-3pt-2ply"
