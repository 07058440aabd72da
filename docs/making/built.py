"""What only the built site has: references made from the program, sample reports, and the page
without installation."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from properdocs.config.defaults import ProperDocsConfig
    from properdocs.structure.files import Files

PROJECT = Path(__file__).parents[2]
PAIR = "reference_matches/demonstration/nora-lindqvist-tomas-beck"
SAMPLES = {
    "one.html": (f"{PAIR}.xg",),
    "three.html": (
        f"{PAIR}.xg",
        f"{PAIR}.sgf",
        "docs/samples/nora-lindqvist-tomas-beck-1ply.sgf",
    ),
}
"""Reports of `samples/` and the analyses in them; a report of two is `reports/sample.html`."""
WHEELS = "RECONCILE_DATA"
"""Where `pyodide/` has NumPy's wheel for browsers."""
NOT_BUILT = (
    "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Not here</title>"
    "<p>This site was built without the page; "
    "<code>python -m web.build -o reconcile.html</code> makes it.</p></html>"
)


def on_files(files: Files, *, config: ProperDocsConfig) -> Files:
    """Add everything that is made when the site is built; ProperDocs calls this with what it
    read."""
    from properdocs.structure.files import File

    sys.path.insert(0, str(PROJECT))
    try:
        for name, content in _contents():
            files.append(File.generated(config, name, content=content))
    finally:
        sys.path.remove(str(PROJECT))
    return files


def pages() -> dict[str, str]:
    """The references in Markdown, by path: what is looked up, and made from the program each
    time."""
    from docs.making.bundled import bundled_page
    from docs.making.corpus import questions_page, tables_page
    from docs.making.library import reference_page
    from docs.making.markdown import page
    from docs.making.reference import findings_page
    from docs.making.schemas import json_pages
    from docs.making.suite import cases_page

    changes = (PROJECT / "CHANGELOG.md").read_text("utf-8").partition("\n")[2]
    makers: dict[str, Callable[[], str]] = {
        "library-reference.md": reference_page,
        "findings.md": findings_page,
        "suite-cases.md": cases_page,
        "bundled.md": bundled_page,
        "corpus-tables.md": tables_page,
        "corpus-questions.md": questions_page,
        "changelog.md": lambda: page("Changelog", changes.replace("](docs/", "](")),
    }
    return {name: make() for name, make in makers.items()} | json_pages()


def _contents() -> Iterator[tuple[str, str | bytes]]:
    """Path and content of every file that is made."""
    yield from pages().items()
    yield "sample.html", (PROJECT / "reports" / "sample.html").read_bytes()
    for name, analyses in SAMPLES.items():
        yield f"samples/{name}", _report(analyses)
    for name, content in _player():
        yield f"samples/player/{name}", content
    for name, part in _app().items():
        yield f"app/{name}", part


def _report(analyses: tuple[str, ...]) -> str:
    """The page of a match with these analyses."""
    from reconcile import load_match, review, to_html

    return to_html(review(*(load_match(PROJECT / path) for path in analyses)))


def _player() -> Iterator[tuple[str, str]]:
    """The pages of a player, as `stats nora-lindqvist.zip --html DIR --player NAME` writes them."""
    from reconcile.match.names import NO_ALIASES
    from reconcile.report.text.query import player_pages

    archive = str(PROJECT / "docs" / "samples" / "nora-lindqvist.zip")
    pages = player_pages([archive], "", player="Nora Lindqvist", aliases=NO_ALIASES)
    for path, content in pages:
        yield Path(path).as_posix(), str(content)


def _app() -> dict[str, str | bytes]:
    """The page without installation, where NumPy's wheel is at hand; else how to build it."""
    from web.build import CannotBuild, gathered, split_page

    wheels = sorted(Path(os.environ.get(WHEELS) or os.devnull, "pyodide").glob("numpy-*.whl"))
    if wheels:
        try:
            return split_page(gathered(wheels[0], None))
        except CannotBuild as error:
            logging.getLogger("properdocs.hooks").info("app/ is not built: %s", error)
    return {"index.html": NOT_BUILT}
