"""Where the tests of a corpus take their matches from."""

import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.archive import make_archive

if TYPE_CHECKING:
    pass

ODD = "out [1]*? 'x'" if sys.platform != "win32" else "out [1] 'x'"
"""A folder whose name is a pattern and ends a text in SQL."""


@pytest.fixture
def archive(tmp_path):
    """A folder of matches from two tools, one of them twice, and files that hold none."""
    return make_archive(tmp_path / "matches", 2)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """The tables of such a folder, to be read only."""
    from reconcile.corpus.run import build

    return build(
        [str(make_archive(tmp_path_factory.mktemp("matches") / "m"))],
        tmp_path_factory.mktemp("out") / ODD,
        jobs=1,
    )
