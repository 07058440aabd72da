"""The page of every finding, read from `findings.md` beside this module."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, get_args

from reconcile.files.bundled import read_pages

Severity = Literal["info", "warning", "error"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
PAGES: Final = Path(__file__).with_name("findings.md")
FINDINGS: Final = read_pages(PAGES)
"""Every page by code, in the order of the file."""
