"""What the site has beside its pages, put in when it is built: sample reports, and the page without installation."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

PAIR: Final = "reference_matches/demonstration/nora-lindqvist-tomas-beck"
SAMPLES: Final = {
    "one.html": (f"{PAIR}.xg",),
    "three.html": (f"{PAIR}.xg", f"{PAIR}.sgf", "docs/samples/nora-lindqvist-tomas-beck-1ply.sgf"),
}
"""Reports of `samples/` and the analyses in them; a report of two is `reports/sample.html`."""
WHEELS: Final = "RECONCILE_DATA"
"""Where `pyodide/` has NumPy's wheel for browsers."""
NOT_BUILT: Final = (
    "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Not here</title><p>This site was built without the page; "
    "<code>python -m web.build -o reconcile.html</code> makes it.</p></html>"
)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """MkDocs asks this for the files of the site: those it found, `sample.html`, `samples/`, and `app/`."""
    from mkdocs.structure.files import File

    project = Path(config.config_file_path).parent
    files.append(
        File.generated(config, "sample.html", abs_src_path=str(project / "reports" / "sample.html"))
    )
    for name, analyses in SAMPLES.items():
        files.append(File.generated(config, f"samples/{name}", content=_report(project, analyses)))
    for name, page in _player(project):
        files.append(File.generated(config, f"samples/player/{name}", content=page))
    for name, content in _app(project).items():
        files.append(File.generated(config, f"app/{name}", content=content))
    return files


def _report(project: Path, analyses: tuple[str, ...]) -> str:
    """The page of a match with these analyses."""
    from reconcile import load_match, review, to_html

    return to_html(review(*(load_match(project / path) for path in analyses)))


def _player(project: Path) -> Iterator[tuple[str, str]]:
    """The pages of a player, as `reconcile stats nora-lindqvist.zip --html samples/player --player NAME` writes them."""
    from reconcile.corpus.career import careers
    from reconcile.report.html.player import player_pages

    found = careers(
        [str(project / "docs" / "samples" / "nora-lindqvist.zip")], player="Nora Lindqvist"
    )
    for path, content in player_pages(found, "", one=True):
        yield Path(path).as_posix(), content if isinstance(content, str) else "".join(content)


def _app(project: Path) -> dict[str, str | bytes]:
    """The page without installation, as a folder, where what goes in is at hand; else a page that says how to build it."""
    sys.path.insert(0, str(project))
    try:
        from web.build import CannotBuild, gathered, split_page
    finally:
        sys.path.remove(str(project))
    wheels = sorted(Path(os.environ.get(WHEELS) or os.devnull, "pyodide").glob("numpy-*.whl"))
    if wheels:
        try:
            return split_page(gathered(wheels[0], None))
        except CannotBuild as error:
            logging.getLogger("mkdocs.hooks").info("app/ is not built: %s", error)
    return {"index.html": NOT_BUILT}
