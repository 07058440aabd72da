"""The checkout of a CI job, by whose files its services name the places of findings.

An annotation, a result of SARIF and a test case can only point to files inside the checkout, by their paths relative to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from reconcile.files.yaml_file import lines_of
from reconcile.gate.judged_figures import Place

ROOT_VARIABLES: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Environment variables with the folder of the checkout, on GitHub and on GitLab; without one it is the current folder."""
NAMED: Final = re.compile(r"(?P<path>[^\n]+?)(?::(?P<line>\d{1,9}))?: ")
"""How the message of an error begins that is about a file."""


class Checkout:
    """The folder that a job has checked out."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.root = Path(next(filter(None, map(environment.get, ROOT_VARIABLES)), ".")).resolve()
        self._lines: dict[Path, Callable[[Sequence[str | int]], int]] = {}

    def where(self, place: Place | None) -> tuple[str, int] | None:
        """Relative path, with `/`, and line of a place in a manifest; `None` outside the checkout."""
        if place is None or (file := self.file(place.path)) is None:
            return None
        if place.line is not None:
            return file, place.line
        if place.path not in self._lines:
            self._lines[place.path] = lines_of(place.path)
        return file, self._lines[place.path](place.keys)

    def file(self, path: str | Path) -> str | None:
        """The relative path, with `/`, of a file; `None` for what is no file inside the checkout."""
        try:
            resolved = Path(path).resolve()
            inside = resolved.is_relative_to(self.root) and resolved.is_file()
        except (OSError, ValueError):  # a name far too long, a null character
            return None
        return resolved.relative_to(self.root).as_posix() if inside else None

    def named_in(self, message: str) -> tuple[str, int] | None:
        """The place that an error's message begins with, as `FILE:LINE: ` or `FILE: `; a file without a line counts as line 1."""
        found = NAMED.match(message)
        if found is None or (file := self.file(found["path"])) is None:
            return None
        return file, max(int(found["line"] or 1), 1)
