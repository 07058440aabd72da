"""No English is left on a page in another language: nothing that it says is said as in English."""

import re
from functools import cache

import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.infer.investigation import investigate
from reconcile.language import LANGUAGES
from reconcile.report.html.page import comparison_page, investigation_page, many_page
from tests.support.command_line import SGF, XG
from tests.support.long import long_but_first
from tests.support.several import analyses_of

TEXTS = """() => {
  const found = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const outside = 'script, style, code, kbd, body [lang=en], .banner, option';
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.closest(outside)) found.add(node.data.trim());
  }
  document.querySelectorAll('option').forEach((one) => found.add(one.textContent.trim()));
  document.querySelectorAll('[aria-label]').forEach((one) => {
    if (!one.closest(outside)) found.add(one.ariaLabel.trim());
  });
  return [...found];
}"""
WORDS = re.compile(r"[a-z]{2,}")
"""What a name, a number, a play, and an identifier have not."""
SAME = {
    *("bar", "off", "ply", "cubeful", "gnu", "gnubg", "xg", "bg", "gammon", "backgammon", "beaver"),
    *("emg", "mwc", "crawford", "away", "pr", "equity", "diff", "xgid", "id", "pip", "pips"),
    *("phase", "contact", "double"),
}
"""Words that players use in every language."""


def pages():
    many = analyses_of(XG, SGF)
    yield "two", lambda tongue: comparison_page(compare(*many.matches), tongue)
    yield "one", lambda tongue: many_page(analyses_of(XG), tongue)
    yield "three", lambda tongue: many_page(analyses_of(XG, SGF, XG), tongue)
    found = investigate(load_match(XG), "Nora", {"pr": "7.7"})
    assert found.explanations
    yield "investigation", lambda tongue: investigation_page(found, tongue)


PAGES = dict(pages())


@cache
def said(browser, path, name, tongue):
    """Every text of a page, and of its practice."""
    path.write_text(PAGES[name](tongue), "utf-8")
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(path.as_uri())
    opened.wait_for_selector("html[data-state=ready]")
    texts = set(opened.evaluate(TEXTS))
    for act in ACTS:
        opened.evaluate(act)
        texts |= set(opened.evaluate(TEXTS))
    opened.close()
    return texts


ACTS = (
    "document.querySelector('[data-filter]')?.click()",
    "document.querySelectorAll('#decisions li')[9]?.click()",
    "document.querySelector('[data-go=c]')?.click()",
    "document.getElementById('practise')?.click()",
    "document.querySelector('[data-practice-seat=\"\"]')?.click()",
    "document.querySelector('.choices button')?.click()",
)
"""What a reader does."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.mark.parametrize("tongue", LANGUAGES[1:])
@pytest.mark.parametrize("name", long_but_first([*PAGES][::-1], 0, 2))
def test_a_page_says_nothing_as_in_english(browser, folder, name, tongue):
    english, other = (
        said(browser, folder / "page.html", name, each) for each in (LANGUAGES[0], tongue)
    )
    assert len(other) > 100
    names = {word.lower() for word in re.findall(r"\w+", "Nora Lindqvist Tomas Beck")}
    left = {text for text in english & other if set(WORDS.findall(text.lower())) - SAME - names}
    assert not left
