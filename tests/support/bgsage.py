"""The installed bgsage, for tests that ask it; without it they are skipped."""

from importlib.util import find_spec

import pytest

needs_bgsage = pytest.mark.skipif(
    find_spec("bgsage") is None, reason="bgsage is not installed (extra `bgsage`)"
)
