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
