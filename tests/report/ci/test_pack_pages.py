"""Markdown and pages of a pack: sound, linked to each other, and complete to the figure that a tool
printed.
"""

from pathlib import Path

import html5lib
import pytest

from reconcile.files.bundled import bundled
from reconcile.files.output import legal_stem
from reconcile.gate.manifest import load_pack
from tests.support.command_line import CUBE_RICH, OUTSIDE, WITHIN, run


@pytest.mark.long
def test_every_page_of_a_pack_is_html_without_an_error_and_links_to_pages_that_are_there(
    pack,
):
    assert run("validate", pack, "--html", "falsified").exit_code == OUTSIDE
    assert run("validate", "--html", "site").exit_code == WITHIN
    for path in Path("falsified").iterdir():
        html5lib.HTMLParser(strict=True).parse(path.read_text("utf-8"))
    pages = {path.name: path.read_text("utf-8") for path in Path("site").iterdir()}
    manifests = [manifest for _, manifest in load_pack(bundled("reference_matches"))]
    here = [
        manifest.id
        for manifest in manifests
        if any(file.bundled for file in manifest.files.values())
    ]
    away = f"{len(manifests) - len(here)} public matches are not here"
    names = {name for name in pages if ".pair-" not in name}
    assert names <= {"index.html", *(f"{legal_stem(match)}.html" for match in here)}
    assert pages["index.html"].count(away) == 1
    linked = set()
    for name, text in pages.items():
        tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
        assert "".join(next(tree.iter("h1")).itertext()), name
        links = [anchor.get("href") or "" for anchor in tree.iter("a")]
        inside = {link for link in links if not link.startswith(("#", "https://"))}
        assert inside <= set(pages), name
        linked |= inside if name == "index.html" else set()
    assert linked == set(pages) - {"index.html"}


def test_page_of_a_match_shows_every_figure_with_what_the_tool_printed_and_who_read_it(
    pack,
):
    run("validate", pack, "--html", "site")
    tree = html5lib.parse(
        Path("site", f"{CUBE_RICH.name}.html").read_text("utf-8"), namespaceHTMLElements=False
    )
    rows = [["".join(cell.itertext()) for cell in row] for row in tree.iterfind(".//tbody/tr")]
    figures = [row for row in rows if len(row) == 7]
    assert len(figures) == 36
    (wrong,) = (row for row in figures if row[0].startswith("Error rate") and row[1] == "Ann")
    assert wrong[2] == "92.8927"
    assert (wrong[3], wrong[6]) == ("92.7927", "outside")
    text = "".join(tree.itertext())
    assert "Python interface" in text  # the source
    assert "Provenance" in text
    index = "".join(
        html5lib.parse(
            Path("site/index.html").read_text("utf-8"), namespaceHTMLElements=False
        ).itertext()
    )
    assert "Outside" in index
    assert "expected 92.8927" in index
