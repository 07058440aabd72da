"""What a player looks for on the page of a match, at two widths, in light and dark."""

import pytest

from reconcile.report.html.decision_list import review_decisions
from tests.report.open_pages import PHONE, opened
from tests.support.browser import violations
from tests.support.long import long_but_first
from tests.support.several import beginnings

CLAIMS = {
    "the head says who won, and every game has its place": """
        () => /won|–/.test(document.querySelector('h1').textContent) &&
          document.querySelectorAll('#strip a').length === 3""",
    "nothing is wider than the window": """
        () => document.documentElement.scrollWidth <= innerWidth""",
    "an address puts the board in the upper half of the window": """
        () => { const top = document.querySelector('#decision .board').getBoundingClientRect().top;
          return top >= 0 && top < innerHeight / 2; }""",
    "the list is one tab stop of whole rows": """
        () => { const list = document.getElementById('decisions'), row = list.querySelector('li');
          return list.tabIndex === 0 && !list.querySelector('a, button') &&
            Math.abs((list.clientHeight / row.getBoundingClientRect().height + 0.5) % 1 - 0.5)
              < 0.05; }""",
    "one border holds for all programs": """
        () => document.querySelector('.counts-of').textContent.includes('0.020 and 0.080')""",
}
ALIKE = {"exclude": [["tbody tr:nth-child(n+20)"]]}
"""What axe leaves out: rows further down look like those above, and each takes its time."""


def serious(page):
    """What axe finds serious on a page."""
    faults = violations(page, context=ALIKE, options={"resultTypes": ["violations"]})
    return [
        (fault["id"], [node["html"][:80] for node in fault["nodes"]])
        for fault in faults
        if fault["impact"] in ("serious", "critical")
    ]


DESK = {"width": 1280, "height": 800}


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    long_but_first([(DESK, "light"), (PHONE, "dark"), (DESK, "dark"), (PHONE, "light")], 0, 2),
)
def test_page_keeps_its_promises(browser, tmp_path, viewport, scheme):
    many = beginnings(".xg", ".sgf")
    decisions = review_decisions(many)
    key = next(decisions.keys[at] for at in decisions.order if ":" in decisions.done(at))
    page = opened(browser, many, tmp_path, f"#{key}", viewport=viewport, color_scheme=scheme)
    assert serious(page) == []
    assert [claim for claim, script in CLAIMS.items() if not page.evaluate(script)] == []
