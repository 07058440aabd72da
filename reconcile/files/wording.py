"""Counts and lists in a sentence, and text from elsewhere in a form that only shows letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

NOTED: Final = 5
"""Cases of one kind that are listed; the others are only counted."""


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 game`, `5 games`; `many` is the plural if it is not formed with an `s`."""
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


def listed(words: Sequence[str]) -> str:
    """`one`, `one and two`, `one, two and three`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def either(words: Sequence[str]) -> str:
    """`one`, `one or two`, `one, two or three`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def summary(cases: Sequence[str], most: int = NOTED) -> list[str]:
    """The first of some cases, and how many more there are."""
    more = [f"and {len(cases) - most} more"] if len(cases) > most else []
    return [*cases[:most], *more]


def some(words: Sequence[str], most: int = NOTED) -> str:
    """`one and two`, or `one, two and 3 more` where there are more of them than are named."""
    return listed(words) if len(words) <= most else listed([*words[:most], f"{len(words) - most} more"])


_HIDDEN: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters except tab and line feed, separators of lines, marks of direction, halves of letters, which no encoding has."""


def printable(text: str) -> str:
    """The text with everything that is obeyed instead of shown as `\\uXXXX`; tabs and line feeds stay."""
    return _HIDDEN.sub(_escaped, text)


def one_line(text: str) -> str:
    """The same on one line."""
    return printable(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def last_part(path: str) -> str:
    """The last part of a path, with the separators of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def harmless(text: str) -> str:
    """Text for a log that GitHub's runner cannot mistake for a command, at the start of a line or, in the old form, anywhere."""
    return re.sub(r"^(\s*):(?=:)", r"\1: ", printable(text), flags=re.MULTILINE).replace("##[", "## [")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
