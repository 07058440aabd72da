"""Pages of matches, open in a browser."""

import pytest

from tests.report.open_pages import shown
from tests.support.command_line import SGF, XG
from tests.support.several import analyses_of, beginnings


@pytest.fixture
def pair(browser, tmp_path):
    """Two analyses of the demonstration."""
    return shown(browser, analyses_of(XG, SGF), tmp_path)


@pytest.fixture
def short_pair(browser, tmp_path):
    """Of its first games, for what takes long."""
    return shown(browser, beginnings(".xg", ".sgf"), tmp_path)
