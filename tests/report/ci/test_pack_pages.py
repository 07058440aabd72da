"""Markdown and pages of a pack: sound, linked to each other, and complete to the figure that a tool printed."""

from __future__ import annotations

from pathlib import Path

import html5lib
import pytest

from reconcile.files.bundled import bundled
from reconcile.files.output import legal_stem
from reconcile.gate.manifest import load_pack
from tests.report.ci.outputs import rendered
from tests.support.command_line import CUBE_RICH, OUTSIDE, WITHIN, process, run


def test_markdown_of_a_pack_is_a_heading_a_table_and_a_list(pack: Path) -> None:
    done = process("validate", str(pack), "--markdown", "-")
    assert done.returncode == OUTSIDE
    kinds = rendered(done.stdout.decode("utf-8"))
    assert [kind for kind in kinds if kind.endswith("_open")] == ["heading_open", "table_open", "bullet_list_open"]


@pytest.mark.long
def test_every_page_of_a_pack_is_html_without_an_error_and_links_to_pages_that_are_there(pack: Path) -> None:
    assert run("validate", str(pack), "--html", "falsified").exit_code == OUTSIDE
    assert process("validate", "--html", "site").returncode == WITHIN
    for path in Path("falsified").iterdir():
        html5lib.HTMLParser(strict=True).parse(path.read_text("utf-8"))
    pages = {path.name: path.read_text("utf-8") for path in Path("site").iterdir()}
    matches = [manifest.id for _, manifest in load_pack(bundled("reference_matches"))]
    assert {"index.html", *(f"{legal_stem(match)}.html" for match in matches)} <= pages.keys()
    linked = set()
    for name, text in pages.items():
        tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
        assert tree.findtext(".//h1"), name
        links = [anchor.get("href") or "" for anchor in tree.iter("a")]
        inside = {one for one in links if not one.startswith(("#", "https://"))}
        ids = {element.get("id") for element in tree.iter() if element.get("id")}
        assert {one[1:] for one in links if one.startswith("#")} <= ids, name
        assert inside <= set(pages), name
        linked |= inside if name == "index.html" else set()
    assert linked == set(pages) - {"index.html"}


def test_page_of_a_match_shows_every_figure_with_what_the_tool_printed_and_who_read_it(pack: Path) -> None:
    run("validate", str(pack), "--html", "site")
    tree = html5lib.parse(Path("site", f"{CUBE_RICH.name}.html").read_text("utf-8"), namespaceHTMLElements=False)
    rows = [["".join(cell.itertext()) for cell in row] for row in tree.iterfind(".//tbody/tr")]
    figures = [row for row in rows if len(row) == 7]
    assert len(figures) == 36
    (wrong,) = (row for row in figures if row[0].startswith("Error rate") and row[1] == "Ann")
    assert wrong[2] == "92.8927"
    assert (wrong[3], wrong[6]) == ("92.7927", "outside")
    text = "".join(tree.itertext())
    assert "Python interface" in text  # the source
    assert "Provenance" in text
    index = "".join(html5lib.parse(Path("site/index.html").read_text("utf-8"), namespaceHTMLElements=False).itertext())
    assert "Out of tolerance" in index
    assert "expected 92.8927" in index
