"""Chromium for the tests that look at pages, driven by Playwright."""

import os
import shutil
from base64 import b64encode
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
]
ALIKE = {"exclude": [["tbody tr:nth-child(n+20)"]]}
"""What axe leaves out: rows further down look like those above, and each takes its time."""
BYTES = "const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));"
DROPPED = f"""(names) => {{ {BYTES}
  const all = new DataTransfer();
  names.forEach(([name, text]) => all.items.add(new File([bytes(text)], name)));
  ['dragenter', 'dragover', 'drop'].forEach(kind => document.body.dispatchEvent(
    new DragEvent(kind, {{ dataTransfer: all, bubbles: true, cancelable: true }})));
}}"""
"""Drops files, `encoded`, on a page."""


def encoded(*paths):
    """Files as a script of a page can make them."""
    return [(Path(path).name, b64encode(Path(path).read_bytes()).decode()) for path in paths]


def violations(page, **run):
    """What axe has against a page or a part of it; skips where it is not installed."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed (extra `browser`)"
    )
    return axe.Axe().run(page, **run).response["violations"]


def serious(page):
    """The serious ones."""
    faults = violations(page, context=ALIKE, options={"resultTypes": ["violations"]})
    return [
        (fault["id"], [node["html"][:80] for node in fault["nodes"]])
        for fault in faults
        if fault["impact"] in ("serious", "critical")
    ]


@contextmanager
def chromium():
    """A browser without a window, closed in the end; skips where it or Playwright is not
    installed."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed (extra `browser`)"
    )
    with sync_api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()
