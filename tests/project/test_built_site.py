"""The site as it is built: strictly, with all its pages, and asking nobody for anything."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from docs.making.built import pages
from reconcile.gap.bridge import CAUSES
from reconcile.infer.checks import CHECKS
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.metrics import METRICS
from tests.support.claims import some
from tests.support.data import PROJECT

DOCS = PROJECT / "docs"
SAMPLE = PROJECT / "reports" / "sample.html"
SAMPLES = {
    SAMPLE.name: "PR 7.16 by XG, 4.85 by gnuBG",
    "samples/one.html": "<h1>Nora Lindqvist",
    "samples/three.html": "41 decisions in dispute",
    "samples/player/index.html": "<h1>Nora_Lindqvist: PR ",
    "samples/matrix.html": "GammonView",
}
"""Reports that the first page leads to, with words of their first paragraph or heading."""
EXTERNAL = {
    "a": (),
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
}
"""Attributes by which a page would fetch something; a link that a reader follows fetches nothing by
itself."""
TAG = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*>", re.IGNORECASE)


class Fetched(HTMLParser):
    """What a browser would fetch for a page, from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def scan(self, page: str) -> list[str]:
        """What is found in the tags of a page that could fetch anything; its scripts are not read
        as tags here."""
        self.feed("".join(TAG.findall(page)).replace("<script", "<source"))
        return self.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            value
            for name, value in attrs
            if name in EXTERNAL.get(tag, ()) and value and re.match(r"(?:https?:)?//", value)
        ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    if not all(
        importlib.util.find_spec(name) for name in ("properdocs", "properdocs_theme_mkdocs")
    ):
        pytest.skip("ProperDocs is not installed; pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    # A proxy that nobody listens at, so that whatever asks the network fails.
    nowhere = dict.fromkeys(
        ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
    )
    environment = {**os.environ, **nowhere, "PYTHONUTF8": "1"}
    alone = ["unshare", "--net"]
    alone *= (
        shutil.which("unshare") is not None
        and subprocess.run([*alone, "true"], capture_output=True).returncode == 0
    )
    build = [sys.executable, "-m", "properdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        [*alone, *build],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def built(site: Path) -> Iterator[Path]:
    paths = sorted(site.rglob("*.html"))
    assert paths
    yield from paths


@pytest.mark.long
def test_site_has_every_page_and_nothing_of_the_generator(site: Path) -> None:
    names = [*(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")), *pages()]
    paths = {path.relative_to(site).as_posix() for path in built(site)}
    paths = {name for name in paths if not name.startswith("samples/player/matches/")}
    assert paths == {name.removesuffix(".md") + ".html" for name in names} | {
        "404.html",
        "app/index.html",
        *SAMPLES,
    }
    assert [path for path in site.rglob("*") if path.suffix in (".py", ".yaml", ".pyc")] == []
    assert not (site / "measured.json").exists()


@pytest.mark.long
def test_first_page_leads_to_a_report_of_each_kind(site: Path) -> None:
    first = (site / "index.html").read_text("utf-8")
    for name, words in SAMPLES.items():
        assert f'href="{name}"' in first
        assert words in (site / name).read_text("utf-8"), name
    assert (site / SAMPLE.name).read_bytes() == SAMPLE.read_bytes()


@pytest.mark.long
def test_built_pages_fetch_nothing_from_elsewhere_and_name_no_place_on_somebody_s_machine(
    site: Path,
) -> None:
    for path in some(built(site)):
        text = path.read_text("utf-8")
        assert Fetched().scan(text) == [], path.name
        assert str(PROJECT) not in text, path.name


@pytest.mark.long
def test_built_styles_fetch_nothing_from_elsewhere(site: Path) -> None:
    styles = sorted(site.rglob("*.css"))
    assert styles
    for path in styles:
        assert (
            re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text("utf-8")) == []
        ), path.name


@pytest.mark.long
def test_built_pages_have_the_anchors_of_their_codes(site: Path) -> None:
    expected = {
        "rules": RULE_SETS,
        "findings": FINDINGS,
        "causes": CAUSES,
        "checks": CHECKS,
        "figures": METRICS,
    }
    expected |= {f"questions/{code}": question.answers for code, question in QUESTIONS.items()}
    for name, codes in expected.items():
        identifiers = set(
            re.findall(r'<h[1-6] id="([^"]+)"', (site / f"{name}.html").read_text("utf-8"))
        )
        assert set(codes) <= identifiers, name


@pytest.mark.long
def test_changelog_is_that_of_the_project(site: Path) -> None:
    first = re.search(r"^- (.{40})", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first is not None
    words = re.sub(r"[`*]", "", first[1]).split()[:5]
    assert " ".join(words) in re.sub(r"<[^>]+>", "", (site / "changelog.html").read_text("utf-8"))


@pytest.mark.long
def test_search_finds_what_readers_look_for(site: Path) -> None:
    """A page that has the word in its title or a heading."""
    paths = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    wanted = {
        "install": "install.html",
        "faq": "faq.html",
        "glossary": "glossary.html",
        "pickle": "library-packs.html",
        "excel": "faq.html",
        "offline": "install.html",
    }
    for word, page in wanted.items():
        texts = [
            f"{entry['title']} {entry['text']}"
            for entry in paths
            if entry["location"].startswith(page)
        ]
        assert any(re.search(rf"\b{word}\b", text, re.IGNORECASE) for text in texts), word
    assert {
        page
        for page in wanted.values()
        if not (PROJECT / "docs" / page.replace(".html", ".md")).exists()
    } == set()


def test_settings_of_the_site_ask_nobody_for_fonts_or_scripts() -> None:
    text = re.sub(r"!relative \S+?(?=\])", "'.'", (PROJECT / "mkdocs.yml").read_text("utf-8"))
    settings = yaml.safe_load(text)
    assert settings["theme"]["highlightjs"] is False
    assert settings["plugins"] == ["search"]
    assert "extra_javascript" not in settings
    assert all((DOCS / path).is_file() for path in settings["extra_css"])
    assert all(
        level == "warn" for group in settings["validation"].values() for level in group.values()
    )
