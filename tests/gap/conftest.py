"""Files and folders that several tests of the gap write."""

import pytest

from tests.support.folder_pairs import ALICE, ANN, NORA, NORA_XG, put


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Two empty folders below the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    return tmp_path / "one", tmp_path / "two"


@pytest.fixture
def everything(two):
    """Folders with every kind of pair and of file left over."""
    put(two[0], a=NORA_XG, b=ALICE, copy=ALICE, alone=ANN)
    put(two[1], c=NORA, d=ALICE)
    (two[0] / "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    (two[1] / "notes.txt").write_text("nothing")
    return two


@pytest.fixture
def written(tmp_path):
    """Where a test writes its tolerance file."""
    return tmp_path / "tolerances.yaml"
