"""The page of a match, open in a browser."""

from typing import Any, NamedTuple

from reconcile.gap.comparison import compare
from reconcile.gap.review import Review
from reconcile.report.html.decision_list import MatchDecisions, review_decisions
from reconcile.report.html.page import comparison_page, many_page

PHONE = {"width": 390, "height": 844}
_MADE: dict[int, tuple[Review, str]] = {}


def page_of(many):
    """The page that a command writes of these files, made once."""
    if id(many) not in _MADE:
        page = (
            comparison_page(compare(many.matches[0], many.matches[1]))
            if len(many.matches) == 2
            else many_page(many)
        )
        _MADE[id(many)] = many, page  # kept together, so that nothing else gets the number
    return _MADE[id(many)][1]


def opened(browser, many, folder, place="", **context):
    path = folder / "match.html"
    path.write_text(page_of(many), "utf-8")
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context}).new_page()
    page.goto(path.as_uri() + place)
    page.wait_for_function("() => document.documentElement.dataset.state === 'ready'")
    return page


def practise(page, seat=""):
    """Begin with the errors of a seat, or of both."""
    page.click("#practise")
    page.click(f"[data-practice-seat='{seat}']")


class Shown(NamedTuple):
    """Analyses of a match, their page, and its decisions."""

    many: Review
    page: Any
    decisions: MatchDecisions


def shown(browser, many, folder):
    return Shown(many, opened(browser, many, folder), review_decisions(many))
