"""The program's own data: where they are, pages for `reconcile explain`, and where slow results
and downloads are kept between runs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from reconcile.errors import InvalidConfiguration

_INSTALLED = Path(__file__).parents[1] / "data"
_CHECKOUT = Path(__file__).parents[2]


def bundled(name: str) -> Path:
    """The path of a bundled file or folder. Raises `InvalidConfiguration` if the installation
    lacks it."""
    for folder in (_INSTALLED, _CHECKOUT):
        if (folder / name).exists():
            return folder / name
    raise InvalidConfiguration(
        "expected beside the package, found nothing; install gammon-reconcile again or name a path",
        name,
    )


CACHE_VARIABLE = "RECONCILE_CACHE"
"""Environment variable with the folder to use instead of the system's own."""


def cache_folder() -> Path:
    """The folder of `RECONCILE_CACHE`, or `reconcile` in the system's cache folder; it need not
    exist."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("reconcile", appauthor=False)


_PAGE = re.compile(
    r"^## (?P<code>\S+)(?: \((?P<severity>[a-z]+)\))?: "
    r"(?P<title>.+)\n\n(?P<page>(?:.+\n)+)(?:\nWhat to do: (?P<advice>(?:.+\n)+))?",
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

    A page is a heading (`## code: title` or `## code (severity): title`), a paragraph, and
    perhaps one that begins with "What to do:".
    """
    pages = (page.groupdict("") for page in _PAGE.finditer(path.read_text("utf-8")))
    return MappingProxyType(
        {
            page["code"]: Page(**{name: " ".join(part.split()) for name, part in page.items()})
            for page in pages
        }
    )


def samples() -> Mapping[str, Path]:
    """The matches that come with the program, by file name; none is of real players. Raises
    `InvalidConfiguration` if they are missing."""
    names = sorted(
        path for path in bundled("reference_matches").glob("*/*") if path.suffix in (".xg", ".sgf")
    )
    return {path.name: path for path in names}
