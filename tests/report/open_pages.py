"""The page of a match, open in a browser."""

from reconcile.gap.comparison import compare
from reconcile.gap.review import Review
from reconcile.report.html.page import comparison_page, many_page

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
