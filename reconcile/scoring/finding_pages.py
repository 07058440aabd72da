"""The page of every finding, read from `findings.md` beside this module."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reconcile.files.pages import read_pages

SEVERITIES: Final = ("info", "warning", "error")
PAGES: Final = Path(__file__).with_name("findings.md")
FINDINGS: Final = read_pages(PAGES)
"""Every page by code, in the order of the file."""
