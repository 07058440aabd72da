"""Tests of candidates run in an empty folder and without the folder of real matches."""

import shutil

import pytest

from tests.gate.candidates.samples import RICH, ZERO_PLY


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """A pack of two of the bundled matches."""
    folder = tmp_path_factory.mktemp("two")
    for match in (ZERO_PLY, RICH):
        shutil.copytree(match, folder / match.name)
    return folder


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere):
    pass
