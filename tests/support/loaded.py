"""Matches of files that many tests read, each read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.match.match import Match
from tests.support.data import FOLDER

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
"""The two bundled files of one match, without .xg or .sgf."""


@cache
def loaded(path: Path) -> Match:
    """The match in a file."""
    return load_match(path)


def real(pattern: str) -> Match:
    """The match in the one file of the real ones that a pattern names."""
    (path,) = FOLDER.glob(pattern)
    return loaded(path)
