"""The page of every finding, read from `findings.md` beside this module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

SEVERITIES: Final = ("info", "warning", "error")
PAGES: Final = Path(__file__).with_name("findings.md")
_PAGE: Final = re.compile(
    r"^## (?P<code>[a-z-]+) \((?P<severity>[a-z]+)\): (?P<title>.+)\n\n(?P<page>(?:.+\n)+)\nWhat to do: (?P<advice>(?:.+\n)+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class FindingPage:
    """The page of a finding, the same for every occurrence."""

    code: str
    severity: str
    """One of `SEVERITIES`."""
    title: str
    page: str
    advice: str


def _read(text: str) -> dict[str, FindingPage]:
    return {
        one["code"]: FindingPage(**{name: " ".join(part.split()) for name, part in one.groupdict().items()}) for one in _PAGE.finditer(text)
    }


FINDINGS: Final[Mapping[str, FindingPage]] = MappingProxyType(_read(PAGES.read_text("utf-8")))
"""Every page by code, in the order of the file."""
