"""Text from elsewhere (names of players and files, keys, answers of servers, output of programs) in a form that only shows letters.

A terminal obeys control characters, a log takes some of them for the end of a line, and marks of writing direction make a name look
like another one. All are shown as `\\uXXXX`, which JSON reads as the same letter.
"""

from __future__ import annotations

import re
from typing import Final

_HIDDEN: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters except tab and line feed, separators of lines, marks of direction, halves of letters, which no encoding has."""


def printable(text: str) -> str:
    """The text with everything that is obeyed instead of shown as `\\uXXXX`; tabs and line feeds stay."""
    return _HIDDEN.sub(_escaped, text)


def one_line(text: str) -> str:
    """The same on one line."""
    return printable(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
