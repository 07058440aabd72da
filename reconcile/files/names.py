"""Names of players: the form used for comparing them, as exporters change case, accents and spaces; and the variants of one name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

_BLANKS: Final = bytes.maketrans(b"\t\n", b"  ")


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """A name in the form used for comparing: without case, accents, underscores and repeated spaces."""
    if name.isascii():
        return " ".join(name.replace("_", " ").lower().split())
    plain = unicodedata.normalize("NFKD", name.replace("_", " ")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c)).translate({0xF8: "o", 0x142: "l", 0x111: "d", 0xE6: "ae", 0xDF: "ss"})
    return " ".join(plain.split())


def told_apart(players: tuple[str, str]) -> tuple[str, str]:
    """The names of two players, told apart by their seats where they are the same: `Same#1` and `Same#2`."""
    one, two = players
    return (f"{one}#1", f"{two}#2") if fold(one) == fold(two) else players


def unbroken(text: bytes) -> bytes:
    """A name on one line, as the standard of SGF wants it: line feeds and tabs become blanks."""
    return text.translate(_BLANKS)


@dataclass(frozen=True, slots=True)
class Aliases:
    """The name variants of a file, or none: `players: {"Kévin Unger": ["K. Unger", "kunger"]}`."""

    schema_version: int
    players: Mapping[str, tuple[str, ...]]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The names of every person, the main one first."""
        return [(name, *variants) for name, variants in self.players.items()]

    def chosen(self, name: str) -> str:
        """The person's main name; the name itself if no variant is listed."""
        wanted = fold(name)
        return next((group[0] for group in self.groups if wanted in map(fold, group)), name)


NO_ALIASES: Final = Aliases(schema_version=1, players={})


def load_aliases(path: str | None) -> Aliases:
    """Read a file of name variants; empty without a path. Raises `InvalidConfiguration`."""
    if path is None:
        return NO_ALIASES
    from reconcile.files.model import AliasFile
    from reconcile.files.yaml_file import read_yaml

    read = read_yaml(Path(path), AliasFile)
    return Aliases(read.schema_version, read.players)
