"""Pages of files that are damaged and read all the same."""

import pytest

from reconcile.formats import read_match
from reconcile.formats.xg import records as at
from reconcile.gap.review import review
from reconcile.report.forms import in_form
from tests.support.small_files import CONTENT as XG
from tests.support.xg_tampering import records_of, sealed


@pytest.mark.parametrize("kind", [at.CUBE, at.MOVE])
def test_decision_that_a_file_has_twice_takes_no_page_down(kind):
    rows = [row for row, record in enumerate(records_of(XG)) if record[8] == kind]
    for row in (rows[0], rows[-1]):
        records = records_of(XG)
        records.insert(row, records[row])
        match = read_match("twice.xg", sealed(XG, records))
        assert "</html>" in in_form(review(match), "html")
