"""Tests of candidates run in an empty folder and without the folder of real matches."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(elsewhere: None) -> None:
    pass
