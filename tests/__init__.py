"""The tests; a package so that they can share `tests.support`, whose assertions tell what they compared like those of a test."""

import pytest

pytest.register_assert_rewrite("tests.support")
