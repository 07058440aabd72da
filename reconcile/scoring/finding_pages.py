"""The page of every finding, read from `findings.md` beside this module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, get_args

Severity = Literal["info", "warning", "error"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
PAGES: Final = Path(__file__).with_name("findings.md")
_PAGE: Final = re.compile(
    r"^## (?P<code>[a-z-]+) \((?P<severity>[a-z]+)\): (?P<title>.+)\n\n(?P<page>(?:.+\n)+)\nWhat to do: (?P<advice>(?:.+\n)+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class FindingPage:
    """The page of a finding, the same for every occurrence."""

    code: str
    severity: Severity
    title: str
    page: str
    advice: str


def _read(text: str) -> dict[str, FindingPage]:
    severities: dict[str, Severity] = {severity: severity for severity in SEVERITIES}
    return {
        code: FindingPage(code, severities[severity], *(" ".join(part.split()) for part in texts))
        for code, severity, *texts in _PAGE.findall(text)
    }


FINDINGS: Final[Mapping[str, FindingPage]] = MappingProxyType(_read(PAGES.read_text("utf-8")))
"""Every page by code, in the order of the file."""
