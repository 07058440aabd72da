"""The page and the notebook of the library run as they are printed, and leave nothing public
out."""

import doctest
import json

import pytest

import reconcile
from docs.making import notebook
from docs.making.library import FUNCTIONS, reference_page
from tests.support.data import PROJECT
from tests.support.long import long_but_first

PAGES = [PROJECT / "docs" / name for name in ("library.md", "library-packs.md")]


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch):
    monkeypatch.chdir(PROJECT)


@pytest.mark.parametrize("page", long_but_first(PAGES), ids=[page.stem for page in PAGES])
def test_examples_of_the_page_print_what_it_shows(page):
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 5


def test_pages_have_an_example_of_every_function_and_the_reference_every_result():
    examples = "".join(
        line
        for page in PAGES
        for line in page.read_text("utf-8").splitlines()
        if line.startswith((">>> ", "... "))
    )
    assert [
        each.__name__ for each in FUNCTIONS if f"reconcile.{each.__name__}(" not in examples
    ] == []
    reference = reference_page()
    assert {name for name in reconcile.__all__ if f".{name}\n" not in reference} == {"__version__"}


@pytest.mark.long
def test_notebook_runs_from_top_to_bottom_and_shows_what_is_stored():
    stored = json.loads(notebook.NOTEBOOK.read_text("utf-8"))
    assert firsts(notebook.executed()) == firsts(stored), "run `python -m docs.making.notebook`"


def firsts(book):
    """Of each cell the beginning of its table or picture and the first line of its text."""
    results = [cell["outputs"][0]["data"] for cell in book["cells"] if "outputs" in cell]
    assert results
    return [tuple(lines[0][:60] for _, lines in sorted(shown.items())) for shown in results]
