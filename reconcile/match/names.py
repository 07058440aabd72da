"""Names of players in the form used for comparing them: exporters change case, accents,
underscores and spaces."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_BLANKS = bytes.maketrans(b"\t\n", b"  ")


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """A name in the form used for comparing: without case, accents, underscores and repeated
    spaces."""
    if name.isascii():
        return " ".join(name.replace("_", " ").lower().split())
    plain = unicodedata.normalize("NFKD", name.replace("_", " ")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c)).translate(
        {0xF8: "o", 0x142: "l", 0x111: "d", 0xE6: "ae", 0xDF: "ss"}
    )
    return " ".join(plain.split())


def names_with(part: str, names: Iterable[str]) -> list[str]:
    """The names that a text is, or else is a part of, in the form used for comparing."""
    wanted, every = fold(part), list(names)
    exact = [name for name in every if fold(name) == wanted]
    return exact or [name for name in every if wanted and wanted in fold(name)]


def told_apart(players: tuple[str, str]) -> tuple[str, str]:
    """The names of two players, distinguished by their seats if they are the same: `Same#1` and
    `Same#2`."""
    first, second = players
    return (f"{first}#1", f"{second}#2") if fold(first) == fold(second) else players


def unbroken(text: bytes) -> bytes:
    """A name on one line, as the standard of SGF wants it: line feeds and tabs become blanks."""
    return text.translate(_BLANKS)
