"""The site as it is built: strictly, with all its pages, and asking nobody for anything."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from docs.making.built import pages
from tests.support.claims import some
from tests.support.data import PROJECT

DOCS = PROJECT / "docs"
SAMPLES = {
    "sample.html": "PR 7.16 by XG, 4.85 by gnuBG",
    "samples/one.html": "<h1>Nora Lindqvist",
    "samples/three.html": "41 decisions in dispute",
    "samples/player/index.html": "<h1>Nora_Lindqvist: PR ",
    "samples/matrix.html": "GammonView",
}
"""Reports that the first page leads to, with words of their first paragraph or heading."""
FETCHED = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|srcset|href)=[\"']?(?:https?:)?//",
    re.IGNORECASE,
)
"""What a browser would fetch from elsewhere; a link that a reader follows fetches nothing by
itself."""
SEARCHED = {
    "install": "install",
    "faq": "faq",
    "glossary": "glossary",
    "pickle": "library-packs",
    "excel": "faq",
    "offline": "install",
}
"""What readers look for, and the page that has it."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site, where whatever asks the network fails."""
    for name in ("properdocs", "properdocs_theme_mkdocs"):
        if importlib.util.find_spec(name) is None:
            pytest.skip("ProperDocs is not installed; pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    nowhere = dict.fromkeys(
        ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
    )
    alone = ["unshare", "--net"] if shutil.which("unshare") else []
    if alone and subprocess.run([*alone, "true"], capture_output=True).returncode:
        alone = []
    build = [sys.executable, "-m", "properdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        [*alone, *build],
        cwd=PROJECT,
        env={**os.environ, **nowhere, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.long
def test_site_has_every_page_and_nothing_of_the_generator(site):
    names = [*(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")), *pages()]
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    expected = {name.removesuffix(".md") + ".html" for name in names}
    expected |= {"404.html", "app/index.html", *SAMPLES}
    assert {name for name in built if not name.startswith("samples/player/matches/")} == expected
    assert [path for path in site.rglob("*") if path.suffix in (".py", ".yaml", ".pyc")] == []
    assert not (site / "measured.json").exists()


@pytest.mark.long
def test_first_page_leads_to_a_report_of_each_kind(site):
    first = (site / "index.html").read_text("utf-8")
    for name, words in SAMPLES.items():
        assert f'href="{name}"' in first
        assert words in (site / name).read_text("utf-8"), name
    sample = PROJECT / "reports" / "sample.html"
    assert (site / "sample.html").read_bytes() == sample.read_bytes()


@pytest.mark.long
def test_built_files_fetch_nothing_from_elsewhere_and_name_no_place_on_somebody_s_machine(
    site,
):
    for path in some(site.rglob("*.html")):
        text = path.read_text("utf-8")
        assert not FETCHED.search(text), path.name
        assert str(PROJECT) not in text, path.name
    for path in some(site.rglob("*.css")):
        text = path.read_text("utf-8")
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", text), path.name


@pytest.mark.long
def test_search_finds_what_readers_look_for(site):
    """A page that has the word in its title or a heading."""
    entries = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    for word, page in SEARCHED.items():
        assert any(
            entry["location"].startswith(f"{page}.html")
            and re.search(rf"\b{word}\b", f"{entry['title']} {entry['text']}", re.IGNORECASE)
            for entry in entries
        ), word
