"""Pages that `reconcile explain` prints, written in Markdown beside the module whose codes they explain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

_PAGE: Final = re.compile(
    r"^## (?P<code>\S+)(?: \((?P<severity>[a-z]+)\))?: (?P<title>.+)\n\n(?P<page>(?:.+\n)+)(?:\nWhat to do: (?P<advice>(?:.+\n)+))?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Page:
    """What a code means."""

    code: str
    title: str
    page: str
    severity: str = ""
    """Of a finding: `info`, `warning` or `error`."""
    advice: str = ""
    """What to do about a finding."""


def read_pages(path: Path) -> Mapping[str, Page]:
    """The pages of a file by code, in its order.

    A page is a heading (`## code: title` or `## code (severity): title`), a paragraph, and perhaps one that begins with "What to do:".
    """
    found = (one.groupdict("") for one in _PAGE.finditer(path.read_text("utf-8")))
    return MappingProxyType({one["code"]: Page(**{name: " ".join(part.split()) for name, part in one.items()}) for one in found})
