"""Chromium for the tests that look at pages, driven by Playwright."""

import os
import shutil
from contextlib import contextmanager

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


def violations(page, **run):
    """What axe has against a page or a part of it; skips where it is not installed."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed (extra `browser`)"
    )
    return axe.Axe().run(page, **run).response["violations"]


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
