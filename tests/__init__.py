"""The tests; a package so that they share `tests.support`, whose assertions tell what differs."""

import pytest

pytest.register_assert_rewrite("tests.support")
