"""Every page is sound and can be used by anybody: tags, headings, tables, links, names of pictures
and controls, contrast.
"""

import pytest

from tests.report.markup import assert_usable
from tests.report.pages import PAGES, parsed
from tests.support.long import long_but_first

RARER = ("bare", "explained match", "investigation exact", "investigation nothing fits")
NAMES = [*(name for name in PAGES if name not in RARER), *RARER]


@pytest.mark.parametrize("name", long_but_first(NAMES, len(PAGES) - len(RARER)))
def test_page_can_be_used_by_anybody(name):
    bare = name in ("empty pack", "folders of several")
    assert_usable(PAGES[name], parsed(name), without_tables=bare)
